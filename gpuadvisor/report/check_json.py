"""The machine form of a check. The other formats are written from this document, so all agree."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from gpuadvisor.check.bench import changed
from gpuadvisor.check.interface import Cost, PriceUsed, Report, Row, Suggestion, Totals
from gpuadvisor.check.policy import Verdict
from gpuadvisor.cost.money import money_text, price_text, scale
from gpuadvisor.report.document import envelope
from gpuadvisor.report.messages import render, spoken

_SIX_PLACES = Decimal("0.000001")


def document(report: Report) -> dict[str, Any]:
    """`gpuadvisor/check/1`: money as decimal text, unknown as null with a reason beside it."""
    request = report.request
    currency = request.currency
    summary = report.summary
    return {
        **envelope(
            "check",
            currency,
            request.today.isoformat(),
            report.versions,
            report.assumptions,
            report.warnings,
        ),
        # The comment on a request is written from this document, in its language.
        **({} if spoken() == "en" else {"language": spoken()}),
        "hours_per_month": _number(request.hours_per_month),
        "files": [{"file": file, "kind": kind} for file, kind in report.kinds],
        "summary": {
            **_totals(summary.totals, currency),
            "changed": summary.changed,
            "unpriced": summary.unpriced,
            "unknown": summary.unknown,
            "unbounded": summary.unbounded,
            "ending_hourly": price_text(summary.ending_hourly.quantize(_SIX_PLACES)),
            "devices_before": _number(summary.devices_before),
            "devices_after": _number(summary.devices_after),
            "examined": report.examined,
            "without_accelerators": report.skipped,
            "prices_as_of": prices_as_of(report.rows),
        },
        "projects": [
            {"name": name, **_totals(totals, currency)} for name, totals in report.projects
        ],
        "findings": [_finding(row, report) for row in report.rows],
        "suggestions": [_suggestion(item, currency) for item in report.suggestions],
        "notes": [
            {"file": file, "address": note.address, "text": render(note.message)}
            for file, note in report.notes
        ],
        "policy": [_verdict(verdict) for verdict in report.verdicts],
        "policy_origin": request.policy.origin,
        "policy_note": request.policy.note,
        "exit_code": report.exit_code,
    }


def prices_as_of(rows: Sequence[Row]) -> str | None:
    """The date of the oldest price in use."""
    dates = [
        c.price.as_of for r in rows for c in (r.before, r.after) if c.price and not c.price.own
    ]
    return min(dates, default=None)


def _totals(totals: Totals, currency: str) -> dict[str, Any]:
    return {
        "total_before": money_text(totals.before, currency),
        "total_after": money_text(totals.after, currency),
        "total_max": money_text(totals.maximum, currency),
        "total_after_range": {
            "low": money_text(totals.low, currency),
            "high": money_text(totals.high, currency),
        },
        "delta": money_text(totals.delta, currency),
        "delta_max": money_text(totals.delta_max, currency),
    }


def _finding(row: Row, report: Report) -> dict[str, Any]:
    finding, currency = row.finding, report.request.currency
    hours = report.request.hours_per_month

    def money(value: Decimal | None) -> str | None:
        return None if value is None else money_text(value, currency)

    def month(value: Decimal | None) -> str | None:
        return None if value is None else money_text(scale(value, hours), currency)

    low, high = row.after.low, row.after.high
    return {
        "address": finding.address,
        "file": finding.file,
        "line": finding.line,
        "project": row.project or None,
        "kind": finding.kind,
        "side": finding.side,
        "action": row.action,
        "changed": changed(row),
        "ends": row.ends,
        "provider": finding.resource.provider,
        "type": row.what.type,
        "type_before": row.what_before.type if row.what_before else None,
        "device": row.what.device,
        "device_candidates": list(row.what.models),
        "device_before": row.what_before.device if row.what_before else None,
        "devices_per_node": _number(row.what.devices),
        "devices_per_node_before": _number(row.what_before.devices if row.what_before else None),
        "partition": row.what.partition,
        "count": {"min": row.counts.min, "planned": row.counts.planned, "max": row.counts.max},
        "count_unit": row.counts.unit,
        "count_before": row.before.counts.planned if finding.before is not None else None,
        "purchase": row.purchase,
        "region": row.region,
        "region_evidence": finding.resource.region_evidence,
        "status": row.status,
        "hourly_before": _hourly(row.before),
        "hourly_after": _hourly(row.after),
        "monthly_before": money(row.monthly_before),
        "monthly_after": money(row.monthly_after),
        "monthly_after_range": None
        if low is None or high is None or row.ends
        else {"low": month(low), "high": month(high)},
        "delta": money(row.delta),
        "monthly_max": money(row.monthly_max),
        "price": _price(row.after.price or row.before.price),
        "confidence": row.confidence,
        "reasons": [render(reason) for reason in row.reasons],
        "reason_codes": [reason.id for reason in row.reasons],
    }


def _hourly(cost: Cost) -> str | None:
    return None if cost.hourly is None else price_text(cost.hourly.quantize(_SIX_PLACES))


def _number(value: float | None) -> float | int | None:
    return int(value) if value is not None and value == int(value) else value


def _price(used: PriceUsed | None) -> dict[str, Any] | None:
    if used is None:
        return None
    beside = used.on_demand
    return {
        "per_hour": price_text(used.per_hour.quantize(_SIX_PLACES)),
        "option": used.option,
        "on_demand_per_hour": None if beside is None else price_text(beside.quantize(_SIX_PLACES)),
        "source": used.source,
        "as_of": used.as_of,
        "age_days": used.age_days,
        "confidence": used.confidence,
        "yours": used.own,
    }


def _suggestion(item: Suggestion, currency: str) -> dict[str, Any]:
    return {
        "address": item.address,
        "saving": money_text(item.saving, currency),
        "change": render(item.change),
        "catch": render(item.catch),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "rule": verdict.rule,
        "level": verdict.level,
        "passed": verdict.passed,
        "message": render(verdict.message),
        "address": verdict.address,
        "file": verdict.file,
        "line": verdict.line,
    }
