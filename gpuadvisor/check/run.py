"""`check`: files -> findings -> cost before, after and at most -> verdict of the policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.check import judge
from gpuadvisor.check.costing import NOTHING, ZERO, Coster, described, pairing_issues
from gpuadvisor.check.demand import Demands, Placed
from gpuadvisor.check.interface import (
    COVERED,
    NEVER,
    PRICED,
    UNKNOWN,
    UNPRICED,
    CheckRequest,
    Cost,
    Described,
    Report,
    Row,
    Summary,
    Totals,
)
from gpuadvisor.check.match import TypeIndex
from gpuadvisor.check.rates import Market, Rates
from gpuadvisor.check.request import check_request
from gpuadvisor.check.suggestions import suggest
from gpuadvisor.check.totals import Monthly, monthly
from gpuadvisor.cost.exchange import Exchange, parse_rate
from gpuadvisor.cost.staleness import FRESH
from gpuadvisor.iac import interface as iac
from gpuadvisor.iac.detect import read
from gpuadvisor.iac.interface import Context, Finding, Findings, Resource

_FAULTS = ("iac.plan_errored", "iac.plan_incomplete")
_WORST = (COVERED, PRICED, UNPRICED, UNKNOWN)


def check(files: str | Sequence[str], catalog: Catalog | None = None, **fields: Any) -> Report:
    """Check infrastructure files: `check("plan.json", max_increase="2000")`.

    `fields` are the flags of `gpuadvisor check` with underscores. Raises UsageError for a bad
    field, InputError for a file that cannot be read; a policy that fails is in the report.
    """
    paths = [files] if isinstance(files, str) else list(files)
    return run(check_request(paths, **fields), catalog or load_catalog())


class _Priced(NamedTuple):
    """A finding with both sides costed, before months and rounding."""

    finding: Finding
    project: str
    action: str
    what: Described
    what_before: Described | None
    purchase: str
    region: str | None
    before: Cost
    after: Cost


def run(request: CheckRequest, catalog: Catalog) -> Report:
    """Answer a typed request."""
    index = TypeIndex(catalog)
    fields = catalog.documents("iac")
    context = Context(fields, index.is_accelerator, request.region, request.parameters)
    documents = [read(f, context, request.kind, request.max_bytes) for f in request.files]
    bases = [read(f, context, request.kind, request.max_bytes) for f in request.bases]
    exchange = Exchange(
        catalog.rates(), request.today, dict(parse_rate(item) for item in request.fx)
    )
    market = Market(
        exchange, request.currency, request.today, request.prices, dict(request.discounts)
    )
    rates = Rates(catalog, index, market)
    found = _compared(documents, bases)
    demands = Demands(
        index,
        rates,
        Coster(index, rates),
        request.policy.nodes,
        found,
        fields.get("kubernetes/words", {}).get("devices", {}),
        request.hours_per_month,
    )
    projects = {file: name for name, file in request.projects}
    priced = [_price(f, projects.get(f.file, ""), index, demands) for f in found]
    sides = [(_standing(p.before, p), _standing(p.after, p)) for p in priced]
    figures, totals = monthly(sides, request.hours_per_month, request.currency)
    rows = sorted(
        (_row(p, m) for p, m in zip(priced, figures, strict=True)),
        key=lambda r: (-abs(r.delta or ZERO), -(r.monthly_max or ZERO), r.finding.address),
    )
    providers = {p.finding.provider for p in priced} & set(catalog.providers())
    providers |= _node_providers(request, index)
    versions = catalog.in_use(providers)
    bench = judge.Bench(
        request.policy, exchange, request.currency, request.hours_per_month, request.today
    )
    faults = [(d.file, n.message) for d in documents for n in d.notes if n.message.id in _FAULTS]
    verdicts = judge.verdicts(rows, bench, versions, faults)
    return Report(
        request=request,
        rows=tuple(rows),
        summary=_summary(rows, totals),
        projects=_projects(rows, request),
        verdicts=verdicts,
        suggestions=suggest(rows, rates, index, request),
        notes=tuple((d.file, n) for d in documents for n in d.notes),
        kinds=tuple((d.file, d.kind) for d in documents),
        examined=sum(d.examined for d in documents),
        skipped=sum(d.skipped for d in documents),
        versions=versions,
        assumptions=_assumptions(request, rows),
        warnings=_warnings(documents, bases, rows),
        exit_code=judge.exit_code(verdicts, request.policy),
    )


def _compared(documents: Sequence[Findings], bases: Sequence[Findings]) -> list[Finding]:
    """Findings with a before where a base gives one; what only the base has is removed."""
    found = [finding for document in documents for finding in document.findings]
    if not bases:
        return found
    old = {(f.kind, f.address): f for base in bases for f in base.findings if f.after is not None}
    joined: list[Finding] = []
    seen: set[tuple[str, str]] = set()
    for finding in found:
        key = (finding.kind, finding.address)
        if finding.action != iac.DECLARED:
            joined.append(finding)
            continue
        seen.add(key)
        base = old.get(key)
        before = base.after if base else None
        if before is None:
            action = iac.CREATE
        else:
            action = iac.NO_OP if before == finding.after else iac.UPDATE
        joined.append(finding._replace(before=before, action=action))
    for key, base in old.items():
        if key not in seen and base.action == iac.DECLARED:
            joined.append(base._replace(before=base.after, after=None, action=iac.DELETE))
    return joined


def _price(finding: Finding, project: str, index: TypeIndex, demands: Demands) -> _Priced:
    shown = finding.resource
    if finding.side == iac.DEMAND:
        before = _placed(finding.before, demands)
        same = finding.before == finding.after
        after = before if same else _placed(finding.after, demands)
        chosen = after if finding.after is not None else before
        what = chosen.what or described(shown, index)
        action = finding.action
        old = _before(finding, before.what, index)
        return _Priced(
            finding, project, action, what, old, chosen.purchase, chosen.region,
            before.cost, after.cost,
        )  # fmt: skip
    coster = demands.coster
    issues = pairing_issues(finding.reasons)
    before_cost = coster.cost(finding.before)
    same = finding.before == finding.after
    after_cost = coster.cost(finding.after, issues)
    if same:
        before_cost = after_cost
    return _Priced(
        finding, project, finding.action, described(shown, index), _before(finding, None, index),
        shown.purchase, shown.region, before_cost, after_cost,
    )  # fmt: skip


def _before(finding: Finding, placed: Described | None, index: TypeIndex) -> Described | None:
    """What stood there before; None where nothing did."""
    if finding.before is None:
        return None
    return placed or described(finding.before, index)


def _placed(resource: Resource | None, demands: Demands) -> Placed:
    if resource is None:
        return Placed(NOTHING, None, NEVER, "", None)
    return demands.cost(resource)


def _ends(finding: Finding) -> bool:
    return any(reason.id == "iac.runs_then_ends" for reason in finding.reasons)


def _standing(cost: Cost, priced: _Priced) -> Cost:
    """What a month is made of: work that ends is not standing cost."""
    if not _ends(priced.finding):
        return cost
    return cost._replace(hourly=None, low=None, high=None, maximum=None)


def _row(priced: _Priced, figures: Monthly) -> Row:
    finding, before, after = priced.finding, priced.before, priced.after
    delta = None
    if figures.before is not None and figures.after is not None:
        delta = figures.after - figures.before
    status = max(before.status, after.status, key=_WORST.index)
    if COVERED in (before.status, after.status) and status == PRICED:
        status = after.status if finding.after is not None else before.status
    chosen = after if finding.after is not None else before
    reasons = _distinct((*finding.reasons, *chosen.reasons))
    return Row(
        finding=finding,
        action=priced.action,
        ends=_ends(finding),
        project=priced.project,
        what=priced.what,
        what_before=priced.what_before,
        counts=after.counts if finding.after is not None else NEVER,
        purchase=priced.purchase,
        region=priced.region,
        status=status,
        before=before,
        after=after,
        monthly_before=figures.before,
        monthly_after=figures.after,
        delta=delta,
        monthly_max=figures.maximum,
        confidence=_confidence(finding, chosen, status),
        reasons=reasons,
    )


def _distinct(reasons: Iterable[Message]) -> tuple[Message, ...]:
    kept: list[Message] = []
    for reason in reasons:
        if reason not in kept:
            kept.append(reason)
    return tuple(kept)


_LEVELS = ("high", "medium", "low")
_SOURCE_LEVELS = {"official": "high", "secondary": "medium"}


def _confidence(finding: Finding, cost: Cost, status: str) -> str:
    """The weakest of what the file says, the price's source and the status."""
    if status == UNKNOWN:
        return "low"
    found = [finding.resource.confidence]
    if cost.price is not None:
        found.append(_SOURCE_LEVELS.get(cost.price.confidence, "low"))
    return max(found, key=_LEVELS.index)


