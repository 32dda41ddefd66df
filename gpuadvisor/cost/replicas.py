"""How many spot replicas keep enough of them up (design notes F10).

Replicas of one region are lost together at times; those of different regions are independent.
"""

from collections.abc import Sequence
from math import ceil, comb

Groups = Sequence[tuple[int, float]]
"""Regions as (replicas, chance that one is up)."""

TOGETHER = 0.43
"""Correlation of availability between zones of one region: .25-.59, mean .43, in the V100 traces
of 2023 (skypilot-org/spot-traces); between regions it was .14 and is taken as none."""


def up_distribution(groups: Groups, together: float = TOGETHER) -> list[float]:
    """Chance of each number of replicas up.

    With probability `together` all replicas of a region share one fate, else each has its own:
    their pairwise correlation is then `together`.
    """
    total = [1.0]
    for replicas, up in groups:
        part = [
            (1 - together) * comb(replicas, k) * up**k * (1 - up) ** (replicas - k)
            for k in range(replicas + 1)
        ]
        part[0] += together * (1 - up)
        part[replicas] += together * up
        joined = [0.0] * (len(total) + replicas)
        for have, chance in enumerate(total):
            for k, share in enumerate(part):
                joined[have + k] += chance * share
        total = joined
    return total


def at_least(needed: int, groups: Groups, together: float = TOGETHER) -> float:
    """Chance that `needed` replicas are up."""
    return sum(up_distribution(groups, together)[needed:])


def unmet_share(needed: int, groups: Groups, together: float = TOGETHER) -> float:
    """Expected share of `needed` that is missing."""
    chances = up_distribution(groups, together)[:needed]
    return sum((needed - k) * chance for k, chance in enumerate(chances)) / needed


def replicas_for(
    needed: int, up: float, target: float, regions: int, together: float = TOGETHER
) -> int | None:
    """Fewest replicas in each of `regions` of which `needed` are up with chance `target`.

    None where even `needed` in every region are not enough.
    """
    for each in range(ceil(needed / regions), needed + 1):
        if at_least(needed, [(each, up)] * regions, together) >= target:
            return each
    return None
