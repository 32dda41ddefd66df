"""Alibaba Cloud ECS: the public price list behind the China site's price page, without a login.

The page names the version of the list: `https://g.alicdn.com/aliyun/ecs-price-info/<version>/price/
download/instancePrice.json`. Its `pricingInfo` maps `region::type::network::system::io` to `hours`,
`months` and `years`, each a list of `{price, period}` in CNY for the whole period. A prepaid month
counts 730 hours here, a year 8,760. Spot and savings plans are in no public list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import ON_DEMAND, SUBSCRIPTION
from gpuadvisor.refresh.interface import (
    Context,
    Feed,
    Fetched,
    Missing,
    Permission,
    Puzzle,
    Scope,
    SeenPrice,
    Task,
    Wanted,
)
from gpuadvisor.refresh.json_stream import Malformed, members
from gpuadvisor.refresh.public_feeds import MOST, checked_parts, checked_regions, stated_day

PROVIDER = "alibaba"
PAGE = "https://www.aliyun.com"
LIST = "https://g.alicdn.com"
PAGE_PATH = "/price/ecs/ecs-pricing/zh"
OPTIONS = (ON_DEMAND, SUBSCRIPTION)
MONTH_HOURS, YEAR_HOURS = Decimal(730), Decimal(8760)
_VERSION = re.compile(r"/aliyun/ecs-price-info/(\d+(?:\.\d+){1,3})")
_KEY = re.compile(r"(?P<region>[a-z0-9-]+)::(?P<type>ecs\.[A-Za-z0-9.-]+)::vpc::linux::optimized")
_ACCELERATED = re.compile(r"ecs\.(?:ebm)?(?:[sv]?gn|ga)\d")
"""Families that hold accelerators by their name: gn, vgn, sgn, ga, and ebm before them."""


def permissions() -> Sequence[Permission]:
    """The list is public."""
    return ()


def plan(wanted: Wanted, context: Context) -> Sequence[Task]:
    """One task: the list holds all regions."""
    checked_regions(PROVIDER, wanted, context)
    checked_parts(PROVIDER, wanted, OPTIONS)
    return (Task("list", "", "prices"),)


def fetch(task: Task, wanted: Wanted, context: Context) -> Fetched:
    """Read the list as it streams in; see `interface.Source`."""
    page = context.endpoints.get("alibaba_page", PAGE).rstrip("/") + PAGE_PATH
    found = (_VERSION.search(line) for line in context.transport.lines(page))
    version = next((match[1] for match in found if match), "")
    if not version:
        raise Missing(message("refresh.no_version", page="aliyun.com" + PAGE_PATH))
    path = f"/aliyun/ecs-price-info/{version}/price/download/instancePrice.json"
    address = context.endpoints.get("alibaba_list", LIST).rstrip("/") + path
    known = {name for owner, name in context.catalog.instance_types() if owner == PROVIDER}
    head: dict[str, Any] = {}
    rows: list[tuple[str, str, Any]] = []
    strange: dict[str, Puzzle] = {}
    regions: set[str] = set()
    try:
        for member in members(context.transport.pieces(address), "pricingInfo"):
            if not member.inside:
                head[member.key] = member.value
                continue
            match = _KEY.fullmatch(member.key)
            if match is None or (wanted.regions and match["region"] not in wanted.regions):
                continue
            regions.add(match["region"])
            if match["type"] in known:
                rows.append((match["type"], match["region"], member.value))
            elif _ACCELERATED.match(match["type"]):
                strange.setdefault(match["type"], Puzzle("family", match["type"], match["region"]))
    except Malformed as error:
        raise Missing(message("refresh.not_json", address="g.alicdn.com" + path)) from error
    currency = str(head.get("currency") or "")
    feed = Feed(
        "alibaba-price-list",
        f"Alibaba Cloud's public ECS price list {version} (China site, Linux, VPC)",
        LIST + path,
        stated_day(head.get("publicationDate"), context.today),
        "",
    )
    prices: list[SeenPrice] = []
    puzzles = list(strange.values())
    for name, region, entry in rows:
        for option, term, price in _prices(entry):
            if not wanted.asks(option):
                continue
            if price is None:
                puzzles.append(Puzzle("price", name, region, f"{option} {term or ''}".strip()))
                continue
            payment = "all_upfront" if option == SUBSCRIPTION else None
            prices.append(
                SeenPrice(name, region, option, term, None, payment, price, currency, feed.id)
            )
    # A list without a price is no list, and would take every price away.
    options = {p.option for p in prices}
    unread = tuple(sorted({p.name for p in puzzles if p.kind == "price"}))
    scopes = tuple(Scope(r, o, unread) for r in sorted(regions) for o in OPTIONS if o in options)
    return Fetched((feed,), (), tuple(prices), scopes, tuple(puzzles))


def combine(results: Mapping[str, Fetched], context: Context) -> Fetched:
    """There is one result."""
    return results["list"]


def _prices(entry: Any) -> Iterator[tuple[str, str | None, Decimal | None]]:
    """Option, term and price per hour; None where the figure is no price."""
    spans = (
        ("hours", ON_DEMAND, "", Decimal(1)),
        ("months", SUBSCRIPTION, "mo", MONTH_HOURS),
        ("years", SUBSCRIPTION, "y", YEAR_HOURS),
    )
    for key, option, unit, hours in spans:
        listed = entry.get(key) if isinstance(entry, dict) else None
        for item in listed if isinstance(listed, list) else ():
            period = str(item.get("period", "1")) if isinstance(item, dict) else ""
            if not period.isdigit() or not 0 < int(period) < 100 or (not unit and period != "1"):
                yield option, None, None
                continue
            total = _number(item.get("price"))
            price = None if total is None else _per_hour(total, hours * int(period))
            yield option, f"{int(period)}{unit}" if unit else None, price


def _number(value: Any) -> Decimal | None:
    try:
        found = Decimal(str(value))
    except InvalidOperation:
        return None
    return found if found.is_finite() and 0 < found < MOST else None


def _per_hour(total: Decimal, hours: Decimal) -> Decimal:
    return total if hours == 1 else (total / hours).quantize(Decimal("1e-9"))
