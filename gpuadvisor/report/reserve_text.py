"""`reserve` for people: the plan in line 1, the month, the chart, and what would go wrong."""

from __future__ import annotations

from collections.abc import Sequence

from gpuadvisor.advice.estimate_result import EstimateOption
from gpuadvisor.advice.reserve_result import FALL, Chosen, Reserve
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import COMMITMENTS
from gpuadvisor.cost.commitment import Plan, dispatch
from gpuadvisor.cost.money import allocate, format_money, format_price, rounded
from gpuadvisor.report.figures import coins
from gpuadvisor.report.messages import clauses, listed, render, word
from gpuadvisor.report.text import Style, pad, plain, printable, right, width, wrap

MARKS = ("█", "▒", "░")
"""Committed, spot, on demand."""

CHART_ROWS = 10
_LABEL = 10


def text(answer: Reserve, columns: int, style: Style = plain) -> str:
    """The whole answer."""
    lines = [style(line, "bold") for line in wrap(printable(headline(answer)), columns)]
    lines += ["", *_header(answer, columns), "", *_bill(answer, columns)]
    lines += ["", *chart(answer)]
    facts = [_weighed(answer, c) for c in answer.chosen]
    if answer.plan.committed:
        facts.append(risk(answer))
    facts += [render(w) for w in answer.warnings]
    lines.append("")
    for fact in facts:
        wrapped = wrap(printable(fact), columns - 2)
        lines += [("- " if n == 0 else "  ") + line for n, line in enumerate(wrapped)]
    lines += ["", next_command(answer)]
    return "\n".join(line.rstrip() for line in lines)


def _t(id: str, /, **params: object) -> str:
    return render(message(f"reserve.{id}", **params))


def next_command(answer: Reserve) -> str:
    """The command to try next."""
    return _t("next", what=answer.item.type.name, region=answer.item.region)


def headline(answer: Reserve) -> str:
    """The plan as one sentence."""
    facts = {
        "what": unit_name(answer),
        "cost": format_money(answer.cost.expected, answer.priced.currency),
        "usual": format_money(answer.on_demand_cost, answer.priced.currency),
        "saving": f"{answer.plan.saving * 100:.1f}",
    }
    found = answer.plan
    facts["rest"] = _rest(found)
    if found.one_year and found.three_years:
        return _t("answer_two", one=found.one_year, three=found.three_years, **facts)
    deciding = answer.deciding
    if deciding is not None and deciding.units:
        name = option_name(deciding.option)
        return _t("answer", units=deciding.units, term=deciding.term, option=name, **facts)
    if found.spot_max:
        return _t("answer_spot", units=found.spot_max, **facts)
    return _t("answer_none", **facts)


def _rest(found: Plan) -> str:
    """What runs beyond the commitment, at most in one hour."""
    if not found.spot_max and not found.on_demand_max:
        return ""
    name = "both" if found.spot_max and found.on_demand_max else ""
    name = name or ("spot" if found.spot_max else "on_demand")
    return _t(f"rest_{name}", spot=found.spot_max, on_demand=found.on_demand_max)


def unit_name(answer: Reserve) -> str:
    """`g5.xlarge`, or `(4 x g5.xlarge)` where a unit is several instances."""
    name = answer.item.type.name
    return name if answer.item.instances == 1 else f"({answer.item.instances} x {name})"


def option_name(o: EstimateOption) -> str:
    """`reserved 1y standard no upfront`."""
    words = (o.option, o.term, o.cls, o.payment)
    return " ".join(word(part) for part in words if part)


def _header(answer: Reserve, columns: int) -> list[str]:
    curve = answer.curve
    mean = f"{sum(curve) / len(curve):,.2f}".rstrip("0").rstrip(".")
    place = _t(
        "place",
        provider=answer.item.type.provider,
        region=answer.item.region,
        currency=answer.priced.currency,
        today=answer.priced.today,
    )
    assumed = [render(text) for text in answer.assumptions]
    if answer.plan.horizon_years > 1:
        assumed.append(_t("horizon", years=answer.plan.horizon_years))
    rows = (
        (
            "demand",
            _t("demand", hours=f"{len(curve):,}", low=min(curve), peak=max(curve), mean=mean),
        ),
        ("place", place),
        ("assumed", clauses(assumed)),
    )
    lines: list[str] = []
    for name, body in rows:
        for n, line in enumerate(wrap(printable(body), columns - _LABEL)):
            lines.append(pad(_t(f"label_{name}") if n == 0 else "", _LABEL) + line)
    return lines


