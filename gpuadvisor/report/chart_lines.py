"""Charts over a horizontal axis: lines with marked points, and steps of a demand."""

from __future__ import annotations

from collections.abc import Sequence

from gpuadvisor.report.chart_parts import (
    COLOURS,
    LINE,
    Drawing,
    Scale,
    scale_of,
    text_width,
    tick_text,
    wrapped,
)
from gpuadvisor.report.page import Layer, Level, LineChart, Mark, Series, StepChart

_HEIGHT = 220.0
_DISC = 9.0


def line_chart(drawing: Drawing, chart: LineChart) -> None:
    """Lines in colours and dashes of their own; marked points carry a number, told beneath."""
    entries = [
        ("line", f"{_colour(n)}{' thick' if s.marked else ''}", s.name)
        for n, s in enumerate(chart.series)
    ]
    top = drawing.key(0, entries) + 12 + LINE
    ys = [y for s in chart.series for _, y in s.points]
    ys += [high for s in chart.series for _, _, high in s.band]
    xs = [x for s in chart.series for x, _ in s.points]
    x_scale, y_scale = _axes(drawing, top, ys or [0.0], xs or [0.0], chart.x_unit, chart.y_unit)
    for n, series in enumerate(chart.series):
        _line(drawing, series, _colour(n), x_scale, y_scale)
    y = top + _HEIGHT + 2 * LINE + 4
    for number, (mark, place) in enumerate(_placed(chart.marks, x_scale, y_scale), 1):
        drawing.disc(x_scale.at(mark.x), y_scale.at(mark.y), 3.5, "dot")
        drawing.disc(*place, _DISC, "disc")
        drawing.text(place[0], place[1] + 4.5, str(number), "number", "middle")
        drawing.disc(_DISC, y + 8, _DISC, "disc")
        drawing.text(_DISC, y + 12.5, str(number), "number", "middle")
        for line in wrapped(mark.label, drawing.width - 26):
            drawing.text(26, y + 12.5, line)
            y += LINE
        y += 3
    drawing.height = y


def _line(drawing: Drawing, series: Series, colour: str, x: Scale, y: Scale) -> None:
    if series.band:
        edge = [(x.at(at), y.at(low)) for at, low, _ in series.band]
        edge += [(x.at(at), y.at(high)) for at, _, high in reversed(series.band)]
        drawing.path(edge, f"band {colour}", closed=True)
    points = [(x.at(at), y.at(value)) for at, value in series.points]
    drawing.path(points, f"curve {colour}{' thick' if series.marked else ''}")


def _placed(marks: Sequence[Mark], x: Scale, y: Scale) -> list[tuple[Mark, tuple[float, float]]]:
    """Each mark with the centre of its numbered disc, above its point and clear of the others."""
    placed: list[tuple[Mark, tuple[float, float]]] = []
    for mark in sorted(marks, key=lambda m: (m.x, m.y)):
        at, height = x.at(mark.x), y.at(mark.y) - 2 * _DISC
        while any(
            abs(at - other[0]) < 2 * _DISC and abs(height - other[1]) < 2 * _DISC
            for _, other in placed
        ):
            height -= _DISC / 2
        placed.append((mark, (at, height)))
    return placed


