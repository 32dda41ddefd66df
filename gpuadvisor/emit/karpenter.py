"""Karpenter on AWS: a node pool of the chosen type, and how its nodes are made."""

from __future__ import annotations

from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import CAPACITY_BLOCK
from gpuadvisor.emit.comments import Say
from gpuadvisor.emit.heading import opening
from gpuadvisor.emit.interface import Plan, provided
from gpuadvisor.emit.kubernetes import (
    CAPACITY,
    KARPENTER_TERMS,
    REGION,
    TYPE,
    reserved,
    resource,
)
from gpuadvisor.emit.kubernetes import FILE as PODS
from gpuadvisor.emit.yamltext import documents

FILE = "karpenter.yaml"
_CLUSTER = "CLUSTER_NAME"
_EXPIRES = "720h"


def text(plan: Plan, say: Say, file: str = FILE) -> str:
    """NodePool and EC2NodeClass; RefusedError for a cloud other than AWS."""
    provided(plan, "karpenter", ["aws"], KARPENTER_TERMS)
    fill = [(_CLUSTER, message("emit.fill_cluster"))]
    if plan.purchase == CAPACITY_BLOCK:
        fill.append(("capacityReservationSelectorTerms", message("emit.fill_reservation")))
    notes = [message("emit.pool")]
    if plan.partition is not None:
        notes.append(message("emit.mig_pool"))
    head = opening(
        plan, [file, PODS], say, fill, notes, job=plan.ends, reserved=reserved(plan)
    )  # fmt: skip
    parts = [_pool(plan), _class(plan)]
    if plan.partition is not None:
        parts.append(_overlay(plan))
    return documents(head, parts)


def _pool(plan: Plan) -> dict[str, Any]:
    name, _ = resource(plan)
    labels = {"app.kubernetes.io/name": plan.name}
    if plan.partition is not None:
        labels["nvidia.com/mig.config"] = f"all-{plan.partition}"
    device = name if plan.partition is None else "nvidia.com/gpu"
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": plan.name},
        "spec": {
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "nodeClassRef": {
                        "group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": plan.name
                    },
                    "requirements": [
                        {"key": TYPE, "operator": "In", "values": list(plan.types)},
                        {"key": CAPACITY, "operator": "In",
                         "values": [KARPENTER_TERMS[plan.purchase]]},
                        {"key": REGION, "operator": "In", "values": [plan.region]},
                    ],
                    "taints": [{"key": device, "value": "true", "effect": "NoSchedule"}],
                    "expireAfter": "Never" if plan.ends else _EXPIRES,
                },
            },
            "limits": {device: str(plan.instances * plan.devices)},
            "disruption": {
                "consolidationPolicy": "WhenEmpty" if plan.ends else "WhenEmptyOrUnderutilized",
                "consolidateAfter": "5m",
            },
        },
    }  # fmt: skip


def _class(plan: Plan) -> dict[str, Any]:
    tag = [{"tags": {"karpenter.sh/discovery": _CLUSTER}}]
    spec: dict[str, Any] = {
        "amiSelectorTerms": [{"alias": "al2023@latest"}],
        "role": f"KarpenterNodeRole-{_CLUSTER}",
        "subnetSelectorTerms": tag,
        "securityGroupSelectorTerms": tag,
        "associatePublicIPAddress": False,
        "metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1},
        "blockDeviceMappings": [
            {
                "deviceName": "/dev/xvda",
                "ebs": {
                    "volumeSize": f"{plan.boot_gb + (plan.data_gb or 0)}Gi",
                    "volumeType": "gp3",
                    "encrypted": True,
                    "deleteOnTermination": True,
                },
            }
        ],
    }
    if plan.purchase == CAPACITY_BLOCK:
        spec["capacityReservationSelectorTerms"] = [{"id": "cr-00000000000000000"}]
    return {
        "apiVersion": "karpenter.k8s.aws/v1",
        "kind": "EC2NodeClass",
        "metadata": {"name": plan.name},
        "spec": spec,
    }


def _overlay(plan: Plan) -> dict[str, Any]:
    """Tells Karpenter of slices, which no type has before its devices are cut."""
    name, _ = resource(plan)
    here = [
        {"key": "karpenter.sh/nodepool", "operator": "In", "values": [plan.name]},
        {"key": TYPE, "operator": "In", "values": list(plan.types)},
    ]
    capacity = {name: str(plan.devices * plan.slices)}
    return {
        "apiVersion": "karpenter.sh/v1alpha1",
        "kind": "NodeOverlay",
        "metadata": {"name": f"{plan.name}-slices"},
        "spec": {"requirements": here, "capacity": capacity},
    }
