"""Costs by hand: price x count x 730 h from the small catalog of support.py."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.check.interface import COVERED, PRICED, UNKNOWN, UNPRICED
from tests.check.support import codes, only, plan, row_of, run
from tests.iac.plans import change

G4DN = {"instance_type": "g4dn.xlarge"}


def money(row: Any) -> tuple[str | None, ...]:
    figures = (row.monthly_before, row.monthly_after, row.delta, row.monthly_max)
    return tuple(None if f is None else str(f) for f in figures)


def asg(low: int, desired: int | None, high: int | None, **more: Any) -> dict[str, Any]:
    return {"min_size": low, "desired_capacity": desired, "max_size": high, **more}


def mixed(base: int, percent: int, *types: tuple[str, str | None]) -> dict[str, Any]:
    overrides = [{"instance_type": t, "weighted_capacity": w} for t, w in types]
    return {
        "mixed_instances_policy": [
            {
                "instances_distribution": [
                    {
                        "on_demand_base_capacity": base,
                        "on_demand_percentage_above_base_capacity": percent,
                    }
                ],
                "launch_template": [{"override": overrides}],
            }
        ]
    }


ACTIONS = [
    # 0.5 x 730 = 365; 55.04 x 730 = 40,179.20; 0.2 x 730 = 146
    ("create", None, G4DN, ("0.00", "365.00", "365.00", "365.00")),
    ("delete", G4DN, None, ("365.00", "0.00", "-365.00", "0.00")),
    (
        "update",
        G4DN,
        {"instance_type": "p5.48xlarge"},
        ("365.00", "40179.20", "39814.20", "40179.20"),
    ),
    ("no-op", G4DN, G4DN, ("365.00", "365.00", "0.00", "365.00")),
    # `forget` stops the management, not the machine.
    ("forget", G4DN, None, ("365.00", "365.00", "0.00", "365.00")),
    # An instance that gets its first accelerator.
    ("update", {"instance_type": "m5.large"}, G4DN, ("0.00", "365.00", "365.00", "365.00")),
    ("update", G4DN, {"instance_type": "m5.large"}, ("365.00", "0.00", "-365.00", "0.00")),
]


@pytest.mark.parametrize(("action", "before", "after", "expected"), ACTIONS)
def test_actions(
    tmp_path: Path, action: str, before: Any, after: Any, expected: tuple[str, ...]
) -> None:
    report = run(tmp_path, plan(change("aws_instance.a", after, before, [action])))
    assert money(only(report)) == expected
    assert str(report.summary.totals.after) == expected[1]
    assert str(report.summary.totals.delta) == expected[2]


@pytest.mark.parametrize("actions", [["delete", "create"], ["create", "delete"]])
def test_replace_is_one_line_with_the_difference(tmp_path: Path, actions: list[str]) -> None:
    after = {"instance_type": "g5.xlarge"}
    report = run(tmp_path, plan(change("aws_instance.a", after, G4DN, actions)))
    assert money(only(report)) == ("365.00", "730.00", "365.00", "730.00")
    assert only(report).action == "replace"


def test_a_change_of_tags_alone_is_no_change(tmp_path: Path) -> None:
    report = run(
        tmp_path,
        plan(change("aws_instance.a", {**G4DN, "tags": {"a": "2"}}, {**G4DN, "tags": {}})),
    )
    assert report.summary.changed == 0
    assert only(report).delta == 0


COUNTS = [
    # (min, desired, max) -> planned figure and maximum, of 0.5 USD an hour each
    ((1, 2, 4), "730.00", "1460.00"),
    ((1, None, 4), "365.00", "1460.00"),
    ((0, 0, 50), "0.00", "18250.00"),
]


@pytest.mark.parametrize(("counts", "after", "most"), COUNTS)
def test_planned_and_maximum(
    tmp_path: Path, counts: tuple[int, int | None, int], after: str, most: str
) -> None:
    group = asg(*counts, **mixed(0, 100, ("g4dn.xlarge", None)))
    row = only(run(tmp_path, plan(change("aws_autoscaling_group.g", group))))
    assert (str(row.monthly_after), str(row.monthly_max)) == (after, most)


def test_a_big_maximum_stands_beside_a_planned_zero(tmp_path: Path) -> None:
    # 50 x 55.04 x 730 = 2,008,960
    group = asg(0, 0, 50, **mixed(0, 100, ("p5.48xlarge", None)))
    report = run(tmp_path, plan(change("aws_autoscaling_group.g", group)))
    assert str(report.summary.totals.delta) == "0.00"
    assert str(report.summary.totals.delta_max) == "2008960.00"


SPLITS = [
    # base, percent above, nodes -> on demand + spot (0.5 and 0.2 USD): ceil of the share
    (1, 0, 4, Decimal("0.5") * 1 + Decimal("0.2") * 3),
    (0, 50, 3, Decimal("0.5") * 2 + Decimal("0.2") * 1),
    (2, 25, 6, Decimal("0.5") * 3 + Decimal("0.2") * 3),
    (0, 0, 4, Decimal("0.2") * 4),
    (0, 100, 4, Decimal("0.5") * 4),
]


@pytest.mark.parametrize(("base", "percent", "nodes", "hourly"), SPLITS)
def test_base_and_percentage(
    tmp_path: Path, base: int, percent: int, nodes: int, hourly: Decimal
) -> None:
    group = asg(nodes, nodes, nodes, **mixed(base, percent, ("g4dn.xlarge", None)))
    row = only(run(tmp_path, plan(change("aws_autoscaling_group.g", group))))
    assert row.after.hourly == hourly
    assert row.monthly_after == hourly * 730


def test_overrides_give_a_range_and_the_first_is_the_figure(tmp_path: Path) -> None:
    group = asg(2, 2, 4, **mixed(0, 100, ("g4dn.2xlarge", None), ("g4dn.xlarge", None)))
    row = only(run(tmp_path, plan(change("aws_autoscaling_group.g", group))))
    # On demand a group takes its overrides in order: 2 x 0.75; the range goes down to 2 x 0.5;
    # the maximum is 4 of the dearest.
    assert row.after.hourly == Decimal("1.50")
    assert (row.after.low, row.after.high) == (Decimal("1.0"), Decimal("1.50"))
    assert row.after.maximum == Decimal("3.00")


def test_weights_turn_capacity_into_machines(tmp_path: Path) -> None:
    # Capacity 5: ceil(5/2) = 3 of weight 2 at 0.75, 5 of weight 1 at 0.5.
    group = asg(5, 5, 5, **mixed(0, 100, ("g4dn.2xlarge", "2"), ("g4dn.xlarge", "1")))
    row = only(run(tmp_path, plan(change("aws_autoscaling_group.g", group))))
    assert row.after.hourly == Decimal("2.25")
    assert row.after.high == Decimal("2.5")
    assert row.counts.planned == 3


def test_weights_split_capacity_not_machines(tmp_path: Path) -> None:
    # Capacity 8 of weight 2, base 2: 2 on demand and 6 spot are 1 and 3 machines.
    group = asg(8, 8, 8, **mixed(2, 0, ("g4dn.xlarge", "2")))
    row = only(run(tmp_path, plan(change("aws_autoscaling_group.g", group))))
    assert row.after.hourly == Decimal("0.5") + 3 * Decimal("0.2")
    assert row.after.maximum == row.after.hourly


def test_spot_has_its_price_and_the_on_demand_price_beside(tmp_path: Path) -> None:
    after = {**G4DN, "instance_market_options": [{"market_type": "spot"}]}
    row = only(run(tmp_path, plan(change("aws_instance.a", after))))
    assert row.after.hourly == Decimal("0.2")
    assert row.after.price is not None
    assert row.after.price.on_demand == Decimal("0.5")
    # From the cheapest zone to what on demand costs.
    assert (row.after.low, row.after.high) == (Decimal("0.1"), Decimal("0.5"))


def test_a_bid_is_no_price(tmp_path: Path) -> None:
    after = {
        **G4DN,
        "instance_market_options": [
            {"market_type": "spot", "spot_options": [{"max_price": "0.01"}]}
        ],
    }
    assert only(run(tmp_path, plan(change("aws_instance.a", after)))).after.hourly == Decimal("0.2")


def test_spot_without_a_price_has_the_on_demand_price_as_its_ceiling(tmp_path: Path) -> None:
    after = {
        "instance_type": "g5.xlarge",
        "instance_market_options": [{"market_type": "spot"}],
    }
    row = only(run(tmp_path, plan(change("aws_instance.a", after))))
    assert row.after.hourly == Decimal("1.0")
    assert "check.no_option_price" in codes(row)


def test_an_unknown_region_has_a_range_and_no_figure(tmp_path: Path) -> None:
    report = run(tmp_path, plan(change("aws_instance.a", G4DN), region=None))
    row = only(report)
    assert row.status == UNKNOWN
    assert money(row) == ("0.00", None, None, "438.00")
    # us-east-1 0.5 … eu-west-1 0.6; the old price of us-west-2 is 15 % wider below: 0.425
    assert (row.after.low, row.after.high) == (Decimal("0.425"), Decimal("0.6"))
    assert (report.summary.unknown, report.summary.unpriced) == (1, 0)
    assert str(report.summary.totals.after) == "0.00"


def test_the_users_region_fills_the_gap(tmp_path: Path) -> None:
    report = run(tmp_path, plan(change("aws_instance.a", G4DN), region=None), region="eu-west-1")
    assert money(only(report))[1] == "438.00"


def test_a_stale_price_is_kept_and_its_range_widened(tmp_path: Path) -> None:
    report = run(tmp_path, plan(change("aws_instance.a", G4DN), region="us-west-2"))
    row = only(report)
    assert row.status == PRICED
    assert row.after.hourly == Decimal("0.5")
    assert (row.after.low, row.after.high) == (Decimal("0.425"), Decimal("0.575"))
    assert [w.id for w in report.warnings] == ["check.stale_widen"]


UNPRICED_CASES = [
    ({"instance_type": "p2.xlarge"}, "us-east-1", "check.no_price", ["GA016"]),
    ({"instance_type": "g5.xlarge"}, "eu-west-1", "iac", ["GA015"]),
    ({"instance_type": "g9z.xlarge"}, "us-east-1", "check.type_unknown", []),
]


@pytest.mark.parametrize(("after", "region", "reason", "issues"), UNPRICED_CASES)
def test_no_price_is_never_zero(
    tmp_path: Path, after: Any, region: str, reason: str, issues: list[str]
) -> None:
    report = run(tmp_path, plan(change("aws_instance.a", after), region=region))
    row = only(report)
    assert row.status == UNPRICED
    assert money(row)[1:] == (None, None, None)
    assert report.summary.unpriced == 1
    assert [issue.rule for issue in row.after.issues] == issues
    assert reason in codes(row) or issues


def test_sagemaker_has_a_list_of_its_own(tmp_path: Path) -> None:
    after = {
        "production_variants": [
            {"variant_name": "a", "instance_type": "ml.g5.xlarge", "initial_instance_count": 2}
        ]
    }
    report = run(tmp_path, plan(change("aws_sagemaker_endpoint_configuration.e", after)))
    row = only(report)
    assert row.status == UNPRICED
    assert "check.own_list_floor" in codes(row)


def gcp_plan(address: str, after: dict[str, Any]) -> dict[str, Any]:
    document = plan(change(address, after), region=None)
    return document


PAIRS = [
    # machine, devices -> USD an hour with 0.0475 a vCPU and 0.35 a T4
    ("n1-standard-4", 1, "0.54"),
    ("n1-standard-8", 1, "0.73"),
    ("n1-standard-2", 1, "0.445"),
    ("n1-standard-16", 4, "2.16"),
]


@pytest.mark.parametrize(("machine", "devices", "hourly"), PAIRS)
def test_a_machine_and_its_attached_devices(
    tmp_path: Path, machine: str, devices: int, hourly: str
) -> None:
    after = {
        "machine_type": machine,
        "zone": "us-central1-a",
        "guest_accelerator": [{"type": "nvidia-tesla-t4", "count": devices}],
    }
    row = only(run(tmp_path, gcp_plan("google_compute_instance.a", after)))
    assert row.after.hourly == Decimal(hourly)
    assert (row.what.device, row.what.devices) == ("T4", devices)


def test_bundled_devices_are_counted_once(tmp_path: Path) -> None:
    after = {
        "machine_type": "g2-standard-8",
        "zone": "us-central1-a",
        "guest_accelerator": [{"type": "nvidia-l4", "count": 1}],
    }
    report = run(tmp_path, gcp_plan("google_compute_instance.a", after))
    assert only(report).after.hourly == Decimal("0.85")
    assert report.summary.devices_after == 1


def test_an_impossible_pairing_is_a_finding(tmp_path: Path) -> None:
    after = {
        "machine_type": "n1-standard-8",
        "zone": "us-central1-a",
        "guest_accelerator": [{"type": "nvidia-tesla-a100", "count": 1}],
    }
    report = run(tmp_path, gcp_plan("google_compute_instance.a", after))
    assert [(v.rule, v.level) for v in report.verdicts if not v.passed] == [
        ("GA012", "warn"),
        ("GA014", "warn"),
    ]


def test_instances_inside_a_reservation_are_billed_once(tmp_path: Path) -> None:
    target = {"capacity_reservation_target": [{"capacity_reservation_id": None}]}
    document = plan(
        change(
            "aws_ec2_capacity_reservation.r",
            {"instance_type": "g4dn.xlarge", "instance_count": 3},
        ),
        change(
            "aws_instance.a",
            {**G4DN, "capacity_reservation_specification": [target]},
            unknown={
                "capacity_reservation_specification": [
                    {"capacity_reservation_target": [{"capacity_reservation_id": True}]}
                ]
            },
        ),
    )
    document["configuration"]["root_module"]["resources"][1]["expressions"] = {
        "capacity_reservation_specification": [
            {
                "capacity_reservation_target": [
                    {
                        "capacity_reservation_id": {
                            "references": [
                                "aws_ec2_capacity_reservation.r.id",
                                "aws_ec2_capacity_reservation.r",
                            ]
                        }
                    }
                ]
            }
        ]
    }
    report = run(tmp_path, document)
    assert str(report.summary.totals.after) == "1095.00"
    assert row_of(report, "aws_instance.a").status == COVERED


def test_discounts_and_own_prices(tmp_path: Path) -> None:
    document = plan(change("aws_instance.a", G4DN))
    cheaper = run(tmp_path, document, discount=["aws=10%"])
    assert money(only(cheaper))[1] == "328.50"
    own = run(tmp_path, document, price=["aws/g4dn.xlarge:on_demand=0.4"])
    assert money(only(own))[1] == "292.00"
    shorter = run(tmp_path, document, hours_per_month=100)
    assert money(only(shorter))[1] == "50.00"


def test_another_currency_at_one_rate(tmp_path: Path) -> None:
    report = run(tmp_path, plan(change("aws_instance.a", G4DN)), currency="EUR")
    # 365 USD at 1.1 USD/EUR
    assert money(only(report))[1] == "331.82"


def test_cpu_only_is_nothing(tmp_path: Path) -> None:
    report = run(tmp_path, plan(change("aws_instance.a", {"instance_type": "m5.large"})))
    assert (report.rows, report.exit_code) == ((), 0)
    assert (report.examined, report.skipped) == (1, 1)
