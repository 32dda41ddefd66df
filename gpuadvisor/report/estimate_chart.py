"""Charts of one item's purchase options: a month by option, and cost against hours of use."""

from __future__ import annotations

from collections.abc import Sequence

from gpuadvisor.advice.estimate_result import Estimate, EstimateOption, Item
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND, SPOT
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.cost.money import format_money, rounded
from gpuadvisor.report.estimate_text import named, option_name, place_of
from gpuadvisor.report.page import Bar, BarChart, LineChart, Mark, Series
from gpuadvisor.report.page_cells import words

MOST_BARS = 12


def cost_by_option(
    answer: Estimate, item: Item, priced: Sequence[EstimateOption]
) -> BarChart | None:
    """A bar for each option that can be bought, cheapest first, with the range of its price.

    None for a single one.
    """
    shown = [(o, o.monthly) for o in priced if o.monthly is not None and o.available]
    if len(shown) < 2:
        return None
    shown = sorted(shown, key=lambda pair: pair[1].expected)[:MOST_BARS]
    bars = tuple(
        Bar(
            option_name(o),
            float(monthly.low),
            float(monthly.expected),
            float(monthly.high),
            o is item.line,
        )
        for o, monthly in shown
    )
    first, last = shown[0], shown[-1]
    description = words(
        "by_option_text",
        low=option_name(first[0]),
        low_cost=format_money(first[1].expected, answer.currency),
        high=option_name(last[0]),
        high_cost=format_money(last[1].expected, answer.currency),
    )
    title = words("by_option", what=named(item), place=place_of(item))
    return BarChart(title, description, words("per_month", currency=answer.currency), bars)


def cost_against_hours(
    answer: Estimate, item: Item, priced: Sequence[EstimateOption]
) -> LineChart | None:
    """On demand and spot by the hour, the cheapest commitment of each term flat, and where they
    cross. None without a commitment, and where a month is no plain multiple of the hour."""
    by_hour = [o for o in priced if o.option in (ON_DEMAND, SPOT) and o.available]
    usual = next((o for o in by_hour if o.option == ON_DEMAND), None)
    bound = cheapest_by_term(priced)
    if usual is None or not bound or not all(_linear(answer, item, o) for o in by_hour):
        return None
    series = [_by_hour(answer, item, o) for o in by_hour]
    marks = []
    for o in bound:
        assert o.monthly is not None
        month = float(o.monthly.expected)
        series.append(Series(option_name(o), ((0.0, month), (HOURS_PER_MONTH, month))))
        hours = o.break_even_hours
        if hours is not None and hours <= HOURS_PER_MONTH:
            told = words("pays_from", option=option_name(o), hours=f"{hours:.0f}")
            marks.append(Mark(hours, month, told))
    return LineChart(
        words("against_hours"),
        words("against_hours_text") if marks else words("against_hours_never"),
        words("hours_a_month"),
        words("per_month", currency=answer.currency),
        tuple(series),
        tuple(marks),
    )


def cheapest_by_term(priced: Sequence[EstimateOption]) -> list[EstimateOption]:
    """The cheapest commitment of each term that can be bought, shortest term first."""
    best: dict[str, EstimateOption] = {}
    for o in priced:
        if o.option not in COMMITMENTS or not o.available or o.monthly is None or not o.term:
            continue
        held = best.get(o.term)
        if held is None or (held.monthly and o.monthly.expected < held.monthly.expected):
            best[o.term] = o
    return [best[term] for term in sorted(best)]


def _by_hour(answer: Estimate, item: Item, o: EstimateOption) -> Series:
    assert o.monthly is not None and answer.hours
    scale = HOURS_PER_MONTH / answer.hours
    low, month, high = (float(part) * scale for part in o.monthly)
    band = ((0.0, 0.0, 0.0), (HOURS_PER_MONTH, low, high)) if low != high else ()
    points = ((0.0, 0.0), (HOURS_PER_MONTH, month))
    return Series(option_name(o), points, o.option == ON_DEMAND, band)


def _linear(answer: Estimate, item: Item, o: EstimateOption) -> bool:
    """Whether the month is price x instances x hours, without a discount that grows over it."""
    if o.monthly is None or o.price_per_hour is None or not answer.hours:
        return False
    plain = float(o.price_per_hour) * item.instances * answer.hours
    coin = float(rounded(o.monthly.expected, answer.currency))
    return abs(plain - coin) <= max(0.01, 1e-4 * coin)
