"""A check inside a GitHub job: annotations within the limits, step summary, step outputs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator

from gpuadvisor.report import check_words as words
from gpuadvisor.report.check_markdown import markdown
from gpuadvisor.report.check_text import text
from gpuadvisor.report.check_words import Document, say
from gpuadvisor.report.text import printable

MOST_ANNOTATIONS = 10
"""GitHub shows 10 errors and 10 warnings of a step and drops the rest without a word."""
MOST_SUMMARY_BYTES = 1_000_000
"""A step summary of more than 1 MiB is not shown at all."""


def log(doc: Document, columns: int = 100) -> str:
    """What the job's log shows: annotations, then the report as text.

    The report holds names that strangers chose, so commands are switched off around it. The
    word that switches them on again is a digest of the report, which nobody can put inside it.
    """
    body = text(doc, columns)
    digest = hashlib.sha256(json.dumps(doc, sort_keys=True).encode()).hexdigest()[:40]
    return "\n".join([*annotation_lines(doc), f"::stop-commands::{digest}", body, f"::{digest}::"])


def annotation_lines(doc: Document) -> list[str]:
    """Workflow commands, most important first, at most ten of a kind with the last one saying
    how many more there are."""
    lines: list[str] = []
    for level, command in (("fail", "error"), ("warn", "warning")):
        found = [pair for pair in words.verdicts(doc) if _shown(pair[0], level)]
        most = MOST_ANNOTATIONS if len(found) <= MOST_ANNOTATIONS else MOST_ANNOTATIONS - 1
        lines.extend(_annotation(command, verdict, place) for verdict, place in found[:most])
        if len(found) > most:
            more = _data(say("more_annotations", count=len(found) - most))
            lines.append(f"::{command} title=gpuadvisor::{more}")
    return lines


def _shown(verdict: Document, level: str) -> bool:
    return not verdict["passed"] and verdict["level"] == level


def _annotation(command: str, verdict: Document, place: str) -> str:
    properties = {"title": f"gpuadvisor {verdict['rule']}"}
    if verdict["file"] and verdict["line"]:
        # A plan has no lines and is no file of the repository; only sources can be annotated.
        properties = {"file": verdict["file"], "line": str(verdict["line"]), **properties}
    shown = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    message = words.named(place, verdict["message"])
    return f"::{command} {shown}::{_data(message)}"


def _data(value: str) -> str:
    """Escaping of actions/toolkit for the text of a command."""
    plain = "".join(c if c in "\r\n" else printable(c) for c in value)
    return plain.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def summary(doc: Document) -> str:
    """The Markdown for the step summary, within its limit in bytes."""
    limit = MOST_SUMMARY_BYTES
    body = markdown(doc)
    while len(body.encode()) > MOST_SUMMARY_BYTES:
        limit = limit * 3 // 4
        body = markdown(doc, limit)
    return body


def outputs(doc: Document) -> Iterator[tuple[str, str]]:
    """Step outputs: figures as decimal text, `result` is passed, failed or incomplete."""
    found = doc["summary"]
    for name in ("total_before", "total_after", "total_max", "delta", "delta_max"):
        yield name, found[name]
    for name in ("changed", "unpriced", "unknown"):
        yield name, str(found[name])
    yield "currency", doc["currency"]
    yield "result", {0: "passed", 4: "incomplete"}.get(doc["exit_code"], "failed")
    yield "exit_code", str(doc["exit_code"])


def append_summary(body: str) -> bool:
    """Append to the step summary of the job; False where there is none."""
    return _append("GITHUB_STEP_SUMMARY", body + "\n")


def append_outputs(doc: Document) -> bool:
    """Append to the outputs of the step; False where there are none."""
    return _append("GITHUB_OUTPUT", "".join(f"{name}={value}\n" for name, value in outputs(doc)))


def _append(variable: str, body: str) -> bool:
    path = os.environ.get(variable)
    if not path:
        return False
    try:
        with open(path, "a", encoding="utf-8", newline="\n") as stream:
            stream.write(body)
    except OSError:
        return False
    return True
