"""Terraform for AWS: a launch template and an Auto Scaling group, and what they stand on."""

from __future__ import annotations

from collections.abc import Iterator

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import CAPACITY_BLOCK, ON_DEMAND, SPOT
from gpuadvisor.emit.boot import BUCKET, boot_script, cloud_config
from gpuadvisor.emit.comments import Say
from gpuadvisor.emit.fabric import EFA_CARDS, FIRST_WITHOUT
from gpuadvisor.emit.hcl import Block, Call, Heredoc, Item, Raw, Remark, attributes, block, resource
from gpuadvisor.emit.images import aws_image
from gpuadvisor.emit.interface import Blank, Plan
from gpuadvisor.emit.policy import ASSUME, KEEP_DAYS, bucket_statements

PROVIDER = ("aws", "hashicorp/aws", ">= 5.79, < 7.0")
"""5.79 knows interfaces of the type `efa-only`."""
_TEMPLATE = Raw("aws_launch_template.gpu.id")
_VERSION = Raw("aws_launch_template.gpu.latest_version")
_SSM = "arn:${data.aws_partition.current.partition}:iam::aws:policy/AmazonSSMManagedInstanceCore"
TERMS = (ON_DEMAND, SPOT, CAPACITY_BLOCK)
"""Terms on which machines can be asked for here."""
MIXES = True
"""Whether the group may take other types where spot has none of the chosen one."""


def fill(plan: Plan) -> list[Blank]:
    """Variables without a default."""
    found = [
        ("vpc_id", message("emit.fill_vpc")),
        ("subnet_ids", message("emit.fill_one_subnet" if plan.gang else "emit.fill_subnets")),
    ]
    if aws_image(plan) is None:
        found.append(("image_id", message("emit.fill_image")))
    if plan.purchase == CAPACITY_BLOCK:
        found.append(("capacity_reservation_id", message("emit.fill_reservation")))
    return found


def notes(plan: Plan) -> list[Message]:
    """What else to know of this cloud."""
    return []


def items(plan: Plan, say: Say) -> Iterator[Item]:
    """The file after its terraform block."""
    yield block("provider", "aws", attributes(region=plan.region))
    yield from _variables(plan, say)
    if aws_image(plan) is not None:
        yield block("data", "aws_ssm_parameter", "image", attributes(name=aws_image(plan)))
    yield block("data", "aws_partition", "current")
    if plan.checkpoint is not None:
        yield from _bucket(say)
    yield from _role(plan)
    yield from _network(plan, say)
    script = boot_script(plan, f"s3://{BUCKET}")
    if script is not None:
        text = cloud_config(script)
        holes = {BUCKET: "aws_s3_bucket.checkpoints.bucket"}
        yield block("locals", attributes(user_data=Heredoc(text, holes)))
    yield _template(plan, script is not None)
    if plan.gang:
        yield resource(
            "aws_placement_group",
            "gpu",
            attributes(name=plan.name, strategy="cluster"),
        )
    yield _group(plan)


def _variables(plan: Plan, say: Say) -> Iterator[Block]:
    one = attributes(
        condition=Raw("length(var.subnet_ids) == 1"), error_message=say(message("emit.one_subnet"))
    )
    for name, what in fill(plan):
        several = name == "subnet_ids"
        told = attributes(description=say(what), type=Raw("list(string)" if several else "string"))
        check = block("validation", one) if several and plan.gang else None
        yield block("variable", name, *told, check)


def _bucket(say: Say) -> Iterator[Item]:
    """Private, encrypted, versioned; what a run replaces is kept for some days."""
    of = Raw("aws_s3_bucket.checkpoints.id")
    yield Remark(say(message("emit.bucket", days=KEEP_DAYS)))
    yield resource("aws_s3_bucket", "checkpoints", attributes(bucket_prefix="checkpoints-"))
    yield resource(
        "aws_s3_bucket_public_access_block",
        "checkpoints",
        attributes(
            bucket=of,
            block_public_acls=True,
            block_public_policy=True,
            ignore_public_acls=True,
            restrict_public_buckets=True,
        ),
    )
    yield resource(
        "aws_s3_bucket_server_side_encryption_configuration",
        "checkpoints",
        attributes(bucket=of),
        block(
            "rule",
            block("apply_server_side_encryption_by_default", attributes(sse_algorithm="AES256")),
        ),
    )
    yield resource(
        "aws_s3_bucket_versioning",
        "checkpoints",
        attributes(bucket=of),
        block("versioning_configuration", attributes(status="Enabled")),
    )
    yield resource(
        "aws_s3_bucket_lifecycle_configuration",
        "checkpoints",
        attributes(bucket=of),
        block(
            "rule",
            attributes(id="replaced", status="Enabled"),
            block("filter"),
            block("noncurrent_version_expiration", attributes(noncurrent_days=KEEP_DAYS)),
            block("abort_incomplete_multipart_upload", attributes(days_after_initiation=KEEP_DAYS)),
        ),
    )


def _role(plan: Plan) -> Iterator[Item]:
    yield resource(
        "aws_iam_role",
        "gpu",
        attributes(name_prefix=f"{plan.name}-", assume_role_policy=Call("jsonencode", ASSUME)),
    )
    yield resource(
        "aws_iam_role_policy_attachment",
        "session_manager",
        attributes(role=Raw("aws_iam_role.gpu.name"), policy_arn=Raw(f'"{_SSM}"')),
    )
    if plan.checkpoint is not None:
        arn = "aws_s3_bucket.checkpoints.arn"
        statements = bucket_statements(Raw(arn), Raw(f'"${{{arn}}}/*"'))
        policy = {"Version": "2012-10-17", "Statement": statements}
        yield resource(
            "aws_iam_role_policy",
            "checkpoints",
            attributes(
                name="checkpoints",
                role=Raw("aws_iam_role.gpu.id"),
                policy=Call("jsonencode", policy),
            ),
        )
    yield resource(
        "aws_iam_instance_profile",
        "gpu",
        attributes(name_prefix=f"{plan.name}-", role=Raw("aws_iam_role.gpu.name")),
    )


