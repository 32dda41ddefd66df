"""Joins zones and SKUs into types and prices, and says which of it was read to its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import COMMITTED_USE, Offer
from gpuadvisor.refresh.gcp_compose import Machine, Sums, compose
from gpuadvisor.refresh.gcp_names import FAMILIES, family_of, region_of
from gpuadvisor.refresh.gcp_skus import Rates
from gpuadvisor.refresh.holes import is_hole
from gpuadvisor.refresh.interface import Context, Fetched, Puzzle, Scope, SeenPrice

ROUNDING = Decimal("0.00001")
"""Prices this near to each other are one: no move of Google's was ever so small."""

Cells = Mapping[tuple[str, str, str, str | None], Offer]
"""The catalog's offers by type, region, option and term."""


def join(zones: Fetched | None, billing: Fetched | None, context: Context) -> Fetched:
    """Types and composed prices. Either half may be missing: types stand alone, and prices are
    then composed where the catalog has one already."""
    types = zones.types if zones and zones.raw["shapes"] else ()
    found = Fetched(
        feeds=zones.feeds if zones else (),
        types=types,
        puzzles=zones.puzzles if zones else (),
        notes=zones.notes if zones else (),
    )
    if billing is None:
        return found
    notes = found.notes if zones else (message("refresh_gcp.no_zones"),)
    asked = frozenset(billing.raw["regions"])
    rates = _rates(billing)
    cells: Cells = {
        (o.instance_type, o.region, o.option, o.term): o for o in context.catalog.offers("gcp")
    }
    machines = _machines(zones, context)
    offered = _offered(zones, cells, asked)
    terms = [t for option in billing.raw["options"] for t in _terms(option)]
    sums = compose(machines, offered, terms, rates, billing.feeds[0].id)
    prices = tuple(_settled(price, cells) for price in sums.prices)
    silent = {region_of(zone) for zone in zones.raw["silent"]} if zones else set()
    claims, doubts = _scopes(billing, sums, cells, asked - silent)
    return Fetched(
        feeds=(*found.feeds, *billing.feeds),
        types=types,
        prices=prices,
        scopes=claims,
        puzzles=(*found.puzzles, *_questions(billing, rates, context), *_gaps(sums), *doubts),
        notes=notes,
    )


def _rates(billing: Fetched) -> Rates:
    prices = {
        part: {option: {r: Decimal(p) for r, p in by.items()} for option, by in options.items()}
        for part, options in billing.raw["rates"].items()
    }
    return Rates(prices, {})


def _terms(option: str) -> tuple[str, ...]:
    return ("committed_use/1y", "committed_use/3y") if option == COMMITTED_USE else (option,)


def _machines(zones: Fetched | None, context: Context) -> list[Machine]:
    """The types that were seen; without zones, those that the catalog knows."""
    if zones:
        return [
            Machine(t.name, t.devices, t.fraction, t.vcpus, t.host_memory_gib, t.local_disk_gb)
            for t in zones.types
        ]
    return [
        Machine(
            t.name,
            None if t.fraction else int(t.devices),
            t.fraction,
            t.vcpus,
            t.host_memory_gib,
            t.local_disk_gb,
        )
        for (provider, _), t in context.catalog.instance_types().items()
        if provider == "gcp"
    ]


def _offered(
    zones: Fetched | None, cells: Cells, asked: frozenset[str]
) -> Mapping[str, Iterable[str]]:
    """Regions by type. SKUs name 40 regions for families that stand in 10 of them."""
    if zones:
        return {n: asked.intersection(regions) for n, regions in zones.raw["offered"].items()}
    found: dict[str, set[str]] = {}
    for name, region, _, _ in cells:
        if region in asked:
            found.setdefault(name, set()).add(region)
    return found


def _settled(price: SeenPrice, cells: Cells) -> SeenPrice:
    """The catalog's digits where the sum differs by rounding alone: Google's own pages round the
    parts and the sum apart, and a month of local SSD over 730 hours has no end."""
    before = cells.get((price.type, price.region, price.option, price.term))
    if before is None or abs(before.price - price.price) > ROUNDING * before.price:
        return price
    low = None if price.low is None else before.price
    return price._replace(price=before.price, low=low)


def _scopes(
    billing: Fetched, sums: Sums, cells: Cells, regions: frozenset[str]
) -> tuple[tuple[Scope, ...], list[Puzzle]]:
    """What was read to its end. A region and option where most of the catalog's prices are gone,
    or where one lacks a part, is rather a hole in the answer: it is not claimed."""
    before: dict[tuple[str, str], set[str]] = {}
    for name, region, option, _ in cells:
        if family_of(name) in FAMILIES:
            before.setdefault((region, option), set()).add(name)
    now: dict[tuple[str, str], set[str]] = {}
    for price in sums.prices:
        now.setdefault((price.region, price.option), set()).add(price.type)
    torn = {
        (region, option.partition("/")[0])
        for (name, option, _), where in sums.lacking.items()
        for region in where
        if name in before.get((region, option.partition("/")[0]), ())
    }
    elsewhere = tuple(sorted({c[0] for c in cells if family_of(c[0]) not in FAMILIES}))
    claims: list[Scope] = []
    holes: dict[str, list[tuple[str, int, int]]] = {}
    for region in sorted(regions):
        for option in billing.raw["options"]:
            had = before.get((region, option), set())
            kept = had & now.get((region, option), set())
            if is_hole(had, kept):
                holes.setdefault(option, []).append((region, len(kept), len(had)))
            elif (region, option) not in torn:
                claims.append(Scope(region, option, elsewhere))
    return tuple(claims), [
        Puzzle(
            "price",
            option,
            ", ".join(region for region, _, _ in found),
            f"{sum(kept for _, kept, _ in found)} / {sum(had for _, _, had in found)}",
        )
        for option, found in holes.items()
    ]


def _questions(billing: Fetched, rates: Rates, context: Context) -> list[Puzzle]:
    """SKUs that were not understood, and regions of understood ones that nobody knows."""
    found = [
        Puzzle(kind, name, ", ".join(regions), detail)
        for kind, name, detail, regions in billing.raw["questions"]
    ]
    known = context.catalog.region_names("gcp")
    strange: dict[str, set[str]] = {}
    for part, options in rates.prices.items():
        if ":" in part and not part.startswith("vgpu"):
            continue  # hosts and disks stand in more regions than accelerators
        for by_region in options.values():
            for region in by_region:
                if region not in known and region != "global" and part != "ssd":
                    strange.setdefault(region, set()).add(part)
    found += [Puzzle("region", r, r, ", ".join(sorted(p))) for r, p in sorted(strange.items())]
    return found


def _gaps(sums: Sums) -> list[Puzzle]:
    """Prices that lack a part, told once for a family."""
    found: dict[tuple[str, str, str], set[str]] = {}
    for (name, option, missing), regions in sums.lacking.items():
        found.setdefault((family_of(name), option, missing), set()).update(regions)
    return [
        Puzzle("price", f"{family} {option}", ", ".join(sorted(regions)), missing)
        for (family, option, missing), regions in sorted(found.items())
    ]
