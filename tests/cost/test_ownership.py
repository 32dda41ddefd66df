"""Buying against renting: design notes F34."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.cost import ownership
from gpuadvisor.cost.ownership import Owned

# T41: DGX A100 at 199,000 USD, CBRE's colocation price of Q1 2025 without metered energy.
DGX = Owned(199_000, 3, 0.15, 0.08, 6.5, 1.54, 1.0, None, 217.30, 20_000, 0.05)


def test_dgx_a100_a_year() -> None:
    bill = ownership.annual(DGX)
    assert bill.total == pytest.approx(114_923, abs=1)
    assert bill.capital == pytest.approx(68_024, abs=1)
    assert bill.colocation == pytest.approx(16_949, abs=1)
    assert bill.maintenance == pytest.approx(9_950)
    assert bill.energy == 0


@pytest.mark.parametrize(
    ("rent", "share", "hours"), [(32.7726, 0.4003, 3507), (21.957, 0.5975, 5234)]
)
def test_break_even_utilisation(rent: float, share: float, hours: float) -> None:
    # p4d.24xlarge on demand in 2025-04, and a third less.
    found = ownership.break_even(ownership.annual(DGX).total, rent)
    assert found == pytest.approx(share, abs=5e-5)
    assert found * 8760 == pytest.approx(hours, abs=1)


@pytest.mark.parametrize(("rent", "hours"), [(32.7726, 1526), (21.957, 2277)])
def test_the_articles_first_cloud_year(rent: float, hours: float) -> None:
    # "Cloud below 50,000 USD" holds only up to so many hours a year.
    assert 50_000 / rent == pytest.approx(hours, abs=1)


def test_energy_in_ones_own_room() -> None:
    # 10.2 kW (DGX H100) x 1.54 x 0.146 USD x 8,760 h at 80 % load, by hand.
    owned = DGX._replace(power_kw=10.2, load=0.8, kwh_price=0.146, colo_per_kw_month=None)
    assert ownership.annual(owned).energy == pytest.approx(10.2 * 1.54 * 0.146 * 8760 * 0.8)
    assert ownership.annual(owned).colocation == 0


def test_colocation_with_metered_energy_counts_no_cooling_twice() -> None:
    bill = ownership.annual(DGX._replace(kwh_price=0.1))
    assert bill.energy == pytest.approx(6.5 * 0.1 * 8760)
    assert bill.colocation == pytest.approx(16_949, abs=1)


def test_without_cost_of_capital_it_is_straight_line() -> None:
    assert ownership.annual(DGX._replace(wacc=0.0)).capital == pytest.approx(199_000 * 0.85 / 3)


def test_payback() -> None:
    # No interest, no running cost but the colocation: 199,000 / (rent - 16,949) a year.
    plain = DGX._replace(wacc=0.0, staff=0, maintenance=0)
    year = 32.7726 * 8760 * 0.5 - 6.5 * 217.30 * 12
    assert ownership.pays_after_months(plain, 32.7726, 0.5) == pytest.approx(199_000 / year * 12)
    assert ownership.pays_after_months(plain._replace(wacc=0.08), 32.7726, 0.5) > (
        199_000 / year * 12
    )
    assert ownership.pays_after_months(DGX, 1.0, 0.5) is None
    assert ownership.pays_after_months(DGX, 6.5, 1.0) is None  # covers running cost, not interest


@given(st.floats(1e3, 1e7), st.floats(1, 8), st.floats(0, 0.5), st.floats(0.001, 0.3))
def test_capital_repays_the_purchase(
    capex: float, years: float, residual: float, wacc: float
) -> None:
    """The annuity's present value and the residual's add up to the price paid."""
    yearly = ownership.annual(DGX._replace(capex=capex, years=years, residual=residual, wacc=wacc))
    worth = (1 - (1 + wacc) ** -years) / wacc * yearly.capital
    assert worth + residual * capex * (1 + wacc) ** -years == pytest.approx(capex, rel=1e-6)
