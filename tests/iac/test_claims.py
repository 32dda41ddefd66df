"""Dynamic resource allocation, by the Kubernetes API reference (resource.k8s.io/v1, v1beta1)."""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor.iac.detect import parse
from gpuadvisor.iac.interface import Finding
from gpuadvisor.iac.reading import document_of
from tests.iac.support import context


def _parse(requests: str, claim: str = "resourceClaimTemplateName: gpu", more: str = "") -> Any:
    return parse(
        document_of(
            f"""
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: gpu}}
spec: {{spec: {{devices: {{requests: [{requests}]}}}}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: one}}
spec: {{devices: {{requests: [{requests}]}}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: llm}}
spec:
  replicas: 3
  template:
    spec:
      containers: [{{name: a, image: x{more}, resources: {{claims: [{{name: gpu}}]}}}}]
      resourceClaims: [{{name: gpu, {claim}}}]
""".encode(),
            "dra.yaml",
        ),
        context(),
    ).findings


def _ids(finding: Finding) -> set[str]:
    return {reason.id for reason in finding.reasons}


@pytest.mark.parametrize(
    ("requests", "device", "count", "partition"),
    [
        # v1 keeps the request under `exactly`, v1beta1 at the top.
        ("{name: g, exactly: {deviceClassName: gpu.nvidia.com}}", "nvidia.com/gpu", 1, None),
        ("{name: g, exactly: {deviceClassName: gpu.nvidia.com, count: 4}}", "nvidia.com/gpu", 4, None),
        ("{name: g, deviceClassName: gpu.nvidia.com, count: 2}", "nvidia.com/gpu", 2, None),
        ("{name: g, exactly: {deviceClassName: gpu.amd.com}}", "amd.com/gpu", 1, None),
        ("{name: g, firstAvailable: [{name: a, deviceClassName: gpu.nvidia.com, count: 2}, "
         "{name: b, deviceClassName: gpu.nvidia.com, count: 4}]}", "nvidia.com/gpu", 2, None),
        ("{name: g, exactly: {deviceClassName: mig.nvidia.com, selectors: [{cel: {expression: "
         "\"device.attributes['gpu.nvidia.com'].profile == '1g.5gb'\"}}]}}",
         "nvidia.com/gpu", 1, "1g.5gb"),
        ("{name: g, exactly: {deviceClassName: gpu.nvidia.com, allocationMode: All}}",
         "nvidia.com/gpu", None, None),
        ("{name: g, exactly: {deviceClassName: gpu.nvidia.com, count: \"${N}\"}}",
         "nvidia.com/gpu", None, None),
    ],
)  # fmt: skip
def test_claims_from_a_template(
    requests: str, device: str, count: int | None, partition: str | None
) -> None:
    (finding,) = _parse(requests)
    after = finding.after
    assert (finding.address, finding.side) == ("Deployment/llm", "demand")
    assert (after.device, after.devices_per_node, after.partition) == (device, count, partition)
    assert tuple(after.counts[:3]) == (3, 3, 3)
    assert bool(_ids(finding) - {"iac.claim_first"}) == (count is None)


def test_a_claim_by_name_is_shared() -> None:
    (finding,) = _parse("{name: g, exactly: {deviceClassName: gpu.nvidia.com}}",
                        "resourceClaimName: one")  # fmt: skip
    assert "iac.claim_shared" in _ids(finding)


def test_a_claim_that_is_not_in_the_file_is_named() -> None:
    (finding,) = _parse("", "resourceClaimTemplateName: elsewhere")
    assert finding.after.devices_per_node is None
    assert "iac.claim_elsewhere" in _ids(finding)


@pytest.mark.parametrize(
    "requests",
    ["", "{name: n, exactly: {deviceClassName: nic.example.com}}", "{name: n}",
     "{name: g, exactly: {deviceClassName: gpu.nvidia.com, count: 0}}"],
)  # fmt: skip
def test_claims_of_other_devices(requests: str) -> None:
    assert _parse(requests) == ()


def test_a_slice_without_a_profile_says_so() -> None:
    (finding,) = _parse("{name: g, exactly: {deviceClassName: mig.nvidia.com}}")
    assert finding.after.partition is None and "iac.claim_slice" in _ids(finding)
