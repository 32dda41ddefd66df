"""`--explain`: per option the rules clause by clause, and every figure with its source."""

from __future__ import annotations

from typing import Any

from gpuadvisor.advice.result import Option, Recommendation
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import price_text
from gpuadvisor.report.figures import number, span, whole
from gpuadvisor.report.messages import either, listed, render, word
from gpuadvisor.report.text import printable, wrap
from gpuadvisor.rules.interface import ClauseTrace, RuleTrace


def explain_option(answer: Recommendation, o: Option, catalog: Any, columns: int) -> list[str]:
    """Figures and rules of one option, indented under it."""
    lines = [
        _t(
            "price", price=price_text(o.offer.price), currency=o.offer.currency,
            source=o.offer.source, date=o.offer.as_of,
            confirmed=_confirmed(o),
        )
    ]  # fmt: skip
    s = o.speed
    if s is not None and s.mfu is not None and s.schedule is not None:
        from gpuadvisor.report.pretrain_text import explained, split_of

        shares = {name: f"{share:.0%}" for name, share in s.mfu._asdict().items()}
        lines.append(_t("mfu", device=o.device.name, source=s.source, **shares))
        lines += [
            _t(
                "scaling" if row.pays else "scaling_stops", nodes=row.nodes, devices=row.devices,
                split=split_of(row.layout), share=f"{row.efficiency:.0%}",
                hours=number(row.hours), cost=whole(row.cost), currency=answer.currency,
            )
            for row in o.scaling
        ]  # fmt: skip
        lines += explained(o, s.schedule)
    elif s is not None:
        lines.append(
            _t(
                "speed", device=o.device.name, reference=s.reference,
                ratio=number(s.device_ratio.expected), span=span(s.device_ratio),
                basis=s.basis, source=s.source, reference_source=s.reference_source,
            )
        )  # fmt: skip
    for trace in o.traces:
        if trace.fired:
            rule = answer.rules[trace.rule]
            why = either(str(rule["why"]), rule.get("why_zh"))
            lines.append(_t("rule", rule=trace.rule, clauses=_clauses(trace), why=why))
    return [x for line in lines for x in wrap(printable(line), columns, "      ")]


def _t(id: str, /, **params: object) -> str:
    return render(message(f"explain.{id}", **params))


def _confirmed(o: Option) -> str:
    return "" if o.offer.confirmed_on is None else _t("confirmed", date=o.offer.confirmed_on)


def _clauses(trace: RuleTrace) -> str:
    return _clause(trace.when)


def _clause(t: ClauseTrace) -> str:
    if t.parts:
        inner = listed(_clause(p) for p in t.parts)
        return f"{t.kind}({inner})"
    actual = word("unknown") if t.actual is None else _plain(t.actual)
    wanted = t.other if t.other is not None else _plain(t.wanted)
    gap = "" if t.gap is None else _t("gap", gap=f"{abs(t.gap):g}")
    return _t("clause", clause=f"{t.fact}={actual} {t.op} {wanted}", state=t.state, gap=gap)


def _plain(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (tuple, list, frozenset)):
        return "[" + ", ".join(sorted(map(str, value))) + "]"
    return str(value)


def sources_of(answer: Recommendation, catalog: Any, columns: int) -> list[str]:
    """Every source id that the shown options cite, with title, address and date."""
    ids: dict[str, None] = {}
    for o in answer.options:
        ids.setdefault(o.offer.source)
        if o.speed is not None:
            ids.setdefault(o.speed.source)
            ids.setdefault(o.speed.reference_source)
        for trace in o.traces:
            if trace.fired:
                ids.setdefault(str(answer.rules[trace.rule]["source"]))
    lines = []
    for key in ids:
        try:
            s = catalog.source(key)
        except KeyError:
            lines.append(f"  {key}")
            continue
        text = _t(
            "source", key=key, title=s.title, address=s.address, date=s.date,
            confidence=s.confidence,
        )  # fmt: skip
        lines += wrap(printable(text), columns, "  ")
    return lines
