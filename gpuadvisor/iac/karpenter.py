"""Karpenter node pools: what they may rent, and how much at most.

A pool rents nothing until pods ask; only a static one (`spec.replicas`) stands on its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac import interface
from gpuadvisor.iac.accelerators import Accelerators
from gpuadvisor.iac.demand import Manifest
from gpuadvisor.iac.evaluate import Outcome
from gpuadvisor.iac.fieldmap import FieldMap
from gpuadvisor.iac.interface import Candidate, Count, Resource
from gpuadvisor.iac.plain_view import placeholder
from gpuadvisor.iac.pods import Words, block, blocks
from gpuadvisor.iac.view import clean, text, whole

GROUP = "karpenter.sh"
_CAPACITY = "karpenter.sh/capacity-type"
_PLACES = ("topology.kubernetes.io/zone", "topology.kubernetes.io/region")
_BOUNDS = {"Gt": ("min", 1), "Gte": ("min", 0), "Lt": ("max", -1), "Lte": ("max", 0)}


class _Wish(NamedTuple):
    """One requirement with readable values only. `name` is the key after its domain."""

    key: str
    domain: str
    name: str
    operator: str
    values: tuple[str, ...]


def is_pool(manifest: Manifest) -> bool:
    """A NodePool, or the Provisioner that it was called before."""
    return manifest.group == GROUP and manifest.kind in ("NodePool", "Provisioner")


def changes_capacity(manifest: Manifest) -> bool:
    """A NodeOverlay that says how many of a resource a node has, such as slices of devices."""
    if manifest.group != GROUP or manifest.kind != "NodeOverlay":
        return False
    return bool(block(block(manifest.body.get("spec")).get("capacity")))


def pools(
    manifest: Manifest,
    documents: Mapping[str, Mapping[str, Any]],
    accelerators: Accelerators,
    known: Words,
    region: str | None,
) -> Iterator[Outcome]:
    """The pool as one resource; nothing where it surely has no accelerators."""
    entry = documents.get("karpenter/requirements")
    if entry is None:
        return
    spec = block(manifest.body.get("spec"))
    inner = block(block(spec.get("template")).get("spec")) or spec
    reader = _Reader(entry, inner, spec, accelerators, known)
    if reader.accelerated():
        yield reader.outcome(FieldMap(documents), region)


class _Reader:
    """Reads requirements once, then decides and describes."""

    def __init__(
        self,
        entry: Mapping[str, Any],
        template: Mapping[str, Any],
        spec: Mapping[str, Any],
        accelerators: Accelerators,
        known: Words,
    ) -> None:
        self.entry, self.spec, self.accelerators, self.known = entry, spec, accelerators, known
        self.reasons: list[Message] = []
        self.blocked = False
        self.wishes = list(self._read(blocks(template.get("requirements"))))
        limits = block(spec.get("limits"))
        self.limits = block(limits.get("resources")) or limits
        group = block(template.get("nodeClassRef")).get("group")
        domains = [w.domain for w in self.wishes] + ([group] if isinstance(group, str) else [])
        clouds = [entry["clouds"][d] for d in domains if d in entry["clouds"]]
        self.provider: str = clouds[0] if clouds else "aws"

    def _read(self, requirements: list[Mapping[str, Any]]) -> Iterator[_Wish]:
        for item in requirements:
            key, values = text(item.get("key")), item.get("values")
            if key is None:
                continue
            items = values if isinstance(values, list) else []
            readable = [v for v in items if placeholder(v) is None]
            if len(readable) < len(items):
                self.reasons.append(message("iac.value_placeholder", field=clean(key)))
                self.blocked = self.blocked or not readable
            domain, _, name = key.rpartition("/")
            words = tuple(v for v in map(text, readable) if v is not None)
            yield _Wish(key, domain, name, str(item.get("operator", "In")), words)

    def accelerated(self) -> bool:
        """By the device attributes asked for, the types named, or a limit on devices."""
        named = {**self.entry["names"], **self.entry["numbers"]}
        for wish in self.wishes:
            attribute = str(named.get(wish.name, ""))
            if attribute.startswith("accelerator_"):
                shut = (("In", ("0",)), ("Lt", ("1",)), ("Lte", ("0",)))
                return wish.operator != "DoesNotExist" and (wish.operator, wish.values) not in shut
        if any(self._looks(name) for name in (*self._types(), *self._stems())):
            return True
        return any(
            name in self.known.devices and whole(value) != 0 for name, value in self.limits.items()
        )

    def _looks(self, name: str) -> bool:
        return self.accelerators.verdict(self.provider, name).accelerated

    def _types(self) -> list[str]:
        named = (w for w in self.wishes if w.key in self.entry["types"] and w.operator == "In")
        return [value for wish in named for value in wish.values]

    def _stems(self) -> list[str]:
        """Families and categories as patterns that name rules understand: `g5.*`, `p4*`."""
        found: list[str] = []
        for wish in self.wishes:
            if wish.operator == "In" and wish.name in ("instance-family", "instance-category"):
                tail = ".*" if wish.name == "instance-family" else "4*"
                found.extend(value + tail for value in wish.values)
        return found

    def _requirements(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for wish in self.wishes:
            if pattern := self.entry["patterns"].get(wish.name):
                side = {"In": "allowed", "NotIn": "excluded"}.get(wish.operator)
                if side is None:
                    self._skip(wish)
                    continue
                patterns = [pattern.format(value.casefold()).casefold() for value in wish.values]
                held = found.setdefault(f"{side}_instance_types", patterns)
                if held is not patterns:
                    self._skip(wish)
            elif attribute := self.entry["names"].get(wish.name):
                if wish.operator == "In":
                    found[attribute] = [*found.get(attribute, ()), *wish.values]
                elif wish.operator != "Exists":
                    self._skip(wish)
            elif attribute := self.entry["numbers"].get(wish.name):
                self._bound(wish, attribute, found)
            elif wish.domain in self.entry["clouds"] and wish.key not in self.entry["types"]:
                self._skip(wish)
        return found

    def _bound(self, wish: _Wish, attribute: str, found: dict[str, Any]) -> None:
        numbers = [n for n in map(whole, wish.values) if n is not None]
        if wish.operator == "In" and numbers:
            found[f"{attribute}_min"], found[f"{attribute}_max"] = min(numbers), max(numbers)
        elif wish.operator in _BOUNDS and len(numbers) == 1:
            side, shift = _BOUNDS[wish.operator]
            found[f"{attribute}_{side}"] = numbers[0] + shift
        elif wish.operator != "Exists":
            self._skip(wish)

    def _skip(self, wish: _Wish) -> None:
        self.reasons.append(message("iac.requirement_not_read", key=clean(wish.key)))

    def outcome(self, fields: FieldMap, region: str | None) -> Outcome:
        types = self._types()
        wishes = self._requirements()
        candidates = tuple(Candidate(name) for name in dict.fromkeys(types))
        if not candidates and not self.blocked:
            candidates = (Candidate(None, 1, wishes or {"accelerator_count_min": 1}),)
        count = self._count()
        zones, places = self._zones(fields)
        place = places[0] if len(places) == 1 else None
        if place is None and region is None:
            self.reasons.append(message("iac.region_unknown"))
        single = types[0] if len(candidates) == 1 and types else None
        resource = Resource(
            provider=self.provider,
            type=single,
            candidates=() if single else candidates,
            device=_only(wishes.get("accelerator_names")),
            counts=count,
            purchase=self._purchase(),
            region=place or region,
            region_evidence="field:requirements" if place else ("user" if region else None),
            zones=zones,
            certain=bool(candidates),
            confidence="medium",
        )
        return Outcome(None, resource, tuple(self.reasons))

    def _count(self) -> Count:
        """Static pools stand; others start at 0 and end at the limit that is known best."""
        replicas = self.spec.get("replicas")
        planned = whole(replicas) if replicas is not None else 0
        if replicas is not None and planned is None:
            self.reasons.append(message("iac.count_unreadable", field="replicas"))
        if replicas is None:
            self.reasons.append(message("iac.upper_bound"))
        nodes = whole(self.limits.get("nodes"))
        if replicas is not None or nodes is not None:
            low = planned if replicas is not None else 0
            high = nodes if nodes is not None else planned
            return Count(low, planned, high)
        for name, value in self.limits.items():
            if name in self.known.devices and (most := whole(value)) is not None:
                return Count(0, 0, most, "devices")
        cores = whole(self.limits.get("cpu"))
        return Count(0, 0, cores, "vcpus" if cores is not None else "nodes")

    def _purchase(self) -> str:
        """On demand unless said otherwise; several terms are left open."""
        named = [w.values for w in self.wishes if w.key == _CAPACITY and w.operator == "In"]
        if not named:
            return "on_demand"
        known: Mapping[str, str] = self.entry["capacity_types"]
        options = {known[v.casefold()] for v in named[0] if v.casefold() in known}
        if len(options) == 1:
            return options.pop()
        self.reasons.append(message("iac.terms_open", terms=", ".join(sorted(options)) or "?"))
        return interface.UNKNOWN_PURCHASE

    def _zones(self, fields: FieldMap) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(zones, regions) that the pool is bound to."""
        pattern = fields.provider(self.provider).zone_pattern
        zones, regions = (
            [v for w in self.wishes if w.key == key and w.operator == "In" for v in w.values]
            for key in _PLACES
        )
        for zone in zones:
            found = pattern.match(zone) if pattern else None
            if found:
                regions.append(found.group(1))
        return tuple(zones), tuple(dict.fromkeys(regions))


def _only(names: object) -> str | None:
    return str(names[0]) if isinstance(names, list) and len(names) == 1 else None
