"""What every rule needs: the policy at hand, the rows it looks at, and how it speaks of one."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import NamedTuple

from gpuadvisor.catalog.message import Message
from gpuadvisor.check.interface import COVERED, Row
from gpuadvisor.check.policy import Ignore, Policy, Verdict
from gpuadvisor.cost.exchange import Exchange
from gpuadvisor.iac import interface as iac

CHANGING = frozenset({iac.CREATE, iac.UPDATE, iac.REPLACE, iac.DECLARED, iac.DEFERRED})


class Bench(NamedTuple):
    """What judging needs beside the rows."""

    policy: Policy
    exchange: Exchange
    currency: str
    hours: float
    today: datetime.date


def subject(rows: Sequence[Row], rule: str, ignores: Sequence[Ignore]) -> list[Row]:
    """The rows that a rule looks at."""
    return [
        row
        for row in rows
        if not any(
            (not e.rules or rule in e.rules) and glob(row.finding.address, e.address)
            for e in ignores
        )
    ]


def glob(text: str, pattern: str) -> bool:
    """A glob in which `[` is a plain character: addresses hold indices."""
    return fnmatchcase(text.casefold(), pattern.casefold().replace("[", "[[]"))


def about(row: Row, rule: str, level: str, text: Message) -> Verdict:
    finding = row.finding
    return Verdict(rule, level, False, text, finding.address, finding.file, finding.line)


def changing(row: Row) -> bool:
    """Does the change itself put the row there; what stood before is not its fault."""
    return row.action in CHANGING and row.counts.max != 0


def devices(row: Row, nodes: int | None) -> float:
    """Devices of a row at a number of nodes; 0 where either is unknown or billed elsewhere."""
    if row.after.status == COVERED or row.what.devices is None or nodes is None:
        return 0.0
    return row.what.devices * nodes


def devices_before(row: Row) -> float:
    """Devices of a row before the change."""
    planned, what = row.before.counts.planned, row.what_before
    if row.before.status == COVERED or what is None or what.devices is None or planned is None:
        return 0.0
    return what.devices * planned


def changed(row: Row) -> bool:
    """Does the change move what is rented; a change of tags alone does not."""
    return row.action not in (iac.NO_OP, iac.FORGET) and row.finding.before != row.finding.after


def highest(row: Row) -> Decimal | None:
    """The most a row can cost a month because of the change: what stays as it is counts as it
    is planned, or every request would be warned of autoscalers that it does not touch."""
    if not changed(row) or row.monthly_max is None:
        return row.monthly_after
    return row.monthly_max
