"""Overlays: what an upper layer hides, adds and may refer to; the base stays as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog import compile as compiler
from gpuadvisor.catalog.errors import InputError, UsageError
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cli.main import run
from gpuadvisor.report.messages import render
from tests.catalog import small
from tests.catalog.small import SOURCES

SHAPES_HEAD = (
    f"schema: gpuadvisor/shapes/1\nprovider: acme\ntitle: Acme\ntier: specialist\n{SOURCES}"
)
ROW = "{family: x, device: %s, devices: 1, memory_gib: %s, vcpus: 8, interconnect: none, arch: x86_64, sold: [on_demand], status: active, source: s}"
NODE = (
    f"schema: gpuadvisor/shapes/1\nprovider: ours\ntitle: Our rooms\ntier: specialist\n"
    f"reference_region: cellar\n{SOURCES}types:\n  box: {ROW % ('T4', 16)}\n"
)
PLACE = f"schema: gpuadvisor/regions/1\nprovider: ours\n{SOURCES}regions:\n  cellar: {{title: Cellar, geo: europe}}\n"
NODE_PRICE = (
    f"schema: gpuadvisor/prices/1\nprovider: ours\nversion: 2026.11\ncurrency: EUR\n{SOURCES}"
    "prices:\n  box:\n    cellar: {on_demand: [0.2, s]}\n"
)
NEGOTIATED = (
    f"schema: gpuadvisor/prices/1\nprovider: acme\nversion: 2026.11\ncurrency: USD\n{SOURCES}"
    "prices:\n  t.1:\n    north: {on_demand: [0.4, s]}\n"
)
DEVICE = (
    f"schema: gpuadvisor/devices/1\n{SOURCES}devices:\n"
    "  X9: {family: X9, vendor: nvidia, software: cuda, architecture: New, memory_gib: 32, "
    "bandwidth_gbs: 900, fp16_tflops: 200, confidence: high, source: s, aliases: [exnine]}\n"
)
WORKLOAD = (
    f"schema: gpuadvisor/workloads/1\n{SOURCES}workloads:\n  stamps:\n    title: Stamps\n"
    "    title_zh: 邮票\n    unit: stamp\n    units: stamps\n    shape: monthly\n"
    "    default_mode: batched\n    modes:\n      batched: {class: cnn-batch, reference: "
    "{device: T4, rate: 5, measured: here, source: s}}\n    precision: fp16\n"
    "    interruptible: true\n    latency: batch\n"
)
RULE = (
    f"schema: gpuadvisor/rules/1\n{SOURCES}rules:\n  house.no_t4:\n    title: No T4\n"
    "    when: {f: need.nodes, op: ge, v: 1}\n    then: {exclude: {f: type.device, op: eq, v: T4}}\n"
    "    why: House rule.\n    source: s\n    as_of: 2026-01-01\n"
)


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = small.write(tmp_path / "base")
    monkeypatch.setenv("GPUADVISOR_BASE", str(root))
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path / "cache"))
    return root


def overlay(folder: Path, **files: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return str(folder)


def prices(catalog: Catalog, provider: str = "acme") -> dict[tuple[str, str, str], str]:
    return {(o.instance_type, o.region, o.option): str(o.price) for o in catalog.offers(provider)}


def test_a_negotiated_price_hides_one_row_and_no_other(base: Path, tmp_path: Path) -> None:
    before = prices(load_catalog())
    over = load_catalog([overlay(tmp_path / "deal", p=NEGOTIATED)])
    after = prices(over)
    assert (before["t.1", "north", "on_demand"], after["t.1", "north", "on_demand"]) == (
        "0.5",
        "0.4",
    )
    assert {k for k in before if before[k] != after[k]} == {("t.1", "north", "on_demand")}
    assert before.keys() == after.keys()
    (source,) = {o.source for o in over.offers("acme") if str(o.price) == "0.4"}
    assert source == "deal/p#s"
    assert over.source(source).title == "test sheet"


def test_an_own_node_is_a_provider_of_its_own(base: Path, tmp_path: Path) -> None:
    folder = overlay(tmp_path / "node", shapes=NODE, regions=PLACE, prices=NODE_PRICE)
    catalog = load_catalog([folder])
    assert set(catalog.providers()) == {"acme", "ours"}
    (offer,) = catalog.offers("ours")
    assert (offer.instance_type, offer.region, str(offer.price), offer.currency) == (
        "box", "cellar", "0.2", "EUR",
    )  # fmt: skip
    assert catalog.find_types("box")[0].device == "T4"
    assert [r.name for r in catalog.regions() if r.provider == "ours"] == ["cellar"]


def test_a_type_added_to_a_known_provider_keeps_what_is_known_of_it(
    base: Path, tmp_path: Path
) -> None:
    """The overlay says no region, quota or agreement: the base's stay."""
    shapes = small.SHAPES.replace(
        "types:", "quotas: {q: {title: Q, unit: gpus}}\nhipaa: {offered: true, source: s}\ntypes:"
    )
    (base / "providers/acme/shapes.yaml").write_text(shapes)
    extra = f"{SHAPES_HEAD}types:\n  x.1: {ROW % ('L4', 24)}\n"
    catalog = load_catalog([overlay(tmp_path / "more", shapes=extra)])
    provider = catalog.provider("acme")
    assert (provider.title, provider.reference_region, provider.hipaa) == ("Acme", "north", True)
    assert set(provider.quotas) == {"q"}
    assert provider.hipaa_source == "providers/acme/shapes#s"
    assert {name for _, name in catalog.instance_types()} == {"t.1", "l.q", "x.1"}


