"""SkyPilot, dstack and Compose: files of the shape of public ones, answers worked out by hand.

Shapes: skypilot-org/skypilot llm/{axolotl,dbrx,gpt-2}, dstackai/dstack@511c318c examples,
docker/genai-stack@0444f467.
"""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.iac.detect import parse
from gpuadvisor.iac.interface import Candidate, Finding, Findings
from gpuadvisor.iac.reading import document_of
from gpuadvisor.report.messages import render
from tests.iac.support import context


def _parse(text: str, region: str | None = None) -> Findings:
    return parse(document_of(text.encode(), "task.yaml"), context(region))


def _one(text: str) -> Finding:
    findings = _parse(text).findings
    assert len(findings) == 1, [f.address for f in findings]
    return findings[0]


def _ids(finding: Finding) -> set[str]:
    return {reason.id for reason in finding.reasons}


def _wants(finding: Finding) -> list[tuple[str | None, Any, Any]]:
    """(name, lowest, highest number of devices) of every candidate."""
    assert finding.after is not None
    found = []
    for candidate in finding.after.candidates:
        wish = candidate.requirements or {}
        name = candidate.type or next(iter(wish.get("accelerator_names", ())), None)
        found.append((name, wish.get("accelerator_count_min"), wish.get("accelerator_count_max")))
    return found


AXOLOTL = """
name: axolotl
resources:
  accelerators: A100:1
  cloud: gcp
  use_spot: True
  disk_tier: best
file_mounts:
  /sky-notebook:
    name: ${BUCKET}
    mode: MOUNT
setup: docker pull winglian/axolotl:main-py3.10-cu118-2.0.1
run: docker run --gpus all winglian/axolotl
"""


def test_a_managed_spot_task() -> None:
    finding = _one(AXOLOTL)
    after = finding.after
    assert after is not None
    assert (finding.address, finding.kind, finding.line) == ("task axolotl", "skypilot_task", 2)
    assert (after.provider, after.device, after.devices_per_node) == ("gcp", "A100", 1)
    assert (tuple(after.counts[:3]), after.purchase, after.region) == ((1, 1, 1), "spot", None)
    assert _wants(finding) == [("A100", 1, 1)]
    assert {"iac.runs_then_ends", "iac.region_unknown"} <= _ids(finding)


def test_a_stray_line_is_an_error_with_its_place() -> None:
    """The stored axolotl-spot.yaml ends with a stray "4", which is no YAML."""
    with pytest.raises(InputError) as caught:
        _parse(AXOLOTL + "4\n")
    (problem,) = caught.value.problems
    assert (problem.file, problem.line) == ("task.yaml", 15)
    assert "invalid YAML" in render(problem.message)


def test_a_service_with_alternatives() -> None:
    """dbrx.yaml: a set in flow style reads as keys without values; two fixed replicas."""
    finding = _one(
        """
service: {replicas: 2, readiness_probe: /v1/models}
resources:
  accelerators: {A100-80GB:8, A100-80GB:4, A100:8, A100:16}
  cpus: 32+
  memory: 512+
  use_spot: True
run: vllm
"""
    )
    after = finding.after
    assert after is not None
    assert (after.provider, after.device, after.purchase) == ("any", None, "spot")
    assert tuple(after.counts[:3]) == (2, 2, 2)
    assert _wants(finding) == [
        ("A100-80GB", 8, 8),
        ("A100-80GB", 4, 4),
        ("A100", 8, 8),
        ("A100", 16, 16),
    ]
    # 512 GiB of host memory at least; 32 vCPUs or more.
    wish = after.candidates[0].requirements or {}
    assert (wish["memory_mib_min"], wish["vcpu_count_min"]) == (512 * 1024, 32)
    assert "vcpu_count_max" not in wish
    assert "iac.runs_then_ends" not in _ids(finding), "a service stands"
    assert {"iac.any_of", "iac.any_cloud"} <= _ids(finding)


def test_a_pipeline_runs_one_after_the_other() -> None:
    """gpt2-pipeline.yaml: the first task has no accelerator."""
    findings = _parse(
        """
name: gpt2
---
name: data
resources: {cpus: 64+}
run: prepare
---
name: train
resources: {accelerators: A100, use_spot: true}
run: torchrun
"""
    )
    (finding,) = findings.findings
    assert (findings.examined, findings.skipped) == (2, 1)
    assert finding.address == "task train"
    assert "iac.one_after_another" in _ids(finding)


