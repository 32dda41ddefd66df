"""Workloads against nodes: one side is priced, never both."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.check.interface import COVERED, PRICED, UNKNOWN, UNPRICED
from tests.check.support import broken, codes, deployment, joined, only, plan, row_of, run
from tests.iac.plans import change

NODES = plan(change("aws_eks_node_group.g", {
    "instance_types": ["g4dn.xlarge"],
    "scaling_config": [{"min_size": 1, "desired_size": 2, "max_size": 3}],
}))  # fmt: skip
A100 = {"cloud.google.com/gke-accelerator": "nvidia-tesla-a100"}


def test_pods_on_nodes_of_the_same_check_add_nothing(tmp_path: Path) -> None:
    report = run(tmp_path, NODES, deployment(replicas=4))
    assert str(report.summary.totals.after) == "730.00"
    assert row_of(report, "Deployment/llm").status == COVERED
    assert report.summary.devices_after == 2
    assert report.summary.unpriced == 0


def test_pods_that_need_another_device_are_not_covered(tmp_path: Path) -> None:
    manifest = deployment(replicas=4, nodeSelector={"nvidia.com/gpu.product": "H100-80GB-SXM"})
    report = run(tmp_path, NODES, manifest)
    assert row_of(report, "Deployment/llm").status == UNPRICED


ASSUMED = [
    # pods, devices each, node -> nodes needed, USD an hour
    (4, 1, "aws/g5.12xlarge@us-east-1", 1, "5.5"),
    (5, 1, "aws/g5.12xlarge@us-east-1", 2, "11.0"),
    (5, 2, "aws/g5.12xlarge@us-east-1", 3, "16.5"),
    (3, 3, "aws/g5.12xlarge@us-east-1", 3, "16.5"),
    (2, 1, "aws/g4dn.xlarge@us-east-1:spot", 2, "0.4"),
]


@pytest.mark.parametrize(("pods", "each", "node", "nodes", "hourly"), ASSUMED)
def test_assumed_nodes(
    tmp_path: Path, pods: int, each: int, node: str, nodes: int, hourly: str
) -> None:
    row = only(run(tmp_path, deployment(replicas=pods, gpus=each), assume_node=[node]))
    assert (row.status, row.counts.planned) == (PRICED, nodes)
    assert row.after.hourly == Decimal(hourly)


def test_slices_share_a_node(tmp_path: Path) -> None:
    # 7 slices of 1g.5gb a device, 8 devices: 56 pods a node, so 57 need two.
    manifest = deployment(replicas=57, resource="nvidia.com/mig-1g.5gb")
    row = only(run(tmp_path, manifest, assume_node=["aws/p4d.24xlarge@us-east-1"]))
    assert row.counts.planned == 2
    assert row.after.hourly == Decimal("44.0")


def test_a_pod_that_no_node_holds(tmp_path: Path) -> None:
    report = run(tmp_path, deployment(gpus=8), assume_node=["aws/g5.12xlarge@us-east-1"])
    assert only(report).status == UNPRICED
    assert ("GA012", "warn") in broken(report)


def test_the_type_that_the_pod_names(tmp_path: Path) -> None:
    manifest = deployment(
        replicas=2, nodeSelector={"node.kubernetes.io/instance-type": "g4dn.xlarge"}
    )
    row = only(run(tmp_path, manifest, region="us-east-1"))
    assert row.after.hourly == Decimal("1.0")


def test_a_named_type_that_is_declared_is_on_its_terms(tmp_path: Path) -> None:
    """Two g4dn.xlarge at 0.2 USD an hour of spot; the larger node that is declared too is not
    asked for."""
    manifest = deployment(
        replicas=2, nodeSelector={"node.kubernetes.io/instance-type": "g4dn.xlarge"}
    )
    nodes = ["aws/g5.12xlarge@us-east-1", "aws/g4dn.xlarge@us-east-1:spot"]
    row = only(run(tmp_path, manifest, assume_node=nodes))
    assert (row.purchase, row.region) == ("spot", "us-east-1")
    assert row.after.hourly == Decimal("0.4")


def test_a_named_machine_with_its_devices_attached(tmp_path: Path) -> None:
    """n1-standard-8 with one T4: 0.73 USD an hour each."""
    labels = {
        "node.kubernetes.io/instance-type": "n1-standard-8",
        "cloud.google.com/gke-accelerator": "nvidia-tesla-t4",
    }
    manifest = deployment(replicas=2, nodeSelector=labels)
    row = only(run(tmp_path, manifest, region="us-central1"))
    assert row.after.hourly == Decimal("1.46")


def test_without_nodes_device_hours_and_a_range(tmp_path: Path) -> None:
    report = run(tmp_path, deployment(replicas=3))
    row = only(report)
    assert row.status == UNPRICED
    assert row.after.hourly is None
    # Cheapest device-hour of the reference regions: T4 on g4dn.xlarge 0.5; dearest: H100 55.04 / 8.
    assert (row.after.low, row.after.high) == (Decimal("1.5"), Decimal("55.04") / 8 * 3)
    assert "check.device_hours" in codes(row)
    assert "check.name_nodes" in codes(row)
    assert report.summary.unpriced == 1


STATES = [
    (deployment(replicas=0), PRICED, "0.00"),
    (deployment(replicas="$N"), UNKNOWN, None),
    (deployment(gpus="{{ .Values.gpus }}"), UNKNOWN, None),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("manifest", "status", "after"), STATES)
def test_three_kinds_of_nothing(
    tmp_path: Path, manifest: str, status: str, after: str | None
) -> None:
    row = only(run(tmp_path, manifest))
    assert row.status == status
    assert (None if row.monthly_after is None else str(row.monthly_after)) == after


def test_no_devices_asked_for_is_no_finding(tmp_path: Path) -> None:
    assert run(tmp_path, deployment(gpus=0)).rows == ()


def test_a_job_costs_an_hour_and_no_month(tmp_path: Path) -> None:
    report = run(
        tmp_path, deployment(kind="Job", replicas=2), assume_node=["aws/g4dn.xlarge@us-east-1"]
    )
    row = only(report)
    assert (row.after.hourly, row.monthly_after, row.delta) == (Decimal("1.0"), None, None)
    assert report.summary.ending_hourly == Decimal("1.0")
    assert str(report.summary.totals.after) == "0.00"


def manifest(replicas: int, name: str = "llm") -> str:
    return deployment(name, replicas, nodeSelector={
        "node.kubernetes.io/instance-type": "g4dn.xlarge",
        "topology.kubernetes.io/region": "us-east-1",
    })  # fmt: skip


BASES: list[tuple[list[str], list[str], dict[str, Any]]] = [
    # now, before -> address: (action, before, after)
    ([manifest(3)], [manifest(1)], {"Deployment/llm": ("update", "365.00", "1095.00")}),
    ([manifest(1)], [manifest(1)], {"Deployment/llm": ("no-op", "365.00", "365.00")}),
    (
        [manifest(1, "new")],
        [manifest(2, "old")],
        {
            "Deployment/new": ("create", "0.00", "365.00"),
            "Deployment/old": ("delete", "730.00", "0.00"),
        },
    ),
]


@pytest.mark.parametrize(("now", "before", "expected"), BASES)
def test_a_base_gives_formats_without_a_before_a_change(
    tmp_path: Path, now: list[str], before: list[str], expected: dict[str, Any]
) -> None:
    base = tmp_path / "base.yaml"
    base.write_text(joined(before))
    report = run(tmp_path, joined(now), base=[str(base)])
    found = {
        r.finding.address: (r.action, str(r.monthly_before), str(r.monthly_after))
        for r in report.rows
    }
    assert found == expected
    assert "check.no_baseline" not in [w.id for w in report.warnings]


def test_without_a_base_everything_is_new_and_that_is_said(tmp_path: Path) -> None:
    report = run(tmp_path, manifest(1))
    assert (only(report).action, str(only(report).delta)) == ("declared", "365.00")
    assert [w.id for w in report.warnings] == ["check.no_baseline"]


def node_pool(limit: int | None, families: str = "[g5]") -> str:
    limits = f"  limits: {{nvidia.com/gpu: {limit}}}\n" if limit is not None else ""
    return (
        "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: gpu}\nspec:\n"
        f"{limits}  template:\n    spec:\n      requirements:\n"
        f"        - {{key: karpenter.k8s.aws/instance-family, operator: In, values: {families}}}\n"
        "        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}\n"
        "        - {key: topology.kubernetes.io/region, operator: In, values: [us-east-1]}\n"
    )


def test_a_pool_that_grows_costs_nothing_now_and_its_limit_at_most(tmp_path: Path) -> None:
    row = only(run(tmp_path, node_pool(10)))
    assert row.monthly_after == 0
    # 10 devices: 10 x g5.xlarge at 1.0, or floor(10 / 4) = 2 x g5.12xlarge at 5.5.
    assert row.after.maximum == Decimal("11.0")


def test_a_pool_without_a_limit_has_no_maximum(tmp_path: Path) -> None:
    report = run(tmp_path, node_pool(None))
    assert only(report).monthly_max is None
    assert report.summary.unbounded == 1


def test_pods_on_a_pool_are_priced_once(tmp_path: Path) -> None:
    report = run(tmp_path, joined([node_pool(10), deployment(replicas=3)]))
    pods = row_of(report, "Deployment/llm")
    # Three g5.xlarge are cheaper than one g5.12xlarge; at most the pool's limit.
    assert pods.after.hourly == Decimal("3.0")
    assert str(report.summary.totals.after) == "2190.00"
    assert report.summary.totals.maximum == Decimal("11.0") * 730


def test_work_on_any_cloud_has_a_range_and_no_region(tmp_path: Path) -> None:
    task = "name: t\nresources:\n  accelerators: T4:1\nservice:\n  replicas: 2\nrun: x\n"
    report = run(tmp_path, task)
    row = only(report)
    assert row.status == UNKNOWN
    assert row.monthly_after is None
    # Two machines with one T4, over both clouds: 0.425 (g4dn.xlarge in us-west-2, widened for its
    # age) to 0.75 (g4dn.2xlarge).
    assert (row.after.low, row.after.high) == (Decimal("0.85"), Decimal("1.50"))
