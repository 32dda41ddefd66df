"""Which of the printed prices can be bought: types that a region really offers.

An account asks DescribeInstanceTypeOfferings. Without one, the three pairs that the list is known
to print and no zone to launch are left out, and said.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.refresh.aws_account import client, refusals
from gpuadvisor.refresh.aws_feeds import as_known
from gpuadvisor.refresh.aws_names import PROVIDER
from gpuadvisor.refresh.interface import SeenPrice

if TYPE_CHECKING:
    from gpuadvisor.catalog.store import Catalog

NOT_LAUNCHED = frozenset(
    {
        # In the price list and in no zone's offerings (SkyPilot catalog v9 of 2026-02-01).
        ("p4d.24xlarge", "ap-southeast-1"),
        ("p4d.24xlarge", "sa-east-1"),
        ("p5.48xlarge", "sa-east-1"),
    }
)


def offered_types(region: str) -> frozenset[str]:
    """Names of the types that the region offers. Raises Missing."""
    found: set[str] = set()
    with refusals(region):
        pages = (
            client("ec2", region)
            .get_paginator("describe_instance_type_offerings")
            .paginate(LocationType="region", PaginationConfig={"PageSize": 1000})
        )
        for page in pages:
            with as_known("aws-instance-types", region):
                found.update(offer["InstanceType"] for offer in page["InstanceTypeOfferings"])
    return frozenset(found)


def launchable(
    seen: Iterable[SeenPrice], offered: frozenset[str] | None, catalog: Catalog
) -> tuple[tuple[SeenPrice, ...], tuple[Message, ...]]:
    """The prices that can be bought, and a note of those left out without an account's word for it.

    `offered` is None where nobody could say. A type that the catalog knows to be retired keeps its
    printed price: its shape says that it is not sold.
    """
    types = catalog.instance_types()
    kept: list[SeenPrice] = []
    notes: dict[tuple[str, str], Message] = {}
    for price in seen:
        place = (price.type, price.region)
        known = types.get((PROVIDER, price.type))
        if offered is None and place in NOT_LAUNCHED:
            notes[place] = message("refresh_aws.not_launched", type=price.type, region=price.region)
        elif offered is None or price.type in offered or (known and known.status == "retired"):
            kept.append(price)
    return tuple(kept), tuple(notes.values())
