"""`gpuadvisor quote`: what the customer's file must not tell, the pair of files, and its formats."""

from __future__ import annotations

import csv
import html
import io
import json
import os
import re
import shlex
import zipfile
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest

from gpuadvisor.cli import quote_output
from gpuadvisor.report.catalog_schema import output_schema
from gpuadvisor.report.text import width
from tests.cli.run import Outcome, gpuadvisor

FORMATS = {"html": "html", "xlsx": "xlsx", "markdown": "md", "csv": "csv", "json": "json",
           "table": "txt"}  # fmt: skip
TODAY = ("--today", "2026-11-30")
OCR = ("quote", "--workload", "ocr", "--units-per-month", "100M", "--latency-p99", "500ms",
       "--provider", "aws", "--customer", "Example Ltd.", "--prepared-by", "J. Doe", *TODAY)  # fmt: skip
HOSTILE = "<img src=x onerror=alert(1)> | `x` & =1+1"


def written(path: Path, *arguments: str) -> Outcome:
    done = gpuadvisor(*arguments, "--output", str(path))
    assert done.code == 0, done.err
    return done


def inside(path: Path) -> str:
    """All text of a file: of a workbook every part of it, with formulas and properties. Style
    sheets and paper sizes have margins that are no business secret."""
    if path.suffix != ".xlsx":
        text = path.read_text(encoding="utf-8")
        return html.unescape(re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL))
    with zipfile.ZipFile(path) as book:
        parts = [f"{name}\n{book.read(name).decode()}" for name in book.namelist()]
    return html.unescape(re.sub(r"<pageMargins[^>]*>", "", "\n".join(parts)))


