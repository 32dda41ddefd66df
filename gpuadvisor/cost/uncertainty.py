"""Ranges of inputs, what they make of a result, and which of them moves it most (F35)."""

from collections.abc import Callable, Mapping
from typing import NamedTuple


class Triple(NamedTuple):
    """Low, most likely and high value of an input, low <= likely <= high."""

    low: float
    likely: float
    high: float

    @property
    def mean(self) -> float:
        """The PERT mean, (l + 4 m + h) / 6."""
        return (self.low + 4 * self.likely + self.high) / 6

    @property
    def deviation(self) -> float:
        """The PERT standard deviation, (h - l) / 6."""
        return (self.high - self.low) / 6


class Swing(NamedTuple):
    """What one input does to the result alone: at its low and its high value."""

    name: str
    at_low: float
    at_high: float

    @property
    def size(self) -> float:
        """How far the result moves."""
        return abs(self.at_high - self.at_low)


Model = Callable[[Mapping[str, float]], float]


def exactly(value: float) -> Triple:
    """An input without uncertainty."""
    return Triple(value, value, value)


def tornado(model: Model, inputs: Mapping[str, Triple]) -> list[Swing]:
    """F35: vary one input at a time from the likely case; the largest swing first."""
    base = {name: triple.likely for name, triple in inputs.items()}
    swings = [
        Swing(name, model({**base, name: triple.low}), model({**base, name: triple.high}))
        for name, triple in inputs.items()
        if triple.low != triple.high
    ]
    return sorted(swings, key=lambda swing: (-swing.size, swing.name))


def joint(model: Model, inputs: Mapping[str, Triple]) -> Triple:
    """The result with all inputs favourable, likely and unfavourable together.

    The model must be monotone in each input; its direction is found by trying.
    """
    base = {name: triple.likely for name, triple in inputs.items()}
    good, bad = dict(base), dict(base)
    for swing in tornado(model, inputs):
        triple = inputs[swing.name]
        rises = swing.at_high >= swing.at_low
        good[swing.name] = triple.low if rises else triple.high
        bad[swing.name] = triple.high if rises else triple.low
    return Triple(model(good), model(base), model(bad))
