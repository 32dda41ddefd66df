"""`gpuadvisor rules …` as a person runs it."""

from __future__ import annotations

import json

import pytest

from gpuadvisor.catalog.rule_files import read_rule_file
from gpuadvisor.cli.main import run
from gpuadvisor.report.rule_text import condition_text, leaf_text
from gpuadvisor.rules.conditions import read_condition, trace
from gpuadvisor.rules.selftest import run_cases

FILE = """schema: gpuadvisor/rules/1
sources: {s: {title: t, address: a, date: 2026-11-30, confidence: low}}
rules:
  my.first:
    title: small budgets
    group: mine
    when: {f: need.budget_monthly_cny, op: lt, v: 5000}
    then: {require: {f: type.device, op: prefix, v: T4}}
    why: y
    source: s
    as_of: 2026-11-30
    cases:
      - {facts: {need.budget_monthly_cny: 4999, type.device: T4}, fired: true, excluded: false}
      - {facts: {need.budget_monthly_cny: 5000, type.device: T4}, fired: false}
  my.second:
    title: low latency
    group: mine
    when: {f: need.latency, op: eq, v: low}
    then: {prefer: {f: type.device, op: prefix, v: A10G}}
    why: y
    source: s
    as_of: 2026-11-30
    cases:
      - {facts: {need.latency: low, type.device: A10G}, fired: true, preferred: true}
      - {facts: {need.latency: low, need.budget_monthly_cny: 100}, fired: CASE}
"""


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_file_that_gets_its_cases_right_passes(file, capsys):
    assert run(["rules", "test", file(FILE.replace("CASE", "false"))]) == 0
    out, err = capsys.readouterr()
    assert "2 rule(s), 4 case(s): all as expected" in out
    assert err == ""


def test_a_wrong_case_fails_with_the_reason(file, capsys):
    assert run(["rules", "test", file(FILE.replace("CASE", "true"))]) == 1
    out = capsys.readouterr().out
    assert "my.second, case 2:" in out
    assert "fired expected true, is false" in out
    assert "my.first of the same group fired first" in out
    assert "ok: need.latency = low; it is low" in out
    assert "2 rule(s), 4 case(s): 1 not as expected" in out


def test_the_machine_form_says_the_same(file, capsys):
    assert run(["rules", "test", file(FILE.replace("CASE", "true")), "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "gpuadvisor/rules-test/1"
    assert (document["rules"], document["cases"], document["failed"]) == (2, 4, 1)
    wrong = document["results"][3]
    assert (wrong["rule"], wrong["case"], wrong["passed"]) == ("my.second", 2, False)
    assert wrong["checks"] == [{"name": "fired", "expected": True, "actual": False}]
    assert wrong["shadowed_by"] == "my.first"
    assert document["results"][0]["when"]["gap"] == -1


def test_an_untested_side_is_said(file, capsys):
    text = FILE.replace("CASE", "false").split("  my.second:")[0]
    text = text.replace(text.splitlines()[-1] + "\n", "")
    assert run(["rules", "test", file(text)]) == 0
    out, err = capsys.readouterr()
    assert "my.first: give it a case in which it fires and one in which it does not" in err
    assert "1 rule(s), 1 case(s): all as expected" in out


def test_a_broken_file_is_exit_3_with_every_fault(file, capsys):
    text = FILE.replace("op: lt", "op: less").replace("fired: CASE", "fird: true")
    assert run(["rules", "test", file(text)]) == 3
    err = capsys.readouterr().err
    assert "mine.yaml has 3 fault(s); no case was run" in err
    assert "mine.yaml:7:40: `op: less`" in err
    assert "unknown key `fird`" in err
    assert "`fired` is missing" in err


def test_a_missing_file_is_exit_3(tmp_path, capsys):
    assert run(["rules", "test", str(tmp_path / "none.yaml")]) == 3
    assert "none.yaml" in capsys.readouterr().err


def test_a_hostile_text_does_not_reach_the_terminal(file, capsys):
    text = FILE.replace("CASE", "true").replace("prefix, v: T4", r'prefix, v: "T4\e[31m"')
    text = text.replace("excluded: false", "excluded: true, preferred: true")
    assert run(["rules", "test", file(text)]) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[31m" in out


def test_show_prints_condition_effects_reason_and_source(capsys):
    assert run(["rules", "show", "fit.bf16"]) == 0
    out = capsys.readouterr().out
    assert "need.precision = bf16 and type.software = cuda" in out
    assert "require   type.compute_capability ≥ 8" in out
    assert "https://nvidia.github.io/TransformerEngine/support_matrix.html" in out


def test_show_as_json_resolves_the_source(capsys):
    assert run(["rules", "show", "volta.cuda", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["source"]["date"] == "2025-08-07"
    assert document["confirmed_by"]["address"].endswith("/172352")
    assert document["then"]["warn"].startswith("CUDA 13")


def test_list_can_keep_one_policy(capsys):
    assert run(["rules", "list", "--policy", "seed", "--format", "json"]) == 0
    rules = json.loads(capsys.readouterr().out)["rules"]
    tree = [r["id"] for r in rules if r["group"] == "tree"]
    assert tree == ["seed.b1_budget", "seed.b2_latency", "seed.b3_distributed"]
    assert {r["id"] for r in rules} - set(tree) == {"retirement.past", "status.no_offer"}


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["show", "fit.bf61"], "nearest: fit.bf16"),
        (["list", "--policy", "sead"], "nearest: seed"),
        (["list", "--format", "xml"], "xml"),
    ],
)
def test_unknown_names_are_exit_2_with_the_nearest(arguments, hint, capsys):
    assert run(["rules", *arguments]) == 2
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ({"f": "need.nodes", "op": "gt", "v": 1}, "need.nodes > 1"),
        ({"f": "type.quota", "op": "exists", "v": False}, "type.quota is unknown"),
        ({"f": "type.device", "op": "prefix", "v": ["T4", "V100"]},
         "type.device is or lies under T4, V100"),
        ({"not": {"any": [{"f": "type.sliced", "op": "eq", "v": True},
                          {"f": "type.devices", "op": "lt", "fact": "need.devices"}]}},
         "not (type.sliced = true or type.devices < need.devices)"),
    ],
)  # fmt: skip
def test_conditions_read_as_text(document, text):
    assert condition_text(read_condition(document)) == text


@pytest.mark.parametrize(
    ("document", "facts", "text"),
    [
        ({"f": "need.nodes", "op": "gt", "v": 4}, {"need.nodes": 2},
         "no: need.nodes > 4; it is 2 (-2)"),
        ({"f": "need.nodes", "op": "gt", "v": 4}, {},
         "unknown: need.nodes > 4; nothing says what it is"),
        ({"f": "type.devices", "op": "lt", "fact": "need.devices"},
         {"type.devices": 8, "need.devices": 64},
         "ok: type.devices < need.devices (64); it is 8 (-56)"),
        ({"f": "type.quota", "op": "exists", "v": True}, {}, "no: type.quota is known"),
        ({"f": "type.rdma", "op": "eq", "v": True}, {"type.rdma": False},
         "no: type.rdma = true; it is false"),
    ],
)  # fmt: skip
def test_clauses_say_by_how_much(document, facts, text):
    assert leaf_text(trace(read_condition(document), facts)) == text


def test_the_selftest_uses_the_group_of_the_rule_only(file):
    report = run_cases(read_rule_file(file(FILE.replace("CASE", "false"))))
    assert [result.passed for result in report.results] == [True] * 4
    assert report.one_sided == ()
