"""Workloads as demand: devices per pod, pods, nodes asked for, by the Kubernetes API reference."""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor.iac.detect import parse
from gpuadvisor.iac.interface import Finding, Findings
from gpuadvisor.iac.reading import document_of
from tests.iac.plans import change, plan
from tests.iac.plans import parse as parse_plan
from tests.iac.support import context

GPU = "resources: {limits: {nvidia.com/gpu: 1}}"


def _parse(text: str) -> Findings:
    return parse(document_of(text.encode(), "m.yaml"), context(), "kubernetes")


def _one(text: str) -> Finding:
    findings = _parse(text).findings
    assert len(findings) == 1, [f.address for f in findings]
    return findings[0]


def _deployment(pod: str, spec: str = "", kind: str = "Deployment", group: str = "apps/v1") -> str:
    return f"""
apiVersion: {group}
kind: {kind}
metadata: {{name: w}}
spec:
  {spec or "selector: {}"}
  template:
    spec:
      {pod}
"""


ONE, TWO, THREE, FOUR = (f"resources: {{limits: {{nvidia.com/gpu: {n}}}}}" for n in range(1, 5))
SIDECAR = f"{{restartPolicy: Always, {ONE}}}"


@pytest.mark.parametrize(
    ("pod", "devices"),
    [
        (f"containers: [{{{TWO}}}]", 2),
        ('containers: [{resources: {limits: {nvidia.com/gpu: "2"}}}]', 2),
        ("containers: [{resources: {requests: {nvidia.com/gpu: 3}}}]", 3),
        (f"containers: [{{{ONE}}}, {{{TWO}}}]", 3),
        # max(sum of containers, each init container)
        (f"{{initContainers: [{{{FOUR}}}], containers: [{{{ONE}}}]}}", 4),
        # A sidecar (restartPolicy Always) runs beside the containers.
        (f"{{initContainers: [{SIDECAR}], containers: [{{{TWO}}}]}}", 3),
        # An init container runs beside the sidecars started before it.
        (f"{{initContainers: [{SIDECAR}, {{{THREE}}}], containers: [{{{ONE}}}]}}", 4),
        (f"{{initContainers: [{{{THREE}}}, {SIDECAR}], containers: [{{{ONE}}}]}}", 3),
    ],
)
def test_devices_per_pod(pod: str, devices: int) -> None:
    finding = _one(_deployment(pod))
    assert finding.resource.devices_per_node == devices
    assert (finding.side, finding.action, finding.provider) == ("demand", "declared", "kubernetes")


@pytest.mark.parametrize(
    ("resource", "partition", "reason"),
    [
        ("nvidia.com/gpu", None, None),
        ("nvidia.com/gpu.shared", None, "iac.shared_device"),
        ("nvidia.com/mig-3g.20gb", "3g.20gb", None),
        ("nvidia.com/mig-1g.10gb.me", "1g.10gb.me", None),
        ("amd.com/gpu", None, None),
        ("google.com/tpu", None, None),
        ("aws.amazon.com/neuron", None, None),
        ("habana.ai/gaudi", None, None),
    ],
)
def test_extended_resources(resource: str, partition: str | None, reason: str | None) -> None:
    finding = _one(_deployment(f"containers: [{{resources: {{limits: {{{resource}: 1}}}}}}]"))
    assert (finding.resource.device, finding.resource.partition) == (resource, partition)
    assert [r.id for r in finding.reasons] == ([reason] if reason else [])


@pytest.mark.parametrize("resource", ["cpu", "memory", "vpc.amazonaws.com/efa", "rdma/ib"])
def test_other_resources_are_no_devices(resource: str) -> None:
    text = _deployment(f"containers: [{{resources: {{limits: {{{resource}: 1}}}}}}]")
    assert _parse(text).findings == ()


