"""Spot prices: per zone from an account, else the region's lowest, and how often it is taken back.

Zones are told apart by their id: names (`us-east-1a`) mean another zone in every account. The
advisor's savings are never turned into a price: they are means of a month, rounded to a percent.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import SPOT as SPOT_OPTION
from gpuadvisor.refresh.aws_account import client, refusals
from gpuadvisor.refresh.aws_feeds import SPOT, SPOT_ADVISOR, address, as_known, feed
from gpuadvisor.refresh.aws_names import (
    PROVIDER,
    is_accelerated,
    is_plain_zone,
    is_region,
    region_code,
    unknown_region,
)
from gpuadvisor.refresh.aws_prices import CURRENCY, positive, scopes
from gpuadvisor.refresh.interface import Fetched, Missing, Puzzle, SeenPrice

if TYPE_CHECKING:
    from gpuadvisor.refresh.interface import Context

INTERRUPTION = "interruption"
INTERRUPTION_FEED = "feed"
"""Keys of the advisor's `raw`: `{region: {type: bucket}}`, and the feed's id."""
_BUCKETS = {5: "<5%", 11: "5-10%", 16: "10-15%", 22: "15-20%", 100: ">20%"}
"""The catalog's word for a range, by the `max` that the advisor gives it."""


def fetch_spot_history(region: str, context: Context) -> Fetched:
    """The price in force in each zone: `low` is the cheapest, `price` the median."""
    kind = "aws-spot-history"
    latest: dict[tuple[str, str], tuple[datetime, Decimal]] = {}
    with refusals(region):
        # From now on: the reply is then the price in force in each zone, not 90 days of changes.
        pages = (
            client("ec2", region)
            .get_paginator("describe_spot_price_history")
            .paginate(
                StartTime=datetime.now(UTC),
                ProductDescriptions=["Linux/UNIX"],
                PaginationConfig={"PageSize": 1000},
            )
        )
        for page in pages:
            with as_known(kind, region):
                rows = page["SpotPriceHistory"]
                for row in rows:
                    _keep_latest(row, latest, region, context)
            context.moved(len(rows))
    zones: dict[str, list[Decimal]] = {}
    for (name, _), (_, price) in sorted(latest.items()):
        zones.setdefault(name, []).append(price)
    origin = feed(kind, context.today)
    prices = tuple(
        _price(name, region, statistics.median(found), min(found), "zones", origin.id)
        for name, found in zones.items()
    )
    return Fetched((origin,), (), prices, scopes(prices))


def _keep_latest(
    row: Mapping[str, Any],
    latest: dict[tuple[str, str], tuple[datetime, Decimal]],
    region: str,
    context: Context,
) -> None:
    name, zone_id, zone_name = (
        row["InstanceType"],
        row.get("AvailabilityZoneId"),
        row.get("AvailabilityZone"),
    )
    plain = is_plain_zone(zone_id, zone_name, region)
    if not plain or not is_accelerated(name, context.catalog):
        return
    zone = str(zone_id or zone_name)
    if row["ProductDescription"] != "Linux/UNIX":
        return
    price, since = positive(row["SpotPrice"]), row["Timestamp"]
    if price and ((name, zone) not in latest or since > latest[name, zone][0]):
        latest[name, zone] = (since, price)


def _price(
    name: str, region: str, typical: Decimal, low: Decimal, measure: str, origin: str
) -> SeenPrice:
    return SeenPrice(
        name,
        region,
        SPOT_OPTION,
        None,
        None,
        None,
        Decimal(typical).normalize(),
        CURRENCY,
        origin,
        low=low.normalize(),
        measure=measure,
    )


# -- without an account -----------------------------------------------------------------------


def fetch_spot_lowest(wanted: tuple[str, ...], context: Context) -> Fetched:
    """The lowest price of each type in a region, of all regions or those wanted."""
    kind = "aws-spot-lowest"
    body = context.transport.json(address(SPOT, "/spot.json", context))
    origin = feed(kind, context.today)
    known = frozenset(context.catalog.region_names(PROVIDER))
    prices: list[SeenPrice] = []
    puzzles: list[Puzzle] = []
    with as_known(kind):
        for entry in body["config"]["regions"]:
            region = region_code(entry["region"])
            if not is_region(region) or (wanted and region not in wanted):
                continue
            if region not in known:
                puzzles.append(unknown_region(region))
                continue
            found = {name: price for name, price in _lowest(entry, context) if price}
            prices += [
                _price(name, region, price, price, "region_lowest", origin.id)
                for name, price in sorted(found.items())
            ]
    if not prices:
        raise Missing(message("refresh_aws.nothing_found", what=origin.title, region="-"))
    return Fetched((origin,), (), tuple(prices), scopes(prices), tuple(puzzles))


def _lowest(region: Mapping[str, Any], context: Context) -> Iterator[tuple[str, Decimal]]:
    """Types with a price for Linux; `N/A*` stands where there is none."""
    for group in region["instanceTypes"]:
        for size in group["sizes"]:
            if not is_accelerated(size["size"], context.catalog):
                continue
            for column in size["valueColumns"]:
                text = column["prices"].get(CURRENCY, "N/A*")
                if column["name"] == "linux" and not text.startswith("N/A"):
                    yield size["size"], positive(text)


def fetch_spot_advisor(context: Context) -> Fetched:
    """How often spot capacity was taken back in the last month, per region and type, for Linux."""
    kind = "aws-spot-advisor"
    where = address(SPOT_ADVISOR, "/spot-advisor-data.json", context)
    body = context.transport.json(where)
    origin = feed(kind, context.today)
    with as_known(kind):
        buckets = {r["index"]: _BUCKETS.get(r["max"]) for r in body["ranges"]}
        found = {
            region: {
                name: buckets[advice["r"]]
                for name, advice in (systems.get("Linux") or {}).items()
                # An index that is missing or new is unknown, not the lowest range.
                if buckets.get(advice.get("r")) and is_accelerated(name, context.catalog)
            }
            for region, systems in body["spot_advisor"].items()
            if is_region(region)
        }
    return Fetched(feeds=(origin,), raw={INTERRUPTION: found, INTERRUPTION_FEED: origin.id})
