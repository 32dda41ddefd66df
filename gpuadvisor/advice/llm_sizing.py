"""Instances for a language model under latency targets, by `performance.llm_serving`.

Each candidate's lone step and prompt rates are the measured ones of the reference device times
its ratios in the classes and setting of those measurements.
"""

from math import ceil, exp, log, sqrt
from typing import NamedTuple

from gpuadvisor.advice.model_needs import LlmServing
from gpuadvisor.advice.needs import Needs
from gpuadvisor.advice.reasons import LATENCY, MODEL_MEMORY, SIZE
from gpuadvisor.advice.result import Range, Served, Speed
from gpuadvisor.advice.speed_model import proven
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.llm_serving import MOST_SEQUENCES, Latency, Replica
from gpuadvisor.performance.memory import (
    GIB,
    UTILISATION,
    Serving,
    cache_bytes,
    cached_tokens,
    weight_bytes,
)
from gpuadvisor.performance.scaling import replica_efficiency
from gpuadvisor.performance.speed import FITTED, MEASURED, SPEC, Ratio, Setting, ratio
from gpuadvisor.workload.interface import LoneRate

MODEL_ERROR = 1.25
"""Factor either way of the serving model itself: 0.80 to 1.39 against vLLM, 1.06 in the median."""


class Unit(NamedTuple):
    """One replica on `split` devices, its rate within the targets, and saturated."""

    replica: Replica
    split: int
    within: float
    saturated: float
    efficiency: float


