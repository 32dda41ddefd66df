"""Cluster files of Ray's launcher (`ray up cluster.yaml`): node types of one cloud."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gpuadvisor.iac import interface
from gpuadvisor.iac.accelerators import Accelerators
from gpuadvisor.iac.evaluate import Outcome, Room, keyed, outcomes
from gpuadvisor.iac.fieldmap import FieldMap, ResourceMap
from gpuadvisor.iac.interface import Context, Count, Document, Finding, Findings
from gpuadvisor.iac.plain_view import PlainView
from gpuadvisor.iac.pods import block
from gpuadvisor.iac.view import clean

KIND = "ray"


def _body(document: Document) -> Any:
    data = document.data
    return data[0] if isinstance(data, list) and len(data) == 1 else data


def detect(document: Document) -> bool:
    """Node types, or the older head and worker nodes, of a named provider."""
    body = _body(document)
    return (
        isinstance(body, dict)
        and isinstance(body.get("provider"), dict)
        and ("available_node_types" in body or "head_node" in body)
    )


def parse(document: Document, context: Context) -> Findings:
    """Each node type as a group. The head is one node, whatever its bounds say."""
    body = _body(document)
    fields = FieldMap(context.documents)
    room = Room(fields, Accelerators(fields, context.is_accelerator), context.region)
    cloud = str(block(body.get("provider")).get("type") or "").casefold()
    entry = fields.resource(f"ray/{cloud}")
    found: list[Finding] = []
    groups = list(_groups(body))
    for name, group, head in groups:
        if entry is not None:
            found.extend(_findings(document, entry, body, name, group, head, room))
    return Findings(KIND, document.file, tuple(found), (), len(groups), len(groups) - len(found))


def _groups(body: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    for name, group in block(body.get("available_node_types")).items():
        if isinstance(group, dict):
            yield str(name), group, name == body.get("head_node_type")
    if "available_node_types" not in body:
        bounds = {key: body.get(key) for key in ("min_workers", "max_workers")}
        yield "head_node", {"node_config": body.get("head_node")}, True
        yield "worker_nodes", {"node_config": body.get("worker_nodes"), **bounds}, False


def _findings(
    document: Document,
    entry: ResourceMap,
    body: Mapping[str, Any],
    name: str,
    group: Mapping[str, Any],
    head: bool,
    room: Room,
) -> Iterator[Finding]:
    root = PlainView(name, "ray", body)
    if "max_workers" not in group and body.get("max_workers") is not None:
        # A type without its own bound is held by the cluster's.
        group = {**group, "max_workers": body["max_workers"]}
    view = PlainView(name, "ray", group, root)
    for outcome in keyed(outcomes(entry.parts, entry.provider, view, room)).values():
        yield Finding(
            address=clean(name) or "?",
            file=document.file,
            line=document.line_of(group),
            kind="ray_node_type",
            action=interface.DECLARED,
            provider=entry.provider,
            side=interface.SUPPLY,
            before=None,
            after=_headed(outcome, head).resource,
            reasons=outcome.reasons,
        )


def _headed(outcome: Outcome, head: bool) -> Outcome:
    """The head runs once, and workers of its type beside it."""
    if not head:
        return outcome
    low, planned, high, unit = outcome.resource.counts
    low, planned, high = (None if n is None else n + 1 for n in (low, planned, high))
    counts = Count(low, planned, high, unit)
    return outcome._replace(resource=outcome.resource._replace(counts=counts))