@pytest.mark.parametrize(
    ("resources", "wants"),
    [
        ("{accelerators: H100}", [("H100", 1, 1)]),
        ("{accelerators: {H100: 8}}", [("H100", 8, 8)]),
        ("{accelerators: [H100:8, A100:8]}", [("H100", 8, 8), ("A100", 8, 8)]),
        ("{gpus: L4:4}", [("L4", 4, 4)]),
        ("{cloud: aws, instance_type: p4d.24xlarge}", []),
        ("{any_of: [{cloud: aws}, {cloud: gcp}], accelerators: T4:1}", [("T4", 1, 1)] * 2),
        ("{ordered: [{accelerators: L4:1}, {accelerators: T4:1}]}", [("L4", 1, 1), ("T4", 1, 1)]),
        # A fraction is not a whole number: said, and nothing is made of it.
        ("{accelerators: L4:0.5}", [("L4", 1, None)]),
    ],
)
def test_forms_of_accelerators(resources: str, wants: list[Any]) -> None:
    assert _wants(_one(f"resources: {resources}\nrun: x\n")) == wants


def test_an_instance_type_by_name() -> None:
    after = _one("resources: {infra: aws/us-east-1, instance_type: p4d.24xlarge}\nrun: x\n").after
    assert after is not None
    assert (after.provider, after.type, after.region) == ("aws", "p4d.24xlarge", "us-east-1")


@pytest.mark.parametrize(
    ("place", "provider", "region", "zones"),
    [
        ("infra: aws/us-east-1/us-east-1a", "aws", "us-east-1", ("us-east-1a",)),
        ("infra: aws", "aws", None, ()),
        ('infra: "*/us-east-1"', "any", "us-east-1", ()),
        ("cloud: lambda, region: us-east-1", "lambda", "us-east-1", ()),
        ("cloud: do", "digitalocean", None, ()),
        ('cloud: aws, region: "${REGION}"', "aws", None, ()),
    ],
)
def test_places(place: str, provider: str, region: str | None, zones: tuple[str, ...]) -> None:
    after = _one(f"resources: {{{place}, accelerators: T4}}\nrun: x\n").after
    assert after is not None
    assert (after.provider, after.region, after.zones) == (provider, region, zones)


def test_on_kubernetes_it_is_demand() -> None:
    finding = _one("resources: {infra: k8s/ctx, accelerators: H100:8}\nnum_nodes: 2\nrun: x\n")
    after = finding.after
    assert after is not None
    assert (finding.side, after.billing, after.counts) == ("demand", "pod", (2, 2, 2, "pods"))
    assert (after.device, after.devices_per_node, after.region) == ("H100", 8, None)


@pytest.mark.parametrize(
    ("extra", "counts"),
    [
        ("num_nodes: 4", (4, 4, 4)),
        ("service: {replica_policy: {min_replicas: 1, max_replicas: 5}}\nnum_nodes: 2", (2, 2, 10)),
        ("service: {replica_policy: {min_replicas: 0, max_replicas: 3}}", (0, 0, 3)),
        ("num_nodes: $N", (None, None, None)),
        ("service: {replicas: 0}", (0, 0, 0)),
    ],
)
def test_skypilot_counts(extra: str, counts: tuple[Any, ...]) -> None:
    after = _one(f"resources: {{accelerators: T4}}\nrun: x\n{extra}\n").after
    assert after is not None and tuple(after.counts[:3]) == counts


@pytest.mark.parametrize(
    "resources",
    ["{cpus: 4+}", "{accelerators: {}}", "{accelerators: H100:0}", "{instance_type: m5.large}"],
)
def test_tasks_without_accelerators(resources: str) -> None:
    found = _parse(f"resources: {resources}\nrun: x\n")
    assert (found.kind, found.findings, found.skipped) == ("skypilot", (), 1)


@pytest.mark.parametrize(
    ("gpu", "wants", "device"),
    [
        ("1..8", [(None, 1, 8)], None),
        ("1", [(None, 1, 1)], None),
        ("H100:8", [("H100", 8, 8)], "H100"),
        ("H100", [("H100", 1, 1)], "H100"),
        ("24GB..:2..", [(None, 2, None)], None),
        ("'A100,H100:80GB:2'", [("A100", 2, 2), ("H100", 2, 2)], None),
        ("{name: [A100, H100], count: 4..8}", [("A100", 4, 8), ("H100", 4, 8)], None),
        ("{name: MI300X, count: 8}", [("MI300X", 8, 8)], "MI300X"),
    ],
)
def test_dstack_gpus(gpu: str, wants: list[Any], device: str | None) -> None:
    finding = _one(f"type: task\nname: t\ncommands: [x]\nresources: {{gpu: {gpu}}}\n")
    assert _wants(finding) == wants
    assert finding.after is not None and finding.after.device == device


def test_dstack_memory_and_maker_bound_the_choice() -> None:
    after = _one("type: task\ncommands: [x]\nresources: {gpu: amd:24GB..48GB:2}\n").after
    assert after is not None
    # 24 GB to 48 GB of each device, in MiB
    assert after.candidates == (
        Candidate(
            None,
            1,
            {
                "accelerator_memory_mib_min": 24576,
                "accelerator_memory_mib_max": 49152,
                "accelerator_manufacturers": ["amd"],
                "accelerator_count_min": 2,
                "accelerator_count_max": 2,
            },
        ),
    )