class LlmModel:
    """Replicas of one request's model on devices; each device is worked out once."""

    def __init__(self, catalog: Catalog, needs: Needs, served: LlmServing) -> None:
        self._catalog = catalog
        self._needs = needs
        self._served = served
        self._ratios: dict[str, tuple[Ratio | None, Ratio | None]] = {}
        self._units: dict[tuple[object, ...], Unit | str] = {}

    def unit(self, kind: InstanceType, device: Device, usable_gib: float) -> Unit | str:
        """The best replica for this type, or why there is none.

        The fewest devices that hold it and keep the targets; twice as many where that serves
        more of them together (a larger cache, quicker steps).
        """
        most = 1 if kind.fraction is not None else int(kind.devices)
        nvlink = kind.interconnect == "nvlink"
        key = (device.name, kind.fraction, usable_gib, most, nvlink)
        if key not in self._units:
            self._units[key] = self._best(kind, device, usable_gib, most)
        return self._units[key]

    def _best(self, kind: InstanceType, device: Device, usable_gib: float, most: int) -> Unit | str:
        reason, best, split = MODEL_MEMORY, None, 1
        while split <= most:
            heads = self._served.shape.heads or split
            if heads % split == 0:
                found = self._unit(kind, device, usable_gib, split)
                if isinstance(found, Unit):
                    if best is not None and found.within / split <= best.within / best.split:
                        break
                    best = found
                elif found != MODEL_MEMORY:
                    reason = found
            split *= 2
        return reason if best is None else best

    def _unit(
        self, kind: InstanceType, device: Device, usable_gib: float, split: int
    ) -> Unit | str:
        served = self._served
        context = served.tokens_in + served.tokens_out
        how = Serving(served.precision, 2.0, context, 1, split)
        tokens = cached_tokens(served.shape, how, usable_gib * GIB, UTILISATION)
        most = min(MOST_SEQUENCES, tokens // context)
        if most < 1:
            return MODEL_MEMORY
        decode, prefill = self.ratios(device.name)
        if decode is None or prefill is None:
            return SIZE
        efficiency = replica_efficiency(split, kind.interconnect)
        share = kind.devices if kind.fraction is not None else 1.0
        speed = split * efficiency * share
        average = served.tokens_in + served.tokens_out // 2
        cache = cache_bytes(served.shape, average)
        replica = Replica(
            step=served.step_share / (served.measured.step.rate * decode.expected * speed),
            prefill=served.prefill_share
            / (served.measured.prefill.rate * prefill.expected * speed),
            cache_share=cache / weight_bytes(served.shape, served.precision),
            most=most,
            tokens_in=served.tokens_in,
            tokens_out=served.tokens_out,
        )
        within = replica.rate_within(served.target)
        if within <= 0.0:
            return LATENCY
        return Unit(replica, split, within, replica.saturated(), efficiency)

    def ratios(self, name: str) -> tuple[Ratio | None, Ratio | None]:
        """The device's lone rates over those of the measured device."""
        if name not in self._ratios:
            measured = self._served.measured
            self._ratios[name] = (
                self._ratio(name, measured.step),
                self._ratio(name, measured.prefill),
            )
        return self._ratios[name]

    def _ratio(self, name: str, rate: LoneRate) -> Ratio | None:
        setting = Setting(rate.measured_as, "fp16", rate.software, batch=1, devices=1)
        found = ratio(self._catalog, name, rate.device, rate.workload_class, setting)
        return proven(self._catalog, name, found)

    def speed(self, device: Device, unit: Unit, replicas: int, found: Latency) -> Speed:
        """Output tokens a second of so many replicas, saturated; latencies at the demand."""
        decode, prefill = self.ratios(device.name)
        assert decode is not None and prefill is not None
        down = sqrt(log(decode.expected / decode.low) ** 2 + log(MODEL_ERROR) ** 2)
        up = sqrt(log(decode.high / decode.expected) ** 2 + log(MODEL_ERROR) ** 2)
        rate = replicas * unit.saturated * self._served.tokens_out
        bases = {decode.basis, prefill.basis}
        basis = SPEC if SPEC in bases else FITTED if FITTED in bases else MEASURED
        measured = self._served.measured
        return Speed(
            unit=self._needs.profile.unit,
            rate=Range(rate * exp(-down), rate, rate * exp(up)),
            # Carried to other lengths and another model by formula: never a measurement.
            basis=FITTED if basis == MEASURED else basis,
            source=decode.source,
            relative_to=None,
            streams=1,
            packing_gain=1.0,
            latency_ms=unit.replica.latency(0.0).response * 1e3,
            device_ratio=Range(decode.low, decode.expected, decode.high),
            reference=measured.step.device,
            reference_source=measured.step.source,
            efficiency=unit.efficiency,
            host_bound=False,
            served=Served(
                replicas, unit.split, unit.replica.most, found.sequences, found.ttft * 1e3,
                found.tpot * 1e3, found.response * 1e3,
            ),
        )  # fmt: skip


class LlmSize(NamedTuple):
    """Instances, devices that work, hours a month, the speed of all together, and the devices
    that the load would keep busy, not rounded."""

    instances: int
    devices_used: float
    hours: float
    speed: Speed
    load: float


def llm_size(
    needs: Needs,
    model: LlmModel,
    served: LlmServing,
    kind: InstanceType,
    device: Device,
    usable_gib: float,
    most_instances: int,
) -> LlmSize | str:
    """Instances of this type for the demand, or why there can be none."""
    unit = model.unit(kind, device, usable_gib)
    if isinstance(unit, str):
        return unit
    each = max(1, int(kind.devices)) // unit.split if kind.fraction is None else 1
    fixed = needs.nodes or (ceil(needs.devices / max(kind.devices, 1.0)) if needs.devices else None)
    hours, demand = needs.hours, needs.demand
    wanted = _replicas(needs, served, unit)
    count = fixed or (1 if wanted is None else ceil(wanted / each))
    replicas = count * each
    if not 0 < count <= most_instances or (wanted is not None and replicas < wanted):
        return SIZE
    used = replicas if wanted is None else min(replicas, ceil(wanted))
    if demand.kind == "volume" and needs.profile.latency in ("batch", "none"):
        assert wanted is not None
        # Paid while it works: all replicas are then busy.
        hours, used, wanted = needs.hours * wanted / replicas, replicas, float(replicas)
    found = _latency(served, unit, replicas, needs)
    speed = model.speed(device, unit, replicas, found)
    share = unit.split * min(kind.devices, 1.0)
    load = (replicas if wanted is None else wanted) * share
    return LlmSize(count, used * share, hours, speed, load)


def _replicas(needs: Needs, served: LlmServing, unit: Unit) -> float | None:
    """Replicas that the demand takes, not rounded; None where there is only a budget."""
    if served.requests is not None:
        return served.requests / unit.within
    if served.users is not None:
        users = unit.replica.users_within(served.target)
        return served.users / users if users else float("inf")
    if needs.demand.per_month is not None:
        requests = needs.demand.per_month / served.tokens_out
        return requests / (needs.hours * 3600) / unit.within
    return None


def _latency(served: LlmServing, unit: Unit, replicas: int, needs: Needs) -> Latency:
    """Percentiles at the demand shared evenly, or at the largest rate within the targets."""
    if served.requests is not None:
        return unit.replica.latency(served.requests / replicas)
    if served.users is not None:
        return unit.replica.closed(max(1, ceil(served.users / replicas)))
    if needs.demand.per_month is not None:
        requests = needs.demand.per_month / served.tokens_out / (needs.hours * 3600)
        return unit.replica.latency(min(unit.within, requests / replicas))
    return unit.replica.latency(unit.within)
