"""A cloud of the tests: the small catalog's `acme`, read from the local server.

`/regions` answers `["north", …]`; `/prices/<region>` pages of `{items: [{type, option, term, price,
low}], next}`; `/types` a list of `SeenType` fields. It is a refresh module like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.refresh.interface import (
    SHAPES,
    Context,
    Feed,
    Fetched,
    Permission,
    Puzzle,
    Scope,
    SeenPrice,
    SeenType,
    Task,
    Wanted,
)  # fmt: skip

OPTIONS = ("on_demand", "spot", "reserved")


def permissions() -> Sequence[Permission]:
    return (Permission(message("refresh.all_regions"), '{"Version": "1"}'),)


def plan(wanted: Wanted, context: Context) -> Sequence[Task]:
    root = context.endpoints["acme"]
    regions = context.transport.json(f"{root}/regions")
    for region in wanted.regions:
        if region not in regions:
            raise UsageError(message("catalog.nothing_near", kind="region", name=region))
    tasks = [
        Task(f"{region}/{option}", region, option)
        for region in wanted.regions or regions
        for option in OPTIONS
        if wanted.asks(option)
    ]
    return [*tasks, *([Task(SHAPES, "", SHAPES)] if wanted.asks(SHAPES) else [])]


def fetch(task: Task, wanted: Wanted, context: Context) -> Fetched:
    feed = Feed("acme-api", "Acme's price API", "https://acme.example", context.today, "")
    root = context.endpoints["acme"]
    if task.part == SHAPES:
        types = tuple(_type(row) for row in context.transport.json(f"{root}/types"))
        return Fetched((feed,), types)
    prices: list[SeenPrice] = []
    page: Any = "1"
    while page is not None:
        body = context.transport.json(
            f"{root}/prices/{task.region}", parameters={"option": task.part, "page": str(page)}
        )
        prices += [_price(row, task) for row in body["items"]]
        page = body["next"]
    return Fetched((feed,), (), tuple(prices), (Scope(task.region, task.part),))


def combine(results: Mapping[str, Fetched], context: Context) -> Fetched:
    found = results.values()
    return Fetched(
        tuple({feed.id: feed for f in found for feed in f.feeds}.values()),
        tuple(t for f in found for t in f.types),
        tuple(p for f in found for p in f.prices),
        tuple(s for f in found for s in f.scopes),
        tuple(Puzzle(*p) for f in found for p in f.puzzles),
    )


def _type(row: Mapping[str, Any]) -> SeenType:
    blank = dict.fromkeys(SeenType._fields) | {"arch": "x86_64", "feed": "acme-api"}
    return SeenType(**{**blank, **row, "sold": tuple(row["sold"]) if row.get("sold") else None})


def _price(row: Mapping[str, Any], task: Task) -> SeenPrice:
    spot = task.part == "spot"
    committed = task.part == "reserved"
    return SeenPrice(
        row["type"], task.region, task.part, row.get("term"), "standard" if committed else None,
        "no_upfront" if committed else None, row["price"], row.get("currency", "USD"), "acme-api",
        row.get("low"), "zones" if spot else None, row.get("interruption"),
        "acme-api" if row.get("interruption") else None,
    )  # fmt: skip
