"""`gpuadvisor estimate` as a process: exit codes, formats, what it imports."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpuadvisor", "estimate", "--today", "2026-11-30", *arguments],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("g5.xlarge",),
        ("4x g5.xlarge", "8xA100-80GB", "--months", "6", "--job-hours", "30"),
        ("p5e.48xlarge",),
        ("p5e.48xlarge", "--region", "us-east-1"),
        ("NC6s_v3", "--currency", "CNY", "--fx", "CNY=6.65"),
        ("a4-highgpu-8g", "--price", "gcp/a4-highgpu-8g@us-central1:on_demand=100"),
        ("T4", "--tier", "any", "--region", "any", "--top", "40"),
    ],
)
def test_json_follows_its_schema(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    jsonschema.validate(document, output_schema("estimate"))
    for item in document["items"]:
        for option in item["options"]:
            assert option["available"] is False or (option["source"] and option["as_of"])


def test_line_one_is_the_answer_and_the_last_line_the_next_command() -> None:
    lines = run("g4dn.xlarge", "--region", "us-east-1").stdout.splitlines()
    assert lines[0] == "g4dn.xlarge costs 383.98 USD a month on demand in aws us-east-1."
    assert lines[-1].startswith("Next: gpuadvisor compare ")
    assert max(len(line) for line in lines) <= 80


def test_the_answer_says_what_a_capacity_block_is_and_what_is_not_sold() -> None:
    shown = " ".join(run("p5e.48xlarge", "--region", "us-west-2").stdout.split())
    assert shown.startswith("p5e.48xlarge is not sold on demand; spot costs ")
    assert "capacity, not a discount" in shown
    assert "on demand, reserved, savings plan: not sold for this type" in shown


def test_csv_has_a_row_for_every_option() -> None:
    done = run("p5.48xlarge", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {r["available"] for r in rows} == {"true", "false"}
    counted = [r for r in rows if r["counted"] == "true"]
    assert [(r["option"], r["monthly"]) for r in counted] == [("on_demand", "40179.20")]
    assert all(r["source"] for r in rows if r["available"] == "true")
    assert all(r["why_not"] for r in rows if r["available"] == "false")


def test_markdown_is_one_table_under_the_answer() -> None:
    lines = run("g5.xlarge", "--format", "markdown").stdout.splitlines()
    assert lines[0].startswith("g5.xlarge costs 734.38 USD")
    table = [line for line in lines if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in table}) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("g5.xlrge",), 2, "g5.xlarge"),
        (("0xT4",), 2, "count"),
        (("g5.xlarge", "--format", "xml"), 2, "json"),
        (("g5.xlarge", "--catalog-version", "aws=1999.01"), 2, "2025.04"),
        (("g5.xlarge", "--currency", "USDT"), 2, "USDT"),
        (("g5.xlarge", "--months", "many"), 2, "--months"),
        (("8xB300", "--region", "eu-west-3"), 1, "aws"),
        ((), 2, ""),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int, words: str) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    if words:
        assert words in done.stderr
        assert done.stdout == ""


def test_a_hostile_name_cannot_drive_the_terminal() -> None:
    done = run("\x1b[31mT4\x07")
    assert done.returncode == 2
    assert "\x1b" not in done.stderr and "\x07" not in done.stderr


def test_the_same_call_gives_the_same_bytes() -> None:
    one, two = (run("8xA100-80GB", "--format", "json").stdout for _ in range(2))
    assert one == two


def test_an_old_quote_is_reproduced_by_its_catalog() -> None:
    done = run("p5.48xlarge", "--catalog-version", "aws=2025.04", "--format", "json")
    document = json.loads(done.stdout)
    assert document["catalogs"][0]["version"] == "2025.04"
    assert document["items"][0]["options"][0]["price_per_hour"] == "98.32"


def test_the_config_file_gives_defaults_that_flags_override(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / ".gpuadvisor.yaml"
    config.write_text("discount: {aws: 12%}\ncurrency: CNY\n", encoding="utf-8")
    monkeypatch.setenv("GPUADVISOR_CONFIG", str(config))
    document = json.loads(run("g5.xlarge", "--format", "json").stdout)
    price = document["items"][0]["options"][0]["price_per_hour"]
    # 1.006 less 12 %, at the ECB rate of 2026-10-30.
    assert (document["currency"], price) == ("CNY", f"{1.006 * 0.88 * 6.6529:.9f}")
    own = json.loads(
        run("g5.xlarge", "--discount", "aws=0%", "--currency", "USD", "--format", "json").stdout
    )
    assert own["items"][0]["options"][0]["price_per_hour"] == "1.006"


def test_the_hot_path_imports_nothing_heavy() -> None:
    code = (
        "import sys; from gpuadvisor.cli.main import run; run(['estimate', 'g5.xlarge']);"
        "heavy = {'pydantic', 'yaml', 'numpy', 'pandas', 'boto3', 'rich', 'dataclasses'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    loaded = done.stderr.strip().splitlines()[-1]
    assert "pydantic" not in loaded and "yaml" not in loaded and "numpy" not in loaded


def test_yen_have_no_coins_below_them() -> None:
    out = run("g5.xlarge", "--currency", "JPY").stdout
    line = next(text for text in out.splitlines() if text.startswith("> on demand"))
    # 1.006 USD x 730 h x 157.2503 JPY (ECB 2026-10-30) = 115,481.48, to the yen.
    assert line.split()[-1] == "115,481"
