"""Cluster files that rent nodes themselves; the documents have the shape of public ones.

Shapes: awslabs/awsome-distributed-ai@95b939cd (eksctl), aws-samples/karpenter-blueprints@529b88cf
and aws/karpenter-provider-aws@1d927085 (Karpenter), Ray's cluster configuration reference.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from gpuadvisor.iac.detect import parse
from gpuadvisor.iac.interface import SUPPLY, Candidate, Finding, Findings
from gpuadvisor.iac.reading import document_of
from tests.iac.plans import change, plan
from tests.iac.plans import parse as parse_plan
from tests.iac.support import context


def _parse(text: str, region: str | None = None) -> Findings:
    return parse(document_of(text.encode(), "pool.yaml"), context(region))


def _one(text: str, region: str | None = None) -> Finding:
    findings = _parse(text, region).findings
    assert len(findings) == 1, [f.address for f in findings]
    assert findings[0].side == SUPPLY
    return findings[0]


def _told(finding: Finding) -> tuple[Any, ...]:
    after = finding.after
    assert after is not None
    return (after.type, tuple(after.counts[:3]), after.counts.unit, after.purchase, after.region)


def _ids(finding: Finding) -> set[str]:
    return {reason.id for reason in finding.reasons}


EKSCTL = """
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: eks, region: %s, version: "1.31"}
%s: [{name: sys, instanceType: c5.2xlarge, desiredCapacity: 1}, {name: gpu, %s}]
"""


@pytest.mark.parametrize(
    ("groups", "body", "told"),
    [
        # eks-p5-capacity-block.yaml: capacity-block market, 0/1/10
        (
            "managedNodeGroups",
            "instanceType: p5.48xlarge, minSize: 0, desiredCapacity: 1, maxSize: 10, "
            "instanceMarketOptions: {marketType: capacity-block}",
            ("p5.48xlarge", (0, 1, 10), "nodes", "capacity_block", "us-east-1"),
        ),
        # eks-g4dn.yaml: 0/2/10 on demand
        (
            "managedNodeGroups",
            "instanceType: g4dn.xlarge, minSize: 0, desiredCapacity: 2, maxSize: 10",
            ("g4dn.xlarge", (0, 2, 10), "nodes", "on_demand", "us-east-1"),
        ),
        # eksctl runs two nodes where nobody says how many.
        (
            "managedNodeGroups",
            "instanceTypes: [g5.xlarge, g5.2xlarge], spot: true",
            (None, (2, 2, 2), "nodes", "spot", "us-east-1"),
        ),
        (
            "managedNodeGroups",
            "instanceTypes: [g5.xlarge, g5.2xlarge]",
            ("g5.xlarge", (2, 2, 2), "nodes", "on_demand", "us-east-1"),
        ),
        (
            "nodeGroups",
            "minSize: 0, maxSize: 8, instancesDistribution: {instanceTypes: [g5.xlarge, "
            "g4dn.xlarge], onDemandBaseCapacity: 1, onDemandPercentageAboveBaseCapacity: 50}",
            (None, (0, 0, 8), "nodes", "mixed", "us-east-1"),
        ),
        ("nodeGroups", "instanceType: g5.xlarge, desiredCapacity: 0",
         ("g5.xlarge", (0, 0, 0), "nodes", "on_demand", "us-east-1")),
    ],
)  # fmt: skip
def test_eksctl(groups: str, body: str, told: tuple[Any, ...]) -> None:
    finding = _one(EKSCTL % ("us-east-1", groups, body))
    assert finding.address == "ClusterConfig/eks#gpu"
    assert _told(finding) == told


@pytest.mark.parametrize(
    "region", ["PLACEHOLDER_AWS_REGION", "${AWS_REGION}", "$AWS_REGION", "<region>", "YOUR_REGION"]
)
def test_a_placeholder_is_no_region(region: str) -> None:
    finding = _one(EKSCTL % (f'"{region}"', "managedNodeGroups", "instanceType: g5.xlarge"))
    assert _told(finding)[-1] is None
    assert "iac.region_unknown" in _ids(finding)


def test_an_unrendered_type_is_not_told_and_not_dropped() -> None:
    finding = _one(EKSCTL % ("eu-west-1", "managedNodeGroups", 'instanceType: "${TYPE}"'))
    assert finding.after is not None and finding.after.certain is False
    assert "iac.value_placeholder" in _ids(finding)


def _pool(requirements: str, spec: str = "", kind: str = "NodePool") -> str:
    return f"""
