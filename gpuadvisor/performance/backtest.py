"""Predict measurements of one device from those of others, and say how far off it was.

Nothing is fitted on the measurements: each row is predicted from the other rows of its group
and the shipped tables, never from its own value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp, log
from statistics import fmean, median
from typing import NamedTuple

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.measurements import Measurement, canonical_device
from gpuadvisor.performance.rates import rate_for, specs
from gpuadvisor.performance.setting import Setting
from gpuadvisor.performance.speed import FITTED, MEASURED, SPEC, class_table, ratio

CLEAR_GAP = 1.25
"""Beyond this true ratio the order of two devices should be right nearly always."""


class Step(NamedTuple):
    """From one row to another of its group, in logs of performance.

    `half` is half of the range that is stated with it, None where a ranker states none.
    """

    log_ratio: float
    half: float | None
    basis: str | None


class Prediction(NamedTuple):
    """A row's value as predicted from its group, None where the group has no other row.

    `low` to `high` is the stated range, `basis` the weakest of what it rests on; None where
    none is stated.
    """

    row: Measurement
    predicted: float | None
    low: float | None
    high: float | None
    basis: str | None


class ClassScore(NamedTuple):
    """Errors of a class as fractions; the order shares are None where no pair was unequal.

    A row without prediction counts as an error of 1. `bias` is above 0 where predictions are
    too fast. `range_held` is the share of values inside their stated ranges.
    """

    workload_class: str
    n: int
    median_ape: float
    p90_ape: float
    bias: float | None
    pair_order: float | None
    pair_order_gap125: float | None
    range_held: float | None


class Ranker(NamedTuple):
    """A way to predict, with its scores by class and over all rows."""

    name: str
    classes: tuple[ClassScore, ...]
    pooled: ClassScore


class Backtest(NamedTuple):
    """The model's predictions and scores, the spec-sheet rankers', and what was unknown."""

    predictions: tuple[Prediction, ...]
    model: Ranker
    baselines: tuple[Ranker, ...]
    unknown_devices: Mapping[str, int]
    unknown_classes: Mapping[str, int]


Stepper = Callable[[Measurement, Measurement], Step | None]
"""The performance of the first row's device over the second's, None where unknown."""


def backtest(catalog: Catalog, rows: Sequence[Measurement]) -> Backtest:
    """Predict every row and score the predictions; devices and classes may be unknown.

    An unknown class is predicted by its mode's table. A device without specs is taken to be as
    fast as the others of its group: there is nothing better to say, and it is counted.
    """
    devices = {text: canonical_device(catalog, text) for text in {row.device for row in rows}}
    known = {text: name for text, name in devices.items() if _has_specs(catalog, name)}
    sheet = _Sheet(catalog, known)
    predictions = predict(rows, _Model(catalog, known))
    rankers = (("flops", sheet.flops), ("bandwidth", sheet.bandwidth), ("formula", sheet.formula))
    classes = set(catalog.names("benchmarks"))
    return Backtest(
        predictions=predictions,
        model=_ranker("model", predictions),
        baselines=tuple(_ranker(name, predict(rows, rule)) for name, rule in rankers),
        unknown_devices=_counted(row.device for row in rows if row.device not in known),
        unknown_classes=_counted(
            row.workload_class for row in rows if row.workload_class not in classes
        ),
    )


def predict(rows: Sequence[Measurement], stepper: Stepper) -> tuple[Prediction, ...]:
    """The geometric mean over a group's other rows of their value times the ratio, per row."""
    groups = _groups(rows)
    found = []
    for i, row in enumerate(rows):
        others = [rows[j] for j in groups[row.group] if j != i]
        pairs = [(other, stepper(row, other)) for other in others]
        known = [(other, step) for other, step in pairs if step is not None]
        terms = [other.performance + step.log_ratio for other, step in known]
        if not terms:
            terms = [other.performance for other in others]
        if not terms:
            found.append(Prediction(row, None, None, None, None))
            continue
        centre = fmean(terms)
        low, high = _range(row, centre, [step.half for _, step in known])
        bases = {step.basis for _, step in known}
        basis = next((basis for basis in (SPEC, FITTED, MEASURED) if basis in bases), None)
        found.append(Prediction(row, row.value_of(centre), low, high, basis))
    return tuple(found)


def _range(
    row: Measurement, centre: float, halves: Sequence[float | None]
) -> tuple[float | None, float | None]:
    """Low and high in the unit of the row; steps from one group err together, so halves average."""
    stated = [half for half in halves if half is not None]
    if not stated:
        return None, None
    half = fmean(stated)
    ends = row.value_of(centre - half), row.value_of(centre + half)
    return min(ends), max(ends)


