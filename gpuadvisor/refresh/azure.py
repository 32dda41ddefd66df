"""Azure: prices from the Retail Prices API without a login, sizes from a subscription if given.

Both are read one region at a time. Neither has what the other has: a size may have no price, and a
price no size.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.names import unknown_name
from gpuadvisor.refresh.azure_account import PUBLIC as MANAGEMENT
from gpuadvisor.refresh.azure_account import has_client, management_address, resource_skus
from gpuadvisor.refresh.azure_names import known_types
from gpuadvisor.refresh.azure_prices import OPTIONS, read_prices
from gpuadvisor.refresh.azure_retail import PATH, PUBLIC, retail_address, rows
from gpuadvisor.refresh.azure_shapes import read_types
from gpuadvisor.refresh.holes import is_hole
from gpuadvisor.refresh.interface import (
    SHAPES,
    Context,
    Feed,
    Fetched,
    Permission,
    Puzzle,
    Scope,
    Task,
    Wanted,
)

PRICES = "prices"
REGIONS = "regions"
COMMON_SIZE = "Standard_NC4as_T4_v3"
"""Sold in more regions than any other GPU size: where it has a price, there is a region."""


def permissions() -> Sequence[Permission]:
    """A role that may read what sizes there are; prices need none."""
    role = {
        "Name": "gpuadvisor refresh",
        "IsCustom": True,
        "Description": "Lists the sizes of virtual machines; reads no resource.",
        "Actions": ["Microsoft.Compute/skus/read"],
        "NotActions": [],
        "DataActions": [],
        "NotDataActions": [],
        "AssignableScopes": ["/subscriptions/SUBSCRIPTION"],
    }
    return (Permission(message("refresh_azure.role"), json.dumps(role, indent=2) + "\n"),)


def plan(wanted: Wanted, context: Context) -> Sequence[Task]:
    """See `interface.Source`."""
    known = sorted(context.catalog.region_names("azure"))
    for region in wanted.regions:
        if region not in known:
            raise UsageError(unknown_name("region", region, known))
    priced = any(wanted.asks(option) for option in OPTIONS)
    shaped = wanted.asks(SHAPES) and bool(wanted.account.get("subscription"))
    if not priced and not wanted.asks(SHAPES):
        raise UsageError(message("refresh_azure.no_parts", parts=", ".join((SHAPES, *OPTIONS))))
    if not shaped and SHAPES in wanted.parts:
        raise UsageError(message("refresh_azure.no_subscription"))
    if shaped and not has_client():
        raise UsageError(message("refresh_azure.no_extra"))
    retail_address(context)
    management_address(context)
    tasks: list[Task] = []
    for region in wanted.regions or known:
        if priced:
            tasks.append(Task(f"{region}/{PRICES}", region, PRICES))
        if shaped:
            tasks.append(Task(f"{region}/{SHAPES}", region, SHAPES))
    if priced and not wanted.regions:
        tasks.append(Task(REGIONS, "", REGIONS))
    return tasks


def fetch(task: Task, wanted: Wanted, context: Context) -> Fetched:
    """See `interface.Source`."""
    if task.part == SHAPES:
        return _sizes(task.region, wanted, context)
    if task.part == REGIONS:
        return _regions(context)
    return _prices(task.region, wanted, context)


def combine(results: Mapping[str, Fetched], context: Context) -> Fetched:
    """See `interface.Source`. A price of a size that neither side knows is asked about."""
    everything = list(results.values())
    types = tuple(t for one in everything for t in one.types)
    names = {*known_types(context), *(t.name for t in types)}
    prices = [p for one in everything for p in one.prices]
    strange = {Puzzle("sku", p.type, p.region): None for p in prices if p.type not in names}
    puzzles = [*(p for one in everything for p in one.puzzles), *strange]
    unread = any(one.raw.get("shapes_unread") for one in everything)
    return Fetched(
        feeds=tuple(dict.fromkeys(feed for one in everything for feed in one.feeds)),
        types=types,
        prices=tuple(p for p in prices if p.type in names),
        scopes=tuple(s for one in everything for s in one.scopes),
        puzzles=_told_once(puzzles),
        notes=(message("refresh_azure.shapes_unread"),) if unread else (),
    )


def _told_once(puzzles: Iterable[Puzzle]) -> tuple[Puzzle, ...]:
    """The same question of many regions as one."""
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    for puzzle in puzzles:
        found.setdefault((puzzle.kind, puzzle.name, puzzle.detail), {})[puzzle.where] = None
    return tuple(
        Puzzle(kind, name, ", ".join(sorted(w for w in where if w)), detail)
        for (kind, name, detail), where in found.items()
    )


def _prices(region: str, wanted: Wanted, context: Context) -> Fetched:
    feed = Feed(
        f"retail-{context.today}",
        "Azure Retail Prices API, Linux virtual machines with GPUs",
        f"{PUBLIC}{PATH}",
        context.today,
        "",
    )
    known = known_types(context)
    items = rows(f"armRegionName eq '{region}'", context)
    found = read_prices(items, region, known, context.today, feed.id)
    asked = [option for option in OPTIONS if wanted.asks(option)]
    before: dict[str, set[str]] = {}
    for offer in context.catalog.offers("azure", regions=[region]):
        before.setdefault(offer.option, set()).add(offer.instance_type)
    scopes: list[Scope] = []
    puzzles = list(found.puzzles)
    for option in asked:
        had = before.get(option, set())
        now = {p.type for p in found.seen if p.option == option}
        if is_hole(had, now):
            puzzles.append(Puzzle("price", option, region, f"{len(had & now)} / {len(had)}"))
        else:
            scopes.append(Scope(region, option))
    return Fetched(
        feeds=(feed,),
        prices=tuple(p for p in found.seen if p.option in asked),
        scopes=tuple(scopes),
        puzzles=tuple(puzzles),
        raw={"shapes_unread": wanted.asks(SHAPES) and not wanted.account.get("subscription")},
    )


def _sizes(region: str, wanted: Wanted, context: Context) -> Fetched:
    feed = Feed(
        f"resource-skus-{context.today}",
        "Azure Compute Resource SKUs API, sizes per region",
        f"{MANAGEMENT}/subscriptions/SUBSCRIPTION/providers/Microsoft.Compute/skus",
        context.today,
        "",
    )
    types, puzzles = read_types(resource_skus(region, wanted, context), region, context, feed.id)
    return Fetched(feeds=(feed,), types=tuple(types), puzzles=tuple(puzzles))


def _regions(context: Context) -> Fetched:
    """Regions that the catalog does not know yet."""
    known = set(context.catalog.region_names("azure"))
    filter = f"priceType eq 'Consumption' and armSkuName eq '{COMMON_SIZE}'"
    seen = {str(item.get("armRegionName") or "") for item in rows(filter, context)}
    return Fetched(
        puzzles=tuple(
            Puzzle("region", name, "", COMMON_SIZE) for name in sorted(seen - known - {""})
        )
    )
