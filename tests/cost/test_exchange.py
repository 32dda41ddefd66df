"""Exchange rates: ECB reference rates of 2026-10-30 and what follows from them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.cost.exchange import Exchange, parse_rate

# ECB euro foreign exchange reference rates, eurofxref-hist (units per EUR). GBP and KRW of
# 2026-10-30 are close to, not equal to, published ones: only their cross arithmetic is tested.
RATES = {
    "2026-09-30": {"USD": Decimal("1.1093"), "CNY": Decimal("7.5001")},
    "2026-10-30": {
        "USD": Decimal("1.1172"),
        "CNY": Decimal("7.4326"),
        "GBP": Decimal("0.8338"),
        "KRW": Decimal("1491.76"),
    },
}
TODAY = "2026-11-30"


def test_cross_rate_is_rounded_to_four_places() -> None:
    # 7.4326 / 1.1172 = 6.652882..., so 5,000 USD = 33,264.50 CNY (the design's header).
    result = Exchange(RATES, TODAY).convert(Decimal(5000), "USD", "CNY")
    assert result.value == Decimal("33264.5")
    assert (result.rate, result.date) == (Decimal("6.6529"), "2026-10-30")


def test_rates_against_the_euro_are_those_published() -> None:
    exchange = Exchange(RATES, TODAY)
    assert exchange.convert(Decimal(200), "EUR", "USD").value == Decimal("223.44")
    assert exchange.convert(Decimal("223.44"), "USD", "EUR").value == Decimal(200)
    assert exchange.quote("KRW", "EUR").rate == Decimal("1491.76")


def test_the_dearer_currency_is_the_base() -> None:
    quote = Exchange(RATES, TODAY).quote("USD", "GBP")
    assert (quote.base, quote.quote) == ("GBP", "USD")
    assert quote.rate == Decimal("1.3399")  # 1.1172 / 0.8338 = 1.33989


def test_newest_rate_on_or_before_today() -> None:
    assert Exchange(RATES, "2026-10-30").date == "2026-10-30"
    assert Exchange(RATES, "2026-10-29").date == "2026-09-30"
    with pytest.raises(UsageError) as caught:
        Exchange(RATES, "2020-01-01")
    assert caught.value.message.id == "cost.no_rates_yet"


def test_own_rate_wins_and_carries_no_date() -> None:
    exchange = Exchange(RATES, TODAY, dict([parse_rate("CNY=6.65")]))
    result = exchange.convert(Decimal(5000), "USD", "CNY")
    assert (result.value, result.rate, result.date) == (Decimal(33250), Decimal("6.65"), None)
    # The other pairs of that currency follow: 6.65 CNY per USD x 1.1172 USD per EUR.
    assert exchange.convert(Decimal(1), "EUR", "CNY").value == Decimal("7.4294")
    assert exchange.convert(Decimal(1), "EUR", "USD").date == "2026-10-30"


def test_same_currency_is_untouched() -> None:
    assert Exchange(RATES, TODAY).convert(Decimal(4999), "CNY", "CNY").value == Decimal(4999)


def test_currency_without_a_rate() -> None:
    with pytest.raises(UsageError) as caught:
        Exchange(RATES, TODAY).convert(Decimal(1), "USD", "ZAR")
    assert caught.value.message.id == "cost.no_rate"


@pytest.mark.parametrize("text", ["CNY", "CNY=", "CNY=x", "CNY=0", "CNY=-1", "CNY=inf", "USD=1"])
def test_unreadable_rates(text: str) -> None:
    with pytest.raises(UsageError):
        parse_rate(text)


PAIR = st.sampled_from(["USD", "CNY", "EUR", "GBP", "KRW"])


@given(st.decimals("0.01", 10**9, places=2), PAIR, PAIR)
def test_there_and_back(amount: Decimal, first: str, second: str) -> None:
    exchange = Exchange(RATES, TODAY)
    there = exchange.convert(amount, first, second).value
    back = exchange.convert(there, second, first).value
    assert abs(back - amount) < Decimal("1e-12")
