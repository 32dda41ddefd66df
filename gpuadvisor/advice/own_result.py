"""What `own` answers, as values; `report` turns them into text or JSON."""

from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.advice.estimate_result import Estimate, Item
from gpuadvisor.advice.own_figures import Figure
from gpuadvisor.advice.own_request import OwnRequest
from gpuadvisor.catalog.message import Message
from gpuadvisor.cost.uncertainty import Swing, Triple


class MoneySpan(NamedTuple):
    """Low, expected and high of an amount a year."""

    low: Decimal
    expected: Decimal
    high: Decimal


class OwnLine(NamedTuple):
    """One line of the year: capital, colocation, energy, staff or maintenance."""

    name: str
    annual: MoneySpan


class UnitCost(NamedTuple):
    """Cost of one unit of work; `relative` names the device whose work is 1 where only ratios
    are known, `basis` is measured, fitted or spec."""

    unit: str
    cost: float
    relative: str | None
    basis: str


class Own(NamedTuple):
    """The whole answer, money a year in the request's currency.

    `annual_rent` pays the hours of `request.utilisation`. `break_even` is the share of the
    year's hours from which owning costs less; above 1 it never does. `pays_after_months` is
    when saved rent has paid the purchase, None when it never does. `swings` say how each input
    alone moves the break-even, the largest first.
    """

    request: OwnRequest
    priced: Estimate
    item: Item
    devices: tuple[str, ...]
    figures: tuple[Figure, ...]
    lines: tuple[OwnLine, ...]
    annual_own: MoneySpan
    annual_rent: MoneySpan
    break_even: Triple
    pays_after_months: float | None
    swings: tuple[Swing, ...]
    own_unit: UnitCost | None
    rent_unit: UnitCost | None
    warnings: tuple[Message, ...]
