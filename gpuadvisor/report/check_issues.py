"""What the policy objects to, as code hosts list it: rule, level, place in the repository, text.

Alerts are told apart by a fingerprint. It is made of what stays when a price or a line moves, so
that the same objection stays the same alert.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from typing import NamedTuple

from gpuadvisor.catalog.message import message
from gpuadvisor.report.check_words import Document, clip
from gpuadvisor.report.messages import render
from gpuadvisor.report.messages.hosts import EN
from gpuadvisor.report.text import printable


class Issue(NamedTuple):
    """`path` is relative to the working folder, empty where it lies outside; `line` from 1."""

    rule: str
    level: str
    text: str
    path: str
    line: int | None
    fingerprint: str


def issues(doc: Document) -> Iterator[Issue]:
    """Every verdict that did not pass, failures first, in a stable order."""
    seen: dict[str, int] = {}
    first = doc["files"][0]["file"] if doc["files"] else ""
    for verdict in sorted(doc["policy"], key=lambda v: v["level"] != "fail"):
        if verdict["passed"]:
            continue
        address, file = verdict["address"] or "", verdict["file"] or first
        path = repository_path(file)
        key = "\0".join((verdict["rule"], verdict["level"], path, address))
        number = seen[key] = seen.get(key, 0) + 1
        # A lone surrogate has no UTF-8; JSON in plans may carry one.
        raw = f"{key}\0{number}".encode("utf-8", "replace")
        text = verdict["message"]
        if address:
            text = say("at_place", place=clip(address), text=text)
        yield Issue(
            verdict["rule"],
            verdict["level"],
            plain(text),
            path,
            verdict["line"],
            hashlib.sha256(raw).hexdigest(),
        )


def repository_path(file: str) -> str:
    """The path from the working folder, with `/`; empty for standard input and foreign paths."""
    if not file or file.startswith("<"):
        return ""
    path = os.path.normpath(file)
    if os.path.isabs(path):
        path = os.path.relpath(path)
    path = path.replace(os.sep, "/")
    return "" if path == ".." or path.startswith("../") else plain(path)


def rule_title(rule: str) -> str:
    """What a rule is about, in one sentence."""
    id = f"hosts.{rule.casefold()}"
    return render(message(id if id in EN else "hosts.other"))


def say(name: str, **params: object) -> str:
    """A text of this area."""
    return render(message(f"hosts.{name}", **params))


def plain(text: str) -> str:
    """One line without control characters."""
    return printable(text.encode("utf-8", "replace").decode()).replace("\n", " ")