def test_an_own_device_is_resolved_by_name_and_alias(base: Path, tmp_path: Path) -> None:
    shapes = f"{SHAPES_HEAD}types:\n  x.9: {ROW % ('X9', 32)}\n"
    catalog = load_catalog([overlay(tmp_path / "dev", devices=DEVICE, shapes=shapes)])
    assert [d.name for d in catalog.resolve_device("Ex-Nine")] == ["X9"]
    assert catalog.device("X9").memory_gib == 32
    assert catalog.resolve_device("T4")


def test_own_workloads_and_rules_stand_beside_the_shipped(base: Path, tmp_path: Path) -> None:
    (base / "rules.yaml").write_text(RULE.replace("house.no_t4", "base.first"))
    first = overlay(tmp_path / "one", w=WORKLOAD, r=RULE)
    second = overlay(tmp_path / "two", r=RULE.replace("House rule.", "Second."))
    catalog = load_catalog([first, second])
    assert catalog.document("workloads", "stamps")["modes"]["batched"]["reference"]["rate"] == 5
    assert list(catalog.documents("rules")) == ["base.first", "house.no_t4"]
    assert catalog.document("rules", "house.no_t4")["why"] == "Second."
    assert catalog.document("rules", "house.no_t4")["source"] == "two/r#s"
    assert load_catalog([second, first]).document("rules", "house.no_t4")["why"] == "House rule."


def test_sources_of_overlays_with_equal_file_names_stay_apart(base: Path, tmp_path: Path) -> None:
    other = NEGOTIATED.replace("t.1", "l.q").replace("test sheet", "second sheet")
    catalog = load_catalog(
        [overlay(tmp_path / "one", p=NEGOTIATED), overlay(tmp_path / "two", p=other)]
    )
    titles = {o.instance_type: catalog.source(o.source).title for o in catalog.offers("acme")
              if o.region == "north" and o.option == "on_demand"}  # fmt: skip
    assert titles == {"t.1": "test sheet", "l.q": "second sheet"}


# -- versions -----------------------------------------------------------------------------------


