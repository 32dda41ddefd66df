"""What users of cost checks complain about, and what this one does instead.

Numbers are issues of github.com/infracost/infracost unless another repository is named; one test
for each complaint, with figures worked out by hand from the three small clouds of `support`.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.check.run import check
from gpuadvisor.report.check_json import document
from gpuadvisor.report.check_markdown import markdown
from gpuadvisor.report.check_text import text
from gpuadvisor.report.comment import worth_saying
from tests.check.support import broken, codes, deployment, only, plan, row_of, run
from tests.iac.plans import change, refers

T4 = {"instance_type": "g4dn.xlarge"}
A10G = {"instance_type": "g5.xlarge"}


def _group(**fields: Any) -> dict[str, Any]:
    return {"instance_types": ["g4dn.xlarge"], "scaling_config": [fields]}


def test_noise_nothing_is_said_where_nothing_changed(tmp_path: Path) -> None:
    """#3051, #1472: comments for nothing, and for tiny changes."""
    same = document(run(tmp_path, plan(change("aws_instance.a", T4, T4, ["no-op"]))))
    grown = document(run(tmp_path, plan(change("aws_instance.a", T4))))
    assert not worth_saying(same)
    assert worth_saying(grown)
    assert worth_saying(grown, Decimal(365))
    assert not worth_saying(grown, Decimal(366))


def test_the_level_is_shown_beside_the_change(tmp_path: Path) -> None:
    """#3382: only the change was shown."""
    doc = document(
        run(
            tmp_path,
            plan(
                change("aws_instance.a", T4, T4, ["no-op"]),
                change("aws_instance.b", A10G),
            ),
        )
    )
    # 365 stays, 730 is new.
    summary = doc["summary"]
    assert (summary["total_before"], summary["delta"], summary["total_after"]) == (
        "365.00",
        "730.00",
        "1095.00",
    )
    for shown in (text(doc, 100), markdown(doc)):
        assert "$365 before, $1,095 after" in shown


def test_no_phantom_change(tmp_path: Path) -> None:
    """#3241, #913: a difference although the plan changes nothing."""
    changes = [change(f"aws_instance.a[{n}]", T4, T4, ["no-op"]) for n in range(7)]
    report = run(tmp_path, plan(*changes))
    assert report.summary.totals.delta == 0
    assert report.summary.changed == 0
    assert sum(row.delta or 0 for row in report.rows) == report.summary.totals.delta


def test_a_created_resource_is_no_zero(tmp_path: Path) -> None:
    """#540: 0 % although something was created."""
    report = run(tmp_path, plan(change("aws_instance.a", T4)), max_increase_pct="25")
    assert report.summary.totals.delta == 365
    (verdict,) = [v for v in report.verdicts if v.rule == "GA002"]
    assert verdict.message.id == "check.pct_new", "a share of nothing is no percentage"


def test_a_missing_baseline_is_said(tmp_path: Path) -> None:
    """infracost/actions #172, #177: the same reference twice, an empty baseline as +$0."""
    report = run(tmp_path, deployment(), assume_node=["aws/g4dn.xlarge@us-east-1"])
    assert "check.no_baseline" in [w.id for w in report.warnings]
    assert report.summary.totals.delta == 365


def test_a_broken_baseline_is_an_error(tmp_path: Path) -> None:
    """#2274: errors of the baseline were swallowed."""
    base = tmp_path / "base.yaml"
    base.write_text("kind: [\n")
    with pytest.raises(InputError):
        run(tmp_path, deployment(), base=[str(base)])


def test_a_plan_brings_its_own_baseline(tmp_path: Path) -> None:
    """c3xdev/c3x #60: use what the plan says was there before."""
    report = run(tmp_path, plan(change("aws_instance.a", A10G, T4)))
    totals = report.summary.totals
    assert (totals.before, totals.after, totals.delta) == (365, 730, 365)


@pytest.mark.parametrize("missing", ["type", "count", "region"])
def test_unknown_is_never_zero(tmp_path: Path, missing: str) -> None:
    """#2406, #2834, #29: what is known only after the change was silently $0."""
    unknown: dict[str, Any] = {}
    after: dict[str, Any] = _group(min_size=1, max_size=2, desired_size=1)
    if missing == "type":
        after, unknown = {"scaling_config": after["scaling_config"]}, {"instance_types": True}
    elif missing == "count":
        after = {"instance_types": ["g4dn.xlarge"], "scaling_config": [{}]}
        unknown = {"scaling_config": [{"desired_size": True, "min_size": True, "max_size": True}]}
    document_ = plan(
        change("aws_eks_node_group.a", after, unknown=unknown),
        region=None if missing == "region" else "us-east-1",
    )
    document_["configuration"]["root_module"]["resources"][0]["expressions"] = {
        "instance_types": refers("local.types"),
        "scaling_config": [
            {
                "desired_size": refers("local.n"),
                "min_size": refers("local.n"),
                "max_size": refers("local.n"),
            }
        ],
    }
    report = run(tmp_path, document_)
    row = only(report)
    assert row.status == "unknown" and row.delta is None
    assert (report.summary.unknown, report.summary.totals.after) == (1, 0)
    doc = document(report)
    assert "could not be determined" in text(doc, 100).splitlines()[0]
    assert "GA012" in [rule for rule, _ in broken(report)]


