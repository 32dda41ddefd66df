"""The IAM policy of a refresh: reading calls alone, a statement for each part."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import CAPACITY_BLOCK, ON_DEMAND, RESERVED, SAVINGS_PLAN, SPOT
from gpuadvisor.refresh.interface import SHAPES, Permission

_LIST_REGIONS = ("ListRegions", ("ec2:DescribeRegions",))
_PRICES = ("ReadPrices", ("pricing:GetProducts", "ec2:DescribeInstanceTypeOfferings"))
_STATEMENTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    SHAPES: ("ReadShapes", ("ec2:DescribeInstanceTypes",)),
    ON_DEMAND: _PRICES,
    RESERVED: _PRICES,
    SPOT: ("ReadSpotPrices", ("ec2:DescribeSpotPriceHistory",)),
    SAVINGS_PLAN: ("ReadSavingsPlans", ("savingsplans:DescribeSavingsPlansOfferingRates",)),
    CAPACITY_BLOCK: (
        "ReadCapacityBlocks",
        ("ec2:DescribeCapacityBlockOfferings", "ec2:DescribeInstanceTypes"),
    ),
}
PARTS = tuple(_STATEMENTS)


def policy(parts: Collection[str] = ()) -> str:
    """The JSON of a policy for these parts, or all. These calls cannot be bound to a resource."""
    chosen = [_STATEMENTS[part] for part in PARTS if not parts or part in parts]
    statements = [
        {"Sid": sid, "Effect": "Allow", "Action": list(actions), "Resource": "*"}
        for sid, actions in dict.fromkeys([_LIST_REGIONS, *chosen])
    ]
    return json.dumps({"Version": "2012-10-17", "Statement": statements}, indent=2)


def aws_permissions() -> tuple[Permission, ...]:
    """The policy of a whole refresh; a part that is not read needs no statement of its own."""
    return (Permission(message("refresh_aws.policy"), policy()),)