def test_pinning_one_layer_leaves_the_others(base: Path, tmp_path: Path) -> None:
    (base / "providers/acme/prices/2026.09.yaml").write_text(
        small.PRICES.replace("2026.10", "2026.09").replace("[0.6, s]", "[0.9, s]")
    )
    folder = overlay(tmp_path / "deal", p=NEGOTIATED)
    newest = prices(load_catalog([folder]))
    old = prices(load_catalog([folder], {"acme": "2026.09"}))
    own = prices(load_catalog([folder], {"acme": "2026.11"}))
    where = ("t.1", "south", "on_demand")
    assert (newest[where], old[where], own[where]) == ("0.6", "0.9", "0.6")
    assert {p["t.1", "north", "on_demand"] for p in (newest, old, own)} == {"0.4"}
    with pytest.raises(UsageError) as caught:
        load_catalog([folder], {"acme": "2020.01"})
    assert caught.value.message.params["available"] == "2026.09, 2026.10, 2026.11"


def test_versions_are_numbers_not_text(base: Path) -> None:
    for version in ("2026.10.9", "2026.10.10"):
        (base / f"providers/acme/prices/{version}.yaml").write_text(
            small.PRICES.replace("version: 2026.10", f"version: {version}")
        )
    assert load_catalog().price_versions["acme"][0].version == "2026.10.10"


# -- faults -------------------------------------------------------------------------------------

# (files, line, words)
FAULTS = [
    ({"p": NEGOTIATED.replace("t.1", "t.2")}, 8, "unknown instance type `t.2`; nearest: t.1"),
    ({"p": NEGOTIATED.replace("north", "nord")}, 9, "unknown region `nord`; nearest: north"),
    ({"p": NEGOTIATED.replace("acme", "acne")}, 2, "unknown provider `acne`; nearest: acme"),
    ({"p": NEGOTIATED.replace("[0.4, s]", "[0.4, z]")}, 9, "unknown source `z`"),
    ({"s": f"{SHAPES_HEAD}types:\n  x.1: {ROW % ('T44', 16)}\n"}, 8, "unknown device `T44`; nearest: T4"),
    ({"s": f"{SHAPES_HEAD}types:\n  x.1: {ROW % ('T4', 24)}\n"}, 8, "a T4 has 16"),
    ({"s": f"{SHAPES_HEAD}reference_region: nord\ntypes: {{}}\n"}, 7, "unknown region `nord`"),
    ({"w": WORKLOAD.replace("device: T4", "device: T5")}, 13, "unknown device `T5`"),
    ({"r": RULE.replace("v: T4", "v: T5")}, 8, "unknown device `T5`"),
    ({"r": RULE.replace("type.device", "type.devise")}, 8, "type.devise"),
    ({"r": RULE.replace("op: ge", "op: gt_")}, 7, "op"),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "line", "words"), FAULTS)
def test_unknown_references_are_located(
    base: Path, tmp_path: Path, texts: dict[str, str], line: int, words: str
) -> None:
    folder = overlay(tmp_path / "bad", **texts)
    with pytest.raises(InputError) as caught:
        load_catalog([folder])
    told = [(p.file, p.line, render(p.message)) for p in caught.value.problems]
    assert any(
        file.startswith(folder) and at == line and words in text for file, at, text in told
    ), told


