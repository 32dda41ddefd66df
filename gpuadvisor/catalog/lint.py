"""Checks that need more than one value: does the catalog agree with itself?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import chain, islice
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import Problem
from gpuadvisor.catalog.lint_documents import unknown_devices
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import NANO
from gpuadvisor.catalog.names import families_of, normalise, unknown_name
from gpuadvisor.catalog.reader import MAX_PROBLEMS, Path
from gpuadvisor.catalog.schema import Parsed
from gpuadvisor.catalog.schema_prices import SpotCell, split_key


class Known(NamedTuple):
    """Names that are defined, here or in the layer below.

    `devices` maps a device to its nominal memory in GiB.
    """

    devices: dict[str, float]
    providers: set[str]
    types: set[tuple[str, str]]
    regions: set[tuple[str, str]]
    quotas: dict[str, set[str]]


MAX_TOLD = 500
"""Faults told of all files together."""

NOTHING = Known({}, set(), set(), set(), {})


def check(parsed: Iterable[Parsed], below: Known | None) -> list[Problem]:
    """Every cross-file fault in `parsed` located."""
    files = list(parsed)
    known = _known(files, below or NOTHING)
    problems: list[Problem] = []
    for item in files:
        faults = chain(_sources(item), _CHECKS.get(item.kind, _nothing)(item, known))
        # A search for near misses takes milliseconds, so the faults told are bounded.
        some = islice(faults, min(MAX_PROBLEMS, MAX_TOLD - len(problems)))
        problems.extend(item.located.problem(path, text) for path, text in some)
        if next(faults, None) is not None:
            more = message("catalog.more_faults", limit=MAX_PROBLEMS)
            problems.append(Problem(item.located.file, 0, 0, more))
        if len(problems) >= MAX_TOLD:
            return problems
    problems.extend(_spellings(files))
    problems.extend(_twice(files))
    return problems


def _known(files: list[Parsed], below: Known) -> Known:
    known = Known(
        dict(below.devices),
        set(below.providers),
        set(below.types),
        set(below.regions),
        dict(below.quotas),
    )
    for item in files:
        if item.kind == "devices":
            known.devices.update({n: d.memory_gib for n, d in item.model.devices.items()})
        elif item.kind == "shapes":
            known.providers.add(item.model.provider)
            known.types.update((item.model.provider, name) for name in item.model.types)
            known.quotas[item.model.provider] = set(item.model.quotas)
        elif item.kind == "regions":
            known.regions.update((item.model.provider, name) for name in item.model.regions)
    return known


Fault = tuple[Path, Message]


def _sources(item: Parsed) -> Iterator[Fault]:
    known = set(item.model.sources)

    def walk(value: Any, path: Path) -> Iterator[Fault]:
        if isinstance(value, dict):
            for key, inner in value.items():
                names = inner if isinstance(inner, list) else [inner]
                if key in ("source", "confirmed_by", "interruption_source") or (
                    key == "sources" and path
                ):
                    for name in names:
                        if isinstance(name, str) and name not in known:
                            yield (*path, key), unknown_name("source", name, known)
                else:
                    yield from walk(inner, (*path, key))
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                yield from walk(inner, (*path, index))

    yield from walk(item.located.data, ())


def _devices_named(item: Parsed, known: Known) -> Iterator[Fault]:
    for path, name in unknown_devices(item.kind, item.located.data, known.devices):
        yield path, unknown_name("device", name, known.devices)


def _shapes(item: Parsed, known: Known) -> Iterator[Fault]:
    model = item.model
    reference = model.reference_region
    here = {name for provider, name in known.regions if provider == model.provider}
    if reference is not None and reference not in here:
        yield ("reference_region",), unknown_name("region", reference, here)
    for name, shape in model.types.items():
        path: Path = ("types", name)
        memory = known.devices.get(shape.device)
        if memory is None:
            yield (*path, "device"), unknown_name("device", shape.device, known.devices)
        elif shape.fraction is None and abs(shape.memory_gib - memory) > 0.01:
            yield (
                (*path, "memory_gib"),
                message(
                    "catalog.memory_differs",
                    value=shape.memory_gib,
                    device=shape.device,
                    memory=memory,
                ),
            )
        elif shape.memory_gib > memory:
            yield (
                (*path, "memory_gib"),
                message(
                    "catalog.memory_above",
                    value=shape.memory_gib,
                    device=shape.device,
                    memory=memory,
                ),
            )
        if shape.quota is not None and shape.quota not in model.quotas:
            yield (*path, "quota"), unknown_name("quota", shape.quota, model.quotas)
        single = shape.fraction is not None or shape.devices == 1
        if single and shape.interconnect not in ("none", "other"):
            yield (*path, "interconnect"), message("catalog.single_interconnect", type=name)
        if not single and shape.interconnect == "none":
            yield (*path, "interconnect"), message("catalog.many_interconnect", type=name)


def _prices(item: Parsed, known: Known) -> Iterator[Fault]:
    model = item.model
    regions = {name for provider, name in known.regions if provider == model.provider}
    types = {name for provider, name in known.types if provider == model.provider}
    if model.provider not in known.providers:
        yield ("provider",), unknown_name("provider", model.provider, known.providers)
        return
    for name, by_region in model.prices.items():
        if name not in types:
            yield ("prices", name), unknown_name("instance type", name, types)
        for region, cells in by_region.items():
            path: Path = ("prices", name, region)
            if region not in regions:
                yield path, unknown_name("region", region, regions)
            yield from _cells(path, cells, set(model.sources))


def _cells(path: Path, cells: dict[str, Any], sources: set[str]) -> Iterator[Fault]:
    on_demand = cells.get("on_demand")
    ceiling = None if on_demand is None else on_demand[0]
    for key, cell in cells.items():
        here = (*path, key)
        try:
            part = split_key(key)
        except ValueError:
            yield here, message("catalog.bad_cell_key", key=key)
            continue
        if isinstance(cell, SpotCell):
            prices: tuple[Decimal, ...] = (cell.low, cell.typical)
            if cell.low > cell.typical:
                yield here, message("catalog.low_above_typical", low=cell.low, typical=cell.typical)
        else:
            prices = (cell[0],)
            for name in cell[1:]:
                if name not in sources:
                    yield here, unknown_name("source", name, sources)
        for price in prices:
            if price * NANO % 1:
                yield here, message("catalog.too_fine", value=price)
        top = max(prices)
        bound = part.option in ("spot", "reserved", "savings_plan", "committed_use")
        if bound and ceiling is not None and top > ceiling:
            yield (
                here,
                message(
                    "catalog.above_on_demand", option=part.option, value=top, on_demand=ceiling
                ),
            )


def _partitions(item: Parsed, known: Known) -> Iterator[Fault]:
    for device, profiles in item.model.partitions.items():
        memory = known.devices.get(device)
        if memory is None:
            yield ("partitions", device), unknown_name("device", device, known.devices)
            continue
        for profile, entry in profiles.items():
            if entry.memory_gib is not None and entry.memory_gib > memory:
                yield (
                    ("partitions", device, profile),
                    message(
                        "catalog.memory_above",
                        value=entry.memory_gib,
                        device=device,
                        memory=memory,
                    ),
                )


def _spellings(files: list[Parsed]) -> Iterator[Problem]:
    """An alias must mean one device or one family, over all device files together."""
    seen: dict[str, str] = {}
    declared = [item for item in files if item.kind == "devices"]
    for item in declared:
        for name, device in item.model.devices.items():
            for family in families_of(name, device.family):
                seen[normalise(family)] = family
    for item in declared:
        seen.update({normalise(name): name for name in item.model.devices})
    for item in declared:
        entries = [("devices", n, e) for n, e in item.model.devices.items()]
        entries += [("families", n, e) for n, e in item.model.families.items()]
        for kind, name, entry in entries:
            for index, alias in enumerate(entry.aliases):
                owner = seen.setdefault(normalise(alias), name)
                if owner != name:
                    yield item.located.problem(
                        (kind, name, "aliases", index),
                        message("catalog.alias_twice", alias=alias, name=name, owner=owner),
                    )


def _twice(files: list[Parsed]) -> Iterator[Problem]:
    """The same entry in two files of one kind would make the answer depend on their order."""
    seen: dict[tuple[str, str], str] = {}
    for item in files:
        if item.kind in ("shapes", "regions"):
            names: Iterable[str] = (item.model.provider,)
        elif item.kind == "prices":
            names = (f"{item.model.provider}@{item.model.version}",)
        elif item.kind == "fx":
            names = tuple(item.model.rates)
        else:
            names = tuple(getattr(item.model, item.kind))
        for name in names:
            first = seen.setdefault((item.kind, name), item.located.file)
            if first != item.located.file:
                path: Path = (item.kind, name)
                yield item.located.problem(
                    path, message("catalog.defined_twice", name=name, first=first)
                )


def _nothing(item: Parsed, known: Known) -> Iterator[Fault]:
    return iter(())


_CHECKS = {
    "shapes": _shapes,
    "prices": _prices,
    "partitions": _partitions,
    "workloads": _devices_named,
    "benchmarks": _devices_named,
    "interconnect": _devices_named,
    "rules": _devices_named,
}
