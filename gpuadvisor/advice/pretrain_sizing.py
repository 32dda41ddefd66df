"""How many instances a training from scratch takes, and where more of them stop paying."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from math import ceil
from typing import Any, NamedTuple

from gpuadvisor.advice.needs import Needs
from gpuadvisor.advice.pretrain import Pretrain
from gpuadvisor.advice.reasons import LINK, MODEL_MEMORY, SIZE
from gpuadvisor.advice.result import Range, ScalingRow, Speed
from gpuadvisor.advice.speed_model import usable_memory
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.collectives import Links, exchange_seconds, links_of
from gpuadvisor.performance.memory import GIB, UTILISATION
from gpuadvisor.performance.speed import MEASURED, SPEC
from gpuadvisor.performance.training import (
    FP8_GAIN,
    NODE_DOUBLING,
    OVERLAPS,
    Utilisation,
    after_doublings,
    compute_seconds,
    efficiency,
    utilisation,
)
from gpuadvisor.performance.training_memory import ZERO3, Training, training_need

MOST_NODES = 4096

GLOBAL_BATCH = 4_194_304
"""Tokens of a step over all devices at most: that of MPT-70B (mosaicml/llm-foundry) and Llama 2
(arXiv 2307.09288, 4M). More devices than it has sequences find no work."""

MOST_SEQUENCES = 64
"""Sequences that a device takes at once at most; the MPT runs stop there."""

PAYS = 1.8
"""A doubling of nodes pays while it brings this speed-up; below, the run costs 11 % more."""


class Sized(NamedTuple):
    """Instances, and their speed together."""

    instances: int
    speed: Speed


class PretrainModel:
    """Speeds and sizes of instance types for one training."""

    def __init__(self, catalog: Catalog, needs: Needs, plan: Pretrain) -> None:
        self._catalog = catalog
        self._needs = needs
        self._plan = plan
        self._links: Mapping[str, Mapping[str, Any]] = catalog.documents("interconnect")
        self._known: Mapping[str, Mapping[str, Any]] = catalog.documents("training")

    def size(self, kind: InstanceType, device: Device, nodes: int | None) -> Sized | str:
        """The fewest instances that hold the states and meet the deadline, or the reason why not.

        One node comes before many; many need RDMA where the workload is linked.
        """
        if kind.fraction is not None or (self._needs.profile.linked and not _linked(kind)):
            return LINK
        if self._peak(device) is None:
            return SIZE
        gpus = self._plan.gpus
        fixed = nodes or (None if gpus is None else ceil(gpus / kind.devices))
        least = smallest(1, MOST_NODES, lambda n: self._batch(kind, device, n) > 0)
        if least is None or (fixed is not None and fixed < least):
            return MODEL_MEMORY
        count = fixed or least
        units, deadline = self._plan.units, self._needs.demand.deadline_hours
        if deadline is not None:
            # Fewer hours on more nodes: doubled until in time, then halved into.
            found = smallest(
                count,
                count if fixed else MOST_NODES,
                lambda n: self._hours(kind, device, n, units) <= deadline,
            )
            if found is None:
                return SIZE
            count = found
        if count > 1 and self._needs.profile.linked and kind.rdma is None:
            return LINK
        speed = self.speed(kind, device, count)
        return SIZE if speed is None else Sized(count, speed)

    def _hours(self, kind: InstanceType, device: Device, nodes: int, units: float) -> float:
        speed = self.speed(kind, device, nodes)
        return float("inf") if speed is None else units / (speed.rate.expected * 3600)

    def speed(self, kind: InstanceType, device: Device, nodes: int) -> Speed | None:
        """Units of work a second; None where the devices outnumber the batch or do not hold it."""
        plan, peak = self._plan, self._peak(device)
        sequences = self._batch(kind, device, nodes)
        if peak is None or not sequences:
            return None
        used = utilisation(self._known, device.name)
        devices = kind.devices * nodes
        links = self._links_of(kind, device)
        exchange = exchange_seconds(links, nodes, plan.shape.params, plan.sharding)
        # Whole states accumulate gradients over micro-batches and exchange them once a step.
        steps = 1
        if plan.sharding != ZERO3:
            steps = max(1, int(GLOBAL_BATCH / (devices * sequences * plan.context)))
        tokens = float(sequences * plan.context * steps)
        rates, kept = [], []
        gains = FP8_GAIN if plan.precision == "fp8" else (1.0, 1.0, 1.0)
        for mfu, overlap, doubling, gain in zip(
            used[:3], OVERLAPS, NODE_DOUBLING, gains, strict=True
        ):
            compute = compute_seconds(tokens, plan.per_token, 1, peak, mfu * gain)
            share = efficiency(compute, exchange, overlap) * after_doublings(nodes, doubling)
            rates.append(devices * tokens / compute * share / plan.unit_tokens)
            kept.append(share)
        return self._speed(device, used, Range(*rates), kept[1])

    def _speed(self, device: Device, used: Utilisation, rate: Range, kept: float) -> Speed:
        reference = self._needs.mode.reference
        near = device.name if reference is None else reference.device
        other = self._catalog.device(near)
        by = utilisation(self._known, near)
        ratios = [
            (self._peak(device) or 1.0) * a / ((self._peak(other) or 1.0) * by.expected)
            for a in used[:3]
        ]
        return Speed(
            unit=self._needs.profile.unit,
            rate=rate,
            basis=MEASURED if used.benchmarked else SPEC,
            source=used.source,
            relative_to=None,
            streams=1,
            packing_gain=1.0,
            latency_ms=None,
            device_ratio=Range(*ratios),
            reference=near,
            reference_source=by.source,
            efficiency=kept,
            host_bound=False,
            mfu=Range(*used[:3]),
        )

    def _peak(self, device: Device) -> float | None:
        """Dense FLOP/s in the precision; FP8 is timed as a gain over 16 bit."""
        found = device.bf16_tflops or device.fp16_tflops
        if self._plan.precision in ("fp32", "tf32"):
            found = device.fp32_tflops
            if self._plan.precision == "tf32":
                found = device.tf32_tflops
        if self._plan.precision == "fp8" and not device.fp8_tflops:
            return None
        return None if found is None else found * 1e12

    def _links_of(self, kind: InstanceType, device: Device) -> Links:
        return links_of(
            self._links,
            device.name,
            int(kind.devices),
            device.nvlink_gbs or 0.0,
            device.pcie_gen or 0.0,
            _linked(kind),
            kind.network_gbps or 10.0,
            kind.rdma is not None,
            kind.name,
        )

    def _batch(self, kind: InstanceType, device: Device, nodes: int) -> int:
        """Sequences a device takes at once: a power of two that fits, or its share of the batch."""
        plan, devices = self._plan, int(kind.devices * nodes)
        room = usable_memory(kind, device) * GIB * UTILISATION
        share = GLOBAL_BATCH // (devices * plan.context)
        precision = "fp32" if plan.precision in ("fp32", "tf32") else "bf16"
        how = Training(
            precision=precision, sharding=plan.sharding, devices=devices, context=plan.context
        )
        count = 1
        if share < 1 or training_need(plan.shape, how).total > room:
            return 0
        while count < min(share, MOST_SEQUENCES) and (
            training_need(plan.shape, how._replace(batch=count * 2)).total <= room
        ):
            count *= 2
        return min(count, share)

    def scaling(self, kind: InstanceType, device: Device, price: Decimal) -> tuple[ScalingRow, ...]:
        """The run on the fewest nodes that hold it, and on each doubling; uninterrupted.

        `price` is that of one instance-hour. `pays` ends at the first doubling that brings less
        than `PAYS` times the speed; two such are shown.
        """
        nodes = smallest(1, MOST_NODES, lambda n: self._batch(kind, device, n) > 0)
        rows: list[ScalingRow] = []
        most = 1 if kind.rdma is None and self._needs.profile.linked else MOST_NODES
        while nodes is not None and nodes <= most:
            speed = self.speed(kind, device, nodes)
            if speed is None or (len(rows) > 1 and not rows[-2].pays):
                break
            hours = self._plan.units / (speed.rate.expected * 3600)
            pays = not rows or (rows[-1].pays and rows[-1].hours / hours >= PAYS)
            cost = price * nodes * Decimal(repr(hours))
            devices = int(kind.devices * nodes)
            rows.append(ScalingRow(nodes, devices, speed.efficiency, hours, cost, pays))
            nodes *= 2
        return tuple(rows)


def _linked(kind: InstanceType) -> bool:
    return kind.interconnect in ("nvlink", "other")


def smallest(low: int, high: int, holds: Callable[[int], bool]) -> int | None:
    """The least number from `low` to `high` for which `holds`, if it holds from there on.

    Doubled until it holds, then bisected; None where it never does.
    """
    top = low
    while not holds(top):
        if top >= high:
            return None
        low, top = top + 1, min(2 * top, high)
    while low < top:
        middle = (low + top) // 2
        if holds(middle):
            top = middle
        else:
            low = middle + 1
    return top
