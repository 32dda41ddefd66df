"""The AWS price list: which rows count, what they make together, from the API and from the file."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from gpuadvisor.catalog.model import ON_DEMAND, RESERVED
from gpuadvisor.refresh import aws
from gpuadvisor.refresh.interface import Fetched, Missing, Puzzle, Scope, Task, Wanted

from .aws_rest import (
    aws as answering,
)
from .aws_rest import (
    cells,
    context,
    on_demand,
    price_file,
    price_item,
    price_row,
    refusal,
    reserved,
    term_rows,
    xml,
)
from .server import Server, http, reply

LIST = "/offers/v1.0/aws/AmazonEC2/current/us-east-1/index.csv"
BOTH = Wanted((), frozenset({ON_DEMAND, RESERVED}))


@pytest.fixture
def site() -> Iterator[Server]:
    with Server() as found:
        yield found


def read_list(site: Server, *rows: Mapping[str, str], wanted: Wanted = BOTH) -> Fetched:
    site.on(LIST, reply(price_file(rows)))
    task = Task("us-east-1/price-list", "us-east-1", ON_DEMAND)
    return aws.fetch(task, wanted, context(site))


# -- the file -----------------------------------------------------------------------------------


def test_prices_of_the_file_and_their_day(site: Server) -> None:
    found = read_list(
        site,
        price_row("p5.48xlarge", "55.0400000000"),
        *term_rows("p5.48xlarge", "3yr", "standard", "No Upfront", "23.7772800000", "0"),
        price_row("p6-b200.48xlarge", "113.9328000000"),
        price_row("m7i.large", "0.1008000000", GPU="", InstanceFamily="General purpose"),
    )
    assert cells(found) == {
        "p5.48xlarge/on_demand": "55.04",
        "p5.48xlarge/reserved/3y/standard/no_upfront": "23.77728",
        "p6-b200.48xlarge/on_demand": "113.9328",
    }
    (feed,) = found.feeds
    assert (feed.id, feed.date.isoformat()) == ("aws-price-list-2026-11-27", "2026-11-27")
    assert {p.feed for p in found.prices} == {feed.id}
    assert set(found.scopes) == {Scope("us-east-1", ON_DEMAND), Scope("us-east-1", RESERVED)}


RIGHT = price_row("g5.xlarge", "1.0060000000")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        # Each of these rows stands in the real list beside the right one.
        ("OperatingSystem", "Windows"),
        ("OperatingSystem", "RHEL"),
        ("Tenancy", "Dedicated"),
        ("Tenancy", "Host"),
        ("PreInstalledSW", "SQL Std"),
        ("LicenseModel", "Bring your own license"),
        ("CapacityStatus", "UnusedCapacityReservation"),
        ("CapacityStatus", "AllocatedCapacityReservation"),
        ("MarketOption", "CapacityBlock"),
        ("operation", "RunInstances:0002"),
        ("RegionCode", "us-east-1-atl-2"),  # a local zone
        ("ProductFamily", "Dedicated Host"),
        ("Unit", "Quantity"),
    ],
)
def test_rows_that_do_not_count(site: Server, column: str, value: str) -> None:
    # Other columns of the real rows hold the wanted words too (`NA` most of them).
    decoys = {
        "RelatedTo": "NA",
        "Location": "Linux",
        "StartingRange": "Used",
        "EndingRange": "RunInstances",
    }
    wrong = price_row("g5.xlarge", "0.9000000000", **decoys, **{column: value})
    for rows in ((RIGHT, wrong), (wrong, RIGHT)):
        found = read_list(site, *rows)
        assert cells(found) == {"g5.xlarge/on_demand": "1.006"}
        assert found.puzzles == ()


def test_a_price_of_zero_is_none(site: Server) -> None:
    found = read_list(site, RIGHT, price_row("p5.48xlarge", "0.0000000000"))
    assert cells(found) == {"g5.xlarge/on_demand": "1.006"}


def test_bare_metal_counts_shared_and_else_dedicated(site: Server) -> None:
    metal = {"ProductFamily": "Compute Instance (bare metal)"}
    found = read_list(
        site,
        price_row("g4dn.metal", "7.8240000000", **metal),
        price_row("g4dn.metal", "8.6064000000", Tenancy="Dedicated", **metal),
        # Not of the shared instance, which has no such term.
        *(
            row | {"Tenancy": "Dedicated", "Product Family": metal["ProductFamily"]}
            for row in term_rows("g4dn.metal", "1yr", "standard", "No Upfront", "5.4", "0")
        ),
        price_row("g5g.metal", "2.7440000000", Tenancy="Dedicated", **metal),
        price_row("g5.xlarge", "1.1066000000", Tenancy="Dedicated"),
    )
    assert cells(found) == {"g4dn.metal/on_demand": "7.824", "g5g.metal/on_demand": "2.744"}


def test_upfront_fees_are_spread_over_the_term(site: Server) -> None:
    # c5.xlarge in Tokyo, Windows, 1 year (price list of 2025-09-26): 1368 + 0.156/h, or 2714 alone.
    # 1368 / 8760 + 0.156 = 0.312164…; 2714 / 8760 = 0.309817…; 6950 / 26280 = 0.264460…
    found = read_list(
        site,
        *term_rows("g5.xlarge", "1yr", "standard", "No Upfront", "0.3190000000", "0"),
        *term_rows("g5.xlarge", "1yr", "standard", "Partial Upfront", "0.1560000000", "1368"),
        *term_rows("g5.xlarge", "1yr", "standard", "All Upfront", "0.0000000000", "2714"),
        *term_rows("g5.xlarge", "3yr", "convertible", "All Upfront", "0.0000000000", "6950"),
    )
    assert cells(found) == {
        "g5.xlarge/reserved/1y/standard/no_upfront": "0.319",
        "g5.xlarge/reserved/1y/standard/partial_upfront": "0.312164",
        "g5.xlarge/reserved/1y/standard/all_upfront": "0.309817",
        "g5.xlarge/reserved/3y/convertible/all_upfront": "0.26446",
    }


@pytest.mark.parametrize(
    ("parts", "said"),
    [({"hourly": "0.156"}, "Hrs 0.156 USD"), ({"fee": "1368"}, "Quantity 1368 USD")],
    ids=["fee missing", "hours missing"],
)
def test_half_a_term_is_no_price(site: Server, parts: dict[str, str], said: str) -> None:
    found = read_list(
        site, RIGHT, *term_rows("g5.xlarge", "1yr", "standard", "Partial Upfront", **parts)
    )
    assert cells(found) == {"g5.xlarge/on_demand": "1.006"}
    assert found.puzzles == (
        Puzzle(
            "price",
            "g5.xlarge",
            "us-east-1",
            f"reserved/1y/standard/partial_upfront: {said}",
        ),
    )


def test_two_prices_for_one_thing_are_told_and_not_taken(site: Server) -> None:
    found = read_list(site, RIGHT, price_row("g5.xlarge", "1.1"), price_row("g6.xlarge", "0.8048"))
    assert cells(found) == {"g6.xlarge/on_demand": "0.8048"}
    said = "on_demand: Hrs 1.0060000000 USD, Hrs 1.1 USD"
    assert found.puzzles == (Puzzle("price", "g5.xlarge", "us-east-1", said),)
    # What the catalog knows of it stays.
    assert found.scopes == (Scope("us-east-1", ON_DEMAND, ("g5.xlarge",)),)
    # The same row twice is no contradiction.
    assert cells(read_list(site, RIGHT, RIGHT)) == {"g5.xlarge/on_demand": "1.006"}


def test_another_currency_is_told(site: Server) -> None:
    found = read_list(site, RIGHT, price_row("p5.48xlarge", "420.5", Currency="CNY"))
    assert cells(found) == {"g5.xlarge/on_demand": "1.006"}
    assert found.puzzles == (
        Puzzle("price", "p5.48xlarge", "us-east-1", "on_demand: Hrs 420.5 CNY"),
    )


def test_types_with_accelerators_yet_unknown_are_kept(site: Server) -> None:
    found = read_list(
        site,
        price_row("p9.48xlarge", "200", GPU="8"),
        price_row("trn9.48xlarge", "99", GPU=""),  # no GPU count for Trainium
        price_row("q1.48xlarge", "50", GPU="4"),  # a family of another name, with GPUs
        price_row("c7i.large", "0.08925", GPU=""),
    )
    assert set(cells(found)) == {
        "p9.48xlarge/on_demand",
        "trn9.48xlarge/on_demand",
        "q1.48xlarge/on_demand",
    }


def test_what_is_printed_and_never_launched_is_left_out(site: Server) -> None:
    rows = [
        price_row("p5.48xlarge", "92.4672", "sa-east-1"),
        price_row("g5.xlarge", "1.7", "sa-east-1"),
    ]
    site.on(LIST.replace("us-east-1", "sa-east-1"), reply(price_file(rows)))
    task = Task("sa-east-1/price-list", "sa-east-1", ON_DEMAND)
    found = aws.fetch(task, BOTH, context(site))
    assert cells(found) == {"g5.xlarge/on_demand": "1.7"}
    assert [(n.id, n.params["type"]) for n in found.notes] == [
        ("refresh_aws.not_launched", "p5.48xlarge")
    ]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "refresh_aws.strange"),
        ('{"formatVersion": "v1.0"}', "refresh_aws.strange"),
        (price_file([RIGHT]).replace("PricePerUnit", "Price"), "refresh_aws.strange"),
        (price_file([RIGHT])[:-4] + "\n", "refresh_aws.strange"),  # the last row cut
        (price_file([RIGHT | {"PricePerUnit": "n/a"}]), "refresh_aws.strange"),
        (price_file([RIGHT | {"PricePerUnit": "-1"}]), "refresh_aws.strange"),
        (price_file([RIGHT | {"PricePerUnit": "NaN"}]), "refresh_aws.strange"),
        (price_file([]), "refresh_aws.nothing_found"),
        (price_file([RIGHT | {"Operating System": "Windows"}]), "refresh_aws.nothing_found"),
    ],
)
def test_a_file_of_another_shape_makes_the_region_missing(
    site: Server, body: str, reason: str
) -> None:
    site.on(LIST, reply(body))
    with pytest.raises(Missing) as caught:
        aws.fetch(Task("us-east-1/price-list", "us-east-1", ON_DEMAND), BOTH, context(site))
    assert caught.value.reason.id == reason


def test_only_what_was_asked_for(site: Server) -> None:
    rows = (RIGHT, *term_rows("g5.xlarge", "1yr", "standard", "No Upfront", "0.63378", "0"))
    found = read_list(site, *rows, wanted=Wanted((), frozenset({RESERVED})))
    assert cells(found) == {"g5.xlarge/reserved/1y/standard/no_upfront": "0.63378"}
    assert found.scopes == (Scope("us-east-1", RESERVED),)


# -- the page behind the web site's table -------------------------------------------------------

LOCATIONS = {
    "EU (Frankfurt)": {
        "name": "EU (Frankfurt)", "code": "eu-central-1", "type": "AWS Region",
        "label": "Europe (Frankfurt)",
    },
    "US East (Atlanta)": {"name": "US East (Atlanta)", "code": "us-east-1-atl-1", "type": "AWS Local Zone"},
}  # fmt: skip
PAGE = (
    "/pricing/2.0/meteredUnitMaps/ec2/USD/current/ec2-ondemand-without-sec-sel/"
    "EU%20%28Frankfurt%29/Linux/index.json"
)


def page(**entries: Any) -> dict[str, Any]:
    return {
        "manifest": {
            "serviceId": "ec2",
            "currencyCode": "USD",
            "hawkFilePublicationDate": "2026-11-20T19:55:14Z",
        },
        "regions": {
            # Keys are compound and no type names.
            "EU (Frankfurt)": {
                f"{name.replace('.', ' ')} EU Frankfurt Linux": {
                    "rateCode": "X",
                    "price": price,
                    "Location": "EU (Frankfurt)",
                    "Instance Type": name,
                    "Operating System": "Linux",
                }
                for name, price in entries.items()
            }
        },
    }


def test_the_page_has_on_demand_and_takes_nothing_as_gone(site: Server) -> None:
    site.on("/locations/1.0/aws/current/locations.json", reply(LOCATIONS))
    # The page is served as gzip without saying so.
    body = reply(page(**{"g5.xlarge": "1.2580000000", "t3.micro": "0.012"}), packed=True)
    site.on(PAGE, body._replace(headers={}))
    task = Task("eu-central-1/on-demand-page", "eu-central-1", ON_DEMAND)
    found = aws.fetch(task, Wanted((), frozenset({ON_DEMAND})), context(site))
    assert cells(found) == {"g5.xlarge/on_demand": "1.258"}
    assert found.feeds[0].date.isoformat() == "2026-11-20"
    # It lacks previous generations (g2, p2, g3): their silence means nothing.
    assert found.scopes == ()


def test_a_region_without_a_page_is_missing(site: Server) -> None:
    site.on("/locations/1.0/aws/current/locations.json", reply(LOCATIONS))
    with pytest.raises(Missing) as caught:
        task = Task("us-east-1/on-demand-page", "us-east-1", ON_DEMAND)
        aws.fetch(task, BOTH, context(site))
    assert caught.value.reason.id == "refresh_aws.no_page"


# -- the API ------------------------------------------------------------------------------------


def offers(*names: str) -> Any:
    rows = [{"instanceType": n, "locationType": "region", "location": "us-east-1"} for n in names]
    return lambda _: xml("DescribeInstanceTypeOfferings", instanceTypeOfferingSet=rows)


def products(*items: str) -> Any:
    """Two queries come: shared instances and bare metal."""

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        families = [f["Value"] for f in asked["Filters"] if f["Field"] == "productFamily"]
        return {
            "FormatVersion": "aws_v1",
            "PriceList": list(items) if families == ["Compute Instance"] else [],
        }

    return answer


def read_api(account: Server, answers: dict[str, Any], region: str = "us-east-1") -> Fetched:
    account.seen.clear()
    account.on("/*", answering(answers))
    return aws.fetch(Task(f"{region}/prices", region, ON_DEMAND), BOTH, context())


def test_prices_of_the_api(account: Server) -> None:
    terms = {
        **on_demand("1.0060000000"),
        "Reserved": {
            "S.A": reserved("1yr", "standard", "No Upfront", "0.6337800000"),
            "S.B": reserved("1yr", "standard", "All Upfront", "0.0000000000", "5184"),
            "S.C": reserved("3yr", "convertible", "Partial Upfront", "0.2", "6000"),
        },
    }
    found = read_api(
        account,
        {
            "GetProducts": products(
                price_item("g5.xlarge", terms), price_item("m5.large", on_demand("0.096"), gpu="")
            ),
            "DescribeInstanceTypeOfferings": offers("g5.xlarge", "m5.large"),
        },
    )
    assert cells(found) == {
        "g5.xlarge/on_demand": "1.006",
        "g5.xlarge/reserved/1y/standard/no_upfront": "0.63378",
        # 5184 / 8760; 6000 / 26280 + 0.2
        "g5.xlarge/reserved/1y/standard/all_upfront": "0.591781",
        "g5.xlarge/reserved/3y/convertible/partial_upfront": "0.428311",
    }
    assert found.feeds[0].id == "aws-pricing-api-2026-11-27"
    asked = [r.json() for r in account.seen if "X-Amz-Target" in r.headers]
    assert {f["Field"]: f["Value"] for f in asked[0]["Filters"]} == {
        "regionCode": "us-east-1",
        "operatingSystem": "Linux",
        "preInstalledSw": "NA",
        "capacitystatus": "Used",
        "marketoption": "OnDemand",
        "licenseModel": "No License required",
        "operation": "RunInstances",
        "productFamily": "Compute Instance",
        "tenancy": "Shared",
    }


def test_types_that_the_region_does_not_offer_have_no_price(account: Server) -> None:
    found = read_api(
        account,
        {
            "GetProducts": products(
                price_item("g5.xlarge", on_demand("1.006")),
                price_item("g6.xlarge", on_demand("0.8048")),
                # Retired, and the catalog knows: its printed price stays with its shape.
                price_item("g3.4xlarge", on_demand("1.14")),
            ),
            "DescribeInstanceTypeOfferings": offers("g5.xlarge"),
        },
    )
    assert cells(found) == {"g3.4xlarge/on_demand": "1.14", "g5.xlarge/on_demand": "1.006"}


def test_offers_that_cannot_be_read_leave_a_note(account: Server) -> None:
    found = read_api(
        account,
        {
            "GetProducts": products(price_item("g5.xlarge", on_demand("1.006"))),
            "DescribeInstanceTypeOfferings": lambda _: refusal("AuthFailure"),
        },
    )
    assert cells(found) == {"g5.xlarge/on_demand": "1.006"}
    assert [note.id for note in found.notes] == ["refresh_aws.offers_unknown"]


def test_a_product_that_slips_through_the_filters_is_sorted_out(account: Server) -> None:
    found = read_api(
        account,
        {
            "GetProducts": products(
                price_item("g5.xlarge", on_demand("1.006")),
                price_item("g5.xlarge", on_demand("0"), marketoption="CapacityBlock"),
                price_item("g5.xlarge", on_demand("1.19"), licenseModel="Bring your own license"),
                price_item("g5.xlarge", on_demand("1.3"), regionCode="us-east-1-atl-2"),
            ),
            "DescribeInstanceTypeOfferings": offers("g5.xlarge"),
        },
    )
    assert cells(found) == {"g5.xlarge/on_demand": "1.006"}
    assert found.puzzles == ()


def test_bare_metal_is_asked_for_apart(account: Server) -> None:
    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        said = {f["Field"]: f["Value"] for f in asked["Filters"]}
        metal = said["productFamily"] == "Compute Instance (bare metal)"
        # Karpenter asks for dedicated ones, as some metal has no others.
        assert ("tenancy" in said) != metal
        item = price_item(
            "g4dn.metal", on_demand("7.824"), family=said["productFamily"], tenancy="Dedicated"
        )
        return {"PriceList": [item] if metal else []}

    found = read_api(
        account,
        {"GetProducts": answer, "DescribeInstanceTypeOfferings": offers("g4dn.metal")},
    )
    assert cells(found) == {"g4dn.metal/on_demand": "7.824"}


def test_every_page_is_read_and_a_page_again_ends_it(account: Server) -> None:
    pages = {
        None: {"PriceList": [price_item("g5.xlarge", on_demand("1.006"))], "NextToken": "two"},
        "two": {"PriceList": [price_item("g6.xlarge", on_demand("0.8048"))]},
    }
    answers = {
        "GetProducts": lambda asked: pages[asked.get("NextToken")],
        "DescribeInstanceTypeOfferings": offers("g5.xlarge", "g6.xlarge"),
    }
    assert set(cells(read_api(account, answers))) == {"g5.xlarge/on_demand", "g6.xlarge/on_demand"}
    pages["two"]["NextToken"] = "two"
    with pytest.raises(Missing) as caught:
        read_api(account, answers)
    assert caught.value.reason.id == "refresh_aws.refused"


@pytest.mark.parametrize(
    "answer",
    [
        {"PriceList": ["{"]},
        {"PriceList": ['{"product": {}}']},
        {"PriceList": "g5"},
        {"Other": []},
    ],
)
def test_an_answer_of_another_shape_makes_the_region_missing(
    account: Server, answer: dict[str, Any]
) -> None:
    with pytest.raises(Missing):
        read_api(
            account,
            {"GetProducts": lambda _: answer, "DescribeInstanceTypeOfferings": offers()},
        )


# -- size ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_file_of_200_mb_is_read_in_little_memory(site: Server) -> None:
    """Measured on 2026-11-30: 2.5 s of one core, and 9 MiB more resident memory."""
    other = price_row("m7i.large", "0.1008", OperatingSystem="Windows", GPU="")
    dull = price_file([other | {"PriceDescription": "x" * 400}] * 1000).split("\n", 6)[6]
    body = price_file([RIGHT]) + dull * (200 * 2**20 // len(dull))
    site.on(LIST, reply(body))
    del body
    moved: list[int] = []
    way = context(site, ends_in=120)._replace(transport=http(120, moved.append))
    tracemalloc.start()
    try:
        found = aws.fetch(Task("us-east-1/price-list", "us-east-1", ON_DEMAND), BOTH, way)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert cells(found) == {"g5.xlarge/on_demand": "1.006"}
    assert sum(moved) > 199 * 2**20
    assert peak < 16 * 2**20
