"""Runs on spot in `recommend`: interruptions are in the cost, and decide against spot at times."""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor.advice.recommend import recommend
from gpuadvisor.advice.result import Option
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.hazard import AWS_SHARES

AWS: dict[str, Any] = {
    "workload": "train-cnn", "provider": "aws", "device": ["A10G"], "gpus": 1, "top": 1,
    "today": "2026-11-30",
}  # fmt: skip


def first(catalog: Catalog, **changes: Any) -> Option:
    return recommend({**AWS, **changes}, catalog).options[0]


def test_a_run_on_spot_counts_its_interruptions(catalog: Catalog) -> None:
    spot = first(catalog, interruptions_per_hour=0.2)
    assert spot.offer.option == "spot" and spot.spot is not None and spot.run_hours is not None
    job = spot.spot.job
    assert spot.run_hours.expected == pytest.approx(job.outlooks.expected.billed)
    assert spot.run_hours.expected > job.work
    assert spot.run is not None
    assert float(spot.run.expected) == pytest.approx(float(spot.price) * spot.run_hours.expected)
    for found in (spot.run_hours, spot.spot.finish, spot.run):
        assert found.low <= found.expected <= found.high
    assert spot.spot.finish.expected >= spot.run_hours.expected


def test_the_hazard_is_the_offers_bucket(catalog: Catalog) -> None:
    spot = first(catalog)
    assert spot.spot is not None and spot.offer.interruption in AWS_SHARES
    assert spot.spot.job.hazard.basis == "aws_bucket"


def test_more_interruptions_cost_more(catalog: Catalog) -> None:
    costs = [
        first(catalog, interruptions_per_hour=rate, purchase="spot").run for rate in (0.01, 0.2, 1)
    ]
    amounts = [cost.expected for cost in costs if cost is not None]
    assert amounts == sorted(amounts) and amounts[0] < amounts[-1]


def test_a_run_that_hardly_finishes_is_put_on_demand(catalog: Catalog) -> None:
    # Some 40 h at one interruption in 2 h without a checkpoint: e^20 attempts.
    found = first(catalog, interruptions_per_hour=0.5, no_checkpoint=True)
    assert (found.offer.option, found.spot) == ("on_demand", None)


def test_spot_alone_that_hardly_finishes_is_rejected(catalog: Catalog) -> None:
    asked = {**AWS, "purchase": "spot", "interruptions_per_hour": 0.5, "no_checkpoint": True}
    found = recommend(asked, catalog)
    assert found.options == ()
    assert "interrupted" in [r.reason for r in found.rejected]


def test_a_deadline_that_spot_misses_takes_on_demand(catalog: Catalog) -> None:
    easy = first(catalog, interruptions_per_hour=0.3, nodes=1)
    assert easy.spot is not None
    work, finish = easy.spot.job.work, easy.spot.finish.expected
    deadline = f"{(work + finish) / 2:.3f}h"
    tight = same(catalog, easy, deadline)
    assert tight.offer.option == "on_demand"
    loose = f"{(finish + easy.spot.finish.high) / 2:.3f}h"
    risky = same(catalog, easy, loose)
    assert risky.offer.option == "spot"
    assert "advice.spot_may_be_late" in [w.id for w in risky.warnings]


def same(catalog: Catalog, wanted: Option, deadline: str) -> Option:
    """The same type under a deadline, whatever rank it has then."""
    asked = {**AWS, "interruptions_per_hour": 0.3, "nodes": 1, "deadline": deadline, "top": 50}
    options = recommend(asked, catalog).options
    return next(option for option in options if option.type.name == wanted.type.name)


def test_the_fastest_run_waits_for_machines_too(catalog: Catalog) -> None:
    # Ranked by time, spot counts its waits: its value is the finish, not the billed hours.
    found = recommend({**AWS, "objective": "time", "interruptions_per_hour": 0.5}, catalog)
    assert found.options[0].spot is None or (
        found.options[0].spot.finish.expected > found.options[0].spot.job.work
    )


def test_a_service_on_spot_is_not_a_run(catalog: Catalog) -> None:
    asked = {"workload": "ocr", "budget": "5000", "provider": "aws", "purchase": "spot"}
    assert all(option.spot is None for option in recommend(asked, catalog).options)


@pytest.mark.parametrize(
    ("name", "value"), [("interruptions_per_hour", "often"), ("checkpoint_minutes", "0")]
)
def test_bad_values_name_their_flag(catalog: Catalog, name: str, value: str) -> None:
    with pytest.raises(UsageError):
        first(catalog, **{name: value})
