"""The field map (catalog kind `iac`) as values that are quick to walk.

Entries are compiled when a resource type is first met, so that a plan of security groups costs
one dictionary lookup a resource.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Path = tuple[str, ...]
"""Keys from the part's own values; a first key `/` starts at the resource."""

_KEYS = re.compile(r"'([^']+)'|([^.']+)")


class Reference(NamedTuple):
    """A field that points at another resource, and the types it may point at."""

    path: Path
    targets: tuple[str, ...]


class Clause(NamedTuple):
    at: Path
    values: Mapping[str, str] | None
    present: str | None


class CountMap(NamedTuple):
    fixed: int | None
    planned: tuple[Path, ...]
    min: tuple[Path, ...]
    max: tuple[Path, ...]
    pool_min: tuple[Path, ...]
    pool_max: tuple[Path, ...]
    add: tuple[Path, ...]
    times: tuple[Path, ...]
    default: int | None
    per_zone: bool
    open_ended: bool
    unit: str


class CandidateMap(NamedTuple):
    each: Path
    type: Path | None
    weight: Path | None
    requirements: Path | None
    template: Reference | None
    first_on_demand: bool
    families: bool


class SplitMap(NamedTuple):
    at: Path
    base: Path | None
    percent: Path | None
    percent_default: float
    rest: Path | None
    rest_values: Mapping[str, float]


class Part(NamedTuple):
    """One group of machines inside a resource; see `PartFields` of the schema."""

    each: Path | None
    label: Path | None
    when: tuple[tuple[Path, bool], ...]
    type: tuple[Path, ...]
    type_joined: tuple[Path, ...]
    default_type: str | None
    candidates: tuple[CandidateMap, ...]
    requirements: Path | None
    device: tuple[Path, ...]
    device_pattern: re.Pattern[str] | None
    devices: tuple[Path, ...]
    devices_in_type: bool
    partition: tuple[Path, ...]
    sharing: tuple[Path, ...]
    counts: CountMap
    purchase: tuple[Clause, ...]
    default_purchase: str
    split: SplitMap | None
    cap: tuple[Path, ...]
    template: tuple[Reference, ...]
    region: tuple[Path, ...]
    zones: tuple[Path, ...]
    parents: tuple[Reference, ...]
    reservation: tuple[Reference, ...]
    billing: str
    notes: tuple[str, ...]
    hints: tuple[tuple[Path, str, tuple[str, ...]], ...]


class ResourceMap(NamedTuple):
    provider: str
    side: str
    parts: tuple[Part, ...]
    target: tuple[Reference, ...]
    manifest: str | None
    documents: tuple[Path, ...]


class ProviderMap(NamedTuple):
    """How a provider writes places and types; see `ProviderEntry` of the schema."""

    name: str
    families: re.Pattern[str] | None
    region: tuple[Path, ...]
    arn: tuple[Path, ...]
    config_region: tuple[Path, ...]
    config_zone: tuple[Path, ...]
    zone_pattern: re.Pattern[str] | None
    fold: bool
    default_zones: int
    pairing: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]
    slices: Mapping[str, Mapping[str, str]]
    price_regions: Mapping[str, str]


class FieldMap:
    """Looks up resource types and providers; compiles each entry once."""

    def __init__(self, documents: Mapping[str, Mapping[str, Any]]) -> None:
        self.documents = documents
        self._resources: dict[str, ResourceMap | None] = {}
        self._providers: dict[str, ProviderMap] = {}
        self._plugins: dict[str, str] | None = None

    def resource(self, type: str) -> ResourceMap | None:
        """The entry of a resource type, or None where the map does not know it."""
        try:
            return self._resources[type]
        except KeyError:
            entry = self.documents.get(type)
            known = entry is not None and entry.get("entry", "resource") == "resource"
            found = _resource(entry) if entry is not None and known else None
            self._resources[type] = found
            return found

    def provider(self, name: str) -> ProviderMap:
        """How `name` writes things; a provider without an entry has no words of its own."""
        found = self._providers.get(name)
        if found is None:
            found = _provider(name, self.documents.get(f"provider/{name}", {}))
            self._providers[name] = found
        return found

    def plugin(self, name: str) -> str:
        """The provider behind a Terraform plugin name (`azurerm` -> `azure`), else the name."""
        if self._plugins is None:
            self._plugins = {
                plugin: entry["provider"]
                for entry in self.documents.values()
                if entry.get("entry") == "provider"
                for plugin in entry.get("plugins", ())
            }
        return self._plugins.get(name, name)


def path(text: str) -> Path:
    """`a.'b.c'.d` -> ("a", "b.c", "d"); a leading `/` becomes a key of its own."""
    rooted = text.startswith("/")
    keys = tuple(quoted or plain for quoted, plain in _KEYS.findall(text[1:] if rooted else text))
    return ("/", *keys) if rooted else keys


