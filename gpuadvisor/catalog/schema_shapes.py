"""Schema of `providers/<provider>/shapes.yaml` and `regions/<provider>.yaml`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from gpuadvisor.catalog.schema import (
    CatalogFile,
    IsoDate,
    Name,
    NotNegative,
    Positive,
    StrictModel,
)

Option = Literal[
    "on_demand",
    "spot",
    "reserved",
    "savings_plan",
    "committed_use",
    "subscription",
    "capacity_block",
    "flex_start",
    "calendar",
]
Geo = Literal[
    "us",
    "canada",
    "latam",
    "europe",
    "middle_east",
    "africa",
    "india",
    "asia",
    "cn",
    "oceania",
    "unknown",
]
"""Part of the world. `unknown` is for providers whose sources name no region."""


class Hipaa(StrictModel):
    """Whether the provider offers a HIPAA business associate agreement, and who says so."""

    offered: bool
    source: Name


class Quota(StrictModel):
    """The quota that a purchase draws on; new accounts often start at 0."""

    code: Name | None = None
    title: Name
    unit: Literal["vcpus", "gpus"]
    spot_code: Name | None = None
    spot_title: Name | None = None
    source: Name | None = None


class Shape(StrictModel):
    """One instance type. `devices` counts whole devices; a slice has `fraction` instead.

    A key left out is unknown: specialists often state no vCPU count and no host memory.
    """

    family: Name
    device: Name
    devices: Annotated[int, Field(ge=1, le=64)] | None = None
    fraction: Annotated[str, Field(pattern=r"^[1-9]\d*/[1-9]\d*$")] | None = None
    memory_gib: Positive
    vcpus: Annotated[int, Field(ge=0, le=4096)] | None = None
    host_memory_gib: Positive | None = None
    network_gbps: NotNegative | None = None
    rdma: Literal["efa", "infiniband", "gpudirect", "roce"] | None = None
    interconnect: Literal["none", "pcie", "nvlink-bridge", "nvlink", "other"]
    local_disk_gb: NotNegative | None = None
    arch: Literal["x86_64", "arm64"]
    sold: tuple[Option, ...]
    status: Literal["active", "frozen", "retired", "preview", "price_only", "unclear"]
    retired_on: IsoDate | None = None
    price_scope: Literal["instance", "gpu_only", "per_gpu_rate"] = "instance"
    quota: Name | None = None
    source: Name
    notes: str | None = None

    @field_validator("fraction")
    @classmethod
    def _below_one(cls, value: str | None) -> str | None:
        if value is not None and not 0 < Fraction(value) < 1:
            raise ValueError("a fraction between 0 and 1, such as 1/4")
        return value

    @model_validator(mode="after")
    def _count_or_fraction(self) -> Shape:
        if (self.devices is None) == (self.fraction is None):
            raise ValueError("give either `devices` or `fraction`, not both or neither")
        if self.status == "retired" and self.sold:
            raise ValueError("a retired type is not sold: `sold` must be []")
        return self


class ShapesFile(CatalogFile):
    """What a provider's types are, once; prices stand in their own versioned files."""

    provider: Name
    title: Name
    tier: Literal["hyperscaler", "specialist", "marketplace"]
    reference_region: Name | None = None
    hipaa: Hipaa | None = None
    quotas: dict[Name, Quota] = Field(default={})
    types: dict[Name, Shape]


class RegionEntry(StrictModel):
    """A region. `country` is ISO 3166-1 alpha-2; `eu` is membership of the European Union."""

    title: Name
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")] | None = None
    geo: Geo
    eu: bool = False


class RegionsFile(CatalogFile):
    """The regions of one provider."""

    provider: Name
    regions: dict[Name, RegionEntry]
