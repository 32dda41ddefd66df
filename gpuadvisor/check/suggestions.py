"""At most three cheaper ways, each with its catch. Nothing is suggested that is not sold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT, InstanceType
from gpuadvisor.check.interface import PRICED, CheckRequest, Row, Suggestion
from gpuadvisor.check.match import TypeIndex
from gpuadvisor.check.rates import Rates
from gpuadvisor.cost.money import rounded, scale
from gpuadvisor.cost.staleness import WIDEN
from gpuadvisor.iac import interface as iac

MOST = 3
_LEAST_SHARE = Decimal("0.1")
"""A saving under a tenth of the row is within the price's own noise."""


_HELD = frozenset({"iac.reservation_billed", "iac.commitment_itself", "iac.dedicated_host"})
"""Reasons of rows that hold capacity; a cheaper machine is no answer to those."""


def suggest(
    rows: Sequence[Row], rates: Rates, index: TypeIndex, request: CheckRequest
) -> tuple[Suggestion, ...]:
    """The largest savings a month over all rows: at most three, one for a row."""
    found: list[Suggestion] = []
    for row in _worth(rows):
        options = list(_options(row, rates, index, request))
        if options:
            found.append(max(options, key=lambda s: (s.saving, s.change.id)))
    found.sort(key=lambda s: (-s.saving, s.address))
    return tuple(found[:MOST])


def _worth(rows: Sequence[Row]) -> list[Row]:
    """Rows of supply that the change adds or alters and that cost something; dearest first."""
    held = [
        row
        for row in rows
        if row.status == PRICED
        and row.finding.side == iac.SUPPLY
        and row.action in (iac.CREATE, iac.UPDATE, iac.REPLACE, iac.DECLARED)
        and row.finding.after is not None
        and row.purchase == ON_DEMAND
        and row.monthly_after
        and not any(reason.id in _HELD for reason in row.reasons)
    ]
    held.sort(key=lambda row: (-(row.monthly_after or Decimal(0)), row.finding.address))
    return held[:20]


def _options(
    row: Row, rates: Rates, index: TypeIndex, request: CheckRequest
) -> Iterator[Suggestion]:
    resource = row.finding.resource
    if resource.type is None or resource.attached or row.after.price is None or row.region is None:
        return
    kind = index.find(resource.provider, resource.type)
    planned = row.counts.planned
    if kind is None or not planned:
        return
    now = row.after.price.per_hour
    policy = request.policy

    def saved(price: Decimal) -> Decimal:
        each = scale((now - price) * planned, request.hours_per_month)
        return rounded(each, request.currency)

    tables = rates.of(kind)
    spot = tables.get(SPOT, {}).get(row.region)
    if spot is not None and SPOT in kind.sold and spot.priced.price <= now * (1 - _LEAST_SHARE):
        rate = spot.priced.offer.interruption
        catch = message("check.catch_spot_rate", rate=rate) if rate else message("check.catch_spot")
        yield Suggestion(
            row.finding.address,
            saved(spot.priced.price),
            message("check.use_spot", type=kind.name),
            catch,
        )
    for other in _smaller(kind, index):
        listed = rates.of(other).get(ON_DEMAND, {}).get(row.region)
        if listed is None or listed.priced.age.level == WIDEN:
            continue
        if listed.priced.price <= now * (1 - _LEAST_SHARE):
            yield Suggestion(
                row.finding.address,
                saved(listed.priced.price),
                message("check.use_type", type=other.name, device=other.device),
                message(
                    "check.catch_type",
                    vcpus=other.vcpus,
                    memory=f"{other.host_memory_gib:g}" if other.host_memory_gib else "?",
                    old_vcpus=kind.vcpus,
                    old_memory=f"{kind.host_memory_gib:g}" if kind.host_memory_gib else "?",
                ),
            )
    yield from _elsewhere(row, kind, now, rates, index, saved, policy.regions.allow)


def _smaller(kind: InstanceType, index: TypeIndex) -> Iterator[InstanceType]:
    """Types of the same cloud with the same devices and less around them."""
    for other in index.of_provider(kind.provider):
        if (other.device, other.devices, other.memory_gib, other.arch) != (
            kind.device, kind.devices, kind.memory_gib, kind.arch,
        ):  # fmt: skip
            continue
        if other.name != kind.name and ON_DEMAND in other.sold and other.status == "active":
            yield other


def _elsewhere(
    row: Row,
    kind: InstanceType,
    now: Decimal,
    rates: Rates,
    index: TypeIndex,
    saved: Callable[[Decimal], Decimal],
    allowed: Sequence[str],
) -> Iterator[Suggestion]:
    """The cheapest region in the same part of the world, where the policy allows it."""
    regions = {r.name: r for r in index.catalog.regions() if r.provider == kind.provider}
    here = regions.get(row.region or "")
    if here is None or allowed:
        return
    near = [
        (hourly.priced.price, name)
        for name, hourly in rates.of(kind).get(ON_DEMAND, {}).items()
        if name in regions
        and regions[name].geo == here.geo
        and (regions[name].eu or not here.eu)
        and hourly.priced.price <= now * (1 - _LEAST_SHARE)
    ]
    if near and ON_DEMAND in kind.sold:
        price, name = min(near)
        yield Suggestion(
            row.finding.address,
            saved(price),
            message("check.use_region", type=kind.name, region=name),
            message("check.catch_region", region=row.region),
        )