def numbers(text: str) -> set[Decimal]:
    """Every number in a text, with or without thousands apart."""
    return {
        Decimal(found.replace(",", ""))
        for found in re.findall(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", text)
    }


# -- leaks -----------------------------------------------------------------------------------


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    """A negotiated price, in a folder, a file, a version and a source that nobody else may read."""
    folder = tmp_path / "secret-folder"
    folder.mkdir()
    (folder / "secret-sheet.yaml").write_text(
        """schema: gpuadvisor/prices/1
provider: aws
version: 2026.11.4711
currency: USD
sources:
  secret-addendum: {title: "Secret addendum", address: "contract 4711", date: 2026-11-13, confidence: official}
prices:
  g6.xlarge:
    us-east-1: {on_demand: [0.7131, secret-addendum]}
""",
        encoding="utf-8",
    )
    return folder


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_customers_file_tells_none_of_our_terms(
    format: str, language: str, overlay: Path, tmp_path: Path
) -> None:
    """The good choice rests on the negotiated price, the best on a discount: 0.7131 x 1.1379 and
    1.006 x (1 - 0.0577) x 1.1379."""
    path = tmp_path / f"quote.{FORMATS[format]}"
    terms = ("--markup", "13.79%", "--discount", "aws=5.77%", "--catalog", str(overlay))
    written(path, *OCR, *terms, "--format", format, "--lang", language)
    shown = inside(path)
    inner = json.loads((tmp_path / f"{path.name}.internal.json").read_text(encoding="utf-8"))
    for word in (
        "secret", "addendum", "4711", "2026-11-13", "13.79", "0.1379", "1.1379", "5.77", "0.0577",
        "0.9423", "markup", "margin", "negotiated", "your price", "internal", "--", "gpuadvisor ",
        str(tmp_path), "providers/aws", ".yaml", "catalog-version",
    ):  # fmt: skip
        allowed = (
            word == "--" and format == "markdown"
        )  # rules of tables; elsewhere flags, comments
        assert allowed or word not in shown.lower(), word
    costs = {Decimal(line[key]) for line in inner["lines"] for key in ("cost_per_hour", "cost", "margin", "margin_pct")}  # fmt: skip
    assert len(costs) >= 8
    assert costs & numbers(shown) == set()
    # The seller's file has all of it.
    assert (inner["markup_pct"], inner["discounts_pct"]) == ("13.79", {"aws": "5.77"})
    assert inner["overlays"] == [str(overlay)]
    keys = {line["source"]["key"] for line in inner["lines"]}
    assert any(key.endswith("#secret-addendum") for key in keys)


def test_the_sellers_file_is_for_the_seller_alone(tmp_path: Path) -> None:
    path = tmp_path / "q.html"
    written(path, *OCR)
    assert (tmp_path / "q.html.internal.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("format", ["html", "markdown", "csv", "json", "xlsx", "table"])
def test_hostile_names_are_escaped(format: str, tmp_path: Path) -> None:
    path = tmp_path / f"quote.{FORMATS[format]}"
    names = ("--customer", HOSTILE, "--title", HOSTILE, "--number", HOSTILE)
    written(path, *OCR[:-2], *names, *TODAY, "--format", format)
    if format == "xlsx":
        with zipfile.ZipFile(path) as book:
            assert not any(b"<img" in book.read(name) for name in book.namelist())
        return
    raw = path.read_text(encoding="utf-8")
    if format == "json":
        assert json.loads(raw)["customer"] == HOSTILE
    elif format in ("html", "markdown"):
        assert "<img" not in raw and "&lt;img" in raw
    if format == "markdown":
        assert "\\`x\\`" in raw


# -- the pair --------------------------------------------------------------------------------


def test_neither_file_is_written_where_one_cannot_be(tmp_path: Path) -> None:
    path = tmp_path / "q.html"
    (tmp_path / "q.html.internal.json").mkdir()
    done = gpuadvisor(*OCR, "--output", str(path))
    assert done.code == 2 and "nothing was written" in done.err
    assert sorted(os.listdir(tmp_path)) == ["q.html.internal.json"]


@pytest.mark.parametrize("before", [None, b"an older quote"])
def test_the_first_is_taken_back_when_the_second_fails(
    before: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, beside = tmp_path / "q.json", tmp_path / "q.json.internal.json"
    if before is not None:
        path.write_bytes(before)
    replace = os.replace

    def failing(source: str, target: str) -> None:
        if str(target).endswith(".internal.json"):
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(quote_output.os, "replace", failing)
    done = gpuadvisor(*OCR, "--output", str(path))
    assert done.code == 2 and "No space left" in done.err
    assert (path.read_bytes() if path.exists() else None) == before
    assert not beside.exists()
    assert [name for name in os.listdir(tmp_path) if name.endswith(".partial")] == []


@pytest.mark.parametrize("format", FORMATS)
def test_the_recorded_command_makes_the_same_bytes(format: str, tmp_path: Path) -> None:
    path, again = tmp_path / f"a.{FORMATS[format]}", tmp_path / f"b.{FORMATS[format]}"
    written(path, *OCR, "--markup", "12%", "--tax", "6%", "--format", format)
    inner = json.loads((tmp_path / f"{path.name}.internal.json").read_text(encoding="utf-8"))
    jsonschema.validate(inner, output_schema("quote-internal"))
    command = shlex.split(inner["command"])
    assert "--today" in command and "aws=2026" in inner["command"]
    written(again, *command[1:])
    assert again.read_bytes() == path.read_bytes()
    other = json.loads((tmp_path / f"{again.name}.internal.json").read_text(encoding="utf-8"))
    assert other["customer_file"]["sha256"] == inner["customer_file"]["sha256"]


# -- formats ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        OCR,
        (*OCR, "--markup", "12%", "--tax", "6%", "--budget", "20000CNY"),
        ("quote", "--workload", "tts", "--budget", "5000CNY", "--currency", "CNY", *TODAY),
        ("quote", "--workload", "train-cnn", *TODAY),
        ("quote", "--device", "A100", "--gpus", "8", *TODAY),
        ("quote", "4x g5.xlarge", "8xA100", "--tax", "8.875%", *TODAY),
        ("quote", "g5.xlarge", "--region", "us-east-1", "--curve",
         "examples/reserved-and-spot/demand.csv", *TODAY),
    ],
)  # fmt: skip
def test_json_follows_its_schema_and_adds_up(arguments: tuple[str, ...]) -> None:
    done = gpuadvisor(*arguments, "--format", "json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("quote"))
    for proposal in document["proposals"]:
        lines = sum(Decimal(line["amount"]) for line in proposal["lines"])
        assert lines == Decimal(proposal["subtotal"])
        assert lines + Decimal(proposal["tax"] or 0) == Decimal(proposal["total"])
        for line in proposal["lines"]:
            exact = Decimal(line["unit_price_per_hour"]) * Decimal(str(line["count"])) * Decimal(str(line["hours"]))  # fmt: skip
            assert abs(exact - Decimal(line["amount"])) <= Decimal("0.01")


def test_csv_says_the_same_sums() -> None:
    both = [gpuadvisor(*OCR, "--tax", "6%", "--format", f).out for f in ("csv", "json")]
    rows = list(csv.DictReader(io.StringIO(both[0])))
    totals = [row["amount"] for row in rows if row["kind"] == "total"]
    assert totals == [p["total"] for p in json.loads(both[1])["proposals"]]
    assert {row["kind"] for row in rows} == {"line", "alternative", "subtotal", "tax", "total"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_table_fits_80_columns(language: str) -> None:
    for arguments in (OCR, ("quote", "4x g5.xlarge", "2x p5.48xlarge", "--tax", "6%", *TODAY)):
        done = gpuadvisor(*arguments, "--lang", language)
        assert done.code == 0, done.err
        assert max(width(line) for line in done.out.splitlines()) <= 80


def test_chinese_speaks_to_the_customer_in_chinese() -> None:
    done = gpuadvisor("quote", "-w", "tts", "--budget", "5000元", "--currency", "CNY",
                      "--customer", "示例公司", "--tax", "6%", "--lang", "zh", *TODAY)  # fmt: skip
    assert "客户           示例公司" in done.out
    assert "税 6 %" in done.out and "有效期至" in done.out
    assert "Total" not in done.out and "valid" not in done.out


def test_spot_is_a_footnote() -> None:
    shown = gpuadvisor(*OCR).out
    before, _, after = shown.partition("Spot, not offered")
    assert "spot" not in before.lower() and after


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--customer", "A"), 2, "say what to quote"),
        (("g5.xlarge", "--workload", "ocr"), 2, "--workload goes with a workload"),
        (("g5.xlarge", "--markup", "-3%"), 2, "--markup -3%"),
        (("g5.xlarge", "--purchase", "spot"), 2, "can be promised"),
        (("-w", "ocr", "--qps", "300", "--latency-p99", "500ms", "--budget", "5"), 1, "nothing fits"),
        (("g5.xlargo",), 2, "g5.xlarge"),
        (("g5.xlarge", "--curve", "no.csv"), 3, "no.csv"),
        (("-w", "ocr", "--job-hours", "5"), 2, "--job-hours goes with named machines"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_said_in_a_line(
    arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = gpuadvisor("quote", *arguments, *TODAY)
    assert (done.code, done.out) == (code, "")
    assert said in done.err and "Traceback" not in done.err


def test_every_flag_is_one_that_the_requests_read() -> None:
    """A flag that `recommend` gains appears here too: it must be read, or be named as left out."""
    import inspect

    from gpuadvisor.advice.quote_request import CURVE, TERMS
    from gpuadvisor.advice.request import JOB_FIELDS, TRAIN_FIELDS, request_from
    from gpuadvisor.catalog.errors import UsageError
    from gpuadvisor.cli.quote import run

    own = {"what", "format", "output", "catalog", "catalog_version", "job_hours", *TERMS, *CURVE}
    for name in set(inspect.signature(run).parameters) - own - {*JOB_FIELDS, *TRAIN_FIELDS}:
        try:
            request_from({name: "?"})
        except UsageError as error:
            assert error.message.id != "advice.unknown_field", name


def test_other_ways_say_that_they_are_before_tax() -> None:
    """Below a total with tax an amount without one would look like a saving."""
    for what in (["g5.xlarge"], ["g5.xlarge", "p5.48xlarge"]):
        plain = gpuadvisor("quote", *what, "--region", "us-east-1", *TODAY).out
        taxed = gpuadvisor("quote", *what, "--region", "us-east-1", "--tax", "6%", *TODAY).out
        assert "    or reserved 1y" in plain and "before tax" not in plain
        assert "    or, before tax, reserved 1y" in taxed and "    or reserved" not in taxed


def test_yen_have_no_decimals_in_what_a_chart_says() -> None:
    page = gpuadvisor("quote", "g5.xlarge", "--currency", "JPY", "--format", "html", *TODAY).out
    said = re.findall(r"Cheapest: [^<]* JPY", page)
    assert said
    assert all(re.search(r" [0-9,]+ JPY", one) and ".00" not in one for one in said)
