"""How many instances a demand takes, and the hours that are paid."""

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from gpuadvisor.advice.needs import Needs
from gpuadvisor.advice.reasons import SIZE
from gpuadvisor.advice.result import Range, Speed
from gpuadvisor.advice.speed_model import SpeedModel, devices_per_replica, usable_memory
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.scaling import (
    SUSTAINED_LOOSE,
    SUSTAINED_TIGHT,
)
from gpuadvisor.workload.interface import BATCHED

if TYPE_CHECKING:
    from gpuadvisor.advice.llm_sizing import LlmModel
    from gpuadvisor.advice.model_needs import LlmServing
    from gpuadvisor.advice.pretrain import Pretrain
    from gpuadvisor.advice.pretrain_sizing import PretrainModel


class Size(NamedTuple):
    """How many instances, how many devices of them work, and the hours that are paid.

    `hours` are per month for a service and per run for a run; `run_hours` is its range. `speed`
    is that of all instances together, None where no speed is known. `load` is the share of the
    instances that the demand takes.
    """

    instances: int
    devices_used: float
    hours: float
    run_hours: Range | None
    speed: Speed | None
    load: float = 1.0


class Sizes:
    """Sizes of candidates for one request; types alike in all that counts share one."""

    def __init__(self, catalog: Catalog, needs: Needs) -> None:
        self._catalog = catalog
        self._needs = needs
        self._model = SpeedModel(catalog, needs, cutting=True)
        self._llm: LlmModel | None = None
        self._pretrain: PretrainModel | None = None
        self._sizes: dict[tuple[object, ...], Size | str] = {}

    def size(self, kind: InstanceType, device: Device) -> Size | str:
        """What the demand takes of this type, see `size`; else why it cannot be met."""
        if self._needs.pretrain is not None:
            return self._pretrain_size(self._needs.pretrain, kind, device)
        kind = at_work(self._needs, kind)
        key = (
            kind.device, kind.devices, kind.fraction, kind.memory_gib, kind.vcpus,
            kind.interconnect, kind.rdma, device.mig_max and kind.provider,
            self._needs.sample_bytes and (kind.local_disk_gb, kind.network_gbps),
        )  # fmt: skip
        if key not in self._sizes:
            if self._needs.llm is not None:
                self._sizes[key] = self._llm_size(self._needs.llm, kind, device)
            else:
                self._sizes[key] = size(self._needs, self._model, kind, device)
        return self._sizes[key]

    def _llm_size(self, served: "LlmServing", kind: InstanceType, device: Device) -> Size | str:
        from gpuadvisor.advice.llm_sizing import LlmModel, llm_size

        if self._llm is None:
            self._llm = LlmModel(self._catalog, self._needs, served)
        usable = usable_memory(kind, device)
        found = llm_size(self._needs, self._llm, served, kind, device, usable, MAX_INSTANCES)
        if isinstance(found, str):
            return found
        total = found.instances * kind.devices
        load = min(1.0, found.load / total) if total else 1.0
        return Size(found.instances, found.devices_used, found.hours, None, found.speed, load)

    def _pretrain_size(self, plan: "Pretrain", kind: InstanceType, device: Device) -> Size | str:
        from gpuadvisor.advice.pretrain_sizing import PretrainModel

        if self._pretrain is None:
            self._pretrain = PretrainModel(self._catalog, self._needs, plan)
        found = self._pretrain.size(kind, device, self._needs.nodes)
        if isinstance(found, str):
            return found
        run = _hours(found.speed, plan.units)
        return Size(found.instances, found.devices_used, run.expected, run, found.speed)


def at_work(needs: Needs, kind: InstanceType) -> InstanceType:
    """The type with the devices that work, where fewer are asked for than its instances hold.

    The rest idles; the host stays whole and serves those that work.
    """
    if needs.gpus is None or kind.fraction is not None:
        return kind
    share = needs.gpus / (needs.nodes or ceil(needs.gpus / kind.devices))
    return kind if share >= kind.devices else kind._replace(devices=max(1.0, share))


