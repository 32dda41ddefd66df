"""Cross-validation: predict each measurement without its family, then without its publisher."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, log
from statistics import mean, median, stdev
from typing import NamedTuple

from tools.fit_speed.evidence import Evidence
from tools.fit_speed.model import Block
from tools.fit_speed.rows import Row

FAMILY, PUBLISHER = BLOCKS = ("family", "publisher")


class Doubt(NamedTuple):
    """Families that weigh as much as the step below a measured pair.

    `pair` when only the class is known, `pair_in_setting` and `workload` when the setting is.
    """

    pair: float
    pair_in_setting: float
    workload: float


def doubt_of(families: int) -> Doubt:
    """The doubt of a class that rests on so many families.

    The regression has seen the pairs of its class too, and has learned them the better the more
    families there are and the more it knows of the setting; where families are few the pair
    itself is the better guide. Chosen by both cross-validations, all classes pooled, over
    constants and linear and quadratic forms.
    """
    squared = float(families**2)
    return Doubt(pair=round(squared / 50, 1), pair_in_setting=round(squared / 10, 1), workload=2.0)


class Case(NamedTuple):
    """One device against one other of its group; ratios are logs of performance.

    `alone` is the regression that knows the class alone, `regression` knows the setting too.
    """

    row: Row
    other: Row
    truth: float
    formula: float
    alone: float
    regression: float
    pair: tuple[float, int] | None
    workload_pair: tuple[float, int] | None
    seen: bool


class Fit(NamedTuple):
    """Everything fitted: with the setting, for the class alone, and the measured pairs."""

    blocks: Sequence[Block]
    alone: Sequence[Block]
    evidence: Evidence


Target = tuple[Case, ...]
"""All cases of one row: it is predicted from each other row of its group."""


class Score(NamedTuple):
    """Errors are fractions; order is the share of pairs predicted in the right order."""

    n: int
    families: int
    median: float
    p90: float
    order: float
    order_beyond: float


def cases(fitted: Fit, left_out: str) -> list[Target]:
    """Every row of every group as a target, each predicted without its own block."""
    found = []
    for block, class_alone in zip(fitted.blocks, fitted.alone, strict=True):
        formula_alone, regression_alone = class_alone.left_out(left_out)
        in_setting = block.left_out(left_out).regression
        known = _devices_by_class(block.rows, left_out)
        start = 0
        for rows in block.groups:
            formula, alone, regression = (
                predicted[start : start + len(rows)]
                for predicted in (formula_alone, regression_alone, in_setting)
            )
            for i, row in enumerate(rows):
                seen = known(row)
                found.append(
                    tuple(
                        Case(
                            row=row,
                            other=other,
                            truth=row.performance - other.performance,
                            formula=formula[i] - formula[j],
                            alone=alone[i] - alone[j],
                            regression=regression[i] - regression[j],
                            pair=fitted.evidence.without(row, other, "", left_out),
                            workload_pair=fitted.evidence.without(
                                row, other, row.key("workload"), left_out
                            ),
                            seen=row.device in seen and other.device in seen,
                        )
                        for j, other in enumerate(rows)
                        if i != j
                    )
                )
            start += len(rows)
    return found


def _devices_by_class(rows: Sequence[Row], left_out: str) -> Callable[[Row], set[str]]:
    blocks: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        blocks.setdefault((row.workload_class, row.device), set()).add(getattr(row, left_out))
    by_class: dict[str, dict[str, set[str]]] = {}
    for (workload_class, device), owners in blocks.items():
        by_class.setdefault(workload_class, {})[device] = owners

    def seen(row: Row) -> set[str]:
        own = {getattr(row, left_out)}
        return {d for d, owners in by_class[row.workload_class].items() if owners - own}

    return seen


def predict(case: Case, step: str, doubt: Doubt, known_setting: bool) -> tuple[float, str]:
    """Log ratio of a case by a step of the ladder, and its basis, as `ratio()` answers it."""
    if step == "formula":
        return case.formula, "spec"
    estimate = case.regression if known_setting else case.alone
    basis = "fitted" if case.seen else "spec"
    pairs = []
    if step in ("pair", "workload"):
        pairs.append((case.pair, doubt.pair_in_setting if known_setting else doubt.pair))
    if step == "workload" and known_setting:
        pairs.append((case.workload_pair, doubt.workload))
    for measured, families in pairs:
        if measured is not None:
            weight = measured[1] / (measured[1] + families)
            estimate += weight * (measured[0] - estimate)
            basis = "measured"
    return estimate, basis


class Rule(NamedTuple):
    """How a class is predicted."""

    step: str
    doubt: Doubt


def error(target: Target, rule: Rule) -> float:
    """Log error of a row: geometric mean of its predictions from the others, over its value."""
    return sum(predict(case, *rule, True)[0] - case.truth for case in target) / len(target)


def score(
    targets: Sequence[Target],
    rules: Mapping[str, Rule],
    ranker: Callable[[Case, Rule], float],
) -> Score:
    """Errors and order over targets, predicted by a ranker that may use their class's rule."""
    errors, right, pairs, right_beyond, beyond = [], 0.0, 0, 0.0, 0
    for target in targets:
        rule = rules[target[0].row.workload_class]
        off = sum(ranker(case, rule) - case.truth for case in target) / len(target)
        errors.append(abs(exp(off) - 1.0))
        for case in target:
            if case.truth == 0:
                continue
            product = (case.truth + off) * case.truth
            point = 0.5 if abs(product) < 1e-12 else float(product > 0)
            right, pairs = right + point, pairs + 1
            if abs(case.truth) > log(1.25):
                right_beyond, beyond = right_beyond + point, beyond + 1
    errors.sort()
    return Score(
        n=len(errors),
        families=len({target[0].row.family for target in targets}),
        median=median(errors),
        p90=errors[int(0.9 * len(errors))],
        order=right / max(pairs, 1),
        order_beyond=right_beyond / max(beyond, 1),
    )


