"""One currency into another at a dated rate, or at the user's own.

The catalog holds ECB reference rates, units of each currency per EUR. A rate against EUR is
used as published; a cross rate is derived and rounded to four decimals, in the direction in
which it is above one, so that there and back is exact (USD -> CNY 6.6529, and divided by it).
"""

import datetime
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import currency_code

_FOUR_PLACES = Decimal("0.0001")


class Quote(NamedTuple):
    """`rate` units of `quote` for one `base`; `date` is None for the user's own rate."""

    base: str
    quote: str
    rate: Decimal
    date: str | None


class Conversion(NamedTuple):
    """A converted value with the rate as applied (target per source) and its date."""

    value: Decimal
    rate: Decimal
    date: str | None


class Exchange:
    """Rates in force on one day: the newest published on or before it, and overrides.

    `rates` is date -> currency -> units per EUR, `overrides` is currency -> units per USD.
    Raises UsageError when no rates are that old, and for a currency without a rate.
    """

    def __init__(
        self,
        rates: Mapping[datetime.date, Mapping[str, Decimal]] | Mapping[str, Mapping[str, Decimal]],
        today: datetime.date | str,
        overrides: Mapping[str, Decimal] | None = None,
    ) -> None:
        by_day = {str(day): table for day, table in rates.items()}
        usable = [day for day in by_day if day <= str(today)]
        if not usable:
            oldest = min(by_day, default=None)
            raise UsageError(message("cost.no_rates_yet", today=str(today), oldest=oldest))
        self.date = max(usable)
        self.overrides = dict(overrides or {})
        self._per_eur = {"EUR": Decimal(1), **by_day[self.date]}
        self._quotes: dict[tuple[str, str], Quote] = {}

    def quote(self, first: str, second: str) -> Quote:
        """The pair as it is quoted: so many `quote` for one `base`.

        Against EUR as the ECB publishes it, against USD as the user gave it, else with the
        dearer currency as the base.
        """
        pair = (first, second)
        if pair not in self._quotes:
            self._quotes[pair] = self._quote(first, second)
        return self._quotes[pair]

    def _quote(self, first: str, second: str) -> Quote:
        own = first in self.overrides or second in self.overrides
        if not own and "EUR" in (first, second):
            other = second if first == "EUR" else first
            return Quote("EUR", other, self._published(other), self.date)
        date = None if own else self.date
        if own and "USD" in (first, second):
            other = second if first == "USD" else first
            return Quote("USD", other, self.overrides[other], date)
        rate = self._per_usd(second) / self._per_usd(first)
        if rate < 1:
            first, second, rate = second, first, 1 / rate
        return Quote(first, second, rate.quantize(_FOUR_PLACES, ROUND_HALF_UP), date)

    def convert(self, amount: Decimal, source: str, target: str) -> Conversion:
        """`amount` of `source` in `target`, unrounded, with rate and date."""
        if source == target:
            return Conversion(amount, Decimal(1), self.date)
        quote = self.quote(source, target)
        if quote.base == source:
            return Conversion(amount * quote.rate, quote.rate, quote.date)
        return Conversion(amount / quote.rate, 1 / quote.rate, quote.date)

    def _per_usd(self, currency: str) -> Decimal:
        if currency in self.overrides:
            return self.overrides[currency]
        return self._published(currency) / self._published("USD")

    def _published(self, currency: str) -> Decimal:
        rate = self._per_eur.get(currency)
        if rate is None:
            known = ", ".join(sorted(self._per_eur))
            raise UsageError(
                message("cost.no_rate", currency=currency, date=self.date, known=known)
            )
        return rate


def parse_rate(text: str) -> tuple[str, Decimal]:
    """Read `--fx CNY=6.65`: units of that currency per USD. Raises UsageError."""
    name, equals, number = text.partition("=")
    try:
        rate = Decimal(number.strip())
    except InvalidOperation:
        rate = Decimal(0)
    if not equals or not rate.is_finite() or rate <= 0:
        raise UsageError(message("cost.rate_unreadable", text=text))
    code = currency_code(name)
    if code == "USD":
        raise UsageError(message("cost.rate_of_base", text=text))
    return code, rate
