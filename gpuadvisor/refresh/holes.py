"""When an answer has rather lost something than the cloud stopped selling it."""

from __future__ import annotations

from collections.abc import Set

FEW = 3


def is_hole(before: Set[str], now: Set[str]) -> bool:
    """Whether more than half of the types that had a price are missing; below `FEW` types nobody
    can tell. What lies in a hole is not called gone."""
    return len(before) >= FEW and 2 * len(before & now) < len(before)
