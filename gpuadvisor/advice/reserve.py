"""`reserve()`: how many instances of a demand curve to commit, for how long, and what it saves."""

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.curve import REQUESTS
from gpuadvisor.advice.estimate import estimate
from gpuadvisor.advice.estimate_result import Estimate, EstimateOption, Item, Spread
from gpuadvisor.advice.reserve_request import ReserveRequest, reserve_request
from gpuadvisor.advice.reserve_result import FALL, BillLine, Chosen, Reserve
from gpuadvisor.advice.throughput import units_for
from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND, SPOT
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cost.billing import HOURS_PER_MONTH, break_even_utilisation, term_months
from gpuadvisor.cost.commitment import Plan, Rates, break_even_month, dispatch, plan, regret
from gpuadvisor.cost.money import scale
from gpuadvisor.cost.staleness import FRESH

TERM_MONTHS = {"1y": 12, "3y": 36}


def reserve(request: ReserveRequest | Mapping[str, Any], catalog: Catalog | None = None) -> Reserve:
    """Plan commitments, spot and on demand for a curve of identical units.

    `request` is a `ReserveRequest` or a mapping of flag names to values; `curve` is a path or
    the numbers themselves. Raises UsageError and InputError for what cannot be read, and
    RefusedError where the unit has no on-demand price to compare with.
    """
    if not isinstance(request, ReserveRequest):
        request = reserve_request(request)
    catalog = catalog or load_catalog()
    priced = estimate(request.priced, catalog)
    item = priced.lines[0]
    usual = _only(item, ON_DEMAND)
    if usual is None or usual.effective_per_hour is None:
        raise RefusedError(message("reserve.no_on_demand", what=item.type.name, region=item.region))
    curve = _units(catalog, request, item)
    terms = {term: _cheapest(item, term) for term in TERM_MONTHS if term in request.terms}
    spot = None if request.spot_share == 0 else _only(item, SPOT)
    rates = _rates(item, usual, terms, spot)
    found = plan(curve, rates, request.spot_share, request.need_lasts)
    return _answer(request, priced, item, curve, usual, terms, spot, rates, found)


def _only(item: Item, option: str) -> EstimateOption | None:
    return next((o for o in item.options if o.option == option and o.available), None)


def _cheapest(item: Item, term: str) -> EstimateOption | None:
    """The commitment of that length with the lowest rate, upfront payments spread (F11)."""
    usable = [
        o
        for o in item.options
        if o.option in COMMITMENTS
        and o.available
        and o.effective_per_hour is not None
        and o.term is not None
        and term_months(o.term) == TERM_MONTHS[term]
    ]
    return min(usable, key=lambda o: o.effective_per_hour or Decimal(0), default=None)


def _units(catalog: Catalog, request: ReserveRequest, item: Item) -> list[int]:
    if request.curve.kind == REQUESTS:
        return units_for(catalog, request.curve.values, request.workload, request.per_unit, item)
    return request.curve.units


def _rates(
    item: Item,
    usual: EstimateOption,
    terms: Mapping[str, EstimateOption | None],
    spot: EstimateOption | None,
) -> Rates:
    def rate(option: EstimateOption | None) -> float | None:
        if option is None or option.effective_per_hour is None:
            return None
        return float(option.effective_per_hour * item.instances)

    on_demand = rate(usual)
    assert on_demand is not None
    return Rates(on_demand, rate(terms.get("1y")), rate(terms.get("3y")), rate(spot))


def _answer(
    request: ReserveRequest,
    priced: Estimate,
    item: Item,
    curve: list[int],
    usual: EstimateOption,
    terms: Mapping[str, EstimateOption | None],
    spot: EstimateOption | None,
    rates: Rates,
    found: Plan,
) -> Reserve:
    chosen = tuple(
        _chosen(priced, item, curve, rates, term, option, units)
        for term, units in (("1y", found.one_year), ("3y", found.three_years))
        if (option := terms.get(term)) is not None
    )
    lost = regret(curve, found, rates, request.spot_share, request.need_lasts, FALL)
    lines = _lines(item, curve, request, usual, spot, chosen, found)
    return Reserve(
        request,
        priced,
        item,
        tuple(curve),
        usual,
        spot,
        chosen,
        found,
        lines,
        _cost(_monthly(found.cost), lines),
        _monthly(found.on_demand_cost),
        _monthly(lost),
        _assumptions(request, spot, chosen),
        _warnings(priced, item, terms, chosen),
    )


