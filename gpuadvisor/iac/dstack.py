"""dstack configurations: tasks, services, development environments and fleets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac import interface
from gpuadvisor.iac.anywhere import Wish, finding, mib
from gpuadvisor.iac.interface import ANY_CLOUD, Context, Count, Document, Finding, Findings, Note
from gpuadvisor.iac.plain_view import placeholder
from gpuadvisor.iac.pods import block
from gpuadvisor.iac.view import clean, text, whole

KIND = "dstack"
_TYPES = ("task", "service", "dev-environment", "fleet")
_VENDORS = ("nvidia", "amd", "google", "tpu", "intel", "tenstorrent")
_COUNT = re.compile(r"(\d{0,9})(?:(\.\.)(\d{0,9}))?")
_MEMORY = re.compile(
    r"(?:\d+(?:\.\d+)? ?[MGT]B)?(?:\.\.(?:\d+(?:\.\d+)? ?[MGT]B)?)?", re.IGNORECASE
)
_MAX_NAMES = 100


class _Gpu(NamedTuple):
    """What `resources.gpu` asks for; bounds of devices a node, memory of one device in MiB."""

    names: tuple[str, ...] = ()
    vendor: str | None = None
    low: int | None = 1
    high: int | None = 1
    memory: tuple[int | None, int | None] = (None, None)
    total: tuple[int | None, int | None] = (None, None)

    @property
    def wanted(self) -> bool:
        """0 devices are wanted by nobody; `0..` is dstack's way to say "or none"."""
        return self.high != 0 and (self.low != 0 or bool(self.names or any(self.memory)))


def _parts(document: Document) -> list[Any]:
    return document.data if isinstance(document.data, list) else [document.data]


def _is_configuration(part: Any) -> bool:
    return (
        isinstance(part, dict)
        and part.get("type") in _TYPES
        and "apiVersion" not in part
        and bool(part.keys() & {"resources", "commands", "nodes", "python", "image", "ssh_config",
                                "ide", "name", "backends"})
    )  # fmt: skip


def detect(document: Document) -> bool:
    """A `type` of dstack's beside what such a configuration holds."""
    return any(_is_configuration(part) for part in _parts(document))


def parse(document: Document, context: Context) -> Findings:
    """Each configuration that asks for accelerators; machines of your own are only named."""
    parts = [part for part in _parts(document) if _is_configuration(part)]
    clouds = context.documents.get("dstack/clouds", {}).get("names", {})
    found: list[Finding] = []
    notes: list[Note] = []
    for number, part in enumerate(parts):
        address = clean(f"{part['type']} {text(part.get('name')) or number}")
        if part.get("ssh_config") is not None:
            notes.append(Note(address, message("iac.own_machines")))
            continue
        found.extend(_findings(document, part, address, clouds, context.region))
    return Findings(
        KIND, document.file, tuple(found), tuple(notes), len(parts), len(parts) - len(found)
    )


def _findings(
    document: Document,
    part: Mapping[str, Any],
    address: str,
    clouds: Mapping[str, str],
    region: str | None,
) -> Iterator[Finding]:
    reasons: list[Message] = []
    asked = block(part.get("resources")).get("gpu")
    types = [t for t in map(text, _items(part.get("instance_types"))) if t is not None]
    if asked is None and not types:
        return
    gpu = _gpu(asked, reasons) if asked is not None else _Gpu(low=None, high=None)
    if not gpu.wanted and not reasons:
        return
    wishes = list(_wishes(part, gpu, types, clouds))
    if part["type"] == "task":
        reasons.append(message("iac.runs_then_ends"))
    purchase = str(part.get("spot_policy") or "on-demand").casefold()
    if purchase == "auto":
        reasons.append(message("iac.terms_open", terms="on_demand, spot"))
    option = {"spot": "spot", "auto": interface.UNKNOWN_PURCHASE}.get(purchase, "on_demand")
    if not gpu.names and not types:
        reasons.append(message("iac.any_device"))
    yield finding(
        address,
        document.file,
        document.line_of(part),
        f"dstack_{part['type']}",
        [wish._replace(purchase=option) for wish in wishes],
        _counts(part, reasons),
        reasons,
        region,
    )


