"""`reserve` as a page: the plan, its month, the demand with its commitments, what was weighed."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.reserve_result import BillLine, Reserve
from gpuadvisor.catalog.model import COMMITMENTS
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.cost.money import format_money
from gpuadvisor.report.page import (
    CHOSEN,
    MUTED,
    PLAIN,
    TOTAL,
    Bar,
    BarChart,
    Cell,
    CellRef,
    Column,
    Command,
    Date,
    Fact,
    Layer,
    Level,
    Money,
    MoneyRange,
    Number,
    Page,
    Paragraph,
    Percent,
    Row,
    Section,
    StepChart,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_build import (
    catalogs_of,
    exchange_facts,
    footer,
    language,
    money_range,
    product,
    sources_of,
    texts,
    total_of,
    unit_price,
)
from gpuadvisor.report.page_cells import words
from gpuadvisor.report.reserve_text import (
    headline,
    mean_day,
    next_command,
    option_name,
    risk,
    unit_name,
)


def page(answer: Reserve, catalog: Any) -> Page:
    """The whole answer; `catalog` resolves the ids of sources."""
    priced, item = answer.priced, answer.item
    return Page(
        title=words("reserve_title", what=unit_name(answer)),
        lead=headline(answer),
        today=priced.today,
        sections=tuple(_sections(answer)),
        facts=(
            Fact(words("demand"), Text(_demand(answer))),
            Fact(words("column_place"), Text(f"{item.type.provider} {item.region}")),
            Fact(words("currency"), Text(priced.currency)),
            Fact(words("as_of"), Date(priced.today)),
            *exchange_facts(priced.quotes),
        ),
        warnings=texts(answer.warnings),
        assumptions=(*texts((*answer.assumptions, *priced.assumptions)), *_horizon(answer)),
        sources=sources_of(
            (
                o.offer.source
                for o in (answer.on_demand, answer.spot, *(c.option for c in answer.chosen))
                if o is not None and o.offer is not None and not o.own
            ),
            catalog,
        ),
        catalogs=catalogs_of(priced.versions),
        footer=footer(priced.today),
        language=language(),
    )


def _demand(answer: Reserve) -> str:
    curve = answer.curve
    return words(
        "demand_value",
        hours=f"{len(curve):,}",
        low=min(curve),
        peak=max(curve),
        mean=f"{sum(curve) / len(curve):,.2f}",
    )


def _horizon(answer: Reserve) -> tuple[str, ...]:
    years = answer.plan.horizon_years
    return (words("horizon", years=years),) if years > 1 else ()


def _sections(answer: Reserve) -> Iterator[Section]:
    plan = (_month(answer), _demand_chart(answer), _costs(answer))
    yield Section("month", words("plan_month"), plan)
    if answer.chosen:
        yield Section("weighed", words("weighed"), (_weighed(answer),))
    if answer.plan.committed:
        yield Section("risk", words("risk"), (Paragraph(risk(answer)),))
    command = next_command(answer).partition(": ")[2] or next_command(answer)
    yield Section("next", words("next"), (Command(command),))


# -- the month -----------------------------------------------------------------------------------


def _month(answer: Reserve) -> Table:
    currency = answer.priced.currency
    rows = [_line(answer, line) for line in answer.lines]
    total = sum((line.monthly.expected for line in answer.lines), Decimal(0))
    down, up = (part - answer.cost.expected for part in (answer.cost.low, answer.cost.high))
    live = total_of("month", range(len(rows)), currency) if rows else None
    whole = MoneyRange(
        Money(total + down, currency), Money(total, currency, live), Money(total + up, currency)
    )
    usual = Money(answer.on_demand_cost, currency)
    empty = Text("")
    rows.append(Row((Text(words("total")), empty, empty, whole), TOTAL))
    rows.append(
        Row((Text(words("all_on_demand")), empty, empty, MoneyRange(usual, usual, usual)), MUTED)
    )
    columns = (
        Column("option", words("column_option")),
        Column("units", words("column_units"), figures=True),
        Column("hour", words("column_hour"), figures=True),
        Column("month", words("column_month"), figures=True, ranged=True),
    )
    return Table("month", words("plan_caption"), columns, tuple(rows), words("plan_month"))


def _line(answer: Reserve, line: BillLine) -> Row:
    currency, rate = answer.priced.currency, line.option.effective_per_hour
    assert rate is not None
    unit = rate * answer.item.instances
    hours = Decimal(HOURS_PER_MONTH)
    live = product(
        line.monthly.expected,
        currency,
        (CellRef("units"), CellRef("hour"), hours),
        (Decimal(repr(line.units)), unit, hours),
    )
    bound = line.option.option in COMMITMENTS
    note = words("committed_note") if bound else words("mean_note")
    digits = None if line.units == int(line.units) else 2
    return Row(
        (
            Text(option_name(line.option), strong=bound),
            Number(line.units, decimals=digits),
            unit_price(unit, currency),
            money_range(line.monthly, currency, live),
        ),
        note=note,
    )


# -- charts --------------------------------------------------------------------------------------


def _demand_chart(answer: Reserve) -> StepChart:
    day = mean_day(answer)
    names = (words("layer_committed"), words("layer_spot"), words("layer_on_demand"))
    layers = tuple(Layer(name, tuple(hour[n] for hour in day)) for n, name in enumerate(names))
    levels = []
    if answer.plan.committed:
        label = words("level_committed", units=answer.plan.committed)
        levels.append(Level(float(answer.plan.committed), label))
    if answer.plan.three_years and answer.plan.one_year:
        label = words("level_three_years", units=answer.plan.three_years)
        levels.append(Level(float(answer.plan.three_years), label))
    title = "demand_chart" if len(answer.curve) == 24 else "demand_chart_mean"
    return StepChart(
        words(title),
        words("demand_chart_text", demand=_demand(answer)),
        words("hour_of_day"),
        words("units"),
        layers,
        tuple(levels),
    )


def _costs(answer: Reserve) -> BarChart:
    currency = answer.priced.currency
    low, expected, high = (float(part) for part in answer.cost)
    usual = float(answer.on_demand_cost)
    return BarChart(
        words("plan_costs"),
        words(
            "plan_costs_text",
            plan=format_money(answer.cost.expected, currency),
            usual=format_money(answer.on_demand_cost, currency),
        ),
        words("per_month", currency=currency),
        (
            Bar(words("this_plan"), low, expected, high, True),
            Bar(words("all_on_demand"), usual, usual, usual),
        ),
    )


# -- what was weighed ------------------------------------------------------------------------------


def _weighed(answer: Reserve) -> Table:
    rows = []
    for c in answer.chosen:
        assert c.option.effective_per_hour is not None
        months: Cell = Unknown(words("never"))
        if c.pays_after_months is not None:
            months = Number(c.pays_after_months, decimals=1)
        pays: Cell = Unknown()
        if c.pays_on is not None and c.units:
            pays = Date(c.pays_on)
        rows.append(
            Row(
                (
                    Text(option_name(c.option)),
                    unit_price(c.option.effective_per_hour, answer.priced.currency),
                    Percent(c.break_even, decimals=1),
                    Number(c.units),
                    months if c.units else Unknown(),
                    pays,
                ),
                CHOSEN if c.units else PLAIN,
            )
        )
    columns = (
        Column("option", words("column_option")),
        Column("hour", words("column_hour"), figures=True),
        Column("share", words("column_share"), figures=True),
        Column("units", words("column_units"), figures=True),
        Column("months", words("column_pays_months"), figures=True),
        Column("pays", words("column_pays_on"), figures=True),
    )
    return Table("weighed", words("weighed_caption"), columns, tuple(rows), words("weighed"))
