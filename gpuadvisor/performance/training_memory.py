"""What training keeps on a device beside the weights: gradients, optimiser states, activations.

Mixed-precision Adam keeps 16 bytes a parameter (2 weights, 2 gradients, 12 optimiser: an fp32
master copy and two moments), which the ZeRO paper (arXiv 1910.02054) splits over N devices in
three stages. fp32 training keeps 16 as well (4 + 4 + 8): mixed precision halves activations,
not Adam's states.
"""

from typing import NamedTuple

from gpuadvisor.performance.memory import (
    FORMATS,
    GIB,
    OVERHEAD_GIB,
    Need,
    measured_activations,
    weight_bytes,
)
from gpuadvisor.performance.shape import ENCODER, TRAINING, ModelShape

FULL, LORA, QLORA = METHODS = ("full", "lora", "qlora")
NO_SHARDING, ZERO1, ZERO2, ZERO3 = SHARDINGS = ("none", "zero1", "zero2", "zero3")
KEEP_ALL, KEEP_SELECTED, KEEP_INPUTS = CHECKPOINTING = ("none", "selective", "full")
"""What the backward pass finds in memory: everything; all but what is cheap to compute again
(attention scores, norms, gates); or the input of each layer alone."""
NO_OFFLOAD, OFFLOAD_OPTIMIZER, OFFLOAD_ALL = OFFLOADS = ("none", "optimizer", "all")

LORA_RANK = 8
"""The default of Hugging Face PEFT and of torchtune's recipes."""


class Optimizer(NamedTuple):
    """Bytes of state per trained parameter, and whether 16-bit weights keep an fp32 master."""

    state: float
    master: bool


OPTIMIZERS = {
    "adamw": Optimizer(8.0, True),
    "adamw-no-master": Optimizer(8.0, False),
    "adamw-bf16": Optimizer(4.0, False),
    # 8-bit moments with an fp32 scale per block of 256 (bitsandbytes).
    "adamw-8bit": Optimizer(2.0 + 8 / 256, False),
    # The same, in host memory that the driver pages in: none of it has to stay on the device.
    "paged-adamw-8bit": Optimizer(0.0, False),
    # Row and column sums instead of a second moment: next to nothing.
    "adafactor": Optimizer(0.0, True),
    "sgd": Optimizer(0.0, True),
    "sgd-momentum": Optimizer(4.0, True),
}


class Training(NamedTuple):
    """How a model is trained. `batch` is the micro-batch of one device, `devices` share the
    states as `sharding` says. `fused` steps the optimiser inside the backward pass, so that the
    gradient of one matrix is alive at a time."""

    precision: str = "bf16"
    method: str = FULL
    optimizer: str = "adamw"
    sharding: str = NO_SHARDING
    devices: int = 1
    context: int = 2048
    batch: int = 1
    checkpointing: str = KEEP_INPUTS
    offload: str = NO_OFFLOAD
    lora_rank: int = LORA_RANK
    fused: bool = False
    overhead_gib: float = OVERHEAD_GIB


def training_need(shape: ModelShape, how: Training) -> Need:
    """Bytes per device of one training step at its peak."""
    trained = trained_params(shape, how)
    element = FORMATS[how.precision].weight
    frozen = 0.0
    if how.method != FULL:
        frozen = weight_bytes(shape, "nf4" if how.method == QLORA else how.precision)
    rule = OPTIMIZERS[how.optimizer]
    state = rule.state + (4.0 if rule.master and element < 4 else 0.0)
    n = how.devices
    weights = (frozen + trained * element) / (n if how.sharding == ZERO3 else 1)
    gradients = trained * element / (n if how.sharding in (ZERO2, ZERO3) else 1)
    if how.fused and how.method == FULL:
        gradients = min(gradients, largest_matrix(shape) * element)
    optimizer = trained * state / (n if how.sharding != NO_SHARDING else 1)
    if how.offload in (OFFLOAD_OPTIMIZER, OFFLOAD_ALL):
        optimizer = 0.0
    if how.offload == OFFLOAD_ALL:
        weights, gradients = 0.0, 0.0
    activations = activation_bytes(shape, how)
    if how.offload == OFFLOAD_ALL or (how.sharding == ZERO3 and n > 1):
        activations += gathered_bytes(shape, how)
    return Need(weights, 0.0, activations, gradients, optimizer, how.overhead_gib * GIB)


