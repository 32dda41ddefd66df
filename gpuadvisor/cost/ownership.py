"""What it costs a year to own accelerators, and when that beats renting (design notes F34).

Money is in one currency; shares are of one; power in kW; a year has 8,760 hours.
"""

from math import log
from typing import NamedTuple

HOURS_PER_YEAR = 8760.0


class Owned(NamedTuple):
    """A purchase and how it is run.

    `residual` is the share of `capex` left after `years`, `wacc` the yearly cost of capital.
    `colo_per_kw_month` houses it (None for one's own room), `kwh_price` pays metered energy
    (None where the colocation price includes it), `load` is the mean share of `power_kw`.
    """

    capex: float
    years: float
    residual: float
    wacc: float
    power_kw: float
    pue: float
    load: float
    kwh_price: float | None
    colo_per_kw_month: float | None
    staff: float
    maintenance: float


class Annual(NamedTuple):
    """Lines of a year's bill; capital is the annuity of the purchase less its residual value."""

    capital: float
    colocation: float
    energy: float
    staff: float
    maintenance: float

    @property
    def total(self) -> float:
        """The whole year."""
        return sum(self)


def capital_recovery(wacc: float, years: float) -> float:
    """CRF = i (1 + i)^Y / ((1 + i)^Y - 1); 1/Y without cost of capital."""
    if wacc == 0:
        return 1 / years
    grown: float = (1 + wacc) ** years
    return wacc * grown / (grown - 1)


def annual(owned: Owned) -> Annual:
    """F34. The power of a colocated machine is not paid twice: energy only at a `kwh_price`."""
    recovery = capital_recovery(owned.wacc, owned.years)
    # The residual comes back at the end: its sinking-fund share is CRF less interest.
    sinking = recovery - owned.wacc
    colo = energy = 0.0
    if owned.colo_per_kw_month is not None:
        colo = owned.power_kw * owned.colo_per_kw_month * 12
    if owned.kwh_price is not None:
        # A colocation bills the energy of the machine; its own room pays for cooling too.
        pue = owned.pue if owned.colo_per_kw_month is None else 1.0
        energy = owned.power_kw * pue * owned.kwh_price * HOURS_PER_YEAR * owned.load
    return Annual(
        owned.capex * (recovery - owned.residual * sinking),
        colo,
        energy,
        owned.staff,
        owned.maintenance * owned.capex,
    )


def break_even(annual_own: float, rent_per_hour: float) -> float:
    """Share of the year's hours from which owning is cheaper; above 1 it never is."""
    return annual_own / (rent_per_hour * HOURS_PER_YEAR)


def pays_after_months(owned: Owned, rent_per_hour: float, utilisation: float) -> float | None:
    """Months after which rent saved has paid the purchase, at the cost of capital.

    No resale is counted. None when the rent saved never pays it.
    """
    bill = annual(owned)
    running = bill.total - bill.capital
    saved = (rent_per_hour * HOURS_PER_YEAR * utilisation - running) / 12
    if saved <= 0:
        return None
    monthly = (1 + owned.wacc) ** (1 / 12) - 1
    if monthly == 0:
        return owned.capex / saved
    left = 1 - owned.capex * monthly / saved
    return -log(left) / log(1 + monthly) if left > 0 else None
