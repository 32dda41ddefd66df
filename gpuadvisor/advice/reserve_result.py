"""What `reserve` answers, as values; `report` turns them into text or JSON."""

from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.advice.estimate_result import Estimate, EstimateOption, Item, Spread
from gpuadvisor.advice.reserve_request import ReserveRequest
from gpuadvisor.catalog.message import Message
from gpuadvisor.cost.commitment import Plan

FALL = 0.30
"""Fall of demand for which the regret of a plan is told."""


class Chosen(NamedTuple):
    """A commitment that was weighed, with the units it takes (perhaps none).

    `break_even` is the share of hours that pays it; `pays_after_months` and `pays_on` say when
    the whole term has paid for itself on this curve, None when it never does.
    """

    term: str
    option: EstimateOption
    units: int
    break_even: float
    pays_after_months: float | None
    pays_on: str | None


class BillLine(NamedTuple):
    """Mean units paid in one way, and their mean month in the first year."""

    option: EstimateOption
    units: float
    monthly: Spread


class Reserve(NamedTuple):
    """The whole answer. Money is a mean month in the request's currency.

    `cost` is for each month that the need is expected to last, over one year, or over three
    where a three-year term is weighed; the `lines` are the first year's. `regret` is what a
    month costs too much, against the plan that would then be best, if demand falls by `FALL`.
    """

    request: ReserveRequest
    priced: Estimate
    item: Item
    curve: tuple[int, ...]
    on_demand: EstimateOption
    spot: EstimateOption | None
    chosen: tuple[Chosen, ...]
    plan: Plan
    lines: tuple[BillLine, ...]
    cost: Spread
    on_demand_cost: Decimal
    regret: Decimal
    assumptions: tuple[Message, ...]
    warnings: tuple[Message, ...]

    @property
    def deciding(self) -> Chosen | None:
        """The commitment that takes most units; the first weighed where none takes any."""
        return max(self.chosen, key=lambda c: c.units, default=None)
