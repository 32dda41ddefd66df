"""The stored corpus of real plans against its own index (skipped where it is absent)."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest

from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.check.interface import COVERED, Row
from gpuadvisor.check.run import check
from tests.check.support import PLANS, TODAY, row_of

pytestmark = pytest.mark.skipif(not PLANS.is_dir(), reason="the plan corpus is not here")


def expectations() -> list[tuple[str, list[dict[str, Any]]]]:
    if not PLANS.is_dir():
        return []
    with (PLANS.parent / "INDEX.csv").open(encoding="utf-8") as stream:
        return [
            (row["file"].removeprefix("plans/"), json.loads(row["expect"]))
            for row in csv.DictReader(stream)
            if row["file"].startswith("plans/")
        ]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """The shipped catalog; its prices are read, not repeated, in the expectations below."""
    return load_catalog()


@pytest.fixture(autouse=True)
def _shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPUADVISOR_BASE")


def price(catalog: Catalog, provider: str, name: str, region: str) -> Any:
    offers = catalog.offers(provider, options=["on_demand"], types=[name], regions=[region])
    return offers[0].price


@pytest.mark.parametrize(("file", "expected"), expectations())
def test_findings_are_those_of_the_index(
    file: str, expected: list[dict[str, Any]], catalog: Catalog
) -> None:
    report = check(str(PLANS / file), catalog, today=TODAY)
    assert {r.finding.address for r in report.rows} == {e["resource"] for e in expected}
    for entry in expected:
        row = row_of(report, entry["resource"])
        assert row.action == entry["action"]
        assert [row.counts.min, row.counts.planned, row.counts.max] == entry["count"]
        assert (row.region or "unknown") == entry["region"]
        assert _device(row) == entry["accelerator"].rpartition(" -> ")[2]
        assert _option(row) in entry["price"].replace("-", "_")
    if not expected:
        assert report.exit_code == 0
        assert report.summary.totals == report.summary.totals._replace(before=0, after=0, maximum=0)


def _device(row: Row) -> str:
    assert row.what.devices is not None
    return f"{row.what.device}:{row.what.devices:g}"


def _option(row: Row) -> str:
    return "demand" if row.status == COVERED else row.purchase


PRICED = [
    # file, address, (type, region) before, (type, region, nodes) after, nodes at most
    ("ec2_g6e_create.json", "aws_instance.ec2_gpu_terraform", None, ("g6e.2xlarge", 1), 1),
    (
        "ec2_g6e_resize_update.json",
        "aws_instance.ec2_gpu_terraform",
        ("g6e.2xlarge", 1),
        ("g6e.12xlarge", 1),
        1,
    ),
    ("ec2_g6e_destroy.json", "aws_instance.ec2_gpu_terraform", ("g6e.2xlarge", 1), None, 0),
    ("ec2_g4dn_deepseek_create.json", "aws_instance.deepseek_r1", None, ("g4dn.xlarge", 1), 1),
    ("gke_t4_autoscaling.json", "google_container_node_pool.gpu_nodes", None,
     ("n1-standard-4+t4x1", 2), 5),
    ("gke_l4_regional_plus_k8s.json", "google_container_node_pool.default", None,
     ("g2-standard-8", 1), 1),
    ("gce_template_and_reservation.json", "google_compute_reservation.specific_accelerator", None,
     ("g2-standard-4", 1), 1),
    ("aks_t4_autoscaling.json", "azurerm_kubernetes_cluster_node_pool.aks", None,
     ("Standard_NC4as_T4_v3", 2), 5),
]  # fmt: skip


@pytest.mark.parametrize(("file", "address", "before", "after", "most"), PRICED)
def test_prices_are_the_catalogs(
    file: str, address: str, before: Any, after: Any, most: int, catalog: Catalog
) -> None:
    row = row_of(check(str(PLANS / file), catalog, today=TODAY), address)
    provider, region = row.finding.resource.provider, row.region or ""
    hourly = [
        0 if side is None else price(catalog, provider, side[0], region) * side[1]
        for side in (before, after)
    ]
    assert [row.before.hourly, row.after.hourly] == hourly
    if after is not None:
        assert row.after.maximum == hourly[1] / after[1] * most
    assert row.delta is not None
    assert abs(row.delta - (hourly[1] - hourly[0]) * 730) <= 1


def test_a_pool_and_its_workload_are_one_price(catalog: Catalog) -> None:
    report = check(str(PLANS / "gke_l4_regional_plus_k8s.json"), catalog, today=TODAY)
    pool = row_of(report, "google_container_node_pool.default")
    assert report.summary.totals.after == pool.monthly_after
    assert report.summary.devices_after == 1


def test_blue_and_green_cost_nothing_now_and_something_at_most(catalog: Catalog) -> None:
    """Base 1 on demand, 0 % above: at most one on demand and three spot of each colour."""
    report = check(str(PLANS / "asg_mixed_g4dn_bluegreen_create.json"), catalog, today=TODAY)
    runner = price(catalog, "aws", "g4dn.xlarge", "us-east-1")
    assert report.summary.totals.after == (runner * 730).quantize(report.summary.totals.after)
    for colour in ("blue", "green"):
        row = row_of(report, f'module.gpu_blue_green.aws_autoscaling_group.color["{colour}"]')
        assert row.monthly_after == 0
        dearest = catalog.offers(
            "aws", options=["on_demand", "spot"], types=["g4dn.2xlarge"], regions=["us-east-1"]
        )
        by_option = {offer.option: offer.price for offer in dearest}
        most = by_option["on_demand"] + 3 * by_option["spot"]
        assert row.after.maximum is not None
        assert abs(row.after.maximum - most) < 1 / 10**9


def test_thirty_retired_sizes_are_thirty_unpriced_rows(catalog: Catalog) -> None:
    report = check(str(PLANS / "azureml_lowpriority_foreach_85.json"), catalog, today=TODAY)
    assert report.summary.unpriced == 30
    assert (report.examined, report.skipped) == (86, 56)


def test_a_region_nobody_named_stays_unknown(catalog: Catalog) -> None:
    report = check(str(PLANS / "eks_nodegroup_g4dn_create.json"), catalog, today=TODAY)
    assert (report.summary.unknown, report.summary.totals.after) == (1, 0)
    named = check(
        str(PLANS / "eks_nodegroup_g4dn_create.json"), catalog, today=TODAY, region="us-east-1"
    )
    hourly = price(catalog, "aws", "g4dn.xlarge", "us-east-1")
    assert named.rows[0].after.hourly == hourly
    assert named.rows[0].after.maximum == 2 * hourly
