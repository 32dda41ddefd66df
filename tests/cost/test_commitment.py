"""Commitments: the worked examples of design notes 2, and brute force on small curves."""

from __future__ import annotations

import time
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuadvisor.cost import commitment as cm
from gpuadvisor.cost.commitment import Rates, UsageLine

T16_CURVE = [2, 2, 2, 2, 2, 2, 3, 4, 6, 8, 9, 10, 10, 10, 9, 9, 8, 8, 6, 5, 4, 3, 2, 2]


@pytest.mark.parametrize(
    ("rate", "units", "cost", "saving"), [(0.63, 3, 109.36, 0.1456), (0.43, 6, 88.92, 0.3053)]
)
def test_newsvendor_level(rate: float, units: int, cost: float, saving: float) -> None:
    # T16: 128 instance-hours a day, on demand 1.
    assert sum(T16_CURVE) == 128
    assert cm.optimal_level(T16_CURVE, rate) == units
    found = cm.plan(T16_CURVE, Rates(1.0, one_year=rate))
    assert (found.one_year, found.three_years) == (units, 0)
    assert found.cost * 24 == pytest.approx(cost, abs=5e-3)
    assert found.on_demand_cost * 24 == pytest.approx(128)
    assert found.saving == pytest.approx(saving, abs=5e-5)
    assert found.on_demand_max == 10 - units


@pytest.mark.parametrize(("break_even", "level"), [(0.63, 18.341), (0.43, 20.882)])
def test_level_of_normal_demand(break_even: float, level: float) -> None:
    assert cm.normal_level(20, 5, break_even) == pytest.approx(level, abs=5e-4)  # T17


@pytest.mark.parametrize(("lasts", "one", "three"), [(1.0, 0, 6), (0.6, 0, 3), (0.3, 3, 0)])
def test_stack_of_terms(lasts: float, one: int, three: int) -> None:
    # T18: one year 0.63, three years 0.43 of on demand, the curve of T16.
    found = cm.plan(T16_CURVE, Rates(1.0, 0.63, 0.43), need_lasts=lasts)
    assert (found.one_year, found.three_years) == (one, three)


def test_three_year_saving_of_the_published_rates() -> None:
    # g5.xlarge us-east-1: 1.006, 0.63378 for 1y, 0.43459 for 3y, no upfront (AWS price list).
    rates = Rates(1.006, 0.63378, 0.43459)
    found = cm.plan(T16_CURVE, rates)
    assert (found.three_years, round(found.saving, 3)) == (6, 0.303)


# T19: AWS's own illustrative rates (Savings Plans user guide, "Calculating your bills").
T19_USAGE = [
    UsageLine("c5.9xlarge", 1, 4.0, {"compute": 2.0}),
    UsageLine("c5.24xlarge", 1, 10.0, {"compute": 8.0}),
    UsageLine("fargate vCPU", 10, 1.5, {"compute": 1.0}),
    UsageLine("fargate GB", 5, 2.0, {"compute": 1.0}),
]


@pytest.mark.parametrize(
    ("money", "total"), [(0, 39.0), (2, 37.0), (7, 32.0), (19, 26.5), (25, 25.0)]
)
def test_aws_application_order(money: float, total: float) -> None:
    found = cm.apply_commitments(T19_USAGE, {"compute": money})
    assert found.total == pytest.approx(total)
    if money == 19:
        assert found.covered["c5.24xlarge"] == pytest.approx(0.25)
    assert found.unused == 0


def test_reservations_come_first_then_instance_plans_then_compute_plans() -> None:
    usage = [
        UsageLine("g5.xlarge", 4, 1.0, {"ec2_instance": 0.63, "compute": 0.7}),
        UsageLine("g6.xlarge", 1, 0.8, {"compute": 0.56}),
    ]
    found = cm.apply_commitments(
        usage, {"ec2_instance": 0.63, "compute": 0.7}, {"g5.xlarge": 1}, reserved_cost=0.6
    )
    # 4 - 1 reserved - 1 by its own plan = 2; equal savings of 30 %: the lower rate, g6, first.
    assert found.covered == {"g5.xlarge": pytest.approx(1.2), "g6.xlarge": pytest.approx(1.0)}
    assert found.on_demand == pytest.approx(1.8)
    assert found.total == pytest.approx(0.6 + 0.63 + 0.7 + 1.8)


def test_money_committed_beyond_use_is_lost() -> None:
    found = cm.apply_commitments(T19_USAGE, {"compute": 30})
    assert (found.total, found.unused) == (30, 5)


def test_spot_takes_the_interruptible_share_and_commitments_the_firm_rest() -> None:
    # Half may be interrupted, spot 0.3 below the committed 0.6. By hand over the four hours
    # 4, 4, 4, 0: firm 2, 2, 2, 0. Units 1 and 2 are worth 0.75 each, units 3 and 4 0.75 x 0.3.
    rates = Rates(1.0, one_year=0.6, spot=0.3)
    found = cm.plan([4, 4, 4, 0], rates, interruptible=0.5)
    assert (found.one_year, found.spot_max, found.on_demand_max) == (2, 2, 0)
    assert found.cost == pytest.approx(2 * 0.6 + 2 * 0.75 * 0.3)


