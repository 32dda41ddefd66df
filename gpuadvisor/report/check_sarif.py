"""A check as SARIF 2.1.0 (OASIS), for code scanning and for viewers of static analysis."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from gpuadvisor import __version__
from gpuadvisor.report.check_issues import Issue, issues, repository_path, rule_title
from gpuadvisor.report.check_words import Document

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/gpuadvisor/gpuadvisor"
_LEVELS = {"fail": "error", "warn": "warning"}
_ROOT = "%SRCROOT%"


def sarif(doc: Document) -> str:
    """The log as JSON text: one run, one result for each verdict that did not pass."""
    found = list(issues(doc))
    rules = sorted({issue.rule for issue in found})
    driver = {
        "name": "gpuadvisor",
        "version": __version__,
        "semanticVersion": __version__,
        "informationUri": HOME,
        "rules": [_rule(rule) for rule in rules],
    }
    summary = doc["summary"]
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "gpuadvisor/check/"},
        "invocations": [{"executionSuccessful": True, "exitCode": doc["exit_code"]}],
        "columnKind": "utf16CodeUnits",
        "artifacts": [
            {"location": _location(path)}
            for file in doc["files"]
            if (path := repository_path(file["file"]))
        ],
        "results": [_result(issue, rules.index(issue.rule)) for issue in found],
        "properties": {
            "currency": doc["currency"],
            **{key: summary[key] for key in ("delta", "delta_max", "total_after", "unpriced")},
        },
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(rule: str) -> dict[str, Any]:
    title = rule_title(rule)
    return {
        "id": rule,
        "shortDescription": {"text": title},
        "fullDescription": {"text": f"{title}."},
        "helpUri": HOME,
    }


def _result(issue: Issue, index: int) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": issue.rule,
        "ruleIndex": index,
        "level": _LEVELS.get(issue.level, "note"),
        "message": {"text": _text(issue.text)},
        # GitHub keeps an alert open by this one; the other is ours to change the recipe of.
        "partialFingerprints": {
            "primaryLocationLineHash": f"{issue.fingerprint[:16]}:1",
            "gpuadvisor/v1": issue.fingerprint,
        },
    }
    if issue.path:
        place: dict[str, Any] = {"artifactLocation": _location(issue.path)}
        if issue.line:
            place["region"] = {"startLine": issue.line}
        found["locations"] = [{"physicalLocation": place}]
    return found


def _location(path: str) -> dict[str, str]:
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _text(value: str) -> str:
    """A link is `[text](target)` even in plain messages; names of strangers make none."""
    return value.replace("[", "\\[").replace("]", "\\]") if "](" in value else value
