"""The regression: a linear mixed model of log performance, solved as a Gaussian process.

log performance of a row = level of its group
    + (a + class slopes) x log bandwidth + (b + class slopes) x log FLOPS
    + effects of its device, chip and architecture, by class and shared between related classes
    + the same kinds of slopes and effects by workload, by software and by precision
    + what does not carry over: slopes and effects of its family and its source, and noise.

Every term is a zero-mean Gaussian with a variance of `Variances`, so each estimate is shrunk by
what the data can tell, and a large family or source does not outvote the others. Group levels
are removed by Helmert contrasts. Noise is made robust by reweighting as a Student t with 4
degrees of freedom (Lange, Little and Taylor 1989). Leaving a block out needs no new fit: for the
precision matrix Q of all contrasts, the weights without block B are q - Q[:,B] Q[B,B]^-1 q[B].
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse

from tools.fit_speed.rows import Row

Array = np.ndarray[Any, np.dtype[Any]]

PRIOR_EXPONENTS = (0.42, 0.42)
"""Bandwidth and FLOPS before any data: throughput classes have a + b of 0.8 to 1.0."""

DEGREES_OF_FREEDOM = 4.0
REWEIGHTINGS = 2

_BLOCKS = {
    "llm": "llm",
    "cnn": "cnn",
    "ocr": "cnn",
    "diffusion": "diffusion",
    "rec": "rec",
    "transformer": "transformer",
    "seq2seq": "transformer",
}


class Variances(NamedTuple):
    """Variances of the terms in log units squared, chosen by left-out families and sources.

    `slope_*` and `effect_*` by class, variant, kind, mode; `device`, `chip`, `architecture` share
    an effect's variance out; `*_noise` terms are fitted but never used to predict.
    """

    slope_all: float
    slope_class: float
    slope_variant: float
    slope_kind: float
    slope_mode: float
    device: float
    chip: float
    architecture: float
    effect_all: float
    effect_class: float
    effect_variant: float
    effect_kind_mode: float
    effect_kind: float
    effect_mode: float
    slope_workload: float
    effect_workload: float
    slope_software: float
    effect_software: float
    effect_precision: float
    slope_source_noise: float
    slope_source_class_noise: float
    slope_family_noise: float
    slope_family_class_noise: float
    slope_group_noise: float
    effect_source_noise: float
    effect_source_class_noise: float
    effect_family_noise: float
    effect_family_class_noise: float
    noise: float


VARIANCES = Variances(
    slope_all=0.005,
    slope_class=0.08,
    slope_variant=0.01,
    slope_kind=0.0025,
    slope_mode=0.08,
    device=0.3,
    chip=0.1,
    architecture=0.075,
    effect_all=0.04,
    effect_class=0.15,
    effect_variant=0.0133,
    effect_kind_mode=0.02,
    effect_kind=0.002,
    effect_mode=0.0,
    slope_workload=0.02,
    effect_workload=0.06,
    slope_software=0.1,
    effect_software=0.2,
    effect_precision=0.02,
    slope_source_noise=0.005,
    slope_source_class_noise=0.00125,
    slope_family_noise=0.0025,
    slope_family_class_noise=0.00125,
    slope_group_noise=0.005,
    effect_source_noise=0.0,
    effect_source_class_noise=0.005,
    effect_family_noise=0.008,
    effect_family_class_noise=0.0133,
    noise=0.03,
)


class Layer(NamedTuple):
    """Exponents and device effects of one term of the regression."""

    bandwidth: float
    flops: float
    effects: dict[str, float]


_KEYS: dict[str, Callable[[Row], Hashable]] = {
    "class": lambda r: r.workload_class,
    "variant": lambda r: r.parts,
    "kind and mode": lambda r: (r.parts.kind, r.parts.mode, r.parts.fp32),
    "kind": lambda r: (r.parts.kind, r.parts.fp32),
    "mode": lambda r: (r.parts.mode, r.parts.fp32),
    "fp32": lambda r: r.parts.fp32,
    "device": lambda r: r.device,
    # A slice resembles the slices of its chip, not the whole device.
    "chip": lambda r: (r.architecture, ":" in r.device),
    "architecture": lambda r: (r.architecture.split(" ")[0], ":" in r.device),
    "workload": lambda r: r.workload,
    "workload of class": lambda r: (r.workload_class, r.workload),
    "software": lambda r: (r.software, r.parts.fp32),
    "software of class": lambda r: (r.workload_class, r.software),
    "precision": lambda r: (r.precision, r.parts.kind),
    "family": lambda r: r.family,
    "family of class": lambda r: (r.family, r.workload_class),
    "publisher": lambda r: r.publisher,
    "publisher of class": lambda r: (r.publisher, r.workload_class),
    "group": lambda r: r.group,
}


class Likeness:
    """Which of some points share a property with which rows, as matrices of 0 and 1."""

    def __init__(self, points: Sequence[Row], rows: Sequence[Row]) -> None:
        self._points, self._rows = points, rows

    def __call__(self, name: str) -> Array:
        key, codes = _KEYS[name], dict[Hashable, int]()
        rows = np.array([codes.setdefault(key(row), len(codes)) for row in self._rows])
        points = np.array([codes.get(key(point), -1) for point in self._points])
        return np.asarray(points[:, None] == rows[None, :])


Weights = tuple[Array, Array]
"""How much of the slopes and of the effects of each row applies to each point."""


def _base(v: Variances, same: Likeness) -> Weights:
    """What depends on the class alone."""
    slopes = (
        v.slope_all
        + v.slope_class * same("class")
        + v.slope_variant * same("variant")
        + v.slope_kind * same("kind")
        + v.slope_mode * same("mode")
    )
    effects = (
        v.effect_all * same("fp32")
        + v.effect_class * same("class")
        + v.effect_variant * same("variant")
        + v.effect_kind_mode * same("kind and mode")
        + v.effect_kind * same("kind")
        + v.effect_mode * same("mode")
    )
    return slopes, effects


def _workload(v: Variances, same: Likeness) -> Weights:
    """A workload of the same class counts fully, the same name in another class by 0.3."""
    alike = 0.7 * same("workload of class") + 0.3 * same("workload")
    return v.slope_workload * alike, v.effect_workload * alike


def _software(v: Variances, same: Likeness) -> Weights:
    """A software in the same class counts fully, in another class by a half."""
    alike = 0.5 * same("software of class") + 0.5 * same("software")
    return v.slope_software * alike, v.effect_software * alike


def _precision(v: Variances, same: Likeness) -> Weights:
    alike = same("precision")
    return 0.0 * alike, v.effect_precision * alike


TERMS: dict[str, Callable[[Variances, Likeness], Weights]] = {
    "base": _base,
    "workload": _workload,
    "software": _software,
    "precision": _precision,
}
"""The terms that carry over to new measurements, by their name in the tables."""


def _noise(v: Variances, same: Likeness) -> Weights:
    """What belongs to a family, a source or a group and does not carry over."""
    slopes = (
        v.slope_source_noise * same("publisher")
        + v.slope_source_class_noise * same("publisher of class")
        + v.slope_family_noise * same("family")
        + v.slope_family_class_noise * same("family of class")
        + v.slope_group_noise * same("group")
    )
    effects = (
        v.effect_source_noise * same("publisher")
        + v.effect_source_class_noise * same("publisher of class")
        + v.effect_family_noise * same("family")
        + v.effect_family_class_noise * same("family of class")
    )
    return slopes, effects


def _resemblance(v: Variances, same: Likeness) -> Array:
    """How far an effect of one device is one of another: itself, its chip, its architecture."""
    return np.asarray(
        v.device * same("device") + v.chip * same("chip") + v.architecture * same("architecture")
    )


def _contrasts(sizes: Sequence[int]) -> scipy.sparse.csr_matrix:
    """Helmert contrasts of groups of those sizes: n rows become n - groups orthonormal ones."""
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    row = start = 0
    for size in sizes:
        for k in range(1, size):
            norm = (k * (k + 1)) ** 0.5
            rows += [row] * (k + 1)
            columns += range(start, start + k + 1)
            values += [-1 / norm] * k + [k / norm]
            row += 1
        start += size
    return scipy.sparse.csr_matrix((values, (rows, columns)), shape=(row, start))


class LeftOut(NamedTuple):
    """Log performance of every row by the model without the row's own block, up to a constant."""

    formula: Array
    base: Array
    regression: Array


