"""The parts of a workload class's slug, `train-cnn-fp32` or `llm-batch-eq`."""

from typing import NamedTuple

_MODES = ("batch", "latency", "server", "decode", "prefill")

# Pages are read one at a time in what was published: the host limits, as in latency runs.
_MODE_OF_KIND = {"ocr": "latency"}


class ClassParts(NamedTuple):
    """What a slug says: the kind of model, how it runs, and its variants."""

    kind: str
    mode: str
    fp32: bool
    small: bool


def class_parts(slug: str) -> ClassParts:
    """Split a slug: `train-cnn-fp32` is kind cnn, mode train, fp32.

    `-eq` (equal settings on every card) changes neither kind nor mode. A slug without a mode
    (`ocr`, `weather`) runs in batches.
    """
    rest, fp32 = _without(slug, "-fp32")
    rest, small = _without(rest, "-small")
    rest, _ = _without(rest, "-eq")
    if rest.startswith("train-"):
        return ClassParts(rest.removeprefix("train-"), "train", fp32, small)
    for mode in _MODES:
        if rest.endswith(f"-{mode}"):
            return ClassParts(rest.removesuffix(f"-{mode}"), mode, fp32, small)
    return ClassParts(rest, _MODE_OF_KIND.get(rest, "batch"), fp32, small)


def _without(text: str, suffix: str) -> tuple[str, bool]:
    return text.removesuffix(suffix), text.endswith(suffix)
