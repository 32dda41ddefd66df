"""A page as a workbook: a summary, a sheet for each table, and the sources.

Figures are numbers with a number format, formulas are live and carry the value that the answer
gives, and the figures that a reader may change stand apart in colour. Texts are never read as
formulas. The same page makes the same bytes: the document's dates are the page's own.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import Sequence
from typing import Any

from gpuadvisor.report.extra import needed
from gpuadvisor.report.messages import clauses
from gpuadvisor.report.page import (
    BarChart,
    Cards,
    Command,
    Items,
    LineChart,
    Money,
    MoneyRange,
    Page,
    Paragraph,
    Row,
    StepChart,
    Table,
    Text,
)
from gpuadvisor.report.page_cells import (
    full_text,
    header_text,
    is_mixed,
    range_text,
    words,
)
from gpuadvisor.report.sheet_cells import LOOKS, Cells, height, safe
from gpuadvisor.report.sheet_formulas import (
    HEADER_ROWS,
    PARTS,
    Spread,
    formula_text,
    quoted,
    sheet_names,
    spread,
)
from gpuadvisor.report.text import width

_SUMMARY = (30, 18, 72)
_NARROWEST, _WIDEST, _NOTE = 9, 44, 70
"""Widths of columns, in characters."""


def xlsx(page: Page) -> bytes:
    """The whole workbook. UsageError without the extra `report`."""
    with needed("report"):
        import xlsxwriter
    stream = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(stream, options)
    created = datetime.datetime.fromisoformat(page.today)
    book.set_properties({"title": safe(page.title), "author": "gpuadvisor", "created": created})
    tables = [b for section in page.sections for b in section.blocks if isinstance(b, Table)]
    names = sheet_names(
        [words("sheet_summary"), *(t.sheet or t.caption for t in tables), words("sheet_sources")]
    )
    places = {t.id: spread(t, name) for t, name in zip(tables, names[1:-1], strict=True)}
    writer = _Writer(book, places)
    writer.summary(page, names[0])
    for table in tables:
        writer.table(table)
    writer.sources(page, names[-1])
    book.close()
    return stream.getvalue()


class _Writer:
    """A workbook under construction."""

    def __init__(self, book: Any, places: dict[str, Spread]) -> None:
        self._book = book
        self._places = places
        self._cells = Cells(book)

    # -- sheets --------------------------------------------------------------------------

    def summary(self, page: Page, name: str) -> None:
        """The answer, its terms, the figures to change, and every text in the order of reading."""
        sheet = self._sheet(name)
        for at, wide in enumerate(_SUMMARY):
            sheet.set_column(at, at, wide)
        row = self._texts(sheet, 0, [page.title], "title")
        row = self._texts(sheet, row, [page.lead], "lead") + 1
        for fact in page.facts:
            sheet.write_string(row, 0, safe(fact.label), self._cells.format("label", wrap=True))
            small = range_text(fact.value)
            if small or isinstance(fact.value, Text):
                shown = f"{full_text(fact.value)}; {small}" if small else full_text(fact.value)
                sheet.merge_range(row, 1, row, 2, safe(shown), self._cells.format(wrap=True))
                sheet.set_row(row, height(shown, sum(_SUMMARY[1:])))
            else:
                self._cells.write(sheet, row, 1, fact.value, "plain", mixed=True, left=True)
            row += 1
        if page.inputs:
            row = self._texts(sheet, row + 1, [words("inputs")], "heading")
        for item in page.inputs:
            sheet.write_string(row, 0, safe(item.label), self._cells.format("label", wrap=True))
            value = item.value._replace(editable=True)
            self._cells.write(sheet, row, 1, value, "plain", mixed=True, left=True)
            self._book.define_name(item.name, f"={quoted(name)}!$B${row + 1}")
            row += 1
        if page.warnings:
            row = self._texts(sheet, row + 1, [words("warnings")], "heading")
            row = self._texts(sheet, row, page.warnings, "warning")
        for section in page.sections:
            row = self._section(sheet, row + 1, section.heading, section.blocks)
        self._texts(sheet, row + 1, page.footer, "label")

    def _section(self, sheet: Any, row: int, heading: str, blocks: Sequence[Any]) -> int:
        row = self._texts(sheet, row, [heading], "heading")
        for block in blocks:
            if isinstance(block, Paragraph):
                look = {"note": "label"}.get(block.role, block.role)
                row = self._texts(sheet, row, [block.text], look)
            elif isinstance(block, Items):
                row = self._texts(sheet, row, block.items)
            elif isinstance(block, Command):
                row = self._texts(sheet, row, [block.text], "code")
            elif isinstance(block, Table):
                place = self._places[block.id]
                link = f"internal:{quoted(place.sheet)}!A1"
                sheet.write_url(row, 0, link, string=safe(block.caption))
                row += 1
            elif isinstance(block, Cards):
                row = self._cards(sheet, row, block)
            else:
                assert isinstance(block, BarChart | LineChart | StepChart)
                row = self._texts(sheet, row, [f"{block.title}: {block.description}"], "label")
        return row

    def _cards(self, sheet: Any, row: int, block: Cards) -> int:
        for card in block.cards:
            look = "chosen" if card.marked else "plain"
            lines = [f"{card.name}: {full_text(card.price)} {card.per}", *card.lines]
            sheet.write_string(row, 0, safe(card.label), self._cells.format(look))
            body = safe("\n".join(lines))
            sheet.merge_range(row, 1, row, 2, body, self._cells.format(look, wrap=True))
            sheet.set_row(row, sum(height(line, sum(_SUMMARY[1:])) for line in lines))
            row += 1
        return row

    def _texts(self, sheet: Any, row: int, texts: Sequence[str], look: str = "plain") -> int:
        """Long texts over all columns, each in a row as high as it needs; returns the next row."""
        for text in texts:
            sheet.merge_range(row, 0, row, 2, safe(text), self._cells.format(look, wrap=True))
            sheet.set_row(row, height(text, sum(_SUMMARY), LOOKS[look].get("font_size", 11)))
            row += 1
        return row

    def table(self, table: Table) -> None:
        """A sheet of its own: caption, a header that stays in view, and rows of figures."""
        place = self._places[table.id]
        sheet = self._sheet(place.sheet)
        notes = len(place.columns)
        sheet.write_string(0, 0, safe(table.caption), self._cells.format("heading"))
        widths = [_NARROWEST] * notes
        for column in table.columns:
            for part in PARTS if column.ranged else PARTS[:1]:
                at = place.columns[column.key, part]
                title = header_text(table, column)
                if part != "expected":
                    title = words(f"column_{part}", name=title)
                look = self._cells.format("header", wrap=True, right=column.figures)
                sheet.write_string(1, at, safe(title), look)
                widths[at] = max(widths[at], min(width(title), 16))
        for n, row in enumerate(table.rows):
            self._row(sheet, table, n, row, widths)
        if any(_note(row) for row in table.rows):
            sheet.write_string(1, notes, safe(words("column_notes")), self._cells.format("header"))
            sheet.set_column(notes, notes, _NOTE)
        for at, wide in enumerate(widths):
            sheet.set_column(at, at, min(wide, _WIDEST) + 2)
        sheet.freeze_panes(HEADER_ROWS, 1)
        sheet.repeat_rows(0, 1)

    def _row(self, sheet: Any, table: Table, n: int, row: Row, widths: list[int]) -> None:
        place, at = self._places[table.id], n + HEADER_ROWS
        for index, (column, cell) in enumerate(zip(table.columns, row.cells, strict=True)):
            parts = PARTS if column.ranged else PARTS[:1]
            for part in parts:
                x = place.columns[column.key, part]
                value = getattr(cell, part) if isinstance(cell, MoneyRange) else cell
                if not isinstance(cell, MoneyRange | Money) and part != "expected":
                    sheet.write_blank(at, x, None, self._cells.format(row.role))
                    continue
                formula = getattr(value, "formula", None)
                self._cells.write(
                    sheet, at, x, value, row.role, mixed=is_mixed(table, index),
                    right=column.figures,
                    formula=formula and formula_text(formula, table.id, n, self._places),
                )  # fmt: skip
                widths[x] = max(widths[x], width(full_text(value)))
        note = _note(row)
        if note:
            notes = len(place.columns)
            sheet.write_string(at, notes, safe(note), self._cells.format("label", wrap=True))
            sheet.set_row(at, height(note, _NOTE))

    def sources(self, page: Page, name: str) -> None:
        """Assumptions, sources with their dates, and the catalogs that were read."""
        if not (page.assumptions or page.sources or page.catalogs):
            return
        sheet = self._sheet(name)
        for at, wide in enumerate((46, 70, 30, 12, 14)):
            sheet.set_column(at, at, wide)
        row = 0
        blocks: tuple[tuple[str, list[tuple[str, ...]]], ...] = (
            (words("assumptions"), [("", text) for text in page.assumptions]),
            (
                words("sources"),
                [(s.name, s.title, s.address, s.as_of, s.confidence) for s in page.sources],
            ),
            (words("catalogs"), [(c.name, c.version, "", c.as_of) for c in page.catalogs]),
        )
        for heading, lines in blocks:
            if not lines:
                continue
            sheet.write_string(row, 0, safe(heading), self._cells.format("heading"))
            for line in lines:
                row += 1
                for at, text in enumerate(line):
                    sheet.write_string(row, at, safe(text), self._cells.format(wrap=True))
            row += 2

    def _sheet(self, name: str) -> Any:
        sheet = self._book.add_worksheet(name)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        return sheet


def _note(row: Row) -> str:
    """What stands small in a row of a page: details of its texts, and the line under it."""
    details = [cell.detail for cell in row.cells if isinstance(cell, Text) and cell.detail]
    return clauses([*details, *([row.note] if row.note else [])])
