"""`recommend()`: the seven steps of the design, in order."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import ceil
from typing import TYPE_CHECKING, Any

from gpuadvisor.advice import reasons
from gpuadvisor.advice.candidates import Removed
from gpuadvisor.advice.commitments import committed, prepaid
from gpuadvisor.advice.drafts import (
    Context,
    Draft,
    bill,
    draft_all,
    prepare,
    rank_drafts,
    within_budget,
)
from gpuadvisor.advice.explain import beyond_seed, flips, others
from gpuadvisor.advice.needs import UNSTATED
from gpuadvisor.advice.places import place_notes
from gpuadvisor.advice.ranking import Ranked, choose
from gpuadvisor.advice.request import Request, request_from
from gpuadvisor.advice.result import MoneyRange, Option, Recommendation, Rejection, ScalingRow
from gpuadvisor.catalog.message import Bilingual, Message, message
from gpuadvisor.catalog.model import SPOT, InstanceType
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cost.staleness import FRESH
from gpuadvisor.rules.engine import explain, outcome

if TYPE_CHECKING:
    from gpuadvisor.advice.feeding import Feed
    from gpuadvisor.advice.pretrain_zones import Apart
    from gpuadvisor.advice.storage import Beside


TINY_LOAD = 0.02
"""Below this load of one instance a device is hardly worth renting by the month (assumed)."""


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


def _answer(
    context: Context, drafts: list[Draft], removed: list[Removed], traces: bool
) -> Recommendation:
    request, needs = context.request, context.needs
    budget, per = context.budget, context.budget_per
    within = within_budget(context, drafts)
    over = [d for d in drafts if budget is not None and d.spend > budget]
    feasible = bool(within)
    shown: Sequence[Draft] = within
    gap = None
    if not feasible and drafts and budget is not None:
        nearest = min(drafts, key=lambda d: d.spend)
        gap = nearest.spend - budget
        shown = [nearest]
    elif feasible:
        removed = removed + [Removed(d.candidate.type, reasons.BUDGET) for d in over]
    ranked = rank_drafts(context, shown)
    rows = choose(ranked, request.top, lambda d: d.candidate.device.name, _twin)
    options = tuple(_option(context, row, traces) for row in rows)
    versions = context.catalog.in_use(p.provider.name for p in context.places)
    doubt = _doubt(context, options, removed)
    return Recommendation(
        request=request,
        today=context.today.isoformat(),
        currency=request.currency,
        rate=_rate(context),
        policy=request.policy,
        objective=needs.objective,
        workload=context.needs.profile,
        mode=None if needs.profile is UNSTATED else needs.mode.name,
        hours=needs.hours,
        budget=budget,
        budget_per=per,
        options=options,
        considered=len(drafts) + len(removed),
        rejected=_rejections(context, removed, drafts),
        fired=tuple(context.decision.fired),
        rules=context.catalog.documents("rules"),
        versions=versions,
        assumptions=(
            *place_notes(context.places, request.region),
            *needs.notes,
            *((message("advice.storage_beside"),) if request.storage else ()),
        ),
        warnings=(*doubt, *_warnings(context, options, drafts, ranked)),
        flips=_flips(context, ranked, drafts, options) if feasible else (),
        others=(*prepaid(context, over), *others(context)),
        widened=beyond_seed(context, ranked) if feasible else (),
        feasible=feasible and not any(d.id == "advice.unserved" for d in doubt),
        gap=gap,
        next=_next(context, options),
        llm=needs.llm,
        pretrain=needs.pretrain,
    )


def _doubt(
    context: Context, options: Sequence[Option], removed: Sequence[Removed]
) -> tuple[Message, ...]:
    """That the first option's speed is unknown, so that nothing says it serves the demand."""
    if not options or options[0].speed is not None:
        return ()
    if any(r.reason in (reasons.SIZE, reasons.LATENCY) for r in removed):
        return (message("advice.unserved"),)
    return () if context.needs.demand.kind == "none" else (message("advice.unsized"),)


def _flips(
    context: Context, ranked: Sequence[Ranked], drafts: Sequence[Draft], options: Sequence[Option]
) -> tuple[Message, ...]:
    found = flips(context, ranked, drafts)
    if context.request.api_price is not None:
        from gpuadvisor.advice.api_price import api_break_even

        found += api_break_even(context, options)
    return found


def _twin(draft: Draft) -> object:
    kind = draft.candidate.type
    return (kind.provider, kind.device, kind.devices, draft.size.instances)


