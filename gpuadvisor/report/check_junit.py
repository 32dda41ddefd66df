"""A check as JUnit XML, which Jenkins, GitLab, Azure and others show as test results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from gpuadvisor.report import check_words as words
from gpuadvisor.report.check_issues import plain, rule_title, say
from gpuadvisor.report.check_words import Document, clip


class _Case(NamedTuple):
    """`outcome` is the element inside (failure, skipped, system-out) with its text, or None."""

    file: str
    name: str
    outcome: tuple[str, str, str] | None = None


def junit(doc: Document) -> str:
    """One suite: a case for each accelerator resource and for each rule that was judged.

    What could not be priced is skipped, so that it is seen and breaks nothing by itself.
    """
    cases = [*_costs(doc), *_rules(doc)]
    failures = sum(1 for c in cases if c.outcome and c.outcome[0] == "failure")
    skipped = sum(1 for c in cases if c.outcome and c.outcome[0] == "skipped")
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{skipped}" time="0"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<testsuites>",
        f'  <testsuite name="gpuadvisor" {counts}>',
        "    <properties>",
        *(f"      <property name={_attr(k)} value={_attr(v)}/>" for k, v in _properties(doc)),
        "    </properties>",
        *(f"    {_element(case)}" for case in cases),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines)


def _properties(doc: Document) -> Iterator[tuple[str, str]]:
    summary = doc["summary"]
    for key in ("total_before", "total_after", "total_max", "delta", "delta_max"):
        yield key, summary[key]
    yield "currency", doc["currency"]
    yield "exit_code", str(doc["exit_code"])


def _costs(doc: Document) -> Iterator[_Case]:
    """A case for each resource; those without a price say why."""
    for finding in doc["findings"]:
        name = say("junit_cost", address=clip(finding["address"]))
        outcome = None
        if finding["status"] in ("unpriced", "unknown"):
            why = "; ".join(finding["reasons"]) or words.say(f"{finding['status']}_word")
            outcome = ("skipped", "", why)
        elif finding["delta"] is not None:
            delta = words.money(finding["delta"], doc["currency"], True)
            outcome = ("system-out", "", say("priced", delta=delta))
        yield _Case(finding["file"], name, outcome)


def _rules(doc: Document) -> Iterator[_Case]:
    """A case for each rule and place; a warning fails only where the policy says so."""
    judged = doc["policy"]
    by_warning = doc["exit_code"] == 1 and not any(
        not v["passed"] and v["level"] == "fail" for v in judged
    )
    first = doc["files"][0]["file"] if doc["files"] else ""
    for verdict in judged:
        place = clip(verdict["address"] or "")
        name = f"{verdict['rule']} {place}".strip()
        outcome = None
        if not verdict["passed"]:
            failed = verdict["level"] == "fail" or by_warning
            kind = "failure" if failed else "system-out"
            outcome = (kind, rule_title(verdict["rule"]), verdict["message"])
        yield _Case(verdict["file"] or first, name, outcome)


def _element(case: _Case) -> str:
    start = f'<testcase classname={_attr(case.file or "-")} name={_attr(case.name)} time="0"'
    if case.outcome is None:
        return f"{start}/>"
    kind, title, text = case.outcome
    if kind == "skipped":
        inside = f"<skipped message={_attr(text)}/>"
    elif kind == "failure":
        inside = f"<failure type={_attr(title)} message={_attr(text)}>{_body(text)}</failure>"
    else:
        inside = f"<{kind}>{_body(text)}</{kind}>"
    return f"{start}>{inside}</testcase>"


def _attr(value: str) -> str:
    return quoteattr(_body_text(value))


def _body(value: str) -> str:
    return escape(_body_text(value))


def _body_text(value: str) -> str:
    """XML 1.0 has no way to write most control characters, nor U+FFFE and U+FFFF."""
    return plain(value).replace("\ufffe", "").replace("\uffff", "")
