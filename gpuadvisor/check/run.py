"""`check`: files -> findings -> cost before, after and at most -> verdict of the policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.check import judge
from gpuadvisor.check.baseline import compared
from gpuadvisor.check.bench import Bench
from gpuadvisor.check.candidate import ZERO
from gpuadvisor.check.costing import NOTHING, Coster, pairing_issues
from gpuadvisor.check.demand import Demands, Placed
from gpuadvisor.check.describe import described
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
)
from gpuadvisor.check.match import TypeIndex
from gpuadvisor.check.rates import Market, Rates
from gpuadvisor.check.request import check_request
from gpuadvisor.check.suggestions import suggest
from gpuadvisor.check.summary import (
    assumptions_of,
    providers_of,
    subtotals,
    summary_of,
    warnings_of,
)
from gpuadvisor.check.totals import Monthly, monthly
from gpuadvisor.cost.exchange import Exchange, parse_rate
from gpuadvisor.iac import interface as iac
from gpuadvisor.iac.detect import read
from gpuadvisor.iac.interface import Context, Finding, Findings, Resource
from gpuadvisor.iac.sources import Sources

_OTHERS = frozenset(
    ("iac.unrecognised", "iac.helm_values", "iac.pulumi_program", "iac.empty",
     "iac.yaml_unrendered")
)  # fmt: skip
"""A file that is something else, not a broken one of a known format."""
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
    """Answer a typed request. Raises UsageError for a discount of an unknown provider."""
    for provider, _ in request.discounts:
        catalog.provider(provider)  # a discount for a name that nobody has would say nothing
    index = TypeIndex(catalog)
    fields = catalog.documents("iac")
    context = Context(fields, index.is_accelerator, request.region, request.parameters)
    documents, left_out = _read(request, context)
    bases = [read(f, context, request.kind, request.max_bytes) for f in request.bases]
    exchange = Exchange(
        catalog.rates(), request.today, dict(parse_rate(item) for item in request.fx)
    )
    market = Market(
        exchange, request.currency, request.today, request.prices, dict(request.discounts)
    )
    rates = Rates(catalog, index, market)
    found = compared(documents, bases)
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
    sources = Sources(request.sources)
    rows = sorted(
        (
            _row(p._replace(finding=sources.located(p.finding)), m)
            for p, m in zip(priced, figures, strict=True)
        ),
        key=lambda r: (-abs(r.delta or ZERO), -(r.monthly_max or ZERO), r.finding.address),
    )
    versions = catalog.in_use(providers_of(rows, request, index))
    bench = Bench(
        request.policy, exchange, request.currency, request.hours_per_month, request.today
    )
    faults = [(d.file, n.message) for d in documents for n in d.notes if n.message.id in _FAULTS]
    verdicts = judge.verdicts(rows, bench, versions, faults)
    return Report(
        request=request,
        rows=tuple(rows),
        summary=summary_of(rows, totals),
        projects=subtotals(rows, request),
        verdicts=verdicts,
        suggestions=suggest(rows, rates, index, request),
        notes=tuple((d.file, n) for d in documents for n in d.notes),
        kinds=tuple((d.file, d.kind) for d in documents),
        examined=sum(d.examined for d in documents),
        skipped=sum(d.skipped for d in documents),
        versions=versions,
        assumptions=assumptions_of(request, rows),
        warnings=(*warnings_of(documents, bases, rows), *left_out),
        exit_code=judge.exit_code(verdicts, request.policy),
    )


def _read(request: CheckRequest, context: Context) -> tuple[list[Findings], list[Message]]:
    """The files, and a warning that names those that `--skip-others` left out."""
    documents: list[Findings] = []
    others: list[str] = []
    for file in request.files:
        try:
            documents.append(read(file, context, request.kind, request.max_bytes))
        except InputError as error:
            ids = {error.message.id, *(p.message.id for p in error.problems)}
            if not request.skip_others or not ids & _OTHERS:
                raise
            others.append(file)
    if not others:
        return documents, []
    shown = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
    return documents, [message("check.left_out", count=len(others), files=shown)]


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
    elif finding.before is not None and finding.before == finding.after and not _ends(finding):
        delta = ZERO
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
