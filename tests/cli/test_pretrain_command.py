"""`recommend` for training from scratch, as a shell sees it."""

from __future__ import annotations

import json

import jsonschema

from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor

RUN = [
    "recommend", "--workload", "llm-pretrain", "--params", "13e9", "--tokens", "300e9",
    "--deadline", "30d", "--device", "A100-80GB,H100", "--today", "2026-11-30",
]  # fmt: skip


def test_text_says_what_was_timed_and_how() -> None:
    done = gpuadvisor(*RUN, "--explain")
    assert (done.code, done.err) == (0, "")
    flowing = " ".join(done.out.split())
    assert "13 B parameters, taken to be 40 layers" in flowing
    assert "% of peak" in flowing
    assert "adding nodes has stopped paying" in flowing
    assert "260,000,000,000" not in flowing
    assert max(len(line) for line in gpuadvisor(*RUN).out.splitlines()) <= 80


def test_json_keeps_its_schema_and_scales() -> None:
    document = json.loads(gpuadvisor(*RUN, "--format", "json").out)
    jsonschema.validate(document, output_schema("recommend"))
    assert document["request"]["training"]["tokens"] == 300e9
    for option in document["options"]:
        assert option["performance"]["mfu"]["expected"] in (0.55, 0.42)
        assert [row["nodes"] for row in option["scaling"]][:3] == [1, 2, 4]


def test_other_workloads_do_not_scale() -> None:
    document = json.loads(gpuadvisor("recommend", "-w", "ocr", "--format", "json").out)
    assert all(option["scaling"] == [] for option in document["options"])
    assert document["request"]["training"] is None


def test_a_field_of_training_is_refused_elsewhere() -> None:
    done = gpuadvisor("recommend", "-w", "ocr", "--params", "13e9")
    assert done.code == 2
    assert "--params is for training from scratch" in done.err


def test_input_is_told_in_text_and_json() -> None:
    asked = ["recommend", "-w", "train-cnn", "--device", "A10G", "--gpus", "4", "--nodes", "1",
             "--sample-kb", "110", "--data-on", "disk", "--today", "2026-11-30"]  # fmt: skip
    flowing = " ".join(gpuadvisor(*asked).out.split())
    assert "a network disk as created feed" in flowing
    assert "copy the samples to local NVMe" in flowing
    document = json.loads(gpuadvisor(*asked, "--format", "json").out)
    jsonschema.validate(document, output_schema("recommend"))
    found = document["options"][0]["input"]
    assert found["limited_by"] == "disk"
    assert set(found["limits_per_second"]) == {"local", "disk", "fast-disk", "network", "cores"}