def test_count_zero_is_no_machine(tmp_path: Path) -> None:
    """#1968, #1889: count = 0 was counted."""
    after = _group(min_size=0, max_size=0, desired_size=0)
    report = run(tmp_path, plan(change("aws_eks_node_group.a", after)))
    assert (only(report).counts.planned, only(report).delta) == (0, 0)
    # count = 0 in the source gives no resource change at all.
    assert run(tmp_path, plan()).rows == ()


def test_what_is_not_supported_is_listed(tmp_path: Path) -> None:
    """#2233: skipped resources were hidden."""
    report = run(
        tmp_path,
        plan(
            change(
                "example_gpu_box.a",
                {"instance_type": "p5.48xlarge"},
                provider_name="registry/x/aws",
            )
        ),
    )
    doc = document(report)
    assert only(report).status == "unknown"
    assert "example_gpu_box.a" in text(doc, 100)
    assert "**Could not price**" in markdown(doc)


def test_spot_is_priced_as_spot(tmp_path: Path) -> None:
    """#104, #477, #1698, #2359, #1223, #2732: spot at the on-demand price."""
    report = run(
        tmp_path, plan(change("aws_spot_instance_request.a", {**T4, "spot_price": "0.45"}))
    )
    row = only(report)
    # The typical price of 0.2, neither the on-demand price nor the bid.
    assert row.purchase == "spot" and row.monthly_after == 146
    assert row.after.price is not None
    assert (row.after.price.per_hour, row.after.price.on_demand) == (Decimal("0.2"), Decimal("0.5"))


def test_a_missing_spot_price_has_a_ceiling(tmp_path: Path) -> None:
    """#3397: no spot price for a type."""
    row = only(run(tmp_path, plan(change("aws_spot_instance_request.a", A10G))))
    assert row.monthly_after == 730
    assert "check.no_option_price" in codes(row)


def test_every_override_of_a_mixed_group_counts(tmp_path: Path) -> None:
    """#2189, #10, #1760: only the first override was read, or the template's type."""
    policy = {
        "launch_template": [
            {
                "launch_template_specification": [{"launch_template_name": "p5"}],
                "override": [{"instance_type": "g4dn.xlarge"}, {"instance_type": "g4dn.2xlarge"}],
            }
        ],
        "instances_distribution": [
            {"on_demand_base_capacity": 1, "on_demand_percentage_above_base_capacity": 0}
        ],
    }
    group = {
        "min_size": 2,
        "max_size": 3,
        "desired_capacity": 2,
        "mixed_instances_policy": [policy],
    }
    template = {"name": "p5", "instance_type": "p5.48xlarge"}
    report = run(
        tmp_path,
        plan(change("aws_launch_template.p5", template), change("aws_autoscaling_group.a", group)),
    )
    row = only(report)
    assert row.what.type == "g4dn.xlarge | g4dn.2xlarge"
    # One on demand at 0.5 and one spot at 0.2: 511 a month. The other type: 0.75 and 0.4.
    assert row.monthly_after == 511
    assert row.after.high is not None and row.after.high >= Decimal("1.15")


def test_planned_and_maximum_are_both_in_the_headline(tmp_path: Path) -> None:
    """#1760, #988, #2366, #2896, towardsthecloud/cloudburn #184."""
    after = _group(min_size=0, max_size=10, desired_size=1)
    doc = document(run(tmp_path, plan(change("aws_eks_node_group.a", after))))
    assert "+$365 planned … +$3,650 max" in text(doc, 100).splitlines()[0]


def test_a_month_need_not_be_full(tmp_path: Path) -> None:
    """#1556, #2500, #2056, #1663: round the clock was assumed."""
    doc = document(run(tmp_path, plan(change("aws_instance.a", T4)), hours_per_month="100"))
    (finding,) = doc["findings"]
    assert (finding["hourly_after"], finding["monthly_after"]) == ("0.5", "50.00")


def test_no_usage_is_invented(tmp_path: Path) -> None:
    """#302, #2966: guesses about usage. What waits for requests is standing cost at its minimum."""
    body = {
        "location": "us-central1",
        "template": [
            {
                "scaling": [{"max_instance_count": 4}],
                "node_selector": [{"accelerator": "nvidia-l4"}],
                "containers": [{"resources": [{"limits": {"nvidia.com/gpu": "1"}}]}],
            }
        ],
    }
    row = only(run(tmp_path, plan(change("google_cloud_run_v2_service.a", body))))
    assert tuple(row.counts[:3]) == (0, 0, 4)
    assert row.monthly_after in (None, 0)


