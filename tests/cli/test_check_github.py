"""The GitHub forms: annotation limits, escaping, summary size, step outputs."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.report import check_github
from gpuadvisor.report.check_json import document
from gpuadvisor.report.check_markdown import markdown
from tests.check.conftest import _small_base, small_catalogs  # noqa: F401
from tests.check.support import plan, run
from tests.iac.plans import change


def many(folder: Path, number: int) -> dict[str, Any]:
    """A report with `number` unlike resources that each break two rules."""
    changes = [
        change(f"aws_instance.{'long' * 10}_{n:05}", {"instance_type": "p2.xlarge"})
        for n in range(number)
    ]
    return document(run(folder, plan(*changes), max_increase="1"))


def verdict(rule: str, level: str, text: str = "x", **more: Any) -> dict[str, Any]:
    found = {"rule": rule, "level": level, "passed": False, "message": text}
    return {**found, "address": None, "file": None, "line": None, **more}


def with_verdicts(doc: dict[str, Any], *verdicts: dict[str, Any]) -> dict[str, Any]:
    return {**copy.deepcopy(doc), "policy": list(verdicts)}


@pytest.fixture
def doc(tmp_path: Path) -> dict[str, Any]:
    return document(run(tmp_path, plan(change("aws_instance.a", {"instance_type": "g4dn.xlarge"}))))


LIMITS = [(0, 0), (1, 1), (10, 10), (11, 10), (300, 10)]


@pytest.mark.parametrize(("found", "shown"), LIMITS)
def test_at_most_ten_of_a_kind_and_the_rest_is_counted(
    doc: dict[str, Any], found: int, shown: int
) -> None:
    broken = [verdict("GA007", level, f"m{n}") for n in range(found) for level in ("fail", "warn")]
    lines = check_github.annotation_lines(with_verdicts(doc, *broken))
    for command in ("error", "warning"):
        kind = [line for line in lines if line.startswith(f"::{command} ")]
        assert len(kind) == shown
        if found > shown:
            assert f"and {found - 9} more" in kind[-1]


ESCAPES = [
    (
        verdict("GA001", "fail", "50 %\r\nof it"),
        "::error title=gpuadvisor GA001::50 %25%0D%0Aof it",
    ),
    (
        verdict("GA007", "warn", "no", file="a,b:c.yaml", line=3, address="Deployment/x"),
        "::warning file=a%2Cb%3Ac.yaml,line=3,title=gpuadvisor GA007::Deployment/x: no",
    ),
    # A plan has no lines: no place in the repository is claimed.
    (
        verdict("GA007", "warn", "no", file="plan.json", address="aws_instance.a"),
        "::warning title=gpuadvisor GA007::aws_instance.a: no",
    ),
]


@pytest.mark.parametrize(("broken", "line"), ESCAPES)
def test_escaping_of_commands(doc: dict[str, Any], broken: dict[str, Any], line: str) -> None:
    assert check_github.annotation_lines(with_verdicts(doc, broken)) == [line]


def test_outputs_and_summary_are_appended(
    doc: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs, summary = tmp_path / "outputs", tmp_path / "summary"
    outputs.write_text("before=1\n")
    monkeypatch.setenv("GITHUB_OUTPUT", str(outputs))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert check_github.append_outputs(doc)
    assert check_github.append_summary(check_github.summary(doc))
    found = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    assert found == {
        "before": "1",
        "total_before": "0.00",
        "total_after": "365.00",
        "total_max": "365.00",
        "delta": "365.00",
        "delta_max": "365.00",
        "changed": "1",
        "unpriced": "0",
        "unknown": "0",
        "currency": "USD",
        "result": "passed",
        "exit_code": "0",
    }
    assert summary.read_text().startswith("### GPU cost: +$365 planned")


def test_without_a_job_nothing_is_written(
    doc: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_OUTPUT", raising=False)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/nowhere/at/all")
    assert not check_github.append_outputs(doc)
    assert not check_github.append_summary("x")


def test_a_long_report_is_cut_between_rows(tmp_path: Path) -> None:
    doc = many(tmp_path, 2_000)
    whole = markdown(doc)
    short = markdown(doc, 60_000)
    assert len(whole) > 200_000
    assert len(short) <= 60_000
    kept = [line for line in short.splitlines() if line.startswith("| + |")]
    assert 100 < len(kept) < 2_000
    assert all(line in whole.splitlines() for line in kept)
    assert f"… {2_000 - len(kept)} more rows" in short
    # What must not be lost.
    assert "could not be determined" in short.splitlines()[0]
    assert "**Policy**" in short
    assert "GA012" in short


def test_the_summary_keeps_below_its_limit_in_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_github, "MOST_SUMMARY_BYTES", 50_000)
    assert len(check_github.summary(many(tmp_path, 500)).encode()) <= 50_000


def test_one_name_of_any_length_leaves_room_for_the_rest(tmp_path: Path) -> None:
    document_ = plan(
        change("aws_instance.a", {"instance_type": "g4dn.xlarge"})
        | {"address": "aws_instance." + "x" * 100_000}
    )
    doc = document(run(tmp_path, document_))
    assert len(markdown(doc, 60_000)) < 5_000
    assert len(json.dumps(doc)) > 100_000
