"""SkyPilot tasks and services; a file of several documents is a pipeline."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac.accelerators import Accelerators
from gpuadvisor.iac.anywhere import Wish, finding
from gpuadvisor.iac.fieldmap import FieldMap
from gpuadvisor.iac.interface import ANY_CLOUD, Context, Count, Document, Finding, Findings
from gpuadvisor.iac.plain_view import placeholder
from gpuadvisor.iac.pods import block, blocks
from gpuadvisor.iac.view import Opaque, clean, text, whole

KIND = "skypilot"
_OTHER_KEYS = ("run", "setup", "num_nodes", "service", "workdir", "file_mounts")
_AT_LEAST = re.compile(r"(\d{1,7}(?:\.\d{1,4})?)(\+?)")
_MAX_OPTIONS = 200


def _parts(document: Document) -> list[Any]:
    return document.data if isinstance(document.data, list) else [document.data]


def _is_task(part: Any) -> bool:
    return (
        isinstance(part, dict)
        and not part.keys() & {"apiVersion", "kind", "type", "services"}
        and isinstance(part.get("resources"), dict)
        and any(key in part for key in _OTHER_KEYS)
    )


def detect(document: Document) -> bool:
    """A `resources` mapping beside what runs on them."""
    return any(_is_task(part) for part in _parts(document))


def parse(document: Document, context: Context) -> Findings:
    """Each task that asks for accelerators. Tasks end, services stand."""
    tasks = [part for part in _parts(document) if _is_task(part)]
    name = next((n for p in _parts(document) if isinstance(p, dict) and (n := text(p.get("name")))),
                None)  # fmt: skip
    fields = FieldMap(context.documents)
    reader = _Reader(context, Accelerators(fields, context.is_accelerator))
    found: list[Finding] = []
    for number, task in enumerate(tasks):
        found.extend(reader.findings(document, task, number, name, len(tasks) > 1))
    return Findings(KIND, document.file, tuple(found), (), len(tasks), len(tasks) - len(found))


class _Reader:
    """What the tool calls clouds, and which names are accelerator types."""

    def __init__(self, context: Context, accelerators: Accelerators) -> None:
        self.region, self.accelerators = context.region, accelerators
        entry = context.documents.get("skypilot/clouds", {})
        self.clouds: Mapping[str, str] = entry.get("names", {})

    def findings(
        self,
        document: Document,
        task: Mapping[str, Any],
        number: int,
        pipeline: str | None,
        several: bool,
    ) -> Iterator[Finding]:
        reasons: list[Message] = []
        wishes = list(self._wishes(task["resources"], reasons))
        if not wishes:
            return
        service = task.get("service")
        counts = _counts(task, reasons)
        if service is None:
            reasons.append(message("iac.runs_then_ends"))
        if several:
            reasons.append(message("iac.one_after_another"))
        name = text(task.get("name")) or (f"{pipeline}-{number}" if several else pipeline)
        kind = "task" if service is None else "service"
        yield finding(
            clean(f"{kind} {name or number}"),
            document.file,
            document.line_of(task),
            f"skypilot_{kind}",
            wishes,
            counts,
            reasons,
            self.region,
        )

    def _wishes(self, resources: Mapping[str, Any], reasons: list[Message]) -> Iterator[Wish]:
        """Every way to place the task: the lists `any_of` and `ordered` override the base."""
        base = {k: v for k, v in resources.items() if k not in ("any_of", "ordered")}
        found: list[Wish] = []
        for key in ("any_of", "ordered"):
            for item in blocks(resources.get(key) or [])[:_MAX_OPTIONS]:
                found.extend(self._options({**base, **item}, reasons))
        if not found:
            found = list(self._options(base, reasons))
        names = [w.device or w.type or "?" for w in found]
        if len(found) > 1:
            ordered = bool(resources.get("ordered")) or isinstance(_devices(base), list)
            shown = ", ".join(dict.fromkeys(names))
            reasons.append(message("iac.ordered" if ordered else "iac.any_of", names=shown))
        yield from found

    def _options(self, entry: Mapping[str, Any], reasons: list[Message]) -> Iterator[Wish]:
        place = self._place(entry, reasons)
        spot = entry.get("use_spot")
        if (blocked := placeholder(spot)) is not None:
            reasons.append(message(blocked.why, field="use_spot"))
        place = place._replace(purchase="spot" if spot is True else "on_demand")
        name = entry.get("instance_type")
        if (kind := text(name)) is not None and placeholder(name) is None:
            if self.accelerators.verdict(place.provider, kind).accelerated:
                yield place._replace(type=kind)
                return
            if _devices(entry) is None:
                return
        needs = {**_bound(entry, "cpus", "vcpu_count", 1),
                 **_bound(entry, "memory", "memory_mib", 1024)}  # fmt: skip
        for device, count in _accelerators(_devices(entry), reasons):
            yield place._replace(device=device, low=count, high=count, needs=needs)

    def _place(self, entry: Mapping[str, Any], reasons: list[Message]) -> Wish:
        """`infra: aws/us-east-1/us-east-1a`, or the older `cloud`, `region`, `zone`."""
        infra = text(entry.get("infra"))
        parts: list[Any] = [entry.get(key) for key in ("cloud", "region", "zone")]
        if infra is not None:
            written = [*infra.split("/"), "", ""]
            parts = [None if part in ("", "*") else part for part in written[:3]]
        for number, field in enumerate(("cloud", "region", "zone")):
            blocked = placeholder(parts[number])
            if isinstance(blocked, Opaque):
                reasons.append(message(blocked.why, field=field))
                parts[number] = None
        cloud, region, zone = map(text, parts)
        provider = self.clouds.get(cloud.casefold(), cloud.casefold()) if cloud else ANY_CLOUD
        if provider == "kubernetes":
            # The second part is a context there, no region.
            return Wish(provider)
        return Wish(provider, region=region, zone=zone)


def _devices(entry: Mapping[str, Any]) -> Any:
    """`accelerators`, or `gpus` as it may be written."""
    return entry.get("accelerators", entry.get("gpus"))


def _accelerators(value: Any, reasons: list[Message]) -> Iterator[tuple[str, int | None]]:
    """`A100:8`, `[A100:8, H100]`, `{A100: 8}` and `{A100:8, H100:8}` (keys without values)."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = [(item, None) for item in value]
    elif value not in (None, ""):
        items = [(value, None)]
    for name, count in items[:_MAX_OPTIONS]:
        words = text(name)
        if words is None or placeholder(name) is not None:
            why = "iac.value_placeholder" if words else "iac.device_unreadable"
            reasons.append(message(why, field="accelerators", value=clean(str(name))[:60]))
            yield "?", None
            continue
        device, colon, number = words.partition(":")
        written = number if colon else (1 if count is None else count)
        devices = whole(written)
        if devices == 0:
            continue
        if devices is None:
            reasons.append(message("iac.count_unreadable", field="accelerators"))
        yield clean(device.strip()), devices