apiVersion: karpenter.sh/v1
kind: {kind}
metadata: {{name: gpu}}
spec:
  {spec or "weight: 1"}
  template:
    spec:
      nodeClassRef: {{group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}
      requirements: [{requirements}]
"""


def _need(key: str, values: str, operator: str = "In") -> str:
    return f"{{key: {key}, operator: {operator}, values: [{values}]}}"


MAKER = _need("karpenter.k8s.aws/instance-gpu-manufacturer", "nvidia")
CATEGORY = _need("karpenter.k8s.aws/instance-category", "g, p")


def test_a_pool_rents_nothing_until_pods_ask_and_ends_at_its_limit() -> None:
    """karpenter-blueprints blueprints/node-overlay/gpu-nodepool.yaml: 40 GPUs at most."""
    text = _pool(f"{CATEGORY}, {MAKER}", "limits: {cpu: 100, memory: 200Gi, nvidia.com/gpu: 40}")
    finding = _one(text)
    assert _told(finding) == (None, (0, 0, 40), "devices", "on_demand", None)
    assert finding.after is not None
    assert finding.after.candidates == (
        Candidate(
            None,
            1,
            {
                "allowed_instance_types": ["g[0-9]*", "p[0-9]*"],
                "accelerator_manufacturers": ["nvidia"],
            },
        ),
    )
    assert "iac.upper_bound" in _ids(finding)


@pytest.mark.parametrize(
    ("requirements", "spec", "told"),
    [
        # EKS Auto Mode uses its own label domain.
        (_need("eks.amazonaws.com/instance-category", "g"), "limits: {nvidia.com/gpu: 5}",
         (None, (0, 0, 5), "devices", "on_demand", None)),
        # neuron-nodepool-automode.yaml: inf and trn, either term
        (_need("eks.amazonaws.com/instance-category", "inf, trn") + ", "
         + _need("karpenter.sh/capacity-type", "spot, on-demand"),
         "limits: {aws.amazon.com/neuron: 5}", (None, (0, 0, 5), "devices", "unknown", None)),
        # One exact type on spot in one zone; cores bound it.
        (_need("node.kubernetes.io/instance-type", "g5.xlarge") + ", "
         + _need("karpenter.sh/capacity-type", "spot") + ", "
         + _need("topology.kubernetes.io/zone", "us-west-2a"), "limits: {cpu: 64}",
         ("g5.xlarge", (0, 0, 64), "vcpus", "spot", "us-west-2")),
        # Static capacity is a standing cost.
        (_need("node.kubernetes.io/instance-type", "p5.48xlarge") + ", "
         + _need("karpenter.sh/capacity-type", "reserved"), "replicas: 2; limits: {nodes: 3}",
         ("p5.48xlarge", (2, 2, 3), "nodes", "reserved", None)),
        # No limit at all: nobody knows the maximum.
        (_need("karpenter.k8s.aws/instance-gpu-name", "a100"), "",
         (None, (0, 0, None), "nodes", "on_demand", None)),
    ],
)  # fmt: skip
def test_karpenter(requirements: str, spec: str, told: tuple[Any, ...]) -> None:
    text = _pool(requirements, spec.replace("; ", "\n  "))
    assert _told(_one(text)) == told


@pytest.mark.parametrize(
    ("requirement", "wish"),
    [
        (_need("karpenter.k8s.aws/instance-gpu-count", '"3"', "Gt"), {"accelerator_count_min": 4}),
        (_need("karpenter.k8s.aws/instance-gpu-count", '"9"', "Lt"), {"accelerator_count_max": 8}),
        (_need("karpenter.k8s.aws/instance-gpu-count", '"4", "8"'),
         {"accelerator_count_min": 4, "accelerator_count_max": 8}),
        (_need("karpenter.k8s.aws/instance-gpu-name", "l4"), {"accelerator_names": ["l4"]}),
        (_need("karpenter.k8s.aws/instance-gpu-memory", '"40000"', "Gt"),
         {"accelerator_memory_mib_min": 40001}),
        (_need("karpenter.k8s.aws/instance-family", "g5, g6"),
         {"allowed_instance_types": ["g5.*", "g6.*"]}),
    ],
)  # fmt: skip
def test_requirements_become_an_attribute_based_choice(
    requirement: str, wish: dict[str, Any]
) -> None:
    after = _one(_pool(requirement)).after
    assert after is not None
    assert dict(after.candidates[0].requirements or {}) == wish


@pytest.mark.parametrize(
    "requirements",
    [
        # odcr.yaml: t3.small on reserved capacity
        _need("node.kubernetes.io/instance-type", "t3.small")
        + ", "
        + _need("karpenter.sh/capacity-type", "reserved"),
        _need("karpenter.k8s.aws/instance-category", "c, m, r"),
        _need("karpenter.k8s.aws/instance-gpu-count", "", "DoesNotExist"),
        _need("karpenter.k8s.aws/instance-gpu-count", '"1"', "Lt"),
        "",
    ],
)
def test_pools_without_accelerators(requirements: str) -> None:
    found = _parse(_pool(requirements))
    assert (found.findings, found.examined, found.skipped) == ((), 1, 1)


def test_what_is_not_read_is_said() -> None:
    finding = _one(
        _pool(f"{MAKER}, " + _need("karpenter.k8s.aws/instance-generation", '"4"', "Gt"))
    )
    assert [r.params["key"] for r in finding.reasons if r.id == "iac.requirement_not_read"] == [
        "karpenter.k8s.aws/instance-generation"
    ]


def test_a_provisioner_of_old() -> None:
    text = """
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {name: gpu}
spec:
  requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [g4dn.xlarge]}]
  limits: {resources: {nvidia.com/gpu: 8}}
