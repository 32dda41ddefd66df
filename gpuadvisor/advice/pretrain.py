"""What a training from scratch asks for: parameters, tokens, sequences, how states are shared.

Loaded only when a request states them.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from gpuadvisor.advice.request import Request, read_count, read_number, together
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.compression import METHODS as COMPRESSIONS
from gpuadvisor.performance.compression import NONE as UNCOMPRESSED
from gpuadvisor.performance.shape import DECODER, ENCODER, ModelShape
from gpuadvisor.performance.training import flops_per_token
from gpuadvisor.performance.training_memory import NO_SHARDING, SHARDINGS, ZERO3
from gpuadvisor.workload import interface as workload

CONTEXTS = {"llm-pretrain": 2048, "train-transformer": 384}
"""Workloads that are timed by their operations, and tokens of a sequence where none are said:
those of the runs that the profiles cite (MPT; SQuAD in NVIDIA's BERT)."""

DEFAULT_MODEL = {"llm-pretrain": "mpt-13b"}

WIDTH_OVER_DEPTH = 128
"""Hidden width over layers of GPT-3 13B and 175B (arXiv 2005.14165, table 2.1): 5,120 / 40 and
12,288 / 96. With 12 L d^2 parameters it gives the shape of a model known by its size alone."""

TOKENS_PER_PARAMETER = 20
"""Compute-optimal training (arXiv 2203.15556)."""

HEAD = 128
VOCABULARY = 50257

PRECISIONS = ("fp32", "tf32", "fp16", "bf16", "fp8")

_CHOICES = {"sharding": SHARDINGS, "compression": COMPRESSIONS}
_NUMBERS = ("params", "tokens", "samples", "epochs", "batch_tokens")
"""Fields that are words, and those that need not be whole; the others are counts."""


GLOBAL_BATCH = 4_194_304
"""Tokens of a step over all devices at most: that of MPT-70B (mosaicml/llm-foundry) and Llama 2
(arXiv 2307.09288, 4M). More replicas than it has sequences find no work."""

LONG_RUN = 2.87e12
LONG_RUN_BATCH = 4 * GLOBAL_BATCH
"""Llama 3 405B went over to steps of 16M tokens after so many (arXiv 2407.21783, section 3.4.1):
a longer run bears a larger batch."""

MOST_ZONES = 6
TENSOR_WIDTHS = (1, 2, 4, 8, 16)
"""Heads and nodes come in powers of two, and no node joins more devices."""


class Pretrain(NamedTuple):
    """A training from scratch. `unit_tokens` are the tokens of one unit of the profile,
    `gpus` the devices in total where the user fixes them, as `tensor` and `pipeline` are the
    devices and stages that a replica is split over and `accumulation` the micro-batches of a
    step. A step takes `batch_tokens` at most; the nodes lie in `zones`."""

    shape: ModelShape
    title: str
    tokens: float
    context: int
    sharding: str
    precision: str
    unit_tokens: float
    estimated: bool
    gpus: int | None = None
    compression: str = UNCOMPRESSED
    batch_tokens: float = GLOBAL_BATCH
    accumulation: int | None = None
    tensor: int | None = None
    pipeline: int | None = None
    zones: int = 1

    @property
    def element(self) -> int:
        """Bytes of a gradient on the wire."""
        return 4 if self.precision in ("fp32", "tf32") else 2

    @property
    def per_token(self) -> float:
        """Model FLOPs of one token."""
        return flops_per_token(
            self.shape.params, self.shape.layers or 0, self.shape.hidden or 0, self.context
        )

    @property
    def units(self) -> float:
        """The run in the profile's unit of work."""
        return self.tokens / self.unit_tokens


def pretrain_of(catalog: Catalog, request: Request, profile: workload.Profile) -> Pretrain:
    """Type the fields of a training. Raises UsageError for what contradicts itself."""
    if profile.name not in CONTEXTS:
        flag = "--" + request.train[0][0].replace("_", "-")
        raise UsageError(
            message("advice.not_a_training", flag=flag, workload=profile.name,
                    known=", ".join(CONTEXTS))
        )  # fmt: skip
    fields = _typed(request.train)
    if request.method is not None:
        raise UsageError(message("advice.no_method", workload=profile.name))
    if fields.get("tokens") is not None and fields.get("samples") is not None:
        raise UsageError(message("advice.tokens_and_samples"))
    context = fields.get("seq_len", CONTEXTS[profile.name])
    shape, title, estimated = _shape(catalog, request, profile, fields.get("params"))
    tokens = _tokens(fields, profile, context, shape.params)
    tokens *= fields.get("epochs", 1.0)
    compressed = fields.get("compression", UNCOMPRESSED)
    # Compression is for whole gradients: it implies that states are whole, unless told otherwise.
    usual = ZERO3 if compressed == UNCOMPRESSED else NO_SHARDING
    plan = Pretrain(
        shape=shape,
        title=title,
        tokens=tokens,
        context=context,
        sharding=fields.get("sharding", usual),
        precision=_choice("precision", request.precision or profile.precision, PRECISIONS),
        unit_tokens=1.0 if profile.unit == "token" else float(context),
        estimated=estimated,
        gpus=request.gpus,
        compression=compressed,
        batch_tokens=_batch(fields, tokens),
        accumulation=fields.get("accumulation"),
        tensor=fields.get("tensor_parallel"),
        pipeline=fields.get("pipeline_parallel"),
        zones=fields.get("zones", 1),
    )
    _check(plan, request.nodes)
    return plan


def _typed(train: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Each field as its own reader types it. Raises UsageError naming all that are wrong."""
    typed: dict[str, Any] = {}
    faults: list[Message] = []
    for name, value in train:
        try:
            if name in _CHOICES:
                typed[name] = _choice(name, value, _CHOICES[name])
            else:
                typed[name] = (read_number if name in _NUMBERS else read_count)(name, value)
        except UsageError as error:
            faults.append(error.message)
    if faults:
        raise UsageError(together(faults))
    return typed


def _batch(fields: Mapping[str, Any], tokens: float) -> float:
    """Tokens of a step at most."""
    usual = LONG_RUN_BATCH if tokens > LONG_RUN else GLOBAL_BATCH
    return float(fields.get("batch_tokens", usual))


def _check(plan: Pretrain, nodes: int | None) -> None:
    """Refuse what cannot be. Raises UsageError."""
    if plan.compression != UNCOMPRESSED and plan.sharding != NO_SHARDING:
        raise UsageError(
            message("pretrain.compressed_shards", method=plan.compression, sharding=plan.sharding)
        )
    if plan.zones > MOST_ZONES or (nodes is not None and plan.zones > nodes):
        most = min(MOST_ZONES, nodes or MOST_ZONES)
        raise UsageError(message("pretrain.zones_most", zones=plan.zones, most=most))
    if plan.tensor is not None and plan.tensor not in TENSOR_WIDTHS:
        raise UsageError(
            message("advice.bad_field", flag="--tensor-parallel", value=plan.tensor,
                    expected=", ".join(map(str, TENSOR_WIDTHS)))
        )  # fmt: skip
    layers = plan.shape.layers or 1
    if plan.pipeline is not None and plan.pipeline > layers:
        raise UsageError(message("pretrain.stages_most", stages=plan.pipeline, layers=layers))
    replica = (plan.tensor or 1) * (plan.pipeline or 1)
    if plan.gpus is not None and replica > plan.gpus:
        raise UsageError(message("pretrain.gpus_least", gpus=plan.gpus, replica=replica))
    if plan.batch_tokens < plan.context:
        raise UsageError(
            message("pretrain.batch_least", batch=f"{plan.batch_tokens:g}", context=plan.context)
        )
    most = int(plan.batch_tokens // plan.context)
    if (plan.accumulation or 1) > most:
        raise UsageError(
            message("pretrain.micro_most", count=plan.accumulation, most=f"{most:,}",
                    batch=f"{plan.batch_tokens:,.0f}")
        )  # fmt: skip


def _shape(
    catalog: Catalog, request: Request, profile: workload.Profile, params: float | None
) -> tuple[ModelShape, str, bool]:
    if params is not None and request.model is not None:
        raise UsageError(message("advice.params_and_model"))
    if params is not None:
        kind = DECODER if profile.unit == "token" else ENCODER
        return shape_of_size(params, kind), "", True
    name = request.model or DEFAULT_MODEL.get(profile.name)
    if name is None:
        raise UsageError(message("advice.params_needed", workload=profile.name))
    from gpuadvisor.advice.model_needs import find_shape

    shape, title = find_shape(catalog, name)
    if not shape.layers or not shape.hidden:
        raise UsageError(message("advice.no_layers", model=title))
    return shape, title, False


def shape_of_size(params: float, kind: str = DECODER) -> ModelShape:
    """A transformer of so many parameters, as deep and wide as GPT-3's are."""
    layers = max(1, round((params / (12 * WIDTH_OVER_DEPTH**2)) ** (1 / 3)))
    hidden = max(HEAD, HEAD * round(sqrt(params / (12 * layers)) / HEAD))
    heads = hidden // HEAD
    return ModelShape(
        name="by size", kind=kind, params=params, layers=layers, hidden=hidden, heads=heads,
        kv_heads=heads, ffn=4 * hidden, vocab=VOCABULARY, gated=False, tied=True,
    )  # fmt: skip


def _tokens(
    fields: Mapping[str, Any], profile: workload.Profile, context: int, params: float
) -> float:
    if fields.get("samples") is not None:
        return float(fields["samples"]) * context
    if fields.get("tokens") is not None:
        return float(fields["tokens"])
    if profile.unit == "token" or profile.run is None:
        return TOKENS_PER_PARAMETER * params
    return profile.run.units * context


def _choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    word = str(value).strip().lower()
    word = {"fsdp": ZERO3, "ddp": "none"}.get(word, word)
    if word not in choices:
        raise UsageError(
            message("advice.bad_field", flag=f"--{name}", value=str(value)[:60],
                    expected=", ".join(choices))
        )  # fmt: skip
    return word


def pretrain_notes(plan: Pretrain) -> list[Message]:
    """The model, the work and how it is timed."""
    shape = plan.shape
    found = [
        message(
            "advice.pretrain_size" if plan.estimated else "advice.pretrain_model",
            title=plan.title,
            params=f"{shape.params / 1e9:.3g}",
            layers=shape.layers,
            hidden=f"{shape.hidden:,}",
            context=f"{plan.context:,}",
            precision=plan.precision,
            sharding="ddp" if plan.sharding == NO_SHARDING else plan.sharding,
            flops=f"{plan.tokens * plan.per_token:.3g}",
        ),
        message(
            "advice.pretrain_timed" if plan.zones == 1 else "pretrain.timed_apart", zones=plan.zones
        ),
    ]
    if plan.batch_tokens != GLOBAL_BATCH:
        found.append(message("pretrain.batch", tokens=f"{plan.batch_tokens:,.0f}"))
    if plan.accumulation is not None:
        found.append(message("pretrain.accumulation", count=plan.accumulation))
    return found
