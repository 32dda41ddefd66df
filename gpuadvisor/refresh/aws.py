"""Live prices and shapes of AWS, with an account or without.

With credentials (boto3's own chain; `AWS_ENDPOINT_URL` is honoured) the APIs answer:

    shapes                 DescribeInstanceTypes, per region
    on_demand, reserved    GetProducts of the price list, joined with the region's offerings
    spot                   DescribeSpotPriceHistory by zone id: minimum and median (`zones`)
    savings_plan           DescribeSavingsPlansOfferingRates
    capacity_block         DescribeCapacityBlockOfferings

Without credentials, or with `keyless` among the words of the account, public files do:

    reserved, on_demand    the region's price list as CSV, some hundred MB, streamed: it alone has
                           reserved terms, and on-demand prices stand in it too
    on_demand alone        the page behind the web site's table, some ten KB; as it lacks previous
                           generations, nothing is taken as gone by its silence
    spot                   spot.json of the spot pricing page: one price a region (`region_lowest`)
    savings_plan           the region's Savings Plans file, its CSV twin streamed
    shapes, capacity_block nothing is published: they stay as they are, which is said

How often spot is taken back comes from the Spot Advisor in both ways; no API has it. Its savings
are no prices, and none is made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import CAPACITY_BLOCK, ON_DEMAND, RESERVED, SAVINGS_PLAN, SPOT
from gpuadvisor.catalog.names import unknown_name
from gpuadvisor.refresh.aws_account import client, has_credentials, home_region, refusals
from gpuadvisor.refresh.aws_blocks import fetch_blocks
from gpuadvisor.refresh.aws_feeds import as_known
from gpuadvisor.refresh.aws_join import join
from gpuadvisor.refresh.aws_names import PROVIDER, is_region, unknown_region
from gpuadvisor.refresh.aws_policy import PARTS, aws_permissions
from gpuadvisor.refresh.aws_price_list import (
    fetch_on_demand_page,
    fetch_price_list,
    price_list_regions,
)
from gpuadvisor.refresh.aws_products import fetch_products
from gpuadvisor.refresh.aws_savings_plans import (
    fetch_savings_plans_api,
    fetch_savings_plans_file,
)
from gpuadvisor.refresh.aws_shapes import fetch_shapes
from gpuadvisor.refresh.aws_spot import (
    fetch_spot_advisor,
    fetch_spot_history,
    fetch_spot_lowest,
)
from gpuadvisor.refresh.interface import SHAPES, Fetched, Permission, Task, Wanted

if TYPE_CHECKING:
    from gpuadvisor.refresh.interface import Context

KEYLESS = "keyless"
"""Word of `Wanted.account` that leaves the account alone even where credentials are found."""
_PRICED = frozenset({ON_DEMAND, RESERVED})
_ACCOUNT_ONLY = (SHAPES, CAPACITY_BLOCK)


def permissions() -> Sequence[Permission]:
    """What the account must allow."""
    return aws_permissions()


def plan(wanted: Wanted, context: Context) -> Sequence[Task]:
    """Tasks by region and part. See `interface.Source`."""
    parts = frozenset(part for part in PARTS if wanted.asks(part))
    if not parts:
        raise UsageError(message("refresh_aws.no_such_part", parts=", ".join(PARTS)))
    if _is_keyless(wanted):
        return tuple(_keyless_tasks(parts, wanted, context))
    return tuple(_account_tasks(parts, wanted, context))


def fetch(task: Task, wanted: Wanted, context: Context) -> Fetched:
    """Carry out one task of `plan`. See `interface.Source`."""
    region = task.region
    options = frozenset(option for option in _PRICED if wanted.asks(option))
    match task.key.rpartition("/")[2]:
        case "new-region":
            return Fetched(puzzles=(unknown_region(region),))
        case "keyless":
            return Fetched(notes=_what_an_account_adds(wanted))
        case "shapes":
            return fetch_shapes(region, context)
        case "prices":
            return fetch_products(region, options, context)
        case "price-list":
            return fetch_price_list(region, options, context)
        case "on-demand-page":
            return fetch_on_demand_page(region, context)
        case "savings-plans":
            return fetch_savings_plans_api(region, context)
        case "savings-plans-file":
            return fetch_savings_plans_file(region, context)
        case "capacity-blocks":
            return fetch_blocks(region, context)
        case "spot":
            return fetch_spot_history(region, context)
        case "spot-lowest":
            return fetch_spot_lowest(wanted.regions, context)
        case "spot-advisor":
            return fetch_spot_advisor(context)
    raise AssertionError(task.key)


def combine(results: Mapping[str, Fetched], context: Context) -> Fetched:
    """Join the results by task key. See `aws_join`."""
    return join(results, context)


def _is_keyless(wanted: Wanted) -> bool:
    return bool(wanted.account.get(KEYLESS)) or not has_credentials()


# -- tasks ------------------------------------------------------------------------------------


def _account_tasks(parts: frozenset[str], wanted: Wanted, context: Context) -> Iterator[Task]:
    live = _described_regions()
    # The price list also knows the regions of other partitions (GovCloud), which no account of
    # this one can ask for the rest.
    known = context.catalog.region_names(PROVIDER)
    for region in _chosen({*live, *known}, wanted, context):
        if region not in known:
            yield Task(f"{region}/new-region", region, SHAPES)
            continue
        if parts & _PRICED:
            yield Task(f"{region}/prices", region, _first_priced(parts))
        if SAVINGS_PLAN in parts:
            yield Task(f"{region}/savings-plans", region, SAVINGS_PLAN)
        if region not in live:
            continue
        if SHAPES in parts:
            yield Task(f"{region}/shapes", region, SHAPES)
        if SPOT in parts:
            yield Task(f"{region}/spot", region, SPOT)
        if CAPACITY_BLOCK in parts:
            yield Task(f"{region}/capacity-blocks", region, CAPACITY_BLOCK)
    if SPOT in parts:
        yield Task("spot-advisor", "", SPOT)


def _keyless_tasks(parts: frozenset[str], wanted: Wanted, context: Context) -> Iterator[Task]:
    silent = [part for part in _ACCOUNT_ONLY if part in parts]
    if len(silent) == len(parts):
        raise UsageError(message("refresh_aws.needs_account", parts=", ".join(silent)))
    if silent:
        yield Task("keyless", "", silent[0])
    known = context.catalog.region_names(PROVIDER)
    by_region = bool(parts & {*_PRICED, SAVINGS_PLAN})
    listed = price_list_regions(context) if by_region else known
    for region in _chosen({code for code in listed if is_region(code)}, wanted, context):
        if region not in known:
            yield Task(f"{region}/new-region", region, ON_DEMAND)
            continue
        if RESERVED in parts:
            yield Task(f"{region}/price-list", region, _first_priced(parts))
        elif ON_DEMAND in parts:
            yield Task(f"{region}/on-demand-page", region, ON_DEMAND)
        if SAVINGS_PLAN in parts:
            yield Task(f"{region}/savings-plans-file", region, SAVINGS_PLAN)
    if SPOT in parts:
        yield Task("spot-lowest", "", SPOT)
        yield Task("spot-advisor", "", SPOT)


def _first_priced(parts: frozenset[str]) -> str:
    return ON_DEMAND if ON_DEMAND in parts else RESERVED


def _described_regions() -> frozenset[str]:
    """Regions of the account's partition, not yet enabled ones too: they refuse by themselves."""
    home = home_region()
    with refusals(home):
        found = client("ec2", home).describe_regions(AllRegions=True)
    with as_known("aws-instance-types", home):
        names = frozenset(r["RegionName"] for r in found["Regions"])
    return frozenset(name for name in names if is_region(name))


def _chosen(live: set[str], wanted: Wanted, context: Context) -> Sequence[str]:
    """The regions to read, in order. UsageError for one that there is not."""
    for region in wanted.regions:
        if region not in live:
            known = sorted({*live, *context.catalog.region_names(PROVIDER)})
            raise UsageError(unknown_name("region", region, known))
    return sorted(wanted.regions or live)


def _what_an_account_adds(wanted: Wanted) -> tuple[Message, ...]:
    silent = [part for part in _ACCOUNT_ONLY if wanted.asks(part)]
    return (message("refresh_aws.keyless", parts=", ".join(silent)),)
