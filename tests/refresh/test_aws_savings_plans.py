"""Savings Plans of AWS: the region's file and the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from gpuadvisor.catalog.model import SAVINGS_PLAN
from gpuadvisor.refresh import aws
from gpuadvisor.refresh.aws_savings_plans import box_type
from gpuadvisor.refresh.interface import Fetched, Missing, Scope, Task, Wanted

from .aws_rest import (
    aws as answering,
)
from .aws_rest import (
    cells,
    context,
    plan_file,
    plan_row,
    refusal,
)
from .server import Server, reply

INDEX = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/region_index.json"
FILE = "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/20261125000000/{}/index.{}"
WANTED = Wanted((), frozenset({SAVINGS_PLAN}))
INSTANCE = "EC2InstanceSavingsPlans"


@pytest.fixture
def site() -> Iterator[Server]:
    with Server() as found:
        regions = [
            {"regionCode": r, "versionUrl": FILE.format(r, "json")}
            for r in ("us-east-1", "eu-central-1")
        ]
        found.on(INDEX, reply({"formatVersion": "v1.0", "regions": regions}))
        yield found


def read(
    site: Server, *rows: Mapping[str, str], region: str = "us-east-1", quoted: bool = True
) -> Fetched:
    site.on(FILE.format(region, "csv"), reply(plan_file(rows, quoted=quoted)))
    return aws.fetch(
        Task(f"{region}/savings-plans-file", region, SAVINGS_PLAN), WANTED, context(site)
    )


@pytest.mark.parametrize(
    ("usage", "name"),
    [
        ("BoxUsage:p5.48xlarge", "p5.48xlarge"),
        ("EUC1-BoxUsage:p6-b200.48xlarge", "p6-b200.48xlarge"),  # a dash in the type
        ("UGW1-BoxUsage:g4dn.xlarge", "g4dn.xlarge"),
        ("APN1-DedicatedUsage:g5.xlarge", None),  # 1.1 times the rate (instances.vantage.sh)
        ("APN1-UnusedBox:g5.xlarge", None),
        ("APN1-UnusedDed:g5.xlarge", None),
        ("APN1-HostBoxUsage:g5.xlarge", None),
        ("HostBoxUsage:g5.xlarge", None),
        ("APN1-Fargate-GB-Hours", None),
        ("BoxUsage", None),
    ],
)
def test_usage_types(usage: str, name: str | None) -> None:
    assert box_type(usage) == name


@pytest.mark.parametrize("quoted", [True, False])
def test_rates_of_the_file(site: Server, quoted: bool) -> None:
    # us-east-1, 2026-09-25: p5.48xlarge 34.6752 and 23.77728 (EC2 Instance), p6-b200 89.72208
    # (Compute; P6 has no plan of one year bound to the instance).
    found = read(
        site,
        plan_row("BoxUsage:p5.48xlarge", "34.6752", INSTANCE),
        plan_row("BoxUsage:p5.48xlarge", "23.77728", INSTANCE, years="3"),
        plan_row("BoxUsage:p5.48xlarge", "32.5", INSTANCE, payment="All Upfront"),
        plan_row("BoxUsage:p6-b200.48xlarge", "89.72208"),
        plan_row("BoxUsage:m7i.large", "0.07"),
        quoted=quoted,
    )
    assert cells(found) == {
        "p5.48xlarge/savings_plan/1y/ec2_instance/all_upfront": "32.5",
        "p5.48xlarge/savings_plan/1y/ec2_instance/no_upfront": "34.6752",
        "p5.48xlarge/savings_plan/3y/ec2_instance/no_upfront": "23.77728",
        "p6-b200.48xlarge/savings_plan/1y/compute/no_upfront": "89.72208",
    }
    assert found.feeds[0].id == "aws-savings-plans-2026-11-25"
    assert found.scopes == (Scope("us-east-1", SAVINGS_PLAN),)
    assert [r.path for r in site.seen] == [INDEX, FILE.format("us-east-1", "csv")]


RIGHT = plan_row("BoxUsage:g5.xlarge", "0.63378", INSTANCE)


@pytest.mark.parametrize(
    "wrong",
    [
        plan_row("DedicatedUsage:g5.xlarge", "0.697158", INSTANCE),
        plan_row("UnusedBox:g5.xlarge", "0.61", INSTANCE),
        plan_row("HostBoxUsage:g5.xlarge", "0.6", INSTANCE),
        plan_row("BoxUsage:g5.xlarge", "0.8178", INSTANCE, DiscountedOperation="RunInstances:0002"),
        plan_row("BoxUsage:g5.xlarge", "0.5", INSTANCE, DiscountedServiceCode="AmazonEKS"),
        plan_row("BoxUsage:g5.xlarge", "0.5", INSTANCE, region="us-east-1-atl-2"),
        plan_row("BoxUsage:g5.xlarge", "0.5", INSTANCE, years="2"),
        plan_row("BoxUsage:g5.xlarge", "0.5", "SageMakerSavingsPlans"),
        plan_row("BoxUsage:g5.xlarge", "0.5", INSTANCE, Unit="GB"),
        plan_row("BoxUsage:g5.xlarge", "0.5", INSTANCE, payment="Some Upfront"),
        plan_row("BoxUsage:p5.48xlarge", "0", INSTANCE),
    ],
)
def test_rows_that_do_not_count(site: Server, wrong: Mapping[str, str]) -> None:
    for rows in ((RIGHT, wrong), (wrong, RIGHT)):
        found = read(site, *rows)
        assert cells(found) == {"g5.xlarge/savings_plan/1y/ec2_instance/no_upfront": "0.63378"}
        assert found.puzzles == ()


def test_two_rates_and_another_currency_are_told(site: Server) -> None:
    found = read(
        site,
        RIGHT,
        plan_row("BoxUsage:g6.xlarge", "0.52", INSTANCE),
        plan_row("BoxUsage:g6.xlarge", "0.53", INSTANCE),
        plan_row("BoxUsage:p5.48xlarge", "250", INSTANCE, Currency="CNY"),
    )
    assert list(cells(found)) == ["g5.xlarge/savings_plan/1y/ec2_instance/no_upfront"]
    assert found.scopes == (Scope("us-east-1", SAVINGS_PLAN, ("g6.xlarge", "p5.48xlarge")),)
    assert [(p.name, p.detail) for p in found.puzzles] == [
        ("g6.xlarge", "savings_plan/1y/ec2_instance/no_upfront: 0.52 USD, 0.53 USD"),
        ("p5.48xlarge", "savings_plan/1y/ec2_instance/no_upfront: 250 CNY"),
    ]


@pytest.mark.parametrize(
    ("index", "reason"),
    [
        ({"regions": []}, "refresh_aws.no_savings_plans"),
        ({"regions": {}}, "refresh_aws.no_savings_plans"),
        ([], "refresh_aws.strange"),
        (
            {
                "regions": [
                    {"regionCode": "us-east-1", "versionUrl": "https://example.net/index.json"}
                ]
            },
            "refresh_aws.strange",
        ),
    ],
)
def test_an_index_of_another_shape(site: Server, index: Any, reason: str) -> None:
    site.on(INDEX, reply(index))
    with pytest.raises(Missing) as caught:
        read(site, RIGHT)
    assert caught.value.reason.id == reason


def test_a_file_without_a_known_type_is_missing(site: Server) -> None:
    with pytest.raises(Missing) as caught:
        read(site, plan_row("BoxUsage:m7i.large", "0.07"))
    assert caught.value.reason.id == "refresh_aws.nothing_found"


# -- the API ------------------------------------------------------------------------------------


def rate(name: str, price: str, plan: str = "EC2Instance", **said: Any) -> dict[str, Any]:
    """One element of `searchResults`."""
    offering = {
        "offeringId": "1d9c3a4e-0000-0000-0000-000000000000",
        "paymentOption": said.pop("payment", "No Upfront"),
        "planType": plan,
        "durationSeconds": said.pop("seconds", 31_536_000),
        "currency": "USD",
        "planDescription": "1 year No Upfront",
    }
    properties = {"region": "us-east-1", "tenancy": "shared", **said.pop("properties", {})}
    return {
        "savingsPlanOffering": offering,
        "rate": price,
        "unit": "Hrs",
        "productType": "EC2",
        "serviceCode": "AmazonEC2",
        "usageType": f"BoxUsage:{name}",
        "operation": "RunInstances",
        "properties": [{"name": k, "value": v} for k, v in properties.items()],
        **said,
    }


def ask(account: Server, *pages: Any) -> Fetched:
    """Pages by token: the first has none, then `1`, `2`, …"""

    def answer(asked: Mapping[str, Any]) -> Any:
        endless = len(account.seen) > 2 * len(pages)
        return refusal("Endless") if endless else pages[int(asked.get("nextToken", 0))]

    account.seen.clear()
    account.on("/*", answering({"DescribeSavingsPlansOfferingRates": answer}))
    return aws.fetch(Task("us-east-1/savings-plans", "us-east-1", SAVINGS_PLAN), WANTED, context())


def test_rates_of_the_api_over_all_pages(account: Server) -> None:
    found = ask(
        account,
        {"searchResults": [rate("p5.48xlarge", "34.6752")], "nextToken": "1"},
        {
            "searchResults": [
                rate("p5.48xlarge", "23.77728", seconds=94_608_000),
                rate("p5.48xlarge", "40", "Compute", payment="Partial Upfront"),
                # The filters let them through; we do not.
                rate("p5.48xlarge", "38.1", usageType="DedicatedUsage:p5.48xlarge"),
                rate("p5.48xlarge", "1", "SageMaker"),
                rate("p5.48xlarge", "1", seconds=15_768_000),
                rate("p5.48xlarge", "1", operation="RunInstances:0002"),
                rate("p5.48xlarge", "1", unit="Sec"),
                rate("p5.48xlarge", "1", properties={"region": "us-west-2"}),
                rate("p5.48xlarge", "1", properties={"tenancy": "dedicated"}),
            ]
        },
    )
    assert cells(found) == {
        "p5.48xlarge/savings_plan/1y/compute/partial_upfront": "40",
        "p5.48xlarge/savings_plan/1y/ec2_instance/no_upfront": "34.6752",
        "p5.48xlarge/savings_plan/3y/ec2_instance/no_upfront": "23.77728",
    }
    assert found.puzzles == ()
    assert found.feeds[0].id == "aws-savings-plans-api-2026-11-30"
    asked = account.seen[0].json()
    assert asked["savingsPlanTypes"] == ["Compute", "EC2Instance"]
    filters = {f["name"]: f["values"] for f in asked["filters"]}
    assert filters.pop("instanceFamily") >= ["dl1"]
    assert filters == {
        "region": ["us-east-1"],
        "tenancy": ["shared"],
        "productDescription": ["Linux/UNIX"],
    }


def test_a_page_that_comes_again_ends_it(account: Server) -> None:
    again = {"searchResults": [rate("p5.48xlarge", "34.6752")], "nextToken": "1"}
    with pytest.raises(Missing) as caught:
        ask(account, again, again)
    assert caught.value.reason.id == "refresh_aws.endless"
    assert len(account.seen) == 2


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ({"searchResults": [{"rate": "1"}]}, "refresh_aws.strange"),
        ({"searchResults": [rate("p5.48xlarge", "free")]}, "refresh_aws.strange"),
        ({"searchResults": []}, "refresh_aws.nothing_found"),
    ],
)
def test_an_answer_of_another_shape(account: Server, page: Any, reason: str) -> None:
    with pytest.raises(Missing) as caught:
        ask(account, page)
    assert caught.value.reason.id == reason


def test_a_refusal_is_the_region_s(account: Server) -> None:
    with pytest.raises(Missing) as caught:
        ask(account, refusal("AccessDeniedException"))
    assert caught.value.reason.params["region"] == "us-east-1"
