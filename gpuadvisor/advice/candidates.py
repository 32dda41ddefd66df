"""Which instance types are in the running, and why the others are not."""

import datetime
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gpuadvisor.advice.needs import Needs
from gpuadvisor.advice.places import Place
from gpuadvisor.advice.reasons import (
    ARCH,
    DEVICE,
    GPU_MEMORY,
    HOST_MEMORY,
    LINK,
    MODEL_MEMORY,
    NOT_SOLD,
    PRICE_SCOPE,
    RETIRED,
    RULE,
    SOFTWARE,
    UNSUITED,
    VCPUS,
)
from gpuadvisor.advice.request import Request
from gpuadvisor.advice.speed_model import devices_per_replica
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.names import matches
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.rules.engine import Decision, removal
from gpuadvisor.rules.interface import Facts


class Candidate(NamedTuple):
    """An instance type in the running, with the facts that rules see."""

    type: InstanceType
    device: Device
    facts: Facts


class Removed(NamedTuple):
    """An instance type out of the running: the reason, and the rule when a rule did it."""

    type: InstanceType
    reason: str
    rule: str | None = None


def candidates(
    catalog: Catalog,
    request: Request,
    needs: Needs,
    found: Sequence[Place],
    decision: Decision,
    today: datetime.date,
) -> tuple[list[Candidate], list[Removed]]:
    """Filter the types of the chosen providers by the hard needs, then by the rules."""
    providers = {place.provider.name: place.provider for place in found}
    devices = catalog.devices()
    about = {name: device_facts(device) for name, device in devices.items()}
    asked = _asked(catalog, request, needs, today)
    kept: list[Candidate] = []
    removed: list[Removed] = []
    for kind in catalog.instance_types().values():
        provider = providers.get(kind.provider)
        if provider is None:
            continue
        device = devices[kind.device]
        reason = _reason(kind, device, needs, asked)
        if reason is not None:
            removed.append(Removed(kind, reason))
            continue
        facts = type_facts(kind, about[kind.device], provider.tier, provider.quotas, today)
        effect = removal(decision, facts)
        if effect is not None:
            removed.append(Removed(kind, RULE, effect.rule))
            continue
        kept.append(Candidate(kind, device, facts))
    return kept, removed


class _Asked(NamedTuple):
    """What is asked of every type alike; `wanted` devices are None for any.

    Naming a device means its software stack too, unless `--software` names one.
    """

    wanted: frozenset[str] | None
    software: str
    unsuited: frozenset[str]
    options: frozenset[str]
    today: str


def _asked(catalog: Catalog, request: Request, needs: Needs, today: datetime.date) -> _Asked:
    wanted = None
    if request.device:
        wanted = frozenset(
            device.name for text in request.device for device in catalog.resolve_device(text)
        )
    unsuited = [name for entry in needs.profile.unsuited for name in entry.devices]
    return _Asked(
        wanted,
        needs.core.software if wanted is None or request.software else "any",
        frozenset(d for d in catalog.devices() if any(matches(d, name) for name in unsuited)),
        frozenset(needs.options),
        today.isoformat(),
    )


def _reason(kind: InstanceType, device: Device, needs: Needs, asked: _Asked) -> str | None:
    """The first hard need that this type does not meet, or None."""
    core = needs.core
    if kind.status == "retired" or (kind.retired_on is not None and kind.retired_on <= asked.today):
        return RETIRED
    if asked.wanted is not None and kind.device not in asked.wanted:
        return DEVICE
    if asked.software not in ("any", device.software):
        return SOFTWARE
    if needs.arch != "any" and kind.arch != needs.arch:
        return ARCH
    if asked.options.isdisjoint(kind.sold):
        return NOT_SOLD
    if kind.price_scope != "instance":
        return PRICE_SCOPE
    nominal = kind.memory_gib if kind.fraction is not None else device.memory_gib
    if core.min_device_memory_gib is not None and nominal < core.min_device_memory_gib:
        return GPU_MEMORY
    if kind.device in asked.unsuited:
        return UNSUITED
    if devices_per_replica(needs, kind, device) is None:
        return MODEL_MEMORY
    if core.min_vcpus is not None and (kind.vcpus or 0) < core.min_vcpus:
        return VCPUS
    if core.min_host_memory_gib is not None and (
        kind.host_memory_gib is None or kind.host_memory_gib < core.min_host_memory_gib
    ):
        return HOST_MEMORY
    if needs.devices is not None and needs.devices > 1 and kind.fraction is not None:
        return LINK
    if core.linked and kind.devices > 1 and kind.interconnect not in ("nvlink", "other"):
        return LINK
    alone = needs.devices is None or kind.devices >= needs.devices
    if core.rdma and kind.rdma is None and not alone:
        return LINK
    return None


def type_facts(
    kind: InstanceType,
    about_device: Facts,
    tier: str,
    quotas: Mapping[str, Mapping[str, str]],
    today: datetime.date,
) -> Facts:
    """The `type.*` facts of one instance type; an unknown one is absent."""
    whole = max(kind.devices, 1.0)
    facts: dict[str, object] = {
        **about_device,
        "type.provider": kind.provider,
        "type.tier": tier,
        "type.name": kind.name,
        "type.family": kind.family,
        "type.devices": kind.devices,
        "type.sliced": kind.fraction is not None,
        "type.memory_gib": kind.memory_gib,
        "type.memory_total_gib": kind.memory_gib * whole,
        "type.interconnect": kind.interconnect,
        "type.nvlink": kind.interconnect == "nvlink",
        "type.rdma": kind.rdma is not None,
        "type.arch": kind.arch,
        "type.status": kind.status,
    }
    if kind.vcpus:
        facts["type.vcpus"] = kind.vcpus
        facts["type.vcpus_per_device"] = kind.vcpus / whole
    if kind.host_memory_gib is not None:
        facts["type.host_memory_gib"] = kind.host_memory_gib
    if kind.retired_on is not None:
        facts["type.retired_on"] = kind.retired_on
        days = datetime.date.fromisoformat(kind.retired_on) - today
        facts["type.retires_in_days"] = days.days
    quota = quotas.get(kind.quota) if kind.quota is not None else None
    if quota is not None:
        facts["type.quota"] = quota.get("code") or quota["title"]
    return facts


def device_facts(device: Device) -> Facts:
    """The `type.*` facts that a device brings to every type that holds it."""
    facts: dict[str, object] = {
        "type.device": device.name,
        "type.device_family": device.family,
        "type.software": device.software,
        "type.mig_max": device.mig_max,
    }
    if device.year is not None:
        facts["type.device_year"] = device.year
    if device.compute_capability is not None:
        facts["type.compute_capability"] = float(device.compute_capability)
    return facts
