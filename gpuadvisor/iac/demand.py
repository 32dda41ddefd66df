"""What one Kubernetes object asks for: pods, devices per pod, and the nodes they may run on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac import interface
from gpuadvisor.iac.claims import Claims, claimed
from gpuadvisor.iac.evaluate import Outcome
from gpuadvisor.iac.fieldmap import path
from gpuadvisor.iac.interface import Candidate, Context, Count, Resource
from gpuadvisor.iac.pods import (
    Ask,
    Words,
    asks,
    block,
    blocks,
    looks_like_devices,
    node_labels,
    opaque,
    pod_spec,
    words,
)
from gpuadvisor.iac.view import Opaque, clean, text, whole

# Objects that rent machines or bound what is rented; they run no pods.
_RENTS = ("karpenter.sh", "eksctl.io", "cloud.google.com", "compute.coreweave.com")
# API groups of Kubernetes itself: their other kinds (Service, Role …) run no containers.
_BUILT_IN = ("", "apps", "batch", "autoscaling", "policy")


class Manifest(NamedTuple):
    """One object of a manifest file."""

    group: str
    kind: str
    name: str
    namespace: str
    body: Mapping[str, Any]
    line: int | None

    @property
    def address(self) -> str:
        """`Kind/name`, or `Kind/namespace/name` where the object names its namespace."""
        space = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind or '?'}/{space}{self.name or '?'}"


def manifest_of(body: Mapping[str, Any], line: int | None = None) -> Manifest:
    group, slash, _ = str(body.get("apiVersion") or "").partition("/")
    metadata = block(body.get("metadata"))
    name = metadata.get("name") or metadata.get("generateName")
    return Manifest(
        group=group if slash else "",
        kind=clean(str(body.get("kind") or "")),
        name=clean(str(name)) if name else "",
        namespace=clean(str(metadata.get("namespace") or "")),
        body=body,
        line=line,
    )


def kinds_of(documents: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """The field map's kinds by `group/kind`."""
    return {
        name: entry
        for entry in documents.values()
        if entry.get("entry") == "kind"
        for name in entry["kinds"]
    }


def demand_of(body: Mapping[str, Any], context: Context) -> Iterator[Outcome]:
    """The demand of one object outside a file, such as one inside a Terraform plan."""
    known, kinds = words(context.documents), kinds_of(context.documents)
    yield from demands(manifest_of(body), kinds, known, {}, context.region)


def demands(
    manifest: Manifest,
    kinds: Mapping[str, Mapping[str, Any]],
    known: Words,
    scalers: Mapping[tuple[str, str, str], Count],
    region: str | None,
    claims: Claims = {},  # noqa: B006 - never changed
) -> Iterator[Outcome]:
    """Each pod group of the object that asks for a device, also through `claims`."""
    entry = kinds.get(f"{manifest.group}/{manifest.kind}")
    if entry is None:
        if manifest.group not in _RENTS:
            yield from _unknown_kind(manifest, known)
        return
    scaler = scalers.get((manifest.namespace, manifest.kind, manifest.name))
    for fields in entry["pods"]:
        for name, body in _groups(fields, manifest.body):
            template = _at(body, fields["template"])
            if template is None and fields.get("inherit"):
                template = _at(body, fields["inherit"])
            spec = pod_spec(template)
            found = [*asks(spec, known), *claimed(spec, manifest.namespace, claims, known)]
            if not found:
                continue
            count, reasons = _count(fields, body, scaler)
            if entry.get("ends"):
                reasons = (*reasons, message("iac.runs_then_ends"))
            for ask in found:
                label = (
                    name if len(found) == 1 else f"{name or ''}{':' if name else ''}{ask.resource}"
                )
                yield _outcome(label, ask, spec, count, reasons, known, region)


def _groups(
    fields: Mapping[str, Any], body: Mapping[str, Any]
) -> Iterator[tuple[str | None, Mapping[str, Any]]]:
    if not fields.get("each"):
        yield fields.get("name"), body
        return
    for number, group in enumerate(blocks(_at(body, fields["each"]))):
        label = text(_at(group, fields["label"])) if fields.get("label") else None
        yield label or str(number), group


def _at(body: Any, where: str) -> Any:
    for key in path(where):
        if not isinstance(body, dict):
            return None
        body = body.get(key)
    return body


