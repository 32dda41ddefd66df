"""`gpuadvisor estimate --job-hours …` as a command: acceptance, exit codes, documents."""

from __future__ import annotations

import csv
import io
import json

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor

RESNET = (
    "estimate", "p3.2xlarge", "--region", "us-east-1", "--price", "spot=0.9027",
    "--interruptions-per-hour", "0.15", "--today", "2026-11-30",
)  # fmt: skip
TIMES = ("--checkpoint-minutes", "2", "--restart-minutes", "5")


def test_acceptance() -> None:
    done = gpuadvisor(*RESNET, "--job-hours", "7.71", *TIMES, "--format", "json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("estimate"))
    jobs = {o["option"]: o for o in document["items"][0]["options"] if o["job"]}
    assert float(jobs["on_demand"]["job"]["expected"]) == pytest.approx(23.6, rel=0.01)
    assert float(jobs["spot"]["job"]["expected"]) == pytest.approx(7.80, rel=0.01)
    assert jobs["spot"]["spot_job"]["billed_hours"]["expected"] == pytest.approx(8.64, abs=0.01)
    assert jobs["on_demand"]["spot_job"] is None
    assert document["refused"] is None


@pytest.mark.parametrize("more", [(), TIMES, ("--purchase", "spot")])
def test_a_hopeless_job_is_refused_with_the_interval_that_saves_it(more: tuple[str, ...]) -> None:
    asked = (*RESNET, "--job-hours", "48.5", "--no-checkpoint", *more)
    done = gpuadvisor(*asked, "--format", "json")
    assert done.code == 1
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("estimate"))
    assert document["refused"]["code"] == "spot_infeasible"
    assert "spot_infeasible" in [w["code"] for w in document["warnings"]]
    assert "a checkpoint every 39 min would save it" in done.err
    assert "hardly finishes" in gpuadvisor(*asked).out.replace("\n", " ")


def test_the_job_in_words() -> None:
    done = gpuadvisor(*RESNET, "--job-hours", "7.71", *TIMES)
    shown = " ".join(done.out.split())
    assert "A job of 7.71 h costs 23.59 USD on demand, 7.80 USD (7.38-8.83) spot." in shown
    assert "runs 8.64 h (12 % more than undisturbed)" in shown
    assert "a checkpoint every 39 min" in shown
    assert "leave the maximum price unset" in shown
    assert max(len(line) for line in done.out.splitlines()) <= 80


def test_explain_lists_what_moves_the_bill() -> None:
    asked = (*RESNET, "--job-hours", "7.71", "--restart-minutes", "5")
    shown = gpuadvisor(*asked, "--explain").out
    body = shown[shown.index("What each input does") :].splitlines()
    # The user's price and restart are exact; the rate and the time of a checkpoint are not.
    assert [line.strip().split("  ")[0] for line in body[1:3]] == [
        "the rate of interruptions", "the time of a checkpoint",
    ]  # fmt: skip
    assert "What each input does" not in gpuadvisor(*asked).out


def test_csv_has_the_job_at_the_end() -> None:
    asked = (*RESNET, "--job-hours", "7.71", *TIMES, "--format", "csv")
    rows = {row["option"]: row for row in csv.DictReader(io.StringIO(gpuadvisor(*asked).out))}
    assert rows["on_demand"]["job"] == "23.59" and rows["on_demand"]["finish_hours"] == "7.71"
    assert float(rows["spot"]["job"]) == pytest.approx(7.80, abs=0.01)
    assert float(rows["spot"]["finish_low_hours"]) < float(rows["spot"]["finish_high_hours"])
    plain = gpuadvisor("estimate", "g5.xlarge", "--format", "csv").out.splitlines()[0]
    assert plain.endswith(",source")


def test_a_flag_of_a_job_without_a_job() -> None:
    done = gpuadvisor("estimate", "g5.xlarge", "--deadline", "5h")
    assert done.code == 2
    assert "--job-hours" in done.err