def test_spot_above_on_demand_is_not_used() -> None:
    found = cm.plan([4, 4], Rates(1.0, spot=1.2), interruptible=0.5)
    assert (found.spot_max, found.on_demand_max, found.cost) == (0, 4, 4.0)


def test_dispatch_by_hand() -> None:
    assert cm.dispatch(10, 3, 0.3) == (3, 3, 4, 0)
    assert cm.dispatch(2, 5, 0.5) == (2, 0, 0, 3)
    assert cm.dispatch(10, 8, 0.5) == (8, 2, 0, 0)


def test_break_even_month() -> None:
    # T15: full use of p4d pays a year back in 7.39 months, three years in 13.73.
    assert cm.break_even_month([1], 1, 20.1755, 32.7726, 12) == pytest.approx(7.39, abs=5e-3)
    assert cm.break_even_month([1], 1, 12.4990, 32.7726, 36) == pytest.approx(13.73, abs=5e-3)
    # At half use it would take twice the time: beyond the term.
    assert cm.break_even_month([1, 0], 1, 20.1755, 32.7726, 12) is None
    assert cm.break_even_month([0], 0, 1.0, 1.0, 12) is None


def test_regret_when_demand_falls() -> None:
    # Flat 10 units, all committed at 0.6; at 7 units the best plan commits 7: 3 x 0.6 wasted.
    rates = Rates(1.0, one_year=0.6)
    chosen = cm.plan([10] * 24, rates)
    assert chosen.one_year == 10
    assert cm.lower_demand([10, 9, 0], 0.3) == [7, 7, 0]
    assert cm.regret([10] * 24, chosen, rates, 0.0, 1.0, 0.3) == pytest.approx(1.8)
    assert cm.regret([10] * 24, chosen, rates, 0.0, 1.0, 0.0) == pytest.approx(0.0)


def test_a_year_of_hours_is_planned_at_once() -> None:
    curve = [20 + (hour * 7919) % 180 for hour in range(8760)]
    start = time.perf_counter()
    cm.plan(curve, Rates(1.0, 0.63, 0.43, 0.4), 0.3, 0.6)
    assert time.perf_counter() - start < 0.2


def test_an_idle_curve() -> None:
    found = cm.plan([0, 0], Rates(1.0, 0.6))
    assert (found.committed, found.cost, found.saving) == (0, 0.0, 0.0)


# -- brute force -------------------------------------------------------------------------------

curves = st.lists(st.integers(0, 6), min_size=1, max_size=8)
shares = st.integers(1, 99).map(lambda n: n / 100)


@settings(max_examples=1000, deadline=None)
@given(curves, shares)
def test_level_agrees_with_brute_force(curve: list[int], rate: float) -> None:
    rates = Rates(1.0, one_year=rate)
    costs = [cm.curve_cost(curve, units, rate, rates) for units in range(max(curve) + 1)]
    found = cm.plan(curve, rates)
    assert found.cost == pytest.approx(min(costs), abs=1e-12)
    assert costs[cm.optimal_level(curve, rate)] == pytest.approx(min(costs), abs=1e-12)


@settings(max_examples=1000, deadline=None)
@given(curves, shares, shares, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_portfolio_agrees_with_brute_force(
    curve: list[int], rate: float, spot: float, interruptible: float
) -> None:
    rates = Rates(1.0, one_year=rate, spot=spot)
    found = cm.plan(curve, rates, interruptible)
    costs = [
        cm.curve_cost(curve, units, rate, rates, interruptible) for units in range(max(curve) + 1)
    ]
    assert found.cost == pytest.approx(min(costs), abs=1e-12)
    kept = cm.curve_cost(curve, found.one_year, rate, rates, interruptible)
    assert kept == pytest.approx(min(costs), abs=1e-12)


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=6), shares, shares, shares)
def test_stack_agrees_with_brute_force(
    curve: list[int], one: float, three: float, lasts: float
) -> None:
    """Every assignment of a term to each unit, in units of three years of on demand."""
    rates = Rates(1.0, one, three)
    uses = [sum(d >= k for d in curve) / len(curve) for k in range(1, max(curve) + 1)]

    def cost(use: float, term: int) -> float:
        if term == 0:
            return use * (1 + 2 * lasts)
        return one + 2 * lasts * min(one, use) if term == 1 else 3 * three

    best = min(
        sum(cost(use, term) for use, term in zip(uses, terms, strict=True))
        for terms in product((0, 1, 3), repeat=len(uses))
    )
    assert cm.plan(curve, rates, need_lasts=lasts).cost * (1 + 2 * lasts) == pytest.approx(
        best, abs=1e-9
    )


@given(curves, shares, shares)
def test_a_plan_never_costs_more_than_on_demand(curve: list[int], rate: float, spot: float) -> None:
    found = cm.plan(curve, Rates(1.0, rate, None, spot), 0.5)
    assert found.cost <= found.on_demand_cost + 1e-12
