"""The Chinese catalogue: complete, with the same fields, and Chinese."""

from __future__ import annotations

import ast
import errno
import os
import pkgutil
import re
import string
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import gpuadvisor
from gpuadvisor.catalog.message import Bilingual, message
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.report import messages
from gpuadvisor.report.messages import (
    aside,
    choose,
    clauses,
    currency_word,
    listed,
    render,
    word,
    zh,
)
from gpuadvisor.report.messages.zh.catalog_notes import parts, phrase
from gpuadvisor.report.messages.zh.catalog_prose import PROSE
from gpuadvisor.report.messages.zh.faults import expected
from gpuadvisor.report.messages.zh.words import FIELDS, WORDS, amounts, chinese, column

NOT_AREAS = ("catalog_notes", "catalog_prose", "faults", "help", "words")
AREAS = [m.name for m in pkgutil.iter_modules(messages.__path__) if not m.ispkg]
CHINESE = [m.name for m in pkgutil.iter_modules(zh.__path__) if m.name not in NOT_AREAS]
HAN = re.compile(r"[\u4e00-\u9fff]")
ENGLISH = re.compile(r"(?<![-/\w.`$<{=:@])[a-z]{3,}(?: [a-z]{2,}){3,}")
"""Four plain words in a row: a sentence that was left as it was."""


def english(area: str) -> dict[str, str]:
    found: dict[str, str] = import_module(f"gpuadvisor.report.messages.{area}").EN
    return found


def translated(area: str) -> dict[str, str]:
    if area not in CHINESE:
        return {}
    found: dict[str, str] = import_module(f"gpuadvisor.report.messages.zh.{area}").ZH
    return found


