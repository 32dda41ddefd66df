"""What a person asks `fit` for, typed once; None means "not said"."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gpuadvisor.advice.request import read_count, read_number, request_from
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.names import nearest
from gpuadvisor.performance.memory import FORMATS, OVERHEAD_GIB, UTILISATION
from gpuadvisor.performance.training_memory import (
    CHECKPOINTING,
    METHODS,
    OFFLOADS,
    OPTIMIZERS,
    SHARDINGS,
)

KV_PRECISIONS = {"fp16": 2.0, "bf16": 2.0, "fp8": 1.0, "int8": 1.0}
TRAINING_PRECISIONS = ("fp32", "tf32", "fp16", "bf16")
SHARED = ("gpus", "device", "software", "provider", "today")
"""Fields that mean here what they mean in `recommend`."""


class FitRequest(NamedTuple):
    """The arguments of `fit`. `config` is a parsed `config.json`; dimensions override the
    model's. `gpus` fixes the number of devices; memory is in GiB, `utilisation` a share."""

    model: str | None = None
    config: Mapping[str, Any] | None = None
    params: float | None = None
    layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    ffn: int | None = None
    vocab: int | None = None
    context: int | None = None
    batch: int = 1
    precision: str | None = None
    kv_precision: str = "fp16"
    train: bool = False
    method: str = "full"
    optimizer: str = "adamw"
    sharding: str = "none"
    checkpointing: str | None = None
    offload: str = "none"
    lora_rank: int | None = None
    optimizer_in_backward: bool = False
    gpus: int | None = None
    device: tuple[str, ...] = ()
    software: str = "cuda"
    provider: tuple[str, ...] = ()
    overhead_gib: float = OVERHEAD_GIB
    utilisation: float = UTILISATION
    today: str | None = None


def fit_request(fields: Mapping[str, Any]) -> FitRequest:
    """Type a mapping of flag names to text or plain values.

    Raises UsageError naming the flag, its value and what is expected.
    """
    named = {key.replace("-", "_"): value for key, value in fields.items()}
    shared = request_from({key: named.pop(key, None) for key in SHARED})
    typed: dict[str, Any] = {
        "gpus": shared.gpus,
        "device": shared.device,
        "software": shared.software or "cuda",
        "provider": shared.provider,
        "today": shared.today,
    }
    for key, value in named.items():
        if key not in _READERS:
            near = ", ".join("--" + n.replace("_", "-") for n in nearest(key, _READERS)) or "-"
            raise UsageError(message("advice.unknown_field", field=key[:60], nearest=near))
        if value is not None:
            typed[key] = _READERS[key](key, value)
    found = FitRequest(**typed)
    _consistent(found, named)
    return found


def _consistent(found: FitRequest, named: Mapping[str, Any]) -> None:
    counted = found.params or all((found.layers, found.hidden, found.heads, found.vocab))
    if found.model is None and found.config is None and not counted:
        raise UsageError(message("fit.no_model"))
    if found.model is not None and found.config is not None:
        raise UsageError(message("fit.two_models"))
    if not found.train:
        for key in _TRAINING_ONLY:
            if named.get(key):
                raise UsageError(message("fit.needs_train", flag="--" + key.replace("_", "-")))
    elif found.precision is not None and found.precision not in TRAINING_PRECISIONS:
        raise UsageError(
            message(
                "fit.train_precision",
                value=found.precision,
                allowed=", ".join(TRAINING_PRECISIONS),
            )
        )


_TRAINING_ONLY = (
    "method", "optimizer", "sharding", "checkpointing", "offload", "lora_rank",
    "optimizer_in_backward",
)  # fmt: skip


def _bad(name: str, value: object, expected: str | Message) -> UsageError:
    flag = "--" + name.replace("_", "-")
    return UsageError(
        message("advice.bad_field", flag=flag, value=str(value)[:60], expected=expected)
    )


def _one_of(choices: Mapping[str, Any] | tuple[str, ...]) -> Callable[[str, object], str]:
    allowed = {word.replace("_", "-"): word for word in choices}

    def read(name: str, value: object) -> str:
        word = str(value).strip().lower().replace("_", "-")
        word = _SYNONYMS.get(word, word)
        if word not in allowed:
            raise _bad(name, value, ", ".join(choices))
        return allowed[word]

    return read


_SYNONYMS = {
    "fsdp": "zero3", "zero-1": "zero1", "zero-2": "zero2", "zero-3": "zero3",
    "float16": "fp16", "half": "fp16", "bfloat16": "bf16", "float32": "fp32", "mixed": "bf16",
    "mxfp4": "fp4", "awq": "int4", "gptq": "int4", "q4": "q4-k-m",
    "adam": "adamw", "adamw-8-bit": "adamw-8bit", "adam8bit": "adamw-8bit",
}  # fmt: skip


def _text(name: str, value: object) -> str:
    text = str(value).strip()
    if not text or not text.isprintable():
        raise _bad(name, value, message("advice.expect_name"))
    return text[:200]


def _config(name: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _bad(name, type(value).__name__, message("advice.expect_config"))
    return value


def _flagged(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _bad(name, value, message("advice.expect_flag"))
    return value


def _gib(name: str, value: object) -> float:
    if str(value).strip() in ("0", "0.0"):
        return 0.0
    return read_number(name, value)


def _share(name: str, value: object) -> float:
    text = str(value).strip()
    try:
        share = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise _bad(name, value, message("advice.expect_part"))
    return share


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "model": _text,
    "config": _config,
    "params": read_number,
    **dict.fromkeys(
        ("layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocab", "batch",
         "lora_rank"),
        read_count,
    ),
    "context": lambda name, value: int(read_number(name, value)),
    "precision": _one_of(FORMATS),
    "kv_precision": _one_of(KV_PRECISIONS),
    "train": _flagged,
    "method": _one_of(METHODS),
    "optimizer": _one_of(OPTIMIZERS),
    "sharding": _one_of(SHARDINGS),
    "checkpointing": _one_of(CHECKPOINTING),
    "offload": _one_of(OFFLOADS),
    "optimizer_in_backward": _flagged,
    "overhead_gib": _gib,
    "utilisation": _share,
}  # fmt: skip
