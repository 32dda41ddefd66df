"""Rules applied: once per request what the needs decide, once per candidate what is left.

The engine knows no particular rule. Use: `read_rules` (documents of the catalog) -> `decide` (one
request) -> `removal` for every candidate, `outcome` for those that stay, `explain` on demand.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.rule_facts import names_in
from gpuadvisor.rules.conditions import facts_of, read_condition, specialise, trace
from gpuadvisor.rules.interface import (
    EXCLUDE,
    LABEL,
    PASSED,
    PREFER,
    REQUIRE,
    WARN,
    Action,
    ActionTrace,
    Condition,
    Effect,
    Facts,
    Outcome,
    Rule,
    RuleTrace,
    Test,
)

_FILTERS = (REQUIRE, EXCLUDE)
_KINDS = (REQUIRE, EXCLUDE, PREFER, WARN, LABEL)


class Filter(NamedTuple):
    """A require or exclude that applies to this request; `removes` is true on what it removes."""

    effect: Effect
    removes: Test


class Mark(NamedTuple):
    """A warn, label or prefer that applies to this request, on the types that `holds` selects."""

    effect: Effect
    holds: Test


class Decision(NamedTuple):
    """The rules of one policy, specialised for one request.

    `fired` are the ids that fire on the needs alone; `notes` are warnings and labels about the
    request as a whole, not about a type; `branches` maps each group to the rule that took it.
    """

    needs: Facts
    rules: Mapping[str, Rule]
    fired: tuple[str, ...]
    branches: Mapping[str, str]
    notes: tuple[Effect, ...]
    filters: tuple[Filter, ...]
    marks: tuple[Mark, ...]


def read_rules(documents: Mapping[str, Mapping[str, Any]], policy: str) -> tuple[Rule, ...]:
    """The rules of `policy` in the order of `documents` (file order matters inside a group)."""
    return tuple(
        read_rule(id, document)
        for id, document in documents.items()
        if policy in document["policies"]
    )


def read_rule(id: str, document: Mapping[str, Any]) -> Rule:
    """Build a rule from its checked document form (`catalog.schema_rules.RuleEntry`)."""
    then = document["then"]
    actions = []
    for kind in _KINDS:
        if kind not in then:
            continue
        if kind in (WARN, LABEL):
            actions.append(Action(kind, None, then[kind], then.get(f"{kind}_zh")))
        else:
            chosen = then[kind]
            actions.append(Action(kind, None if chosen is True else read_condition(chosen)))
    return Rule(
        id,
        document["title"],
        document.get("title_zh"),
        tuple(document["policies"]),
        document.get("group"),
        read_condition(document["when"]),
        tuple(actions),
        document["why"],
        document.get("why_zh"),
        document["source"],
        document.get("confirmed_by"),
        document["as_of"],
    )


def decide(rules: Iterable[Rule], needs: Facts) -> Decision:
    """Specialise `rules` for the `need.*` facts of one request."""
    known: dict[str, Rule] = {}
    fired: list[str] = []
    branches: dict[str, str] = {}
    notes: list[Effect] = []
    filters: list[Filter] = []
    marks: list[Mark] = []
    for rule in rules:
        known[rule.id] = rule
        if rule.group is not None and rule.group in branches:
            continue
        when = specialise(rule.when, needs)
        if when is False:
            continue
        if when is True:
            fired.append(rule.id)
            if rule.group is not None:
                branches[rule.group] = rule.id
        for action in rule.actions:
            effect = Effect(rule.id, action.kind, action.text, action.text_zh)
            if action.kind in _FILTERS:
                removes = _removes(action, when, needs)
                if removes is not None:
                    filters.append(Filter(effect, removes))
                continue
            holds = _both(when, _selection(action, rule, needs))
            about_types = action.kind == PREFER or _looks_at_types(rule, action)
            if holds is True and not about_types:
                notes.append(_filled(effect, needs))
            elif holds is not False:
                marks.append(Mark(effect, _always if holds is True else holds))
    return Decision(
        needs, known, tuple(fired), branches, tuple(notes), tuple(filters), tuple(marks)
    )


def _always(_: Facts) -> bool:
    return True


def _both(first: bool | Test, second: bool | Test) -> bool | Test:
    if isinstance(first, bool):
        return second if first else False
    if isinstance(second, bool):
        return first if second else False
    left, right = first, second
    return lambda facts: left(facts) and right(facts)


def _removes(action: Action, when: bool | Test, needs: Facts) -> Test | None:
    chosen = True if action.condition is None else specialise(action.condition, needs)
    if action.kind == EXCLUDE:
        found = _both(when, chosen)
    elif isinstance(chosen, bool):
        found = False if chosen else when
    else:
        # A requirement that is unknown is not met, so `not` here is plain negation.
        required = chosen
        found = _both(when, lambda facts: not required(facts))
    if found is False:
        return None
    return _always if found is True else found


def _selection(action: Action, rule: Rule, needs: Facts) -> bool | Test:
    """Which types an annotation is for: its own condition, or for a label the rule's choice."""
    condition: Condition | None = action.condition
    if action.kind == LABEL:
        condition = _chosen(rule)
    return True if condition is None else specialise(condition, needs)