def _network(plan: Plan, say: Say) -> Iterator[Item]:
    group = Raw("aws_security_group.gpu.id")
    yield Remark(say(message("emit.no_inbound_aws")))
    yield resource(
        "aws_security_group",
        "gpu",
        attributes(
            name_prefix=f"{plan.name}-",
            description="GPU machines: nothing from outside",
            vpc_id=Raw("var.vpc_id"),
        ),
    )
    yield resource(
        "aws_vpc_security_group_egress_rule",
        "out",
        attributes(security_group_id=group, ip_protocol="-1", cidr_ipv4="0.0.0.0/0"),
    )
    if plan.gang:
        # EFA wants all traffic between the nodes allowed by the group itself, both ways.
        for way in ("ingress", "egress"):
            yield resource(
                f"aws_vpc_security_group_{way}_rule",
                "nodes",
                attributes(
                    security_group_id=group, ip_protocol="-1", referenced_security_group_id=group
                ),
            )


def _template(plan: Plan, user_data: bool) -> Block:
    image = "data.aws_ssm_parameter.image.value" if aws_image(plan) else "var.image_id"
    cards = EFA_CARDS.get(plan.type.name, 0) if plan.gang else 0
    group = [Raw("aws_security_group.gpu.id")]
    return resource(
        "aws_launch_template",
        "gpu",
        attributes(
            name_prefix=f"{plan.name}-",
            image_id=Raw(image),
            instance_type=plan.type.name,
            user_data=Raw("base64encode(local.user_data)") if user_data else None,
            vpc_security_group_ids=None if cards else group,
        ),
        block("iam_instance_profile", attributes(arn=Raw("aws_iam_instance_profile.gpu.arn"))),
        block(
            "metadata_options", attributes(http_tokens="required", http_put_response_hop_limit=1)
        ),
        _disk("/dev/sda1" if aws_image(plan) else "/dev/xvda", plan.boot_gb),
        _disk("/dev/sdf", plan.data_gb) if plan.data_gb else None,
        _cards(plan, cards, group) if cards else None,
        *_block_terms(plan),
        block("tag_specifications", attributes(resource_type="instance", tags={"Name": plan.name})),
    )


def _disk(device: str, size: int | None) -> Block:
    disk = attributes(
        volume_size=size, volume_type="gp3", encrypted=True, delete_on_termination=True
    )
    return block("block_device_mappings", attributes(device_name=device), block("ebs", disk))


def _cards(plan: Plan, cards: int, group: list[Raw]) -> Block:
    """One interface a card; only the first has an address."""
    this = "network_interfaces.value"
    first = '"interface"' if plan.type.name in FIRST_WITHOUT else '"efa"'
    count = cards + (plan.type.name in FIRST_WITHOUT)
    content = attributes(
        network_card_index=Raw(this),
        device_index=Raw(f"{this} == 0 ? 0 : 1"),
        interface_type=Raw(f'{this} == 0 ? {first} : "efa-only"'),
        security_groups=group,
        delete_on_termination=True,
    )
    return block(
        "dynamic",
        "network_interfaces",
        attributes(for_each=Raw(f"range({count})")),
        block("content", content),
    )


def _block_terms(plan: Plan) -> list[Block]:
    """A Capacity Block is entered by name; spot is the group's matter."""
    if plan.purchase != CAPACITY_BLOCK:
        return []
    target = attributes(capacity_reservation_id=Raw("var.capacity_reservation_id"))
    return [
        block("instance_market_options", attributes(market_type="capacity-block")),
        block("capacity_reservation_specification", block("capacity_reservation_target", target)),
    ]


def _group(plan: Plan) -> Block:
    template = attributes(id=_TEMPLATE, version=_VERSION)
    return resource(
        "aws_autoscaling_group",
        "gpu",
        attributes(
            name_prefix=f"{plan.name}-",
            min_size=plan.instances,
            desired_capacity=plan.instances,
            max_size=plan.instances,
            vpc_zone_identifier=Raw("var.subnet_ids"),
            placement_group=Raw("aws_placement_group.gpu.id") if plan.gang else None,
            capacity_rebalance=True if plan.purchase == SPOT and not plan.gang else None,
            wait_for_capacity_timeout="0",
        ),
        _mixed(plan) if plan.purchase == SPOT else block("launch_template", template),
        block("tag", attributes(key="Name", value=plan.name, propagate_at_launch=True)),
    )


def _mixed(plan: Plan) -> Block:
    """All spot, from the pools that are cheap and least likely to be taken back."""
    shares = attributes(
        on_demand_base_capacity=0,
        on_demand_percentage_above_base_capacity=0,
        spot_allocation_strategy="price-capacity-optimized",
    )
    template = attributes(launch_template_id=_TEMPLATE, version=_VERSION)
    return block(
        "mixed_instances_policy",
        block("instances_distribution", shares),
        block(
            "launch_template",
            block("launch_template_specification", template),
            [block("override", attributes(instance_type=name)) for name in plan.types],
        ),
    )
