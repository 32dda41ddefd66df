"""YAML as located text: every scalar stays a string, every value keeps its line and column.

PyYAML's own constructors read `2026.10` as 2026.1 and the region `no` as false; typing is the
schema's business, so nothing is converted here. The document is built from parser events, one
loop and no recursion, so hostile nesting cannot exhaust the stack, and aliases are refused, so
an alias bomb cannot grow. Bytes, nodes, depth and the faults told of one file are bounded.
"""

from __future__ import annotations

import os
import stat
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
from gpuadvisor.catalog.files import unreadable
from gpuadvisor.catalog.message import Message, message

Path = tuple[str | int, ...]
Mark = tuple[int, int]

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 32
MAX_NODES = 400_000
"""Keys, values and containers of one file; parsing that many takes some 4 s and 150 MiB."""
MAX_PROBLEMS = 100
"""Faults told of one file; a file with more is another kind of file."""

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
    """Read a whole regular file of at most `limit` bytes; InputError says what prevents it."""
    try:
        state = os.stat(path)
        if not stat.S_ISREG(state.st_mode):
            # A pipe would block and a device never end.
            raise unreadable(path, message("catalog.not_a_file"))
        with open(path, "rb") as handle:
            body = handle.read(limit + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise unreadable(path, message("catalog.os_error", reason=reason)) from error
    if len(body) > limit:
        size = max(state.st_size, len(body))
        raise unreadable(path, message("catalog.too_large", size=size, limit=limit), 1, 1)
    return body


def read(path: str, raw: bytes | None = None) -> Located:
    """Parse one YAML document; raises InputError with every located fault that stops it."""
    raw = read_bytes(path) if raw is None else raw
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        what = message("catalog.not_utf8", byte=error.start)
        raise unreadable(path, what, line, 1) from error
    builder = _Builder(path)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.feed(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        what = message("catalog.yaml_syntax", reason=str(error.problem or error.context))
        raise unreadable(path, what, line, column) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        what = message("catalog.yaml_syntax", reason=str(error.reason))
        raise unreadable(path, what, line, 1) from error
    except (yaml.YAMLError, ValueError) as error:
        # ValueError: PyYAML's own scanner on an escape that is no character.
        raise unreadable(path, message("catalog.yaml_syntax", reason=str(error)), 1, 1) from error
    if builder.problems:
        raise InputError(message("catalog.unreadable", file=path), tuple(builder.problems))
    return Located(path, builder.root, builder.marks)


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
        self._nodes = 0

    def _fault(self, mark: Mark, what: Message) -> InputError:
        return unreadable(self.file, what, *mark)

    def feed(self, event: Any) -> None:
        """Take one event; raises InputError where reading on would be unbounded."""
        mark = (event.start_mark.line + 1, event.start_mark.column + 1)
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise self._fault(mark, message("catalog.too_many_nodes", limit=MAX_NODES))
        if getattr(event, "tag", None) is not None:
            raise self._fault(mark, message("catalog.tag_refused", tag=event.tag))
        if isinstance(event, ScalarEvent):
            self._scalar(event.value, mark)
        elif isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            self._open({} if isinstance(event, MappingStartEvent) else [], mark)
        elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            self._stack.pop()
            self._key.pop()
        elif isinstance(event, AliasEvent):
            raise self._fault(mark, message("catalog.alias_refused", name=event.anchor))
        elif isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self._fault(mark, message("catalog.one_document"))

    def _scalar(self, value: str, mark: Mark) -> None:
        if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            raise self._fault(mark, message("catalog.surrogate"))
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
                if len(self.problems) >= MAX_PROBLEMS:
                    more = message("catalog.more_faults", limit=MAX_PROBLEMS)
                    self.problems.append(Problem(self.file, 0, 0, more))
                    raise InputError(
                        message("catalog.unreadable", file=self.file), tuple(self.problems)
                    )
            self._key[-1] = value
            self.marks[(*path, value)] = mark
            container[value] = ""
            return
        self._place(value, mark)

    def _open(self, container: Any, mark: Mark) -> None:
        if len(self._stack) >= MAX_DEPTH:
            raise self._fault(mark, message("catalog.too_deep", limit=MAX_DEPTH))
        if self._stack:
            top = self._stack[-1][0]
            if isinstance(top, dict) and self._key[-1] is None:
                raise self._fault(mark, message("catalog.key_not_text"))
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
