"""Properties of the sums: rows add up to the totals, and what does not change moves nothing."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.check.interface import PRICED, Cost
from gpuadvisor.check.totals import monthly
from gpuadvisor.cost.money import rounded

PRICES = st.one_of(
    st.just(Decimal(0)), st.decimals(min_value="0.000001", max_value="5000", places=6)
)
HOURS = st.one_of(st.just(730.0), st.floats(min_value=0.5, max_value=744, allow_nan=False))


def cost(value: Decimal | None) -> Cost:
    return Cost(PRICED, value, value, value, value)


@st.composite
def sides(draw: st.DrawFn) -> list[tuple[Cost, Cost]]:
    """Rows that stay, move, appear, vanish or have no price."""
    rows = []
    for _ in range(draw(st.integers(0, 12))):
        before = draw(st.none() | PRICES)
        after = before if draw(st.booleans()) else draw(st.none() | PRICES)
        rows.append((cost(before), cost(after)))
    return rows


@given(sides(), HOURS, st.sampled_from(["USD", "JPY"]))
def test_totals_are_the_sums_of_the_rows(
    rows: list[tuple[Cost, Cost]], hours: float, currency: str
) -> None:
    found, totals = monthly(rows, hours, currency)
    assert sum((r.before or 0 for r in found), Decimal(0)) == totals.before
    assert sum((r.after or 0 for r in found), Decimal(0)) == totals.after
    assert sum((r.maximum or 0 for r in found), Decimal(0)) == totals.maximum


@given(sides(), HOURS, st.sampled_from(["USD", "JPY"]))
def test_totals_are_the_rounded_exact_sums(
    rows: list[tuple[Cost, Cost]], hours: float, currency: str
) -> None:
    _, totals = monthly(rows, hours, currency)
    exact = sum((a.hourly or 0 for _, a in rows), Decimal(0)) * Decimal(repr(hours))
    assert totals.after == rounded(exact, currency)


@given(sides(), HOURS)
def test_a_row_that_stays_moves_nothing(rows: list[tuple[Cost, Cost]], hours: float) -> None:
    found, _ = monthly(rows, hours, "USD")
    for (before, after), figures in zip(rows, found, strict=True):
        if before.hourly is not None and before.hourly == after.hourly:
            assert figures.before == figures.after
        if before.hourly == 0:
            assert figures.before == 0
        if before.hourly is None:
            assert figures.before is None


def test_the_largest_row_that_moves_takes_the_cent() -> None:
    # 3 x 0.005 a month: each rounds to 0.01, the exact sum of 0.015 to 0.02.
    rows = [(cost(Decimal(0)), cost(Decimal("0.005")))] * 3
    found, totals = monthly(rows, 1.0, "USD")
    assert totals.after == Decimal("0.02")
    assert sorted(r.after for r in found if r.after is not None) == [
        Decimal("0.00"),
        Decimal("0.01"),
        Decimal("0.01"),
    ]
