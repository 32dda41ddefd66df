"""Comments of an emitted file: one place that keeps what people wrote inside its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from gpuadvisor.catalog.message import Message

Say = Callable[[Message], str]
"""Turns a message into text in the reader's language; `report` provides it."""

COLUMNS = 88
_WIDE = re.compile(r"[\u2e80-\uffef]")
_CHUNKS = re.compile(r"\s+|[\u2e80-\uffef][，。；：、）]*|[^\s\u2e80-\uffef]+[，。；：、）]*")
"""Spaces, a wide character, or a word, with the punctuation that may not begin a line."""


def one_line(text: str) -> str:
    """The text without line breaks and control characters, which would end the comment."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(text.split()))


def commented(text: str, lead: str = "# ") -> list[str]:
    """The text as comment lines of at most COLUMNS; a word is never broken.

    Chinese has no spaces: it breaks between any two characters, and one takes two columns.
    """
    lines, held = [], ""
    for chunk in _CHUNKS.findall(one_line(text)):
        if held.strip() and _columns(lead + (held + chunk).rstrip()) > COLUMNS:
            lines.append(lead + held.strip())
            held = ""
        held += chunk
    return [*lines, lead + held.strip()] if held.strip() else lines


def _columns(text: str) -> int:
    return len(text) + len(_WIDE.findall(text))


def head(lines: Iterable[Message | str], say: Say) -> list[str]:
    """The comment at the top: messages are wrapped, commands stand on a line of their own."""
    found: list[str] = []
    for line in lines:
        if isinstance(line, Message):
            found += commented(say(line))
        else:
            found.append(f"#   {one_line(line)}")
    return found
