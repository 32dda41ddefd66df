"""Comments of an emitted file: one place that keeps what people wrote inside its line."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable

from gpuadvisor.catalog.message import Message

Say = Callable[[Message], str]
"""Turns a message into text in the reader's language; `report` provides it."""

COLUMNS = 88


def one_line(text: str) -> str:
    """The text without line breaks and control characters, which would end the comment."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(text.split()))


def commented(text: str, lead: str = "# ") -> list[str]:
    """The text as comment lines of at most COLUMNS; a word is never broken."""
    return textwrap.wrap(
        one_line(text),
        COLUMNS,
        initial_indent=lead,
        subsequent_indent=lead,
        break_long_words=False,
        break_on_hyphens=False,
    )


def head(lines: Iterable[Message | str], say: Say) -> list[str]:
    """The comment at the top: messages are wrapped, commands stand on a line of their own."""
    found: list[str] = []
    for line in lines:
        if isinstance(line, Message):
            found += commented(say(line))
        else:
            found.append(f"#   {one_line(line)}")
    return found
