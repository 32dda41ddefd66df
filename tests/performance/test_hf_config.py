"""Configurations of public models give the shapes and weights that their cards print."""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor.performance.hf_config import ConfigFault, shape_from_config
from gpuadvisor.performance.memory import cache_bytes, kv_bytes_per_token
from gpuadvisor.performance.shape import ENCODER

LLAMA_3_8B = {
    "model_type": "llama", "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 14336,
    "max_position_embeddings": 8192, "num_attention_heads": 32, "num_hidden_layers": 32,
    "num_key_value_heads": 8, "tie_word_embeddings": False, "vocab_size": 128256,
}  # fmt: skip
MISTRAL = {
    **LLAMA_3_8B, "model_type": "mistral", "vocab_size": 32000, "sliding_window": 4096,
    "max_position_embeddings": 32768,
}  # fmt: skip
MIXTRAL = {**LLAMA_3_8B, "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2}
QWEN_2_5_7B = {
    "model_type": "qwen2", "hidden_act": "silu", "hidden_size": 3584, "intermediate_size": 18944,
    "num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4,
    "sliding_window": 131072, "use_sliding_window": False, "tie_word_embeddings": False,
    "vocab_size": 152064,
}  # fmt: skip
GPT_2 = {
    "model_type": "gpt2", "activation_function": "gelu_new", "n_embd": 768, "n_head": 12,
    "n_layer": 12, "n_positions": 1024, "vocab_size": 50257,
}  # fmt: skip
BERT = {
    "model_type": "bert", "hidden_act": "gelu", "hidden_size": 768, "intermediate_size": 3072,
    "max_position_embeddings": 512, "num_attention_heads": 12, "num_hidden_layers": 12,
    "vocab_size": 30522,
}  # fmt: skip
GPT_OSS_20B = {
    "model_type": "gpt_oss", "hidden_act": "silu", "hidden_size": 2880, "intermediate_size": 2880,
    "head_dim": 64, "num_attention_heads": 64, "num_hidden_layers": 24, "num_key_value_heads": 8,
    "num_local_experts": 32, "experts_per_token": 4, "sliding_window": 128,
    "layer_types": ["sliding_attention", "full_attention"] * 12, "vocab_size": 201088,
    "tie_word_embeddings": False,
}  # fmt: skip

# Weights that the model cards and checkpoints state.
WEIGHTS = [
    (LLAMA_3_8B, 8_030_261_248, 1e-6),
    (MISTRAL, 7_241_732_096, 1e-6),
    (MIXTRAL, 46_702_792_704, 1e-5),
    (QWEN_2_5_7B, 7_615_616_512, 1e-4),
    (GPT_2, 124_439_808, 0.01),
    (BERT, 109_482_240, 0.01),
    (GPT_OSS_20B, 20_914_757_184, 1e-3),
]


@pytest.mark.parametrize(("config", "weights", "tolerance"), WEIGHTS)
def test_weights(config: dict[str, Any], weights: int, tolerance: float) -> None:
    assert shape_from_config(config).params == pytest.approx(weights, rel=tolerance)


def test_windows() -> None:
    """Mistral's window bounds every layer, Qwen's is switched off, gpt-oss has it in half."""
    assert cache_bytes(shape_from_config(MISTRAL), 32_768) == 4096 * 131_072
    assert shape_from_config(QWEN_2_5_7B).windowed_layers == 0
    oss = shape_from_config(GPT_OSS_20B)
    assert (oss.windowed_layers, oss.window) == (12, 128)


def test_qwen3_next_keeps_states() -> None:
    """Three of four layers are linear: 32 value heads x 128 x 128 in fp32 = 2 MiB each."""
    shape = shape_from_config(
        {
            "model_type": "qwen3_next", "hidden_act": "silu", "hidden_size": 2048,
            "intermediate_size": 5120, "num_attention_heads": 16, "num_key_value_heads": 2,
            "head_dim": 256, "num_hidden_layers": 48, "vocab_size": 151936,
            "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 12,
            "linear_num_value_heads": 32, "linear_key_head_dim": 128,
            "linear_value_head_dim": 128,
        }
    )  # fmt: skip
    assert (shape.state_layers, shape.full_layers) == (36, 12)
    assert shape.state_bytes == 2 * 2**20
    assert kv_bytes_per_token(shape) == 12 * 2 * 2 * 256 * 2


def test_latent_attention() -> None:
    config = {**LLAMA_3_8B, "kv_lora_rank": 512, "qk_rope_head_dim": 64}
    assert shape_from_config(config).latent == 576


def test_nested_text_model_and_encoder() -> None:
    nested = {"model_type": "gemma3", "text_config": {**LLAMA_3_8B, "model_type": "gemma3_text"}}
    assert shape_from_config(nested).layers == 32
    assert shape_from_config(BERT).kind == ENCODER


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({}, "num_hidden_layers"),
    ({**LLAMA_3_8B, "num_hidden_layers": "32"}, "num_hidden_layers"),
    ({**LLAMA_3_8B, "hidden_size": -1}, "hidden_size"),
    ({**LLAMA_3_8B, "vocab_size": True}, "vocab_size"),
    ({**LLAMA_3_8B, "intermediate_size": 1e4}, "intermediate_size"),
    ({**LLAMA_3_8B, "hidden_size": 10**12}, "hidden_size"),
]


@pytest.mark.parametrize(("config", "key"), FAULTS)
def test_faults_name_the_key(config: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigFault) as caught:
        shape_from_config(config)
    assert caught.value.key == key
