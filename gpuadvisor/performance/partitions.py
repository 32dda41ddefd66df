"""Which MIG slices a card really holds at once, and what of the card is left over.

A layout is valid if and only if no two instances overlap in memory slices, each standing at one
of its profile's placements, and at most one has the media engines (`+me`). Counting compute
slices adds nothing once placements are respected (enumerated; NVIDIA MIG User Guide, supported
profiles).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from gpuadvisor.catalog.model import Partition

_SINGLE = ("+me", "+me.all")
"""Endings of profiles that take the media engines, which only one instance can have."""
MOST_MIXED = 200
"""Instances of a mixed demand that are packed exactly; beyond, a bound is given."""


class Placed(NamedTuple):
    """One instance: its profile, and the memory slices `start` to `start` + `size` - 1."""

    profile: str
    start: int
    size: int


class Layout(NamedTuple):
    """A way of cutting one card. Shares are of the whole card; what is missing to 1 is waste."""

    instances: tuple[Placed, ...]
    memory_share: float
    compute_share: float | None

    @property
    def profiles(self) -> tuple[str, ...]:
        """Names of the profiles, sorted: layouts that differ in places alone agree in them."""
        return tuple(sorted(placed.profile for placed in self.instances))


def most_of(partition: Partition) -> int:
    """How many instances of one profile a card holds by its placements."""
    if partition.profile.endswith(_SINGLE):
        return 1
    taken, end = 0, -1
    for start in sorted(partition.placements):
        if start > end:
            taken, end = taken + 1, start + partition.size - 1
    return taken


def place(partitions: Sequence[Partition], wanted: Mapping[str, int]) -> tuple[Placed, ...] | None:
    """Where the wanted instances go on one card, or None if they do not fit together.

    KeyError for a profile that the card does not have. Starts as the driver should be asked for
    them: an order of creation that takes the wrong places first can leave no room.
    """
    by_name = {partition.profile: partition for partition in partitions}
    queue = [by_name[name] for name, count in wanted.items() for _ in range(count)]
    if sum(p.profile.endswith(_SINGLE) for p in queue) > 1:
        return None
    queue.sort(key=lambda p: (-p.size, len(p.placements), p.profile))
    return _place(queue, 0)


def _place(queue: Sequence[Partition], used: int) -> tuple[Placed, ...] | None:
    if not queue:
        return ()
    first = queue[0]
    # The highest place first: slices of one unit cannot stand in the last one, so large
    # profiles are best put where they leave the low places free.
    for start in sorted(first.placements, reverse=True):
        mask = _mask(start, first.size)
        if used & mask:
            continue
        rest = _place(queue[1:], used | mask)
        if rest is not None:
            return (Placed(first.profile, start, first.size), *rest)
    return None


def _mask(start: int, size: int) -> int:
    return ((1 << size) - 1) << start


def maximal_layouts(partitions: Sequence[Partition]) -> tuple[Layout, ...]:
    """Every placement to which no further instance can be added, in a stable order."""
    spots = sorted(
        (start, partition.size, partition.profile)
        for partition in partitions
        for start in partition.placements
    )
    found = [
        tuple(Placed(name, start, size) for start, size, name in chosen)
        for chosen in _maximal(tuple(spots), 0, 0, False)
    ]
    return tuple(_layout(partitions, instances) for instances in found)


Spot = tuple[int, int, str]


def _maximal(
    spots: tuple[Spot, ...], index: int, used: int, single: bool
) -> Iterator[tuple[Spot, ...]]:
    """Choose spots in order of their start; a choice is kept if nothing else could be added."""
    if index == len(spots):
        full = all(
            used & _mask(start, size) or (single and name.endswith(_SINGLE))
            for start, size, name in spots
        )
        if full:
            yield ()
        return
    start, size, name = spots[index]
    mask, alone = _mask(start, size), name.endswith(_SINGLE)
    if not used & mask and not (alone and single):
        for rest in _maximal(spots, index + 1, used | mask, single or alone):
            yield (spots[index], *rest)
    yield from _maximal(spots, index + 1, used, single)


def _layout(partitions: Sequence[Partition], instances: tuple[Placed, ...]) -> Layout:
    by_name = {partition.profile: partition for partition in partitions}
    shares = [by_name[placed.profile].sm_share for placed in instances]
    compute = None if None in shares else sum(share for share in shares if share is not None)
    memory = sum(by_name[placed.profile].memory_share for placed in instances)
    return Layout(instances, memory, compute)


# -- how many cards -----------------------------------------------------------------------------


class Slices(NamedTuple):
    """Cards for so many instances. `held` could stand on those cards, `wanted` do; `leftover`
    is the share of the cards' memory that no wanted instance owns."""

    profile: str
    wanted: int
    per_card: int
    cards: int
    held: int
    leftover: float


def slices(partition: Partition, wanted: int) -> Slices:
    """Cards that hold `wanted` instances of one profile, and what is paid for unused."""
    per_card = most_of(partition)
    cards = max(1, ceil(wanted / per_card))
    leftover = 1.0 - wanted * partition.memory_share / cards
    return Slices(partition.profile, wanted, per_card, cards, per_card * cards, leftover)


def cards_for(partitions: Sequence[Partition], wanted: Mapping[str, int]) -> int | None:
    """The fewest cards that hold a mixed demand; None if one of its profiles does not exist.

    Exact up to `MOST_MIXED` instances of at most four profiles; beyond that an upper bound:
    each profile on cards of its own.
    """
    by_name = {partition.profile: partition for partition in partitions}
    asked = {name: count for name, count in wanted.items() if count > 0}
    if any(name not in by_name for name in asked):
        return None
    if not asked:
        return 0
    chosen = [by_name[name] for name in asked]
    if len(asked) > 4 or sum(asked.values()) > MOST_MIXED:
        return sum(slices(by_name[name], count).cards for name, count in asked.items())
    names = tuple(asked)
    cuts = sorted(
        {
            tuple(Counter(layout.profiles)[name] for name in names)
            for layout in maximal_layouts(chosen)
        },
        reverse=True,
    )
    return _fewest(tuple(asked.values()), tuple(cuts))


@lru_cache(maxsize=65536)
def _fewest(left: tuple[int, ...], cuts: tuple[tuple[int, ...], ...]) -> int:
    """Cover the demand with cuts of a card; every cut must serve the first profile that is left."""
    if not any(left):
        return 0
    first = next(i for i, count in enumerate(left) if count)
    best = None
    for cut in cuts:
        if not cut[first]:
            continue
        rest = tuple(max(0, count - held) for count, held in zip(left, cut, strict=True))
        cards = 1 + _fewest(rest, cuts)
        best = cards if best is None else min(best, cards)
    assert best is not None
    return best
