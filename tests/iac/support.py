"""The shipped field map and a small stand-in for the catalog's list of accelerator types."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpuadvisor.catalog.reader import read
from gpuadvisor.catalog.schema_iac import IacFile
from gpuadvisor.iac.interface import Context, Document, Findings

ROOT = Path(__file__).parents[2]
FIXTURES = Path(__file__).parent / "fixtures"
PLANS = ROOT.parent / "shared" / "iac" / "plans"

ACCELERATORS = {
    "aws": frozenset(
        [
            "g4dn.xlarge",
            "g4dn.2xlarge",
            "g4dn.12xlarge",
            "g5.xlarge",
            "g5.2xlarge",
            "g5.12xlarge",
            "g6.xlarge",
            "g6e.2xlarge",
            "g6e.12xlarge",
            "p3.2xlarge",
            "p4d.24xlarge",
            "p5.48xlarge",
            "trn1.32xlarge",
            "inf2.xlarge",
            "ml.g5.xlarge",
            "ml.g5.2xlarge",
            "ml.p4d.24xlarge",
        ]
    ),
    "gcp": frozenset(
        [
            "g2-standard-4",
            "g2-standard-8",
            "a2-highgpu-1g",
            "a2-highgpu-8g",
            "a3-highgpu-8g",
            "v5litepod-8",
            "v4-16",
            "ct5lp-hightpu-4t",
        ]
    ),
    "azure": frozenset(
        [
            "standard_nc4as_t4_v3",
            "standard_nc24ads_a100_v4",
            "standard_nd96asr_v4",
            "standard_nc6",
            "standard_nc12",
            "standard_nc24",
            "standard_nv6",
            "standard_nv12",
            "standard_nv24",
        ]
    ),
}


def is_accelerator(provider: str, name: str) -> bool | None:
    """True for the few types above, None ("not in the catalog") for all others."""
    known = ACCELERATORS.get(provider, frozenset())
    return True if name.casefold() in known else None


@functools.cache
def documents() -> Mapping[str, Mapping[str, Any]]:
    """What `catalog.documents("iac")` returns, straight from the YAML."""
    found: dict[str, Mapping[str, Any]] = {}
    for path in sorted((ROOT / "catalogs" / "iac").glob("*.yaml")):
        model = IacFile.model_validate(read(str(path)).data)
        found.update(model.model_dump(mode="json", exclude_none=True, by_alias=True)["iac"])
    return found


def context(region: str | None = None, **parameters: str) -> Context:
    return Context(documents(), is_accelerator, region, parameters)


def plan_document(data: Any, file: str = "plan.json") -> Document:
    return Document(file, "json", data, lambda _: None)


def by_address(findings: Findings) -> dict[str, Any]:
    return {finding.address: finding for finding in findings.findings}
