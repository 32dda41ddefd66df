"""`recommend()`: the seven steps of the design, in order."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.advice import candidates as reasons
from gpuadvisor.advice.candidates import Candidate, Removed, candidates
from gpuadvisor.advice.commitments import committed
from gpuadvisor.advice.explain import flips, others
from gpuadvisor.advice.needs import PRICE, TIME, UNIT_COST, Needs, budget_is_per_run, needs_of
from gpuadvisor.advice.places import Place, place_notes, places
from gpuadvisor.advice.pricing import Priced, Pricing, cheapest, offers_of
from gpuadvisor.advice.ranking import Entry, Ranked, choose, rank
from gpuadvisor.advice.request import Request, request_from
from gpuadvisor.advice.result import MoneyRange, Option, Recommendation, Rejection, Speed
from gpuadvisor.advice.sizing import Size, SpeedModel, size
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cost.exchange import Exchange, parse_rate
from gpuadvisor.cost.money import per_month, scale
from gpuadvisor.cost.staleness import FRESH
from gpuadvisor.performance.speed import tie_ratio
from gpuadvisor.rules.engine import (
    Decision,
    decide,
    explain,
    outcome,
    preference,
    read_rules,
)
from gpuadvisor.rules.interface import Rule


class Draft(NamedTuple):
    """A candidate with its size, price and cost, before it is ranked."""

    candidate: Candidate
    size: Size
    priced: Priced
    speed: Speed | None
    hourly: Decimal
    monthly: MoneyRange
    run: MoneyRange | None
    per_unit: MoneyRange | None
    value: float


class Context(NamedTuple):
    """What one request is answered with."""

    catalog: Catalog
    request: Request
    needs: Needs
    places: tuple[Place, ...]
    pricing: Pricing
    rules: tuple[Rule, ...]
    decision: Decision
    today: datetime.date


def recommend(
    request: Request | Mapping[str, Any], catalog: Catalog | None = None, *, traces: bool = False
) -> Recommendation:
    """Rank the instances that serve a request.

    `request` is a `Request` or a mapping of flag names to values (`{"workload": "ocr",
    "budget": "5000"}`). With `traces` each option carries its rules' per-clause trace. Raises
    UsageError for unknown names and impossible values, InputError for a faulty catalog; a
    budget that nothing fits is no error: `feasible` is then False and `gap` says by how much.
    """
    if not isinstance(request, Request):
        request = request_from(request)
    catalog = catalog or load_catalog()
    context = prepare(catalog, request)
    drafts, removed = draft_all(context)
    return _answer(context, drafts, removed, traces)


def prepare(catalog: Catalog, request: Request) -> Context:
    """Resolve names, rates, needs and rules of a request."""
    day = request.today or datetime.datetime.now(datetime.UTC).date().isoformat()
    today = datetime.date.fromisoformat(day)
    overrides = dict(parse_rate(text) for text in request.fx)
    exchange = Exchange(catalog.rates(), today, overrides)
    needs = needs_of(catalog, request, exchange)
    found = places(catalog, request.provider, request.tier, request.region, request.compliance)
    pricing = Pricing(
        exchange,
        request.currency,
        today,
        {p.provider.name: p.provider.tier for p in found},
        request.prices,
        dict(request.discounts),
        request.max_age,
    )
    rules = read_rules(catalog.documents("rules"), request.policy)
    return Context(
        catalog, request, needs, found, pricing, rules, decide(rules, needs.facts), today
    )


def draft_all(context: Context) -> tuple[list[Draft], list[Removed]]:
    """Steps 2 to 5: filter, price, size and cost every candidate."""
    kept, removed = candidates(
        context.catalog, context.request, context.needs, context.places, context.decision,
        context.today,
    )  # fmt: skip
    model = SpeedModel(context.catalog, context.needs)
    drafts: list[Draft] = []
    for place in context.places:
        here = {c.type.name: c for c in kept if c.type.provider == place.provider.name}
        if not here:
            continue
        types = {name: c.type for name, c in here.items()}
        offers = offers_of(context.catalog, place, _options(context.needs), tuple(types))
        wanted = [o for o in offers if o.option in context.needs.options or o.option == ON_DEMAND]
        best, old = cheapest(context.pricing, wanted, types, context.needs.options)
        for name, candidate in here.items():
            if name not in best:
                reason = reasons.TOO_OLD if name in old else reasons.NO_PRICE
                removed.append(Removed(candidate.type, reason))
                continue
            draft = cost_draft(context, model, candidate, best[name])
            if isinstance(draft, str):
                removed.append(Removed(candidate.type, draft))
            else:
                drafts.append(draft)
    return drafts, removed


def _options(needs: Needs) -> tuple[str, ...]:
    # The on-demand price is read along with spot: it is the ceiling of spot's range.
    return tuple(dict.fromkeys((*needs.options, ON_DEMAND)))


def cost_draft(
    context: Context, model: SpeedModel, candidate: Candidate, priced: Priced
) -> Draft | str:
    needs, kind = context.needs, candidate.type
    sized = size(needs, model, kind, candidate.device)
    if sized is None:
        return reasons.SIZE
    speed = model.speed(kind, candidate.device, sized.instances)
    target = needs.core.latency_p99_ms
    if target is not None and speed is not None and (speed.latency_ms or 0.0) > target:
        return reasons.LATENCY
    count = sized.instances
    hourly = priced.price * count
    low, high = priced.low * count, priced.high * count
    monthly_hours = needs.hours if sized.run_hours is not None else sized.hours
    monthly = MoneyRange(*(scale(p, monthly_hours) for p in (low, hourly, high)))
    run = None
    if sized.run_hours is not None:
        hours = sized.run_hours
        run = MoneyRange(
            scale(low, hours.low), scale(hourly, hours.expected), scale(high, hours.high)
        )
    per_unit = _per_unit(needs, speed, low, hourly, high, monthly, run)
    draft = Draft(candidate, sized, priced, speed, hourly, monthly, run, per_unit, 0.0)
    return draft._replace(value=_value(needs, draft))


def _per_unit(
    needs: Needs,
    speed: Speed | None,
    low: Decimal,
    hourly: Decimal,
    high: Decimal,
    monthly: MoneyRange,
    run: MoneyRange | None,
) -> MoneyRange | None:
    """Money per unit: of the demand where there is one, else at 100 % busy."""
    demand = needs.demand
    if speed is None:
        return None
    if run is not None and demand.units is not None:
        return MoneyRange(*(part / Decimal(repr(demand.units)) for part in run))
    units = demand.per_month
    if demand.kind == "rate" and demand.per_second is not None:
        units = demand.per_second * needs.hours * 3600
    if units is not None:
        return MoneyRange(*(part / Decimal(repr(units)) for part in monthly))
    # A relative rate is in device-seconds of the reference; its unit is the device-hour.
    seconds = 1.0 if speed.relative_to is not None else 3600.0

    def over(money: Decimal, rate: float) -> Decimal:
        return money / Decimal(repr(rate * seconds))

    return MoneyRange(
        over(low, speed.rate.high), over(hourly, speed.rate.expected), over(high, speed.rate.low)
    )


def _value(needs: Needs, draft: Draft) -> float:
    """What is ranked by, in the request's objective; infinity where speed is missing."""
    if needs.objective == PRICE:
        return float(draft.monthly.expected)
    if draft.speed is None:
        return float("inf")
    if needs.objective == TIME and draft.size.run_hours is not None:
        return draft.size.run_hours.expected
    if needs.objective == UNIT_COST and draft.per_unit is not None:
        return float(draft.per_unit.expected)
    return float((draft.run or draft.monthly).expected)


