"""Words of a quote that the table, the page and the data share."""

from __future__ import annotations

from decimal import Decimal

from gpuadvisor.advice.quote_result import (
    ASKED,
    RUN,
    Alternative,
    Line,
    Machine,
    Proposal,
    Quote,
    Spot,
    Way,
    Work,
)
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.exchange import Quote as Rate
from gpuadvisor.cost.money import MINOR_DIGITS, format_money, price_text
from gpuadvisor.report.figures import number
from gpuadvisor.report.messages import listed, render


def words(id: str, /, **params: object) -> str:
    """A text of `quote`."""
    return render(message(f"quote.{id}", **params))


def percent(share: Decimal | float) -> str:
    """A share in per cent with the digits it has: `6`, `8.875`."""
    value = share * 100 if isinstance(share, Decimal) else Decimal(f"{share * 100:.9g}")
    return f"{value.normalize():f}"


def per(quote: Quote) -> str:
    """What an amount buys: a month, or the run."""
    return words(f"per_{quote.per}")


def title(quote: Quote) -> str:
    """The quote's own title, else what every quote is."""
    return quote.title or words("title")


def lead(quote: Quote) -> str:
    """The whole as one sentence: what, where, on which terms, for how much, until when."""
    until = quote.valid_until
    if len(quote.proposals) == 1:
        first = quote.proposals[0]
        rest = {"total": total(quote, first), "per": per(quote), "tax": taxed(quote)}
        if len(first.lines) > 1:
            return words("lead_many", count=len(first.lines), until=until, **rest)
        line = first.lines[0]
        return words(
            "lead_one", what=machine(line.machine, line.instances), place=place(line.machine),
            terms=terms(line.way), until=until, **rest,
        )  # fmt: skip
    choices = [
        words(
            "lead_tier", name=names(p), what=machine(p.lines[0].machine, p.lines[0].instances),
            total=total(quote, p), per=per(quote), tax=taxed(quote),
        )
        for p in quote.proposals
    ]  # fmt: skip
    return words("lead_tiers", choices=words("separate").join(choices), until=until)


def total(quote: Quote, proposal: Proposal) -> str:
    """The sum to pay, with its currency."""
    return format_money(proposal.total.total, quote.currency)


def taxed(quote: Quote) -> str:
    """That the tax is in a total, if one was named."""
    return "" if quote.tax is None else words("with_tax", percent=percent(quote.tax))


def names(proposal: Proposal) -> str:
    """`Good`, or `Good, Better` where they coincide."""
    return listed([words(f"tier_{name}") for name in proposal.names])


def is_asked(quote: Quote) -> bool:
    """Whether machines were named, so that there is nothing to choose between."""
    return quote.proposals[0].names == (ASKED,)


def machine(found: Machine, count: Decimal) -> str:
    """`2 x g5.xlarge (2 x A10G)`; a slice by its exact fraction."""
    whole = f"{float(count) * found.devices:,.6g}"
    if found.device_share is not None and count == 1:
        whole = found.device_share
    return words(
        "machine", count=f"{count.normalize():f}", type=found.instance_type, devices=whole,
        device=found.device,
    )  # fmt: skip


def named(name: str, text: str) -> str:
    """A text after the name of what it is about."""
    return words("named", name=name, text=text)


def place(found: Machine) -> str:
    """Provider and region."""
    return words("place", provider=found.provider, region=found.region)


def terms(way: Way | Alternative) -> str:
    """`reserved 1y standard, nothing upfront`: option, term, class and payment."""
    parts = [render(message(f"estimate.option_{way.option}")), way.term or ""]
    if isinstance(way, Alternative):
        return " ".join(part for part in parts if part)
    name = " ".join(part for part in (*parts, (way.cls or "").replace("_", " ")) if part)
    return listed([name, words(f"payment_{way.payment}")]) if way.payment else name


def short_terms(way: Way) -> str:
    """Option and term alone."""
    return terms(way._replace(cls=None, payment=None))


