"""`recommend` for people: the answer in line 1, what all options share, then the options.

An option takes two lines at 80 columns, and more only for its warnings.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from gpuadvisor.advice.result import Option, Recommendation
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import format_money
from gpuadvisor.report.figures import number, title_of, unit_cost, whole
from gpuadvisor.report.messages import aside, clauses, currency_word, listed, render
from gpuadvisor.report.recommend_option import multiple, option_lines, terms_of, unit_of, what_of
from gpuadvisor.report.text import Style, pad, plain, printable, wrap

CENT = Decimal("0.01")


def text(
    answer: Recommendation, catalog: Any, columns: int, explain: bool = False, style: Style = plain
) -> str:
    """The whole answer; `catalog` resolves source ids when explaining."""
    if explain:
        from gpuadvisor.report.explain_text import explain_option, sources_of

    lines = [*_wrapped(headline(answer), columns, style, "bold"), ""]
    lines += _header(answer, columns)
    if answer.options:
        lines.append("")
    for option in answer.options:
        lines += option_lines(answer, option, columns, style)
        if explain:
            lines += explain_option(answer, option, catalog, columns)
    lines += _footer(answer, columns, explain)
    if explain:
        lines += ["", _t("sources"), *sources_of(answer, catalog, columns)]
    lines += ["", _t("next", command=answer.next)]
    return "\n".join(line.rstrip() for line in lines)


def _t(id: str, /, **params: object) -> str:
    return render(message(f"recommend.{id}", **params))


def _wrapped(text: str, columns: int, style: Style, name: str) -> list[str]:
    return [style(line, name) for line in wrap(printable(text), columns)]


_UNSURE = {"advice.unserved": "lead_unserved", "advice.unsized": "lead_unsized"}
"""Warnings that line 1 itself says, with the text that it then takes."""

# -- line 1 -------------------------------------------------------------------------------------


def headline(answer: Recommendation) -> str:
    """The answer as one sentence with price and terms."""
    if not answer.options:
        return _t("nothing")
    first = answer.options[0]
    parts: dict[str, object] = {
        "what": what_of(first),
        "place": f"{first.type.provider} {first.offer.region}",
        "terms": terms_of(first),
        "cost": _cost(answer, first),
        "unit": _unit_clause(answer, first),
    }
    if not answer.feasible and answer.gap is not None:
        gap = format_money(answer.gap, answer.currency)
        return _t("over_budget", gap=gap, per=_per(answer), **parts)
    stale = next((w for w in answer.warnings if w.id == "advice.all_stale"), None)
    lead = "" if stale is None else _t("lead_stale", stale=_capital(render(stale)))
    unsure = next((w for w in answer.warnings if w.id in _UNSURE), None)
    if unsure is not None:
        return lead + _t(_UNSURE[unsure.id], **parts) + _doubt(first)
    return lead + _t("lead", **parts) + _between_zones(answer, first) + _doubt(first)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _doubt(first: Option) -> str:
    """Line 1 itself says when its price is not the provider's own, or is old."""
    if first.own_price:
        return ""
    if first.offer.confidence != "official":
        return _t("doubt_secondary", date=first.offer.as_of)
    if any(w.id == "advice.stale_price" for w in first.warnings):
        return _t("doubt_stale", date=first.offer.confirmed_on or first.offer.as_of)
    return ""


def _between_zones(answer: Recommendation, first: Option) -> str:
    """Line 1 itself says what is not in its price: it may be many times as much."""
    if first.apart is None or not first.apart.cost:
        return ""
    return _t("between_zones", cost=format_money(first.apart.cost, answer.currency))


def _per(answer: Recommendation) -> str:
    return _t(f"per_{answer.budget_per}")


def _cost(answer: Recommendation, option: Option) -> str:
    if option.run is not None:
        hours = option.run_hours
        assert hours is not None
        return _t(
            "cost_run", money=format_money(option.run.expected, answer.currency),
            hours=number(hours.expected),
        )  # fmt: skip
    month = option.monthly.expected
    if 0 < month < CENT:
        return _t("cost_tiny", currency=answer.currency)
    return _t("cost_month", money=format_money(month, answer.currency))


def _unit_clause(answer: Recommendation, option: Option) -> str:
    if option.per_unit is None or option.speed is None:
        return ""
    factor, words = multiple(answer)
    cost = f"{unit_cost(option.per_unit.expected, factor)} {currency_word(answer.currency)}"
    unit = unit_of(answer, option, factor)
    return _t("unit_clause", cost=cost, unit=f"{words}{unit}")


# -- header --------------------------------------------------------------------------------------


def _header(answer: Recommendation, columns: int) -> list[str]:
    rows = [
        ("workload", workload_line(answer)),
        ("budget", budget_line(answer)),
        ("demand", demand_line(answer)),
        ("hours", _t("hours", hours=f"{answer.hours:g}", today=answer.today)),
        ("assumed", clauses(render(text) for text in answer.assumptions)),
        ("objective", objective_line(answer)),
        ("prices", _versions(answer)),
    ]
    lines: list[str] = []
    for name, body in rows:
        if not body:
            continue
        label = pad(_t(f"label_{name}"), 11)
        wrapped = wrap(printable(body), columns - 11) or [""]
        lines.append(label + wrapped[0])
        lines += [" " * 11 + line for line in wrapped[1:]]
    return lines


