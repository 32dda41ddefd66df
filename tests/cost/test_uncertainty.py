"""Ranges and the tornado against design notes 7."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gpuadvisor.cost.spot import daly_interval, restartable_hours
from gpuadvisor.cost.uncertainty import Triple, exactly, joint, tornado

MINUTE = 1 / 60


def test_pert() -> None:
    found = Triple(15, 20, 30)  # T42
    assert found.mean == pytest.approx(20.833, abs=5e-4)
    assert found.deviation == 2.5


def spot_job(x: Mapping[str, float]) -> float:
    """Bill of a spot job at its own best interval."""
    mtti, checkpoint = 1 / x["hazard"], x["checkpoint"] * MINUTE
    interval = daly_interval(checkpoint, mtti)
    hours = restartable_hours(x["work"], interval, checkpoint, x["restart"] * MINUTE, mtti)
    return x["price"] * hours


T43 = {
    "price": Triple(0.8, 1.0, 1.3),
    "work": Triple(15, 20, 30),
    "hazard": Triple(0.02, 0.1, 0.5),
    "checkpoint": Triple(0.5, 2, 6),
    "restart": Triple(2, 5, 15),
}


def test_tornado() -> None:
    # T43: base 21.908; price and length decide, the hazard hardly moves the bill.
    base = {name: triple.likely for name, triple in T43.items()}
    assert spot_job(base) == pytest.approx(21.908, abs=5e-4)
    found = tornado(spot_job, T43)
    assert [swing.name for swing in found] == ["work", "price", "hazard", "checkpoint", "restart"]
    sizes = [swing.size for swing in found]
    assert sizes == pytest.approx([16.43, 10.95, 4.39, 2.30, 0.48], abs=5e-3)


def test_joint_cases_bound_every_single_one() -> None:
    found = joint(spot_job, T43)
    assert found.low < min(s.at_low for s in tornado(spot_job, T43))
    assert found.high > max(s.at_high for s in tornado(spot_job, T43))
    assert found.likely == pytest.approx(21.908, abs=5e-4)


def test_an_input_that_lowers_the_result() -> None:
    inputs = {"residual": Triple(0.1, 0.2, 0.3), "capex": exactly(100.0)}
    found = joint(lambda x: x["capex"] * (1 - x["residual"]), inputs)
    assert found == pytest.approx((70, 80, 90))
    assert [s.name for s in tornado(lambda x: x["capex"], inputs)] == ["residual"]
