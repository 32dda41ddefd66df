"""`catalog refresh aws` from the command line: moto for EC2, loopback for the price list's API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .aws_rest import ACCOUNT_ID, SECRET, on_demand, price_item
from .aws_rest import aws as answering
from .server import Server
from .test_aws_savings_plans import rate

server = pytest.importorskip("moto.server")

PRICES = {"g5.xlarge": "1.006", "p5.48xlarge": "55.04", "p5en.48xlarge": "60"}
PARTS = "shapes,on-demand,reserved,savings-plan"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    def products(asked: Any) -> Any:
        shared = any(f["Value"] == "Shared" for f in asked["Filters"])
        items = [price_item(name, on_demand(price)) for name, price in PRICES.items()]
        return {"PriceList": items if shared else []}

    def plans(_: Any) -> Any:
        return {"searchResults": [rate("p5.48xlarge", "34.6752")]}

    ec2 = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    ec2.start()
    host, port = ec2.get_host_and_port()
    home = tmp_path_factory.mktemp("home")
    with Server() as others:
        others.on(
            "/*",
            answering({"GetProducts": products, "DescribeSavingsPlansOfferingRates": plans}),
        )
        yield {
            **{k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "GPUADVISOR_"))},
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_ENDPOINT_URL": others.address,
            "AWS_ENDPOINT_URL_EC2": f"http://{host}:{port}",
        }
    ec2.stop()


def gpuadvisor(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpuadvisor", *words],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


def test_a_refreshed_catalog_validates_differs_and_recommends(
    environment: dict[str, str], tmp_path: Path
) -> None:
    words = ("catalog", "refresh", "aws", "--region", "us-east-1", "--only", PARTS)
    out = ("--output", str(tmp_path), "--today", "2026-11-30", "--accept")
    done = gpuadvisor(environment, *words, *out)
    assert done.returncode == 0, done.stderr
    for secret in (SECRET, ACCOUNT_ID, "AKIA"):
        assert secret not in done.stdout + done.stderr
    prices = (tmp_path / "providers/aws/prices/2026.11.yaml").read_text()
    assert "aws-pricing-api-2026-11-27" in prices

    overlay = ("--catalog", str(tmp_path))
    diff = gpuadvisor(environment, "catalog", "diff", "aws@2026.10", *overlay, "--format", "json")
    assert diff.returncode == 0, diff.stderr
    changes = json.loads(diff.stdout)["changes"]
    (moved,) = [c for c in changes if c["option"] == "on_demand"]
    assert (moved["instance_type"], moved["region"], moved["after"]) == (
        "p5en.48xlarge", "us-east-1", "60",
    )  # fmt: skip
    shown = gpuadvisor(
        environment, "recommend", "--workload", "llm-chat", "--budget", "100000",
        "--device", "H200-141GB", "--provider", "aws", "--region", "us-east-1", *overlay,
        "--today", "2026-11-30", "--format", "json",
    )  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    best = json.loads(shown.stdout)["options"][0]
    assert best["instance_type"] == "p5en.48xlarge"
    assert (best["price"]["per_hour"], best["price"]["as_of"]) == ("60", "2026-11-27")