def _chosen(rule: Rule) -> Condition | None:
    for action in rule.actions:
        if action.kind in (REQUIRE, PREFER):
            return action.condition
    return None


def _looks_at_types(rule: Rule, action: Action) -> bool:
    names = [*facts_of(rule.when), *names_in(action.text or "")]
    chosen = _chosen(rule) if action.kind == LABEL else None
    if chosen is not None:
        names.extend(facts_of(chosen))
    return any(name.startswith("type.") for name in names)


def removal(decision: Decision, type_facts: Facts) -> Effect | None:
    """The first require or exclude that removes this type, or None. The hot path."""
    for effect, removes in decision.filters:
        if removes(type_facts):
            return effect
    return None


def preference(decision: Decision, type_facts: Facts) -> tuple[int, ...]:
    """What orders ties, see `Outcome.preference`; cheaper than the whole outcome."""
    return tuple(
        0 if holds(type_facts) else 1 for effect, holds in decision.marks if effect.kind == PREFER
    )


def outcome(decision: Decision, type_facts: Facts) -> Outcome:
    """Everything the rules say of one type, with the texts' placeholders filled."""
    removed_by = removal(decision, type_facts)
    effects: list[Effect] = []
    order: list[int] = []
    for effect, holds in decision.marks:
        held = holds(type_facts)
        if effect.kind == PREFER:
            order.append(0 if held else 1)
        if held:
            effects.append(_filled(effect, type_facts, decision.needs))
    return Outcome(removed_by, tuple(effects), tuple(order))


def _filled(effect: Effect, *facts: Facts) -> Effect:
    if effect.text is None:
        return effect
    zh = None if effect.text_zh is None else fill(effect.text_zh, *facts)
    return effect._replace(text=fill(effect.text, *facts), text_zh=zh)


def fill(text: str, *facts: Facts) -> str:
    """Replace `{type.vcpus}` by the fact's value, and by `?` where it is unknown.

    Not `str.format`: a name there may reach into attributes, and rule files come from strangers.
    """
    if "{" not in text:
        return text
    head, *rest = text.split("{")
    pieces = [head]
    for piece in rest:
        name, _, tail = piece.partition("}")
        value = next((found[name] for found in facts if found.get(name) is not None), None)
        pieces.append("?" if value is None else _plain(value))
        pieces.append(tail)
    return "".join(pieces)


def _plain(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"
    if isinstance(value, (tuple, list)):
        return ", ".join(str(item) for item in value)
    return str(value)


def explain(rules: Iterable[Rule], facts: Facts) -> tuple[RuleTrace, ...]:
    """Every rule's trace on the joined `need.*` and `type.*` facts, fired or not."""
    taken: dict[str, str] = {}
    found: list[RuleTrace] = []
    for rule in rules:
        when = trace(rule.when, facts)
        shadow = taken.get(rule.group) if rule.group is not None else None
        fired = when.state == PASSED and shadow is None
        if fired and rule.group is not None:
            taken[rule.group] = rule.id
        actions = tuple(_explain(action, rule, fired, facts) for action in rule.actions)
        found.append(RuleTrace(rule.id, fired, shadow, when, actions))
    return tuple(found)


def _explain(action: Action, rule: Rule, fired: bool, facts: Facts) -> ActionTrace:
    """`holds`: a filter removes this type; a preference, warning or label is given to it."""
    condition = _chosen(rule) if action.kind == LABEL else action.condition
    found = None if condition is None else trace(condition, facts)
    selected = found is None or found.state == PASSED
    holds = fired and (not selected if action.kind == REQUIRE else selected)
    return ActionTrace(action.kind, holds, found)
