"""What a pod template asks for: devices of an extended resource, and the nodes it may run on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac.view import PLACEHOLDER, UNKNOWN, Opaque, clean, text, whole

_PLACEHOLDER = re.compile(r"\{\{|\$\{|\$\(|\$[A-Za-z_]|<%")
_MAX_DEPTH = 64


class Words(NamedTuple):
    """The vocabulary of `kubernetes/words` in the field map."""

    devices: Mapping[str, Mapping[str, str]]
    partitions: re.Pattern[str]
    device_labels: tuple[str, ...]
    count_labels: tuple[str, ...]
    type_labels: tuple[str, ...]
    zone_labels: tuple[str, ...]
    region_labels: tuple[str, ...]
    purchase_labels: tuple[Mapping[str, str], ...]
    device_classes: Mapping[str, str]


class Ask(NamedTuple):
    """What one pod asks of one extended resource; `per_pod` is None where it cannot be read."""

    resource: str
    per_pod: int | None
    partition: str | None
    shared: bool
    reasons: tuple[Message, ...]


def words(documents: Mapping[str, Mapping[str, Any]]) -> Words:
    """The vocabulary from the field map; without one, nothing is a device."""
    entry = documents.get("kubernetes/words", {})

    def labels(key: str) -> tuple[Any, ...]:
        return tuple(entry.get(key) or ())

    return Words(
        devices=entry.get("devices", {}),
        partitions=re.compile(entry.get("partitions", "(?!)")),
        device_labels=labels("device_labels"),
        count_labels=labels("count_labels"),
        type_labels=labels("type_labels"),
        zone_labels=labels("zone_labels"),
        region_labels=labels("region_labels"),
        purchase_labels=labels("purchase_labels"),
        device_classes=entry.get("device_classes", {}),
    )


def opaque(value: Any) -> Opaque | None:
    """The reason a value cannot be read: already marked, or a placeholder nobody rendered."""
    if isinstance(value, Opaque):
        return value
    if isinstance(value, str) and _PLACEHOLDER.search(value):
        return PLACEHOLDER
    return None


def block(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def blocks(value: Any) -> list[Mapping[str, Any]]:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, dict)]


def pod_spec(template: Any) -> Mapping[str, Any]:
    """The spec of a pod template; some kinds (KServe, NIM) are a pod spec themselves."""
    found = block(template)
    inner = found.get("spec")
    return inner if isinstance(inner, dict) else found


def asks(spec: Mapping[str, Any], known: Words) -> Iterator[Ask]:
    """What the pod needs: max(containers + sidecars, each init container + sidecars before it).

    An init container with `restartPolicy: Always` is a sidecar and stays.
    """
    own = [*blocks(spec.get("containers")), *_named_containers(spec)]
    steady: dict[str, list[Any]] = {}
    for container in own:
        _collect(container, steady, known)
    peaks: dict[str, list[list[Any]]] = {}
    sidecars: dict[str, list[Any]] = {}
    for container in blocks(spec.get("initContainers")):
        if container.get("restartPolicy") == "Always":
            _collect(container, sidecars, known)
            continue
        here: dict[str, list[Any]] = {}
        _collect(container, here, known)
        for name, values in here.items():
            peaks.setdefault(name, []).append([*values, *sidecars.get(name, ())])
    for name in dict.fromkeys((*steady, *sidecars, *peaks)):
        running = [*steady.get(name, ()), *sidecars.get(name, ())]
        ask = _ask(name, [running, *peaks.get(name, ())], known)
        if ask.per_pod != 0:
            yield ask


def _named_containers(spec: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """`predictor.model.resources` and a spec's own `resources` are containers too."""
    if isinstance(spec.get("resources"), dict):
        yield spec
    for value in spec.values():
        if isinstance(value, dict) and isinstance(value.get("resources"), dict):
            yield value


def _collect(container: Mapping[str, Any], into: dict[str, list[Any]], known: Words) -> None:
    resources = block(container.get("resources"))
    limits, requests = block(resources.get("limits")), block(resources.get("requests"))
    for name in dict.fromkeys((*limits, *requests)):
        if isinstance(name, str) and (name in known.devices or known.partitions.match(name)):
            into.setdefault(name, []).append(limits.get(name, requests.get(name)))


def _ask(name: str, groups: list[list[Any]], known: Words) -> Ask:
    reasons: list[Message] = []
    totals: list[int] = []
    for group in groups:
        total = 0
        for value in group:
            number = whole(value)
            if number is None:
                why = opaque(value)
                reason = message(why.why if why else "iac.count_unreadable", field=name)
                if reason not in reasons:
                    reasons.append(reason)
            else:
                total += number
        totals.append(total)
    slice_ = known.partitions.match(name)
    shared = known.devices.get(name, {}).get("shared") == "true"
    if shared:
        reasons.append(message("iac.shared_device"))
    count = None if any(r.id != "iac.shared_device" for r in reasons) else max(totals)
    return Ask(name, count, slice_.group(1) if slice_ else None, shared, tuple(reasons))


def node_labels(spec: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Labels a node must have: nodeSelector, and required affinity with `In` (one term only).

    A value that cannot be read is left out.
    """
    found: dict[str, tuple[str, ...]] = {}
    for key, value in block(spec.get("nodeSelector")).items():
        label = "true" if value is True else text(value)
        if label is not None and opaque(value) is None:
            found[clean(str(key))] = (label,)
    affinity = block(block(spec.get("affinity")).get("nodeAffinity"))
    required = block(affinity.get("requiredDuringSchedulingIgnoredDuringExecution"))
    terms = blocks(required.get("nodeSelectorTerms"))
    # Several terms are alternatives; only one binds every pod.
    for expression in blocks(terms[0].get("matchExpressions")) if len(terms) == 1 else ():
        values = expression.get("values")
        if expression.get("operator") == "In" and isinstance(values, list):
            named = tuple(v for v in map(text, values) if v is not None and not opaque(v))
            if named:
                found.setdefault(clean(str(expression.get("key"))), named)
    return found


def looks_like_devices(value: Any, known: Words) -> str | None:
    """The first key in an unknown object that asks for devices, or sounds like it."""
    stack: list[tuple[Any, int]] = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        if depth > _MAX_DEPTH:
            continue
        if isinstance(item, dict):
            for key, inner in item.items():
                if isinstance(key, str) and _asks(key, inner, known):
                    return key
                stack.append((inner, depth + 1))
        elif isinstance(item, list):
            stack.extend((inner, depth + 1) for inner in item)
    return None


def _asks(key: str, value: Any, known: Words) -> bool:
    if key in known.devices or known.partitions.match(key):
        return whole(value) != 0
    plain = key.casefold().replace("_", "")
    if plain in ("gpu", "gpus", "gpucount", "numgpus", "requestgpu", "ngpu"):
        return bool(whole(value)) or opaque(value) is not None or value is UNKNOWN
    return False