def _rate(context: Context) -> tuple[str, Decimal, str | None] | None:
    """The rate the header shows: the budget's currency, else CNY against the request's."""
    request, exchange = context.request, context.pricing.exchange
    other = "CNY" if request.currency != "CNY" else "USD"
    if request.budget is not None and request.budget.currency != request.currency:
        other = request.budget.currency
    quote = exchange.quote(request.currency, other)
    return (f"{quote.base}/{quote.quote}", quote.rate, quote.date)


def _option(context: Context, row: Ranked, traces: bool) -> Option:
    draft: Draft = row.item
    money, budget = bill(context.needs, draft), context.budget
    kind = draft.candidate.type
    type_facts = draft.candidate.facts
    if draft.priced.offer.option == SPOT and draft.priced.offer.interruption is not None:
        type_facts = {**type_facts, "type.spot_interruption": draft.priced.offer.interruption}
    marks = outcome(context.decision, type_facts)
    facts = {**context.needs.facts, **type_facts}
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
        hourly=money.hourly,
        monthly=money.monthly,
        run=money.run,
        run_hours=draft.size.run_hours,
        per_unit=money.per_unit,
        speed=draft.speed,
        fits_in_budget=None if budget is None else int(budget / draft.spend),
        if_committed=committed(context, kind, draft.priced.offer.region, draft.size.instances),
        effects=marks.effects,
        warnings=_option_warnings(context, draft),
        traces=explain(context.rules, facts) if traces else (),
        spot=draft.spot,
        beside=_beside(context, draft, money.monthly),
        scaling=_scaling(context, draft),
        feed=_feed(context, draft),
        apart=_apart(context, draft),
    )


def _scaling(context: Context, draft: Draft) -> tuple[ScalingRow, ...]:
    """The training on ever more nodes of the option's type, if it is one from scratch."""
    plan = context.needs.pretrain
    if plan is None:
        return ()
    from gpuadvisor.advice.pretrain_sizing import PretrainModel

    model = PretrainModel(context.catalog, context.needs, plan)
    return model.scaling(draft.candidate.type, draft.candidate.device, draft.priced.price)


def _apart(context: Context, draft: Draft) -> "Apart | None":
    """What a training in several zones loses and pays against one, if it is to lie in such."""
    plan = context.needs.pretrain
    if plan is None or plan.zones == 1:
        return None
    from gpuadvisor.advice.pretrain_zones import apart

    return apart(context, draft, plan)


def _feed(context: Context, draft: Draft) -> "Feed | None":
    """What limits the input of the option, if the request tells the size of a sample."""
    if context.needs.sample_bytes is None or draft.speed is None:
        return None
    from gpuadvisor.advice.feeding import feed

    return feed(context.needs, draft.candidate.type, draft.size.instances, draft.speed)


def _beside(context: Context, draft: Draft, machines: MoneyRange) -> "Beside | None":
    """Storage and egress where the option runs, if any is asked for."""
    if context.request.storage is None:
        return None
    from gpuadvisor.advice.storage import beside, priced_storage
    from gpuadvisor.cost.storage import read_storage

    offer = draft.priced.offer
    bill = priced_storage(
        context.catalog,
        read_storage(context.request.storage),
        offer.provider,
        offer.region,
        context.pricing.exchange,
        context.request.currency,
    )
    return beside(bill, machines)


def _option_warnings(context: Context, draft: Draft) -> tuple[Message, ...]:
    offer, age, found = draft.priced.offer, draft.priced.age, []
    if age.level != FRESH:
        found.append(message("advice.stale_price", days=age.age_days, date=offer.as_of))
    if offer.confidence != "official" and not draft.priced.own:
        found.append(message("advice.unofficial_price", confidence=offer.confidence))
    # The highest bucket has a rule of its own.
    if offer.option == SPOT and offer.interruption not in (None, ">20%"):
        found.append(message("advice.interruption", bucket=offer.interruption))
    if draft.spot is not None and draft.spot.may_be_late:
        found.append(message("advice.spot_may_be_late", high=f"{draft.spot.finish.high:.1f}"))
    used, paid = draft.size.devices_used, draft.candidate.type.devices * draft.size.instances
    speed = draft.speed
    kind = draft.candidate.type
    if kind.fraction is not None and speed is not None and speed.relative_to is None:
        best = min(1.0, kind.devices * speed.rate.high / speed.rate.expected)
        found.append(
            message(
                "advice.fraction_share",
                share=f"{kind.devices:.0%}",
                best=f"{best:.0%}",
                device=kind.device,
            )
        )
    if speed is not None and speed.partition is not None and context.needs.demand.kind != "none":
        held = round(paid * speed.slices)
        wanted = min(held, max(1, ceil(round(draft.size.load * held, 6))))
        found.append(
            message("advice.slices_used", held=held, partition=speed.partition, used=wanted)
        )
    elif used < paid:
        found.append(message("advice.paid_used", paid=f"{paid:g}", used=f"{used:g}"))
    return tuple(found)


