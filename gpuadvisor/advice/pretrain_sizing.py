"""How many instances a training from scratch takes, and where more of them stop paying."""

from collections.abc import Callable
from decimal import Decimal
from math import ceil
from typing import NamedTuple

from gpuadvisor.advice.needs import Needs
from gpuadvisor.advice.pretrain import Pretrain
from gpuadvisor.advice.pretrain_layouts import linked, tensor_domain
from gpuadvisor.advice.pretrain_steps import StepModel, Timed
from gpuadvisor.advice.reasons import LINK, MODEL_MEMORY, SIZE, TENSOR_LINK
from gpuadvisor.advice.result import Range, ScalingRow, Speed
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.parallel import tensor_ratio
from gpuadvisor.performance.speed import MEASURED, SPEC

MOST_NODES = 4096

PAYS = 1.8
"""A doubling of nodes pays while it brings this speed-up; below, the run costs 11 % more."""


class Sized(NamedTuple):
    """Instances, how many of their devices work, and their speed together."""

    instances: int
    devices_used: int
    speed: Speed


class PretrainModel:
    """Speeds and sizes of instance types for one training."""

    def __init__(self, catalog: Catalog, needs: Needs, plan: Pretrain) -> None:
        self._catalog = catalog
        self._needs = needs
        self._plan = plan
        self.steps = StepModel(catalog, plan)

    def size(self, kind: InstanceType, device: Device, nodes: int | None) -> Sized | str:
        """The fewest instances that hold the states and meet the deadline, or the reason why not.

        One node comes before many; many need RDMA where the workload is linked.
        """
        if kind.fraction is not None:
            return LINK
        if self.steps.peak(device) is None:
            return SIZE
        if (self._plan.tensor or 1) > tensor_domain(kind):
            return LINK if linked(kind) or kind.devices < 2 else TENSOR_LINK
        if self._needs.profile.linked and not linked(kind):
            return LINK
        gpus = self._plan.gpus
        fixed = nodes or (None if gpus is None else ceil(gpus / kind.devices))
        if fixed is not None and gpus is not None and fixed * kind.devices < gpus:
            return SIZE
        if fixed is not None and fixed < self._plan.zones:
            return SIZE
        least = smallest(
            self._plan.zones, MOST_NODES, lambda n: self._timed(kind, device, n) is not None
        )
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
        timed = self._timed(kind, device, count)
        if timed is None:
            return SIZE
        return Sized(count, timed.schedule.layout.devices, self._speed(device, timed))

    def _timed(self, kind: InstanceType, device: Device, nodes: int) -> Timed | None:
        """As asked for: at most so many devices, in so many zones."""
        plan = self._plan
        return self.steps.best(kind, device, nodes, most=plan.gpus, zones=plan.zones)

    def _hours(self, kind: InstanceType, device: Device, nodes: int, units: float) -> float:
        timed = self._timed(kind, device, nodes)
        return float("inf") if timed is None else units / (timed.rate.expected * 3600)

    def _speed(self, device: Device, timed: Timed) -> Speed:
        reference = self._needs.mode.reference
        near = device.name if reference is None else reference.device
        by, used = self.steps.used(near), timed.used
        other = (self.steps.peak(self._catalog.device(near)) or 1.0) * by.expected
        ratios = [(self.steps.peak(device) or 1.0) * share / other for share in used[:3]]
        return Speed(
            unit=self._needs.profile.unit,
            rate=timed.rate,
            basis=MEASURED if used.benchmarked else SPEC,
            source=used.source,
            relative_to=None,
            streams=1,
            packing_gain=1.0,
            latency_ms=None,
            device_ratio=Range(*ratios),
            reference=near,
            reference_source=by.source,
            efficiency=timed.kept,
            host_bound=False,
            mfu=Range(*used[:3]),
            schedule=timed.schedule,
        )

    def tensor_penalty(self, kind: InstanceType, device: Device) -> float | None:
        """Exchange over compute if each layer were split over the devices without a fabric."""
        peak, hidden = self.steps.peak(device), self._plan.shape.hidden
        tensor = min(self._plan.tensor or 1, int(kind.devices))
        if peak is None or not hidden or tensor < 2:
            return None
        rate = peak * self.steps.used(device.name).expected
        return tensor_ratio(tensor, hidden, rate, self.steps.links(kind, device).inside)

    def scaling(self, kind: InstanceType, device: Device, price: Decimal) -> tuple[ScalingRow, ...]:
        """The run on the fewest nodes that hold it, and on each doubling; uninterrupted.

        `price` is that of one instance-hour. `pays` ends at the first doubling that brings less
        than `PAYS` times the speed; two such are shown.
        """
        zones, needs = self._plan.zones, self._needs
        best = self.steps.best
        nodes = smallest(
            zones, MOST_NODES, lambda n: best(kind, device, n, zones=zones) is not None
        )
        rows: list[ScalingRow] = []
        most = 1 if kind.rdma is None and needs.profile.linked else MOST_NODES
        while nodes is not None and nodes <= most:
            timed = best(kind, device, nodes, zones=zones)
            if timed is None or (len(rows) > 1 and not rows[-2].pays):
                break
            hours = self._plan.units / (timed.rate.expected * 3600)
            pays = not rows or (rows[-1].pays and rows[-1].hours / hours >= PAYS)
            cost = price * nodes * Decimal(repr(hours))
            devices = int(kind.devices * nodes)
            layout = timed.schedule.layout
            rows.append(ScalingRow(nodes, devices, timed.kept, hours, cost, pays, layout))
            nodes *= 2
        return tuple(rows)


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
