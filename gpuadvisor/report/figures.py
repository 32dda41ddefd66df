"""Figures as people read them: rates, money ranges, costs per handy number of units."""

from __future__ import annotations

from decimal import Decimal
from math import floor, log10
from typing import TYPE_CHECKING

from gpuadvisor.advice.result import MoneyRange, Range
from gpuadvisor.cost.money import rounded, significant
from gpuadvisor.report.messages import aside, either, word

if TYPE_CHECKING:
    from gpuadvisor.workload.interface import Profile

_MULTIPLES = (
    (1, ""),
    (1_000, "1,000 "),
    (1_000_000, "million "),
    (1_000_000_000, "billion "),
)


def number(value: float) -> str:
    """Three significant digits with thousands separators: `13.9`, `1,230`, `0.0042`."""
    if value == 0:
        return "0"
    digits = max(0, 2 - floor(log10(abs(value))))
    return f"{value:,.{digits}f}"


def coins(value: Decimal, currency: str) -> str:
    """To the currency's smallest coin, with thousands separators: `1,234.50`, of yen `1,235`."""
    return f"{rounded(value, currency):,f}"


def span(found: Range) -> str:
    """`low-high` of a range."""
    return f"{number(found.low)}-{number(found.high)}"


def whole(value: Decimal) -> str:
    """Money without cents once it is above a hundred: `245`, `5,000`, `4.20`."""
    if 0 < value < Decimal("0.005"):
        return "<0.01"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"


def money_span(found: MoneyRange) -> str:
    """`expected (low-high)`, or the one figure where the price is certain."""
    expected = whole(found.expected)
    if whole(found.low) == whole(found.high) == expected:
        return expected
    return expected + aside(f"{whole(found.low)}-{whole(found.high)}")


def multiple_for(cost: Decimal) -> tuple[int, str]:
    """The smallest handy multiple at which a unit's cost reaches a cent, with its words."""
    for factor, words in _MULTIPLES:
        if cost * factor >= Decimal("0.01"):
            return factor, word(words)
    return factor, word(words)


def title_of(profile: Profile) -> str:
    """What a workload is called, in the language spoken."""
    return either(profile.title, profile.title_zh)


def unit_cost(cost: Decimal, factor: int) -> str:
    """A unit's cost times the multiple, to three significant digits."""
    return f"{significant(cost * factor, 3):,f}"
