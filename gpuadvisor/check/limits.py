"""Limits on money and devices, on the planned figures and on the maximum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.catalog.message import message
from gpuadvisor.check import policy as rules
from gpuadvisor.check.bench import (
    Bench,
    about,
    changed,
    changing,
    devices,
    devices_before,
    highest,
    subject,
)
from gpuadvisor.check.interface import Row
from gpuadvisor.check.policy import IGNORE, Ignore, Verdict
from gpuadvisor.cost.money import Amount, format_money, format_price, per_month, rounded

ZERO = Decimal(0)


class _Sum(NamedTuple):
    before: Decimal
    after: Decimal
    maximum: Decimal


def _sum(rows: Iterable[Row]) -> _Sum:
    before = after = most = ZERO
    for row in rows:
        before += row.monthly_before or ZERO
        after += row.monthly_after or ZERO
        most += highest(row) or ZERO
    return _Sum(before, after, most)


def money_limits(rows: Sequence[Row], bench: Bench, ignores: Sequence[Ignore]) -> Iterator[Verdict]:
    policy = bench.policy
    if policy.max_increase is not None:
        total = _sum(subject(rows, rules.MAX_INCREASE, ignores))
        limit = _limit(policy.max_increase, bench)
        yield from _compared(
            rules.MAX_INCREASE, "check.increase", total.after - total.before,
            total.maximum - total.before, limit, bench,
        )  # fmt: skip
    if policy.max_increase_pct is not None:
        total = _sum(subject(rows, rules.MAX_INCREASE_PCT, ignores))
        yield from _percent(total, policy.max_increase_pct, bench)
    if policy.max_decrease is not None:
        total = _sum(subject(rows, rules.MAX_DECREASE, ignores))
        limit = _limit(policy.max_decrease, bench)
        fall = total.before - total.after
        yield from _compared(rules.MAX_DECREASE, "check.decrease", fall, fall, limit, bench)
    if policy.max_total is not None:
        total = _sum(subject(rows, rules.MAX_TOTAL, ignores))
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


def hourly_limit(rows: Sequence[Row], bench: Bench, ignores: Sequence[Ignore]) -> Iterator[Verdict]:
    amount = bench.policy.max_hourly_per_resource
    if amount is None:
        return
    rule = rules.MAX_HOURLY
    hourly = amount if amount.per == "hour" else amount._replace(per="hour")
    limit = bench.exchange.convert(hourly.value, hourly.currency, bench.currency).value
    shown = format_price(limit, bench.currency)
    broken = False
    for row in subject(rows, rule, ignores):
        if not changing(row):
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
                yield about(row, rule, level, text)
                broken = broken or level == bench.policy.level(rule)
                break
    if not broken:
        text = message("check.hourly_within", limit=shown)
        yield Verdict(rule, bench.policy.level(rule), True, text)


def devices_limit(
    rows: Sequence[Row], bench: Bench, ignores: Sequence[Ignore]
) -> Iterator[Verdict]:
    limit = bench.policy.max_devices
    if limit is None:
        return
    rule, level = rules.MAX_DEVICES, bench.policy.level(rules.MAX_DEVICES)
    held = subject(rows, rule, ignores)
    before = sum(devices_before(row) for row in held)
    after = sum(devices(row, row.counts.planned) for row in held)
    most = sum(devices(row, row.counts.max if changed(row) else row.counts.planned) for row in held)
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
