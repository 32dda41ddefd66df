"""Serving over a day against the worked examples of design notes 3 (F21 to F24)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.cost import serving
from gpuadvisor.cost.serving import Scaling

CURVE = [2, 2, 2, 2, 2, 2, 3, 4, 6, 8, 9, 10, 10, 10, 9, 9, 8, 8, 6, 5, 4, 3, 2, 2]
BARE = Scaling(warm=0.0, cooldown=0.0, boot=0.0)


def test_growth_during_boot() -> None:
    assert serving.boot_headroom(CURVE, 0.05) == 2  # 4 to 6, 6 to 8
    assert serving.boot_headroom(CURVE, 2.0) == 4  # 4 to 8
    assert serving.boot_headroom([3, 3], 1.0) == 0


# T26: instance-hours a day against a static peak of 240.
T26 = [
    (BARE, 128, -0.467),
    (BARE._replace(cooldown=1.0), 136, -0.433),
    (BARE._replace(warm=0.2), 163, -0.321),
    (BARE._replace(warm=0.2, cooldown=1.0), 172, -0.283),
    (BARE._replace(warm=0.2, cooldown=1.0, lead=1.0), 181, -0.246),
]


@pytest.mark.parametrize(("scaling", "hours", "change"), T26)
def test_autoscaled(scaling: Scaling, hours: float, change: float) -> None:
    found = serving.autoscaled(CURVE, scaling)
    assert found.instance_hours == pytest.approx(hours)
    assert serving.static_peak(CURVE, BARE).instance_hours == 240
    assert hours / 240 - 1 == pytest.approx(change, abs=5e-4)


def test_like_is_compared_with_like() -> None:
    assert serving.static_peak(CURVE, BARE._replace(warm=0.2)).instance_hours == 288


def test_load_factor_is_the_saving_of_ideal_scaling() -> None:
    # The articles' 34 % is a load factor of 0.66; here 128 / 240.
    assert serving.load_factor(CURVE) == pytest.approx(128 / 240)
    curve = [66.0] * 12 + [100.0] * 6 + [32.0] * 6
    ideal = serving.autoscaled(curve, BARE).instance_hours
    assert serving.load_factor(curve) == pytest.approx(0.66)
    assert 1 - ideal / serving.static_peak(curve, BARE).instance_hours == pytest.approx(0.34)


def test_part_of_an_hour_of_cool_down() -> None:
    # Falls of 1 unit keep it for 10 minutes: nine falls in the curve, one of two units.
    falls = sum(max(0, a - b) for a, b in zip(CURVE, CURVE[1:] + CURVE[:1], strict=True))
    assert falls == 8
    found = serving.autoscaled(CURVE, BARE._replace(cooldown=1 / 6))
    assert found.instance_hours == pytest.approx(128 + 8 / 6)


def test_cold_share_is_growth_that_spare_units_do_not_cover() -> None:
    # Growth of 8 units a day waits for 3 minutes each where nothing is spare: 0.4 of 128 h.
    bare = serving.autoscaled(CURVE, BARE._replace(boot=0.05))
    assert bare.cold_share == pytest.approx(8 * 0.05 / 128)
    spare = serving.autoscaled(CURVE, BARE._replace(boot=0.05, warm=0.2))
    assert spare.cold_share < bare.cold_share
    assert serving.autoscaled(CURVE, BARE._replace(boot=0.05, lead=0.1)).cold_share == 0


def test_floor_and_ceiling() -> None:
    held = serving.autoscaled(CURVE, BARE._replace(least=4, most=8))
    assert held.peak == 8
    assert held.instance_hours == sum(min(8, max(4, d)) for d in CURVE)
    assert held.unmet_share == pytest.approx(sum(max(0, d - 8) for d in CURVE) / 128)


@pytest.mark.parametrize(
    ("rate", "billed", "cold"), [(1, 0.250, 0.787), (6, 0.791, 0.272), (20, 0.993, 0.013)]
)
def test_scale_to_zero(rate: float, billed: float, cold: float) -> None:
    # T27: stops after 15 minutes, 3 minutes to start.
    found = serving.scale_to_zero(rate, 0.25, 0.05)
    assert found == pytest.approx((billed, cold), abs=5e-4)


def test_scale_to_zero_against_simulation() -> None:
    draw = random.Random(20261130)
    rate, timeout, boot = 6.0, 0.25, 0.05
    clock = billed = 0.0
    ready = -1.0
    until = -1.0
    cold = 0
    for _ in range(100_000):
        clock += draw.expovariate(rate)
        if clock > until:  # stopped: boot, then serve
            ready, until = clock + boot, clock + boot + timeout
            billed += boot + timeout
            cold += 1
        else:  # running or starting: the time-out starts anew from the end of the boot or now
            last = max(clock, ready) + timeout
            billed += last - until
            until = last
            cold += clock < ready
    found = serving.scale_to_zero(rate, timeout, boot)
    assert billed / clock == pytest.approx(found.billed, rel=0.02)
    assert cold / 100_000 == pytest.approx(found.cold, rel=0.03)


def test_nothing_asked_and_everything_asked() -> None:
    assert serving.scale_to_zero(0, 0.25, 0.05) == (0, 0)
    assert serving.scale_to_zero(1e6, 0.25, 0.05) == (1, 0)


def test_duty_is_the_saving_of_scaling_to_zero() -> None:
    # The articles' live face swap: -67 % is 7.9 busy hours a day.
    curve = [1.0] * 8 + [0.0] * 16
    found = serving.to_zero(curve, None, 0.0, BARE)
    assert 1 - found.instance_hours / serving.static_peak(curve, BARE).instance_hours == (
        pytest.approx(2 / 3)
    )
    late = serving.to_zero(curve, None, 0.25, BARE)
    assert late.instance_hours == pytest.approx(8.25)


def test_quiet_hours_follow_the_formula() -> None:
    curve, requests = [1.0] * 24, [6.0] * 24
    found = serving.to_zero(curve, requests, 0.25, BARE._replace(boot=0.05))
    assert found.instance_hours == pytest.approx(24 * 0.791, abs=0.02)
    assert found.cold_share == pytest.approx(0.272, abs=5e-4)


@pytest.mark.parametrize(
    ("price", "rate", "busy", "cost"), [(1.006, 700, 0.5, 0.7984e-6), (0.22, 0.5, 1.0, 0.000122)]
)
def test_unit_cost(price: float, rate: float, busy: float, cost: float) -> None:
    assert serving.unit_cost(price, rate, busy) == pytest.approx(cost, rel=5e-3)  # T28


curves = st.lists(st.integers(0, 30), min_size=2, max_size=24).filter(any)


@given(curves, st.floats(0, 1), st.floats(0, 3), st.floats(0, 3))
def test_between_the_ideal_and_the_static_peak(
    curve: list[int], warm: float, cooldown: float, lead: float
) -> None:
    scaling = Scaling(warm, cooldown, 0.05, lead)
    found = serving.autoscaled(curve, scaling)
    static = serving.static_peak(curve, scaling)
    assert sum(curve) - 1e-6 <= found.instance_hours <= static.instance_hours + 1e-6
    assert found.peak <= static.peak
    assert 0 <= found.cold_share <= 1


@given(curves, st.floats(0, 1), st.floats(0, 2))
def test_longer_cool_down_never_costs_less(curve: list[int], warm: float, cooldown: float) -> None:
    short = serving.autoscaled(curve, Scaling(warm, cooldown))
    long = serving.autoscaled(curve, Scaling(warm, cooldown + 0.5))
    assert short.instance_hours <= long.instance_hours + 1e-6
