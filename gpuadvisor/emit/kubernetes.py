"""Kubernetes: a Deployment that serves or a Job that ends, placed on the chosen machines."""

from __future__ import annotations

import re
from typing import Any

from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import CAPACITY_BLOCK, FLEX_START, ON_DEMAND, SPOT
from gpuadvisor.emit.attached import machine
from gpuadvisor.emit.comments import Say
from gpuadvisor.emit.fabric import EFA_CARDS
from gpuadvisor.emit.heading import opening
from gpuadvisor.emit.interface import EVERYWHERE, Blank, Plan
from gpuadvisor.emit.yamltext import documents

FILE = "workload.yaml"
RESOURCES = {"cuda": "nvidia.com/gpu", "rocm": "amd.com/gpu", "gaudi": "habana.ai/gaudi",
             "tpu": "google.com/tpu", "neuron": "aws.amazon.com/neuron"}  # fmt: skip
"""The extended resource of each kind of device, as its vendor's device plugin calls it."""
IMAGE = "registry.example.com/image:tag"
TYPE, REGION = "node.kubernetes.io/instance-type", "topology.kubernetes.io/region"
ZONE = "topology.kubernetes.io/zone"
CAPACITY = "karpenter.sh/capacity-type"
KARPENTER_TERMS = {ON_DEMAND: "on-demand", SPOT: "spot", CAPACITY_BLOCK: "reserved"}
_TERMS = {
    ("gcp", SPOT): ("cloud.google.com/gke-spot", "true"),
    ("gcp", FLEX_START): ("cloud.google.com/gke-flex-start", "true"),
    ("azure", SPOT): ("kubernetes.azure.com/scalesetpriority", "spot"),
}
"""How the managed clusters label and taint nodes that are not plainly on demand."""
_LABELLED = ("aws", "azure", "gcp")
"""Clouds whose types have names that no other cloud uses."""
_LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 - where the C library looks for it
_PORT = 29500
"""Where PyTorch's processes meet by default."""


def text(plan: Plan, say: Say, file: str = FILE) -> str:
    """The manifests; RefusedError where the device has no resource or a name is no label."""
    notes = [message("emit.demand")]
    if plan.purchase != ON_DEMAND and terms(plan) is None:
        notes.append(message("emit.terms_of_nodes"))
    if plan.partition is not None:
        notes.append(message("emit.mig_nodes", config=f"all-{plan.partition}"))
    fill = [("image, command", message("emit.fill_container")), *_fill(plan)]
    head = opening(
        plan, [file], say, fill, notes, _nodes(plan), plan.ends, reserved(plan)
    )  # fmt: skip
    work = _job(plan) if plan.ends else _deployment(plan)
    return documents(head, [*([_service(plan)] if plan.gang else []), work])


def reserved(plan: Plan) -> bool:
    """Whether the label says no more than that the nodes are reserved somehow."""
    return plan.provider == "aws" and plan.purchase == CAPACITY_BLOCK


def _nodes(plan: Plan) -> list[str]:
    """The flag that tells `check` of the nodes, where labels do not tell cloud or terms."""
    known = plan.purchase == ON_DEMAND or terms(plan) is not None
    if known and plan.provider in _LABELLED:
        return []
    node = f"{plan.provider}/{plan.type.name}@{plan.region}:{plan.purchase}"
    return ["--assume-node", node]


def _fill(plan: Plan) -> list[Blank]:
    return [("CHECKPOINT_URI", message("emit.fill_bucket"))] if plan.checkpoint else []


def terms(plan: Plan) -> tuple[str, str] | None:
    """The label of nodes on the plan's terms, where a label says it."""
    if plan.provider == "aws" and plan.purchase in KARPENTER_TERMS:
        return CAPACITY, KARPENTER_TERMS[plan.purchase]
    return _TERMS.get((plan.provider, plan.purchase))


def resource(plan: Plan) -> tuple[str, int]:
    """(extended resource, how many a pod asks for)."""
    if plan.partition is not None:
        return f"nvidia.com/mig-{plan.partition.replace('+', '.')}", 1
    name = RESOURCES.get(plan.device.software)
    if name is None:
        raise RefusedError(message("emit.no_resource", device=plan.device.name))
    return name, plan.devices


def pods(plan: Plan) -> int:
    """A pod a machine; of slices, a pod a slice."""
    return plan.instances * (plan.devices * plan.slices if plan.partition else 1)


def _selector(plan: Plan) -> dict[str, str]:
    name, accelerator = machine(plan) if plan.provider == "gcp" else (plan.type.name, None)
    found = {TYPE: name}
    if accelerator is not None:
        found["cloud.google.com/gke-accelerator"] = accelerator
    if plan.region != EVERYWHERE:
        found[REGION] = plan.region
    if (label := terms(plan)) is not None:
        found[label[0]] = label[1]
    for value in found.values():
        if not _LABEL.fullmatch(value):
            raise RefusedError(message("emit.no_label", value=value[:80]))
    if not plan.fallbacks:
        return found
    return {key: value for key, value in found.items() if key != TYPE}


