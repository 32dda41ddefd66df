"""One option of `recommend` for people: its terms, its work, and why it stands where it does."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from gpuadvisor.advice.result import Option, Queued, Recommendation, Served, Speed
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import price_text
from gpuadvisor.report.figures import money_span, multiple_for, number, span, unit_cost, whole
from gpuadvisor.report.messages import aside, clauses, currency_word, either, listed, render, word
from gpuadvisor.report.text import Style, pad, printable, right, width, wrap

if TYPE_CHECKING:
    from gpuadvisor.advice.feeding import Feed

IDLE_SHARE = Decimal("0.3")
"""A rate without a demand is at 100 % busy; services idle, so the cost at 30 % stands beside."""


def _t(id: str, /, **params: object) -> str:
    return render(message(f"recommend.{id}", **params))


def what_of(option: Option) -> str:
    """`2 x g4dn.xlarge (2 x T4)`."""
    share = f"{option.type.fraction} " if option.type.fraction else ""
    devices = option.type.devices * option.instances
    count = f"{devices:g} x " if not option.type.fraction else f"{option.instances} x "
    what = f"{option.instances} x {option.type.name}"
    return what + aside(f"{count}{share}{option.device.name}")


def terms_of(option: Option) -> str:
    """The purchase option with its term."""
    terms = _t(f"terms_{option.offer.option}")
    return f"{terms} {word(option.offer.term)}" if option.offer.term else terms


def multiple(answer: Recommendation) -> tuple[int, str]:
    """One multiple for all options, so that their unit costs compare at a glance."""
    costs = [o.per_unit.expected for o in answer.options if o.per_unit is not None]
    return multiple_for(min(costs))


def unit_of(answer: Recommendation, option: Option, factor: int) -> str:
    """The name of the unit that a cost is told for."""
    assert option.speed is not None
    if option.speed.relative_to is not None:
        return _t("relative_unit", device=option.speed.relative_to)
    return word(answer.workload.unit if factor == 1 else answer.workload.units)


def option_lines(answer: Recommendation, o: Option, columns: int, style: Style) -> list[str]:
    """Two lines and more: what it is and costs, what it does, and why."""
    tied = any(x.tie_group == o.tie_group for x in answer.options if x is not o)
    lead = f"{o.rank:>2}{'=' if tied else ' '} "
    left = f"{what_of(o)}  {o.type.provider} {o.offer.region}  {terms_of(o)}"
    money = _money_column(answer, o)
    gap = columns - width(lead) - width(printable(left)) - width(money)
    if gap >= 2:
        first = [lead + printable(left) + " " * gap + money]
    else:
        wrapped = wrap(printable(left), columns - 4, "    ")
        first = [lead + wrapped[0].strip(), *wrapped[1:]]
        if width(first[-1]) + width(money) + 2 <= columns:
            first[-1] = pad(first[-1], columns - width(money)) + money
        else:
            first.append(right(money, columns))
    lines = [style(line, "option") for line in first]
    lines += wrap(printable(work_line(answer, o)), columns, "    ")
    lines += wrap(printable(why_line(answer, o)), columns, "    ")
    return lines


def _money_column(answer: Recommendation, o: Option) -> str:
    found = o.run if o.run is not None else o.monthly
    per = "run" if o.run is not None else "month"
    return _t(f"money_{per}", money=money_span(found), currency=answer.currency)


def work_line(answer: Recommendation, o: Option) -> str:
    """Speed, cost per unit, hours of a run, and how many the budget pays for."""
    if o.speed is None:
        parts = [_t("no_speed")]
    else:
        parts = [_rate(answer, o.speed)]
        paid = o.month_hours
        if paid is not None and answer.hours - paid > 1:
            parts.append(_t("part_of_month", hours=number(paid), all=f"{answer.hours:g}"))
        if o.per_unit is not None:
            parts.append(_unit_cost(answer, o))
        if o.run_hours is not None:
            parts.append(
                _t("run_hours", hours=number(o.run_hours.expected), span=span(o.run_hours))
            )
        if o.spot is not None:
            expected = o.spot.job.outlooks.expected
            parts.append(
                _t(
                    "spot_finish",
                    more=f"{(1 - o.spot.job.work / expected.billed) * 100:.0f}",
                    count=f"{expected.interruptions:.1g}",
                    hours=number(o.spot.finish.expected),
                    span=span(o.spot.finish),
                )
            )
    if o.beside is not None and o.beside.whole is not None:
        storage = whole(o.beside.bill.monthly or Decimal(0))
        amount = money_span(o.beside.whole)
        parts.append(_t("whole", storage=storage, whole=amount, currency=answer.currency))
    elif o.beside is not None:
        parts.append(_t("whole_unknown"))
    if o.fits_in_budget is not None and o.fits_in_budget > 1:
        parts.append(_t("fits", count=f"{o.fits_in_budget:,}"))
    return clauses(parts)


def _rate(answer: Recommendation, s: Speed) -> str:
    shown = {"rate": number(s.rate.expected), "span": span(s.rate), "basis": _t(f"basis_{s.basis}")}
    if s.relative_to is not None:
        return _t("relative_rate", device=s.relative_to, **shown)
    return _t("rate", units=answer.workload.units, **shown)


def _unit_cost(answer: Recommendation, o: Option) -> str:
    assert o.per_unit is not None
    factor, words = multiple(answer)
    unit = f"{words}{unit_of(answer, o, factor)}"
    cost = f"{unit_cost(o.per_unit.expected, factor)} {currency_word(answer.currency)}"
    request = answer.request
    sized = request.qps or request.units_per_month or request.tokens_per_month
    if sized is not None or o.run is not None:
        return _t("cost_unit", cost=cost, unit=unit)
    idle = unit_cost(o.per_unit.expected / IDLE_SHARE, factor)
    return _t("cost_busy", cost=cost, unit=unit, idle=idle)


def _committed(o: Option) -> str:
    """The cheapest commitment of one and of three years, a month."""
    terms: dict[str, Decimal] = {}
    for c in o.if_committed:
        if c.offer.term in ("1y", "3y"):
            terms[c.offer.term] = min(c.monthly, terms.get(c.offer.term, c.monthly))
    shown = listed(f"{word(term)} {whole(money)}" for term, money in sorted(terms.items()))
    return _t("if_committed", prices=shown) if shown else ""


def why_line(answer: Recommendation, o: Option) -> str:
    """What limits it, what packs it, the quota it needs, what to mind; in few words."""
    parts = []
    if o.own_price:
        parts.append(_t("your_price", price=price_text(o.price), currency=answer.currency))
    if o.speed is not None:
        if o.speed.served is not None:
            parts.append(_served(o.speed.served))
        if o.speed.partition is not None:
            parts.append(_t("sliced", slices=o.speed.slices, partition=o.speed.partition))
        if o.speed.queue is not None:
            parts.append(_queue(o.speed.queue))
        if o.feed is not None:
            parts.append(_fed(answer, o.feed))
        elif o.speed.host_bound:
            parts.append(_t("host_bound", vcpus=o.type.vcpus))
        if o.speed.streams > 1:
            parts.append(_t("packed", streams=o.speed.streams, gain=number(o.speed.packing_gain)))
        if o.speed.mfu is not None:
            known = "mfu" if o.speed.basis == "measured" else "mfu_assumed"
            parts.append(_t(known, share=f"{o.speed.mfu.expected:.0%}"))
        if o.speed.efficiency < 1:
            parts.append(_t("efficiency", share=f"{o.speed.efficiency:.0%}"))
        if o.speed.schedule is not None:
            from gpuadvisor.report.pretrain_text import apart_part, schedule_parts

            parts += schedule_parts(o)
            if o.apart is not None:
                parts.append(apart_part(o.apart, answer.currency))
    parts += [render(w) for w in o.warnings]
    for e in o.effects:
        if e.kind == "warn":
            parts.append(f"{either(e.text or '', e.text_zh)} [{e.rule}]")
    committed = _committed(o)
    if committed:
        parts.append(committed)
    return clauses(parts)


def _fed(answer: Recommendation, feed: Feed) -> str:
    """What the devices take and what limits it, with the cure."""
    wanted = _t(
        "feed_wanted",
        gigabytes=number(feed.gigabytes),
        vcpus="" if feed.vcpus is None else _t("feed_vcpus", vcpus=number(feed.vcpus)),
        place=_t(f"feed_{feed.data_on.replace('-', '_')}"),
    )
    if feed.limited_by is None or feed.cure is None:
        return wanted
    limit = feed.limits[feed.limited_by]
    assert limit is not None
    name = _t(f"feed_{feed.limited_by.replace('-', '_')}")
    slow = _t("feed_limited", name=name, share=f"{limit / feed.wanted:.0%}")
    return clauses((wanted, _t("feed_cured", limit=slow, cure=feed.cure)))


def _served(s: Served) -> str:
    """Replicas, sequences at once and latencies of a language model at the demand."""
    return _t(
        "served" if s.split == 1 else "served_split",
        replicas=s.replicas,
        split=s.split,
        sequences=f"{s.sequences:.0f}",
        most=s.most,
        ttft=number(s.ttft_ms),
        tpot=number(s.tpot_ms),
    )


def _queue(q: Queued) -> str:
    """Servers behind a latency target, and why they are more than the busy ones."""
    return _t(
        "queue_batched" if q.batched else "queue",
        servers=q.servers,
        busy=number(q.busy),
        spare=f"{q.servers / q.busy - 1:.0%}",
        p99=number(q.response_ms),
    )
