"""`reserve --format json`, csv and markdown."""

from __future__ import annotations

from typing import Any

from gpuadvisor.advice.reserve_result import FALL, Chosen, Reserve
from gpuadvisor.cost.money import allocate, money_text
from gpuadvisor.report.document import envelope
from gpuadvisor.report.estimate_json import price
from gpuadvisor.report.reserve_text import next_command, option_name
from gpuadvisor.report.table import render_table


def document(answer: Reserve) -> dict[str, Any]:
    """The document of the design's `reserve`; money is a mean month of 730 hours."""
    priced, found = answer.priced, answer.plan
    currency = priced.currency
    doc = envelope(
        "reserve",
        currency,
        priced.today,
        priced.versions,
        answer.assumptions,
        answer.warnings,
    )
    curve = answer.curve
    doc["unit"] = {
        "provider": answer.item.type.provider,
        "region": answer.item.region,
        "instance_type": answer.item.type.name,
        "instances": answer.item.instances,
    }
    doc["curve"] = {
        "hours": len(curve),
        "min": min(curve),
        "mean": round(sum(curve) / len(curve), 4),
        "max": max(curve),
    }
    doc["spot_share"] = answer.request.spot_share
    doc["need_lasts"] = answer.request.need_lasts
    names = [option_name(c.option) for c in answer.chosen if c.units]
    doc["commit"] = {
        "reserved_1y": found.one_year,
        "reserved_3y": found.three_years,
        "spot": found.spot_max,
        "on_demand_max": found.on_demand_max,
        "option": " + ".join(names) or None,
    }
    doc["cost"] = money_text(answer.cost.expected, currency)
    doc["cost_range"] = {
        name: money_text(part, currency) for name, part in answer.cost._asdict().items()
    }
    doc["on_demand_cost"] = money_text(answer.on_demand_cost, currency)
    doc["saving_pct"] = round(found.saving * 100, 2)
    deciding = answer.deciding
    doc["break_even_utilisation"] = None if deciding is None else round(deciding.break_even, 4)
    doc["horizon_years"] = found.horizon_years
    doc["commitments"] = [_commitment(c) for c in answer.chosen]
    doc["lines"] = _lines(answer)
    doc["if_demand_falls"] = {
        "fall_pct": round(FALL * 100),
        "regret": money_text(answer.regret, currency),
    }
    doc["next"] = next_command(answer)
    return doc


def _commitment(c: Chosen) -> dict[str, Any]:
    offer = c.option.offer
    return {
        "term": c.term,
        "option": c.option.option,
        "class": c.option.cls,
        "payment": c.option.payment,
        "units": c.units,
        "price_per_hour": price(c.option.price_per_hour),
        "effective_per_hour": price(c.option.effective_per_hour),
        "break_even_utilisation": round(c.break_even, 4),
        "pays_after_months": None if c.pays_after_months is None else round(c.pays_after_months, 2),
        "pays_on": c.pays_on,
        "source": None if offer is None else offer.source,
        "as_of": None if offer is None else offer.as_of,
        "confidence": None if offer is None else offer.confidence,
    }


def _lines(answer: Reserve) -> list[dict[str, Any]]:
    currency = answer.priced.currency
    amounts, _ = allocate([line.monthly.expected for line in answer.lines], currency)
    return [
        {
            "option": line.option.option,
            "term": line.option.term,
            "mean_units": round(line.units, 4),
            "low": money_text(line.monthly.low, currency),
            "monthly": money_text(amount, currency),
            "high": money_text(line.monthly.high, currency),
        }
        for line, amount in zip(answer.lines, amounts, strict=True)
    ]


def table(answer: Reserve, format: str) -> str:
    """One row a line of the bill, and the two totals."""
    currency = answer.priced.currency
    rows = [
        [line["option"], line["term"] or "", f"{line['mean_units']:g}", line["monthly"]]
        for line in _lines(answer)
    ]
    mean = f"{sum(answer.curve) / len(answer.curve):.4g}"
    rows.append(["total", "", mean, money_text(answer.cost.expected, currency)])
    rows.append(["all_on_demand", "", mean, money_text(answer.on_demand_cost, currency)])
    return render_table(
        format, ["option", "term", "mean_units", f"monthly_{currency}"], rows, [2, 3]
    )
