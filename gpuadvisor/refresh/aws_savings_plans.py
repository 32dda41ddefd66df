"""Rates of Compute and EC2 Instance Savings Plans: from the region's public file, or the API.

The file is the CSV twin of the JSON that the index names; the JSON of one region has some 450 MB
and its parts refer to each other, the CSV has a rate a line. A rate is what an hour costs with the
upfront part in it. Only `BoxUsage` counts: `DedicatedUsage` is the same type at 1.1 times the rate,
`UnusedBox` is an idle reservation, `HostBoxUsage` a dedicated host.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import SAVINGS_PLAN
from gpuadvisor.refresh.aws_account import HOME, client, refusals
from gpuadvisor.refresh.aws_feeds import (
    SAVINGS_PLANS,
    SAVINGS_PLANS_INDEX,
    address,
    as_known,
    feed,
)
from gpuadvisor.refresh.aws_names import PROVIDER, is_accelerated
from gpuadvisor.refresh.aws_price_list import preamble
from gpuadvisor.refresh.aws_prices import CURRENCY, PAYMENTS, positive, scopes
from gpuadvisor.refresh.interface import Fetched, Missing, Puzzle, SeenPrice
from gpuadvisor.refresh.public_feeds import stated_day

if TYPE_CHECKING:
    from gpuadvisor.refresh.interface import Context, Feed

_PRODUCTS = {"ComputeSavingsPlans": "compute", "EC2InstanceSavingsPlans": "ec2_instance"}
_PLAN_TYPES = {"Compute": "compute", "EC2Instance": "ec2_instance"}
_SECONDS = {31_536_000: "1y", 94_608_000: "3y"}
_YEARS = {("1", "year"): "1y", ("3", "year"): "3y"}
_COLUMNS = (
    "discountedusagetype",
    "discountedoperation",
    "discountedservicecode",
    "discountedregioncode",
    "discountedrate",
    "currency",
    "unit",
    "purchaseoption",
    "leasecontractlength",
    "leasecontractlengthunit",
    "productfamily",
)


class _Rate(NamedTuple):
    type: str
    cls: str
    term: str
    payment: str
    price: Decimal
    currency: str


def fetch_savings_plans_file(region: str, context: Context) -> Fetched:
    """Rates of the region's public file."""
    kind = "aws-savings-plans"
    path = _file_path(region, context)
    lines = context.transport.lines(address(SAVINGS_PLANS, path, context))
    with as_known(kind, region):
        stated, header = preamble(lines, kind, region)
        origin = feed(kind, stated_day(stated.get("Publication Date"), context.today))
        return _fetched(_file_rates(lines, header, region, context), region, origin)


def fetch_savings_plans_api(region: str, context: Context) -> Fetched:
    """Rates as the Savings Plans API states them."""
    kind = "aws-savings-plans-api"
    with as_known(kind, region):
        rates = list(_api_rates(region, context))
        return _fetched(rates, region, feed(kind, context.today))


def _fetched(rates: Iterable[_Rate], region: str, origin: Feed) -> Fetched:
    found: dict[tuple[str, ...], list[tuple[Decimal, str]]] = {}
    for rate in rates:
        values = found.setdefault(rate[:4], [])
        if rate[4:] not in values:
            values.append(rate[4:])
    seen, puzzles = [], []
    for (name, cls, term, payment), values in sorted(found.items()):
        price, currency = values[0]
        if len(values) > 1 or currency != CURRENCY:
            said = ", ".join(f"{p} {c}" for p, c in values)
            detail = f"savings_plan/{term}/{cls}/{payment}: {said}"
            puzzles.append(Puzzle("price", name, region, detail))
        elif price:
            key = (name, region, SAVINGS_PLAN, term, cls, payment)
            seen.append(SeenPrice(*key, price.normalize(), currency, origin.id))
    if not seen:
        raise Missing(message("refresh_aws.nothing_found", what=origin.title, region=region))
    return Fetched((origin,), (), tuple(seen), scopes(seen, puzzles), tuple(puzzles))


