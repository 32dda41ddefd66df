"""Spellings of names: one normal form, the prefix rule of families, and near misses.

Hot path: nothing is imported until a name was not understood.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpuadvisor.catalog.message import Message, message

_VENDORS = (
    "nvidia",
    "英伟达",
    "geforce",
    "tesla",
    "amd",
    "instinct",
    "intel",
    "habana",
    "amazon",
    "aws",
    "google",
    "huawei",
    "qualcomm",
    "xilinx",
)
_DROPPED = str.maketrans("", "", "-_()®™")
_LONGEST = 80
"""Near misses are searched for this many characters only: the search is quadratic in them."""


def normalise(text: str) -> str:
    """Fold a spelling: `NVIDIA-A100-SXM4-40GB`, `a100 sxm4 (40 GB)` -> `a100sxm440gb`.

    Case, white space, `-`, `_`, parentheses and trade marks do not count, nor do vendor and
    brand words in front (`NVIDIA Tesla T4` has two). A bare vendor stays, so that only the
    empty text gives the empty text.
    """
    folded = "".join(text.casefold().replace("(r)", "").replace("(tm)", "").split())
    folded = folded.translate(_DROPPED)
    while True:
        for vendor in _VENDORS:
            if folded.startswith(vendor) and folded != vendor:
                folded = folded[len(vendor) :]
                break
        else:
            return folded


def matches(device_name: str, wanted_name: str) -> bool:
    """Whether a canonical device name is `wanted_name`, or lies beneath it as a family.

    The border is a whole segment: `A100` covers `A100-40GB-SXM`, `A10` does not cover `A10G`.
    """
    device, wanted = device_name.casefold(), wanted_name.casefold()
    return device == wanted or device.startswith(wanted + "-")


def families_of(name: str, family: str) -> tuple[str, ...]:
    """Shorter names that cover `name`, shortest first and without itself.

    `families_of("A100-80GB-SXM", "A100")` is `("A100", "A100-80GB")`. A shorter name may also
    be a device of its own (`H200-141GB`, beneath it `H200-141GB-NVL`); the device then wins.
    Nothing is found where `name` does not lie beneath `family`.
    """
    if not matches(name, family):
        return ()
    found = []
    end = len(family)
    while 0 <= end < len(name):
        found.append(name[:end])
        end = name.find("-", end + 1)
    return tuple(found)


def nearest(text: str, candidates: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The candidates that `text` most probably meant, best first; none when nothing is near.

    Names that `text` begins come first, then those of similar letters. Candidates that differ
    in hyphens alone (`us-east-1`, `us-east1`) all stand, the one of the same length first.
    """
    # Only after a miss: the hot path does without it.
    from difflib import get_close_matches

    wanted = normalise(text)[:_LONGEST]
    spelled: dict[str, list[str]] = {}
    cases = {candidate.casefold(): candidate for candidate in sorted(candidates, reverse=True)}
    for candidate in sorted(cases.values()):
        spelled.setdefault(normalise(candidate), []).append(candidate)
    begun = sorted((f for f in spelled if wanted and f.startswith(wanted)), key=_short_first)
    close = get_close_matches(wanted, list(spelled), n=limit)
    found = [
        name
        for folded in dict.fromkeys(begun + close)
        for name in sorted(spelled[folded], key=lambda n: abs(len(n) - len(text)))
    ]
    return tuple(found[:limit])


def unknown_name(kind: str, name: str, candidates: Iterable[str]) -> Message:
    """What to say of a name that is none of `candidates`: the nearest of them, where any is."""
    near = ", ".join(nearest(name, candidates))
    what = kind_word(kind)
    if not near:
        return message("catalog.nothing_near", kind=what, name=name)
    return message("catalog.unknown_name", kind=what, name=name, nearest=near)


def kind_word(kind: str) -> Message:
    """What a name names (`instance type`), as a word of the catalogue."""
    return message(f"catalog.kind_{kind.replace(' ', '_')}")


def _short_first(folded: str) -> tuple[int, str]:
    return len(folded), folded
