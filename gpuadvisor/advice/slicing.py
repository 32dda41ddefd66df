"""A device cut into MIG slices with one process in each, where that does more than the whole.

Measured slices have the speed of the tables, others that of the model for their shares. They own
their memory and bandwidth, so their rates add up; they share nothing, so one process never
spans two of them.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gpuadvisor.catalog.model import Partition
from gpuadvisor.performance.partitions import most_of
from gpuadvisor.performance.speed import SPEC, Ratio

WORTH = 1.05
"""Slices must do so much more than the whole device before they are worth their trouble."""


class Cut(NamedTuple):
    """So many slices of a profile on each device; `ratio` is the speed of one of them."""

    profile: str
    slices: int
    ratio: Ratio


def best_cut(
    partitions: Sequence[Partition],
    device: str,
    need_gib: float,
    most_processes: int,
    ratio: Callable[[str], Ratio | None],
    whole: float,
    slowest: float | None,
) -> Cut | None:
    """The profile whose slices together are fastest, or None where the whole device is.

    `whole` is the rate of the whole device and `slowest` the least that one process may do, both
    over the reference device's. Speeds that rest on a data sheet alone decide nothing.
    """
    best: Cut | None = None
    for partition in partitions:
        plain = "+" not in partition.profile and "-" not in partition.profile
        if not plain or partition.memory_gib is None or partition.memory_gib < need_gib:
            continue
        slices = min(most_of(partition), most_processes)
        found = ratio(f"{device}:{partition.profile}") if slices > 1 else None
        if found is None or found.basis == SPEC:
            continue
        if slowest is not None and found.expected < slowest:
            continue
        rate = slices * found.expected
        if rate > WORTH * (whole if best is None else best.slices * best.ratio.expected):
            best = Cut(partition.profile, slices, found)
    return best