def _wishes(
    part: Mapping[str, Any], gpu: _Gpu, types: list[str], clouds: Mapping[str, str]
) -> Iterator[Wish]:
    backends = [b for b in map(text, _items(part.get("backends"))) if b is not None]
    providers = [clouds.get(b.casefold(), b.casefold()) for b in backends] or [ANY_CLOUD]
    regions = [r for r in map(text, _items(part.get("regions"))) if r is not None]
    needs: dict[str, Any] = {}
    for attribute, (low, high) in (
        ("accelerator_memory_mib", gpu.memory),
        ("accelerator_total_memory_mib", gpu.total),
    ):
        if low is not None:
            needs[f"{attribute}_min"] = low
        if high is not None:
            needs[f"{attribute}_max"] = high
    if gpu.vendor in ("nvidia", "amd", "intel", "google"):
        needs["accelerator_manufacturers"] = [gpu.vendor]
    place = regions[0] if len(regions) == 1 and placeholder(regions[0]) is None else None
    for provider in providers:
        base = Wish(provider, low=gpu.low, high=gpu.high, needs=needs, region=place)
        if types:
            yield from (base._replace(type=name) for name in types[:_MAX_NAMES])
        elif gpu.names:
            yield from (base._replace(device=name) for name in gpu.names[:_MAX_NAMES])
        else:
            yield base


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _gpu(value: Any, reasons: list[Message]) -> _Gpu:
    """`8`, `H100:8`, `24GB..:1..2`, `nvidia:A100,H100:80GB:2`, or a mapping of the same."""
    if (blocked := placeholder(value)) is not None:
        reasons.append(message(blocked.why, field="gpu"))
        return _Gpu(low=None, high=None)
    if isinstance(value, dict):
        return _mapped(value, reasons)
    if (number := whole(value)) is not None:
        return _Gpu(low=number, high=number)
    found = _Gpu()
    for word in (text(value) or "").split(":"):
        token = word.strip()
        if not token:
            continue
        if (bounds := _range(token)) is not None:
            found = found._replace(low=bounds[0], high=bounds[1])
        elif _MEMORY.fullmatch(token):
            found = found._replace(memory=_memory(token))
        elif token.casefold() in _VENDORS:
            found = found._replace(vendor=_vendor(token))
        else:
            found = found._replace(names=_names(token.split(",")))
    if found == _Gpu():
        shown = clean(str(value))[:60]
        reasons.append(message("iac.device_unreadable", field="gpu", value=shown))
    return found


def _mapped(value: Mapping[str, Any], reasons: list[Message]) -> _Gpu:
    found = _Gpu(names=_names(_items(value.get("name"))))
    if (vendor := text(value.get("vendor"))) is not None:
        found = found._replace(vendor=_vendor(vendor))
    count = value.get("count")
    if count is not None:
        bounds = _bounds(count, reasons, "count")
        found = found._replace(low=bounds[0], high=bounds[1])
    memory, total = (text(value.get(key)) for key in ("memory", "total_memory"))
    return found._replace(
        memory=_memory(memory) if memory else (None, None),
        total=_memory(total) if total else (None, None),
    )


def _names(words: list[Any]) -> tuple[str, ...]:
    found = (text(word) for word in words[:_MAX_NAMES])
    return tuple(clean(name.strip()) for name in found if name and name.strip())


def _vendor(word: str) -> str:
    return "google" if word.casefold() == "tpu" else word.casefold()


def _range(token: str) -> tuple[int | None, int | None] | None:
    """`4`, `1..8`, `2..`, `..4` as (low, high); None where it is no range of whole numbers."""
    found = _COUNT.fullmatch(token)
    if found is None or not token:
        return None
    low, dots, high = found.groups()
    if not dots:
        return (int(low), int(low)) if low else None
    return int(low) if low else 0, int(high) if high else None


def _memory(token: str) -> tuple[int | None, int | None]:
    low, dots, high = token.partition("..")
    first = mib(low) if low else None
    return (first, mib(high) if high else None) if dots else (first, first)


def _bounds(value: Any, reasons: list[Message], field: str) -> tuple[int | None, int | None]:
    """A count or a range, also as `{min, max}`; (None, None) with a reason where unreadable."""
    if isinstance(value, dict):
        low, high = whole(value.get("min")), whole(value.get("max"))
        return (low, high) if value.get("max") is not None else (low, None)
    words = text(value)
    found = _range(words.strip()) if words is not None else None
    if found is None:
        why = "iac.value_placeholder" if placeholder(value) else "iac.count_unreadable"
        reasons.append(message(why, field=field))
        return None, None
    return found


def _counts(part: Mapping[str, Any], reasons: list[Message]) -> Count:
    """Nodes of a task or fleet, replicas of a service. What may scale starts at its minimum."""
    field = "replicas" if part["type"] == "service" else "nodes"
    value = part.get(field)
    if value is None:
        return Count(1, 1, 1)
    if isinstance(value, list):
        # Replica groups of one service.
        groups = [_bounds(block(g).get("count", 1), reasons, field) for g in value]
        lows, highs = [low for low, _ in groups], [high for _, high in groups]
        low = None if None in lows else sum(n or 0 for n in lows)
        return Count(low, low, None if None in highs else sum(n or 0 for n in highs))
    low, high = _bounds(value, reasons, field)
    target = whole(value.get("target")) if isinstance(value, dict) else None
    return Count(low, low if target is None else target, high)
