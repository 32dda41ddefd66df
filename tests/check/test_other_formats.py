"""Cluster, task and program files priced end to end; figures by hand from the small catalog.

us-east-1, USD an hour: g4dn.xlarge 0.5 (spot 0.2), g5.xlarge 1.0, g5.12xlarge (4 x A10G) 5.5,
p5.48xlarge (192 vCPUs) 55.04. A month has 730 hours.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.check.run import check
from tests.check.support import TODAY, codes, only, run

EKSCTL = """
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: c, region: us-east-1}
managedNodeGroups:
- {name: cpu, instanceType: m5.large}
- {name: gpu, instanceType: g5.xlarge, minSize: 0, desiredCapacity: 1, maxSize: 10}
"""
KARPENTER = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  limits: {nvidia.com/gpu: 8}
  template:
    spec:
      requirements:
      - {key: karpenter.k8s.aws/instance-family, operator: In, values: [g5]}
      - {key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a, us-east-1b]}
"""
SERVICE = """
service: {replicas: 2}
resources: {infra: aws/us-east-1, accelerators: T4:1, use_spot: true}
run: x
"""
FLEET = """
type: fleet
name: f
nodes: 2
backends: [aws]
regions: [us-east-1]
resources: {gpu: A10G:4}
"""
RAY = """
provider: {type: aws, region: us-east-1}
available_node_types:
  w: {min_workers: 2, max_workers: 3, node_config: {InstanceType: g5.xlarge}}
"""
BATCH = """
AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Compute:
    Type: AWS::Batch::ComputeEnvironment
    Properties:
      ComputeResources: {Type: EC2, InstanceTypes: [p5.48xlarge], MinvCpus: 0, MaxvCpus: 100000}
"""

CASES = [
    (EKSCTL, (0, 1, 10), "730", "7300"),
    # 8 GPUs at most: 8 x g5.xlarge cost 8.0, 2 x g5.12xlarge 11.0 an hour.
    (KARPENTER, None, "0", "8030"),
    (SERVICE, (2, 2, 2), "292", None),
    (FLEET, (2, 2, 2), "8030", "8030"),
    (RAY, (2, 2, 3), "1460", "2190"),
]


@pytest.mark.parametrize(("text", "counts", "month", "most"), CASES)
def test_standing_machines(
    tmp_path: Path, text: str, counts: Any, month: str, most: str | None
) -> None:
    row = only(run(tmp_path, text))
    assert row.monthly_after == Decimal(month)
    if counts is not None:
        assert tuple(row.counts[:3]) == counts
    if most is not None:
        assert row.monthly_max == Decimal(most)


def test_cores_are_divided_by_the_cores_of_the_type(tmp_path: Path) -> None:
    """maxvCpus 100000 is floor(100000 / 192) = 520 machines, as the cloud starts no more."""
    row = only(run(tmp_path, BATCH, region="us-east-1"))
    assert (row.counts.planned, row.counts.max) == (0, 520)
    # 520 x 55.04 x 730
    assert (row.monthly_after, row.monthly_max) == (0, Decimal("20893184.00"))


def test_a_task_costs_an_hour_and_no_month(tmp_path: Path) -> None:
    text = SERVICE.replace("service: {replicas: 2}", "num_nodes: 2").replace(", use_spot: true", "")
    row = only(run(tmp_path, text))
    # The cheapest type with one T4, twice.
    assert (row.ends, row.after.hourly, row.monthly_after) == (True, Decimal("1.0"), None)


def test_any_cloud_is_a_range(tmp_path: Path) -> None:
    report = run(tmp_path, SERVICE.replace("infra: aws/us-east-1, ", ""))
    row = only(report)
    assert row.status == "unknown" and row.monthly_after is None
    assert "iac.any_cloud" in codes(row)
    assert row.after.low is not None and row.after.high is not None
    assert row.after.low < row.after.high


def _preview(*steps: dict[str, Any]) -> str:
    return json.dumps({"config": {"aws:region": "us-east-1"}, "steps": list(steps)})


def _step(op: str, old: str | None, new: str | None) -> dict[str, Any]:
    token = "aws:ec2/instance:Instance"
    found: dict[str, Any] = {"op": op, "urn": f"urn:pulumi:p::i::{token}::a"}
    for key, kind in (("oldState", old), ("newState", new)):
        if kind:
            found[key] = {"type": token, "custom": True, "inputs": {"instanceType": kind}}
    return found


def test_a_replacement_of_pulumi_is_one_row(tmp_path: Path) -> None:
    steps = [
        _step("create-replacement", "g4dn.xlarge", "g5.xlarge"),
        _step("replace", "g4dn.xlarge", "g5.xlarge"),
        _step("delete-replaced", "g4dn.xlarge", None),
    ]
    report = run(tmp_path, _preview(*steps))
    row = only(report)
    assert (row.monthly_before, row.monthly_after, row.delta) == (365, 730, 365)
    assert "check.no_baseline" not in [w.id for w in report.warnings], "a preview has a before"


def test_a_source_and_its_base(tmp_path: Path) -> None:
    pytest.importorskip("hcl2")
    source = 'provider "aws" { region = "us-east-1" }\nresource "aws_instance" "a" {\n  count = %s\n  instance_type = "g5.xlarge"\n}\n'
    new, old = tmp_path / "new.tf", tmp_path / "old.tf"
    new.write_text(source % 3)
    old.write_text(source % 1)
    row = only(check([str(new)], today=TODAY, base=[str(old)]))
    assert (row.monthly_before, row.monthly_after, row.delta) == (730, 2190, 1460)
    assert row.confidence == "low"


def test_a_compose_file_has_notes_and_no_rows(tmp_path: Path) -> None:
    report = run(tmp_path, "services: {a: {image: x, gpus: all}}\n")
    assert report.rows == ()
    assert [note.message.id for _, note in report.notes] == ["iac.compose_devices"]
    assert report.exit_code == 0


def test_files_of_several_kinds_at_once(tmp_path: Path) -> None:
    report = run(tmp_path, EKSCTL, RAY, _preview(_step("create", None, "g4dn.xlarge")))
    assert report.summary.totals.after == 730 + 1460 + 365
    assert {kind for _, kind in report.kinds} == {"kubernetes", "ray", "pulumi"}
