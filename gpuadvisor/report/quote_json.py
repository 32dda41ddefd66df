"""`quote --format json` and csv: the customer's quote as data."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from gpuadvisor.advice.quote_result import Line, Machine, Proposal, Quote, Spot, Total, Way, Work
from gpuadvisor.cost.money import money_text, price_text
from gpuadvisor.report.document import envelope, exchange
from gpuadvisor.report.messages import render
from gpuadvisor.report.table import as_csv

HEADERS = (
    "proposal", "kind", "provider", "region", "instance_type", "device", "devices", "count",
    "option", "term", "class", "payment", "currency", "unit_price_per_hour", "hours", "amount",
    "saving_pct", "break_even_hours_per_month", "source", "as_of",
)  # fmt: skip


def document(quote: Quote) -> dict[str, Any]:
    """The document of a quote; money is decimal strings, keys are added, never renamed."""
    doc = envelope("quote", quote.currency, quote.today, quote.versions, quote.assumptions)
    doc["number"] = quote.number
    doc["title"] = quote.title
    doc["customer"] = quote.customer
    doc["prepared_by"] = quote.prepared_by
    doc["valid_until"] = quote.valid_until
    doc["valid_days"] = quote.valid_days
    doc["per"] = quote.per
    doc["hours_per_month"] = quote.hours
    doc["tax_rate"] = None if quote.tax is None else f"{quote.tax.normalize():f}"
    doc["exchange"] = exchange(quote.rates)
    doc["need"] = [render(part) for part in quote.need]
    doc["proposals"] = [_proposal(quote, p) for p in quote.proposals]
    doc["left_out"] = [render(note) for note in quote.left_out]
    doc["demand"] = _demand(quote)
    doc["sources"] = [
        {
            "name": c.name,
            "title": c.source.title,
            "address": c.source.address,
            "date": c.source.date,
            "confidence": c.source.confidence,
        }
        for c in quote.cited
    ]
    return doc


def _proposal(quote: Quote, proposal: Proposal) -> dict[str, Any]:
    return {
        "names": list(proposal.names),
        "why": [render(each) for each in proposal.why],
        "lines": [_line(quote, line) for line in proposal.lines],
        **_total(quote, proposal.total),
        "alternatives": [
            {
                "option": a.option,
                "term": a.term,
                "lines_covered": a.covered,
                **_total(quote, a.total),
            }
            for a in proposal.alternatives
        ],
        "spot_not_offered": [_spot(quote, spot) for spot in proposal.spot],
        "performance": None if proposal.work is None else _work(proposal.work),
    }


def _line(quote: Quote, line: Line) -> dict[str, Any]:
    coin = quote.currency
    return {
        "what": line.what,
        **_machine(line.machine),
        "count": _number(line.instances),
        **_way(quote, line.way),
        "amount": money_text(line.amount, coin),
        "amount_range": {
            "low": money_text(line.low, coin),
            "expected": money_text(line.amount, coin),
            "high": money_text(line.high, coin),
        },
        "ways": [{**_way(quote, way), "chosen": way == line.way} for way in line.ways],
        "machine_notes": [render(note) for note in line.notes],
    }


def _machine(found: Machine) -> dict[str, Any]:
    return {
        "provider": found.provider,
        "region": found.region,
        "instance_type": found.instance_type,
        "device": {
            "model": found.device,
            "per_instance": found.devices,
            "fraction": found.device_share,
            "memory_gib": found.memory_gib,
        },
        "vcpus": found.vcpus,
        "host_memory_gib": found.host_memory_gib,
    }


def _way(quote: Quote, way: Way) -> dict[str, Any]:
    return {
        "option": way.option,
        "term": way.term,
        "class": way.cls,
        "payment": way.payment,
        "unit_price_per_hour": price_text(way.unit_price),
        "hours": way.hours,
        "amount": money_text(way.amount, quote.currency),
        "saving_pct": None if way.saving is None else round(way.saving * 100, 2),
        "break_even_hours_per_month": (
            None if way.break_even_hours is None else round(way.break_even_hours, 2)
        ),
        "notes": [render(note) for note in way.notes],
        "source": way.source,
        "as_of": way.as_of,
    }


def _number(value: Decimal) -> float | int:
    return int(value) if value == value.to_integral_value() else float(value)


def _total(quote: Quote, found: Total) -> dict[str, Any]:
    coin = quote.currency
    return {
        "subtotal": money_text(found.subtotal, coin),
        "tax": None if found.tax is None else money_text(found.tax, coin),
        "total": money_text(found.total, coin),
    }


def _spot(quote: Quote, spot: Spot) -> dict[str, Any]:
    coin = quote.currency
    return {
        **_machine(spot.machine),
        "count": _number(spot.instances),
        "low": money_text(spot.low, coin),
        "expected": money_text(spot.expected, coin),
        "high": money_text(spot.high, coin),
        "as_of": spot.as_of,
    }


def _work(work: Work) -> dict[str, Any]:
    return {
        "units": work.units,
        "rate_per_second": {"low": work.rate_low, "expected": work.rate, "high": work.rate_high},
        "basis": work.basis,
        "relative_to": work.relative_to,
        "headroom": work.headroom,
        "latency_ms": work.latency_ms,
        "latency_is_p99": work.latency_p99,
        "run_hours": (
            None
            if work.hours is None
            else dict(zip(("low", "expected", "high"), work.hours, strict=True))
        ),
    }


def _demand(quote: Quote) -> dict[str, Any] | None:
    found = quote.demand
    if found is None:
        return None
    return {
        "units_by_hour": list(found.hours),
        "committed": [{"term": term, "units": units} for term, units in found.levels],
        "all_on_demand": money_text(found.on_demand_only, quote.currency),
    }


def table(quote: Quote) -> str:
    """CSV: every line, every other way of paying it, and the sums of each proposal."""
    rows: list[list[str]] = []
    for proposal in quote.proposals:
        name = "+".join(proposal.names)
        for line in proposal.lines:
            rows.append(_row(quote, name, "line", line, line.way, line.amount))
            rows += [
                _row(quote, name, "alternative", line, way, way.amount)
                for way in line.ways
                if way != line.way
            ]
        sums = [("subtotal", proposal.total.subtotal), ("total", proposal.total.total)]
        if proposal.total.tax is not None:
            sums.insert(1, ("tax", proposal.total.tax))
        for kind, amount in sums:
            cells = {
                "proposal": name,
                "kind": kind,
                "currency": quote.currency,
                "amount": money_text(amount, quote.currency),
            }
            rows.append([cells.get(header, "") for header in HEADERS])
    return as_csv(HEADERS, rows)


def _row(quote: Quote, name: str, kind: str, line: Line, way: Way, amount: Decimal) -> list[str]:
    found = line.machine
    return [
        name, kind, found.provider, found.region, found.instance_type, found.device,
        f"{float(line.instances) * found.devices:g}", f"{line.instances.normalize():f}", way.option,
        way.term or "", way.cls or "", way.payment or "", quote.currency,
        price_text(way.unit_price), f"{way.hours:.10g}", money_text(amount, quote.currency),
        "" if way.saving is None else f"{way.saving * 100:.2f}",
        "" if way.break_even_hours is None else f"{way.break_even_hours:.2f}",
        way.source or "", way.as_of or "",
    ]  # fmt: skip
