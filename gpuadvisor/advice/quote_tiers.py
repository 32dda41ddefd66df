"""Good, better and best of the machines that serve a request, at firm prices.

With a demand: good is the cheapest that meets it, better the cheapest that could do 1.5 times as
much (a run: finish in two thirds of the time), best the one of lowest latency within twice the
cost of good. With only a budget, which is then the ceiling of all three: good is the lowest bill
of one machine that serves the workload, better the lowest cost per unit of work, best again the
lowest latency.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from math import ceil
from typing import NamedTuple

from gpuadvisor.advice.drafts import UNKNOWN, Context, Draft, draft_all, prepare
from gpuadvisor.advice.queue_sizing import most_arrivals
from gpuadvisor.advice.quote_result import BEST, BETTER, GOOD, MONTH, RUN
from gpuadvisor.advice.request import Request
from gpuadvisor.advice.result import Range
from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.billing import paid_hours, paid_run_hours
from gpuadvisor.cost.money import format_money, rounded, scale

HEADROOM = 1.5
"""How many times the demand `better` can do."""

CEILING = 2
"""`best` costs at most so many times as much as `good`; the texts say "twice"."""


class Choice(NamedTuple):
    """A draft sized for the demand or more. `hours` are those of use at the demand itself, in a
    month or for the run; `spend` is their cost before the markup."""

    draft: Draft
    hours: Range
    spend: Decimal
    headroom: float | None


class Tier(NamedTuple):
    """`names` coincide in one choice; `why` has a message for each."""

    names: tuple[str, ...]
    choice: Choice
    why: tuple[Message, ...]


class Tiers(NamedTuple):
    """The tiers in order, what is to be said of those that are missing or coincide, and `per`."""

    context: Context
    per: str
    tiers: tuple[Tier, ...]
    notes: tuple[Message, ...]


def tiers_of(catalog: Catalog, request: Request, firm: Sequence[str], markup: Decimal) -> Tiers:
    """Choose the tiers for a request on `firm` options, on demand where there are none.

    A budget is compared with what the customer pays before tax. Raises RefusedError where
    nothing meets the demand at a firm price, or within the budget.
    """
    request = request._replace(purchase=tuple(firm) or (ON_DEMAND,))
    context = prepare(catalog, request)
    choices = _choices(context, 1.0)
    if not choices:
        raise RefusedError(message("quote.nothing_serves"))
    within = _within(context, choices, markup)
    if not within:
        raise _over_budget(context, choices, markup)
    if context.needs.demand.kind == "none":
        return _of_budget(context, within)
    return _of_demand(context, within, markup)


def _of_demand(context: Context, choices: Sequence[Choice], markup: Decimal) -> Tiers:
    per = _per(choices[0].draft)
    good = _cheapest(choices)
    roomy = _roomy(context, good, markup)
    better = _cheapest(roomy) if roomy else None
    quick = _fastest(c for c in (*choices, *roomy) if c.spend <= CEILING * good.spend)
    found = [(GOOD, good), (BETTER, better), (BEST, quick)]
    time = "_run" if per == RUN else ""
    why = {
        GOOD: message("quote.why_good"),
        BETTER: message(f"quote.why_better{time}", times=f"{HEADROOM:g}"),
        BEST: message(f"quote.why_best{time}"),
    }
    missing = () if better else (message("quote.no_better", times=f"{HEADROOM:g}"),)
    return _merged(context, per, found, why, missing)


def _of_budget(context: Context, choices: Sequence[Choice]) -> Tiers:
    """No demand: machines are compared by what they cost, do for it, and how fast they answer."""
    good, per = _cheapest(choices), _per(choices[0].draft)
    known = [c for c in choices if c.draft.speed is not None]
    if not known:
        notes = (message("quote.no_speed"),)
        why = {GOOD: message("quote.why_good_priced")}
        return _merged(context, per, [(GOOD, good)], why, notes)
    good = _cheapest(known)
    better = min(known, key=lambda c: (_unit_cost(c), *_order(c)))
    ceiling = None if context.budget is not None else CEILING * good.spend
    quick = _fastest(c for c in known if ceiling is None or c.spend <= ceiling)
    why = {
        GOOD: message("quote.why_good_budget"),
        BETTER: message("quote.why_better_budget"),
        BEST: message("quote.why_best")
        if context.budget is None
        else message("quote.why_best_budget"),
    }
    found = [(GOOD, good), (BETTER, better), (BEST, quick)]
    return _merged(context, per, found, why, ())


def _merged(
    context: Context,
    per: str,
    found: Sequence[tuple[str, Choice | None]],
    why: dict[str, Message],
    notes: Sequence[Message],
) -> Tiers:
    """One tier for those that are the same machines on the same terms, and a note that says so."""
    groups: dict[tuple[object, ...], list[str]] = {}
    held: dict[tuple[object, ...], Choice] = {}
    for name, choice in found:
        if choice is not None:
            key = _key(choice)
            groups.setdefault(key, []).append(name)
            held.setdefault(key, choice)
    tiers = tuple(
        Tier(tuple(names), held[key], tuple(why[name] for name in names))
        for key, names in groups.items()
    )
    same = tuple(
        message("quote.coincide", names=[message(f"quote.tier_{n}") for n in tier.names])
        for tier in tiers
        if len(tier.names) > 1
    )
    return Tiers(context, per, tiers, (*notes, *same))


def _key(choice: Choice) -> tuple[object, ...]:
    offer = choice.draft.priced.offer
    return (
        offer.provider, offer.instance_type, offer.region, offer.option, offer.term, offer.cls,
        offer.payment, choice.draft.size.instances,
    )  # fmt: skip


# -- choices ---------------------------------------------------------------------------------


def _choices(context: Context, headroom: float) -> list[Choice]:
    """Every candidate that is known to meet the demand times `headroom`; where there is no
    demand, every candidate."""
    drafts, _ = draft_all(context)
    if context.needs.demand.kind != "none":
        drafts = [d for d in drafts if d.value < UNKNOWN]
    choices = (_choice(context, draft, headroom) for draft in drafts)
    return [choice for choice in choices if choice is not None]


def _choice(context: Context, draft: Draft, headroom: float) -> Choice | None:
    """What the demand itself takes of a draft that was sized for `headroom` times as much."""
    needs, size, offer = context.needs, draft.size, draft.priced.offer
    if size.run_hours is not None:
        hours, room = size.run_hours, None
        paid = paid_run_hours(offer.option, offer.term, hours.expected)
        if needs.demand.deadline_hours is not None:
            room = headroom * needs.demand.deadline_hours / hours.expected
    elif size.hours != needs.hours:
        # Work of the month, done one after the other: the machines run only as long as it takes.
        if size.hours > needs.hours * 1.000001 or draft.speed is None:
            return None
        busy, rate = size.hours / headroom, draft.speed.rate
        hours = Range(busy * rate.expected / rate.high, busy, busy * rate.expected / rate.low)
        room = needs.hours / busy
        paid = paid_hours(offer.option, busy)
    else:
        # A number of machines that was fixed by hand may be too small for more.
        if headroom > 1 and size.load >= 1 and (needs.devices or needs.nodes):
            return None
        hours = Range(needs.hours, needs.hours, needs.hours)
        room = _room(context, draft, headroom)
        paid = paid_hours(offer.option, needs.hours)
    spend = scale(draft.priced.price * size.instances, paid)
    return Choice(draft, hours, spend, room)


def _room(context: Context, draft: Draft, headroom: float) -> float | None:
    """How many times the demand itself a draft of all hours can do; None without a demand."""
    demand, size, speed = context.needs.demand, draft.size, draft.speed
    if demand.kind == "none" or not size.load:
        return None
    queue = None if speed is None else speed.queue
    if speed is None or queue is None or queue.batched or demand.latency_p99_ms is None:
        return headroom / size.load
    # Processes are whole, so that the load of so many tells less than they bear.
    arrivals = demand.per_second
    if arrivals is None:
        arrivals = (demand.per_month or 0.0) / (context.needs.hours * 3600)
    most = most_arrivals(queue, speed.rate.expected, demand.latency_p99_ms / 1e3)
    return headroom * most / arrivals


def _per(draft: Draft) -> str:
    return MONTH if draft.size.run_hours is None else RUN


def _within(context: Context, choices: Iterable[Choice], markup: Decimal) -> list[Choice]:
    """Those that the budget pays for, at the customer's price."""
    if context.budget is None:
        return list(choices)
    return [c for c in choices if _billed(context, c) * (1 + markup) <= context.budget]