@pytest.mark.parametrize(
    ("text", "provider", "counts", "purchase"),
    [
        # examples/distributed-training/torchrun: two nodes, any GPU
        ("type: task\nname: train\nnodes: 2\ncommands: [x]\nresources: {gpu: 1..8}",
         "any", (2, 2, 2), "on_demand"),
        # examples/misc/ray/fleet.dstack.yaml: four nodes on Google Cloud
        ("type: fleet\nname: ray\nnodes: 4\nbackends: [gcp]\nresources: {gpu: 1}",
         "gcp", (4, 4, 4), "on_demand"),
        ("type: fleet\nname: f\nnodes: {min: 0, target: 1, max: 3}\nresources: {gpu: H100:8}",
         "any", (0, 1, 3), "on_demand"),
        ("type: service\nname: s\nreplicas: 0..4\nspot_policy: spot\nresources: {gpu: H100}",
         "any", (0, 0, 4), "spot"),
        ("type: service\nname: s\nspot_policy: auto\nimage: i\nresources: {gpu: H100}",
         "any", (1, 1, 1), "unknown"),
        ("type: dev-environment\nide: vscode\nbackends: [vastai]\nresources: {gpu: 24GB}",
         "vast", (1, 1, 1), "on_demand"),
        ("type: fleet\nname: f\nnodes: 2..\nresources: {gpu: H100:8}",
         "any", (2, 2, None), "on_demand"),
    ],
)  # fmt: skip
def test_dstack(text: str, provider: str, counts: tuple[Any, ...], purchase: str) -> None:
    finding = _one(text)
    after = finding.after
    assert after is not None
    assert (after.provider, tuple(after.counts[:3]), after.purchase) == (
        provider,
        counts,
        purchase,
    )
    assert ("iac.runs_then_ends" in _ids(finding)) == text.startswith("type: task")


def test_dstack_places_and_types_by_name() -> None:
    text = (
        "type: fleet\nname: f\nnodes: 1\nbackends: [aws]\nregions: [eu-west-1]\n"
        "instance_types: [p5.48xlarge, p4d.24xlarge]\n"
    )
    after = _one(text).after
    assert after is not None
    assert [c.type for c in after.candidates] == ["p5.48xlarge", "p4d.24xlarge"]
    assert (after.region, after.region_evidence) == ("eu-west-1", "field:region")


@pytest.mark.parametrize(
    "text",
    [
        "type: task\nname: t\ncommands: [x]\nresources: {cpu: 4}",
        "type: task\nname: t\ncommands: [x]\nresources: {gpu: 0}",
        "type: task\nname: t\ncommands: [x]\nresources: {gpu: 0..}",
        "type: dev-environment\nide: vscode\nname: d",
    ],
)
def test_dstack_without_accelerators(text: str) -> None:
    found = _parse(text)
    assert (found.kind, found.findings, found.skipped) == ("dstack", (), 1)


def test_own_machines_have_no_price() -> None:
    text = "type: fleet\nname: lab\nssh_config: {hosts: [10.0.0.1]}\nresources: {gpu: H100:8}"
    found = _parse(text)
    assert found.findings == ()
    assert [(n.address, n.message.id) for n in found.notes] == [("fleet lab", "iac.own_machines")]


COMPOSE = """
x-gpu: &gpu
  deploy: {resources: {reservations: {devices: [{driver: nvidia, count: all, capabilities: [gpu]}]}}}
services:
  database: {image: neo4j}
  llm: &llm {image: ollama/ollama, profiles: [linux]}
  llm-gpu:
    <<: [*llm, *gpu]
    profiles: [linux-gpu]
  two: {image: x, gpus: [{driver: nvidia, device_ids: ["0", "3"]}]}
  every: {image: x, gpus: all}
  old: {image: x, runtime: nvidia}
"""


def test_compose_is_informational() -> None:
    """docker/genai-stack: merge keys and profiles, `count: all`; the host has no price here."""
    found = _parse(COMPOSE)
    assert (found.kind, found.findings, found.examined) == ("compose", (), 6)
    assert [(n.address, n.message.params["count"]) for n in found.notes] == [
        ("service llm-gpu", "all"),
        ("service two", "2"),
        ("service every", "all"),
        ("service old", "all"),
    ]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("on: push\njobs: {a: {services: {db: {image: postgres}}}}\n", "none of the formats"),
        ("servingEngineSpec: {modelSpec: [{requestGPU: 1}]}\n", "helm template"),
        ("image: {repository: x}\nreplicaCount: 2\n", "helm template"),
    ],
)
def test_other_yaml_is_none_of_these(text: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        _parse(text)
    assert hint in render(caught.value.message)
