"""Memory of served models against figures that engines and papers printed."""

from __future__ import annotations

import pytest

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.memory import (
    GIB,
    Serving,
    cache_bytes,
    cached_tokens,
    kv_bytes_per_token,
    serving_need,
    weight_bytes,
)
from gpuadvisor.performance.shape import DECODER, OTHER, ModelShape, count_params, shape_of


def model(catalog: Catalog, name: str) -> ModelShape:
    return shape_of(name, catalog.document("models", name))


# Formats whose weights are not whole bytes: (model, precision, GiB, who printed it).
WEIGHTS = [
    ("llama-3-8b", "fp16", 14.96),  # vLLM issue 12330, "model weights take 14.96GiB"
    ("llama-3-8b", "fp8", 8.49),  # vLLM log of Meta-Llama-3-8B-Instruct-FP8, embeddings in 16 bits
    ("llama-3-8b", "int4", 5.34),  # vLLM log of the AWQ checkpoint, group of 128
    ("llama-3.1-70b", "fp8", 67.7),  # vLLM log of Meta-Llama-3.1-70B-Instruct-FP8
]


@pytest.mark.parametrize(("name", "precision", "gib"), WEIGHTS)
def test_weights(catalog: Catalog, name: str, precision: str, gib: float) -> None:
    assert weight_bytes(model(catalog, name), precision) / GIB == pytest.approx(gib, rel=0.005)


# Bytes a token: Llama 2 papers' shapes; OPT-13B is the 800 KiB of the vLLM paper (section 3);
# Qwen3-235B: 94 layers, 4 heads of 128 (vLLM issue 21348).
KV = [
    ("llama-2-7b", 524_288),
    ("llama-2-13b", 819_200),
    ("opt-13b", 800 * 1024),
    ("llama-3-8b", 131_072),
    ("llama-3-70b", 327_680),
    ("qwen3-235b-a22b", 192_512),
]


@pytest.mark.parametrize(("name", "per_token"), KV)
def test_cache_per_token(catalog: Catalog, name: str, per_token: int) -> None:
    assert kv_bytes_per_token(model(catalog, name)) == per_token


# MiB of cache at 2,048 tokens as llama.cpp prints it (dranger003/c4ai-command-r discussion 6).
LLAMA_CPP = [
    ("llama-3-8b", 256),
    ("llama-3-70b", 640),
    ("mixtral-8x7b", 256),
    ("command-r-35b", 2560),
]


@pytest.mark.parametrize(("name", "mib"), LLAMA_CPP)
def test_cache_of_llama_cpp(catalog: Catalog, name: str, mib: int) -> None:
    assert cache_bytes(model(catalog, name), 2048) == mib * 2**20


def test_cache_of_eight_sequences_of_llama_3_70b(catalog: Catalog) -> None:
    """8 x 8,192 x 327,680 B = 20 GiB; without grouped heads it would be eight times as much."""
    shape = model(catalog, "llama-3-70b")
    need = serving_need(shape, Serving(context=8192, batch=8))
    assert need.cache == 20 * GIB
    whole = shape._replace(kv_heads=64)
    assert serving_need(whole, Serving(context=8192, batch=8)).cache == 160 * GIB


# vLLM issue 12330: A100 of 39.50 GiB at 0.90; 5,691 blocks of 16 with 9.47 GiB of other use.
# The second is the same card with the default overhead, the third a 24 GB card (22.5 GiB).
TOKENS = [(39.50, 9.47, 91_056), (39.50, 1.0, 160_506), (22.5, 1.0, 35_167)]


@pytest.mark.parametrize(("gib", "overhead", "tokens"), TOKENS)
def test_cached_tokens(catalog: Catalog, gib: float, overhead: float, tokens: int) -> None:
    found = cached_tokens(
        model(catalog, "llama-3-8b"), Serving(overhead_gib=overhead), gib * GIB, 0.90
    )
    assert found == pytest.approx(tokens, rel=0.001)


def test_cache_over_four_devices(catalog: Catalog) -> None:
    """8.11 GiB on each of 4 x H100 were 178,880 tokens (vLLM issue 21348)."""
    shape = model(catalog, "qwen3-235b-a22b")
    assert 8.11 * GIB / kv_bytes_per_token(shape, split=4) == pytest.approx(178_880, rel=0.015)


def test_heads_are_repeated_below_one_a_device(catalog: Catalog) -> None:
    shape = model(catalog, "qwen3-235b-a22b")
    assert kv_bytes_per_token(shape, split=8) == kv_bytes_per_token(shape, split=4)


