"""What a quote says of the customer's need, and of what the machines do about it."""

from collections.abc import Iterable

from gpuadvisor.advice.drafts import Context
from gpuadvisor.advice.needs import UNSTATED
from gpuadvisor.advice.quote_result import Work
from gpuadvisor.advice.quote_tiers import Choice, response_ms
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.cost.money import format_money


def need_of(context: Context) -> tuple[Message, ...]:
    """The workload, the demand and the budget, in the customer's words."""
    return tuple(_need(context))


def _need(context: Context) -> Iterable[Message]:
    request, needs = context.request, context.needs
    profile, demand = needs.profile, needs.demand
    if profile is not UNSTATED:
        yield message(
            "quote.need_workload", name=profile.name, title=profile.title, title_zh=profile.title_zh
        )
    if request.model is not None:
        yield message("quote.need_model", model=request.model)
    if request.concurrency is not None:
        yield message("quote.need_users", users=f"{request.concurrency:,}")
    elif demand.kind == "rate" and request.qps is not None:
        yield message("quote.need_rate", rate=f"{request.qps:g}", units=profile.units)
    elif demand.kind == "volume" and demand.per_month is not None:
        yield message("quote.need_volume", count=f"{demand.per_month:,.0f}", units=profile.units)
    elif demand.kind == "run" and demand.units is not None:
        yield message("quote.need_run", count=f"{demand.units:,.0f}", units=profile.units)
    for name, value in (
        ("deadline", demand.deadline_hours),
        ("p99", demand.latency_p99_ms),
        ("ttft", request.ttft_p99_ms),
        ("tpot", request.tpot_p99_ms),
        ("gpus", request.gpus),
        ("nodes", request.nodes),
    ):
        if value is not None:
            yield message(f"quote.need_{name}", value=f"{value:g}")
    if request.budget is not None:
        amount = format_money(request.budget.value, request.budget.currency, context.budget_per)
        yield message("quote.need_budget", amount=amount)


def work_of(context: Context, choice: Choice) -> Work | None:
    """What a choice does; None where no speed is known."""
    speed = choice.draft.speed
    if speed is None:
        return None
    p99 = response_ms(choice)
    run = choice.draft.size.run_hours
    return Work(
        context.needs.profile.units,
        speed.rate.low,
        speed.rate.expected,
        speed.rate.high,
        speed.basis,
        speed.relative_to,
        choice.headroom,
        speed.latency_ms if p99 is None else p99,
        p99 is not None,
        None if run is None else (choice.hours.low, choice.hours.expected, choice.hours.high),
    )


def remarks_of(context: Context, choice: Choice) -> tuple[Message, ...]:
    """What the rules say of a choice, for the seller: their texts may be a house's own."""
    from gpuadvisor.rules.engine import outcome

    marks = outcome(context.decision, choice.draft.candidate.facts)
    name = choice.draft.candidate.type.name
    return tuple(
        message(
            "quote.remark_rule",
            type=name,
            rule=effect.rule,
            text=effect.text,
            text_zh=effect.text_zh or effect.text,
        )
        for effect in marks.effects
        if effect.text
    )
