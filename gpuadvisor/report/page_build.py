"""What the pages of several commands are built of: sources, versions, live amounts, footers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from gpuadvisor import __version__
from gpuadvisor.catalog.message import Message
from gpuadvisor.catalog.store import PriceVersion
from gpuadvisor.cost.exchange import Quote
from gpuadvisor.cost.money import price_text, rounded
from gpuadvisor.report.messages import render, spoken
from gpuadvisor.report.page import (
    CatalogVersion,
    CellRef,
    Fact,
    Formula,
    InputRef,
    Money,
    MoneyRange,
    Source,
    Text,
)
from gpuadvisor.report.page_cells import price_decimals, words

_TAGS = {"en": "en", "zh": "zh-Hans"}

_FINEST = 9
"""Decimals of a cost of work at most."""

Factor = InputRef | CellRef | Formula | Decimal


def language() -> str:
    """The language tag of what is rendered now."""
    return _TAGS[spoken()]


def footer(today: str, priced: bool = True) -> tuple[str, ...]:
    """Who made it and as of when, and what a price means."""
    made = words("footer", version=__version__, today=today)
    return (made, words("footer_prices")) if priced else (made,)


def sources_of(keys: Iterable[str | None], catalog: Any) -> tuple[Source, ...]:
    """The catalog's sources behind qualified ids, once each; an id of none is left out."""
    found = []
    for key in dict.fromkeys(keys):
        try:
            title, address, date, _, confidence = catalog.source(key)
        except KeyError:
            continue
        told = words(f"confidence_{confidence}")
        found.append(Source(str(key), title, address or "", date or "", told))
    return tuple(found)


def catalogs_of(
    versions: Iterable[PriceVersion], shown: Iterable[str] | None = None
) -> tuple[CatalogVersion, ...]:
    """The price versions that were read; with `shown` only those of these providers."""
    wanted = None if shown is None else set(shown)
    return tuple(
        CatalogVersion(v.provider, v.version, v.as_of)
        for v in versions
        if wanted is None or v.provider in wanted
    )


def texts(messages: Iterable[Message]) -> tuple[str, ...]:
    """Messages in the language spoken, once each."""
    return tuple(dict.fromkeys(render(m) for m in messages))


def exchange_facts(quotes: Sequence[Quote]) -> tuple[Fact, ...]:
    """The exchange rates in use, if any."""
    told = [
        words(
            "rate_own" if q.date is None else "rate",
            base=q.base, rate=price_text(q.rate), quote=q.quote, date=q.date,
        )
        for q in quotes
    ]  # fmt: skip
    return (Fact(words("exchange"), Text(words("comma").join(told))),) if told else ()


def money_range(spread: Any, currency: str, formula: Formula | None = None) -> MoneyRange:
    """A range of amounts; `formula` calculates the expected one."""
    return MoneyRange(
        Money(spread.low, currency),
        Money(spread.expected, currency, formula),
        Money(spread.high, currency),
    )


def product(
    amount: Decimal, currency: str, factors: Sequence[Factor], values: Sequence[Decimal]
) -> Formula | None:
    """The product of `factors` where their `values` do make the amount, to the coin; else None.

    Discounts over a month and payments upfront are no plain product: such an amount is given
    without a formula rather than with one that would change it.
    """
    made = Decimal(1)
    for value in values:
        made *= value
    if rounded(made, currency) != rounded(amount, currency):
        return None
    return Formula("product", tuple(factors))


def total_of(column: str, rows: Sequence[int], currency: str, part: str = "expected") -> Formula:
    """The rounded sum of a column's rows."""
    cells = tuple(CellRef(column, row, part=part) for row in rows)
    digits = Decimal(price_digits(currency))
    return Formula("round", (Formula("sum", cells), digits))


def price_digits(currency: str) -> int:
    """Decimals of a currency's coins."""
    exponent = rounded(Decimal(1), currency).as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 2


def per_unit(cost: Any, factor: int, currency: str) -> MoneyRange:
    """A range of costs of `factor` units of work, to three significant digits of the expected."""
    amount = cost.expected * factor
    decimals = 2 if not amount else min(max(2, 2 - amount.adjusted()), _FINEST)
    return MoneyRange(*(Money(part * factor, currency, decimals=decimals) for part in cost))


def letters(number: int) -> str:
    """0, 1, 2 … as `a`, `b` … `aa`: ids of a page have no digits."""
    head, tail = divmod(number, 26)
    return (letters(head - 1) if head else "") + chr(97 + tail)


def unit_price(amount: Decimal, currency: str, formula: Formula | None = None) -> Money:
    """A price of an hour, with the digits it was published with."""
    return Money(amount, currency, formula, price_decimals(amount))
