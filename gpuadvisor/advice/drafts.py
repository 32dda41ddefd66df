"""Candidates priced, sized and valued, before they are ranked.

Values are floats and cheap, for every candidate; the bill with its ranges is worked out in
Decimal only for the options that are shown.
"""

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from gpuadvisor.advice import reasons
from gpuadvisor.advice.candidates import Candidate, Removed, candidates
from gpuadvisor.advice.needs import PRICE, TIME, UNIT_COST, Needs, budget_is_per_run, needs_of
from gpuadvisor.advice.places import Place, places
from gpuadvisor.advice.pricing import Priced, Pricing, cheapest, offers_of
from gpuadvisor.advice.ranking import Entry, Ranked, rank
from gpuadvisor.advice.request import Request
from gpuadvisor.advice.result import MoneyRange, Speed
from gpuadvisor.advice.sizing import Size, Sizes
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND, RESERVED, SPOT
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.billing import paid_hours, paid_run_hours
from gpuadvisor.cost.exchange import Exchange, parse_rate
from gpuadvisor.cost.money import per_month, scale
from gpuadvisor.cost.staleness import FRESH
from gpuadvisor.performance.speed import tie_ratio
from gpuadvisor.rules.engine import Decision, decide, preference, read_rules
from gpuadvisor.rules.interface import Rule

if TYPE_CHECKING:
    from gpuadvisor.advice.spot_run import SpotRun

UNKNOWN = float("inf")
"""The value of a candidate without a speed: it ranks below all others, by price."""


class Context(NamedTuple):
    """What one request is answered with; `budget` is in the request's currency."""

    catalog: Catalog
    request: Request
    needs: Needs
    places: tuple[Place, ...]
    pricing: Pricing
    rules: tuple[Rule, ...]
    decision: Decision
    today: datetime.date
    budget: Decimal | None
    budget_per: str


class Draft(NamedTuple):
    """A candidate with its best offer and its size.

    `spend` is what the budget is compared with: a month, or the run. `value` is what is
    ranked by, in the request's objective. A run on spot has its interruptions in the size's hours.
    """

    candidate: Candidate
    size: Size
    priced: Priced
    speed: Speed | None
    spend: Decimal
    value: float
    spot: "SpotRun | None" = None


class Bill(NamedTuple):
    """A draft's money in the request's currency, with ranges; `hourly` is for all instances."""

    hourly: Decimal
    monthly: MoneyRange
    run: MoneyRange | None
    per_unit: MoneyRange | None


def prepare(catalog: Catalog, request: Request) -> Context:
    """Resolve names, rates, needs and rules of a request. Raises UsageError."""
    day = request.today or datetime.datetime.now(datetime.UTC).date().isoformat()
    today = datetime.date.fromisoformat(day)
    exchange = Exchange(catalog.rates(), today, dict(parse_rate(text) for text in request.fx))
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
    for provider in pricing.discounts:
        catalog.provider(provider)
    rules = read_rules(catalog.documents("rules"), request.policy)
    budget, per = _budget(request, needs, exchange)
    return Context(
        catalog, request, needs, found, pricing, rules, decide(rules, needs.facts), today,
        budget, per,
    )  # fmt: skip


def _budget(request: Request, needs: Needs, exchange: Exchange) -> tuple[Decimal | None, str]:
    if request.budget is None:
        return None, "month"
    if budget_is_per_run(request, needs):
        found = exchange.convert(request.budget.value, request.budget.currency, request.currency)
        return found.value, "run"
    monthly = per_month(request.budget, needs.hours)
    return exchange.convert(monthly.value, monthly.currency, request.currency).value, "month"


