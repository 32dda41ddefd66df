"""`compare()`: the same thing at several providers, or several things side by side."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.advice.compare_result import Comparison, ModeSpeed, RegionRange, Row
from gpuadvisor.advice.estimate_context import Context, prepare, quotes
from gpuadvisor.advice.estimate_items import ways
from gpuadvisor.advice.estimate_request import EstimateRequest, estimate_request
from gpuadvisor.advice.estimate_result import Item
from gpuadvisor.advice.needs import Needs, needs_of
from gpuadvisor.advice.places import place_notes
from gpuadvisor.advice.pricing import price
from gpuadvisor.advice.result import MoneyRange, Speed
from gpuadvisor.advice.shape import differing
from gpuadvisor.advice.speed_model import SpeedModel, devices_per_replica
from gpuadvisor.advice.verdict import verdicts
from gpuadvisor.advice.what import read_what
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND, Device
from gpuadvisor.catalog.names import matches
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cost.staleness import FRESH
from gpuadvisor.workload.interface import BATCHED
from gpuadvisor.workload.profile import choose_mode, find_profile

WORKLOAD_FIELDS = frozenset({"workload", "batched", "precision", "model_memory", "software"})


class ModeModel(NamedTuple):
    """The needs of the workload in one mode, and the speed model for them."""

    needs: Needs
    model: SpeedModel


def compare(
    request: EstimateRequest | Mapping[str, Any], catalog: Catalog | None = None
) -> Comparison:
    """Put WHATs side by side, per device-hour and, with a workload, per unit of work.

    `request` is as for `estimate`, with `workload` and `batched` besides
    (`{"what": ["4xT4", "1xA100"], "workload": "ocr"}`). Both modes of a workload are worked
    out; `batched` chooses the one that the rows are ordered by. Raises what `estimate` raises.
    """
    if not isinstance(request, EstimateRequest):
        request = estimate_request(request, WORKLOAD_FIELDS)
    catalog = catalog or load_catalog()
    whats = [read_what(catalog, text) for text in request.what]
    context = prepare(catalog, request, whats)
    modes = _modes(context)
    rows: dict[str, list[Row]] = {}
    notes: list[Message] = []
    for what in whats:
        items, note = ways(context, what)
        notes.extend([note] if note is not None else [])
        mine = (_row(context, modes, item) for item in _distinct(items))
        rows[what.text] = sorted(mine, key=_order)
    every = [row for group in rows.values() for row in group]
    names = tuple(mode.needs.mode.name for mode in modes)
    judged = verdicts(whats, every, names)
    voted = [r for v in judged if v.mode == names[0] for x in v.votes for r in (x.first, x.second)]
    shown: list[Row] = []
    left_out: list[tuple[str, int]] = []
    for text, group in rows.items():
        chosen = _choose(group, voted, request.base.top)
        shown.extend(row._replace(regions=_regions(context, row)) for row in chosen)
        if len(group) > len(chosen):
            left_out.append((text, len(group) - len(chosen)))
    return Comparison(
        request,
        context.today,
        request.base.currency,
        quotes(context, [row.item for row in shown]),
        context.usage.hours,
        modes[0].needs.profile if modes else None,
        names,
        tuple(shown),
        tuple(left_out),
        differing(shown),
        judged,
        _leaders(rows),
        catalog.in_use(row.item.type.provider for row in shown),
        (*notes, *_assumptions(context, modes, shown)),
        _warnings(shown),
        _next(request),
    )


def _modes(context: Context) -> list[ModeModel]:
    """Every mode of the workload, the one asked for (or the profile's own) first."""
    base = context.request.base
    if base.workload is None:
        return []
    profile = find_profile(context.catalog, base.workload)
    main = choose_mode(profile, base.batched).name
    names = [main, *(name for name in profile.modes if name != main)]
    found = []
    for name in names:
        asked = base._replace(batched=name == BATCHED)
        needs = needs_of(context.catalog, asked, context.pricing.exchange)
        found.append(ModeModel(needs, SpeedModel(context.catalog, needs)))
    return found


# -- rows ------------------------------------------------------------------------------------


def _distinct(items: Iterable[Item]) -> list[Item]:
    """Of types with the same devices in the same number at a provider, the cheapest a region."""
    found: dict[tuple[object, ...], Item] = {}
    for item in items:
        kind = item.type
        key = (kind.provider, kind.device, kind.devices, item.instances, item.region)
        found.setdefault(key, item)
    return list(found.values())


def _row(context: Context, modes: Sequence[ModeModel], item: Item) -> Row:
    device = context.catalog.devices()[item.type.device]
    line = item.line
    each = None
    if line is not None and line.price_per_hour is not None:
        each = line.price_per_hour / Decimal(repr(float(item.type.devices)))
    speeds = tuple(_speed(context, mode, item, device) for mode in modes)
    return Row(item.what, item, device, each, None, speeds)


def _speed(context: Context, mode: ModeModel, item: Item, device: Device) -> ModeSpeed:
    name = mode.needs.mode.name
    why_not = _no_speed(mode.needs, item, device)
    if why_not is not None:
        return ModeSpeed(name, None, None, why_not)
    speed = mode.model.speed(item.type, device, item.instances)
    if speed is None:
        return ModeSpeed(name, None, None, message("compare.no_speed", device=device.name))
    return ModeSpeed(name, speed, _per_unit(item, speed), None)


def _no_speed(needs: Needs, item: Item, device: Device) -> Message | None:
    """Why the workload does not run there, or its speed cannot be known."""
    if needs.mode.reference is None:
        return message("compare.no_reference", reason=needs.mode.no_reference or "")
    if needs.core.software not in ("any", device.software):
        return message("compare.other_software", software=device.software)
    for unsuited in needs.profile.unsuited:
        if any(matches(device.name, name) for name in unsuited.devices):
            return message("compare.unsuited", reason=unsuited.why)
    if devices_per_replica(needs, item.type, device) is None:
        return message("compare.no_memory", memory=f"{needs.core.memory_gib:g}")
    return None


def _per_unit(item: Item, speed: Speed) -> MoneyRange | None:
    """Money per unit at 100 % busy, all paid devices working."""
    line = item.line
    if line is None or line.price_per_hour is None or line.monthly is None:
        return None
    hourly = line.price_per_hour * item.instances
    whole = line.monthly.expected
    low = hourly * line.monthly.low / whole if whole else hourly
    high = hourly * line.monthly.high / whole if whole else hourly
    # A relative rate is in device-seconds of the reference; its unit is the device-hour.
    seconds = 1.0 if speed.relative_to is not None else 3600.0
    rates = [Decimal(repr(rate * seconds)) for rate in speed.rate]
    return MoneyRange(low / rates[2], hourly / rates[1], high / rates[0])


def _order(row: Row) -> tuple[Any, ...]:
    """By cost of a unit of work where it is known, then by the price of a device-hour.

    What cannot be bought, or only in another way than usual, comes after the rest.
    """
    line = row.line
    if line is None or row.per_device_hour is None:
        return (3, Decimal(0), Decimal(0), row.item.type.name, row.item.region)
    cost = row.speeds[0].per_unit if row.speeds else None
    group = 0 if line.option == ON_DEMAND else 1
    if row.item.type.price_scope != "instance":
        group = 2
    value = row.per_device_hour if cost is None else cost.expected
    unknown = bool(row.speeds) and cost is None
    return (group, unknown, value, row.per_device_hour, row.item.type.name, row.item.region)


def _choose(rows: Sequence[Row], voted: Sequence[Row], top: int) -> list[Row]:
    """The best row, those that a verdict rests on, the best of each provider, then the rest."""
    kept = [row for row in rows if row in voted or row is rows[0]]
    seen: set[str] = set()
    first: list[Row] = []
    rest: list[Row] = []
    for row in rows:
        provider = row.item.type.provider
        (rest if provider in seen else first).append(row)
        seen.add(provider)
    chosen = [*kept, *(row for row in first + rest if row not in kept)][:top]
    return [row for row in rows if row in chosen]


def _leaders(rows: Mapping[str, Sequence[Row]]) -> tuple[Row, ...]:
    """The best row of each WHAT over all providers, the cheapest unit of work first."""
    best = [group[0] for group in rows.values() if group and group[0].speeds]
    known = [row for row in best if row.speeds[0].per_unit is not None]
    return tuple(sorted(known, key=_order))


def _regions(context: Context, row: Row) -> RegionRange | None:
    """The same option of the type in all its regions; None where its price is one's own."""
    line, kind = row.line, row.item.type
    if line is None or line.offer is None or line.own:
        return None
    top = Decimal(1) + Decimal(repr(context.usage.markup))
    devices = Decimal(repr(float(kind.devices)))
    found = sorted(
        (price(context.pricing, offer, None).price * top / devices, offer.region)
        for offer in context.catalog.offers(kind.provider, types=[kind.name], options=[line.option])
        if (offer.term, offer.cls, offer.payment) == (line.term, line.cls, line.payment)
    )
    if not found:
        return None
    low, high, middle = found[0], found[-1], found[(len(found) - 1) // 2]
    return RegionRange(len(found), low[0], low[1], middle[0], high[0], high[1])


# -- the answer ------------------------------------------------------------------------------


def _assumptions(
    context: Context, modes: Sequence[ModeModel], rows: Sequence[Row]
) -> tuple[Message, ...]:
    asked = [context.places[name] for name in sorted({r.item.type.provider for r in rows})]
    found = list(place_notes(asked, context.request.base.region))
    if modes:
        found.append(message("compare.busy"))
        found.extend(n for n in modes[0].needs.notes if n.id == "advice.memory_assumed")
    if any(r.item.used < r.item.type.devices * r.item.instances for r in rows):
        found.append(message("compare.normalised"))
    return tuple(found)


def _warnings(rows: Sequence[Row]) -> tuple[Message, ...]:
    found = []
    for row in rows:
        line = row.line
        if line is not None and line.option != ON_DEMAND:
            option = message(f"estimate.option_{line.option}")
            found.append(message("compare.other_option", type=row.item.type.name, option=option))
    old = [r for r in rows if r.line is not None and r.line.age_level not in (None, FRESH)]
    if old:
        names = ", ".join(dict.fromkeys(r.item.type.name for r in old))
        found.append(message("compare.old_prices", types=names))
    return tuple(found)


def _next(request: EstimateRequest) -> str:
    """The command to try next: every purchase option of the first."""
    first = request.what[0]
    shown = f'"{first}"' if " " in first else first
    if request.base.workload is None:
        return f"gpuadvisor compare {shown} --workload ocr"
    return f"gpuadvisor estimate {shown}"
