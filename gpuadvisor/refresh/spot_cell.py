"""The spot cell of a new version, from the previous one and what was seen."""

from __future__ import annotations

from decimal import Decimal

from gpuadvisor.refresh.interface import SeenPrice
from gpuadvisor.refresh.origins import Origins
from gpuadvisor.refresh.price_file import Cell, number_text

COARSE = "region_lowest"
FINE = frozenset({"zones", "zone_mean"})
FRESH_DAYS = 30
"""For so long a typical price over zones says more than the lowest price of a later day: spot is
taken as stale after as many days."""
INTERRUPTIONS = frozenset({"<5%", "5-10%", "10-15%", "15-20%", ">20%"})


def rounded(price: Decimal) -> Decimal:
    """To nano-units, the finest that the catalog holds."""
    return price.quantize(Decimal("1e-9")) if -int(price.as_tuple().exponent) > 9 else price


def spot_cell(
    old: Cell | None, price: SeenPrice, origins: Origins, ceiling: Decimal | None
) -> dict[str, str]:
    """The cell. `ceiling` is the on-demand price, where it is known.

    What is seen unchanged keeps its source and moves the day it was confirmed. A lowest price of
    the region does not put out what is known of its zones and still fresh: it becomes their `low`.
    """
    before = old if isinstance(old, dict) else {}
    low, typical, measure = _figures(price)
    source = origins.keys[price.feed]
    if before and measure == COARSE and _stays(before, typical, source, origins, ceiling):
        cell = _with_low(before, low, source, origins)
    elif before and _same(before, low, typical, measure):
        keys = ("low", "typical", "measure", "source", "confirmed_by")
        cell = {key: before[key] for key in keys if key in before}
        latest = before.get("confirmed_by", before["source"])
        if source not in cell.values() and origins.day(source) > origins.day(latest):
            cell["confirmed_by"] = source
    else:
        cell = {
            "low": number_text(low),
            "typical": number_text(typical),
            "measure": measure,
            "source": source,
        }
    return {**cell, **_interruption(before, price, origins)}


def _figures(price: SeenPrice) -> tuple[Decimal, Decimal, str]:
    typical = rounded(price.price)
    low = typical if price.low is None else min(typical, rounded(price.low))
    return low, typical, price.measure or "list"


def _same(before: dict[str, str], low: Decimal, typical: Decimal, measure: str) -> bool:
    figures = (Decimal(before["low"]), Decimal(before["typical"]), before["measure"])
    return figures == (low, typical, measure)


def _stays(
    before: dict[str, str],
    lowest: Decimal,
    source: str,
    origins: Origins,
    ceiling: Decimal | None,
) -> bool:
    """Whether the typical price of before still holds: over zones, fresh, and not disproved by a
    lowest price above it or an on-demand price below it."""
    if before["measure"] not in FINE:
        return False
    latest = before.get("confirmed_by", before["source"])
    typical = Decimal(before["typical"])
    fresh = origins.age(latest, source) <= FRESH_DAYS
    return fresh and lowest <= typical and (ceiling is None or typical <= ceiling)


def _with_low(
    before: dict[str, str], low: Decimal, source: str, origins: Origins
) -> dict[str, str]:
    """The cell with another low; its typical price is of the day it was last seen, no later."""
    keys = ("low", "typical", "measure", "source", "confirmed_by")
    kept = {key: before[key] for key in keys if key in before}
    if Decimal(before["low"]) == low:
        return kept
    latest = kept.pop("confirmed_by", kept["source"])
    return {**kept, "low": number_text(low), "source": origins.mixed(latest, source)}


def _interruption(before: dict[str, str], price: SeenPrice, origins: Origins) -> dict[str, str]:
    """The chance of interruption has its own feed and its own date."""
    by = origins.keys.get(price.interruption_feed or "")
    if price.interruption in INTERRUPTIONS and by is not None:
        return {"interruption": str(price.interruption), "interruption_source": by}
    keys = ("interruption", "interruption_source")
    return {key: before[key] for key in keys if key in before}
