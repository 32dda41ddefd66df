"""`gpuadvisor fit` as a shell sees it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor
from tests.cli.test_start_up import HEAVY, modules_of
from tests.performance.test_hf_config import LLAMA_3_8B

CASES = [
    ("--model", "llama-3-8b"),
    ("--model", "llama-3.1-70b", "--train", "--method", "qlora"),
    ("--model", "sdxl", "--batch", "4"),
    ("--model", "bert-large", "--train", "--checkpointing", "none", "--context", "384"),
    ("--params", "7.5B", "--train", "--sharding", "zero3", "--gpus", "64"),
]


@pytest.mark.parametrize("arguments", CASES, ids=" ".join)
def test_json_keeps_its_schema(arguments: tuple[str, ...]) -> None:
    done = gpuadvisor("fit", *arguments, "--format", "json", "--today", "2026-11-30")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("fit"))
    parts = ("weights", "kv_cache", "activations", "gradients", "optimizer", "overhead")
    total = sum(document[f"{part}_gib"] for part in parts)
    assert document["total_gib"] == pytest.approx(total, abs=0.001)
    for row in document["fits"]:
        room = row["usable_gib"] * document["request"]["utilisation"]
        assert row["headroom_gib"] == pytest.approx(room - row["needed_gib"], abs=0.001)


@pytest.mark.parametrize("arguments", CASES, ids=" ".join)
def test_text_keeps_to_its_columns_and_repeats(arguments: tuple[str, ...]) -> None:
    first = gpuadvisor("fit", *arguments, "--today", "2026-11-30")
    assert first == gpuadvisor("fit", *arguments, "--today", "2026-11-30")
    assert max(len(line) for line in first.out.splitlines()) <= 80
    assert "fits on" in first.out.partition("\n\n")[0].replace("\n", " ")


def test_exit_code_when_nothing_fits() -> None:
    done = gpuadvisor("fit", "--model", "llama-3.1-405b", "--device", "T4")
    assert done.code == 1
    assert "fits on none of the 1 devices" in done.out.replace("\n", " ")


def test_config_file(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA_3_8B), encoding="utf-8")
    done = gpuadvisor("fit", "--config", str(path), "--format", "json")
    named = gpuadvisor("fit", "--model", "llama-3-8b", "--format", "json")
    one, other = json.loads(done.out), json.loads(named.out)
    assert one["weights_gib"] == pytest.approx(other["weights_gib"], abs=0.0001)
    assert [row["device"] for row in one["fits"]] == [row["device"] for row in other["fits"]]


FAULTY = [
    ("", 3),
    ("[1, 2]", 3),
    ("{", 3),
    ("[" * 100_000, 3),
    ('{"hidden_size": NaN}', 2),
    ('{"num_hidden_layers": "many"}', 2),
]


@pytest.mark.parametrize(("text", "code"), FAULTY)
def test_faulty_config_is_said_not_raised(tmp_path: Path, text: str, code: int) -> None:
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")
    done = gpuadvisor("fit", "--config", str(path))
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith("gpuadvisor: ")


def test_missing_config() -> None:
    assert gpuadvisor("fit", "--config", "/nowhere/config.json").code == 3


def test_unknown_model_names_the_nearest() -> None:
    done = gpuadvisor("fit", "--model", "llama-3-7b")
    assert done.code == 2
    assert "nearest: llama-3-8b" in done.err or "nearest: llama-3-70b" in done.err


def test_csv_and_markdown_have_a_row_for_each_fit() -> None:
    rows = json.loads(gpuadvisor("fit", "--model", "llama-3-8b", "--format", "json").out)["fits"]
    csv = gpuadvisor("fit", "--model", "llama-3-8b", "--format", "csv").out.splitlines()
    markdown = gpuadvisor("fit", "--model", "llama-3-8b", "--format", "markdown").out.splitlines()
    assert len(csv) == len(rows) + 1
    assert len(markdown) == len(rows) + 2


LIGHT = [
    ("fit", "--model", "llama-3-8b"),
    ("recommend", "--model", "llama-3-8b", "--qps", "20", "--ttft-p99", "1s"),
    ("recommend", "--workload", "image-classification", "--qps", "900", "--latency-p99", "20ms"),
]


@pytest.mark.parametrize("arguments", LIGHT, ids=" ".join)
def test_nothing_heavy_is_imported(arguments: tuple[str, ...]) -> None:
    code, names = modules_of(*arguments)
    assert code == 0
    assert [name for name in HEAVY if name in names] == []


def test_an_unknown_cache_is_said_and_never_zero() -> None:
    """Without heads the cache cannot be counted: the total is a lower bound, in text and JSON."""
    shown = gpuadvisor("fit", "--params", "7B", "--context", "1e6")
    assert "needs at least" in " ".join(shown.out.split())
    document = json.loads(gpuadvisor("fit", "--params", "7B", "--format", "json").out)
    assert document["kv_cache_gib"] is None
    assert [w["code"] for w in document["warnings"]] == ["no_cache"]
    jsonschema.validate(document, output_schema("fit"))
