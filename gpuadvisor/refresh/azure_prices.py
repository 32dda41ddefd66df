"""Prices per VM-hour out of the rows of the Retail Prices API.

One size has rows for Linux and Windows, each as standard, ` Spot` and ` Low Priority` (which Batch
alone can buy, and which is the cheapest), beside reservations, development prices, dedicated hosts
and rows that are no longer or not yet in force.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.catalog.model import ON_DEMAND, RESERVED, SAVINGS_PLAN, SPOT
from gpuadvisor.refresh.azure_names import canonical, is_gpu_name
from gpuadvisor.refresh.interface import Puzzle, SeenPrice
from gpuadvisor.refresh.public_feeds import MOST

OPTIONS = (ON_DEMAND, SPOT, RESERVED, SAVINGS_PLAN)
TERMS = {"1 Year": ("1y", 8760), "3 Years": ("3y", 26280), "5 Years": ("5y", 43800)}
"""Term -> its key and its hours: a reservation's price is that of the whole term."""
SIX = Decimal("0.000001")
LEAST_SHARE = Decimal("0.05")
"""No term costs less than this share of on demand; a total that was no total would."""
_WINDOWS = re.compile(r"\bWin(dows)?\b", re.IGNORECASE)
_OTHER_PRODUCT = re.compile(r"Dedicated Host|Cloud ?Services", re.IGNORECASE)

Term = tuple[str, str | None]
"""Option and term."""


class Row(NamedTuple):
    """One price of a size, and since when it is in force."""

    size: str
    term: Term
    price: Decimal
    since: str


class Prices(NamedTuple):
    """Prices of one region, of names that the catalog may not know, and questions."""

    seen: tuple[SeenPrice, ...]
    puzzles: tuple[Puzzle, ...]


def read_prices(
    items: Iterable[Mapping[str, Any]],
    region: str,
    known: Collection[str],
    today: date,
    feed: str,
) -> Prices:
    """The prices of one region that are in force on `today`."""
    puzzles: dict[Puzzle, None] = {}
    best: dict[tuple[str, Term], Row] = {}
    for item in items:
        if _is_left_out(item, today):
            continue
        where = item.get("armRegionName")
        if where != region:
            puzzles[Puzzle("region", str(where)[:60], region)] = None
            continue
        size = canonical(item.get("armSkuName"), known)
        if not is_gpu_name(size):
            continue
        found = _rows(item, size)
        if not found:
            detail = f"{item.get('type')} {item.get('unitOfMeasure')} {item.get('retailPrice')}"
            puzzles[Puzzle("price", size, region, detail[:80])] = None
        for row in found:
            _keep(best, row, region, puzzles)
    for key, row in list(best.items()):
        base = best.get((row.size, (ON_DEMAND, None)))
        if base and _is_odd(row, base.price):
            detail = f"{row.term[0]} {row.term[1]} {row.price:f} / {base.price:f}"
            puzzles[Puzzle("price", row.size, region, detail)] = None
            del best[key]
    return Prices(tuple(_seen(row, region, feed) for row in best.values()), tuple(puzzles))


def _is_left_out(item: Mapping[str, Any], today: date) -> bool:
    """Known to be no price of a Linux VM today."""
    product, names = str(item.get("productName")), (item.get("skuName"), item.get("meterName"))
    return (
        item.get("type") not in ("Consumption", "Reservation")
        or item.get("isPrimaryMeterRegion") is False
        # "… Series Windows", and "… Srs Win"
        or _WINDOWS.search(product) is not None
        or _OTHER_PRODUCT.search(product) is not None
        or any(str(name).endswith("Low Priority") for name in names)
        or not _is_in_force(item, today)
    )


def _is_in_force(item: Mapping[str, Any], today: date) -> bool:
    """Rows that a newer one has replaced come back, some with an end before their start: what has
    ended, or has not begun, is none of today's."""
    start, end = (str(item.get(f"effective{w}Date") or "")[:10] for w in ("Start", "End"))
    day = today.isoformat()
    return start <= day and (not end or day < end)


def _rows(item: Mapping[str, Any], size: str) -> list[Row]:
    """What a row says; nothing where it is no hourly price in USD or has another shape."""
    price = _money(item.get("retailPrice"))
    usual = (
        item.get("currencyCode") == "USD"
        and item.get("unitOfMeasure") == "1 Hour"
        and not item.get("tierMinimumUnits")
    )
    if price is None or not usual:
        return []
    since = str(item.get("effectiveStartDate") or "")
    if item["type"] == "Reservation":
        term = TERMS.get(str(item.get("reservationTerm")))
        if term is None:
            return []
        # The unit still says "1 Hour".
        hourly = (price / term[1]).quantize(SIX)
        return [Row(size, (RESERVED, term[0]), hourly, since)] if hourly else []
    if any(str(item.get(name)).endswith(" Spot") for name in ("skuName", "meterName")):
        return [Row(size, (SPOT, None), price, since)]
    return [Row(size, (ON_DEMAND, None), price, since), *_savings_plans(item, size, since)]


def _savings_plans(item: Mapping[str, Any], size: str, since: str) -> list[Row]:
    """The rates of savings plans, which are per hour already."""
    found = []
    plans = item.get("savingsPlan")
    for plan in plans if isinstance(plans, list) else ():
        if isinstance(plan, dict):
            price = _money(plan.get("retailPrice"))
            term = TERMS.get(str(plan.get("term")))
            if price is not None and term is not None:
                found.append(Row(size, (SAVINGS_PLAN, term[0]), price, since))
    return found


def _money(value: object) -> Decimal | None:
    """A price above zero; None for zero, text, nothing and truth values."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    price = Decimal(value)
    return price if price.is_finite() and 0 < price < MOST else None


def _keep(
    best: dict[tuple[str, Term], Row], row: Row, region: str, puzzles: dict[Puzzle, None]
) -> None:
    """Of two rows the later in force stands; of the same day the dearer, and it is asked why."""
    key = (row.size, row.term)
    before = best.get(key)
    if before is None:
        best[key] = row
        return
    if before.since == row.since and before.price != row.price:
        low, high = sorted((before.price, row.price))
        detail = f"{row.term[0]} {row.term[1] or ''} {low:f} / {high:f}"
        puzzles[Puzzle("price", row.size, region, " ".join(detail.split()))] = None
    best[key] = max(before, row, key=lambda r: (r.since, r.price))


def _is_odd(row: Row, on_demand: Decimal) -> bool:
    """A term's price above on demand, or as low as if an hourly price had been divided."""
    if row.term[0] not in (RESERVED, SAVINGS_PLAN):
        return False
    return not on_demand * LEAST_SHARE < row.price <= on_demand


def _seen(row: Row, region: str, feed: str) -> SeenPrice:
    option, term = row.term
    spot = option == SPOT
    return SeenPrice(
        row.size,
        region,
        option,
        term,
        None,
        None,
        row.price,
        "USD",
        feed,
        low=row.price if spot else None,
        measure="list" if spot else None,
    )
