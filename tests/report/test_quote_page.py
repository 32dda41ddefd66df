"""A quote as a page in Chromium, and as a workbook that LibreOffice calculates anew."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run import gpuadvisor
from tests.report.browser import CHROMIUM, SITE, chromium, dumped, frames, pdf_pages, site
from tests.report.pages import EXAMPLES

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")
DAY = ("--today", "2026-11-30")
TERMS = ("--customer", "Example Ltd.", "--markup", "12%", "--tax", "6%", *DAY)
QUOTES: dict[str, tuple[str, ...]] = {
    "tiers": ("--workload", "ocr", "--units-per-month", "100M", "--latency-p99", "500ms",
              "--provider", "aws", *TERMS),
    "coincide": ("--workload", "tts", "--budget", "5000CNY", "--currency", "CNY", "--lang", "zh",
                 *TERMS),
    "asked": ("4x g5.xlarge", "2x p4d.24xlarge", "--region", "us-east-1", *TERMS),
    "curve": ("g5.xlarge", "--region", "us-east-1", "--curve",
              str(EXAMPLES / "reserved-and-spot" / "demand.csv"), *TERMS),
}  # fmt: skip

in_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@lru_cache
def made() -> dict[str, str]:
    """Quotes as HTML, as the command prints them."""
    pages = {}
    for name in ("tiers", "coincide", "curve"):
        done = gpuadvisor("quote", *QUOTES[name], "--format", "html")
        assert done.code == 0, done.err
        pages[f"/{name}"] = done.out
    return pages


# -- Chromium --------------------------------------------------------------------------------


@in_chromium
def test_a_quote_is_silent_and_loads_nothing() -> None:
    pages = made()
    with site({**pages, "/": frames(list(pages))}) as seen:
        _, messages = chromium(seen, f"{SITE}/", "--dump-dom")
    assert messages == []
    assert sorted(seen.requests) == sorted(SITE + path for path in ["/", *pages])


@in_chromium
def test_a_quote_is_accessible_and_fits_phone_and_desktop() -> None:
    """With the script and the axe-core of the other pages, whose test shows that they find faults."""
    from tests.report.test_page_browser import SCRIPT, axe, with_axe

    pages = {name: with_axe(text) for name, text in made().items()}
    with site({**pages, "/axe.js": axe(), "/": frames(list(pages)) + SCRIPT}) as seen:
        found = dumped(seen, f"{SITE}/")
    assert sorted(found) == sorted(pages)
    for path, result in found.items():
        assert result["violations"] == [], path
        assert {"color-contrast", "document-title", "html-has-lang"} <= set(result["passed"])
        for width in (1280, 390):
            assert result[f"overflow{width}"] <= 0, (path, width)
            assert result[f"labels{width}"] == [], (path, width)


@in_chromium
@pytest.mark.slow
def test_three_choices_print_on_two_sheets() -> None:
    with site({"/": made()["/tiers"]}) as seen:
        assert pdf_pages(seen, f"{SITE}/") <= 2


# -- the page --------------------------------------------------------------------------------


def test_the_page_shows_what_the_issue_asks_for() -> None:
    text = made()["/tiers"]
    assert text.count("<svg") == 4  # two charts, each for desktop and phone
    for said in ("Cost by way of paying", "Cost against hours of use a month", "costs less from",
                 "Assumptions", "Sources", "aws 2026.", "Valid until", "2026-12-14"):  # fmt: skip
        assert said in text, said
    assert "Demand by hour" in made()["/curve"]


# -- LibreOffice -----------------------------------------------------------------------------


def workbook(tmp_path: Path, name: str, arguments: tuple[str, ...], **inputs: float) -> Path:
    """The quote's workbook without any stored result, and with some of its inputs changed."""
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / f"{name}.xlsx"
    done = gpuadvisor("quote", *arguments, "--output", str(path))
    assert done.code == 0, done.err
    book = openpyxl.load_workbook(path)
    for input, value in inputs.items():
        ((sheet, cell),) = book.defined_names[input].destinations
        book[sheet][cell.replace("$", "")] = value
    bare = tmp_path / f"{name}-bare.xlsx"
    book.save(bare)  # openpyxl keeps formulas or results, never both
    return bare


def calculated(tmp_path: Path, *books: Path) -> dict[str, dict[str, list[str]]]:
    """By workbook: the rows of its second sheet by their first cell, calculated by LibreOffice."""
    assert SOFFICE is not None
    sheet = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,2"
    subprocess.run(
        [SOFFICE, f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to",
         sheet, "--outdir", str(tmp_path), *map(str, books)],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    found = {}
    for book in books:
        (path,) = tmp_path.glob(f"{book.stem}-*.csv")
        rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8")))
        found[book.stem.removesuffix("-bare")] = {row[0]: row for row in rows if row}
    return found


def decimals(row: list[str]) -> list[Decimal]:
    return [Decimal(cell.replace(",", "")) for cell in row[1:] if cell[:1].isdigit()]


@pytest.mark.skipif(SOFFICE is None, reason="needs LibreOffice")
def test_libreoffice_comes_to_the_same_totals(tmp_path: Path) -> None:
    """And to those by hand once a reader changes the inputs: 4 x 1.12672 x 365 h less 10 % is
    1,480.51; 2 x 24.592559 x 365 h less 10 % 16,157.31; together 17,637.82, the tax of 6 %
    1,058.27."""
    import json

    changed = {"month_hours": 365.0, "discount": 0.1}
    books = [workbook(tmp_path, name, QUOTES[name]) for name in QUOTES if name != "coincide"]
    books.append(workbook(tmp_path, "changed", QUOTES["asked"], **changed))
    sheets = calculated(tmp_path, *books)
    for name in ("tiers", "asked", "curve"):
        told: Any = json.loads(gpuadvisor("quote", *QUOTES[name], "--format", "json").out)
        rows = sheets[name]
        total = next(row for label, row in rows.items() if label.startswith("Total"))
        for row, key in (
            (rows["Subtotal"], "subtotal"),
            (rows["Tax 6 %"], "tax"),
            (total, "total"),
        ):
            assert decimals(row) == [Decimal(p[key]) for p in told["proposals"]], (name, key)
    rows = sheets["changed"]
    assert decimals(rows["Subtotal"]) == [Decimal("17637.82")]
    assert decimals(rows["Tax 6 %"]) == [Decimal("1058.27")]
    assert decimals(rows["Total a month"]) == [Decimal("18696.09")]
