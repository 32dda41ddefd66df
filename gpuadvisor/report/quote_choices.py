"""Tables that set the choices of a quote side by side, one column each."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from gpuadvisor.advice.quote_result import Line, Proposal, Quote, Way
from gpuadvisor.report import quote_words as say
from gpuadvisor.report.page import (
    PLAIN,
    TOTAL,
    Cell,
    CellRef,
    Column,
    Formula,
    Money,
    Number,
    Row,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_cells import price_decimals
from gpuadvisor.report.quote_tables import (
    coins,
    hours_cell,
    product,
    shown_ways,
    source_cell,
    tax_on,
)

_UNIT, _COUNT, _HOURS, _SUBTOTAL, _TAX = 2, 3, 4, 5, 6
"""Rows of the price table that formulas refer to."""


def _key(proposal: Proposal) -> str:
    return proposal.names[0]


def _columns(quote: Quote, first: str) -> tuple[Column, ...]:
    return (
        Column("name", say.words(f"column_{first}")),
        *(Column(_key(p), say.names(p), figures=True) for p in quote.proposals),
    )


def price_table(quote: Quote) -> Table:
    """From the machine down to the total: every choice has one line."""
    decimals = price_decimals(*(p.lines[0].way.unit_price for p in quote.proposals))

    def row(label: str, cell: Callable[[Proposal, Line], Cell], role: str = PLAIN) -> Row:
        cells = (cell(p, p.lines[0]) for p in quote.proposals)
        return Row((Text(label, strong=role == TOTAL), *cells), role)

    def money(amount: Decimal, formula: Formula | None = None) -> Money:
        return Money(amount, quote.currency, formula)

    total = say.words("total", per=say.per(quote))
    rows = [
        row(say.words("row_machine"), lambda p, x: Text(
            say.machine(x.machine, x.instances), detail=say.place(x.machine))),
        row(say.words("column_terms"), lambda p, x: Text(say.terms(x.way))),
        row(say.words("column_unit"), lambda p, x: Money(
            x.way.unit_price, quote.currency, decimals=decimals)),
        row(say.words("column_count"), lambda p, x: Number(x.instances, editable=True)),
        row(say.words("column_hours"), lambda p, x: hours_cell(quote, x)),
    ]  # fmt: skip
    if quote.tax is None:
        rows.append(row(total, lambda p, x: money(p.total.total, _amount(quote, p)), TOTAL))
    else:
        tax = say.words("tax", percent=say.percent(quote.tax))
        rows += [
            row(say.words("subtotal"), lambda p, x: money(
                p.total.subtotal, _amount(quote, p)), TOTAL),
            row(tax, lambda p, x: money(
                p.total.tax or Decimal(0), tax_on(quote, CellRef(_key(p), _SUBTOTAL)))),
            row(total, lambda p, x: money(p.total.total, Formula(
                "sum", (CellRef(_key(p), _SUBTOTAL), CellRef(_key(p), _TAX)))), TOTAL),
        ]  # fmt: skip
    if any(p.lines[0].low != p.lines[0].high for p in quote.proposals):
        rows.append(row(say.words("row_range"), lambda p, x: _range(quote, x.low, x.high)))
    dates = [spot.as_of for p in quote.proposals for spot in p.spot]
    if dates:
        label = say.words("row_spot", date=min(dates))
        rows.append(row(label, lambda p, x: _spot(quote, p)))
    rows.append(row(say.words("column_source"), lambda p, x: source_cell(x.way)))
    caption = say.words("caption_choices", per=say.per(quote))
    return Table(
        "lines", caption, _columns(quote, "item"), tuple(rows), say.words("section_prices")
    )


def _amount(quote: Quote, proposal: Proposal) -> Formula:
    key = _key(proposal)
    return coins(quote, product(CellRef(key, _UNIT), CellRef(key, _COUNT), CellRef(key, _HOURS)))


def _range(quote: Quote, low: Decimal, high: Decimal) -> Cell:
    if low == high:
        return Unknown()
    return Text(
        say.words("range", low=say.plain_money(quote, low), high=say.plain_money(quote, high))
    )


def _spot(quote: Quote, proposal: Proposal) -> Cell:
    if not proposal.spot:
        return Unknown()
    spot = proposal.spot[0]
    low, expected, high = (
        say.plain_money(quote, part) for part in (spot.low, spot.expected, spot.high)
    )
    return Text(expected, detail=say.words("range", low=low, high=high))


def term_table(quote: Quote) -> Table:
    """The choices on each option and term, before tax; the cheapest class and payment of each."""
    shown = {_key(p): shown_ways(quote, p)[0][1] for p in quote.proposals}
    terms = dict.fromkeys((w.option, w.term) for ways in shown.values() for w in ways)
    rows = []
    for option, term in terms:
        found = [_on(shown[_key(p)], option, term) for p in quote.proposals]
        first = next(way for way in found if way is not None)
        cells = (Unknown() if way is None else _cell(quote, way) for way in found)
        rows.append(Row((Text(say.short_terms(first), detail=_pays(found)), *cells)))
    caption = say.words("caption_terms", per=say.per(quote))
    columns = _columns(quote, "terms")
    return Table("ways", caption, columns, tuple(rows), say.words("sheet_ways"))


def _on(ways: list[Way], option: str, term: str | None) -> Way | None:
    return next((way for way in ways if (way.option, way.term) == (option, term)), None)


def _cell(quote: Quote, way: Way) -> Cell:
    return Money(way.amount, quote.currency)


def _pays(found: list[Way | None]) -> str:
    """From how many hours a month a commitment costs less, over the choices."""
    hours = [w.break_even_hours for w in found if w is not None and w.break_even_hours is not None]
    savings = [w.saving for w in found if w is not None and w.saving is not None]
    if not hours or not savings:
        return ""
    return say.words(
        "pays_range",
        hours=_span([f"{round(h)}" for h in sorted(hours)]),
        percent=_span([f"{round(-100 * s):+}" for s in sorted(savings, reverse=True)]),
    )


def _span(values: list[str]) -> str:
    low, high = values[0], values[-1]
    return low if low == high else say.words("range", low=low, high=high)
