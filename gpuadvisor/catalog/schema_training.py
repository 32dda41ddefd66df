"""Schema of `training/*.yaml`: what share of a device's peak training reaches."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from gpuadvisor.catalog.schema import CatalogFile, Name, StrictModel
from gpuadvisor.catalog.schema_workloads import Flag

Share = Annotated[float, Field(gt=0, le=1)]


class Utilisation(StrictModel):
    """Model FLOPs utilisation over the dense 16-bit peak, low to high.

    The entry without `devices` stands for all that no other entry names; `benchmarked` says
    that somebody measured these very devices. `split` is for a model whose layers
    tensor parallelism splits: of its compute alone, before that exchange and a pipeline's bubble.
    """

    devices: tuple[Name, ...]
    split: Flag = False
    low: Share
    expected: Share
    high: Share
    benchmarked: Flag
    source: Name
    notes: str | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.low <= self.expected <= self.high:
            raise ValueError("low <= expected <= high")
        return self


class TrainingFile(CatalogFile):
    """Root of the file: a readable slug -> the utilisation of some devices."""

    training: dict[Name, Utilisation]
