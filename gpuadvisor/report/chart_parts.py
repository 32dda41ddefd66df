"""What the charts are drawn with: an SVG being written, scales with round ticks, measured text.

Colours and fonts are classes of the page's style sheet, so that a chart follows its page into the
dark and onto paper. Lengths are user units, which are CSS pixels at the chart's natural width.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

from gpuadvisor.report.text import printable, width, wrap

TEXT = 13.0
"""Font size of every text in a chart."""

LINE = 18.0
"""Height of a line of text."""

COLOURS = 6
"""The style sheet has classes `c1` to `c6`."""

_COLUMN = 0.56 * TEXT
"""Width of one terminal column of text; a wide character takes two. Errs on the wide side."""


def text_width(text: str) -> float:
    """Width that a text takes at most, in user units."""
    return width(text) * _COLUMN


def wrapped(text: str, room: float) -> list[str]:
    """Lines of a text that fit into `room`; Chinese has no spaces, so long words are cut."""
    columns = max(8, int(room / _COLUMN))
    lines: list[str] = []
    for line in wrap(text, columns):
        while width(line) > columns:
            cut = len(line)
            while width(line[:cut]) > columns:
                cut -= 1
            lines.append(line[:cut])
            line = line[cut:]
        lines.append(line)
    return lines


class Scale(NamedTuple):
    """Maps values from `low` to `high` onto positions from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """The position of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def scale_of(values: Sequence[float], start: float, end: float, most: int = 5) -> Scale:
    """A scale from 0 (or the least value below it) on, with at most `most` round steps."""
    low, high = min(0.0, *values), max(0.0, *values)
    if low == high:
        high = 1.0
    step = _round_step((high - low) / most)
    first, last = floor(low / step), ceil(high / step - 1e-9)
    ticks = tuple(n * step for n in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], start, end, ticks)


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `least`."""
    power = 10.0 ** floor(log10(least))
    return next(f * power for f in (1.0, 2.0, 2.5, 5.0, 10.0) if f * power >= least * (1 - 1e-9))


def tick_text(value: float, ticks: Sequence[float]) -> str:
    """A tick's number with the decimals that the step needs."""
    step = abs(ticks[1] - ticks[0])
    decimals = max(0, -floor(log10(step))) if step < 1 else 0
    if step < 10 and round(step, decimals) != round(step, 6):
        decimals += 1  # a step of 2.5 or 0.25
    return f"{value:,.{decimals}f}"


def amount_text(value: float) -> str:
    """A value on a chart: whole from a hundred on, else to two decimals, never a false 0."""
    if 0 < abs(value) < 0.005:
        return f"{value:.2g}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"


class Drawing:
    """An SVG under construction; text is escaped here and nowhere else."""

    def __init__(self, width: float) -> None:
        self.width = width
        self.height = 0.0
        self._parts: list[str] = []

    def text(self, x: float, y: float, text: str, role: str = "", anchor: str = "start") -> None:
        """A line of text whose baseline begins, is centred or ends at (x, y)."""
        body = escape(printable(text), quote=False)
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{_class(role)}>{body}</text>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, role: str) -> None:
        """A straight line."""
        self._parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{_class(role)}/>'
        )

    def box(self, x: float, y: float, width: float, height: float, role: str) -> None:
        """A filled rectangle."""
        self._parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}"'
            f' height="{max(height, 0):.1f}"{_class(role)}/>'
        )

    def path(self, points: Sequence[tuple[float, float]], role: str, closed: bool = False) -> None:
        """A line through points, or the area within."""
        route = " ".join(f"{'L' if n else 'M'}{x:.1f} {y:.1f}" for n, (x, y) in enumerate(points))
        self._parts.append(f'<path d="{route}{"Z" if closed else ""}"{_class(role)}/>')

    def disc(self, x: float, y: float, radius: float, role: str) -> None:
        """A filled circle."""
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"{_class(role)}/>')

    def key(self, y: float, entries: Sequence[tuple[str, str, str]]) -> float:
        """A legend of (`line` or `area`, class, words) from `y` on; returns the y under it."""
        x = 0.0
        for shape, role, words in entries:
            needed = 26 + text_width(words) + 14
            if x and x + needed > self.width:
                x, y = 0.0, y + LINE
            if shape == "line":
                self.line(x, y + 7, x + 20, y + 7, f"curve {role}")
            else:
                self.box(x + 3, y + 1, 14, 12, f"area {role}")
            self.text(x + 26, y + 12, words)
            x += needed
        return y + LINE

    def svg(self, id: str, title: str, description: str, role: str) -> str:
        """The whole element. A chart is one image to those who do not see it."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart {role}" role="img"'
            f' viewBox="0 0 {self.width:.0f} {ceil(self.height)}"'
            f' aria-labelledby="{id}-title {id}-desc">'
            f'<title id="{id}-title">{escape(printable(title), quote=False)}</title>'
            f'<desc id="{id}-desc">{escape(printable(description), quote=False)}</desc>'
            f"{''.join(self._parts)}</svg>"
        )


def _class(role: str) -> str:
    return f' class="{role}"' if role else ""
