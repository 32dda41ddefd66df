"""Tables of one proposal: its firm lines with their sums, and other ways of paying them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from gpuadvisor.advice.quote_result import MONTH, Line, Proposal, Quote, Way
from gpuadvisor.cost.money import MINOR_DIGITS
from gpuadvisor.report import quote_words as say
from gpuadvisor.report.messages import render
from gpuadvisor.report.page import (
    CHOSEN,
    PLAIN,
    TOTAL,
    Cell,
    CellRef,
    Column,
    Formula,
    InputRef,
    Money,
    Number,
    Percent,
    Row,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_cells import price_decimals
from gpuadvisor.report.quote_charts import cheapest

HOURS, DISCOUNT, TAX = "month_hours", "discount", "tax_rate"
"""What the reader of a sheet may change for all lines at once."""

Ways = Sequence[tuple[Line, list[Way]]]


# -- what a sheet calculates -----------------------------------------------------------------


def follows_hours(quote: Quote, line: Line) -> bool:
    """Whether a line's hours are those of the month, and not its own or a commitment's."""
    return quote.per == MONTH and line.way.term is None and line.way.hours == quote.hours


def hours_cell(quote: Quote, line: Line) -> Number:
    """The hours of a line: the month's, or its own to be changed; a commitment's are fixed."""
    if follows_hours(quote, line):
        return Number(line.way.hours, formula=Formula("sum", (InputRef(HOURS),)))
    return Number(line.way.hours, editable=line.way.term is None)


def product(*cells: CellRef) -> Formula:
    """Unit price x count x hours, less the discount."""
    keep = Formula("difference", (Decimal(1), InputRef(DISCOUNT)))
    return Formula("product", (*cells, keep))


def coins(quote: Quote, inner: Formula) -> Formula:
    """Rounded to the quote's coins."""
    return Formula("round", (inner, Decimal(MINOR_DIGITS.get(quote.currency, 2))))


def tax_on(quote: Quote, subtotal: CellRef) -> Formula:
    """The tax of a subtotal."""
    return coins(quote, Formula("product", (subtotal, InputRef(TAX))))


# -- firm lines ------------------------------------------------------------------------------


def line_table(quote: Quote, proposal: Proposal) -> Table:
    """Every firm line, subtotal, tax and total."""
    lines = proposal.lines
    decimals = price_decimals(*(line.way.unit_price for line in lines))
    rows = [
        _line_row(quote, line, decimals, formula)
        for line, formula in zip(lines, _amounts(quote, lines), strict=True)
    ]
    rows += _sum_rows(quote, proposal)
    name = say.names(proposal)
    caption = say.words("caption_lines", currency=quote.currency, per=say.per(quote))
    columns = (
        Column("item", say.words("column_item")),
        Column("terms", say.words("column_terms")),
        Column("unit", say.words("column_unit"), figures=True),
        Column("count", say.words("column_count"), figures=True),
        Column("hours", say.words("column_hours"), figures=True),
        Column("amount", say.words("column_amount"), figures=True),
        Column("source", say.words("column_source")),
    )
    return Table("lines", caption, columns, tuple(rows), name)


def _amounts(quote: Quote, lines: Sequence[Line]) -> list[Formula]:
    """Of several lines the largest takes what rounding leaves over, as on the quote."""
    found = [coins(quote, _product(n)) for n in range(len(lines))]
    if len(lines) > 1:
        largest = max(range(len(lines)), key=lambda n: lines[n].amount)
        others = (CellRef("amount", n) for n in range(len(lines)) if n != largest)
        found[largest] = Formula("difference", (CellRef("amount", len(lines)), *others))
    return found


def _product(row: int) -> Formula:
    return product(CellRef("unit", row), CellRef("count", row), CellRef("hours", row))


