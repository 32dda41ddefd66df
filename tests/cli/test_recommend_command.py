"""`gpuadvisor recommend` as a user meets it: formats, files, exit codes, no traceback."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema
from gpuadvisor.report.text import width
from tests.cli.run import gpuadvisor
from tests.conftest import TODAY

OCR = ("recommend", "--workload", "ocr", "--budget", "5000", "--today", TODAY)

REQUESTS = [
    OCR,
    (*OCR, "--explain"),
    ("recommend", "--workload", "llm-chat", "--qps", "2000", "--today", TODAY),
    ("recommend", "--workload", "train-cnn", "--deadline", "12h", "--today", TODAY),
    ("recommend", "--workload", "ocr", "--budget", "1", "--today", TODAY),
    ("recommend", "--workload", "notebook", "--today", TODAY),
    ("recommend", "--workload", "ocr", "--batched", "--currency", "EUR", "--today", TODAY),
    ("recommend", "--workload", "render", "--budget", "900", "--today", TODAY),
    ("recommend", "--workload", "文字识别", "--budget", "0.5万元", "--today", TODAY),
]  # fmt: skip


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: " ".join(r[1:-2]))
def test_json_validates_against_the_exported_schema(request_: tuple[str, ...]) -> None:
    shown = gpuadvisor(*request_, "--format", "json")
    document = json.loads(shown.out)
    jsonschema.validate(document, output_schema("recommend"))
    assert shown.err == ""
    assert shown.code == (0 if document["feasible"] else 1)


def test_each_option_names_source_and_date_of_price_and_speed() -> None:
    document = json.loads(gpuadvisor(*OCR, "--format", "json").out)
    assert document["options"]
    for option in document["options"]:
        assert option["price"]["source"] and option["price"]["as_of"]
        assert option["performance"]["source"]
        assert option["performance"]["basis"] in ("measured", "fitted", "spec")


@pytest.mark.parametrize("columns", [80, 120, 200])
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: " ".join(r[1:-2]))
def test_text_keeps_to_the_terminal(
    request_: tuple[str, ...], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = gpuadvisor(*request_)
    # An address in the list of sources has no place to break.
    too_wide = [
        line
        for line in shown.out.splitlines()
        if width(line) > columns and " " in line.strip() and "Next:" not in line
    ]
    assert too_wide == []
    assert "\x1b" not in shown.out


def test_line_1_is_the_answer() -> None:
    first = " ".join(gpuadvisor(*OCR).out.split("\n\n")[0].split())
    document = json.loads(gpuadvisor(*OCR, "--format", "json").out)
    best = document["options"][0]
    assert best["instance_type"] in first
    assert best["region"] in first
    assert "a month" in first


def test_header_converts_the_budget() -> None:
    # 5,000 x 6.6529 (ECB 2026-10-30), the design's own example.
    assert "5,000 USD/month = 33,264.50 CNY (ECB 2026-10-30)" in gpuadvisor(*OCR).out


def test_csv_and_markdown_hold_the_same_options() -> None:
    document = json.loads(gpuadvisor(*OCR, "--format", "json").out)
    names = [o["instance_type"] for o in document["options"]]
    rows = list(csv.DictReader(io.StringIO(gpuadvisor(*OCR, "--format", "csv").out)))
    assert [row["instance_type"] for row in rows] == names
    markdown = gpuadvisor(*OCR, "--format", "markdown").out
    assert all(f"| {name} |" in markdown for name in names)


def test_request_file_and_stdin_equal_the_flags(tmp_path: Path) -> None:
    wanted = gpuadvisor(*OCR, "--format", "json").out
    text = f"workload: ocr\nbudget: 5000\ntoday: {TODAY}\n"
    (tmp_path / "ask.yaml").write_text(text)
    (tmp_path / "ask.json").write_text(
        json.dumps({"workload": "ocr", "budget": "5000", "today": TODAY})
    )
    for name in ("ask.yaml", "ask.json"):
        shown = gpuadvisor("recommend", "--request", str(tmp_path / name), "--format", "json")
        assert shown.out == wanted
    piped = gpuadvisor("recommend", "--request", "-", "--format", "json", stdin=text.encode())
    assert piped.out == wanted


def test_an_empty_request_file_is_told_not_answered(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("# nothing yet\n")
    outcome = gpuadvisor("recommend", "--request", str(tmp_path / "r.yaml"))
    assert outcome.code == 3
    assert "r.yaml:1:1" in outcome.err


def test_flags_win_over_the_request_file(tmp_path: Path) -> None:
    (tmp_path / "ask.yaml").write_text("workload: ocr\nbudget: 1\n")
    shown = gpuadvisor(
        "recommend", "--request", str(tmp_path / "ask.yaml"), "--budget", "5000", "--format", "json"
    )
    assert json.loads(shown.out)["request"]["budget"]["value"] == "5000.00"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--workload", "orc"), 2, "ocr"),
        (("--workload", "ocr", "--budget", "0"), 2, "zero"),
        (("--workload", "ocr", "--budget", "/month"), 2, "$"),
        (("--workload", "ocr", "--format", "pdf"), 2, "json"),
        (("--workload", "ocr", "--catalog", "/nowhere"), 3, "/nowhere"),
        (("--workload", "ocr", "--catalog-version", "aws=1999.01"), 2, "2025.04"),
        (("--request", "/nowhere.yaml"), 3, "/nowhere.yaml"),
        (("--workload", "ocr", "--budget", "1"), 1, ""),
        (("--no-such-flag",), 2, "no-such-flag"),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int, words: str) -> None:
    shown = gpuadvisor("recommend", *arguments)
    assert shown.code == code
    assert words.lower() in shown.err.lower()
    assert "Traceback" not in shown.out + shown.err


def test_hostile_names_cannot_drive_the_terminal() -> None:
    shown = gpuadvisor("recommend", "--workload", "\x1b[31mocr\x07")
    assert shown.code == 2
    assert "\x1b" not in shown.err and "\x07" not in shown.err


def test_explain_traces_rules_and_names_sources() -> None:
    out = gpuadvisor(*OCR, "--explain").out
    assert "price:" in out and "speed:" in out and "Sources" in out
    document = json.loads(gpuadvisor(*OCR, "--explain", "--format", "json").out)
    traces = document["options"][0]["trace"]
    assert {t["rule"] for t in traces} >= {"retirement.past", "fit.bf16"}
    assert all(t["when"]["state"] in ("passed", "failed", "unknown") for t in traces)


def test_project_defaults_lie_beneath_the_flags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gpuadvisor.yaml").write_text("provider: [aws]\nhours_per_month: 100\n")
    monkeypatch.chdir(tmp_path)
    document = json.loads(gpuadvisor(*OCR, "--format", "json").out)
    assert {o["provider"] for o in document["options"]} == {"aws"}
    assert document["request"]["hours_per_month"] == 100
    assert any(".gpuadvisor.yaml" in text for text in document["assumptions"])
    flagged = gpuadvisor(*OCR, "--provider", "gcp", "--hours-per-day", "24", "--format", "json")
    document = json.loads(flagged.out)
    assert {o["provider"] for o in document["options"]} == {"gcp"}
    assert document["request"]["hours_per_month"] == 730


# -- what no known speed serves -------------------------------------------------------------------


@pytest.mark.parametrize(
    "demand", [("--units-per-month", "1e15"), ("--latency-p99", "1e-9", "--qps", "10")]
)
def test_an_impossible_demand_recommends_nothing(demand: tuple[str, ...]) -> None:
    """Types of unknown speed must not win because all others were seen to fail."""
    done = gpuadvisor("recommend", "--workload", "ocr", *demand, "--today", TODAY)
    assert done.code == 1
    assert "Nothing of known speed serves this demand." in " ".join(done.out.split())
    document = json.loads(
        gpuadvisor(
            "recommend", "--workload", "ocr", *demand, "--today", TODAY, "--format", "json"
        ).out
    )
    jsonschema.validate(document, output_schema("recommend"))
    assert document["feasible"] is False
    assert "unserved" in [w["code"] for w in document["warnings"]]


def test_a_demand_without_any_known_speed_is_priced_for_one_and_says_so() -> None:
    done = gpuadvisor(
        "recommend", "--workload", "render", "--units-per-month", "1000", "--today", TODAY
    )
    assert done.code == 0
    assert "no speed is known" in " ".join(done.out.split()).partition(" Workload ")[0]


def test_all_faults_of_a_request_are_told_at_once() -> None:
    outcome = gpuadvisor(
        "recommend", "--workload", "ocr", "--budget", "/month", "--currency", "E1", "--qps", "-3"
    )
    assert outcome.code == 2
    for word in ("/month", "E1", "-3"):
        assert word in outcome.err


def test_hours_that_are_paid_make_the_month() -> None:
    # 100M pages over instances that do more: the month is the price of the hours they work.
    volume = ("recommend", "--workload", "ocr", "--provider", "aws", "--units-per-month", "100M",
              "--today", TODAY)  # fmt: skip
    document = json.loads(gpuadvisor(*volume, "--format", "json").out)
    first = document["options"][0]
    hours = first["cost"]["billed_hours_per_month"]
    assert hours < document["request"]["hours_per_month"]
    month = float(first["cost"]["hourly"]) * hours
    assert month == pytest.approx(float(first["cost"]["monthly"]["expected"]), abs=0.01)
    flowing = " ".join(gpuadvisor(*volume).out.split())
    assert f"billed for {hours:.0f} of the 730 h" in flowing
    # A commitment is paid for every hour of a month, however few are used.
    bound = (*volume, "--purchase", "reserved")
    first = json.loads(gpuadvisor(*bound, "--format", "json").out)["options"][0]
    assert first["cost"]["billed_hours_per_month"] == 730
    assert "billed for" not in gpuadvisor(*bound).out


def test_csv_writes_small_costs_in_full() -> None:
    shown = gpuadvisor("recommend", "--workload", "llm-chat", "--qps", "20", "--provider", "aws",
                       "--today", TODAY, "--format", "csv")  # fmt: skip
    costs = [row["cost_per_unit"] for row in csv.DictReader(io.StringIO(shown.out))]
    assert costs
    for cost in costs:
        assert cost.startswith("0.0000") and "e" not in cost


def test_every_reason_is_told_where_nothing_is_left() -> None:
    nothing = ("recommend", "--workload", "llm-pretrain", "--params", "13e9", "--tokens", "30e9",
               "--zones", "2", "--gpus", "8", "--provider", "aws", "--today", TODAY)  # fmt: skip
    shown = gpuadvisor(*nothing)
    rejected = json.loads(gpuadvisor(*nothing, "--format", "json").out)["rejected"]
    assert shown.code == 1 and len(rejected) > 2
    flowing = " ".join(shown.out.split())
    for reason in rejected:
        assert reason["text"].rstrip(".") in flowing
    # Eight devices of one machine cannot lie in two zones; they do hold the model.
    assert "model_memory" not in {reason["reason"] for reason in rejected}