def _bound(entry: Mapping[str, Any], field: str, attribute: str, factor: int) -> dict[str, int]:
    """`32+` is at least, `32` exactly; other forms bound nothing."""
    found = _AT_LEAST.fullmatch(text(entry.get(field)) or "")
    if found is None:
        return {}
    value = int(float(found.group(1)) * factor)
    both = {f"{attribute}_min": value}
    # Memory is the provider's to round, so that only its lower bound holds.
    return both if found.group(2) or factor > 1 else {**both, f"{attribute}_max": value}


def _counts(task: Mapping[str, Any], reasons: list[Message]) -> Count:
    """Nodes times replicas; a service that may scale starts at its minimum."""
    nodes = _number(task, "num_nodes", 1, reasons)
    service = block(task.get("service"))
    policy = block(service.get("replica_policy"))
    if policy:
        low = _number(policy, "min_replicas", 1, reasons)
        high = _number(policy, "max_replicas", low, reasons)
        return Count(_times(low, nodes), _times(low, nodes), _times(high, nodes))
    replicas = _number(service, "replicas", 1, reasons)
    total = _times(replicas, nodes)
    return Count(total, total, total)


def _number(
    values: Mapping[str, Any], key: str, default: int | None, reasons: list[Message]
) -> int | None:
    value = values.get(key)
    if value is None:
        return default
    number = whole(value)
    if number is None:
        why = "iac.value_placeholder" if placeholder(value) else "iac.count_unreadable"
        reasons.append(message(why, field=key))
    return number


def _times(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one * other
