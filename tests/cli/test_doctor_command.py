"""`gpuadvisor doctor`: it tells what is in use, keeps on where a part is broken, shows no secret."""

from __future__ import annotations

import json
import os

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema
from gpuadvisor.report.text import width
from tests.cli.run import gpuadvisor


@pytest.fixture(autouse=True)
def _in_a_project(tmp_path, monkeypatch):
    monkeypatch.delenv("GPUADVISOR_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)


def doctor(*arguments: str) -> dict:
    outcome = gpuadvisor("doctor", "--today", "2026-11-30", "--format", "json", *arguments)
    document = json.loads(outcome.out)
    jsonschema.validate(document, output_schema("doctor"))
    return document


def test_ages_are_counted_from_the_day_of_the_prices():
    ages = {c["provider"]: c for c in doctor()["catalogs"]}
    # 2026-10-07 to 2026-11-30: 24 days of October and 30 of November.
    assert ages["aws"]["as_of"] == "2026-10-07"
    assert ages["aws"]["days"] == 54
    assert ages["aws"]["state"] == "fresh"
    # On-demand prices warn after 180 days and are widened after 365 (design).
    assert ages["tencent"]["state"] == "widen"


def test_credentials_are_named_by_place_and_never_shown(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    monkeypatch.setenv("GOOGLE_API_KEY", "AIza-not-to-be-seen")
    found = doctor()
    assert "AWS_ACCESS_KEY_ID" in found["credentials"]["aws"]
    assert "GOOGLE_API_KEY" in found["credentials"]["gcp"]
    for format in ("json", "table"):
        out = gpuadvisor("doctor", "--format", format).out
        assert "AKIA" not in out
        assert "AIza" not in out


def test_the_config_in_use_is_named_with_its_keys(tmp_path):
    (tmp_path / ".gpuadvisor.yaml").write_text("currency: EUR\ncheck: {max_total: 5000}\n")
    config = doctor()["config"]
    assert config["path"] == str(tmp_path / ".gpuadvisor.yaml")
    assert config["defaults"] == ["currency"]
    assert config["check"] is True


def test_a_broken_config_is_diagnosed_not_died_of(tmp_path):
    (tmp_path / ".gpuadvisor.yaml").write_text("currencies: EUR\n")
    outcome = gpuadvisor("doctor", "--today", "2026-11-30")
    assert outcome.code == 3
    assert "unknown key `currencies`" in outcome.out
    assert ".gpuadvisor.yaml:1:1" in outcome.out
    assert "aws 2026-10-07" in outcome.out  # the rest is told all the same


def test_a_broken_catalog_is_diagnosed_with_its_places(tmp_path, monkeypatch):
    broken = tmp_path / "base"
    broken.mkdir()
    (broken / "x.yaml").write_text("schema: gpuadvisor/unheard/1\n")
    monkeypatch.setenv("GPUADVISOR_BASE", str(broken))
    outcome = gpuadvisor("doctor", "--today", "2026-11-30")
    assert outcome.code == 3
    assert "x.yaml:1" in outcome.out


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_cache_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    folder = tmp_path / "ro"
    folder.mkdir(mode=0o555)
    monkeypatch.setenv("GPUADVISOR_CACHE", str(folder / "cache"))
    assert doctor()["cache"]["writable"] is False


def test_no_line_is_wider_than_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = gpuadvisor("doctor", "--today", "2026-11-30").out
    assert max(map(width, out.splitlines())) <= 80
