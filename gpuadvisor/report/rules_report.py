"""`rules list`, `rules show` and `rules test` in every format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import Source
from gpuadvisor.catalog.names import unknown_name
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.report.document import envelope
from gpuadvisor.report.messages import either, heading, listed, render
from gpuadvisor.report.rule_text import condition_text, trace_lines, value_text
from gpuadvisor.report.table import render_table
from gpuadvisor.report.text import pad, printable, wrap
from gpuadvisor.rules.engine import read_rule
from gpuadvisor.rules.interface import ClauseTrace, Rule
from gpuadvisor.rules.selftest import CaseResult, Report

_KEY = 10
_COLUMNS = ("id", "policies", "group", "effects", "title")


def listing(catalog: Catalog, policy: str | None, format: str, columns: int) -> str:
    """One row per rule, in file order; `policy` keeps those of one policy."""
    rules = [
        read_rule(id, document)
        for id, document in catalog.documents("rules").items()
        if policy is None or policy in document["policies"]
    ]
    if format == "json":
        found = [_summary(rule) for rule in rules]
        return _json({**envelope("rules-list", "USD", None, ()), "rules": found})
    headers = [heading(f"rules.col_{name}", format) for name in _COLUMNS]
    rows = [
        [r.id, ", ".join(r.policies), r.group or "", listed(_t(f"key_{a.kind}") for a in r.actions),
         either(r.title, r.title_zh)]
        for r in rules
    ]  # fmt: skip
    return render_table(format, headers, rows, (), columns)


def _summary(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "title": rule.title,
        "policies": list(rule.policies),
        "group": rule.group,
        "effects": [action.kind for action in rule.actions],
        "source": rule.source,
        "as_of": rule.as_of,
    }


def entry(catalog: Catalog, id: str, format: str, columns: int) -> str:
    """One rule in full with its source; raises UsageError with the nearest ids."""
    documents = catalog.documents("rules")
    if id not in documents:
        raise UsageError(unknown_name("rule", id, documents))
    document = documents[id]
    rule = read_rule(id, document)
    source = catalog.source(rule.source)
    confirmed = None if rule.confirmed_by is None else catalog.source(rule.confirmed_by)
    if format == "json":
        body = {
            **envelope("rules-show", "USD", None, ()),
            "id": id,
            **document,
            "source": source._asdict(),
            "confirmed_by": None if confirmed is None else confirmed._asdict(),
        }
        return _json(body)
    rows = [("when", condition_text(rule.when))]
    for action in rule.actions:
        chosen = action.condition
        text = _t("every_type") if chosen is None else condition_text(chosen)
        rows.append(
            (action.kind, text if action.text is None else either(action.text, action.text_zh))
        )
    rows += [("why", either(rule.why, rule.why_zh)), ("source", _source(source))]
    if confirmed is not None:
        rows.append(("confirmed", _source(confirmed)))
    rows.append(("checked", _t("as_of", date=rule.as_of, cases=len(document.get("cases", ())))))
    lines = [_t("head", id=id, title=either(rule.title, rule.title_zh)), _belongs(rule), ""]
    for key, text in rows:
        lines.extend(_keyed(_t(f"key_{key}"), text, columns))
    return printable("\n".join(lines))


def _belongs(rule: Rule) -> str:
    policies = listed(rule.policies)
    if rule.group is None:
        return _t("policies", policies=policies)
    return _t("policies_group", policies=policies, group=rule.group)


def _source(source: Source) -> str:
    return _t("source", **{k: v for k, v in source._asdict().items() if k != "licence"})


def _keyed(key: str, text: str, columns: int) -> list[str]:
    """A key in a column of its own, the text folded beside it."""
    first, *rest = wrap(text, columns, " " * _KEY) or [" " * _KEY]
    return [pad(key, _KEY) + first[_KEY:], *rest]


def tested(report: Report, format: str) -> str:
    """Every rule of a tested file with its cases, then what went wrong and why."""
    if format == "json":
        return _json({**envelope("rules-test", "USD", None, ()), **_test_document(report)})
    counts: dict[str, list[CaseResult]] = {}
    for result in report.results:
        counts.setdefault(result.rule, []).append(result)
    rows = [
        [_t("failed" if any(not r.passed for r in results) else "passed"), str(len(results)), id]
        for id, results in counts.items()
    ]
    headers = [_t("col_result"), _t("col_cases"), _t("col_id")]
    lines = [render_table("table", headers, rows, (1,)), ""] if rows else []
    for result in report.failed:
        lines.extend(_failure(result))
        lines.append("")
    name = "tested_failed" if report.failed else "tested"
    total, failed = len(report.results), len(report.failed)
    lines.append(_t(name, rules=_rules_in(report), cases=total, failed=failed))
    return printable("\n".join(lines))


def one_sided_notes(report: Report) -> list[str]:
    """A line for each rule whose cases show one side of it only."""
    return [printable(_t("one_sided", rule=id)) for id in report.one_sided]


def _rules_in(report: Report) -> int:
    return len({r.rule for r in report.results} | set(report.one_sided))


def _failure(result: CaseResult) -> list[str]:
    lines = [_t("case_failed", rule=result.rule, number=result.number)]
    for check in result.checks:
        if check.expected != check.actual:
            expected, actual = value_text(check.expected), value_text(check.actual)
            lines.append("  " + _t("check", name=check.name, expected=expected, actual=actual))
    if result.trace.shadowed_by is not None:
        lines.append("  " + _t("shadowed", rule=result.trace.shadowed_by))
    lines.extend(f"    {line}" for line in trace_lines(result.trace.when))
    for action in result.trace.actions:
        if action.trace is not None:
            lines.append("  " + _t(f"key_{action.kind}"))
            lines.extend(f"    {line}" for line in trace_lines(action.trace))
    return lines


def _test_document(report: Report) -> dict[str, Any]:
    return {
        "rules": _rules_in(report),
        "cases": len(report.results),
        "failed": len(report.failed),
        "one_sided": list(report.one_sided),
        "results": [
            {
                "rule": r.rule,
                "case": r.number,
                "passed": r.passed,
                "checks": [check._asdict() for check in r.checks],
                "shadowed_by": r.trace.shadowed_by,
                "when": trace_document(r.trace.when),
            }
            for r in report.results
        ],
    }


def trace_document(trace: ClauseTrace) -> Mapping[str, Any]:
    """A trace as JSON types: a clause with fact, wanted, actual and gap, or a branch's parts."""
    if trace.kind != "clause":
        parts = [trace_document(part) for part in trace.parts]
        return {"kind": trace.kind, "state": trace.state, "parts": parts}
    return {
        "kind": "clause",
        "state": trace.state,
        "fact": trace.fact,
        "op": trace.op,
        "wanted": trace.wanted,
        "wanted_fact": trace.other,
        "actual": trace.actual,
        "gap": trace.gap,
    }


def _t(name: str, /, **params: object) -> str:
    return render(message(f"rules.{name}", **params))


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2)