# -- ranking and the answer -----------------------------------------------------------------


def _entry(context: Context, draft: Draft) -> Entry:
    """Ties: a stale price loses, then the rules' preferences decide."""
    stale = draft.priced.age.level != FRESH
    tie_break = (stale, preference(context.decision, draft.candidate.facts))
    kind = draft.candidate.type
    return Entry(draft, draft.value, draft.candidate.device.name, tie_break, kind.name)


def rank_drafts(context: Context, drafts: Sequence[Draft]) -> list[Ranked]:
    """Step 6 over all drafts; those without a speed come last, by price."""
    entries = [_entry(context, d) for d in drafts]
    class_ = context.needs.mode.workload_class
    known = [e for e in entries if e.value < float("inf")]
    unknown = [
        e._replace(value=float(e.item.monthly.expected)) for e in entries if e.value == float("inf")
    ]
    exact = context.needs.objective == PRICE or class_ is None
    ranked = rank(known, 1.0 if exact or class_ is None else tie_ratio(context.catalog, class_))
    groups = ranked[-1].tie_group if ranked else 0
    tail = rank(unknown, 1.0)
    return ranked + [Ranked(r.item, r.rank + len(ranked), r.tie_group + groups) for r in tail]


def _answer(
    context: Context, drafts: list[Draft], removed: list[Removed], traces: bool
) -> Recommendation:
    request, needs = context.request, context.needs
    budget, per = _budget(context)
    within = within_budget(context, drafts)
    over = [d for d in drafts if budget is not None and _spend(d, per) > budget]
    feasible = bool(within)
    shown: Sequence[Draft] = within
    gap = None
    if not feasible and drafts and budget is not None:
        nearest = min(drafts, key=lambda d: _spend(d, per))
        gap = _spend(nearest, per) - budget
        shown = [nearest]
    elif feasible:
        removed = removed + [Removed(d.candidate.type, reasons.BUDGET) for d in over]
    ranked = rank_drafts(context, shown)
    rows = choose(ranked, request.top, lambda d: d.candidate.device.name, _twin)
    options = tuple(_option(context, row, budget, per, traces) for row in rows)
    versions = context.catalog.in_use(p.provider.name for p in context.places)
    return Recommendation(
        request=request,
        today=context.today.isoformat(),
        currency=request.currency,
        rate=_rate(context),
        policy=request.policy,
        objective=needs.objective,
        workload=context.needs.profile,
        mode=needs.mode.name if request.workload else None,
        hours=needs.hours,
        budget=budget,
        budget_per=per,
        options=options,
        considered=len(drafts) + len(removed),
        rejected=_rejections(context, removed, over, drafts),
        fired=tuple(context.decision.fired),
        rules=context.catalog.documents("rules"),
        versions=versions,
        assumptions=(*place_notes(context.places, request.region), *needs.notes),
        warnings=_warnings(context, options, drafts, ranked),
        flips=flips(context, ranked, drafts) if feasible else (),
        others=others(context),
        feasible=feasible,
        gap=gap,
        next=_next(context, options),
    )


