"""YAML as located text: every scalar stays a string, every value keeps its line and column.

PyYAML's own constructors read `2026.10` as 2026.1 and the region `no` as false; typing is the
schema's business, so nothing is converted here. The document is built from parser events, one
loop and no recursion, so hostile nesting cannot exhaust the stack, and anchors are refused, so
an alias bomb cannot grow.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from gpuadvisor.catalog.errors import InputError, Problem
from gpuadvisor.catalog.message import Message, message

Path = tuple[str | int, ...]
Mark = tuple[int, int]

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 32

_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class Located(NamedTuple):
    """A parsed file: plain dict/list/str, and the mark of each path (keys and items)."""

    file: str
    data: Any
    marks: dict[Path, Mark]

    def problem(self, path: Path, text: Message) -> Problem:
        """Locate `text` at `path`, or at its nearest ancestor that stands in the file."""
        while path and path not in self.marks:
            path = path[:-1]
        line, column = self.marks.get(path, (1, 1))
        return Problem(self.file, line, column, text)


def read_bytes(path: str, limit: int = MAX_BYTES) -> bytes:
    """Read a whole file of at most `limit` bytes; InputError says which bound was passed."""
    try:
        size = os.path.getsize(path)
        if size > limit:
            raise InputError(
                message("catalog.unreadable", file=path),
                (Problem(path, 1, 1, message("catalog.too_large", size=size, limit=limit)),),
            )
        with open(path, "rb") as handle:
            return handle.read()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            message("catalog.unreadable", file=path),
            (Problem(path, 0, 0, message("catalog.os_error", reason=reason)),),
        ) from error


def read(path: str, raw: bytes | None = None) -> Located:
    """Parse one YAML document; raises InputError with every located fault that stops it."""
    raw = read_bytes(path) if raw is None else raw
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _fault(path, line, 1, message("catalog.not_utf8", byte=error.start)) from error
    builder = _Builder(path)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.feed(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        what = message("catalog.yaml_syntax", reason=str(error.problem or error.context))
        raise _fault(path, line, column, what) from error
    except yaml.YAMLError as error:
        raise _fault(path, 1, 1, message("catalog.yaml_syntax", reason=str(error))) from error
    if builder.problems:
        raise InputError(message("catalog.unreadable", file=path), tuple(builder.problems))
    return Located(path, builder.root, builder.marks)


def _fault(path: str, line: int, column: int, what: Message) -> InputError:
    return InputError(
        message("catalog.unreadable", file=path), (Problem(path, line, column, what),)
    )


class _Builder:
    """Builds the tree from events with an explicit stack of open containers."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Any = {}
        self.marks: dict[Path, Mark] = {}
        self.problems: list[Problem] = []
        self._stack: list[tuple[Any, Path]] = []
        self._key: list[str | None] = []
        self._documents = 0

    def feed(self, event: Any) -> None:
        """Take one event; raises InputError where reading on would be unbounded."""
        mark = (event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, ScalarEvent):
            self._scalar(event.value, mark)
        elif isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            self._open({} if isinstance(event, MappingStartEvent) else [], mark)
        elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            self._stack.pop()
            self._key.pop()
        elif isinstance(event, AliasEvent):
            raise _fault(self.file, *mark, message("catalog.alias_refused", name=event.anchor))
        elif isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _fault(self.file, *mark, message("catalog.one_document"))

    def _scalar(self, value: str, mark: Mark) -> None:
        if not self._stack:
            self.root = value
            self.marks[()] = mark
            return
        container, path = self._stack[-1]
        if isinstance(container, dict) and self._key[-1] is None:
            if value in container:
                first = self.marks[(*path, value)][0]
                what = message("catalog.duplicate_key", key=value, first_line=first)
                self.problems.append(Problem(self.file, *mark, what))
            self._key[-1] = value
            self.marks[(*path, value)] = mark
            container[value] = ""
            return
        self._place(value, mark)

    def _open(self, container: Any, mark: Mark) -> None:
        if len(self._stack) >= MAX_DEPTH:
            raise _fault(self.file, *mark, message("catalog.too_deep", limit=MAX_DEPTH))
        if self._stack:
            top = self._stack[-1][0]
            if isinstance(top, dict) and self._key[-1] is None:
                raise _fault(self.file, *mark, message("catalog.key_not_text"))
            path = self._place(container, mark)
        else:
            self.root, path = container, ()
            self.marks[()] = mark
        self._stack.append((container, path))
        self._key.append(None)

    def _place(self, value: Any, mark: Mark) -> Path:
        container, path = self._stack[-1]
        if isinstance(container, dict):
            key = self._key[-1]
            assert key is not None
            container[key] = value
            self._key[-1] = None
            return (*path, key)
        container.append(value)
        item = (*path, len(container) - 1)
        self.marks[item] = mark
        return item
