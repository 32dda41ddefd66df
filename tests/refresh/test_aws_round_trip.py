"""The catalog's own figures, sent back in the shapes that AWS would send them: nothing may change."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import pytest

from gpuadvisor.catalog.model import CAPACITY_BLOCK, ON_DEMAND, RESERVED, SAVINGS_PLAN, SPOT
from gpuadvisor.refresh import aws
from gpuadvisor.refresh.compose import Counts, compose
from gpuadvisor.refresh.interface import Fetched, Task, Wanted
from gpuadvisor.refresh.price_file import Cell, PriceFile, read_file

from .aws_rest import (
    CATALOG,
    context,
    plan_file,
    plan_row,
    price_file,
    price_item,
    price_row,
    reserved,
    term_rows,
    xml,
)
from .aws_rest import (
    aws as answering,
)
from .server import Server, reply

FILE = os.path.join(os.path.dirname(__file__), "../../catalogs/providers/aws/prices/2026.10.yaml")
REGIONS = ("us-east-1", "ap-northeast-1", "us-gov-west-1")
TYPES = {name: t for (provider, name), t in CATALOG.instance_types().items() if provider == "aws"}
PAYMENTS = {
    "no_upfront": "No Upfront",
    "partial_upfront": "Partial Upfront",
    "all_upfront": "All Upfront",
}
PRODUCTS = {"compute": "ComputeSavingsPlans", "ec2_instance": "EC2InstanceSavingsPlans"}
PLANS = {"compute": "Compute", "ec2_instance": "EC2Instance"}

Wanted_ = Callable[[str, Cell], bool]


@pytest.fixture(scope="module")
def shipped() -> PriceFile:
    return read_file(FILE)


@pytest.fixture
def site() -> Iterator[Server]:
    with Server() as found:
        yield found


def part_of(shipped: PriceFile, region: str, keep: Wanted_) -> PriceFile:
    """The cells of a region that a feed can hold."""
    kept = {
        name: {region: {k: c for k, c in rows[region].items() if keep(k, c)}}
        for name, rows in shipped.prices.items()
        if region in rows
    }
    return shipped._replace(prices={n: r for n, r in kept.items() if r[region]})


def cells_of(part: PriceFile, region: str) -> Iterator[tuple[str, list[str], Cell]]:
    """Type, the parts of the key, and the cell."""
    for name, rows in part.prices.items():
        for key, cell in rows[region].items():
            yield name, [*key.split("/"), "-", "-", "-"][:4], cell


def unchanged(part: PriceFile, found: Fetched, region: str, *options: str) -> None:
    """Composing leaves every figure as it was, and confirms it."""
    joined = aws.combine({"x": found}, context())
    assert joined.puzzles == ()
    regions = frozenset(r.name for r in CATALOG.regions() if r.provider == "aws")
    wanted = Wanted((region,), frozenset(options))
    made = compose(part, joined, wanted, TYPES, regions)
    count = sum(len(row) for rows in part.prices.values() for row in rows.values())
    assert count > 0
    assert made.puzzles == ()
    assert made.counts == Counts(added=0, changed=0, confirmed=count, carried=0, gone=0)


def is_listed(key: str, _: Cell) -> bool:
    return key.partition("/")[0] in (ON_DEMAND, RESERVED)


@pytest.mark.parametrize("region", REGIONS)
def test_price_list(site: Server, shipped: PriceFile, region: str) -> None:
    part = part_of(shipped, region, is_listed)
    rows = []
    for name, (option, term, cls, payment), cell in cells_of(part, region):
        figure = f"{Decimal(cell[0]):.10f}"  # as the list prints it
        if option == ON_DEMAND:
            rows.append(price_row(name, figure, region))
        else:
            lease = f"{term[0]}yr"
            rows += term_rows(name, lease, cls, PAYMENTS[payment], figure, "0", region)
    site.on(f"/offers/v1.0/aws/AmazonEC2/current/{region}/index.csv", reply(price_file(rows)))
    wanted = Wanted((), frozenset({ON_DEMAND, RESERVED}))
    found = aws.fetch(Task(f"{region}/price-list", region, ON_DEMAND), wanted, context(site))
    unchanged(part, found, region, ON_DEMAND, RESERVED)


def test_pricing_api(account: Server, shipped: PriceFile) -> None:
    region = "us-east-1"
    part = part_of(shipped, region, is_listed)
    items = []
    for name, rows in part.prices.items():
        terms: dict[str, Any] = {"OnDemand": {}, "Reserved": {}}
        for key, cell in rows[region].items():
            option, *rest = key.split("/")
            figure = f"{Decimal(cell[0]):.10f}"
            if option == ON_DEMAND:
                dimension = {"unit": "Hrs", "pricePerUnit": {"USD": figure}}
                terms["OnDemand"]["T"] = {"priceDimensions": {"D": dimension}}
            else:
                lease = f"{rest[0][0]}yr"
                terms["Reserved"][key] = reserved(lease, rest[1], PAYMENTS[rest[2]], figure, "0")
        items.append(price_item(name, terms))
    offered = [{"instanceType": name} for name in TYPES]
    account.on(
        "/*",
        answering(
            {
                "GetProducts": lambda asked: {
                    "PriceList": items
                    if {"Type": "TERM_MATCH", "Field": "tenancy", "Value": "Shared"}
                    in asked["Filters"]
                    else []
                },
                "DescribeInstanceTypeOfferings": lambda _: xml(
                    "DescribeInstanceTypeOfferings", instanceTypeOfferingSet=offered
                ),
            }
        ),
    )
    wanted = Wanted((), frozenset({ON_DEMAND, RESERVED}))
    found = aws.fetch(Task(f"{region}/prices", region, ON_DEMAND), wanted, context())
    unchanged(part, found, region, ON_DEMAND, RESERVED)


def is_plan(key: str, _: Cell) -> bool:
    # `-` is a plan that its old source did not name; AWS names all of them.
    return key.startswith("savings_plan/") and key.split("/")[2] != "-"


def test_savings_plans_file(site: Server, shipped: PriceFile) -> None:
    region = "us-east-1"
    part = part_of(shipped, region, is_plan)
    rows = [
        plan_row(
            f"BoxUsage:{name}", cell[0], PRODUCTS[cls], term[0], PAYMENTS[payment]
        )
        for name, (_, term, cls, payment), cell in cells_of(part, region)
    ]  # fmt: skip
    index = {"regions": [{"regionCode": region, "versionUrl": "/plans/us-east-1/index.json"}]}
    path = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/region_index.json"
    site.on(path, reply(index))
    site.on("/plans/us-east-1/index.csv", reply(plan_file(rows)))
    wanted = Wanted((), frozenset({SAVINGS_PLAN}))
    task = Task(f"{region}/savings-plans-file", region, SAVINGS_PLAN)
    unchanged(part, aws.fetch(task, wanted, context(site)), region, SAVINGS_PLAN)


def test_savings_plans_api(account: Server, shipped: PriceFile) -> None:
    region = "us-east-1"
    part = part_of(shipped, region, is_plan)
    results = [
        {
            "savingsPlanOffering": {
                "planType": PLANS[cls],
                "paymentOption": PAYMENTS[payment],
                "durationSeconds": 31_536_000 * int(term[0]),
                "currency": "USD",
            },
            "rate": cell[0],
            "unit": "Hrs",
            "usageType": f"BoxUsage:{name}",
            "operation": "RunInstances",
        }
        for name, (_, term, cls, payment), cell in cells_of(part, region)
    ]
    account.on(
        "/*",
        answering({"DescribeSavingsPlansOfferingRates": lambda _: {"searchResults": results}}),
    )
    wanted = Wanted((), frozenset({SAVINGS_PLAN}))
    task = Task(f"{region}/savings-plans", region, SAVINGS_PLAN)
    unchanged(part, aws.fetch(task, wanted, context()), region, SAVINGS_PLAN)


def measured(measure: str) -> Wanted_:
    return lambda key, cell: isinstance(cell, dict) and cell["measure"] == measure


def test_spot_by_zone(account: Server, shipped: PriceFile) -> None:
    region = "ap-northeast-1"
    part = part_of(shipped, region, measured("zones"))
    history = []
    for name, _, cell in cells_of(part, region):
        assert isinstance(cell, dict)
        low, typical = Decimal(cell["low"]), Decimal(cell["typical"])
        # Two zones whose median is the typical price.
        for zone, price in (("apne1-az1", low), ("apne1-az4", 2 * typical - low)):
            history.append(
                {
                    "availabilityZoneId": zone,
                    "instanceType": name,
                    "productDescription": "Linux/UNIX",
                    "spotPrice": f"{price:.6f}",
                    "timestamp": "2026-11-30T08:00:00.000Z",
                }
            )
    answer = xml("DescribeSpotPriceHistory", spotPriceHistorySet=history)
    account.on("/*", answering({"DescribeSpotPriceHistory": lambda _: answer}))
    wanted = Wanted((), frozenset({SPOT}))
    found = aws.fetch(Task(f"{region}/spot", region, SPOT), wanted, context())
    unchanged(part, found, region, SPOT)


def test_spot_by_region(site: Server, shipped: PriceFile) -> None:
    region = "us-east-1"
    part = part_of(shipped, region, measured("region_lowest"))
    sizes = [
        {"size": name, "valueColumns": [{"name": "linux", "prices": {"USD": cell["low"]}}]}
        for name, _, cell in cells_of(part, region)
        if isinstance(cell, dict)
    ]
    types = [{"type": "gpuInstances", "sizes": sizes}]
    body = {"config": {"regions": [{"region": "us-east", "instanceTypes": types}]}}
    site.on("/spot.json", reply(body))
    found = aws.fetch(Task("spot-lowest", "", SPOT), Wanted((), frozenset({SPOT})), context(site))
    unchanged(part, found, region, SPOT)


def test_capacity_blocks(account: Server, shipped: PriceFile) -> None:
    region = "us-east-2"
    part = part_of(shipped, region, lambda key, _: key.startswith(CAPACITY_BLOCK))
    rates = {name: Decimal(cell[0]) for name, _, cell in cells_of(part, region)}

    def offered(asked: Mapping[str, str]) -> Any:
        fee = rates[asked["InstanceType"]] * int(asked["CapacityDurationHours"])
        offer = {
            "instanceType": asked["InstanceType"],
            "instanceCount": 1,
            "capacityBlockDurationHours": asked["CapacityDurationHours"],
            "upfrontFee": f"{fee:.6f}",
            "currencyCode": "USD",
        }
        return xml("DescribeCapacityBlockOfferings", capacityBlockOfferingSet=[offer])

    types = [{"instanceType": name} for name in rates]
    described = xml("DescribeInstanceTypes", instanceTypeSet=types)
    account.on(
        "/*",
        answering(
            {
                "DescribeInstanceTypes": lambda _: described,
                "DescribeCapacityBlockOfferings": offered,
            }
        ),
    )
    wanted = Wanted((), frozenset({CAPACITY_BLOCK}))
    task = Task(f"{region}/capacity-blocks", region, CAPACITY_BLOCK)
    unchanged(part, aws.fetch(task, wanted, context()), region, CAPACITY_BLOCK)