def within_budget(context: Context, drafts: Sequence[Draft]) -> list[Draft]:
    """Those whose expected cost the budget pays for; all of them without a budget."""
    budget, per = _budget(context)
    return [d for d in drafts if budget is None or _spend(d, per) <= budget]


def _twin(draft: Draft) -> object:
    kind = draft.candidate.type
    return (kind.provider, kind.device, kind.devices, draft.size.instances)


def _spend(draft: Draft, per: str) -> Decimal:
    if per == "run" and draft.run is not None:
        return draft.run.expected
    return draft.monthly.expected


def _budget(context: Context) -> tuple[Decimal | None, str]:
    request = context.request
    if request.budget is None:
        return None, "month"
    exchange = context.pricing.exchange
    if budget_is_per_run(request, context.needs):
        found = exchange.convert(request.budget.value, request.budget.currency, request.currency)
        return found.value, "run"
    monthly = per_month(request.budget, context.needs.hours)
    return exchange.convert(monthly.value, monthly.currency, request.currency).value, "month"


def _rate(context: Context) -> tuple[str, Decimal, str | None] | None:
    """The rate the header shows: the budget's currency, else CNY against the request's."""
    request, exchange = context.request, context.pricing.exchange
    other = "CNY" if request.currency != "CNY" else "USD"
    if request.budget is not None and request.budget.currency != request.currency:
        other = request.budget.currency
    quote = exchange.quote(request.currency, other)
    return (f"{quote.base}/{quote.quote}", quote.rate, quote.date)


def _option(
    context: Context, row: Ranked, budget: Decimal | None, per: str, traces: bool
) -> Option:
    draft: Draft = row.item
    kind = draft.candidate.type
    marks = outcome(context.decision, draft.candidate.facts)
    facts = {**context.needs.facts, **draft.candidate.facts}
    return Option(
        rank=row.rank,
        tie_group=row.tie_group,
        type=kind,
        device=draft.candidate.device,
        instances=draft.size.instances,
        devices_used=draft.size.devices_used,
        offer=draft.priced.offer,
        price=draft.priced.price,
        own_price=draft.priced.own,
        hours=draft.size.hours,
        hourly=draft.hourly,
        monthly=draft.monthly,
        run=draft.run,
        run_hours=draft.size.run_hours,
        per_unit=draft.per_unit,
        speed=draft.speed,
        fits_in_budget=None if budget is None else int(budget / _spend(draft, per)),
        if_committed=committed(context, kind, draft.priced.offer.region, draft.size.instances),
        effects=marks.effects,
        warnings=_option_warnings(context, draft),
        traces=explain(context.rules, facts) if traces else (),
    )


