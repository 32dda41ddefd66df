"""What a region's lowest price does to a cell that knows its zones.

The rules are those that the head of the hand-made AWS version 2026.10 states for mixed cells:
`low` is the newest price of the region's cheapest zone that lies below the typical one, and the
date of the cell's source is that of `typical`.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from gpuadvisor.refresh.compose import Composition, compose
from gpuadvisor.refresh.interface import Feed, Fetched, Scope, SeenPrice, Wanted
from gpuadvisor.refresh.price_file import PriceFile, Row

from .test_compose import OLD, TODAY, TYPES

LOWEST = Feed("lowest", "Lowest price", "https://low.example", TODAY, "")
KEY = "lowest-2026-11-30"
MIXED = "lowest-2026-11-30-typical-2026-10-31"
ZONES = {"low": "0.2", "typical": "0.4", "measure": "zones", "source": "old"}
MEAN = {**ZONES, "measure": "zone_mean"}
COARSE = {"low": "0.3", "typical": "0.3", "measure": "region_lowest", "source": KEY}


def lowest(price: str, **more: Any) -> SeenPrice:
    return SeenPrice(
        "a.1", "r", "spot", None, None, None, Decimal(price), "USD", "lowest",
        low=Decimal(price), measure="region_lowest", **more,
    )  # fmt: skip


def before(row: Row, age: int, **entry: str) -> PriceFile:
    """A version whose source `old` is of so many days before the feed."""
    day = (TODAY - timedelta(days=age)).isoformat()
    sources = {"old": {**OLD, "date": day, **entry}}
    return PriceFile("acme", "2026.10", "USD", sources, {"a.1": {"r": row}})


def made(file: PriceFile, price: SeenPrice, *others: SeenPrice, feed: Feed = LOWEST) -> Composition:
    found = Fetched((feed,), (), (price, *others), (Scope("r", "spot"),))
    return compose(file, found, Wanted((), frozenset()), TYPES, frozenset({"r"}))


CASES: dict[str, tuple[dict[str, str], int, str, dict[str, str]]] = {
    # 2026-10-31 lies 30 days before 2026-11-30.
    "median over zones, 30 days old: another low": (
        ZONES, 30, "0.3", {**ZONES, "low": "0.3", "source": MIXED},
    ),
    "mean over zones: another low": (MEAN, 30, "0.3", {**MEAN, "low": "0.3", "source": MIXED}),
    "31 days old: replaced": (ZONES, 31, "0.3", COARSE),
    "the low is the same: nothing differs": (ZONES, 30, "0.2", ZONES),
    "the lowest is the typical price": (ZONES, 30, "0.4", {**ZONES, "low": "0.4", "source": MIXED}),
    "the lowest is above it, which disproves it": (
        ZONES, 30, "0.41", {**COARSE, "low": "0.41", "typical": "0.41"},
    ),
    "a posted price is no knowledge of zones": ({**ZONES, "measure": "list"}, 1, "0.3", COARSE),
    "the region's lowest of before": ({**COARSE, "source": "old"}, 1, "0.2",
        {**COARSE, "low": "0.2", "typical": "0.2"},
    ),
    "the interruption stays": (
        {**ZONES, "interruption": "<5%", "interruption_source": "old"}, 30, "0.3",
        {**ZONES, "low": "0.3", "source": MIXED,
         "interruption": "<5%", "interruption_source": "old"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_cells(case: str) -> None:
    row, age, price, expected = CASES[case]
    found = made(before({"spot": row}, age), lowest(price))
    assert found.prices["a.1"]["r"]["spot"] == expected
    assert found.puzzles == ()
    named = {v for k, v in expected.items() if k in ("source", "interruption_source")}
    assert set(found.sources) == named


def test_a_mixed_source_is_of_the_day_of_its_typical_price() -> None:
    file = before({"spot": dict(ZONES)}, 30, confidence="secondary", licence="MIT")
    assert made(file, lowest("0.3")).sources == {
        MIXED: {
            "title": "Typical: old; low: Lowest price, 2026-11-30",
            "address": "https://o.example",
            "date": "2026-10-31",
            "licence": "MIT",
            "confidence": "secondary",
        }
    }


def test_week_after_week_the_typical_price_ages_and_goes() -> None:
    """Weekly lows beside a median of 2026-10-31: kept on 11-23 and 11-30, gone on 12-07 (37 days).

    A mixture is not mixed again, so its title stays one of two halves.
    """
    file, titles = before({"spot": dict(ZONES)}, 30), []
    for day, price in ((23, "0.3"), (30, "0.25"), (37, "0.28")):
        feed = LOWEST._replace(date=date(2026, 10, 31) + timedelta(days=day))
        found = made(file, lowest(price), feed=feed)
        file = file._replace(sources=found.sources, prices=found.prices)
        (entry,) = found.sources.values()
        titles.append(entry["title"])
    assert titles == [
        "Typical: old; low: Lowest price, 2026-11-23",
        "Typical: old; low: Lowest price, 2026-11-30",
        "Lowest price",
    ]
    assert file.prices["a.1"]["r"]["spot"] == {
        "low": "0.28", "typical": "0.28", "measure": "region_lowest", "source": "lowest-2026-12-07",
    }  # fmt: skip


def test_the_day_it_was_confirmed_counts() -> None:
    later = {**OLD, "title": "later", "date": "2026-11-01"}
    file = before({"spot": {**ZONES, "confirmed_by": "later"}}, 90)
    file.sources["later"] = later
    found = made(file, lowest("0.3"))
    (entry,) = found.sources.values()
    assert (entry["title"], entry["date"]) == (
        "Typical: later; low: Lowest price, 2026-11-30", "2026-11-01",
    )  # fmt: skip
    assert "confirmed_by" not in found.prices["a.1"]["r"]["spot"]


def test_a_cut_on_demand_price_disproves_it() -> None:
    """On demand 0.35 is below the typical 0.4: what remains is the lowest price, not nothing."""
    cut = lowest("0.35")._replace(option="on_demand", low=None, measure=None)
    found = made(before({"spot": dict(ZONES), "on_demand": ["1", "old"]}, 1), lowest("0.3"), cut)
    assert found.prices["a.1"]["r"] == {"on_demand": ["0.35", KEY], "spot": COARSE}
    assert found.puzzles == ()


def test_two_typical_sources_of_one_day_have_two_keys() -> None:
    file = before({"spot": dict(ZONES)}, 30)
    file.sources["other"] = {**file.sources["old"], "title": "other"}
    file.prices["a.2"] = {"r": {"spot": {**ZONES, "source": "other"}}}
    found = made(file, lowest("0.3"), lowest("0.3")._replace(type="a.2"))
    assert set(found.sources) == {MIXED, f"{MIXED}-2"}


def test_a_long_title_is_cut_to_what_the_schema_allows() -> None:
    found = made(before({"spot": dict(ZONES)}, 30, title="x" * 200), lowest("0.3"))
    title = found.sources[MIXED]["title"]
    assert len(title) == 200 and title.endswith("…; low: Lowest price, 2026-11-30")
