"""A check as GitLab's code quality report, which a merge request shows without any token."""

from __future__ import annotations

import json

from gpuadvisor.report.check_issues import issues
from gpuadvisor.report.check_words import Document

_SEVERITIES = {"fail": "critical", "warn": "minor"}


def gitlab(doc: Document) -> str:
    """The JSON array; empty where the policy has nothing to say. GitLab needs a path and a line."""
    return json.dumps(
        [
            {
                "description": issue.text,
                "check_name": issue.rule,
                "fingerprint": issue.fingerprint,
                "severity": _SEVERITIES.get(issue.level, "info"),
                "location": {"path": issue.path or "-", "lines": {"begin": issue.line or 1}},
            }
            for issue in issues(doc)
        ],
        indent=2,
    )
