"""Trees of one shape side by side: values, what is unknown, what is secret, what was written.

`true` in a marking tree holds for everything beneath it.
"""

from __future__ import annotations

from typing import Any

from gpuadvisor.iac.fieldmap import Path
from gpuadvisor.iac.view import SENSITIVE, UNKNOWN, Opaque


def branch(tree: Any, key: str) -> Any:
    """The branch of a tree; `true` holds for everything beneath it."""
    if tree.__class__ is dict:
        return tree.get(key)
    return True if tree is True else None


def written_below(tree: Any, key: str) -> Any:
    """The branch of a tree of expressions; one expression for a whole object holds for its
    fields (`resources = var.resources`)."""
    if tree.__class__ is dict and tree.get("references").__class__ is list:
        return tree
    return branch(tree, key)


def item_of(tree: Any, index: int) -> Any:
    """The branch of a marking tree for one element of a list."""
    if tree.__class__ is list:
        return tree[index] if index < len(tree) else None
    # A block that is not repeated in the configuration stands for each of its copies.
    return tree


def elements(value: Any, unknown: Any, hidden: Any, written: Any) -> list[tuple[Any, ...]]:
    """The blocks of a list (a single block counts as a list of one), with their markings."""
    if value.__class__ is list:
        return [
            (item, item_of(unknown, i), item_of(hidden, i), item_of(written, i))
            for i, item in enumerate(value)
            if isinstance(item, dict)
        ]
    return [(value, unknown, hidden, written)] if isinstance(value, dict) else []


def find(
    value: Any,
    unknown: Any,
    hidden: Any,
    written: Any,
    dynamic: bool,
    path: Path,
    strict: bool,
) -> Any:
    """Walk the four trees; lists are entered, and the first element with the value counts."""
    for depth, key in enumerate(path):
        if value.__class__ is list:
            blocked = None
            for i, item in enumerate(value):
                here = item_of(written, i)
                found = find(
                    item,
                    item_of(unknown, i),
                    item_of(hidden, i),
                    here,
                    dynamic or (strict and not here),
                    path[depth:],
                    strict,
                )
                if isinstance(found, Opaque):
                    blocked = blocked or found
                elif found is not None:
                    return found
            return blocked
        if hidden is True:
            return SENSITIVE
        if value is not None and value.__class__ is not dict:
            return None
        value, unknown = branch(value, key), branch(unknown, key)
        hidden, written = branch(hidden, key), written_below(written, key)
        if value is None and unknown is None:
            return None
    if value is not None:
        return SENSITIVE if hidden and any_true(hidden) else value
    return UNKNOWN if unknown is True and (written or dynamic) else None


def mask(value: Any, hidden: Any) -> Any:
    """The value with every secret in it replaced by `SENSITIVE`."""
    if hidden is True:
        return SENSITIVE if value is not None else None
    if hidden and value.__class__ is dict:
        return {key: mask(inner, branch(hidden, key)) for key, inner in value.items()}
    if hidden and value.__class__ is list:
        return [mask(inner, item_of(hidden, i)) for i, inner in enumerate(value)]
    return value


def any_true(tree: Any) -> bool:
    """Is anything in a sensitivity tree marked. JSON depth is bounded by the reader."""
    if tree.__class__ is dict:
        return any(any_true(branch) for branch in tree.values())
    if tree.__class__ is list:
        return any(any_true(branch) for branch in tree)
    return tree is True
