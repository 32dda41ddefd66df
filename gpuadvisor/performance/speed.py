"""How fast one device is relative to another, from published measurements.

Four steps of evidence, best first; each class of workload names the most specific step that
helped when whole families of measurements, and whole sources, were left out of the fit:

1. `workload`: this pair was measured on the same workload,
2. `pair`: this pair was measured on other workloads of the class (median over families),
3. `regression`: bandwidth^a x FLOPS^b, with an effect of each device,
4. `formula`: bandwidth^a x FLOPS^b alone, for a device nobody measured.

A measured pair is weighed against the step below it by its number of families, since one
family of measurements says little about the next. The regression is a sum of layers in log
units, each with two exponents and an effect per device, shrunk to zero where data are few: one
layer for the class `alone`, or, where something of the setting is known, a `base` and a layer for
each thing known (workload, software, precision, batch ...).
Tables: `catalogs/benchmarks`, rebuilt by `python -m tools.fit_speed`.
"""

from collections.abc import Mapping
from math import exp, log
from typing import Any, NamedTuple

from gpuadvisor.performance.rates import (
    SpeedCatalog,
    rate_for,
    specs,
    split_partition,
)
from gpuadvisor.performance.setting import UNKNOWN, setting_keys, workload_key
from gpuadvisor.performance.setting import Setting as Setting
from gpuadvisor.performance.workload_class import class_parts

MEASURED = "measured"
FITTED = "fitted"
SPEC = "spec"

STEPS = WORKLOAD, PAIR, REGRESSION, FORMULA = "workload", "pair", "regression", "formula"
"""Most specific first."""


class Ratio(NamedTuple):
    """Performance relative to a reference device: above 1 is faster, per device.

    `low` to `high` held the outcome in 80 % of the cases that were left out in turn. `n` and
    `families` count the groups and families of measurements of this very pair, or of the class
    where the pair was not measured. `source` is a source id of the catalog (the one with most
    groups).
    """

    low: float
    expected: float
    high: float
    basis: str
    source: str
    n: int
    families: int


def ratio(
    catalog: SpeedCatalog,
    device: str,
    reference: str,
    workload_class: str,
    setting: Setting = UNKNOWN,
) -> Ratio | None:
    """The performance of `device` over that of `reference`, None where no figure is known.

    Both are canonical names, `DEVICE:PROFILE` for a partition. A class without measurements is
    answered from those of its mode. KeyError for a device that the catalog does not know.
    """
    table = class_table(catalog, workload_class)
    groups, families, source = table["groups"], table["families"], table["sources"][0]
    if device == reference:
        return Ratio(1.0, 1.0, 1.0, MEASURED, source, groups, families)
    layers = _setting_layers(table, setting, workload_class)
    estimate = _regression(catalog, table, device, reference, setting.precision, layers)
    pairs = _measured_pairs(table, device, reference, setting.workload, bool(layers))
    if estimate is None and not pairs:
        return None
    expected, basis = estimate or (pairs[0][0].log_ratio, MEASURED)
    for pair, doubt in pairs:
        weight = pair.families / (pair.families + doubt)
        expected += weight * (pair.log_ratio - expected)
        basis, groups, families, source = MEASURED, pair.groups, pair.families, pair.source
    half = half_width(table["errors_in_setting" if layers else "errors"], basis, expected)
    return Ratio(
        exp(expected - half), exp(expected), exp(expected + half), basis, source, groups, families
    )


def tie_ratio(catalog: SpeedCatalog, workload_class: str, basis: str = MEASURED) -> float:
    """The ratio below which the order of two devices of a class is not to be trusted.

    There the 80 % range of a ratio just holds 1, so one order in ten is wrong.
    """
    error = class_table(catalog, workload_class)["errors"][basis]
    return exp(float(error["base"] / (1.0 - error["slope"])))


