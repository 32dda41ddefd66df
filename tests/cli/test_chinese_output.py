"""Every command under `--lang zh` at 80 columns: nothing too wide, nothing left in English."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cli.main import COMMANDS, SUBCOMMANDS, LazyGroup
from gpuadvisor.report.messages.zh.help import AS_THEY_ARE, HELP, TYPER
from gpuadvisor.report.text import width, wrap
from tests.cli.run import gpuadvisor

ROOT = Path(__file__).parents[2]
CURVE = str(ROOT / "examples/reserved-and-spot/demand.csv")
PLAN = str(ROOT / "examples/ci/plan.json")
TODAY = ("--today", "2026-11-30")

ANSWERS: Sequence[tuple[str, ...]] = (
    ("recommend", "--workload", "ocr", "--budget", "5000", *TODAY),
    ("recommend", "--workload", "ocr", "--budget", "0.5万元", "--explain", *TODAY),
    ("recommend", "--workload", "llm-chat", "--qps", "20", "--ttft-p99", "1s", *TODAY),
    ("recommend", "--workload", "train-cnn", "--deadline", "30d", "--purchase", "spot", *TODAY),
    ("recommend", "--workload", "image-classification", "--qps", "900", "--latency-p99", "20ms",
     *TODAY),
    ("recommend", "--workload", "llm-pretrain", "--params", "7e9", "--tokens", "100e9",
     "--deadline", "30d", *TODAY),
    ("recommend", "--workload", "ocr", "--policy", "seed", "--budget", "4000元", *TODAY),
    ("recommend", "--workload", "ocr", "--budget", "5000", "--region", "cn", *TODAY),
    ("recommend", "--workload", "ocr", "--budget", "1", *TODAY),
    ("estimate", "g5.xlarge", "--currency", "CNY", *TODAY),
    ("estimate", "8xA100", *TODAY),
    ("estimate", "g5.xlarge", "--job-hours", "100", "--deadline", "200h", "--explain", *TODAY),
    ("estimate", "4x g5.xlarge", "g6.xlarge", "--months", "12", *TODAY),
    ("estimate", "g5.xlarge", "--curve", CURVE, "--storage", "hot=2TB,cold=18TB", *TODAY),
    ("compare", "4xT4", "1xA100", "--workload", "ocr", *TODAY),
    ("compare", "H100", "--currency", "CNY", *TODAY),
    ("reserve", "--unit", "g5.xlarge", "--curve", CURVE, *TODAY),
    ("own", "--device", "H100-80GB-SXM", "--gpus", "8", "--explain", *TODAY),
    ("fit", "--model", "llama-3-8b"),
    ("fit", "--model", "llama-3-8b", "--train", "--gpus", "8", "--sharding", "zero3"),
    ("check", PLAN, "--max-increase", "200", *TODAY),
    ("check", PLAN, "--currency", "CNY", *TODAY),
    ("catalog", "list"),
    ("rules", "show", "host.cpu_low"),
    ("rules", "show", "spot.bucket"),
    ("catalog", "diff", "aws@2025.04", "aws@2026.10"),
    ("catalog", "show", "g5.xlarge", "--region", "us-east-1"),
    ("catalog", "show", "A100-80GB-SXM"),
    ("rules", "list"),
)  # fmt: skip

SENTENCE = re.compile(r"(?<![-/\w.`$<=:@])[a-z]{3,}(?: [a-z]{2,}){3,}")
COMMAND = re.compile(r"gpuadvisor( [\w./-]+)+")


def _documents() -> Iterator[dict[str, Any]]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for path in sorted((ROOT / "catalogs").rglob("*.yaml")):
        if path.parent.name in ("rules", "aws", "devices"):
            yield yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506


@functools.cache
def chinese(arguments: tuple[str, ...]) -> str:
    """What a command says; each is run once for all tests."""
    done = gpuadvisor(*arguments, "--lang", "zh")
    assert done.code in (0, 1), done.err
    return done.out


@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_no_line_is_wider_than_the_terminal(arguments: tuple[str, ...]) -> None:
    wide = [line for line in chinese(arguments).splitlines() if width(line) > 80]
    # A single name may be longer than a line: nothing can break it.
    assert [line for line in wide if len(line.split()) > 1] == []


@pytest.fixture(scope="module")
def quoted(catalog: Catalog) -> Sequence[str]:
    """Titles of public sources and notes on types, which stay in the language they are in."""
    found = [t.notes for t in catalog.instance_types().values() if t.notes]
    found += [d.notes for d in catalog.resolve_device("A100") if d.notes]
    found += [s["title"] for d in _documents() for s in d.get("sources", {}).values()]
    return sorted({" ".join(text.split()) for text in found}, key=len, reverse=True)


@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_no_sentence_is_left_in_english(arguments: tuple[str, ...], quoted: Sequence[str]) -> None:
    told = COMMAND.sub("", " ".join(chinese(arguments).split()))
    for text in quoted:
        told = told.replace(text, "")
    assert SENTENCE.findall(told) == []


@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_no_line_begins_with_punctuation(arguments: tuple[str, ...]) -> None:
    told = chinese(arguments)
    assert [line for line in told.splitlines() if line.strip()[:1] in set("，。；：、）")] == []


# -- tables -------------------------------------------------------------------------------------


def starts(line: str) -> list[int]:
    """Columns at which cells begin that two blanks set apart."""
    found, at, blanks = [], 0, 2
    for character in line:
        if character != " " and blanks >= 2:
            found.append(at)
        blanks = blanks + 1 if character == " " else 0
        at += width(character)
    return found


@pytest.mark.parametrize(
    "arguments", [("catalog", "list"), ("rules", "list"), ("catalog", "show", "g5.xlarge")], ids=str
)
def test_cells_of_a_table_begin_in_one_column(arguments: tuple[str, ...]) -> None:
    """Text columns stand under their Chinese heads: every second cell begins where its head does."""
    lines = chinese(arguments).split("\n\n")[-1].splitlines()
    heads = starts(lines[0])
    assert len(heads) > 3
    for line in lines[1:]:
        if line:  # what is folded goes on under the column that it belongs to
            assert set(starts(line)[:2]) <= set(heads), line


# -- machines -----------------------------------------------------------------------------------

MACHINE: Sequence[tuple[str, ...]] = (
    ("recommend", "--workload", "ocr", "--budget", "5000", *TODAY, "--format", "json"),
    ("recommend", "--workload", "ocr", "--budget", "5000", *TODAY, "--format", "csv"),
    ("estimate", "g5.xlarge", *TODAY, "--format", "json"),
    ("compare", "T4", "A10G", "--workload", "ocr", *TODAY, "--format", "csv"),
    ("check", PLAN, *TODAY, "--format", "sarif"),
    ("check", PLAN, *TODAY, "--format", "json"),
    ("catalog", "list", "--format", "csv"),
)


@pytest.mark.parametrize("arguments", MACHINE, ids=" ".join)
def test_machines_read_the_same_bytes_in_every_environment(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    english = gpuadvisor(*arguments).out
    monkeypatch.setenv("GPUADVISOR_LANG", "zh")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert gpuadvisor(*arguments).out == english


def shape(value: Any) -> Any:
    """A document without its texts: keys, numbers and the places of strings."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return str if isinstance(value, str) else value