def _option_warnings(context: Context, draft: Draft) -> tuple[Message, ...]:
    offer, age, found = draft.priced.offer, draft.priced.age, []
    if age.level != FRESH:
        found.append(message("advice.stale_price", days=age.age_days, date=offer.as_of))
    if offer.confidence != "official" and not draft.priced.own:
        found.append(message("advice.unofficial_price", confidence=offer.confidence))
    if offer.option == SPOT and offer.interruption is not None:
        found.append(message("advice.interruption", bucket=offer.interruption))
    used, paid = draft.size.devices_used, draft.candidate.type.devices * draft.size.instances
    if used < paid:
        found.append(message("advice.paid_used", paid=f"{paid:g}", used=f"{used:g}"))
    return tuple(found)


def _warnings(
    context: Context,
    options: Sequence[Option],
    drafts: Sequence[Draft],
    ranked: Sequence[Ranked],
) -> tuple[Message, ...]:
    found = [
        message("advice.rule_note", rule=effect.rule, text=effect.text or "")
        for effect in context.decision.notes
        if effect.text
    ]
    mode = context.needs.mode
    if context.request.workload is not None and mode.no_reference is not None:
        found.append(message("advice.no_speed", reason=mode.no_reference))
    if drafts and all(d.priced.age.level != FRESH for d in drafts):
        oldest = min(o.offer.confirmed_on or o.offer.as_of for o in options)
        found.insert(0, message("advice.all_stale", date=oldest))
    if options and options[0].offer.confidence != "official":
        better = next((r for r in ranked if r.item.priced.offer.confidence == "official"), None)
        if better is not None:
            draft = better.item
            found.append(
                message(
                    "advice.best_official",
                    rank=better.rank,
                    type=draft.candidate.type.name,
                    provider=draft.candidate.type.provider,
                    option=message(f"recommend.terms_{draft.priced.offer.option}"),
                    monthly=f"{draft.monthly.expected:,.2f}",
                    currency=context.request.currency,
                )
            )
    return tuple(found)


def _rejections(
    context: Context, removed: Sequence[Removed], over: Sequence[Draft], drafts: Sequence[Draft]
) -> tuple[Rejection, ...]:
    """Removed types counted by reason, most telling first, each with the one nearest to pass."""
    counts = Counter((r.reason, r.rule) for r in removed)
    prices = {d.candidate.type: d.monthly.expected for d in (*over, *drafts)}
    found = []
    for (reason, rule), count in counts.items():
        here = [r.type for r in removed if (r.reason, r.rule) == (reason, rule)]
        nearest = min(
            here,
            key=lambda t: (prices.get(t, Decimal("Infinity")), t.memory_gib * t.devices, t.name),
        )
        why = "" if rule is None else str(context.decision.rules[rule].why)
        found.append(
            Rejection(
                reason if rule is None else "rule",
                rule,
                count,
                f"{nearest.provider}/{nearest.name}",
                message(f"advice.reject_{reason}", count=count, nearest=nearest.name,
                        rule=rule or "", why=why),
            )
        )  # fmt: skip
    order = {reason: place for place, reason in enumerate(_TELLING)}
    return tuple(
        sorted(found, key=lambda r: (order.get(r.reason, len(order)), -r.removed, r.rule or ""))
    )


_TELLING = (
    reasons.BUDGET, reasons.RULE, reasons.LATENCY, reasons.SIZE, reasons.LINK,
    reasons.MODEL_MEMORY, reasons.GPU_MEMORY, reasons.UNSUITED,
)  # fmt: skip
"""Reasons that say most about the request come first; the rest by their number."""


def _next(context: Context, options: Sequence[Option]) -> str:
    """The command to try next: size it, price it, or widen it."""
    request = context.request
    if not options:
        return "gpuadvisor recommend --region any --tier any"
    first = options[0]
    if (
        request.workload
        and context.needs.demand.kind == "none"
        and first.speed is not None
        and (first.speed.relative_to is None)
    ):
        return (
            f"gpuadvisor recommend --workload {context.needs.profile.name}"
            " --units-per-month 1000000"
        )
    return f"gpuadvisor estimate {first.type.name} --region {first.offer.region}"
