"""The syntax tree of a Terraform source as a plan document: what is literal, what is unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gpuadvisor.iac.view import whole

_EXPRESSION = re.compile(r"\$\{(.*)\}", re.DOTALL)
_NAME = re.compile(r"(var|local)\.([A-Za-z_][\w-]*)")
_REFERENCE = re.compile(r"(?<![\w.-])(?:data\.)?[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*(?:\[[^\[\]]*\])?")
_ROOTS = ("var", "local", "each", "count", "path", "self", "terraform", "module")
_OWN_KEYS = frozenset(("count", "for_each", "provider", "lifecycle", "depends_on", "provisioner"))
_MARK = "__is_block__"
_MAX_DEPTH = 64


class _Read(NamedTuple):
    """A value beside its unknown parts and its expressions, as a plan holds them."""

    value: Any
    unknown: Any
    written: Any


class Source:
    """What one file says. `times` is how many of each resource there are, None where it is not
    literal; `defaults` are the variables and locals whose values were taken."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._variables = {name: block.get("default") for name, block in _named(body, "variable")}
        self._locals: dict[str, Any] = {}
        for block in _blocks(body.get("locals")):
            self._locals.update(block)
        self._providers = list(_named(body, "provider"))
        self._resources = [
            (kind, name, block)
            for kind, named in _named(body, "resource")
            for name, block in named.items()
            if isinstance(block, dict)
        ]
        self.modules = {name: _plain(block) for name, block in _named(body, "module")}
        self.times: dict[str, int | None] = {}
        self.defaults: dict[str, set[str]] = {}
        self._using: set[str] = set()

    def plan(self) -> dict[str, Any]:
        """The file as a plan of resources to create."""
        changes: list[Any] = []
        configured: list[Any] = []
        for kind, name, block in self._resources:
            address = f"{kind}.{name}"
            self._using = self.defaults.setdefault(address, set())
            self.times[address] = self.number(block, address)
            body = {k: v for k, v in block.items() if k not in _OWN_KEYS}
            read = self._read(body, 0)
            changes.append(
                {
                    "address": address,
                    "type": kind,
                    "name": name,
                    "provider_name": kind.partition("_")[0],
                    "change": {
                        "actions": ["create"],
                        "before": None,
                        "after": read.value,
                        "after_unknown": read.unknown,
                    },
                }
            )
            configured.append(
                {
                    "address": address,
                    "provider_config_key": self._provider_key(kind, block),
                    "expressions": read.written,
                }
            )
        self._using = set()
        return {
            "format_version": "1.0",
            "resource_changes": changes,
            "configuration": {
                "provider_config": dict(self._provider_blocks()),
                "root_module": {"resources": configured},
            },
        }

    def number(self, block: Mapping[str, Any], address: str) -> int | None:
        """How many instances: a literal `count`, or the size of a literal `for_each`."""
        if "count" in block:
            return whole(self._read(block["count"], 0).value)
        if "for_each" in block:
            each = self._read(block["for_each"], 0).value
            return len(each) if isinstance(each, (dict, list)) else None
        return 1

    def _provider_key(self, kind: str, block: Mapping[str, Any]) -> str:
        named = _EXPRESSION.fullmatch(str(block.get("provider") or ""))
        return named.group(1) if named else kind.partition("_")[0]

    def _provider_blocks(self) -> Iterator[tuple[str, Any]]:
        for name, block in self._providers:
            alias = block.get("alias")
            key = f"{name}.{alias}" if isinstance(alias, str) else name
            read = self._read(block, 0)
            values = read.value if isinstance(read.value, dict) else {}
            constants = {
                k: {"constant_value": v} for k, v in values.items() if isinstance(v, (str, int))
            }
            yield key, {"name": name, "expressions": constants}

    def _read(self, value: Any, depth: int) -> _Read:
        if depth > _MAX_DEPTH:
            return _Read(None, True, {"references": []})
        if isinstance(value, str):
            return self._text(value, depth)
        if isinstance(value, list):
            items = [self._read(item, depth + 1) for item in value]
            unknown = [i.unknown for i in items] if any(i.unknown for i in items) else False
            nested = any(isinstance(item, dict) for item in value)
            return _Read([i.value for i in items], unknown, _joined(items, nested))
        if isinstance(value, dict):
            found = {k: self._read(v, depth + 1) for k, v in _entries(value)}
            # A dynamic block is there or not, with whatever content: nobody can tell.
            found.update((name, _Read(None, True, {"references": []})) for name in _dynamic(value))
            return _Read(
                {k: r.value for k, r in found.items()},
                {k: r.unknown for k, r in found.items() if r.unknown},
                {k: r.written for k, r in found.items()},
            )
        return _Read(value, False, {"references": []})

    def _text(self, value: str, depth: int) -> _Read:
        """A literal, a variable or local that is a literal, or something that is not known."""
        if "${" not in value and "%{" not in value:
            return _Read(value, False, {"references": []})
        whole_expression = _EXPRESSION.fullmatch(value)
        inner = whole_expression.group(1) if whole_expression else value
        named = _NAME.fullmatch(inner.strip())
        if named:
            kind, name = named.groups()
            known = self._variables if kind == "var" else self._locals
            if known.get(name) is not None:
                read = self._read(known[name], depth + 1)
                if read.value is not None and not read.unknown:
                    self._using.add(f"{kind}.{name}")
                    return read._replace(written={"references": []})
        found = dict.fromkeys(_REFERENCE.findall(inner))
        references = [r for r in found if r.partition(".")[0] not in _ROOTS]
        return _Read(None, True, {"references": references})


def _entries(block: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in block.items():
        if key not in (_MARK, "dynamic"):
            yield key, value


def _dynamic(block: Mapping[str, Any]) -> Iterator[str]:
    for item in _blocks(block.get("dynamic")):
        yield from (name for name in item if name != _MARK)


def _joined(items: list[_Read], nested: bool) -> Any:
    """Blocks keep their shape; a list of plain values is one expression."""
    if nested:
        return [item.written for item in items]
    references = [r for item in items for r in item.written.get("references", ())
                  if isinstance(item.written, dict)]  # fmt: skip
    return {"references": references}


def _plain(value: Any) -> Any:
    """A block without the parser's marks."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items() if k != _MARK}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _blocks(value: Any) -> list[dict[str, Any]]:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, dict)]


def _named(body: Mapping[str, Any], kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """(label, block) of every block of a kind."""
    for item in _blocks(body.get(kind)):
        for name, block in item.items():
            if isinstance(block, dict) and name != _MARK:
                yield str(name).strip('"'), block
