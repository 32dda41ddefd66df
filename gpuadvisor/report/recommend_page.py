"""`recommend` as a page: the ranked options with their ranges, what work costs, and why."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.result import Option, Recommendation
from gpuadvisor.catalog.model import COMMITMENTS
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.cost.money import format_money
from gpuadvisor.report.messages import clauses
from gpuadvisor.report.page import (
    CHOSEN,
    PLAIN,
    Bar,
    BarChart,
    Block,
    Cell,
    CellRef,
    Column,
    Command,
    Date,
    Fact,
    Formula,
    Input,
    InputRef,
    Items,
    LineChart,
    Money,
    MoneyRange,
    Number,
    Page,
    Percent,
    Row,
    Section,
    Series,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_build import (
    Factor,
    catalogs_of,
    footer,
    language,
    money_range,
    per_unit,
    product,
    sources_of,
    texts,
    unit_price,
)
from gpuadvisor.report.page_cells import words
from gpuadvisor.report.recommend_option import (
    multiple,
    terms_of,
    unit_of,
    what_of,
    why_line,
    work_line,
)
from gpuadvisor.report.recommend_text import (
    budget_line,
    demand_line,
    headline,
    notes,
    objective_line,
    tied,
    workload_line,
)

HOURS, DISCOUNT = "hours_per_month", "further_discount"


def page(answer: Recommendation, catalog: Any, explain: bool = False) -> Page:
    """The whole answer; `catalog` resolves the ids of sources."""
    lines = (
        ("workload", workload_line(answer)),
        ("demand", demand_line(answer)),
        ("budget", budget_line(answer)),
        ("ranked_by", objective_line(answer)),
        ("hours", words("hours_value", hours=f"{answer.hours:g}")),
    )
    return Page(
        title=words("recommend_title", what=answer.workload.name),
        lead=headline(answer),
        today=answer.today,
        sections=tuple(_sections(answer, explain)),
        facts=(
            *(Fact(words(name), Text(text)) for name, text in lines if text),
            Fact(words("as_of"), Date(answer.today)),
        ),
        assumptions=texts(answer.assumptions),
        sources=sources_of(_keys(answer), catalog),
        catalogs=catalogs_of(answer.versions, {o.type.provider for o in answer.options}),
        inputs=_inputs(answer),
        footer=footer(answer.today),
        language=language(),
    )


def _inputs(answer: Recommendation) -> tuple[Input, ...]:
    if not answer.options:
        return ()
    discount = Input(DISCOUNT, words("input_discount"), Percent(Decimal(0), decimals=1))
    if answer.options[0].run is not None:
        return (discount,)
    return (Input(HOURS, words("input_hours"), Number(answer.hours, "h")), discount)


def _keys(answer: Recommendation) -> Iterator[str]:
    for o in answer.options:
        if not o.own_price:
            yield o.offer.source
        if o.speed is not None:
            yield o.speed.source
            yield o.speed.reference_source
        for trace in o.traces:
            if trace.fired:
                yield str(answer.rules[trace.rule]["source"])


def _sections(answer: Recommendation, explain: bool) -> Iterator[Section]:
    if answer.options:
        blocks: list[Block] = [_options(answer)]
        charts = (_cost_chart(answer), _unit_chart(answer))
        yield Section("options", words("ranked"), (*blocks, *(c for c in charts if c)))
    first = answer.options[0] if answer.options else None
    if first is not None and len(first.scaling) > 1:
        yield Section("scaling", words("scaling"), tuple(_scaling(answer, first)))
    told = [*([words("ties")] if tied(answer) else []), *notes(answer, explain)]
    if told:
        yield Section("notes", words("mind"), (Items(tuple(told)),))
    yield Section("next", words("next"), (Command(answer.next),))


# -- options -------------------------------------------------------------------------------------


def _options(answer: Recommendation) -> Table:
    runs = any(o.run is not None for o in answer.options)
    works = any(o.per_unit is not None for o in answer.options)
    columns = [
        Column("what", words("column_type")),
        Column("terms", words("column_terms")),
        Column("count", words("column_count"), figures=True),
        Column("hour", words("column_hour"), figures=True),
    ]
    if runs:
        columns.append(Column("run_hours", words("column_run_hours"), figures=True))
    columns.append(Column("cost", words("column_run" if runs else "column_month"), True, True))
    if works:
        columns.append(Column("unit", words("column_unit", unit=_unit(answer)), True, True))
    rows = [_row(answer, o, runs, works) for o in answer.options]
    caption = words("ranked_caption", shown=len(rows), considered=answer.considered)
    return Table("options", caption, tuple(columns), tuple(rows), words("ranked"))


def _row(answer: Recommendation, o: Option, runs: bool, works: bool) -> Row:
    currency = answer.currency
    device = what_of(o).partition(o.type.name)[2].strip().strip("()（）")
    equal = any(x.tie_group == o.tie_group for x in answer.options if x is not o)
    name = f"{o.rank}{'=' if equal else ''}  {o.type.name}"
    cells: list[Cell] = [
        Text(name, strong=True, detail=device),
        Text(terms_of(o), detail=f"{o.type.provider} {o.offer.region}"),
        Number(o.instances, editable=True),
        unit_price(o.price, currency),
    ]
    if runs:
        hours = None if o.run_hours is None else o.run_hours.expected
        cells.append(Unknown() if hours is None else Number(hours, "h", decimals=1))
    cells.append(_cost(answer, o))
    if works:
        cells.append(_unit_cost(answer, o))
    note = clauses(part for part in (work_line(answer, o), why_line(answer, o)) if part)
    return Row(tuple(cells), CHOSEN if o.rank == 1 else PLAIN, note)


def _cost(answer: Recommendation, o: Option) -> MoneyRange:
    """The month, or the run, calculated from price, count and hours where that makes it."""
    currency = answer.currency
    discount = Formula("difference", (Decimal(1), InputRef(DISCOUNT)))
    if o.run is not None:
        assert o.run_hours is not None
        hours = Decimal(repr(o.run_hours.expected))
        factors: list[Factor] = [CellRef("hour"), CellRef("count"), CellRef("run_hours"), discount]
        live = product(o.run.expected, currency, factors, (o.price, Decimal(o.instances), hours))
        return money_range(o.run, currency, live)
    bound = o.offer.option in COMMITMENTS
    hours = Decimal(HOURS_PER_MONTH) if bound else Decimal(repr(answer.hours))
    used: Factor = hours if bound else InputRef(HOURS)
    factors = [CellRef("hour"), CellRef("count"), used, discount]
    live = product(o.monthly.expected, currency, factors, (o.price, Decimal(o.instances), hours))
    return money_range(o.monthly, currency, live)


def _unit(answer: Recommendation) -> str:
    """`million pages`: the unit that all options' costs of work are told for."""
    factor, count = multiple(answer)
    first = next(o for o in answer.options if o.per_unit is not None and o.speed is not None)
    return f"{count}{unit_of(answer, first, factor)}"


