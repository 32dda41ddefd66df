"""What Terraform does with a resource, and what that means for the bill."""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.iac import terraform
from tests.iac.plans import change, parse, plan
from tests.iac.support import context, plan_document

SMALL = {"instance_type": "g5.xlarge"}
LARGE = {"instance_type": "g5.12xlarge"}
PLAIN = {"instance_type": "m5.large"}


def _types(finding: Any) -> tuple[str | None, str | None]:
    return (
        finding.before.type if finding.before else None,
        finding.after.type if finding.after else None,
    )


@pytest.mark.parametrize(
    ("actions", "before", "after", "action", "types"),
    [
        (["create"], None, SMALL, "create", (None, "g5.xlarge")),
        (["delete"], SMALL, None, "delete", ("g5.xlarge", None)),
        (["update"], SMALL, LARGE, "update", ("g5.xlarge", "g5.12xlarge")),
        (["delete", "create"], SMALL, LARGE, "replace", ("g5.xlarge", "g5.12xlarge")),
        (["create", "delete"], SMALL, LARGE, "replace", ("g5.xlarge", "g5.12xlarge")),
        (["no-op"], SMALL, SMALL, "no-op", ("g5.xlarge", "g5.xlarge")),
        # Terraform forgets it; AWS does not.
        (["forget"], SMALL, None, "forget", ("g5.xlarge", "g5.xlarge")),
        (["update"], PLAIN, SMALL, "update", (None, "g5.xlarge")),
        (["update"], SMALL, PLAIN, "update", ("g5.xlarge", None)),
    ],
)
def test_each_action_is_one_line(
    actions: list[str], before: Any, after: Any, action: str, types: tuple[str | None, str | None]
) -> None:
    findings = parse(plan(change("aws_instance.a", after, before, actions))).findings
    assert [(f.action, _types(f)) for f in findings] == [(action, types)]


@pytest.mark.parametrize("actions", [["forget", "create"], ["create", "forget"]])
def test_replaced_but_left_behind_is_billed_twice(actions: list[str]) -> None:
    findings = parse(plan(change("aws_instance.a", LARGE, SMALL, actions))).findings
    assert [(f.address, f.action, _types(f)) for f in findings] == [
        ("aws_instance.a#forgotten", "forget", ("g5.xlarge", "g5.xlarge")),
        ("aws_instance.a", "create", (None, "g5.12xlarge")),
    ]


def test_a_move_is_told() -> None:
    moved = change("aws_instance.a", SMALL, SMALL, ["no-op"], previous_address="aws_instance.old")
    assert parse(plan(moved)).findings[0].reasons[0].id == "iac.moved"


def test_import_existed_before_so_nothing_is_added() -> None:
    item = change("aws_instance.a", SMALL, SMALL, ["no-op"])
    item["change"]["importing"] = {"id": "i-1"}
    finding = parse(plan(item)).findings[0]
    assert finding.before == finding.after
    assert "iac.imported" in {r.id for r in finding.reasons}


def test_forgotten_and_accelerators_gained_or_lost_are_reasons() -> None:
    cases = {
        "iac.forgotten": change("aws_instance.a", None, SMALL, ["forget"]),
        "iac.no_accelerator_before": change("aws_instance.a", SMALL, PLAIN),
        "iac.no_accelerator_after": change("aws_instance.a", PLAIN, SMALL),
    }
    for reason, item in cases.items():
        assert reason in {r.id for r in parse(plan(item)).findings[0].reasons}


@pytest.mark.parametrize(
    "item",
    [
        change("aws_instance.a", SMALL, mode="data"),
        change("aws_instance.a", None, SMALL, deposed="abcd1234"),
        change("aws_security_group.a", {"name": "g5.xlarge"}),
        {"type": "aws_instance", "address": "aws_instance.a", "change": None},
        {"type": 7, "address": [], "change": {}},
        "no mapping",
        None,
    ],
)
def test_data_sources_leftovers_and_nonsense_give_no_finding(item: Any) -> None:
    assert parse(plan(item)).findings == ()


