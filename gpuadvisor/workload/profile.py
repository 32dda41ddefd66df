"""Profiles by name or alias, read from the catalog's documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.names import nearest, normalise
from gpuadvisor.workload.interface import (
    ASSUMED_SPREAD,
    BATCHED,
    UNBATCHED,
    Host,
    KnownRatio,
    LoneRate,
    Memory,
    Mode,
    PackingPoint,
    Profile,
    Reference,
    Run,
    Serving,
    Tuning,
    Unsuited,
    WorkloadCatalog,
)

KIND = "workloads"


def find_profile(catalog: WorkloadCatalog, text: str) -> Profile:
    """The profile of that name or alias, in any case and with or without hyphens.

    Raises UsageError with the nearest names.
    """
    try:
        return profile(text, catalog.document(KIND, text))
    except KeyError:
        pass
    found: dict[str, str] = {}
    for known, document in catalog.documents(KIND).items():
        for alias in document.get("aliases", ()):
            found.setdefault(alias, known)
        found[known] = known
    name = {normalise(alias): known for alias, known in found.items()}.get(normalise(text))
    if name is not None:
        return profile(name, catalog.document(KIND, name))
    near = dict.fromkeys(found[alias] for alias in nearest(text, found))
    shown = ", ".join(near) or ", ".join(sorted(catalog.documents(KIND)))
    raise UsageError(message("workload.unknown", name=text, nearest=shown))


def choose_mode(profile: Profile, batched: bool | None = None) -> Mode:
    """The mode asked for, or the profile's own. Raises UsageError if it has no such mode."""
    if batched is None:
        return profile.modes[profile.default_mode]
    wanted = BATCHED if batched else UNBATCHED
    if wanted not in profile.modes:
        known = ", ".join(profile.modes)
        raise UsageError(
            message("workload.no_mode", workload=profile.name, mode=wanted, known=known)
        )
    return profile.modes[wanted]


def profile(name: str, document: Mapping[str, Any]) -> Profile:
    """A compiled document as a value."""
    run = document.get("run")
    return Profile(
        name=name,
        title=document["title"],
        title_zh=document.get("title_zh", document["title"]),
        unit=document["unit"],
        units=document["units"],
        shape=document["shape"],
        default_mode=document["default_mode"],
        modes={key: _mode(key, entry) for key, entry in document["modes"].items()},
        precision=document["precision"],
        memory=_memory(document.get("memory")),
        host=_host(document.get("host")),
        interruptible=document["interruptible"],
        latency=document["latency"],
        generative=document.get("generative", False),
        min_devices=document.get("min_devices", 1),
        linked=document.get("linked") == "nvlink",
        software=document.get("software", "cuda"),
        run=run and Run(run["units"], run["what"], run.get("source")),
        unsuited=tuple(
            Unsuited(tuple(entry["devices"]), entry["why"], entry["source"])
            for entry in document.get("unsuited", ())
        ),
        notes=document.get("notes"),
        serving=_serving(document.get("serving")),
        tuning=_tuning(document.get("tuning")),
    )


def _serving(entry: Mapping[str, Any] | None) -> Serving | None:
    if entry is None:
        return None
    step, prefill = (
        LoneRate(
            rate["device"],
            rate["rate"],
            rate["class"],
            rate["measured_as"],
            rate["software"],
            rate["measured"],
            rate["source"],
        )
        for rate in (entry["step"], entry["prefill"])
    )
    return Serving(entry["model"], entry["input_tokens"], entry["output_tokens"], step, prefill)


def _tuning(entry: Mapping[str, Any] | None) -> Tuning | None:
    return None if entry is None else Tuning(*(entry[field] for field in Tuning._fields))


def _mode(name: str, entry: Mapping[str, Any]) -> Mode:
    return Mode(
        name=name,
        workload_class=entry.get("class"),
        measured_as=entry.get("measured_as"),
        reference=_reference(entry.get("reference")),
        no_reference=entry.get("no_reference"),
        packing=tuple(
            PackingPoint(
                point["device"], point["streams"], point["gain"], point["measured"], point["source"]
            )
            for point in entry.get("packing", ())
        ),
        ratios=tuple(
            KnownRatio(
                known["device"],
                known["ratio"],
                known["low"],
                known["high"],
                known["basis"],
                known["measured"],
                known["source"],
                tuple(known.get("sources", ())),
            )
            for known in entry.get("ratios", ())
        ),
    )


def _reference(entry: Mapping[str, Any] | None) -> Reference | None:
    if entry is None:
        return None
    rate, relative = entry["rate"], entry.get("relative_only", False)
    published = "low" in entry or "high" in entry
    # A unit of work that is defined by the reference device has no spread of its own.
    factor = 1.0 if relative or published else ASSUMED_SPREAD
    return Reference(
        device=entry["device"],
        rate=rate,
        low=entry.get("low", rate / factor),
        high=entry.get("high", rate * factor),
        spread_published=published,
        batch=entry.get("batch"),
        precision=entry.get("precision"),
        measured=entry["measured"],
        relative_only=relative,
        vendor=entry.get("vendor", False),
        source=entry["source"],
        sources=tuple(entry.get("sources", ())),
    )


def _memory(entry: Mapping[str, Any] | None) -> Memory | None:
    if entry is None:
        return None
    return Memory(
        entry["gib"],
        entry.get("precision"),
        entry["basis"],
        entry.get("sharded_over", 1),
        entry["what"],
        entry["source"],
    )


def _host(entry: Mapping[str, Any] | None) -> Host | None:
    if entry is None:
        return None
    return Host(
        entry.get("vcpus_per_stream"),
        entry.get("units_per_vcpu"),
        entry.get("memory_gib"),
        entry["measured"],
        entry["source"],
    )
