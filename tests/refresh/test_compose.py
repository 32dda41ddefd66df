"""The new version from the old one and what was seen: a table of cells, and every rule."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.refresh.compose import Composition, compose
from gpuadvisor.refresh.draft import next_version
from gpuadvisor.refresh.head import head
from gpuadvisor.refresh.interface import Feed, Fetched, Scope, SeenPrice, Wanted
from gpuadvisor.refresh.origins import source_keys
from gpuadvisor.refresh.price_file import PriceFile, Row, read_file, text_of

TODAY = date(2026, 11, 30)
OLD = {
    "title": "old",
    "address": "https://o.example",
    "date": "2026-06-01",
    "confidence": "official",
}
FEED = Feed("feed", "new", "https://n.example", TODAY, "")
NEW = "feed-2026-11-30"
ALL = Wanted((), frozenset())
TYPE = InstanceType(
    "acme", "a.1", "a", "T4", 1.0, None, 16, 4, 16, None, None, "none", None, "x86_64",
    ("on_demand", "spot"), "active", None, "instance", None, "s", None,
)  # fmt: skip
TYPES = {name: TYPE._replace(name=name) for name in ("a.1", "a.2", "b.1")}


def seen(option: str = "on_demand", price: str = "1", **more: Any) -> SeenPrice:
    blank = {"type": "a.1", "region": "r", "term": None, "cls": None, "payment": None,
             "currency": "USD", "feed": "feed"}  # fmt: skip
    if option == "spot":
        blank["measure"] = "zones"
    fields = {**blank, "option": option, "price": Decimal(price), **more}
    return SeenPrice(**fields)


def old(row: Row, **more: Row) -> PriceFile:
    prices = {"a.1": {"r": row}, **{name: {"r": cells} for name, cells in more.items()}}
    known = {"old": OLD, "advisor": {**OLD, "date": "2026-01-01"}}
    return PriceFile("acme", "2026.06", "USD", known, prices)


def made(before: PriceFile, *prices: SeenPrice, scopes: Any = (), **more: Any) -> Composition:
    found = Fetched((FEED,), (), prices, tuple(Scope(*s) for s in scopes))
    return compose(before, found, more.get("wanted", ALL), TYPES, frozenset({"r", "q"}))


OD = ("r", "on_demand")
SPOT = {"low": "0.2", "typical": "0.4", "measure": "zones", "source": "old"}
RISK = {"interruption": "<5%", "interruption_source": "advisor"}

CELLS: dict[str, tuple[Row, tuple[SeenPrice, ...], tuple[Any, ...], Row]] = {
    "the same: first source, confirmed": (
        {"on_demand": ["1.00", "old"]}, (seen(),), (OD,), {"on_demand": ["1.00", "old", NEW]},
    ),
    "the same again: the day moves": (
        {"on_demand": ["1", "old", "old"]}, (seen(),), (OD,), {"on_demand": ["1", "old", NEW]},
    ),
    "changed: new source": (
        {"on_demand": ["1", "old"]}, (seen(price="1.2"),), (OD,), {"on_demand": ["1.2", NEW]},
    ),
    "vanished within its scope": (
        {"on_demand": ["1", "old"], "reserved/1y": ["0.5", "old"]}, (), (OD,),
        {"reserved/1y": ["0.5", "old"]},
    ),
    "outside every scope": ({"on_demand": ["1", "old"]}, (), (), {"on_demand": ["1", "old"]}),
    "a scope of another region": (
        {"on_demand": ["1", "old"]}, (), (("q", "on_demand"),), {"on_demand": ["1", "old"]},
    ),
    "a type that the feed never holds": (
        {"on_demand": ["1", "old"]}, (), (("r", "on_demand", ("a.1",)),),
        {"on_demand": ["1", "old"]},
    ),
    "held back by one feed, read by the other": (
        {"on_demand": ["1", "old"]}, (), (("r", "on_demand", ("a.1",)), OD), {},
    ),
    "a term of its own": (
        {"reserved/1y": ["0.5", "old"], "reserved/3y": ["0.4", "old"]},
        (seen("reserved", "0.5", term="1y"),), (("r", "reserved"),),
        {"reserved/1y": ["0.5", "old", NEW]},
    ),
    "an unnamed class": (
        {}, (seen("savings_plan", "0.5", term="1y", payment="no_upfront"),), (),
        {"savings_plan/1y/-/no_upfront": ["0.5", NEW]},
    ),
    "spot the same: confirmed, its risk kept": (
        {"spot": {**SPOT, **RISK}}, (seen("spot", "0.4", low=Decimal("0.20")),), (),
        {"spot": {**SPOT, "confirmed_by": NEW, **RISK}},
    ),
    "spot changed: its risk has its own date": (
        {"spot": {**SPOT, **RISK}}, (seen("spot", "0.5", low=Decimal("0.2")),), (),
        {"spot": {**SPOT, "typical": "0.5", "source": NEW, **RISK}},
    ),
    "spot with a new risk": (
        {"spot": {**SPOT, **RISK}},
        (seen("spot", "0.4", low=Decimal("0.2"), interruption=">20%", interruption_feed="feed"),), (),
        {"spot": {**SPOT, "confirmed_by": NEW, "interruption": ">20%", "interruption_source": NEW}},
    ),
    "spot measured in another way": (
        {"spot": SPOT}, (seen("spot", "0.4", low=Decimal("0.2"), measure="list"),), (),
        {"spot": {**SPOT, "measure": "list", "source": NEW}},
    ),
    "spot without a low": (
        {}, (seen("spot", "0.4"),), (), {"spot": {**SPOT, "low": "0.4", "source": NEW}},
    ),
    "spot a rounding above on demand": (
        {"on_demand": ["1", "old"]}, (seen("spot", "1.0004", low=Decimal("0.2")),), (),
        {"on_demand": ["1", "old"], "spot": {**SPOT, "typical": "1", "source": NEW}},
    ),
    "more digits than the catalog holds": (
        {}, (seen(price="0.12345678949"),), (), {"on_demand": ["0.123456789", NEW]},
    ),
    "no trailing zeros, no exponent": (
        {}, (seen(price="1E+2"),), (), {"on_demand": ["100", NEW]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CELLS)
def test_cells(case: str) -> None:
    before, prices, scopes, expected = CELLS[case]
    found = made(old(before), *prices, scopes=scopes)
    assert found.prices.get("a.1", {}).get("r", {}) == expected
    assert found.puzzles == ()


REFUSED: dict[str, tuple[Row, SeenPrice, str]] = {
    "zero": ({}, seen(price="0"), "price"),
    "negative": ({}, seen(price="-1"), "price"),
    "NaN": ({}, seen(price="NaN"), "price"),
    "a text": ({}, seen()._replace(price="free"), "price"),  # type: ignore[arg-type]
    "a float": ({}, seen()._replace(price=1.5), "price"),  # type: ignore[arg-type]
    "beyond the schema": ({}, seen(price="100000"), "price"),
    "beyond it once rounded": ({}, seen(price="99999.9999999999"), "price"),
    "nothing once rounded": ({}, seen(price="1e-12"), "price"),
    "an exponent out of this world": ({}, seen(price="1e400"), "price"),
    "more digits than can be rounded": ({}, seen(price="1" * 40 + ".1234567890"), "price"),
    "a low that is nothing once rounded": ({}, seen("spot", "1", low=Decimal("1e-12")), "price"),
    "another currency": ({}, seen(currency="EUR"), "price"),
    "a feed that is not named": ({}, seen(feed="?"), "price"),
    "a low of zero": ({}, seen("spot", "1", low=Decimal(0)), "price"),
    "an unknown type": ({}, seen(type="z.9"), "sku"),
    "an unknown region": ({}, seen(region="moon"), "region"),
    "a commitment above on demand": (
        {"on_demand": ["1", "old"]}, seen("reserved", "1.1", term="1y"), "price",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_taken_is_told(case: str) -> None:
    before, price, kind = REFUSED[case]
    found = made(old(before), price)
    assert [p.kind for p in found.puzzles] == [kind]
    assert found.prices.get("a.1", {}).get("r", {}) == before


def test_a_cut_on_demand_drops_what_was_carried_over_above_it() -> None:
    """AWS cut p5 in June 2025: reserved rates of before stood above the new on-demand price."""
    before = old({"on_demand": ["98.32", "old"], "reserved/1y": ["60.5", "old"]})
    found = made(before, seen(price="55.04"), scopes=[OD])
    assert found.prices["a.1"]["r"] == {"on_demand": ["55.04", NEW]}
    assert "reserved/1y 60.5 > on_demand 55.04" in found.puzzles[0].detail
    assert found.counts._asdict() == {
        "added": 0, "changed": 1, "confirmed": 0, "carried": 0, "gone": 1,
    }  # fmt: skip


def test_two_prices_of_one_thing_keep_the_old_one() -> None:
    found = made(old({"on_demand": ["1", "old"]}), seen(price="2"), seen(price="3"), scopes=[OD])
    assert found.prices["a.1"]["r"] == {"on_demand": ["1", "old"]}
    assert [p.detail for p in found.puzzles] == ["on_demand: 2, 3"]


def test_what_was_not_asked_for_is_not_taken() -> None:
    before = old({"on_demand": ["1", "old"]})
    for wanted in (Wanted(("q",), frozenset()), Wanted((), frozenset({"spot"}))):
        found = made(before, seen(price="2"), scopes=[OD], wanted=wanted)
        assert found.prices == before.prices and found.same


def test_counts_add_up() -> None:
    before = old(
        {"on_demand": ["1", "old"], "spot": dict(SPOT), "reserved/1y": ["0.5", "old"]},
        **{"a.2": {"on_demand": ["2", "old"]}},
    )
    found = made(before, seen(), seen("spot", "0.6"), seen(type="b.1"), scopes=[OD])
    assert found.counts._asdict() == {
        "added": 1, "changed": 1, "confirmed": 1, "carried": 1, "gone": 1,
    }  # fmt: skip
    assert list(found.prices) == ["a.1", "b.1"] and set(found.sources) == {"old", NEW}


def test_a_refused_price_counts_once() -> None:
    before = old({"on_demand": ["1", "old"], "reserved/1y": ["0.5", "old"]})
    found = made(before, seen("reserved", "1.2", term="1y"), seen("reserved", "1.3", term="3y"))
    assert found.counts._asdict() == {
        "added": 0, "changed": 0, "confirmed": 0, "carried": 1, "gone": 1,
    }  # fmt: skip


def test_a_feed_older_than_what_is_known_confirms_nothing() -> None:
    early = FEED._replace(date=date(2026, 5, 1))
    found = compose(
        old({"on_demand": ["1", "old"]}), Fetched((early,), (), (seen(),)), ALL, TYPES,
        frozenset({"r"}),
    )  # fmt: skip
    assert found.same


@pytest.mark.parametrize(
    ("feeds", "known", "keys"),
    [
        ([FEED], {}, [NEW]),
        ([FEED._replace(id="feed-2026-11-30")], {}, [NEW]),
        ([FEED], {NEW: OLD}, [NEW + "-2"]),
        ([FEED, FEED._replace(id=NEW, title="other")], {}, [NEW, NEW + "-2"]),
    ],
)
def test_keys_of_sources(feeds: list[Feed], known: Any, keys: list[str]) -> None:
    assert list(source_keys(feeds, known).values()) == keys


@pytest.mark.parametrize(
    ("existing", "name"),
    [
        (["2026.10"], "2026.11"),
        (["2026.10", "2026.11"], "2026.11.1"),
        (["2026.11", "2026.11.9", "2026.11.10"], "2026.11.11"),
        (["2025.11"], "2026.11"),
    ],
)
def test_names_of_versions(existing: list[str], name: str) -> None:
    assert next_version(TODAY, existing) == name


@pytest.mark.parametrize(
    ("comment", "named"),
    [
        (("AWS prices, by hand.",), "2026.06"),
        (
            ("Made by `gpuadvisor catalog refresh acme` …", "… comment of version 2025.04."),
            "2025.04",
        ),
    ],
)
def test_the_head_names_the_last_version_made_by_hand(comment: Any, named: str) -> None:
    before = old({})._replace(comment=comment)
    counts = made(before).counts
    lines = head("acme", TODAY, before, Fetched(), counts, lambda m: f"{m.id} {dict(m.params)}")
    assert f"'version': '{named}'" in lines[-1]


def test_every_shipped_price_file_comes_back_as_it_was(tmp_path: Path) -> None:
    """Cells, order and digits; only a comment's indents and the order of sources may differ."""
    root = Path(__file__).resolve().parents[2] / "catalogs/providers"
    paths = sorted(root.glob("*/prices/*.yaml"))
    assert len(paths) > 20
    for path in paths:
        before = path.read_text("utf-8")
        after = text_of(read_file(str(path)), complete=False)
        assert after.partition("\nprices:\n")[2] == before.partition("\nprices:\n")[2], path
        copy = tmp_path / "copy.yaml"
        copy.write_text(after, encoding="utf-8")
        assert read_file(str(copy)) == read_file(str(path)), path
