"""The fitted tables as YAML: one file a class of workload."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import NamedTuple

from gpuadvisor.catalog.store import Catalog
from tools.fit_speed.crossval import Doubt, Rule, doubt_of
from tools.fit_speed.evidence import Evidence, Summary
from tools.fit_speed.model import BASE, MODEL, Block, Layer
from tools.fit_speed.ranges import Width
from tools.fit_speed.rows import Origin, Row, class_rate, read_origins

NEGLIGIBLE = 0.01
"""Effects under 1 % are left out of the tables."""


class ClassTable(NamedTuple):
    """All that is written of one class."""

    name: str
    step: str
    doubt: Doubt
    groups: int
    families: int
    rate: str
    rate_by_precision: bool
    errors: Mapping[str, Width]
    errors_in_setting: Mapping[str, Width]
    devices: Mapping[str, int]
    alone: Layer
    base: Layer
    layers: Mapping[str, Mapping[str, Layer]]
    pairs: Mapping[str, Summary]
    workload_pairs: Mapping[str, Mapping[str, Summary]]
    sources: tuple[str, ...]


def class_table(
    name: str,
    blocks: tuple[Block, Block],
    catalog: Catalog,
    evidence: Mapping[tuple[str, str], Mapping[str, Summary]],
    rule: Rule,
    errors: tuple[Mapping[str, Width], Mapping[str, Width]],
) -> ClassTable:
    """Collect a class's layers, pairs and counts.

    Blocks and errors come in twos: for the class alone, and with the setting.
    """
    alone, block = blocks
    groups = [rows for rows in block.groups if rows[0].workload_class == name]
    rows = [row for members in groups for row in members]
    rate, by_precision = class_rate(name)
    sources = Counter(row.source for row in rows)
    known = Counter(row.device for row in rows)
    everywhere = _devices(catalog, block, rows[0])
    return ClassTable(
        name=name,
        step=rule.step,
        doubt=rule.doubt,
        groups=len(groups),
        families=len({row.family for row in rows}),
        rate=rate,
        rate_by_precision=by_precision,
        errors=errors[0],
        errors_in_setting=errors[1],
        devices=dict(sorted(known.items())),
        alone=_trimmed(alone.layer(BASE, rows[0], everywhere)),
        base=_trimmed(block.layer(BASE, rows[0], everywhere)),
        layers={
            layer: {
                key: _trimmed(block.layer(layer, point, _devices(catalog, block, point, known)))
                for key, point in sorted({row.key(layer): row for row in rows}.items())
                if key
            }
            for layer in MODEL.setting
        },
        pairs=evidence.get((name, ""), {}),
        workload_pairs={
            workload: pairs
            for (of_class, workload), pairs in evidence.items()
            if of_class == name and workload
        },
        sources=tuple(sorted(sources, key=lambda source: (-sources[source], source))),
    )


def _devices(
    catalog: Catalog, block: Block, point: Row, only: Mapping[str, int] | None = None
) -> list[Row]:
    """The devices an effect can be told of: measured in the block, or of a measured chip."""
    chips = {row.architecture for row in block.rows}
    found = {row.device: row.architecture for row in block.rows}
    for device in catalog.devices().values():
        architecture = device.architecture.split(" + ")[0]
        if architecture in chips:
            found[device.name] = architecture
    if only is not None:
        found = {device: found[device] for device in only}
    return [
        point._replace(device=device, architecture=architecture)
        for device, architecture in sorted(found.items())
    ]


def _trimmed(layer: Layer) -> Layer:
    effects = {d: round(e, 3) for d, e in layer.effects.items() if abs(e) >= NEGLIGIBLE}
    return Layer(round(layer.bandwidth, 3), round(layer.flops, 3), effects)


def pairs_by_class(evidence: Evidence) -> dict[tuple[str, str], dict[str, Summary]]:
    """Summaries by class and workload; a workload that is all of its class is not repeated."""
    found: dict[tuple[str, str], dict[str, Summary]] = {}
    for (workload_class, workload, first, second), summary in evidence:
        pairs = found.setdefault((workload_class, workload), {})
        pairs[f"{first}/{second}"] = summary
    return found


def pooled_table(
    name: str, members: Sequence[ClassTable], errors: Mapping[str, Width]
) -> ClassTable:
    """What stands in for a class nobody measured: the mean of its mode's classes.

    Classes count by their families; effects are halved, as half of one is its class's own.
    """
    total = sum(member.families for member in members)
    effects: dict[str, float] = {}
    devices: Counter[str] = Counter()
    for member in members:
        devices.update(member.devices)
        for device, effect in member.alone.effects.items():
            share = 0.5 * member.families / total
            effects[device] = effects.get(device, 0.0) + share * effect
    alone = _trimmed(
        Layer(
            sum(m.alone.bandwidth * m.families for m in members) / total,
            sum(m.alone.flops * m.families for m in members) / total,
            dict(sorted(effects.items())),
        )
    )
    sources = Counter(source for member in members for source in member.sources)
    return ClassTable(
        name=name,
        step="regression",
        doubt=doubt_of(total),
        groups=sum(member.groups for member in members),
        families=total,
        rate="tf32" if name.endswith("-fp32") else "fp16",
        rate_by_precision=not name.endswith("-fp32"),
        errors=errors,
        errors_in_setting=errors,
        devices=dict(sorted(devices.items())),
        alone=alone,
        base=alone,
        layers={},
        pairs={},
        workload_pairs={},
        sources=tuple(sorted(sources, key=lambda source: (-sources[source], source))),
    )


def to_yaml(table: ClassTable) -> str:
    """The file of a class; every number plain, one entry a line."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: ClassTable) -> Iterator[str]:
    yield f"# Speed of devices on {table.name}, written by `python -m tools.fit_speed`."
    yield "schema: gpuadvisor/benchmarks/1"
    yield "sources:"
    origins = {origin.id: origin for origin in read_origins()}
    for source in sorted(table.sources):
        yield f"  {source}: {_source(origins[source])}"
    yield "benchmarks:"
    yield f"  {table.name}:"
    yield f"    step: {table.step}"
    yield f"    groups: {table.groups}"
    yield f"    families: {table.families}"
    yield f"    rate: {table.rate}"
    yield f"    rate_by_precision: {str(table.rate_by_precision).lower()}"
    for name, errors in (
        ("errors", table.errors),
        ("errors_in_setting", table.errors_in_setting),
    ):
        yield f"    {name}: {_errors(errors)}"
    yield f"    doubt: {_flow(table.doubt._asdict())}"
    yield f"    devices: {_flow(table.devices)}"
    yield f"    alone: {_layer(table.alone)}"
    yield f"    base: {_layer(table.base)}"
    if any(table.layers.values()):
        yield "    layers:"
        for name, layers in table.layers.items():
            yield from _mapping(6, name, {key: _layer(layer) for key, layer in layers.items()})
    yield from _mapping(4, "pairs", {key: _pair(pair) for key, pair in table.pairs.items()})
    if table.workload_pairs:
        yield "    workload_pairs:"
        for workload, pairs in sorted(table.workload_pairs.items()):
            yield from _mapping(6, workload, {key: _pair(pair) for key, pair in pairs.items()})
    yield f"    sources: [{', '.join(table.sources)}]"


