"""The comment at the top of an emitted file: what it is, at which price, and what to fill in."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.emit.comments import Say, commented, head
from gpuadvisor.emit.interface import Plan


def opening(
    plan: Plan,
    files: Sequence[str],
    say: Say,
    fill: Iterable[Message] = (),
    notes: Iterable[Message] = (),
    flags: Sequence[str] = (),
    job: bool = False,
    reserved: bool = False,
) -> list[str]:
    """Comment lines. `fill` is what the reader must set, `notes` what else to know; `files` and
    `flags` make the command that prices this form again. What it then says differs from the
    price above where the form is a `job`, which has no month, and where it says no more of the
    terms than that machines are `reserved`."""
    command = shlex.join(["gpuadvisor", "check", *files, *flags, *plan.check_flags])
    checked = [message("emit.check_job" if job else "emit.check")]
    if plan.committed:
        checked.append(message("emit.check_committed"))
    elif reserved:
        checked.append(message("emit.check_reserved"))
    found = head([*plan.why, *notes, *plan.made_by, *checked, command], say)
    todo = list(fill)
    if todo:
        found += head([message("emit.fill")], say)
        found += [line for item in todo for line in _bullet(say(item))]
    return found


def _bullet(text: str) -> list[str]:
    first, *rest = commented(text, "#   ")
    return [first.replace("#   ", "# - ", 1), *rest]
