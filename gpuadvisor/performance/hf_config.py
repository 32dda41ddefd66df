"""A Hugging Face `config.json` as a model shape.

The spellings of the architectures differ; a key that none of them has is read from the
architecture's own default, or the shape lacks it. Weights are counted from the shape, since the
file does not say how many there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpuadvisor.performance.shape import DECODER, ENCODER, ModelShape, count_params

ENCODERS = frozenset(
    {"bert", "roberta", "xlm-roberta", "distilbert", "electra", "deberta-v2", "modernbert", "vit"}
)
_GATED_ACTIVATIONS = frozenset({"silu", "swish", "swiglu", "geglu"})
_GATED_TYPES = ("gemma", "modernbert")

_SPELLINGS = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "hidden": ("hidden_size", "n_embd", "d_model", "dim"),
    "heads": ("num_attention_heads", "n_head", "n_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "n_head_kv"),
    "head_dim": ("head_dim",),
    "ffn": ("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "hidden_dim"),
    "vocab": ("vocab_size",),
    "max_context": ("max_position_embeddings", "n_positions", "max_seq_len", "n_ctx"),
}
_MAX = 10_000_000
"""No dimension of a model comes near; larger figures are a faulty file."""


class ConfigFault(ValueError):
    """The key of the file that is missing or no dimension, and what stands there."""

    def __init__(self, key: str, value: object) -> None:
        super().__init__(key)
        self.key = key
        self.value = value


def shape_from_config(config: Mapping[str, Any], name: str = "config.json") -> ModelShape:
    """The shape that a configuration describes; ConfigFault for what cannot be a model."""
    text = config.get("text_config")
    if isinstance(text, dict):
        config = {**config, **text}
    found = {field: _dimension(config, keys) for field, keys in _SPELLINGS.items()}
    for field in ("layers", "hidden", "heads", "vocab"):
        if found[field] is None:
            raise ConfigFault(_SPELLINGS[field][0], None)
    kind = str(config.get("model_type", "")).lower()
    layers, hidden, heads = found["layers"], found["hidden"], found["heads"]
    assert layers and hidden and heads
    kv_heads = 1 if config.get("multi_query") is True else found["kv_heads"] or heads
    experts = _dimension(config, ("num_local_experts", "num_experts", "n_routed_experts")) or 1
    expert_ffn = _dimension(config, ("moe_intermediate_size",))
    window, windowed, states = _attention(config, kind, layers)
    shape = ModelShape(
        name=name,
        kind=ENCODER if kind in ENCODERS else DECODER,
        params=0.0,
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=found["head_dim"] or hidden // heads,
        ffn=expert_ffn if experts > 1 and expert_ffn else found["ffn"] or 4 * hidden,
        vocab=found["vocab"],
        gated=_gated(config, kind),
        tied=_tied(config, kind),
        experts=experts,
        experts_used=_dimension(config, ("num_experts_per_tok", "experts_per_token")) or 1,
        max_context=found["max_context"],
        window=window,
        windowed_layers=windowed,
        state_layers=states,
        state_bytes=_state_bytes(config, states),
        latent=_latent(config),
    )
    return shape._replace(params=count_params(shape))


def _dimension(config: Mapping[str, Any], keys: tuple[str, ...]) -> int | None:
    for key in keys:
        value = config.get(key)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _MAX:
            raise ConfigFault(key, value)
        return value
    return None


def _gated(config: Mapping[str, Any], kind: str) -> bool:
    activation = str(config.get("hidden_act", config.get("activation_function", ""))).lower()
    return activation in _GATED_ACTIVATIONS or kind.startswith(_GATED_TYPES)


def _tied(config: Mapping[str, Any], kind: str) -> bool:
    value = config.get("tie_word_embeddings")
    if isinstance(value, bool):
        return value
    # The library ties them unless told otherwise, and so do Gemma, GPT-2 and BERT.
    return kind.startswith("gemma") or not _gated(config, kind)


def _attention(config: Mapping[str, Any], kind: str, layers: int) -> tuple[int | None, int, int]:
    """The window, the layers that have one, and those that keep a state instead of a cache."""
    window = _dimension(config, ("sliding_window", "sliding_window_size"))
    types = config.get("layer_types")
    if isinstance(types, list):
        names = [str(name) for name in types[:layers]]
        windowed = sum(name.startswith(("sliding", "local", "chunked")) for name in names)
        states = sum(name.startswith(("linear", "mamba", "recurrent")) for name in names)
        return window, windowed if window else 0, states
    if window is None or config.get("use_sliding_window") is False:
        return None, 0, 0
    if kind.startswith("gemma3"):
        every = _dimension(config, ("sliding_window_pattern",)) or 6
        return window, layers - layers // every, 0
    if kind.startswith("gemma2"):
        return window, layers - layers // 2, 0
    return window, layers, 0


def _state_bytes(config: Mapping[str, Any], states: int) -> float:
    """A gated linear attention layer: value heads x key width x value width in fp32."""
    if not states:
        return 0.0
    heads = _dimension(config, ("linear_num_value_heads",)) or 0
    key = _dimension(config, ("linear_key_head_dim",)) or 0
    value = _dimension(config, ("linear_value_head_dim",)) or 0
    return 4.0 * heads * key * value


def _latent(config: Mapping[str, Any]) -> int | None:
    rank = _dimension(config, ("kv_lora_rank",))
    rotary = _dimension(config, ("qk_rope_head_dim",))
    return None if rank is None else rank + (rotary or 0)
