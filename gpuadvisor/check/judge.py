"""Rows and totals -> verdicts of the policy, and the exit code that follows."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.names import matches
from gpuadvisor.catalog.store import PriceVersion
from gpuadvisor.check import policy as rules
from gpuadvisor.check.bench import CHANGING, Bench, about, changed, changing, glob, subject
from gpuadvisor.check.interface import UNKNOWN, UNPRICED, Row
from gpuadvisor.check.limits import devices_limit, hourly_limit, money_limits
from gpuadvisor.check.policy import FAIL, IGNORE, WARN, Ignore, NameList, Policy, Verdict
from gpuadvisor.iac import interface as iac

_POLICY_FAILED, _INCOMPLETE = 1, 4


def verdicts(
    rows: Sequence[Row],
    bench: Bench,
    versions: Iterable[PriceVersion],
    input_faults: Iterable[tuple[str, Message]] = (),
) -> tuple[Verdict, ...]:
    """Every rule that was set or found something, in rule order.

    A limit is compared with the figures as shown; one exactly at the limit passes. A row that
    an `ignore` entry names stays in the totals and out of the verdict.
    """
    policy = bench.policy
    active, expired = _ignores(policy.ignore, bench.today)
    found: list[Verdict] = []
    found.extend(money_limits(rows, bench, active))
    found.extend(hourly_limit(rows, bench, active))
    found.extend(devices_limit(rows, bench, active))
    found.extend(_lists(rows, bench, active))
    found.extend(_unknowns(rows, policy, active))
    found.extend(_ages(versions, bench))
    found.extend(_issues(rows, policy, active))
    if policy.changed is not None:
        found.append(
            Verdict(
                rules.POLICY_CHANGED,
                policy.level(rules.POLICY_CHANGED),
                False,
                policy.changed,
                None,
                policy.origin,
            )
        )
    for entry in expired:
        text = message("check.ignore_expired", address=entry.address, until=entry.until)
        level = policy.level(rules.IGNORE_EXPIRED)
        found.append(Verdict(rules.IGNORE_EXPIRED, level, False, text))
    for file, text in input_faults:
        level = policy.level(rules.INCOMPLETE_INPUT)
        found.append(Verdict(rules.INCOMPLETE_INPUT, level, False, text, None, file))
    kept = [v for v in found if v.level != IGNORE]
    return tuple(sorted(kept, key=lambda v: (v.rule, v.passed, v.address or "")))


def exit_code(found: Sequence[Verdict], policy: Policy) -> int:
    """0 within policy, 1 policy failed, 4 incomplete and the policy asks to fail on that."""
    if policy.exit_zero:
        return 0
    broken = [v for v in found if not v.passed]
    hard = [v for v in broken if v.level == FAIL and v.rule != rules.ON_UNKNOWN]
    soft = [v for v in broken if v.level == WARN] if policy.fail_on == WARN else []
    if hard or soft:
        return _POLICY_FAILED
    return _INCOMPLETE if any(v.level == FAIL for v in broken) else 0


def _ignores(entries: Sequence[Ignore], today: datetime.date) -> tuple[list[Ignore], list[Ignore]]:
    over = [e for e in entries if e.until is not None and e.until < today.isoformat()]
    return [e for e in entries if e not in over], over


def _lists(rows: Sequence[Row], bench: Bench, ignores: Sequence[Ignore]) -> Iterator[Verdict]:
    policy = bench.policy
    for rule, names, held in (
        (rules.TYPES, policy.types, _types),
        (rules.DEVICES, policy.devices, _devices),
        (rules.REGIONS, policy.regions, _regions),
        (rules.OPTIONS, policy.options, _options),
    ):
        if names == NameList():
            continue
        broken = False
        for row in subject(rows, rule, ignores):
            for name in held(row) if changing(row) else ():
                if not _allowed(rule, name, names):
                    broken = True
                    text = message(f"check.denied_{rule.lower()}", name=name)
                    yield about(row, rule, policy.level(rule), text)
        if not broken:
            text = message(f"check.within_{rule.lower()}")
            yield Verdict(rule, policy.level(rule), True, text)
    if policy.require_spot_for:
        yield from _spot_required(rows, policy, ignores)


def _types(row: Row) -> list[str]:
    resource = row.finding.resource
    return [resource.type] if resource.type else [c.type for c in resource.candidates if c.type]


def _devices(row: Row) -> list[str]:
    return list(row.what.models)


def _regions(row: Row) -> list[str]:
    return [row.region] if row.region else []


def _options(row: Row) -> list[str]:
    if row.purchase == iac.MIXED:
        return ["on_demand", "spot"]
    return [] if row.purchase == iac.UNKNOWN_PURCHASE else [row.purchase]


def _allowed(rule: str, name: str, names: NameList) -> bool:
    def fits(pattern: str) -> bool:
        plain = pattern.replace("-", "_") if rule == rules.OPTIONS else pattern
        return glob(name, plain) or (rule == rules.DEVICES and matches(name, pattern))

    if any(fits(pattern) for pattern in names.deny):
        return False
    return not names.allow or any(fits(pattern) for pattern in names.allow)


def _spot_required(
    rows: Sequence[Row], policy: Policy, ignores: Sequence[Ignore]
) -> Iterator[Verdict]:
    rule = rules.SPOT_REQUIRED
    broken = False
    for row in subject(rows, rule, ignores):
        named = any(
            glob(row.finding.address, p) or glob(row.finding.file, p)
            for p in policy.require_spot_for
        )
        if named and changing(row) and row.purchase not in ("spot", iac.MIXED):
            broken = True
            text = message("check.spot_required", option=row.purchase)
            yield about(row, rule, policy.level(rule), text)
    if not broken:
        text = message(f"check.within_{rule.lower()}")
        yield Verdict(rule, policy.level(rule), True, text)


def _unknowns(rows: Sequence[Row], policy: Policy, ignores: Sequence[Ignore]) -> Iterator[Verdict]:
    # What stands unchanged moves nothing, whatever it costs.
    held = [row for row in subject(rows, rules.ON_UNKNOWN, ignores) if changed(row)]
    unpriced = sum(row.status == UNPRICED for row in held)
    unknown = sum(row.status == UNKNOWN for row in held)
    if policy.on_unknown == IGNORE or not (unpriced or unknown):
        return
    text = message("check.could_not_price", unpriced=unpriced, unknown=unknown)
    yield Verdict(rules.ON_UNKNOWN, policy.on_unknown, False, text)


def _ages(versions: Iterable[PriceVersion], bench: Bench) -> Iterator[Verdict]:
    limit = bench.policy.max_catalog_age
    if limit is None:
        return
    rule, level = rules.CATALOG_AGE, bench.policy.level(rules.CATALOG_AGE)
    old = []
    for version in versions:
        age = (bench.today - datetime.date.fromisoformat(version.as_of)).days
        if age > limit:
            old.append(f"{version.provider} {version.version} ({age} d)")
    if old:
        text = message("check.catalog_old", limit=limit, catalogs=", ".join(old))
        yield Verdict(rule, level, False, text)
    else:
        yield Verdict(rule, level, True, message("check.catalog_fresh", limit=limit))


def _issues(rows: Sequence[Row], policy: Policy, ignores: Sequence[Ignore]) -> Iterator[Verdict]:
    for row in rows:
        if row.action not in CHANGING:
            continue
        for issue in row.after.issues:
            if row in subject([row], issue.rule, ignores):
                yield about(row, issue.rule, policy.level(issue.rule), issue.message)