def _line_row(quote: Quote, line: Line, decimals: int, formula: Formula) -> Row:
    cells = (
        Text(
            say.machine(line.machine, line.instances), strong=True, detail=say.place(line.machine)
        ),
        Text(say.terms(line.way)),
        Money(line.way.unit_price, quote.currency, decimals=decimals),
        Number(line.instances, editable=True),
        hours_cell(quote, line),
        Money(line.amount, quote.currency, formula),
        source_cell(line.way),
    )
    return Row(cells, PLAIN, say.words("separate").join(say.line_notes(quote, line)))


def source_cell(way: Way) -> Cell:
    """The short name of a price's source; what is ours alone is said to be so."""
    return Text(way.source or say.words("own_list"))


def _sum_rows(quote: Quote, proposal: Proposal) -> Iterable[Row]:
    found, count = proposal.total, len(proposal.lines)
    whole = coins(quote, Formula("sum", tuple(_product(n) for n in range(count))))
    subtotal = CellRef("amount", count)
    if found.tax is not None and quote.tax is not None:
        yield _sum_row(quote, say.words("subtotal"), found.subtotal, whole)
        label = say.words("tax", percent=say.percent(quote.tax))
        yield _sum_row(quote, label, found.tax, tax_on(quote, subtotal))
        whole = Formula("sum", (subtotal, CellRef("amount", count + 1)))
    yield _sum_row(quote, say.words("total", per=say.per(quote)), found.total, whole)


def _sum_row(quote: Quote, label: str, amount: Decimal, formula: Formula) -> Row:
    blank = Text("")
    cells = (blank, blank, blank, blank, Money(amount, quote.currency, formula), blank)
    return Row((Text(label, strong=True), *cells), TOTAL)


# -- other ways of paying --------------------------------------------------------------------


def shown_ways(quote: Quote, proposal: Proposal) -> Ways:
    """Machines as named: every way of paying. A choice: the cheapest of each option and term."""
    return [
        (line, list(line.ways) if say.is_asked(quote) else cheapest(line.ways, line.way))
        for line in proposal.lines
    ]


def way_table(quote: Quote, proposal: Proposal) -> Table:
    """Firm ways of paying each line, before tax."""
    shown = shown_ways(quote, proposal)
    decimals = price_decimals(*(way.unit_price for _, ways in shown for way in ways))
    rows = []
    for line, ways in shown:
        for way in ways:
            name = say.terms(way)
            if len(shown) > 1:
                name = say.named(line.machine.instance_type, name)
            pays = way.break_even_hours
            cells = (
                Text(name),
                Money(way.unit_price, quote.currency, decimals=decimals),
                Number(way.hours),
                Money(way.amount, quote.currency),
                Unknown() if way.saving is None else Percent(round(-way.saving, 4)),
                Unknown() if pays is None else Number(round(pays)),
                source_cell(way),
            )
            rows.append(Row(cells, CHOSEN if way == line.way else PLAIN))
    caption = say.words("caption_ways", currency=quote.currency, per=say.per(quote))
    columns = (
        Column("terms", say.words("column_terms")),
        Column("unit", say.words("column_unit"), figures=True),
        Column("hours", say.words("column_hours"), figures=True),
        Column("amount", say.words("column_amount"), figures=True),
        Column("saving", say.words("column_saving"), figures=True),
        Column("pays", say.words("column_break_even"), figures=True),
        Column("source", say.words("column_source")),
    )
    return Table("ways", caption, columns, tuple(rows), say.words("sheet_ways"))


def bindings(shown: Ways) -> Iterable[str]:
    """What the ways bind to, said once for all that bind alike."""
    several = len({line.machine.instance_type for line, _ in shown}) > 1
    alike: dict[str, list[str]] = {}
    for line, ways in shown:
        for way in ways:
            notes = say.words("separate").join(render(note) for note in way.notes)
            name = say.short_terms(way)
            if several:
                name = f"{line.machine.instance_type} {name}"
            if notes and name not in alike.setdefault(notes, []):
                alike[notes].append(name)
    for notes, names in alike.items():
        yield say.words("binding", terms=", ".join(names), notes=notes)
