"""Columns that are folded to a width: nothing is lost, nothing is wider, numbers stay whole."""

from __future__ import annotations

import pytest

from gpuadvisor.report.table import as_columns
from gpuadvisor.report.text import width

ROWS = [
    ["us-east-1", "savings plan 3y ec2 instance", "23.77728", "spot-mean-low-2026-08-10"],
    ["华东 1（杭州）", "承诺使用三年期，按月支付，不可退订", "1,234.5", "阿里云公开目录价"],
]
HEADERS = ["region", "option", "price", "source"]


@pytest.mark.parametrize("columns", [52, 60, 72])
def test_no_line_is_wider_and_no_letter_is_lost(columns: int) -> None:
    text = as_columns(HEADERS, ROWS, (2,), columns)
    assert max(map(width, text.splitlines())) <= columns
    letters = "".join(sorted("".join("".join(row) for row in (HEADERS, *ROWS)).replace(" ", "")))
    assert "".join(sorted("".join(text.split()))) == letters


def test_a_table_that_fits_is_left_alone() -> None:
    assert as_columns(HEADERS, ROWS, (2,), 200) == as_columns(HEADERS, ROWS, (2,))
    assert len(as_columns(HEADERS, ROWS, (2,)).splitlines()) == 3


def test_numbers_are_never_folded() -> None:
    text = as_columns(["what", "number"], [["a long word of many parts", "1,234,567.89"]], (1,), 30)
    assert "1,234,567.89" in text
