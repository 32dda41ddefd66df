"""Formulas of a page as a spreadsheet writes them, and where each cell of a page stands there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.report.page import CellRef, Formula, InputRef, Table

HEADER_ROWS = 2
"""A table's sheet begins with its caption and its header."""

PARTS = ("expected", "low", "high")
"""The columns of a `MoneyRange`, in order."""

_SIGNS = {"product": "*", "sum": "+", "difference": "-", "quotient": "/"}


class Place(NamedTuple):
    """A cell: its sheet, row and column, counted from 0."""

    sheet: str
    row: int
    column: int


class Spread(NamedTuple):
    """A table's place: its sheet, and the sheet's column of each (key, part)."""

    sheet: str
    columns: dict[tuple[str, str], int]
    rows: int


def spread(table: Table, sheet: str) -> Spread:
    """Lay a table's columns out; a ranged one takes three."""
    columns: dict[tuple[str, str], int] = {}
    for column in table.columns:
        for part in PARTS if column.ranged else PARTS[:1]:
            columns[column.key, part] = len(columns)
    return Spread(sheet, columns, len(table.rows))


def place_of(ref: CellRef, own: str, row: int, tables: dict[str, Spread]) -> Place:
    """Where a reference from the `row` of table `own` points. ValueError where nowhere."""
    found = tables.get(ref.table or own)
    at = row if ref.row is None else ref.row
    column = None if found is None else found.columns.get((ref.column, ref.part))
    if found is None or column is None or not 0 <= at < found.rows:
        raise ValueError(f"a formula of table {own} refers to {ref}, which is not in the page")
    return Place(found.sheet, at + HEADER_ROWS, column)


def formula_text(formula: Formula, own: str, row: int, tables: dict[str, Spread]) -> str:
    """`=ROUND(C3*D3*(1-discount),2)` for a formula in `row` of the table `own`."""
    return "=" + _text(formula, own, row, tables)


def _text(part: Formula | InputRef | CellRef | Decimal, own: str, row: int,
          tables: dict[str, Spread]) -> str:  # fmt: skip
    if isinstance(part, Decimal):
        return f"{part:f}"
    if isinstance(part, InputRef):
        return part.name
    if isinstance(part, CellRef):
        place = place_of(part, own, row, tables)
        return _address(place, tables[own].sheet)
    if part.kind == "round":
        value, digits = part.parts
        return f"ROUND({_text(value, own, row, tables)},{_text(digits, own, row, tables)})"
    if part.kind == "sum":
        joined = _column_sum(part.parts, own, row, tables)
        if joined is not None:
            return joined
    return _SIGNS[part.kind].join(_operand(p, own, row, tables) for p in part.parts)


def _operand(part: Formula | InputRef | CellRef | Decimal, own: str, row: int,
             tables: dict[str, Spread]) -> str:  # fmt: skip
    text = _text(part, own, row, tables)
    bare = not isinstance(part, Formula) or part.kind == "round" or text.startswith("SUM(")
    return text if bare and not text.startswith("-") else f"({text})"


def _column_sum(
    parts: Sequence[Formula | InputRef | CellRef | Decimal],
    own: str,
    row: int,
    tables: dict[str, Spread],
) -> str | None:
    """`SUM(C3:C7)` over cells below each other; None for any other sum."""
    if len(parts) < 2 or not all(isinstance(part, CellRef) for part in parts):
        return None
    places = [place_of(part, own, row, tables) for part in parts if isinstance(part, CellRef)]
    first = places[0]
    if any(p != first._replace(row=first.row + n) for n, p in enumerate(places)):
        return None
    home = tables[own].sheet
    return f"SUM({_address(first, home)}:{_cell(places[-1])})"


def _address(place: Place, home: str) -> str:
    if place.sheet == home:
        return _cell(place)
    return quoted(place.sheet) + "!" + _cell(place)


def quoted(sheet: str) -> str:
    """A sheet's name as formulas write it."""
    return "'" + sheet.replace("'", "''") + "'"


def _cell(place: Place) -> str:
    letters, column = "", place.column + 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(65 + digit) + letters
    return f"{letters}{place.row + 1}"


def sheet_names(wanted: Iterable[str]) -> list[str]:
    """Names that a workbook takes: at most 31 characters, none of `[]:*?/\\`, no two alike."""
    found: list[str] = []
    taken: set[str] = set()
    for name in wanted:
        plain = "".join(" " if c in "[]:*?/\\'" else c for c in name).strip() or "-"
        candidate, number = plain[:31].strip(), 1
        while candidate.casefold() in taken:
            number += 1
            candidate = f"{plain[:27].strip()} {number}"
        taken.add(candidate.casefold())
        found.append(candidate)
    return found
