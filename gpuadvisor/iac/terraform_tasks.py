"""Demand written as JSON text inside a resource: ECS tasks and AWS Batch jobs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.iac import interface
from gpuadvisor.iac.evaluate import Outcome
from gpuadvisor.iac.fieldmap import ResourceMap
from gpuadvisor.iac.interface import Count, Resource
from gpuadvisor.iac.view import Opaque, View, text, whole

_MAX_TEXT = 4 * 1024 * 1024
_MAX_DEPTH = 64


def demands(view: View, entry: ResourceMap) -> dict[str, Outcome]:
    """The devices a task definition asks for. It runs nothing by itself: planned is 0."""
    for path in entry.documents:
        value = view.get(path)
        if isinstance(value, Opaque) or value in (None, ""):
            # An unknown definition says nothing about devices; most tasks ask for none.
            continue
        body = _body(value)
        asked = sum(_devices(body))
        if asked:
            return {"": _outcome(entry.provider, asked, body)}
    return {}


def _body(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value) if len(value) <= _MAX_TEXT else None
    except (ValueError, RecursionError):
        return None


def _walk(body: Any) -> Iterator[dict[str, Any]]:
    stack = [(body, 0)]
    while stack:
        item, depth = stack.pop()
        if depth > _MAX_DEPTH:
            continue
        if isinstance(item, dict):
            yield {str(key).casefold(): value for key, value in item.items()}
            stack.extend((inner, depth + 1) for inner in item.values())
        elif isinstance(item, list):
            stack.extend((inner, depth + 1) for inner in item)


def _devices(body: Any) -> Iterator[int]:
    """`resourceRequirements: [{type: GPU, value: "1"}]`, in any container."""
    for item in _walk(body):
        if str(item.get("type")).casefold() == "gpu":
            yield whole(item.get("value")) or 0


def _outcome(provider: str, devices: int, body: Any) -> Outcome:
    machine: str | None = None
    nodes = 1
    for item in _walk(body):
        machine = machine or text(item.get("instancetype"))
        nodes = whole(item.get("numnodes")) or nodes
    resource = Resource(
        provider=provider,
        type=machine,
        device="GPU",
        devices_per_node=devices,
        counts=Count(0, 0, nodes, "pods"),
        purchase=interface.UNKNOWN_PURCHASE,
        billing="pod",
        confidence="low",
    )
    return Outcome(None, resource, (message("iac.definition_only"),))