def changed(row: Row) -> bool:
    """Does the change move what is rented; a change of tags alone does not."""
    return row.action not in (iac.NO_OP, iac.FORGET) and row.finding.before != row.finding.after


def _summary(rows: Sequence[Row], totals: Totals) -> Summary:
    return Summary(
        totals=totals,
        changed=sum(changed(row) for row in rows),
        unpriced=sum(row.status == UNPRICED for row in rows),
        unknown=sum(row.status == UNKNOWN for row in rows),
        unbounded=sum(row.counts.max is None and row.status != COVERED for row in rows),
        devices_before=sum(judge.devices_before(row) for row in rows),
        ending_hourly=sum((r.after.hourly or ZERO for r in rows if r.ends), ZERO),
        devices_after=sum(judge.devices(row, row.counts.planned) for row in rows),
    )


def _projects(rows: Sequence[Row], request: CheckRequest) -> tuple[tuple[str, Totals], ...]:
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
        )
        found.append((name, totals))
    return tuple(found)


def _node_providers(request: CheckRequest, index: TypeIndex) -> set[str]:
    return {
        kind.provider
        for node in request.policy.nodes
        for kind in index.catalog.find_types(node.type)
    }


def _assumptions(request: CheckRequest, rows: Sequence[Row]) -> tuple[Message, ...]:
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


def _warnings(
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
