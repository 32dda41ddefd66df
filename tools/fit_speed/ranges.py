"""How wide the ranges must be: the 80 % range of each basis from left-out measurements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tools.fit_speed.crossval import Miss

SHARE = 0.8
SLOPES = np.arange(0.0, 0.65, 0.05)
PRIOR_FAMILIES = 4.0
"""A class's own width counts as much as that of all classes when it rests on so many families."""


class Width(NamedTuple):
    """Half of the range in log units: base + slope x |log ratio|."""

    base: float
    slope: float

    def at(self, log_ratio: float) -> float:
        """Half of the range of a pair that far apart."""
        return self.base + self.slope * log_ratio


def pooled_width(misses: Sequence[Miss]) -> Width:
    """Least pinball loss over slopes; for each slope the base is the weighted quantile."""
    size = np.array([miss.log_ratio for miss in misses])
    off = np.array([miss.error for miss in misses])
    weight = _weights(misses)
    best, least = Width(0.3, 0.0), float("inf")
    for slope in SLOPES:
        base = max(0.01, _quantile(off - slope * size, weight))
        beyond = off - base - slope * size
        loss = float(np.sum(weight * np.where(beyond > 0, SHARE * beyond, (SHARE - 1) * beyond)))
        if loss < least:
            best, least = Width(base, float(slope)), loss
    return best


def class_width(misses: Sequence[Miss], pooled: Width) -> Width:
    """The pooled width, scaled to a class as far as its number of families can tell."""
    if not misses:
        return pooled
    off = np.array([miss.error / pooled.at(miss.log_ratio) for miss in misses])
    families = len({miss.family for miss in misses})
    own = log(max(0.2, _quantile(off, _weights(misses))))
    scale = exp(own * families / (families + PRIOR_FAMILIES))
    return Width(pooled.base * scale, min(0.8, pooled.slope * scale))


def share_held(held: Sequence[tuple[Miss, bool]]) -> float:
    """The share of misses inside their ranges, large families counting less."""
    weight = _weights([miss for miss, _ in held])
    return float(np.sum(weight * np.array([inside for _, inside in held])) / np.sum(weight))


def _weights(misses: Sequence[Miss]) -> npt.NDArray[np.float64]:
    """A family counts by the square root of its pairs, both cross-validations the same.

    The one has several times the pairs, but a user's own case may be as new as a new publisher.
    """
    pairs = Counter((miss.left_out, miss.family) for miss in misses)
    total: dict[str, float] = {}
    for (left_out, _), count in pairs.items():
        total[left_out] = total.get(left_out, 0.0) + count**0.5
    return np.array(
        [pairs[m.left_out, m.family] ** -0.5 / total[m.left_out] for m in misses], dtype=float
    )


def _quantile(values: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weight[order]) / np.sum(weight)
    position = min(int(np.searchsorted(reached, SHARE)), len(values) - 1)
    return float(values[order][position])
