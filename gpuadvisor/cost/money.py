"""Money as people write it, as bills add it, and as answers print it.

List prices and bill lines are `Decimal`; factors (utilisation, hours, speeds) are floats.
`scale` is the one place where the two meet.
"""

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message

MINOR_DIGITS = {
    "AUD": 2, "BRL": 2, "CAD": 2, "CHF": 2, "CNY": 2, "CZK": 2, "DKK": 2, "EUR": 2, "GBP": 2,
    "HKD": 2, "HUF": 2, "IDR": 2, "ILS": 2, "INR": 2, "ISK": 0, "JPY": 0, "KRW": 0, "MXN": 2,
    "MYR": 2, "NOK": 2, "NZD": 2, "PHP": 2, "PLN": 2, "RON": 2, "SEK": 2, "SGD": 2, "THB": 2,
    "TRY": 2, "USD": 2, "ZAR": 2,
}  # fmt: skip
"""Currencies with an ECB reference rate -> digits after the point (ISO 4217)."""

CURRENCY_WORDS = {
    "$": "USD", "us$": "USD", "dollar": "USD", "dollars": "USD", "美元": "USD", "美金": "USD",
    "¥": "CNY", "cn¥": "CNY", "rmb": "CNY", "cnh": "CNY", "yuan": "CNY", "元": "CNY", "圆": "CNY",
    "块": "CNY", "人民币": "CNY", "元人民币": "CNY", "€": "EUR", "euro": "EUR", "euros": "EUR",
    "欧元": "EUR", "£": "GBP", "英镑": "GBP", "jp¥": "JPY", "円": "JPY", "yen": "JPY",
    "日元": "JPY", "hk$": "HKD", "港币": "HKD", "港元": "HKD", "c$": "CAD", "ca$": "CAD",
    "a$": "AUD", "au$": "AUD", "s$": "SGD", "r$": "BRL", "₹": "INR", "₩": "KRW",
}  # fmt: skip
"""How people and price pages write a currency, casefolded. A bare yen sign means CNY."""

# A symbol that several currencies share yields to a code written beside it: $700CAD.
_SHARED_SYMBOLS = {
    "$": frozenset({"USD", "CAD", "AUD", "SGD", "HKD", "NZD", "MXN"}),
    "¥": frozenset({"CNY", "JPY"}),
}

_PERIODS = {
    "month": ("month", "months", "mo", "mth", "monthly", "月", "个月", "m"),
    "day": ("day", "days", "d", "daily", "天", "日"),
    "hour": ("hour", "hours", "h", "hr", "hourly", "小时", "时"),
    "year": ("year", "years", "y", "yr", "yearly", "annum", "年"),
    "run": ("run", "job", "次"),
}
PERIOD_WORDS = {word: period for period, words in _PERIODS.items() for word in words}

_SCALES = {
    "百万": Decimal(1_000_000), "千": Decimal(1_000), "万": Decimal(10_000), "萬": Decimal(10_000),
    "亿": Decimal(100_000_000), "k": Decimal(1_000), "m": Decimal(1_000_000),
}  # fmt: skip

# Input methods write full-width forms: U+FF01..U+FF5E are ASCII shifted by 0xFEE0. (NFKC would
# also turn a superscript into a digit, and so change the amount.)
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: " ", 0x00A0: " ", 0x2009: " ", 0x202F: " ", 0x2212: "-", 0xFFE5: "¥", 0xFFE1: "£",
}  # fmt: skip

# Patterns as text: `re` compiles and keeps them when there is an amount to read.
_NUMBER = r"[0-9]{1,3}(?:([,_' ])[0-9]{3})(?:\1[0-9]{3})*(?:\.[0-9]+)?|[0-9]*\.?[0-9]+"
_PERIOD = r"\s*(?:/|\bper\s|\ban?\s|每|一)\s*|\s+(?=(?:month|dai|hour|year)ly$)"
_NOT_AFTER_A_NUMBER = frozenset(",.'_0123456789")
_MAX_CHARACTERS = 80
_MAX_VALUE = Decimal(10) ** 15


class Amount(NamedTuple):
    """`value` in `currency`; `per` is month, day, hour, year or run, None where unsaid."""

    value: Decimal
    currency: str
    per: str | None


