"""The age rules of the design: 30/90 days for markets, 180/365 for lists, 365/540 committed."""

import datetime

import pytest

from gpuadvisor.cost.staleness import Staleness, staleness

TODAY = datetime.date(2026, 11, 30)


def _day(age: int) -> str:
    return (TODAY - datetime.timedelta(days=age)).isoformat()


LIMITS = [
    ("spot", "hyperscaler", 30, 90),
    ("on_demand", "marketplace", 30, 90),
    ("capacity_block", "hyperscaler", 30, 90),
    ("on_demand", "hyperscaler", 180, 365),
    ("flex_start", "hyperscaler", 180, 365),
    ("reserved", "hyperscaler", 365, 540),
    ("subscription", "specialist", 365, 540),
]


@pytest.mark.parametrize(("option", "tier", "warn", "widen"), LIMITS)
def test_limits(option: str, tier: str, warn: int, widen: int) -> None:
    levels = [
        staleness(option, tier, _day(age), None, TODAY).level
        for age in (warn, warn + 1, widen, widen + 1)
    ]
    assert levels == ["fresh", "warn", "warn", "widen"]


def test_confirmation_restarts_the_clock() -> None:
    old = staleness("on_demand", "hyperscaler", "2025-04-04", None, TODAY)
    seen = staleness("on_demand", "hyperscaler", "2025-04-04", "2026-07-20", TODAY)
    assert old == Staleness(605, "widen", 0.15)
    assert seen == Staleness(133, "fresh", 0.0)


def test_a_price_of_the_future_is_fresh() -> None:
    assert staleness("spot", "hyperscaler", "2027-01-01", None, TODAY) == Staleness(0, "fresh", 0.0)
