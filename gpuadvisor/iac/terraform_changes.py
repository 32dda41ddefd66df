"""Resource changes of a plan: which count, what is done, what is worth saying about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac import interface
from gpuadvisor.iac.interface import Finding
from gpuadvisor.iac.terraform_view import Change
from gpuadvisor.iac.view import clean

_ACTIONS = {
    ("no-op",): interface.NO_OP,
    ("create",): interface.CREATE,
    ("update",): interface.UPDATE,
    ("delete",): interface.DELETE,
    ("delete", "create"): interface.REPLACE,
    ("create", "delete"): interface.REPLACE,
    ("forget",): interface.FORGET,
}


def managed(change: Any) -> TypeGuard[Change]:
    """Managed, not a leftover (`deposed`), and shaped like a change."""
    return (
        isinstance(change, dict)
        and change.get("mode", "managed") == "managed"
        and "deposed" not in change
        and isinstance(change.get("change"), dict)
        and isinstance(change.get("type"), str)
        and isinstance(change.get("address"), str)
    )


def action_of(change: Change) -> str:
    """One word for the list of actions; an unknown list is an update."""
    actions = change["change"].get("actions")
    key = tuple(str(item) for item in actions) if isinstance(actions, list) else ()
    return _ACTIONS.get(key, interface.UPDATE)


def is_left_behind(change: Change) -> bool:
    """OpenTofu replaces a resource with `destroy = false` by forgetting it."""
    actions = change["change"].get("actions")
    return isinstance(actions, list) and actions in (["create", "forget"], ["forget", "create"])


def has_side(change: Change, side: str) -> bool:
    """Has the change a `before`, or an `after`."""
    return isinstance(change["change"].get(side), dict)


def history(change: Change, action: str) -> Iterator[Message]:
    """What happens to the resource beside its cost: forgotten, moved, imported."""
    if action == interface.FORGET:
        yield message("iac.forgotten")
    if isinstance(moved := change.get("previous_address"), str):
        yield message("iac.moved", address=clean(moved))
    if change["change"].get("importing"):
        yield message("iac.imported")


def distinct(reasons: tuple[Message, ...]) -> tuple[Message, ...]:
    """Each reason once, in order; messages hold mappings and cannot be hashed."""
    kept: list[Message] = []
    for reason in reasons:
        if reason not in kept:
            kept.append(reason)
    return tuple(kept)


def placed(found: list[Finding]) -> Iterator[Finding]:
    """Give demand the region of the one place where the same plan rents fitting nodes."""
    regions = {
        f.after.region
        for f in found
        if f.side == interface.SUPPLY and f.after is not None and f.after.region
    }
    for finding in found:
        after = finding.after
        if finding.side == interface.DEMAND and after is not None and len(regions) == 1:
            placed = after._replace(region=next(iter(regions)), region_evidence="supply")
            finding = finding._replace(after=placed if after.region is None else after)
        yield finding