@pytest.mark.parametrize("arguments", [m for m in MACHINE if m[-1] == "json"], ids=" ".join)
def test_a_flag_changes_texts_and_no_key(arguments: tuple[str, ...]) -> None:
    english, translated = json.loads(gpuadvisor(*arguments).out), json.loads(chinese(arguments))
    assert english != translated
    for document in (english, translated):
        document.pop("assumptions")  # zh says how a bare budget is meant
        document.pop("language", None)
    assert shape(english) == shape(translated)


def test_reasons_of_rules_follow_the_flag() -> None:
    asked = ("recommend", "--workload", "train-cnn", "--top", "3", *TODAY, "--format", "json")
    reasons = [b["text"] for o in json.loads(chinese(asked))["options"] for b in o["because"]]
    assert reasons
    assert [text for text in reasons if text.isascii()] == []


@pytest.mark.parametrize("arguments", [m for m in MACHINE if m[-1] == "csv"], ids=" ".join)
def test_heads_of_csv_are_keys(arguments: tuple[str, ...]) -> None:
    assert chinese(arguments).splitlines()[0] == gpuadvisor(*arguments).out.splitlines()[0]


def test_a_report_for_people_and_one_for_machines_differ_in_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUADVISOR_LANG", "zh")
    target = tmp_path / "report.json"
    done = gpuadvisor("check", PLAN, *TODAY, "--output", f"json={target}")
    assert done.out.startswith("GPU 成本：")
    reasons = [r for f in json.loads(target.read_text())["findings"] for r in f["reasons"]]
    assert reasons
    assert all(reason.isascii() for reason in reasons)


