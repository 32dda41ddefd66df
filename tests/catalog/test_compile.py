"""Faulty YAML is refused with every fault located; sound YAML compiles to what it says."""

from __future__ import annotations

import sqlite3
from decimal import Decimal
from pathlib import Path

import pytest

from gpuadvisor.catalog.compile import compile_catalogs, load
from gpuadvisor.catalog.errors import InputError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.report.messages import render
from tests.catalog import small

# (file key, what to replace, by what, line, column, words of the message). Lines and columns
# are counted by hand in tests/catalog/small.py's texts.
CASES = [
    ("devices_all", "memory_gib: 16", "memory_gb: 16", 5, None, "unknown key `memory_gb`"),
    ("devices_all", "fp16_tflops: 65", "fp16_tflops: -65", 5, None, "greater than 0"),
    ("devices_all", "aliases: [tesla t4]", "aliases: [l4]", 5, None, "already means L4"),
    ("devices_all", "devices/1", "devices/2", 1, 1, "expected one of"),
    ("providers_acme_shapes", "device: T4", "device: T5", 9, None, "unknown device `T5`"),
    ("providers_acme_shapes", "memory_gib: 16", "memory_gib: 24", 9, None, "a T4 has 16"),
    ("providers_acme_shapes", "memory_gib: 5.6", "memory_gib: 48", 10, None, "more than the 24"),
    ("providers_acme_shapes", "fraction: 1/4", "fraction: 5/4", 10, None, "between 0 and 1"),
    ("providers_acme_shapes", "fraction: 1/4, ", "", 10, None, "`devices` or `fraction`"),
    ("providers_acme_shapes", "devices: 1,", "devices: 0,", 9, None, "greater than or equal to 1"),
    ("providers_acme_shapes", "interconnect: none", "interconnect: nvlink", 9, None, "one device"),
    ("providers_acme_shapes", "status: active", "status: retired", 9, None, "not sold"),
    ("providers_acme_shapes", "reference_region: north", "reference_region: nord", 5, 1, "north"),
    ("providers_acme_shapes", "source: s}", "source: t}", 9, None, "unknown source `t`"),
    ("providers_acme_prices_2026_10", "[0.5, s]", "[0, s]", 9, None, "greater than 0"),
    ("providers_acme_prices_2026_10", "[0.5, s]", "[-0.5, s]", 9, None, "greater than 0"),
    ("providers_acme_prices_2026_10", "[0.5, s]", "[nan, s]", 9, None, "finite"),
    ("providers_acme_prices_2026_10", "[0.5, s]", "[cheap, s]", 9, None, "cheap"),
    ("providers_acme_prices_2026_10", "[0.5, s]", "[0.5, z]", 9, None, "unknown source `z`"),
    ("providers_acme_prices_2026_10", "typical: 0.2", "typical: 0.7", 9, None, "above the on-demand"),
    ("providers_acme_prices_2026_10", "low: 0.1", "low: 0.3", 9, None, "above typical"),
    ("providers_acme_prices_2026_10", "[0.3, s]", "[0.9, s]", 9, None, "above the on-demand"),
    ("providers_acme_prices_2026_10", "south:", "west:", 10, 5, "unknown region `west`"),
    ("providers_acme_prices_2026_10", "  t.1:", "  t.9:", 8, 3, "unknown instance type `t.9`"),
    ("providers_acme_prices_2026_10", "provider: acme", "provider: acne", 2, 1, "nearest: acme"),
    ("providers_acme_prices_2026_10", "reserved/1y", "reservd/1y", 9, None, "purchase option"),
    ("providers_acme_prices_2026_10", "reserved/1y", "reserved/one", 9, None, "purchase option"),
    ("providers_acme_prices_2026_10", "version: 2026.10", "version: 10", 3, 1, "version"),
    ("providers_acme_prices_2026_10", "[0.5, s]", "[0.5000000001, s]", 9, None, "9 decimals"),
    ("providers_acme_prices_2026_10", "    south:", "    north:", 10, 5, "stands twice"),
    ("regions_acme", "geo: europe}", "geo: mars}", 6, None, "geo"),
    ("fx_ecb", "USD: 1.1", "USD: 0", 7, None, "greater than 0"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "old", "new", "line", "column", "words"), CASES)
def test_fault_is_located(
    tmp_path: Path, key: str, old: str, new: str, line: int, column: int | None, words: str
) -> None:
    by_key = {
        n.replace("/", "_").replace(".yaml", "").replace(".", "_"): t
        for n, t in small.FILES.items()
    }
    assert old in by_key[key]
    root = small.write(tmp_path, **{key: by_key[key].replace(old, new, 1)})
    with pytest.raises(InputError) as caught:
        load(str(root))
    found = [(p, render(p.message)) for p in caught.value.problems]
    hits = [p for p, text in found if words in text]
    assert hits, [text for _, text in found]
    assert hits[0].line == line
    if column is not None:
        assert hits[0].column == column
    assert hits[0].file.startswith(str(tmp_path))


