"""Schema of `billing/providers.yaml`: how each provider turns hours into a bill."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from gpuadvisor.catalog.schema import CatalogFile, Name, NotNegative, Positive, StrictModel

Term = Annotated[str, Field(pattern=r"^\d+(y|mo|d|h)$")]
Share = Annotated[float, Field(gt=0, le=1)]


class Commitment(StrictModel):
    """What one purchase option binds, and for how long it may be bought.

    `families` limits the entry to those instance families. `day_steps` says in what steps a
    block is sold: `[[14, 1], [182, 7]]` is by the day up to 14 days, then by the week.
    """

    option: Literal[
        "reserved", "savings_plan", "committed_use", "subscription", "capacity_block",
        "flex_start", "calendar",
    ]  # fmt: skip
    class_: Name | None = Field(default=None, alias="class")
    families: tuple[Name, ...] = ()
    terms: tuple[Term, ...] = ()
    payments: tuple[Literal["no_upfront", "partial_upfront", "all_upfront"], ...] = ()
    binds: Literal["instance_type", "family", "money_per_hour", "resources"]
    exact_type_families: tuple[Name, ...] = ()
    scope: Literal["zone", "region", "global"]
    needs_reservation: bool = False
    reserves_capacity: bool = False
    cancellable: bool = False
    unused: Literal["lost", "not_charged"] = "lost"
    min_days: Positive | None = None
    max_days: Positive | None = None
    day_steps: tuple[tuple[Positive, Positive], ...] = ()
    ends_early_minutes: Positive | None = None
    source: Name
    notes: str | None = None

    @model_validator(mode="after")
    def _steps_rise(self) -> Commitment:
        ends = [end for end, _ in self.day_steps]
        if ends != sorted(set(ends)):
            raise ValueError("day_steps end at rising numbers of days")
        return self


class Spot(StrictModel):
    """Notice before a spot instance goes, how long it may run, and how its price is set."""

    notice_seconds: NotNegative | None = None
    guaranteed_seconds: Positive | None = None
    max_hours: Positive | None = None
    price: Literal["market", "bid", "fixed_ratio", "flat"]
    ratio: Share | None = None
    source: Name
    notes: str | None = None


class SustainedUse(StrictModel):
    """Automatic discount: up to each share of the month, the share of the rate charged."""

    families: tuple[Name, ...]
    tiers: tuple[tuple[Share, Share], ...]
    source: Name
    notes: str | None = None

    @model_validator(mode="after")
    def _tiers_rise(self) -> SustainedUse:
        ends = [end for end, _ in self.tiers]
        if ends != sorted(set(ends)) or ends[-1:] != [1.0]:
            raise ValueError("tiers end at rising shares of the month, the last at 1")
        return self


class ZoneTraffic(StrictModel):
    """USD for a GB (1e9 bytes) between zones of a region, what both sides are billed together."""

    per_gb: NotNegative
    source: Name
    notes: str | None = None


class Billing(StrictModel):
    """One provider's rules. Increment and minimum are per launch of an on-demand machine."""

    increment_seconds: Positive | None = None
    minimum_seconds: NotNegative = 0
    stopped: Literal["free", "billed", "storage_only"] | None = None
    spot: Spot | None = None
    sustained_use: SustainedUse | None = None
    commitments: tuple[Commitment, ...] = ()
    zone_traffic: ZoneTraffic | None = None
    source: Name
    notes: str | None = None


class BillingFile(CatalogFile):
    """Root of the file: provider slug -> rules."""

    billing: dict[Name, Billing]
