"""Ways to spoil a sound catalog: each yields a file that must be refused, at a line."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import strategies as st

Spoil = Callable[[str, int], str]
"""A file's text and a random number -> the spoiled text, or the same where there is no place."""

_WORDS = ("abc", "-1", "nan", "inf", "1e400", "''", "[]", "{}", "1" * 5000, "½", "0x10", "true")
_NUMBERS = r"(?:memory_gib|bandwidth_gbs|fp16_tflops): (?P<x>[\d.]+)"
_COUNTS = r"(?:vcpus|devices): (?P<x>\d+)"
_PRICES = r"(?:\[|low: |typical: |USD: |CNY: )(?P<x>[\d.]+)"


def _at(pattern: str, text: str, number: int) -> re.Match[str] | None:
    found = list(re.finditer(pattern, text, re.M))
    return found[number % len(found)] if found else None


def _swap(pattern: str, *words: str) -> Spoil:
    def spoil(text: str, number: int) -> str:
        found = _at(pattern, text, number)
        if found is None:
            return text
        start, end = found.span("x" if "x" in found.groupdict() else 0)
        return text[:start] + words[number % len(words)] + text[end:]

    return spoil


def _twice(text: str, number: int) -> str:
    """A line of a block mapping, written a second time below itself."""
    found = _at(r"^ *[^\s#{\[][^:\n]*:[^\n]*\S$", text, number)
    return text if found is None else text[: found.end()] + "\n" + text[found.start() :]


def _cut_in_braces(text: str, number: int) -> str:
    found = _at(r"[{\[]", text, number)
    return text if found is None else text[: found.end()]


def _insert(piece: str, where: str = r"^") -> Spoil:
    def spoil(text: str, number: int) -> str:
        found = _at(where, text, number)
        return text if found is None else text[: found.end()] + piece + text[found.end() :]

    return spoil


SPOILS: dict[str, Spoil] = {
    "a number that is none": _swap(_NUMBERS, *_WORDS),
    "a count that is none": _swap(_COUNTS, *_WORDS, "1.5", "0.0001", str(10**30)),
    "a price that is none": _swap(_PRICES, *_WORDS, "0", "1e9", "1e-99", "-0"),
    "an unknown device": _swap(r"device: (?P<x>\w+)", "T5", "Q", "t-4", "null", "T4 T4"),
    "an unknown source": _swap(r"(?:source: |, )(?P<x>s)(?=[\]},])", "z", "S", "''", "s#s"),
    "an unknown region": _swap(r"^    (?P<x>north|south)(?=: \{on)", "mars", "North", "no rth"),
    "an unknown word": _swap(
        r"(?:software|tier|status|geo|confidence|interconnect): (?P<x>\w+)",
        "wrong", "''", "[]", "CUDA!",
    ),
    "an unknown option": _swap(r"\b(on_demand|spot|reserved)\b", "rent", "on demand", "sp0t"),
    "an unknown schema": _swap(r"gpuadvisor/\w+/1", "gpuadvisor/x/1", "gpuadvisor/fx/2", "1", "{}"),
    "an unknown key": _swap(r"\b(family|title|arch|country|source)(?=: )", "famly", "x-y", "'a b'"),
    "a missing key": _swap(
        r"(family|vendor|arch|status|geo|confidence|address): \w+, ", ""
    ),
    "a list for a mapping": _swap(r"^\w+:(?P<x>\n(?:  .*\n)+)", " [s]\n", " s\n", " 5\n"),
    "nothing for a mapping": _swap(r"^\w+:(?P<x>\n(?:  .*\n)+)", "\n"),
    "a key written twice": _twice,
    "a brace left open": _cut_in_braces,
    "a brace too many": _insert("}", r"\}$"),
    "a tab": _insert("\t", r"^(?=\w)"),
    "a control character": _insert("\x07"),
    "a zero byte": _insert("\x00"),
    "a second document": _insert("\n---\n", r"\Z"),
    "an alias": _insert("*", r"source: (?=s)"),
    "a tag": _insert("!!python/object/apply:os.system ", r": (?=\w)"),
    "a nest": _insert("[" * 5000, r": (?=\w)"),
    "a key of several lines": _insert("? [a]\n: b\n", r"^(?=\w)"),
}  # fmt: skip

spoils = st.tuples(st.sampled_from(sorted(SPOILS)), st.integers(0, 10**6))
