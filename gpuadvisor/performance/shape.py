"""What a model is made of, as far as its memory goes: counts, never tensors.

A shape comes from a catalog document (`models`), from a Hugging Face `config.json`
(`performance.hf_config`) or from the user's flags.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

DECODER = "decoder"
ENCODER = "encoder"
OTHER = "other"
KINDS = (DECODER, ENCODER, OTHER)
"""`decoder` generates token by token and caches keys and values; `encoder` is a transformer that
does not; `other` (convolutions, diffusion, pipelines) is known by its measured peaks alone."""

INFERENCE = "inference"
TRAINING = "training"


class Peak(NamedTuple):
    """Peak device memory that somebody measured: `fixed_gib` + `per_item_gib` x batch, in GiB.

    `size` is the tokens of an item where the peak grows with them.
    """

    phase: str
    precision: str
    fixed_gib: float
    per_item_gib: float
    size: int | None
    measured: str
    source: str


class ModelShape(NamedTuple):
    """A model's dimensions; `None` is unknown.

    `params` counts all weights. `gated` says that the feed-forward block has three matrices
    (SwiGLU) and not two. `tied` says that input and output embeddings are one matrix. Of the
    `layers`, `windowed_layers` attend to the last `window` tokens only and `state_layers` keep
    `state_bytes` per sequence whatever its length (linear attention, state spaces). `latent` is
    the number of cached values per token and layer where keys and values are compressed
    together (multi-head latent attention).
    """

    name: str
    kind: str
    params: float
    layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    ffn: int | None = None
    vocab: int | None = None
    gated: bool = True
    tied: bool = False
    experts: int = 1
    experts_used: int = 1
    max_context: int | None = None
    window: int | None = None
    windowed_layers: int = 0
    state_layers: int = 0
    state_bytes: float = 0.0
    latent: int | None = None
    peaks: tuple[Peak, ...] = ()
    source: str | None = None

    @property
    def embedding_params(self) -> float:
        """Weights of the token embeddings and the output head; 0 where the vocabulary is unknown.

        Quantisers leave them in 16 bits.
        """
        if self.vocab is None or self.hidden is None:
            return 0.0
        return float(self.vocab * self.hidden * (1 if self.tied or self.kind == ENCODER else 2))

    @property
    def full_layers(self) -> int:
        """Layers whose attention sees the whole context."""
        return (self.layers or 0) - self.windowed_layers - self.state_layers


def shape_of(name: str, document: Mapping[str, Any]) -> ModelShape:
    """A compiled `models` document as a value."""
    known = {key: document[key] for key in _PLAIN if key in document}
    heads = document.get("heads")
    hidden = document.get("hidden")
    if heads and hidden:
        known.setdefault("head_dim", hidden // heads)
        known.setdefault("kv_heads", heads)
    return ModelShape(
        name=name,
        peaks=tuple(
            Peak(
                p["phase"],
                p["precision"],
                p["fixed_gib"],
                p.get("per_item_gib", 0.0),
                p.get("size"),
                p["measured"],
                p["source"],
            )
            for p in document.get("peaks", ())
        ),
        **known,
    )


_PLAIN = tuple(field for field in ModelShape._fields if field not in ("name", "peaks"))


def count_params(shape: ModelShape) -> float:
    """Weights of a transformer of this shape; biases and positions (below 0.1 %) are left out.

    Attention has four matrices, the feed-forward block two or three per expert, each layer two
    norms. Raises ValueError where a dimension is unknown.
    """
    dims = (shape.layers, shape.hidden, shape.heads, shape.kv_heads, shape.head_dim, shape.ffn)
    if None in dims or shape.vocab is None:
        raise ValueError("layers, hidden, heads, kv_heads, head_dim, ffn and vocab")
    layers, hidden, heads, kv_heads, head_dim, ffn = (int(d) for d in dims if d is not None)
    attention = hidden * head_dim * (2 * heads + 2 * kv_heads)
    feed_forward = hidden * ffn * (3 if shape.gated else 2) * shape.experts
    router = hidden * shape.experts if shape.experts > 1 else 0
    return shape.embedding_params + layers * (attention + feed_forward + router + 2 * hidden)
