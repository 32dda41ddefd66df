"""Measured pairs of devices: what one group says about one device over another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from statistics import median
from typing import NamedTuple

from tools.fit_speed.rows import Row


class Observation(NamedTuple):
    """Log performance of the first over the second device in one group."""

    family: str
    publisher: str
    source: str
    log_ratio: float


class Summary(NamedTuple):
    """Median over families of their medians, with the spread of the groups (p10, p90)."""

    log_ratio: float
    low: float
    high: float
    groups: int
    families: int
    sources: tuple[str, ...]


PairKey = tuple[str, str, str, str]
"""Class, workload (empty: any of the class), first and second device in alphabetic order."""


class Evidence:
    """All measured pairs of a set of groups."""

    def __init__(self, groups: Iterable[Sequence[Row]]) -> None:
        self._pairs: dict[PairKey, list[Observation]] = {}
        for rows in groups:
            for one, other in combinations(sorted(rows, key=lambda row: row.device), 2):
                if one.device == other.device:
                    continue
                seen = Observation(
                    one.family, one.publisher, one.source, one.performance - other.performance
                )
                for workload in ("", one.key("workload")):
                    key = (one.workload_class, workload, one.device, other.device)
                    self._pairs.setdefault(key, []).append(seen)

    def __iter__(self) -> Iterator[tuple[PairKey, Summary]]:
        for key in sorted(self._pairs):
            yield key, summarise(self._pairs[key])

    def without(
        self, one: Row, other: Row, workload: str, left_out: str
    ) -> tuple[float, int] | None:
        """Median log ratio and number of families, without the block of `one`.

        `left_out` is `family` or `publisher`: the block whose measurements are not to be seen.
        """
        first, second, sign = one.device, other.device, 1.0
        if first > second:
            first, second, sign = second, first, -1.0
        block = getattr(one, left_out)
        by_family: dict[str, list[float]] = {}
        for seen in self._pairs.get((one.workload_class, workload, first, second), ()):
            if getattr(seen, left_out) != block:
                by_family.setdefault(seen.family, []).append(seen.log_ratio)
        if not by_family:
            return None
        return sign * median(median(values) for values in by_family.values()), len(by_family)


def summarise(observations: Sequence[Observation]) -> Summary:
    """Families count once each, so that a family of many groups does not outvote the rest."""
    by_family: dict[str, list[float]] = {}
    for seen in observations:
        by_family.setdefault(seen.family, []).append(seen.log_ratio)
    middle = median(median(values) for values in by_family.values())
    ordered = sorted(seen.log_ratio for seen in observations)
    counted = Counter(seen.source for seen in observations)
    return Summary(
        log_ratio=middle,
        # A large family that differs from the others may lie to one side of their median.
        low=min(middle, ordered[int(0.1 * (len(ordered) - 1) + 0.5)]),
        high=max(middle, ordered[int(0.9 * (len(ordered) - 1) + 0.5)]),
        groups=len(observations),
        families=len(by_family),
        sources=tuple(sorted(counted, key=lambda source: (-counted[source], source))[:3]),
    )
