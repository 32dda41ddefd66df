"""What a named model asks for: its memory, and for language models how it is served or trained.

Loaded only when a request names a model or speaks of tokens.
"""

from typing import NamedTuple

from gpuadvisor.advice.request import Request
from gpuadvisor.advice.result import Range
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.names import nearest, normalise
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.llm_serving import Target, step_share
from gpuadvisor.performance.memory import (
    GIB,
    UTILISATION,
    Serving,
    kv_bytes_per_token,
    serving_need,
    weight_bytes,
)
from gpuadvisor.performance.queueing import cold_start
from gpuadvisor.performance.shape import DECODER, ModelShape, shape_of
from gpuadvisor.performance.training_memory import (
    FULL,
    LORA,
    ZERO3,
    Training,
    training_need,
)
from gpuadvisor.workload import interface as workload

FINETUNE = "llm-finetune"

BOOT_SECONDS = 32.0
"""From the call to the first boot script, median on AWS; 52 on GCP, 60 on Azure (Spare Cores)."""
ENGINE_SECONDS = 20.0
"""What vLLM takes beside loading weights (Run:ai Model Streamer benchmark)."""
LOAD_BYTES_PER_SECOND = 15e9 / 47.0
"""Llama-3-8B's 15 GB in 47 s by the default reader on gp3 and io2 alike (the same benchmark)."""

BEST_UTILISATION = 0.6
"""Share of a device's dense 16-bit peak that training reaches at best: MPT-13B on 8 x A100-80GB
59.6 % (mosaicml/llm-foundry), 530B on 2,240 A100 54.2 % (arXiv 2205.05198)."""


class LlmServing(NamedTuple):
    """A language model served. `requests` a second or `users` at all times, at most one of them;
    `step_share` and `prefill_share` are its times over those of the measured model. `lengths`
    says whether the user gave them.
    """

    shape: ModelShape
    title: str
    precision: str
    tokens_in: int
    tokens_out: int
    lengths: bool
    target: Target
    requests: float | None
    users: int | None
    measured: workload.Serving
    step_share: float
    prefill_share: float

    @property
    def promised(self) -> bool:
        """Whether any latency is asked for."""
        return any(bound is not None for bound in self.target)


class LlmTraining(NamedTuple):
    """A language model trained: its shape and how, its speed over the measured run's, and how
    much less arithmetic the method does in the same time than LoRA (quantised weights are
    unpacked at every use)."""

    shape: ModelShape
    title: str
    how: Training
    speed_share: float
    slowdown: float

    def fits(self, devices: int, usable_gib: float) -> bool:
        """Whether so many devices hold it together, states sharded when there are several."""
        how = self.how if devices == 1 else self.how._replace(devices=devices, sharding=ZERO3)
        return training_need(self.shape, how).total <= usable_gib * GIB * UTILISATION

    def bounded(self, rate: Range, tflops: float | None) -> Range:
        """The rate of one device kept to what its arithmetic allows.

        A token takes 4 operations a weight where the weights are frozen and 6 where all are
        trained; 60 % of the peak is the best that is expected, the whole peak the limit.
        """
        if tflops is None:
            return rate
        peak = tflops * 1e12 / (_operations(self.how.method) * active_params(self.shape))
        best = BEST_UTILISATION * self.slowdown * peak
        return Range(min(rate.low, best), min(rate.expected, best), min(rate.high, peak))


def implied_workload(catalog: Catalog, request: Request) -> str | None:
    """The workload that `--model` or `--method` stands for when none is named."""
    if request.method is not None:
        return FINETUNE
    if request.model is None:
        return None
    return str(find_document(catalog, request.model)[1].get("workload") or "") or None


def find_document(catalog: Catalog, text: str) -> tuple[str, dict[str, object]]:
    """A `models` document by name or alias; UsageError with the nearest names."""
    # Organisations stand before a slash: meta-llama/Meta-Llama-3-8B.
    wanted = normalise(text.rpartition("/")[2])
    documents = catalog.documents("models")
    for name, document in documents.items():
        if wanted in (normalise(name), *(normalise(a) for a in document.get("aliases", ()))):
            return name, dict(document)
    near = ", ".join(nearest(text, documents)) or ", ".join(sorted(documents))
    raise UsageError(message("fit.unknown_model", name=text[:80], nearest=near))


def find_shape(catalog: Catalog, text: str) -> tuple[ModelShape, str]:
    """The shape of a named model and its title."""
    name, document = find_document(catalog, text)
    return shape_of(name, document), str(document["title"])


# -- serving ------------------------------------------------------------------------------------


def llm_serving(catalog: Catalog, request: Request, profile: workload.Profile) -> LlmServing | None:
    """How a request wants a language model served; None for any other workload.

    Raises UsageError for a model that does not generate.
    """
    measured = profile.serving
    if measured is None:
        _refuse_llm_flags(request, profile)
        return None
    if request.method is not None:
        raise UsageError(message("advice.no_method", workload=profile.name))
    if request.qps is not None and request.concurrency is not None:
        raise UsageError(message("advice.rate_and_users"))
    reference, _ = find_shape(catalog, measured.model)
    shape, title = find_shape(catalog, request.model or measured.model)
    if shape.kind != DECODER:
        raise UsageError(message("advice.not_generative", model=title, workload=profile.name))
    precision = request.precision or profile.precision
    element = weight_bytes(shape, precision) / weight_bytes(reference, "fp16")
    latency = request.latency_p99_ms
    return LlmServing(
        shape=shape,
        title=title,
        precision=precision,
        tokens_in=request.input_tokens or measured.input_tokens,
        tokens_out=request.output_tokens or measured.output_tokens,
        lengths=bool(request.input_tokens and request.output_tokens),
        target=Target(
            _seconds(request.ttft_p99_ms), _seconds(request.tpot_p99_ms), _seconds(latency)
        ),
        requests=request.qps,
        users=request.concurrency,
        measured=measured,
        step_share=step_share(element, 1.0),
        prefill_share=active_params(shape) / active_params(reference),
    )


