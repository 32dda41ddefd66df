"""From requests an hour to instances: by the user's own rate, or by a workload's speed."""

import datetime
from collections.abc import Sequence
from math import ceil

from gpuadvisor.advice.estimate_result import Item
from gpuadvisor.advice.needs import needs_of
from gpuadvisor.advice.request import request_from
from gpuadvisor.advice.sizing import SpeedModel
from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.exchange import Exchange
from gpuadvisor.performance.scaling import SUSTAINED_TIGHT


def units_for(
    catalog: Catalog,
    requests: Sequence[float],
    workload: str | None,
    per_unit: float | None,
    item: Item,
) -> list[int]:
    """Whole units for each hour's requests; a unit is the item's instances together.

    RefusedError where no absolute speed of the workload on that device is known.
    """
    rate = per_unit or hourly_rate(catalog, workload or "", item)
    return [ceil(round(value / rate, 9)) for value in requests]


def hourly_rate(catalog: Catalog, workload: str, item: Item) -> float:
    """Requests an hour that one unit serves, kept at the share of its speed that serving allows.

    The share leaves room for arrivals within the hour to bunch.
    """
    today = datetime.date.max
    request = request_from({"workload": workload})
    needs = needs_of(catalog, request, Exchange(catalog.rates(), today, {}))
    device = catalog.device(item.type.device)
    speed = SpeedModel(catalog, needs).speed(item.type, device, item.instances)
    if speed is None or speed.relative_to is not None:
        raise RefusedError(message("reserve.no_speed", workload=workload, device=item.type.device))
    return speed.rate.expected * SUSTAINED_TIGHT * 3600
