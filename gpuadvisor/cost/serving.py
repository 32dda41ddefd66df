"""What it takes to serve a demand that changes over the day (design notes F21 to F24).

A curve is the number of busy instances in each hour of a period that repeats; times are hours.
How many must be warm so that few requests wait is `performance.queueing`'s question.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, expm1, floor
from typing import NamedTuple


class Scaling(NamedTuple):
    """How a fleet follows demand.

    `warm` is spare capacity as a share of what is needed, `cooldown` the hours that capacity
    stays after it was last needed, `boot` the hours from an order to a ready instance, `lead`
    the hours by which growth is foreseen. `most` is None without a ceiling.
    """

    warm: float = 0.20
    cooldown: float = 10 / 60
    boot: float = 3 / 60
    lead: float = 0.0
    least: int = 0
    most: int | None = None


class Fleet(NamedTuple):
    """A way to serve the curve: instance-hours of its period, the most at once, what goes wrong.

    `cold_share` is the share of the demand that meets an instance which is still starting,
    `unmet_share` the share that finds none because of the ceiling.
    """

    instance_hours: float
    peak: int
    cold_share: float
    unmet_share: float


def load_factor(curve: Sequence[float]) -> float:
    """Mean over peak. Following demand exactly saves one minus this against a static peak."""
    return sum(curve) / len(curve) / max(curve)


def boot_headroom(curve: Sequence[float], boot: float) -> float:
    """Spare units that cover growth while an instance boots: max of D(t + boot) - D(t) (F21)."""
    steps = ceil(boot)
    return max(
        max(0.0, curve[(hour + ahead) % len(curve)] - units)
        for hour, units in enumerate(curve)
        for ahead in range(1, steps + 1)
    )


def static_peak(curve: Sequence[float], scaling: Scaling) -> Fleet:
    """Always as many as the peak needs, with the same spare share as the others."""
    units = _whole(max(curve) * (1 + scaling.warm))
    units = _clamped(units, scaling)
    return Fleet(float(units * len(curve)), units, 0.0, _unmet(curve, units))


def autoscaled(curve: Sequence[float], scaling: Scaling) -> Fleet:
    """Capacity ceil((1 + warm) x max of the demand over cool-down and lead) at each moment (F22).

    Growth that neither the spare units nor the lead cover waits for `boot` hours.
    """
    total = 0.0
    peak = 0
    # Within an hour the window's two ends cross an hour's border once each.
    borders = sorted({0.0, scaling.cooldown % 1, (-scaling.lead) % 1, 1.0})
    cold = 0.0
    for hour in range(len(curve)):
        ready = _capacity(curve, hour - 1e-9, scaling)
        for start, end in pairwise(borders):
            units = _capacity(curve, hour + (start + end) / 2, scaling)
            total += units * (end - start)
            peak = max(peak, units)
        cold += max(0.0, min(curve[hour], _ceiling(scaling)) - ready) * min(scaling.boot, 1.0)
    demand = sum(curve)
    unmet = _unmet(curve, _ceiling(scaling))
    return Fleet(total, peak, cold / demand if demand else 0.0, unmet)


def _capacity(curve: Sequence[float], moment: float, scaling: Scaling) -> int:
    first = floor(moment - scaling.cooldown)
    last = floor(moment + scaling.lead)
    needed = max(curve[hour % len(curve)] for hour in range(first, last + 1))
    return _clamped(_whole(needed * (1 + scaling.warm)), scaling)


def _clamped(units: int, scaling: Scaling) -> int:
    floor_held = max(units, scaling.least)
    return floor_held if scaling.most is None else min(floor_held, scaling.most)


def _ceiling(scaling: Scaling) -> float:
    return float("inf") if scaling.most is None else scaling.most


def _unmet(curve: Sequence[float], units: float) -> float:
    demand = sum(curve)
    return sum(max(0.0, need - units) for need in curve) / demand if demand else 0.0


def _whole(units: float) -> int:
    return ceil(round(units, 9))


class Idle(NamedTuple):
    """A single instance that stops when idle: share of time billed, share of cold requests."""

    billed: float
    cold: float


def scale_to_zero(requests: float, timeout: float, boot: float) -> Idle:
    """F23: Poisson requests an hour, stopped after `timeout` hours without one, billed boot.

    More than one cold request in a hundred makes the 99th percentile a cold start.
    """
    if requests <= 0:
        return Idle(0.0, 0.0)
    load = requests * timeout
    if load > 700:
        return Idle(1.0, 0.0)
    warm = expm1(load)
    on = warm / requests + boot
    return Idle(on / (on + 1 / requests), (1 + requests * boot) / (1 + requests * boot + warm))


def to_zero(
    curve: Sequence[float], requests: Sequence[float] | None, timeout: float, scaling: Scaling
) -> Fleet:
    """The autoscaled fleet whose last instance stops too.

    An hour without demand costs nothing but the time-out after the last request. Where the
    requests an hour are known, an hour that one instance can serve follows F23.
    """
    fleet = autoscaled(curve, scaling._replace(least=0))
    hours, cold, demand = fleet.instance_hours, 0.0, sum(curve)
    for hour, units in enumerate(curve):
        before = curve[hour - 1]
        if requests is not None and 0 < units <= 1 and requests[hour] > 0:
            idle = scale_to_zero(requests[hour], timeout, scaling.boot)
            hours -= (1 - idle.billed) * min(1.0, _capacity(curve, hour + 0.5, scaling))
            cold += idle.cold * units
        elif units == 0 < before:
            hours += max(0.0, min(timeout, 1.0) - scaling.cooldown)
    cold = max(cold / demand if demand else 0.0, fleet.cold_share)
    return fleet._replace(instance_hours=max(0.0, hours), cold_share=cold)


def unit_cost(price_per_hour: float, per_second: float, utilisation: float) -> float:
    """F24: cost of one unit of work at the share of time that the instance is busy."""
    return price_per_hour / 3600 / (per_second * utilisation)
