"""How fast one instance is at a workload.

Simple scaling: replicas are independent, one replica over several devices loses by its link,
data-parallel training by nodes and links (`performance.scaling`). Rates are units of work a
second at 100 % busy.
"""

from collections.abc import Iterable, Mapping
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Any

from gpuadvisor.advice.needs import USABLE_SHARE, Needs
from gpuadvisor.advice.result import Range, Speed
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.names import matches
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.scaling import (
    replica_efficiency,
    training_efficiency,
)
from gpuadvisor.performance.speed import FITTED, MEASURED, SPEC, Ratio, Setting, ratio
from gpuadvisor.workload.anchor import anchor, measured_devices
from gpuadvisor.workload.interface import BATCHED, UNBATCHED, Reference
from gpuadvisor.workload.packing import ONE_PROCESS, Packing, most_streams, packing_gain

if TYPE_CHECKING:
    from gpuadvisor.advice.model_needs import LlmTraining
    from gpuadvisor.advice.slicing import Cut


def usable_memory(kind: InstanceType, device: Device) -> float:
    """Usable GiB of one device of this type, or of its slice.

    What the driver was seen to report for a whole device, else nominal x 0.93; a slice's
    figure is what the provider gives it.
    """
    if kind.fraction is not None:
        return kind.memory_gib
    return device.usable_memory_gib or device.memory_gib * USABLE_SHARE


def devices_per_replica(needs: Needs, kind: InstanceType, device: Device) -> int | None:
    """Devices that one replica is split over; None when not even the whole instance holds it.

    A training state that the profile already splits over several devices may span nodes.
    """
    if needs.training is not None:
        return _training_devices(needs, needs.training, kind, device)
    need = needs.core.memory_gib
    if need is None:
        return 1
    usable = usable_memory(kind, device)
    if need <= usable:
        return 1
    if kind.fraction is not None:
        return None
    whole = need * needs.core.sharded_over
    count = 2
    while count * usable < whole:
        count *= 2
    span = kind.devices
    if needs.demand.kind == "run":
        span = max(span, needs.devices or 0, (needs.nodes or 1) * kind.devices)
    return count if count <= span else None


def _training_devices(
    needs: Needs, training: "LlmTraining", kind: InstanceType, device: Device
) -> int | None:
    """Devices that a training is sharded over; slices hold it alone or not at all."""
    usable = usable_memory(kind, device)
    span = max(kind.devices, needs.devices or 0, (needs.nodes or 1) * kind.devices)
    count = 1
    while count <= span or count == 1:
        if training.fits(count, usable):
            return count
        if kind.fraction is not None:
            return None
        count *= 2
    return None


