"""The cross-validation as Markdown: how far off the model is, and the simpler rankers beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tools.fit_speed import ranges
from tools.fit_speed.crossval import (
    BLOCKS,
    FAMILY,
    Case,
    Miss,
    Rule,
    Score,
    Target,
    predict,
    score,
)

RANKERS: Mapping[str, Callable[[Case, Rule], float]] = {
    "FLOPS": lambda case, rule: case.row.flops - case.other.flops,
    "bandwidth": lambda case, rule: case.row.bandwidth - case.other.bandwidth,
    "bandwidth^a x FLOPS^b": lambda case, rule: case.formula,
    "this model, class alone": lambda case, rule: predict(case, *rule, False)[0],
    "**this model, setting known**": lambda case, rule: predict(case, *rule, True)[0],
}
MODEL = "**this model, setting known**"

Targets = Mapping[str, Mapping[str, Sequence[Target]]]


def summary(targets: Targets, rules: Mapping[str, Rule]) -> Iterator[str]:
    """All classes pooled, by ranker."""
    count = len(_all(targets[FAMILY]))
    yield f"| {count:,} predictions | family left out | order | publisher left out | order |"
    yield "|---|---:|---:|---:|---:|"
    for name, ranker in RANKERS.items():
        cells = []
        for left_out in BLOCKS:
            found = score(_all(targets[left_out]), rules, ranker)
            cells += [_errors(found), _order(found)]
        yield f"| {name} | {' | '.join(cells)} |"


def by_class(targets: Targets, rules: Mapping[str, Rule]) -> Iterator[str]:
    """The model's errors on each class."""
    yield "| class | n | families | family left out | order | publisher left out | order | step |"
    yield "|---|---:|---:|---:|---:|---:|---:|---|"
    for name, rule in rules.items():
        family, publisher = (
            score(targets[left_out][name], rules, RANKERS[MODEL]) for left_out in BLOCKS
        )
        cells = [name, str(family.n), str(family.families)]
        cells += [_errors(family), _order(family), _errors(publisher), _order(publisher)]
        yield f"| {' | '.join([*cells, rule.step])} |"


def coverage(
    misses: Mapping[str, Sequence[Miss]], widths: Mapping[str, Mapping[str, ranges.Width]]
) -> str:
    """The share of left-out pairs inside their ranges, by basis."""
    cells = []
    for basis in ("measured", "fitted", "spec"):
        held = [
            (miss, miss.error <= widths[name][basis].at(miss.log_ratio))
            for name, found in misses.items()
            for miss in found
            if miss.basis == basis
        ]
        cells.append(f"{100 * ranges.share_held(held):.0f} % ({len(held):,})" if held else "-")
    return " | ".join(cells)


def _all(by_name: Mapping[str, Sequence[Target]]) -> list[Target]:
    return [target for name in by_name for target in by_name[name]]


def _errors(found: Score) -> str:
    return f"{100 * found.median:.1f} / {100 * found.p90:.0f} %"


def _order(found: Score) -> str:
    return f"{100 * found.order:.1f} / {100 * found.order_beyond:.1f} %"