def _affinity(plan: Plan) -> dict[str, Any]:
    """The chosen type or one that may stand in for it; a gang's pods in one zone."""
    found: dict[str, Any] = {}
    if plan.fallbacks:
        wish = {"key": TYPE, "operator": "In", "values": list(plan.types)}
        terms = [{"matchExpressions": [wish]}]
        found["nodeAffinity"] = {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}
        }
    if plan.gang:
        same = {"labelSelector": {"matchLabels": _labels(plan)}}
        found["podAffinity"] = {
            "requiredDuringSchedulingIgnoredDuringExecution": [{**same, "topologyKey": ZONE}]
        }
    return found


def _labels(plan: Plan) -> dict[str, str]:
    return {"app.kubernetes.io/name": plan.name}


def _tolerations(plan: Plan) -> list[dict[str, str]]:
    name = RESOURCES.get(plan.device.software, "nvidia.com/gpu")
    found = [{"key": name, "operator": "Exists", "effect": "NoSchedule"}]
    if plan.provider != "aws" and (label := terms(plan)) is not None:
        key, value = label
        found.append({"key": key, "operator": "Equal", "value": value, "effect": "NoSchedule"})
    return found


def _pod(plan: Plan, **more: Any) -> dict[str, Any]:
    name, count = resource(plan)
    limits = {name: count}
    if plan.gang and plan.provider == "aws" and plan.type.name in EFA_CARDS:
        limits["vpc.amazonaws.com/efa"] = EFA_CARDS[plan.type.name]
    container: dict[str, Any] = {"name": "main", "image": IMAGE, "command": ["fill", "in"]}
    if env := _environment(plan):
        container["env"] = env
    container["resources"] = {"limits": limits}
    container["securityContext"] = {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    container["volumeMounts"] = [{"name": "shm", "mountPath": _SHARED_MEMORY}]
    spec: dict[str, Any] = {**more, "automountServiceAccountToken": False}
    spec["nodeSelector"] = _selector(plan)
    if affinity := _affinity(plan):
        spec["affinity"] = affinity
    spec["tolerations"] = _tolerations(plan)
    spec["containers"] = [container]
    # Frameworks hand batches over in shared memory, of which a pod has 64 MiB otherwise.
    spec["volumes"] = [{"name": "shm", "emptyDir": {"medium": "Memory"}}]
    return spec


def _environment(plan: Plan) -> list[dict[str, str]]:
    found: dict[str, str] = {}
    if plan.gang:
        found |= {
            "MASTER_ADDR": f"{plan.name}-0.{plan.name}",
            "MASTER_PORT": str(_PORT),
            "WORLD_NODES": str(plan.instances),
        }
    if plan.checkpoint is not None:
        found["CHECKPOINT_URI"] = "s3://fill-in" if plan.provider == "aws" else "gs://fill-in"
        if plan.provider not in ("aws", "gcp"):
            found["CHECKPOINT_URI"] = "fill-in"
        if plan.checkpoint.minutes is not None:
            found["CHECKPOINT_EVERY_MINUTES"] = str(plan.checkpoint.minutes)
    return [{"name": name, "value": value} for name, value in found.items()]


def _deployment(plan: Plan) -> dict[str, Any]:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": plan.name, "labels": _labels(plan)},
        "spec": {
            "replicas": pods(plan),
            "selector": {"matchLabels": _labels(plan)},
            # A new pod would need a device more before an old one gives its up.
            "strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}},
            "template": {"metadata": {"labels": _labels(plan)}, "spec": _pod(plan)},
        },
    }


def _job(plan: Plan) -> dict[str, Any]:
    more: dict[str, Any] = {"restartPolicy": "Never"}
    if plan.gang:
        more["subdomain"] = plan.name
    lost = {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": plan.name, "labels": _labels(plan)},
        "spec": {
            "completionMode": "Indexed",
            "completions": pods(plan),
            "parallelism": pods(plan),
            "backoffLimit": 3,
            # A node that is taken back is no failure of the work.
            "podFailurePolicy": {"rules": [lost]},
            "template": {"metadata": {"labels": _labels(plan)}, "spec": _pod(plan, **more)},
        },
    }


def _service(plan: Plan) -> dict[str, Any]:
    """Names for the pods of a gang, before they are ready."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": plan.name, "labels": _labels(plan)},
        "spec": {
            "clusterIP": "None",
            "publishNotReadyAddresses": True,
            "selector": _labels(plan),
            "ports": [{"name": "rendezvous", "port": _PORT}],
        },
    }
