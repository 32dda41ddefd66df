"""Time of training against published runs: MPT (mosaicml/llm-foundry@061f2c7,
scripts/train/benchmarking/README.md) and Llama 2 (meta-llama/llama, MODEL_CARD.md)."""

import pytest

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.training import (
    NODE_DOUBLING,
    after_doublings,
    compute_seconds,
    efficiency,
    flops_per_token,
    model_flops_utilisation,
    utilisation,
)

A100, H100 = 312e12, 989.5e12
SHAPES = {
    "1b": (24, 2048), "3b": (32, 2560), "7b": (32, 4096), "13b": (40, 5120), "30b": (48, 7168),
    "70b": (80, 8192),
}  # fmt: skip
# Model, sequence, GPUs, peak, parameters, tokens/s, published MFU in percent.
MPT = [
    ("70b", 2048, 64, H100, 64862437376, 66523, 42.57),
    ("30b", 8192, 8, H100, 30019254272, 11072, 29.92),
    ("30b", 2048, 32, H100, 29975214080, 73860, 43.92),
    ("13b", 32768, 8, H100, 13011240960, 15812, 31.68),
    ("13b", 4096, 8, H100, 12864440320, 37740, 41.60),
    ("13b", 2048, 64, H100, 12853954560, 307209, 39.86),
    ("13b", 2048, 8, H100, 12853954560, 38336, 39.79),
    ("7b", 2048, 8, H100, 6658859008, 85144, 46.44),
    ("3b", 2048, 16, H100, 2651837440, 386285, 43.73),
    ("1b", 2048, 8, H100, 1315950592, 363645, 41.82),
    ("70b", 2048, 64, A100, 64862437376, 26274, 53.33),
    ("30b", 2048, 8, A100, 29975214080, 7330, 55.30),
    ("13b", 8192, 8, A100, 12885411840, 14362, 56.07),
    ("13b", 2048, 8, A100, 12853954560, 18097, 59.57),
    ("7b", 2048, 8, A100, 6658859008, 37130, 64.23),
]


@pytest.mark.parametrize(("model", "context", "gpus", "peak", "params", "rate", "mfu"), MPT)
def test_mpt_table(
    model: str, context: int, gpus: int, peak: float, params: float, rate: float, mfu: float
) -> None:
    per_token = flops_per_token(params, *SHAPES[model], context)
    found = 100 * model_flops_utilisation(rate, per_token, gpus, peak)
    assert found == pytest.approx(mfu, abs=0.05)


def test_flops_of_mpt_13b() -> None:
    # 6 x 12,853,954,560 + 12 x 40 x 5,120 x 2,048
    assert flops_per_token(12853954560, 40, 5120, 2048) == 82156892160


# Parameters and A100-80GB hours of Llama 2 on 2T tokens, and the 6ND utilisation they come to.
@pytest.mark.parametrize(
    ("params", "hours", "mfu"),
    [(6.738e9, 184320, 0.391), (13.016e9, 368640, 0.377), (68.977e9, 1720320, 0.428)],
)
def test_llama_2_model_card(params: float, hours: float, mfu: float) -> None:
    rate = 2e12 / (hours * 3600)
    assert model_flops_utilisation(rate, 6 * params, 1, A100) == pytest.approx(mfu, abs=0.001)


@pytest.mark.parametrize(("mfu", "seconds"), [(0.44, 2.45), (0.596, 1.81)])
def test_step_of_13b_on_eight_a100(mfu: float, seconds: float) -> None:
    """32,768 tokens a step: 32,768 x 8.2157e10 / (8 x 312e12 x MFU)."""
    per_token = flops_per_token(12853954560, 40, 5120, 2048)
    assert compute_seconds(32768, per_token, 8, A100, mfu) == pytest.approx(seconds, abs=0.01)


@pytest.mark.parametrize(
    ("exchange", "overlap", "share"),
    [(0.0, 0.8, 1.0), (0.8, 0.8, 1.0), (0.887, 0.8, 0.92), (1.3, 0.8, 1 / 1.5)],
)
def test_efficiency_is_lost_to_exposed_exchange(
    exchange: float, overlap: float, share: float
) -> None:
    """92 % means that 8.7 % of compute is exposed."""
    assert efficiency(1.0, exchange, overlap) == pytest.approx(share, abs=5e-4)


# Tokens/s/GPU over the smallest run: H100 128 -> 512, A100-40GB 8 -> 128 (the same tables).
@pytest.mark.parametrize(
    ("ratio", "kept"),
    [(4, 0.952), (4, 0.962), (4, 0.975), (4, 0.923), (4, 0.903),
     (16, 0.985), (16, 0.948), (16, 0.968), (16, 0.927), (16, 0.909)],
)  # fmt: skip
def test_published_scaling_lies_within_the_range(ratio: int, kept: float) -> None:
    low, _, high = NODE_DOUBLING
    assert after_doublings(ratio, low) - 0.001 <= kept <= after_doublings(ratio, high) + 0.001


def test_utilisation_by_device(catalog: Catalog) -> None:
    known = catalog.documents("training")
    a100, h100 = utilisation(known, "A100-80GB-SXM"), utilisation(known, "H100-80GB-SXM")
    # The rows above at sequence 2,048 lie inside the ranges for 7B to 70B.
    assert a100[:3] == (0.49, 0.55, 0.64)
    assert h100[:3] == (0.36, 0.42, 0.46)
    assert not utilisation(known, "L40S").benchmarked
