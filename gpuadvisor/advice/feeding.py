"""Feeding devices with samples: what an option takes, what limits it and what cures that.

Loaded only when a request tells the size of a sample.
"""

from collections.abc import Mapping
from typing import NamedTuple

from gpuadvisor.advice.needs import Needs
from gpuadvisor.advice.result import Speed
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.performance.feeding import (
    CORES,
    DISK,
    FAST_DISK,
    LOCAL,
    NETWORK,
    Feeding,
    disk_cost,
    feeding,
)


class Feed(NamedTuple):
    """Of all instances together: `wanted` units a second that the devices take, in `gigabytes` a
    second and `vcpus`; `limits` in units a second by name. `limited_by` is the smallest of those
    in use, where it is too small."""

    data_on: str
    wanted: float
    gigabytes: float
    vcpus: float | None
    limits: Mapping[str, float | None]
    limited_by: str | None
    cure: Message | None


def fed(needs: Needs, kind: InstanceType) -> Feeding | None:
    """What one instance of a type can be fed; None where the data cannot lie as asked."""
    host = needs.profile.host
    assert needs.sample_bytes is not None
    return feeding(
        needs.sample_bytes,
        needs.data_on,
        kind.local_disk_gb,
        kind.network_gbps,
        kind.vcpus,
        None if host is None else host.units_per_vcpu,
    )


def feed(needs: Needs, kind: InstanceType, instances: int, speed: Speed) -> Feed | None:
    """The input of an option and its limits; None where the speed is not known."""
    one = fed(needs, kind)
    if one is None or speed.unfed is None or needs.sample_bytes is None:
        return None
    host = needs.profile.host
    per_vcpu = None if host is None else host.units_per_vcpu
    limits = {
        name: None if limit is None else limit * instances for name, limit in one.limits.items()
    }
    narrow = one.narrowest
    limited = None
    if narrow is not None and narrow[1] * instances < speed.unfed:
        limited = narrow[0]
    return Feed(
        data_on=one.data_on,
        wanted=speed.unfed,
        gigabytes=speed.unfed * needs.sample_bytes / 1e9,
        vcpus=None if per_vcpu is None else speed.unfed / per_vcpu,
        limits=limits,
        limited_by=limited,
        cure=None if limited is None else _cure(limited, limits, speed.unfed, instances, needs),
    )


def _cure(
    limited: str, limits: Mapping[str, float | None], wanted: float, instances: int, needs: Needs
) -> Message:
    """The cheapest way to feed more than the smallest limit does, up to what is wanted."""
    now = limits[limited] or 0.0
    network = limits[NETWORK] or 0.0
    fast = limits[FAST_DISK] or 0.0
    if limited == CORES:
        return message("advice.cure_cores")
    if limited != LOCAL and (limits[LOCAL] or 0.0) > now:
        return message("advice.cure_local")
    if limited == DISK and fast > now and fast >= min(wanted, network):
        assert needs.sample_bytes is not None
        rate = min(wanted, fast) / instances
        return message("advice.cure_disk", monthly=f"{disk_cost(rate, needs.sample_bytes):,.0f}")
    if limited != NETWORK and network > now:
        return message("advice.cure_network")
    return message("advice.cure_memory")