def _bill(answer: Reserve, columns: int) -> list[str]:
    currency = answer.priced.currency
    amounts, total = allocate([line.monthly.expected for line in answer.lines], currency)
    rows = []
    for line, amount in zip(answer.lines, amounts, strict=True):
        kind = "line_committed" if line.option.option in COMMITMENTS else "line_mean"
        units = f"{line.units:,.2f}".rstrip("0").rstrip(".")
        rows.append(
            (_t(kind, units=units, option=option_name(line.option)), coins(amount, currency))
        )
    rows.append((_t("total"), coins(total, currency)))
    down, up = (part - answer.cost.expected for part in (answer.cost.low, answer.cost.high))
    if rounded(down, currency) != rounded(up, currency):
        rows.append(
            (_t("range"), f"{coins(total + down, currency)} - {coins(total + up, currency)}")
        )
    rows.append((_t("all_on_demand"), coins(answer.on_demand_cost, currency)))
    return [
        _t("month", currency=currency),
        *(
            pad("  " + printable(name), columns - width(amount)) + right(amount, width(amount))
            for name, amount in rows
        ),
    ]


def risk(answer: Reserve) -> str:
    """What the plan costs too much if demand falls."""
    currency = answer.priced.currency
    name = "regret" if rounded(answer.regret, currency) > 0 else "regret_none"
    amount = format_money(answer.regret, currency)
    return _t(name, fall=f"{FALL * 100:.0f}", amount=amount)


def _weighed(answer: Reserve, c: Chosen) -> str:
    if not c.units:
        outcome = _t("outcome_none")
    elif c.pays_after_months is None:
        outcome = _t("outcome_never")
    else:
        outcome = _t("outcome_pays", months=f"{c.pays_after_months:.1f}", date=c.pays_on)
    assert c.option.effective_per_hour is not None
    rate = format_price(c.option.effective_per_hour, answer.priced.currency)
    share = f"{c.break_even * 100:.1f}"
    return _t("weighed", option=option_name(c.option), rate=rate, share=share, outcome=outcome)


def chart(answer: Reserve) -> list[str]:
    """Stacked columns of the mean day, three characters an hour, no colour needed."""
    day = mean_day(answer)
    peak = max(sum(hour) for hour in day)
    if not peak:
        return []
    step = max(1.0, peak / CHART_ROWS)
    rows = int(-(-peak // step))
    axis = len(f"{rows * step:,.0f}")
    keys = [
        _t(f"key_{name}", mark=mark)
        for name, mark, used in zip(
            ("committed", "spot", "on_demand"), MARKS, zip(*day, strict=True), strict=True
        )
        if any(used)
    ]
    title = "chart" if len(answer.curve) == 24 else "chart_mean"
    lines = [_t(title, keys=listed(keys))]
    for row in range(rows, 0, -1):
        level = (row - 0.5) * step
        cells = "".join(_cell(hour, level) * 2 + " " for hour in day)
        lines.append(right(f"{row * step:,.0f}", axis) + " " + cells)
    lines.append(" " * (axis + 1) + "".join(pad(f"{hour:02d}", 3) for hour in range(24)))
    return lines


def _cell(hour: Sequence[float], level: float) -> str:
    reached = 0.0
    for mark, units in zip(MARKS, hour, strict=True):
        reached += units
        if reached >= level:
            return mark
    return " "


def mean_day(answer: Reserve) -> list[tuple[float, float, float]]:
    """Committed, spot and on-demand units that serve each hour of the day, on average."""
    share = answer.request.spot_share if answer.plan.spot_max else 0.0
    sums = [[0.0, 0.0, 0.0] for _ in range(24)]
    for index, demand in enumerate(answer.curve):
        hour = dispatch(demand, answer.plan.committed, share)
        for part, units in enumerate((hour.committed, hour.spot, hour.on_demand)):
            sums[index % 24][part] += units
    days = len(answer.curve) / 24
    return [(a / days, b / days, c / days) for a, b, c in sums]
