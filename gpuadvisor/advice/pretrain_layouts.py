"""How a training from scratch may be laid out over devices so that each holds its part."""

from collections.abc import Iterator
from math import ceil

from gpuadvisor.advice.pretrain import Pretrain
from gpuadvisor.advice.speed_model import usable_memory
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.performance.memory import GIB, UTILISATION
from gpuadvisor.performance.parallel import Layout, recomputed_share
from gpuadvisor.performance.training_memory import Training, training_need

MOST_SEQUENCES = 64
"""Sequences that a device takes at once at most; the MPT runs stop there."""

LEAST_TOKENS = 2048
"""Tokens of a micro-batch of a split model at least, as in every run that the shares of peak come
from: shorter ones leave the multipliers idle."""

MOST_TENSOR = 8
MOST_STAGES = 128
"""Of what is tried; the published runs stay below."""


def replicated(plan: Pretrain, kind: InstanceType, device: Device, devices: int) -> Layout | None:
    """Data parallelism alone: as many sequences at once as fit, a power of two."""
    room, how = _room(kind, device), _training(plan, devices)
    share = int(plan.batch_tokens // (devices * plan.context * (plan.accumulation or 1)))
    if share < 1 or training_need(plan.shape, how).total > room:
        return None
    count = 1
    while count < min(share, MOST_SEQUENCES) and (
        training_need(plan.shape, how._replace(batch=count * 2)).total <= room
    ):
        count *= 2
    count = min(count, share)
    return Layout(devices, 1, 1, count, plan.accumulation or share // count)


def split(
    plan: Pretrain, kind: InstanceType, device: Device, devices: int, zones: int
) -> Iterator[Layout]:
    """Layouts that split the model and hold it, for each width the shortest pipelines.

    A replica lies in one zone: there are as many of them as zones at least.
    """
    layers = plan.shape.layers or 1
    for tensor in _choices(plan.tensor, tensor_domain(kind), MOST_TENSOR):
        spare = 2
        for pipeline in _choices(plan.pipeline, layers, MOST_STAGES):
            if tensor * pipeline == 1:
                continue
            layout = _fitted(plan, kind, device, devices, tensor, pipeline)
            if layout is None or layout.data < zones:
                continue
            yield layout
            # A longer pipeline only idles longer once nothing has to be computed again.
            spare -= layout.recomputed == 0.0
            if not spare:
                break


def _fitted(
    plan: Pretrain, kind: InstanceType, device: Device, devices: int, tensor: int, pipeline: int
) -> Layout | None:
    """Few sequences at a time through a pipeline; without one, as many as need no recomputing."""
    data = devices // (tensor * pipeline)
    if not data:
        return None
    share = int(plan.batch_tokens // (data * plan.context * (plan.accumulation or 1)))
    least = ceil(LEAST_TOKENS / plan.context)
    if share < least:
        return None
    layout = Layout(data, tensor, pipeline, least, plan.accumulation or share // least)
    room, how = _room(kind, device), _training(plan, data)
    again = recomputed_share(plan.shape, how, layout, room)
    if again is None:
        return None
    layout = layout._replace(recomputed=again)
    while pipeline == 1 and layout.sequences * 2 <= min(share, MOST_SEQUENCES):
        count = layout.sequences * 2
        wider = layout._replace(sequences=count, micro=plan.accumulation or max(1, share // count))
        if recomputed_share(plan.shape, how, wider, room) != 0.0:
            break
        layout = wider._replace(recomputed=0.0)
    return layout


def _training(plan: Pretrain, devices: int) -> Training:
    precision = "fp32" if plan.element == 4 else "bf16"
    return Training(
        precision=precision, sharding=plan.sharding, devices=devices, context=plan.context
    )


def linked(kind: InstanceType) -> bool:
    """Whether NVLink or a fabric like it joins all devices of an instance."""
    return kind.interconnect in ("nvlink", "other")


def tensor_domain(kind: InstanceType) -> int:
    """Devices over which one layer may be split: those of a node that a fabric joins."""
    return int(kind.devices) if linked(kind) else 1


def _choices(asked: int | None, most: int, tried: int) -> list[int]:
    """The count asked for, if `most` allows it, else powers of two, to be `tried` up to."""
    if asked is not None:
        return [asked] if asked <= most else []
    top = min(most, tried)
    return [2**i for i in range(top.bit_length()) if 2**i <= top]


def _room(kind: InstanceType, device: Device) -> float:
    return usable_memory(kind, device) * GIB * UTILISATION