def size(needs: Needs, model: SpeedModel, kind: InstanceType, device: Device) -> Size | str:
    """Instances and hours for the demand; one instance where there is only a budget.

    A reason where no sane number of instances meets it.
    """
    per_node = max(kind.devices, 1.0)
    fixed = needs.nodes or (ceil(needs.devices / per_node) if needs.devices else None)
    if needs.nodes and needs.devices and needs.nodes * per_node < needs.devices:
        return SIZE
    demand = needs.demand
    if demand.kind == "run":
        return _size_run(needs, model, kind, device, fixed) or SIZE
    one = model.speed(kind, device)
    if one is None or demand.kind == "none":
        count = fixed or 1
        used = min(float(needs.devices or count * kind.devices), count * kind.devices)
        return Size(count, used, needs.hours, None, _together(model, kind, device, count, one))
    if demand.latency_p99_ms is not None and one.relative_to is None:
        queued = _size_queued(needs, model, kind, device, one, fixed)
        if queued is not None:
            return queued
    share = SUSTAINED_TIGHT if demand.latency_p99_ms or demand.low_latency else SUSTAINED_LOOSE
    rate = one.rate.expected * share
    hours = needs.hours
    if demand.kind == "rate":
        assert demand.per_second is not None
        count = fixed or ceil(demand.per_second / rate)
        used = kind.devices * demand.per_second / rate
    else:
        assert demand.per_month is not None
        busy = demand.per_month / (rate * 3600)
        count = fixed or ceil(busy / hours)
        used = kind.devices * busy / hours
        if needs.profile.latency in ("batch", "none"):
            hours = busy / count
    if not 0 < count <= MAX_INSTANCES:
        return SIZE
    speed = _together(model, kind, device, count, one)
    load = min(1.0, used / (kind.devices * count))
    return Size(count, _devices(kind, used, count), hours, None, speed, load)


def _size_queued(
    needs: Needs,
    model: SpeedModel,
    kind: InstanceType,
    device: Device,
    one: Speed,
    fixed: int | None,
) -> Size | str | None:
    """Instances that keep a p99 target under random arrivals.

    None where the batch latency of a mode is unknown.
    """
    from gpuadvisor.advice.queue_sizing import batched, unbatched

    demand = needs.demand
    arrivals = demand.per_second
    if arrivals is None:
        assert demand.per_month is not None
        arrivals = demand.per_month / (needs.hours * 3600)
    assert demand.latency_p99_ms is not None
    target = demand.latency_p99_ms / 1e3
    if needs.mode.name == BATCHED:
        lone = model.lone_seconds(device.name)
        if lone is None:
            return None
        found = batched(one, kind, arrivals, target, lone, fixed)
    else:
        found = unbatched(one, kind, arrivals, target, fixed)
    if isinstance(found, str):
        return found
    if found.instances > MAX_INSTANCES:
        return SIZE
    speed = _together(model, kind, device, found.instances, one)
    if speed is not None:
        speed = speed._replace(queue=found.queue)
    used = _devices(kind, found.devices, found.instances)
    load = min(1.0, found.devices / (kind.devices * found.instances))
    return Size(found.instances, used, needs.hours, None, speed, load)


def _together(
    model: SpeedModel, kind: InstanceType, device: Device, count: int, one: Speed | None
) -> Speed | None:
    """The speed of `count` instances, given that of one."""
    return one if count == 1 else model.speed(kind, device, count)


def _devices(kind: InstanceType, used: float, count: int) -> float:
    """Devices that really work: whole ones, at most all; a slice stays a slice."""
    if kind.fraction is not None:
        return kind.devices * count
    return float(min(ceil(used), kind.devices * count))


def _size_run(
    needs: Needs, model: SpeedModel, kind: InstanceType, device: Device, fixed: int | None
) -> Size | None:
    count = fixed or 1
    split = devices_per_replica(needs, kind, device) or 1
    if fixed is None:
        count = max(1, ceil(split / max(kind.devices, 1.0)))
    units, deadline = needs.demand.units, needs.demand.deadline_hours
    speed = model.speed(kind, device, count)
    if speed is None or units is None:
        return Size(count, _run_devices(needs, kind, count), needs.hours, None, speed)
    while fixed is None and deadline is not None and _hours(speed, units).expected > deadline:
        count *= 2
        speed = model.speed(kind, device, count)
        if speed is None or count > MAX_INSTANCES:
            return None
    run = _hours(speed, units)
    if deadline is not None and run.expected > deadline:
        return None
    return Size(count, _run_devices(needs, kind, count), run.expected, run, speed)


def _run_devices(needs: Needs, kind: InstanceType, count: int) -> float:
    return min(float(needs.devices or count * kind.devices), count * kind.devices)


MAX_INSTANCES = 4096


def _hours(speed: Speed, units: float) -> Range:
    """Hours of a run, low first: the fastest rate finishes soonest."""
    return Range(
        units / (speed.rate.high * 3600),
        units / (speed.rate.expected * 3600),
        units / (speed.rate.low * 3600),
    )
