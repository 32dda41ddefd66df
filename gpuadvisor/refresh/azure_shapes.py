"""Sizes as the Compute Resource SKUs API describes them, and what they are to us.

Capabilities are pairs of strings. The GPU's model is not among them: it follows from the family,
whose names the catalog's quotas hold. Link, network and what can be bought are not stated either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.refresh.azure_account import Sku
from gpuadvisor.refresh.azure_names import is_counted, is_gpu_name, known_types
from gpuadvisor.refresh.interface import Context, Puzzle, SeenType

ARCHITECTURES = {"x64": "x86_64", "arm64": "arm64"}
MIB_PER_GB = 10**9 / 2**20


class Series(NamedTuple):
    """A family of sizes as the catalog names it, and its device."""

    family: str
    device: str


def read_types(
    skus: Iterable[Sku], region: str, context: Context, feed: str
) -> tuple[list[SeenType], list[Puzzle]]:
    """The GPU sizes of one region, and questions about those that are not understood.

    A restriction says that this subscription may not deploy a size, not that there is none.
    """
    known = known_types(context)
    series = _series(context, known)
    types: list[SeenType] = []
    puzzles: list[Puzzle] = []
    for sku in skus:
        if not sku.sound:
            puzzles.append(Puzzle("sku", sku.name, region))
            continue
        # A server may ignore the filter; disks and hosts stand in the same list.
        if sku.kind != "virtualMachines" or region not in sku.locations:
            continue
        if not is_gpu_name(sku.name) and not _number(sku.capabilities.get("GPUs")):
            continue
        found = _type(sku, known.get(sku.name), series, context)
        if isinstance(found, Puzzle):
            puzzles.append(found._replace(where=region))
        else:
            types.append(found._replace(feed=feed))
    return types, puzzles


def _series(context: Context, known: Mapping[str, InstanceType]) -> dict[str, Series]:
    """Folded family name -> series, for families that have one device."""
    found: dict[str, Series] = {}
    for key, quota in context.catalog.provider("azure").quotas.items():
        members = {Series(t.family, t.device) for t in known.values() if t.quota == key}
        if len(members) == 1 and quota.get("code"):
            found[_folded(quota["code"])] = members.pop()
    return found


def _folded(family: str) -> str:
    """Families are spelled `Standard NCASv3_T4 Family` and `standardNDISRGB200V6NDRFamily`."""
    return "".join(family.split()).casefold()


def _type(
    sku: Sku, known: InstanceType | None, series: Mapping[str, Series], context: Context
) -> SeenType | Puzzle:
    name, values = sku.name, sku.capabilities
    count = _number(values.get("GPUs"))
    devices = int(count) if count and count == int(count) and is_counted(name) else None
    arch = ARCHITECTURES.get(values.get("CpuArchitectureType", "").casefold())
    if known is None:
        home = series.get(_folded(sku.family))
        if home is None:
            return Puzzle("family", sku.family or name, "", name)
        memory = context.catalog.devices()[home.device].memory_gib
        if devices is None or arch is None:
            return Puzzle("device", home.device, "", f"{name}: GPUs {values.get('GPUs')}")
        known = _unknown(name, home, memory, arch)
        rdma = "infiniband" if values.get("RdmaEnabled") == "True" else None
    else:
        rdma = known.rdma
    vcpus, disk = _number(values.get("vCPUs")), _number(values.get("NvmeDiskSizeInMiB"))
    whole = known.fraction is None
    return SeenType(
        name=name,
        family=known.family,
        device=known.device,
        devices=(devices or int(known.devices)) if whole else None,
        fraction=known.fraction,
        memory_gib=known.memory_gib,
        vcpus=int(vcpus) if vcpus else known.vcpus,
        host_memory_gib=_number(values.get("MemoryGB")) or known.host_memory_gib,
        network_gbps=known.network_gbps,
        rdma=rdma,
        interconnect=known.interconnect or None,
        local_disk_gb=round(disk / MIB_PER_GB) if disk else known.local_disk_gb,
        arch=arch or known.arch,
        sold=known.sold,
        feed="",
    )


def _unknown(name: str, home: Series, memory: float, arch: str) -> InstanceType:
    """A size of which the API alone knows."""
    empty: dict[str, Any] = dict.fromkeys(InstanceType._fields)
    return InstanceType(
        **{
            **empty,
            "provider": "azure",
            "name": name,
            "family": home.family,
            "device": home.device,
            "devices": 1.0,
            "memory_gib": memory,
            "arch": arch,
        }
    )


def _number(text: str | None) -> float | None:
    """A capability's number; None for what is none, and for zero."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 < value < 1e9 else None
