"""What holds of the rows together: totals, counts, assumptions, warnings."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.check.bench import changed, devices, devices_before, highest
from gpuadvisor.check.candidate import ZERO
from gpuadvisor.check.interface import (
    COVERED,
    UNKNOWN,
    UNPRICED,
    CheckRequest,
    Row,
    Summary,
    Totals,
)
from gpuadvisor.check.match import TypeIndex
from gpuadvisor.cost.staleness import FRESH
from gpuadvisor.iac import interface as iac
from gpuadvisor.iac.interface import Findings


def rise_at_most(rows: Sequence[Row]) -> Decimal:
    """Sum over rows of the most a row can cost minus what it cost before."""
    return sum(((highest(row) or ZERO) - (row.monthly_before or ZERO) for row in rows), ZERO)


def summary_of(rows: Sequence[Row], totals: Totals) -> Summary:
    return Summary(
        totals=totals._replace(delta_max=rise_at_most(rows)),
        changed=sum(changed(row) for row in rows),
        unpriced=sum(row.status == UNPRICED for row in rows),
        unknown=sum(row.status == UNKNOWN for row in rows),
        unbounded=sum(row.counts.max is None and row.status != COVERED for row in rows),
        devices_before=sum(devices_before(row) for row in rows),
        ending_hourly=sum((r.after.hourly or ZERO for r in rows if r.ends), ZERO),
        devices_after=sum(devices(row, row.counts.planned) for row in rows),
    )


def subtotals(rows: Sequence[Row], request: CheckRequest) -> tuple[tuple[str, Totals], ...]:
    """Subtotals of the named projects, and of the rest under an empty name."""
    if not request.projects:
        return ()
    names = dict.fromkeys((*(name for name, _ in request.projects), *(r.project for r in rows)))
    found = []
    for name in names:
        held = [row for row in rows if row.project == name]
        after = sum((r.monthly_after or ZERO for r in held), ZERO)
        totals = Totals(
            sum((r.monthly_before or ZERO for r in held), ZERO),
            after,
            sum((r.monthly_max or r.monthly_after or ZERO for r in held), ZERO),
            after,
            after,
            rise_at_most(held),
        )
        found.append((name, totals))
    return tuple(found)


def providers_of(rows: Sequence[Row], request: CheckRequest, index: TypeIndex) -> set[str]:
    """Clouds whose catalogs the answer rests on: of findings, of prices, of declared nodes."""
    found = {row.finding.provider for row in rows}
    found.update(c.price.provider for r in rows for c in (r.before, r.after) if c.price)
    for node in request.policy.nodes:
        found.update(kind.provider for kind in index.catalog.find_types(node.type))
    return found & set(index.catalog.providers())


def assumptions_of(request: CheckRequest, rows: Sequence[Row]) -> tuple[Message, ...]:
    found = [message("check.assume_hours", hours=f"{request.hours_per_month:g}")]
    if request.discounts:
        shown = ", ".join(f"{name} {share:.1%}" for name, share in request.discounts)
        found.append(message("check.assume_discounts", discounts=shown))
    else:
        found.append(message("check.assume_list"))
    if any(row.purchase in ("spot", iac.MIXED) for row in rows):
        found.append(message("check.assume_spot"))
    if any(row.counts.max != row.counts.planned for row in rows):
        found.append(message("check.assume_planned"))
    if request.region:
        found.append(message("check.assume_region", region=request.region))
    return tuple(found)


def warnings_of(
    documents: Sequence[Findings], bases: Sequence[Findings], rows: Sequence[Row]
) -> tuple[Message, ...]:
    found: list[Message] = []
    declared = any(f.action == iac.DECLARED for d in documents for f in d.findings)
    if declared and not bases:
        found.append(message("check.no_baseline"))
    if bases and not declared and any(d.findings for d in documents):
        found.append(message("check.base_unused"))
    found.extend(_stale(rows))
    return tuple(found)


def _stale(rows: Sequence[Row]) -> list[Message]:
    """Per option the oldest price past its limit."""
    oldest: dict[tuple[str, str], tuple[int, str, str]] = {}
    for row in rows:
        for cost in (row.before, row.after):
            used = cost.price
            if used is None or used.level == FRESH:
                continue
            key = (used.provider, used.option)
            held = oldest.get(key)
            if held is None or used.age_days > held[0]:
                oldest[key] = (used.age_days, used.as_of, used.level)
    return [
        message(f"check.stale_{level}", provider=provider, option=option, as_of=as_of, days=days)
        for (provider, option), (days, as_of, level) in sorted(oldest.items())
    ]
