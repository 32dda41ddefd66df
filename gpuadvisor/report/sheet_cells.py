"""Cells of a workbook: what a figure is worth there, how it is shown, and the formats so far.

Texts are never read as formulas: they are written as strings, and disarmed as in CSV for whoever
copies them on.
"""

from __future__ import annotations

import datetime
from typing import Any

from gpuadvisor.report.page import Cell, Date, Money, MoneyRange, Number, Percent
from gpuadvisor.report.page_cells import cell_text, money_decimals, number_decimals
from gpuadvisor.report.table import csv_safe
from gpuadvisor.report.text import printable, width

_LONGEST = 32_000
"""A cell takes 32,767 characters."""

LOOKS: dict[str, dict[str, Any]] = {
    "plain": {},
    "chosen": {"bg_color": "#E6EFFA", "bold": True},
    "total": {"bold": True, "top": 1},
    "muted": {"font_color": "#505D6D"},
    "title": {"bold": True, "font_size": 16},
    "lead": {"font_size": 12},
    "heading": {"bold": True, "font_size": 12},
    "header": {"bold": True, "bottom": 2, "bg_color": "#F0F3F7"},
    "label": {"font_color": "#505D6D"},
    "warning": {"bg_color": "#FDF3D8"},
    "code": {"font_name": "Consolas"},
}
_EDITABLE = {"bg_color": "#FFF9D6", "font_color": "#0B3D91", "border": 1, "border_color": "#B98A10"}


def safe(text: str) -> str:
    """A text as a cell takes it."""
    return csv_safe(printable(text))[:_LONGEST]


class Cells:
    """Writes cells into the sheets of one workbook; keeps the formats that it has made."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._formats: dict[tuple[Any, ...], Any] = {}

    def write(
        self,
        sheet: Any,
        row: int,
        at: int,
        cell: Cell,
        role: str,
        *,
        mixed: bool = False,
        left: bool = False,
        right: bool = False,
        formula: str | None = None,
    ) -> None:
        """Write a figure as a number, or as a `formula` whose stored result it is.

        `mixed` puts the currency into the number format, where a column holds several.
        """
        shown = _number_format(cell, mixed)
        edit = bool(getattr(cell, "editable", False))
        look = self.format(role, shown, edit, wrap=shown == "", left=left, right=right)
        value = _value(cell)
        if isinstance(value, str):
            sheet.write_string(row, at, safe(value), look)
        elif isinstance(value, datetime.date):
            sheet.write_datetime(row, at, value, look)
        elif formula is not None:
            sheet.write_formula(row, at, formula, look, value)
        else:
            sheet.write_number(row, at, value, look)

    def format(
        self,
        role: str = "plain",
        number: str = "",
        editable: bool = False,
        wrap: bool = False,
        right: bool = False,
        left: bool = False,
    ) -> Any:
        """The workbook's format of a role and a number format; made once."""
        key = (role, number, editable, wrap, right, left)
        if key not in self._formats:
            look = {**LOOKS[role], "valign": "top"}
            if number:
                look["num_format"] = number
            if editable:
                look |= _EDITABLE
            if wrap:
                look["text_wrap"] = True
            if right or left:
                look["align"] = "right" if right else "left"
            self._formats[key] = self._book.add_format(look)
        return self._formats[key]


def height(text: str, columns: int, size: float = 11) -> float:
    """Points that a wrapped text takes: not every program finds the height of a row by itself."""
    lines = max(1, -(-width(text) * size // (columns * 10.5)))
    return 1.4 * size * lines


def _value(cell: Cell) -> str | float | datetime.date:
    if isinstance(cell, Money):
        return float(cell.amount)
    if isinstance(cell, MoneyRange):
        return float(cell.expected.amount)
    if isinstance(cell, Number):
        return float(cell.value)
    if isinstance(cell, Percent):
        return float(cell.share)
    if isinstance(cell, Date):
        try:
            return datetime.date.fromisoformat(cell.iso)
        except ValueError:  # a month, or a year
            return cell.iso
    return cell_text(cell)


def _number_format(cell: Cell, mixed: bool) -> str:
    """How a sheet shows a number; empty for text."""
    if isinstance(cell, MoneyRange):
        return _number_format(cell.expected, mixed)
    if isinstance(cell, Money):
        return _digits(money_decimals(cell)) + (f' "{cell.currency}"' if mixed else "")
    if isinstance(cell, Number):
        unit = cell.unit.replace('"', "")
        return _digits(number_decimals(cell)) + (f' "{unit}"' if unit else "")
    if isinstance(cell, Percent):
        return ("0." + "0" * cell.decimals if cell.decimals else "0") + "%"
    return "yyyy-mm-dd" if isinstance(cell, Date) else ""


def _digits(decimals: int) -> str:
    return "#,##0" + ("." + "0" * decimals if decimals else "")
