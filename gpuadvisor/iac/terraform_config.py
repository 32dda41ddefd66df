"""The `configuration` part of a plan: what the user wrote, and what it refers to.

A plan's values do not say why a value is unknown; the configuration does. References run up
through module arguments (`var.x` is the caller's expression) and down through module outputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Module = tuple[str, ...]
"""Names of the module calls from the root, without indices."""

_INDEX = re.compile(r'\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\]')
_MAX_HOPS = 24


class Target(NamedTuple):
    """A resource named by a reference: module path, `type.name`, and the index as text."""

    module: Module
    name: str
    instance: str | None


class Literal(NamedTuple):
    """A reference that ends at a value the user wrote."""

    value: Any


def module_path(address: str | None) -> Module:
    """`module.a["x"].module.b` -> ("a", "b")."""
    if not address:
        return ()
    plain = _INDEX.sub("", address) if "[" in address else address
    return tuple(plain.split(".")[1::2])


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one: plans come from strangers."""
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


class Configuration:
    """Looks things up in `configuration` and the root `variables`, by module."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        configuration = mapping(plan.get("configuration"))
        self._root = mapping(configuration.get("root_module"))
        self._providers = mapping(configuration.get("provider_config"))
        self._variables = mapping(plan.get("variables"))
        self.present = bool(self._root)
        self._modules: dict[Module, Mapping[str, Any]] = {(): self._root}
        self._resources: dict[Module, dict[str, Mapping[str, Any]]] = {}

    def resource(self, module: Module, name: str) -> Mapping[str, Any]:
        """The entry of `type.name` in a module; empty where the plan has none."""
        known = self._resources.get(module)
        if known is None:
            known = {
                entry["address"]: entry
                for entry in sequence(self._module(module).get("resources"))
                if isinstance(entry, dict) and isinstance(entry.get("address"), str)
            }
            self._resources[module] = known
        return known.get(name, {})

    def _module(self, module: Module) -> Mapping[str, Any]:
        found = self._modules.get(module)
        if found is None:
            calls = mapping(self._module(module[:-1]).get("module_calls"))
            found = mapping(mapping(calls.get(module[-1])).get("module"))
            self._modules[module] = found
        return found

    def _argument(self, module: Module, name: str) -> Mapping[str, Any]:
        calls = mapping(self._module(module[:-1]).get("module_calls"))
        expressions = mapping(mapping(calls.get(module[-1])).get("expressions"))
        return mapping(expressions.get(name))

    def setting(self, key: Any, name: str) -> Any:
        """An argument of a provider block as a value; None where it is not in the plan.

        Keys are `aws`, `aws.west` and `module.m:aws`; a module that inherits its provider has
        no entry of its own.
        """
        while isinstance(key, str):
            entry = mapping(self._providers.get(key))
            if entry:
                expression = mapping(mapping(entry.get("expressions")).get(name))
                return self._value(expression, module_path(entry.get("module_address")), 0)
            place, colon, plain = key.rpartition(":")
            if not colon:
                return None
            above = place.rpartition(".module.")[0] if ".module." in place else ""
            key = f"{above}:{plain}" if above else plain
        return None

    def _value(self, expression: Mapping[str, Any], module: Module, hops: int) -> Any:
        if "constant_value" in expression:
            return expression["constant_value"]
        for end in self.ends(expression, module, hops):
            if isinstance(end, Literal):
                return end.value
        return None

    def ends(
        self, expression: Mapping[str, Any], module: Module, hops: int = 0
    ) -> Iterator[Target | Literal]:
        """What an expression finally refers to, most specific first."""
        if hops > _MAX_HOPS:
            return
        if "constant_value" in expression:
            yield Literal(expression["constant_value"])
            return
        for reference in sequence(expression.get("references")):
            if isinstance(reference, str):
                yield from self._end(reference, module, hops)

    def _end(self, reference: str, module: Module, hops: int) -> Iterator[Target | Literal]:
        first, _, rest = reference.partition(".")
        if first == "var":
            yield from self._variable(rest.partition(".")[0].partition("[")[0], module, hops)
        elif first == "module":
            plain = _INDEX.sub("", rest).split(".")
            if len(plain) > 1:
                child = (*module, plain[0])
                output = mapping(mapping(self._module(child).get("outputs")).get(plain[1]))
                yield from self.ends(mapping(output.get("expression")), child, hops + 1)
        elif first not in ("local", "each", "count", "path", "self", "terraform"):
            name, index = _name_and_index(rest if first == "data" else reference)
            if name is not None:
                yield Target(module, f"data.{name}" if first == "data" else name, index)

    def _variable(self, name: str, module: Module, hops: int) -> Iterator[Target | Literal]:
        declared = mapping(mapping(self._module(module).get("variables")).get(name))
        if declared.get("sensitive") is True:
            return
        if module:
            argument = self._argument(module, name)
            if argument:
                yield from self.ends(argument, module[:-1], hops + 1)
                return
        elif isinstance(given := self._variables.get(name), dict) and "value" in given:
            yield Literal(given["value"])
            return
        if "default" in declared:
            yield Literal(declared["default"])


def _name_and_index(reference: str) -> tuple[str | None, str | None]:
    """`aws_launch_template.ce["prod-gpu"].id` -> ("aws_launch_template.ce", "prod-gpu")."""
    found = _INDEX.search(reference)
    plain = _INDEX.sub("", reference).split(".")
    if len(plain) < 2:
        return None, None
    index = found.group(0)[1:-1].strip('"') if found else None
    return f"{plain[0]}.{plain[1]}", index
