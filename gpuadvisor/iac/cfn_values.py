"""CloudFormation's intrinsic functions, evaluated as far as a template alone allows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from gpuadvisor.iac.view import UNKNOWN, Opaque, text

_MAX_DEPTH = 40
_NO_VALUE = object()
_SUBSTITUTE = re.compile(r"\$\{(!?)([^}]*)\}")
_FUNCTIONS = frozenset(
    [
        "Ref",
        "Condition",
        "Fn::Sub",
        "Fn::If",
        "Fn::Select",
        "Fn::Split",
        "Fn::Join",
        "Fn::FindInMap",
        "Fn::GetAtt",
        "Fn::ImportValue",
        "Fn::Base64",
        "Fn::Cidr",
        "Fn::GetAZs",
        "Fn::Transform",
        "Fn::Equals",
        "Fn::Not",
        "Fn::And",
        "Fn::Or",
        "Fn::ForEach",
        "Fn::Length",
        "Fn::ToJsonString",
    ]
)


class Template:
    """Parameters, mappings and conditions of one template. Secrets (`NoEcho`) stay unread."""

    def __init__(
        self, body: Mapping[str, Any], parameters: Mapping[str, str], region: str | None
    ) -> None:
        self.resources = _dict(body.get("Resources"))
        self._mappings = _dict(body.get("Mappings"))
        self._conditions = _dict(body.get("Conditions"))
        self._declared = _dict(body.get("Parameters"))
        self._given = parameters
        self._region = region
        self._busy: set[str] = set()

    def exists(self, resource: Mapping[str, Any]) -> bool | None:
        """Does the resource's own condition hold; None where that cannot be told."""
        name = resource.get("Condition")
        return self.condition(name) if isinstance(name, str) else True

    def condition(self, name: str) -> bool | None:
        """The value of a named condition; a circle of conditions is unknown."""
        if name in self._busy or name not in self._conditions:
            return None
        self._busy.add(name)
        try:
            return self._truth(self._conditions[name], 0)
        finally:
            self._busy.discard(name)

    def value(self, raw: Any, depth: int = 0) -> Any:
        """A value with its functions applied: plain data, None for NoValue, or an `Opaque`.

        Only the outermost level of a plain block is resolved; its fields are when asked for.
        """
        found = self._resolve(raw, depth)
        return None if found is _NO_VALUE else found

    def _resolve(self, raw: Any, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            return UNKNOWN
        if not isinstance(raw, dict) or len(raw) != 1:
            return raw
        (name, argument), *_ = raw.items()
        if name not in _FUNCTIONS:
            return raw
        if name == "Ref":
            return self._ref(argument)
        handler = _HANDLERS.get(name)
        return handler(self, argument, depth + 1) if handler else UNKNOWN

    def _ref(self, name: Any) -> Any:
        if name == "AWS::NoValue":
            return _NO_VALUE
        if name == "AWS::Region":
            return self._region or UNKNOWN
        if name == "AWS::Partition":
            return "aws"
        declared = self._declared.get(name) if isinstance(name, str) else None
        if not isinstance(declared, dict):
            return UNKNOWN
        if str(declared.get("NoEcho", "")).casefold() == "true":
            return Opaque("iac.value_sensitive")
        value = self._given.get(name, declared.get("Default"))
        kind = str(declared.get("Type", ""))
        if value is None or kind.startswith("AWS::SSM::"):
            return Opaque("iac.parameter_unset")
        if kind in ("CommaDelimitedList",) or kind.startswith("List<"):
            items = value if isinstance(value, list) else str(value).split(",")
            return [str(item).strip() for item in items]
        return value

    def _sub(self, argument: Any, depth: int) -> Any:
        given: Mapping[str, Any] = {}
        if isinstance(argument, list) and argument:
            given = _dict(argument[1]) if len(argument) > 1 else {}
            argument = argument[0]
        if not isinstance(argument, str):
            return UNKNOWN
        opaque: Opaque | None = None

        def put(found: re.Match[str]) -> str:
            nonlocal opaque
            literal, name = found.group(1), found.group(2).strip()
            if literal:
                return "${" + name + "}"
            value = self.value(given[name], depth) if name in given else self._ref(name)
            words = text(value)
            if words is None:
                opaque = value if isinstance(value, Opaque) else UNKNOWN
            return words or ""

        result = _SUBSTITUTE.sub(put, argument)
        return opaque or result

    def _if(self, argument: Any, depth: int) -> Any:
        if not isinstance(argument, list) or len(argument) != 3:
            return UNKNOWN
        truth = self.condition(argument[0]) if isinstance(argument[0], str) else None
        if truth is None:
            both = [self._resolve(branch, depth) for branch in argument[1:]]
            return both[0] if both[0] == both[1] else Opaque("iac.condition_unknown")
        return self._resolve(argument[1] if truth else argument[2], depth)

    def _select(self, argument: Any, depth: int) -> Any:
        if not isinstance(argument, list) or len(argument) != 2:
            return UNKNOWN
        index, items = self.value(argument[0], depth), self.value(argument[1], depth)
        try:
            return self._resolve(items[int(index)], depth) if isinstance(items, list) else UNKNOWN
        except (TypeError, ValueError, IndexError):
            return UNKNOWN

    def _split(self, argument: Any, depth: int) -> Any:
        if not isinstance(argument, list) or len(argument) != 2:
            return UNKNOWN
        mark, words = argument[0], self.value(argument[1], depth)
        if isinstance(mark, str) and mark and isinstance(words, str):
            return words.split(mark)
        return words if isinstance(words, Opaque) else UNKNOWN

    def _join(self, argument: Any, depth: int) -> Any:
        if not isinstance(argument, list) or len(argument) != 2:
            return UNKNOWN
        items = self.value(argument[1], depth)
        if not isinstance(items, list) or not isinstance(argument[0], str):
            return UNKNOWN
        words = [text(self.value(item, depth)) for item in items]
        return UNKNOWN if None in words else argument[0].join(word or "" for word in words)

    def _find(self, argument: Any, depth: int) -> Any:
        if not isinstance(argument, list) or len(argument) < 3:
            return UNKNOWN
        found: Any = self._mappings
        for key in argument[:3]:
            name = self.value(key, depth)
            if isinstance(name, Opaque):
                return name
            found = _dict(found).get(str(name))
        if found is None:
            fallback = _dict(argument[3]).get("DefaultValue") if len(argument) > 3 else None
            return UNKNOWN if fallback is None else self._resolve(fallback, depth)
        return found

    def _json(self, argument: Any, depth: int) -> Any:
        value = self.value(argument, depth)
        return value if isinstance(value, Opaque) else json.dumps(value, default=str)

    def _truth(self, raw: Any, depth: int) -> bool | None:
        if depth > _MAX_DEPTH or not isinstance(raw, dict) or len(raw) != 1:
            return None
        (name, argument), *_ = raw.items()
        if name == "Condition":
            return self.condition(argument) if isinstance(argument, str) else None
        if not isinstance(argument, list):
            return None
        if name == "Fn::Equals" and len(argument) == 2:
            left, right = (self.value(item, depth + 1) for item in argument)
            words = text(_spelt(left)), text(_spelt(right))
            if isinstance(left, Opaque) or isinstance(right, Opaque):
                return None
            return (words[0] or "") == (words[1] or "")
        parts = [self._truth(item, depth + 1) for item in argument]
        if name == "Fn::Not" and len(parts) == 1:
            return None if parts[0] is None else not parts[0]
        if name == "Fn::And":
            return False if False in parts else (None if None in parts else True)
        if name == "Fn::Or":
            return True if True in parts else (None if None in parts else False)
        return None


_HANDLERS = {
    "Fn::Sub": Template._sub,
    "Fn::If": Template._if,
    "Fn::Select": Template._select,
    "Fn::Split": Template._split,
    "Fn::Join": Template._join,
    "Fn::FindInMap": Template._find,
    "Fn::ToJsonString": Template._json,
}


def _spelt(value: Any) -> Any:
    """Parameters are text: `true` in YAML and "true" as a parameter are equal."""
    return str(value).casefold() if isinstance(value, bool) else value


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
