"""Rule files: what is refused, where, and with which hint; and what is kept as written."""

from __future__ import annotations

import json

import pytest

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.catalog.rule_facts import FACTS, OPERATORS, names_in, typed_fact
from gpuadvisor.catalog.rule_files import read_rule_file
from gpuadvisor.catalog.schema_rules import RulesFile
from gpuadvisor.report.messages import render

HEAD = """schema: gpuadvisor/rules/1
sources: {s: {title: t, address: a, date: 2026-11-30, confidence: low}}
rules:
"""
RULE = """  a.rule:
    title: x
    when: {when}
    then: {then}
    why: y
    source: s
    as_of: 2026-11-30
"""


def problems(tmp_path, body):
    path = tmp_path / "rules.yaml"
    path.write_text(HEAD + body, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_rule_file(str(path))
    assert caught.value.exit_code == 3
    assert all(problem.file == str(path) for problem in caught.value.problems)
    return [(p.line, p.column, render(p.message)) for p in caught.value.problems]


def of_rule(tmp_path, when="{f: need.nodes, op: gt, v: 1}", then="{warn: text}", extra=""):
    body = RULE.replace("{when}", when).replace("{then}", then) + extra
    return problems(tmp_path, body)


@pytest.mark.parametrize(
    ("when", "column", "hint"),
    [
        ("{f: need.latncy, op: eq, v: low}", 12, "nearest: need.latency"),
        ("{f: need.nodes, op: prefix, v: a}", 27, "for need.nodes (number) one of eq, ne"),
        ("{f: need.latency, op: lt, v: low}", 29, "for need.latency (text) one of eq, ne, in"),
        ("{f: need.nodes, op: near, v: 1}", 27, "'eq', 'ne', 'lt'"),
        ("{f: need.nodes, op: gt, v: many}", 35, "for need.nodes a number"),
        ("{f: need.nodes, op: gt, v: nan}", 35, "for need.nodes a number"),
        ("{f: type.rdma, op: eq, v: yes}", 34, "for type.rdma true or false"),
        ("{f: need.latency, op: eq, v: lo}", 37, "for need.latency one of low"),
        ("{f: type.status, op: in, v: [active, gone]}", 36, "one of active, frozen, retired"),
        ("{f: type.quota, op: exists, v: 1}", 39, "exists with true or false"),
        ("{f: need.compliance, op: eq, v: gdpr}", 32, "one of in, not_in, exists"),
        ("{f: type.devices, op: lt, fact: type.name}", 37, "a fact of the kind of type.devices"),
        ("{f: need.nodes, op: gt}", 5, "either v or fact"),
        ("{f: need.nodes, op: gt, v: 1, fact: need.devices}", 5, "either v or fact"),
        ("{op: gt, v: 1}", 5, "a comparison with both f and op"),
        ("{all: []}", 5, "at least one condition inside all or any"),
        ("{all: [{f: need.nodes, op: gt, v: 1}], f: need.nodes}", 5, "exactly one of"),
        ("{}", 5, "exactly one of"),
        ("{not: {f: need.nodes, op: gt, w: 1}}", 41, "unknown key `w`"),
        ("low", 5, "`when: low`"),
    ],
)
def test_a_bad_condition_is_located(tmp_path, when, column, hint):
    found = [p for p in of_rule(tmp_path, when=when) if hint in p[2]]
    assert [(line, col) for line, col, _ in found] == [(6, column)]


@pytest.mark.parametrize(
    ("then", "hint"),
    [
        ("{}", "at least one of require, exclude, prefer, warn and label"),
        ("{wran: text}", "unknown key `wran`"),
        ("{warn: '{type.vcpu} cores'}", "nearest: type.vcpus"),
        ("{warn: 'an open { brace'}", "placeholders that are facts"),
        ("{exclude: false}", "true, or a condition on type.* facts"),
        ("{exclude: {f: need.nodes, op: gt, v: 1}}", "belongs in `when`"),
        ("{require: true}", "`require: true`"),
    ],
)
def test_a_bad_effect_is_located(tmp_path, then, hint):
    found = of_rule(tmp_path, then=then)
    assert [line for line, _, text in found if hint in text] == [7]


@pytest.mark.parametrize(
    ("extra", "line", "hint"),
    [
        ("    cases: [{facts: {need.nods: 2}, fired: true}]\n", 11, "nearest: need.nodes"),
        ("    cases: [{facts: {need.nodes: x}, fired: true}]\n", 11, "for need.nodes a number"),
        ("    cases: [{facts: {need.compliance: gdpr}, fired: true}]\n", 11, "a list"),
        ("    cases: [{facts: {need.nodes: 2}}]\n", 11, "`fired` is missing"),
        ("    policies: [other]\n", 11, "'default' or 'seed'"),
        ("    confirmed_by: nobody\n", 11, "unknown source `nobody`"),
        ("    titel: twice\n", 11, "unknown key `titel`"),
        ("    source: s\n", 11, "`source` stands twice; the first is on line 9"),
    ],
)
def test_a_bad_rule_is_located(tmp_path, extra, line, hint):
    found = of_rule(tmp_path, extra=extra)
    assert line in [where for where, _, text in found if hint in text]


def test_a_branch_of_a_tree_may_look_at_needs_alone(tmp_path):
    body = RULE.replace("    title: x\n", "    title: x\n    group: tree\n")
    body = body.replace("{when}", "{f: type.devices, op: gt, v: 1}").replace("{then}", "{warn: x}")
    [(line, _, text)] = problems(tmp_path, body)
    assert line == 7
    assert "need.* facts alone in a rule with a group, not type.devices" in text


def test_all_faults_are_reported_in_order(tmp_path):
    body = "".join(
        RULE.replace("a.rule", f"a.r{i}").replace("{when}", "{f: need.x, op: gt, v: 1}")
        .replace("{then}", "{}")
        for i in range(3)
    )  # fmt: skip
    found = problems(tmp_path, body)
    assert [line for line, _, _ in found] == [6, 7, 13, 14, 20, 21]


def test_an_id_needs_an_area_and_a_name(tmp_path):
    body = RULE.replace("a.rule", "Rule").replace("{when}", "{f: need.nodes, op: gt, v: 1}")
    [(line, column, _)] = problems(tmp_path, body.replace("{then}", "{warn: x}"))
    assert (line, column) == (4, 3)


def test_values_are_typed_by_the_fact_they_are_compared_with(tmp_path):
    path = tmp_path / "rules.yaml"
    when = (
        "{all: [{f: type.family, op: eq, v: 5}, {f: need.nodes, op: ge, v: 2},"
        " {f: type.compute_capability, op: ge, v: 8.0}, {f: type.sliced, op: eq, v: false},"
        " {f: type.device, op: prefix, v: T4}, {not: {f: type.quota, op: exists, v: true}}]}"
    )
    cases = "    cases: [{facts: {need.compliance: [gdpr], type.family: no}, fired: false}]\n"
    body = RULE.replace("{when}", when).replace("{then}", "{exclude: true}")
    path.write_text(HEAD + body + cases, encoding="utf-8")
    document = read_rule_file(str(path))["a.rule"]
    assert document["when"] == {
        "all": [
            {"f": "type.family", "op": "eq", "v": "5"},
            {"f": "need.nodes", "op": "ge", "v": 2},
            {"f": "type.compute_capability", "op": "ge", "v": 8.0},
            {"f": "type.sliced", "op": "eq", "v": False},
            {"f": "type.device", "op": "prefix", "v": ["T4"]},
            {"not": {"f": "type.quota", "op": "exists", "v": True}},
        ]
    }
    assert document["then"] == {"exclude": True}
    assert document["policies"] == ["default"]
    assert document["cases"][0]["facts"] == {"need.compliance": ["gdpr"], "type.family": "no"}


def test_the_json_schema_for_editors_knows_facts_and_operators():
    schema = RulesFile.model_json_schema(by_alias=True)
    condition = schema["$defs"]["Condition"]["properties"]
    assert set(condition) == {"all", "any", "not", "f", "op", "v", "fact"}
    assert "need.latency" in json.dumps(condition["f"])
    assert "not_in" in json.dumps(condition["op"])


def test_every_fact_has_a_kind_with_operators_and_a_meaning():
    for name, fact in FACTS.items():
        assert name.startswith(("need.", "type.")), name
        assert fact.kind in OPERATORS, name
        assert fact.meaning, name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("plain", ()),
        ("{type.vcpus} of {need.nodes}", ("type.vcpus", "need.nodes")),
        ("{type.vcpus", ("type.vcpus",)),
        ("{}", ("",)),
    ],
)
def test_placeholders(text, names):
    assert names_in(text) == names


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("need.nodes", "4", 4),
        ("need.nodes", "4.5", 4.5),
        ("need.nodes", "-1", -1),
        ("type.sliced", "true", True),
        ("need.compliance", ["gdpr"], ("gdpr",)),
        ("type.family", "2026.10", "2026.10"),
    ],
)
def test_facts_are_typed(name, raw, value):
    found = typed_fact(name, raw)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "raw"),
    [("need.nodes", "inf"), ("need.nodes", True), ("type.sliced", "yes"), ("type.family", ""),
     ("need.compliance", "gdpr"), ("need.compliance", ["sox"])],
)  # fmt: skip
def test_facts_of_the_wrong_kind_are_refused(name, raw):
    with pytest.raises(ValueError):
        typed_fact(name, raw)
