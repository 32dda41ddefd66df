"""A resource of a plan as a `View`: values, what is unknown, what is secret, what was written.

Four trees of the same shape are walked side by side. A value that is absent and marked unknown
is *unset* where the configuration has no expression for it (the provider's default applies), and
*unknown* where it has one. Attributes of a `dynamic` block have no expressions at all, so inside
a block that is there without being written, unknown stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gpuadvisor.iac.fieldmap import Path, Reference
from gpuadvisor.iac.terraform_config import (
    Configuration,
    Literal,
    Module,
    mapping,
    module_path,
    sequence,
)
from gpuadvisor.iac.trees import any_true, branch, elements, find, mask, written_below
from gpuadvisor.iac.view import SENSITIVE, UNKNOWN, Opaque, clean

Change = Mapping[str, Any]

_NOT_WRITTEN: Mapping[str, Any] = {}
_IDENTITIES = ("id", "name", "arn", "self_link", "self_link_unique")


class Plan:
    """The resource changes of one plan, findable by configuration name and by identity."""

    def __init__(self, plan: Mapping[str, Any], changes: Sequence[Change]) -> None:
        self.configuration = Configuration(plan)
        self._plan, self._changes = plan, changes
        self._by_name: dict[tuple[Module, str], list[Change]] | None = None
        self._by_identity: dict[str, list[Change]] | None = None

    def named(self, module: Module, name: str) -> list[Change]:
        """All instances of `type.name` in a module (every instance of the module)."""
        if self._by_name is None:
            self._by_name = {}
            for change in (*self._changes, *_data_sources(self._plan)):
                key = (
                    module_path(change.get("module_address")),
                    f"{change.get('type')}.{change.get('name')}",
                )
                self._by_name.setdefault(key, []).append(change)
        return self._by_name.get((module, name), [])

    def identified(self, value: str, types: Sequence[str]) -> list[Change]:
        """Resources of some types whose id, name, ARN or link is `value`, or ends it."""
        if self._by_identity is None:
            self._by_identity = {}
            for change in self._changes:
                inner = change.get("change")
                if not isinstance(inner, dict):
                    continue
                seen = {
                    side[key]
                    for side in (inner.get("before"), inner.get("after"))
                    if isinstance(side, dict)
                    for key in _IDENTITIES
                    if isinstance(side.get(key), str) and side[key]
                }
                for identity in seen:
                    self._by_identity.setdefault(identity.casefold(), []).append(change)
        for key in (value.casefold(), value.rsplit("/", 1)[-1].casefold()):
            found = [c for c in self._by_identity.get(key, ()) if c.get("type") in types]
            if found:
                return found
        return []


def _data_sources(plan: Mapping[str, Any]) -> Iterator[Change]:
    """What data sources read during planning, as changes whose type begins with `data.`."""
    values = mapping(mapping(plan.get("prior_state")).get("values"))
    modules = [mapping(values.get("root_module"))]
    while modules:
        module = modules.pop()
        modules.extend(mapping(child) for child in sequence(module.get("child_modules")))
        for item in sequence(module.get("resources")):
            if isinstance(item, dict) and item.get("mode") == "data":
                yield {
                    "address": item.get("address"),
                    "module_address": module.get("address"),
                    "type": f"data.{item.get('type')}",
                    "name": item.get("name"),
                    "index": item.get("index"),
                    "change": {"after": item.get("values"), "before": None},
                }


class PlanView:
    """See `view.View`. `before` reads the state before the change instead of the planned one."""

    __slots__ = (
        "_dynamic",
        "_expressions",
        "_root",
        "_sensitive",
        "_unknown",
        "_values",
        "_written_entry",
        "before",
        "change",
        "plan",
    )

    def __init__(
        self, plan: Plan, change: Change, before: bool = False, root: PlanView | None = None
    ) -> None:
        self.plan, self.change, self.before = plan, change, before
        self._root = root or self
        inner = change["change"]
        self._values: Any = inner.get("before" if before else "after")
        self._unknown: Any = None if before else inner.get("after_unknown")
        self._sensitive: Any = inner.get("before_sensitive" if before else "after_sensitive")
        self._expressions: Any = None
        self._written_entry: Mapping[str, Any] | None = None
        self._dynamic = False

    @property
    def address(self) -> str:
        return clean(str(self.change.get("address", "")))

    @property
    def kind(self) -> str:
        return str(self.change.get("type", ""))

    @property
    def values(self) -> Any:
        """The values as they stand, secrets included: only for looking at keys."""
        return self._values

    def _written(self) -> Any:
        if self._expressions is None:
            entry = self._entry()
            found = entry.get("expressions")
            self._expressions = found if isinstance(found, dict) else _NOT_WRITTEN
        return self._expressions

    def _entry(self) -> Mapping[str, Any]:
        if self._root is not self:
            return self._root._entry()
        if self._written_entry is None:
            change = self.change
            module = module_path(change.get("module_address"))
            name = f"{change.get('type')}.{change.get('name')}"
            self._written_entry = self.plan.configuration.resource(module, name)
        return self._written_entry

    def get(self, path: Path) -> Any:
        if path and path[0] == "/":
            return self._root.get(path[1:])
        if not path:
            return SENSITIVE if any_true(self._sensitive) else self._values
        value, first = self._values, path[0]
        if value.__class__ is dict:
            # Most paths end here, and a plan of thousands of machines repeats them.
            found = value.get(first)
            if found is None:
                unknown = self._unknown
                if unknown is None or (unknown.__class__ is dict and not unknown.get(first)):
                    return None
                if not self._dynamic and first not in self._written():
                    return None
            elif len(path) == 1:
                hidden = self._sensitive
                if hidden.__class__ is dict:
                    hidden = hidden.get(first)
                return found if not hidden or not any_true(hidden) else SENSITIVE
        written = self._written()
        return find(
            value, self._unknown, self._sensitive, written, self._dynamic, path, self._strict
        )

    @property
    def _strict(self) -> bool:
        return self.plan.configuration.present

    def masked(self, path: Path = ()) -> Any:
        """The whole value with every secret in it replaced; for bodies that are read further."""
        value, hidden = self._values, self._sensitive
        for key in path:
            value, hidden = branch(value, key), branch(hidden, key)
        return mask(value, hidden)

    def blocks(self, path: Path) -> Sequence[PlanView] | Opaque:
        if path and path[0] == "/":
            return self._root.blocks(path[1:])
        states = [(self._values, self._unknown, self._sensitive, self._written())]
        for key in path:
            below: list[tuple[Any, Any, Any, Any]] = []
            for value, unknown, hidden, written in states:
                for v, u, s, w in elements(value, unknown, hidden, written):
                    here = (branch(v, key), branch(u, key), branch(s, key))
                    below.append((*here, written_below(w, key)))
            states = below
        if any(hidden is True for _, _, hidden, _ in states):
            return SENSITIVE
        found = [self._block(*part) for state in states for part in elements(*state)]
        if not found and any(v is None and u is True and w for v, u, _, w in states):
            return UNKNOWN
        return found

    def _block(self, value: Any, unknown: Any, hidden: Any, written: Any) -> PlanView:
        block = PlanView(self.plan, self.change, self.before, self._root)
        block._values, block._unknown = value, unknown
        block._sensitive, block._expressions = hidden, written or _NOT_WRITTEN
        block._dynamic = self._dynamic or (self._strict and not written)
        return block

    def prior(self, path: Path) -> Any:
        """Only create plans lack a before; secrets of the state are kept back too."""
        return PlanView(self.plan, self.change, True).get(path)

    def setting(self, path: Path) -> Any:
        key = self._entry().get("provider_config_key")
        return self.plan.configuration.setting(key, path[-1])

    def refers(self, reference: Reference) -> bool:
        value = self.get(reference.path)
        return value is not None and value != "" and value != []

    def follow(self, reference: Reference) -> Sequence[PlanView]:
        value = self.get(reference.path)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        found: list[Change] = []
        if isinstance(value, str) and value:
            found = self.plan.identified(value, reference.targets)
        if not found:
            found = self._referenced(reference)
        return [PlanView(self.plan, change, self._reads_before(change)) for change in found]

    def _reads_before(self, other: Change) -> bool:
        """A before refers to a before, unless the other resource has only one side."""
        inner = other["change"]
        return (
            self.before
            if isinstance(inner.get("before"), dict)
            else False or not isinstance(inner.get("after"), dict)
        )

    def _referenced(self, reference: Reference) -> list[Change]:
        path = reference.path
        holder = self._root if path[0] == "/" else self
        expression: Any = holder._written()
        for key in path[1:] if path[0] == "/" else path:
            if isinstance(expression, list):
                expression = next((e for e in expression if branch(e, key) is not None), None)
            expression = branch(expression, key)
        if not isinstance(expression, dict):
            return []
        module = module_path(self.change.get("module_address"))
        for end in self.plan.configuration.ends(expression, module):
            if isinstance(end, Literal):
                if isinstance(end.value, str) and end.value:
                    return self.plan.identified(end.value, reference.targets)
            elif end.name.rpartition(".")[0] in reference.targets:
                found = self._narrow(self.plan.named(end.module, end.name), end.instance)
                if found:
                    return found
        return []

    def _narrow(self, found: list[Change], index: str | None) -> list[Change]:
        """Of several instances: the index written, else the same module, else the same index."""
        own = self.change
        if index is not None:
            found = [c for c in found if str(c.get("index")) == index] or found
        if len(found) > 1:
            near = [c for c in found if c.get("module_address") == own.get("module_address")]
            found = near or found
        if len(found) > 1 and own.get("index") is not None:
            found = [c for c in found if c.get("index") == own["index"]] or found
        return found
