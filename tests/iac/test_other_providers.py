"""Providers beside the three largest: templates that are followed, groups that are switched."""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor.iac.interface import Resource
from tests.iac.plans import change, constant, parse, plan, refers, resource

OCI = {"oci": {"name": "oci", "expressions": {"region": constant("us-ashburn-1")}}}


def _only(data: dict[str, Any]) -> Resource:
    (finding,) = parse(data).findings
    assert finding.after is not None
    return finding.after


def test_an_instance_pool_borrows_shape_and_terms_from_its_configuration() -> None:
    details = {
        "launch_details": [{"shape": "BM.GPU.A100-v2.8", "preemptible_instance_config": [{"x": 1}]}]
    }
    found = parse(
        plan(
            change("oci_core_instance_configuration.c", {"instance_details": [details]}),
            change(
                "oci_core_instance_pool.p", {"size": 2}, unknown={"instance_configuration_id": True}
            ),
            resources=[
                resource("oci_core_instance_configuration.c", "oci"),
                resource(
                    "oci_core_instance_pool.p",
                    "oci",
                    instance_configuration_id=refers("oci_core_instance_configuration.c.id"),
                ),
            ],
            providers=OCI,
        )
    )
    (finding,) = found.findings
    after = finding.after
    assert after is not None
    assert (after.type, after.counts[:3], after.purchase) == (
        "BM.GPU.A100-v2.8",
        (2, 2, 2),
        "spot",
    )
    assert (after.region, after.region_evidence) == ("us-ashburn-1", "provider")
    assert found.notes == (), "a configuration in use is not worth a note"


@pytest.mark.parametrize(
    ("kind", "group", "config", "shape", "count", "wanted"),
    [
        (
            "huaweicloud_as_group",
            "scaling_configuration_id",
            "huaweicloud_as_configuration",
            {"instance_config": [{"flavor": "p2s.2xlarge.8", "charging_mode": "spot"}]},
            {"desire_instance_number": 1, "min_instance_number": 0, "max_instance_number": 3},
            ("p2s.2xlarge.8", (0, 1, 3), "spot"),
        ),
        (
            "tencentcloud_as_scaling_group",
            "configuration_id",
            "tencentcloud_as_scaling_config",
            {"instance_types": ["GN7.2XLARGE32"], "instance_charge_type": "SPOTPAID"},
            {"desired_capacity": 2, "min_size": 1, "max_size": 4},
            ("GN7.2XLARGE32", (1, 2, 4), "spot"),
        ),
        (
            "alicloud_ess_scaling_group",
            "launch_template_id",
            "alicloud_ecs_launch_template",
            {"instance_type": "ecs.gn7i-c8g1.2xlarge", "spot_strategy": "SpotAsPriceGo"},
            {"min_size": 0, "max_size": 5},
            ("ecs.gn7i-c8g1.2xlarge", (0, 0, 5), "spot"),
        ),
    ],
)
def test_scaling_groups_follow_their_configuration(
    kind: str, group: str, config: str, shape: Any, count: Any, wanted: Any
) -> None:
    found = _only(
        plan(
            change(f"{config}.c", shape),
            change(f"{kind}.g", count, unknown={group: True}),
            resources=[
                resource(f"{config}.c", "x"),
                resource(f"{kind}.g", "x", **{group: refers(f"{config}.c.id")}),
            ],
        )
    )
    assert (found.type, tuple(found.counts[:3]), found.purchase) == wanted


def test_a_flag_known_only_after_apply_leaves_the_fixed_count() -> None:
    """`scall_enable` unknown: the bounds may not be in force, so the initial count stands."""
    found = _only(
        plan(
            change(
                "huaweicloud_cce_node_pool.p",
                {
                    "flavor_id": "p2s.2xlarge.8",
                    "initial_node_count": 3,
                    "min_node_count": 0,
                    "max_node_count": 9,
                },
                unknown={"scall_enable": True},
            ),
            resources=[
                resource("huaweicloud_cce_node_pool.p", "x", scall_enable=refers("var.scale"))
            ],
        )
    )
    assert found.counts[:3] == (3, 3, 3)


def test_a_preset_known_only_after_apply_is_not_told_apart_from_a_plain_one() -> None:
    """Platform and preset make the type together; with one unknown it could be any."""
    data = plan(
        change(
            "nebius_compute_v1_instance.x",
            {"resources": {"platform": "gpu-h100-sxm"}},
            unknown={"resources": {"preset": True}},
        ),
        resources=[
            resource(
                "nebius_compute_v1_instance.x",
                "nebius",
                resources={"platform": constant("gpu-h100-sxm"), "preset": refers("local.p")},
            )
        ],
    )
    (finding,) = parse(data).findings
    assert finding.after is not None and finding.after.certain is False
    assert [r.id for r in finding.reasons][:1] == ["iac.value_unknown"]


def test_one_expression_for_a_whole_object_leaves_its_fields_unknown() -> None:
    """`resources = local.size`: the plan has no word about the fields, but they are not unset."""
    data = plan(
        change("nebius_compute_v1_instance.x", {}, unknown={"resources": True}),
        resources=[
            resource("nebius_compute_v1_instance.x", "nebius", resources=refers("local.size"))
        ],
    )
    (finding,) = parse(data).findings
    assert finding.after is not None and finding.after.certain is False
