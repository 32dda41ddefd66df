"""How many machines: bounds, weights, vCPUs, and the split into on demand and spot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac.fieldmap import CountMap, Path
from gpuadvisor.iac.interface import Candidate, Count, Split
from gpuadvisor.iac.view import Opaque, View, whole


class _Bound(NamedTuple):
    """`given` tells "nobody set it" from "set to something that cannot be read"."""

    value: int | None
    given: bool


_ABSENT = _Bound(None, False)


def count_of(
    fields: CountMap,
    view: View,
    zones: int | None,
    default_zones: int,
    scaler: Count | None = None,
) -> tuple[Count, tuple[Message, ...]]:
    """Min, planned and max of a group. `zones` is None where the file does not name them.

    Nobody's number is 0: a bound that cannot be read is None and gives a reason. An autoscaler
    elsewhere in the file (`scaler`) replaces the group's own bounds.
    """
    reasons: list[Message] = []
    if fields.fixed is not None:
        low = planned = high = _Bound(fields.fixed, True)
    else:
        low = _read(view, fields.min, reasons)
        planned = _read(view, fields.planned, reasons)
        high = _read(view, fields.max, reasons)
    if fields.per_zone:
        factor = zones
        if factor is None:
            factor = default_zones
            if low.given or planned.given or high.given:
                reasons.append(message("iac.zones_assumed", zones=factor))
        low, planned, high = _times(low, factor), _times(planned, factor), _times(high, factor)
    pool = _read(view, fields.pool_max, reasons)
    if pool.given and pool.value != 0:
        # Providers write 0 for a whole-pool bound that nobody set.
        low, high = _read(view, fields.pool_min, reasons), pool
    if scaler is not None:
        low, high = _Bound(scaler.min, True), _Bound(scaler.max, True)
    for path in fields.add:
        more = _read(view, (path,), reasons)
        planned = _plus(planned, more)
        low, high = (_plus(bound, more) if bound.given else bound for bound in (low, high))
    for path in fields.times:
        factor = whole(view.get(path))
        if factor is not None:
            low, planned, high = (_times(bound, factor) for bound in (low, planned, high))
    return _settle(fields, low, planned, high), tuple(reasons)


def _settle(fields: CountMap, low: _Bound, planned: _Bound, high: _Bound) -> Count:
    if not planned.given:
        planned = low if low.given else _Bound(fields.default, True)
    if not low.given:
        low = planned
    if not high.given:
        high = _Bound(None, True) if fields.open_ended else planned
    value = planned.value
    if value is not None and low.value is not None:
        value = max(value, low.value)
    if value is not None and high.value is not None and low.value is not None:
        value = min(value, max(high.value, low.value))
    return Count(low.value, value, high.value, fields.unit)


def _read(view: View, paths: Sequence[Path], reasons: list[Message]) -> _Bound:
    for path in paths:
        value = view.get(path)
        if value is None or value == "":
            continue
        if isinstance(value, Opaque):
            reasons.append(message(value.why, field=path[-1]))
            return _Bound(None, True)
        number = whole(value)
        if number is None:
            reasons.append(message("iac.count_unreadable", field=path[-1]))
        return _Bound(number, True)
    return _ABSENT


def _times(bound: _Bound, factor: int) -> _Bound:
    return bound if bound.value is None else _Bound(bound.value * factor, bound.given)


def _plus(bound: _Bound, more: _Bound) -> _Bound:
    if not more.given:
        return bound
    if not bound.given:
        return more
    both = bound.value is not None and more.value is not None
    return _Bound((bound.value or 0) + (more.value or 0) if both else None, True)


def instances(count: Count, candidate: Candidate, vcpus: int | None = None) -> Count:
    """`count` in machines of one candidate.

    A group counted in capacity units launches ceil(capacity / weight) machines. One counted in
    vCPUs needs the type's `vcpus`: what must run is rounded up, the ceiling down, because a
    machine that would pass it is not started.
    """
    if count.unit == "capacity":
        size, up_only = max(candidate.weight, 1), True
    elif count.unit == "vcpus":
        if not vcpus:
            return Count(None, None, None)
        size, up_only = vcpus, False
    else:
        return count
    low = None if count.min is None else -(-count.min // size)
    planned = None if count.planned is None else -(-count.planned // size)
    high = None
    if count.max is not None:
        high = -(-count.max // size) if up_only else count.max // size
        high = max(high, planned or 0)
    return Count(low, planned, high)


def shares(machines: int, split: Split) -> tuple[int, int]:
    """(on demand, spot) of `machines`: od = base + ceil((n - base) * percent / 100)."""
    base = min(machines, split.base)
    above = machines - base
    # Round first: 10 * 30 / 100 must not become 4 by a float's last bit.
    on_demand = base + math.ceil(round(above * split.percent / 100, 9))
    return on_demand, machines - on_demand
