"""Oracle and Alibaba from their lists to an answer, on a copy of the shipped catalogs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh import alibaba, oci
from tests.cli.run import gpuadvisor
from tests.refresh.cloud import TODAY
from tests.refresh.server import Server, reply
from tests.refresh.test_alibaba import LIST_PATH, PAGE
from tests.refresh.test_oci import product, shape

ROOT = Path(__file__).resolve().parents[2]


def _others(folder: str, names: list[str]) -> list[str]:
    return [n for n in names if n not in ("oci", "alibaba")] if folder.endswith("providers") else []


def oracle(server: Server, catalog: Catalog) -> None:
    """The lists as they would be if nothing had changed but one rate: H100 from 10 to 11."""
    products, shapes = [], []
    offers = {
        o.instance_type: o
        for o in catalog.offers("oci", regions=["us-ashburn-1"], options=["on_demand"])
    }
    spot = {o.instance_type for o in catalog.offers("oci", options=["spot"])}
    for name, offer in sorted(offers.items()):
        item: InstanceType = catalog.instance_types()["oci", name]
        rate = 11 if item.device == "H100-80GB-SXM" else float(offer.price / int(item.devices))
        products.append(product(f"B-{name}", f"Compute - GPU - {name}", rate))
        shapes.append(shape(name, int(item.devices), f"B-{name}", 1, allowPreemptible=name in spot))
    server.on(oci.PRICES_PATH, reply({"lastUpdated": TODAY, "items": products}))
    server.on(oci.SHAPES_PATH, reply({"items": shapes}))


def chinese(server: Server, catalog: Catalog) -> None:
    """Alibaba's list with the known hourly prices and a prepaid year at half of them."""
    entries = {
        f"{o.region}::{o.instance_type}::vpc::linux::optimized": {
            "hours": [{"price": str(o.price), "period": "1"}],
            "years": [{"price": str(o.price * 4380), "period": "1"}],
        }
        for o in catalog.offers("alibaba", options=["on_demand"])
    }
    server.on(alibaba.PAGE_PATH, reply(PAGE))
    server.on(
        LIST_PATH, reply({"currency": "CNY", "publicationDate": TODAY, "pricingInfo": entries})
    )


@pytest.mark.slow
def test_from_the_lists_to_an_answer(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "catalogs"
    # Other providers' prices are most of the time that reading takes.
    shutil.copytree(ROOT / "catalogs", root, ignore=_others)
    monkeypatch.setenv("GPUADVISOR_BASE", str(root))
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path / "cache"))
    with Server() as server:
        oracle(server, catalog)
        chinese(server, catalog)
        for name in ("OCI_PRICES", "OCI_ESTIMATOR", "ALIBABA_PAGE", "ALIBABA_LIST"):
            monkeypatch.setenv(f"GPUADVISOR_ENDPOINT_{name}", server.address)
        done = gpuadvisor(
            "catalog", "refresh", "oci", "alibaba", "--today", TODAY, "--format", "json"
        )
    assert done.code == 0, done.err
    one, other = json.loads(done.out)["refreshes"]
    assert one["status"] == other["status"] == "written" and one["shapes"] == []
    moved = {(c["instance_type"], c["before"], c["after"]) for c in one["diff"]["changes"]}
    assert moved == {("BM.GPU.H100.8", "80", "88")}
    assert other["diff"]["changes"] == [] and other["counts"]["confirmed"] > 200
    assert {(o["option"], o["term"]) for o in other["diff"]["added"]} == {("subscription", "1y")}
    assert not (
        one["missing"] or one["not_understood"] or other["missing"] or other["not_understood"]
    )
    # A whole catalog by the strict loader, an answer that rests on it, and what changed.
    assert gpuadvisor("catalog", "validate", str(root)).code == 0
    answer: dict[str, Any] = json.loads(
        gpuadvisor(
            "recommend", "--workload", "llm-chat", "--qps", "5", "--provider", "oci", "--today", TODAY,
            "--format", "json",
        ).out
    )  # fmt: skip
    used = {c["name"]: (c["version"], c["as_of"]) for c in answer["catalogs"]}
    assert used["oci"] == ("2026.11", TODAY)
    diff = gpuadvisor("catalog", "diff", "oci@2026.06", "--format", "markdown")
    assert "+10.0 %" in diff.out and "BM.GPU.H100.8" in diff.out
