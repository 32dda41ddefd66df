"""Schema of `models/*.yaml`: dimensions of named models, and peaks of memory that were measured."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gpuadvisor.catalog.schema import CatalogFile, Name, NotNegative, Positive, StrictModel
from gpuadvisor.catalog.schema_workloads import Flag

Count = Annotated[int, Field(ge=1, le=10_000_000)]


class Peak(StrictModel):
    """Peak device memory in GiB: `fixed_gib` + `per_item_gib` x batch.

    `size` is the tokens of an item; without it the item's size stands in `measured`.
    """

    phase: Literal["inference", "training"]
    precision: Literal["fp32", "fp16", "bf16", "fp8", "int8"]
    fixed_gib: NotNegative
    per_item_gib: NotNegative = 0.0
    size: Count | None = None
    measured: Name
    source: Name


class Model(StrictModel):
    """A named model. A `decoder` caches keys and values, an `encoder` does not; any `other` model
    is known by its measured peaks.

    `windowed_layers` of the `layers` attend to the last `window` tokens; `latent` values are
    cached per token and layer instead of keys and values. `workload` names the profile that
    serving it runs.
    """

    title: Name
    aliases: tuple[Name, ...] = ()
    kind: Literal["decoder", "encoder", "other"]
    workload: Name | None = None
    params: Positive
    layers: Count | None = None
    hidden: Count | None = None
    heads: Count | None = None
    kv_heads: Count | None = None
    head_dim: Count | None = None
    ffn: Count | None = None
    vocab: Count | None = None
    gated: Flag = True
    tied: Flag = False
    experts: Count = 1
    experts_used: Count = 1
    max_context: Count | None = None
    window: Count | None = None
    windowed_layers: Annotated[int, Field(ge=0)] = 0
    state_layers: Annotated[int, Field(ge=0)] = 0
    state_bytes: NotNegative = 0.0
    latent: Count | None = None
    peaks: tuple[Peak, ...] = ()
    source: Name
    notes: str | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        dimensions = (self.layers, self.hidden, self.heads)
        if self.kind != "other" and None in dimensions:
            raise ValueError("layers, hidden and heads of a transformer")
        if self.kind == "other" and not self.peaks:
            raise ValueError("a measured peak, where no formula gives the memory")
        if self.windowed_layers and self.window is None:
            raise ValueError("the window of the windowed layers")
        if self.windowed_layers + self.state_layers > (self.layers or 0):
            raise ValueError("at most as many windowed and state layers as layers")
        if self.experts_used > self.experts:
            raise ValueError("at most as many experts used as there are")
        return self


class ModelsFile(CatalogFile):
    """Root of the file: model name -> model."""

    models: dict[Annotated[str, Field(pattern=r"^[a-z0-9]+([.-][a-z0-9]+)*$")], Model]
