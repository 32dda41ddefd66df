"""Charts of a quote: ways of paying, hours of use against commitments, demand over the hours.

Amounts are the customer's, before tax.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from gpuadvisor.advice.quote_result import MONTH, Demand, Line, Proposal, Quote, Way
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.report import quote_words as say
from gpuadvisor.report.figures import number
from gpuadvisor.report.messages import render
from gpuadvisor.report.page import (
    Bar,
    BarChart,
    Chart,
    Layer,
    Level,
    LineChart,
    Mark,
    Series,
    StepChart,
)

MOST_TERMS = 4
"""Lines of commitments in the chart over hours: more cannot be told apart."""

_DAY, _WEEK = 24, 168


def cost_charts(quote: Quote) -> Iterable[Chart]:
    """The charts that the first choice has something to show in."""
    first = quote.proposals[0]
    bars = [bar for proposal in quote.proposals for bar in _bars(quote, proposal)]
    if len(bars) > 1:
        yield _options(quote, bars)
    line = first.lines[0]
    bound = cheapest(w for w in line.ways if w.option in COMMITMENTS)
    usual = next((w for w in line.ways if w.option == ON_DEMAND), None)
    if quote.per == MONTH and len(first.lines) == 1 and usual is not None and bound:
        yield _hours(quote, line, usual, bound[:MOST_TERMS])


# -- ways of paying --------------------------------------------------------------------------


def _bars(quote: Quote, proposal: Proposal) -> Iterable[Bar]:
    """Of the first choice its ways and spot, of others their own; of several lines the whole on
    each option and term."""

    def label(text: str) -> str:
        return say.named(say.names(proposal), text) if len(quote.proposals) > 1 else text

    if len(proposal.lines) > 1:
        for found in proposal.alternatives:
            amount = float(found.total.subtotal)
            same = found.total.subtotal == proposal.total.subtotal
            yield Bar(label(say.terms(found)), amount, amount, amount, same)
        return
    line, first = proposal.lines[0], proposal == quote.proposals[0]
    for way in cheapest(line.ways, line.way) if first else [line.way]:
        if way == line.way:
            low, amount, high = (float(part) for part in (line.low, line.amount, line.high))
        else:
            low = amount = high = float(way.amount)
        yield Bar(label(say.short_terms(way)), low, amount, high, way == line.way)
    for spot in proposal.spot if first else ():
        name = render(message("estimate.option_spot"))
        low, amount, high = (float(part) for part in (spot.low, spot.expected, spot.high))
        yield Bar(label(name), low, amount, high)


def cheapest(ways: Iterable[Way], kept: Way | None = None) -> list[Way]:
    """The cheapest class and payment of each option and term; `kept` stands for its own."""
    best: dict[tuple[str, str | None], Way] = {}
    for way in ways:
        key = (way.option, way.term)
        if way == kept or key not in best or (way.amount < best[key].amount and best[key] != kept):
            best[key] = way
    return list(best.values())


def _options(quote: Quote, bars: list[Bar]) -> BarChart:
    low = min(bars, key=lambda bar: bar.expected)
    high = max(bars, key=lambda bar: bar.expected)
    says = say.words(
        "chart_options_says",
        cheapest=low.label,
        low=say.plain_money(quote, Decimal(low.expected)),
        currency=quote.currency,
        dearest=high.label,
        high=say.plain_money(quote, Decimal(high.expected)),
    )
    return BarChart(
        say.words("chart_options"), says, f"{quote.currency} {say.per(quote)}", tuple(bars)
    )


# -- hours of use ----------------------------------------------------------------------------


def _hours(quote: Quote, line: Line, usual: Way, bound: list[Way]) -> LineChart:
    """On demand rises with the hours, a commitment does not: they meet at the break-even."""
    each = float(usual.unit_price * line.instances)
    series = [
        Series(
            say.short_terms(usual), ((0.0, 0.0), (HOURS_PER_MONTH, each * HOURS_PER_MONTH)), True
        )
    ]
    marks, points = [], []
    for way in bound:
        flat = float(way.unit_price * line.instances) * HOURS_PER_MONTH
        series.append(Series(say.short_terms(way), ((0.0, flat), (HOURS_PER_MONTH, flat))))
        meet = flat / each
        if meet < HOURS_PER_MONTH:
            hours = f"{meet:,.0f}"
            points.append(say.words("chart_point", terms=say.short_terms(way), hours=hours))
            marks.append(Mark(meet, flat, points[-1]))
    what = say.machine(line.machine, line.instances)
    says = say.words("chart_hours_none", what=what)
    if points:
        says = say.words("chart_hours_says", what=what, points=say.words("separate").join(points))
    return LineChart(
        say.words("chart_hours"), says, say.words("unit_hours_month"),
        f"{quote.currency} {say.words('per_month')}", tuple(series), tuple(marks),
    )  # fmt: skip


# -- demand over the hours -------------------------------------------------------------------


def demand_chart(demand: Demand) -> StepChart:
    """Units by hour, those committed below those on demand; a year as its mean day."""
    units: list[float] = [float(each) for each in demand.hours]
    committed = sum(count for _, count in demand.levels)
    below = _drawn([min(each, committed) for each in units])
    above = _drawn([max(0.0, each - committed) for each in units])
    term = "".join(term for term, _ in demand.levels[:1])
    name = say.words("chart_committed", term=term)
    drawn = [Layer(say.words("chart_on_demand"), tuple(above))]
    if committed:
        drawn.insert(0, Layer(name, tuple(below)))
    says = say.words(
        "chart_demand_says", mean=number(sum(units) / len(units)), peak=f"{max(units):g}",
        committed=committed,
    )  # fmt: skip
    levels = (Level(float(committed), say.named(name, f"{committed}")),) if committed else ()
    return StepChart(
        say.words("chart_demand"), says, say.words("unit_hours"), say.words("units"),
        tuple(drawn), levels,
    )  # fmt: skip


def _drawn(values: list[float]) -> list[float]:
    """A day or a week as it is; of more the mean of each hour of the day."""
    if len(values) <= _WEEK:
        return values
    return [sum(values[n::_DAY]) / len(values[n::_DAY]) for n in range(_DAY)]
