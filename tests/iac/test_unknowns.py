"""What a plan does not know yet: unset, unknown, secret, and what can be followed instead.

Each shape was seen in real plans of Terraform 1.11 with hashicorp/aws 5.100; design notes
"iac-formats", section 1.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.iac.plans import change, constant, parse, plan, refers, resource

AWS = {"aws": {"name": "aws", "expressions": {"region": constant("us-east-1")}}}


def _only(data: Any) -> Any:
    findings = parse(data).findings
    assert len(findings) == 1, [f.address for f in findings]
    return findings[0]


def _reasons(finding: Any) -> set[str]:
    return {reason.id for reason in finding.reasons}


def test_unset_and_computed_is_the_default_not_maybe_spot() -> None:
    unknown = {"instance_market_options": True, "availability_zone": True, "tenancy": True}
    data = plan(
        change("aws_instance.a", {"instance_type": "g5.xlarge"}, unknown=unknown),
        resources=[resource("aws_instance.a", instance_type=constant("g5.xlarge"))],
        providers=AWS,
    )
    finding = _only(data)
    assert (finding.after.purchase, finding.after.confidence) == ("on_demand", "high")
    assert finding.reasons == ()


def test_set_but_unknown_purchase_is_unknown() -> None:
    data = plan(
        change(
            "aws_instance.a",
            {"instance_type": "g5.xlarge", "instance_market_options": [{}]},
            unknown={"instance_market_options": [{"market_type": True}]},
        ),
        resources=[
            resource(
                "aws_instance.a",
                instance_market_options=[
                    {"market_type": refers("random_pet.x.id", "random_pet.x")}
                ],
            )
        ],
    )
    finding = _only(data)
    assert finding.after.purchase == "unknown"
    assert "iac.value_unknown" in _reasons(finding)


def test_type_that_depends_on_another_resource_could_not_be_told() -> None:
    data = plan(
        change("aws_instance.a", {}, unknown={"instance_type": True}),
        resources=[resource("aws_instance.a", instance_type=refers("random_pet.x.id"))],
    )
    finding = _only(data)
    assert finding.after.certain is False
    assert finding.after.type is None
    assert "iac.value_unknown" in _reasons(finding)


def test_unknown_counts_are_none_never_zero() -> None:
    data = plan(
        change(
            "aws_eks_node_group.a",
            {"instance_types": ["g5.xlarge"], "scaling_config": [{"min_size": 1, "max_size": 3}]},
            unknown={"scaling_config": [{"desired_size": True}]},
        ),
        resources=[
            resource("aws_eks_node_group.a", scaling_config=[{"desired_size": refers("x.y.z")}])
        ],
    )
    finding = _only(data)
    assert tuple(finding.after.counts[:3]) == (1, None, 3)


@pytest.mark.parametrize(
    ("sensitive", "certain", "purchase"),
    [
        ({"instance_type": True}, False, "on_demand"),
        ({"instance_market_options": True}, True, "unknown"),
    ],
)
def test_secret_values_are_neither_read_nor_shown(
    sensitive: dict[str, bool], certain: bool, purchase: str
) -> None:
    after = {"instance_type": "g5.xlarge", "instance_market_options": [{"market_type": "spot"}]}
    if "instance_type" in sensitive:
        del after["instance_market_options"]
    finding = _only(plan(change("aws_instance.a", after, sensitive=sensitive)))
    assert (finding.after.certain, finding.after.purchase) == (certain, purchase)
    if not certain:
        assert "g5.xlarge" not in repr(finding)


def test_secrets_elsewhere_in_the_resource_do_not_matter_and_do_not_leak() -> None:
    after = {"instance_type": "g5.xlarge", "user_data": "hunter2-password"}
    findings = parse(plan(change("aws_instance.a", after, sensitive={"user_data": True})))
    assert findings.findings[0].resource.type == "g5.xlarge"
    assert "hunter2" not in repr(findings)


def _asg(address: str = "aws_autoscaling_group.g", **extra: Any) -> dict[str, Any]:
    values = {"min_size": 1, "max_size": 2, "launch_template": [{"version": "$Latest"}]}
    return change(
        address, values, unknown={"launch_template": [{"id": True, "name": True}]}, **extra
    )


def test_launch_template_is_followed_and_lends_type_and_terms() -> None:
    template = {"instance_type": "g5.xlarge", "instance_market_options": [{"market_type": "spot"}]}
    data = plan(
        _asg(),
        change("aws_launch_template.t", template),
        resources=[
            resource(
                "aws_autoscaling_group.g",
                launch_template=[
                    {"id": refers("aws_launch_template.t.id", "aws_launch_template.t")}
                ],
            ),
            resource("aws_launch_template.t"),
        ],
        providers=AWS,
    )
    findings = parse(data)
    assert [f.address for f in findings.findings] == ["aws_autoscaling_group.g"]
    after = findings.findings[0].after
    assert after is not None
    assert (after.type, after.purchase, after.region) == ("g5.xlarge", "spot", "us-east-1")
    # A template that is used is not listed as a template that costs nothing.
    assert findings.notes == ()


def test_template_by_known_id() -> None:
    state = {"id": "lt-1", "name": "n", "instance_type": "g5.xlarge"}
    group = {"min_size": 1, "max_size": 1, "launch_template": [{"id": "lt-1"}]}
    data = plan(
        change("aws_autoscaling_group.g", group, group, ["no-op"]),
        change("aws_launch_template.t", state, state, ["no-op"]),
    )
    assert _only(data).after.type == "g5.xlarge"


def test_template_outside_the_plan_could_not_be_told() -> None:
    group = {"min_size": 1, "max_size": 1, "launch_template": [{"id": "lt-elsewhere"}]}
    finding = _only(plan(change("aws_autoscaling_group.g", group)))
    assert finding.after.certain is False
    assert "iac.template_unresolved" in _reasons(finding)
    assert tuple(finding.after.counts[:3]) == (1, 1, 1)


def test_indexed_template_is_picked_by_its_key() -> None:
    data = plan(
        _asg(),
        change('aws_launch_template.ce["cpu"]', {"instance_type": "m5.large"}),
        change('aws_launch_template.ce["prod-gpu"]', {"instance_type": "g5.xlarge"}),
        resources=[
            resource(
                "aws_autoscaling_group.g",
                launch_template=[
                    {
                        "id": refers(
                            'aws_launch_template.ce["prod-gpu"].id',
                            'aws_launch_template.ce["prod-gpu"]',
                            "aws_launch_template.ce",
                        )
                    }
                ],
            )
        ],
    )
    assert _only(data).after.type == "g5.xlarge"


def test_dynamic_index_takes_the_same_key_or_names_all_candidates() -> None:
    written = resource(
        "aws_autoscaling_group.g",
        launch_template=[{"id": refers("aws_launch_template.ce", "each.key")}],
    )
    templates = (
        change('aws_launch_template.ce["a"]', {"instance_type": "g5.xlarge"}),
        change('aws_launch_template.ce["b"]', {"instance_type": "g5.2xlarge"}),
    )
    same = _only(plan(_asg('aws_autoscaling_group.g["b"]'), *templates, resources=[written]))
    assert same.after.type == "g5.2xlarge"
    open_ = _only(plan(_asg(), *templates, resources=[written]))
    assert [c.type for c in open_.after.candidates] == ["g5.xlarge", "g5.2xlarge"]
    assert "iac.several_templates" in _reasons(open_)
    assert open_.after.confidence == "medium"


def test_reference_through_a_module_argument() -> None:
    inner = {
        "resources": [
            resource("aws_autoscaling_group.g", launch_template=[{"id": refers("var.template_id")}])
        ],
        "variables": {"template_id": {}},
    }
    data = plan(
        _asg("module.m.aws_autoscaling_group.g"),
        change("aws_launch_template.t", {"instance_type": "g5.xlarge"}),
        calls={
            "m": {
                "expressions": {
                    "template_id": refers("aws_launch_template.t.id", "aws_launch_template.t")
                },
                "module": inner,
            }
        },
    )
    assert _only(data).after.type == "g5.xlarge"


def test_reference_through_a_module_output() -> None:
    inner = {
        "resources": [resource("aws_launch_template.t")],
        "outputs": {"id": {"expression": refers("aws_launch_template.t.id")}},
    }
    data = plan(
        _asg(),
        change('module.m["x.y"].aws_launch_template.t', {"instance_type": "g5.xlarge"})
        | {"module_address": 'module.m["x.y"]', "type": "aws_launch_template", "name": "t"},
        resources=[
            resource(
                "aws_autoscaling_group.g",
                launch_template=[{"id": refers("module.m.id", "module.m")}],
            )
        ],
        calls={"m": {"expressions": {}, "module": inner}},
    )
    assert _only(data).after.type == "g5.xlarge"


def test_dynamic_block_has_no_expressions_so_unknown_stays_unknown() -> None:
    group = {
        "min_size": 0,
        "max_size": 2,
        "mixed_instances_policy": [{"launch_template": [{"launch_template_specification": [{}]}]}],
    }
    unknown = {
        "mixed_instances_policy": [
            {"launch_template": [{"launch_template_specification": [{"launch_template_id": True}]}]}
        ]
    }
    data = plan(
        change("aws_autoscaling_group.g", group, unknown=unknown),
        resources=[resource("aws_autoscaling_group.g", max_size=constant(2))],
    )
    finding = _only(data)
    assert finding.after.certain is False
    assert "iac.template_unresolved" in _reasons(finding)


def test_circular_references_end() -> None:
    circle = {
        "m": {
            "expressions": {"a": refers("module.m.out")},
            "module": {
                "resources": [resource("aws_instance.a", instance_type=refers("var.a"))],
                "variables": {"a": {}},
                "outputs": {"out": {"expression": refers("var.a")}},
            },
        }
    }
    data = plan(
        change(
            "module.m.aws_instance.a", {}, unknown={"instance_type": True, "launch_template": []}
        ),
        calls=circle,
    )
    assert _only(data).after.certain is False


def test_capacity_block_takes_its_type_from_the_offering_that_was_read() -> None:
    offering = {
        "address": "data.aws_ec2_capacity_block_offering.o",
        "mode": "data",
        "type": "aws_ec2_capacity_block_offering",
        "name": "o",
        "values": {"instance_type": "p5.48xlarge", "instance_count": 4},
    }
    data = plan(
        change(
            "aws_ec2_capacity_block_reservation.r",
            {"instance_platform": "Linux/UNIX", "capacity_block_offering_id": "cbo-1"},
            unknown={"instance_type": True, "instance_count": True},
        ),
        resources=[
            resource(
                "aws_ec2_capacity_block_reservation.r",
                capacity_block_offering_id=refers("data.aws_ec2_capacity_block_offering.o.id"),
            )
        ],
        prior_state={"values": {"root_module": {"resources": [offering]}}},
    )
    after = _only(data).after
    assert (after.type, tuple(after.counts[:3]), after.billing) == (
        "p5.48xlarge",
        (4, 4, 4),
        "prepaid",
    )
