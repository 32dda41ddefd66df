"""On-demand and reserved prices from the price list's API, for accounts that may ask it.

Two queries a region: shared instances, and bare metal, which the list files as a family of its own.
Types that the region does not offer are left out: the list keeps prices of what cannot be launched
there any more, or never could (p5 in sa-east-1).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.refresh.aws_account import HOME, client, refusals
from gpuadvisor.refresh.aws_feeds import as_known, feed
from gpuadvisor.refresh.aws_launchable import launchable, offered_types
from gpuadvisor.refresh.aws_names import is_accelerated
from gpuadvisor.refresh.aws_prices import (
    CURRENCY,
    METAL_FAMILY,
    Row,
    counts,
    positive,
    prices,
    scopes,
)
from gpuadvisor.refresh.interface import Fetched, Missing
from gpuadvisor.refresh.public_feeds import stated_day

if TYPE_CHECKING:
    from gpuadvisor.refresh.interface import Context

_COMMON = {
    "operatingSystem": "Linux",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "marketoption": "OnDemand",
    "licenseModel": "No License required",
    "operation": "RunInstances",
}
_QUERIES: tuple[Mapping[str, str], ...] = (
    {**_COMMON, "productFamily": "Compute Instance", "tenancy": "Shared"},
    {**_COMMON, "productFamily": METAL_FAMILY},
)


def fetch_products(region: str, options: frozenset[str], context: Context) -> Fetched:
    """`options` (on_demand, reserved) of every accelerated type of the region."""
    kind = "aws-pricing-api"
    rows: list[Row] = []
    days = []
    for item in _price_list(region, context):
        with as_known(kind, region):
            product = json.loads(item, parse_float=Decimal)
            found = list(_rows(product, region, context))
        if found:
            rows += found
            days.append(stated_day(product.get("publicationDate"), context.today))
    origin = feed(kind, max(days, default=context.today))
    seen, puzzles = prices(rows, region, origin.id, options)
    if not seen:
        raise Missing(message("refresh_aws.nothing_found", what=origin.title, region=region))
    offered, unknown = _offered(region)
    kept, notes = launchable(seen, offered, context.catalog)
    return Fetched((origin,), (), kept, scopes(seen, puzzles), puzzles, (*unknown, *notes))


def _offered(region: str) -> tuple[frozenset[str] | None, tuple[Message, ...]]:
    """Types that can be launched; None, said, where the region does not tell this account."""
    try:
        return offered_types(region), ()
    except Missing as missing:
        return None, (message("refresh_aws.offers_unknown", region=region, why=missing.reason),)


def _price_list(region: str, context: Context) -> Iterator[str]:
    pricing = client("pricing", HOME)
    for query in _QUERIES:
        filters = [
            {"Type": "TERM_MATCH", "Field": name, "Value": value}
            for name, value in {"regionCode": region, **query}.items()
        ]
        with refusals(region):
            pages = pricing.get_paginator("get_products").paginate(
                ServiceCode="AmazonEC2", Filters=filters, PaginationConfig={"PageSize": 100}
            )
            for page in pages:
                with as_known("aws-pricing-api", region):
                    items = page["PriceList"]
                context.moved(len(items))
                yield from items


def _rows(product: Mapping[str, Any], region: str, context: Context) -> Iterator[Row]:
    attributes = product["product"]["attributes"]
    family = product["product"].get("productFamily", "")
    name = attributes.get("instanceType", "")
    if not counts({**attributes, "productFamily": family}, region):
        return
    if not is_accelerated(name, context.catalog) and not _has_gpu(attributes):
        return
    for term_kind in ("OnDemand", "Reserved"):
        for offer in (product["terms"].get(term_kind) or {}).values():
            terms = offer.get("termAttributes") or {}
            for dimension in offer["priceDimensions"].values():
                currency, price = _priced(dimension["pricePerUnit"])
                yield Row(
                    name,
                    attributes["tenancy"],
                    term_kind == "Reserved",
                    terms.get("LeaseContractLength", ""),
                    terms.get("OfferingClass", ""),
                    terms.get("PurchaseOption", ""),
                    dimension["unit"],
                    price,
                    currency,
                )


def _priced(per_unit: Mapping[str, str]) -> tuple[str, Decimal]:
    """Dollars where there are any; China's list has CNY alone."""
    currency = CURRENCY if CURRENCY in per_unit else next(iter(per_unit))
    return currency, positive(per_unit[currency])


def _has_gpu(attributes: Mapping[str, str]) -> bool:
    """The list counts GPUs, and says nothing else of them."""
    count = attributes.get("gpu", "")
    return count.isascii() and count.isdigit() and int(count) > 0
