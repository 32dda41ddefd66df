"""A tree of plain YAML or JSON values as a `View`: no state, no references, only what is written.

Placeholders that nobody rendered are opaque, also those that people write for others to fill in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from gpuadvisor.iac.fieldmap import Path, Reference
from gpuadvisor.iac.pods import opaque
from gpuadvisor.iac.view import PLACEHOLDER, Opaque, clean

_TO_FILL_IN = re.compile(
    r"<[^<>]*>$|(?:PLACEHOLDER|YOUR|REPLACE|CHANGE|INSERT|TODO)(?:[-_ ]|$)", re.IGNORECASE
)


class PlainView:
    """See `view.View`. `kind` is the field map's name of what the tree describes."""

    def __init__(self, address: str, kind: str, values: Any, root: PlainView | None = None) -> None:
        self._address, self._kind, self._values = address, kind, values
        self._root = root or self

    @property
    def address(self) -> str:
        return clean(self._address)

    @property
    def kind(self) -> str:
        return self._kind

    def get(self, path: Path) -> Any:
        if path and path[0] == "/":
            return self._root.get(path[1:])
        return _readable(_find(self._values, path))

    def blocks(self, path: Path) -> Sequence[PlainView] | Opaque:
        if path and path[0] == "/":
            return self._root.blocks(path[1:])
        found: list[Any] = []
        for value in _reach(self._values, path):
            if isinstance(value, dict):
                found.append(value)
            elif (blocked := opaque(value)) is not None:
                return blocked
        return [PlainView(self._address, self._kind, item, self._root) for item in found]

    def follow(self, reference: Reference) -> Sequence[PlainView]:
        return ()

    def refers(self, reference: Reference) -> bool:
        return self.get(reference.path) not in (None, "", [], {})

    def prior(self, path: Path) -> Any:
        return None

    def setting(self, path: Path) -> Any:
        return None


def placeholder(value: Any) -> Opaque | None:
    """Why a written value means nothing yet, or None."""
    blocked = opaque(value)
    if blocked is None and isinstance(value, str) and _TO_FILL_IN.match(value):
        return PLACEHOLDER
    return blocked


def _readable(value: Any) -> Any:
    if isinstance(value, list):
        return [placeholder(item) or item for item in value]
    return placeholder(value) or value


def _find(value: Any, path: Path) -> Any:
    """Lists are entered, and the first element with the value counts."""
    for depth, key in enumerate(path):
        if isinstance(value, list):
            found = (_find(item, path[depth:]) for item in value)
            return next((item for item in found if item is not None), None)
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _reach(value: Any, path: Path) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from _reach(item, path)
    elif not path:
        yield value
    elif isinstance(value, dict):
        yield from _reach(value.get(path[0]), path[1:])
