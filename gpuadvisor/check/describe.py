"""Words for what is rented: names, devices, and counts in machines."""

from __future__ import annotations

from gpuadvisor.check.interface import Described
from gpuadvisor.check.match import Match, TypeIndex
from gpuadvisor.iac.counting import instances
from gpuadvisor.iac.interface import Count, Resource

MOST_NAMED = 4


def described(resource: Resource, index: TypeIndex) -> Described:
    """What is rented in the catalog's words; names it does not know stay as written."""
    found = index.matches(resource)
    kinds = [m.kind for m in found if m.kind is not None]
    devices = index.devices(resource.device)
    device = devices[0] if len(devices) == 1 else resource.device
    names = [c.type or "any" for c in resource.candidates]
    name = resource.type or " | ".join(dict.fromkeys(names)) or resource.device or "?"
    if resource.attached and device is not None:
        return Described(name, device, resource.devices_per_node, resource.partition, (device,))
    models = tuple(dict.fromkeys(k.device for k in kinds))
    counts = {k.devices for k in kinds}
    per_node = counts.pop() if len(counts) == 1 else None
    if resource.devices_per_node is not None and (not kinds or found[0].chips):
        per_node = resource.devices_per_node
    if models:
        device = models[0] if len(models) == 1 else None
    elif device is not None:
        models = (device,)
    return Described(name, device, per_node, resource.partition, models)


def machines(count: Count, match: Match) -> Count:
    """A count in machines of one candidate; a pool may bound devices or memory instead.

    What must run is rounded up and a bound down, as a machine that would pass it is not started.
    """
    kind = match.kind
    if count.unit not in ("devices", "memory_mib"):
        return instances(count, match.candidate, kind.vcpus if kind else None)
    size = None
    if kind is not None and count.unit == "devices":
        size = max(1, int(kind.devices))
    elif kind is not None and kind.host_memory_gib:
        size = int(kind.host_memory_gib * 1024)
    if size is None:
        return Count(None, None, None)
    low, planned = (None if n is None else -(-n // size) for n in count[:2])
    return Count(low, planned, None if count.max is None else count.max // size)


def listed(names: list[str]) -> str:
    """The first few names."""
    shown = ", ".join(names[:MOST_NAMED])
    return f"{shown}, … ({len(names)})" if len(names) > MOST_NAMED else shown


def name_of(match: Match) -> str:
    return match.candidate.type or (match.kind.name if match.kind else "any")