def fields(text: str) -> set[str]:
    """Names of the fields; `title_zh` stands for `title` where both are given."""
    found = {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
    return {field.removesuffix("_zh") for field in found}


def words_of(text: str) -> str:
    """What is left of a template without its fields, flags, commands and names."""
    bare = re.sub(r"\{[^}]*\}|`[^`]*`|--?[a-z][\w-]*|[\w.]*[./_=:@][\w./_=:@-]*", " ", text)
    return " ".join(re.findall(r"[A-Za-z]{3,}", bare))


@pytest.mark.parametrize("area", AREAS)
def test_no_id_is_missing(area: str) -> None:
    assert [id for id in english(area) if id not in translated(area)] == []


@pytest.mark.parametrize("area", CHINESE)
def test_no_id_is_left_over(area: str) -> None:
    assert [id for id in translated(area) if id not in english(area)] == []


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_take_the_same_fields(area: str) -> None:
    texts = english(area)
    assert {
        id: text for id, text in translated(area).items() if fields(text) != fields(texts[id])
    } == {}


NAMES = {
    "kWh", "PUE", "KV", "GPU", "GPUs", "vCPU", "MIG", "RDMA", "ECB", "TFLOPS", "GiB", "Gbit",
    "USD", "Pod", "schema", "token", "max", "CSV", "JSON", "YAML", "FLOPS", "LoRA", "NVMe",
    "GitHub", "GitLab", "Python", "Google", "Azure", "Cloud", "Spot", "AWS", "sum", "Terraform",
    "spot", "Kubernetes", "Karpenter", "SkyPilot", "MiB", "PowerSGD", "SKU",
}  # fmt: skip
"""Names and units that stand alone in a text of both languages."""


@pytest.mark.parametrize("area", AREAS)
def test_a_text_with_words_has_chinese_ones(area: str) -> None:
    """A text without a Chinese character holds no word but names, flags and fields."""
    texts = english(area)
    forgotten = {
        id: text
        for id, text in translated(area).items()
        if not HAN.search(text) and set(words_of(text).split()) - NAMES and words_of(texts[id])
    }
    assert forgotten == {}


@pytest.mark.parametrize("area", AREAS)
def test_no_english_sentence_is_left_in_a_chinese_text(area: str) -> None:
    command = re.compile(r"\b(gpuadvisor|gcloud)( [\w-]+)+")
    assert {
        id: text for id, text in translated(area).items() if ENGLISH.search(command.sub("", text))
    } == {}


@pytest.mark.parametrize("area", AREAS)
def test_punctuation_beside_chinese_is_full_width(area: str) -> None:
    wrong = re.compile(r"[\u4e00-\u9fff][,;:?!](?![\w/])|[,;:?!] ?[\u4e00-\u9fff]")
    assert {id: text for id, text in translated(area).items() if wrong.search(text)} == {}


# -- what the catalogs hold ---------------------------------------------------------------------


def test_every_rule_speaks_chinese(catalog: Catalog) -> None:
    missing = []
    for id, rule in catalog.documents("rules").items():
        texts = {"title": rule, "why": rule, "warn": rule["then"], "label": rule["then"]}
        missing += [
            (id, name)
            for name, part in texts.items()
            if name in part and not HAN.search(part.get(f"{name}_zh", ""))
        ]
    assert missing == []


def test_rules_fill_the_same_facts_in_both_languages(catalog: Catalog) -> None:
    for id, rule in catalog.documents("rules").items():
        then = rule["then"]
        for name in ("warn", "label"):
            if name in then:
                assert fields(then[name]) == fields(then[f"{name}_zh"]), id


def test_every_prose_of_workloads_and_models_is_translated(catalog: Catalog) -> None:
    found = set(_prose(catalog.documents("workloads")))
    for model in catalog.documents("models").values():
        found |= {peak["measured"] for peak in model.get("peaks", ())}
    assert len(found) > 50
    assert sorted(found - set(PROSE)) == []
    bought = {figure["title"] for figure in catalog.documents("ownership").values()}
    assert sorted(set(PROSE) - found - bought) == []


def _prose(workloads: Any) -> Any:
    for profile in workloads.values():
        for mode in profile["modes"].values():
            yield from (mode[k] for k in ("no_reference",) if k in mode)
            if "reference" in mode:
                yield mode["reference"]["measured"]
        if "memory" in profile:
            yield profile["memory"]["what"]
        if "run" in profile:
            yield profile["run"]["what"]
        yield from (entry["why"] for entry in profile.get("unsuited", ()))


def test_the_notes_of_types_are_translated(catalog: Catalog) -> None:
    """All but a few: a refresh may add a phrase that nobody has seen, and it is shown as it is."""
    known: list[str] = []
    unknown: list[str] = []
    for type_ in catalog.instance_types().values():
        for part in parts(type_.notes or ""):
            bare = re.sub(r"^(InfiniBand) .+", r"\1", part)
            (known if HAN.search(phrase(part)) or bare == "InfiniBand" else unknown).append(part)
    assert len(known) > 400
    assert len(set(unknown)) < 20, sorted(set(unknown))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Disk and network are extra.", "磁盘和网络另计"),
        ("vGPU slice; hyperdisk only", "vGPU 切片；仅支持 hyperdisk"),
        ("machine price = 4 x chip rate; the host is included", "整机价 = 芯片费率 x 4；含主机"),
        ("machine price = chip rate", "整机价 = 芯片费率 x 1"),
        ("1600 of 2000 Gb/s is RDMA. Something new.", "2000 Gb/s 中 1600 为 RDMA；Something new"),
    ],
)
def test_notes_keep_their_figures(text: str, shown: str) -> None:
    assert messages.note(text) == text
    choose("zh")
    assert messages.note(text) == shown


def test_every_closed_word_has_a_chinese_one(catalog: Catalog) -> None:
    from gpuadvisor.catalog.model import PURCHASE_OPTIONS

    found: set[str] = set(PURCHASE_OPTIONS)
    for profile in catalog.documents("workloads").values():
        found |= {profile["unit"], profile["units"], *profile["modes"]}
        if "memory" in profile:
            found.add(profile["memory"]["basis"].replace("_", " "))
    offers = catalog.offers("aws")
    found |= {o.cls for o in offers if o.cls} | {o.payment for o in offers if o.payment}
    found |= {o.confidence for o in offers}
    assert sorted(found - set(WORDS)) == []


