"""`gpuadvisor estimate --curve --storage` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor

DEMAND = str(Path(__file__).parents[2] / "examples" / "reserved-and-spot" / "demand.csv")
ASKED = (
    "estimate", "g5.xlarge", "--region", "us-east-1", "--curve", DEMAND, "--storage",
    "disk=100GB,cold=1TB,retrieve=100GB", "--today", "2026-11-30",
)  # fmt: skip


def test_json_follows_its_schema() -> None:
    done = gpuadvisor(*ASKED, "--format", "json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("estimate"))
    assert [way["way"] for way in document["serving"][0]["ways"]] == [
        "static", "autoscaled", "to_zero", "spot_spread",
    ]  # fmt: skip
    lines = {line["kind"]: line for line in document["storage"][0]["lines"]}
    assert lines["disk"]["monthly"] == "8.00"  # gp3, 0.08 per GB-month
    assert lines["retrieve"]["monthly"] is None and lines["retrieve"]["note"]


def test_the_answer_in_words() -> None:
    done = gpuadvisor(*ASKED)
    shown = " ".join(done.out.split())
    assert "10 units at the peak, 5.33 on average (load factor 0.53)" in shown
    assert "always for the peak: 12 units" in shown
    assert "no cold tier is priced here: kept one tier warmer" in shown
    assert "retrieval fee unknown" in shown
    assert max(len(line) for line in done.out.splitlines()) <= 80