def _cost(expected: Decimal, lines: Sequence[BillLine]) -> Spread:
    """The plan's month; what is uncertain of it is the prices of its lines."""
    down = sum((line.monthly.expected - line.monthly.low for line in lines), Decimal(0))
    up = sum((line.monthly.high - line.monthly.expected for line in lines), Decimal(0))
    return Spread(expected - down, expected, expected + up)


def _monthly(hourly: float) -> Decimal:
    return Decimal(repr(hourly * HOURS_PER_MONTH))


def _chosen(
    priced: Estimate,
    item: Item,
    curve: Sequence[int],
    rates: Rates,
    term: str,
    option: EstimateOption,
    units: int,
) -> Chosen:
    rate = rates.one_year if term == "1y" else rates.three_years
    assert rate is not None
    month = break_even_month(curve, units, rate, rates.on_demand, TERM_MONTHS[term])
    date = None
    if month is not None:
        start = datetime.date.fromisoformat(priced.today)
        date = (start + datetime.timedelta(days=round(month * 365.25 / 12))).isoformat()
    share = break_even_utilisation(rate, rates.on_demand)
    return Chosen(term, option, units, share, month, date)


def _lines(
    item: Item,
    curve: Sequence[int],
    request: ReserveRequest,
    usual: EstimateOption,
    spot: EstimateOption | None,
    chosen: Sequence[Chosen],
    found: Plan,
) -> tuple[BillLine, ...]:
    """The first year's mean month, by how the units are paid for."""
    lines = [
        BillLine(c.option, float(c.units), _month(c.option, item, float(c.units)))
        for c in chosen
        if c.units
    ]
    share = request.spot_share if found.spot_max else 0.0
    hours = [dispatch(demand, found.committed, share) for demand in curve]
    if spot is not None and found.spot_max:
        mean = sum(hour.spot for hour in hours) / len(hours)
        lines.append(BillLine(spot, mean, _month(spot, item, mean)))
    if found.on_demand_max:
        mean = sum(hour.on_demand for hour in hours) / len(hours)
        lines.append(BillLine(usual, mean, _month(usual, item, mean)))
    return tuple(lines)


def _month(option: EstimateOption, item: Item, units: float) -> Spread:
    """A mean month of so many units, with the range of the option's price."""
    assert option.effective_per_hour is not None and option.monthly is not None
    expected = scale(option.effective_per_hour * item.instances, units * HOURS_PER_MONTH)
    whole = option.monthly.expected
    return Spread(*(expected * part / whole for part in option.monthly))


def _assumptions(
    request: ReserveRequest, spot: EstimateOption | None, chosen: Sequence[Chosen]
) -> tuple[Message, ...]:
    found = []
    if spot is not None and request.spot_share:
        found.append(message("reserve.spot_share", percent=f"{request.spot_share * 100:g}"))
    if any(c.term == "3y" for c in chosen):
        found.append(message("reserve.need_lasts", percent=f"{request.need_lasts * 100:g}"))
    if any(c.option.payment in ("all_upfront", "partial_upfront") for c in chosen):
        percent = f"{request.priced.capital_cost * 100:g}"
        found.append(message("reserve.capital_cost", percent=percent))
    if request.curve.kind == REQUESTS:
        found.append(
            message("reserve.per_unit", rate=f"{request.per_unit:g}")
            if request.per_unit
            else message("reserve.per_workload", workload=request.workload)
        )
    return tuple(found)


def _warnings(
    priced: Estimate,
    item: Item,
    terms: Mapping[str, EstimateOption | None],
    chosen: Sequence[Chosen],
) -> tuple[Message, ...]:
    # A stale price among those that were weighed and not taken is no news here.
    found = [w for w in priced.warnings if w.id != "estimate.line_stale"]
    found += [
        message("reserve.term_unpriced", term=term, what=item.type.name, region=item.region)
        for term, option in terms.items()
        if option is None
    ]
    if any(c.term == "3y" and c.units for c in chosen):
        found.append(message("reserve.three_years_long"))
    for c in chosen:
        if c.units and c.option.binding is not None and not c.option.binding.reserves_capacity:
            found.append(message("reserve.no_capacity"))
            break
    for c in chosen:
        if c.units and c.option.age_level not in (None, FRESH) and c.option.offer is not None:
            found.append(message("reserve.stale", term=c.term, date=c.option.offer.as_of))
    return tuple(found)
