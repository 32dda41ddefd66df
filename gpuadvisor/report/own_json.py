"""`own --format json`, csv and markdown."""

from __future__ import annotations

from typing import Any

from gpuadvisor.advice.own_result import MoneySpan, Own, UnitCost
from gpuadvisor.cost.money import allocate, money_text
from gpuadvisor.cost.ownership import HOURS_PER_YEAR
from gpuadvisor.report.document import envelope
from gpuadvisor.report.own_text import next_command
from gpuadvisor.report.table import render_table


def document(answer: Own) -> dict[str, Any]:
    """The document of the design's `own`; money is a year's, as decimal strings."""
    priced = answer.priced
    currency = priced.currency
    doc = envelope(
        "own",
        currency,
        priced.today,
        priced.versions,
        priced.assumptions,
        (*answer.warnings, *priced.warnings),
    )
    line = answer.item.line
    doc["own"] = {
        "device": answer.request.device,
        "devices": list(answer.devices),
        "gpus": answer.request.gpus,
    }
    doc["rent"] = {
        "provider": answer.item.type.provider,
        "region": answer.item.region,
        "instance_type": answer.item.type.name,
        "instances": answer.item.instances,
        "option": None if line is None else line.option,
    }
    doc["utilisation"] = answer.request.utilisation
    doc["annual_own"] = money_text(answer.annual_own.expected, currency)
    doc["annual_own_range"] = _span(answer.annual_own, currency)
    doc["annual_rent"] = money_text(answer.annual_rent.expected, currency)
    doc["annual_rent_range"] = _span(answer.annual_rent, currency)
    doc["break_even_utilisation"] = round(answer.break_even.likely, 4)
    doc["break_even_utilisation_range"] = {
        "low": round(answer.break_even.low, 4),
        "expected": round(answer.break_even.likely, 4),
        "high": round(answer.break_even.high, 4),
    }
    doc["break_even_hours"] = round(answer.break_even.likely * HOURS_PER_YEAR, 1)
    months = answer.pays_after_months
    doc["pays_after_months"] = None if months is None else round(months, 2)
    doc["lines"] = _lines(answer)
    doc["per_unit"] = {"own": _unit(answer.own_unit), "rent": _unit(answer.rent_unit)}
    doc["figures"] = [
        {
            "name": f.name,
            "low": f.value.low,
            "expected": f.value.likely,
            "high": f.value.high,
            "origin": f.origin,
            "weak": f.weak,
        }
        for f in answer.figures
    ]
    doc["tornado"] = [
        {"name": s.name, "at_low": round(s.at_low, 6), "at_high": round(s.at_high, 6)}
        for s in answer.swings
    ]
    doc["next"] = next_command(answer)
    return doc


def _lines(answer: Own) -> list[dict[str, Any]]:
    currency = answer.priced.currency
    amounts, _ = allocate([line.annual.expected for line in answer.lines], currency)
    return [
        {
            "name": line.name,
            "low": money_text(line.annual.low, currency),
            "expected": money_text(amount, currency),
            "high": money_text(line.annual.high, currency),
        }
        for line, amount in zip(answer.lines, amounts, strict=True)
    ]


def _span(span: MoneySpan, currency: str) -> dict[str, str]:
    return {name: money_text(part, currency) for name, part in span._asdict().items()}


def _unit(found: UnitCost | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "unit": found.unit,
        "cost": f"{found.cost:.12f}",
        "relative_to": found.relative,
        "basis": found.basis,
    }


def table(answer: Own, format: str) -> str:
    """One row a line of the year, and the two totals."""
    currency = answer.priced.currency
    rows = [[line["name"], line["low"], line["expected"], line["high"]] for line in _lines(answer)]
    for name, span in (("annual_own", answer.annual_own), ("annual_rent", answer.annual_rent)):
        rows.append([name, *_span(span, currency).values()])
    headers = ["line", f"low_{currency}", f"expected_{currency}", f"high_{currency}"]
    return render_table(format, headers, rows, [1, 2, 3])
