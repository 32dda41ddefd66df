"""`gpuadvisor reserve` as a command: the acceptance case, formats, exit codes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor

DEMAND = str(Path(__file__).parents[2] / "examples" / "reserved-and-spot" / "demand.csv")
G5 = ("reserve", "--curve", DEMAND, "--unit", "g5.xlarge", "--region", "us-east-1")
DAY = ("--today", "2026-11-30")


@pytest.mark.parametrize(
    ("flags", "one", "three", "saving"),
    [
        (("--no-spot",), 3, 0, 14.56),
        (("--no-spot", "--term", "1y,3y", "--need-lasts", "1.0"), 0, 6, 30.3),
    ],
)
def test_acceptance(flags: tuple[str, ...], one: int, three: int, saving: float) -> None:
    done = gpuadvisor(*G5, *flags, *DAY, "--format", "json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("reserve"))
    commit = document["commit"]
    assert (commit["reserved_1y"], commit["reserved_3y"]) == (one, three)
    assert document["saving_pct"] == pytest.approx(saving, abs=0.05)
    assert commit["option"].startswith("reserved")


def test_the_plan_in_words_and_a_chart() -> None:
    done = gpuadvisor(*G5, *DAY)
    lines = done.out.splitlines()
    assert " ".join(lines[:2]).startswith(
        "Commit 3 x g5.xlarge for 1y (reserved 1y standard no upfront), up to 3 more on spot and 4"
        " on demand: 2,930.30 USD a month instead of 3,916.69 USD"
    )
    assert max(len(line) for line in lines) <= 80
    rows = [line for line in lines if line.strip()[:2].strip().isdigit() and set(line) & set("█▒░")]
    assert len(rows) == 10  # the peak of ten units, one row a unit
    committed = sum(line.count("██") for line in rows)
    assert committed == sum(min(3, d) for d in DEMAND_UNITS)
    assert sum(line.count("░░") + line.count("▒▒") for line in rows) == 128 - committed


DEMAND_UNITS = [int(row["units"]) for row in csv.DictReader(io.StringIO(Path(DEMAND).read_text()))]


def test_csv_adds_up() -> None:
    done = gpuadvisor(*G5, "--no-spot", *DAY, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    amounts = {row["option"]: float(row["monthly_USD"]) for row in rows}
    assert amounts["reserved"] + amounts["on_demand"] == pytest.approx(amounts["total"], abs=0.005)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--unit", "g5.xlarge"), 2, "--curve FILE"),
        (("--curve", "/nonexistent.csv", "--unit", "g5.xlarge"), 3, "/nonexistent.csv"),
        (("--curve", DEMAND, "--unit", "g5.xlarg"), 2, "g5.xlarge"),
        (("--curve", DEMAND, "--unit", "p5e.48xlarge"), 1, "no on-demand price"),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int, said: str) -> None:
    done = gpuadvisor("reserve", *arguments)
    assert done.code == code
    assert said in done.err
    assert "Traceback" not in done.err
