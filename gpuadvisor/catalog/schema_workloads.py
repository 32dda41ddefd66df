"""Schema of `workloads/*.yaml`: what runs, its unit of work, and where its speed was measured.

A mode without a measured speed says why in `no_reference`; it is then ranked by price alone.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from gpuadvisor.catalog.schema import CatalogFile, Name, Positive, StrictModel

WorkloadClass = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Precision = Literal["fp64", "fp32", "tf32", "fp16", "bf16", "int8", "fp8", "int4", "fp4"]
Count = Annotated[int, Field(ge=1, le=1_000_000)]
Flag = Annotated[
    bool, BeforeValidator(lambda value: {"true": True, "false": False}.get(value, value))
]


class Reference(StrictModel):
    """A measured rate in units per second and device, with the spread over published set-ups.

    `low` and `high` are what others measured on the same device; without them the spread is
    assumed. `relative_only` means no rate was published in this unit: `rate` is then 1 by
    definition, and rates and costs are multiples of the reference device's. `vendor` marks a
    figure published by the seller of the card; `sources` are those of the spread.
    """

    device: Name
    rate: Positive
    low: Positive | None = None
    high: Positive | None = None
    batch: Count | None = None
    precision: Precision | None = None
    measured: Name
    relative_only: Flag = False
    vendor: Flag = False
    source: Name
    sources: tuple[Name, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Reference:
        if not (self.low or self.rate) <= self.rate <= (self.high or self.rate):
            raise ValueError("low <= rate <= high")
        if self.relative_only and self.rate != 1:
            raise ValueError("rate 1 where only relative rates are known")
        return self


class KnownRatio(StrictModel):
    """One process on `device` over one on the reference device, with the spread seen.

    `measured` by one party, or `chained` over a third device. It wins over the speed model, and
    devices near it are compared with it rather than with the far reference.
    """

    device: Name
    ratio: Positive
    low: Positive
    high: Positive
    basis: Literal["measured", "chained"]
    measured: Name
    source: Name
    sources: tuple[Name, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> KnownRatio:
        if not self.low <= self.ratio <= self.high:
            raise ValueError("low <= ratio <= high")
        return self


class PackingPoint(StrictModel):
    """Total rate of `streams` processes on one device over that of one process."""

    device: Name
    streams: Annotated[int, Field(ge=2, le=64)]
    gain: Annotated[float, Field(ge=1)]
    measured: Name
    source: Name


class Memory(StrictModel):
    """Device memory that one replica needs, in GiB.

    `measured` peak, `computed` by the formula in `what`, or an `upper_bound`: it ran on a card
    that shows so much. `sharded_over` devices: the need of each when its states are split.
    """

    gib: Positive
    precision: Precision | None = None
    basis: Literal["measured", "computed", "upper_bound"]
    sharded_over: Count = 1
    what: Name
    source: Name


class Host(StrictModel):
    """What the host must give: busy vCPUs per process, or units one vCPU prepares a second."""

    vcpus_per_stream: Positive | None = None
    units_per_vcpu: Positive | None = None
    memory_gib: Positive | None = None
    measured: Name
    source: Name


class Mode(StrictModel):
    """One way of running it. `measured_as` is the name the speed measurements use."""

    class_: WorkloadClass | None = Field(default=None, alias="class")
    measured_as: Name | None = None
    reference: Reference | None = None
    no_reference: Name | None = None
    ratios: tuple[KnownRatio, ...] = ()
    packing: tuple[PackingPoint, ...] = ()

    @model_validator(mode="after")
    def _one_answer(self) -> Mode:
        if (self.reference is None) == (self.no_reference is None):
            raise ValueError("either a reference or the reason why there is none")
        if self.reference is not None and self.class_ is None:
            raise ValueError("a class beside the reference, to carry it to other devices")
        if self.ratios and self.reference is None:
            raise ValueError("a reference that the ratios are taken against")
        return self


class LoneRate(StrictModel):
    """Tokens a second of one request alone on one device, as measured.

    `class`, `measured_as` and `software` are how the speed measurements know it; they carry it
    to other devices.
    """

    device: Name
    rate: Positive
    class_: WorkloadClass = Field(alias="class")
    measured_as: Name
    software: Name
    measured: Name
    source: Name


class ServingFigures(StrictModel):
    """What the serving model of language models starts from: a named model, typical lengths in
    tokens, and how fast its tokens are made (`step`) and its prompts read (`prefill`)."""

    model: Name
    input_tokens: Count
    output_tokens: Count
    step: LoneRate
    prefill: LoneRate


class Tuning(StrictModel):
    """How the run of the profile was made: the model, the method, the tokens of a micro-batch,
    and the speed of other methods over it. Another model trains slower as it has more weights."""

    model: Name
    method: Literal["full", "lora", "qlora"]
    batch: Count
    context: Count
    methods: dict[Literal["full", "lora", "qlora"], Positive]
    source: Name


class Run(StrictModel):
    """Size of a typical run in units of work; the user's own number wins. No source: assumed."""

    units: Positive
    what: Name
    source: Name | None = None


class Unsuited(StrictModel):
    """Devices (or families) that cannot do it, for a reason no other figure shows."""

    devices: Annotated[tuple[Name, ...], Field(min_length=1)]
    why: Name
    source: Name


class Workload(StrictModel):
    """A named profile: what runs, in which unit, and what it needs."""

    title: Name
    title_zh: Name | None = None
    aliases: tuple[Name, ...] = ()
    unit: Name
    units: Name
    shape: Literal["monthly", "run"]
    default_mode: Literal["unbatched", "batched"]
    modes: dict[Literal["unbatched", "batched"], Mode]
    precision: Precision
    memory: Memory | None = None
    host: Host | None = None
    interruptible: Flag
    latency: Literal["request", "stream", "batch", "none"]
    generative: Flag = False
    min_devices: Count = 1
    linked: Literal["none", "nvlink"] = "none"
    software: Literal["cuda", "any"] = "cuda"
    run: Run | None = None
    serving: ServingFigures | None = None
    tuning: Tuning | None = None
    unsuited: tuple[Unsuited, ...] = ()
    notes: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Workload:
        if self.default_mode not in self.modes:
            raise ValueError("a default mode that is one of its modes")
        if self.run is not None and self.shape != "run":
            raise ValueError("a run size for run-shaped workloads alone")
        return self


class WorkloadsFile(CatalogFile):
    """Root of the file: profile name -> profile."""

    workloads: dict[Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")], Workload]
