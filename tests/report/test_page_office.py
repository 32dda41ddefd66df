"""Workbooks in LibreOffice: it calculates what the answer says, and follows a changed input."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.report.page_xlsx import xlsx
from tests.report.pages import page_of

openpyxl = pytest.importorskip("openpyxl")
OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
pytestmark = pytest.mark.skipif(OFFICE is None, reason="needs LibreOffice")

SOME = ("estimate", "estimate-many", "reserve")
OTHERS = ("recommend", "recommend-run", "own", "fit", "estimate-day")
EVERY_SHEET = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"
"""Comma, quote, UTF-8; cells as they are calculated, not as they are shown; all sheets."""


def without_results(data: bytes, changes: dict[str, float]) -> bytes:
    """The workbook with inputs changed and no stored result, so that all must be calculated."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    for name, value in changes.items():
        title, _, cell = book.defined_names[name].attr_text.rpartition("!")
        book[title.strip("'")][cell.replace("$", "")].value = value
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def calculated(folder: Path, books: dict[str, bytes]) -> dict[str, dict[str, list[list[str]]]]:
    """Rows of each sheet of each workbook, by LibreOffice; one start for all of them."""
    assert OFFICE is not None
    for name, data in books.items():
        (folder / f"{name}.xlsx").write_bytes(data)
    command = [OFFICE, f"-env:UserInstallation=file://{folder}/profile", "--headless",
               "--convert-to", EVERY_SHEET, "--outdir", str(folder),
               *(str(folder / f"{name}.xlsx") for name in books)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    found: dict[str, dict[str, list[list[str]]]] = {}
    for name in books:
        for file in folder.glob(f"{name}-*.csv"):
            with file.open(encoding="utf-8", newline="") as stream:
                sheet = file.stem.removeprefix(f"{name}-")
                found.setdefault(name, {})[sheet] = list(csv.reader(stream))
    return found


def formulas(data: bytes) -> dict[tuple[str, int, int], float]:
    """Stored results of the cells that hold a formula, by sheet, row and column from 0."""
    live = openpyxl.load_workbook(io.BytesIO(data))
    stored = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    return {
        (sheet.title, cell.row - 1, cell.column - 1): stored[sheet.title][cell.coordinate].value
        for sheet in live.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }


def cell(sheets: Any, place: tuple[str, int, int]) -> float:
    sheet, row, column = place
    return float(sheets[sheet][row][column])


@pytest.mark.parametrize(
    "names", [SOME, pytest.param(OTHERS, marks=pytest.mark.slow)], ids=["some", "others"]
)
def test_libreoffice_calculates_the_same(names: Sequence[str], tmp_path: Path) -> None:
    originals = {name.replace("-", "_"): xlsx(page_of(name)) for name in names}
    books = {name: without_results(data, {}) for name, data in originals.items()}
    halved = originals.get("estimate")
    if halved is not None:
        changes = {"hours_per_month": 365, "further_discount": 0.1}
        books["halved"] = without_results(halved, changes)
    found = calculated(tmp_path, books)
    for name, data in originals.items():
        stored = formulas(data)
        assert stored, name
        for place, value in stored.items():
            assert cell(found[name], place) == pytest.approx(value, abs=0.006), (name, place)
    if halved is None:
        return
    # 365 of 730 hours at 10 % off; a commitment is paid for every hour all the same.
    rows = {row[0]: row for row in found["halved"]["g5.xlarge"]}
    whole = {row[0]: row for row in found["estimate"]["g5.xlarge"]}
    month = whole["Option"].index("A month (USD)")
    for option, share in (("on demand", 0.45), ("spot", 0.45), ("reserved 1y standard", 0.9)):
        wanted = float(whole[option][month]) * share
        assert float(rows[option][month]) == pytest.approx(wanted, rel=1e-9)
