"""The keys that every machine-readable document starts with."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

from gpuadvisor.catalog.message import Message
from gpuadvisor.catalog.store import PriceVersion
from gpuadvisor.cost.money import price_text
from gpuadvisor.report.messages import render


def envelope(
    name: str,
    currency: str,
    today: str | None,
    versions: Iterable[PriceVersion],
    assumptions: Sequence[Message] = (),
    warnings: Sequence[Message] = (),
) -> dict[str, Any]:
    """`schema, currency, today, catalogs, assumptions, warnings`; keys are added, never renamed."""
    return {
        "schema": f"gpuadvisor/{name}/1",
        "currency": currency,
        "today": today or utc_today(),
        "catalogs": [
            {"name": v.provider, "version": v.version, "as_of": v.as_of} for v in versions
        ],
        "assumptions": [render(text) for text in assumptions],
        "warnings": [{"code": w.id.partition(".")[2], "text": render(w)} for w in warnings],
    }


def exchange(quotes: Iterable[Any]) -> list[dict[str, Any]]:
    """The rates used (`cost.exchange.Quote`), with their days."""
    return [
        {"base": q.base, "quote": q.quote, "rate": price_text(q.rate), "date": q.date}
        for q in quotes
    ]


def utc_today() -> str:
    """The system's date in UTC; every answer prints the date it was made for."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()