def test_zero_devices_is_no_demand_and_zero_replicas_is_zero_pods() -> None:
    none = _deployment("containers: [{resources: {limits: {nvidia.com/gpu: 0}}}]")
    assert _parse(none).findings == ()
    assert _one(_deployment(f"containers: [{{{GPU}}}]", "replicas: 0")).resource.counts[:3] == (
        0,
        0,
        0,
    )


@pytest.mark.parametrize(
    ("kind", "group", "spec", "counts", "reason"),
    [
        ("Deployment", "apps/v1", "", (1, 1, 1), None),
        ("Deployment", "apps/v1", "replicas: 3", (3, 3, 3), None),
        ("StatefulSet", "apps/v1", "replicas: 2", (2, 2, 2), None),
        ("DaemonSet", "apps/v1", "", (None, None, None), "iac.one_per_node"),
        ("Job", "batch/v1", "parallelism: 4", (4, 4, 4), "iac.runs_then_ends"),
        ("Job", "batch/v1", "{parallelism: 4, completions: 2}", (2, 2, 2), "iac.runs_then_ends"),
        (
            "Deployment",
            "apps/v1",
            "replicas: $NUM_NODES",
            (None, None, None),
            "iac.value_placeholder",
        ),
        ("Deployment", "apps/v1", "replicas: many", (None, None, None), "iac.count_unreadable"),
    ],
)
def test_pods(
    kind: str, group: str, spec: str, counts: tuple[int | None, ...], reason: str | None
) -> None:
    if spec.startswith("{"):
        spec = spec.strip("{}").replace(", ", "\n  ")
    finding = _one(_deployment(f"containers: [{{{GPU}}}]", spec, kind, group))
    assert finding.resource.counts[:3] == counts
    assert finding.resource.counts.unit == "pods"
    assert [r.id for r in finding.reasons] == ([reason] if reason else [])


def test_placeholder_for_the_devices_is_unknown_not_zero() -> None:
    finding = _one(_deployment('containers: [{resources: {limits: {nvidia.com/gpu: "$GPUS"}}}]'))
    assert finding.resource.devices_per_node is None
    assert [r.id for r in finding.reasons] == ["iac.value_placeholder"]


def test_cron_job_and_list_and_lines() -> None:
    text = f"""
apiVersion: v1
kind: List
items:
  - apiVersion: batch/v1
    kind: CronJob
    metadata: {{name: nightly, namespace: ml}}
    spec:
      jobTemplate:
        spec:
          template: {{spec: {{containers: [{{{GPU}}}]}}}}
  - apiVersion: v1
    kind: Service
    metadata: {{name: s}}
"""
    findings = _parse(text)
    finding = findings.findings[0]
    assert (finding.address, finding.line) == ("CronJob/ml/nightly", 5)
    assert (findings.examined, findings.skipped) == (2, 1)


def test_autoscalers_bound_their_targets() -> None:
    hpa = """
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: h}
spec: {minReplicas: 2, maxReplicas: 8, scaleTargetRef: {kind: Deployment, name: w}}
"""
    keda = """
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: k}
spec: {maxReplicaCount: 5, scaleTargetRef: {name: w}}
"""
    base = _deployment(f"containers: [{{{GPU}}}]")
    assert _one(base + hpa).resource.counts[:3] == (2, 2, 8)
    # KEDA scales to zero unless told otherwise.
    assert _one(base + keda).resource.counts[:3] == (0, 1, 5)


