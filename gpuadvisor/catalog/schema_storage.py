"""Schema of `storage/*.yaml`: disks, object and file storage, snapshots, internet egress."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gpuadvisor.catalog.schema import CatalogFile, Name, NotNegative, Positive, StrictModel

Kind = Literal["disk", "local_disk", "object", "file", "snapshot", "egress"]
Unit = Literal["gb_month", "gib_hour", "disk_month", "gb", "gib"]
Step = tuple[Positive, NotNegative]


class Price(StrictModel):
    """What it costs in one region, in USD.

    `price` is the flat rate, or the rate beyond the last of the `tiers` `[[up to, rate], …]` of
    a month's amount in the entry's unit. `sizes` `[[GiB, price], …]` are disks sold whole.
    """

    price: Positive | None = None
    tiers: tuple[Step, ...] = ()
    sizes: tuple[tuple[Positive, Positive], ...] = ()
    retrieval_per_gb: NotNegative | None = None
    source: Name

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.price is None) == (not self.sizes):
            raise ValueError("give price or sizes")
        for steps in (self.tiers, self.sizes):
            ends = [end for end, _ in steps]
            if ends != sorted(set(ends)):
                raise ValueError("sizes and tiers rise")
        rates = [rate for _, rate in self.tiers if rate]
        if self.price is not None and rates != sorted(rates, reverse=True):
            raise ValueError("a later tier costs less than an earlier one")
        if self.price is not None and rates and rates[-1] < self.price:
            raise ValueError("the rate beyond the tiers is not above the last of them")
        return self


class StorageEntry(StrictModel):
    """One product. `tier` orders object storage; `usual` marks the one meant by the bare kind.

    `retrieval_per_gb` is what reading costs (unknown where left out), `minimum_days` how long
    an object is billed at least.
    """

    kind: Kind
    title: Name
    unit: Unit
    tier: Literal["hot", "cool", "cold", "archive"] | None = None
    usual: bool = False
    retrieval_per_gb: NotNegative | None = None
    minimum_days: Annotated[int, Field(ge=1)] | None = None
    regions: dict[Name, Price]
    notes: str | None = None

    @model_validator(mode="after")
    def _tiered(self) -> Self:
        if (self.kind == "object") != (self.tier is not None):
            raise ValueError("an object store has a tier, nothing else has")
        if (self.unit == "disk_month") != any(price.sizes for price in self.regions.values()):
            raise ValueError("sizes go with the unit disk_month")
        return self


class StorageFile(CatalogFile):
    """Root of the file: `<provider>/<product>` -> entry."""

    storage: dict[Annotated[str, Field(pattern=r"^[a-z0-9-]+/[a-z0-9-]+$")], StorageEntry]
