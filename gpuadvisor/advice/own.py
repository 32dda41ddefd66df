"""`own()`: buying accelerators against renting them, a year of each and where they meet."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.estimate import estimate
from gpuadvisor.advice.estimate_result import Estimate, Item
from gpuadvisor.advice.own_figures import Figure, figures
from gpuadvisor.advice.own_request import OwnRequest, own_request
from gpuadvisor.advice.own_result import MoneySpan, Own, OwnLine, UnitCost
from gpuadvisor.advice.throughput import speed_of
from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cost.exchange import Exchange, parse_rate
from gpuadvisor.cost.ownership import (
    HOURS_PER_YEAR,
    Annual,
    Owned,
    annual,
    break_even,
    pays_after_months,
)
from gpuadvisor.cost.uncertainty import Triple, joint, tornado

RENT = "rent_per_hour"


def own(request: OwnRequest | Mapping[str, Any], catalog: Catalog | None = None) -> Own:
    """A year of owning `gpus` of a device against renting the same work.

    `request` is an `OwnRequest` or a mapping of flag names to values. Renting is priced on
    `rent`, by default the cheapest way to have the same devices. Raises UsageError for unknown
    names and where no purchase price is known, RefusedError where nothing can be rented.
    """
    if not isinstance(request, OwnRequest):
        request = own_request(request)
    catalog = catalog or load_catalog()
    devices = catalog.resolve_device(request.device)
    priced = estimate(request.priced, catalog)
    # One machine that holds them all before many small ones: that is what is bought.
    item = min(priced.items, key=lambda found: (found.instances, found.place))
    rent = _rent(priced, item)
    exchange = Exchange(
        catalog.rates(), priced.today, dict(parse_rate(text) for text in request.priced.base.fx)
    )

    def convert(amount: float, source: str = "USD") -> float:
        value = Decimal(repr(amount))
        return float(exchange.convert(value, source, priced.currency).value)

    if request.capex is not None:
        value = convert(float(request.capex.value), request.capex.currency)
        capex = request.capex._replace(value=Decimal(repr(value)), currency=priced.currency)
        request = request._replace(capex=capex)
    found = figures(catalog, request, devices, convert)
    return _answer(catalog, request, priced, item, devices, rent, found)


def _rent(priced: Estimate, item: Item) -> Triple:
    """Rent an hour of use of all instances, with the range of its price."""
    line = item.line
    if line is None or line.monthly is None:
        raise RefusedError(message("own.no_rent", what=item.type.name, region=item.region))
    return Triple(*(float(part) / priced.hours for part in line.monthly))


def _owned(x: Mapping[str, float]) -> Owned:
    return Owned(
        x["capex"], x["years"], x["residual"], x["wacc"], x["power_kw"], x["pue"], x["load"],
        x.get("kwh_price"), x.get("colo"), x["staff"], x["maintenance"],
    )  # fmt: skip


def _answer(
    catalog: Catalog,
    request: OwnRequest,
    priced: Estimate,
    item: Item,
    devices: tuple[Device, ...],
    rent: Triple,
    found: Mapping[str, Figure],
) -> Own:
    inputs = {name: figure.value for name, figure in found.items()}
    likely = {name: triple.likely for name, triple in inputs.items()}
    bill = joint(lambda x: annual(_owned(x)).total, inputs)
    both = {**inputs, RENT: rent}

    def meeting(x: Mapping[str, float]) -> float:
        return break_even(annual(_owned(x)).total, x[RENT])

    hours = HOURS_PER_YEAR * request.utilisation
    return Own(
        request,
        priced,
        item,
        tuple(device.name for device in devices),
        tuple(found.values()),
        _lines(inputs, annual(_owned(likely))),
        _money(bill),
        _money(Triple(*(part * hours for part in rent))),
        joint(meeting, both),
        pays_after_months(_owned(likely), rent.likely, request.utilisation),
        tuple(swing for swing in tornado(meeting, both) if swing.size),
        *_unit_costs(catalog, request, item, devices, bill.likely, rent.likely),
        _warnings(request, devices, found, item),
    )


def _lines(inputs: Mapping[str, Triple], bill: Annual) -> tuple[OwnLine, ...]:
    """Each line with its own joint range."""

    def of(name: str) -> Triple:
        return joint(lambda x: float(getattr(annual(_owned(x)), name)), inputs)

    return tuple(OwnLine(name, _money(of(name))) for name in bill._fields if getattr(bill, name))


def _money(amount: Triple) -> MoneySpan:
    return MoneySpan(*(Decimal(repr(float(part))) for part in amount))


def _unit_costs(
    catalog: Catalog,
    request: OwnRequest,
    item: Item,
    devices: tuple[Device, ...],
    own_year: float,
    rent_hour: float,
) -> tuple[UnitCost | None, UnitCost | None]:
    """Cost per unit of work of both, each at its own speed and the same share of busy hours."""
    if request.workload is None:
        return None, None
    mine = speed_of(catalog, request.workload, _bought(catalog, request, devices), request.gpus)
    theirs = speed_of(catalog, request.workload, item.type, item.type.devices * item.instances)
    busy = HOURS_PER_YEAR * request.utilisation * 3600
    own_cost = rent_cost = None
    if mine is not None:
        own_cost = UnitCost(mine.unit, own_year / (mine.rate * busy), mine.relative, mine.basis)
    if theirs is not None:
        rent_cost = UnitCost(
            theirs.unit, rent_hour / (theirs.rate * 3600), theirs.relative, theirs.basis
        )
    return own_cost, rent_cost


def _bought(
    catalog: Catalog, request: OwnRequest, devices: tuple[Device, ...]
) -> InstanceType | None:
    """A type on sale somewhere with the same device: its speed is that of the bought one.

    Of types with the same device the one whose count is nearest; None where nobody has any.
    """
    names = {device.name for device in devices}
    same = [
        kind
        for kind in catalog.instance_types().values()
        if kind.device in names and kind.fraction is None
    ]
    return min(
        same, key=lambda k: (abs(k.devices - request.gpus), -(k.vcpus or 0), k.name), default=None
    )


def _warnings(
    request: OwnRequest, devices: tuple[Device, ...], found: Mapping[str, Figure], item: Item
) -> tuple[Message, ...]:
    weak = [message(f"own.figure_{figure.name}") for figure in found.values() if figure.weak]
    notes = [note for figure in found.values() for note in figure.notes]
    if weak:
        notes.append(message("own.weak", figures=weak))
    if not request.staff:
        notes.append(message("own.no_staff"))
    if "colo" in found and "kwh_price" not in found:
        notes.append(message("own.colo_energy"))
    if any("consumer" in (device.form or "") for device in devices):
        notes.append(message("own.consumer"))
    if item.type.device not in {device.name for device in devices} and request.workload is None:
        notes.append(message("own.other_device", device=item.type.device))
    return tuple(notes)
