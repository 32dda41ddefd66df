"""Memory of training against the ZeRO and Korthikanti papers and torchtune's measurements."""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.memory import GIB
from gpuadvisor.performance.shape import DECODER, ModelShape, shape_of
from gpuadvisor.performance.training_memory import (
    Training,
    classic_layer_bytes,
    trained_params,
    training_need,
)

ZERO = ModelShape("7.5B", DECODER, 7.5e9)

# ZeRO (arXiv 1910.02054), figure 1: GB of states of 7.5 B parameters on 64 devices.
STAGES = [("none", 120.0), ("zero1", 31.4), ("zero2", 16.6), ("zero3", 1.9)]


@pytest.mark.parametrize(("sharding", "gigabytes"), STAGES)
def test_zero_stages(sharding: str, gigabytes: float) -> None:
    need = training_need(ZERO, Training(sharding=sharding, devices=64))
    states = need.weights + need.gradients + need.optimizer
    assert states * 1e-9 == pytest.approx(gigabytes, abs=0.05)


# Bytes a parameter: mixed Adam 16, pure bf16 weights with fp32 moments 12, all bf16 8, fp32 16.
STATES = [
    ("bf16", "adamw", 16.0),
    ("bf16", "adamw-no-master", 12.0),
    ("bf16", "adamw-bf16", 8.0),
    ("fp32", "adamw", 16.0),
    ("fp32", "sgd", 8.0),
]


@pytest.mark.parametrize(("precision", "optimizer", "per_param"), STATES)
def test_bytes_a_parameter(precision: str, optimizer: str, per_param: float) -> None:
    need = training_need(ZERO, Training(precision=precision, optimizer=optimizer))
    assert (need.weights + need.gradients + need.optimizer) / 7.5e9 == per_param


def test_mixed_precision_halves_activations_not_states(catalog: Catalog) -> None:
    shape = shape_of("bert-large", catalog.document("models", "bert-large"))
    how = Training(precision="fp32", context=384, batch=8, checkpointing="none")
    wide, narrow = training_need(shape, how), training_need(shape, how._replace(precision="fp16"))
    assert narrow.activations == pytest.approx(wide.activations / 2)
    assert sum(narrow[i] for i in (0, 3, 4)) == sum(wide[i] for i in (0, 3, 4))


def test_qlora_paper() -> None:
    """Full 16-bit fine-tuning of 65 B takes over 780 GB (12 B each), 4 bits fit 48 GB."""
    shape = ModelShape("65B", DECODER, 65e9, 80, 8192, 64, 64, 128, 22016, 32000)
    full = training_need(shape, Training(optimizer="adamw-no-master"))
    assert (full.weights + full.gradients + full.optimizer) * 1e-9 == pytest.approx(780)
    assert training_need(shape, Training(method="qlora", context=512)).total < 48e9


# Korthikanti et al. (arXiv 2205.05198), GPT-3 175B: s 2048, b 1, h 12288, a 96, L 96, t 8.
# GiB of all layers: tensor parallel; with sequence parallel; selective; full recomputation.
def test_activations_of_gpt_3() -> None:
    s, h, a, layers = 2048, 12288, 96, 96

    def gib(**how: Any) -> float:
        return layers * classic_layer_bytes(s, 1, h, a, tensor=8, **how) / GIB

    assert gib() == pytest.approx(51.75, abs=0.01)
    assert gib(sequence=True) == pytest.approx(32.06, abs=0.01)
    assert gib(sequence=True, scores=False) == pytest.approx(9.56, abs=0.01)
    assert layers * 2 * s * h / GIB == pytest.approx(4.50, abs=0.01)


def test_activations_of_llama_7b_by_the_classic_formula() -> None:
    layers = [classic_layer_bytes(2048, 1, 4096, 32, scores=s) for s in (True, False)]
    assert [round(32 * layer / GIB, 1) for layer in layers] == [28.5, 8.5]


def test_copies_of_a_gated_layer(catalog: Catalog) -> None:
    """2 x 28 x 32768 x 4096 = 7 GiB for one layer of Llama-3.1-8B (stas00/ml-engineering)."""
    shape = shape_of("8b", catalog.document("models", "llama-3.1-8b"))
    one = shape._replace(layers=1, vocab=None)
    need = training_need(one, Training(context=32_768, checkpointing="none"))
    assert need.activations / GIB == pytest.approx(7.0, rel=0.03)


# pytorch/torchtune@0031bfb README, batch 2, sequences of 2,048: peak GiB a device. The 8B full
# runs step an 8-bit Adam inside the backward pass (states paged to the host on the 24 GB card);
# the LoRA run on 48 GB keeps activations as torch.compile cuts them.
TORCHTUNE: list[tuple[str, dict[str, Any], float]] = [
    ("llama-3.1-8b", {"optimizer": "adamw-8bit", "fused": True}, 37.4),
    ("llama-3.1-8b", {"optimizer": "paged-adamw-8bit", "fused": True}, 18.9),
    ("llama-3.1-8b", {"method": "lora", "checkpointing": "selective"}, 30.3),
    ("llama-3.1-8b", {"method": "lora"}, 16.2),
    ("llama-3.1-8b", {"method": "qlora"}, 7.4),
    ("llama-3.1-70b", {"devices": 8, "sharding": "zero3", "offload": "all"}, 13.9),
    ("llama-3.1-70b", {"devices": 8, "sharding": "zero3", "method": "lora"}, 27.6),
    ("llama-3.1-405b", {"devices": 8, "sharding": "zero3", "method": "qlora"}, 44.8),
]


@pytest.mark.parametrize(("name", "how", "gib"), TORCHTUNE)
def test_torchtune(catalog: Catalog, name: str, how: dict[str, Any], gib: float) -> None:
    shape = shape_of(name, catalog.document("models", name))
    found = training_need(shape, Training(batch=2, context=2048, **how)).total / GIB
    assert 0.90 * gib <= found <= 1.30 * gib


# Lambda's largest fp16 batches of BERT-large on SQuAD (384 tokens), by usable GiB of the card.
LARGEST = [(15.78, 16), (22.49, 28), (39.5, 48), (44.99, 64), (79.35, 112)]


@pytest.mark.parametrize(("usable", "batch"), LARGEST)
def test_largest_batch_of_bert(catalog: Catalog, usable: float, batch: int) -> None:
    """Never more than what ran; and not less than three quarters of it."""
    shape = shape_of("bert-large", catalog.document("models", "bert-large"))

    def fits(size: int) -> bool:
        how = Training(precision="fp16", context=384, batch=size, checkpointing="none")
        return training_need(shape, how).total <= 0.90 * usable * GIB

    found = max(size for size in range(1, 200) if fits(size))
    assert 0.75 * batch <= found <= batch


def test_lora_counts_both_matrices(catalog: Catalog) -> None:
    """Rank 8 on all seven matrices of Llama-3-8B: 20,971,520 weights (PEFT prints the same)."""
    shape = shape_of("8b", catalog.document("models", "llama-3-8b"))
    assert trained_params(shape, Training(method="lora")) == 20_971_520
