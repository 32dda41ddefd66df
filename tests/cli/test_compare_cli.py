"""`gpuadvisor compare` as a process."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpuadvisor", "compare", "--today", "2026-11-30", *arguments],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("4xT4", "1xA100", "--workload", "ocr"),
        ("8xH100", "8xA100-80GB", "--workload", "llm-pretrain"),
        ("g5.xlarge", "NC6s_v3", "p5e.48xlarge"),
        ("A100-80GB", "--tier", "any", "--region", "eu", "--currency", "EUR", "--top", "20"),
        ("T4", "L4", "A10G", "H100", "MI300X", "--workload", "tts", "--no-batched"),
    ],
)
def test_json_follows_its_schema(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    jsonschema.validate(json.loads(done.stdout), output_schema("compare"))


def test_ocr_says_when_each_side_wins() -> None:
    done = run("4xT4", "1xA100", "--workload", "ocr")
    shown = " ".join(done.stdout.split())
    assert shown.startswith("unbatched: 4xT4 on single machines beats 1xA100")
    assert "batched: 4xT4 on single machines and 1xA100 are near parity" in shown
    assert "batched: 1xA100 beats 4xT4 in one box" in shown
    assert "The order flips where one A100" in shown
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    assert done.stdout.splitlines()[-1].startswith("Next: gpuadvisor ")


def test_without_a_workload_the_device_hour_decides() -> None:
    first = " ".join(run("T4", "L4", "--provider", "aws").stdout.splitlines()[:2])
    assert "T4 costs 0.526 USD at aws us-east-1" in first


def test_csv_has_a_row_for_each_mode() -> None:
    done = run("T4", "--workload", "ocr", "--provider", "aws", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {r["mode"] for r in rows} == {"batched", "unbatched"}
    assert all(r["source"] and r["as_of"] and r["price_per_device_hour"] for r in rows)


def test_markdown_is_one_table() -> None:
    lines = run("T4", "L4", "--provider", "aws", "--format", "markdown").stdout.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len({line.count("|") for line in table}) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("4xT4O",), 2, "T4"),
        (("T4", "--workload", "ocrr"), 2, "ocr"),
        (("T4", "--region", "mars"), 2, "region"),
        (("8xB300", "--region", "eu-west-3"), 1, "aws"),
        ((), 2, ""),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int, words: str) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert words in done.stderr and "Traceback" not in done.stderr