def step_chart(drawing: Drawing, chart: StepChart) -> None:
    """Stacked steps, with dashed levels across."""
    used = [n for n, layer in enumerate(chart.layers) if any(layer.values)]
    entries = [("area", _colour(n), chart.layers[n].name) for n in used]
    top = drawing.key(0, entries) + 12 + LINE
    steps = max((len(layer.values) for layer in chart.layers), default=0)
    sums = [sum(layer.values[n] for layer in chart.layers) for n in range(steps)]
    heights = [*sums, *(level.value for level in chart.levels)]
    y_scale = scale_of(heights or [0.0], top + _HEIGHT, top)
    left = _y_axis(drawing, y_scale, chart.y_unit, top)
    slot = (drawing.width - left) / max(steps, 1)
    floor = [0.0] * steps
    for n in used:
        reached = _layer(drawing, chart.layers[n], floor, left, slot, y_scale, _colour(n))
        floor = reached
    _levels(drawing, chart.levels, left, y_scale)
    drawing.line(left, top + _HEIGHT, drawing.width, top + _HEIGHT, "axis")
    every = next(n for n in (1, 2, 3, 4, 6, 12, 24, 168, 1 << 30) if slot * n >= 24)
    for n in range(0, steps, every):
        x = left + slot * (n + 0.5)
        drawing.text(x, top + _HEIGHT + LINE - 2, str(chart.first + n), "tick", "middle")
    drawing.text(drawing.width, top + _HEIGHT + 2 * LINE - 2, chart.x_unit, "tick", "end")
    drawing.height = top + _HEIGHT + 2 * LINE + 4


def _layer(
    drawing: Drawing,
    layer: Layer,
    floor: Sequence[float],
    left: float,
    slot: float,
    y: Scale,
    colour: str,
) -> list[float]:
    """Draw one layer upon what is below it; returns the heights that it reaches."""
    reached = [below + value for below, value in zip(floor, layer.values, strict=True)]
    upper = _stairs(reached, left, slot, y)
    lower = _stairs(floor, left, slot, y)
    drawing.path([*upper, *reversed(lower)], f"area {colour}", closed=True)
    return reached


def _levels(drawing: Drawing, levels: Sequence[Level], left: float, y: Scale) -> None:
    """Dashed lines, each named at its right end: above it, or below where the next is close."""
    above = float("-inf")
    for level in sorted(levels, key=lambda level: -level.value):
        at = y.at(level.value)
        drawing.line(left, at, drawing.width, at, "level")
        close = at - above < 2 * LINE
        drawing.text(
            drawing.width - 4, at + (LINE - 4 if close else -5), level.label, "halo", "end"
        )
        above = at


def _stairs(
    values: Sequence[float], left: float, slot: float, y: Scale
) -> list[tuple[float, float]]:
    return [
        (left + slot * (n + end), y.at(value)) for n, value in enumerate(values) for end in (0, 1)
    ]


def _axes(
    drawing: Drawing,
    top: float,
    ys: Sequence[float],
    xs: Sequence[float],
    x_unit: str,
    y_unit: str,
) -> tuple[Scale, Scale]:
    """Grid, ticks and units; returns the two scales."""
    bottom = top + _HEIGHT
    y = scale_of(ys, bottom, top)
    left = _y_axis(drawing, y, y_unit, top)
    x = scale_of(xs, left, drawing.width - 14, 6 if drawing.width > 400 else 4)
    steps = x.ticks
    # The plot ends where the data do, not at the next round number.
    x = x._replace(high=max(xs) or x.high)
    for tick in steps:
        if tick <= x.high:
            at = x.at(tick)
            drawing.line(at, bottom, at, bottom + 4, "axis")
            drawing.text(at, bottom + LINE, tick_text(tick, steps), "tick", "middle")
    drawing.line(left, bottom, drawing.width, bottom, "axis")
    drawing.text(drawing.width, bottom + 2 * LINE - 2, x_unit, "tick", "end")
    return x, y


def _y_axis(drawing: Drawing, y: Scale, unit: str, top: float) -> float:
    """Horizontal grid with its numbers; returns where the plot begins."""
    labels = [tick_text(tick, y.ticks) for tick in y.ticks]
    left = max(text_width(label) for label in labels) + 8
    drawing.text(0, top - LINE + 4, unit, "tick")
    for tick, label in zip(y.ticks, labels, strict=True):
        at = y.at(tick)
        drawing.line(left, at, drawing.width, at, "grid")
        drawing.text(left - 6, at + 4.5, label, "tick", "end")
    return left


def _colour(n: int) -> str:
    return f"c{n % COLOURS + 1}"