def parse_money(text: str, default_currency: str = "USD") -> Amount:
    """Read a positive amount: `5000`, `5kUSD`, `0.5万元`, `$5,000`, `200EUR/day`.

    Raises UsageError for text it cannot read, an unknown currency or period, an amount that
    is zero or negative, and for what is left when a shell expands `$7` to nothing.
    """
    plain = _plain(text)
    if plain.startswith("/"):
        raise UsageError(message("cost.money_shell", text=text))
    amount = read_money(text, default_currency)
    if amount.value < 0:
        raise UsageError(message("cost.money_negative", text=text))
    if amount.value == 0:
        raise UsageError(message("cost.money_zero", text=text))
    return amount


def read_money(text: str, default_currency: str = "USD") -> Amount:
    """Read any amount that this program prints, of either sign. Raises UsageError."""
    plain = _plain(text)
    if len(plain) > _MAX_CHARACTERS:
        raise UsageError(message("cost.money_unreadable", text=plain[:_MAX_CHARACTERS] + "…"))
    found = re.search(_NUMBER, plain)
    if found is None:
        raise UsageError(message("cost.money_unreadable", text=text))
    before, digits, after = plain[: found.start()].strip(), found.group(), plain[found.end() :]
    separator = found.group(1)
    if (
        before[-1:] in (",", ".")
        or after[:1] in (",", ".", "'", "_")
        or after[:1] in tuple("0123456789")
    ):
        raise UsageError(message("cost.money_separators", text=text))
    value = Decimal(digits.replace(separator, "") if separator else digits)

    sign, before = _split_sign(before)
    before, leading_period = _split_leading_period(before)
    if sign == 1:
        sign, before = _split_sign(before)
    unit, period = _split_period(after, text)
    factor, unit = _split_scale(unit)
    value *= sign * factor
    if abs(value) > _MAX_VALUE:
        raise UsageError(message("cost.money_too_large", text=text))
    currency = _currency(before, unit, text, default_currency)
    return Amount(_simplest(value), currency, period or leading_period)


def currency_code(text: str) -> str:
    """The ISO code of a code, symbol or name (`cny`, `￥`, `元`). Raises UsageError."""
    word = _plain(text)
    code = CURRENCY_WORDS.get(word, word.upper())
    if code not in MINOR_DIGITS:
        known = ", ".join(sorted(MINOR_DIGITS))
        raise UsageError(message("cost.unknown_currency", currency=text.strip(), known=known))
    return code


def rounded(value: Decimal, currency: str = "USD") -> Decimal:
    """To the currency's smallest coin, halves away from zero as bills do."""
    return value.quantize(Decimal(1).scaleb(-MINOR_DIGITS.get(currency, 2)), ROUND_HALF_UP)


def scale(value: Decimal, factor: float) -> Decimal:
    """A price times a float factor, through the factor's shortest decimal text."""
    return value * Decimal(repr(float(factor)))


def allocate(lines: Sequence[Decimal], currency: str = "USD") -> tuple[list[Decimal], Decimal]:
    """Round bill lines so that they add up to the rounded exact total.

    The total is rounded once from the exact sum; what the rounded lines miss goes to the
    largest line, where it is the smallest error in proportion.
    """
    total = rounded(sum(lines, Decimal(0)), currency)
    shares = [rounded(line, currency) for line in lines]
    if shares:
        largest = max(range(len(lines)), key=lambda index: abs(lines[index]))
        shares[largest] += total - sum(shares, Decimal(0))
    return shares, total


def money_text(value: Decimal, currency: str = "USD") -> str:
    """The machine form of a bill line: `383.98`."""
    return f"{rounded(value, currency):f}"


_NANO = Decimal("1e-9")


def price_text(value: Decimal) -> str:
    """The machine form of a unit price, with all digits it was published with: `0.526`.

    Published prices have at most nine decimals; what exchange or a discount adds is cut there.
    """
    return f"{_published(value):f}"


