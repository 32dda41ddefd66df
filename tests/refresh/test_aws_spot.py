"""Spot prices of AWS by zone and by region, interruptions, and Capacity Blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import pytest

from gpuadvisor.catalog.model import CAPACITY_BLOCK, SPOT
from gpuadvisor.refresh import aws
from gpuadvisor.refresh.aws_blocks import hourly
from gpuadvisor.refresh.aws_names import is_plain_zone
from gpuadvisor.refresh.interface import Fetched, Missing, Puzzle, Scope, SeenPrice, Task, Wanted

from .aws_rest import (
    aws as answering,
)
from .aws_rest import (
    cells,
    context,
    refusal,
    xml,
)
from .server import Server, reply

SPOT_ONLY = Wanted((), frozenset({SPOT}))


@pytest.fixture
def site() -> Iterator[Server]:
    with Server() as found:
        yield found


# -- by zone, from an account ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone_id", "zone", "plain"),
    [
        ("use1-az6", "us-east-1f", True),
        ("apne1-az4", "ap-northeast-1a", True),
        ("use1-atl2-az1", "us-east-1-atl-2a", False),
        ("usw2-lax1-az1", "us-west-2-lax-1a", False),
        ("use1-wl1-bos-wlz1", "us-east-1-wl1-bos-wlz-1", False),
        # Answers of an SDK before zone ids.
        (None, "us-east-1a", True),
        (None, "us-east-1-atl-2a", False),
        (None, None, False),
    ],
)
def test_local_and_wavelength_zones_are_no_zones_of_the_region(
    zone_id: str | None, zone: str | None, plain: bool
) -> None:
    assert is_plain_zone(zone_id, zone, "us-east-1") == plain


def row(name: str, zone_id: str, price: str, **said: str) -> dict[str, str]:
    return {
        "availabilityZone": "us-east-1a",
        "availabilityZoneId": zone_id,
        "instanceType": name,
        "productDescription": "Linux/UNIX",
        "spotPrice": price,
        "timestamp": "2026-11-30T08:00:00.000Z",
        **said,
    }


def read(account: Server, *rows: Mapping[str, str]) -> Fetched:
    answer = xml("DescribeSpotPriceHistory", spotPriceHistorySet=list(rows))
    account.seen.clear()
    account.on("/*", answering({"DescribeSpotPriceHistory": lambda _: answer}))
    return aws.fetch(Task("us-east-1/spot", "us-east-1", SPOT), SPOT_ONLY, context())


def figures(found: Fetched) -> dict[str, tuple[str, str, str]]:
    return {p.type: (f"{p.low:f}", f"{p.price:f}", str(p.measure)) for p in found.prices}


def test_minimum_and_median_over_zones(account: Server) -> None:
    found = read(
        account,
        # p5.48xlarge in us-west-2 once stood at 9.37 to 19.35: one mean says nothing.
        row("p5.48xlarge", "use1-az1", "9.370000"),
        row("p5.48xlarge", "use1-az2", "19.350000"),
        row("p5.48xlarge", "use1-az4", "12.000000"),
        row("g5.xlarge", "use1-az1", "0.400000"),
        row("g5.xlarge", "use1-az2", "0.500000"),
        row("m7i.large", "use1-az1", "0.030000"),
    )
    assert figures(found) == {
        "p5.48xlarge": ("9.37", "12", "zones"),
        "g5.xlarge": ("0.4", "0.45", "zones"),
    }
    assert found.scopes == (Scope("us-east-1", SPOT),)
    assert found.feeds[0].id == "aws-spot-history-2026-11-30"
    asked = account.seen[0].body.decode()
    assert "ProductDescription.1=Linux%2FUNIX" in asked
    assert "StartTime=" in asked  # without it the answer is 90 days of changes


@pytest.mark.parametrize(
    "other",
    [
        # A local zone carries the parent region's figure or a price of its own.
        row("g5.xlarge", "use1-atl2-az1", "0.100000"),
        row("g5.xlarge", "use1-az1", "0.900000", timestamp="2026-11-30T07:00:00.000Z"),  # older
        row("g5.xlarge", "use1-az2", "0.100000", productDescription="Windows"),
        row("g5.xlarge", "use1-az2", "0.000000"),
    ],
)
def test_rows_that_do_not_count(account: Server, other: Mapping[str, str]) -> None:
    right = row("g5.xlarge", "use1-az1", "0.400000")
    for rows in ((right, other), (other, right)):
        assert figures(read(account, *rows)) == {"g5.xlarge": ("0.4", "0.4", "zones")}


def test_zones_go_by_id_as_names_differ_between_accounts(account: Server) -> None:
    found = read(
        account,
        row("g5.xlarge", "use1-az1", "0.2", availabilityZone="us-east-1a"),
        row("g5.xlarge", "use1-az2", "0.6", availabilityZone="us-east-1a"),
    )
    assert figures(found) == {"g5.xlarge": ("0.2", "0.4", "zones")}


def test_an_empty_history_takes_nothing_as_gone(account: Server) -> None:
    found = read(account)
    assert (found.prices, found.scopes) == ((), ())


@pytest.mark.parametrize("price", ["", "-1", "NaN", "cheap"])
def test_a_price_that_is_none_makes_the_region_missing(account: Server, price: str) -> None:
    with pytest.raises(Missing):
        read(account, row("g5.xlarge", "use1-az1", price))


# -- without an account ---------------------------------------------------------------------------


def sizes(**prices: str) -> list[dict[str, Any]]:
    return [
        {
            "type": "gpuInstances",
            "sizes": [
                {
                    "size": name,
                    "valueColumns": [
                        {"name": "mswin", "prices": {"USD": "0.0001"}},
                        {"name": "linux", "prices": {"USD": price}},
                    ],
                }
                for name, price in prices.items()
            ],
        }
    ]


def feed(**regions: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "vers": 0.01,
        "config": {
            "rate": "perhr",
            "currencies": ["USD"],
            "valueColumns": ["linux", "mswin"],
            "regions": [
                {"region": region.replace("_", "-"), "instanceTypes": types}
                for region, types in regions.items()
            ],
        },
    }


def lowest(site: Server, body: Any, wanted: Wanted = SPOT_ONLY) -> Fetched:
    site.on("/spot.json", reply(body))
    return aws.fetch(Task("spot-lowest", "", SPOT), wanted, context(site))


def test_the_lowest_of_each_region(site: Server) -> None:
    found = lowest(
        site,
        feed(
            us_east=sizes(**{"g5.xlarge": "0.4012", "p5.48xlarge": "N/A*", "m7i.large": "0.03"}),
            us_east_2=sizes(**{"g5.xlarge": "0"}),
            apac_tokyo=sizes(**{"g4dn.xlarge": "0.213"}),
            us_west_2_lax_1a=sizes(**{"g4dn.xlarge": "0.3"}),  # Los Angeles
            mx_central_1=sizes(**{"g6.xlarge": "0.3"}),  # not in the catalog
        ),
    )
    assert [(p.type, p.region, f"{p.price:f}", f"{p.low:f}", p.measure) for p in found.prices] == [
        ("g5.xlarge", "us-east-1", "0.4012", "0.4012", "region_lowest"),
        ("g4dn.xlarge", "ap-northeast-1", "0.213", "0.213", "region_lowest"),
    ]
    # us-east-2 has no price: nothing is known of it, so nothing is gone there.
    assert set(found.scopes) == {Scope("us-east-1", SPOT), Scope("ap-northeast-1", SPOT)}
    assert found.puzzles == (Puzzle("region", "mx-central-1", "aws"),)


def test_regions_that_were_not_asked_for_stay(site: Server) -> None:
    both = feed(us_east=sizes(**{"g5.xlarge": "0.4"}), eu_west_2=sizes(**{"g5.xlarge": "0.5"}))
    found = lowest(site, both, SPOT_ONLY._replace(regions=("eu-west-2",)))
    assert {p.region for p in found.prices} == {"eu-west-2"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, "refresh_aws.strange"),
        ([], "refresh_aws.strange"),
        (feed(us_east=sizes(**{"g5.xlarge": "cheap"})), "refresh_aws.strange"),
        (feed(us_east=[]), "refresh_aws.nothing_found"),
        (b'{"config": {"regi', "refresh.not_json"),
    ],
)
def test_a_feed_of_another_shape(site: Server, body: Any, reason: str) -> None:
    with pytest.raises(Missing) as caught:
        lowest(site, body)
    assert caught.value.reason.id == reason


# -- interruptions --------------------------------------------------------------------------------

RANGES = [
    {"index": 0, "label": "<5%", "dots": 0, "max": 5},
    {"index": 1, "label": "5-10%", "dots": 1, "max": 11},
    {"index": 2, "label": "10-15%", "dots": 2, "max": 16},
    {"index": 3, "label": "15-20%", "dots": 3, "max": 22},
    {"index": 4, "label": ">20%", "dots": 4, "max": 100},
]


def advised(site: Server, **linux: Any) -> Fetched:
    body = {
        "ranges": RANGES,
        "instance_types": {},
        "spot_advisor": {
            "us-east-1": {"Linux": linux, "Windows": {"g5.xlarge": {"s": 10, "r": 0}}}
        },
    }
    site.on("/spot-advisor-data.json", reply(body))
    return aws.fetch(Task("spot-advisor", "", SPOT), SPOT_ONLY, context(site))


@pytest.mark.parametrize(
    ("advice", "bucket"),
    [
        ({"s": 70, "r": 0}, "<5%"),
        ({"s": 70, "r": 1}, "5-10%"),
        ({"s": 70, "r": 2}, "10-15%"),
        ({"s": 70, "r": 3}, "15-20%"),
        ({"s": 70, "r": 4}, ">20%"),
        ({"s": 70, "r": 9}, None),  # no such range
        ({"s": 70}, None),  # unknown is not the lowest
    ],
)
def test_interruption_joins_the_price(
    site: Server, advice: dict[str, int], bucket: str | None
) -> None:
    found = advised(site, **{"g5.xlarge": advice})
    assert found.prices == ()  # savings of 70 % are no price
    spot = lowest(site, feed(us_east=sizes(**{"g5.xlarge": "0.4", "g6.xlarge": "0.3"})))
    joined = aws.combine({"spot-lowest": spot, "spot-advisor": found}, context(site))
    prices = {p.type: p for p in joined.prices}
    assert prices["g5.xlarge"].interruption == bucket
    assert prices["g5.xlarge"].price == Decimal("0.4")
    source = "aws-spot-advisor-2026-11-30" if bucket else None
    assert prices["g5.xlarge"].interruption_feed == source
    assert prices["g6.xlarge"].interruption is None
    assert {f.id for f in joined.feeds} >= {"aws-spot-advisor-2026-11-30"}


def test_prices_stand_without_the_advisor(site: Server) -> None:
    spot = lowest(site, feed(us_east=sizes(**{"g5.xlarge": "0.4"})))
    (price,) = aws.combine({"spot-lowest": spot}, context(site)).prices
    assert (price.price, price.interruption) == (Decimal("0.4"), None)


# -- Capacity Blocks ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offer", "rate"),
    [
        # The example of AWS's documentation: p5.48xlarge, a day, 755.1432 USD, then 31.464/h.
        (
            {"UpfrontFee": "755.143200", "InstanceCount": 1, "CapacityBlockDurationHours": 24},
            "31.4643",
        ),
        (
            {"UpfrontFee": "45000.00", "InstanceCount": 2, "CapacityBlockDurationHours": 168},
            "133.928571",
        ),
        # A block that begins now is not of whole hours.
        (
            {
                "UpfrontFee": "100",
                "InstanceCount": 1,
                "CapacityBlockDurationHours": 25,
                "CapacityBlockDurationMinutes": 1500 - 30,
            },
            "4.081633",
        ),
    ],
)
def test_rate_of_a_block(offer: dict[str, Any], rate: str) -> None:
    assert hourly(offer) == Decimal(rate)


def block(fee: str, hours: int = 24, **said: str) -> dict[str, Any]:
    return {
        "capacityBlockOfferingId": "cb-0123456789abcdefg",
        "instanceType": "p5.48xlarge",
        "availabilityZone": "us-east-2a",
        "instanceCount": 1,
        "capacityBlockDurationHours": hours,
        "upfrontFee": fee,
        "currencyCode": "USD",
        "tenancy": "default",
        **said,
    }


def blocks(account: Server, by_hours: Mapping[str, Any]) -> Fetched:
    account.seen.clear()
    types = [{"instanceType": name} for name in ("p5.48xlarge", "u7i.large")]

    def offered(asked: Mapping[str, str]) -> Any:
        found = by_hours.get(asked["CapacityDurationHours"], [])
        if not isinstance(found, list):
            return found
        return xml("DescribeCapacityBlockOfferings", capacityBlockOfferingSet=found)

    account.on(
        "/*",
        answering(
            {
                "DescribeInstanceTypes": lambda _: xml(
                    "DescribeInstanceTypes", instanceTypeSet=types
                ),
                "DescribeCapacityBlockOfferings": offered,
            }
        ),
    )
    wanted = Wanted((), frozenset({CAPACITY_BLOCK}))
    task = Task("us-east-2/capacity-blocks", "us-east-2", CAPACITY_BLOCK)
    return aws.fetch(task, wanted, context())


def test_the_lowest_block_of_a_day(account: Server) -> None:
    found = blocks(
        account,
        {
            "24": [
                block("1146.24"),
                block("1300"),
                block("10", zoneType="local-zone"),
                block("9", currencyCode="CNY"),
            ]
        },
    )
    # 1146.24 / 24 = 47.76, the rate of 2026-10-07
    key = ("p5.48xlarge", "us-east-2", CAPACITY_BLOCK, "1-182d", None, "all_upfront")
    feed_id = "aws-capacity-blocks-2026-11-30"
    assert found.prices == (SeenPrice(*key, Decimal("47.76"), "USD", feed_id),)
    assert found.scopes == ()
    assert "supported-usage-class" in account.seen[0].body.decode()


def test_where_no_day_is_left_a_week_tells(account: Server) -> None:
    assert cells(blocks(account, {"168": [block("8023.68", 168)]})) == {
        "p5.48xlarge/capacity_block/1-182d/all_upfront": "47.76"
    }


def test_sold_out_is_not_gone(account: Server) -> None:
    found = blocks(account, {})
    assert (found.prices, found.scopes, found.feeds) == ((), (), ())


@pytest.mark.parametrize("code", ["InvalidParameterValue", "UnsupportedOperation"])
def test_a_type_that_has_no_blocks_there_is_passed_over(account: Server, code: str) -> None:
    assert blocks(account, {"24": refusal(code), "168": refusal(code)}).prices == ()


def test_any_other_refusal_is_the_region_s(account: Server) -> None:
    with pytest.raises(Missing) as caught:
        blocks(account, {"24": refusal("UnauthorizedOperation")})
    assert caught.value.reason.id == "refresh_aws.forbidden"
