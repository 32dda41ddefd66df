"""From requests an hour to instances: by the user's own rate, or by a workload's speed."""

import datetime
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from gpuadvisor.advice.estimate_result import Item
from gpuadvisor.advice.needs import needs_of
from gpuadvisor.advice.request import request_from
from gpuadvisor.advice.speed_model import SpeedModel
from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import InstanceType
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
    found = speed_of(catalog, workload, item.type, item.type.devices * item.instances)
    if found is None or found.relative is not None:
        raise RefusedError(message("reserve.no_speed", workload=workload, device=item.type.device))
    return found.rate * SUSTAINED_TIGHT * 3600


class WorkRate(NamedTuple):
    """Units of work a second at 100 % busy; `relative` names the device whose speed is 1 where
    only ratios are known, `basis` is measured, fitted or spec."""

    unit: str
    rate: float
    relative: str | None
    basis: str


def speed_of(
    catalog: Catalog, workload: str, kind: InstanceType | None, devices: float
) -> WorkRate | None:
    """Rate of a workload on so many devices of a type; None where no speed is known."""
    # The exchange plays no part in a speed, but needs carry facts in money.
    needs = needs_of(
        catalog,
        request_from({"workload": workload}),
        Exchange(catalog.rates(), datetime.date.max, {}),
    )
    if kind is None:
        return None
    speed = SpeedModel(catalog, needs).speed(kind, catalog.device(kind.device))
    if speed is None:
        return None
    rate = speed.rate.expected * devices / kind.devices
    return WorkRate(speed.unit, rate, speed.relative_to, speed.basis)
