"""`gpuadvisor backtest` as a shell sees it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor

HEADER = (
    "group,device,workload_class,workload,metric,value,higher_is_better,gpu_count,batch,"
    "precision,software,source"
)
# MLPerf Inference v0.7, closed, NVIDIA, Offline, per GPU; the MIG slice is alone on its card.
ROWS = (
    "r50,Tesla T4,cnn-batch,resnet50,samples/s,6112,1,1,,int8,TensorRT 7.2,mlcommons/x@1",
    "r50,A100-40GB-SXM,cnn-batch,resnet50,samples/s,37558,1,1,,int8,TensorRT 7.2,mlcommons/x@1",
    "r50,A100-40GB-SXM:1g.5gb,cnn-batch,resnet50,samples/s,4966,1,1,,int8,TensorRT 7.2,",
)


@pytest.fixture
def data(tmp_path: Path) -> str:
    path = tmp_path / "m.csv"
    path.write_text("\n".join((HEADER, *ROWS)), encoding="utf-8")
    return str(path)


def test_json_is_the_contract(data: str) -> None:
    result = gpuadvisor("backtest", "--data", data, "--format", "json")
    assert (result.code, result.err) == (0, "")
    document = json.loads(result.out)
    jsonschema.validate(document, output_schema("backtest"))
    assert document["schema"] == "gpuadvisor/backtest/1"
    (score,) = document["classes"]
    assert score["workload_class"] == "cnn-batch"
    assert score["n"] == 3
    assert {
        "median_ape",
        "p90_ape",
        "bias",
        "pair_order",
        "pair_order_gap125",
    } <= set(score)
    assert 0 < score["median_ape"] < 0.3
    # T4 and the slice are close (4,966 against 6,112 is below 1.25x); the card is far ahead.
    assert score["pair_order_gap125"] == 1.0
    predicted = document["predictions"]
    assert [(p["group"], p["device"]) for p in predicted] == [
        ("r50", row.split(",")[1]) for row in ROWS
    ]
    assert all(p["low"] <= p["predicted"] <= p["high"] for p in predicted)
    assert document["unknown"] == {"devices": {}, "classes": {}}
    assert set(document["baselines"]) == {"flops", "bandwidth", "formula"}


def test_a_table_for_people(data: str) -> None:
    result = gpuadvisor("backtest", "--data", data)
    assert result.code == 0
    assert result.out.startswith("3 measurements (classes: 1): median error ")
    assert "all, this model" in result.out


def test_csv_has_a_row_a_class_and_a_ranker(data: str) -> None:
    result = gpuadvisor("backtest", "--data", data, "--format", "csv")
    found = list(csv.DictReader(result.out.splitlines()))
    assert found[0]["class"] == "cnn-batch"
    assert len(found) == 1 + 4


def test_unknown_names_are_told(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text(
        f"{HEADER}\ng,T4,juggling-batch,w,m,5,1,1,,,,\ng,Abacus,juggling-batch,w,m,4,1,1,,,,\n",
        encoding="utf-8",
    )
    result = gpuadvisor("backtest", "--data", str(path))
    assert "Abacus (1)" in result.out
    assert "juggling-batch (2)" in result.out


@pytest.mark.parametrize("content", ["", "a,b\n", f"{HEADER}\ng,T4,c,w,m,fast,1,1,,,,\n"])
def test_a_bad_file_is_exit_3_with_its_place(tmp_path: Path, content: str) -> None:
    path = tmp_path / "m.csv"
    path.write_text(content, encoding="utf-8")
    result = gpuadvisor("backtest", "--data", str(path))
    assert result.code == 3
    assert result.out == ""
    assert f"{path}:" in result.err
    assert "Traceback" not in result.err


def test_usage() -> None:
    assert gpuadvisor("backtest").code == 2
    assert gpuadvisor("backtest", "--data", "x.csv", "--format", "xml").code == 2