@pytest.mark.parametrize(
    ("selector", "field", "value"),
    [
        ("node.kubernetes.io/instance-type: g5.xlarge", "type", "g5.xlarge"),
        ("cloud.google.com/gke-accelerator: nvidia-l4", "device", "nvidia-l4"),
        ("nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3", "device", "NVIDIA-H100-80GB-HBM3"),
        ("karpenter.k8s.aws/instance-gpu-name: a10g", "device", "a10g"),
        ("karpenter.sh/capacity-type: spot", "purchase", "spot"),
        ('cloud.google.com/gke-spot: "true"', "purchase", "spot"),
        ("cloud.google.com/gke-flex-start: true", "purchase", "flex_start"),
        ("eks.amazonaws.com/capacityType: SPOT", "purchase", "spot"),
        ("kubernetes.azure.com/scalesetpriority: spot", "purchase", "spot"),
        ("topology.kubernetes.io/region: us-east-1", "region", "us-east-1"),
        ("topology.kubernetes.io/zone: us-east-1a", "zones", ("us-east-1a",)),
        ("pool: gpu", "labels", (("pool", "gpu"),)),
    ],
)
def test_node_labels(selector: str, field: str, value: Any) -> None:
    pod = f"{{nodeSelector: {{{selector}}}, containers: [{{{GPU}}}]}}"
    assert getattr(_one(_deployment(pod)).resource, field) == value


def test_required_affinity_names_candidates() -> None:
    affinity = (
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        "{nodeSelectorTerms: [{matchExpressions: [{key: node.kubernetes.io/instance-type, "
        "operator: In, values: [g5.xlarge, g6.xlarge]}]}]}}}"
    )
    resource = _one(_deployment(f"{{{affinity}, containers: [{{{GPU}}}]}}")).resource
    assert [c.type for c in resource.candidates] == ["g5.xlarge", "g6.xlarge"]
    assert resource.type is None


RAY = """
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: r}
spec:
  headGroupSpec: {template: {spec: {containers: [{resources: {limits: {cpu: 2}}}]}}}
  workerGroupSpecs:
    - groupName: tpu
      replicas: 1
      minReplicas: 0
      maxReplicas: 3
      numOfHosts: 2
      template: {spec: {containers: [{resources: {limits: {google.com/tpu: 4}}}]}}
"""
PYTORCH = """
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: llama}
spec:
  elasticPolicy: {minReplicas: 1, maxReplicas: 64}
  pytorchReplicaSpecs:
    Worker:
      replicas: $NUM_NODES
      template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: $GPU_PER_NODE}}}]}}
"""
KSERVE = """
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: llama3}
spec:
  predictor:
    minReplicas: 1
    nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}
    model: {resources: {limits: {nvidia.com/gpu: 4}}}
"""
LWS = """
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: l}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 4
    workerTemplate: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 8}}}]}}
"""
JOBSET = """
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: j}
spec:
  replicatedJobs:
    - name: slice
      replicas: 2
      template:
        spec:
          parallelism: 4
          template: {spec: {containers: [{resources: {limits: {google.com/tpu: 4}}}]}}
"""


@pytest.mark.parametrize(
    ("text", "address", "devices", "counts"),
    [
        (RAY, "RayCluster/r#tpu", 4, (0, 2, 6)),
        (PYTORCH, "PyTorchJob/llama#Worker", None, (1, None, 64)),
        (KSERVE, "InferenceService/llama3#predictor", 4, (1, 1, None)),
        (JOBSET, "JobSet/j#slice", 4, (8, 8, 8)),
    ],
)
def test_custom_kinds(
    text: str, address: str, devices: int | None, counts: tuple[int | None, ...]
) -> None:
    finding = _one(text)
    assert finding.address == address
    assert finding.resource.devices_per_node == devices
    assert finding.resource.counts[:3] == counts


def test_leader_and_workers_share_a_template() -> None:
    found = {f.address: f.resource.counts.planned for f in _parse(LWS).findings}
    assert found == {"LeaderWorkerSet/l#leader": 2, "LeaderWorkerSet/l#worker": 6}