def reference(text: str) -> Reference:
    """`path -> type|type` as a value."""
    where, _, targets = text.partition(" -> ")
    return Reference(path(where), tuple(targets.split("|")))


def _paths(entry: Mapping[str, Any], key: str) -> tuple[Path, ...]:
    return tuple(path(text) for text in entry.get(key) or ())


def _maybe(entry: Mapping[str, Any], key: str) -> Path | None:
    text = entry.get(key)
    return path(text) if text else None


def _pattern(entry: Mapping[str, Any], key: str) -> re.Pattern[str] | None:
    text = entry.get(key)
    return re.compile(text) if text else None


def _references(entry: Mapping[str, Any], key: str) -> tuple[Reference, ...]:
    return tuple(reference(text) for text in entry.get(key) or ())


def _resource(entry: Mapping[str, Any]) -> ResourceMap:
    parts: Sequence[Mapping[str, Any]] = entry.get("parts") or (entry,)
    return ResourceMap(
        provider=entry["provider"],
        side=entry.get("side", "supply"),
        parts=tuple(_part(part) for part in parts),
        target=_references(entry, "target"),
        manifest=entry.get("manifest"),
        documents=_paths(entry, "documents"),
    )


def _part(entry: Mapping[str, Any]) -> Part:
    return Part(
        each=_maybe(entry, "each"),
        label=_maybe(entry, "label"),
        when=tuple((path(c["at"]), c["true"]) for c in entry.get("when") or ()),
        type=_paths(entry, "type"),
        type_joined=_paths(entry, "type_joined"),
        default_type=entry.get("default_type"),
        candidates=tuple(_candidates(c) for c in entry.get("candidates") or ()),
        requirements=_maybe(entry, "requirements"),
        device=_paths(entry, "device"),
        device_pattern=_pattern(entry, "device_pattern"),
        devices=_paths(entry, "devices"),
        devices_in_type=entry.get("devices_in_type", False),
        partition=_paths(entry, "partition"),
        sharing=_paths(entry, "sharing"),
        counts=_count(entry.get("count") or {"fixed": 1}),
        purchase=tuple(
            Clause(path(c["at"]), c.get("values"), c.get("present"))
            for c in entry.get("purchase") or ()
        ),
        default_purchase=entry.get("default_purchase", "on_demand"),
        split=_split(entry.get("split")),
        cap=_paths(entry, "cap"),
        template=_references(entry, "template"),
        region=_paths(entry, "region"),
        zones=_paths(entry, "zones"),
        parents=_references(entry, "parents"),
        reservation=_references(entry, "reservation"),
        billing=entry.get("billing", "instance"),
        notes=tuple(entry.get("notes") or ()),
        hints=tuple(
            (path(h["at"]), h["note"], tuple(h.get("values") or ()))
            for h in entry.get("hints") or ()
        ),
    )


def _count(entry: Mapping[str, Any]) -> CountMap:
    return CountMap(
        fixed=entry.get("fixed"),
        planned=_paths(entry, "planned"),
        min=_paths(entry, "min"),
        max=_paths(entry, "max"),
        pool_min=_paths(entry, "pool_min"),
        pool_max=_paths(entry, "pool_max"),
        add=_paths(entry, "add"),
        times=_paths(entry, "times"),
        default=entry.get("default"),
        per_zone=entry.get("per_zone", False),
        open_ended=entry.get("open_ended", False),
        unit=entry.get("unit", "nodes"),
    )


def _candidates(entry: Mapping[str, Any]) -> CandidateMap:
    template = entry.get("template")
    return CandidateMap(
        each=path(entry["each"]),
        type=_maybe(entry, "type"),
        weight=_maybe(entry, "weight"),
        requirements=_maybe(entry, "requirements"),
        template=reference(template) if template else None,
        first_on_demand=entry.get("first_on_demand", False),
        families=entry.get("families", False),
    )


def _split(entry: Mapping[str, Any] | None) -> SplitMap | None:
    if not entry:
        return None
    return SplitMap(
        at=path(entry["at"]),
        base=_maybe(entry, "base"),
        percent=_maybe(entry, "percent"),
        percent_default=entry.get("percent_default", 100),
        rest=_maybe(entry, "rest"),
        rest_values=entry.get("rest_values") or {},
    )


def _provider(name: str, entry: Mapping[str, Any]) -> ProviderMap:
    return ProviderMap(
        name=name,
        families=_pattern(entry, "families"),
        region=_paths(entry, "region"),
        arn=_paths(entry, "arn"),
        config_region=_paths(entry, "config_region"),
        config_zone=_paths(entry, "config_zone"),
        zone_pattern=_pattern(entry, "zone_pattern"),
        fold=entry.get("fold", False),
        default_zones=entry.get("default_zones", 1),
        pairing=tuple(
            (re.compile(p["device"]), tuple(p["machines"])) for p in entry.get("pairing") or ()
        ),
        slices=entry.get("slices") or {},
        price_regions=entry.get("price_regions") or {},
    )
