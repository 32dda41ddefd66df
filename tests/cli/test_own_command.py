"""`gpuadvisor own` as a command: the published case, formats, exit codes."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor

DGX = (
    "own", "--device", "A100-40GB-SXM", "--gpus", "8", "--capex", "199000", "--years", "3",
    "--wacc", "8%", "--residual", "15%", "--power-kw", "6.5", "--colo", "217.30", "--staff",
    "20000", "--maintenance", "5%", "--rent", "p4d.24xlarge", "--region", "us-east-1",
    "--price", "on_demand=32.7726", "--today", "2026-11-30",
)  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        DGX,
        ("own", "--device", "H100-80GB-SXM", "--gpus", "8"),
        ("own", "--device", "RTX-3090", "--used", "--rent", "g6.xlarge", "--workload", "diffusion"),
    ],
)
def test_json_follows_its_schema(arguments: tuple[str, ...]) -> None:
    done = gpuadvisor(*arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("own"))
    total = sum(float(line["expected"]) for line in document["lines"])
    assert total == pytest.approx(float(document["annual_own"]), abs=0.005)


def test_the_answer_in_words() -> None:
    done = gpuadvisor(*DGX)
    first = " ".join(done.out.split("\n\n")[0].split())
    assert first == (
        "Owning 8 x A100-40GB-SXM costs 114,923 USD a year, renting p4d.24xlarge 143,544 USD at"
        " 50 % use: owning is cheaper from 40 % use (3,507 h a year)."
    )
    assert max(len(line) for line in done.out.splitlines()) <= 80


def test_weak_figures_and_what_moves_the_answer() -> None:
    shown = " ".join(gpuadvisor("own", "--device", "H100-80GB-SXM", "--gpus", "8").out.split())
    assert "weak figures, to be replaced by yours: purchase price" in shown
    assert "What moves this most:" in shown


def test_explain_lists_every_input_by_its_swing() -> None:
    shown = gpuadvisor("own", "--device", "H100-80GB-SXM", "--gpus", "8", "--explain").out
    body = shown[shown.index("What each input does") :].split("\n\n")[0].splitlines()[1:]
    sizes = []
    for line in body:
        low, high = line.removesuffix(" %").rsplit("  ", 1)[1].split(" - ")
        sizes.append(float(high) - float(low))
    assert len(sizes) >= 6
    assert all(a >= b - 0.11 for a, b in pairwise(sizes))  # printed to a tenth


def test_csv_has_the_lines() -> None:
    rows = list(csv.DictReader(io.StringIO(gpuadvisor(*DGX, "--format", "csv").out)))
    assert [row["line"] for row in rows][-2:] == ["annual_own", "annual_rent"]
    assert float(rows[-2]["expected_USD"]) == pytest.approx(114_923, abs=1)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--device", "L4"), 2, "--capex"),
        (("--gpus", "8"), 2, "--device"),
        (("--device", "L4", "--capex", "0"), 2, "zero"),
        (("--device", "L4", "--capex", "3000", "--residual", "2"), 2, "share"),
        (("--device", "RTX-3090", "--used", "--provider", "azure"), 1, "priced in"),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int, said: str) -> None:
    done = gpuadvisor("own", *arguments)
    assert done.code == code, done.err
    assert said in done.err
