"""A demand over hours, quoted: units that are committed for a year, the rest on demand."""

from decimal import Decimal
from math import ceil

from gpuadvisor.advice.curve import REQUESTS
from gpuadvisor.advice.estimate_result import EstimateOption, Item
from gpuadvisor.advice.purchase import months_of
from gpuadvisor.advice.quote_lines import Priced, Sold, firm_options, line_of
from gpuadvisor.advice.quote_request import QuoteRequest
from gpuadvisor.advice.quote_result import Demand
from gpuadvisor.advice.result import Range
from gpuadvisor.catalog.errors import RefusedError, UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.cost.commitment import Rates, dispatch, plan

YEAR = "1y"
_WHOLE = Range(HOURS_PER_MONTH, HOURS_PER_MONTH, HOURS_PER_MONTH)
_MEAN = Decimal("0.01")
"""Mean instances stand on the quote to a hundredth, and are multiplied as they stand."""


def demand_lines(request: QuoteRequest, sold: Sold, item: Item) -> tuple[Demand, list[Priced]]:
    """The cheapest mix of a one-year commitment and on demand for the curve (design notes F12).

    A unit is the item's instances together. Raises RefusedError where it is not sold on demand,
    UsageError where hours are given beside the curve, which says them itself.
    """
    base = request.base
    if base.hours_per_month is not None or base.hours_per_day is not None:
        raise UsageError(message("quote.curve_says_hours"))
    options = firm_options(item)
    usual = next((o for o in options if o.option == ON_DEMAND), None)
    if usual is None:
        raise RefusedError(message("reserve.no_on_demand", what=item.type.name, region=item.region))
    units = _units(request)
    mean = Decimal(sum(units)) / len(units)
    if not mean:
        raise UsageError(message("quote.curve_is_zero"))
    bound = _cheapest_year(request, options)
    rate = _rate(usual)
    assert rate is not None
    found = plan(units, Rates(rate, None if bound is None else _rate(bound)))
    whole = line_of(sold, item, usual, _instances(item, mean), _WHOLE, alone=True)
    lines = []
    if bound is not None and found.one_year:
        count = Decimal(item.instances * found.one_year)
        lines.append(line_of(sold, item, bound, count, _WHOLE, alone=True))
    rest = sum(dispatch(each, found.one_year, 0.0).on_demand for each in units)
    if rest:
        count = _instances(item, Decimal(rest) / len(units))
        lines.append(line_of(sold, item, usual, count, _WHOLE, alone=True))
    levels = ((YEAR, found.one_year),) if found.one_year else ()
    return Demand(tuple(units), levels, whole.line.amount), lines


def _instances(item: Item, units: Decimal) -> Decimal:
    """Mean instances of so many units, at least the hundredth that is shown."""
    return max((units * item.instances).quantize(_MEAN), _MEAN)


def _rate(option: EstimateOption) -> float | None:
    """Upfront payments are weighed at the cost of capital, as `reserve` does."""
    return None if option.effective_per_hour is None else float(option.effective_per_hour)


def _cheapest_year(request: QuoteRequest, options: list[EstimateOption]) -> EstimateOption | None:
    wanted = [o for o in request.purchase if o in COMMITMENTS] or list(COMMITMENTS)
    if request.purchase and not set(request.purchase) & COMMITMENTS:
        return None
    found = [o for o in options if o.option in wanted and months_of(o.term) == 12]
    return min(found, key=lambda o: _rate(o) or 0.0, default=None)


def _units(request: QuoteRequest) -> list[int]:
    curve = request.curve
    assert curve is not None
    if curve.kind != REQUESTS:
        if request.per_unit is not None:
            raise UsageError(message("quote.units_given"))
        return curve.units
    if request.per_unit is None:
        raise UsageError(message("quote.requests_need"))
    return [ceil(round(value / request.per_unit, 9)) for value in curve.values]