def _count(
    fields: Mapping[str, Any], body: Mapping[str, Any], scaler: Count | None
) -> tuple[Count, tuple[Message, ...]]:
    """Pods of one group. Unset replicas are 1; a placeholder is unknown."""
    if fields.get("per_node"):
        return Count(None, None, None, "pods"), (message("iac.one_per_node"),)
    reasons: list[Message] = []
    planned, planned_set = _number(body, fields.get("replicas"), reasons)
    low, low_set = _number(body, fields.get("min"), reasons)
    high, high_set = _number(body, fields.get("max"), reasons)
    if scaler is not None:
        low, high, low_set, high_set = scaler.min, scaler.max, True, True
    if not planned_set:
        # An autoscaler that allows 0 finds the one pod that unset replicas start.
        planned = low if low_set and scaler is None else 1
    bound, bound_set = _number(body, fields.get("at_most"), reasons)
    if bound_set and bound is not None and planned is not None:
        planned = min(planned, bound)
    low = low if low_set else planned
    if not high_set:
        high = None if fields.get("open_ended") else planned
    if planned is not None and low is not None:
        planned = max(planned, low)
    times, times_set = _number(body, fields.get("times"), reasons)
    factor = times if times_set else 1
    if factor is not None:
        factor = max(0, factor - fields.get("less", 0))
    low, planned, high = (
        None if n is None or factor is None else n * factor for n in (low, planned, high)
    )
    return Count(low, planned, high, "pods"), tuple(reasons)


def _number(body: Mapping[str, Any], paths: Any, reasons: list[Message]) -> tuple[int | None, bool]:
    for where in paths or ():
        value = _at(body, where)
        if value is None:
            continue
        number = whole(value)
        if number is None:
            why = opaque(value)
            reasons.append(message(why.why if why else "iac.count_unreadable", field=where))
        return number, True
    return None, False


def _outcome(
    label: str | None,
    ask: Ask,
    spec: Mapping[str, Any],
    count: Count,
    reasons: tuple[Message, ...],
    known: Words,
    region: str | None,
) -> Outcome:
    labels = node_labels(spec)
    types = _first(labels, known.type_labels)
    device = _first(labels, known.device_labels)
    zones = _first(labels, known.zone_labels)
    place = _first(labels, known.region_labels)
    one_region = place[0] if len(place) == 1 else None
    resource = Resource(
        provider="kubernetes",
        type=types[0] if len(types) == 1 else None,
        candidates=tuple(Candidate(name) for name in types) if len(types) > 1 else (),
        device=device[0] if len(device) == 1 else ask.resource,
        devices_per_node=ask.per_pod,
        partition=ask.partition,
        counts=count,
        purchase=_purchase(labels, known),
        region=one_region or region,
        region_evidence="field:nodeSelector" if one_region else ("user" if region else None),
        zones=zones,
        billing="pod",
        labels=tuple((key, value) for key, values in labels.items() for value in values),
        confidence="medium" if types or device else "low",
    )
    return Outcome(label, resource, (*ask.reasons, *reasons))


def _first(labels: Mapping[str, tuple[str, ...]], names: tuple[str, ...]) -> tuple[str, ...]:
    return next((labels[name] for name in names if name in labels), ())


def _purchase(labels: Mapping[str, tuple[str, ...]], known: Words) -> str:
    options = {
        rule["option"]
        for rule in known.purchase_labels
        if [v.casefold() for v in labels.get(rule["label"], ())] == [rule["value"]]
    }
    return options.pop() if len(options) == 1 else interface.UNKNOWN_PURCHASE


def _unknown_kind(manifest: Manifest, known: Words) -> Iterator[Outcome]:
    """A kind that the field map does not know but that asks for something like devices."""
    if manifest.group in _BUILT_IN or manifest.group.endswith(".k8s.io"):
        return
    key = looks_like_devices(manifest.body, known)
    if key is None:
        return
    spec = block(manifest.body.get("spec"))
    replicas = spec.get("replicas")
    planned: int | None = None
    if not isinstance(replicas, Opaque):
        planned = whole(replicas)
    resource = Resource(
        provider="kubernetes",
        type=None,
        device=key if key in known.devices else None,
        counts=Count(None, planned, None, "pods"),
        purchase=interface.UNKNOWN_PURCHASE,
        billing="pod",
        certain=False,
        confidence="low",
    )
    reason = message("iac.unknown_kind", kind=manifest.kind, field=clean(key))
    yield Outcome(None, resource, (reason,))