def draft_all(context: Context) -> tuple[list[Draft], list[Removed]]:
    """Steps 2 to 5 of the design: filter, price, size and cost every candidate."""
    kept, removed = candidates(
        context.catalog,
        context.request,
        context.needs,
        context.places,
        context.decision,
        context.today,
    )
    by_provider: dict[str, dict[str, Candidate]] = {}
    for candidate in kept:
        by_provider.setdefault(candidate.type.provider, {})[candidate.type.name] = candidate
    sizes = Sizes(context.catalog, context.needs)
    drafts: list[Draft] = []
    for place in context.places:
        here = by_provider.get(place.provider.name, {})
        best, firm, old = _best_offers(context, place, here)
        for name, candidate in here.items():
            if name not in best:
                reason = reasons.TOO_OLD if name in old else reasons.NO_PRICE
                removed.append(Removed(candidate.type, reason))
                continue
            draft = cost_draft(context, sizes, candidate, best[name], firm.get(name))
            if isinstance(draft, str):
                removed.append(Removed(candidate.type, draft))
            else:
                drafts.append(draft)
    return drafts, removed


def _best_offers(
    context: Context, place: Place, here: Mapping[str, Candidate]
) -> tuple[dict[str, Priced], dict[str, Priced], set[str]]:
    """The best offer of each type; for a run, the best that is not spot as well; see `cheapest`."""
    if not here:
        return {}, {}, set()
    types = {name: candidate.type for name, candidate in here.items()}
    # The on-demand price is read along with spot: it is the ceiling of spot's range.
    options = tuple(dict.fromkeys((*context.needs.options, ON_DEMAND)))
    offers = offers_of(context.catalog, place, options, tuple(types))
    wanted = context.needs.options
    rented = tuple(option for option in wanted if option not in COMMITMENTS)
    best, dropped = cheapest(context.pricing, offers, types, rented or wanted)
    if rented and rented != wanted:
        bound = tuple(option for option in wanted if option in COMMITMENTS)
        found, old = cheapest(context.pricing, offers, types, bound)
        dropped |= old
        best = {**found, **best, **_worth_binding(context.needs, best, found)}
    firm: dict[str, Priced] = {}
    if SPOT in wanted and context.needs.demand.kind == "run":
        kept = tuple(option for option in rented if option != SPOT)
        firm, _ = cheapest(context.pricing, offers, types, kept)
    return best, firm, dropped


def _worth_binding(
    needs: Needs, rented: Mapping[str, Priced], bound: Mapping[str, Priced]
) -> dict[str, Priced]:
    """Commitments that cost less than renting by the hour, though all their hours are paid.

    A run ends long before a term does: what can be rented by the hour is.
    """
    if needs.demand.kind == "run":
        return {}
    share = paid_hours(RESERVED, needs.hours) / needs.hours
    return {
        name: priced
        for name, priced in bound.items()
        if name in rented and float(priced.price) * share < float(rented[name].price)
    }


def cost_draft(
    context: Context,
    sizes: Sizes,
    candidate: Candidate,
    priced: Priced,
    firm: Priced | None = None,
) -> Draft | str:
    """Size and value one candidate, or the reason why it falls out.

    A run takes the `firm` offer where interruptions leave no reason for spot.
    """
    needs = context.needs
    sized = sizes.size(candidate.type, candidate.device)
    if isinstance(sized, str):
        return sized
    speed = sized.speed
    target = needs.core.latency_p99_ms
    if target is not None and speed is not None and (speed.latency_ms or 0.0) > target:
        return reasons.LATENCY
    spot = None
    if sized.run_hours is not None and speed is not None and priced.offer.option == SPOT:
        from gpuadvisor.advice.spot_run import spot_run

        spot = spot_run(context.request, priced, firm, sized.instances, sized.run_hours)
        if spot is not None:
            sized = sized._replace(run_hours=spot.billed)
        elif firm is None:
            return reasons.INTERRUPTED
        else:
            priced = firm
    if sized.run_hours is None:
        hours = paid_hours(priced.offer.option, sized.hours)
    elif context.budget_per == "month":
        hours = paid_hours(priced.offer.option, needs.hours)
    else:
        hours = _run_paid(priced, sized.run_hours.expected)
    spend = scale(priced.price * sized.instances, hours)
    value = _value(needs, sized, priced, spot)
    return Draft(candidate, sized, priced, speed, spend, value, spot)