"""
    assert _told(_one(text)) == ("g4dn.xlarge", (0, 0, 8), "devices", "on_demand", None)


def test_a_pool_whose_types_nobody_rendered() -> None:
    requirements = _need("node.kubernetes.io/instance-type", '"${TYPE}"') + ", " + MAKER
    finding = _one(_pool(requirements))
    assert finding.after is not None and finding.after.certain is False
    assert "iac.value_placeholder" in _ids(finding)


def test_azure_node_pools_name_their_own_domain() -> None:
    text = _pool(_need("karpenter.azure.com/sku-gpu-name", "A100")).replace(
        "karpenter.k8s.aws, kind: EC2NodeClass", "karpenter.azure.com, kind: AKSNodeClass"
    )
    finding = _one(text)
    assert finding.provider == "azure"


def test_a_compute_class_lists_what_pods_may_get() -> None:
    text = """
apiVersion: cloud.google.com/v1
kind: ComputeClass
metadata: {name: l4}
spec:
  priorities:
  - {machineType: g2-standard-8, spot: true}
  - {machineType: a2-highgpu-1g}
"""
    spot, other = _parse(text).findings
    assert _told(spot)[:4] == ("g2-standard-8", (0, 0, None), "nodes", "spot")
    assert _told(other)[:4] == ("a2-highgpu-1g", (0, 0, None), "nodes", "on_demand")


def test_a_coreweave_pool() -> None:
    text = """