def _billed(context: Context, choice: Choice) -> Decimal:
    """What the budget is compared with: for a budget by the month, a run's month."""
    if choice.draft.size.run_hours is not None and context.budget_per == MONTH:
        return choice.draft.spend
    return choice.spend


def _roomy(context: Context, good: Choice, markup: Decimal) -> list[Choice]:
    """Candidates sized for more than the demand, or for less time, within the budget."""
    request, run = context.request, good.draft.size.run_hours
    if run is not None:
        limit = context.needs.demand.deadline_hours or run.expected
        wanted = request._replace(deadline_h=limit / HEADROOM)
    else:
        wanted = request._replace(
            qps=_times(request.qps),
            units_per_month=_times(request.units_per_month),
            tokens_per_month=_times(request.tokens_per_month),
            concurrency=request.concurrency and ceil(request.concurrency * HEADROOM),
        )
    more = prepare(context.catalog, wanted)._replace(decision=context.decision)
    found = _within(context, _choices(more, HEADROOM), markup)
    if run is not None and context.needs.demand.deadline_hours is None:
        return [choice._replace(headroom=None) for choice in found]  # nobody asked for a deadline
    return found


def _times(value: float | None) -> float | None:
    return None if value is None else value * HEADROOM


# -- comparing -------------------------------------------------------------------------------


