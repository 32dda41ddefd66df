"""Small spot traces in the statistics of the public ones, and a job replayed on them.

The public traces (skypilot-org/spot-traces@221da1a, AWS V100 2022-23) are availability probes of
weeks; only their summary is used here: mean time up 1-3.35 h, mean time off 0.8-3.6 h, up-times
from exponential (coefficient of variation 1) to heavy-tailed (1.4).
"""

from __future__ import annotations

import random
from typing import NamedTuple


class Trace(NamedTuple):
    """Alternating hours up and off, beginning with up."""

    up: list[float]
    off: list[float]


def rebuilt(mtti: float, off: float, variation: float, spells: int, seed: int) -> Trace:
    """A renewal trace with these means; up-times hyperexponential where `variation` is above 1."""
    draw = random.Random(seed)
    # Balanced-means hyperexponential: two rates with mean shares of one half each.
    share = 0.5 * (1 + ((variation**2 - 1) / (variation**2 + 1)) ** 0.5)

    def up() -> float:
        first = draw.random() < share
        rate = 2 * (share if first else 1 - share) / mtti
        return draw.expovariate(rate)

    return Trace([up() for _ in range(spells)], [draw.expovariate(1 / off) for _ in range(spells)])


def replay(
    trace: Trace, start: int, work: float, interval: float, checkpoint: float, restart: float
) -> tuple[float, float]:
    """Billed and elapsed hours of a job that begins with spell `start` and wraps around."""
    done = billed = elapsed = 0.0
    spell, first = start, True
    while True:
        here = trace.up[spell % len(trace.up)]
        used = 0.0 if first else restart
        first = False
        while used <= here:
            if used + interval + checkpoint > here:
                break
            used += interval + checkpoint
            done += interval
            if done >= work - 1e-9:
                return billed + used, elapsed + used
        billed += here
        elapsed += here + trace.off[spell % len(trace.off)]
        spell += 1
