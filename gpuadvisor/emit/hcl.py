"""Terraform's language written out as `terraform fmt` leaves it: blocks, attributes, comments.

Texts are always escaped here, so that a name that people chose cannot end a string or start an
interpolation; what is meant as an expression is a `Raw`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gpuadvisor.emit.comments import commented

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_INDENT = "  "
_WIDEST = 90
"""Lists longer than this are broken over lines."""


class Raw(NamedTuple):
    """An expression, written as it is."""

    text: str


class Call(NamedTuple):
    """A function called with one value: `jsonencode({ … })`."""

    function: str
    value: Any


class Heredoc(NamedTuple):
    """Text of several lines, escaped; `holes` are marks in it and the expressions that fill
    them."""

    text: str
    holes: Mapping[str, str] = {}


class Remark(NamedTuple):
    """A comment on what follows it."""

    text: str


class Attribute(NamedTuple):
    """`name = value`: text, number, truth, list, mapping, or one of the classes above."""

    name: str
    value: Any


class Block(NamedTuple):
    """`kind "label" { … }`."""

    kind: str
    labels: tuple[str, ...]
    body: tuple[Attribute | Block | Remark, ...]


Item = Attribute | Block | Remark


Part = str | Item | Iterable[Item | None] | None


def block(kind: str, *parts: Part) -> Block:
    """A block of its labels (texts), then its items or groups of items; None is left out."""
    labels = tuple(part for part in parts if isinstance(part, str))
    body: list[Item] = []
    for part in parts:
        if isinstance(part, (Attribute, Block, Remark)):
            body.append(part)
        elif part is not None and not isinstance(part, str):
            body += [item for item in part if item is not None]
    return Block(kind, labels, tuple(body))


def resource(kind: str, name: str, *parts: Part) -> Block:
    """A resource block."""
    return block("resource", kind, name, *parts)


def attributes(**values: Any) -> list[Attribute]:
    """Attributes in the order written; None is left out."""
    return [Attribute(name, value) for name, value in values.items() if value is not None]


def document(head: Sequence[str], items: Iterable[Item]) -> str:
    """A whole file: the head as comments, then its items with a blank line between them."""
    return "\n".join([*head, "", *_items(tuple(items), "")]) + "\n"


def quoted(text: str) -> str:
    """A quoted string whatever the text holds."""
    found = []
    for character in text:
        if character in '"\\':
            found.append("\\" + character)
        elif character.isprintable():
            found.append(character)
        else:
            found.append({"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or _code(character))
    return '"' + _plain("".join(found)) + '"'


def _plain(text: str) -> str:
    """Template markers as themselves."""
    return text.replace("${", "$${").replace("%{", "%%{")


def _code(character: str) -> str:
    point = ord(character)
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _items(items: Sequence[Item], indent: str) -> list[str]:
    """Lines of a body: blocks stand apart, a remark belongs to what follows it, attributes of
    one line each that follow each other are aligned."""
    lines: list[str] = []
    row: list[tuple[str, str]] = []
    before: Item | None = None
    for item in items:
        apart = isinstance(item, (Block, Remark)) or isinstance(before, Block)
        if apart:
            lines += _aligned(row, indent)
            row = []
            if lines and not isinstance(before, Remark):
                lines.append("")
        before = item
        if isinstance(item, Remark):
            lines += commented(item.text, indent + "# ")
        elif isinstance(item, Block):
            labels = "".join(f" {quoted(label)}" for label in item.labels)
            body = _items(item.body, indent + _INDENT)
            start = f"{indent}{item.kind}{labels} {{"
            lines += [start, *body, f"{indent}}}"] if body else [f"{start}}}"]
        else:
            first, *rest = _value(item.value, indent)
            if not rest:
                row.append((item.name, first))
                continue
            lines += [*_aligned(row, indent), f"{indent}{item.name} = {first}", *rest]
            row = []
    return lines + _aligned(row, indent)


def _aligned(row: Sequence[tuple[str, str]], indent: str) -> list[str]:
    widest = max((len(name) for name, _ in row), default=0)
    return [f"{indent}{name:<{widest}} = {value}" for name, value in row]


def _value(value: Any, indent: str) -> list[str]:
    """Lines of a value; all but the first are indented already."""
    if isinstance(value, Raw):
        return [value.text]
    if isinstance(value, Call):
        first, *rest = _value(value.value, indent)
        if not rest:
            return [f"{value.function}({first})"]
        return [f"{value.function}({first}", *rest[:-1], rest[-1] + ")"]
    if isinstance(value, Heredoc):
        text = _plain(value.text)
        for mark, expression in value.holes.items():
            text = text.replace(mark, "${" + expression + "}")
        body = [f"{indent}{_INDENT}{line}".rstrip() for line in text.splitlines()]
        return ["<<-EOT", *body, f"{indent}EOT"]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, str):
        return [quoted(value)]
    if isinstance(value, Mapping):
        return _mapping(value, indent)
    if isinstance(value, (list, tuple)):
        return _list(value, indent)
    return [str(value)]


def _mapping(values: Mapping[str, Any], indent: str) -> list[str]:
    if not values:
        return ["{}"]
    items = [
        Attribute(name if _NAME.fullmatch(name) else quoted(name), value)
        for name, value in values.items()
    ]
    return ["{", *_items(items, indent + _INDENT), indent + "}"]


def _list(values: Sequence[Any], indent: str) -> list[str]:
    parts = [_value(value, indent + _INDENT) for value in values]
    one_line = "[" + ", ".join(part[0] for part in parts) + "]"
    if all(len(part) == 1 for part in parts) and len(one_line) <= _WIDEST:
        return [one_line]
    lines = ["["]
    for part in parts:
        lines += [f"{indent}{_INDENT}{part[0]}", *part[1:]]
        lines[-1] += ","
    return [*lines, indent + "]"]
