"""Three clouds with round prices and the shipped field map: figures a reader can check by hand."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpuadvisor.check.interface import Report, Row
from gpuadvisor.check.run import check

ROOT = Path(__file__).parents[2]
PLANS = ROOT.parent / "shared" / "iac" / "plans"
TODAY = "2026-11-30"
"""29 days after the source `s` (fresh for all options), two years after `old`."""

_SOURCES = (
    "sources:\n"
    "  s: {title: test sheet, address: https://example.org, date: 2026-11-01, confidence: official}\n"
    "  old: {title: old sheet, address: https://example.org, date: 2024-11-01,"
    " confidence: secondary}\n"
)


def _device(name: str, family: str, memory: int) -> str:
    return (
        f"  {name}: {{family: {family}, vendor: nvidia, software: cuda, architecture: test,"
        f" memory_gib: {memory}, bandwidth_gbs: 300, fp16_tflops: 60, confidence: high,"
        f" source: s}}\n"
    )


def _type(name: str, device: str, devices: int, memory: int, vcpus: int, **more: str) -> str:
    extra = {"sold": "[on_demand, spot]", "status": "active", **more}
    shown = ", ".join(f"{key}: {value}" for key, value in extra.items())
    return (
        f"  {name}: {{family: {name.split('.')[0].split('-')[0]}, device: {device},"
        f" devices: {devices}, memory_gib: {memory}, vcpus: {vcpus},"
        f" host_memory_gib: {vcpus * 4}, interconnect: {'none' if devices == 1 else 'pcie'},"
        f" arch: x86_64, source: s, {shown}}}\n"
    )


_FILES = {
    "devices/all.yaml": "schema: gpuadvisor/devices/1\n" + _SOURCES + "devices:\n"
    + _device("T4", "T4", 16).replace("source: s", "source: s, aliases: [nvidia-tesla-t4]")
    + _device("L4", "L4", 24).replace("source: s", "source: s, aliases: [nvidia-l4]")
    + _device("A10G", "A10G", 24)
    + _device("K80", "K80", 12)
    + _device("A100-40GB-SXM", "A100", 40).replace(
        "source: s", "source: s, mig_max: 7"
    )
    + _device("H100-80GB-SXM", "H100", 80),
    "partitions/mig.yaml": "schema: gpuadvisor/partitions/1\n" + _SOURCES + "partitions:\n"
    "  A100-40GB-SXM:\n    1g.5gb: {memory_gib: 4.75, memory_share: 0.125, compute_slices: 1,"
    " max_per_device: 7, placements: [0, 1, 2, 3, 4, 5, 6], size: 1, source: s}\n",
    "providers/aws/shapes.yaml": "schema: gpuadvisor/shapes/1\nprovider: aws\ntitle: AWS\n"
    "tier: hyperscaler\nreference_region: us-east-1\n" + _SOURCES + "types:\n"
    + _type("g4dn.2xlarge", "T4", 1, 16, 8)
    + _type("g4dn.xlarge", "T4", 1, 16, 4)
    + _type("g5.12xlarge", "A10G", 4, 24, 48)
    + _type("g5.xlarge", "A10G", 1, 24, 4)
    + _type("p2.xlarge", "K80", 1, 12, 4, sold="[]", status="retired", retired_on="2024-01-01")
    + _type("p4d.24xlarge", "A100-40GB-SXM", 8, 40, 96, sold="[on_demand]")
    + _type("p5.48xlarge", "H100-80GB-SXM", 8, 80, 192),
    "providers/aws/prices/2026.10.yaml": "schema: gpuadvisor/prices/1\nprovider: aws\n"
    "version: 2026.10\ncurrency: USD\n" + _SOURCES + "prices:\n"
    "  g4dn.xlarge:\n"
    "    us-east-1: {on_demand: [0.5, s], spot: {low: 0.1, typical: 0.2, measure: zones,"
    " source: s, interruption: 5-10%, interruption_source: s}}\n"
    "    us-west-2: {on_demand: [0.5, old]}\n"
    "    eu-west-1: {on_demand: [0.6, s]}\n"
    "  g4dn.2xlarge:\n"
    "    us-east-1: {on_demand: [0.75, s], spot: {low: 0.3, typical: 0.4, measure: zones,"
    " source: s}}\n"
    "  g5.xlarge:\n    us-east-1: {on_demand: [1.0, s]}\n"
    "  g5.12xlarge:\n    us-east-1: {on_demand: [5.5, s]}\n"
    "  p4d.24xlarge:\n    us-east-1: {on_demand: [22.0, s]}\n"
    "  p5.48xlarge:\n    us-east-1: {on_demand: [55.04, s]}\n",
    "regions/aws.yaml": "schema: gpuadvisor/regions/1\nprovider: aws\n" + _SOURCES + "regions:\n"
    "  eu-west-1: {title: Ireland, country: IE, geo: europe, eu: true}\n"
    "  us-east-1: {title: Virginia, country: US, geo: us}\n"
    "  us-west-2: {title: Oregon, country: US, geo: us}\n",
    "providers/gcp/shapes.yaml": "schema: gpuadvisor/shapes/1\nprovider: gcp\ntitle: GCP\n"
    "tier: hyperscaler\nreference_region: us-central1\n" + _SOURCES + "types:\n"
    + _type("g2-standard-8", "L4", 1, 24, 8)
    + _type("n1-standard-4+t4x1", "T4", 1, 16, 4)
    + _type("n1-standard-8+t4x1", "T4", 1, 16, 8),
    # N1 and T4 as Google publishes them for us-central1: 0.0475 USD a vCPU with its memory, 0.35 a
    # T4 (cloud.google.com/compute/gpus-pricing and /vm-instance-pricing).
    "providers/gcp/prices/2026.10.yaml": "schema: gpuadvisor/prices/1\nprovider: gcp\n"
    "version: 2026.10\ncurrency: USD\n" + _SOURCES + "prices:\n"
    "  g2-standard-8:\n    us-central1: {on_demand: [0.85, s]}\n"
    "  n1-standard-4+t4x1:\n    us-central1: {on_demand: [0.54, s]}\n"
    "  n1-standard-8+t4x1:\n    us-central1: {on_demand: [0.73, s]}\n",
    "regions/gcp.yaml": "schema: gpuadvisor/regions/1\nprovider: gcp\n" + _SOURCES + "regions:\n"
    "  us-central1: {title: Iowa, country: US, geo: us}\n",
    "fx/ecb.yaml": "schema: gpuadvisor/fx/1\n" + _SOURCES
    + "base: EUR\nsource: s\nrates:\n  2026-01-01: {USD: 1.1, CNY: 7.7}\n",
}  # fmt: skip


def write_catalog(folder: Path) -> Path:
    """The three clouds and the shipped field map under `folder`."""
    for name, text in _FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "catalogs" / "iac", folder / "iac")
    return folder


def plan(*changes: Mapping[str, Any], region: str | None = "us-east-1") -> dict[str, Any]:
    """A plan of AWS resources whose provider block names a region."""
    expressions = {"region": {"constant_value": region}} if region else {}
    return {
        "format_version": "1.2",
        "resource_changes": list(changes),
        "configuration": {
            "provider_config": {"aws": {"name": "aws", "expressions": expressions}},
            "root_module": {
                "resources": [
                    {
                        "address": c["address"].partition("[")[0],
                        "type": c["type"],
                        "name": c["name"],
                        "mode": "managed",
                        "provider_config_key": "aws",
                    }
                    for c in changes
                ]
            },
        },
    }


def run(folder: Path, *documents: Mapping[str, Any] | str, **fields: Any) -> Report:
    """Check documents: plans as mappings, YAML as text."""
    files = []
    for number, document in enumerate(documents):
        is_text = isinstance(document, str)
        path = folder / f"file{number}.{'yaml' if is_text else 'json'}"
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        files.append(str(path))
    return check(files, today=TODAY, **fields)


def only(report: Report) -> Row:
    """The single row of a report."""
    assert len(report.rows) == 1, [row.finding.address for row in report.rows]
    return report.rows[0]


def row_of(report: Report, address: str) -> Row:
    """The row of an address."""
    return next(row for row in report.rows if row.finding.address == address)


def codes(row: Row) -> list[str]:
    """Ids of a row's reasons."""
    return [reason.id for reason in row.reasons]


def broken(report: Report) -> list[tuple[str, str]]:
    """(rule, level) of verdicts that did not pass."""
    return [(v.rule, v.level) for v in report.verdicts if not v.passed]


def deployment(
    name: str = "llm", replicas: int | str = 1, gpus: int = 1, kind: str = "Deployment", **pod: Any
) -> str:
    """A manifest whose pods ask for devices; `pod` are further keys of the pod's spec."""
    resource = pod.pop("resource", "nvidia.com/gpu")
    spec = {"containers": [{"name": "x", "resources": {"limits": {resource: gpus}}}], **pod}
    body = {
        "apiVersion": "batch/v1" if kind == "Job" else "apps/v1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": {"template": {"spec": spec}},
    }
    body["spec"]["parallelism" if kind == "Job" else "replicas"] = replicas  # type: ignore[index]
    return json.dumps(body)


def joined(items: Sequence[str]) -> str:
    """Several YAML documents in one file."""
    return "\n---\n".join(items)
