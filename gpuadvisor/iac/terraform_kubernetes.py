"""Kubernetes objects inside a Terraform plan: native resources, manifests, YAML text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.catalog.message import message
from gpuadvisor.iac import interface
from gpuadvisor.iac.demand import demand_of
from gpuadvisor.iac.evaluate import Outcome, Room, keyed
from gpuadvisor.iac.fieldmap import ResourceMap
from gpuadvisor.iac.interface import Context, Count, Resource
from gpuadvisor.iac.terraform_view import PlanView
from gpuadvisor.iac.view import Opaque

# The provider writes list fields in the singular and wraps every block in a list.
_LISTS = {
    "container": "containers",
    "init_container": "initContainers",
    "match_expressions": "matchExpressions",
    "node_selector_term": "nodeSelectorTerms",
}
_PLAIN = frozenset(("node_selector", "limits", "requests"))
# Only what decides devices and place is taken over; environments and commands hold secrets.
_KEPT = frozenset(
    [
        "metadata",
        "name",
        "namespace",
        "spec",
        "template",
        "job_template",
        "replicas",
        "parallelism",
        "completions",
        "container",
        "init_container",
        "restart_policy",
        "resources",
        "limits",
        "requests",
        "node_selector",
        "affinity",
        "node_affinity",
        "required_during_scheduling_ignored_during_execution",
        "node_selector_term",
        "match_expressions",
        "key",
        "operator",
        "values",
    ]
)
_COUNTS = (("spec", "replicas"), ("spec", "parallelism"), ("spec", "completions"))


def demands(view: PlanView, entry: ResourceMap, context: Context) -> dict[str, Outcome]:
    """The demand of one resource by label; empty where it asks for no devices."""
    return keyed(_demands(view, entry, context))


def supplies(view: PlanView, entry: ResourceMap, room: Room) -> dict[str, Outcome]:
    """The nodes that an object rents by label; empty for workloads and for what is not told."""
    from gpuadvisor.iac.demand import manifest_of
    from gpuadvisor.iac.kubernetes import supply
    from gpuadvisor.iac.pods import words

    known = words(room.fields.documents)
    bodies = (body for body in _bodies(view, entry) if not isinstance(body, Opaque))
    return keyed(found for body in bodies for found in supply(manifest_of(body), room, known))


def _demands(view: PlanView, entry: ResourceMap, context: Context) -> Iterator[Outcome]:
    for body in _bodies(view, entry):
        if isinstance(body, Opaque):
            yield _untold(body)
        else:
            yield from demand_of(body, context)


def _bodies(view: PlanView, entry: ResourceMap) -> Iterator[Mapping[str, Any] | Opaque]:
    if entry.manifest is not None:
        yield _native(view, entry.manifest)
        return
    for path in entry.documents:
        value = view.masked(path)
        if isinstance(value, dict):
            yield value
            return
        if isinstance(value, str) and value.strip():
            yield from _yaml(value)
            return
    if entry.documents:
        hidden = [v for v in map(view.get, entry.documents) if isinstance(v, Opaque)]
        yield from hidden[:1]


def _native(view: PlanView, group_and_kind: str) -> Mapping[str, Any]:
    group, _, kind = group_and_kind.partition("/")
    body: dict[str, Any] = {"apiVersion": f"{group}/v1" if group else "v1", "kind": kind}
    for key in ("metadata", "spec"):
        blocks = view.blocks((key,))
        value: Any = {}
        if not isinstance(blocks, Opaque):
            value = next((_convert(b.masked()) for b in blocks), {})
        body[key] = value if isinstance(value, dict) else {}
    for path in _COUNTS:
        value = view.get(path)
        if isinstance(value, Opaque):
            body[path[0]][path[1]] = value
    return body


def _convert(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for key, inner in value.items():
        if key not in _KEPT or inner is None:
            continue
        if key in _PLAIN:
            found[_camel(key)] = inner[0] if isinstance(inner, list) and inner else inner
        elif key in _LISTS:
            found[_LISTS[key]] = [_convert(item) for item in inner if isinstance(item, dict)]
        elif isinstance(inner, list) and inner and isinstance(inner[0], dict):
            found[_camel(key)] = _convert(inner[0])
        else:
            found[_camel(key)] = _convert(inner)
    return found


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def _yaml(body: str) -> Iterator[Mapping[str, Any] | Opaque]:
    from gpuadvisor.iac.yamlsafe import load_all

    try:
        documents = load_all(body, "yaml_body").documents
    except InputError:
        yield Opaque("iac.manifest_unreadable")
        return
    for document in documents:
        if isinstance(document, dict):
            yield document


def _untold(why: Opaque) -> Outcome:
    resource = Resource(
        provider="kubernetes",
        type=None,
        counts=Count(None, None, None, "pods"),
        purchase=interface.UNKNOWN_PURCHASE,
        billing="pod",
        certain=False,
        confidence="low",
    )
    return Outcome(None, resource, (message(why.why, field="manifest"),))
