"""Which type or types a group may rent: own candidates, own type, else its template's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac.fieldmap import CandidateMap, FieldMap, Part, Path
from gpuadvisor.iac.interface import Candidate
from gpuadvisor.iac.purchase import option_of
from gpuadvisor.iac.view import UNKNOWN, Opaque, View, text, whole

_MAX_DEPTH = 3
_CAMEL = str.maketrans({c: f"_{c.lower()}" for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"})


class Choice(NamedTuple):
    """`type` stands alone, or there are `candidates`, or `opaque` says why neither.

    `templates` lend further fields; `borrowed` are the addresses of all templates used.
    """

    type: str | None = None
    candidates: tuple[Candidate, ...] = ()
    opaque: Opaque | None = None
    field: str | None = None
    templates: tuple[tuple[Part, View], ...] = ()
    borrowed: tuple[str, ...] = ()
    reasons: tuple[Message, ...] = ()


def choose(part: Part, view: View, fields: FieldMap, depth: int = 0) -> Choice:
    """Decide what the group rents. A template's type is never used where candidates exist."""
    lent = _templates(part, view, fields) if part.template and depth < _MAX_DEPTH else ()
    base = Choice(templates=lent, borrowed=tuple(v.address for _, v in lent))
    own = _candidates(part, view, fields) or _type(part, view)
    if own is not None and (own.type or own.candidates):
        return _join(own, base)
    wishes = _requirements(view, part.requirements)
    if wishes is not None:
        return base._replace(candidates=(Candidate(None, 1, wishes),))
    found = [choose(p, v, fields, depth + 1) for p, v in lent]
    base = base._replace(
        templates=(*lent, *(pair for c in found for pair in c.templates)),
        borrowed=tuple(dict.fromkeys((*base.borrowed, *(a for c in found for a in c.borrowed)))),
    )
    names = list(dict.fromkeys(c.type for c in found if c.type is not None))
    wide = [candidate for c in found for candidate in c.candidates]
    if len(names) == 1 and not wide:
        return base._replace(type=names[0])
    if names or wide:
        options = (*(Candidate(name) for name in names), *wide)
        reasons = (message("iac.several_templates", count=len(lent)),) if len(lent) > 1 else ()
        return base._replace(candidates=options, reasons=reasons)
    opaque = own.opaque if own else next((c.opaque for c in found if c.opaque), None)
    field = own.field if own else None
    if opaque is None and not lent:
        unresolved = next((r for r in part.template if view.refers(r)), None)
        if unresolved is not None:
            opaque, field = Opaque("iac.template_unresolved"), unresolved.path[-1]
    if opaque is None and part.default_type is not None:
        return base._replace(type=part.default_type)
    return base._replace(opaque=opaque, field=field)


def _join(own: Choice, base: Choice) -> Choice:
    templates = own.templates or base.templates
    borrowed = tuple(dict.fromkeys((*own.borrowed, *base.borrowed)))
    return own._replace(templates=templates, borrowed=borrowed)


def _templates(part: Part, view: View, fields: FieldMap) -> tuple[tuple[Part, View], ...]:
    for reference in part.template:
        found = []
        for template in view.follow(reference):
            entry = fields.resource(template.kind)
            if entry is not None:
                found.append((entry.parts[0], template))
        if found:
            return tuple(found)
    return ()


def _type(part: Part, view: View) -> Choice | None:
    blocked: Choice | None = None
    for path in part.type:
        value = view.get(path)
        if isinstance(value, Opaque):
            blocked = blocked or Choice(opaque=value, field=path[-1])
        elif (name := text(value)) is not None:
            return Choice(type=name.rsplit("/", 1)[-1])
    return blocked or _joined(part, view)


def _joined(part: Part, view: View) -> Choice | None:
    """A type that the provider writes in several fields, such as Nebius's platform and preset."""
    names: list[str] = []
    for path in part.type_joined:
        value = view.get(path)
        if isinstance(value, Opaque):
            return Choice(opaque=value, field=path[-1])
        if (name := text(value)) is None:
            return None
        names.append(name)
    return Choice(type="_".join(names)) if names else None


