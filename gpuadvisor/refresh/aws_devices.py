"""What accelerator an instance type holds, from the words of DescribeInstanceTypes.

A name alone does not tell: V100 and A100 come in two sizes each, H200 was once called "NVIDIA",
Count is 0 for a fraction of an L4 and was for a whole H100, memory is MiB of what the driver
shows (22888 of an L4's 24 GB) and sometimes wrong (512 GiB for a Trainium2 chip). So the name
gives the candidates, the memory picks among them, and the catalog's nominal size is what stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuadvisor.catalog.names import matches
from gpuadvisor.refresh.aws_names import PROVIDER, family_of
from gpuadvisor.refresh.interface import Puzzle

if TYPE_CHECKING:
    from gpuadvisor.catalog.model import Device
    from gpuadvisor.catalog.store import Catalog

_BLOCKS = (
    # The first that is there counts: inf1 and inf2 describe their chips twice.
    ("GpuInfo", "Gpus"),
    ("NeuronInfo", "NeuronDevices"),
    ("InferenceAcceleratorInfo", "Accelerators"),
    ("MediaAcceleratorInfo", "Accelerators"),
)
_SIBLING_TOLERANCE = 0.12
"""The driver shows 22.35 of an L4's 24 GiB, 7 % less; siblings differ by a third and more."""
_PARTS = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2))


class Held(NamedTuple):
    """Accelerators of a type: whole devices, or a fraction of one; memory as in `shapes.yaml`."""

    device: str
    devices: int | None
    fraction: str | None
    memory_gib: float


def held(info: Mapping[str, Any], region: str, catalog: Catalog) -> Held | Puzzle | None:
    """The accelerators of one `InstanceTypeInfo`; None where it has none (FPGAs are none)."""
    block, groups = _groups(info)
    if not groups:
        return None
    name = info["InstanceType"]
    spelled = {group.get("Name") or "" for group in groups}
    if len(spelled) > 1:
        return Puzzle("device", name, region, ", ".join(sorted(spelled)))
    first, mib = groups[0], _memory_mib(groups[0], info)
    count = sum(int(group.get("Count") or 0) for group in groups)
    candidates = _modules(_candidates(spelled.pop(), name, catalog))
    part = _part(first)
    if part is None and not count and len(candidates) == 1:
        part = _nearest_part(mib, candidates[0])
    # Only of GPUs is the memory always told right: trn2.3xlarge states 512 GiB a chip, vt1 24.
    sure = len(candidates) == 1 and (block != "GpuInfo" or not mib)
    whole_mib = mib / float(part) if mib and part else mib
    device = candidates[0] if sure else _nearest(whole_mib, candidates)
    if device is None:
        return Puzzle("device", name, region, f"{first.get('Name') or '?'}, {mib or '?'} MiB")
    if part is None:
        return Held(device.name, count or 1, None, device.memory_gib)
    if len(groups) > 1 or int(first.get("LogicalGpuCount") or 1) != 1 or not mib:
        logical = f"LogicalGpuCount {first.get('LogicalGpuCount')}, GpuPartitionSize {part}"
        return Puzzle("device", name, region, f"{device.name}: {logical}")
    return Held(device.name, None, str(part), round(mib / 1024, 2))


def _groups(info: Mapping[str, Any]) -> tuple[str, list[Mapping[str, Any]]]:
    for block, entries in _BLOCKS:
        found = (info.get(block) or {}).get(entries)
        if found:
            return block, list(found)
    return "", []


def _memory_mib(group: Mapping[str, Any], info: Mapping[str, Any]) -> int | None:
    """MiB of one device or slice. The total is asked last: it is 0 at times."""
    size = int((group.get("MemoryInfo") or {}).get("SizeInMiB") or 0)
    if size:
        return size
    total = int((info.get("GpuInfo") or {}).get("TotalGpuMemoryInMiB") or 0)
    count = int(group.get("Count") or group.get("LogicalGpuCount") or 0)
    return total // count if total and count else None


def _part(group: Mapping[str, Any]) -> Fraction | None:
    """The part of a device that one logical device is, or None for whole ones."""
    size = group.get("GpuPartitionSize")
    if not size or not 0 < size < 1:
        return None
    return Fraction(size).limit_denominator(64)


def _nearest_part(mib: int | None, device: Device) -> Fraction | None:
    """The part that so much memory is, for answers without a count and a partition size."""
    if not mib:
        return None
    share = mib / 1024 / (device.usable_memory_gib or device.memory_gib)
    found = min(_PARTS, key=lambda part: abs(float(part) - share))
    return found if abs(share / float(found) - 1) < _SIBLING_TOLERANCE else None


def _nearest(mib: float | None, candidates: Sequence[Device]) -> Device | None:
    """The candidate of that memory, or None where none is near enough to be it."""
    if not mib or not candidates:
        return None
    gib = mib / 1024
    found = min(candidates, key=lambda device: abs(gib - device.memory_gib))
    return found if abs(gib / found.memory_gib - 1) < _SIBLING_TOLERANCE else None


def _modules(candidates: Iterable[Device]) -> Sequence[Device]:
    """Without the PCIe and NVL cards of a family that has modules: AWS sells the modules."""
    found = tuple(candidates)
    modules = tuple(d for d in found if not d.name.endswith(("-PCIe", "-NVL")))
    return modules or found


def _candidates(name: str, type_name: str, catalog: Catalog) -> Iterator[Device]:
    canonical = catalog.device_name(name) if name else None
    if canonical is not None:
        exact = catalog.devices().get(canonical)
        yield from [exact] if exact else _beneath(canonical, catalog)
        return
    if name.casefold() not in ("", "nvidia"):
        return
    # A vendor is no device: what the type, else its family, is known to hold.
    known = catalog.instance_types().get((PROVIDER, type_name))
    family = family_of(type_name)
    names = {
        t.device
        for t in ([known] if known else catalog.instance_types().values())
        if t.provider == PROVIDER and t.family == family
    }
    yield from (catalog.device(n) for n in sorted(names))


def _beneath(family: str, catalog: Catalog) -> Iterator[Device]:
    return (d for d in catalog.devices().values() if matches(d.name, family))