def test_window_stops_the_cache(catalog: Catalog) -> None:
    """Mistral 7B v0.1: a rolling buffer of 4,096 tokens; at 32k an eighth (arXiv 2310.06825)."""
    shape = model(catalog, "mistral-7b")
    assert cache_bytes(shape, 32_768) == cache_bytes(shape, 4096) == 4096 * 131_072
    half = model(catalog, "gemma-2-9b")
    assert cache_bytes(half, 8192) == pytest.approx(0.75 * 8192 * kv_bytes_per_token(half))


def test_hybrid_states_do_not_grow() -> None:
    shape = ModelShape("h", DECODER, 1e9, 4, 1024, 8, 2, 128, state_layers=3, state_bytes=1e6)
    one_layer = 2 * 2 * 128 * 2
    assert cache_bytes(shape, 1000) == 1000 * one_layer + 3e6
    assert cache_bytes(shape, 2000) - cache_bytes(shape, 1000) == 1000 * one_layer


def test_latent_cache_is_one_vector_a_layer(catalog: Catalog) -> None:
    """DeepSeek-V3: 61 layers x 576 values x 2 B = 70,272 B a token, on every device."""
    shape = model(catalog, "deepseek-v3")
    assert kv_bytes_per_token(shape) == kv_bytes_per_token(shape, split=8) == 70_272


# What did not fit must not be said to fit (XiongjieDai/GPU-Benchmarks-on-LLM-Inference): GiB that
# a card of that size shows at most, devices, precision.
OUT_OF_MEMORY = [
    ("llama-3-8b", "fp16", 12.0, 1),
    ("llama-3-70b", "q4_k_m", 32.0, 1),
    ("llama-3-70b", "fp16", 80.0, 1),
    ("llama-3-70b", "fp16", 24.0, 4),
    ("llama-3-8b", "fp16", 14.6, 1),
]


@pytest.mark.parametrize(("name", "precision", "gib", "split"), OUT_OF_MEMORY)
def test_never_fits_where_memory_ran_out(
    catalog: Catalog, name: str, precision: str, gib: float, split: int
) -> None:
    how = Serving(precision=precision, context=512, split=split)
    assert cached_tokens(model(catalog, name), how, gib * GIB, 0.90) == 0
    assert serving_need(model(catalog, name), how).total > 0.90 * gib * GIB


# And what ran: 70B in 4 bits on 48 GB and on 2 x 24, in fp8 on one H200; 8B on 24 GB.
RAN = [
    ("llama-3-70b", "q4_k_m", 47.99, 1),
    ("llama-3-70b", "q4_k_m", 23.64, 2),
    ("llama-2-70b", "fp8", 140.0, 1),
    ("llama-3-8b", "fp16", 22.5, 1),
]


@pytest.mark.parametrize(("name", "precision", "gib", "split"), RAN)
def test_fits_where_it_ran(
    catalog: Catalog, name: str, precision: str, gib: float, split: int
) -> None:
    how = Serving(precision=precision, context=512, split=split)
    assert serving_need(model(catalog, name), how).total <= 0.90 * gib * GIB


# Peaks that were measured, in GB of the source: batch, total.
PEAKS = [
    ("sd-1.5", 1, 3.2), ("sd-1.5", 4, 6.6), ("sd-1.5", 8, 11.1), ("sd-1.5", 16, 19.8),
    ("sdxl", 4, 21.7), ("whisper-large-v2", 1, 4.525), ("whisper-large-v2", 8, 6.09),
]  # fmt: skip


@pytest.mark.parametrize(("name", "batch", "gigabytes"), PEAKS)
def test_measured_peaks(catalog: Catalog, name: str, batch: int, gigabytes: float) -> None:
    """Not below what was seen, and above it by no more than the CUDA context it may lack."""
    found = serving_need(model(catalog, name), Serving(batch=batch)).total * 1e-9
    assert 0.97 * gigabytes <= found <= 1.03 * gigabytes + 1.08


def test_shapes_give_the_published_number_of_weights(catalog: Catalog) -> None:
    """Every gated decoder without compressed attention to 0.01 %, older ones to 0.2 %.

    The older ones have biases and learned positions, BERT a pooler beside.
    """
    seen = 0
    for name in catalog.names("models"):
        shape = model(catalog, name)
        if shape.kind == OTHER or shape.latent is not None:
            continue
        tolerance = (1e-4 if shape.vocab != 201_088 else 5e-4) if shape.gated else 1e-2
        assert count_params(shape) == pytest.approx(shape.params, rel=tolerance), name
        seen += 1
    assert seen > 30


def test_unknown_dimensions_are_refused() -> None:
    with pytest.raises(ValueError, match="layers"):
        count_params(ModelShape("x", DECODER, 1e9))
