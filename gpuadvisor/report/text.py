"""Text made safe and measured for a terminal."""

from __future__ import annotations

from collections.abc import Callable

Style = Callable[[str, str], str]
"""Gives a line the look of its role (`bold`, `option`, `warning`)."""


def plain(text: str, _: str) -> str:
    """No look at all: for pipes and files."""
    return text


def printable(text: str) -> str:
    """Replace control characters, so that a hostile name cannot drive the terminal."""
    return "".join(
        c if c == "\n" or c.isprintable() or c == "\t" else f"\\x{ord(c):02x}" for c in text
    )


def width(text: str) -> int:
    """Columns that `text` takes: wide East Asian characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def pad(text: str, columns: int) -> str:
    """`text` filled with spaces on the right to `columns`."""
    return text + " " * max(0, columns - width(text))


def right(text: str, columns: int) -> str:
    """`text` filled with spaces on the left to `columns`."""
    return " " * max(0, columns - width(text)) + text


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """Break at spaces so that no line is wider than `columns`; `indent` leads every line."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        candidate = f"{line} {word}" if line else word
        if line and width(indent + candidate) > columns:
            lines.append(indent + line)
            line = word
        else:
            line = candidate
    if line:
        lines.append(indent + line)
    return lines