def _order(choice: Choice) -> tuple[Decimal, str, str, str]:
    """Cheapest first, then by name for a stable answer."""
    offer = choice.draft.priced.offer
    return (choice.spend, offer.provider, offer.instance_type, offer.region)


def _cheapest(choices: Iterable[Choice]) -> Choice:
    return min(choices, key=_order)


def _unit_cost(choice: Choice) -> float:
    assert choice.draft.speed is not None
    return (
        float(choice.draft.priced.price)
        * choice.draft.size.instances
        / (choice.draft.speed.rate.expected)
    )


def _fastest(choices: Iterable[Choice]) -> Choice:
    """The lowest latency, by the first measure that any of them has; a tie goes to the cheaper."""
    here = list(choices)
    for measure in (_run_hours, response_ms, _alone_ms, _seconds):
        known = [(value, c) for c in here if (value := measure(c)) is not None]
        if known:
            return min(known, key=lambda pair: (pair[0], *_order(pair[1])))[1]
    return _cheapest(here)


def _run_hours(choice: Choice) -> float | None:
    return None if choice.draft.size.run_hours is None else choice.hours.expected


def response_ms(choice: Choice) -> float | None:
    """The 99th percentile of responses under the demand, where a target asks for it."""
    speed = choice.draft.speed
    if speed is None:
        return None
    if speed.queue is not None:
        return speed.queue.response_ms
    return None if speed.served is None else speed.served.response_ms


def _alone_ms(choice: Choice) -> float | None:
    return None if choice.draft.speed is None else choice.draft.speed.latency_ms


def _seconds(choice: Choice) -> float | None:
    """Where only ratios are known: time per unit of work of all machines together."""
    return None if choice.draft.speed is None else 1 / choice.draft.speed.rate.expected


def _over_budget(context: Context, choices: Sequence[Choice], markup: Decimal) -> RefusedError:
    nearest = min(choices, key=lambda c: (_billed(context, c), *_order(c)))
    assert context.budget is not None
    currency = context.request.currency
    amount = rounded(_billed(context, nearest) * (1 + markup), currency)
    return RefusedError(
        message(
            "quote.over_budget",
            what=nearest.draft.candidate.type.name,
            amount=format_money(amount, currency, context.budget_per),
            budget=format_money(context.budget, currency, context.budget_per),
            gap=format_money(amount - context.budget, currency),
        )
    )
