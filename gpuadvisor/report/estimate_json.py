"""`estimate --format json`: the stable, versioned document."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from gpuadvisor.advice.estimate_result import Estimate, EstimateOption, Item, Spread
from gpuadvisor.catalog.message import Message
from gpuadvisor.cost.billing import Binding
from gpuadvisor.cost.money import money_text, price_text
from gpuadvisor.report.document import envelope, exchange
from gpuadvisor.report.messages import render

_NANO = Decimal("0.000000001")
_MICRO = Decimal("0.000001")


def document(answer: Estimate) -> dict[str, Any]:
    """The document of the design's `estimate`; keys are added, never renamed."""
    found = envelope(
        "estimate",
        answer.currency,
        answer.today,
        answer.versions,
        answer.assumptions,
        answer.warnings,
    )
    found["exchange"] = exchange(answer.quotes)
    found["hours_per_month"] = answer.hours
    found["months"] = answer.request.months
    found["job_hours"] = answer.request.job_hours
    found["items"] = [_item(i, answer.currency) for i in answer.items]
    if answer.request.job_hours is not None:
        _add_jobs(found["items"], answer)
    found["not_shown"] = [{"what": what, "count": count} for what, count in answer.left_out]
    found["total"] = _spread(answer.total, answer.currency)
    found["total_period"] = _spread(answer.period_total, answer.currency)
    if answer.serving or answer.stored:
        from gpuadvisor.report.serving_text import serving_document, stored_document

        found["serving"] = [serving_document(s, answer.currency) for s in answer.serving]
        found["storage"] = [stored_document(s, answer.currency) for s in answer.stored]
    found["refused"] = None if answer.refused is None else _coded(answer.refused)
    found["next"] = answer.next
    return found


def _add_jobs(items: list[dict[str, Any]], answer: Estimate) -> None:
    """What interruptions make of the job, on the options that have any."""
    from gpuadvisor.report.job_text import document as job

    for item, shown in zip(answer.items, items, strict=True):
        for option, entry in zip(item.options, shown["options"], strict=True):
            entry["spot_job"] = job(answer, item, option)


def _item(item: Item, currency: str) -> dict[str, Any]:
    return {
        "what": item.what,
        "place": item.place,
        "counted": item.counted,
        "provider": item.type.provider,
        "region": item.region,
        "instance_type": item.type.name,
        "instances": item.instances,
        "device": {
            "model": item.type.device,
            "per_instance": item.type.devices,
            "total": item.type.devices * item.instances,
            "used": item.used,
            "memory_gib": item.type.memory_gib,
            "partition": item.type.fraction,
        },
        "status": item.type.status,
        "retired_on": item.type.retired_on,
        "options": [_option(o, currency) for o in item.options],
        "notes": [_coded(note) for note in item.notes],
    }


def _option(o: EstimateOption, currency: str) -> dict[str, Any]:
    offer = o.offer
    return {
        "option": o.option,
        "term": o.term,
        "payment": o.payment,
        "class": o.cls,
        "available": o.available,
        "why_not": None if o.why_not is None else render(o.why_not),
        "price_per_hour": price(o.price_per_hour),
        "effective_per_hour": price(o.effective_per_hour, _MICRO),
        "published_per_hour": price(o.published_per_hour),
        "native_per_hour": None if offer is None or o.own else price_text(offer.price),
        "native_currency": None if offer is None else offer.currency,
        "monthly": _spread(o.monthly, currency),
        "period": _spread(o.period, currency),
        "job": _spread(o.job, currency),
        "finish_hours": None if o.finish_hours is None else o.finish_hours._asdict(),
        "saving_pct": None if o.saving is None else round(o.saving * 100, 2),
        "break_even_hours_per_month": (
            None if o.break_even_hours is None else round(o.break_even_hours, 2)
        ),
        "binds": None if o.binding is None else _binding(o.binding),
        "your_price": o.own,
        "source": None if offer is None else offer.source,
        "as_of": None if offer is None else offer.as_of,
        "confirmed_on": None if offer is None else offer.confirmed_on,
        "confidence": None if offer is None else offer.confidence,
        "age": o.age_level,
        "notes": [_coded(note) for note in o.notes],
    }


def _binding(b: Binding) -> dict[str, Any]:
    return {
        "what": b.binds,
        "scope": b.scope,
        "needs_reservation": b.needs_reservation,
        "reserves_capacity": b.reserves_capacity,
        "upfront": b.upfront,
        "cancellable": b.cancellable,
        "unused": b.unused,
        "max_days": b.max_days,
        "source": b.source,
    }


def price(value: Decimal | None, step: Decimal = _NANO) -> str | None:
    """A unit price as a decimal string, no finer than `step`."""
    if value is None:
        return None
    fine = value.quantize(step)
    return price_text(value if fine == value else fine)


def _spread(found: Spread | None, currency: str) -> dict[str, str] | None:
    if found is None:
        return None
    return {name: money_text(part, currency) for name, part in found._asdict().items()}


def _coded(text: Message) -> dict[str, str]:
    return {"code": text.id.partition(".")[2], "text": render(text)}
