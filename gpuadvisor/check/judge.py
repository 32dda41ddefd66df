"""Rows and totals -> verdicts of the policy, and the exit code that follows."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.names import matches
from gpuadvisor.catalog.store import PriceVersion
from gpuadvisor.check import policy as rules
from gpuadvisor.check.interface import COVERED, UNKNOWN, UNPRICED, Row
from gpuadvisor.check.policy import FAIL, IGNORE, WARN, Ignore, NameList, Policy, Verdict
from gpuadvisor.cost.exchange import Exchange
from gpuadvisor.cost.money import Amount, format_money, format_price, per_month, rounded
from gpuadvisor.iac import interface as iac

ZERO = Decimal(0)
_CHANGING = frozenset({iac.CREATE, iac.UPDATE, iac.REPLACE, iac.DECLARED, iac.DEFERRED})
_POLICY_FAILED, _INCOMPLETE = 1, 4


class Bench(NamedTuple):
    """What judging needs beside the rows."""

    policy: Policy
    exchange: Exchange
    currency: str
    hours: float
    today: datetime.date


class _Sum(NamedTuple):
    before: Decimal
    after: Decimal
    maximum: Decimal


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
    found.extend(_money_limits(rows, bench, active))
    found.extend(_per_resource(rows, bench, active))
    found.extend(_devices_limit(rows, bench, active))
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


def _subject(rows: Sequence[Row], rule: str, ignores: Sequence[Ignore]) -> list[Row]:
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


def _sum(rows: Iterable[Row]) -> _Sum:
    before = after = most = ZERO
    for row in rows:
        before += row.monthly_before or ZERO
        after += row.monthly_after or ZERO
        highest = row.monthly_max if row.monthly_max is not None else row.monthly_after
        most += highest or ZERO
    return _Sum(before, after, most)


def _money_limits(
    rows: Sequence[Row], bench: Bench, ignores: Sequence[Ignore]
) -> Iterator[Verdict]:
    policy = bench.policy
    if policy.max_increase is not None:
        total = _sum(_subject(rows, rules.MAX_INCREASE, ignores))
        limit = _limit(policy.max_increase, bench)
        yield from _compared(
            rules.MAX_INCREASE, "check.increase", total.after - total.before,
            total.maximum - total.before, limit, bench,
        )  # fmt: skip
    if policy.max_increase_pct is not None:
        total = _sum(_subject(rows, rules.MAX_INCREASE_PCT, ignores))
        yield from _percent(total, policy.max_increase_pct, bench)
    if policy.max_decrease is not None:
        total = _sum(_subject(rows, rules.MAX_DECREASE, ignores))
        limit = _limit(policy.max_decrease, bench)
        fall = total.before - total.after
        yield from _compared(rules.MAX_DECREASE, "check.decrease", fall, fall, limit, bench)
    if policy.max_total is not None:
        total = _sum(_subject(rows, rules.MAX_TOTAL, ignores))
        limit = _limit(policy.max_total, bench)
        if total.before > limit:
            # Over before this change: blocking it would block every later change as well.
            text = message(
                "check.total_already",
                value=_money(total.before, bench),
                limit=_money(limit, bench),
            )
            yield Verdict(rules.MAX_TOTAL, policy.level(rules.MAX_TOTAL), True, text)
        else:
            yield from _compared(
                rules.MAX_TOTAL, "check.total", total.after, total.maximum, limit, bench
            )


def _limit(amount: Amount, bench: Bench) -> Decimal:
    """A limit per month in the report's currency, at the one rate of this report."""
    if amount.value == 0:
        return ZERO
    monthly = per_month(amount, bench.hours)
    value = bench.exchange.convert(monthly.value, monthly.currency, bench.currency).value
    return rounded(value, bench.currency)


def _money(value: Decimal, bench: Bench) -> str:
    return format_money(value, bench.currency, "month")


def _compared(
    rule: str, text: str, value: Decimal, most: Decimal, limit: Decimal, bench: Bench
) -> Iterator[Verdict]:
    """One verdict on the planned figure; one more where only the maximum is over the limit."""
    level = bench.policy.level(rule)
    over = value > limit
    said = message(
        f"{text}_{'over' if over else 'within'}",
        value=_money(value, bench),
        limit=_money(limit, bench),
    )
    yield Verdict(rule, level, not over, said)
    if not over and most > limit and bench.policy.on_max != IGNORE:
        said = message(f"{text}_max_over", value=_money(most, bench), limit=_money(limit, bench))
        yield Verdict(rule, bench.policy.on_max, False, said)


