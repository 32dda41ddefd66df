"""Values that cross the border of the rules room."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

Facts = Mapping[str, object]
"""Flat facts by name (`need.*`, `type.*`); absent or None is unknown."""

Test = Callable[[Facts], bool]
"""A condition compiled against one request's needs: true only when it is known to hold."""

PASSED = "passed"
FAILED = "failed"
UNKNOWN = "unknown"

REQUIRE = "require"
EXCLUDE = "exclude"
WARN = "warn"
PREFER = "prefer"
LABEL = "label"


class Clause(NamedTuple):
    """One comparison. `wanted` is a constant, or None when `other` names a fact to compare with."""

    fact: str
    op: str
    wanted: object
    other: str | None = None


class Branch(NamedTuple):
    """`all`, `any` or `not` over conditions; `not` has exactly one part."""

    kind: str
    parts: tuple["Condition", ...]


Condition = Clause | Branch


class Action(NamedTuple):
    """What a rule does when it fires.

    `condition` selects instance types for require, exclude and prefer; None selects all.
    `text` belongs to warn and label and may hold placeholders such as `{type.vcpus}`.
    """

    kind: str
    condition: Condition | None = None
    text: str | None = None
    text_zh: str | None = None


class Rule(NamedTuple):
    """A rule as data. In a `group` the first rule of the file that fires shuts out the rest."""

    id: str
    title: str
    title_zh: str | None
    policies: tuple[str, ...]
    group: str | None
    when: Condition
    actions: tuple[Action, ...]
    why: str
    why_zh: str | None
    source: str
    confirmed_by: str | None
    as_of: str


class Effect(NamedTuple):
    """An action of `rule` that took hold; `text` has its placeholders filled."""

    rule: str
    kind: str
    text: str | None = None
    text_zh: str | None = None


class Outcome(NamedTuple):
    """What the rules say of one instance type.

    `removed_by` is the first require or exclude that removes it, or None. `effects` are its
    warnings, labels and preferences. `preference` orders ties: smaller is better, compared item
    by item in the order of the rules, so an earlier rule outranks all later ones.
    """

    removed_by: Effect | None
    effects: tuple[Effect, ...]
    preference: tuple[int, ...]


class ClauseTrace(NamedTuple):
    """How a condition came out, clause by clause.

    `kind` is `clause`, `all`, `any` or `not`; the latter three have `parts` and no fact.
    `wanted` is the value compared with and `other` the fact it came from, if any. `gap` is
    actual - wanted in the fact's unit for two numbers, else None: by how much it passed or failed.
    """

    kind: str
    state: str
    fact: str | None = None
    op: str | None = None
    wanted: object = None
    other: str | None = None
    actual: object = None
    gap: float | None = None
    parts: tuple["ClauseTrace", ...] = ()


class ActionTrace(NamedTuple):
    """An action's kind, whether it took hold on this type, and its condition's trace, if any."""

    kind: str
    holds: bool
    trace: ClauseTrace | None


class RuleTrace(NamedTuple):
    """One rule on one set of facts; `shadowed_by` is the earlier rule of its group that fired."""

    rule: str
    fired: bool
    shadowed_by: str | None
    when: ClauseTrace
    actions: tuple[ActionTrace, ...]
