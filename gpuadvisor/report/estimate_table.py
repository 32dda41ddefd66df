"""`estimate` as CSV or Markdown: one row an option, bought or not."""

from __future__ import annotations

from gpuadvisor.advice.estimate_result import Estimate, EstimateOption, Item, Spread
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import money_text
from gpuadvisor.report.estimate_json import price
from gpuadvisor.report.estimate_text import headline
from gpuadvisor.report.messages import render
from gpuadvisor.report.table import as_csv, as_markdown, markdown_safe

HEADERS = (
    "what", "place", "provider", "region", "instance_type", "instances", "device", "devices",
    "counted", "option", "term", "class", "payment", "available", "why_not", "currency",
    "price_per_hour", "effective_per_hour", "monthly_low", "monthly", "monthly_high",
    "saving_pct", "break_even_hours_per_month", "binds", "as_of", "confirmed_on", "confidence",
    "source",
)  # fmt: skip
JOB_HEADERS = (
    "job_low", "job", "job_high", "finish_low_hours", "finish_hours", "finish_high_hours",
)  # fmt: skip
"""Columns at the end where a job is priced."""

_SHORT = (
    "instances", "instance_type", "region", "option", "term", "class", "price_per_hour",
    "effective_per_hour", "monthly", "saving_pct", "break_even_hours_per_month", "binds",
    "as_of", "why_not",
)  # fmt: skip
_NUMERIC = frozenset(
    {"instances", "price_per_hour", "effective_per_hour", "monthly", "saving_pct",
     "break_even_hours_per_month", "job", "finish_hours"}
)  # fmt: skip


def table(answer: Estimate, format: str) -> str:
    """CSV with every column, or a Markdown table of the telling ones under the headline."""
    job = answer.request.job_hours is not None
    rows = [_row(answer, item, n, o) for item in answer.items for n, o in enumerate(item.options)]
    if format == "csv":
        columns = (*HEADERS, *JOB_HEADERS) if job else HEADERS
        return as_csv(columns, [[row[name] for name in columns] for row in rows])
    short = (*_SHORT, "job", "finish_hours") if job else _SHORT
    numeric = [n for n, name in enumerate(short) if name in _NUMERIC]
    heads = [name.replace("_", " ") for name in short]
    body = as_markdown(heads, [[row[name] for name in short] for row in rows], numeric)
    currency = render(message("estimate.amounts_in", currency=answer.currency))
    return f"{markdown_safe(headline(answer))} {currency}\n\n{body}"


def _row(answer: Estimate, item: Item, position: int, o: EstimateOption) -> dict[str, str]:
    offer = o.offer
    low, expected, high = _amounts(o.monthly, answer.currency)
    break_even = o.break_even_hours
    job = _amounts(o.job, answer.currency)
    hours = o.finish_hours or (None, None, None)
    done = ["" if part is None else f"{part:.2f}" for part in hours]
    return {
        "what": item.what,
        "place": str(item.place),
        "provider": item.type.provider,
        "region": item.region,
        "instance_type": item.type.name,
        "instances": str(item.instances),
        "device": item.type.device,
        "devices": f"{item.type.devices * item.instances:g}",
        "counted": "true" if item.place == 1 and position == item.counted else "false",
        "option": o.option,
        "term": o.term or "",
        "class": o.cls or "",
        "payment": o.payment or "",
        "available": "true" if o.available else "false",
        "why_not": "" if o.why_not is None else render(o.why_not),
        "currency": answer.currency,
        "price_per_hour": price(o.price_per_hour) or "",
        "effective_per_hour": price(o.effective_per_hour) or "",
        "monthly_low": low,
        "monthly": expected,
        "monthly_high": high,
        "saving_pct": "" if o.saving is None else f"{o.saving * 100:.1f}",
        "break_even_hours_per_month": "" if break_even is None else f"{break_even:.0f}",
        "binds": "" if o.binding is None else o.binding.binds,
        "as_of": "" if offer is None else offer.as_of,
        "confirmed_on": "" if offer is None else offer.confirmed_on or "",
        "confidence": "" if offer is None else offer.confidence,
        "source": "" if offer is None else offer.source,
        **dict(zip(JOB_HEADERS, (*job, *done), strict=True)),
    }


def _amounts(found: Spread | None, currency: str) -> tuple[str, str, str]:
    if found is None:
        return "", "", ""
    return (
        money_text(found.low, currency),
        money_text(found.expected, currency),
        money_text(found.high, currency),
    )
