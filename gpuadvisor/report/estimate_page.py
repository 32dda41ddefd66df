"""`estimate` as a page: the bill, every option with its range, and when a commitment pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.estimate_result import Estimate, EstimateOption, Item
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import COMMITMENTS
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.report.estimate_chart import cost_against_hours, cost_by_option
from gpuadvisor.report.estimate_text import (
    DETAILED,
    device_words,
    headline,
    named,
    option_name,
    place_of,
    remarks,
    shape_parts,
    unavailable,
)
from gpuadvisor.report.messages import clauses, render
from gpuadvisor.report.messages import note as type_note
from gpuadvisor.report.page import (
    CHOSEN,
    MUTED,
    PLAIN,
    TOTAL,
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
    Money,
    MoneyRange,
    Number,
    Page,
    Paragraph,
    Percent,
    Row,
    Section,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_build import (
    Factor,
    catalogs_of,
    exchange_facts,
    footer,
    language,
    letters,
    money_range,
    product,
    sources_of,
    texts,
    total_of,
)
from gpuadvisor.report.page_cells import price_decimals, words

HOURS, DISCOUNT = "hours_per_month", "further_discount"


def page(answer: Estimate, catalog: Any) -> Page:
    """The whole answer; `catalog` resolves the ids of sources."""
    whats = ", ".join(dict.fromkeys(item.what for item in answer.items))
    lead = headline(answer)
    if answer.request.job_hours is not None:
        from gpuadvisor.report.job_text import headline as job_headline

        lead = " ".join(part for part in (lead, job_headline(answer)) if part)
    return Page(
        title=words("estimate_title", what=whats if len(whats) <= 60 else whats[:59] + "…"),
        lead=lead,
        today=answer.today,
        sections=tuple(_sections(answer)),
        facts=(
            Fact(words("hours"), Text(words("hours_value", hours=f"{answer.hours:g}"))),
            Fact(words("currency"), Text(answer.currency)),
            Fact(words("as_of"), Date(answer.today)),
            *exchange_facts(answer.quotes),
        ),
        warnings=texts(answer.warnings),
        assumptions=texts(answer.assumptions),
        sources=sources_of(_keys(answer), catalog),
        catalogs=catalogs_of(answer.versions),
        inputs=(
            Input(HOURS, words("input_hours"), Number(answer.hours, "h")),
            Input(DISCOUNT, words("input_discount"), Percent(Decimal(0), decimals=1)),
        ),
        footer=footer(answer.today),
        language=language(),
    )


def _keys(answer: Estimate) -> Iterator[str | None]:
    for item in answer.items:
        for option in item.options:
            if option.offer is not None and not option.own:
                yield option.offer.source
    for stored in answer.stored:
        yield from (line.source for line in stored.bill.lines)


def _sections(answer: Estimate) -> Iterator[Section]:
    yield Section("bill", words("bill"), (_bill(answer),))
    for number, what in enumerate(dict.fromkeys(item.what for item in answer.items)):
        ways = [item for item in answer.items if item.what == what]
        if len(ways) > 1:
            title = words("ways", what=what)
            yield Section(f"ways_{letters(number)}", title, (_ways(answer, number, ways),))
    if len(answer.lines) <= DETAILED:
        for number, item in enumerate(answer.lines):
            yield _options_section(answer, number, item)
    if answer.serving or answer.stored:
        from gpuadvisor.report.serving_page import sections

        yield from sections(answer)
    yield Section("next", words("next"), (Command(answer.next),))


# -- the bill ----------------------------------------------------------------------------------


def _bill(answer: Estimate) -> Table:
    rows = [_bill_row(answer, item, number) for number, item in enumerate(answer.lines)]
    if answer.total is not None and len(rows) > 1:
        lines = range(len(rows))
        total = MoneyRange(
            *(
                Money(
                    getattr(answer.total, part),
                    answer.currency,
                    total_of("month", lines, answer.currency, part),
                )
                for part in ("low", "expected", "high")
            )
        )
        rows.append(_total_row(Text(words("total")), total))
    if answer.period_total is not None:
        label = words("total_months", months=answer.request.months)
        rows.append(_total_row(Text(label), money_range(answer.period_total, answer.currency)))
    columns = (
        Column("what", words("column_what")),
        Column("terms", words("column_terms")),
        Column("count", words("column_count"), figures=True),
        Column("hour", words("column_hour"), figures=True, ranged=True),
        Column("month", words("column_month"), figures=True, ranged=True),
    )
    return Table("bill", words("bill_caption"), columns, tuple(rows), words("bill"))


def _total_row(label: Text, amount: Cell) -> Row:
    empty = Text("")
    return Row((label, empty, empty, empty, amount), TOTAL)


def _bill_row(answer: Estimate, item: Item, number: int) -> Row:
    what = Text(item.type.name, strong=True, detail=device_words(item, item.instances))
    count = Number(item.instances, editable=True)
    line = item.line
    if line is None or line.monthly is None:
        missing = Unknown(words("no_price"))
        return Row((what, Text(place_of(item)), count, missing, missing), MUTED)
    hour, month = amounts(answer, item, line, CellRef("count"))
    return Row((what, Text(option_name(line), detail=place_of(item)), count, hour, month))


def amounts(
    answer: Estimate, item: Item, o: EstimateOption, count: CellRef
) -> tuple[Cell, MoneyRange]:
    """An option's price of an hour and of a month, the month calculated from the hour.

    A commitment is paid for every hour of the month. What a month costs beyond price x count x
    hours (upfront payments, discounts that grow over the month) has no formula.
    """
    assert o.monthly is not None
    bound = o.option in COMMITMENTS
    hours = Decimal(HOURS_PER_MONTH) if bound else Decimal(repr(answer.hours))
    factors: list[Factor] = [
        CellRef("hour"), count, hours if bound else InputRef(HOURS),
        Formula("difference", (Decimal(1), InputRef(DISCOUNT))),
    ]  # fmt: skip
    units = hours * item.instances
    if o.price_per_hour is None or not units:
        return Unknown(), money_range(o.monthly, answer.currency)
    formula = product(
        o.monthly.expected, answer.currency, factors, (o.price_per_hour, units, Decimal(1))
    )
    decimals = price_decimals(o.price_per_hour)
    if formula is None:
        same = Money(o.price_per_hour, answer.currency, decimals=decimals)
        return MoneyRange(same, same, same), money_range(o.monthly, answer.currency)
    prices, months = [], []
    for part in ("low", "expected", "high"):
        amount = getattr(o.monthly, part)
        price = o.price_per_hour if amount == o.monthly.expected else amount / units
        prices.append(Money(price, answer.currency, decimals=decimals))
        live = Formula("product", (CellRef("hour", part=part), *factors[1:]))
        months.append(Money(amount, answer.currency, live))
    return MoneyRange(*prices), MoneyRange(*months)


# -- options and other ways --------------------------------------------------------------------


def _options_section(answer: Estimate, number: int, item: Item) -> Section:
    parts = [device_words(item, 1)]
    if item.type.vcpus is not None and item.type.host_memory_gib is not None:
        memory = f"{item.type.host_memory_gib:g}"
        host = message("estimate.item_host", vcpus=item.type.vcpus, memory=memory)
        parts.append(render(host))
    notes = [render(note) for note in item.notes]
    if item.type.notes:
        notes.append(type_note(item.type.notes))
    blocks: list[Block] = [Paragraph(words("comma").join(parts))]
    if notes:
        blocks.append(Items(tuple(notes)))
    priced = [o for o in item.options if o.monthly is not None]
    if priced:
        blocks.append(_options(answer, number, item, priced))
        charts = (cost_by_option(answer, item, priced), cost_against_hours(answer, item, priced))
        blocks += [chart for chart in charts if chart is not None]
    if answer.request.job_hours is not None and any(o.job is not None for o in priced):
        blocks.append(_jobs(answer, number, priced))
    missing = unavailable(item)
    if missing:
        blocks += [Paragraph(words("unavailable")), Items(tuple(missing))]
    heading = words("options", what=named(item), place=place_of(item))
    return Section(f"options_{letters(number)}", heading, tuple(blocks))


def _options(answer: Estimate, number: int, item: Item, priced: Sequence[EstimateOption]) -> Table:
    rows = []
    for o in priced:
        hour, month = amounts(answer, item, o, CellRef("count", number, "bill"))
        role = CHOSEN if o is item.line else PLAIN if o.available else MUTED
        note = clauses(remarks(answer, o, ranged=False))
        cells = (Text(option_name(o)), hour, month, _saving(o), _break_even(o))
        rows.append(Row(cells, role, note))
    columns = (
        Column("option", words("column_option")),
        Column("hour", words("column_hour"), figures=True, ranged=True),
        Column("month", words("column_month"), figures=True, ranged=True),
        Column("saving", words("column_saving"), figures=True),
        Column("break_even", words("column_break_even"), figures=True),
    )
    caption = words("options_caption", what=named(item), place=place_of(item))
    return Table(f"options_{letters(number)}", caption, columns, tuple(rows), item.type.name)


def _saving(o: EstimateOption) -> Cell:
    return Unknown() if o.saving is None else Percent(o.saving)


def _break_even(o: EstimateOption) -> Cell:
    if o.break_even_hours is None:
        return Unknown()
    if o.break_even_hours > HOURS_PER_MONTH:
        return Unknown(words("never"))
    return Number(round(o.break_even_hours), "h")


def _jobs(answer: Estimate, number: int, priced: Sequence[EstimateOption]) -> Table:
    rows = []
    for o in priced:
        if o.job is None:
            continue
        done = None if o.finish_hours is None else o.finish_hours.expected
        finish: Cell = Unknown() if done is None else Number(done, "h", decimals=1)
        job = money_range(o.job, answer.currency)
        rows.append(Row((Text(option_name(o)), job, finish)))
    columns = (
        Column("option", words("column_option")),
        Column("job", words("column_job"), figures=True, ranged=True),
        Column("finish", words("column_finish"), figures=True),
    )
    caption = words("jobs_caption", hours=f"{answer.request.job_hours:g}")
    return Table(f"jobs_{letters(number)}", caption, columns, tuple(rows), words("column_job"))


def _ways(answer: Estimate, number: int, ways: Sequence[Item]) -> Table:
    rows = []
    for item in ways:
        line = item.line
        month: Cell = Unknown(words("no_price"))
        if line is not None and line.monthly is not None:
            month = money_range(line.monthly, answer.currency)
        terms = "" if line is None else option_name(line)
        what = Text(named(item), strong=item.place == 1)
        cells: tuple[Cell, ...] = (what, Text(terms, detail=place_of(item)), month)
        role = CHOSEN if item.place == 1 else PLAIN
        rows.append(Row(cells, role, clauses(shape_parts(answer, item))))
    columns = (
        Column("what", words("column_what")),
        Column("terms", words("column_terms")),
        Column("month", words("column_month"), figures=True, ranged=True),
    )
    asked = ways[0].what
    more = dict(answer.left_out).get(asked, 0)
    caption = words("ways_caption", shown=len(ways), all=len(ways) + more)
    return Table(f"ways_{letters(number)}", caption, columns, tuple(rows), asked)