def test_all_faults_of_all_files_are_reported_at_once(tmp_path: Path) -> None:
    root = small.write(
        tmp_path,
        devices_all=small.DEVICES.replace("memory_gib: 16", "memory_gib: x").replace("year", "yer"),
        regions_acme=small.REGIONS.replace("eu: true", "eu: perhaps"),
        fx_ecb=small.FX.replace("CNY: 7.7", "CNY: -1"),
    )
    with pytest.raises(InputError) as caught:
        load(str(root))
    files = {Path(p.file).name for p in caught.value.problems}
    assert {"all.yaml", "acme.yaml", "ecb.yaml"} <= files


HOSTILE = [
    ("a: &x [1]\nb: *x\n", "anchors"),
    ("a: 1\n--- \nb: 2\n", "second YAML document"),
    ("[" * 200 + "]" * 200, "levels deep"),
    ("- " * 200 + "x", "levels deep"),
    ("? [a]\n: b\n", "plain text"),
    ("a: [1, 2\n", "not valid YAML"),
    ("\tx: 1\n", "not valid YAML"),
    ("", "expected one of"),
    ("just text", "expected one of"),
]


@pytest.mark.parametrize(("text", "words"), HOSTILE)
def test_hostile_yaml_is_refused(tmp_path: Path, text: str, words: str) -> None:
    root = small.write(tmp_path)
    (root / "bad.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(str(root))
    assert any(words in render(p.message) for p in caught.value.problems)


def test_latin1_and_oversized_files_are_refused(tmp_path: Path) -> None:
    root = small.write(tmp_path)
    (root / "latin.yaml").write_bytes("schema: caf\u00e9\n".encode("latin-1"))
    with (root / "big.yaml").open("wb") as handle:
        handle.truncate(50 * 1024 * 1024)
    with pytest.raises(InputError) as caught:
        load(str(root))
    texts = [render(p.message) for p in caught.value.problems]
    assert any("not UTF-8" in t for t in texts)
    assert any("at most" in t for t in texts)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    target = tmp_path / "out.sqlite"
    compile_catalogs(str(small.write(tmp_path / "c")), str(target))
    return Catalog((sqlite3.connect(target),), {})


def test_prices_survive_exactly(catalog: Catalog) -> None:
    offers = {(o.instance_type, o.region, o.option): o for o in catalog.offers("acme")}
    assert offers["t.1", "north", "on_demand"].price == Decimal("0.5")
    spot = offers["t.1", "north", "spot"]
    assert (spot.low, spot.price, spot.measure) == (Decimal("0.1"), Decimal("0.2"), "zones")
    reserved = offers["t.1", "north", "reserved"]
    assert (reserved.term, reserved.cls, reserved.payment) == ("1y", "standard", "no_upfront")
    assert offers["l.q", "north", "on_demand"].confirmed_on == "2026-01-01"
    assert offers["t.1", "south", "on_demand"].confirmed_on is None
    assert offers["t.1", "north", "on_demand"].source == "providers/acme/prices/2026.10#s"


def test_shapes_devices_and_regions_survive(catalog: Catalog) -> None:
    sliced = catalog.instance_types()["acme", "l.q"]
    assert (sliced.devices, sliced.fraction, sliced.sold) == (0.25, "1/4", ("on_demand",))
    assert [d.name for d in catalog.resolve_device("Tesla T4")] == ["T4"]
    assert [r.eu for r in catalog.regions()] == [False, True]
    assert catalog.rates() == {
        "2026-01-01": {"CNY": Decimal("7.7"), "EUR": Decimal(1), "USD": Decimal("1.1")}
    }


def test_yaml_scalars_keep_their_text(tmp_path: Path) -> None:
    """`2026.10` is no float and the region `no` no boolean (PyYAML's own reading)."""
    regions = small.REGIONS.replace("south:", "no:")
    prices = small.PRICES.replace("south:", "no:")
    target = tmp_path / "out.sqlite"
    root = small.write(tmp_path / "c", regions_acme=regions, providers_acme_prices_2026_10=prices)
    compile_catalogs(str(root), str(target))
    catalog = Catalog((sqlite3.connect(target),), {"acme": "2026.10"})
    assert {r.name for r in catalog.regions()} == {"north", "no"}
    assert catalog.price_versions["acme"][0].version == "2026.10"


def test_failed_compilation_leaves_the_old_snapshot(tmp_path: Path) -> None:
    target = tmp_path / "out.sqlite"
    root = small.write(tmp_path / "c")
    compile_catalogs(str(root), str(target))
    before = target.read_bytes()
    (root / "bad.yaml").write_text("schema: nonsense\n")
    with pytest.raises(InputError):
        compile_catalogs(str(root), str(target))
    assert target.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".partial"] == []
