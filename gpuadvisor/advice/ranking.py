"""Order, ties and the choice of rows to show. Knows values, not what they mean."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

MIN_DEVICES_SHOWN = 3
"""A list of one device's sizes answers nothing: three devices are shown where feasible."""

RESOLVED = 50
"""Ties are resolved for as many leading rows; far below them nobody looks, and it costs."""


class Ranked(NamedTuple):
    """An item's place: its rank from 1, and the number of its tie group."""

    item: Any
    rank: int
    tie_group: int


class Entry(NamedTuple):
    """What ranking needs of a candidate.

    `value` is what is ranked by, smaller is better, and `name` makes the order stable. Between
    options of one `device` the model's error cancels, so they never tie.
    """

    value: float
    name: str
    device: str
    item: Any


def rank(
    entries: Sequence[Entry], tie_ratio: float, tie_break: Callable[[Any], tuple[Any, ...]]
) -> list[Ranked]:
    """Sort by value; those within `tie_ratio` of their group's leader form a tie group.

    `tie_break` of the items orders a tie group, whose values the speed model cannot tell apart.
    A group of a single device is no tie: there the order is a matter of price alone.
    """
    entries = sorted(entries, key=itemgetter(0, 1))
    ranked: list[Ranked] = []
    group = start = 0
    while start < len(entries):
        reach = entries[start].value * tie_ratio
        end = start + 1
        while end < len(entries) and entries[end].value <= reach:
            end += 1
        tied = entries[start:end]
        start = end
        one_device = len({e.device for e in tied}) == 1
        if not one_device:
            if len(ranked) < RESOLVED:
                tied.sort(key=lambda e: (tie_break(e.item), e.value, e.name))
            group += 1
        for entry in tied:
            group += one_device
            ranked.append(Ranked(entry.item, len(ranked) + 1, group))
    return ranked


def choose(
    ranked: Sequence[Ranked],
    top: int,
    device: Callable[[Any], str],
    twin: Callable[[Any], object],
) -> list[Ranked]:
    """The rows to show: the best of each `twin` key first, and three devices if there are.

    Twins hold the same devices at the same provider, so all but the best of them do no more
    for more money; they fill up a list that would be short. The order stays that of the rank.
    """
    seen: set[object] = set()
    best: list[Ranked] = []
    twins: list[Ranked] = []
    for row in ranked:
        key = twin(row.item)
        (twins if key in seen else best).append(row)
        seen.add(key)
    chosen = best[:top]
    wanted = min(MIN_DEVICES_SHOWN, top)
    for row in best[top:]:
        shown = [device(r.item) for r in chosen]
        if len(set(shown)) >= wanted:
            break
        if device(row.item) in shown:
            continue
        # Give up the lowest row whose device is shown more than once.
        repeated = [i for i, name in enumerate(shown) if shown.count(name) > 1]
        if not repeated:
            break
        del chosen[repeated[-1]]
        chosen.append(row)
    chosen += twins[: top - len(chosen)]
    return sorted(chosen, key=lambda row: row.rank)
