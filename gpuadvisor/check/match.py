"""From what a file says is rented to the instance types of the catalog that it can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from gpuadvisor.advice.places import DEFAULT_TIERS
from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.catalog.names import matches
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.iac.interface import ANY_CLOUD, Candidate, Resource

SAGEMAKER = "ml."

_MANUFACTURERS = {
    "amazon-web-services": ("aws", "annapurna"),
    "xilinx": ("xilinx", "amd"),
    "habana": ("intel", "habana"),
}
"""How AWS calls a maker where the catalog says otherwise."""


class Match(NamedTuple):
    """One type a group may be given. `kind` is None where the catalog does not know it.

    `listed` says that the file names the type; otherwise a pattern or a wish covers it.
    `chips` is the number of devices where the price is a device's times so many.
    """

    candidate: Candidate
    kind: InstanceType | None
    listed: bool = True
    chips: int | None = None


class TypeIndex:
    """Looks types up as files write them: any case, Azure with or without its prefix."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._types: dict[tuple[str, str], InstanceType] = {}
        self._by_provider: dict[str, list[InstanceType]] = {}
        for kind in catalog.instance_types().values():
            name = kind.name.casefold()
            self._types[kind.provider, name] = kind
            if name.startswith("standard_"):
                self._types.setdefault((kind.provider, name[9:]), kind)
            self._by_provider.setdefault(kind.provider, []).append(kind)
        self._devices: dict[str, tuple[str, ...]] = {}

    def find(self, provider: str, name: str) -> InstanceType | None:
        """The type of that name; SageMaker's `ml.` names are the machines behind them."""
        plain = name.casefold()
        if provider == "aws" and plain.startswith(SAGEMAKER):
            plain = plain[len(SAGEMAKER) :]
        return self._types.get((provider, plain))

    def is_accelerator(self, provider: str, name: str) -> bool | None:
        """Asked by the parsers: the catalog holds accelerator types only."""
        return True if self.find(provider, name) is not None else None

    def of_provider(self, provider: str) -> list[InstanceType]:
        """Every type of a provider."""
        return self._by_provider.get(provider, [])

    def devices(self, text: str | None) -> tuple[str, ...]:
        """Canonical devices that a spelling means; empty where it means none."""
        if not text:
            return ()
        if text not in self._devices:
            name = self.catalog.device_name(text)
            if name is None:
                self._devices[text] = ()
            else:
                names = self.catalog.devices()
                self._devices[text] = tuple(n for n in names if n == name or matches(n, name))
        return self._devices[text]

    def matches(self, resource: Resource) -> tuple[Match, ...]:
        """The types the group may be given, in the file's order."""
        if resource.attached:
            return (Match(Candidate(resource.type), None),)
        if resource.type is not None and resource.provider == ANY_CLOUD:
            return tuple(self._candidate(ANY_CLOUD, Candidate(resource.type)))
        if resource.type is not None:
            kind = self.find(resource.provider, resource.type)
            if kind is None and resource.devices_per_node and self._is_tpu(resource):
                return (self._chips(resource, resource.devices_per_node),)
            return (Match(Candidate(resource.type), kind),)
        if not resource.candidates and resource.devices_per_node and self._is_tpu(resource):
            return (self._chips(resource, resource.devices_per_node),)
        found: dict[str, Match] = {}
        for candidate in resource.candidates:
            for match in self._candidate(resource.provider, candidate):
                name = match.kind.name if match.kind else str(candidate.type)
                held = found.get(name)
                if held is None or (match.listed and not held.listed):
                    found[name] = match
        return tuple(found.values())

    def _is_tpu(self, resource: Resource) -> bool:
        """TPUs are sold by the chip; other devices only inside machines."""
        names = self.devices(resource.device)
        return bool(names) and all(self.catalog.device(n).software == "tpu" for n in names)

    def _chips(self, resource: Resource, chips: int) -> Match:
        """A slice such as `v5litepod-8`: its chips at the price of the smallest machine's chip."""
        names = self.devices(resource.device)
        held = [k for k in self.of_provider(resource.provider) if k.device in names]
        smallest = min(held, key=lambda k: (k.devices, k.name), default=None)
        return Match(Candidate(resource.type), smallest, True, chips)

    def _candidate(self, provider: str, candidate: Candidate) -> Iterator[Match]:
        if candidate.type is None:
            wishes = candidate.requirements or {}
            for kind in self._where(provider):
                if kind.sold and self._fits(kind, wishes):
                    yield Match(candidate, kind, False)
        elif "*" in candidate.type:
            pattern = candidate.type.casefold()
            for kind in self._where(provider):
                if kind.sold and fnmatchcase(kind.name.casefold(), pattern):
                    yield Match(candidate, kind, False)
        elif provider == ANY_CLOUD:
            yield from (Match(candidate, k) for k in self.catalog.find_types(candidate.type))
        else:
            yield Match(candidate, self.find(provider, candidate.type))

    def _where(self, provider: str) -> list[InstanceType]:
        """Types of a cloud; of all but the marketplaces where a tool may choose the cloud."""
        if provider != ANY_CLOUD:
            return self.of_provider(provider)
        return [
            kind
            for name, held in self.catalog.providers().items()
            if held.tier in DEFAULT_TIERS
            for kind in self.of_provider(name)
        ]

    def _fits(self, kind: InstanceType, wishes: Mapping[str, Any]) -> bool:
        """AWS instance requirements; attributes the catalog does not hold do not exclude."""
        device = self.catalog.device(kind.device)
        for key, value in wishes.items():
            if key.endswith(("_min", "_max")):
                bound, high = key[:-4], key.endswith("_max")
                held = _quantity(bound, kind)
                if held is None or value is None:
                    continue
                if held > value if high else held < value:
                    return False
                continue
            words = [str(v).casefold() for v in value] if isinstance(value, list) else []
            if not words:
                continue
            if key == "accelerator_names":
                if not any(kind.device in self.devices(word) for word in words):
                    return False
            elif key == "accelerator_manufacturers":
                makers = [m for word in words for m in _MANUFACTURERS.get(word, (word,))]
                if device.vendor not in makers:
                    return False
            elif key == "accelerator_types":
                if _sort(device.software) not in words:
                    return False
            elif key == "allowed_instance_types":
                if not any(fnmatchcase(kind.name.casefold(), word) for word in words):
                    return False
            elif key == "excluded_instance_types" and any(
                fnmatchcase(kind.name.casefold(), word) for word in words
            ):
                return False
        return True


def _quantity(name: str, kind: InstanceType) -> float | None:
    if name == "accelerator_count":
        return kind.devices
    if name == "accelerator_total_memory_mib":
        return kind.devices * kind.memory_gib * 1024
    if name == "vcpu_count":
        return kind.vcpus
    if name == "memory_mib":
        return None if kind.host_memory_gib is None else kind.host_memory_gib * 1024
    if name == "memory_gib_per_vcpu":
        return kind.host_memory_gib / kind.vcpus if kind.host_memory_gib and kind.vcpus else None
    return None


def _sort(software: str) -> str:
    """AWS's three kinds of accelerator."""
    if software == "xilinx":
        return "fpga"
    return "inference" if software in ("neuron", "qaic") else "gpu"