def box_type(usage_type: str) -> str | None:
    """`p6-b200.48xlarge` of `EUC1-BoxUsage:p6-b200.48xlarge`; None for any other usage."""
    usage, _, name = usage_type.partition(":")
    return name or None if usage == "BoxUsage" or usage.endswith("-BoxUsage") else None


# -- the file ---------------------------------------------------------------------------------


def _file_path(region: str, context: Context) -> str:
    index = context.transport.json(address(SAVINGS_PLANS, SAVINGS_PLANS_INDEX, context))
    with as_known("aws-savings-plans", region):
        paths = {entry["regionCode"]: entry["versionUrl"] for entry in index["regions"]}
        if region not in paths:
            raise Missing(message("refresh_aws.no_savings_plans", region=region))
        path = str(paths[region])
        if not path.startswith("/") or not path.endswith("/index.json"):
            raise ValueError(path)  # never follow the file to another host
        return path.removesuffix(".json") + ".csv"


def _file_rates(
    lines: Iterator[str], header: Sequence[str], region: str, context: Context
) -> Iterator[_Rate]:
    at = [header.index(column) for column in _COLUMNS]
    for line in lines:
        if "BoxUsage:" not in line or "RunInstances" not in line:
            continue
        cells = next(csv.reader([line]))
        if len(cells) != len(header):
            raise ValueError(len(cells))
        usage, operation, service, where, rate, currency, unit, *plan = (cells[i] for i in at)
        name = box_type(usage)
        if name is None or not is_accelerated(name, context.catalog):
            continue
        if (operation, service, where, unit) != ("RunInstances", "AmazonEC2", region, "Hrs"):
            continue
        payment, term = PAYMENTS.get(plan[0]), _YEARS.get((plan[1], plan[2]))
        cls = _PRODUCTS.get(plan[3])
        if cls and term and payment:
            yield _Rate(name, cls, term, payment, positive(rate), currency)


# -- the API ----------------------------------------------------------------------------------


def _api_rates(region: str, context: Context) -> Iterator[_Rate]:
    """Rates of known families: a type must be described before it can be priced.

    botocore has no paginator for this call; a token that comes again would go on for ever.
    """
    plans = client("savingsplans", HOME)
    families = {
        t.family for t in context.catalog.instance_types().values() if t.provider == PROVIDER
    }
    asked: dict[str, Any] = {
        "savingsPlanTypes": list(_PLAN_TYPES),
        "products": ["EC2"],
        "serviceCodes": ["AmazonEC2"],
        "operations": ["RunInstances"],
        "filters": [
            {"name": "region", "values": [region]},
            {"name": "tenancy", "values": ["shared"]},
            {"name": "productDescription", "values": ["Linux/UNIX"]},
            {"name": "instanceFamily", "values": sorted(families)},
        ],
        "maxResults": 1000,
    }
    tokens: set[str] = set()
    while True:
        with refusals(region):
            page = plans.describe_savings_plans_offering_rates(**asked)
        results = page["searchResults"]
        context.moved(len(results))
        yield from (rate for rate in (_api_rate(r, region) for r in results) if rate)
        token = page.get("nextToken")
        if not token:
            return
        if token in tokens:
            raise Missing(message("refresh_aws.endless", region=region))
        tokens.add(token)
        asked["nextToken"] = token


def _api_rate(result: dict[str, Any], region: str) -> _Rate | None:
    offering = result["savingsPlanOffering"]
    said = {p["name"]: p["value"] for p in result.get("properties", ())}
    name = box_type(result["usageType"])
    term = _SECONDS.get(offering["durationSeconds"])
    cls = _PLAN_TYPES.get(offering["planType"])
    payment = PAYMENTS.get(offering["paymentOption"])
    if not (name and term and cls and payment):
        return None
    if (result["operation"], result["unit"]) != ("RunInstances", "Hrs"):
        return None
    if said.get("region", region) != region or said.get("tenancy", "shared") != "shared":
        return None
    return _Rate(name, cls, term, payment, positive(result["rate"]), offering["currency"])
