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


def test_a_split_model_in_text_and_json() -> None:
    asked = ["recommend", "-w", "llm-pretrain", "--params", "405e9", "--tokens", "15e12",
             "--deadline", "90d", "--device", "H100", "--provider", "aws", "--today",
             "2026-11-30"]  # fmt: skip
    done = gpuadvisor(*asked, "--explain")
    assert done.code == 0
    flowing = " ".join(done.out.split())
    assert "replicas of 4 (tensor) x 16 (pipeline) devices; pipeline idle 4% of a step" in flowing
    assert "split 4 x 16" in flowing
    assert "replicas share optimiser states alone (ZeRO-1)" in flowing
    assert max(len(line) for line in gpuadvisor(*asked).out.splitlines()) <= 80
    document = json.loads(gpuadvisor(*asked, "--format", "json").out)
    jsonschema.validate(document, output_schema("recommend"))
    option = document["options"][0]
    schedule = option["performance"]["schedule"]
    split = [schedule[f"{axis}_parallel"] for axis in ("data", "tensor", "pipeline")]
    assert split[0] * split[1] * split[2] == option["device"]["used"]
    assert schedule["sharding"] == "zero1" and schedule["traffic_gb"]["tensor"] > 0
    assert document["request"]["training"]["batch_tokens"] == 2**24
    assert option["scaling"][-1]["layout"]["tensor_parallel"] > 1


def test_zones_and_compression_in_text_and_json() -> None:
    asked = ["recommend", "-w", "train-transformer", "-m", "bert-large", "--tokens", "27e9",
             "--seq-len", "128", "--batch-tokens", "32768", "--nodes", "2", "--zones", "2",
             "--compression", "1bit", "--device", "A100-40GB", "--provider", "aws",
             "--today", "2026-11-30"]  # fmt: skip
    flowing = " ".join(gpuadvisor(*asked).out.split())
    assert "1-bit gradients: 0.255 GB a device and step instead of 1.26, 46% faster" in flowing
    assert "in one placement group" in flowing and "pass between zones" in flowing
    document = json.loads(gpuadvisor(*asked, "--format", "json").out)
    jsonschema.validate(document, output_schema("recommend"))
    option = document["options"][0]
    zones = option["zones"]
    assert zones["count"] == 2 and zones["run_hours"] > zones["run_hours_one_placement_group"]
    cost = float(zones["traffic_cost"])
    assert f"Traffic between zones comes on top: {cost:,.2f} USD." in flowing.split("Workload")[0]
    assert cost > 0 and zones["source"] == "billing/providers#aws-zones"
    squeezed = option["performance"]["schedule"]["compression"]
    assert squeezed["method"] == "1bit" and squeezed["speed_gain"] > 0


def test_compressing_shards_is_refused() -> None:
    done = gpuadvisor("recommend", "-w", "llm-pretrain", "--params", "13e9", "--compression",
                      "powersgd", "--sharding", "zero2")  # fmt: skip
    assert done.code == 2
    assert "zero2 exchanges shards, and weights that it does not compress" in done.err


def test_the_new_words_are_spoken_in_chinese() -> None:
    asked = ["recommend", "-w", "llm-pretrain", "--params", "405e9", "--tokens", "15e12",
             "--deadline", "90d", "--device", "H100", "--provider", "aws", "--lang", "zh"]  # fmt: skip
    done = gpuadvisor(*asked)
    assert done.code == 0, done.err
    assert "流水线每步空闲" in "".join(done.out.split())


def test_what_lies_outside_cuda_can_train() -> None:
    done = gpuadvisor(
        "recommend", "--workload", "llm-pretrain", "--gpus", "64", "--provider", "aws"
    )
    said = next(line for line in done.out.splitlines() if "outside CUDA" in line)
    assert "inf1" not in said  # Neuron: inference alone on Inf1


def test_all_fields_that_are_wrong_are_told_at_once() -> None:
    done = gpuadvisor("recommend", "-w", "llm-pretrain", "--accumulation", "some", "--zones", "x",
                      "--compression", "zip", "--params", "13e9")  # fmt: skip
    assert done.code == 2
    for said in ("--accumulation some: ", "--zones x: ", "--compression zip: "):
        assert said in done.err
