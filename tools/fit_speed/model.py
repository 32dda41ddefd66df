"""The regression: a linear mixed model of log performance, solved as a Gaussian process.

log performance of a row = level of its group
    + (a + slopes) x log bandwidth + (b + slopes) x log FLOPS + effect of its device

Slopes and effects are sums of zero-mean Gaussian terms: by class and related classes, by what is
known of the setting (publisher, software, precision, workload, batch, size, parallel), and by what
does not carry over (family, group). An effect is shared between a device, its chip and its
architecture. So every estimate is shrunk as the data tell, and a large family or publisher does not
outvote the others. Group levels are removed by Helmert contrasts; noise is made robust by
reweighting as a Student t (Lange, Little and Taylor 1989). Leaving a block B out needs no new fit:
with the precision matrix Q of the contrasts and q = Q y, the weights of the rest are
q - Q[:,B] Q[B,B]^-1 q[B].
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse

from tools.fit_speed.rows import Row

Array = np.ndarray[Any, np.dtype[Any]]

PRIOR_EXPONENTS = (0.42, 0.42)
"""Bandwidth and FLOPS before any data: throughput classes have a + b of 0.8 to 1.0."""

BASE = "base"

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


class Term(NamedTuple):
    """Slopes and device effects that rows share as far as they are alike, and their variances.

    `alike` weighs properties of `_KEYS`; the variances are in log units squared.
    """

    alike: tuple[tuple[str, float], ...]
    slopes: float
    effects: float


class Model(NamedTuple):
    """The terms of the regression. `own` terms belong to the measurements and predict nothing.

    `resemblance` shares an effect's variance out between the device, its chip, its architecture.
    """

    resemblance: tuple[tuple[str, float], ...]
    base: tuple[Term, ...]
    setting: dict[str, Term]
    own: tuple[Term, ...]
    noise: float


MODEL = Model(
    resemblance=(("device", 0.3), ("chip", 0.1), ("architecture", 0.075)),
    base=(
        Term((("all", 1.0),), slopes=0.005, effects=0.0),
        Term((("fp32", 1.0),), slopes=0.0, effects=0.04),
        Term((("class", 1.0),), slopes=0.08, effects=0.15),
        Term((("variant", 1.0),), slopes=0.01, effects=0.0133),
        Term((("kind and mode", 1.0),), slopes=0.0, effects=0.02),
        Term((("kind", 1.0),), slopes=0.0025, effects=0.002),
        Term((("mode", 1.0),), slopes=0.08, effects=0.0),
    ),
    setting={
        "publisher": Term((("publisher of class", 0.5), ("publisher", 0.5)), 0.09, 0.1),
        "software": Term((("software of class", 0.5), ("software", 0.5)), 0.1, 0.2),
        "workload": Term((("workload of class", 0.7), ("workload", 0.3)), 0.02, 0.06),
        "batch": Term((("batch of class", 0.6), ("batch", 0.4)), 0.03, 0.02),
        "size": Term((("size of class", 0.6), ("size", 0.4)), 0.03, 0.02),
        "parallel": Term((("parallel of class", 1.0),), 0.02, 0.05),
    },
    own=(
        Term((("publisher", 1.0),), slopes=0.005, effects=0.0),
        Term((("publisher of class", 1.0),), slopes=0.00125, effects=0.005),
        Term((("family", 1.0),), slopes=0.0025, effects=0.008),
        Term((("family of class", 1.0),), slopes=0.00125, effects=0.0133),
        Term((("group", 1.0),), slopes=0.005, effects=0.0),
    ),
    noise=0.03,
)
"""Variances chosen by coordinate descent on both cross-validations, all classes pooled."""

CLASS_ALONE = MODEL._replace(setting={})
"""For questions that name no setting: what the settings of a class have in common on average."""


class Layer(NamedTuple):
    """Exponents and device effects of one term of the regression."""

    bandwidth: float
    flops: float
    effects: dict[str, float]


_KEYS: dict[str, Callable[[Row], Hashable]] = {
    "all": lambda r: True,
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
    "publisher": lambda r: r.keyed("publisher", r.parts.fp32),
    "publisher of class": lambda r: r.keyed("publisher", r.workload_class),
    "software": lambda r: r.keyed("software", r.parts.fp32),
    "software of class": lambda r: r.keyed("software", r.workload_class),
    "workload": lambda r: r.keyed("workload"),
    "workload of class": lambda r: r.keyed("workload", r.workload_class),
    "batch": lambda r: r.keyed("batch", r.parts.kind, r.parts.mode, r.parts.fp32),
    "batch of class": lambda r: r.keyed("batch", r.workload_class),
    "size": lambda r: r.keyed("size", r.parts.kind, r.parts.mode),
    "size of class": lambda r: r.keyed("size", r.workload_class),
    "parallel of class": lambda r: r.keyed("parallel", r.workload_class),
    "family": lambda r: r.family,
    "family of class": lambda r: (r.family, r.workload_class),
    "group": lambda r: r.group,
}


class Likeness:
    """Which of some points share a property with which rows, as matrices of 0 and 1."""

    def __init__(self, points: Sequence[Row], rows: Sequence[Row]) -> None:
        self._points, self._rows = points, rows
        self.shape = len(points), len(rows)

    def __call__(self, name: str) -> Array:
        key, codes = _KEYS[name], dict[Hashable, int]()
        rows = np.array([codes.setdefault(key(row), len(codes)) for row in self._rows])
        # What nobody stated is like nothing.
        points = np.array([codes.get(key(p), -1) if key(p) else -1 for p in self._points])
        return np.asarray(points[:, None] == rows[None, :])


def _weights(terms: Iterable[Term], same: Likeness) -> tuple[Array, Array]:
    """How much of the slopes and of the effects of each row applies to each point."""
    slopes = effects = np.zeros(same.shape)
    for term in terms:
        alike = np.sum([weight * same(name) for name, weight in term.alike], axis=0)
        slopes = slopes + term.slopes * alike
        effects = effects + term.effects * alike
    return slopes, effects


def _resemblance(model: Model, same: Likeness) -> Array:
    """How far an effect of one device is one of another."""
    return np.asarray(np.sum([share * same(name) for name, share in model.resemblance], axis=0))


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
    regression: Array


class Block:
    """One related set of classes with its fitted weights."""

    def __init__(self, groups: Sequence[Sequence[Row]], model: Model) -> None:
        self.groups = groups
        self.rows = [row for rows in groups for row in rows]
        self._model = model
        self._contrasts = _contrasts([len(rows) for rows in groups])
        # A contrast never leaves its group, so any of its rows tells its family and publisher.
        self._row_of = np.asarray(np.abs(self._contrasts).argmax(axis=1)).ravel()
        spec = np.array([(row.bandwidth, row.flops) for row in self.rows])
        self._prior = spec @ np.array(PRIOR_EXPONENTS)
        self._spec = spec - spec.mean(axis=0)
        same = Likeness(self.rows, self.rows)
        resemblance = _resemblance(model, same)
        slopes, effects = _weights((*model.base, *model.setting.values()), same)
        self._signal = self._contrasts @ self._kernel(slopes, effects * resemblance)
        own_slopes, own_effects = _weights(model.own, same)
        own = self._contrasts @ self._kernel(own_slopes, own_effects * resemblance)
        slopes, _ = _weights(model.base, same)
        self._formula = self._contrasts @ self._kernel(slopes, np.zeros(same.shape))
        performance = np.array([row.performance for row in self.rows])
        self._target = self._contrasts @ (performance - self._prior)
        self._solve((self._signal + own) @ self._contrasts.T)

    def _kernel(self, slopes: Array, effects: Array) -> Array:
        return np.asarray(slopes * (self._spec @ self._spec.T) / 2 + effects)

    def _solve(self, covariance: Array) -> None:
        scale = np.ones(len(self._target))
        for _ in range(REWEIGHTINGS + 1):
            noisy = covariance + np.diag(self._model.noise * scale)
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
        formula, regression = self._prior.copy(), self._prior.copy()
        for label in np.unique(labels):
            inside, mine = of_contrast == label, labels == label
            block = self._precision[np.ix_(inside, inside)]
            removed = scipy.linalg.solve(block, self._weights[inside], assume_a="pos")
            weights = self._weights - self._precision[:, inside] @ removed
            weights[inside] = 0.0
            formula[mine] += self._formula[:, mine].T @ weights
            regression[mine] += self._signal[:, mine].T @ weights
        return LeftOut(formula, regression)

    def layer(self, name: str, point: Row, devices: Sequence[Row]) -> Layer:
        """Exponents and device effects for the class of `point` (`base`), or for its setting.

        `devices` are rows that differ from `point` in device and architecture only.
        """
        terms = self._model.base if name == BASE else (self._model.setting[name],)
        slopes, effects = (w[0] for w in _weights(terms, Likeness([point], self.rows)))
        weights = self._contrasts.T @ self._weights
        exponents = (weights * slopes) @ self._spec / 2
        if name == BASE:
            exponents = exponents + np.array(PRIOR_EXPONENTS)
        resemblance = _resemblance(self._model, Likeness(devices, self.rows))
        by_device = resemblance @ (weights * effects)
        return Layer(
            float(exponents[0]),
            float(exponents[1]),
            {row.device: float(effect) for row, effect in zip(devices, by_device, strict=True)},
        )


def fit(groups: Sequence[Sequence[Row]], model: Model = MODEL) -> list[Block]:
    """Fit every block of related classes; classes of other kinds share one block."""
    by_block: dict[str, list[Sequence[Row]]] = {}
    for rows in groups:
        name = _BLOCKS.get(rows[0].parts.kind, "other")
        by_block.setdefault(name, []).append(rows)
    return [Block(members, model) for members in by_block.values()]