def test_drift_is_ignored() -> None:
    data = plan(change("aws_instance.a", SMALL), resource_drift=[change("aws_instance.b", LARGE)])
    assert [f.address for f in parse(data).findings] == ["aws_instance.a"]


def test_deferred_changes_are_named_with_an_unknown_count() -> None:
    deferred = {
        "reason": "instance_count_unknown",
        "resource_change": change("aws_instance.a", SMALL),
    }
    finding = parse(plan(deferred_changes=[deferred])).findings[0]
    assert finding.action == "deferred"
    assert finding.resource.counts[:3] == (None, None, None)
    assert finding.reasons[0].id == "iac.deferred"


@pytest.mark.parametrize(
    ("extra", "note"),
    [
        ({"errored": True}, "iac.plan_errored"),
        ({"complete": False}, "iac.plan_incomplete"),
        ({"configuration": None}, "iac.plan_without_configuration"),
    ],
)
def test_plans_that_are_not_whole_are_noted(extra: dict[str, Any], note: str) -> None:
    findings = parse({**plan(change("aws_instance.a", SMALL)), **extra})
    assert [n.message.id for n in findings.notes] == [note]
    assert len(findings.findings) == 1


@pytest.mark.parametrize("version", ["0.1", "0.2", "1.0", "1.2", "1.99"])
def test_known_plan_formats(version: str) -> None:
    assert parse({**plan(change("aws_instance.a", SMALL)), "format_version": version}).findings


@pytest.mark.parametrize("version", ["2.0", "0.0", "", "x", None, {}])
def test_other_major_versions_are_refused(version: Any) -> None:
    with pytest.raises(InputError) as caught:
        terraform.parse(plan_document({**plan(), "format_version": version}), context())
    assert caught.value.message.id == "iac.plan_version"
    assert caught.value.exit_code == 3


def test_template_alone_is_a_note_not_a_cost() -> None:
    findings = parse(plan(change("aws_launch_template.t", SMALL)))
    assert findings.findings == ()
    assert [(n.address, n.message.id) for n in findings.notes] == [
        ("aws_launch_template.t", "iac.template_alone")
    ]


def test_count_and_for_each_are_already_expanded() -> None:
    """Infracost 1889, 1968: module and for_each instances, each once."""
    data = plan(
        change("aws_instance.a[0]", SMALL),
        change("aws_instance.a[1]", SMALL),
        change('module.m["x"].aws_instance.a["k"]', LARGE),
    )
    assert [f.address for f in parse(data).findings] == [
        "aws_instance.a[0]",
        "aws_instance.a[1]",
        'module.m["x"].aws_instance.a["k"]',
    ]


def test_two_groups_of_one_label_are_both_kept() -> None:
    variant = {"variant_name": "v", "instance_type": "ml.g5.xlarge", "initial_instance_count": 1}
    data = plan(
        change(
            "aws_sagemaker_endpoint_configuration.e",
            {"production_variants": [variant], "shadow_production_variants": [variant]},
        )
    )
    assert [f.address for f in parse(data).findings] == [
        "aws_sagemaker_endpoint_configuration.e#v",
        "aws_sagemaker_endpoint_configuration.e#v:2",
    ]


def test_groups_are_matched_before_and_after_by_their_label() -> None:
    def pools(*named: tuple[str, int]) -> dict[str, Any]:
        return {
            "location": "us-central1-a",
            "remove_default_node_pool": True,
            "node_pool": [
                {"name": n, "node_count": c, "node_config": [{"machine_type": "g2-standard-8"}]}
                for n, c in named
            ],
        }

    data = plan(change("google_container_cluster.c", pools(("b", 3)), pools(("a", 1), ("b", 2))))
    found = {f.address: f for f in parse(data).findings}
    gone, grown = found["google_container_cluster.c#a"], found["google_container_cluster.c#b"]
    assert gone.after is None
    assert grown.before and grown.before.counts.planned == 2
    assert grown.after and grown.after.counts.planned == 3


