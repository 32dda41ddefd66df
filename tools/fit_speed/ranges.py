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
    off = np.array([miss.error / (pooled.base + pooled.slope * miss.log_ratio) for miss in misses])
    families = len({miss.family for miss in misses})
    own = log(max(0.2, _quantile(off, _weights(misses))))
    scale = exp(own * families / (families + PRIOR_FAMILIES))
    return Width(pooled.base * scale, min(0.8, pooled.slope * scale))


def coverage(misses: Sequence[Miss], width: Width) -> float:
    """The share of misses inside a width, families counting equally."""
    inside = [miss.error <= width.base + width.slope * miss.log_ratio for miss in misses]
    weight = _weights(misses)
    return float(np.sum(weight * inside) / np.sum(weight))


def _weights(misses: Sequence[Miss]) -> npt.NDArray[np.float64]:
    counts = Counter(miss.family for miss in misses)
    return np.array([counts[miss.family] ** -0.5 for miss in misses])


def _quantile(values: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weight[order]) / np.sum(weight)
    return float(values[order][np.searchsorted(reached, SHARE)])
