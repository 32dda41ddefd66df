"""How a training from scratch is laid out over instances, and how long one step then takes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpuadvisor.advice.pretrain import Pretrain
from gpuadvisor.advice.pretrain_layouts import linked, replicated, split
from gpuadvisor.advice.result import Range
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.collectives import (
    GB,
    ZONE_HOP_SECONDS,
    Links,
    between_zones,
    links_of,
)
from gpuadvisor.performance.compression import (
    NONE,
    Compression,
    compressed_seconds,
    compression,
)
from gpuadvisor.performance.parallel import (
    Layout,
    Step,
    Traffic,
    bubble,
    chunks,
    collectives_per_step,
    hop_seconds,
    pass_seconds,
    sharding_in,
    step_seconds,
    traffic,
)
from gpuadvisor.performance.training import (
    FP8_GAIN,
    NODE_DOUBLING,
    OVERLAPS,
    WIDE,
    Utilisation,
    after_doublings,
    compute_seconds,
    utilisation,
)
from gpuadvisor.performance.training_memory import ZERO3

GOOD_ENOUGH = 0.9
"""Data parallelism alone is not given up while it keeps this share of linear speed."""

PLAINER = 1.1
"""What splitting the model must gain over data parallelism alone, which needs no tuning."""


class Compressed(NamedTuple):
    """Bytes that a device sends for gradients in a step, without and with compression (mean of
    the run), and the speed that it gains: .1 is a tenth, less than 0 a loss."""

    method: str
    before: float
    after: float
    gain: float


class Schedule(NamedTuple):
    """One step: `tokens` of all replicas in `seconds`, of which the pipeline idles `bubble`;
    `sharding` is how replicas share the states."""

    layout: Layout
    sharding: str
    tokens: float
    seconds: float
    bubble: float
    traffic: Traffic
    compressed: Compressed | None


class Timed(NamedTuple):
    """Units of work a second by a schedule; `kept` is the share of linear speed."""

    rate: Range
    kept: float
    used: Utilisation
    schedule: Schedule


class _Paces(NamedTuple):
    """By case: seconds of a step with compression and without, units of work a second, and the
    share of linear speed."""

    seconds: list[float]
    bare: list[float]
    rates: list[float]
    kept: list[float]
    used: Utilisation
    method: Compression


EXPECTED, EVERY = (1,), (0, 1, 2)


class StepModel:
    """Steps of one training on any number of any instance type."""

    def __init__(self, catalog: Catalog, plan: Pretrain) -> None:
        self._plan = plan
        self._links: Mapping[str, Mapping[str, Any]] = catalog.documents("interconnect")
        self._known: Mapping[str, Mapping[str, Any]] = catalog.documents("training")
        self._found: dict[tuple[object, ...], Timed | None] = {}

    def best(
        self,
        kind: InstanceType,
        device: Device,
        nodes: int,
        *,
        most: int | None = None,
        zones: int = 1,
    ) -> Timed | None:
        """The fastest layout on `nodes`, at `most` so many devices; None where none holds it.

        Data parallelism alone comes first: the model is split where it must be, or where that
        gains much because the batch has too few sequences for so many replicas.
        """
        key = (kind.provider, kind.name, nodes, most, zones)
        if key not in self._found:
            self._found[key] = self._best(kind, device, nodes, most, zones)
        return self._found[key]

    def _best(
        self, kind: InstanceType, device: Device, nodes: int, most: int | None, zones: int
    ) -> Timed | None:
        plan = self._plan
        devices = int(kind.devices * nodes)
        devices = devices if most is None else min(devices, most)
        plain = None
        if plan.tensor in (None, 1) and plan.pipeline in (None, 1):
            layout = replicated(plan, kind, device, devices)
            plain = layout and self._time(kind, device, nodes, devices, layout, zones)
            alone = plan.tensor == plan.pipeline == 1
            if alone or (plain is not None and plain.kept >= GOOD_ENOUGH):
                return plain
        rates = {
            layout: self._paces(kind, device, nodes, layout, zones, EXPECTED).rates[0]
            for layout in split(plan, kind, device, devices, zones)
        }
        if not rates:
            return plain
        best = max(rates, key=lambda layout: rates[layout])
        if plain is not None and rates[best] <= PLAINER * plain.rate.expected:
            return plain
        return self._time(kind, device, nodes, devices, best, zones)

    def _paces(
        self,
        kind: InstanceType,
        device: Device,
        nodes: int,
        layout: Layout,
        zones: int,
        cases: tuple[int, ...],
    ) -> "_Paces":
        """Steps in the `cases` low, expected and high."""
        plan, peak = self._plan, self.peak(device)
        assert peak is not None
        layers = plan.shape.layers or 1
        # Narrow layers, and stages of whole ones, are timed like the data-parallel runs.
        parted = layout.tensor > 1 and (plan.shape.hidden or 0) >= WIDE
        used = utilisation(self._known, device.name, parted)
        exchange = self._exchange(kind, device, layout, zones)
        tokens = float(layout.sequences * layout.micro * plan.context)
        method = compression(
            # One replica exchanges no gradients.
            plan.compression if layout.data > 1 else NONE,
            plan.element,
            plan.shape.params / layout.replica,
            peak * used.expected,
            device.bandwidth_gbs and device.bandwidth_gbs * GB,
            plan.tokens / (tokens * layout.data),
        )
        gains = FP8_GAIN if plan.precision == "fp8" else (1.0, 1.0, 1.0)
        found = _Paces([], [], [], [], used, method)
        shares = (used.low, used.expected, used.high)
        for case in cases:
            rate, overlap = peak * gains[case], OVERLAPS[case]
            compute = compute_seconds(tokens, plan.per_token, layout.replica, rate, shares[case])
            step = exchange._replace(compute=compute)
            # The published runs of split layers lose what their bubble says, and no more.
            left = 1.0 if parted else after_doublings(nodes, NODE_DOUBLING[case])
            seconds = compressed_seconds(step, layers, layout, overlap, method) / left
            found.seconds.append(seconds)
            found.bare.append(step_seconds(step, layers, layout, overlap) / left)
            found.rates.append(layout.data * tokens / seconds / plan.unit_tokens)
            found.kept.append(compute / seconds)
        return found

    def _time(
        self,
        kind: InstanceType,
        device: Device,
        nodes: int,
        devices: int,
        layout: Layout,
        zones: int,
    ) -> Timed:
        """A layout on so many nodes, of whose `devices` it may leave some idle."""
        plan = self._plan
        paces = self._paces(kind, device, nodes, layout, zones, EVERY)
        sent = traffic(plan.shape, plan.context, plan.sharding, layout, plan.element)
        squeezed = None
        if paces.method.method != NONE:
            after = sent.data * paces.method.mean_share
            gain = paces.bare[1] / paces.seconds[1] - 1
            squeezed = Compressed(plan.compression, sent.data, after, gain)
            sent = sent._replace(data=after)
        chunk = chunks(plan.shape.layers or 1, layout.pipeline)
        schedule = Schedule(
            layout,
            sharding_in(layout, plan.sharding),
            float(layout.data * layout.sequences * layout.micro * plan.context),
            paces.seconds[1],
            bubble(layout.pipeline, layout.micro, chunk),
            sent,
            squeezed,
        )
        kept = paces.kept[1] * layout.devices / devices
        return Timed(Range(*paces.rates), kept, paces.used, schedule)

    def _exchange(self, kind: InstanceType, device: Device, layout: Layout, zones: int) -> Step:
        """The exchange of a step, without its compute."""
        plan = self._plan
        links = self.links(kind, device)
        hops = hop_seconds(links, plan.shape, plan.context, layout, plan.element)
        sent = traffic(plan.shape, plan.context, plan.sharding, layout, plan.element)
        tensor = sent.tensor / links.inside
        if zones > 1:
            links = between_zones(links, self._links, kind.name, kind.network_gbps or 10.0)
        one = pass_seconds(links, layout, plan.shape.params, plan.element)
        sharding = sharding_in(layout, plan.sharding)
        if zones > 1:
            # Sharded weights are gathered layer by layer, whole gradients in one stream.
            rounds = (plan.shape.layers or 1) if sharding == ZERO3 else 1
            one += zones * ZONE_HOP_SECONDS * rounds
        each, once = collectives_per_step(sharding, layout.micro)
        return Step(0.0, tensor, each * one + hops, once * one)

    def exchange_seconds(
        self, kind: InstanceType, device: Device, layout: Layout, zones: int
    ) -> float:
        """Seconds that the exchange among replicas and stages takes in a step, nothing hidden."""
        step = self._exchange(kind, device, layout, zones)
        return step.each * layout.micro + step.once

    def links(self, kind: InstanceType, device: Device) -> Links:
        """The links of an instance type."""
        return links_of(
            self._links,
            device.name,
            int(kind.devices),
            device.nvlink_gbs or 0.0,
            device.pcie_gen or 0.0,
            linked(kind),
            kind.network_gbps or 10.0,
            kind.rdma is not None,
            kind.name,
        )

    def peak(self, device: Device) -> float | None:
        """Dense FLOP/s in the precision; FP8 is timed as a gain over 16 bit."""
        found = device.bf16_tflops or device.fp16_tflops
        if self._plan.precision in ("fp32", "tf32"):
            found = device.fp32_tflops
            if self._plan.precision == "tf32":
                found = device.tf32_tflops
        if self._plan.precision == "fp8" and not device.fp8_tflops:
            return None
        return None if found is None else found * 1e12

    def used(self, name: str) -> Utilisation:
        """The share of its peak that a device reaches where the model lies on each."""
        return utilisation(self._known, name)
