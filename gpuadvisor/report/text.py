"""Text made safe and measured for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

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


_CLOSING, _OPENING = frozenset("，。；：、！？）》」』】"), frozenset("（《「『【")
"""Full-width punctuation, which brings its own space."""
_NOT_FIRST = _CLOSING | frozenset("…％")
_NOT_LAST = _OPENING | frozenset("/=")


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """Break so that no line is wider than `columns`; `indent` leads every line.

    Breaks stand at spaces and, where characters are wide (Chinese has no spaces), between any two
    of them, but for punctuation that may not begin or end a line.
    """
    lines: list[str] = []
    line = ""
    for gap, word in _pieces(text):
        candidate = f"{line}{gap}{word}" if line else word
        if line and width(indent + candidate) > columns:
            lines.append(indent + line)
            line = word
        else:
            line = candidate
    if line:
        lines.append(indent + line)
    return lines


def _pieces(text: str) -> Iterable[tuple[str, str]]:
    """(what stands before it, piece) of a text, each to be kept on one line."""
    if text.isascii():
        return ((" ", word) for word in text.split())
    return _wide_pieces(text)


def _wide_pieces(text: str) -> Iterator[tuple[str, str]]:
    last = ""
    for word in text.split():
        spaced = last[-1:] not in _CLOSING | _OPENING and word[0] not in _CLOSING | _OPENING
        gap = " " if spaced else ""
        start = 0
        for i in range(1, len(word)):
            if _breaks(word[i - 1], word[i]):
                yield gap, word[start:i]
                gap, start = "", i
        yield gap, word[start:]
        last = word


def _breaks(before: str, after: str) -> bool:
    if before in _NOT_LAST or after in _NOT_FIRST:
        return False
    return not (before.isascii() and after.isascii()) and 2 in (width(before), width(after))
