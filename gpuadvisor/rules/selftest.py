"""A rule file's own cases: every rule must get its examples right, alone and in its group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpuadvisor.rules.engine import decide, explain, outcome, read_rule
from gpuadvisor.rules.interface import PREFER, Facts, Rule, RuleTrace

NEED = "need."


class Check(NamedTuple):
    """One expectation of a case: `fired`, `excluded` or `preferred`."""

    name: str
    expected: bool
    actual: bool


class CaseResult(NamedTuple):
    """How case `number` (from 1) of `rule` came out; `trace` shows why."""

    rule: str
    number: int
    passed: bool
    checks: tuple[Check, ...]
    trace: RuleTrace


class Report(NamedTuple):
    """All cases of a file. `one_sided` are rules that lack a firing or a non-firing case."""

    results: tuple[CaseResult, ...]
    one_sided: tuple[str, ...]

    @property
    def failed(self) -> tuple[CaseResult, ...]:
        """The cases that came out otherwise than expected."""
        return tuple(result for result in self.results if not result.passed)


def run_cases(documents: Mapping[str, Mapping[str, Any]]) -> Report:
    """Run the cases of checked rule documents (`catalog.schema_rules.RuleEntry`).

    A rule is judged among the rules of its group that share a policy with it, in file order, so
    that "first match wins" is tested too; other rules do not disturb it.
    """
    rules = {id: read_rule(id, document) for id, document in documents.items()}
    results: list[CaseResult] = []
    one_sided: list[str] = []
    for id, document in documents.items():
        among = _group_of(rules[id], tuple(rules.values()))
        cases = document.get("cases", ())
        for number, case in enumerate(cases, start=1):
            results.append(_run(rules[id], among, number, case))
        if {case["fired"] for case in cases} != {True, False}:
            one_sided.append(id)
    return Report(tuple(results), tuple(one_sided))


def _group_of(rule: Rule, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    if rule.group is None:
        return (rule,)
    policies = set(rule.policies)
    return tuple(r for r in rules if r.group == rule.group and policies & set(r.policies))


def _run(rule: Rule, among: tuple[Rule, ...], number: int, case: Mapping[str, Any]) -> CaseResult:
    facts: Facts = case["facts"]
    trace = next(found for found in explain(among, facts) if found.rule == rule.id)
    # The effects come from the compiled path, the one that recommend runs.
    needs = {name: value for name, value in facts.items() if name.startswith(NEED)}
    judged = outcome(decide(among, needs), facts)
    removed_by = judged.removed_by
    preferred = any(e.rule == rule.id and e.kind == PREFER for e in judged.effects)
    actual = {
        "fired": trace.fired,
        "excluded": removed_by is not None and removed_by.rule == rule.id,
        "preferred": preferred,
    }
    checks = tuple(Check(name, case[name], value) for name, value in actual.items() if name in case)
    passed = all(check.expected == check.actual for check in checks)
    return CaseResult(rule.id, number, passed, checks, trace)