def active_params(shape: ModelShape) -> float:
    """Weights that one token passes through: of a mixture, the experts used."""
    if shape.experts <= 1 or not shape.hidden or not shape.layers:
        return shape.params
    experts = shape.layers * shape.hidden * (shape.ffn or 0) * (3 if shape.gated else 2)
    return max(1.0, shape.params - experts * (shape.experts - shape.experts_used))


def serving_memory_gib(found: LlmServing) -> float:
    """Device memory that one sequence at a time needs, in GiB of usable memory."""
    how = Serving(found.precision, 2.0, found.tokens_in + found.tokens_out)
    return serving_need(found.shape, how).total / UTILISATION / GIB


def weights_gib(found: LlmServing) -> float:
    """All weights as the checkpoint holds them, in GiB: what a common loader reads first."""
    return weight_bytes(found.shape, found.precision) / GIB


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1e3


def _refuse_llm_flags(request: Request, profile: workload.Profile) -> None:
    for flag in ("input_tokens", "output_tokens", "concurrency", "ttft_p99_ms", "tpot_p99_ms",
                 "api_price"):  # fmt: skip
        if getattr(request, flag) is not None:
            name = "--" + flag.removesuffix("_ms").replace("_", "-")
            raise UsageError(
                message("advice.not_a_language_model", flag=name, workload=profile.name)
            )


# -- training, and any other model ---------------------------------------------------------------


def llm_training(
    catalog: Catalog, request: Request, profile: workload.Profile
) -> LlmTraining | None:
    """How a request wants a language model trained; None where it says nothing about it."""
    tuning = profile.tuning
    if request.method is not None and tuning is None:
        raise UsageError(message("advice.no_method", workload=profile.name))
    if tuning is None or (request.model is None and request.method is None):
        return None
    reference, _ = find_shape(catalog, tuning.model)
    shape, title = find_shape(catalog, request.model or tuning.model)
    method = request.method or tuning.method
    if method not in tuning.methods:
        known = ", ".join(tuning.methods)
        raise UsageError(message("advice.no_such_method", method=method, known=known))
    how = Training(precision="bf16", method=method, context=tuning.context, batch=tuning.batch)
    speed = tuning.methods[method] / tuning.methods[tuning.method]
    share = speed * active_params(reference) / active_params(shape)
    lora = tuning.methods.get(LORA, 1.0) / _operations(LORA)
    slowdown = min(1.0, tuning.methods[method] / _operations(method) / lora)
    return LlmTraining(shape, title, how, share, slowdown)


def _operations(method: str) -> float:
    """Multiplications and additions a weight and token: forward and activations' gradients, and
    the weights' own gradients where all are trained."""
    return 6.0 if method == FULL else 4.0


def other_memory_gib(catalog: Catalog, request: Request) -> tuple[float, str] | None:
    """Device memory of one item at a time of any other named model, in GiB, and its title."""
    if request.model is None:
        return None
    shape, title = find_shape(catalog, request.model)
    context = min(512, shape.max_context or 512)
    need = serving_need(shape, Serving(request.precision or "fp16", 2.0, context))
    return need.total / UTILISATION / GIB, title


# -- what the header says -----------------------------------------------------------------------


def serving_notes(found: LlmServing) -> list[Message]:
    """The model, its lengths and what they make of the demand."""
    notes = [
        message(
            "advice.llm_model",
            title=found.title,
            precision=found.precision,
            weights=f"{weight_bytes(found.shape, found.precision) / GIB:.2f}",
            cache=f"{kv_bytes_per_token(found.shape):,.0f}",
        ),
        message(
            "advice.llm_lengths" if found.lengths else "advice.llm_lengths_assumed",
            tokens_in=f"{found.tokens_in:,}",
            tokens_out=f"{found.tokens_out:,}",
        ),
    ]
    if found.requests is not None:
        tokens = f"{found.requests * found.tokens_out:,.0f}"
        notes.append(message("advice.llm_rate", requests=f"{found.requests:g}", tokens=tokens))
    if found.promised:
        size = weight_bytes(found.shape, found.precision)
        seconds = cold_start(size, LOAD_BYTES_PER_SECOND, BOOT_SECONDS + ENGINE_SECONDS)
        notes.append(
            message("advice.cold_start", seconds=f"{seconds:.0f}", weights=f"{size / 1e9:.1f}")
        )
    if found.users is not None:
        notes.append(message("advice.llm_users", users=found.users))
    return notes


def training_notes(found: LlmTraining) -> list[Message]:
    """The model and the method, and how the speed was carried over."""
    return [
        message(
            "advice.llm_training",
            title=found.title,
            method=found.how.method,
            batch=found.how.batch,
            context=f"{found.how.context:,}",
            need=f"{training_need(found.shape, found.how).total / GIB:.1f}",
            share=f"{found.speed_share:.3g}",
        )
    ]