def score(name: str, predictions: Sequence[Prediction]) -> ClassScore:
    """Score predictions, each within the rows of its group that are among them."""
    errors = sorted(
        1.0 if p.predicted is None else abs(p.predicted / p.row.value - 1.0) for p in predictions
    )
    signed = [_performance(p) - p.row.performance for p in predictions if p.predicted is not None]
    points = list(_order_points(predictions))
    held = [
        p.low <= p.row.value <= p.high
        for p in predictions
        if p.low is not None and p.high is not None
    ]
    beyond = [point for point, gap in points if gap > log(CLEAR_GAP)]
    return ClassScore(
        workload_class=name,
        n=len(errors),
        median_ape=median(errors),
        p90_ape=errors[int(0.9 * len(errors))],
        bias=exp(median(signed)) - 1.0 if signed else None,
        pair_order=fmean(point for point, _ in points) if points else None,
        pair_order_gap125=fmean(beyond) if beyond else None,
        range_held=fmean(held) if held else None,
    )


def _ranker(name: str, predictions: Sequence[Prediction]) -> Ranker:
    by_class: dict[str, list[Prediction]] = {}
    for prediction in predictions:
        by_class.setdefault(prediction.row.workload_class, []).append(prediction)
    return Ranker(
        name=name,
        classes=tuple(score(c, by_class[c]) for c in sorted(by_class)),
        pooled=score("all", predictions),
    )


def _order_points(predictions: Sequence[Prediction]) -> Iterable[tuple[float, float]]:
    """1, 0 or 0.5 for a tie, and the true log gap, per ordered pair of unequal values."""
    groups = _groups([p.row for p in predictions])
    for i, prediction in enumerate(predictions):
        if prediction.predicted is None:
            continue
        mine = _performance(prediction)
        for j in groups[prediction.row.group]:
            other = predictions[j].row
            if i == j or other.value == prediction.row.value:
                continue
            truth = prediction.row.performance - other.performance
            product = truth * (mine - other.performance)
            yield 0.5 if product == 0 else float(product > 0), abs(truth)


def _performance(prediction: Prediction) -> float:
    return prediction.row._replace(value=prediction.predicted or 0.0).performance


def _groups(rows: Sequence[Measurement]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for i, row in enumerate(rows):
        found.setdefault(row.group, []).append(i)
    return found


def _counted(names: Iterable[str]) -> Mapping[str, int]:
    return dict(sorted(Counter(names).items()))


def _has_specs(catalog: Catalog, device: str | None) -> bool:
    return device is not None and specs(catalog, device, "fp16") is not None


class _Model:
    """The shipped speed model as a ranker; equal questions are asked once."""

    def __init__(self, catalog: Catalog, devices: Mapping[str, str | None]) -> None:
        self._catalog, self._devices = catalog, devices
        self._answers: dict[tuple[str, str, str, Setting], Step | None] = {}

    def __call__(self, row: Measurement, other: Measurement) -> Step | None:
        device, reference = self._devices.get(row.device), self._devices.get(other.device)
        if device is None or reference is None:
            return None
        question = device, reference, row.workload_class, row.setting
        if question not in self._answers:
            answer = ratio(self._catalog, *question)
            self._answers[question] = answer and Step(
                log(answer.expected), log(answer.high / answer.expected), answer.basis
            )
        return self._answers[question]


class _Sheet:
    """Rankers that know the spec sheet alone."""

    def __init__(self, catalog: Catalog, devices: Mapping[str, str | None]) -> None:
        self._catalog, self._devices = catalog, devices

    def flops(self, row: Measurement, other: Measurement) -> Step | None:
        return self._weighted(row, other, 0.0, 1.0)

    def bandwidth(self, row: Measurement, other: Measurement) -> Step | None:
        return self._weighted(row, other, 1.0, 0.0)

    def formula(self, row: Measurement, other: Measurement) -> Step | None:
        alone = class_table(self._catalog, row.workload_class)["alone"]
        return self._weighted(row, other, alone["bandwidth"], alone["flops"])

    def _weighted(
        self, row: Measurement, other: Measurement, bandwidth: float, flops: float
    ) -> Step | None:
        device, reference = self._devices.get(row.device), self._devices.get(other.device)
        if device is None or reference is None:
            return None
        table = class_table(self._catalog, row.workload_class)
        rate = table["rate"]
        if table["rate_by_precision"]:
            rate = rate_for(row.setting.precision, rate)
        mine = specs(self._catalog, device, rate)
        its = specs(self._catalog, reference, rate)
        if mine is None or its is None:
            return None
        log_ratio = bandwidth * log(mine.bandwidth / its.bandwidth)
        return Step(log_ratio + flops * log(mine.flops / its.flops), None, None)