def test_every_column_of_a_table_has_a_chinese_name() -> None:
    from gpuadvisor.catalog.model import Device
    from gpuadvisor.report import compare_json, estimate_table, fit_text, recommend_table

    names = {*estimate_table.HEADERS, *estimate_table.JOB_HEADERS, *recommend_table.HEADERS}
    names |= {*compare_json.HEADERS, *fit_text._CSV, *Device._fields}
    assert sorted(name for name in names if name not in FIELDS) == []
    assert column("price per hour") == column("price_per_hour") == "每小时价格"
    assert column("monthly_EUR") == "每月 (EUR)"


# -- how sentences are put together -------------------------------------------------------------


def test_parts_are_set_apart_as_the_language_does() -> None:
    assert (listed(("a", "b")), clauses(("a", "b")), aside("a")) == ("a, b", "a; b", " (a)")
    choose("zh")
    assert (listed(("a", "b")), clauses(("a", "b")), aside("a")) == ("a、b", "a；b", "（a）")


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("on_demand", "按需"),
        ("no_upfront", "无预付"),
        ("1y", "1 年"),
        ("3mo", "3 个月"),
        ("g5.xlarge", "g5.xlarge"),
        ("some_code", "some code"),
    ],
)
def test_closed_words(code: str, shown: str) -> None:
    assert word(code) == code.replace("_", " ")
    choose("zh")
    assert word(code) == chinese(code) == shown


@pytest.mark.parametrize(
    ("english", "shown"),
    [
        ("5,000 CNY/month", "5,000 元/月"),
        ("33,264.50 CNY", "33,264.50 元"),
        ("0.526 USD/hour", "0.526 USD/小时"),
        ("1.05 CNY/h", "1.05 元/小时"),
        ("--fx CNY=6.65", "--fx CNY=6.65"),
        ("5000CNY", "5000CNY"),
        ("1 USD = 6.65 CNY", "1 USD = 6.65 元"),
        ("aws 2025 CNYX", "aws 2025 CNYX"),
    ],
)
def test_amounts_are_written_as_in_china(english: str, shown: str) -> None:
    assert amounts(english) == shown


def test_a_currency_alone_is_named_as_in_china() -> None:
    assert currency_word("CNY") == "CNY"
    choose("zh")
    assert (currency_word("CNY"), currency_word("USD")) == ("元", "USD")


def test_texts_of_the_catalogs_follow_the_language() -> None:
    note = message("advice.rule_note", rule="x", text=Bilingual("cold", "冷"))
    plain = message("advice.rule_note", rule="x", text=Bilingual("cold"))
    assert (render(note), render(plain)) == ("cold", "cold")
    choose("zh")
    assert (render(note), render(plain)) == ("冷", "cold")


# -- what a strict reading says -----------------------------------------------------------------


def schema_texts() -> set[str]:
    """Plain texts of the faults that the schemas raise themselves."""
    found = set()
    for path in sorted(Path(gpuadvisor.__file__).parent.glob("catalog/schema_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "ValueError",
                "_fault",
            ):
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    found.add(str(first.value))
                elif isinstance(first, ast.JoinedStr):
                    parts = (p.value if isinstance(p, ast.Constant) else "x" for p in first.values)
                    found.add("".join(str(p) for p in parts))
    return found


def test_every_fault_of_the_schemas_is_said_in_chinese() -> None:
    found = schema_texts()
    assert len(found) > 40
    assert sorted(text for text in found if not HAN.search(expected(text)) and text != "x") == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Input should be greater than 0", "应大于 0"),
        ("Input should be 'cuda', 'rocm' or 'any'", "应为 'cuda', 'rocm' 或 'any'"),
        ("Value error, give price or sizes", "应给出 price 或 sizes"),
        ("for need.class (text) one of eq, ne", "need.class（text）可用 eq, ne"),
        ("something nobody foresaw", "something nobody foresaw"),
    ],
)
def test_faults_keep_their_values(text: str, shown: str) -> None:
    assert expected(text) == shown


def test_what_the_system_says_of_a_file_is_chinese() -> None:
    choose("zh")
    said = render(message("iac.cannot_open", file="x.json", reason=os.strerror(errno.ENOENT)))
    assert said == "x.json：没有此文件或目录"