def by_class(targets: Sequence[Target]) -> dict[str, list[Target]]:
    """Targets of each class, classes in name order."""
    found: dict[str, list[Target]] = {}
    for target in sorted(targets, key=lambda target: target[0].row.workload_class):
        found.setdefault(target[0].row.workload_class, []).append(target)
    return found


STEPS = ("workload", "pair", "regression", "formula")


LEAST_PUBLISHERS = 4


def choose_rule(left_out: Sequence[Sequence[Target]]) -> Rule:
    """The step with the least error over the cross-validations of one class.

    The most specific step stands unless another is better by more than two standard errors of
    the difference over publishers: one publisher's habits are no reason to overrule measurements.
    """
    doubt = doubt_of(len({target[0].row.family for target in left_out[0]}))
    first, *others = (Rule(step, doubt) for step in STEPS)
    losses = {rule: _losses(left_out, rule) for rule in (first, *others)}
    best = min(others, key=lambda rule: mean(losses[rule].values()))
    gains = [losses[first][publisher] - loss for publisher, loss in losses[best].items()]
    if len(gains) < LEAST_PUBLISHERS:
        return first
    return best if mean(gains) > 2.0 * stdev(gains) / len(gains) ** 0.5 else first


def _losses(left_out: Sequence[Sequence[Target]], rule: Rule) -> dict[str, float]:
    """Of each publisher, the mean of its families' median errors, over the cross-validations."""
    errors: dict[tuple[str, str, int], list[float]] = {}
    for which, targets in enumerate(left_out):
        for target in targets:
            row = target[0].row
            block = errors.setdefault((row.publisher, row.family, which), [])
            block.append(abs(error(target, rule)))
    publishers: dict[str, list[float]] = {}
    for (publisher, _, _), values in errors.items():
        publishers.setdefault(publisher, []).append(median(values))
    return {publisher: mean(medians) for publisher, medians in sorted(publishers.items())}


class Miss(NamedTuple):
    """The predicted log ratio of one pair and how far the measured one was from it."""

    basis: str
    log_ratio: float
    error: float
    family: str
    left_out: str


def misses(
    targets: Sequence[Target], rule: Rule, left_out: str, known_setting: bool
) -> Iterator[Miss]:
    """Each pair of a class in both directions, as `ratio()` would have answered it.

    Without a known setting only the class and its pairs are used.
    """
    for target in targets:
        for case in target:
            answers = [predict(case, *rule, known_setting), (case.formula, "spec")]
            for log_ratio, basis in answers if rule.step != "formula" else answers[:1]:
                off = abs(log_ratio - case.truth)
                yield Miss(basis, abs(log_ratio), off, case.row.family, left_out)