def test_a_comment_is_in_the_language_of_its_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = str(tmp_path / "report.json")
    post = ("check", "comment", target, "--dry-run", "--repo", "a/b", "--pull-request", "1")
    gpuadvisor("check", PLAN, *TODAY, "--lang", "zh", "--output", f"json={target}")
    assert "### GPU 成本：" in gpuadvisor(*post).out
    gpuadvisor("check", PLAN, *TODAY, "--output", f"json={target}")
    monkeypatch.setenv("GPUADVISOR_LANG", "zh")
    assert "### GPU cost: " in gpuadvisor(*post).out


# -- a budget in yuan ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--budget", "5000"), True),
        (("--budget", "5,000"), True),
        (("--budget", "5000USD"), False),
        (("--budget", "0.5万元"), False),
        (("--budget", "5000", "--currency", "CNY"), False),
    ],
)
def test_a_bare_budget_says_how_to_write_it_in_yuan(arguments: tuple[str, ...], told: bool) -> None:
    answer = " ".join(chinese(("recommend", "--workload", "ocr", *arguments, *TODAY)).split())
    assert ("如指人民币请写" in answer.replace(" ", "")) == told
    assert "yuan" not in gpuadvisor("recommend", "--workload", "ocr", *arguments, *TODAY).out


# -- help ---------------------------------------------------------------------------------------


def built() -> Iterator[tuple[str, Any]]:
    """Every command as Typer builds it, with those of groups."""
    group = LazyGroup(name="gpuadvisor")
    for name, entry in COMMANDS.items():
        yield from _within(name, group._built(entry.module, name))
    for pair, module in SUBCOMMANDS.items():
        yield " ".join(pair), group._built(module, " ".join(pair))


def _within(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for inner in getattr(command, "commands", {}).values():
        yield from _within(f"{name} {inner.name}", inner)


def test_no_text_of_a_help_page_is_missing() -> None:
    missing = []
    for name, command in built():
        texts = [command.help, *(getattr(p, "help", None) for p in command.params)]
        texts += [getattr(p, "rich_help_panel", None) for p in command.params]
        missing += [
            (name, t) for t in texts if t and t not in HELP and t not in AS_THEY_ARE | set(TYPER)
        ]
    assert missing == []


@pytest.mark.parametrize("name", [*COMMANDS, "catalog diff", "rules test", "check comment"])
def test_help_pages_are_chinese_and_fit(name: str) -> None:
    page = chinese((*name.split(), "--help"))
    assert page.lstrip().startswith("用法：gpuadvisor")
    assert "显示本帮助并退出" in page
    assert [line for line in page.splitlines() if width(line) > 80] == []


def test_the_root_help_is_chinese_and_fits() -> None:
    page = chinese(("--help",))
    assert page.startswith("用法：gpuadvisor")
    assert [line for line in page.splitlines() if width(line) > 80] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("recommend", "--fob"), "错误：没有选项 --fob"),
        (("backtest",), "错误：缺少 '--data'"),
        (("recommend", "--budget"), "错误：选项 '--budget' 需要一个值"),
        (("catalog", "path", "x"), "错误：多余的参数：x"),
        (("recomend",), "gpuadvisor: 未知的命令 `recomend`；最接近的是 recommend"),
        (("recommend", "--budget", "0"), "gpuadvisor: 金额 '0' 为零"),
    ],
)
def test_complaints_are_chinese(arguments: tuple[str, ...], said: str) -> None:
    done = gpuadvisor(*arguments, "--lang", "zh") if len(arguments) != 2 or arguments[1] != (
        "--budget"
    ) else gpuadvisor("--lang", "zh", *arguments)  # fmt: skip
    assert done.code == 2
    assert said in done.err


# -- breaking lines -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("一二三四五六", 6, ["一二三", "四五六"]),
        ("一二三，四五六", 6, ["一二", "三，四", "五六"]),
        ("一二（三四）五", 6, ["一二", "（三", "四）五"]),
        ("用 g5.xlarge 的价格", 8, ["用", "g5.xlarge", "的价格"]),
        ("每月1,230元", 8, ["每月", "1,230元"]),
        ("句号。 下句", 20, ["句号。下句"]),
        ("plain words only", 8, ["plain", "words", "only"]),
        ("a … b", 20, ["a … b"]),
    ],
)
def test_chinese_breaks_between_characters(text: str, columns: int, lines: list[str]) -> None:
    assert wrap(text, columns) == lines
