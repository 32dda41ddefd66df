"""Two price versions against each other: the AWS cuts of June 2025, and a case with every kind.

AWS prices: 2025-04-04 (ec2.shop) and 2026-07-20 (karpenter-provider-aws), us-east-1 an hour:
p5.48xlarge 98.32 and 55.04, p4d.24xlarge 32.7726 and 21.957642, g4dn.xlarge 0.526 in both.
"""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest

from gpuadvisor import load_catalog
from gpuadvisor.catalog.diff import Diff, diff, read_version
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.report.catalog_schema import output_schema
from gpuadvisor.report.diff_report import report

_SOURCES = (
    "sources:\n  s: {title: test sheet, address: https://example.org, date: 2026-01-01,"
    " confidence: official}\n"
)
_SHAPE = "device: T4, devices: 1, memory_gib: 16, vcpus: 4, interconnect: none, arch: x86_64"


@pytest.fixture(scope="module")
def aws() -> Diff:
    return diff(load_catalog(versions={"aws": "2025.04"}), load_catalog(), "aws")


@pytest.mark.parametrize(
    ("name", "before", "after", "pct"),
    [("p5.48xlarge", "98.32", "55.04", -44.02), ("p4d.24xlarge", "32.7726", "21.957642", -33.0)],
)
def test_the_cuts_of_june_2025(aws: Diff, name: str, before: str, after: str, pct: float) -> None:
    found = [
        c
        for c in aws.changes
        if (c.after.instance_type, c.after.region, c.after.option)
        == (name, "us-east-1", "on_demand")
    ]
    assert [(c.before.price, c.after.price) for c in found] == [(Decimal(before), Decimal(after))]
    assert round(found[0].pct, 2) == pytest.approx(pct, abs=0.01)


def test_g4dn_is_unchanged(aws: Diff) -> None:
    assert not [c for c in aws.changes if c.after.instance_type == "g4dn.xlarge"]
    tally = next(t for t in aws.by_family if (t.name, t.option) == ("g4dn", "on_demand"))
    assert (tally.changed, tally.least, tally.most) == (0, None, None) and tally.same > 100
    alone = diff(
        load_catalog(versions={"aws": "2025.04"}),
        load_catalog(),
        "aws",
        options=["on_demand"],
        regions=["us-east-1"],
        types=["g4dn.xlarge"],
    )
    assert (alone.changes, alone.unchanged, alone.added, alone.removed) == ((), 1, (), ())


def test_every_price_is_counted_once(aws: Diff) -> None:
    for tallies in (aws.by_family, aws.by_region):
        assert sum(t.changed for t in tallies) == len(aws.changes)
        assert sum(t.same for t in tallies) == aws.unchanged
        assert sum(t.added for t in tallies) == len(aws.added)
        assert sum(t.removed for t in tallies) == len(aws.removed)
    before = load_catalog(versions={"aws": "2025.04"}).offers("aws")
    assert len(aws.changes) + aws.unchanged + len(aws.removed) == len(before)
    assert "p6-b200.48xlarge" in aws.added_types


def test_there_and_back_is_the_inverse(aws: Diff) -> None:
    back = diff(load_catalog(), load_catalog(versions={"aws": "2025.04"}), "aws")
    assert (back.added, back.removed) == (aws.removed, aws.added)
    assert {(c.after, c.before) for c in back.changes} == {(c.before, c.after) for c in aws.changes}
    same = diff(load_catalog(), load_catalog(), "aws")
    assert (same.changes, same.added, same.removed) == ((), (), ())


