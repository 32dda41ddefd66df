"""Each resource type of the field map, as a plan shows it, and the answer worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from gpuadvisor.iac import terraform
from tests.iac.support import FIXTURES, context, documents, plan_document


def _config(name: str, region: str) -> dict[str, Any]:
    return {name: {"name": name, "expressions": {"region": {"constant_value": region}}}}


PROVIDER_CONFIG: dict[str, dict[str, Any]] = {
    "aws": _config("aws", "us-east-1"),
    "google": {},
    "azure": {},
    "oci": _config("oci", "us-phoenix-1"),
    "alibaba": {},
    "tencent": {},
    "huawei": {},
    "nebius": {},
    "specialists": {},
}
PLUGINS = {"aws": "hashicorp/aws", "google": "hashicorp/google", "azure": "hashicorp/azurerm"}
"""Only resources that the field map does not describe need their plugin's name."""


def _cases() -> list[Any]:
    found = []
    for provider in PROVIDER_CONFIG:
        text = (FIXTURES / "terraform" / f"{provider}.yaml").read_text()
        for case in yaml.safe_load(text):
            name = f"{case['type']}.{case.get('name', 'x')}"
            found.append(pytest.param(provider, case, id=name))
    return found


def _plan(provider: str, case: dict[str, Any]) -> dict[str, Any]:
    name = case.get("name", "x")
    change = {"actions": ["create"], "before": None, "after": case["after"], "after_unknown": {}}
    address = f"{case['type']}.{name}"
    key = next(iter(PROVIDER_CONFIG[provider]), "other")
    return {
        "format_version": "1.2",
        "resource_changes": [
            {
                "address": address,
                "mode": "managed",
                "type": case["type"],
                "name": name,
                "provider_name": f"registry.opentofu.org/{PLUGINS.get(provider, provider)}",
                "change": change,
            }
        ],
        "configuration": {
            "provider_config": PROVIDER_CONFIG[provider],
            "root_module": {
                "resources": [{"address": address, "provider_config_key": key, "expressions": {}}]
            },
        },
    }


def _told(finding: Any, wanted: dict[str, Any]) -> dict[str, Any]:
    """The finding's side of each key that the case names."""
    resource = finding.after
    label = finding.address.partition("#")[2]
    extra = {
        "label": label or None,
        "side": finding.side,
        "unit": resource.counts.unit,
        "counts": list(resource.counts[:3]),
        "candidates": [[c.type, c.weight] for c in resource.candidates],
        "split": list(resource.split) if resource.split else None,
        "zones": list(resource.zones),
        "reasons": [r.id for r in finding.reasons if r.id in wanted.get("reasons", ())],
    }
    return {key: extra.get(key, getattr(resource, key, None)) for key in wanted}


@pytest.mark.parametrize(("provider", "case"), _cases())
def test_resource_type(provider: str, case: dict[str, Any]) -> None:
    findings = terraform.parse(plan_document(_plan(provider, case)), context())
    wanted = case["expect"]
    if wanted is None:
        assert findings.findings == ()
        assert (findings.examined, findings.skipped) == (1, 1)
        return
    assert len(findings.findings) == 1
    assert _told(findings.findings[0], wanted) == wanted
    assert findings.findings[0].action == "create"
    assert findings.skipped == 0


def test_every_billed_resource_type_has_a_case() -> None:
    covered = {case["type"] for _, case in (p.values for p in _cases())}
    billed = {
        name
        for name, entry in documents().items()
        if entry.get("entry") == "resource"
        and entry["side"] in ("supply", "tasks")
        # CloudFormation, manifests and cluster files have cases of their own.
        and not {"/", ":"} & set(name)
        and not name.startswith("AWS::")
    }
    assert billed <= covered, sorted(billed - covered)
