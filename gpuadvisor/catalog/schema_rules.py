"""Schema of `rules/*.yaml` and of a user's rule file: conditions, effects and their own cases."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from gpuadvisor.catalog.names import nearest
from gpuadvisor.catalog.rule_facts import (
    ALL_OPERATORS,
    FACTS,
    LIST,
    MANY,
    OPERATORS,
    names_in,
    typed,
    typed_fact,
)
from gpuadvisor.catalog.schema import CatalogFile, IsoDate, Name, StrictModel

_ORDERED = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


def _fault(expected: str) -> PydanticCustomError:
    # A custom error carries its text as it stands; braces in it are not placeholders.
    return PydanticCustomError("rule", "{expected}", {"expected": expected})


def _known_fact(name: str) -> str:
    if name not in FACTS:
        near = ", ".join(nearest(name, FACTS)) or "-"
        raise _fault(f"a known fact; nearest: {near}")
    return name


def _text(value: str) -> str:
    for name in names_in(value):
        if name not in FACTS:
            near = ", ".join(nearest(name, FACTS)) or "-"
            raise _fault(f"placeholders that are facts; {{{name}}} is none; nearest: {near}")
    return value


def _flag(value: object) -> object:
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


FactName = Annotated[
    str, AfterValidator(_known_fact), Field(json_schema_extra={"enum": sorted(FACTS)})
]
Operator = Literal["eq", "ne", "lt", "le", "gt", "ge", "in", "not_in", "prefix", "exists"]
Text = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_text)]
Flag = Annotated[bool, BeforeValidator(_flag)]
RuleId = Annotated[str, Field(max_length=80, pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$")]

assert set(ALL_OPERATORS) == set(Operator.__args__)  # type: ignore[attr-defined]


class Condition(StrictModel):
    """A comparison `{f, op, v}`, or `{all: [...]}`, `{any: [...]}`, `{not: ...}` over such.

    Instead of the constant `v`, `fact` names another fact to compare with.
    """

    all: tuple[Condition, ...] | None = None
    any: tuple[Condition, ...] | None = None
    not_: Condition | None = Field(default=None, alias="not")
    f: FactName | None = None
    op: Operator | None = None
    v: Any = None
    fact: FactName | None = None

    @field_validator("op")
    @classmethod
    def _op_suits_the_fact(cls, op: str | None, info: ValidationInfo) -> str | None:
        name = info.data.get("f")
        if op is not None and name is not None:
            allowed = OPERATORS[FACTS[name].kind]
            if op not in allowed:
                kind = FACTS[name].kind
                raise _fault(f"for {name} ({kind}) one of {', '.join(allowed)}")
        return op

    @field_validator("v")
    @classmethod
    def _value_suits_the_fact(cls, value: Any, info: ValidationInfo) -> Any:
        name, op = info.data.get("f"), info.data.get("op")
        if name is None or op is None or value is None:
            return value
        try:
            if op == "exists":
                return typed_exists(value)
            if op in MANY:
                items = value if isinstance(value, (list, tuple)) else [value]
                if not items:
                    raise ValueError("a list that is not empty")
                # A prefix cuts a closed value short, so it is any text.
                return [item if op == "prefix" else typed(name, item) for item in items]
            return typed(name, value)
        except ValueError as error:
            raise _fault(f"for {name} {error}") from error

    @field_validator("fact")
    @classmethod
    def _comparable(cls, other: str | None, info: ValidationInfo) -> str | None:
        name, op = info.data.get("f"), info.data.get("op")
        if other is not None and name is not None:
            if FACTS[other].kind != FACTS[name].kind or FACTS[name].kind == LIST:
                raise _fault(f"a fact of the kind of {name} ({FACTS[name].kind})")
            if op is not None and op not in _ORDERED:
                raise _fault(f"`v` instead: {op} compares with a constant")
        return other

    @model_validator(mode="after")
    def _one_shape(self) -> Condition:
        leaf = self.f is not None or self.op is not None
        shapes = [self.all is not None, self.any is not None, self.not_ is not None, leaf]
        if sum(shapes) != 1:
            raise _fault("exactly one of a comparison {f, op, v}, all, any and not")
        if self.all == () or self.any == ():
            raise _fault("at least one condition inside all or any")
        if leaf and (self.f is None or self.op is None):
            raise _fault("a comparison with both f and op")
        values = (self.v is not None) + (self.fact is not None)
        if values != (1 if leaf else 0):
            raise _fault("either v or fact beside f and op, and neither elsewhere")
        return self

    def facts(self) -> tuple[str, ...]:
        """Every fact this condition looks at."""
        inner = [*(self.all or ()), *(self.any or ()), *((self.not_,) if self.not_ else ())]
        own = [name for name in (self.f, self.fact) if name is not None]
        return (*own, *(name for part in inner for name in part.facts()))


def typed_exists(value: object) -> bool:
    """The value of `exists`: true or false; ValueError otherwise."""
    found = _flag(value)
    if not isinstance(found, bool):
        raise ValueError("exists with true or false")
    return found


def _looks_at_types(condition: Condition) -> Condition:
    if not any(name.startswith("type.") for name in condition.facts()):
        raise _fault("a condition on type.* facts; what depends on the need belongs in `when`")
    return condition


def _always(value: object) -> object:
    if _flag(value) is not True:
        raise _fault("true, or a condition on type.* facts")
    return True


OnTypes = Annotated[Condition, AfterValidator(_looks_at_types)]
Selection = Annotated[
    Annotated[Literal[True], BeforeValidator(_always), Tag("true")]
    | Annotated[OnTypes, Tag("condition")],
    Discriminator(lambda value: "true" if isinstance(value, (str, bool)) else "condition"),
]


class Then(StrictModel):
    """What a rule does when it fires. `true` for exclude and prefer means: every such type.

    require and exclude filter, prefer breaks ties, warn and label annotate.
    """

    require: OnTypes | None = None
    exclude: Selection | None = None
    prefer: Selection | None = None
    warn: Text | None = None
    warn_zh: Text | None = None
    label: Text | None = None
    label_zh: Text | None = None

    @model_validator(mode="after")
    def _something(self) -> Then:
        if not any((self.require, self.exclude, self.prefer, self.warn, self.label)):
            raise _fault("at least one of require, exclude, prefer, warn and label")
        return self


def _case_facts(value: dict[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, raw in value.items():
        try:
            found[name] = typed_fact(name, raw)
        except ValueError as error:
            raise _fault(f"for {name} {error}") from error
    return found


class Case(StrictModel):
    """An example that the rule must get right; facts that are left out are unknown."""

    facts: Annotated[dict[FactName, Any], AfterValidator(_case_facts)]
    fired: Flag
    excluded: Flag | None = None
    preferred: Flag | None = None


class RuleEntry(StrictModel):
    """One rule with its reason, its source and its own cases."""

    title: Name
    title_zh: Name | None = None
    policies: Annotated[tuple[Literal["default", "seed"], ...], Field(min_length=1)] = ("default",)
    group: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")] | None = None
    when: Condition
    then: Then
    why: Text
    why_zh: Text | None = None
    source: Name
    confirmed_by: Name | None = None
    as_of: IsoDate
    cases: tuple[Case, ...] = ()

    @field_validator("when")
    @classmethod
    def _branches_look_at_needs(cls, when: Condition, info: ValidationInfo) -> Condition:
        # A branch of a tree is chosen once per request, before any type is looked at.
        if info.data.get("group") is not None:
            found = [name for name in when.facts() if name.startswith("type.")]
            if found:
                raise _fault(f"need.* facts alone in a rule with a group, not {found[0]}")
        return when


class RulesFile(CatalogFile):
    """A file of rules; in a group the first that fires in file order shuts out the rest."""

    schema_: Literal["gpuadvisor/rules/1"] = Field(alias="schema")
    rules: dict[RuleId, RuleEntry]
