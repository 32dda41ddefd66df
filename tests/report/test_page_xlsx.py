"""Pages as workbooks: figures are figures, formulas make the values that stand beside them."""

from __future__ import annotations

import datetime
import io
import sys
import zipfile
from decimal import Decimal
from typing import Any

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.report.page import (
    CellRef,
    Column,
    Formula,
    Input,
    InputRef,
    Money,
    MoneyRange,
    Number,
    Page,
    Percent,
    Row,
    Section,
    Table,
    Text,
)
from gpuadvisor.report.page_xlsx import xlsx
from gpuadvisor.report.sheet_formulas import formula_text, place_of, sheet_names, spread
from tests.report.pages import COMMANDS, page_of
from tests.report.test_page_html import HOSTILE, hostile_page

openpyxl = pytest.importorskip("openpyxl")


def opened(data: bytes, values: bool = False) -> Any:
    """The workbook; `values` reads the stored results in place of formulas."""
    return openpyxl.load_workbook(io.BytesIO(data), data_only=values)


def amount(cell: Any) -> Decimal:
    """What a figure of a page is worth."""
    if isinstance(cell, Money):
        return cell.amount
    if isinstance(cell, MoneyRange):
        return cell.expected.amount
    return Decimal(str(cell.share if isinstance(cell, Percent) else cell.value))


def worth(part: Any, page: Page, table: Table, row: int) -> Decimal:
    """Calculate a formula from the figures of its page alone."""
    if isinstance(part, Decimal):
        return part
    if isinstance(part, InputRef):
        return amount(next(i for i in page.inputs if i.name == part.name).value)
    if isinstance(part, CellRef):
        tables = [b for s in page.sections for b in s.blocks if isinstance(b, Table)]
        found = table if part.table is None else next(t for t in tables if t.id == part.table)
        index = [column.key for column in found.columns].index(part.column)
        cell = found.rows[row if part.row is None else part.row].cells[index]
        return amount(getattr(cell, part.part) if isinstance(cell, MoneyRange) else cell)
    values = [worth(p, page, table, row) for p in part.parts]
    if part.kind == "product":
        made = Decimal(1)
        for value in values:
            made *= value
        return made
    if part.kind == "sum":
        return sum(values, Decimal(0))
    if part.kind == "difference":
        return values[0] - sum(values[1:], Decimal(0))
    if part.kind == "quotient":
        return values[0] / values[1]
    assert part.kind == "round"
    return round(values[0], int(values[1]))


def formulas(page: Page) -> list[tuple[Table, int, Formula, Decimal]]:
    """Every formula of a page with the value that it carries."""
    found = []
    for section in page.sections:
        for table in (b for b in section.blocks if isinstance(b, Table)):
            for n, row in enumerate(table.rows):
                for cell in row.cells:
                    for figure in cell if isinstance(cell, MoneyRange) else (cell,):
                        live = getattr(figure, "formula", None)
                        if live is not None:
                            found.append((table, n, live, amount(figure)))
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_formulas_make_their_values(name: str) -> None:
    page = page_of(name)
    found = formulas(page)
    for table, row, live, value in found:
        made = worth(live, page, table, row)
        assert abs(made - value) < Decimal("0.006"), (table.id, row, live)
    if name in ("estimate", "estimate-many", "reserve", "recommend", "recommend-run", "own"):
        assert found


def test_a_discount_that_grows_over_the_month_has_no_formula() -> None:
    """Google's N1 machines get a sustained use discount: price x hours is not their month."""
    page = page_of("estimate-many")
    bill = next(b for s in page.sections for b in s.blocks if isinstance(b, Table))
    month = {str(row.cells[0].text): row.cells[-1] for row in bill.rows}  # type: ignore[union-attr]
    assert isinstance(month["n1-standard-8+v100x1"], MoneyRange)
    assert month["n1-standard-8+v100x1"].expected.formula is None
    assert month["g5.xlarge"].expected.formula is not None  # type: ignore[union-attr]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_figure_is_in_the_workbook(name: str) -> None:
    page = page_of(name)
    data = xlsx(page)
    book = opened(data, values=True)
    tables = [b for s in page.sections for b in s.blocks if isinstance(b, Table)]
    assert len(book.sheetnames) == len(tables) + 1 + bool(
        page.assumptions or page.sources or page.catalogs
    )
    for table, sheet in zip(tables, book.worksheets[1:], strict=False):
        assert sheet.freeze_panes == "B3"
        assert sheet["A1"].value == table.caption
        for n, row in enumerate(table.rows):
            values = [cell.value for cell in sheet[n + 3] if cell.value is not None]
            for cell in row.cells:
                if isinstance(cell, Money | MoneyRange | Number | Percent):
                    wanted = float(amount(cell))
                    assert any(
                        isinstance(v, int | float) and v == pytest.approx(wanted) for v in values
                    ), (table.id, n, cell)
    assert data == xlsx(page)


