"""JSON Schemas of the catalog's YAML, for editors that complete and check while typing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gpuadvisor.catalog.compile import SCHEMAS
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.names import nearest


def yaml_schema(kind: str | None) -> dict[str, Any]:
    """The schema of one kind of file, or `{kind: schema}` of all. Raises UsageError."""
    if kind is None:
        return {name: _schema(name) for name in SCHEMAS}
    if kind not in SCHEMAS:
        near = ", ".join(nearest(kind, SCHEMAS)) or ", ".join(SCHEMAS)
        raise UsageError(message("catalog.unknown_name", kind="kind", name=kind, nearest=near))
    return _schema(kind)


def _schema(kind: str) -> dict[str, Any]:
    module, model = SCHEMAS[kind]
    found: dict[str, Any] = getattr(
        import_module(f"gpuadvisor.catalog.{module}"), model
    ).model_json_schema(by_alias=True)
    found["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return found
