"""A resource of a CloudFormation template as a `View`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gpuadvisor.iac.cfn_values import Template
from gpuadvisor.iac.fieldmap import Path, Reference
from gpuadvisor.iac.view import Opaque, clean

_MAX_DEPTH = 40


class TemplateView:
    """See `view.View`. A template has no state and no provider settings."""

    def __init__(
        self, template: Template, name: str, values: Any = None, root: TemplateView | None = None
    ) -> None:
        self._template, self._name = template, name
        resource = template.resources[name]
        self._kind = str(resource.get("Type", ""))
        self._values = resource.get("Properties") if root is None else values
        self._root = root or self

    @property
    def address(self) -> str:
        return clean(self._name)

    @property
    def kind(self) -> str:
        return self._kind

    def get(self, path: Path) -> Any:
        if path and path[0] == "/":
            return self._root.get(path[1:])
        return self._find(self._values, path, 0)

    def _find(self, raw: Any, path: Path, depth: int) -> Any:
        value = self._template.value(raw)
        if depth > _MAX_DEPTH or isinstance(value, Opaque):
            return value if isinstance(value, Opaque) else None
        if not path:
            if isinstance(value, list):
                return [self._template.value(item) for item in value]
            return value
        if isinstance(value, list):
            blocked: Opaque | None = None
            for item in value:
                found = self._find(item, path, depth + 1)
                if isinstance(found, Opaque):
                    blocked = blocked or found
                elif found is not None:
                    return found
            return blocked
        if isinstance(value, dict):
            return self._find(value.get(path[0]), path[1:], depth)
        return None

    def blocks(self, path: Path) -> Sequence[TemplateView] | Opaque:
        if path and path[0] == "/":
            return self._root.blocks(path[1:])
        found: list[Any] = []
        for value in self._reach(self._values, path):
            if isinstance(value, Opaque):
                return value
            found.append(value)
        return [TemplateView(self._template, self._name, v, self._root) for v in found]

    def _reach(self, raw: Any, path: Path) -> Iterator[Any]:
        value = self._template.value(raw)
        if isinstance(value, list):
            for item in value:
                yield from self._reach(item, path)
        elif isinstance(value, Opaque):
            yield value
        elif isinstance(value, dict):
            if path:
                yield from self._reach(value.get(path[0]), path[1:])
            else:
                yield value

    def follow(self, reference: Reference) -> Sequence[TemplateView]:
        name = _referred(self._raw(reference.path))
        target = self._template.resources.get(name) if name is not None else None
        if name is None or not isinstance(target, dict):
            return ()
        if target.get("Type") not in reference.targets:
            return ()
        return (TemplateView(self._template, name),)

    def refers(self, reference: Reference) -> bool:
        return self._raw(reference.path) not in (None, "", [], {})

    def _raw(self, path: Path) -> Any:
        """The last field before its functions are applied, so that a Ref can be followed."""
        *above, last = path[1:] if path and path[0] == "/" else path
        start = self._root if path and path[0] == "/" else self
        holders = start.blocks(tuple(above))
        if isinstance(holders, Opaque):
            return None
        for holder in holders:
            block = holder.get(())
            if isinstance(block, dict) and block.get(last) is not None:
                return block[last]
        return None

    def prior(self, path: Path) -> Any:
        return None

    def setting(self, path: Path) -> Any:
        return None


def _referred(raw: Any) -> str | None:
    """The logical id behind `Ref`, `Fn::GetAtt` or the only name of a `Fn::Sub`."""
    if not isinstance(raw, dict) or len(raw) != 1:
        return None
    (name, argument), *_ = raw.items()
    if name == "Ref":
        return argument if isinstance(argument, str) else None
    if name == "Fn::GetAtt":
        first = argument[0] if isinstance(argument, list) and argument else argument
        return first.split(".")[0] if isinstance(first, str) else None
    if name == "Fn::Sub" and isinstance(argument, str) and argument.count("${") == 1:
        inner = argument.partition("${")[2].partition("}")[0]
        return inner.split(".")[0].strip()
    return None
