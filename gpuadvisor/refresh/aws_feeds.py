"""Where AWS publishes: addresses of the files that need no account, and the names of all feeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from decimal import DecimalException
from typing import TYPE_CHECKING

from gpuadvisor.catalog.message import message
from gpuadvisor.refresh.endpoints import endpoint
from gpuadvisor.refresh.interface import Feed, Missing

if TYPE_CHECKING:
    from gpuadvisor.refresh.interface import Context

PRICE_LIST = "aws-price-list"
SAVINGS_PLANS = "aws-savings-plans"
SPOT_ADVISOR = "aws-spot-advisor"
SPOT = "aws-spot"
ON_DEMAND_PAGE = "aws-on-demand"

HOSTS: Mapping[str, str] = {
    PRICE_LIST: "https://pricing.us-east-1.amazonaws.com",
    SAVINGS_PLANS: "https://pricing.us-east-1.amazonaws.com",
    SPOT_ADVISOR: "https://spot-bid-advisor.s3.amazonaws.com",
    SPOT: "https://website.spot.ec2.aws.a2z.com",
    ON_DEMAND_PAGE: "https://b0.p.awsstatic.com",
}
PRICE_LIST_INDEX = "/offers/v1.0/aws/AmazonEC2/current/region_index.json"
SAVINGS_PLANS_INDEX = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/region_index.json"

_DOCS = "https://docs.aws.amazon.com"
_FEEDS: Mapping[str, tuple[str, str]] = {
    "aws-instance-types": (
        "Amazon EC2 API, DescribeInstanceTypes",
        f"{_DOCS}/AWSEC2/latest/APIReference/API_DescribeInstanceTypes.html",
    ),
    "aws-pricing-api": (
        "AWS Price List Query API, GetProducts for AmazonEC2",
        f"{_DOCS}/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html",
    ),
    "aws-price-list": (
        "AWS price list file of the region, AmazonEC2",
        HOSTS[PRICE_LIST] + PRICE_LIST_INDEX,
    ),
    "aws-on-demand-page": (
        "Figures behind the Amazon EC2 on-demand pricing page",
        "https://aws.amazon.com/ec2/pricing/on-demand/",
    ),
    "aws-savings-plans": (
        "AWS price list file of the region, Compute and EC2 Instance Savings Plans",
        HOSTS[SAVINGS_PLANS] + SAVINGS_PLANS_INDEX,
    ),
    "aws-savings-plans-api": (
        "AWS Savings Plans API, DescribeSavingsPlansOfferingRates",
        f"{_DOCS}/savingsplans/latest/APIReference/API_DescribeSavingsPlansOfferingRates.html",
    ),
    "aws-spot-history": (
        "Amazon EC2 API, DescribeSpotPriceHistory, Linux: minimum and median over zones",
        f"{_DOCS}/AWSEC2/latest/APIReference/API_DescribeSpotPriceHistory.html",
    ),
    "aws-spot-lowest": (
        "AWS spot price feed: lowest price of the type in the region",
        HOSTS[SPOT] + "/spot.json",
    ),
    "aws-spot-advisor": (
        "AWS Spot Instance Advisor: frequency of interruption over the last month",
        HOSTS[SPOT_ADVISOR] + "/spot-advisor-data.json",
    ),
    "aws-capacity-blocks": (
        "Amazon EC2 API, DescribeCapacityBlockOfferings",
        f"{_DOCS}/AWSEC2/latest/APIReference/API_DescribeCapacityBlockOfferings.html",
    ),
}


def feed(kind: str, day: date) -> Feed:
    """The feed of that kind as of `day`; its id names both (`aws-price-list-2026-11-27`)."""
    title, address = _FEEDS[kind]
    return Feed(f"{kind}-{day.isoformat()}", title, address, day, "")


def address(name: str, path: str, context: Context) -> str:
    """Address of `path` at a named service, or at what stands in its place."""
    return endpoint(context, name, HOSTS[name]) + path


@contextmanager
def as_known(kind: str, region: str = "") -> Iterator[None]:
    """Read an answer of the shape we know; one of another shape raises Missing, no traceback."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError, DecimalException) as error:
        what = _FEEDS[kind][0]
        raise Missing(message("refresh_aws.strange", what=what, region=region or "-")) from error