@pytest.mark.parametrize(
    ("body", "hit"),
    [
        ("resources: {gpu: '1'}", True),
        ("deep: [{limits: {nvidia.com/gpu: 1}}]", True),
        ("resources: {gpu: 0}", False),
        ("notes: about gpu", False),
    ],
)
def test_unknown_kinds_are_named_not_dropped(body: str, hit: bool) -> None:
    head = "apiVersion: vllm.ai/v1\nkind: VLLMRuntime\nmetadata: {name: v}\n"
    text = f"{head}spec: {{replicas: 2, {body}}}\n"
    findings = _parse(text).findings
    assert bool(findings) is hit
    if hit:
        assert findings[0].resource.certain is False
        assert findings[0].reasons[0].id == "iac.unknown_kind"
        assert findings[0].resource.counts.planned == 2


def test_kinds_of_kubernetes_itself_are_not_searched() -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {gpu: '8'}\n"
    assert _parse(text).findings == ()


# Kubernetes inside Terraform.


def test_native_resource_reads_limits_and_keeps_secrets_out() -> None:
    container = {
        "name": "c",
        "env": [{"name": "TOKEN", "value": "hunter2"}],
        "resources": [{"limits": {"nvidia.com/gpu": "2"}}],
    }
    pod = {
        "node_selector": {"cloud.google.com/gke-accelerator": "nvidia-l4"},
        "container": [container],
    }
    spec = {"replicas": "3", "template": [{"spec": [pod]}]}
    secret = {"spec": [{"template": [{"spec": [{"container": [{"env": [{"value": True}]}]}]}]}]}
    data = plan(
        change(
            "kubernetes_deployment_v1.d",
            {"metadata": [{"name": "d"}], "spec": [spec]},
            sensitive=secret,
        )
    )
    findings = parse_plan(data)
    resource = findings.findings[0].resource
    assert (resource.device, resource.devices_per_node) == ("nvidia-l4", 2)
    assert resource.counts == (3, 3, 3, "pods")
    assert findings.findings[0].side == "demand"
    assert "hunter2" not in repr(findings)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (
            "kubernetes_manifest",
            {
                "manifest": {
                    "apiVersion": "v1",
                    "kind": "Pod",
                    "metadata": {"name": "p"},
                    "spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu": 1}}}]},
                }
            },
        ),
        (
            "kubectl_manifest",
            {
                "yaml_body": "apiVersion: v1\nkind: Pod\n"
                "spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}\n"
            },
        ),
        (
            "kubernetes_pod",
            {"spec": [{"container": [{"resources": [{"limits": {"nvidia.com/gpu": "1"}}]}]}]},
        ),
        (
            "kubernetes_job",
            {
                "spec": [
                    {
                        "parallelism": 1,
                        "template": [
                            {
                                "spec": [
                                    {
                                        "container": [
                                            {"resources": [{"limits": {"nvidia.com/gpu": "1"}}]}
                                        ]
                                    }
                                ]
                            }
                        ],
                    }
                ]
            },
        ),
        (
            "kubernetes_cron_job_v1",
            {
                "spec": [
                    {
                        "job_template": [
                            {
                                "spec": [
                                    {
                                        "template": [
                                            {
                                                "spec": [
                                                    {
                                                        "container": [
                                                            {
                                                                "resources": [
                                                                    {
                                                                        "limits": {
                                                                            "nvidia.com/gpu": "1"
                                                                        }
                                                                    }
                                                                ]
                                                            }
                                                        ]
                                                    }
                                                ]
                                            }
                                        ]
                                    }
                                ]
                            }
                        ]
                    }
                ]
            },
        ),
    ],
)
def test_ways_to_put_an_object_into_a_plan(kind: str, values: dict[str, Any]) -> None:
    findings = parse_plan(plan(change(f"{kind}.a", values))).findings
    assert [f.resource.devices_per_node for f in findings] == [1]
    assert findings[0].address == f"{kind}.a"


def test_yaml_in_a_plan_that_cannot_be_read_could_not_be_told() -> None:
    finding = parse_plan(plan(change("kubectl_manifest.a", {"yaml_body": "a: ["}))).findings[0]
    assert finding.resource.certain is False
    assert finding.reasons[0].id == "iac.manifest_unreadable"
