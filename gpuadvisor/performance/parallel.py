"""A training split over devices: replicas, tensor and pipeline parallelism.

Bytes, seconds and tokens. A step feeds `micro` micro-batches through each replica; a replica is
`tensor` x `pipeline` devices. Tensor parallelism stays inside a node, whose links it fills; the
stages of a pipeline and the replicas lie on as many nodes as they take.
"""

from math import ceil
from typing import NamedTuple

from gpuadvisor.performance.collectives import Links
from gpuadvisor.performance.shape import ENCODER, ModelShape
from gpuadvisor.performance.training_memory import (
    KEEP_SELECTED,
    NO_SHARDING,
    ZERO1,
    ZERO2,
    ZERO3,
    Training,
    gathered_bytes,
    layer_activation_bytes,
    training_need,
)

MOST_CHUNKS = 8
"""Chunks of layers that a device of a pipeline holds at most, one after the other (interleaved
schedule, arXiv 2104.04473). With 8, one layer each, the runs of Llama 3 405B on 8,192 and 16,384
H100 agree on what is left beside the bubble: 45.5 and 45.8 % of peak."""

RECOMPUTING = 1 / 3
"""Extra work where a layer's forward pass is done again: 2 of 6 operations."""


class Layout(NamedTuple):
    """`data` replicas of `tensor` x `pipeline` devices; each takes `micro` micro-batches of
    `sequences` a step. `recomputed` is the share of layers whose activations are computed again,
    None where the measured share of peak already holds that."""

    data: int
    tensor: int = 1
    pipeline: int = 1
    sequences: int = 1
    micro: int = 1
    recomputed: float | None = None

    @property
    def replica(self) -> int:
        """Devices that hold one copy of the model."""
        return self.tensor * self.pipeline

    @property
    def devices(self) -> int:
        """Devices at work."""
        return self.data * self.replica


def chunks(layers: int, pipeline: int) -> int:
    """Chunks of layers on each device of a pipeline."""
    return 1 if pipeline == 1 else min(MOST_CHUNKS, ceil(layers / pipeline))


def bubble(pipeline: int, micro: int, chunk: int = 1) -> float:
    """Share of a step that a pipeline idles while it fills and drains.

    (p - 1) / (m + p - 1) (GPipe, arXiv 1811.06965); `chunk` pieces a device shorten it as if
    there were as many times the micro-batches (arXiv 2104.04473).
    """
    return (pipeline - 1) / (chunk * micro + pipeline - 1)


def evenness(layers: int, pipeline: int) -> float:
    """Mean over largest number of layers a stage: the largest stage sets the pace."""
    return layers / (pipeline * ceil(layers / pipeline))


def sharding_in(layout: Layout, sharding: str) -> str:
    """How states are shared under a pipeline: its many micro-batches would each gather the
    weights again, hence ZeRO-2 and 3 become ZeRO-1 (Megatron's distributed optimiser)."""
    return ZERO1 if layout.pipeline > 1 and sharding in (ZERO2, ZERO3) else sharding


# -- memory -------------------------------------------------------------------------------------


def recomputed_share(shape: ModelShape, how: Training, layout: Layout, room: float) -> float | None:
    """The least share of layers that must be computed again for a device to hold its part.

    None where even all of them leave too little of `room` bytes. Sequence parallelism splits
    all activations over `tensor` (arXiv 2205.05198); stage 1 of a pipeline keeps those of as
    many micro-batches as there are stages, at most.
    """
    assert shape.layers is not None and shape.hidden is not None
    how = how._replace(batch=layout.sequences, checkpointing=KEEP_SELECTED)
    held = _states(shape, how, layout)
    whole = layer_activation_bytes(shape, how) / layout.tensor
    width = how.batch * how.context * shape.hidden
    inputs = width * (2.0 if how.precision in ("bf16", "fp16") else 4.0) / layout.tensor
    logits = 0.0
    if shape.vocab and shape.kind != ENCODER:
        logits = how.batch * how.context * shape.vocab * 4.0 / layout.tensor
    stages, stage = layout.pipeline, ceil(shape.layers / layout.pipeline)
    # Interleaving keeps a little more alive: p + (p - 1) / v micro-batches.
    alive = min(float(layout.micro), stages + (stages - 1) / chunks(shape.layers, stages))
    kept = max(1.0, alive) * stage
    fixed = held + (logits if stages == 1 else 0.0) + whole
    if fixed + kept * inputs > room:
        return None
    over = fixed - whole + kept * whole - room
    return 0.0 if over <= 0 else min(1.0, (over + whole) / (kept * (whole - inputs)))


def _states(shape: ModelShape, how: Training, layout: Layout) -> float:
    """Weights, gradients and optimiser states of the fullest stage, and the framework."""
    ends = shape.embedding_params
    if layout.pipeline > 1 and not shape.tied:
        ends /= 2
    inner = (shape.params - shape.embedding_params) / layout.pipeline
    part = shape._replace(params=(inner + ends) / layout.tensor)
    how = how._replace(devices=layout.data, sharding=sharding_in(layout, how.sharding))
    need = training_need(part, how)
    held = need.total - need.activations
    if how.sharding == ZERO3 and layout.data > 1:
        held += gathered_bytes(shape, how) / layout.tensor
    return held