def _candidates(part: Part, view: View, fields: FieldMap) -> Choice | None:
    blocked: Choice | None = None
    for wanted in part.candidates:
        found = _blocks(wanted, view, fields) if wanted.type else _plain(wanted, part, view)
        if found is None:
            continue
        if found.candidates or found.type:
            return found
        blocked = blocked or found
    return blocked


def _plain(wanted: CandidateMap, part: Part, view: View) -> Choice | None:
    value = view.get(wanted.each)
    if isinstance(value, Opaque):
        return Choice(opaque=value, field=wanted.each[-1])
    items = value if isinstance(value, list) else [value]
    names = [name for name in map(text, items) if name is not None]
    if not names:
        hidden = any(item is None or isinstance(item, Opaque) for item in items)
        return Choice(opaque=UNKNOWN, field=wanted.each[-1]) if value and hidden else None
    if wanted.families:
        names = [name if "." in name or name == "optimal" else f"{name}.*" for name in names]
    reasons: tuple[Message, ...] = ()
    if wanted.first_on_demand and len(names) > 1 and option_of(part, view) != "spot":
        reasons = (message("iac.first_of", types=", ".join(names)),)
        names = names[:1]
    if len(names) == 1 and "*" not in names[0]:
        return Choice(type=names[0], reasons=reasons)
    return Choice(candidates=tuple(Candidate(name) for name in names), reasons=reasons)


def _blocks(wanted: CandidateMap, view: View, fields: FieldMap) -> Choice | None:
    blocks = view.blocks(wanted.each)
    if isinstance(blocks, Opaque):
        return Choice(opaque=blocks, field=wanted.each[-1])
    assert wanted.type is not None
    found: list[Candidate] = []
    blocked: Opaque | None = None
    borrowed: list[str] = []
    for block in blocks:
        value = block.get(wanted.type)
        weight = whole(block.get(wanted.weight)) if wanted.weight else None
        wishes = _requirements(block, wanted.requirements)
        if (name := text(value)) is not None or wishes is not None:
            found.append(Candidate(name, weight or 1, wishes if name is None else None))
        elif isinstance(value, Opaque):
            blocked = value
        elif wanted.template is not None:
            for template in block.follow(wanted.template):
                entry = fields.resource(template.kind)
                lent = choose(entry.parts[0], template, fields, _MAX_DEPTH) if entry else None
                if lent is not None and lent.type is not None:
                    borrowed.append(template.address)
                    found.append(Candidate(lent.type, weight or 1))
    if found:
        if len(found) == 1 and found[0].type and found[0].weight == 1 and blocked is None:
            return Choice(type=found[0].type, borrowed=tuple(borrowed))
        return Choice(candidates=tuple(found), borrowed=tuple(borrowed))
    return Choice(opaque=blocked, field=wanted.each[-1]) if blocked else None


def _requirements(view: View, path: Path | None) -> Mapping[str, Any] | None:
    """An attribute-based choice as flat snake-case keys; ranges become `_min` and `_max`."""
    if path is None:
        return None
    blocks = view.blocks(path)
    if isinstance(blocks, Opaque) or not blocks:
        return None
    values = blocks[0].get(())
    if not isinstance(values, dict):
        return None
    flat: dict[str, Any] = {}
    for key, value in values.items():
        name = _snake(str(key))
        inner = value[0] if isinstance(value, list) and value and len(value) == 1 else value
        if isinstance(inner, dict):
            for bound, number in inner.items():
                if number is not None:
                    flat[f"{name}_{_snake(str(bound))}"] = whole(number)
        elif value not in (None, [], ""):
            flat[name] = value
    return flat


def _snake(name: str) -> str:
    """`AcceleratorTotalMemoryMiB` and `accelerator_total_memory_mib` are one key."""
    plain = name.replace("MiB", "Mib").replace("GiB", "Gib").replace("VCpu", "Vcpu")
    return plain.translate(_CAMEL).lstrip("_")