class SpeedModel:
    """Speeds of candidates for one request; each device's ratio is looked up once.

    With `cutting`, a device may be cut into MIG slices where those do more than the whole.
    """

    def __init__(self, catalog: Catalog, needs: Needs, cutting: bool = False) -> None:
        self._catalog = catalog
        self._needs = needs
        # Only for unbatched work: one batch fills a card better than seven slices of it.
        self._cutting = (
            cutting
            and needs.mode.name != BATCHED
            and needs.core.memory_gib is not None
            and needs.demand.kind != "run"
            and not needs.core.linked
            and needs.devices is None
        )
        self._ratios: dict[str, Ratio | None] = {}
        self._batched: dict[str, float | None] = {}
        self._packings: dict[tuple[str, int], Packing] = {}
        self._rates: dict[tuple[float, float, float], Range] = {}
        self._speeds: dict[tuple[object, ...], Speed | None] = {}
        self._clouds: Mapping[str, Mapping[str, Any]] = (
            catalog.documents("sharing") if self._cutting else {}
        )
        self._cuts: dict[tuple[str, int], Cut | None] = {}

    def speed(self, kind: InstanceType, device: Device, instances: int = 1) -> Speed | None:
        """Rate of `instances` of this type together; None where no speed is known.

        Types with the same devices, links and room for processes share one computation.
        """
        reference = self._needs.mode.reference
        if reference is None or self._needs.mode.workload_class is None:
            return None
        streams, slices = self._most_streams(kind, device), self._most_slices(kind, device)
        host = self._needs.profile.host
        bound = None
        if host is not None and host.units_per_vcpu is not None and kind.vcpus:
            bound = host.units_per_vcpu * kind.vcpus * instances
        if self._needs.sample_bytes is not None:
            from gpuadvisor.advice.feeding import fed

            found = fed(self._needs, kind)
            narrow = None if found is None else found.narrowest
            if narrow is None:
                return None
            bound = narrow[1] * instances
        key = (
            kind.device, kind.devices, kind.memory_gib, kind.interconnect, kind.rdma is None,
            instances, streams, bound, slices,
        )  # fmt: skip
        if key not in self._speeds:
            self._speeds[key] = self._speed(
                kind, device, instances, reference, streams, slices, bound
            )
        return self._speeds[key]

    def _speed(
        self,
        kind: InstanceType,
        device: Device,
        instances: int,
        reference: Reference,
        streams: int,
        slices: int,
        bound: float | None,
    ) -> Speed | None:
        needs = self._needs
        found = (
            self._slice(kind, reference) if kind.fraction else self._ratio(device.name, reference)
        )
        if found is None:
            return None
        packed = ONE_PROCESS if kind.fraction else self._packing(device.name, reference, streams)
        split = devices_per_replica(needs, kind, device) or 1
        efficiency = self._efficiency(kind, split, instances)
        count = 1.0 if kind.fraction is not None else kind.devices
        if needs.demand.kind != "run":
            count = split * (count // split) if split > 1 else count
        cut = self._cut(device, reference, slices, found, packed) if slices > 1 else None
        if cut is not None:
            found, packed = cut.ratio, Packing(1, float(cut.slices), None)
        many = count * instances * packed.gain * efficiency
        rate = self._rate(reference, found)
        if needs.training is not None:
            rate = needs.training.bounded(rate, device.bf16_tflops or device.fp16_tflops)
        total = Range(rate.low * many, rate.expected * many, rate.high * many)
        unfed = total.expected
        if bound is not None:
            total = Range(*(min(part, bound) for part in total))
        return Speed(
            unit=needs.profile.unit,
            rate=total,
            basis=found.basis,
            source=found.source,
            relative_to=reference.device if reference.relative_only else None,
            streams=packed.streams,
            packing_gain=packed.gain,
            latency_ms=None if reference.relative_only else 1000.0 / rate.expected,
            device_ratio=Range(found.low, found.expected, found.high),
            reference=reference.device,
            reference_source=reference.source,
            efficiency=efficiency,
            host_bound=total.expected == bound,
            partition=None if cut is None else cut.profile,
            slices=1 if cut is None else cut.slices,
            unfed=unfed,
        )

    def _most_slices(self, kind: InstanceType, device: Device) -> int:
        """Processes on slices of one device, by the vCPUs beside it; 0 where none may be cut."""
        if not self._cutting or not device.mig_max or kind.fraction is not None:
            return 0
        cloud = self._clouds.get(kind.provider)
        if cloud is None or not any(matches(device.name, name) for name in cloud["devices"]):
            return 0
        vcpus = kind.vcpus / kind.devices if kind.vcpus else None
        return most_streams(vcpus, self._needs.core.vcpus_per_stream)

    def _cut(
        self, device: Device, reference: Reference, most: int, whole: Ratio, packed: Packing
    ) -> "Cut | None":
        """The at `most` so many MIG slices that do more than the whole device, or None."""
        from gpuadvisor.advice.slicing import best_cut

        key = (device.name, most)
        if key not in self._cuts:
            core = self._needs.core
            assert core.memory_gib is not None
            target = core.latency_p99_ms
            longest = None if target is None or reference.relative_only else target / 1e3
            self._cuts[key] = best_cut(
                self._catalog.partitions(device.name),
                device.name,
                core.memory_gib,
                most,
                lambda name: self._ratio(name, reference),
                whole.expected * packed.gain,
                None if longest is None else 1.0 / (longest * reference.rate),
            )
        return self._cuts[key]

    def _rate(self, reference: Reference, found: Ratio) -> Range:
        """Rate of one process on one device; twins of a device share the computation."""
        key = found[:3]
        if key not in self._rates:
            self._rates[key] = _combine(reference, found)
        return self._rates[key]

    def _slice(self, kind: InstanceType, reference: Reference) -> Ratio | None:
        """A vendor's fraction: its guaranteed share is expected, the idle neighbours' best high.

        The scheduler gives a slice its share of time while the neighbours work, and up to the
        whole device while they rest; the model of a device with that share of everything lies
        between (devices notes 1).
        """
        whole = self._ratio(kind.device, reference)
        best = self._ratio(f"{kind.device}:{kind.fraction}", reference)
        if whole is None:
            return None
        high = whole.expected if best is None else min(whole.expected, best.high)
        share = kind.devices
        return whole._replace(
            low=whole.low * share,
            expected=whole.expected * share,
            high=max(high, whole.high * share),
            basis=SPEC if whole.basis == SPEC else FITTED,
        )

    def _ratio(self, name: str, reference: Reference) -> Ratio | None:
        if name not in self._ratios:
            self._ratios[name] = self._anchored(name, reference)
        return self._ratios[name]

    def _anchored(self, name: str, reference: Reference) -> Ratio | None:
        """Speed over the reference device's, through the nearest device that was measured."""
        mode = self._needs.mode
        assert mode.workload_class is not None
        known = None
        mine = self._batched_speed(name, reference) if mode.ratios else None
        if mine is not None:
            others = {d: self._batched_speed(d, reference) for d in measured_devices(mode)}
            speeds = {d: speed for d, speed in others.items() if speed is not None}
            known = anchor(mode, name, mine, speeds, self._relatives(name, speeds))
        near = reference.device if known is None else known.device
        setting = Setting(mode.measured_as, reference.precision)
        found = ratio(self._catalog, name, near, mode.workload_class, setting)
        found = proven(self._catalog, name, found)
        if found is None or known is None:
            return found
        if near == name:
            # A chain over two pairs (A100 over V100, V100 over T4) is inferred, not measured.
            basis = MEASURED if known.basis == MEASURED else FITTED
            return Ratio(
                known.low, known.ratio, known.high, basis, known.source, found.n, found.families
            )
        return found._replace(
            low=found.low * known.low,
            expected=found.expected * known.ratio,
            high=found.high * known.high,
        )

    def _relatives(self, name: str, measured: Iterable[str]) -> list[str]:
        """Measured devices of the same family: the same chip in another form or size."""
        family = self._catalog.device(name.partition(":")[0]).family
        return [other for other in measured if self._catalog.device(other).family == family]

    def _most_streams(self, kind: InstanceType, device: Device) -> int:
        """Processes that the vCPUs and the memory beside a device leave room for."""
        if not self._needs.mode.packing:
            return 1
        return most_streams(
            kind.vcpus / max(1.0, kind.devices) if kind.vcpus else None,
            self._needs.core.vcpus_per_stream,
            usable_memory(kind, device),
            self._needs.core.memory_gib,
        )

    def _packing(self, name: str, reference: Reference, limit: int) -> Packing:
        """What several processes on one device gain, by its batched speed."""
        points = self._needs.mode.packing
        if not points or limit < 2:
            return ONE_PROCESS
        if (name, limit) not in self._packings:
            speeds = {p.device: self._batched_speed(p.device, reference) for p in points}
            known = {device: speed for device, speed in speeds.items() if speed is not None}
            mine = self._batched_speed(name, reference)
            self._packings[name, limit] = (
                ONE_PROCESS if mine is None else packing_gain(points, known, name, mine, limit)
            )
        return self._packings[name, limit]

    def _batched_speed(self, name: str, reference: Reference) -> float | None:
        """Batched speed over the reference device's: how much of it one process leaves idle."""
        if name not in self._batched:
            batched = self._needs.profile.modes.get(BATCHED, self._needs.mode)
            class_ = batched.workload_class or self._needs.mode.workload_class
            assert class_ is not None
            found = ratio(self._catalog, name, reference.device, class_)
            self._batched[name] = None if found is None else found.expected
        return self._batched[name]

    def lone_seconds(self, name: str) -> float | None:
        """Seconds of one unit alone on a device, by the unbatched mode; None where unknown."""
        mode = self._needs.profile.modes.get(UNBATCHED)
        reference = None if mode is None else mode.reference
        if mode is None or reference is None or reference.relative_only or not mode.workload_class:
            return None
        setting = Setting(mode.measured_as, reference.precision)
        found = ratio(self._catalog, name, reference.device, mode.workload_class, setting)
        return None if found is None else 1.0 / (reference.rate * found.expected)

    def _efficiency(self, kind: InstanceType, split: int, instances: int) -> float:
        if self._needs.demand.kind == "run":
            return training_efficiency(
                kind.devices, instances, kind.interconnect, kind.rdma is not None
            )
        return replica_efficiency(split, kind.interconnect)


def proven(catalog: Catalog, name: str, found: Ratio | None) -> Ratio | None:
    """None where only a spec sheet speaks for a device that CUDA code does not run on.

    What a port reaches is a matter of its kernels: on one benchmark eight MI300X took twenty to
    thirty times as long as other machines of eight (performance notes b, tinycorp). A
    measurement, or a fit over measurements of the device, counts.
    """
    if found is None or found.basis != SPEC:
        return found
    device = catalog.device(name.partition(":")[0])
    return found if device.software == "cuda" else None


def _combine(reference: Reference, found: Ratio) -> Range:
    """The reference's spread and the ratio's are independent: they add in quadrature (logs)."""
    expected = reference.rate * found.expected
    down = sqrt(log(reference.rate / reference.low) ** 2 + log(found.expected / found.low) ** 2)
    up = sqrt(log(reference.high / reference.rate) ** 2 + log(found.high / found.expected) ** 2)
    return Range(expected * exp(-down), expected, expected * exp(up))
