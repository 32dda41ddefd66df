"""Measurements as rows with the features of the speed model."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from math import log
from pathlib import Path
from typing import NamedTuple

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.measurements import canonical_device, setting_of
from gpuadvisor.performance.rates import FP4, FP16, FP32, INT8, TF32, rate_for, specs
from gpuadvisor.performance.setting import publisher_key, setting_keys
from gpuadvisor.performance.workload_class import ClassParts, class_parts

SOURCES = Path(__file__).with_name("sources.csv")

# MLPerf Closed runs each card at its own best: the precision named in a row is the submitter's.
_OWN_BEST = ("llm-batch", "llm-server", "train-llm")
_PLAIN_FP32 = ("hpc-md", "folding", "weather", "llm-prefill-fp32")
_EIGHT_BIT_KINDS = ("asr", "cnn", "diffusion", "rec", "transformer")


class Row(NamedTuple):
    """One measurement. `performance` is log value, negated for a time; specs are logs too."""

    group: str
    device: str
    architecture: str
    workload_class: str
    parts: ClassParts
    setting: Mapping[str, str]
    family: str
    publisher: str
    source: str
    performance: float
    bandwidth: float
    flops: float

    def key(self, layer: str) -> str:
        """What the row's setting says of a layer, '' if nothing."""
        return self.setting.get(layer, "")

    def keyed(self, layer: str, *within: Hashable) -> Hashable:
        """That key within some bounds, None if the setting says nothing."""
        key = self.key(layer)
        return (key, *within) if key else None


class Origin(NamedTuple):
    """A public source of measurements; rows belong to it by the prefix of their citation."""

    id: str
    prefix: str
    title: str
    address: str
    date: str
    licence: str
    confidence: str


def read_origins() -> tuple[Origin, ...]:
    """The public sources of `sources.csv`."""
    with SOURCES.open(encoding="utf-8", newline="") as file:
        return tuple(Origin(**row) for row in csv.DictReader(file))


def class_rate(workload_class: str) -> tuple[str, bool]:
    """The peak rate that stands for a class, and whether a row's stated precision overrides it."""
    parts = class_parts(workload_class)
    if workload_class in _PLAIN_FP32:
        return FP32, False
    if parts.fp32:
        return TF32, False
    if workload_class in _OWN_BEST:
        return FP4, False
    inference = parts.mode != "train"
    return (INT8 if inference and parts.kind in _EIGHT_BIT_KINDS else FP16), True


def read_groups(catalog: Catalog, paths: Iterable[Path]) -> list[list[Row]]:
    """Read measurement files into groups of comparable rows, in file order.

    Rows of a device without specs are dropped, and groups with fewer than two rows left.
    """
    origins = read_origins()
    groups: dict[str, list[Row]] = {}
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for record in csv.DictReader(file):
                row = _row(catalog, origins, record)
                if row is not None:
                    groups.setdefault(row.group, []).append(row)
    return [rows for rows in groups.values() if len(rows) > 1]


def _row(catalog: Catalog, origins: tuple[Origin, ...], record: dict[str, str]) -> Row | None:
    device = canonical_device(catalog, record["device"])
    if device is None:
        return None
    workload_class = record["workload_class"]
    rate, by_precision = class_rate(workload_class)
    if by_precision:
        rate = rate_for(record["precision"], rate)
    sheet = specs(catalog, device, rate)
    if sheet is None:
        return None
    sign = 1.0 if record["higher_is_better"] == "1" else -1.0
    origin = next((o for o in origins if record["source"].startswith(o.prefix)), None)
    if origin is None:
        raise SystemExit(f"{SOURCES}: no entry for {record['source']!r}")
    return Row(
        group=record["group"],
        device=device,
        architecture=catalog.device(device.partition(":")[0]).architecture.split(" + ")[0],
        workload_class=workload_class,
        parts=class_parts(workload_class),
        setting=dict(setting_keys(setting_of(record), workload_class)),
        family=record.get("family") or origin.id,
        publisher=publisher_key(record["source"]),
        source=origin.id,
        performance=sign * log(float(record["value"])),
        bandwidth=log(sheet.bandwidth),
        flops=log(sheet.flops),
    )


def capped(groups: list[list[Row]], limit: int) -> list[list[Row]]:
    """At most `limit` groups of a family and class, so that no large table outvotes the rest."""
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for rows in groups:
        key = rows[0].family, rows[0].workload_class
        seen[key] += 1
        if seen[key] <= limit:
            kept.append(rows)
    return kept
