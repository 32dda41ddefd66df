"""Schema of the policy: the `check:` section of `.gpuadvisor.yaml`. Imported only to read one."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from gpuadvisor.advice.request import own_price, read_share
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.schema import IsoDate, Name, Positive, StrictModel
from gpuadvisor.catalog.schema_shapes import Option
from gpuadvisor.check import policy
from gpuadvisor.check.request import limit_money, percentage
from gpuadvisor.cost.money import currency_code


def _money(value: str) -> str:
    try:
        limit_money(value, "USD")
    except UsageError as error:
        raise ValueError("an amount such as 2000, 2000EUR/month or 0.5万元") from error
    return value


def _share(value: str) -> str:
    try:
        read_share("discount", value)
    except UsageError as error:
        raise ValueError("a share such as 12% or 0.12") from error
    return value


def _price(value: dict[str, str]) -> dict[str, str]:
    try:
        for target, number in value.items():
            own_price("price", f"{target}={number}")
    except UsageError as error:
        raise ValueError("provider/type@region:option: price, above 0") from error
    return value


def _percent(value: object) -> object:
    try:
        return percentage(value)
    except UsageError as error:
        raise ValueError("a percentage such as 25") from error


def _currency(value: str) -> str:
    try:
        return currency_code(value)
    except UsageError as error:
        raise ValueError("a currency such as USD or CNY") from error


def _rule(value: str) -> str:
    if value not in policy.DEFAULT_LEVELS:
        raise ValueError(f"one of {', '.join(policy.DEFAULT_LEVELS)}")
    return value


def _option(value: object) -> object:
    return value.strip().lower().replace("-", "_") if isinstance(value, str) else value


Money = Annotated[Name, AfterValidator(_money)]
Share = Annotated[Name, AfterValidator(_share)]
RuleId = Annotated[Name, AfterValidator(_rule)]
Level = Literal["fail", "warn", "ignore"]
Purchase = Annotated[Option, BeforeValidator(_option)]


class ListSection(StrictModel):
    """Globs of names; an empty `allow` allows all."""

    allow: tuple[Name, ...] = ()
    deny: tuple[Name, ...] = ()


class IgnoreEntry(StrictModel):
    """An exception: an address glob, why, until when (inclusive), for which rules (all)."""

    address: Name
    reason: Name
    until: IsoDate | None = None
    rules: tuple[RuleId, ...] = ()


class NodesEntry(StrictModel):
    """Nodes of a cluster that pods with these labels run on."""

    type: Name
    labels: dict[Name, str] = Field(default_factory=dict)
    region: Name | None = None
    purchase: Purchase = "on_demand"


class CheckSection(StrictModel):
    """Limits are amounts per month in the money grammar, 0 for none at all."""

    max_increase: Money | None = None
    max_increase_pct: Annotated[float | None, BeforeValidator(_percent)] = None
    max_decrease: Money | None = None
    max_total: Money | None = None
    max_hourly_per_resource: Money | None = None
    max_devices: Annotated[int, Field(ge=0)] | None = None
    types: ListSection = ListSection()
    devices: ListSection = ListSection()
    regions: ListSection = ListSection()
    options: ListSection = ListSection()
    require_spot_for: tuple[Name, ...] = ()
    on_unknown: Level = "warn"
    on_max: Level = "warn"
    fail_on: Literal["fail", "warn"] = "fail"
    max_catalog_age: Annotated[int, Field(gt=0)] | None = None
    rules: dict[RuleId, Level] = Field(default_factory=dict)
    ignore: tuple[IgnoreEntry, ...] = ()
    nodes: tuple[NodesEntry, ...] = ()
    note: Name | None = None
    discounts: dict[Name, Share] = Field(default_factory=dict)
    prices: Annotated[dict[Name, str], AfterValidator(_price)] = Field(default_factory=dict)
    hours_per_month: Annotated[Positive, Field(le=744)] | None = None
    currency: Annotated[Name, AfterValidator(_currency)] | None = None
    region: Name | None = None
    catalog_version: dict[Name, Name] = Field(default_factory=dict)


class PolicyFile(BaseModel):
    """A `.gpuadvisor.yaml`; only its `check:` section is looked at here."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    check: CheckSection
