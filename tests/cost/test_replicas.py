"""Spot replicas over regions: design notes F10."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.cost import replicas


@pytest.mark.parametrize(("count", "chance"), [(8, 0.430), (10, 0.930), (12, 0.9957)])
def test_independent_replicas(count: int, chance: float) -> None:
    # T12: 8 needed, each up nine tenths of the time.
    assert replicas.at_least(8, [(count, 0.9)], together=0.0) == pytest.approx(chance, abs=5e-4)
    apart = [(1, 0.9)] * count
    assert replicas.at_least(8, apart) == pytest.approx(chance, abs=5e-4)


def test_replicas_of_one_region_share_their_fate() -> None:
    alone = replicas.at_least(8, [(10, 0.9)])
    spread = replicas.at_least(8, [(5, 0.9), (5, 0.9)])
    assert alone == pytest.approx(0.57 * 0.930 + 0.43 * 0.9, abs=5e-4)
    assert spread < alone < replicas.at_least(8, [(10, 0.9)], 0.0)
    # A region whose whole pool may go must be covered by the other: 4 of 4 + 4.
    assert replicas.at_least(4, [(4, 0.9), (4, 0.9)], 1.0) == pytest.approx(0.99)
    assert replicas.at_least(4, [(8, 0.9)], 1.0) == pytest.approx(0.9)


def test_what_is_missing() -> None:
    # 1 of 2 at one half: both down a quarter of the time; 2 of 2: one short half of it.
    assert replicas.unmet_share(1, [(2, 0.5)], 0.0) == 0.25
    assert replicas.unmet_share(2, [(2, 0.5)], 0.0) == pytest.approx((2 * 0.25 + 1 * 0.5) / 2)
    assert replicas.unmet_share(3, [(3, 1.0)]) == 0


def test_fewest_replicas() -> None:
    # 4 needed in 2 regions that fail whole, up .9 each: only 4 + 4 survives the loss of one.
    assert replicas.replicas_for(4, 0.9, 0.98, regions=2, together=1.0) == 4
    assert replicas.replicas_for(4, 0.9, 0.80, regions=2, together=1.0) == 2
    assert replicas.replicas_for(4, 0.5, 0.99, regions=2, together=1.0) is None


@given(st.integers(1, 15), st.integers(1, 15), st.integers(0, 15), st.floats(0, 1), st.floats(0, 1))
def test_a_distribution(needed: int, first: int, second: int, up: float, together: float) -> None:
    groups = [(first, up), (second, up)]
    chances = replicas.up_distribution(groups, together)
    assert sum(chances) == pytest.approx(1)
    mean = sum(k * chance for k, chance in enumerate(chances))
    assert mean == pytest.approx((first + second) * up, abs=1e-9)
    assert -1e-9 <= replicas.unmet_share(needed, groups, together) <= 1 + 1e-9
