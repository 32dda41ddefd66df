"""YAML that cannot hurt: bounded, no code, no alias bombs, duplicate keys refused, lines kept.

Values are built from parser events with an explicit stack, so nesting cannot exhaust Python's,
and an alias refers to the one value that its anchor built. Its *expanded* size is what is
bounded, because everything that walks the result pays for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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

MAX_CHARACTERS = 64 * 1024 * 1024
MAX_DEPTH = 200
MAX_NODES = 5_000_000
"""Values in a file, each alias counted with everything beneath it."""

Tagged = Callable[[str, Any], Any]
"""(tag without `!`, value) -> value, for tags of the format (`!Ref`)."""

_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_TAG = "tag:yaml.org,2002:"


class Loaded(NamedTuple):
    """The documents of a file; `lines` maps `id()` of a container to its line, from 1.

    The ids hold as long as `documents` is kept.
    """

    documents: list[Any]
    lines: dict[int, int]


def load_all(text: str, file: str, tagged: Tagged | None = None) -> Loaded:
    """Read every document of `text`; InputError with the place of the first fault."""
    if len(text) > MAX_CHARACTERS:
        limit = MAX_CHARACTERS // (1024 * 1024)
        raise InputError(message("iac.yaml_too_large", file=file, limit_mib=limit))
    builder = _Builder(file, tagged, "{{" in text)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.feed(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        reason = str(error.problem or error.context or "")
        raise _fault(file, line, column, _syntax(text, line, reason)) from error
    except (yaml.YAMLError, ValueError) as error:
        raise _fault(file, 0, 0, message("iac.yaml_syntax", reason=str(error)[:200])) from error
    return Loaded(builder.documents, builder.lines)


def _syntax(text: str, line: int, reason: str) -> Message:
    """The fault; a placeholder near it means that nobody rendered the template."""
    if "nesting" in reason:
        return message("iac.too_deep", limit=MAX_DEPTH)
    near = text.splitlines()[max(0, line - 2) : line + 1] if line else []
    if any("{{" in item or "{%" in item for item in near):
        return message("iac.yaml_unrendered", reason=reason)
    return message("iac.yaml_syntax", reason=reason)


def _fault(file: str, line: int, column: int, what: Message) -> InputError:
    return InputError(message("iac.unreadable", file=file), (Problem(file, line, column, what),))


class _Open:
    """A container being filled. `key` is the waiting key of a mapping, `merges` its `<<`."""

    __slots__ = ("anchor", "key", "merges", "size", "tag", "value", "waiting")

    def __init__(self, value: Any, tag: str | None, anchor: str | None) -> None:
        self.value, self.tag, self.anchor = value, tag, anchor
        self.key: Any = None
        self.waiting = False
        self.merges: list[Any] = []
        self.size = 1


class _Builder:
    def __init__(self, file: str, tagged: Tagged | None, templated: bool) -> None:
        self.file, self.tagged, self.templated = file, tagged, templated
        self.documents: list[Any] = []
        self.lines: dict[int, int] = {}
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._nodes = 0

    def feed(self, event: Any) -> None:
        kind = event.__class__
        if kind is ScalarEvent:
            self._place(self._scalar(event), 1, event, event.anchor)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            value: Any = {} if kind is MappingStartEvent else []
            if len(self._stack) >= MAX_DEPTH:
                raise self._error(event, message("iac.too_deep", limit=MAX_DEPTH))
            self.lines[id(value)] = event.start_mark.line + 1
            self._stack.append(_Open(value, event.tag, event.anchor))
            if event.anchor:
                # Known but not ready: an alias inside its own anchor would be endless.
                self._anchors.pop(event.anchor, None)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            self._close(event)
        elif kind is AliasEvent:
            known = self._anchors.get(event.anchor)
            if known is None:
                raise self._error(event, message("iac.unknown_alias", name=event.anchor[:50]))
            self._place(known[0], known[1], event, None)
        elif kind is DocumentStartEvent:
            self._anchors = {}

    def _close(self, event: Any) -> None:
        done = self._stack.pop()
        value = done.value
        for merged in done.merges:
            # A key of the mapping itself wins over a merged one, an earlier merge over a later.
            for key, inner in merged.items():
                value.setdefault(key, inner)
                done.size += 1
        value = self._tag(done.tag, value)
        self._place(value, done.size, event, done.anchor)

    def _place(self, value: Any, size: int, event: Any, anchor: str | None) -> None:
        """Put a finished value where it belongs; `size` is what it is when expanded."""
        self._nodes += 1
        if anchor:
            self._anchors[anchor] = (value, size)
        if not self._stack:
            self.documents.append(value)
            return
        top = self._stack[-1]
        top.size += size
        if top.size > MAX_NODES or self._nodes > MAX_NODES:
            raise self._error(event, message("iac.yaml_bomb", limit=MAX_NODES))
        if top.value.__class__ is list:
            top.value.append(value)
        elif not top.waiting:
            self._key(top, value, event)
        else:
            top.waiting = False
            if top.key == "<<" and self._merge(top, value):
                return
            top.value[top.key] = value

    def _key(self, top: _Open, value: Any, event: Any) -> None:
        if isinstance(value, (dict, list)):
            # `{{ x }}` is a mapping as the key of a mapping: nobody rendered the template.
            name = "iac.yaml_unrendered" if self.templated else "iac.yaml_key"
            raise self._error(event, message(name, reason="a mapping as a key"))
        if value is None or isinstance(value, (bool, int, float)):
            # Labels and limits are keyed by text; `8080:` and `on:` are keys like others.
            value = getattr(event, "value", str(value))
        if value in top.value:
            raise self._error(event, message("iac.duplicate_key", key=str(value)[:80]))
        top.key, top.waiting = value, True
        if value != "<<":
            top.value[value] = None

    def _merge(self, top: _Open, value: Any) -> bool:
        merged = value if isinstance(value, list) else [value]
        if not all(isinstance(item, dict) for item in merged):
            return False
        top.merges.extend(merged)
        return True

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if event.tag and event.tag != "!":
            short = event.tag.removeprefix(_TAG)
            value = text if short in ("str", "binary") else _plain(text)
            return self._tag(event.tag, value)
        return _plain(text) if event.implicit[0] and not event.style else text

    def _tag(self, tag: str | None, value: Any) -> Any:
        """Only the format's own tags mean something; no tag ever builds an object."""
        if tag is None or self.tagged is None or not tag.startswith("!") or tag == "!":
            return value
        return self.tagged(tag[1:], value)

    def _error(self, event: Any, what: Message) -> InputError:
        mark = event.start_mark
        return _fault(self.file, mark.line + 1, mark.column + 1, what)


def _plain(text: str) -> Any:
    """A plain scalar: true, false, null and numbers; everything else, and huge digits, is text."""
    word = text.casefold() if len(text) < 6 else text
    if word in _WORDS:
        return _WORDS[word]
    if len(text) < 40 and _NUMBER.fullmatch(text):
        return float(text) if any(c in text for c in ".eE") else _integer(text)
    return text


def _integer(text: str) -> Any:
    # 0755 and account numbers keep their zeros.
    digits = text.lstrip("+-")
    return text if len(digits) > 1 and digits[0] == "0" else int(text)
