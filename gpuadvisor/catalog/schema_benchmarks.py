"""Schema of `benchmarks/*.yaml`: how fast devices are, by class of workload.

Everything here is written by `python -m tools.fit_speed`; log means natural logarithm.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from gpuadvisor.catalog.schema import CatalogFile, Name, NotNegative, Positive, StrictModel

Count = Annotated[int, Field(ge=0)]
Log = Annotated[float, Field(ge=-5, le=5)]
Exponent = Annotated[float, Field(ge=-3, le=3)]
PairName = Annotated[str, Field(pattern=r"^[^/]+/.+$")]


class PairEntry(StrictModel):
    """Measured performance of the first device over the second.

    `ratio` is the median over families of each family's median; `low` and `high` are the tenth
    and ninetieth percentile of the groups. `sources` are ordered by number of groups.
    """

    ratio: Positive
    low: Positive
    high: Positive
    groups: Count
    families: Count
    sources: Annotated[tuple[Name, ...], Field(min_length=1)]


class LayerEntry(StrictModel):
    """A term of log performance: bandwidth x log GB/s + flops x log TFLOPS + device effect."""

    bandwidth: Exponent
    flops: Exponent
    effects: dict[Name, Log] = Field(default_factory=dict)


class ErrorEntry(StrictModel):
    """Half of the 80 % range of a basis in log units: base + slope x |log ratio|."""

    base: Positive
    slope: NotNegative


class ErrorsEntry(StrictModel):
    """The error of each basis, from left-out families and left-out sources."""

    measured: ErrorEntry
    fitted: ErrorEntry
    spec: ErrorEntry


class DoubtEntry(StrictModel):
    """Families that weigh as much as the step below: weight = families / (families + doubt)."""

    pair: NotNegative
    pair_in_setting: NotNegative
    workload: NotNegative


class BenchmarkEntry(StrictModel):
    """What is known of one class of workload; `pooled-*` stand in for classes without data.

    `alone` and `errors` answer a question about the class alone. One that states something of
    the setting (a workload, a software, a batch size ...) is answered by `base` plus the `layers`
    of what it states, and `errors_in_setting`.
    """

    step: Literal["formula", "regression", "pair", "workload"]
    groups: Count
    families: Count
    rate: Literal["fp32", "tf32", "fp16", "int8", "fp8", "fp4"]
    rate_by_precision: bool
    errors: ErrorsEntry
    errors_in_setting: ErrorsEntry
    doubt: DoubtEntry
    devices: dict[Name, Count]
    alone: LayerEntry
    base: LayerEntry
    layers: dict[Name, dict[Name, LayerEntry]] = Field(default_factory=dict)
    pairs: dict[PairName, PairEntry] = Field(default_factory=dict)
    workload_pairs: dict[Name, dict[PairName, PairEntry]] = Field(default_factory=dict)
    sources: Annotated[tuple[Name, ...], Field(min_length=1)]


class BenchmarksFile(CatalogFile):
    """One class a file, so that a query reads only what it needs."""

    benchmarks: dict[Name, BenchmarkEntry]