# -- traffic ------------------------------------------------------------------------------------


class Traffic(NamedTuple):
    """What a device sends in a step, in bytes, by what it is sent for."""

    data: float
    tensor: float
    pipeline: float


def collectives_per_step(sharding: str, micro: int) -> tuple[int, int]:
    """Passes over the weights: in every micro-batch, and once a step on top.

    A pass is one all-gather or reduce-scatter, half an all-reduce. Whole states and ZeRO-1
    accumulate gradients and exchange them once; ZeRO-2 keeps no whole gradient and reduces in
    every micro-batch; ZeRO-3 also gathers the weights there, forward and backward.
    """
    if sharding == ZERO3:
        return 3, 0
    if sharding == ZERO2:
        return 1, 1
    assert sharding in (NO_SHARDING, ZERO1) and micro > 0
    return 0, 2


def traffic(
    shape: ModelShape, context: int, sharding: str, layout: Layout, element: float
) -> Traffic:
    """Bytes that a device sends in one step.

    Tensor parallelism reduces twice forward and twice backward a layer, and twice more where the
    forward pass is done again (arXiv 1909.08053); a stage hands activations on and gradients
    back, once for each of its chunks.
    """
    assert shape.layers is not None and shape.hidden is not None
    each, once = collectives_per_step(sharding_in(layout, sharding), layout.micro)
    weights = shape.params * element / layout.replica
    data = (each * layout.micro + once) * weights * (layout.data - 1) / layout.data
    width = layout.sequences * context * shape.hidden * element * layout.micro
    share = 2 * (layout.tensor - 1) / layout.tensor
    reduces = 4 + 2 * (layout.recomputed or 0.0)
    tensor = reduces * share * width * shape.layers / layout.pipeline
    hops = 2 * chunks(shape.layers, layout.pipeline) if layout.pipeline > 1 else 0
    return Traffic(data, tensor, hops * width / layout.tensor)


def pass_seconds(links: Links, layout: Layout, params: float, element: float) -> float:
    """Seconds of one pass over the weights among the replicas, nothing hidden behind compute."""
    if layout.data <= 1:
        return 0.0
    held = params * element / layout.replica
    inside = max(1, links.devices // layout.replica)
    share = (layout.data - 1) / layout.data
    seconds = share * held / links.inside if inside > 1 else 0.0
    nodes = ceil(layout.data / inside)
    if nodes > 1:
        per_node = held * min(links.devices, layout.replica * inside) / inside
        seconds = max(seconds, (nodes - 1) / nodes * per_node / links.adapters)
    return seconds


def hop_seconds(
    links: Links, shape: ModelShape, context: int, layout: Layout, element: float
) -> float:
    """Seconds that the hand-overs of one micro-batch between stages take on a node's adapters."""
    if layout.pipeline == 1:
        return 0.0
    assert shape.layers is not None and shape.hidden is not None
    width = layout.sequences * context * shape.hidden * element
    beside = max(1, links.devices // layout.tensor)
    return 2 * chunks(shape.layers, layout.pipeline) * width * beside / links.adapters


# -- time ---------------------------------------------------------------------------------------


class Step(NamedTuple):
    """Parts of a step, in seconds: `compute` of all micro-batches at the share of peak, `tensor`
    the exchange within their layers, which nothing hides; `each` is exchanged in every
    micro-batch and `once` at the end of the step."""

    compute: float
    tensor: float
    each: float
    once: float


def exposed_seconds(step: Step, micro: int, overlap: float) -> float:
    """Exchange that `overlap` x compute of its own micro-batch does not hide.

    What is exchanged once a step has the last micro-batch alone to hide behind, however many
    are accumulated; it counts less because it is rarer.
    """
    window = overlap * step.compute / micro
    last = max(0.0, step.each + step.once - window)
    return (micro - 1) * max(0.0, step.each - window) + last


def step_seconds(step: Step, layers: int, layout: Layout, overlap: float) -> float:
    """Seconds of a step, the pipeline's filling and draining and exposed exchange included."""
    again = 1 + RECOMPUTING * (layout.recomputed or 0.0)
    busy = (step.compute * again + step.tensor) / evenness(layers, layout.pipeline)
    idle = bubble(layout.pipeline, layout.micro, chunks(layers, layout.pipeline))
    return busy / (1 - idle) + exposed_seconds(step, layout.micro, overlap)


def tensor_ratio(tensor: int, hidden: float, rate: float, busbw: float) -> float:
    """Exchange over compute of a layer under tensor parallelism, 16 bit, nothing hidden.

    Four all-reduces of s x h x 2 bytes, forward and backward, beside 72 s h^2 / t operations at
    `rate` FLOP/s: the tokens cancel and (t - 1) rate / (4.5 h busbw) is left.
    """
    return (tensor - 1) * rate / (4.5 * hidden * busbw)
