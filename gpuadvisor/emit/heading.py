"""The comment at the top of an emitted file: what it is, at which price, and what to fill in."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import SPOT
from gpuadvisor.cost.money import format_price
from gpuadvisor.emit.comments import Say, commented, head
from gpuadvisor.emit.interface import Blank, Plan


def opening(
    plan: Plan,
    files: Sequence[str],
    say: Say,
    fill: Iterable[Blank] = (),
    notes: Iterable[Message] = (),
    flags: Sequence[str] = (),
    job: bool = False,
    reserved: bool = False,
    mixes: bool = True,
) -> list[str]:
    """Comment lines. `fill` is what the reader must set, `notes` what else to know; `files` and
    `flags` make the command that prices this form again. What it then says differs from the
    price above where the form is a `job`, which has no month, and where it says no more of the
    terms than that machines are `reserved`. A form that `mixes` names the fallbacks."""
    command = shlex.join(["gpuadvisor", "check", *files, *flags, *plan.check_flags])
    text = "emit.check_job" if job else "emit.check"
    if plan.committed or reserved:
        text = "emit.check_committed" if plan.committed else "emit.check_reserved"
    checked = message(text)
    found = head([*plan.why, *_spot(plan, mixes), *notes, *plan.made_by, checked, command], say)
    todo = list(fill)
    if todo:
        found += head([message("emit.fill")], say)
        found += [line for name, what in todo for line in _bullet(f"{name}: {say(what)}")]
    return found


def _spot(plan: Plan, mixes: bool) -> Iterator[Message]:
    if plan.purchase != SPOT:
        return
    if not mixes or not plan.fallbacks:
        yield message("emit.spot_alone")
        return
    names = [f"{f.type} ({format_price(f.price, f.currency)})" for f in plan.fallbacks]
    yield message("emit.fallbacks", types=names)


def _bullet(text: str) -> list[str]:
    first, *rest = commented(text, "#   ")
    return [first.replace("#   ", "# - ", 1), *rest]