class Block:
    """One related set of classes with its fitted weights."""

    def __init__(self, groups: Sequence[Sequence[Row]], variances: Variances) -> None:
        self.groups = groups
        self.rows = [row for rows in groups for row in rows]
        self._variances = variances
        self._contrasts = _contrasts([len(rows) for rows in groups])
        # A contrast never leaves its group, so any of its rows tells its family and source.
        self._row_of = np.asarray(np.abs(self._contrasts).argmax(axis=1)).ravel()
        spec = np.array([(row.bandwidth, row.flops) for row in self.rows])
        self._prior = spec @ np.array(PRIOR_EXPONENTS)
        self._spec = spec - spec.mean(axis=0)
        self._likeness = Likeness(self.rows, self.rows)
        self._terms = {
            name: self._contrasts @ self._kernel(term(variances, self._likeness))
            for name, term in TERMS.items()
        }
        self._signal = np.sum(list(self._terms.values()), axis=0)
        noise = self._contrasts @ self._kernel(_noise(variances, self._likeness))
        performance = np.array([row.performance for row in self.rows])
        self._target = self._contrasts @ (performance - self._prior)
        self._solve((self._signal + noise) @ self._contrasts.T)

    def _kernel(self, weights: Weights) -> Array:
        slopes, effects = weights
        resemblance = _resemblance(self._variances, self._likeness)
        return np.asarray(slopes * (self._spec @ self._spec.T) / 2 + effects * resemblance)

    def _solve(self, covariance: Array) -> None:
        scale = np.ones(len(self._target))
        for _ in range(REWEIGHTINGS + 1):
            noisy = covariance + np.diag(self._variances.noise * scale)
            factor = scipy.linalg.cholesky(noisy, lower=True, check_finite=False)
            lower = scipy.linalg.lapack.dpotri(factor, lower=1)[0]
            self._precision = np.tril(lower) + np.tril(lower, -1).T
            self._weights = self._precision @ self._target
            standardised = self._weights**2 / np.diag(self._precision)
            scale = (DEGREES_OF_FREEDOM + standardised) / (DEGREES_OF_FREEDOM + 1)

    def left_out(self, left_out: str) -> LeftOut:
        """Predict every row without its own block, `family` or `publisher`."""
        labels = np.unique([getattr(row, left_out) for row in self.rows], return_inverse=True)[1]
        of_contrast = labels[self._row_of]
        slopes = _base(self._variances, self._likeness)[0]
        formula_kernel = self._contrasts @ (slopes * (self._spec @ self._spec.T) / 2)
        formula, base, regression = (self._prior.copy() for _ in range(3))
        for label in np.unique(labels):
            inside, mine = of_contrast == label, labels == label
            own = self._precision[np.ix_(inside, inside)]
            removed = scipy.linalg.solve(own, self._weights[inside], assume_a="pos")
            weights = self._weights - self._precision[:, inside] @ removed
            weights[inside] = 0.0
            formula[mine] += formula_kernel[:, mine].T @ weights
            base[mine] += self._terms["base"][:, mine].T @ weights
            regression[mine] += self._signal[:, mine].T @ weights
        return LeftOut(formula, base, regression)

    def layer(self, term: str, point: Row, devices: Sequence[Row]) -> Layer:
        """The exponents and effects of a term for the class and setting of `point`.

        `devices` are rows that differ from `point` in device and architecture only.
        """
        v = self._variances
        slopes, effects = (w[0] for w in TERMS[term](v, Likeness([point], self.rows)))
        weights = self._contrasts.T @ self._weights
        exponents = (weights * slopes) @ self._spec / 2
        if term == "base":
            exponents = exponents + np.array(PRIOR_EXPONENTS)
        by_device = _resemblance(v, Likeness(devices, self.rows)) @ (weights * effects)
        return Layer(
            float(exponents[0]),
            float(exponents[1]),
            {row.device: float(effect) for row, effect in zip(devices, by_device, strict=True)},
        )


def fit(groups: Sequence[Sequence[Row]], variances: Variances = VARIANCES) -> list[Block]:
    """Fit every block of related classes; classes of other kinds share one block."""
    by_block: dict[str, list[Sequence[Row]]] = {}
    for rows in groups:
        name = _BLOCKS.get(rows[0].parts.kind, "other")
        by_block.setdefault(name, []).append(rows)
    return [Block(members, variances) for members in by_block.values()]