def _value(needs: Needs, sized: Size, priced: Priced, spot: "SpotRun | None") -> float:
    """What is ranked by; every variant is monotone in the true cost per unit of work."""
    hourly = float(priced.price) * sized.instances
    if needs.objective == PRICE:
        return hourly * paid_hours(priced.offer.option, sized.hours)
    if sized.speed is None:
        return UNKNOWN
    run = sized.run_hours
    if run is not None:
        done = run.expected if spot is None else spot.finish.expected
        return done if needs.objective == TIME else hourly * _run_paid(priced, run.expected)
    if needs.objective == UNIT_COST:
        return hourly / sized.speed.rate.expected
    return hourly * paid_hours(priced.offer.option, sized.hours)


def _run_paid(priced: Priced, hours: float) -> float:
    return paid_run_hours(priced.offer.option, priced.offer.term, hours)


def within_budget(context: Context, drafts: Sequence[Draft]) -> list[Draft]:
    """Those whose expected cost the budget pays for; all of them without a budget."""
    if context.budget is None:
        return list(drafts)
    return [d for d in drafts if d.spend <= context.budget]


def rank_drafts(context: Context, drafts: Sequence[Draft]) -> list[Ranked]:
    """Step 6: by value, with ties; those without a speed come last, by price."""
    class_ = context.needs.mode.workload_class
    exact = context.needs.objective == PRICE or class_ is None
    known = [_entry(d, d.value) for d in drafts if d.value < UNKNOWN]
    unknown = [_entry(d, float(d.spend)) for d in drafts if d.value == UNKNOWN]

    def tie_break(draft: Draft) -> tuple[object, ...]:
        """A stale price loses a tie, then the rules' preferences decide."""
        stale = draft.priced.age.level != FRESH
        return stale, preference(context.decision, draft.candidate.facts)

    resolution = 1.0 if exact or class_ is None else tie_ratio(context.catalog, class_)
    ranked = rank(known, resolution, tie_break)
    groups = ranked[-1].tie_group if ranked else 0
    return ranked + [
        Ranked(r.item, r.rank + len(ranked), r.tie_group + groups)
        for r in rank(unknown, 1.0, tie_break)
    ]


def _entry(draft: Draft, value: float) -> Entry:
    return Entry(value, draft.candidate.type.name, draft.candidate.device.name, draft)


def bill(needs: Needs, draft: Draft) -> Bill:
    """The draft's money: joint favourable, expected and joint unfavourable inputs."""
    priced, count, run_hours = draft.priced, draft.size.instances, draft.size.run_hours
    low, hourly, high = priced.low * count, priced.price * count, priced.high * count
    used = needs.hours if run_hours is not None else draft.size.hours
    hours = paid_hours(priced.offer.option, used)
    monthly = MoneyRange(scale(low, hours), scale(hourly, hours), scale(high, hours))
    run = None
    if run_hours is not None:
        run = MoneyRange(
            scale(low, _run_paid(priced, run_hours.low)),
            scale(hourly, _run_paid(priced, run_hours.expected)),
            scale(high, _run_paid(priced, run_hours.high)),
        )
    found = Bill(hourly, monthly, run, None)
    return found._replace(per_unit=_per_unit(needs, draft.speed, found, low, high))


def _per_unit(
    needs: Needs, speed: Speed | None, found: Bill, low: Decimal, high: Decimal
) -> MoneyRange | None:
    """Money per unit: of the demand where there is one, else at 100 % busy."""
    demand = needs.demand
    if speed is None:
        return None
    units, total = demand.per_month, found.monthly
    if demand.kind == "rate" and demand.per_second is not None:
        units = demand.per_second * needs.hours * 3600
    if found.run is not None:
        units, total = demand.units, found.run
    if units is not None:
        by = Decimal(repr(units))
        return MoneyRange(total.low / by, total.expected / by, total.high / by)
    # A relative rate is in device-seconds of the reference; its unit is the device-hour.
    seconds = 1.0 if speed.relative_to is not None else 3600.0
    rates = [Decimal(repr(rate * seconds)) for rate in speed.rate]
    return MoneyRange(low / rates[2], found.hourly / rates[1], high / rates[0])