def test_an_overlay_that_is_no_folder_is_refused(base: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", base / "fx/ecb.yaml"):
        with pytest.raises(InputError):
            load_catalog([str(path)])


def test_an_empty_overlay_is_refused(base: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError) as caught:
        load_catalog([str(tmp_path / "empty")])
    assert caught.value.message.id == "catalog.no_files"


# -- the cache ----------------------------------------------------------------------------------


def test_the_base_is_never_compiled_for_an_overlay(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_catalog()
    done: list[str] = []
    real = compiler.load

    def counted(root: str, *rest: Any) -> compiler.Loaded:
        done.append(root)
        return real(root, *rest)

    monkeypatch.setattr(compiler, "load", counted)
    folder = overlay(tmp_path / "deal", p=NEGOTIATED)
    for _ in range(3):
        load_catalog([folder])
    assert done == [folder]
    (tmp_path / "deal/p.yaml").write_text(NEGOTIATED.replace("0.4", "0.3"))
    assert prices(load_catalog([folder]))["t.1", "north", "on_demand"] == "0.3"
    assert done == [folder, folder]
    assert max(p.stat().st_size for p in (tmp_path / "cache").glob("*.sqlite")) < 300_000


def test_an_overlay_is_checked_again_when_its_base_changes(base: Path, tmp_path: Path) -> None:
    """It was sound over the old base; over the new one its region is gone."""
    folder = overlay(tmp_path / "deal", p=NEGOTIATED.replace("north", "south"))
    load_catalog([folder])
    for name, text in small.FILES.items():
        kept = "".join(line for line in text.splitlines(True) if "south" not in line)
        (base / name).write_text(kept)
    with pytest.raises(InputError) as caught:
        load_catalog([folder])
    assert "south" in render(caught.value.problems[0].message)


def test_an_overlay_may_build_on_the_one_below(base: Path, tmp_path: Path) -> None:
    node = overlay(tmp_path / "node", shapes=NODE, regions=PLACE)
    price = overlay(tmp_path / "price", prices=NODE_PRICE)
    assert prices(load_catalog([node, price]), "ours") == {("box", "cellar", "on_demand"): "0.2"}
    with pytest.raises(InputError):
        load_catalog([price, node])


def test_validate_checks_an_overlay_over_the_base(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder `devices` alone does not make a whole catalog: T4 is the base's."""
    overlay(tmp_path / "more/devices", x9=DEVICE)
    overlay(tmp_path / "more", node=NODE, place=PLACE)
    assert run(["catalog", "validate", str(tmp_path / "more")]) == 0
    assert run(["catalog", "validate"]) == 0
    assert str(base) in capsys.readouterr().out
    small.write(tmp_path / "whole", devices_all=DEVICE)
    assert run(["catalog", "validate", str(tmp_path / "whole")]) == 3
    assert "unknown device `T4`" in capsys.readouterr().err


def whole(version: str, body: str = "t.1:\n    north: {on_demand: [0.4, s]}") -> str:
    """A price file that says it holds everything of acme."""
    return (
        f"schema: gpuadvisor/prices/1\nprovider: acme\nversion: {version}\ncurrency: USD\n"
        f"complete: true\n{SOURCES}prices:\n  {body}\n"
    )


@pytest.mark.parametrize(
    ("version", "pins", "expected"),
    [
        # The base has 2026.10 with t.1 in north and south and l.q in north.
        ("2026.11", {}, {("t.1", "north"): "0.4"}),
        ("2026.10.1", {}, {("t.1", "north"): "0.4"}),
        ("2026.10", {}, {("t.1", "north"): "0.4"}),
        ("2026.9", {}, None),
        ("2026.11", {"acme": "2026.10"}, None),
        ("2026.11", {"acme": "latest"}, {("t.1", "north"): "0.4"}),
    ],
)
def test_a_complete_version_stands_for_those_beneath_it(
    base: Path, tmp_path: Path, version: str, pins: dict[str, str], expected: Any
) -> None:
    """Nothing that vanished shines through from below; an older complete version is not used."""
    version = version.replace("2026.9", "2026.09")
    folder = tmp_path / "over"
    folder.mkdir()
    (folder / "p.yaml").write_text(whole(version), encoding="utf-8")
    found = load_catalog([str(folder)], pins)
    offers = {
        (o.instance_type, o.region): str(o.price.normalize())
        for o in found.offers("acme", options=["on_demand"])
    }
    shipped = {("t.1", "north"): "0.5", ("t.1", "south"): "0.6", ("l.q", "north"): "0.2"}
    assert offers == (expected or shipped)
    assert [v.version for v in found.in_use(["acme"])] == [version if expected else "2026.10"]


def test_discounts_stay_laid_over_a_complete_version(base: Path, tmp_path: Path) -> None:
    for name, text in (("refreshed", whole("2026.11")), ("ours", NEGOTIATED.replace("0.4", "0.1"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.yaml").write_text(text, encoding="utf-8")
    found = load_catalog([str(tmp_path / "refreshed"), str(tmp_path / "ours")])
    assert [str(o.price.normalize()) for o in found.offers("acme")] == ["0.1"]
