"""Machine types as the Compute Engine API describes them, per zone, and what they are to us.

The API states vCPUs, memory, accelerators and bundled disks. Network, interconnect and what can
be bought it does not: for a known type those stay as the catalog has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.refresh.gcp_account import Compute
from gpuadvisor.refresh.gcp_names import (
    DEVICES,
    FAMILIES,
    UNPRICED,
    attachment,
    family_of,
    region_of,
)
from gpuadvisor.refresh.interface import Context, Puzzle, SeenType

NAMES = "(a|g|ct|tpu)[0-9][a-z0-9]*-.*|n1-standard-.*"
"""Accelerator-optimized families, those to come included, and the hosts of attached GPUs (RE2)."""
ARCHITECTURES = {"X86_64": "x86_64", "ARM64": "arm64"}
PARTITIONS_GIB = (375, 3000, 6000)
"""Sizes of a bundled local SSD; the API counts partitions. 3000 on A4X, 375 on the others."""
_FRACTION = re.compile(r"\b(1/[2-9])\b")


class Zones(NamedTuple):
    """What stands in which zone: machine types, accelerator types, and the zones without answer."""

    machines: dict[str, dict[str, Any]]
    accelerators: dict[str, set[str]]
    silent: set[str]


def read_zones(compute: Compute) -> Zones:
    """Every machine type and accelerator type that is not on its way out. The `-vws` twins carry a
    workstation licence; they have names of their own, which nothing here asks for."""
    zones = Zones({}, {}, set())
    for zone, machines in _listed(
        compute.machine_types(f'name eq "{NAMES}"'), "machine_types", zones
    ):
        for machine in machines:
            if _is_offered(machine):
                seen = zones.machines.setdefault(machine.name, _plain(machine))
                seen["zones"].append(zone)
    for zone, accelerators in _listed(compute.accelerator_types(), "accelerator_types", zones):
        for accelerator in accelerators:
            if _is_offered(accelerator):
                zones.accelerators.setdefault(accelerator.name, set()).add(zone)
    return zones


def _listed(scopes: Any, field: str, zones: Zones) -> Iterator[tuple[str, list[Any]]]:
    """(zone, its list); zones that did not answer are noted."""
    for scope, scoped in scopes:
        zone = scope.rpartition("/")[2]
        # An empty zone has the warning NO_RESULTS_ON_PAGE, which is none.
        if scoped is None or scoped.warning.code == "UNREACHABLE":
            zones.silent.add(zone)
        else:
            yield zone, list(getattr(scoped, field))


def _is_offered(thing: Any) -> bool:
    return not thing.deprecated.state


def _plain(machine: Any) -> dict[str, Any]:
    """A machine type as JSON."""
    return {
        "vcpus": machine.guest_cpus,
        "memory_mib": machine.memory_mb,
        "description": machine.description,
        "architecture": machine.architecture,
        "partitions": machine.bundled_local_ssds.partition_count,
        "accelerators": [
            [a.guest_accelerator_type, a.guest_accelerator_count] for a in machine.accelerators
        ],
        "zones": [],
    }


def offered_in(zones: Zones, known: Mapping[str, InstanceType]) -> dict[str, set[str]]:
    """Regions by type, composites included: host and accelerator must stand in one zone."""
    found = {name: {region_of(z) for z in m["zones"]} for name, m in zones.machines.items()}
    for name in known:
        attached = attachment(name)
        if attached:
            hosts = set(zones.machines.get(attached.host, {}).get("zones", ()))
            both = hosts & zones.accelerators.get(attached.accelerator, set())
            found[name] = {region_of(zone) for zone in both}
    return {name: regions for name, regions in found.items() if regions}


def seen_types(
    zones: Zones, context: Context, feed: str
) -> tuple[list[SeenType], dict[Puzzle, None]]:
    """The machines with accelerators that are understood, and questions about the others."""
    known = {n: t for (p, n), t in context.catalog.instance_types().items() if p == "gcp"}
    types: list[SeenType] = []
    puzzles: dict[Puzzle, None] = {}
    for name, machine in sorted(zones.machines.items()):
        if machine["accelerators"]:
            found = _type(name, machine, known, context, feed)
            if isinstance(found, SeenType):
                types.append(found)
            else:
                puzzles[found] = None
            if family_of(name) not in FAMILIES and family_of(name) not in UNPRICED:
                puzzles[Puzzle("family", family_of(name), _where(machine), name)] = None
    for name, type_ in known.items():
        attached = attachment(name)
        host = zones.machines.get(attached.host) if attached else None
        if attached and host and attached.accelerator in zones.accelerators:
            size = type_._replace(vcpus=host["vcpus"], host_memory_gib=_gib(host["memory_mib"]))
            types.append(_seen(size, feed))
    return types, puzzles


def _type(
    name: str,
    machine: Mapping[str, Any],
    types: Mapping[str, InstanceType],
    context: Context,
    feed: str,
) -> SeenType | Puzzle:
    known = types.get(name)
    accelerator, count = machine["accelerators"][0]
    where = _where(machine)
    if len(machine["accelerators"]) > 1:
        kinds = ", ".join(kind for kind, _ in machine["accelerators"])
        return Puzzle("device", kinds, where, name)
    device = DEVICES.get(accelerator)
    entry = context.catalog.devices().get(device or "")
    if device is None or entry is None:
        return Puzzle("device", accelerator, where, name)
    arch = ARCHITECTURES.get(machine["architecture"], known.arch if known else None)
    if arch is None or count < 1:
        return Puzzle("family", name, where, machine["architecture"] or accelerator)
    # The API counts 1 accelerator for an eighth of an RTX PRO 6000.
    sliced = _FRACTION.search(machine["description"])
    fraction = known.fraction if known else (sliced[1] if sliced else None)
    memory = entry.memory_gib / int(fraction.rpartition("/")[2]) if fraction else entry.memory_gib
    base = known or _unknown(name, types, arch)
    return _seen(
        base._replace(
            device=device,
            devices=count,
            fraction=fraction,
            memory_gib=known.memory_gib if known and known.device == device else memory,
            vcpus=machine["vcpus"] or None,
            host_memory_gib=_gib(machine["memory_mib"]),
            local_disk_gb=_disk_gb(name, machine["partitions"], known),
            arch=arch,
        ),
        feed,
    )


def _seen(type_: InstanceType, feed: str) -> SeenType:
    return SeenType(
        name=type_.name,
        family=type_.family,
        device=type_.device,
        devices=None if type_.fraction else int(type_.devices),
        fraction=type_.fraction,
        memory_gib=type_.memory_gib,
        vcpus=type_.vcpus,
        host_memory_gib=type_.host_memory_gib,
        network_gbps=type_.network_gbps,
        rdma=type_.rdma,
        interconnect=type_.interconnect or None,
        local_disk_gb=type_.local_disk_gb,
        arch=type_.arch,
        sold=type_.sold,
        feed=feed,
    )


def _unknown(name: str, types: Mapping[str, InstanceType], arch: str) -> InstanceType:
    """A type of which the API alone knows. An on-demand SKU is listed for A4 and A3 too, which
    nobody can buy so: it is sold as all its sisters are, and without sisters that is open."""
    family = family_of(name)
    sisters = [t.sold for t in types.values() if t.family == family and t.sold]
    sold = tuple(o for o in sisters[0] if all(o in s for s in sisters)) if sisters else None
    empty: dict[str, Any] = dict.fromkeys(InstanceType._fields)
    return InstanceType(
        **{
            **empty,
            "provider": "gcp",
            "name": name,
            "family": family,
            "arch": arch,
            "sold": sold,
        }
    )


def _gib(mib: int) -> float | None:
    return mib / 1024 or None


def _disk_gb(name: str, partitions: int, known: InstanceType | None) -> float | None:
    """Bundled local SSD in GB; None where the size of a partition cannot be told."""
    stated = known.local_disk_gb if known else 0.0
    if stated in [_partitions_gb(partitions, gib) for gib in PARTITIONS_GIB]:
        return stated
    if not partitions:
        return stated and 0.0
    if name.startswith("a4x-"):
        return _partitions_gb(partitions, 3000)
    return _partitions_gb(partitions, 375) if family_of(name) in FAMILIES else None


def _partitions_gb(count: int, gib: int) -> float:
    return float(round(count * gib * 2**30 / 1e9))


def _where(machine: Mapping[str, Any]) -> str:
    return ", ".join(sorted({region_of(zone) for zone in machine["zones"]}))