def _versions(answer: Recommendation) -> str:
    """The versions behind the options shown; JSON lists those of every provider looked at."""
    shown = {o.type.provider for o in answer.options}
    named = listed(
        _t("version", provider=v.provider, version=v.version, date=v.as_of)
        for v in answer.versions
        if v.provider in shown
    )
    more = len({v.provider for v in answer.versions} - shown)
    return named + (_t("more_providers", count=more) if more and named else "")


def workload_line(answer: Recommendation) -> str:
    """What runs, and what its speed is carried from."""
    if answer.mode is None:
        return _t("no_workload")
    profile = answer.workload
    mode = profile.modes[answer.mode]
    shown = _t("workload", name=profile.name, title=title_of(profile), mode=answer.mode)
    if mode.reference is not None and answer.pretrain is None:
        shown += _t("reference", device=mode.reference.device, measured=mode.reference.measured)
    return shown


def budget_line(answer: Recommendation) -> str:
    """The budget, and what it is in the currency it was given in."""
    if answer.budget is None:
        return ""
    shown = format_money(answer.budget, answer.currency, answer.budget_per)
    asked = answer.request.budget
    if answer.rate is None or asked is None:
        return shown
    pair, rate, date = answer.rate
    base, _, quote = pair.partition("/")
    other = quote if base == answer.currency else base
    value = answer.budget * rate if base == answer.currency else answer.budget / rate
    origin = _t("rate_own") if date is None else _t("rate_ecb", date=date)
    return _t("exchanged", amount=shown, other=format_money(value, other), origin=origin)


def demand_line(answer: Recommendation) -> str:
    """What is to be served, and how fast."""
    request, profile = answer.request, answer.workload
    found = []
    if request.qps is not None:
        units = _t("requests") if answer.llm is not None else profile.units
        found.append(_t("demand_rate", rate=number(request.qps), units=units))
    if request.concurrency is not None:
        found.append(_t("demand_users", users=f"{request.concurrency:,}"))
    volume = request.units_per_month or request.tokens_per_month
    if volume is not None:
        found.append(_t("demand_volume", count=number(volume), units=profile.units))
    if request.deadline_h is not None:
        found.append(_t("demand_deadline", hours=number(request.deadline_h)))
    if answer.pretrain is not None:
        plan = answer.pretrain
        found.append(_t("demand_training", count=number(plan.units), units=profile.units))
    elif answer.mode is not None and profile.run is not None:
        found.append(
            _t("demand_run", count=number(profile.run.units), units=profile.units,
               what=profile.run.what)
        )  # fmt: skip
    if request.latency_p99_ms is not None:
        found.append(_t("demand_p99", ms=number(request.latency_p99_ms)))
    elif request.latency is not None:
        found.append(_t("demand_low"))
    if request.ttft_p99_ms is not None:
        found.append(_t("demand_ttft", ms=number(request.ttft_p99_ms)))
    if request.tpot_p99_ms is not None:
        found.append(_t("demand_tpot", ms=number(request.tpot_p99_ms)))
    if request.gpus is not None:
        found.append(_t("demand_gpus", gpus=request.gpus))
    if request.nodes is not None:
        found.append(_t("demand_nodes", nodes=request.nodes))
    return listed(found)


def objective_line(answer: Recommendation) -> str:
    """What the options are ranked by."""
    name = answer.objective
    text = _t(f"objective_{name}", unit=answer.workload.unit)
    return text + (_t("policy_seed") if answer.policy == "seed" else "")


def _footer(answer: Recommendation, columns: int, explain: bool) -> list[str]:
    lines = wrap(_t("ties"), columns) if tied(answer) else []
    for paragraph in notes(answer, explain):
        wrapped = wrap(printable(paragraph), columns - 2)
        lines += [("- " if i == 0 else "  ") + line for i, line in enumerate(wrapped)]
    return ["", *lines] if lines else []


def tied(answer: Recommendation) -> bool:
    """Whether some options are closer than the model can tell apart."""
    return any(
        a.tie_group == b.tie_group and a is not b for a in answer.options for b in answer.options
    )


def notes(answer: Recommendation, explain: bool = False) -> list[str]:
    """Warnings that line 1 does not say, what else would do, what would change the answer, and
    what was left out (all of it with `explain`)."""
    said = {"advice.all_stale", *_UNSURE}
    body = [render(t) for t in answer.warnings if t.id not in said]
    if answer.widened:
        types = listed(
            f"{w.provider} {w.instance_type}{aside(w.device)} {whole(w.spend)}"
            for w in answer.widened[:6]
        )
        body.append(_t("widened", types=types, currency=answer.currency))
    if answer.flips:
        body.append(_t("change", text=clauses(render(t) for t in answer.flips)))
    body += [render(t) for t in answer.others]
    # Where nothing is left, each of the reasons may be the one to lift.
    shown = answer.rejected if explain or not answer.options else answer.rejected[:2]
    if answer.rejected:
        total = sum(r.removed for r in answer.rejected)
        reasons = clauses(render(r.detail).rstrip(".。") for r in shown)
        body.append(_t("rejected", considered=answer.considered, removed=total, reasons=reasons))
    return body
