"""Monthly figures that add up: rows rounded to cents, their sum the rounded exact total."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.check.interface import Cost, Totals
from gpuadvisor.cost.money import allocate, rounded, scale

ZERO = Decimal(0)


class Monthly(NamedTuple):
    """One row's figures per month; None where the price is not known."""

    before: Decimal | None
    after: Decimal | None
    maximum: Decimal | None


def monthly(
    sides: Sequence[tuple[Cost, Cost]], hours: float, currency: str
) -> tuple[list[Monthly], Totals]:
    """Hourly costs of (before, after) -> figures per month and their totals.

    Rows that do not move are rounded once for both sides, so their difference is 0; what the
    rounding misses on a side goes to the largest row that moves there.
    """

    def month(value: Decimal | None) -> Decimal | None:
        return None if value is None else scale(value, hours)

    before = [month(b.hourly) for b, _ in sides]
    after = [month(a.hourly) for _, a in sides]
    most = [month(a.maximum) for _, a in sides]
    still = [i for i in range(len(sides)) if before[i] == after[i] and before[i] is not None]
    shares, _ = allocate([before[i] or ZERO for i in still], currency)
    fixed = dict(zip(still, shares, strict=True))
    first, total_before = _side(before, fixed, currency)
    second, total_after = _side(after, fixed, currency)
    highest, total_max = _side(most, {}, currency)
    # A fixed count has its cost as its maximum, to the cent.
    for i, (_, cost) in enumerate(sides):
        if highest[i] is not None and cost.maximum == cost.hourly and second[i] is not None:
            total_max += second[i] - highest[i]  # type: ignore[operator]
            highest[i] = second[i]
    low = sum((month(a.low) or ZERO for _, a in sides), ZERO)
    high = sum((month(a.high) or ZERO for _, a in sides), ZERO)
    totals = Totals(
        total_before, total_after, total_max, rounded(low, currency), rounded(high, currency)
    )
    rows = [Monthly(*figures) for figures in zip(first, second, highest, strict=True)]
    return rows, totals


def _side(
    values: Sequence[Decimal | None], fixed: dict[int, Decimal], currency: str
) -> tuple[list[Decimal | None], Decimal]:
    """Round one side: `fixed` rows as given, the rest so that all add up to the exact total."""
    exact = sum((v for v in values if v is not None), ZERO)
    total = rounded(exact, currency)
    shares: list[Decimal | None] = [
        None if v is None else fixed.get(i, rounded(v, currency)) for i, v in enumerate(values)
    ]
    moving = [i for i, v in enumerate(values) if v and i not in fixed]
    missed = total - sum((s for s in shares if s is not None), ZERO)
    if moving and missed:
        largest = max(moving, key=lambda i: abs(values[i] or ZERO))
        shares[largest] = (shares[largest] or ZERO) + missed
    return shares, total
