"""A check inside an Azure DevOps job: issues, output variables and the summary tab."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from gpuadvisor.report.check_github import outputs
from gpuadvisor.report.check_issues import issues
from gpuadvisor.report.check_markdown import markdown
from gpuadvisor.report.check_text import text
from gpuadvisor.report.check_words import Document

_TYPES = {"fail": "error", "warn": "warning"}
SUMMARY = "gpuadvisor-check.md"
_MARKS = re.compile("#(?=#)")


def log(doc: Document, columns: int = 100) -> str:
    """Logging commands, then the report as text in which no command can hide."""
    lines = [*commands(doc), _disarmed(text(doc, columns))]
    if any(issue.level == "warn" for issue in issues(doc)) and doc["exit_code"] == 0:
        lines.append("##vso[task.complete result=SucceededWithIssues;]")
    return "\n".join(lines)


def commands(doc: Document) -> Iterator[str]:
    """One command an issue, then the figures as output variables `gpuadvisor_…`."""
    for issue in issues(doc):
        properties = {"type": _TYPES.get(issue.level, "warning"), "code": issue.rule}
        if issue.path and issue.line:
            properties.update(sourcepath=issue.path, linenumber=str(issue.line))
        shown = "".join(f"{key}={_property(value)};" for key, value in properties.items())
        yield f"##vso[task.logissue {shown}]{_data(issue.text)}"
    for name, value in outputs(doc):
        variable = f"variable=gpuadvisor_{name};isOutput=true;"
        yield f"##vso[task.setvariable {variable}]{_data(value)}"


def write_summary(doc: Document) -> str | None:
    """Write the report where the agent finds it; the command that shows it, None outside a job."""
    folder = os.environ.get("AGENT_TEMPDIRECTORY")
    if not folder:
        return None
    path = os.path.join(folder, SUMMARY)
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(markdown(doc) + "\n")
    except OSError:
        return None
    return f"##vso[task.uploadsummary]{_data(path)}"


def _data(value: str) -> str:
    """Escaping of azure-pipelines-task-lib for the text of a command."""
    return _disarmed(value).replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace("]", "%5D").replace(";", "%3B")


def _disarmed(body: str) -> str:
    """The agent finds `##vso[` and `##[` anywhere in a line; there is no way to switch that off."""
    return _MARKS.sub("# ", body)
