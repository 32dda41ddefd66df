"""Charts: scales, texts that fit, and figures drawn where they belong."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

from gpuadvisor.report.chart_parts import amount_text, scale_of, text_width, tick_text, wrapped
from gpuadvisor.report.charts import NARROW, WIDE, svg
from gpuadvisor.report.page import (
    Bar,
    BarChart,
    Chart,
    Layer,
    Level,
    LineChart,
    Mark,
    Series,
    StepChart,
)

SVG = "{http://www.w3.org/2000/svg}"


def drawn(chart: Chart, width: float = WIDE) -> ElementTree.Element:
    return ElementTree.fromstring(svg(chart, "id", width))  # noqa: S314


def bars(*values: tuple[float, float, float]) -> BarChart:
    return BarChart("t", "d", "USD", tuple(Bar(f"bar {n}", *v) for n, v in enumerate(values)))


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([734.38], (0, 200, 400, 600, 800)),
        ([1.0], (0, 0.2, 0.4, 0.6, 0.8, 1.0)),
        ([12.0], (0, 2.5, 5, 7.5, 10, 12.5)),
        ([0.0007], (0, 0.0002, 0.0004, 0.0006, 0.0008)),
        ([-300, 500], (-400, -200, 0, 200, 400, 600)),
        ([-50, -10], (-50, -40, -30, -20, -10, 0)),
        ([0.0], (0, 0.2, 0.4, 0.6, 0.8, 1.0)),
    ],
)
def test_scales_have_round_steps_and_hold_all_values(
    values: list[float], ticks: tuple[float, ...]
) -> None:
    scale = scale_of(values, 0, 100)
    assert scale.ticks == pytest.approx(ticks)
    assert (scale.at(scale.low), scale.at(scale.high)) == pytest.approx((0, 100))
    assert all(0 <= scale.at(value) <= 100 for value in values)


@pytest.mark.parametrize(
    ("ticks", "texts"),
    [
        ((0, 200, 400), ["0", "200", "400"]),
        ((0, 2.5, 5), ["0.0", "2.5", "5.0"]),
        ((0, 0.25, 0.5), ["0.00", "0.25", "0.50"]),
        ((0, 0.2, 0.4), ["0.0", "0.2", "0.4"]),
        ((0, 50_000.0), ["0", "50,000"]),
    ],
)
def test_ticks_have_the_decimals_of_their_step(ticks: tuple[float, ...], texts: list[str]) -> None:
    assert [tick_text(tick, ticks) for tick in ticks] == texts


@pytest.mark.parametrize(
    ("value", "text"),
    [(734.38, "734"), (-1234.5, "-1,234"), (99.999, "100.00"), (0.5, "0.50"), (0.00012, "0.00012"),
     (0, "0.00")],
)  # fmt: skip
def test_amounts_are_never_a_false_zero(value: float, text: str) -> None:
    assert amount_text(value) == text


@pytest.mark.parametrize(
    "text",
    ["a few words that go on", "x" * 80, "区域或大区由各厂商的参考区域决定并且没有空格" * 2, ""],
)
def test_lines_fit_and_lose_nothing(text: str) -> None:
    lines = wrapped(text, 150)
    assert all(text_width(line) <= 150 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_bar_ends_at_its_value_and_its_whisker_at_its_range(width: float) -> None:
    drawing = drawn(bars((100, 200, 400), (50, 50, 50)), width)
    first, second = (r for r in drawing.iter(f"{SVG}rect") if r.get("class", "").startswith("bar"))
    # The longest is 400, a round number, and so the end of the axis.
    unit = (width - 2) / 400
    assert float(first.get("width", 0)) == pytest.approx(200 * unit, abs=0.1)
    assert float(second.get("width", 0)) == pytest.approx(50 * unit, abs=0.1)
    whisker = next(e for e in drawing.iter(f"{SVG}line") if e.get("class") == "whisker")
    ends = [float(whisker.get(name, 0)) for name in ("x1", "x2")]
    assert ends == pytest.approx([1 + 100 * unit, 1 + 400 * unit], abs=0.1)
    # A certain price has none: two ends and one line, of the first bar alone.
    assert len([e for e in drawing.iter(f"{SVG}line") if e.get("class") == "whisker"]) == 3


def test_a_saving_goes_to_the_left_of_zero() -> None:
    drawing = drawn(bars((-300, -300, -300), (100, 100, 100)))
    down, up = (r for r in drawing.iter(f"{SVG}rect") if r.get("class", "").startswith("bar"))
    zero = float(up.get("x", 0))
    assert float(down.get("x", 0)) + float(down.get("width", 0)) == pytest.approx(zero, abs=0.2)


def test_crowded_marks_keep_their_numbers_apart() -> None:
    series = (Series("a", ((0, 0), (100, 100))),)
    marks = tuple(Mark(50 + n, 50, f"mark {n}") for n in range(5))
    drawing = drawn(LineChart("t", "d", "h", "USD", series, marks))
    discs = [(float(e.get("cx", 0)), float(e.get("cy", 0))) for e in drawing.iter(f"{SVG}circle")
             if e.get("class") == "disc"]  # fmt: skip
    assert len(discs) == 10  # in the plot, and in the key beneath it
    for n, (x, y) in enumerate(discs):
        assert all(abs(x - a) >= 17.9 or abs(y - b) >= 17.9 for a, b in discs[n + 1 :])
    numbers = [e.text for e in drawing.iter(f"{SVG}text") if e.get("class") == "number"]
    assert sorted(numbers) == sorted(str(n) for n in (1, 2, 3, 4, 5) * 2)


def test_layers_stand_on_each_other() -> None:
    layers = (Layer("a", (1.0, 2.0)), Layer("none", (0.0, 0.0)), Layer("b", (3.0, 2.0)))
    drawing = drawn(StepChart("t", "d", "h", "units", layers, (Level(2.0, "two"),)))
    first, second = (e.get("d", "") for e in drawing.iter(f"{SVG}path"))
    points = [[tuple(map(float, p.split())) for p in re.split("[ML]", path.strip("Z"))[1:]]
              for path in (first, second)]  # fmt: skip
    # The upper edge of the first layer, left to right, is the lower one of the second.
    upper, lower = points[0][:4], list(reversed(points[1][4:]))
    assert upper == lower
    # The stack is 4 high in both steps.
    assert len({y for _, y in points[1][:4]}) == 1
    line = next(e for e in drawing.iter(f"{SVG}line") if e.get("class") == "level")
    assert float(line.get("y1", 0)) == pytest.approx(points[0][2][1])


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize(
    "chart",
    [
        bars(),
        bars((0, 0, 0)),
        LineChart("t", "d", "h", "USD", ()),
        LineChart("t", "d", "h", "USD", (Series("a", ((0.0, 0.0),)),)),
        StepChart("t", "d", "h", "units", ()),
        StepChart("t", "d", "h", "units", (Layer("a", (0.0,) * 24),)),
    ],
    ids=range(6),
)
def test_nothing_to_draw_is_drawn(chart: Chart, width: float) -> None:
    drawing = drawn(chart, width)
    assert [e.tag for e in drawing[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert "nan" not in ElementTree.tostring(drawing, encoding="unicode")


def test_a_week_of_steps_has_room_for_its_numbers() -> None:
    chart = StepChart("t", "d", "h", "units", (Layer("a", (1.0,) * 168),))
    ticks = [e for e in drawn(chart, NARROW).iter(f"{SVG}text") if e.get("class") == "tick"]
    places = sorted(float(e.get("x", 0)) for e in ticks if e.get("text-anchor") == "middle")
    assert len(places) > 5
    assert all(after - before >= 23.9 for before, after in pairwise(places))
