"""The condition tree: read, compiled against a request, and traced.

Three values, after Kleene: a comparison with an unknown fact is unknown, `all` with a false part
is false and `any` with a true part is true whatever the rest, `not` of unknown is unknown. Only
true passes, so a rule never fires on what nobody knows.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gpuadvisor.catalog.rule_facts import MANY
from gpuadvisor.rules.interface import (
    FAILED,
    PASSED,
    UNKNOWN,
    Branch,
    Clause,
    ClauseTrace,
    Condition,
    Facts,
    Test,
)

NEED = "need."
_STATES = {True: PASSED, False: FAILED, None: UNKNOWN}


def _in(actual: Any, wanted: tuple[object, ...]) -> bool:
    if isinstance(actual, (tuple, list)):
        return any(item in wanted for item in actual)
    return actual in wanted


def _not_in(actual: Any, wanted: tuple[object, ...]) -> bool:
    return not _in(actual, wanted)


def has_prefix(name: str, prefix: str) -> bool:
    """Whether `prefix` is `name` cut at a hyphen: A100 of A100-40GB-SXM, not A10 of A100."""
    return name == prefix or (name.startswith(prefix) and name[len(prefix)] == "-")


def _prefix(actual: str, wanted: tuple[str, ...]) -> bool:
    return any(has_prefix(actual, prefix) for prefix in wanted)


_TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "in": _in,
    "not_in": _not_in,
    "prefix": _prefix,
}


def read_condition(document: Mapping[str, Any]) -> Condition:
    """Build a condition from its checked document form (`catalog.schema_rules.Condition`)."""
    for kind in ("all", "any"):
        if kind in document:
            return Branch(kind, tuple(read_condition(part) for part in document[kind]))
    if "not" in document:
        return Branch("not", (read_condition(document["not"]),))
    wanted = document.get("v")
    if document["op"] in MANY:
        wanted = tuple(wanted) if isinstance(wanted, (list, tuple)) else (wanted,)
    return Clause(document["f"], document["op"], wanted, document.get("fact"))


def facts_of(condition: Condition) -> Iterator[str]:
    """Every fact that a condition looks at, in order, repeats included."""
    if isinstance(condition, Clause):
        yield condition.fact
        if condition.other is not None:
            yield condition.other
        return
    for part in condition.parts:
        yield from facts_of(part)


def specialise(condition: Condition, needs: Facts, positive: bool = True) -> bool | Test:
    """Settle what `needs` settles; the rest becomes a test over `type.*` facts.

    Returns a bool when the needs alone decide, so that it is decided once per request and not
    once per candidate. `not` is pushed down to the clauses, which keeps "unknown does not pass"
    right under negation with plain true and false.
    """
    if isinstance(condition, Clause):
        return _specialise_clause(condition, needs, positive)
    if condition.kind == "not":
        return specialise(condition.parts[0], needs, not positive)
    decisive = (condition.kind == "any") is positive
    rest: list[Test] = []
    for part in condition.parts:
        found = specialise(part, needs, positive)
        if found is decisive:
            return decisive
        if not isinstance(found, bool):
            rest.append(found)
    if not rest:
        return not decisive
    if len(rest) == 1:
        return rest[0]
    return _any_of(tuple(rest)) if decisive else _all_of(tuple(rest))


def _all_of(tests: tuple[Test, ...]) -> Test:
    def test(facts: Facts) -> bool:
        for one in tests:  # noqa: SIM110 - a generator costs twice the loop on the hot path
            if not one(facts):
                return False
        return True

    return test


def _any_of(tests: tuple[Test, ...]) -> Test:
    def test(facts: Facts) -> bool:
        for one in tests:  # noqa: SIM110
            if one(facts):
                return True
        return False

    return test


def _specialise_clause(clause: Clause, needs: Facts, positive: bool) -> bool | Test:
    name, op, wanted, other = clause
    if other is None:
        if name.startswith(NEED):
            return _compare(op, needs.get(name), wanted) is positive
        return _test_constant(name, op, wanted, positive)
    if not name.startswith(NEED) and not other.startswith(NEED):
        return _test_two(name, op, other, positive)
    if other.startswith(NEED):
        wanted = needs.get(other)
        if name.startswith(NEED):
            return _compare(op, needs.get(name), wanted) is positive
        return False if wanted is None else _test_constant(name, op, wanted, positive)
    actual = needs.get(name)
    return False if actual is None else _test_swapped(other, op, actual, positive)


def _test_constant(name: str, op: str, wanted: Any, positive: bool) -> Test:
    if op == "exists":
        present = bool(wanted) is positive
        return lambda facts: (facts.get(name) is not None) is present
    holds = _TESTS[op]

    def test(facts: Facts) -> bool:
        actual = facts.get(name)
        return actual is not None and holds(actual, wanted) is positive

    return test


def _test_two(name: str, op: str, other: str, positive: bool) -> Test:
    return lambda facts: _compare(op, facts.get(name), facts.get(other)) is positive


def _test_swapped(other: str, op: str, actual: object, positive: bool) -> Test:
    return lambda facts: _compare(op, actual, facts.get(other)) is positive


def _compare(op: str, actual: Any, wanted: Any) -> bool | None:
    if op == "exists":
        return (actual is not None) is bool(wanted)
    if actual is None or wanted is None:
        return None
    return _TESTS[op](actual, wanted)


def trace(condition: Condition, facts: Facts) -> ClauseTrace:
    """The whole tree's outcome with every clause's actual value and distance. Not the hot path."""
    if isinstance(condition, Clause):
        return _trace_clause(condition, facts)
    parts = tuple(trace(part, facts) for part in condition.parts)
    states = {part.state for part in parts}
    if condition.kind == "not":
        state = {PASSED: FAILED, FAILED: PASSED, UNKNOWN: UNKNOWN}[parts[0].state]
        return ClauseTrace("not", state, parts=parts)
    decisive, otherwise = (FAILED, PASSED) if condition.kind == "all" else (PASSED, FAILED)
    state = next(state for state in (decisive, UNKNOWN, otherwise) if state in states)
    return ClauseTrace(condition.kind, state, parts=parts)


def _trace_clause(clause: Clause, facts: Facts) -> ClauseTrace:
    actual = facts.get(clause.fact)
    wanted = clause.wanted if clause.other is None else facts.get(clause.other)
    state = _STATES[_compare(clause.op, actual, wanted)]
    gap = _difference(actual, wanted)
    return ClauseTrace("clause", state, clause.fact, clause.op, wanted, clause.other, actual, gap)


def _difference(actual: object, wanted: object) -> float | None:
    if isinstance(actual, bool) or isinstance(wanted, bool):
        return None
    if isinstance(actual, (int, float)) and isinstance(wanted, (int, float)):
        return actual - wanted
    return None


def clauses(found: ClauseTrace) -> tuple[ClauseTrace, ...]:
    """The leaves of a trace, in order: what a table of clauses shows."""
    if found.kind == "clause":
        return (found,)
    return tuple(leaf for part in found.parts for leaf in clauses(part))
