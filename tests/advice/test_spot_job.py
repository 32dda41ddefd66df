"""Jobs on spot through `estimate`: the published case, ranges, refusals, deadlines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuadvisor.advice.estimate import estimate
from gpuadvisor.advice.estimate_result import Estimate, EstimateOption
from gpuadvisor.advice.job_request import job_request
from gpuadvisor.advice.spot_job import spot_job, what_moves
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.uncertainty import exactly

# The owner's articles: ResNet-50 for 23.6 USD on demand, 7.8 on spot with 12 % more time.
RESNET = {
    "what": "p3.2xlarge",
    "region": "us-east-1",
    "job_hours": "7.71",
    "price": ["spot=0.9027"],
    "interruptions_per_hour": "0.15",
    "checkpoint_minutes": "2",
    "restart_minutes": "5",
    "today": "2026-11-30",
}


def option(found: Estimate, name: str) -> EstimateOption:
    return next(o for o in found.lines[0].options if o.option == name)


def test_articles_resnet50(catalog: Catalog) -> None:
    found = estimate(RESNET, catalog)
    usual, spot = option(found, "on_demand"), option(found, "spot")
    assert usual.job is not None and spot.job is not None and spot.spot is not None
    assert float(usual.job.expected) == pytest.approx(23.6, rel=0.01)
    assert float(spot.job.expected) == pytest.approx(7.80, rel=0.01)
    assert spot.spot.outlooks.expected.billed / 7.71 == pytest.approx(1.12, abs=5e-3)
    assert found.refused is None


def test_the_bill_is_tight_and_the_finish_wide(catalog: Catalog) -> None:
    spot = option(estimate(RESNET, catalog), "spot")
    assert spot.job is not None and spot.finish_hours is not None
    assert spot.job.low < spot.job.expected < spot.job.high
    bill = float(spot.job.high / spot.job.low)
    finish = (spot.finish_hours.high or 0) / (spot.finish_hours.low or 1)
    assert bill < 1.3 < 2 < finish
    # Spot never costs less than its price for the work alone.
    assert float(spot.job.low) >= 0.9027 * 7.71 - 1e-9


@pytest.mark.parametrize("more", [{}, {"purchase": ["spot"]}])
def test_a_long_job_without_checkpoints_is_refused(catalog: Catalog, more: dict[str, Any]) -> None:
    found = estimate({**RESNET, "job_hours": "48.5", "no_checkpoint": True, **more}, catalog)
    assert found.refused is not None and found.refused.id == "estimate.spot_infeasible"
    spot = option(found, "spot")
    assert spot.job is None and spot.spot is not None
    # Daly's interval for 2 min and 400 min: 38.7 min.
    assert spot.spot.saved_by is not None
    assert spot.spot.saved_by * 60 == pytest.approx(38.7, abs=0.1)
    saved = estimate({**RESNET, "job_hours": "48.5", "checkpoint_every": "39m"}, catalog)
    assert saved.refused is None and option(saved, "spot").job is not None


def test_nothing_is_refused_where_nobody_asked_about_spot(catalog: Catalog) -> None:
    found = estimate({"what": "g5.xlarge", "job_hours": "9000", "today": "2026-11-30"}, catalog)
    assert found.refused is None


def test_no_interval_saves_a_job_whose_checkpoint_outlasts_its_machine() -> None:
    asked = job_request({"interruptions_per_hour": 2, "checkpoint_minutes": 120}, 100.0)
    found = spot_job(asked, "aws", None, 100.0)
    assert not found.feasible
    assert found.saved_by is None


def test_the_hazard_is_the_clouds_own_statistic(catalog: Catalog) -> None:
    spot = option(estimate({"what": "g5.xlarge", "job_hours": "10"}, catalog), "spot")
    assert spot.spot is not None and spot.offer is not None
    assert spot.offer.interruption == ">20%"
    assert spot.spot.hazard == (4.9e-4, 0.025, 0.3, "aws_bucket")  # T9, the open bucket
    other = option(estimate({"what": "a2-highgpu-1g", "job_hours": "10"}, catalog), "spot")
    assert other.spot is not None and other.spot.hazard.basis == "unknown"


@pytest.mark.parametrize(("band", "rates"), [("5-10%", (0.0513, 0.1054)), ("20%", (0.2231,) * 2)])
def test_an_eviction_band_is_per_hour(
    catalog: Catalog, band: str, rates: tuple[float, float]
) -> None:
    # T10: Azure's eviction rate is the chance within the next hour.
    asked = {**RESNET, "interruptions_per_hour": band}
    spot = option(estimate(asked, catalog), "spot").spot
    assert spot is not None and spot.hazard.basis == "azure_hourly"
    assert (spot.hazard.low, spot.hazard.high) == pytest.approx(rates, abs=5e-5)


def test_up_to_which_rate_spot_pays(catalog: Catalog) -> None:
    # T7: price ratio .30, 8 h without checkpoints and restarts: up to 0.258 an hour.
    asked = {
        "what": "g5.xlarge", "job_hours": "8", "no_checkpoint": True, "today": "2026-11-30",
        "price": ["on_demand=1", "spot=0.3"], "restart_minutes": "0.0001",
    }  # fmt: skip
    spot = option(estimate(asked, catalog), "spot").spot
    assert spot is not None and spot.pays_below == pytest.approx(0.258, rel=5e-3)
    dear = option(estimate({**asked, "price": ["on_demand=1", "spot=1"]}, catalog), "spot").spot
    assert dear is not None and dear.pays_below is None


def test_a_gang_is_interrupted_more_often_but_not_in_proportion(catalog: Catalog) -> None:
    one = option(estimate(RESNET, catalog), "spot").spot
    four = option(estimate({**RESNET, "what": "4x p3.2xlarge"}, catalog), "spot").spot
    assert one is not None and four is not None
    # F8: 4 to the power of 0, 0.15 and 0.5.
    ratios = [b / a for a, b in zip(one.hazard[:3], four.hazard[:3], strict=True)]
    assert ratios == pytest.approx([1.0, 4**0.15, 2.0])


def test_state_size_sets_checkpoint_and_restart() -> None:
    # 7B parameters x 14 bytes at 1 GB/s: 98 s (design notes F5).
    run = spot_job(job_request({"state_gb": 98}, 20.0), "aws", "<5%", 20.0).run
    assert run.checkpoint[1] * 3600 == pytest.approx(98)
    assert run.restart[1] * 3600 == pytest.approx(300 + 98)


def test_a_job_within_its_deadline_is_not_warned_about(catalog: Catalog) -> None:
    ids = [w.id for w in estimate({**RESNET, "deadline": "3d"}, catalog).warnings]
    assert not [id for id in ids if "late" in id]


def test_a_deadline_that_spot_may_miss(catalog: Catalog) -> None:
    found = estimate({**RESNET, "deadline": "12h"}, catalog)
    late = next(w for w in found.warnings if w.id == "estimate.spot_may_be_late")
    # 12 h less 7.71 h of work less 5 min of restart.
    assert late.params["switch"] == "4.2"
    assert found.refused is None


def test_a_deadline_below_the_work_is_refused(catalog: Catalog) -> None:
    found = estimate({**RESNET, "deadline": "7h"}, catalog)
    assert found.refused is not None
    assert found.refused.id == "estimate.deadline_impossible"


def test_spot_that_costs_no_less_is_said(catalog: Catalog) -> None:
    # F7: 12 % more hours eat a discount of 5 %, not one of 50 %; on demand is 1.006.
    for spot, said in (("0.95", True), ("0.50", False)):
        asked = {**RESNET, "what": "g5.xlarge", "price": [f"spot={spot}"]}
        ids = [w.id for w in estimate(asked, catalog).warnings]
        assert ("estimate.spot_not_worth" in ids) is said


def test_what_moves_the_bill_of_a_known_job() -> None:
    # Only the hazard and the restart are ranges here; the first moves it more.
    asked = job_request({"interruptions_per_hour": 0.15, "checkpoint_minutes": 2}, 7.71)
    found = what_moves(spot_job(asked, "aws", None, 7.71), exactly(0.9027))
    assert [swing.name for swing in found] == ["hazard", "restart"]
    assert found[0].size > found[1].size > 0


@pytest.mark.parametrize(
    ("minutes", "said"), [("2", "estimate.notice_fits"), ("3", "estimate.notice_short")]
)
def test_a_checkpoint_in_the_notice(catalog: Catalog, minutes: str, said: str) -> None:
    # AWS warns 120 s before (EC2 user guide, interruption notices).
    spot = option(estimate({**RESNET, "checkpoint_minutes": minutes}, catalog), "spot")
    assert said in [note.id for note in spot.notes]


def test_large_jobs_on_demand_fail_too(catalog: Catalog) -> None:
    # T11: 64 H100 stop every 792 h; in 800 h once.
    asked = {"what": "8x p5.48xlarge", "job_hours": "800", "today": "2026-11-30"}
    told = [w for w in estimate(asked, catalog).warnings if w.id == "estimate.failures"]
    assert [w.params["count"] for w in told] == ["1.0"]
    assert "estimate.failures" not in [w.id for w in estimate(RESNET, catalog).warnings]


@pytest.mark.parametrize(
    ("fields", "id"),
    [
        ({"what": "g5.xlarge", "deadline": "3h"}, "estimate.no_job"),
        ({"what": "g5.xlarge", "no_checkpoint": True}, "estimate.no_job"),
        (
            {"what": "g5.xlarge", "job_hours": 5, "no_checkpoint": True, "checkpoint_every": "9m"},
            "estimate.checkpoint_twice",
        ),
    ],
)
def test_contradictions(catalog: Catalog, fields: dict[str, Any], id: str) -> None:
    with pytest.raises(UsageError) as caught:
        estimate(fields, catalog)
    assert caught.value.message.id == id


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("checkpoint_every", "soon"),
        ("state_gb", "0"),
        ("checkpoint_minutes", "-1"),
        ("restart_minutes", "nan"),
        ("interruptions_per_hour", "often"),
        ("interruptions_per_hour", "10-5%"),
        ("interruptions_per_hour", "0%"),
        ("interruptions_per_hour", "5-%"),
        ("deadline", "10 fortnights"),
    ],
)
def test_bad_values_name_their_flag(catalog: Catalog, name: str, value: str) -> None:
    with pytest.raises(UsageError):
        estimate({**RESNET, name: value}, catalog)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.floats(0.5, 60), st.floats(0.001, 0.4), st.floats(0.1, 3.0))
def test_ordered_and_monotone(catalog: Catalog, work: float, rate: float, price: float) -> None:
    def bill(hours: float, hazard: float, cost: float) -> Any:
        asked = {
            **RESNET, "job_hours": repr(hours), "interruptions_per_hour": repr(hazard),
            "price": [f"spot={cost:.4f}"], "checkpoint_every": "20m",
        }  # fmt: skip
        return option(estimate(asked, catalog), "spot").job

    found = bill(work, rate, price)
    assert found.low <= found.expected <= found.high
    assert float(found.low) >= float(f"{price:.4f}") * work * (1 - 1e-6)
    for more in (
        bill(work * 1.2, rate, price),
        bill(work, rate * 1.2, price),
        bill(work, rate, price * 1.2),
    ):
        assert float(more.expected) >= float(found.expected) * (1 - 1e-3)