def _published(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -9 and value >= _NANO:
        value = value.quantize(_NANO)
    return _simplest(value)


def format_money(value: Decimal, currency: str, per: str | None = None) -> str:
    """`5,000 USD`, `33,264.50 CNY`, `700 USD/month`; reads back with `read_money`."""
    coin = rounded(value, currency)
    whole = coin == coin.to_integral_value()
    number = f"{coin:,.0f}" if whole else f"{coin:,f}"
    return f"{number} {currency}" + (f"/{per}" if per else "")


def format_price(value: Decimal, currency: str, per: str | None = "hour") -> str:
    """A unit price with every published digit and at least two: `0.526 USD/hour`; as
    `price_text` cuts it."""
    number = f"{_published(value):,f}"
    decimals = len(number.partition(".")[2])
    if decimals < 2 and MINOR_DIGITS.get(currency, 2):
        number = f"{value:,.2f}"
    return f"{number} {currency}" + (f"/{per}" if per else "")


def format_small(value: Decimal, currency: str, digits: int = 3) -> str:
    """A cost per unit of work to `digits` significant digits: `0.000122 USD`."""
    return f"{significant(value, digits):,f} {currency}"


def significant(value: Decimal, digits: int = 3) -> Decimal:
    """Rounded to `digits` significant digits, never coarser than whole coins above one."""
    if value == 0:
        return Decimal(0)
    places = max(digits - 1 - value.adjusted(), 2 if abs(value) >= 1 else 0)
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def per_month(amount: Amount, hours_per_month: float = 730.0) -> Amount:
    """The amount per month: 730 h, hence 30.42 days; an hourly amount buys the hours used.

    An amount without a period is per month, the design's default for a budget. An amount
    per run has no month: UsageError.
    """
    if amount.per == "run":
        shown = format_money(amount.value, amount.currency, amount.per)
        raise UsageError(message("cost.money_per_run", text=shown))
    if amount.per == "hour":
        value = scale(amount.value, hours_per_month)
    elif amount.per == "day":
        value = amount.value * 730 / 24
    elif amount.per == "year":
        value = amount.value / 12
    else:
        value = amount.value
    return Amount(value, amount.currency, "month")


def _plain(text: str) -> str:
    return text.translate(_FULL_WIDTH).strip().casefold()


def _split_sign(text: str) -> tuple[int, str]:
    if text[:1] in ("-", "+"):
        return (-1 if text[0] == "-" else 1), text[1:].strip()
    if text[-1:] in ("-", "+"):
        return (-1 if text[-1] == "-" else 1), text[:-1].strip()
    return 1, text


def _split_leading_period(text: str) -> tuple[str, str | None]:
    """`每月5000元` names the period first."""
    if text.startswith("每"):
        for word in sorted(PERIOD_WORDS, key=len, reverse=True):
            if text.startswith(word, 1):
                return text[1 + len(word) :].strip(), PERIOD_WORDS[word]
    return text, None


def _split_period(text: str, whole: str) -> tuple[str, str | None]:
    parts = re.split(_PERIOD, text, maxsplit=1) if text else [text]
    if len(parts) == 1:
        return text.strip(), None
    word = parts[1].strip()
    if word not in PERIOD_WORDS:
        raise UsageError(message("cost.money_period", text=whole, period=word))
    return parts[0].strip(), PERIOD_WORDS[word]


def _split_scale(unit: str) -> tuple[Decimal, str]:
    for word, factor in _SCALES.items():
        rest = unit[len(word) :].strip()
        if unit.startswith(word) and (not rest or rest in CURRENCY_WORDS or _is_code(rest)):
            return factor, rest
    return Decimal(1), unit


def _is_code(word: str) -> bool:
    return len(word) == 3 and word.isascii() and word.isalpha()


def _currency(before: str, after: str, text: str, default: str) -> str:
    words = [word for word in (before, after) if word]
    if not words:
        return currency_code(default)
    codes = [_written_currency(word, text) for word in words]
    if len(codes) == 1 or codes[0] == codes[1]:
        return codes[0]
    for symbol, code in ((words[0], codes[1]), (words[1], codes[0])):
        if code in _SHARED_SYMBOLS.get(symbol, frozenset()):
            return code
    raise UsageError(
        message("cost.money_two_currencies", text=text, first=words[0], second=words[1])
    )


def _written_currency(word: str, text: str) -> str:
    if word in CURRENCY_WORDS or _is_code(word):
        return currency_code(word)
    raise UsageError(message("cost.money_unreadable", text=text))


def _simplest(value: Decimal) -> Decimal:
    """Without trailing zeros and without an exponent."""
    return Decimal(f"{value.normalize():f}")
