"""`own` for people: the answer in line 1, a year line by line, what moves it, every figure."""

from __future__ import annotations

from decimal import Decimal

from gpuadvisor.advice.own import RENT
from gpuadvisor.advice.own_figures import Figure
from gpuadvisor.advice.own_result import MoneySpan, Own
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import allocate, format_money, significant
from gpuadvisor.cost.ownership import HOURS_PER_YEAR
from gpuadvisor.report.estimate_text import option_name
from gpuadvisor.report.figures import coins
from gpuadvisor.report.messages import aside, render
from gpuadvisor.report.text import Style, pad, plain, printable, width, wrap

SHARES = ("residual", "wacc", "maintenance", "load")


def text(answer: Own, columns: int, style: Style = plain, explain: bool = False) -> str:
    """The whole answer; with `explain` what each input does to the break-even."""
    lines = [style(line, "bold") for line in wrap(printable(headline(answer)), columns)]
    lines += ["", *_year(answer, columns), ""]
    for fact in (*facts(answer), *(render(w) for w in answer.warnings)):
        wrapped = wrap(printable(fact), columns - 2)
        lines += [("- " if n == 0 else "  ") + line for n, line in enumerate(wrapped)]
    lines += ["", _t("figures")]
    paid = any(figure.name == "kwh_price" for figure in answer.figures)
    for figure in answer.figures:
        if figure.name in ("load", "pue") and not paid:
            continue
        lines += wrap(printable(_figure(figure)), columns, "  ")
    if explain and answer.swings:
        lines += ["", _t("swings")]
        for swing in answer.swings:
            ends = sorted((swing.at_low, swing.at_high))
            amount = f"{ends[0] * 100:.1f} - {ends[1] * 100:.1f} %"
            lines += _row(_t(f"figure_{swing.name}"), amount, columns)
    lines += ["", next_command(answer)]
    return "\n".join(line.rstrip() for line in lines)


def _t(id: str, /, **params: object) -> str:
    return render(message(f"own.{id}", **params))


def next_command(answer: Own) -> str:
    """The command to try next."""
    return _t("next", what=answer.item.type.name)


def headline(answer: Own) -> str:
    """Which of the two costs less, and from which use on it is the other."""
    share = answer.break_even.likely
    wins = answer.annual_own.expected <= answer.annual_rent.expected
    name = "answer_own" if wins else "answer_rent" if share <= 1 else "answer_never"
    return _t(
        name,
        gpus=answer.request.gpus,
        device=answer.request.device,
        what=rented(answer),
        own=_whole(answer, answer.annual_own.expected),
        rent=_whole(answer, answer.annual_rent.expected),
        busy=f"{answer.request.utilisation * 100:g}",
        share=f"{share * 100:.0f}",
        hours=f"{share * HOURS_PER_YEAR:,.0f}",
    )


def rented(answer: Own) -> str:
    """`8 x g5.xlarge`."""
    item = answer.item
    return item.type.name if item.instances == 1 else f"{item.instances} x {item.type.name}"


def _whole(answer: Own, amount: Decimal) -> str:
    return format_money(amount.quantize(Decimal(1)), answer.priced.currency)


def _year(answer: Own, columns: int) -> list[str]:
    currency = answer.priced.currency
    amounts, total = allocate([line.annual.expected for line in answer.lines], currency)
    rows = [
        (_t(f"line_{line.name}"), coins(amount, currency))
        for line, amount in zip(answer.lines, amounts, strict=True)
    ]
    rows.append((_t("total"), coins(total, currency)))
    rows += _range(answer.annual_own, currency)
    line = answer.item.line
    renting = _t(
        "renting",
        what=rented(answer),
        place=f"{answer.item.type.provider} {answer.item.region}",
        terms="" if line is None else option_name(line),
        hours=f"{HOURS_PER_YEAR * answer.request.utilisation:,.0f}",
    )
    rows.append((renting, coins(answer.annual_rent.expected, currency)))
    rows += _range(answer.annual_rent, currency)
    return [
        _t("year", currency=currency),
        *(line for name, amount in rows for line in _row(name, amount, columns)),
    ]


def _row(name: str, amount: str, columns: int) -> list[str]:
    wrapped = wrap(printable(name), columns - width(amount) - 2, "  ")
    wrapped[-1] = pad(wrapped[-1], columns - width(amount)) + amount
    return wrapped


def _range(span: MoneySpan, currency: str) -> list[tuple[str, str]]:
    low, high = coins(span.low, currency), coins(span.high, currency)
    return [] if low == high else [(_t("range"), f"{low} - {high}")]


def facts(answer: Own) -> list[str]:
    """Where the two meet, when a purchase has paid for itself, what moves it, costs of work."""
    busy = f"{answer.request.utilisation * 100:g}"
    low, share, high = (f"{part * 100:.0f}" for part in answer.break_even)
    name = "break_even_exact" if low == high else "break_even"
    found = [_t(name, share=share, low=low, high=high)]
    months = answer.pays_after_months
    years = next(f.value.likely for f in answer.figures if f.name == "years")
    if months is None:
        found.append(_t("pays_never", busy=busy))
    else:
        name = "pays" if months <= years * 12 else "pays_late"
        found.append(_t(name, months=f"{months:.1f}", busy=busy, years=f"{years:g}"))
    if answer.swings:
        top = answer.swings[0]
        ends = sorted((top.at_low, top.at_high))
        found.append(
            _t(
                "moves",
                name=_t(f"figure_{top.name}"),
                low=f"{ends[0] * 100:.0f}",
                high=f"{ends[1] * 100:.0f}",
            )
        )
    if answer.request.workload is not None:
        found.append(_units(answer))
    return found


def _units(answer: Own) -> str:
    mine, theirs = answer.own_unit, answer.rent_unit
    if mine is None or theirs is None or mine.relative != theirs.relative:
        return _t("unit_unknown", workload=answer.request.workload)
    return _t(
        "unit_both",
        unit=mine.unit,
        own=f"{significant(Decimal(repr(mine.cost)), 3):f}",
        rent=f"{significant(Decimal(repr(theirs.cost)), 3):f}",
        currency=answer.priced.currency,
        busy=f"{answer.request.utilisation * 100:g}",
        basis=mine.basis,
    )


def _figure(figure: Figure) -> str:
    low, likely, high = (figure_value(figure.name, value) for value in figure.value)
    origin = _t(f"origin_{figure.origin}") if "#" not in figure.origin else figure.origin
    return _t(
        "figure_line",
        name=_t(f"figure_{figure.name}"),
        value=likely,
        range="" if low == high else aside(f"{low}-{high}"),
        origin=origin,
    )


def figure_value(name: str, value: float) -> str:
    """An input as people write it."""
    if name in SHARES:
        return f"{value * 100:g} %"
    if name == RENT:
        return f"{value:.4f}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
