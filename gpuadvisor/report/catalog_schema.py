"""JSON Schemas: of the catalog's YAML, for editors, and of what each command writes as JSON.

The schemas of the YAML come from its models; those of the output are files, `schemas/*.json`.
"""

from __future__ import annotations

import json
from importlib import import_module
from importlib.resources import files
from typing import Any

from gpuadvisor.catalog.compile import SCHEMAS
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.names import nearest

OUTPUT = "output/"


def schema_of(name: str | None) -> dict[str, Any]:
    """The schema of a kind of YAML file, or of `output/<command>`; `{name: schema}` of all.

    Raises UsageError with the nearest names.
    """
    known = (*SCHEMAS, *(OUTPUT + command for command in outputs()))
    if name is None:
        return {each: schema_of(each) for each in known}
    if name not in known:
        near = ", ".join(nearest(name, known)) or ", ".join(known)
        raise UsageError(
            message(
                "catalog.unknown_name", kind=message("catalog.kind_schema"), name=name, nearest=near
            )
        )
    if name.startswith(OUTPUT):
        return output_schema(name.removeprefix(OUTPUT))
    return _yaml_schema(name)


def outputs() -> tuple[str, ...]:
    """Commands whose JSON has a schema."""
    names = (entry.name for entry in (files("gpuadvisor.report") / "schemas").iterdir())
    return tuple(sorted(n.removesuffix(".json") for n in names if n.endswith(".json")))


def output_schema(command: str) -> dict[str, Any]:
    """The schema of a command's `--format json`; FileNotFoundError where it has none."""
    text = (files("gpuadvisor.report") / "schemas" / f"{command}.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _yaml_schema(kind: str) -> dict[str, Any]:
    module, model = SCHEMAS[kind]
    found: dict[str, Any] = getattr(
        import_module(f"gpuadvisor.catalog.{module}"), model
    ).model_json_schema(by_alias=True)
    found["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return found
