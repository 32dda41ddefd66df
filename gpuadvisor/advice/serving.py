"""Ways to serve a curve with one kind of machine, and the storage beside it, priced."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from gpuadvisor.advice.curve import REQUESTS
from gpuadvisor.advice.estimate_result import Item, Spread
from gpuadvisor.advice.serve_request import ServeRequest
from gpuadvisor.advice.storage import priced_storage
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.cost.exchange import Exchange
from gpuadvisor.cost.money import scale
from gpuadvisor.cost.serving import Fleet, autoscaled, load_factor, static_peak, to_zero
from gpuadvisor.cost.storage import StorageBill


class Way(NamedTuple):
    """`static`, `autoscaled` or `to_zero`: its fleet, its month, and what it saves of static.

    A unit is the item's instances together.
    """

    name: str
    fleet: Fleet
    monthly: Spread
    saving: float


class Serving(NamedTuple):
    """All ways to serve the curve with one item."""

    item: Item
    hours: int
    peak: float
    mean: float
    load_factor: float
    ways: tuple[Way, ...]


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
    return Serving(
        item,
        len(curve),
        peak,
        sum(curve) / len(curve),
        load_factor(curve) if peak else 0.0,
        ways,
    )


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