def class_table(catalog: SpeedCatalog, workload_class: str) -> Mapping[str, Any]:
    """The table of a class, or that of its mode (`pooled-*`) where the class has none."""
    try:
        return catalog.document("benchmarks", workload_class)
    except KeyError:
        return catalog.document("benchmarks", pooled_name(workload_class))


def pooled_name(workload_class: str) -> str:
    """The name of the table that stands in for a class without measurements."""
    parts = class_parts(workload_class)
    if parts.fp32:
        return "pooled-fp32"
    if parts.mode in ("latency", "decode"):
        return "pooled-latency"
    return "pooled-train" if parts.mode == "train" else "pooled-batch"


def half_width(errors: Mapping[str, Any], basis: str, log_ratio: float) -> float:
    """Half of the 80 % range in log units; it grows with the distance of the two devices."""
    width: float = errors[basis]["base"] + errors[basis]["slope"] * abs(log_ratio)
    return width


def _regression(
    catalog: SpeedCatalog,
    table: Mapping[str, Any],
    device: str,
    reference: str,
    precision: str | None,
    layers: list[Mapping[str, Any]],
) -> tuple[float, str] | None:
    """The log ratio by regression, or by formula alone; None if a spec figure is missing."""
    rate = rate_for(precision, table["rate"]) if table["rate_by_precision"] else table["rate"]
    mine, other = specs(catalog, device, rate), specs(catalog, reference, rate)
    if mine is None or other is None:
        return None
    bandwidth = log(mine.bandwidth / other.bandwidth)
    flops = log(mine.flops / other.flops)
    if table["step"] == FORMULA:
        alone = table["alone"]
        return alone["bandwidth"] * bandwidth + alone["flops"] * flops, SPEC
    total = 0.0
    for layer in layers or [table["alone"]]:
        effects = layer["effects"]
        total += layer["bandwidth"] * bandwidth + layer["flops"] * flops
        total += _effect(effects, device) - _effect(effects, reference)
    known = table["devices"]
    seen = split_partition(device)[0] in known and split_partition(reference)[0] in known
    return total, FITTED if seen else SPEC


def _setting_layers(
    table: Mapping[str, Any], setting: Setting, workload_class: str
) -> list[Mapping[str, Any]]:
    """The layers that a setting selects on top of the base; empty where it selects none."""
    layers = table["layers"]
    found = [
        layers[name][key]
        for name, key in setting_keys(setting, workload_class)
        if key in layers.get(name, ())
    ]
    return [table["base"], *found] if found else []


def _effect(effects: Mapping[str, float], device: str) -> float:
    """A slice that nobody measured behaves, per share, like its whole device."""
    found = effects.get(device)
    return found if found is not None else effects.get(split_partition(device)[0], 0.0)


class _Pair(NamedTuple):
    log_ratio: float
    groups: int
    families: int
    source: str


def _measured_pairs(
    table: Mapping[str, Any],
    device: str,
    reference: str,
    workload: str | None,
    known_setting: bool,
) -> list[tuple[_Pair, float]]:
    """The measured pairs that the class's step allows, the least specific first."""
    found = []
    if table["step"] in (PAIR, WORKLOAD):
        pair = _lookup(table["pairs"], device, reference)
        if pair is not None:
            found.append((pair, table["doubt"]["pair_in_setting" if known_setting else "pair"]))
    if table["step"] == WORKLOAD and workload:
        pairs = table["workload_pairs"].get(workload_key(workload))
        pair = _lookup(pairs, device, reference) if pairs else None
        if pair is not None:
            found.append((pair, table["doubt"]["workload"]))
    return found


def _lookup(pairs: Mapping[str, Any], device: str, reference: str) -> _Pair | None:
    """Find a pair in either order; the tables hold it once, as `first/second`."""
    entry, sign = pairs.get(f"{device}/{reference}"), 1.0
    if entry is None:
        entry, sign = pairs.get(f"{reference}/{device}"), -1.0
    if entry is None:
        return None
    log_ratio = sign * log(entry["ratio"])
    return _Pair(log_ratio, entry["groups"], entry["families"], entry["sources"][0])
