"""Conditions and traces as text: what `rules show`, `rules test` and `--explain` print."""

from __future__ import annotations

from gpuadvisor.catalog.message import message
from gpuadvisor.report.messages import aside, listed, render
from gpuadvisor.rules.conditions import clauses
from gpuadvisor.rules.interface import Clause, ClauseTrace, Condition

_SYMBOLS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥"}


def value_text(value: object) -> str:
    """A fact's value as a person writes it: no quotes, `true` and `false`, lists by commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return listed(value_text(item) for item in value)
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def clause_text(fact: str, op: str, wanted: object, other: str | None) -> str:
    """One comparison, such as `need.budget_monthly_cny < 5000`."""
    if op == "exists":
        return f"{fact} {render(message('rules.op_exists' if wanted else 'rules.op_absent'))}"
    sign = _SYMBOLS.get(op) or render(message(f"rules.op_{op}"))
    if other is None:
        return f"{fact} {sign} {value_text(wanted)}"
    known = "" if wanted is None else aside(value_text(wanted))
    return f"{fact} {sign} {other}{known}"


def condition_text(condition: Condition, inner: bool = False) -> str:
    """A whole condition on one line, parts of parts in parentheses."""
    if isinstance(condition, Clause):
        return clause_text(*condition)
    parts = [condition_text(part, inner=True) for part in condition.parts]
    if condition.kind == "not":
        return f"{render(message('rules.not'))} {parts[0]}"
    joint = render(message("rules.and" if condition.kind == "all" else "rules.or"))
    text = f" {joint} ".join(parts)
    return f"({text})" if inner and len(parts) > 1 else text


def leaf_text(leaf: ClauseTrace) -> str:
    """One traced comparison: its state, what was wanted, what it is and by how much."""
    clause = clause_text(leaf.fact or "", leaf.op or "", leaf.wanted, leaf.other)
    state = render(message(f"rules.{leaf.state}"))
    if leaf.op == "exists":
        return render(message("rules.clause", state=state, clause=clause))
    if leaf.actual is None:
        return render(message("rules.clause_unknown", state=state, clause=clause))
    actual = value_text(leaf.actual)
    if leaf.gap is None or leaf.gap == 0:
        return render(message("rules.clause_actual", state=state, clause=clause, actual=actual))
    gap = f"{leaf.gap:+.6g}"
    return render(message("rules.clause_gap", state=state, clause=clause, actual=actual, gap=gap))


def trace_lines(trace: ClauseTrace) -> list[str]:
    """Every clause of a trace, one a line, in the order of the rule."""
    return [leaf_text(leaf) for leaf in clauses(trace)]
