"""Data tests of `catalogs/benchmarks`: what a table may not say, and what it must."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.speed import STEPS, pooled_name

FOLDER = Path(__file__).parents[2] / "catalogs" / "benchmarks"
POOLED = {"pooled-batch", "pooled-fp32", "pooled-latency", "pooled-train"}


@pytest.fixture(scope="module")
def tables(catalog: Catalog) -> Mapping[str, Mapping[str, Any]]:
    return catalog.documents("benchmarks")


def _pairs(table: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from table["pairs"].items()
    for pairs in table["workload_pairs"].values():
        yield from pairs.items()


def test_all_measured_classes_and_the_stand_ins_are_there(
    tables: Mapping[str, Mapping[str, Any]],
) -> None:
    assert set(tables) >= POOLED
    assert len(set(tables) - POOLED) == 68
    assert {pooled_name(name) for name in tables if name not in POOLED} == POOLED


def test_every_source_says_where_and_when(
    catalog: Catalog, tables: Mapping[str, Mapping[str, Any]]
) -> None:
    for table in tables.values():
        cited = {*table["sources"]}
        for _, pair in _pairs(table):
            cited.update(pair["sources"])
        for key in cited:
            source = catalog.source(key)
            assert source.title and source.address and source.date >= "2018", key


def test_pairs_are_ordered_and_counted(tables: Mapping[str, Mapping[str, Any]]) -> None:
    for name, table in tables.items():
        for pair, entry in _pairs(table):
            first, _, second = pair.partition("/")
            assert first < second, (name, pair)
            assert {first, second} <= set(table["devices"]), (name, pair)
            assert entry["low"] <= entry["ratio"] <= entry["high"], (name, pair)
            assert 1 / 200 < entry["ratio"] < 200, (name, pair)
            assert 1 <= entry["families"] <= entry["groups"], (name, pair)


def test_ranges_widen_with_weaker_evidence(tables: Mapping[str, Mapping[str, Any]]) -> None:
    """At a ratio of 2, and of all classes together; a single class may happen to be otherwise."""
    for errors in ("errors", "errors_in_setting"):
        widths = {
            basis: sorted(
                table[errors][basis]["base"] + table[errors][basis]["slope"] * math.log(2)
                for table in tables.values()
            )
            for basis in ("measured", "fitted", "spec")
        }
        middle = {basis: found[len(found) // 2] for basis, found in widths.items()}
        assert middle["measured"] < middle["fitted"]
        assert middle["measured"] < middle["spec"]
        # No range is narrower than 5 % or wider than a factor of 3.
        assert 0.05 < widths["measured"][0] < widths["spec"][-1] < math.log(3)


def test_steps_and_exponents(tables: Mapping[str, Mapping[str, Any]]) -> None:
    for name, table in tables.items():
        assert table["step"] in STEPS
        for layer in (table["alone"], table["base"]):
            # a + b is near 1 in throughput, half of it in latency, less for the smallest models.
            assert 0.1 < layer["bandwidth"] + layer["flops"] < 1.3, name


def test_the_files_stay_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.yaml")) < 3_000_000