def test_list_prices_are_called_so_and_discounts_are_yours(tmp_path: Path) -> None:
    """#646, #529, #2052, #1663: commitments and negotiated discounts were ignored."""
    document_ = plan(change("aws_instance.a", T4))
    assert "check.assume_list" in [a.id for a in run(tmp_path, document_).assumptions]
    cheaper = run(tmp_path, document_, discount="aws=20%")
    assert only(cheaper).monthly_after == 292


def test_a_region_is_never_made_up(tmp_path: Path) -> None:
    """#401, #177, #349, #1524: us-east-1 where nobody said so."""
    report = run(tmp_path, plan(change("aws_instance.a", T4), region=None))
    row = only(report)
    assert (row.region, row.status) == (None, "unknown")
    assert "check.any_region" in codes(row)


def test_modules_that_are_not_here_are_named(tmp_path: Path) -> None:
    """#1667, #1826, #1889, #3010, actions #76: private modules broke the run."""
    pytest.importorskip("hcl2")
    path = tmp_path / "main.tf"
    path.write_text(
        'module "gpu" {\n  source = "git::ssh://git@example.org/private.git"\n'
        '  instance_type = "g4dn.xlarge"\n}\n'
    )
    report = check(str(path), today="2026-11-30")
    assert only(report).finding.address == "module.gpu"
    assert "iac.hcl_module" in codes(only(report))


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        # #2797: an accelerator that was skipped without a word
        ({"instance_type": "p9.96xlarge"}, "GA012"),
        # #3359: a type that is not sold in the region
        ({**A10G, "availability_zone": "eu-west-1a"}, "GA015"),
        ({"instance_type": "p2.xlarge"}, "GA016"),
    ],
)
def test_gaps_are_loud(tmp_path: Path, body: dict[str, Any], rule: str) -> None:
    report = run(tmp_path, plan(change("aws_instance.a", body)))
    assert rule in [found for found, _ in broken(report)]
    assert only(report).monthly_after is None


def test_sagemaker_is_not_passed_over(tmp_path: Path) -> None:
    """#2733, #3502, #3567."""
    body = {
        "production_variants": [
            {"variant_name": "a", "instance_type": "ml.g5.xlarge", "initial_instance_count": 1}
        ]
    }
    report = run(tmp_path, plan(change("aws_sagemaker_endpoint_configuration.a", body)))
    assert only(report).status == "unpriced"
    assert "check.own_list_floor" in codes(only(report))


def test_kubernetes_is_covered(tmp_path: Path) -> None:
    """#1541, open since 2022."""
    report = run(tmp_path, deployment(replicas=3), assume_node=["aws/g4dn.xlarge@us-east-1"])
    assert only(report).monthly_after == 1095


def test_a_long_comment_keeps_its_totals(tmp_path: Path) -> None:
    """#1958, #1964, #2119, #3445, #3496: comments that the host refused."""
    changes = [change(f"aws_instance.{'n' * 60}{n}", T4) for n in range(2_000)]
    body = markdown(document(run(tmp_path, plan(*changes), max_increase="1")), 60_000)
    assert len(body) <= 60_000
    assert "+$730,000 planned" in body.splitlines()[0]
    assert "GA001" in body


@pytest.mark.parametrize(("limit", "code"), [("364.99", 1), ("365", 0), ("0", 1), ("1000", 0)])
def test_it_is_a_gate(tmp_path: Path, limit: str, code: int) -> None:
    """#1153, #1472: a quality gate, not a report; a rise exactly at the limit passes."""
    assert run(tmp_path, plan(change("aws_instance.a", T4)), max_increase=limit).exit_code == code


def test_decreases_can_be_limited_too(tmp_path: Path) -> None:
    """#1153: the most increase and the most decrease."""
    report = run(tmp_path, plan(change("aws_instance.a", None, T4)), max_decrease="100")
    assert broken(report) == [("GA003", "fail")]


def test_number_times_price_is_the_total(tmp_path: Path) -> None:
    """#1698: a reader took the total for the price of one."""
    after = _group(min_size=4, max_size=4, desired_size=4)
    doc = document(run(tmp_path, plan(change("aws_eks_node_group.a", after))))
    (finding,) = doc["findings"]
    assert finding["count"]["planned"] * Decimal(finding["price"]["per_hour"]) * 730 == Decimal(
        finding["monthly_after"]
    )
    shown = text(doc, 100)
    assert "4 x g4dn.xlarge" in shown and "$0.5/h" in shown and "+$1,460" in shown


def test_a_region_may_be_followed_through_references(tmp_path: Path) -> None:
    """#349: a region set by a variable."""
    data = plan(change("aws_instance.a", T4))
    data["configuration"]["provider_config"]["aws"]["expressions"] = {"region": refers("var.r")}
    data["variables"] = {"r": {"value": "eu-west-1"}}
    row = row_of(run(tmp_path, data), "aws_instance.a")
    # 0.6 USD an hour in Ireland
    assert (row.region, row.monthly_after) == ("eu-west-1", 438)
