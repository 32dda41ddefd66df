"""On which terms a group is rented: the first clause of the field map that applies."""

from __future__ import annotations

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac.fieldmap import Part, SplitMap
from gpuadvisor.iac.interface import MIXED, UNKNOWN_PURCHASE, Split
from gpuadvisor.iac.view import Opaque, View, text, whole

_UNSET: tuple[object, ...] = (None, "", False, 0, [], {})


def option_of(part: Part, view: View) -> str | tuple[Opaque, str] | None:
    """The purchase option, None where no clause applies, or what blocks one and its field."""
    for clause in part.purchase:
        value = view.get(clause.at)
        if isinstance(value, Opaque):
            return value, clause.at[-1]
        if clause.present is not None:
            if value not in _UNSET:
                return clause.present
        elif clause.values is not None and value is not None:
            words = "true" if value is True else (text(value) or "").casefold()
            if words in clause.values:
                return clause.values[words]
    return None


def split_of(fields: SplitMap, view: View) -> tuple[str, Split | None, tuple[Message, ...]]:
    """(option, split, reasons) of a mixed group; a part that cannot be read makes it unknown."""
    base = view.get(fields.base) if fields.base else None
    share = view.get(fields.percent) if fields.percent else None
    if share is None and fields.rest:
        share = view.get(fields.rest)
        if (words := text(share)) is not None:
            share = fields.rest_values.get(words.casefold())
    for value, path in ((base, fields.base), (share, fields.percent or fields.rest)):
        if isinstance(value, Opaque):
            reason = message(value.why, field=path[-1] if path else "")
            return UNKNOWN_PURCHASE, None, (reason,)
    kept = whole(base) or 0
    given = whole(share)
    percent = fields.percent_default if given is None else float(min(given, 100))
    if percent >= 100:
        return "on_demand", None, ()
    if kept == 0 and percent == 0:
        return "spot", None, ()
    return MIXED, Split(kept, percent), ()
