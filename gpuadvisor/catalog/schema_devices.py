"""Schema of `devices/*.yaml`, `partitions/*.yaml` and `fx/*.yaml`."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from gpuadvisor.catalog.schema import (
    CatalogFile,
    IsoDate,
    Name,
    NotNegative,
    Positive,
    StrictModel,
)

Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
Rate = Annotated[Decimal, Field(gt=Decimal("1e-6"), lt=Decimal("1e7"))]
"""No currency is worth a million euros, and none so little that ten million buy less than one."""
Share = Annotated[float, Field(gt=0, le=1)]


class DeviceEntry(StrictModel):
    """An accelerator model. Rates are dense (no sparsity), per device; bandwidth in GB/s."""

    family: Name
    vendor: Name
    software: Literal["cuda", "rocm", "neuron", "tpu", "gaudi", "cann", "qaic", "xilinx", "other"]
    architecture: Name
    compute_capability: Annotated[str, Field(pattern=r"^\d+\.\d+$")] | None = None
    year: Annotated[int, Field(ge=2008, le=2100)] | None = None
    memory_gib: Positive
    usable_memory_gib: Positive | None = None
    memory_type: Name | None = None
    bandwidth_gbs: Positive | None = None
    fp64_tflops: Positive | None = None
    fp32_tflops: Positive | None = None
    tf32_tflops: Positive | None = None
    fp16_tflops: Positive | None = None
    bf16_tflops: Positive | None = None
    fp8_tflops: Positive | None = None
    int8_tops: Positive | None = None
    fp4_tflops: Positive | None = None
    nvlink_gbs: NotNegative | None = None
    pcie_gen: Positive | None = None
    tdp_w: Positive | None = None
    mig_max: Annotated[int, Field(ge=0, le=8)] = 0
    form: Name | None = None
    confidence: Literal["high", "medium", "low"]
    source: Name
    measured_as: Name | None = None
    aliases: tuple[Name, ...] = ()
    notes: str | None = None


class FamilyEntry(StrictModel):
    """A shorter name that covers several devices, with the spellings that mean it."""

    aliases: tuple[Name, ...] = ()


class DevicesFile(CatalogFile):
    """Accelerators of one vendor."""

    devices: dict[Name, DeviceEntry]
    families: dict[Name, FamilyEntry] = Field(default={})


class PartitionEntry(StrictModel):
    """A slice of a device. Memory is usable GiB; shares are of the whole device."""

    memory_gib: Positive | None = None
    sm_share: Share | None = None
    memory_share: Share
    compute_slices: Annotated[int, Field(ge=1, le=8)] | None = None
    max_per_device: Annotated[int, Field(ge=1, le=8)]
    placements: tuple[Annotated[int, Field(ge=0, le=7)], ...]
    size: Annotated[int, Field(ge=1, le=8)]
    source: Name
    notes: str | None = None


class PartitionsFile(CatalogFile):
    """MIG profiles per device."""

    partitions: dict[Name, dict[Name, PartitionEntry]]


class FxFile(CatalogFile):
    """Reference rates: units of each currency for one unit of `base`, per date."""

    base: Currency
    source: Name
    rates: dict[IsoDate, dict[Currency, Rate]]
