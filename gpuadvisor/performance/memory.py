"""How much device memory a model needs: to serve it, and to train it.

All figures are bytes of one device; GiB are 2^30 bytes. Weights, caches and optimiser states
follow from the shape exactly; activations of training follow Korthikanti et al. (arXiv
2205.05198) or, for gated layers, a count of what autograd keeps; what no formula gives is a
measured peak of the catalog.
"""

from math import ceil
from typing import NamedTuple

from gpuadvisor.performance.shape import DECODER, ENCODER, INFERENCE, ModelShape, Peak

GIB = 1024.0**3

UTILISATION = 0.90
"""Share of a device's memory that is planned for: vLLM's default `gpu_memory_utilization`."""

OVERHEAD_GIB = 1.0
"""CUDA context, libraries and the activations of one step of a served decoder (chunked
prefill): about 1 GiB (design notes F32)."""


class Format(NamedTuple):
    """Bytes of a weight, of an embedding's weight, and of an activation, for one precision."""

    weight: float
    embedding: float
    activation: float


FORMATS = {
    "fp32": Format(4.0, 4.0, 4.0),
    "tf32": Format(4.0, 4.0, 4.0),
    "fp16": Format(2.0, 2.0, 2.0),
    "bf16": Format(2.0, 2.0, 2.0),
    "fp8": Format(1.0, 2.0, 2.0),
    "int8": Format(1.0, 2.0, 2.0),
    # 4 bits, a 16-bit scale and a 4-bit zero per group of 128 (GPTQ, AWQ).
    "int4": Format(0.5 + 2.5 / 128, 2.0, 2.0),
    # MXFP4: 4 bits and an 8-bit exponent per block of 32 (stas00/ml-engineering inference).
    "fp4": Format(0.53125, 2.0, 2.0),
    # NF4 with doubly quantised scales: 4.127 bits a weight (QLoRA, arXiv 2305.14314).
    "nf4": Format(4.127 / 8, 2.0, 2.0),
    # llama.cpp's mix quantises the embeddings too; files come to 0.57-0.60 B a weight.
    "q4_k_m": Format(0.60, 0.60, 2.0),
}


def weight_bytes(shape: ModelShape, precision: str) -> float:
    """All weights; quantisers leave embeddings and the output head in 16 bits."""
    of = FORMATS[precision]
    embedding = min(shape.embedding_params, shape.params)
    return (shape.params - embedding) * of.weight + embedding * of.embedding


# -- the cache of keys and values ---------------------------------------------------------------


def kv_bytes_per_token(shape: ModelShape, element: float = 2.0, split: int = 1) -> float:
    """Cached bytes of one token inside every window: 2 x layers x kv_heads x head_dim x bytes.

    `split` devices share the heads by tensor parallelism; below one head each, heads are
    repeated. A latent cache is not split at all.
    """
    layers = (shape.layers or 0) - shape.state_layers
    return layers * _kv_layer(shape, element, split)


def cache_bytes(shape: ModelShape, tokens: int, element: float = 2.0, split: int = 1) -> float:
    """The cache of one sequence of `tokens`: windowed layers stop growing, states never grow."""
    per_layer = _kv_layer(shape, element, split)
    seen = shape.full_layers * tokens
    if shape.windowed_layers:
        seen += shape.windowed_layers * min(tokens, shape.window or tokens)
    return per_layer * seen + shape.state_layers * shape.state_bytes / split


def _kv_layer(shape: ModelShape, element: float, split: int) -> float:
    if shape.latent is not None:
        return shape.latent * element
    if shape.kv_heads is None or shape.head_dim is None:
        return 0.0
    return 2 * ceil(shape.kv_heads / split) * shape.head_dim * element


# -- serving ------------------------------------------------------------------------------------


class Need(NamedTuple):
    """Bytes on each device. `cache` is zero where nothing is generated, `gradients` and
    `optimizer` where nothing is trained."""

    weights: float
    cache: float
    activations: float
    gradients: float
    optimizer: float
    overhead: float

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self)


class Serving(NamedTuple):
    """How a model is served. `split` devices hold it together (tensor parallelism)."""

    precision: str = "fp16"
    kv_bytes: float = 2.0
    context: int = 8192
    batch: int = 1
    split: int = 1
    overhead_gib: float = OVERHEAD_GIB


def serving_need(shape: ModelShape, how: Serving) -> Need:
    """Bytes per device to serve `batch` sequences (or images) at once.

    A decoder's activations stand in the overhead; an encoder's are computed; any other model's
    come from its measured peak.
    """
    cache = 0.0
    if shape.kind == DECODER:
        cache = how.batch * cache_bytes(shape, how.context, how.kv_bytes, how.split)
    overhead = how.overhead_gib * GIB
    weights = weight_bytes(shape, how.precision) / how.split
    activations = _serving_activations(shape, how) / how.split
    return Need(weights, cache, activations, 0.0, 0.0, overhead)


def _serving_activations(shape: ModelShape, how: Serving) -> float:
    element = FORMATS[how.precision].activation
    computed = 0.0
    if shape.kind == ENCODER and shape.hidden and shape.heads:
        # One layer is alive at a time: about 8 tensors as wide as the model, the two sides of
        # the feed-forward block, and scores before and after the softmax.
        wide = 8 * shape.hidden + 2 * (shape.ffn or 4 * shape.hidden)
        scores = 2 * shape.heads * how.context
        computed = how.batch * how.context * (wide + scores) * element
    return max(computed, measured_activations(shape, INFERENCE, how.batch, how.context, element))


def measured_activations(
    shape: ModelShape, phase: str, batch: int, context: int, element: float
) -> float:
    """Activations implied by a measured peak: what is left beside weights and overhead.

    Zero where nobody measured. A peak of 16-bit items doubles in fp32; it grows in proportion
    to the tokens of an item.
    """
    peak = peak_of(shape, phase)
    if peak is None:
        return 0.0
    fixed = peak.fixed_gib * GIB
    if phase == INFERENCE:
        fixed -= weight_bytes(shape, peak.precision) + OVERHEAD_GIB * GIB
    share = 1.0 if peak.size is None else context / peak.size
    wider = element / FORMATS[peak.precision].activation
    return max(fixed, 0.0) * wider + peak.per_item_gib * GIB * batch * share * wider


def peak_of(shape: ModelShape, phase: str) -> Peak | None:
    """The measured peak of a phase, or None."""
    return next((peak for peak in shape.peaks if peak.phase == phase), None)


def cached_tokens(shape: ModelShape, how: Serving, usable_bytes: float, utilisation: float) -> int:
    """Tokens of cache that `split` devices have room for, in sequences of `how.context` tokens.

    KV room = memory x utilisation - weights - overhead, as vLLM reserves it; 0 where not even
    the weights fit or where nothing is cached.
    """
    one = cache_bytes(shape, how.context, how.kv_bytes, how.split)
    if shape.kind != DECODER or one <= 0:
        return 0
    fixed = serving_need(shape, how._replace(batch=0)).total
    return max(0, int((usable_bytes * utilisation - fixed) / one * how.context))
