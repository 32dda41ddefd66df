"""The price list without an account: the region's CSV file, and the page behind the web site.

The file has every on-demand and reserved price of a region in some hundred MB. It is read line by
line; five lines of preamble come first, and lines that name no wanted value are not even split.
The page has on-demand alone, in some ten KB, and lacks previous generations.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import ON_DEMAND
from gpuadvisor.refresh.aws_feeds import (
    ON_DEMAND_PAGE,
    PRICE_LIST,
    PRICE_LIST_INDEX,
    address,
    as_known,
    feed,
)
from gpuadvisor.refresh.aws_launchable import launchable
from gpuadvisor.refresh.aws_names import is_accelerated, is_type
from gpuadvisor.refresh.aws_prices import CURRENCY, Row, counts, positive, prices, scopes
from gpuadvisor.refresh.interface import Fetched, Missing
from gpuadvisor.refresh.public_feeds import stated_day

if TYPE_CHECKING:
    from gpuadvisor.refresh.interface import Context

PREAMBLE = 5
_ALWAYS = ('"Linux"', '"Used"', '"NA"', '"RunInstances"')
_COLUMNS: Mapping[str, str] = {
    # column of the file -> attribute of GetProducts
    "instancetype": "instanceType",
    "operatingsystem": "operatingSystem",
    "tenancy": "tenancy",
    "preinstalleds/w": "preInstalledSw",
    "capacitystatus": "capacitystatus",
    "licensemodel": "licenseModel",
    "operation": "operation",
    "productfamily": "productFamily",
    "regioncode": "regionCode",
}
_FIGURES = ("termtype", "unit", "priceperunit", "currency")
_TERM = ("leasecontractlength", "offeringclass", "purchaseoption")


def price_list_regions(context: Context) -> tuple[str, ...]:
    """Codes of the regions and zones that have a file. Raises Missing."""
    index = context.transport.json(address(PRICE_LIST, PRICE_LIST_INDEX, context))
    with as_known("aws-price-list"):
        found = tuple(sorted(str(code) for code, _ in index["regions"].items()))
        if not found:
            raise ValueError("no region")
        return found


def fetch_price_list(region: str, options: frozenset[str], context: Context) -> Fetched:
    """`options` (on_demand, reserved) of every accelerated type in the region's file."""
    path = f"/offers/v1.0/aws/AmazonEC2/current/{quote(region, safe='')}/index.csv"
    lines = context.transport.lines(address(PRICE_LIST, path, context))
    kind = "aws-price-list"
    with as_known(kind, region):
        stated, header = preamble(lines, kind, region)
        origin = feed(kind, stated_day(stated.get("Publication Date"), context.today))
        seen, puzzles = prices(_rows(lines, header, region, context), region, origin.id, options)
    if not seen:
        # A file without one GPU is cut or has other words: nothing may vanish by it.
        raise Missing(message("refresh_aws.nothing_found", what=origin.title, region=region))
    kept, notes = launchable(seen, None, context.catalog)
    return Fetched((origin,), (), kept, scopes(seen, puzzles), puzzles, notes)


def preamble(
    lines: Iterator[str], kind: str, region: str
) -> tuple[Mapping[str, str], Sequence[str]]:
    """What the first five lines state, and the folded column names of the sixth."""
    stated: dict[str, str] = {}
    for _ in range(PREAMBLE):
        name, value, *_ = [*_cells(next(lines, "")), "", ""]
        stated[name] = value
    header = [column.lower().replace(" ", "") for column in _cells(next(lines, ""))]
    return stated, header


def _cells(line: str) -> list[str]:
    return next(csv.reader([line]), [])


def _rows(
    lines: Iterator[str], header: Sequence[str], region: str, context: Context
) -> Iterator[Row]:
    at = {column: place for place, column in enumerate(header)}
    attribute_at = [(name, at[column]) for column, name in _COLUMNS.items()]
    term_type, unit, price, currency = (at[column] for column in _FIGURES)
    lease, cls, purchase = (at[column] for column in _TERM)
    market, gpu = at.get("marketoption"), at.get("gpu")
    for line in lines:
        if not all(word in line for word in _ALWAYS):
            continue
        cells = _cells(line)
        if len(cells) != len(header):
            raise ValueError(len(cells))  # cut short, or a line break inside a value
        attributes = {name: cells[place] for name, place in attribute_at}
        if market is not None:
            attributes["marketoption"] = cells[market]
        name = attributes["instanceType"]
        has_gpu = gpu is not None and cells[gpu] not in ("", "0", "NA")
        if not (has_gpu or is_accelerated(name, context.catalog)) or not is_type(name):
            continue
        if not counts(attributes, region) or cells[term_type] not in ("OnDemand", "Reserved"):
            continue
        yield Row(
            name,
            attributes["tenancy"],
            cells[term_type] == "Reserved",
            cells[lease],
            cells[cls],
            cells[purchase],
            cells[unit],
            positive(cells[price]),
            cells[currency],
        )


# -- the page ---------------------------------------------------------------------------------


def fetch_on_demand_page(region: str, context: Context) -> Fetched:
    """On-demand prices of the region's page. No scope: what it lacks may be an older generation."""
    kind = "aws-on-demand-page"
    name = _location(region, context)
    path = (
        "/pricing/2.0/meteredUnitMaps/ec2/USD/current/ec2-ondemand-without-sec-sel/"
        f"{quote(name, safe='')}/Linux/index.json"
    )
    body = context.transport.json(address(ON_DEMAND_PAGE, path, context))
    with as_known(kind, region):
        manifest = body.get("manifest") or {}
        origin = feed(kind, stated_day(manifest.get("hawkFilePublicationDate"), context.today))
        currency = manifest.get("currencyCode") or CURRENCY
        rows = [
            Row(
                e["Instance Type"],
                "Shared",
                False,
                "",
                "",
                "",
                "Hrs",
                positive(e["price"]),
                currency,
            )
            for e in body["regions"][name].values()
            if _is_wanted(e, context)
        ]
        seen, puzzles = prices(rows, region, origin.id, frozenset({ON_DEMAND}))
    if not seen:
        raise Missing(message("refresh_aws.nothing_found", what=origin.title, region=region))
    kept, notes = launchable(seen, None, context.catalog)
    return Fetched(feeds=(origin,), prices=kept, puzzles=puzzles, notes=notes)


def _is_wanted(entry: Mapping[str, Any], context: Context) -> bool:
    linux = entry.get("Operating System", "Linux") == "Linux"
    return linux and is_accelerated(entry["Instance Type"], context.catalog)


def _location(region: str, context: Context) -> str:
    """The name that the pages have for a region: `EU (Frankfurt)`."""
    path = "/locations/1.0/aws/current/locations.json"
    places = context.transport.json(address(ON_DEMAND_PAGE, path, context))
    with as_known("aws-on-demand-page", region):
        for place in places.values():
            if place.get("code") == region and place.get("type") == "AWS Region":
                return str(place["name"])
    raise Missing(message("refresh_aws.no_page", region=region))