def small(formula: Formula) -> Page:
    """Two rows of price x count x hours less a discount, and a formula over them."""
    month = Formula(
        "product",
        (
            CellRef("price"),
            CellRef("count"),
            InputRef("hours_per_month"),
            Formula("difference", (Decimal(1), InputRef("discount"))),
        ),
    )

    def row(name: str, price: str, count: int) -> Row:
        cost = Decimal(price) * count * 730 * Decimal("0.9")
        cells = (
            Text(name),
            Money(Decimal(price), "USD", decimals=3),
            Number(count, editable=True),
            Money(cost, "USD", month),
        )
        return Row(cells)

    total = Row((Text("total"), Text(""), Text(""), Money(Decimal("2088.38"), "USD", formula)))
    columns = (Column("what", "What"), Column("price", "Hour", True), Column("count", "N", True),
               Column("month", "Month", True))  # fmt: skip
    table = Table("bill", "Bill", columns, (row("a", "1.006", 2), row("b", "1.1667", 1), total))
    inputs = (
        Input("hours_per_month", "Hours", Number(730, "h")),
        Input("discount", "Discount", Percent(Decimal("0.1"))),
    )
    section = Section("bill", "Bill", (table,))
    return Page("T", "L", "2026-11-30", (section,), inputs=inputs)


SUM = Formula("round", (Formula("sum", (CellRef("month", 0), CellRef("month", 1))), Decimal(2)))


def test_formulas_as_a_spreadsheet_writes_them() -> None:
    data = xlsx(small(SUM))
    book = opened(data)
    sheet = book.worksheets[1]
    assert sheet["D3"].value == "=B3*C3*hours_per_month*(1-discount)"
    assert sheet["D5"].value == "=ROUND(SUM(D3:D4),2)"
    assert opened(data, values=True).worksheets[1]["D5"].value == 2088.38
    names = {name: defined.attr_text for name, defined in book.defined_names.items()}
    summary = book.worksheets[0]
    for name, value in (("hours_per_month", 730), ("discount", 0.1)):
        title, _, cell = names[name].rpartition("!")
        assert title.strip("'") == summary.title
        assert summary[cell.replace("$", "")].value == value
    assert sheet["B3"].number_format == "#,##0.000"
    assert sheet["D3"].number_format == "#,##0.00"
    # What may be changed stands apart.
    assert sheet["C3"].fill.fgColor.rgb != sheet["B3"].fill.fgColor.rgb


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (Formula("sum", (CellRef("a", 0), CellRef("b", 0))), "=A3+B3"),
        (Formula("quotient", (CellRef("a"), SUM._replace(parts=(Decimal(1), Decimal(0))))),
         "=A4/ROUND(1,0)"),
        (Formula("difference", (CellRef("a"), Formula("sum", (CellRef("b"), Decimal(1))))),
         "=A4-(B4+1)"),
        (Formula("product", (CellRef("c", 1, part="low"), Decimal("-2"))), "=D4*(-2)"),
        (CellRef("x", 0, "other"), "='It''s'!A3"),
    ],
)  # fmt: skip
def test_text_of_formulas(formula: Any, text: str) -> None:
    columns = (Column("a", "A"), Column("b", "B"), Column("c", "C", ranged=True))
    empty = Row((Text(""),) * 3)
    tables = {
        "own": spread(Table("own", "", columns, (empty, empty)), "Own"),
        "other": spread(Table("other", "", (Column("x", "X"),), (Row((Text(""),)),)), "It's"),
    }
    assert formula_text(formula, "own", 1, tables) == text


@pytest.mark.parametrize("ref", [CellRef("z"), CellRef("a", 5), CellRef("a", 0, "nowhere")])
def test_a_reference_to_nowhere_is_a_fault_of_the_page(ref: CellRef) -> None:
    tables = {"own": spread(Table("own", "", (Column("a", "A"),), (Row((Text(""),)),)), "Own")}
    with pytest.raises(ValueError, match="not in the page"):
        place_of(ref, "own", 0, tables)


def test_names_of_sheets() -> None:
    long = "a" * 40
    assert sheet_names(["Summary", "summary", long, long, "a/b:c", ""]) == [
        "Summary", "summary 2", "a" * 31, "a" * 27 + " 2", "a b c", "-",
    ]  # fmt: skip


@pytest.mark.parametrize("start", ["=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1"])
def test_texts_are_never_formulas(start: str) -> None:
    table = Table("t", start, (Column("a", start),), (Row((Text(start),), note=start),), start)
    page = Page(start, start, "2026-11-30", (Section("s", start, (table,)),), warnings=(start,))
    book = opened(xlsx(page))
    texts = [c for sheet in book.worksheets for row in sheet.iter_rows() for c in row if c.value]
    assert len(texts) > 6
    assert {cell.data_type for cell in texts} == {"s"}
    assert not [cell.value for cell in texts if str(cell.value)[0] in "=+-@\t\r"]


def test_hostile_texts_make_a_workbook_that_opens() -> None:
    page = hostile_page()
    table = next(b for s in page.sections for b in s.blocks if isinstance(b, Table))
    sheet = opened(xlsx(page)).worksheets[1]
    assert sheet["A1"].value == HOSTILE.replace("\x1b", "\\x1b").replace("\u202e", "\\x202e")
    assert sheet.max_row == len(table.rows) + 2


def test_the_documents_dates_are_the_answers() -> None:
    data = xlsx(small(SUM))
    assert opened(data).properties.created == datetime.datetime(2026, 11, 30)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert not [name for name in archive.namelist() if "external" in name.lower()]


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(UsageError) as caught:
        xlsx(small(SUM))
    assert caught.value.message.id == "page.no_extra"
