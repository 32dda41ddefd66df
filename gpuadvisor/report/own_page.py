"""`own` as a page: a year of each, where they meet, what moves that, and every figure."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.own_result import MoneySpan, Own
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.ownership import HOURS_PER_YEAR
from gpuadvisor.report.estimate_text import option_name
from gpuadvisor.report.messages import render
from gpuadvisor.report.own_text import facts, figure_value, headline, next_command, rented
from gpuadvisor.report.page import (
    TOTAL,
    Bar,
    BarChart,
    Block,
    Column,
    Command,
    Date,
    Fact,
    Items,
    LineChart,
    Mark,
    Money,
    MoneyRange,
    Page,
    Row,
    Section,
    Series,
    Table,
    Text,
)
from gpuadvisor.report.page_build import (
    catalogs_of,
    exchange_facts,
    footer,
    language,
    money_range,
    sources_of,
    texts,
    total_of,
)
from gpuadvisor.report.page_cells import words

_STEPS = 48
"""Points of a curve over the years."""

_MOST_SWINGS = 8


def page(answer: Own, catalog: Any) -> Page:
    """The whole answer; `catalog` resolves the ids of sources."""
    priced = answer.priced
    line = answer.item.line
    keys = [figure.origin for figure in answer.figures if "#" in figure.origin]
    if line is not None and line.offer is not None and not line.own:
        keys.append(line.offer.source)
    return Page(
        title=words("own_title", gpus=answer.request.gpus, device=answer.request.device),
        lead=headline(answer),
        today=priced.today,
        sections=tuple(_sections(answer)),
        facts=(
            Fact(words("use"), Text(_use(answer))),
            Fact(words("currency"), Text(priced.currency)),
            Fact(words("as_of"), Date(priced.today)),
            *exchange_facts(priced.quotes),
        ),
        warnings=texts((*answer.warnings, *priced.warnings)),
        assumptions=texts(priced.assumptions),
        sources=sources_of(keys, catalog),
        catalogs=catalogs_of(priced.versions),
        footer=footer(priced.today),
        language=language(),
    )


def _use(answer: Own) -> str:
    share = answer.request.utilisation
    return words("use_value", percent=f"{share * 100:g}", hours=f"{share * HOURS_PER_YEAR:,.0f}")


def _sections(answer: Own) -> Iterator[Section]:
    charts: list[Block] = [_against_use(answer)]
    spent = _spent(answer)
    if spent is not None:
        charts.append(spent)
    yield Section("year", words("year"), (_year(answer), Items(tuple(facts(answer))), *charts))
    moves: list[Block] = [_figures(answer)]
    if answer.swings:
        moves.append(_swings(answer))
    yield Section("figures", words("own_figures"), tuple(moves))
    command = next_command(answer).partition(": ")[2] or next_command(answer)
    yield Section("next", words("next"), (Command(command),))


def _year(answer: Own) -> Table:
    currency = answer.priced.currency
    rows = [
        Row((Text(_own_words(f"line_{line.name}")), money_range(line.annual, currency)))
        for line in answer.lines
    ]
    own = answer.annual_own
    live = total_of("year", range(len(rows)), currency)
    whole = MoneyRange(
        Money(own.low, currency), Money(own.expected, currency, live), Money(own.high, currency)
    )
    rows.append(Row((Text(words("own_total")), whole), TOTAL))
    line = answer.item.line
    told = words(
        "rent_line",
        what=rented(answer),
        place=f"{answer.item.type.provider} {answer.item.region}",
        terms="" if line is None else option_name(line),
        hours=f"{HOURS_PER_YEAR * answer.request.utilisation:,.0f}",
    )
    rows.append(Row((Text(told), money_range(answer.annual_rent, currency)), TOTAL))
    columns = (
        Column("line", words("column_what")),
        Column("year", words("column_year"), figures=True, ranged=True),
    )
    return Table("year", words("year_caption"), columns, tuple(rows), words("year"))


def _own_words(id: str) -> str:
    return render(message(f"own.{id}"))


def _figures(answer: Own) -> Table:
    rows = []
    for figure in answer.figures:
        low, likely, high = (figure_value(figure.name, value) for value in figure.value)
        span = "" if low == high else words("range", low=low, high=high)
        known = "#" in figure.origin
        origin = words("from_source") if known else _own_words(f"origin_{figure.origin}")
        name = Text(_own_words(f"figure_{figure.name}"))
        rows.append(Row((name, Text(likely), Text(span), Text(origin))))
    columns = (
        Column("figure", words("column_figure")),
        Column("value", words("column_value")),
        Column("range", words("column_range")),
        Column("origin", words("column_origin")),
    )
    caption = words("own_figures_caption")
    return Table("figures", caption, columns, tuple(rows), words("own_figures"))


# -- charts --------------------------------------------------------------------------------------


def _against_use(answer: Own) -> LineChart:
    """A year of owning is flat, a year of renting grows with its hours."""
    currency = answer.priced.currency
    own, rent = answer.annual_own, answer.annual_rent
    used = answer.request.utilisation
    full = [float(part) / used for part in rent] if used else [0.0, 0.0, 0.0]
    marks = []
    share = answer.break_even.likely
    if share <= 1:
        told = words("own_from", percent=f"{share * 100:.0f}")
        marks.append(Mark(share * 100, float(own.expected), told))
    series = (
        Series(words("own_series"), _flat(own.expected), True, _flat_band(own)),
        Series(
            words("rent_series"),
            ((0.0, 0.0), (100.0, full[1])),
            band=((0.0, 0.0, 0.0), (100.0, full[0], full[2])) if full[0] != full[2] else (),
        ),
    )
    return LineChart(
        words("own_chart"),
        words("own_chart_text" if marks else "own_chart_never"),
        words("percent_of_year"),
        words("per_year", currency=currency),
        series,
        tuple(marks),
    )


def _flat(amount: Decimal) -> tuple[tuple[float, float], ...]:
    return ((0.0, float(amount)), (100.0, float(amount)))


def _flat_band(span: MoneySpan) -> tuple[tuple[float, float, float], ...]:
    if span.low == span.high:
        return ()
    return tuple((x, float(span.low), float(span.high)) for x in (0.0, 100.0))


def _spent(answer: Own) -> LineChart | None:
    """What has been spent after so many months, later money at its value today.

    With the cost of capital counted so, the lines cross where the saved rent has paid the
    purchase (`pays_after_months`), which counts no resale either.
    """
    value = {figure.name: figure.value.likely for figure in answer.figures}
    months = answer.pays_after_months
    if value["years"] <= 0:
        return None
    span = max(value["years"] * 12, 0 if months is None else min(months * 1.15, 120))
    rate = (1 + value["wacc"]) ** (1 / 12) - 1
    running = sum(float(line.annual.expected) for line in answer.lines if line.name != "capital")
    rent = float(answer.annual_rent.expected)

    def worth(monthly: float, month: float) -> float:
        return monthly * (month if rate == 0 else (1 - (1 + rate) ** -month) / rate)

    at = [span * n / _STEPS for n in range(_STEPS + 1)]
    bought = tuple((m, value["capex"] + worth(running / 12, m)) for m in at)
    hired = tuple((m, worth(rent / 12, m)) for m in at)
    marks = []
    if months is not None and months <= span:
        told = words("paid_after", months=f"{months:.1f}")
        marks.append(Mark(months, worth(rent / 12, months), told))
    return LineChart(
        words("spent_chart"),
        words("spent_chart_text"),
        words("months"),
        answer.priced.currency,
        (
            Series(words("own_series"), bought, True),
            Series(words("rent_series"), hired),
        ),
        tuple(marks),
    )


def _swings(answer: Own) -> BarChart:
    likely = answer.break_even.likely * 100
    bars = tuple(
        Bar(
            _own_words(f"figure_{swing.name}"),
            min(swing.at_low, swing.at_high) * 100,
            likely,
            max(swing.at_low, swing.at_high) * 100,
        )
        for swing in answer.swings[:_MOST_SWINGS]
    )
    description = words("swings_text", percent=f"{likely:.0f}")
    return BarChart(words("swings"), description, words("percent_of_year"), bars)
