"""Terraform for Google Cloud: an instance template and a managed group, and what they stand on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import CALENDAR, FLEX_START, ON_DEMAND, SPOT
from gpuadvisor.emit.attached import machine
from gpuadvisor.emit.boot import BUCKET, boot_script
from gpuadvisor.emit.comments import Say
from gpuadvisor.emit.hcl import (
    Block,
    Heredoc,
    Item,
    Raw,
    Remark,
    attributes,
    block,
    quoted,
    resource,
)
from gpuadvisor.emit.images import gcp_image
from gpuadvisor.emit.interface import Blank, Plan
from gpuadvisor.emit.policy import KEEP_DAYS

PROVIDER = ("google", "hashicorp/google", ">= 6.0, < 8.0")
TERMS = (ON_DEMAND, SPOT, FLEX_START, CALENDAR)
MIXES = False
"""Whether the group may take other types where spot has none of the chosen one."""
MOST_SECONDS = 604_800
"""A flex-start machine runs seven days at most."""
IAP = "35.235.240.0/20"
"""Where connections through Identity-Aware Proxy come from."""
_HYPERDISK = ("a3-ultragpu", "a4-", "a4x-", "g4-")
"""Families that take no Persistent Disk."""


def fill(plan: Plan) -> list[Blank]:
    """Variables without a default."""
    found = [
        ("project_id", message("emit.fill_project")),
        ("network", message("emit.fill_network")),
        ("subnetwork", message("emit.fill_subnetwork")),
    ]
    if _zonal(plan):
        found.append(("zone", message("emit.fill_zone", region=plan.region)))
    if gcp_image(plan) is None:
        found.append(("image", message("emit.fill_image")))
    if plan.purchase == CALENDAR:
        found.append(("reservation", message("emit.fill_reservation")))
    return found


def notes(plan: Plan) -> list[Message]:
    """What else to know of this cloud."""
    slow = plan.gang and plan.type.rdma is not None
    return [message("emit.gcp_fabric", type=machine(plan)[0])] if slow else []


def items(plan: Plan, say: Say) -> Iterator[Item]:
    """The file after its terraform block."""
    if plan.device.software == "tpu":
        raise RefusedError(message("emit.tpu", type=plan.type.name))
    yield block("provider", "google", attributes(project=Raw("var.project_id"), region=plan.region))
    yield from _variables(plan, say)
    image = gcp_image(plan)
    if image is not None:
        project, family = image
        yield block(
            "data", "google_compute_image", "gpu", attributes(project=project, family=family)
        )
    yield resource(
        "google_service_account",
        "gpu",
        attributes(account_id=f"{plan.name}-nodes", display_name="GPU machines"),
    )
    if plan.checkpoint is not None:
        yield from _bucket(plan, say)
    yield from _firewall(plan, say)
    script = boot_script(plan, f"gs://{BUCKET}")
    if script is not None:
        holes = {BUCKET: "google_storage_bucket.checkpoints.name"}
        yield block("locals", attributes(startup_script=Heredoc(script, holes)))
    if plan.gang:
        policy = block("group_placement_policy", attributes(collocation="COLLOCATED"))
        yield resource(
            "google_compute_resource_policy",
            "gpu",
            attributes(name=plan.name, region=plan.region),
            policy,
        )
    yield _template(plan, script is not None)
    yield from _group(plan)


def _zonal(plan: Plan) -> bool:
    return plan.gang or plan.purchase in (FLEX_START, CALENDAR)


def _variables(plan: Plan, say: Say) -> Iterator[Block]:
    here = attributes(
        condition=Raw(f"startswith(var.zone, {quoted(plan.region + '-')})"),
        error_message=say(message("emit.other_region", region=plan.region)),
    )
    for name, what in fill(plan):
        told = attributes(description=say(what), type=Raw("string"))
        check = block("validation", here) if name == "zone" else None
        yield block("variable", name, *told, check)


def _bucket(plan: Plan, say: Say) -> Iterator[Item]:
    yield Remark(say(message("emit.bucket", days=KEEP_DAYS)))
    yield resource(
        "google_storage_bucket",
        "checkpoints",
        attributes(
            name=Raw(f'"${{var.project_id}}-{plan.name}-checkpoints"'),
            location=plan.region,
            uniform_bucket_level_access=True,
            public_access_prevention="enforced",
        ),
        block("versioning", attributes(enabled=True)),
        block(
            "lifecycle_rule",
            block("condition", attributes(days_since_noncurrent_time=KEEP_DAYS)),
            block("action", attributes(type="Delete")),
        ),
    )
    yield resource(
        "google_storage_bucket_iam_member",
        "checkpoints",
        attributes(
            bucket=Raw("google_storage_bucket.checkpoints.name"),
            role="roles/storage.objectUser",
            member=Raw("google_service_account.gpu.member"),
        ),
    )


def _firewall(plan: Plan, say: Say) -> Iterator[Item]:
    nodes = [Raw("google_service_account.gpu.email")]
    yield Remark(say(message("emit.no_inbound_gcp")))
    yield resource(
        "google_compute_firewall",
        "iap",
        attributes(
            name=f"{plan.name}-iap-ssh",
            network=Raw("var.network"),
            source_ranges=[IAP],
            target_service_accounts=nodes,
        ),
        block("allow", attributes(protocol="tcp", ports=["22"])),
    )
    if plan.gang:
        yield resource(
            "google_compute_firewall",
            "nodes",
            attributes(
                name=f"{plan.name}-nodes",
                network=Raw("var.network"),
                source_service_accounts=nodes,
                target_service_accounts=nodes,
            ),
            block("allow", attributes(protocol="all")),
        )


def _template(plan: Plan, script: bool) -> Block:
    name, accelerator = machine(plan)
    image = "data.google_compute_image.gpu.self_link" if gcp_image(plan) else "var.image"
    attached = attributes(type=accelerator, count=plan.devices) if accelerator else None
    service = attributes(email=Raw("google_service_account.gpu.email"), scopes=["cloud-platform"])
    return resource(
        "google_compute_instance_template",
        "gpu",
        attributes(
            name_prefix=f"{plan.name}-",
            machine_type=name,
            metadata_startup_script=Raw("local.startup_script") if script else None,
            resource_policies=(
                [Raw("google_compute_resource_policy.gpu.id")] if plan.gang else None
            ),
            metadata={"enable-oslogin": "TRUE", "block-project-ssh-keys": "TRUE"},
        ),
        _disk(plan, plan.boot_gb, Raw(image)),
        _disk(plan, plan.data_gb) if plan.data_gb else None,
        block("guest_accelerator", attached) if attached else None,
        block("network_interface", attributes(subnetwork=Raw("var.subnetwork"), nic_type="GVNIC")),
        block("scheduling", _scheduling(plan)),
        _reservation(plan),
        block("service_account", service),
        block(
            "shielded_instance_config",
            attributes(enable_vtpm=True, enable_integrity_monitoring=True),
        ),
        block("lifecycle", attributes(create_before_destroy=True)),
    )


def _disk(plan: Plan, size: int, image: Raw | None = None) -> Block:
    kind = "hyperdisk-balanced" if plan.type.name.startswith(_HYPERDISK) else "pd-balanced"
    boot = image is not None
    return block(
        "disk",
        attributes(
            source_image=image, boot=boot, auto_delete=True, disk_type=kind, disk_size_gb=size
        ),
    )


def _scheduling(plan: Plan) -> list[Any]:
    """A machine with devices cannot be moved while it runs."""
    moved = {"on_host_maintenance": "TERMINATE"}
    if plan.purchase == ON_DEMAND:
        return attributes(**moved, automatic_restart=True)
    model = {SPOT: "SPOT", FLEX_START: "FLEX_START", CALENDAR: "RESERVATION_BOUND"}[plan.purchase]
    found = attributes(
        provisioning_model=model,
        preemptible=True if plan.purchase == SPOT else None,
        automatic_restart=False,
        instance_termination_action="DELETE",
        **moved,
    )
    if plan.purchase != FLEX_START:
        return found
    return [*found, block("max_run_duration", attributes(seconds=MOST_SECONDS))]


def _reservation(plan: Plan) -> Block | None:
    if plan.purchase == FLEX_START:
        return block("reservation_affinity", attributes(type="NO_RESERVATION"))
    if plan.purchase != CALENDAR:
        return None
    key = "compute.googleapis.com/reservation-name"
    named = attributes(key=key, values=[Raw("var.reservation")])
    return block(
        "reservation_affinity",
        attributes(type="SPECIFIC_RESERVATION"),
        block("specific_reservation", named),
    )


def _group(plan: Plan) -> Iterator[Item]:
    """Where any zone will do the group takes the one with capacity."""
    version = block(
        "version",
        attributes(instance_template=Raw("google_compute_instance_template.gpu.self_link_unique")),
    )
    if _zonal(plan):
        queued = plan.purchase == FLEX_START
        yield resource(
            "google_compute_instance_group_manager",
            "gpu",
            attributes(
                name=plan.name,
                base_instance_name=plan.name,
                zone=Raw("var.zone"),
                target_size=0 if queued else plan.instances,
            ),
            version,
            _queued() if queued else None,
        )
        if queued:
            yield _request(plan)
        return
    yield resource(
        "google_compute_region_instance_group_manager",
        "gpu",
        attributes(
            name=plan.name,
            base_instance_name=plan.name,
            region=plan.region,
            target_size=plan.instances,
            distribution_policy_target_shape="ANY",
        ),
        version,
        block(
            "update_policy",
            attributes(
                type="OPPORTUNISTIC",
                minimal_action="REPLACE",
                instance_redistribution_type="NONE",
            ),
        ),
    )


def _queued() -> list[Item]:
    """The request sets the size, and a machine that ends is not made again."""
    kept = attributes(default_action_on_failure="DO_NOTHING")
    return [
        block("instance_lifecycle_policy", kept),
        block("lifecycle", attributes(ignore_changes=[Raw("target_size")])),
    ]


def _request(plan: Plan) -> Block:
    """Flex-start gives all machines of a request at once, when it has them."""
    return resource(
        "google_compute_resize_request",
        "gpu",
        attributes(
            name=plan.name,
            instance_group_manager=Raw("google_compute_instance_group_manager.gpu.name"),
            zone=Raw("var.zone"),
            resize_by=plan.instances,
        ),
        block("requested_run_duration", attributes(seconds=str(MOST_SECONDS))),
    )
