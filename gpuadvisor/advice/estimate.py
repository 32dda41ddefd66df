"""`estimate()`: what named instances or devices cost, on every purchase option there is."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from gpuadvisor.advice.estimate_context import Context, prepare, quotes
from gpuadvisor.advice.estimate_items import items_of
from gpuadvisor.advice.estimate_request import EstimateRequest, estimate_request
from gpuadvisor.advice.estimate_result import Estimate, Item, Spread
from gpuadvisor.advice.places import Place, place_notes
from gpuadvisor.advice.what import read_what
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cost.money import allocate
from gpuadvisor.cost.staleness import FRESH

if TYPE_CHECKING:
    from gpuadvisor.advice.serving import Serving, Stored


def estimate(
    request: EstimateRequest | Mapping[str, Any], catalog: Catalog | None = None
) -> Estimate:
    """Price one or several WHATs on every purchase option, and add them up.

    `request` is an `EstimateRequest` or a mapping of flag names to values
    (`{"what": "4x g5.xlarge", "region": "us-east-1"}`). A WHAT is `[COUNT x] NAME`, the name of
    an instance type or of a device; a device stands for the types that provide it, cheapest
    first. Raises UsageError for unknown names and impossible values, RefusedError where nothing
    that can be bought provides a device in the regions asked for.
    """
    if not isinstance(request, EstimateRequest):
        request = estimate_request(request)
    catalog = catalog or load_catalog()
    whats = [read_what(catalog, text) for text in request.what]
    context = prepare(catalog, request, whats)
    items: list[Item] = []
    left_out: list[tuple[str, int]] = []
    notes: list[Message] = []
    for what in whats:
        found, more, note = items_of(context, what)
        items.extend(found)
        if more:
            left_out.append((what.text, more))
        if note is not None:
            notes.append(note)
    return _answer(context, items, left_out, notes)


def _answer(
    context: Context,
    items: Sequence[Item],
    left_out: Sequence[tuple[str, int]],
    notes: Sequence[Message],
) -> Estimate:
    allocated, total = _totals(context, items)
    lines = [item for item in allocated if item.place == 1]
    period = None
    if context.usage.months is not None:
        amounts = [i.line.period for i in lines if i.line is not None and i.line.period]
        if len(amounts) == len(lines):
            period = _sum(amounts)
    base = context.request.base
    told, refused = _job(context, lines)
    asked = [context.places[name] for name in sorted({i.type.provider for i in allocated})]
    return Estimate(
        context.request,
        context.today,
        base.currency,
        quotes(context, allocated),
        context.usage.hours,
        tuple(allocated),
        tuple(left_out),
        total,
        period,
        context.catalog.in_use(item.type.provider for item in allocated),
        (*notes, *_assumptions(context, allocated, [] if notes else asked)),
        (*told, *_warnings(context, allocated, lines)),
        _next(allocated),
        refused,
        *_beside(context, lines),
    )


def _beside(
    context: Context, lines: Sequence[Item]
) -> "tuple[tuple[Serving, ...], tuple[Stored, ...]]":
    """A demand over the day and storage, for each line of the bill, where they are asked for."""
    asked = context.request.serve
    if asked is None:
        return (), ()
    from gpuadvisor.advice.serving import serve, stored

    hours, currency = context.usage.hours, context.request.base.currency
    served = [serve(asked, item, hours) for item in lines]
    beside = [
        stored(context.catalog, asked, item, context.pricing.exchange, currency)
        for item in lines
        if asked.storage
    ]
    return tuple(found for found in served if found is not None), tuple(beside)


def _job(context: Context, lines: Sequence[Item]) -> tuple[list[Message], Message | None]:
    """What is to be said about a job; its module is imported where there is one."""
    if context.request.job_hours is None:
        return [], None
    from gpuadvisor.advice.job_advice import job_warnings

    return job_warnings(context.request, lines)


def _totals(context: Context, items: Sequence[Item]) -> tuple[list[Item], Spread | None]:
    """The month's total; the counted lines are rounded so that they add up to it."""
    positions = [n for n, item in enumerate(items) if item.place == 1]
    lines = [items[n].line for n in positions]
    if any(line is None or line.monthly is None for line in lines):
        return list(items), None
    currency = context.request.base.currency
    columns = [
        allocate([line.monthly[part] for line in lines if line and line.monthly], currency)
        for part in range(3)
    ]
    found = list(items)
    for row, position in enumerate(positions):
        item = items[position]
        assert item.counted is not None
        options = list(item.options)
        monthly = Spread(*(shares[row] for shares, _ in columns))
        options[item.counted] = options[item.counted]._replace(monthly=monthly)
        found[position] = item._replace(options=tuple(options))
    return found, Spread(*(total for _, total in columns))


def _sum(amounts: Sequence[Spread]) -> Spread:
    return Spread(*(sum((a[part] for a in amounts), Decimal(0)) for part in range(3)))


def _assumptions(
    context: Context, items: Sequence[Item], asked: Sequence[Place]
) -> tuple[Message, ...]:
    request = context.request
    found = list(place_notes(asked, request.base.region))
    shown = [o for i in items for o in i.options]
    if any(o.option in COMMITMENTS and o.available for o in shown):
        found.append(message("estimate.committed_hours"))
    if any(o.effective_per_hour != o.price_per_hour and o.term for o in shown):
        found.append(message("estimate.capital", percent=f"{request.capital_cost * 100:g}"))
    if any(o.payment == "partial_upfront" for o in shown):
        found.append(message("estimate.partial"))
    found.extend(
        message("estimate.discount", provider=provider, percent=f"{share * 100:g}")
        for provider, share in request.base.discounts
    )
    if request.markup:
        found.append(message("estimate.markup", percent=f"{request.markup * 100:g}"))
    if request.months is not None:
        found.append(message("estimate.months", months=request.months))
    return tuple(found)


def _warnings(
    context: Context, items: Sequence[Item], lines: Sequence[Item]
) -> tuple[Message, ...]:
    found = []
    for item in lines:
        line = item.line
        name = item.type.name
        if line is None:
            found.append(message("estimate.line_unpriced", what=item.what, type=name))
        elif not context.request.base.purchase and line.option != ON_DEMAND:
            option = message(f"estimate.option_{line.option}")
            found.append(message("estimate.line_other", type=name, option=option))
        if line is not None and line.age_level not in (None, FRESH) and line.offer is not None:
            seen = line.offer.confirmed_on or line.offer.as_of
            found.append(message("estimate.line_stale", type=name, date=seen))
    used = {p for p in context.pricing.own if p.instance_type}
    known = {(i.type.name, o.option) for i in items for o in i.options if o.own}
    found.extend(
        message("estimate.price_unused", type=own.instance_type, option=own.option)
        for own in sorted(used, key=str)
        if (own.instance_type, own.option) not in known
    )
    return tuple(found)


def _next(items: Sequence[Item]) -> str:
    """The command to try next: the same thing elsewhere."""
    whats = " ".join(
        f'"{what}"' if " " in what else what for what in dict.fromkeys(i.what for i in items)
    )
    return f"gpuadvisor compare {whats}"