def plain_money(quote: Quote, amount: Decimal) -> str:
    """An amount in the quote's coins, without its currency."""
    return f"{amount:,.{MINOR_DIGITS.get(quote.currency, 2)}f}"


def need(quote: Quote) -> str:
    """What the customer asked for, in one line; empty for named machines."""
    return words("separate").join(render(part) for part in quote.need)


def does(work: Work) -> list[str]:
    """What the machines of a proposal do, as short lines."""
    rate = {
        "rate": number(work.rate), "low": number(work.rate_low), "high": number(work.rate_high),
    }  # fmt: skip
    found = []
    if work.relative_to is None:
        found.append(words("does_rate", units=work.units, **rate))
    else:
        found.append(words("does_relative", device=work.relative_to, **rate))
    if work.headroom is not None:
        id = "does_headroom" if work.hours is None else "does_sooner"
        found.append(words(id, times=number(work.headroom)))
    if work.hours is not None:
        low, expected, high = (number(part) for part in work.hours)
        found.append(words("does_run", hours=expected, low=low, high=high))
    elif work.latency_ms is not None:
        id = "does_p99" if work.latency_p99 else "does_alone"
        found.append(words(id, ms=number(work.latency_ms)))
    return [*found, words(f"basis_{work.basis}")]


def spot_note(quote: Quote, spot: Spot) -> str:
    """The footnote on spot."""
    low, amount, high = (
        format_money(part, quote.currency) for part in (spot.low, spot.expected, spot.high)
    )
    return words(
        "spot_note", what=machine(spot.machine, spot.instances), amount=amount, per=per(quote),
        date=spot.as_of, low=low, high=high,
    )  # fmt: skip


def line_notes(quote: Quote, line: Line) -> list[str]:
    """What stands small under a line: its range, a mean count, what its price leaves open."""
    found = [_range_note(quote, line), *(render(note) for note in line.notes)]
    if line.instances != line.instances.to_integral_value():
        found.append(words("mean_count", count=f"{line.instances.normalize():f}"))
    return [note for note in found if note]


def _range_note(quote: Quote, line: Line) -> str:
    """What the line costs at the best and the worst speed; empty where nothing moves it."""
    if line.low == line.high:
        return ""
    low, high = (format_money(part, quote.currency) for part in (line.low, line.high))
    return words("range_note", low=low, high=high)


def rate(found: Rate) -> str:
    """An exchange rate with its date, or that it was agreed."""
    id = "rate_own" if found.date is None else "rate"
    return words(
        id, base=found.base, rate=price_text(found.rate), quote=found.quote, date=found.date
    )


def facts(quote: Quote) -> list[tuple[str, str]]:
    """The header: label and text, those alone that there is something to say of."""
    shown = [
        ("number", quote.number),
        ("customer", quote.customer or ""),
        ("prepared", quote.prepared_by or ""),
        ("date", words(
            "valid", today=quote.today, until=quote.valid_until, days=quote.valid_days)),
        ("need", need(quote)),
        ("hours", "" if quote.per == RUN else _hours(quote)),
        ("currency", words("separate").join([quote.currency, *map(rate, quote.rates)])),
    ]  # fmt: skip
    return [(words(f"label_{name}"), text) for name, text in shown if text]


def _hours(quote: Quote) -> str:
    """The hours of the month; work that is done sooner pays for fewer."""
    fewer = any(line.way.hours < quote.hours for p in quote.proposals for line in p.lines)
    return words("hours_at_most" if fewer else "hours", hours=f"{quote.hours:g}")


def demand(quote: Quote) -> str:
    """The demand curve in words, and what it would cost without a commitment."""
    found = quote.demand
    assert found is not None
    amount = format_money(found.on_demand_only, quote.currency)
    mean = number(sum(found.hours) / len(found.hours))
    said = words("demand_says", mean=mean, peak=max(found.hours), amount=amount)
    return said if found.levels else f"{said} {words('no_levels')}"
