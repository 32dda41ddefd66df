"""The comment at the top of an emitted file: what it is, at which price, and what to fill in."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.emit.comments import Say, commented, head
from gpuadvisor.emit.interface import Plan


def opening(
    plan: Plan,
    file: str,
    say: Say,
    fill: Iterable[Message] = (),
    notes: Iterable[Message] = (),
    flags: Sequence[str] = (),
    checked: Message | None = None,
) -> list[str]:
    """Comment lines. `fill` is what the reader must set, `notes` what else to know; `flags` are
    those that `check` needs for this form, and `checked` what it then says where that is not the
    price itself."""
    command = shlex.join(["gpuadvisor", "check", file, *flags, *plan.check_flags])
    found = head([*plan.why, *notes, *plan.made_by], say)
    found += head([checked or message("emit.check"), command], say)
    todo = list(fill)
    if todo:
        found += head([message("emit.fill")], say)
        found += [line for item in todo for line in _bullet(say(item))]
    return found


def _bullet(text: str) -> list[str]:
    first, *rest = commented(text, "#   ")
    return [first.replace("#   ", "# - ", 1), *rest]


def committed_note(plan: Plan) -> Message | None:
    """What `check` says of a commitment: the machines on demand, as it buys none."""
    return message("emit.check_committed") if plan.committed else None