apiVersion: compute.coreweave.com/v1alpha1
kind: NodePool
metadata: {name: p}
spec: {instanceType: gd-8xh100ib-i128, targetNodes: 2, minNodes: 1, maxNodes: 4}
"""
    assert _told(_one(text)) == ("gd-8xh100ib-i128", (1, 2, 4), "nodes", "on_demand", None)


RAY = """
cluster_name: x
max_workers: 10
provider: {type: aws, region: us-west-2}
head_node_type: head
available_node_types:
  head: {resources: {}, node_config: {InstanceType: m5.large}}
  gpu:
    min_workers: 1
    max_workers: 4
    node_config: {InstanceType: g5.2xlarge, InstanceMarketOptions: {MarketType: spot}}
"""


def test_ray_node_types() -> None:
    findings = _parse(RAY)
    assert findings.kind == "ray"
    (finding,) = findings.findings
    assert (finding.address, finding.line) == ("gpu", 9)
    assert _told(finding) == ("g5.2xlarge", (1, 1, 4), "nodes", "spot", "us-west-2")


@pytest.mark.parametrize(
    ("bounds", "counts"),
    [
        ("min_workers: 0, max_workers: 0", (1, 1, 1)),
        # The head runs beside the workers of its own type.
        ("min_workers: 1, max_workers: 3", (2, 2, 4)),
        # Without a bound of its own the cluster's holds.
        ("min_workers: 0", (1, 1, 11)),
    ],
)
def test_ray_head(bounds: str, counts: tuple[int, ...]) -> None:
    text = RAY.replace("head: {resources: {}, node_config: {InstanceType: m5.large}}",
                       f"head: {{{bounds}, node_config: {{InstanceType: g4dn.xlarge}}}}")  # fmt: skip
    head, _ = _parse(text).findings
    assert _told(head)[:2] == ("g4dn.xlarge", counts)


def test_ray_on_google_and_azure() -> None:
    google = """
provider: {type: gcp, region: us-central1, availability_zone: us-central1-a, project_id: p}
available_node_types:
  w:
    min_workers: 2
    node_config:
      machineType: n1-standard-4
      guestAccelerators: [{acceleratorType: nvidia-tesla-t4, acceleratorCount: 1}]
      scheduling: [{preemptible: true}]
"""
    finding = _one(google)
    assert _told(finding) == ("n1-standard-4", (2, 2, 2), "nodes", "spot", "us-central1")
    assert finding.after is not None and finding.after.device == "nvidia-tesla-t4"
    azure = """
provider: {type: azure, location: West US 2}
available_node_types:
  w: {min_workers: 1, max_workers: 2, node_config: {azure_arm_parameters: {vmSize: Standard_NC6, priority: Spot}}}
"""
    assert _told(_one(azure)) == ("Standard_NC6", (1, 1, 2), "nodes", "spot", "westus2")


def test_a_pool_inside_a_plan_is_supply() -> None:
    """EKS blueprints create Karpenter pools with `kubectl_manifest`."""
    body = _pool(
        _need("node.kubernetes.io/instance-type", "g5.xlarge"), "limits: {nvidia.com/gpu: 4}"
    )
    data = plan(change("kubectl_manifest.pool", {"yaml_body": body}))
    (finding,) = parse_plan(data).findings
    assert (finding.side, finding.provider, finding.action) == ("supply", "aws", "create")
    assert _told(finding) == ("g5.xlarge", (0, 0, 4), "devices", "on_demand", None)
    data = plan(change("kubernetes_manifest.pool", {"manifest": yaml.safe_load(body)}))
    (finding,) = parse_plan(data).findings
    assert finding.side == "supply"


@pytest.mark.parametrize(("capacity", "said"), [("{nvidia.com/gpu: 4}", True), ("{}", False)])
def test_an_overlay_may_turn_devices_into_slices(capacity: str, said: bool) -> None:
    """karpenter-blueprints node-overlay: 40 slices of 10 devices."""
    overlay = f"""---
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {{name: slices}}
spec: {{requirements: [], capacity: {capacity}}}
"""
    (finding,) = _parse(_pool(MAKER, "limits: {nvidia.com/gpu: 40}") + overlay).findings
    assert ("iac.overlay" in _ids(finding)) == said
