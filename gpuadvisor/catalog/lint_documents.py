"""Do workloads, speed tables, links and rules name devices that exist?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gpuadvisor.catalog.names import matches
from gpuadvisor.catalog.reader import Path

Fault = tuple[Path, str]
"""Where an unknown device stands, and the name as written."""


def unknown_devices(kind: str, data: Any, known: Mapping[str, float]) -> Iterator[Fault]:
    """Every device of a document file that is not among the `known` ones.

    A reference or a measurement names one device; a rule and a list of unsuited devices may
    name a family; a speed table may name a partition, `A30:1g.6gb`.
    """
    find = {
        "workloads": _workloads,
        "benchmarks": _benchmarks,
        "interconnect": _interconnect,
        "rules": _rules,
        "sharing": _sharing,
        "ownership": _ownership,
        "training": _training,
    }.get(kind)
    if find is None:
        return
    for path, name, exact in find(data):
        if not (name in known if exact else any(matches(device, name) for device in known)):
            yield path, name


Named = tuple[Path, str, bool]


def _walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            yield from _walk(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _walk(inner, (*path, index))


def _workloads(data: Any) -> Iterator[Named]:
    for path, entry in _walk(data.get("workloads")):
        here: Path = ("workloads", *path)
        if isinstance(entry.get("device"), str):
            yield (*here, "device"), entry["device"], True
        for index, name in enumerate(entry.get("devices", ())):
            yield (*here, "devices", index), name, False


def _interconnect(data: Any) -> Iterator[Named]:
    for name, entry in data["interconnect"].items():
        if "device" in entry:
            yield ("interconnect", name, "device"), entry["device"], True


def _ownership(data: Any) -> Iterator[Named]:
    for name, entry in data["ownership"].items():
        if "device" in entry:
            yield ("ownership", name, "device"), entry["device"], False


def _training(data: Any) -> Iterator[Named]:
    for key, entry in data["training"].items():
        for index, name in enumerate(entry["devices"]):
            yield ("training", key, "devices", index), name, True


def _sharing(data: Any) -> Iterator[Named]:
    for cloud, entry in data["sharing"].items():
        for index, name in enumerate(entry["devices"]):
            yield ("sharing", cloud, "devices", index), name, False


def _benchmarks(data: Any) -> Iterator[Named]:
    for path, entry in _walk(data["benchmarks"]):
        here: Path = ("benchmarks", *path)
        for key in ("devices", "effects"):
            if isinstance(entry.get(key), dict):
                for name in entry[key]:
                    yield (*here, key, name), name.partition(":")[0], True
        if here[-1] == "pairs" or here[-2:-1] == ("workload_pairs",):
            for pair in entry:
                for name in pair.split("/"):
                    yield (*here, pair), name.partition(":")[0], True


def _rules(data: Any) -> Iterator[Named]:
    for path, entry in _walk(data["rules"]):
        if entry.get("f") != "type.device" or "v" not in entry:
            continue
        values = entry["v"] if isinstance(entry["v"], list) else [entry["v"]]
        for name in values:
            yield ("rules", *path, "v"), str(name), False