def _warnings(
    context: Context,
    options: Sequence[Option],
    drafts: Sequence[Draft],
    ranked: Sequence[Ranked],
) -> tuple[Message, ...]:
    found = [
        message("advice.rule_note", rule=effect.rule, text=Bilingual(effect.text, effect.text_zh))
        for effect in context.decision.notes
        if effect.text
    ]
    mode = context.needs.mode
    if context.needs.profile is not UNSTATED and mode.no_reference is not None:
        found.append(message("advice.no_speed", reason=mode.no_reference))
    if ranked and ranked[0].item.size.load * ranked[0].item.size.instances < TINY_LOAD:
        first = ranked[0].item
        share = first.size.load * first.size.instances
        found.append(
            message("advice.cpu_enough", type=first.candidate.type.name, share=f"{share:.1%}")
        )
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
                    monthly=f"{bill(context.needs, draft).monthly.expected:,.2f}",
                    currency=context.request.currency,
                )
            )
    return tuple(found)


def _rejections(
    context: Context, removed: Sequence[Removed], drafts: Sequence[Draft]
) -> tuple[Rejection, ...]:
    """Removed types counted by reason, most telling first, each with the one nearest to pass."""
    groups: dict[tuple[str, str | None], list[InstanceType]] = {}
    for r in removed:
        groups.setdefault((r.reason, r.rule), []).append(r.type)
    spent = {(d.candidate.type.provider, d.candidate.type.name): d.spend for d in drafts}
    unpriced = Decimal("Infinity")
    found = []
    for (reason, rule), here in groups.items():
        count = len(here)
        nearest = min(
            here,
            key=lambda t: (
                spent.get((t.provider, t.name), unpriced), t.memory_gib * t.devices, t.name
            ),
        )  # fmt: skip
        known = None if rule is None else context.decision.rules[rule]
        why: object = "" if known is None else Bilingual(known.why, known.why_zh)
        if reason == reasons.TENSOR_LINK:
            from gpuadvisor.advice.pretrain_zones import tensor_penalty

            why = tensor_penalty(context, here)
        found.append(
            Rejection(
                reason if rule is None else "rule",
                rule,
                count,
                f"{nearest.provider}/{nearest.name}",
                message(
                    f"advice.reject_{reason}",
                    count=count,
                    nearest=f"{nearest.provider} {nearest.name}",
                    rule=rule or "",
                    why=why,
                ),
            )
        )
    order = {reason: place for place, reason in enumerate(_TELLING)}
    return tuple(
        sorted(found, key=lambda r: (order.get(r.reason, len(order)), -r.removed, r.rule or ""))
    )


_TELLING = (
    reasons.BUDGET, reasons.RULE, reasons.LATENCY, reasons.SIZE, reasons.TENSOR_LINK, reasons.LINK,
    reasons.MODEL_MEMORY, reasons.GPU_MEMORY, reasons.UNSUITED,
)  # fmt: skip
"""Reasons that say most about the request come first; the rest by their number."""


def _next(context: Context, options: Sequence[Option]) -> str:
    """The command to try next: widen it, size it, or price it, under the same conditions."""
    request, needs = context.request, context.needs
    currency = "" if request.currency == "USD" else f" --currency {request.currency}"
    again = "gpuadvisor recommend"
    if request.workload is not None:
        again += f" --workload {needs.profile.name}"
    if not options:
        return f"{again} --region any --tier any{currency}"
    first = options[0]
    known = first.speed is not None and first.speed.relative_to is None
    if request.workload and needs.demand.kind == "none" and known:
        places = f" --provider {','.join(request.provider)}" if request.provider else ""
        places += f" --region {','.join(request.region)}" if request.region else ""
        return f"{again} --units-per-month 1000000{places}{currency}"
    count = f"{first.instances}x " if first.instances > 1 else ""
    what = f'"{count}{first.type.name}"' if count else first.type.name
    return f"gpuadvisor estimate {what} --region {first.offer.region}{currency}"
