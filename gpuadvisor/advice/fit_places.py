"""Where a model could run: devices, partitions and counts that somebody rents out."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gpuadvisor.advice.fit_request import FitRequest
from gpuadvisor.advice.needs import USABLE_SHARE
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.partitions import most_of
from gpuadvisor.performance.shape import DECODER, ModelShape
from gpuadvisor.performance.training_memory import NO_SHARDING

MAX_DEVICES = 512
"""Devices that a sharded training is tried on, when no single node holds it."""

_UNITS = {
    "tf32": ("tf32_tflops",), "bf16": ("bf16_tflops",), "fp8": ("fp8_tflops",),
    "fp4": ("fp4_tflops",),
}  # fmt: skip
"""Precisions that only some devices compute in; the others are stored and computed by all."""


class Site(NamedTuple):
    """A device or a slice of it; `most` devices stand in the largest instance that has it.

    `measured` says that the driver was seen to report `usable_gib`; else it is 0.93 of the
    nominal size. `types` maps counts to the smallest instance type with so many; `held` slices
    of this profile stand on one card.
    """

    device: Device
    partition: str | None
    usable_gib: float
    measured: bool
    most: int
    types: Mapping[int, str]
    held: int | None = None


def sites(catalog: Catalog, request: FitRequest) -> tuple[Site, ...]:
    """Every device with its MIG profiles and vendors' fractions, smallest memory first."""
    wanted = None
    if request.device:
        wanted = {d.name for text in request.device for d in catalog.resolve_device(text)}
    providers = {catalog.provider(name).name for name in request.provider}
    by_device: dict[str, list[InstanceType]] = {}
    for kind in catalog.instance_types().values():
        if kind.sold and (not providers or kind.provider in providers):
            by_device.setdefault(kind.device, []).append(kind)
    devices = catalog.devices()
    names = sorted(wanted) if wanted is not None else sorted(by_device)
    found: list[Site] = []
    for name in names:
        device = devices[name]
        if request.software != "any" and device.software != request.software and not wanted:
            continue
        found.extend(_of_device(catalog, device, by_device.get(name, [])))
    if not found:
        raise UsageError(message("fit.no_devices"))
    return tuple(sorted(found, key=lambda s: (s.usable_gib, s.device.name, s.partition or "")))


def _of_device(catalog: Catalog, device: Device, types: list[InstanceType]) -> Iterator[Site]:
    whole: dict[int, str] = {}
    slices: dict[str, InstanceType] = {}
    for kind in sorted(types, key=lambda t: (t.vcpus or 0, t.provider, t.name)):
        if kind.fraction is None:
            whole.setdefault(int(kind.devices), f"{kind.provider}/{kind.name}")
        else:
            slices.setdefault(kind.fraction, kind)
    usable = device.usable_memory_gib
    yield Site(
        device,
        None,
        usable or device.memory_gib * USABLE_SHARE,
        usable is not None,
        max(whole, default=1),
        whole,
    )
    for fraction, kind in slices.items():
        name = f"{kind.provider}/{kind.name}"
        size = min(kind.memory_gib, (usable or device.memory_gib) * kind.devices)
        yield Site(device, fraction, size, False, 1, {1: name})
    for part in catalog.partitions(device.name):
        # The full profile is the card in MIG mode; `+me`, `-me`, `+gfx` vary a slice's engines.
        plain = "+" not in part.profile and "-" not in part.profile
        if part.memory_gib is not None and part.max_per_device > 1 and plain:
            yield Site(device, part.profile, part.memory_gib, True, 1, whole, most_of(part))


def counts(site: Site, request: FitRequest, shape: ModelShape) -> Iterator[int]:
    """Numbers of devices to try, fewest first.

    A served decoder is split evenly over the devices of one node, so the count divides its
    heads; other models are not split. Sharded training may span nodes. One process never spans
    slices.
    """
    spans = request.train and request.sharding != NO_SHARDING
    if site.partition is not None:
        most = 1
    elif spans:
        most = MAX_DEVICES
    else:
        most = site.most if not request.train and shape.kind == DECODER else 1
    if request.gpus is not None:
        # Replicas of unsharded training need the same each, however many there are.
        if request.gpus <= most or (request.train and site.partition is None):
            yield request.gpus
        return
    count = 1
    while count <= most:
        if spans or shape.heads is None or shape.heads % count == 0:
            yield count
        count *= 2


def native(device: Device, precision: str) -> bool:
    """Whether the device computes in this precision; an unknown data sheet counts as yes."""
    if precision not in _UNITS or device.fp32_tflops is None:
        return True
    return any(getattr(device, field) for field in _UNITS[precision])
