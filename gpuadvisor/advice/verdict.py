"""Which of two things does a unit of work for less, and what would turn the order round."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import erf, exp, log, sqrt

from gpuadvisor.advice.compare_result import ModeSpeed, Row, Verdict, Vote
from gpuadvisor.advice.result import Range
from gpuadvisor.advice.what import What
from gpuadvisor.catalog.model import ON_DEMAND
from gpuadvisor.cost.staleness import WIDEN

SINGLE = "single"
BOX = "box"
ANY = "any"

SURE_ENOUGH = 0.8
"""Chance of the right order below which two things are called near parity."""

_NORMAL_90 = 1.2815515655446004
"""90 % of a normal variable lie below so many standard deviations: the edge of an 80 % range."""

MOST_COMPARED = 4
"""Pairs of more WHATs than this would drown the answer: then each is held against the first."""


def verdicts(
    whats: Sequence[What], rows: Sequence[Row], modes: Sequence[str]
) -> tuple[Verdict, ...]:
    """A verdict for each mode, pair of WHATs, and way of packing them.

    Providers that sell both as whole machines are held against themselves, one vote each; where
    none does, the best row of each WHAT is taken. Votes on prices too old to trust count only
    among themselves. Without a workload there is none.
    """
    pairs = list(combinations(range(len(whats)), 2))
    if len(whats) > MOST_COMPARED:
        pairs = [(0, n) for n in range(1, len(whats))]
    found = []
    for mode in modes:
        for i, j in pairs:
            first = _packings(whats[i], rows, mode)
            second = _packings(whats[j], rows, mode)
            for packing in _pairings(list(first), list(second)):
                votes = _votes(first[packing[0]], second[packing[1]], mode)
                if votes:
                    names = (whats[i].text, whats[j].text)
                    found.append(_verdict(mode, names, packing, votes))
    return tuple(found)


def _packings(what: What, rows: Sequence[Row], mode: str) -> dict[str, list[Row]]:
    """Rows of a WHAT by packing; several devices may come one a machine, or all in one."""
    mine = [r for r in rows if r.what == what.text and _cost(r, mode) is not None]
    # A price of the device without its host is not comparable with one of a machine.
    mine = [r for r in mine if r.item.type.price_scope == "instance"] or mine
    if what.types or what.number == 1:
        return {ANY: mine} if mine else {}
    found = {
        SINGLE: [r for r in mine if r.item.type.devices == 1],
        BOX: [r for r in mine if r.item.instances == 1 and r.item.type.devices == what.number],
    }
    kept = {name: group for name, group in found.items() if group}
    return kept or ({ANY: mine} if mine else {})


def _pairings(first: list[str], second: list[str]) -> list[tuple[str, str]]:
    """Like with like where both come in several packings, else each with each."""
    same = [(name, name) for name in first if name in second]
    if same and ANY not in first:
        return same
    return [(a, b) for a in first for b in second]


def _votes(first: Sequence[Row], second: Sequence[Row], mode: str) -> list[Vote]:
    found = []
    for provider in dict.fromkeys(r.item.type.provider for r in first):
        mine = _best((r for r in first if r.item.type.provider == provider), mode)
        other = _best((r for r in second if r.item.type.provider == provider), mode)
        if mine is not None and other is not None:
            found.append(_vote(provider, mine, other, mode))
    fresh = [v for v in found if not _old(v.first) and not _old(v.second)]
    if fresh:
        return fresh
    mine, other = _best(first, mode), _best(second, mode)
    if not found and mine is not None and other is not None:
        place = f"{mine.item.type.provider}, {other.item.type.provider}"
        return [_vote(place, mine, other, mode)]
    return found


def _best(rows: Iterable[Row], mode: str) -> Row | None:
    """The cheapest per unit of work among those that are bought alike: on demand if any is."""
    known = list(rows)
    usual = [r for r in known if r.line is not None and r.line.option == ON_DEMAND]
    return min(usual or known, key=lambda r: _cost(r, mode) or 0.0, default=None)


def _vote(provider: str, first: Row, second: Row, mode: str) -> Vote:
    mine, other = _of(first, mode), _of(second, mode)
    assert mine.speed is not None and other.speed is not None
    expected = _known(second, mode) / _known(first, mode)
    work = (other.speed.rate.expected / _devices(second)) / (
        mine.speed.rate.expected / _devices(first)
    )
    slow, fast = 1.0, 1.0
    if first.device.name != second.device.name:
        a, b = mine.speed.device_ratio, other.speed.device_ratio
        slow = (b.low / b.expected) * (a.expected / a.high)
        fast = (b.high / b.expected) * (a.expected / a.low)
    return Vote(
        provider,
        first,
        second,
        Range(expected / fast, expected, expected / slow),
        expected * work,
        Range(work * slow, work, work * fast),
    )


def _verdict(
    mode: str, whats: tuple[str, str], packing: tuple[str, str], votes: Sequence[Vote]
) -> Verdict:
    ratio = Range(
        _median(votes, lambda v: v.ratio.low),
        _median(votes, lambda v: v.ratio.expected),
        _median(votes, lambda v: v.ratio.high),
    )
    confidence = _confidence(ratio)
    leader = None if confidence < SURE_ENOUGH else 0 if ratio.expected > 1 else 1
    speed = Range(
        _median(votes, lambda v: v.speed_ratio.low),
        _median(votes, lambda v: v.speed_ratio.expected),
        _median(votes, lambda v: v.speed_ratio.high),
    )
    price = _median(votes, lambda v: v.price_ratio)
    return Verdict(mode, whats, packing, leader, confidence, ratio, price, speed, tuple(votes))


def _confidence(ratio: Range) -> float:
    """Chance that the cost ratio lies on its expected side of 1.

    The speed model's range holds 80 % of the outcomes; its logarithm is taken as normal, with
    the half of it that lies towards 1.
    """
    gap = abs(log(ratio.expected))
    edge = ratio.low if ratio.expected > 1 else ratio.high
    deviation = abs(log(ratio.expected / edge)) / _NORMAL_90
    if deviation == 0:
        return 1.0 if gap else 0.5
    return (1 + erf(gap / deviation / sqrt(2))) / 2


def _median(votes: Sequence[Vote], figure: Callable[[Vote], float]) -> float:
    """The middle figure; of an even number the geometric mean of the middle two."""
    ordered = sorted(figure(v) for v in votes)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if low == high else exp((log(low) + log(high)) / 2)


def _of(row: Row, mode: str) -> ModeSpeed:
    return next(s for s in row.speeds if s.mode == mode)


def _cost(row: Row, mode: str) -> float | None:
    found = _of(row, mode).per_unit
    return None if found is None else float(found.expected)


def _known(row: Row, mode: str) -> float:
    found = _cost(row, mode)
    assert found is not None
    return found


def _devices(row: Row) -> float:
    return float(row.item.type.devices) * row.item.instances


def _old(row: Row) -> bool:
    return row.line is not None and row.line.age_level == WIDEN
