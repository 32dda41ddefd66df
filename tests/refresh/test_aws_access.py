"""Which way in an AWS refresh takes, what it may do there, and how it says no."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.refresh import aws, aws_account
from gpuadvisor.refresh.aws_policy import PARTS, policy
from gpuadvisor.refresh.interface import Missing, Task, Wanted
from gpuadvisor.report.messages import template

from .aws_rest import (
    ACCOUNT_ID,
    SECRET,
    context,
    refusal,
    xml,
)
from .aws_rest import (
    aws as answering,
)
from .server import Reply, Server, closed_port, reply

INDEX = "/offers/v1.0/aws/AmazonEC2/current/region_index.json"
KEYLESS = {"keyless": "1"}


@pytest.fixture
def site() -> Iterator[Server]:
    with Server() as found:
        found.on(
            INDEX,
            reply(
                {
                    "regions": {
                        code: {"regionCode": code, "currentVersionUrl": f"/x/{code}/index.json"}
                        for code in (
                            "us-east-1",
                            "us-gov-west-1",
                            "us-west-2-lax-1",
                            "mx-central-1",
                        )
                    }
                }
            ),
        )
        yield found


@pytest.fixture
def without_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[None]:
    for name in [n for n in os.environ if n.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    aws_account.forget()
    yield
    aws_account.forget()


def keys(tasks: Any) -> list[str]:
    return [task.key for task in tasks]


# -- the plan -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            set(),
            [
                "keyless",
                "mx-central-1/new-region",
                "us-east-1/price-list",
                "us-east-1/savings-plans-file",
                "us-gov-west-1/price-list",
                "us-gov-west-1/savings-plans-file",
                "spot-lowest",
                "spot-advisor",
            ],
        ),
        # Without reserved terms some ten KB do, in the place of some hundred MB.
        (
            {"on_demand"},
            [
                "mx-central-1/new-region",
                "us-east-1/on-demand-page",
                "us-gov-west-1/on-demand-page",
            ],
        ),
        (
            {"reserved"},
            ["mx-central-1/new-region", "us-east-1/price-list", "us-gov-west-1/price-list"],
        ),
        ({"spot"}, ["spot-lowest", "spot-advisor"]),
        ({"spot", "shapes"}, ["keyless", "spot-lowest", "spot-advisor"]),
    ],
)
def test_plan_without_credentials(
    site: Server, without_credentials: None, parts: set[str], expected: list[str]
) -> None:
    wanted = Wanted((), frozenset(parts))
    assert keys(aws.plan(wanted, context(site))) == expected


def test_keyless_on_demand_even_with_credentials(site: Server, account: Server) -> None:
    wanted = Wanted(("us-east-1",), frozenset({"on_demand", "reserved"}), KEYLESS)
    assert keys(aws.plan(wanted, context(site))) == ["us-east-1/price-list"]


def test_what_only_an_account_has_is_said(site: Server, without_credentials: None) -> None:
    wanted = Wanted((), frozenset())
    found = aws.fetch(Task("keyless", "", "shapes"), wanted, context(site))
    assert [n.params["parts"] for n in found.notes] == ["shapes, capacity_block"]
    with pytest.raises(UsageError) as caught:
        aws.plan(Wanted((), frozenset({"shapes"})), context(site))
    assert caught.value.message.id == "refresh_aws.needs_account"


def test_plan_with_an_account(account: Server) -> None:
    regions = [
        {"regionName": "us-east-1", "optInStatus": "opt-in-not-required"},
        {"regionName": "me-south-1", "optInStatus": "not-opted-in"},
        {"regionName": "mx-central-1", "optInStatus": "not-opted-in"},
    ]
    seen: list[Any] = []

    def described(asked: Any) -> Reply:
        seen.append(asked)
        return xml("DescribeRegions", regionInfo=regions)

    account.on("/*", answering({"DescribeRegions": described}))
    tasks = keys(aws.plan(Wanted((), frozenset()), context()))
    assert seen[0]["AllRegions"] == "true"
    assert [k for k in tasks if k.startswith("us-east-1/")] == [
        "us-east-1/prices",
        "us-east-1/savings-plans",
        "us-east-1/shapes",
        "us-east-1/spot",
        "us-east-1/capacity-blocks",
    ]
    assert "me-south-1/spot" in tasks  # it will refuse, and be marked missing
    # The price list reaches where this account does not.
    assert [k for k in tasks if k.startswith("us-gov-west-1/")] == [
        "us-gov-west-1/prices",
        "us-gov-west-1/savings-plans",
    ]
    assert [k for k in tasks if k.startswith("mx-central-1/")] == ["mx-central-1/new-region"]


@pytest.mark.parametrize("keyless", [{}, KEYLESS])
def test_an_unknown_region_is_a_wrong_request(
    account: Server, site: Server, keyless: dict[str, str]
) -> None:
    answer = xml("DescribeRegions", regionInfo=[{"regionName": "us-east-1"}])
    account.on("/*", answering({"DescribeRegions": lambda _: answer}))
    with pytest.raises(UsageError) as caught:
        aws.plan(Wanted(("us-east-9",), frozenset(), keyless), context(site))
    assert "us-east-1" in str(caught.value.message.params["nearest"])


def test_a_part_that_aws_does_not_sell(site: Server) -> None:
    with pytest.raises(UsageError) as caught:
        aws.plan(Wanted((), frozenset({"flex_start"}), KEYLESS), context(site))
    assert caught.value.message.id == "refresh_aws.no_such_part"


@pytest.mark.parametrize("index", [{}, {"regions": []}, {"regions": {}}, []])
def test_no_list_of_regions_is_no_refresh(site: Server, index: Any) -> None:
    site.on(INDEX, reply(index))
    with pytest.raises(Missing):
        aws.plan(Wanted((), frozenset({"reserved"}), KEYLESS), context(site))


# -- refusals -------------------------------------------------------------------------------------

ARN = f"arn:aws:iam::{ACCOUNT_ID}:user/someone is not authorized, key AKIAIOSFODNN7EXAMPLE"


def spot(region: str = "me-south-1") -> Callable[[], Any]:
    wanted = Wanted((), frozenset({"spot"}))
    return lambda: aws.fetch(Task(f"{region}/spot", region, "spot"), wanted, context())


@pytest.mark.parametrize(
    ("code", "id"),
    [
        ("AuthFailure", "not_opted_in"),
        ("OptInRequired", "not_opted_in"),
        ("UnauthorizedOperation", "forbidden"),
        ("ExpiredToken", "expired"),
        ("RequestLimitExceeded", "throttled"),
        ("Throttling", "throttled"),
        ("InternalError", "refused"),
    ],
)
def test_a_refusal_marks_the_region_missing_and_tells_no_secret(
    account: Server, code: str, id: str
) -> None:
    account.on("/*", answering({"DescribeSpotPriceHistory": lambda _: refusal(code, ARN)}))
    with pytest.raises(Missing) as caught:
        spot()()
    reason = caught.value.reason
    assert reason.id == f"refresh_aws.{id}"
    assert reason.params == {"region": "me-south-1", "code": code}
    for language in ("en", "zh"):
        text = template(reason.id, language).format_map(reason.params)
        assert ACCOUNT_ID not in text
        assert SECRET not in text
        assert "AKIA" not in text
    # Nor in what a traceback would print.
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("answer", "id"),
    [
        (reply("<DescribeSpotPriceHistoryResponse><spot", headers={"Content-Type": "text/xml"}), "garbled"),
        (reply(b"", 200), "garbled"),
        (reply(reset=True), "unreachable"),
        (reply("no XML", 502), "garbled"),
        (refusal("Unavailable", status=503), "refused"),
    ],
)  # fmt: skip
def test_an_answer_that_is_none(account: Server, answer: Reply, id: str) -> None:
    account.on("/*", answer)
    with pytest.raises(Missing) as caught:
        spot()()
    assert caught.value.reason.id == f"refresh_aws.{id}"


def test_a_time_stamp_that_is_none(account: Server) -> None:
    row = {
        "instanceType": "g5.xlarge",
        "availabilityZoneId": "use1-az1",
        "productDescription": "Linux/UNIX",
        "spotPrice": "0.4",
        "timestamp": "yesterday",
    }
    answer = xml("DescribeSpotPriceHistory", spotPriceHistorySet=[row])
    account.on("/*", answering({"DescribeSpotPriceHistory": lambda _: answer}))
    with pytest.raises(Missing) as caught:
        spot()()
    assert caught.value.reason.id == "refresh_aws.garbled"


def test_throttling_passes_when_it_ends(account: Server) -> None:
    first = [refusal("RequestLimitExceeded")]
    last = xml("DescribeSpotPriceHistory", spotPriceHistorySet=[])

    def answer(_: Any) -> Reply:
        return first.pop() if first else last

    account.on("/*", answering({"DescribeSpotPriceHistory": answer}))
    assert spot()().prices == ()


def test_a_region_is_tried_twice_and_not_waited_for(account: Server) -> None:
    account.seen.clear()
    down = refusal("InternalError", status=500)
    account.on("/*", answering({"DescribeSpotPriceHistory": lambda _: down}))
    with pytest.raises(Missing):
        spot("eu-south-2")()
    assert len(account.seen) == 2
    config = aws_account.client("ec2", "eu-south-2").meta.config
    assert (config.connect_timeout, config.retries["mode"]) == (5, "adaptive")
    home = aws_account.client("pricing", "us-east-1").meta.config
    assert home.retries["total_max_attempts"] == 8


def test_regions_are_read_in_threads(account: Server) -> None:
    def answer(asked: Any) -> Reply:
        row = {
            "instanceType": "g5.xlarge",
            "availabilityZoneId": f"{asked['Region']}x-az1".replace("-", "", 2),
            "productDescription": "Linux/UNIX",
            "spotPrice": "0.4",
            "timestamp": "2026-11-30T08:00:00.000Z",
        }
        return xml("DescribeSpotPriceHistory", spotPriceHistorySet=[row])

    account.on("/*", answering({"DescribeSpotPriceHistory": answer}))
    regions = ["us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-west-1", "eu-west-2"]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda region: spot(region)(), regions))
    assert [f.prices[0].region for f in found] == regions


def test_nobody_listens(without_credentials: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with closed_port() as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        aws_account.forget()
        with pytest.raises(Missing) as caught:
            spot()()
    assert caught.value.reason.id == "refresh_aws.unreachable"


def test_a_region_that_is_silent_times_out(
    without_credentials: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aws_account, "_READ_SECONDS", 0.2)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()  # accepts, and says nothing
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{held.getsockname()[1]}")
        aws_account.forget()
        with pytest.raises(Missing) as caught:
            spot()()
    assert caught.value.reason.id == "refresh_aws.timed_out"


def test_credentials_that_are_half_there(
    without_credentials: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    aws_account.forget()
    assert not aws_account.has_credentials()


# -- permissions ----------------------------------------------------------------------------------


def actions(text: str) -> set[str]:
    document = json.loads(text)
    assert document["Version"] == "2012-10-17"
    sids = [s["Sid"] for s in document["Statement"]]
    assert len(sids) == len(set(sids))
    assert all(re.fullmatch(r"[A-Za-z0-9]+", sid) for sid in sids)
    assert all((s["Effect"], s["Resource"]) == ("Allow", "*") for s in document["Statement"])
    return {action for s in document["Statement"] for action in s["Action"]}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"spot"}, {"ec2:DescribeSpotPriceHistory"}),
        ({"on_demand"}, {"pricing:GetProducts", "ec2:DescribeInstanceTypeOfferings"}),
        ({"reserved"}, {"pricing:GetProducts", "ec2:DescribeInstanceTypeOfferings"}),
        ({"savings_plan"}, {"savingsplans:DescribeSavingsPlansOfferingRates"}),
        ({"shapes"}, {"ec2:DescribeInstanceTypes"}),
        (
            {"capacity_block"},
            {"ec2:DescribeCapacityBlockOfferings", "ec2:DescribeInstanceTypes"},
        ),
    ],
)
def test_the_policy_of_a_part(parts: set[str], expected: set[str]) -> None:
    assert actions(policy(parts)) == {"ec2:DescribeRegions", *expected}


def test_the_whole_policy_only_reads() -> None:
    (whole,) = aws.permissions()
    assert actions(whole.body) == set().union(*(actions(policy({part})) for part in PARTS))
    assert all(
        re.fullmatch(r"[a-z0-9]+:(Describe|Get)\w+", action) for action in actions(whole.body)
    )


def test_no_sdk_is_imported_before_it_is_used() -> None:
    code = (
        "import sys; from gpuadvisor.refresh import aws; aws.permissions();"
        "print(sorted({m.partition('.')[0] for m in sys.modules} & {'boto3', 'botocore', 'urllib3'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