def _mapping(indent: int, name: str, entries: Mapping[str, str]) -> Iterator[str]:
    if entries:
        yield f"{' ' * indent}{_key(name)}:"
        for key, entry in entries.items():
            yield f"{' ' * (indent + 2)}{_key(key)}: {entry}"


def _key(text: str) -> str:
    """Quote a key that YAML would not read as plain text in a flow or block mapping."""
    return f'"{text}"' if ":" in text or not text[0].isalnum() else text


def _source(origin: Origin) -> str:
    licence = f", licence: {origin.licence}" if origin.licence else ""
    return (
        f'{{title: "{origin.title}", address: "{origin.address}", date: {origin.date}'
        f"{licence}, confidence: {origin.confidence}}}"
    )


def _layer(layer: Layer) -> str:
    return (
        f"{{bandwidth: {layer.bandwidth:.3f}, flops: {layer.flops:.3f}, "
        f"effects: {_flow(layer.effects)}}}"
    )


def _pair(pair: Summary) -> str:
    low, ratio, high = (f"{exp(x):.4g}" for x in (pair.low, pair.log_ratio, pair.high))
    return (
        f"{{ratio: {ratio}, low: {low}, high: {high}, groups: {pair.groups}, "
        f"families: {pair.families}, sources: [{', '.join(pair.sources)}]}}"
    )


def _errors(errors: Mapping[str, Width]) -> str:
    widths = (
        f"{basis}: {{base: {width.base:.3f}, slope: {width.slope:.3f}}}"
        for basis, width in errors.items()
    )
    return "{" + ", ".join(widths) + "}"


def _flow(values: Mapping[str, float]) -> str:
    return "{" + ", ".join(f"{_key(key)}: {value:g}" for key, value in values.items()) + "}"