def _prices(version: str, rows: str) -> str:
    return (
        f"schema: gpuadvisor/prices/1\nprovider: acme\nversion: {version}\ncurrency: EUR\n"
        f"{_SOURCES}prices:\n{rows}"
    )


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Diff:
    """One price up, one down, one the same, one new, one gone; spot measured in another way."""
    files = {
        "regions/acme.yaml": "schema: gpuadvisor/regions/1\nprovider: acme\n"
        f"{_SOURCES}regions:\n  north: {{title: North, country: NO, geo: europe}}\n",
        "providers/acme/shapes.yaml": "schema: gpuadvisor/shapes/1\nprovider: acme\n"
        f"title: Acme\ntier: specialist\nreference_region: north\n{_SOURCES}types:\n"
        + "".join(
            f"  {name}: {{family: f, {_SHAPE}, sold: [on_demand, spot], status: active, source: s}}\n"
            for name in ("up", "down", "same", "new", "gone")
        ),
        "providers/acme/prices/2026.01.yaml": _prices(
            "2026.01",
            "  up:\n    north: {on_demand: [1, s], spot: {low: 0.2, typical: 0.3, measure: zones,"
            " source: s}}\n"
            "  down:\n    north: {on_demand: [2, s]}\n"
            "  same:\n    north: {on_demand: [3, s]}\n"
            "  gone:\n    north: {on_demand: [5, s]}\n",
        ),
        "providers/acme/prices/2026.02.yaml": _prices(
            "2026.02",
            "  up:\n    north: {on_demand: [1.5, s], spot: {low: 0.9, typical: 0.9, measure:"
            " zone_mean, source: s}}\n"
            "  down:\n    north: {on_demand: [1.5, s]}\n"
            "  same:\n    north: {on_demand: [3.00, s]}\n"
            "  new:\n    north: {on_demand: [4, s]}\n",
        ),
    }
    folder: Path = tmp_path_factory.mktemp("acme")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    overlays = [str(folder)]
    return diff(load_catalog(overlays, {"acme": "2026.01"}), load_catalog(overlays), "acme")


def test_every_kind_of_difference(acme: Diff) -> None:
    moved = {(c.after.instance_type, c.after.option): (c.pct, c.comparable) for c in acme.changes}
    assert moved == {
        ("up", "on_demand"): (pytest.approx(50.0), True),
        ("down", "on_demand"): (pytest.approx(-25.0), True),
        ("up", "spot"): (pytest.approx(200.0), False),
    }
    assert not acme.changes[-1].comparable  # another measure is no change of price: last
    assert acme.unchanged == 1
    assert ([o.instance_type for o in acme.added], acme.added_types) == (["new"], ("new",))
    assert ([o.instance_type for o in acme.removed], acme.removed_types) == (["gone"], ("gone",))
    on_demand = next(t for t in acme.by_family if t.option == "on_demand")
    assert (on_demand.least, on_demand.most) == (pytest.approx(-25.0), pytest.approx(50.0))


def test_the_reports(acme: Diff) -> None:
    shown = report(acme, "table", "2026-11-30", 10, 80)
    assert shown.splitlines()[0].startswith(
        "From acme 2026.01 to 2026.02 2 prices on demand changed"
    )
    assert "+50.0 %" in shown and "-25.0 %" in shown and "New types: new" in shown
    csv = report(acme, "csv", "2026-11-30", 10, 80).splitlines()
    assert [line.split(",")[0] for line in csv[1:]] == ["changed"] * 3 + ["added", "removed"]
    markdown = report(acme, "markdown", "2026-11-30", 10, 80)
    assert markdown.startswith("**From acme ") and markdown.count("</details>") == 2
    assert "<details><summary>By region, on demand</summary>\n\n| region |" in markdown
    assert "| up | on demand | north | 1 | 1.5 | +50.0 % |" in markdown
    document = json.loads(report(acme, "json", "2026-11-30", 10, 80))
    jsonschema.validate(document, output_schema("catalog-diff"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("aws@2025.04", ("aws", "2025.04")),
        ("AWS", ("aws", "latest")),
        ("aws@latest", ("aws", "latest")),
    ],
)
def test_names_of_versions(text: str, found: tuple[str, str]) -> None:
    assert read_version(text) == found


@pytest.mark.parametrize("text", ["", "@2025.04", "aws@"])
def test_names_of_no_version(text: str) -> None:
    with pytest.raises(UsageError):
        read_version(text)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpuadvisor", "catalog", "diff", *arguments],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def test_the_command() -> None:
    done = run("aws@2025.04", "aws@latest", "--format", "json", "--today", "2026-11-30")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    jsonschema.validate(document, output_schema("catalog-diff"))
    assert [
        round(c["change_pct"], 1)
        for c in document["changes"]
        if (c["instance_type"], c["region"], c["option"])
        == ("p5.48xlarge", "us-east-1", "on_demand")
    ] == [-44.0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("aws@1999.01",), "2025.04"),
        (("aws@2025.04", "gcp@latest"), "gcp"),
        (("awz@2025.04",), "aws"),
        (("aws@2025.04", "--type", "g4dn.xlrge"), "g4dn.xlarge"),
        (("aws@2025.04", "--region", "us-east-9"), "us-east-1"),
        (("aws@",), "provider@version"),
    ],
)
def test_faults_are_usage_errors(arguments: tuple[str, ...], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""
