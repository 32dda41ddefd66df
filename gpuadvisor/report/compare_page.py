"""`compare` as a page: the verdicts, then each WHAT's rows by price and by cost of work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gpuadvisor.advice.compare_result import Comparison, ModeSpeed
from gpuadvisor.advice.compare_result import Row as Compared
from gpuadvisor.report.compare_row import money_line, multiple, same_facts, shape_line, work_unit
from gpuadvisor.report.compare_text import flip, headline, overall, sentence, workload_line
from gpuadvisor.report.estimate_text import named, option_name, place_of
from gpuadvisor.report.messages import clauses, listed, render
from gpuadvisor.report.page import (
    Bar,
    BarChart,
    Block,
    Cell,
    Column,
    Command,
    Date,
    Fact,
    Items,
    Money,
    Page,
    Paragraph,
    Row,
    Section,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_build import (
    catalogs_of,
    exchange_facts,
    footer,
    language,
    letters,
    per_unit,
    sources_of,
    texts,
)
from gpuadvisor.report.page_cells import words

MOST_BARS = 12
_HOUR_DECIMALS = 4


def page(answer: Comparison, catalog: Any) -> Page:
    """The whole answer; `catalog` resolves the ids of sources."""
    whats = list(dict.fromkeys(row.what for row in answer.rows))
    workload = workload_line(answer)
    return Page(
        title=words("compare_title", what=listed(whats)),
        lead=headline(answer),
        today=answer.today,
        sections=tuple(_sections(answer, whats)),
        facts=(
            *((Fact(words("workload"), Text(workload)),) if workload else ()),
            Fact(words("hours"), Text(words("hours_value", hours=f"{answer.hours:g}"))),
            Fact(words("currency"), Text(answer.currency)),
            Fact(words("as_of"), Date(answer.today)),
            *exchange_facts(answer.quotes),
        ),
        warnings=texts(answer.warnings),
        assumptions=texts(answer.assumptions),
        sources=sources_of(_keys(answer), catalog),
        catalogs=catalogs_of(answer.versions),
        footer=footer(answer.today),
        language=language(),
    )


def _keys(answer: Comparison) -> Iterator[str]:
    for row in answer.rows:
        line = row.line
        if line is not None and line.offer is not None and not line.own:
            yield line.offer.source
        for mode in row.speeds:
            if mode.speed is not None:
                yield mode.speed.source
                yield mode.speed.reference_source


def _sections(answer: Comparison, whats: list[str]) -> Iterator[Section]:
    told = [
        flip(verdict) if n == 0 else f"{sentence(answer, verdict)} {flip(verdict)}"
        for n, verdict in enumerate(answer.verdicts)
    ]
    if len(answer.leaders) > 1:
        told.append(overall(answer))
    blocks: list[Block] = [Items(tuple(told))] if told else []
    blocks += [chart for chart in (_work_chart(answer), _hour_chart(answer)) if chart]
    if blocks:
        yield Section("verdict", words("verdict"), tuple(blocks))
    tables: list[Block] = [_table(answer, number, what) for number, what in enumerate(whats)]
    same = same_facts(answer)
    if same:
        tables.append(Paragraph(words("same", facts=listed(same))))
    yield Section("rows", words("side_by_side"), tuple(tables))
    yield Section("next", words("next"), (Command(answer.next),))


def _table(answer: Comparison, number: int, what: str) -> Table:
    rows = [row for row in answer.rows if row.what == what]
    modes = [mode for mode in answer.modes if any(_priced(row, mode) for row in answer.rows)]
    columns = [
        Column("what", words("column_what")),
        Column("terms", words("column_terms")),
        Column("hour", words("column_device_hour"), figures=True),
        *(
            Column(f"unit_{n}", _unit_header(answer, mode), figures=True, ranged=True)
            for n, mode in enumerate(modes)
        ),
    ]
    body = []
    for row in rows:
        line = row.line
        hour: Cell = Unknown(words("no_price"))
        if row.per_device_hour is not None:
            hour = Money(row.per_device_hour, answer.currency, decimals=_HOUR_DECIMALS)
        terms = "" if line is None else option_name(line)
        cells = (
            Text(named(row.item), strong=True),
            Text(terms, detail=place_of(row.item)),
            hour,
            *(_unit_cost(answer, row, mode) for mode in modes),
        )
        notes = [shape_line(answer, row), money_line(answer, row)]
        notes += [render(s.why_not) for s in row.speeds if s.why_not is not None]
        body.append(Row(cells, note=clauses(dict.fromkeys(note for note in notes if note))))
    more = dict(answer.left_out).get(what, 0)
    caption = words("rows_caption", what=what, shown=len(rows), all=len(rows) + more)
    id = f"rows_{letters(number)}"
    return Table(id, caption, tuple(columns), tuple(body), what)


# -- cost of work --------------------------------------------------------------------------------


def _of(row: Compared, mode: str) -> ModeSpeed | None:
    return next((s for s in row.speeds if s.mode == mode), None)


def _priced(row: Compared, mode: str) -> bool:
    found = _of(row, mode)
    return found is not None and found.per_unit is not None and found.speed is not None


def _unit_header(answer: Comparison, mode: str) -> str:
    return words("per_unit", mode=mode, unit=_unit(answer, mode))


def _unit(answer: Comparison, mode: str) -> str:
    """`million pages`: the unit of a mode with the multiple that all rows share."""
    factor, count = multiple(answer, mode)
    found = next(s for row in answer.rows if _priced(row, mode) and (s := _of(row, mode)))
    return f"{count}{work_unit(answer, found, factor)}"


def _unit_cost(answer: Comparison, row: Compared, mode: str) -> Cell:
    found = _of(row, mode)
    if found is None or found.per_unit is None:
        return Unknown(words("unknown"))
    return per_unit(found.per_unit, multiple(answer, mode)[0], answer.currency)


def _work_chart(answer: Comparison) -> BarChart | None:
    if not answer.modes:
        return None
    mode = answer.modes[0]
    rows = [row for row in answer.rows if _priced(row, mode)]
    if len(rows) < 2:
        return None
    factor = multiple(answer, mode)[0]
    bars = []
    for row in rows:
        found = _of(row, mode)
        assert found is not None and found.per_unit is not None
        low, expected, high = (float(part * factor) for part in found.per_unit)
        bars.append(Bar(_label(row), low, expected, high))
    unit = _unit(answer, mode)
    return BarChart(
        words("work_chart", unit=unit),
        words("work_chart_text", mode=mode),
        words("currency_per", currency=answer.currency, unit=unit),
        _cheapest(bars),
    )


def _hour_chart(answer: Comparison) -> BarChart | None:
    bars = []
    for row in answer.rows:
        if row.per_device_hour is not None:
            price = float(row.per_device_hour)
            bars.append(Bar(_label(row), price, price, price))
    if len(bars) < 2:
        return None
    return BarChart(
        words("hour_chart"),
        words("hour_chart_text"),
        words("currency_per", currency=answer.currency, unit=words("device_hour")),
        _cheapest(bars),
    )


def _label(row: Compared) -> str:
    name = named(row.item)
    return f"{'' if name == row.what else f'{row.what}: '}{name}, {place_of(row.item)}"


def _cheapest(bars: list[Bar]) -> tuple[Bar, ...]:
    """The cheapest bars in order, the first of them marked."""
    ordered = sorted(bars, key=lambda bar: bar.expected)[:MOST_BARS]
    return tuple(bar._replace(marked=n == 0) for n, bar in enumerate(ordered))
