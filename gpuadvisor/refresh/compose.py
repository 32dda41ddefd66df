"""The previous price version and what was seen make the new one.

A region and option that was read to its end (`Scope`) is replaced; everything else is carried over
with its sources. A price seen unchanged keeps its first source and moves the day it was confirmed.
What breaks a rule of the catalog (above on demand, two prices for one thing) is left out and told.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.catalog.model import (
    COMMITTED_USE,
    ON_DEMAND,
    RESERVED,
    SAVINGS_PLAN,
    SPOT,
    InstanceType,
)
from gpuadvisor.refresh.interface import Fetched, Puzzle, SeenPrice, Wanted
from gpuadvisor.refresh.order import placed
from gpuadvisor.refresh.origins import Origins
from gpuadvisor.refresh.price_file import (
    Cell,
    PriceFile,
    Row,
    Sources,
    cell_key,
    number_text,
    used_sources,
)
from gpuadvisor.refresh.spot_cell import rounded, spot_cell

HIGHEST = Decimal(100_000)
"""Prices per hour at and above this are refused by the schema."""
ROUNDING = Decimal("0.001")
"""Feeds round: spot that tops on demand by up to 0.1 % is written as on demand."""
BOUND = frozenset({SPOT, RESERVED, SAVINGS_PLAN, COMMITTED_USE})
"""Options that the catalog refuses above the on-demand price."""


class Counts(NamedTuple):
    """Cells of the new version: seen for the first time, changed, seen unchanged, carried over
    unseen; and those of the previous one that are gone."""

    added: int
    changed: int
    confirmed: int
    carried: int
    gone: int


class Composition(NamedTuple):
    """The new version (without name and head), what was not understood, and counts.

    `same` is that nothing differs from the previous version, dates included.
    """

    sources: Sources
    prices: dict[str, dict[str, Row]]
    puzzles: tuple[Puzzle, ...]
    counts: Counts
    same: bool


def compose(
    previous: PriceFile,
    fetched: Fetched,
    wanted: Wanted,
    types: Mapping[str, InstanceType],
    regions: frozenset[str],
) -> Composition:
    """Join them. `types` and `regions` are what the catalog with its new shapes knows."""
    origins = Origins(fetched.feeds, previous.sources)
    seen, puzzles, unsure = _sorted_out(previous, fetched, wanted, types, regions, origins.keys)
    scopes = _scopes(fetched, wanted)
    places: dict[str, set[str]] = {}
    for name, region in seen:
        places.setdefault(name, set()).add(region)
    prices: dict[str, dict[str, Row]] = {}
    tally = {"added": 0, "changed": 0, "confirmed": 0, "carried": 0, "gone": 0}
    for name in placed(list(previous.prices), places, types):
        before = previous.prices.get(name, {})
        for region in sorted({*before, *places.get(name, ())}):
            here = before.get(region, {})
            fresh = seen.get((name, region), {})
            row: Row = {}
            for key, old in here.items():
                held = key in fresh or (name, region, key) in unsure
                besides = scopes.get((region, key.partition("/")[0]))
                if held or besides is None or name in besides:
                    row[key] = old
            # On demand first: it bounds spot.
            for key in sorted(fresh, key=lambda key: key != ON_DEMAND):
                row[key] = _cell(row, key, fresh[key], origins)
            for key, detail in _above_on_demand(row):
                puzzles.append(Puzzle("price", name, region, detail))
                del row[key]
            for key in {**here, **row}:
                tally[_what(here.get(key), row.get(key), key in fresh)] += 1
            if row:
                prices.setdefault(name, {})[region] = row
    used = used_sources(prices)
    sources = {key: dict(entry) for key, entry in origins.entries.items() if key in used}
    return Composition(sources, prices, tuple(puzzles), Counts(**tally), prices == previous.prices)


def _scopes(fetched: Fetched, wanted: Wanted) -> dict[tuple[str, str], frozenset[str]]:
    """(region, option) -> types that none of the feeds which read it to its end ever holds."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for scope in fetched.scopes:
        if _asked(wanted, scope.region, scope.option):
            key, besides = (scope.region, scope.option), frozenset(scope.besides)
            found[key] = found.get(key, besides) & besides
    return found


def _asked(wanted: Wanted, region: str, option: str) -> bool:
    return wanted.asks(option) and (not wanted.regions or region in wanted.regions)


_Seen = dict[tuple[str, str], dict[str, SeenPrice]]


