"""What must hold of every estimate: monotone in hours, count and price; lines add up; money reads
back; a currency there and back is the same."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from hypothesis import given, settings
from hypothesis import strategies as st

from gpuadvisor import load_catalog
from gpuadvisor.advice.estimate import estimate
from gpuadvisor.advice.estimate_result import Estimate, EstimateOption
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.money import MINOR_DIGITS, format_money, parse_money, rounded
from gpuadvisor.report.estimate_json import document
from gpuadvisor.report.estimate_text import text

DAY = "2026-11-30"
TYPES = st.sampled_from(
    ["g4dn.xlarge", "g5.xlarge", "p5.48xlarge", "a2-highgpu-1g", "n1-standard-4+t4x1",
     "Standard_NC24ads_A100_v4"]
)  # fmt: skip
HOURS = st.floats(0.5, 744).map(lambda hours: round(hours, 2))
COUNTS = st.integers(1, 500)
CURRENCIES = st.sampled_from(["USD", "CNY", "EUR", "JPY", "GBP"])
FEW = settings(max_examples=40, deadline=None)


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    return load_catalog()


def ask(what: str | list[str], **fields: object) -> Estimate:
    return estimate({"what": what, "today": DAY, **fields}, catalog())


def keyed(answer: Estimate) -> dict[tuple[str | None, ...], EstimateOption]:
    return {
        (o.option, o.term, o.cls, o.payment): o
        for o in answer.items[0].options
        if o.monthly is not None
    }


def months(answer: Estimate) -> dict[tuple[str | None, ...], Decimal]:
    found = {}
    for key, option in keyed(answer).items():
        assert option.monthly is not None
        assert option.monthly.low <= option.monthly.expected <= option.monthly.high
        found[key] = option.monthly.expected
    return found


@FEW
@given(TYPES, HOURS, HOURS)
def test_more_hours_never_cost_less(what: str, first: float, second: float) -> None:
    less, more = sorted((first, second))
    low, high = months(ask(what, hours_per_month=less)), months(ask(what, hours_per_month=more))
    assert low.keys() == high.keys()
    assert all(low[key] <= high[key] for key in low)


@FEW
@given(TYPES, COUNTS, COUNTS, HOURS)
def test_more_instances_never_cost_less(what: str, first: int, second: int, hours: float) -> None:
    less, more = sorted((first, second))
    low = months(ask(f"{less}x {what}", hours_per_month=hours))
    high = months(ask(f"{more}x {what}", hours_per_month=hours))
    assert all(low[key] <= high[key] for key in low)


@FEW
@given(st.decimals("0.01", "500", places=3), st.decimals("0.01", "500", places=3), COUNTS, HOURS)
def test_a_higher_price_never_costs_less(
    first: Decimal, second: Decimal, count: int, hours: float
) -> None:
    less, more = sorted((first, second))

    def total(price: Decimal) -> Decimal:
        answer = ask(
            f"{count}x g5.xlarge",
            hours_per_month=hours,
            price=f"aws/g5.xlarge@us-east-1:on_demand={price}",
        )
        assert answer.total is not None
        return answer.total.expected

    assert total(less) <= total(more)


@FEW
@given(
    st.lists(st.tuples(COUNTS, TYPES), min_size=1, max_size=6),
    HOURS,
    CURRENCIES,
    st.sampled_from([None, "spot", "on_demand,spot"]),
)
def test_lines_add_up_to_the_total_to_the_smallest_coin(
    lines: list[tuple[int, str]], hours: float, currency: str, purchase: str | None
) -> None:
    answer = ask(
        [f"{count}x {name}" for count, name in lines],
        hours_per_month=hours, currency=currency, purchase=purchase,
    )  # fmt: skip
    written = document(answer)
    for part in ("low", "expected", "high"):
        total = sum(
            Decimal(item["options"][item["counted"]]["monthly"][part])
            for item in written["items"]
            if item["place"] == 1
        )
        assert total == Decimal(written["total"][part])
    # The total is the exact sum, rounded once.
    exact = Decimal(0)
    for count, name in lines:
        single = ask(name, hours_per_month=hours, currency=currency, purchase=purchase).items[0]
        assert single.line is not None and single.line.price_per_hour is not None
        effective = single.line.effective_per_hour
        assert effective is not None
        exact += effective * count * Decimal(repr(hours))
    assert (
        abs(Decimal(written["total"]["expected"]) - exact) <= Decimal(10) ** -MINOR_DIGITS[currency]
    )


@FEW
@given(st.decimals("0.01", "100000", places=2), st.sampled_from(["CNY", "EUR", "GBP", "JPY"]))
def test_a_currency_there_and_back_is_the_same_within_rounding(
    amount: Decimal, currency: str
) -> None:
    def price(value: Decimal, native: str, wanted: str) -> Decimal:
        from gpuadvisor.cost.exchange import Exchange

        return Exchange(catalog().rates(), DAY).convert(value, native, wanted).value

    there = price(amount, "USD", currency)
    assert rounded(price(there, currency, "USD")) == amount


# Neither side of an exchange rate (1 EUR = 1.1172 USD) is an amount of the answer.
_AMOUNT = re.compile(
    r"(?<![0-9,.])(?<!= )[0-9][0-9,]*(?:\.[0-9]+)? (?:USD|CNY|EUR|GBP|JPY)\b(?! =)(?:/(?:hour|month))?"
)


@FEW
@given(st.lists(st.tuples(COUNTS, TYPES), min_size=1, max_size=3), HOURS, CURRENCIES)
def test_every_amount_in_the_answer_reads_back(
    lines: list[tuple[int, str]], hours: float, currency: str
) -> None:
    answer = ask(
        [f"{count}x {name}" for count, name in lines], hours_per_month=hours, currency=currency
    )
    assert answer.total is not None
    shown = " ".join(text(answer, 80).split())
    amounts = [m.group() for m in _AMOUNT.finditer(shown)]
    assert format_money(answer.total.expected, currency) in amounts
    for amount in amounts:
        read = parse_money(amount)
        # The published price stands beside the converted one, each with its own currency.
        assert read.currency == amount.split(" ")[1].partition("/")[0] in (currency, "USD")
        assert Decimal(amount.split(" ")[0].replace(",", "")) == read.value
    for item in document(answer)["items"]:
        for option in item["options"]:
            for value in (option["price_per_hour"], *(option["monthly"] or {}).values()):
                if value is not None:
                    assert parse_money(value, currency).value == Decimal(value)
