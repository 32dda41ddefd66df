"""Small plans built from the parts that matter to a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpuadvisor.iac import terraform
from gpuadvisor.iac.interface import Findings
from tests.iac.support import context, plan_document

Values = Mapping[str, Any]


def change(
    address: str,
    after: Values | None = None,
    before: Values | None = None,
    actions: Sequence[str] | None = None,
    unknown: Values | None = None,
    sensitive: Any = False,
    **extra: Any,
) -> dict[str, Any]:
    """A resource change; module, type, name and index are taken from the address."""
    module, _, plain = address.rpartition(".module.")
    bare = address
    parts = address.split(".")
    if parts[0] == "module":
        at = next(i for i in range(2, len(parts), 2) if parts[i] != "module")
        bare, extra["module_address"] = ".".join(parts[at:]), ".".join(parts[:at])
    del module, plain
    kind, _, name = bare.partition(".")
    name, bracket, index = name.partition("[")
    if bracket:
        text = index.rstrip("]")
        extra["index"] = text.strip('"') if text.startswith('"') else int(text)
    if actions is None:
        actions = ["create"] if before is None else ["delete"] if after is None else ["update"]
    return {
        "address": address,
        "mode": "managed",
        "type": kind,
        "name": name,
        "provider_name": f"registry.terraform.io/hashicorp/{kind.split('_')[0]}",
        "change": {
            "actions": list(actions),
            "before": before,
            "after": after,
            "after_unknown": unknown or {},
            "before_sensitive": False,
            "after_sensitive": sensitive,
        },
        **extra,
    }


def resource(address: str, key: str = "aws", **expressions: Any) -> dict[str, Any]:
    """A resource of the configuration part."""
    kind, _, name = address.partition(".")
    return {
        "address": address,
        "mode": "managed",
        "type": kind,
        "name": name,
        "provider_config_key": key,
        "expressions": expressions,
    }


def constant(value: Any) -> dict[str, Any]:
    return {"constant_value": value}


def refers(*names: str) -> dict[str, Any]:
    return {"references": list(names)}


def plan(
    *changes: Values,
    resources: Sequence[Values] = (),
    providers: Values | None = None,
    variables: Values | None = None,
    declared: Values | None = None,
    calls: Values | None = None,
    **extra: Any,
) -> dict[str, Any]:
    """A plan document around some changes."""
    root: dict[str, Any] = {"resources": list(resources)}
    if declared:
        root["variables"] = dict(declared)
    if calls:
        root["module_calls"] = dict(calls)
    return {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "variables": {name: {"value": value} for name, value in (variables or {}).items()},
        "resource_changes": list(changes),
        "configuration": {"provider_config": providers or {}, "root_module": root},
        **extra,
    }


def parse(data: Any, region: str | None = None) -> Findings:
    return terraform.parse(plan_document(data), context(region))
