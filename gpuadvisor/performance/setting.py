"""What is known of a workload beside its class, and the keys that the speed tables have for it."""

from collections.abc import Iterator
from typing import NamedTuple

_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_LARGEST_BATCH = "512"
_BILLIONS = (1.5, 4.0, 9.0, 16.0, 40.0, 90.0)
_LARGEST_MODEL = "200b"


class Setting(NamedTuple):
    """None is unknown. Measurements of the same setting say more than those of the class.

    `workload` as measurements spell it (`resnet50`, `Llama-3-8B`), `precision` one of fp32, tf32,
    fp16, int8, int4, fp8, fp4, `software` the engine or framework (`TensorRT 10.2`, `vLLM`),
    `batch` or concurrency, `devices` that work together, `publisher` of the measurements
    (`mlcommons/inference_results_v2.0@425a0d30c:…`).
    """

    workload: str | None = None
    precision: str | None = None
    software: str | None = None
    batch: float | None = None
    devices: int | None = None
    publisher: str | None = None


UNKNOWN = Setting()


def setting_keys(setting: Setting, workload_class: str) -> Iterator[tuple[str, str]]:
    """The layers of a class's table that a setting can select, each with its key.

    Precision has none: it selects the peak rate, and effects beyond that were not found.
    """
    publisher = publisher_key(setting.publisher) if setting.publisher else ""
    if publisher:
        yield "publisher", publisher
    # An unnamed software is its publisher's own.
    software = software_key(setting.software) if setting.software else publisher
    if software:
        yield "software", software
    if setting.workload:
        yield "workload", workload_key(setting.workload)
    batch = batch_key(setting.batch) if setting.batch else ""
    if batch:
        yield "batch", batch
    size = size_key(setting.workload) if setting.workload and "llm" in workload_class else ""
    if size:
        yield "size", size
    if setting.devices:
        yield "parallel", "one" if setting.devices == 1 else "several"


def workload_key(workload: str) -> str:
    """A workload's name in lower case, letters and digits only."""
    return "".join(letter for letter in workload.lower() if letter.isalnum())


def software_key(software: str) -> str:
    """The engine without its version: `TensorRT 10.2, CUDA 12.4` is `tensorrt`."""
    words = software.lower().replace(",", " ").replace("(", " ").split()
    return words[0] if words else ""


def publisher_key(citation: str) -> str:
    """Who measured: the repository or page of a citation; all of MLCommons is `mlperf`.

    `NVIDIA/FasterTransformer@df4a753:docs/bert_guide.md` is `nvidia/fastertransformer`.
    """
    name = citation.strip().partition("@")[0].partition(" ")[0].lower()
    if name.startswith("mlcommons/") or "/inference_results_v" in name:
        return "mlperf"
    return name


def batch_key(batch: float) -> str:
    """The power of two at or above a batch or concurrency, at most 512."""
    return next((str(bound) for bound in _BATCHES if batch <= bound), _LARGEST_BATCH)


def size_key(model: str) -> str:
    """The class of size of a language model, from the billions in its name; '' if it says none.

    `Llama-3-8B` is `9b` (up to 9 billion parameters); of `Mixtral-8x7B` the 7 counts.
    """
    billions = max(_billions(model), default=0.0)
    if not billions:
        return ""
    return next((f"{bound:g}b" for bound in _BILLIONS if billions <= bound), _LARGEST_MODEL)


def _billions(name: str) -> Iterator[float]:
    """Numbers that end in B or M and are no part of a word: `8B`, `0.5b`, `135M`."""
    digits = ""
    for letter, following in zip(name, f"{name} "[1:], strict=True):
        if letter.isdecimal() or (letter == "." and "." not in digits and following.isdecimal()):
            digits += letter
            continue
        if letter in "bBmM" and digits.strip(".") and not following.isalpha():
            yield float(digits) / (1.0 if letter in "bB" else 1000.0)
        digits = ""
