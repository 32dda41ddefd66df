"""The money grammar of the design, rounding, and texts that read back."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.cost.money import (
    Amount,
    allocate,
    currency_code,
    format_money,
    format_price,
    format_small,
    money_text,
    parse_money,
    per_month,
    price_text,
    read_money,
    scale,
    significant,
)

WRITTEN = [
    ("5000", "5000", "USD", None),
    ("5000CNY", "5000", "CNY", None),
    ("5000 cny", "5000", "CNY", None),
    ("5000元", "5000", "CNY", None),
    ("5000块", "5000", "CNY", None),
    ("0.5万元", "5000", "CNY", None),
    ("0.5萬人民币", "5000", "CNY", None),
    ("5千元/月", "5000", "CNY", "month"),
    ("每月5000元", "5000", "CNY", "month"),
    ("5000元每月", "5000", "CNY", "month"),
    ("5000元一个月", "5000", "CNY", "month"),
    ("5kUSD", "5000", "USD", None),
    ("5K", "5000", "USD", None),
    ("1.5M USD/year", "1500000", "USD", "year"),
    ("5000KRW", "5000", "KRW", None),
    ("5MYR", "5", "MYR", None),
    ("700USD/month", "700", "USD", "month"),
    ("700 USD per month", "700", "USD", "month"),
    ("700 USD a month", "700", "USD", "month"),
    ("700 USD monthly", "700", "USD", "month"),
    ("200EUR/day", "200", "EUR", "day"),
    ("0.526USD/h", "0.526", "USD", "hour"),
    ("40USD/run", "40", "USD", "run"),
    ("¥5000", "5000", "CNY", None),
    ("￥5000", "5000", "CNY", None),
    ("¥5000JPY", "5000", "JPY", None),
    ("$5,000", "5000", "USD", None),
    ("$700CAD", "700", "CAD", None),
    ("€200/day", "200", "EUR", "day"),
    ("£1,234,567.89", "1234567.89", "GBP", None),
    ("5 000 USD", "5000", "USD", None),
    ("5'000 CHF", "5000", "CHF", None),
    ("５，０００元", "5000", "CNY", None),
    ("＄５．５０／ｄａｙ", "5.50", "USD", "day"),
    (".5", "0.5", "USD", None),
]


@pytest.mark.parametrize(("text", "value", "currency", "per"), WRITTEN)
def test_grammar(text: str, value: str, currency: str, per: str | None) -> None:
    assert parse_money(text) == Amount(Decimal(value), currency, per)


def test_default_currency_applies_only_to_bare_numbers() -> None:
    assert parse_money("5000", "CNY").currency == "CNY"
    assert parse_money("5000USD", "CNY").currency == "USD"


REFUSED = [
    ("", "cost.money_unreadable"),
    ("plenty", "cost.money_unreadable"),
    ("1e5", "cost.money_unreadable"),
    ("5²", "cost.money_unreadable"),
    ("5000 bananas", "cost.money_unreadable"),
    ("9" * 200, "cost.money_unreadable"),
    ("9" * 20, "cost.money_too_large"),
    ("/month", "cost.money_shell"),
    ("00/month", "cost.money_zero"),
    ("0", "cost.money_zero"),
    ("0.00EUR", "cost.money_zero"),
    ("-5", "cost.money_negative"),
    ("-$5", "cost.money_negative"),
    ("$-5", "cost.money_negative"),
    ("−5元", "cost.money_negative"),
    ("5.000,50", "cost.money_separators"),
    ("1,23", "cost.money_separators"),
    ("1000,000", "cost.money_separators"),
    (",234", "cost.money_separators"),
    ("5000XYZ", "cost.unknown_currency"),
    ("5USD/fortnight", "cost.money_period"),
    ("$5 EUR", "cost.money_two_currencies"),
]


@pytest.mark.parametrize(("text", "expected"), REFUSED)
def test_refusals_exit_2_with_their_own_reason(text: str, expected: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_money(text)
    assert caught.value.message.id == expected
    assert caught.value.exit_code == 2


@given(st.text(max_size=30))
def test_any_text_parses_or_is_refused(text: str) -> None:
    try:
        amount = parse_money(text)
    except UsageError:
        return
    assert amount.value > 0


AMOUNTS = st.decimals(-(10**12), 10**12, places=2, allow_nan=False, allow_infinity=False)
CURRENCIES = st.sampled_from(["USD", "CNY", "EUR", "GBP", "JPY", "KRW", "INR"])


@given(AMOUNTS, CURRENCIES)
def test_printed_money_reads_back(value: Decimal, currency: str) -> None:
    printed = format_money(value, currency)
    assert read_money(printed) == Amount(Decimal(money_text(value, currency)), currency, None)


@given(st.decimals("0.000000001", 10**6, places=9), CURRENCIES)
def test_printed_prices_and_unit_costs_read_back(value: Decimal, currency: str) -> None:
    assert read_money(format_price(value, currency)) == Amount(value, currency, "hour")
    assert read_money(format_small(value, currency)).value == significant(value)


PRINTED = [
    (format_money(Decimal("5000"), "USD", "month"), "5,000 USD/month"),
    (format_money(Decimal("33264.5"), "CNY"), "33,264.50 CNY"),
    (format_money(Decimal("383.975"), "USD"), "383.98 USD"),
    (format_money(Decimal("1234.4"), "JPY"), "1,234 JPY"),
    (format_price(Decimal("0.526"), "USD"), "0.526 USD/hour"),
    (format_price(Decimal("55.04"), "USD", None), "55.04 USD"),
    (format_price(Decimal(1) / Decimal(3), "EUR"), "0.333333333 EUR/hour"),
    (format_price(Decimal("2"), "USD", None), "2.00 USD"),
    (format_small(Decimal("0.00012222"), "USD"), "0.000122 USD"),
    (format_small(Decimal("0.79841"), "USD"), "0.798 USD"),
    (format_small(Decimal("12.3456"), "USD"), "12.35 USD"),
    (price_text(Decimal("402.4000")), "402.4"),
    (price_text(Decimal("5.3924") / Decimal("6.6529")), "0.810533752"),
    (price_text(Decimal("0.000000000123")), "0.000000000123"),
    (money_text(Decimal("402.4")), "402.40"),
]


@pytest.mark.parametrize(("printed", "expected"), PRINTED)
def test_how_it_looks(printed: str, expected: str) -> None:
    assert printed == expected


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("700USD/month", "700"),
        ("700", "700"),
        ("8760USD/year", "730"),
        ("24USD/day", "730"),  # 730 h / 24 h = 30.42 days
        ("2USD/hour", "200"),  # 100 hours a month, as asked below
    ],
)
def test_per_month(text: str, month: str) -> None:
    assert per_month(parse_money(text), hours_per_month=100).value == Decimal(month)


def test_an_amount_per_run_has_no_month() -> None:
    with pytest.raises(UsageError):
        per_month(parse_money("40USD/run"))


def test_allocation_gives_the_missing_cent_to_the_largest_line() -> None:
    # Exact 10.005 + 0.335 + 0.335 = 10.675 -> 10.68; rounded alone 10.01 + 0.34 + 0.34 = 10.69.
    lines, total = allocate([Decimal("0.335"), Decimal("10.005"), Decimal("0.335")])
    assert total == Decimal("10.68")
    assert lines == [Decimal("0.34"), Decimal("10.00"), Decimal("0.34")]


@given(st.lists(st.decimals(0, 10**6, places=6), max_size=30), CURRENCIES)
def test_lines_add_up_to_the_total(lines: list[Decimal], currency: str) -> None:
    shares, total = allocate(lines, currency)
    assert sum(shares, Decimal(0)) == total
    assert total == Decimal(money_text(sum(lines, Decimal(0)), currency))


def test_scale_takes_the_float_as_it_is_written() -> None:
    assert scale(Decimal("0.1"), 0.1) == Decimal("0.01")


@pytest.mark.parametrize(
    ("text", "code"), [("cny", "CNY"), ("￥", "CNY"), ("$", "USD"), ("元", "CNY"), ("欧元", "EUR")]
)
def test_currency_code(text: str, code: str) -> None:
    assert currency_code(text) == code