def _sorted_out(
    previous: PriceFile,
    fetched: Fetched,
    wanted: Wanted,
    types: Mapping[str, InstanceType],
    regions: frozenset[str],
    keys: Mapping[str, str],
) -> tuple[_Seen, list[Puzzle], set[tuple[str, str, str]]]:
    """What was seen by (type, region) and cell key; puzzles; and cells with two prices, of which
    neither is taken."""
    seen: _Seen = {}
    puzzles: dict[tuple[str, str, str], Puzzle] = {}
    unsure: set[tuple[str, str, str]] = set()
    for price in fetched.prices:
        if not _asked(wanted, price.region, price.option):
            continue
        puzzle = _puzzle(price, previous.currency, types, regions, keys)
        if puzzle is not None:
            puzzles.setdefault((puzzle.kind, puzzle.name, puzzle.detail), puzzle)
            continue
        key = cell_key(price.option, price.term, price.cls, price.payment)
        here = seen.setdefault((price.type, price.region), {})
        twin = here.get(key)
        if twin is not None and (twin.price, twin.low) != (price.price, price.low):
            unsure.add((price.type, price.region, key))
            detail = f"{key}: {number_text(twin.price)}, {number_text(price.price)}"
            puzzles.setdefault(
                ("price", price.type, detail), Puzzle("price", price.type, price.region, detail)
            )
        here.setdefault(key, price)
    for name, region, key in unsure:
        seen[name, region].pop(key, None)
    return seen, list(puzzles.values()), unsure


def _puzzle(
    price: SeenPrice,
    currency: str,
    types: Mapping[str, InstanceType],
    regions: frozenset[str],
    keys: Mapping[str, str],
) -> Puzzle | None:
    if price.region not in regions:
        return Puzzle("region", price.region, "", price.option)
    if price.type not in types:
        return Puzzle("sku", price.type, price.region)
    figures = (price.price, price.price if price.low is None else price.low)
    if not all(map(_is_price, figures)) or price.currency != currency or price.feed not in keys:
        detail = f"{price.option} {price.price} {price.currency}"
        return Puzzle("price", price.type, price.region, detail)
    return None


def _is_price(figure: object) -> bool:
    """Whether the schema takes it once it is rounded; an SDK or a feed may hand out anything."""
    if not isinstance(figure, Decimal) or not figure.is_finite() or not 0 < figure < HIGHEST:
        return False
    return 0 < rounded(figure) < HIGHEST


def _cell(row: Row, key: str, price: SeenPrice, origins: Origins) -> Cell:
    """The cell of that key from the one that is there, if any, and what was seen."""
    old = row.get(key)
    if price.option == SPOT:
        base = row.get(ON_DEMAND)
        ceiling = Decimal(base[0]) if isinstance(base, list) else None
        return spot_cell(old, price, origins, ceiling)
    source, figure = origins.keys[price.feed], rounded(price.price)
    if isinstance(old, list) and Decimal(old[0]) == figure:
        if source in old[1:] or origins.day(source) <= origins.day(old[-1]):
            return old
        return [old[0], old[1], source]
    return [number_text(figure), source]


def _what(old: Cell | None, new: Cell | None, was_seen: bool) -> str:
    """The count that a cell falls under."""
    if new is None:
        return "gone"
    if not was_seen:
        return "carried"
    if old is None:
        return "added"
    if isinstance(old, dict) and isinstance(new, dict):
        figures = ("low", "typical", "measure")
        return "confirmed" if all(old[key] == new[key] for key in figures) else "changed"
    same = isinstance(old, list) and isinstance(new, list) and old[0] == new[0]
    return "confirmed" if same else "changed"


def _above_on_demand(row: Row) -> list[tuple[str, str]]:
    """Cells that the catalog would refuse, with why; spot off by rounding alone is set right."""
    base = row.get(ON_DEMAND)
    if not isinstance(base, list):
        return []
    ceiling = Decimal(base[0])
    refused = []
    for key, cell in row.items():
        if key.partition("/")[0] not in BOUND:
            continue
        top = Decimal(cell[0] if isinstance(cell, list) else cell["typical"])
        if top <= ceiling:
            continue
        if isinstance(cell, dict) and top <= ceiling * (1 + ROUNDING):
            low = min(Decimal(cell["low"]), ceiling)
            row[key] = {**cell, "typical": number_text(ceiling), "low": number_text(low)}
            continue
        refused.append((key, f"{key} {number_text(top)} > on_demand {number_text(ceiling)}"))
    return refused