def _unit_cost(answer: Recommendation, o: Option) -> Cell:
    if o.per_unit is None:
        return Unknown(words("unknown"))
    return per_unit(o.per_unit, multiple(answer)[0], answer.currency)


# -- charts --------------------------------------------------------------------------------------


def _cost_chart(answer: Recommendation) -> BarChart | None:
    bars = []
    for o in answer.options:
        low, expected, high = (float(part) for part in (o.run or o.monthly))
        bars.append(Bar(_label(o), low, expected, high, o.rank == 1))
    if len(bars) < 2:
        return None
    first = answer.options[0]
    runs = first.run is not None
    cost = format_money((first.run or first.monthly).expected, answer.currency)
    return BarChart(
        words("cost_chart_run" if runs else "cost_chart"),
        words("cost_chart_text", what=first.type.name, cost=cost),
        words("per_run" if runs else "per_month", currency=answer.currency),
        tuple(bars),
    )


def _unit_chart(answer: Recommendation) -> BarChart | None:
    factor, bars = 1, []
    for o in answer.options:
        if o.per_unit is not None:
            factor = multiple(answer)[0]
            low, expected, high = (float(part * factor) for part in o.per_unit)
            bars.append(Bar(_label(o), low, expected, high, o.rank == 1))
    if len(bars) < 2:
        return None
    unit = _unit(answer)
    return BarChart(
        words("work_chart", unit=unit),
        words("unit_chart_text"),
        words("currency_per", currency=answer.currency, unit=unit),
        tuple(bars),
    )


def _label(o: Option) -> str:
    return f"{o.rank}. {o.instances} x {o.type.name}, {o.type.provider} {terms_of(o)}"


def _scaling(answer: Recommendation, o: Option) -> Iterator[Block]:
    """A training on ever more nodes of the first option."""
    rows = [
        Row(
            (
                Number(row.nodes),
                Number(row.devices),
                Percent(row.efficiency),
                Number(row.hours, "h", decimals=1),
                Money(row.cost, answer.currency),
            ),
            CHOSEN if row.nodes == o.instances else PLAIN,
        )
        for row in o.scaling
    ]
    columns = (
        Column("nodes", words("column_nodes")),
        Column("devices", words("column_devices"), figures=True),
        Column("efficiency", words("column_efficiency"), figures=True),
        Column("hours", words("column_run_hours"), figures=True),
        Column("cost", words("column_run"), figures=True),
    )
    caption = words("scaling_caption", what=o.type.name)
    yield Table("scaling", caption, columns, tuple(rows), words("scaling"))
    first = o.scaling[0]
    points = tuple((float(row.devices), first.hours / row.hours) for row in o.scaling)
    ideal = tuple((devices, devices / first.devices) for devices, _ in points)
    yield LineChart(
        words("scaling_chart"),
        words("scaling_chart_text"),
        words("devices"),
        words("times_as_fast"),
        (Series(words("expected"), points, True), Series(words("linear"), ideal)),
    )