def _percent(total: _Sum, limit: float, bench: Bench) -> Iterator[Verdict]:
    rule, level = rules.MAX_INCREASE_PCT, bench.policy.level(rules.MAX_INCREASE_PCT)
    if total.before == 0:
        id = "check.pct_new" if total.after else "check.pct_nothing"
        yield Verdict(rule, level, True, message(id, value=_money(total.after, bench)))
        return
    rise = (total.after - total.before) * 100 / total.before
    over = rise > Decimal(repr(limit))
    shown = {"limit": f"{limit:g}", "before": _money(total.before, bench)}
    id = "check.pct_over" if over else "check.pct_within"
    yield Verdict(rule, level, not over, message(id, value=f"{rise:+.1f}", **shown))
    most = (total.maximum - total.before) * 100 / total.before
    if not over and most > Decimal(repr(limit)) and bench.policy.on_max != IGNORE:
        text = message("check.pct_max_over", value=f"{most:+.1f}", **shown)
        yield Verdict(rule, bench.policy.on_max, False, text)


def _about(row: Row, rule: str, level: str, text: Message) -> Verdict:
    finding = row.finding
    return Verdict(rule, level, False, text, finding.address, finding.file, finding.line)


def _changing(row: Row) -> bool:
    """Does the change itself put the row there; what stood before is not its fault."""
    return row.action in _CHANGING and row.counts.max != 0


def _per_resource(
    rows: Sequence[Row], bench: Bench, ignores: Sequence[Ignore]
) -> Iterator[Verdict]:
    amount = bench.policy.max_hourly_per_resource
    if amount is None:
        return
    rule = rules.MAX_HOURLY
    hourly = amount if amount.per == "hour" else amount._replace(per="hour")
    limit = bench.exchange.convert(hourly.value, hourly.currency, bench.currency).value
    shown = format_price(limit, bench.currency)
    broken = False
    for row in _subject(rows, rule, ignores):
        if not _changing(row):
            continue
        for value, level, id in (
            (row.after.hourly, bench.policy.level(rule), "check.hourly_over"),
            (row.after.maximum, bench.policy.on_max, "check.hourly_max_over"),
        ):
            if value is not None and value > limit:
                text = message(
                    id,
                    value=format_price(value.quantize(Decimal("0.0001")), bench.currency),
                    limit=shown,
                )
                yield _about(row, rule, level, text)
                broken = broken or level == bench.policy.level(rule)
                break
    if not broken:
        text = message("check.hourly_within", limit=shown)
        yield Verdict(rule, bench.policy.level(rule), True, text)


def _devices_limit(
    rows: Sequence[Row], bench: Bench, ignores: Sequence[Ignore]
) -> Iterator[Verdict]:
    limit = bench.policy.max_devices
    if limit is None:
        return
    rule, level = rules.MAX_DEVICES, bench.policy.level(rules.MAX_DEVICES)
    held = _subject(rows, rule, ignores)
    before = sum(devices_before(row) for row in held)
    after = sum(devices(row, row.counts.planned) for row in held)
    most = sum(devices(row, row.counts.max) for row in held)
    if before > limit:
        text = message("check.devices_already", value=f"{before:g}", limit=limit)
        yield Verdict(rule, level, True, text)
        return
    over = after > limit
    id = "check.devices_over" if over else "check.devices_within"
    yield Verdict(rule, level, not over, message(id, value=f"{after:g}", limit=limit))
    if not over and most > limit and bench.policy.on_max != IGNORE:
        text = message("check.devices_max_over", value=f"{most:g}", limit=limit)
        yield Verdict(rule, bench.policy.on_max, False, text)


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
        for row in _subject(rows, rule, ignores):
            for name in held(row) if _changing(row) else ():
                if not _allowed(rule, name, names):
                    broken = True
                    text = message(f"check.denied_{rule.lower()}", name=name)
                    yield _about(row, rule, policy.level(rule), text)
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
    for row in _subject(rows, rule, ignores):
        named = any(
            glob(row.finding.address, p) or glob(row.finding.file, p)
            for p in policy.require_spot_for
        )
        if named and _changing(row) and row.purchase not in ("spot", iac.MIXED):
            broken = True
            text = message("check.spot_required", option=row.purchase)
            yield _about(row, rule, policy.level(rule), text)
    if not broken:
        text = message(f"check.within_{rule.lower()}")
        yield Verdict(rule, policy.level(rule), True, text)


def _unknowns(rows: Sequence[Row], policy: Policy, ignores: Sequence[Ignore]) -> Iterator[Verdict]:
    held = _subject(rows, rules.ON_UNKNOWN, ignores)
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
        if row.action not in _CHANGING:
            continue
        for issue in row.after.issues:
            if row in _subject([row], issue.rule, ignores):
                yield _about(row, issue.rule, policy.level(issue.rule), issue.message)
