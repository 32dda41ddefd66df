"""Capacity Blocks: what a day of a block costs now, per instance-hour.

The fee is paid up front for the whole block: rate = fee / (instances x reserved hours). A region
without an offer today is sold out, not without a price, so nothing is taken as gone here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from gpuadvisor.catalog.model import CAPACITY_BLOCK
from gpuadvisor.refresh.aws_account import client, error_code, refusals
from gpuadvisor.refresh.aws_feeds import as_known, feed
from gpuadvisor.refresh.aws_names import is_accelerated
from gpuadvisor.refresh.aws_prices import CURRENCY, positive
from gpuadvisor.refresh.interface import Fetched, SeenPrice

if TYPE_CHECKING:
    from gpuadvisor.refresh.interface import Context

KIND = "aws-capacity-blocks"
_HOURS = (24, 168)
"""A day, and where no day is left a week: the rate is the same for 1 to 182 days."""
_NOT_SOLD = frozenset(
    {"InvalidParameterValue", "InvalidParameterCombination", "UnsupportedOperation", "Unsupported"}
)
"""The region or the type has no blocks of this kind (UltraServers are asked for otherwise)."""


def fetch_blocks(region: str, context: Context) -> Fetched:
    """The lowest rate of every type that the region sells as a block."""
    ec2 = client("ec2", region)
    origin = feed(KIND, context.today)
    prices = []
    for name in _sold_as_block(ec2, region, context):
        rates = (_lowest_rate(ec2, region, name, hours) for hours in _HOURS)
        rate = next((rate for rate in rates if rate), None)
        context.moved(1)
        if rate:
            key = (name, region, CAPACITY_BLOCK, "1-182d", None, "all_upfront")
            prices.append(SeenPrice(*key, rate, CURRENCY, origin.id))
    return Fetched(feeds=(origin,) if prices else (), prices=tuple(prices))


def _sold_as_block(ec2: Any, region: str, context: Context) -> Iterator[str]:
    with refusals(region):
        pages = ec2.get_paginator("describe_instance_types").paginate(
            Filters=[{"Name": "supported-usage-class", "Values": ["capacity-block"]}],
            PaginationConfig={"PageSize": 100},
        )
        found = [info["InstanceType"] for page in pages for info in page["InstanceTypes"]]
    yield from sorted(name for name in found if is_accelerated(name, context.catalog))


def _lowest_rate(ec2: Any, region: str, name: str, hours: int) -> Decimal | None:
    """The lowest rate among the offers of one instance for so many hours; None without an offer."""
    from botocore.exceptions import ClientError

    with refusals(region):
        pages = ec2.get_paginator("describe_capacity_block_offerings").paginate(
            InstanceType=name, InstanceCount=1, CapacityDurationHours=hours
        )
        try:
            offers = [offer for page in pages for offer in page["CapacityBlockOfferings"]]
        except ClientError as error:
            if error_code(error) in _NOT_SOLD:
                return None
            raise
    with as_known(KIND, region):
        # A block of a local zone has its own price, and the catalog has no local zones.
        rates = [
            hourly(offer)
            for offer in offers
            if offer["CurrencyCode"] == CURRENCY
            and offer.get("ZoneType") in (None, "availability-zone")
        ]
    return min(rates, default=None)


def hourly(offer: Mapping[str, Any]) -> Decimal:
    """Price of one instance for an hour. A block ends half an hour early, and is paid in full."""
    minutes = offer.get("CapacityBlockDurationMinutes") or offer["CapacityBlockDurationHours"] * 60
    per_hour = positive(offer["UpfrontFee"]) * 60 / (int(offer["InstanceCount"]) * int(minutes))
    return per_hour.quantize(Decimal("0.000001")).normalize()
