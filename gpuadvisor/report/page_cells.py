"""Figures of a page as text, the same in HTML and Markdown. What is printed is never calculated."""

from __future__ import annotations

from decimal import Decimal

from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import MINOR_DIGITS, rounded
from gpuadvisor.report.messages import render
from gpuadvisor.report.page import (
    Cell,
    Column,
    Date,
    Money,
    MoneyRange,
    Number,
    Percent,
    Table,
    Text,
    Unknown,
)

DASH = "–"
_FINEST = 9
"""Decimals that a figure has at most."""


def words(id: str, /, **params: object) -> str:
    """A text of the pages themselves."""
    return render(message(f"page.{id}", **params))


def cell_text(cell: Cell) -> str:
    """A figure without its currency, which its column or `full_text` names."""
    if isinstance(cell, Text):
        return cell.text
    if isinstance(cell, Money):
        return money_digits(cell)
    if isinstance(cell, MoneyRange):
        return money_digits(cell.expected)
    if isinstance(cell, Number):
        number = number_digits(cell)
        return f"{number} {cell.unit}" if cell.unit else number
    if isinstance(cell, Percent):
        return f"{float(cell.share) * 100:,.{cell.decimals}f} %"
    if isinstance(cell, Date):
        return cell.iso
    return cell.why or DASH


def full_text(cell: Cell) -> str:
    """A figure with everything that it needs when it stands alone."""
    text, unit = cell_text(cell), currency_of(cell)
    return f"{text} {unit}" if unit else text


def range_text(cell: Cell) -> str:
    """What stands small beside a figure: its range, or the detail of a text; else nothing."""
    if isinstance(cell, Text):
        return cell.detail
    if isinstance(cell, MoneyRange):
        low, expected, high = (money_digits(part) for part in cell)
        if low == expected == high:
            return ""
        return words("range", low=low, high=high)
    return ""


def money_digits(cell: Money) -> str:
    """`1,234.50`; a unit price keeps as many decimals as its cell says."""
    if cell.decimals is None:
        return f"{rounded(cell.amount, cell.currency):,f}"
    return f"{cell.amount:,.{cell.decimals}f}"


def number_digits(cell: Number) -> str:
    """A number with thousands apart, with the decimals its cell names or it has."""
    return f"{cell.value:,.{number_decimals(cell)}f}"


def number_decimals(cell: Number) -> int:
    """Decimals that a number is shown with."""
    if cell.decimals is not None:
        return cell.decimals
    value = cell.value if isinstance(cell.value, Decimal) else Decimal(repr(cell.value))
    exponent = value.normalize().as_tuple().exponent
    return min(max(0, -exponent), _FINEST) if isinstance(exponent, int) else 0


def money_decimals(cell: Money) -> int:
    """Decimals that an amount is shown with."""
    return MINOR_DIGITS.get(cell.currency, 2) if cell.decimals is None else cell.decimals


def price_decimals(*amounts: Decimal | None) -> int:
    """Decimals that show every published digit of unit prices: 2 to 6, for `Money.decimals`."""
    found = 2
    for amount in amounts:
        exponent = 0 if amount is None else amount.normalize().as_tuple().exponent
        if isinstance(exponent, int):
            found = max(found, min(-exponent, 6))
    return found


def currency_of(cell: Cell) -> str:
    """The currency of an amount; empty for anything else."""
    if isinstance(cell, MoneyRange):
        return cell.expected.currency
    return cell.currency if isinstance(cell, Money) else ""


def header_text(table: Table, column: Column) -> str:
    """The header with the currency of all money beneath it, unless it names that itself."""
    index = table.columns.index(column)
    found = {currency_of(row.cells[index]) for row in table.rows} - {""}
    if len(found) != 1:
        return column.header
    currency = found.pop()
    return column.header if currency in column.header else f"{column.header} ({currency})"


def is_mixed(table: Table, index: int) -> bool:
    """Whether a column holds more than one currency, so that each cell must name its own."""
    return len({currency_of(row.cells[index]) for row in table.rows} - {""}) > 1


def is_known(cell: Cell) -> bool:
    """Whether a cell is known."""
    return not isinstance(cell, Unknown)
