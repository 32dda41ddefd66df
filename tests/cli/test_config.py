"""The config file: found, read, merged beneath the flags, and refused with the place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.cli.config import DEFAULTS, KEYS, Settings, find, merged, settings
from gpuadvisor.cli.main import run
from gpuadvisor.report.messages import render
from tests.catalog import small
from tests.catalog.cache import environment

YAML = """\
catalog: [ours, ../shared]
catalog_version: {aws: 2026.10}
discount: {aws: 12%, gcp: 0.05}
currency: eur
provider: [aws, gcp]
region: eu
tier: hyperscaler
hours_per_month: 160
fx: {CNY: 6.65}
lang: zh
check: {max_increase: 100USD}
"""
TOML = """\
[project]
name = "x"

[tool.gpuadvisor]
catalog = ["ours", "../shared"]
catalog_version = {aws = 2026.10}
currency = "eur"
provider = ["aws", "gcp"]
region = "eu"
tier = "hyperscaler"
hours_per_month = 160
lang = "zh"

[tool.gpuadvisor.discount]
aws = "12%"
gcp = 0.05

[tool.gpuadvisor.fx]
CNY = 6.65

[tool.gpuadvisor.check]
max_increase = "100USD"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with folders to lay over, and no settings in the environment."""
    for name in ("GPUADVISOR_CONFIG", "GPUADVISOR_CATALOGS"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "project"
    for folder in (root / ".git", root / "ours", root / "deep/er", tmp_path / "shared"):
        folder.mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize(("name", "text"), [(".gpuadvisor.yaml", YAML), ("pyproject.toml", TOML)])
def test_both_files_say_the_same(project: Path, name: str, text: str) -> None:
    path = project / name
    path.write_text(text)
    assert settings(str(project / "deep/er")) == Settings(
        str(path),
        (str(project / "ours"), str(project.parent / "shared")),
        {"aws": "2026.10"},
        {
            "discount": ["aws=12%", "gcp=0.05"],
            "currency": "eur",
            "provider": ["aws", "gcp"],
            "region": ["eu"],
            "tier": ["hyperscaler"],
            "hours_per_month": "160",
            "fx": ["CNY=6.65"],
        },
        {"max_increase": "100USD"},
        "zh",
    )


def test_every_key_is_in_the_example(project: Path) -> None:
    assert [line.partition(":")[0] for line in YAML.splitlines()] == list(KEYS)


# -- where it is looked for ---------------------------------------------------------------------


def test_the_nearest_file_wins_up_to_the_git_root(project: Path) -> None:
    outer, inner = project / ".gpuadvisor.yaml", project / "deep/.gpuadvisor.yaml"
    (project.parent / ".gpuadvisor.yaml").write_text("currency: CNY\n")
    assert find(str(project / "deep/er")) is None
    outer.write_text("currency: EUR\n")
    assert find(str(project / "deep/er")) == str(outer)
    inner.write_text("currency: JPY\n")
    assert find(str(project / "deep/er")) == str(inner)
    assert find(str(project)) == str(outer)


def test_outside_a_repository_only_the_current_folder_counts(project: Path) -> None:
    """A stranger can lay a file into /tmp above our folder."""
    (project / ".git").rmdir()
    (project / ".gpuadvisor.yaml").write_text("currency: EUR\n")
    assert find(str(project)) == str(project / ".gpuadvisor.yaml")
    assert find(str(project / "deep")) is None


def test_a_pyproject_without_our_table_is_passed_over(project: Path) -> None:
    (project / "deep/pyproject.toml").write_text("[tool.ruff]\nthis is = not TOML\n")
    (project / "pyproject.toml").write_text(TOML)
    assert find(str(project / "deep")) == str(project / "pyproject.toml")
    (project / ".gpuadvisor.yaml").write_text("currency: JPY\n")
    assert find(str(project)) == str(project / ".gpuadvisor.yaml")


def test_the_environment_names_another_file_or_none(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".gpuadvisor.yaml").write_text("currency: JPY\n")
    (project / "other.yaml").write_text("currency: SEK\n")
    monkeypatch.setenv("GPUADVISOR_CONFIG", "other.yaml")
    assert settings().defaults == {"currency": "SEK"}
    monkeypatch.setenv("GPUADVISOR_CONFIG", "")
    assert settings() == Settings()


# -- faults -------------------------------------------------------------------------------------

# (file, text, line, column, words)
FAULTS = [
    ("yaml", "currency: EUR\nregoin: eu\n", 2, 1, "nearest: region"),
    ("yaml", "currency: doubloons\n", 1, 1, "doubloons"),
    ("yaml", "currency: [EUR]\n", 1, 1, "one value"),
    ("yaml", "hours_per_month: -5\n", 1, 1, "-5"),
    ("yaml", "tier: [hyperscaler, best]\n", 1, 21, "best"),
    ("yaml", "discount: {aws: 12%, gcp: lots}\n", 1, 22, "lots"),
    ("yaml", "discount: {aws: 200%}\n", 1, 12, "200%"),
    ("yaml", "discount: 12%\n", 1, 1, "12%"),
    ("yaml", "catalog: [ours,\n  nowhere]\n", 2, 3, "nowhere is not a folder"),
    ("yaml", "catalog_version: aws\n", 1, 1, "provider=version"),
    ("yaml", "fx: {CNY: 0}\n", 1, 6, "CNY=0"),
    ("yaml", "check: 5\n", 1, 1, "section"),
    ("yaml", "lang: fr\n", 1, 1, "en, zh"),
    ("yaml", "provider: {aws: 1}\n", 1, 1, "list of values"),
    ("yaml", "- a\n", 1, 1, "mapping"),
    ("yaml", "a: [1\n", 2, 1, "not valid YAML"),
    ("yaml", "a: &x 1\nb: *x\n", 2, 4, "aliases"),
    ("toml", "[tool.gpuadvisor]\ncurrency = 'EUR'\nregoin = 'eu'\n", 3, 1, "nearest: region"),
    ("toml", "x = 1\n[tool.gpuadvisor.discount]\n  gcp = 'lots'\n", 3, 3, "lots"),
    ("toml", "[tool.gpuadvisor]\ndiscount.aws = 'lots'\n", 2, 1, "lots"),
    ("toml", "[tool.gpuadvisor]\nhours_per_month = 0\n", 2, 1, "hours-per-month"),
    ("toml", "[tool.gpuadvisor]\nhours_per_month = true\n", 2, 1, "true"),
    ("toml", "[tool.gpuadvisor]\ncurrency = \n", 2, 12, "not valid TOML"),
    ("toml", "[tool.gpuadvisor]\ncurrency = " + "[" * 5000 + "\n", None, None, "not valid TOML"),
    ("toml", "tool = 5 # [tool.gpuadvisor]\n[[tool.gpuadvisor]]\n", None, None, "not valid TOML"),
    ("toml", "[tool.gpuadvisor]\n" + ".".join("a" * 400_000) + " = 1\n", 2, 1, "1000 dots"),
    ("toml", "[[tool.gpuadvisor]]\ncurrency = 'EUR'\n", 1, 1, "mapping"),
]


@pytest.mark.parametrize(("kind", "text", "line", "column", "words"), FAULTS)
def test_faults_are_located(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    text: str,
    line: int | None,
    column: int | None,
    words: str,
) -> None:
    path = project / (".gpuadvisor.yaml" if kind == "yaml" else "pyproject.toml")
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        settings()
    (problem,) = caught.value.problems
    assert problem.file == str(path)
    assert words in render(problem.message)
    if line is not None:
        assert (problem.line, problem.column) == (line, column)
    assert run(["catalog", "list"]) == 3
    assert str(path) in capsys.readouterr().err


def test_all_faults_are_told_at_once(project: Path) -> None:
    (project / ".gpuadvisor.yaml").write_text("currency: x\nx: 1\ntier: y\n")
    with pytest.raises(InputError) as caught:
        settings()
    assert [p.line for p in caught.value.problems] == [1, 2, 3]


@pytest.mark.parametrize("body", [b"\xff\xfe", b"currency: " + b"x" * 2_000_000])
def test_unreadable_bytes_are_refused(project: Path, body: bytes) -> None:
    (project / ".gpuadvisor.yaml").write_bytes(body)
    with pytest.raises(InputError):
        settings()


# -- merging ------------------------------------------------------------------------------------

CHOSEN = Settings(
    "x",
    defaults={
        "currency": "EUR",
        "provider": ["aws"],
        "discount": ["aws=12%", "gcp=5%"],
        "fx": ["CNY=6.65", "EUR=0.9"],
    },
)
MERGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"currency": None, "top": None}, {"currency": "EUR", "top": None}),
    ({"currency": "CNY"}, {"currency": "CNY"}),
    ({"provider": []}, {"provider": ["aws"]}),
    ({"provider": ["gcp"]}, {"provider": ["gcp"]}),
    ({"discount": ["AWS=20%"]}, {"discount": ["gcp=5%", "AWS=20%"]}),
    ({"discount": ["aws=20%,gcp=1%"]}, {"discount": ["aws=20%,gcp=1%"]}),
    ({"fx": ["cny=7"]}, {"fx": ["EUR=0.9", "cny=7"]}),
    ({}, {}),
]


@pytest.mark.parametrize(("flags", "expected"), MERGES)
def test_flags_win_over_the_file(flags: dict[str, Any], expected: dict[str, Any]) -> None:
    assert merged(flags, CHOSEN) == expected


def test_merged_defaults_are_flags_of_recommend() -> None:
    from gpuadvisor.cli import recommend

    assert set(DEFAULTS) <= set(recommend.run.__annotations__)


# -- the catalogs it names ----------------------------------------------------------------------


def _prices(price: str, version: str = "2026.10") -> str:
    return small.PRICES.replace("[0.5, s]", f"[{price}, s]").replace("2026.10", version)


def test_overlays_are_layered_file_environment_flag(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GPUADVISOR_BASE", str(small.write(tmp_path / "base")))
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path / "cache"))
    for folder, price in (("ours", "0.45"), ("env", "0.44"), ("flag", "0.43")):
        (project / folder).mkdir(exist_ok=True)
        (project / folder / "p.yaml").write_text(_prices(price))

    def price(*arguments: str) -> str:
        show = ["catalog", "show", "t.1", "--format", "json", "--region", "north", *arguments]
        assert run(show) == 0
        found = json.loads(capsys.readouterr().out)["prices"]
        return str(next(p["price_per_hour"] for p in found if p["option"] == "on_demand"))

    assert price() == "0.5"
    (project / ".gpuadvisor.yaml").write_text("catalog: ours\n")
    assert price() == "0.45"
    monkeypatch.setenv("GPUADVISOR_CATALOGS", str(project / "env"))
    assert price() == "0.44"
    assert price("--catalog", str(project / "flag")) == "0.43"
    assert price("--catalog", str(project / "flag"), "--catalog", str(project / "ours")) == "0.45"


def test_versions_come_from_the_file_and_yield_to_the_flag(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    base = small.write(tmp_path / "base")
    (base / "providers/acme/prices/2026.11.yaml").write_text(_prices("0.4", "2026.11"))
    monkeypatch.setenv("GPUADVISOR_BASE", str(base))
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path / "cache"))
    (project / ".gpuadvisor.yaml").write_text("catalog_version: {acme: 2026.10}\n")
    show = ["catalog", "show", "t.1", "--format", "csv", "--region", "north"]
    assert run(show) == 0
    assert "0.5" in capsys.readouterr().out
    assert run([*show, "--catalog-version", "acme=2026.11"]) == 0
    assert "0.4" in capsys.readouterr().out
    (project / ".gpuadvisor.yaml").write_text("catalog_version: {acme: 2020.01}\n")
    assert run(show) == 2


def test_without_a_config_file_nothing_more_is_imported(tmp_path: Path) -> None:
    """No YAML, TOML or pydantic on the hot path, although both files were looked for."""
    base = small.write(tmp_path / "base")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    code = (
        "import sys\nfrom gpuadvisor.cli.options import open_catalog\nopen_catalog(None, None)\n"
        "print(sorted({'yaml', 'tomllib', 'pydantic', 're', 'tempfile', 'hashlib'} & set(sys.modules)))"
    )
    for _ in range(2):  # the first run compiles
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
            env=environment(base, tmp_path / "cache"),
        )
    assert set(eval(done.stdout)) <= {"re"}  # noqa: S307 - our own output
