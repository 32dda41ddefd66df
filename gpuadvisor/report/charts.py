"""Charts as inline SVG, drawn by hand.

No library, on purpose: pygal 3.1 links a script on another host, numbers its elements at random
(the same answer must make the same bytes), has no title or description for those who do not see
the chart, knows no whiskers, and costs 110 ms to import; matplotlib would bring numpy. What is
needed are three kinds of chart in the page's own colours.

A chart is drawn at two widths, since text in a scaled image becomes unreadable on a phone.
"""

from __future__ import annotations

from gpuadvisor.report.chart_lines import line_chart, step_chart
from gpuadvisor.report.chart_parts import (
    LINE,
    Drawing,
    amount_text,
    scale_of,
    text_width,
    tick_text,
    wrapped,
)
from gpuadvisor.report.page import BarChart, Chart, LineChart

WIDE, NARROW = 560.0, 340.0
"""Natural widths: a column of a desktop page; a phone's screen, or half a sheet of paper."""

_BAR = 12.0
_GAP = 12.0


def svg(chart: Chart, id: str, width: float = WIDE) -> str:
    """The chart as an `<svg>` element that is `width` wide where it is not scaled.

    `id` begins the ids of its title and description, and must be unique in the page.
    """
    drawing = Drawing(width)
    if isinstance(chart, BarChart):
        bar_chart(drawing, chart)
    elif isinstance(chart, LineChart):
        line_chart(drawing, chart)
    else:
        step_chart(drawing, chart)
    role = "wide" if width >= WIDE else "narrow"
    return drawing.svg(id, chart.title, chart.description, role)


def bar_chart(drawing: Drawing, chart: BarChart) -> None:
    """Bars under their names, with a whisker over what is uncertain."""
    ends = [end for bar in chart.bars for end in (bar.low, bar.expected, bar.high)]
    scale = scale_of(ends or [0.0], 1, drawing.width - 1, 5 if drawing.width > 400 else 3)
    y, rows = 0.0, []
    for bar in chart.bars:
        value = amount_text(bar.expected)
        if amount_text(bar.low) != amount_text(bar.high):
            value += f" ({amount_text(bar.low)} – {amount_text(bar.high)})"
        room = drawing.width - text_width(value) - 12
        names = wrapped(bar.label, room)
        rows.append((y, names, value))
        y += LINE * len(names) + _BAR + _GAP
    for tick in scale.ticks:
        # The outermost numbers stay within the drawing; the grid stays clear of the names.
        anchor = {scale.low: "start", scale.high: "end"}.get(tick, "middle")
        x = scale.at(tick)
        for top, names, _ in rows:
            at = top + LINE * len(names)
            drawing.line(x, at - 2, x, at + _BAR + 2, "axis" if tick == 0 else "grid")
        drawing.text(x, y + LINE - 4, tick_text(tick, scale.ticks), "tick", anchor)
    for bar, (top, names, value) in zip(chart.bars, rows, strict=True):
        for n, name in enumerate(names):
            drawing.text(0, top + LINE * (n + 1) - 5, name, "name strong" if bar.marked else "name")
        drawing.text(drawing.width, top + LINE - 5, value, "name", "end")
        at = top + LINE * len(names)
        left, right = sorted((scale.at(0), scale.at(bar.expected)))
        drawing.box(left, at, right - left, _BAR, "bar chosen" if bar.marked else "bar")
        if bar.low != bar.high:
            low, high, middle = scale.at(bar.low), scale.at(bar.high), at + _BAR / 2
            drawing.line(low, middle, high, middle, "whisker")
            for x in (low, high):
                drawing.line(x, at + 1, x, at + _BAR - 1, "whisker")
    drawing.text(drawing.width, y + 2 * LINE - 4, chart.unit, "tick", "end")
    drawing.height = y + 2 * LINE + 2