def test_autoscaler_bounds_the_group_it_targets() -> None:
    template = {"name": "t", "machine_type": "g2-standard-4"}
    group = {"name": "g", "zone": "us-east1-b", "version": [{"instance_template": "t"}]}
    policy = [{"min_replicas": 1, "max_replicas": 6}]
    data = plan(
        change("google_compute_autoscaler.s", {"target": "g", "autoscaling_policy": policy}),
        change("google_compute_instance_group_manager.g", group),
        change("google_compute_instance_template.t", template),
    )
    finding = parse(data).findings[0]
    assert finding.resource.type == "g2-standard-4"
    assert finding.resource.counts[:3] == (1, 1, 6)


def test_endpoint_scaling_reaches_the_configuration_that_it_runs() -> None:
    variant = {"variant_name": "v", "instance_type": "ml.g5.xlarge", "initial_instance_count": 1}
    data = plan(
        change("aws_sagemaker_endpoint.e", {"name": "e", "endpoint_config_name": "c"}),
        change(
            "aws_sagemaker_endpoint_configuration.c",
            {"name": "c", "production_variants": [variant]},
        ),
        change(
            "aws_appautoscaling_target.t",
            {"resource_id": "e", "min_capacity": 1, "max_capacity": 9},
        ),
    )
    assert parse(data).findings[0].resource.counts[:3] == (1, 1, 9)


def test_schedule_is_a_reason() -> None:
    group = {
        "name": "g",
        "min_size": 0,
        "max_size": 1,
        "mixed_instances_policy": [
            {"launch_template": [{"override": [{"instance_type": "g5.xlarge"}]}]}
        ],
    }
    data = plan(
        change("aws_autoscaling_group.g", group),
        change("aws_autoscaling_schedule.s", {"autoscaling_group_name": "g", "max_size": 5}),
    )
    assert "iac.scheduled" in {r.id for r in parse(data).findings[0].reasons}


def test_instances_in_a_reservation_of_the_plan_are_covered_by_it() -> None:
    target = [{"capacity_reservation_target": [{"capacity_reservation_id": "cr-1"}]}]
    data = plan(
        change("aws_instance.a", {**SMALL, "capacity_reservation_specification": target}),
        change(
            "aws_ec2_capacity_reservation.r",
            {"id": "cr-1", "instance_type": "g5.xlarge", "instance_count": 1},
        ),
    )
    found = {f.address: f.resource for f in parse(data).findings}
    assert found["aws_instance.a"].covered_by == "aws_ec2_capacity_reservation.r"
    assert found["aws_ec2_capacity_reservation.r"].covered_by is None


@pytest.mark.parametrize(
    ("kind", "after", "hit"),
    [
        ("aws_something_new", {"instance_type": "g5.xlarge"}, True),
        ("aws_something_new", {"instance_type": "m5.large"}, False),
        ("aws_security_group_rule", {"type": "ingress"}, False),
        # Only a name of the catalog counts: a look-alike in a free field is no evidence.
        ("aws_something_new", {"type": "p9.large"}, False),
    ],
)
def test_resource_types_nobody_described(kind: str, after: dict[str, str], hit: bool) -> None:
    findings = parse(plan(change(f"{kind}.a", after))).findings
    assert bool(findings) is hit
    if hit:
        assert findings[0].resource.confidence == "low"
        assert findings[0].reasons[0].id == "iac.unmapped_resource"


def test_helm_release_is_noted_as_unread() -> None:
    findings = parse(plan(change("helm_release.vllm", {"chart": "vllm"})))
    assert [n.message.id for n in findings.notes] == ["iac.not_read"]
