"""Ways to serve a curve with one kind of machine, and the storage beside it, priced."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from gpuadvisor.advice.curve import REQUESTS
from gpuadvisor.advice.estimate_result import Item, Spread
from gpuadvisor.advice.serve_request import ServeRequest
from gpuadvisor.advice.storage import priced_storage
from gpuadvisor.catalog.model import SPOT
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.cost.exchange import Exchange
from gpuadvisor.cost.hazard import offered_hazard
from gpuadvisor.cost.money import scale
from gpuadvisor.cost.replicas import replicas_for, unmet_share
from gpuadvisor.cost.serving import (
    Fleet,
    autoscaled,
    boot_headroom,
    load_factor,
    static_peak,
    to_zero,
)
from gpuadvisor.cost.spot import ACQUISITION_HOURS, availability
from gpuadvisor.cost.storage import StorageBill

SPOT_TARGET = 0.99
"""Share of time for which the spot units of a peak must suffice."""

SPOT_REGIONS = 3
"""Regions that spot units are spread over: failures are independent between regions alone."""

MOST_REPLICAS = 300
"""Largest peak that spot units are counted for."""


class Way(NamedTuple):
    """`static`, `autoscaled`, `to_zero` or `spot_spread`: its fleet and month, saving of static.

    A unit is the item's instances together.
    """

    name: str
    fleet: Fleet
    monthly: Spread
    saving: float


class Serving(NamedTuple):
    """All ways to serve the curve with one item.

    `headroom` are the units by which demand can grow while one boots. `spot_up` is the share of
    time that a spot unit is there, None where the item is not sold so.
    """

    item: Item
    hours: int
    peak: float
    mean: float
    load_factor: float
    ways: tuple[Way, ...]
    headroom: float
    spot_up: float | None


class Stored(NamedTuple):
    """Storage and traffic beside one item, in the request's currency.

    `whole` is machines and storage together, None where one of them is unknown.
    """

    item: Item
    bill: StorageBill
    whole: Spread | None


def serve(request: ServeRequest, item: Item, hours: float) -> Serving | None:
    """Price the ways; None where the item has no price to be bought at. `hours` are those that
    the item's month counts."""
    line = item.line
    if request.curve is None or line is None or line.monthly is None:
        return None
    requests: Sequence[float] | None = None
    curve: Sequence[float] = request.curve.values
    if request.curve.kind == REQUESTS and request.per_unit is not None:
        requests = curve
        curve = [ceil(round(value / request.per_unit, 9)) for value in curve]
    fleets = {
        "static": static_peak(curve, request.scaling),
        "autoscaled": autoscaled(curve, request.scaling),
        "to_zero": to_zero(curve, requests, request.idle, request.scaling),
    }
    whole = fleets["static"].instance_hours
    rate = Spread(*(scale(part, 1 / hours) for part in line.monthly))
    ways = tuple(
        Way(
            name,
            fleet,
            Spread(
                *(scale(part, fleet.instance_hours / len(curve) * HOURS_PER_MONTH) for part in rate)
            ),
            1 - fleet.instance_hours / whole if whole else 0.0,
        )
        for name, fleet in fleets.items()
    )
    peak = max(curve)
    spread, up = _spot_spread(request, item, hours, fleets["static"], whole)
    return Serving(
        item,
        len(curve),
        peak,
        sum(curve) / len(curve),
        load_factor(curve) if peak else 0.0,
        (*ways, *spread),
        boot_headroom(curve, request.scaling.boot) if request.scaling.boot else 0.0,
        up,
    )


def _spot_spread(
    request: ServeRequest, item: Item, hours: float, static: Fleet, whole: float
) -> tuple[list[Way], float | None]:
    """Spot units over several regions, with as many spare as the loss of one of them takes (F10).

    What is missing now and then falls to on demand, which is not counted.
    """
    spot = next((o for o in item.options if o.option == SPOT and o.available), None)
    usual = item.line
    if spot is None or spot.monthly is None or spot.offer is None or usual is None:
        return [], None
    hazard = offered_hazard(item.type.provider, spot.offer.interruption)
    up = availability(hazard.expected, ACQUISITION_HOURS[1])
    if not 0 < static.peak <= MOST_REPLICAS or usual.monthly is None:
        return [], up
    each = replicas_for(static.peak, up, SPOT_TARGET, SPOT_REGIONS)
    if each is None:
        return [], up
    units = each * SPOT_REGIONS
    missing = unmet_share(static.peak, [(each, up)] * SPOT_REGIONS)
    fleet = Fleet(units * whole / static.peak, units, 0.0, missing)
    monthly = Spread(*(scale(part, units * HOURS_PER_MONTH / hours) for part in spot.monthly))
    always = scale(usual.monthly.expected, static.peak * HOURS_PER_MONTH / hours)
    saving = float(1 - monthly.expected / always) if always else 0.0
    return [Way("spot_spread", fleet, monthly, saving)], up


def stored(
    catalog: Catalog, request: ServeRequest, item: Item, exchange: Exchange, currency: str
) -> Stored:
    """Storage where the item runs, and the whole bill."""
    bill = priced_storage(
        catalog, request.storage, item.type.provider, item.region, exchange, currency
    )
    whole = None
    line = item.line
    if line is not None and line.monthly is not None and bill.monthly is not None:
        whole = Spread(*(part + bill.monthly for part in line.monthly))
    return Stored(item, bill, whole)