def trained_params(shape: ModelShape, how: Training) -> float:
    """All parameters, or those of LoRA: rank x (in + out) of every matrix of every layer."""
    if how.method == FULL:
        return shape.params
    if not shape.layers or not shape.hidden:
        return 0.01 * shape.params
    hidden = shape.hidden
    q = (shape.heads or 1) * (shape.head_dim or hidden)
    kv = (shape.kv_heads or 1) * (shape.head_dim or hidden)
    ffn = shape.ffn or 4 * hidden
    ends = 2 * (hidden + q) + 2 * (hidden + kv)
    ends += (3 if shape.gated else 2) * (hidden + ffn) * shape.experts
    return float(how.lora_rank * shape.layers * ends)


def largest_matrix(shape: ModelShape) -> float:
    """Weights of the largest matrix: an embedding, or one side of the feed-forward block."""
    hidden = shape.hidden or 0
    return float(hidden * max(shape.vocab or 0, shape.ffn or 4 * hidden)) or shape.params


def gathered_bytes(shape: ModelShape, how: Training) -> float:
    """Whole layers on a device that holds only its share: the one at work, the one fetched
    ahead, and in full training the gradient of the first. 0 where the layers are unknown.

    Frozen layers travel as they are stored, quantised.
    """
    if not shape.layers:
        return 0.0
    layer = (shape.params - shape.embedding_params) / shape.layers
    stored = FORMATS["nf4" if how.method == QLORA else how.precision].weight
    copies = 3 if how.method == FULL else 2
    return copies * layer * stored


# -- activations --------------------------------------------------------------------------------


def activation_bytes(shape: ModelShape, how: Training) -> float:
    """Activations at the peak of a step, the logits and their gradient among them.

    With full checkpointing the inputs of all layers stay, and either one layer that is computed
    again or the logits: they are never alive together. Never less than a measured peak.
    """
    element = FORMATS[how.precision].activation
    measured = measured_activations(shape, TRAINING, how.batch, how.context, element)
    if not shape.layers or not shape.hidden or not shape.heads:
        return measured
    layer = layer_activation_bytes(shape, how)
    logits = 0.0
    if shape.vocab and shape.kind != ENCODER:
        logits = how.batch * how.context * shape.vocab * 4.0  # the loss is taken in fp32
    if how.checkpointing == KEEP_INPUTS:
        inputs = shape.layers * how.batch * how.context * shape.hidden * element
        return inputs + max(layer, logits)
    return max(shape.layers * layer + logits, measured)


def layer_activation_bytes(shape: ModelShape, how: Training) -> float:
    """What one layer keeps for its backward pass.

    Classic layers: Korthikanti's sbh (34 + 5as/h), without the scores 34 sbh. Gated layers run
    with flash attention; norms in fp32, projections, residuals and four feed-forward tensors
    make 14 + 2 kv/h + 4 ffn/h copies of sbh, for Llama-3.1-8B 28.5 where 28 was measured
    (stas00/ml-engineering, training/performance). Where pointwise operations are computed again
    (`selective`, as torch.compile does) 5 + 2 kv/h + 2 ffn/h are left.
    """
    assert shape.hidden is not None and shape.heads is not None
    wider = FORMATS[how.precision].activation / 2.0
    every = how.checkpointing != KEEP_SELECTED
    if not shape.gated:
        return wider * classic_layer_bytes(
            how.context, how.batch, shape.hidden, shape.heads, scores=every
        )
    kv = (shape.kv_heads or shape.heads) * (shape.head_dim or shape.hidden // shape.heads)
    ffn = (shape.ffn or 4 * shape.hidden) * shape.experts_used
    copies = (14 if every else 5) * shape.hidden + 2 * kv + (4 if every else 2) * ffn
    return wider * 2.0 * how.batch * how.context * copies


def classic_layer_bytes(
    s: int, b: int, h: int, a: int, *, tensor: int = 1, sequence: bool = False, scores: bool = True
) -> float:
    """Bytes of one fp16 transformer layer with dropout (Korthikanti et al., equations 1 to 4).

    `s` tokens, `b` sequences, width `h`, `a` heads. `tensor` devices split the layer; `sequence`
    splits what tensor parallelism leaves whole. Without `scores` (selective recomputation, flash
    attention) the s x s matrices are not kept.
    """
    squares = 5.0 * a * s / h if scores else 0.0
    if tensor > 1 and not sequence:
        return s * b * h * (10.0 + 24.0 / tensor + squares / tensor)
    return s * b * h * (34.0 + squares) / tensor
