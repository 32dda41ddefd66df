"""A row of `compare` for people: what its work costs, what it is, what it costs otherwise."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.compare_result import Comparison, ModeSpeed, Row
from gpuadvisor.advice.shape import FACTS, shape_of
from gpuadvisor.catalog.message import message
from gpuadvisor.report.estimate_text import option_name, place_of
from gpuadvisor.report.figures import multiple_for, unit_cost
from gpuadvisor.report.messages import clauses, listed, render, word
from gpuadvisor.report.text import Style, pad, printable, right, width, wrap

_TOLD = ("device", "memory_gib")
"""Facts that every row names, the same or not."""


def _t(id: str, /, **params: object) -> str:
    return render(message(f"compare.{id}", **params))


def figure(value: Decimal) -> str:
    """A price of a device-hour with at most four decimals: `0.526`, `2.7447`, `12.40`."""
    shown = f"{value:,.4f}".rstrip("0")
    return shown if len(shown.rpartition(".")[2]) >= 2 else f"{value:,.2f}"


def group(answer: Comparison, what: str, columns: int, style: Style) -> list[str]:
    """All rows of one WHAT under their head."""
    rows = [row for row in answer.rows if row.what == what]
    more = dict(answer.left_out).get(what, 0)
    name = "group" if more else "group_all"
    lines = [printable(_t(name, what=what, shown=len(rows), all=len(rows) + more))]
    for n, row in enumerate(rows, 1):
        lines += [style(line, "option") for line in _first_line(answer, n, row, columns)]
        for body in (work_line(answer, row), shape_line(answer, row), money_line(answer, row)):
            lines += wrap(printable(body), columns, "      ")
    return lines


def _first_line(answer: Comparison, n: int, row: Row, columns: int) -> list[str]:
    kind, count = row.item.type, row.item.instances
    name = kind.name if count == 1 else f"{count} x {kind.name}"
    option = "" if row.line is None else f", {option_name(row.line)}"
    left = printable(f"{n:>2}  {name}, {place_of(row.item)}{option}")
    amount = _t("no_price")
    if row.per_device_hour is not None:
        each = figure(row.per_device_hour)
        amount = _t("each", amount=each, currency=answer.currency)
    if width(left) + width(amount) + 2 > columns:
        return [left, right(amount, columns)]
    return [pad(left, columns - width(amount)) + amount]


def work_line(answer: Comparison, row: Row) -> str:
    """Cost of a unit of work in each mode, or why there is none."""
    parts = []
    for s in row.speeds:
        if s.why_not is not None:
            parts.append(_t("no_unit_cost", mode=s.mode, reason=render(s.why_not)))
        elif s.per_unit is not None and s.speed is not None:
            factor, words = multiple(answer, s.mode)
            unit = work_unit(answer, s, factor)
            name = "unit_cost" if s.per_unit.low == s.per_unit.high else "unit_cost_range"
            parts.append(
                _t(
                    name, mode=s.mode, cost=unit_cost(s.per_unit.expected, factor),
                    low=unit_cost(s.per_unit.low, factor),
                    high=unit_cost(s.per_unit.high, factor), currency=answer.currency,
                    unit=words + unit,
                )
            )  # fmt: skip
    return clauses(dict.fromkeys(parts))


def multiple(answer: Comparison, mode: str) -> tuple[int, str]:
    """One multiple for all rows of a mode, so that they compare at a glance."""
    costs = [
        s.per_unit.expected
        for row in answer.rows
        for s in row.speeds
        if s.mode == mode and s.per_unit is not None
    ]
    return multiple_for(min(costs))


def work_unit(answer: Comparison, s: ModeSpeed, factor: int) -> str:
    """What the unit of a mode is called."""
    assert answer.workload is not None and s.speed is not None
    if s.speed.relative_to is not None:
        return _t("relative_unit", device=s.speed.relative_to)
    return word(answer.workload.unit if factor == 1 else answer.workload.units)


def shape_line(answer: Comparison, row: Row) -> str:
    """What the row's machine is, as far as rows differ."""
    shape = shape_of(row)
    names = [n for n in FACTS if n in _TOLD or (n in answer.differs and n != "terms")]
    return listed(fact(name, shape[name]) for name in names if shape[name] is not None)


def fact(name: str, value: Any) -> str:
    """A fact of shape in words."""
    if name == "mig_max":
        value = _t("mig_yes", count=value) if value else _t("mig_no")
    elif name == "interconnect" and value == "none":
        return _t("unjoined")
    elif isinstance(value, float):
        value = f"{value:g}"
    elif isinstance(value, list):
        value = listed(word(part) if name == "terms" else part for part in value)
    return _t(f"fact_{name}", value=value)


def same_facts(answer: Comparison) -> list[str]:
    """Facts of shape that are the same in all rows."""
    if len(answer.rows) < 2:
        return []
    shape = shape_of(answer.rows[0])
    names = [n for n in FACTS if n not in answer.differs and n not in (*_TOLD, "terms")]
    return [fact(name, shape[name]) for name in names if shape[name] is not None]


def money_line(answer: Comparison, row: Row) -> str:
    """The other terms per device-hour, the range over regions, devices paid for nothing."""
    parts = [
        _t("terms", term=term, amount=figure(amount)) for term, amount in other_terms(row).items()
    ]
    r = row.regions
    if r is not None and r.regions > 1 and r.low == r.high:
        parts.append(_t("regions_same", count=r.regions))
    elif r is not None and r.regions > 1:
        parts.append(
            _t("regions", count=r.regions, low=figure(r.low), low_region=r.low_region,
               high=figure(r.high), high_region=r.high_region)
        )  # fmt: skip
    elif r is not None:
        parts.append(_t("region"))
    paid = row.item.type.devices * row.item.instances
    if row.item.used < paid:
        parts.append(_t("paid_used", paid=f"{paid:g}", used=f"{row.item.used:g}"))
    told = ("estimate.scope_gpu_only", "estimate.scope_per_gpu_rate", "estimate.frozen")
    parts.extend(render(n) for n in row.item.notes if n.id in told)
    return clauses(parts)


def other_terms(row: Row) -> dict[str, Decimal]:
    """Cheapest price of a device-hour on each other option and term that can be bought."""
    devices = Decimal(repr(float(row.item.type.devices)))
    best: dict[str, Decimal] = {}
    for o in _others(row):
        assert o.effective_per_hour is not None
        name = option_name(o._replace(cls=None))
        each = o.effective_per_hour / devices
        best[name] = min(each, best.get(name, each))
    return best


def _others(row: Row) -> Sequence[Any]:
    return [
        o
        for o in row.item.options
        if o.available and o.effective_per_hour is not None and o is not row.line
    ]
