"""What goes into `FILE.internal.json`: costs, margin, sources, and how to make the quote again."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.quote_result import Answer, CostLine
from gpuadvisor.catalog.errors import AdvisorError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.money import money_text, price_text, rounded
from gpuadvisor.report.messages import render
from gpuadvisor.report.quote_words import percent

_SWITCHES = frozenset({"batched", "interruptible"})
"""Flags with an opposite, `--no-…`."""


def document(
    answer: Answer,
    catalog: Catalog,
    overlays: Sequence[str],
    written: Mapping[str, str],
    language: Sequence[str],
) -> dict[str, Any]:
    """The seller's half. `written` are name, format and SHA-256 of the customer's file, `language`
    the flag that it was made in, where one matters."""
    quote, internal = answer.quote, answer.internal
    cost = sum((line.cost for line in internal.lines), Decimal(0))
    return {
        "schema": "gpuadvisor/quote-internal/1",
        "number": quote.number,
        "today": quote.today,
        "currency": quote.currency,
        "customer_file": dict(written),
        "markup_pct": percent(internal.markup),
        "discounts_pct": {name: percent(share) for name, share in internal.discounts},
        "lines": [_line(quote.currency, catalog, line) for line in internal.lines],
        "cost_of_all_lines": money_text(cost, quote.currency),
        "remarks": [render(remark) for remark in internal.remarks],
        "catalogs": [
            {
                "name": v.provider,
                "version": v.version,
                "as_of": v.as_of,
                "overlay": not catalog.is_shipped(v),
            }
            for v in internal.versions
        ],
        "overlays": list(overlays),
        "request": {name: _plain(value) for name, value in internal.fields.items()},
        "command": command(answer, catalog, overlays, written["format"], language),
    }


def command(
    answer: Answer,
    catalog: Catalog,
    overlays: Sequence[str],
    format: str,
    language: Sequence[str] = (),
) -> str:
    """The command line that makes the same quote again: same prices, same day, same language."""
    internal = answer.internal
    words = ["gpuadvisor", "quote"]
    what = internal.fields.get("what", ())
    words += [what] if isinstance(what, str) else list(what)
    for name, value in internal.fields.items():
        if name not in ("what", "today"):
            words += _flag(name, value)
    for folder in overlays:
        words += ["--catalog", folder]
    for version in internal.versions:
        if catalog.is_shipped(version):
            words += ["--catalog-version", f"{version.provider}={version.version}"]
    words += ["--today", answer.quote.today, "--format", format, *language]
    return shlex.join(words)


def _flag(name: str, value: Any) -> Iterable[str]:
    flag = "--" + name.replace("_", "-")
    if isinstance(value, bool):
        if value or name in _SWITCHES:
            yield flag if value else "--no-" + flag[2:]
        return
    values = value if isinstance(value, list | tuple) else [value]
    for each in values:
        yield from (flag, str(each))


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [str(each) for each in value]
    return value if isinstance(value, bool | int | float | str) else str(value)


def _line(currency: str, catalog: Catalog, line: CostLine) -> dict[str, Any]:
    cost = rounded(line.cost, currency)
    margin = line.amount - cost
    return {
        "proposal": line.proposal,
        "instance_type": line.instance_type,
        "region": line.region,
        "option": line.option,
        "term": line.term,
        "count": f"{line.instances.normalize():f}",
        "hours": line.hours,
        "cost_per_hour": price_text(line.unit_cost),
        "cost": money_text(cost, currency),
        "price": money_text(line.amount, currency),
        "margin": money_text(margin, currency),
        "margin_pct": f"{margin / line.amount * 100:.2f}" if line.amount else None,
        "your_price": line.own,
        "published_per_hour": None if line.own else price_text(line.listed),
        "published_currency": line.listed_currency,
        "source": _source(catalog, line.key),
        "as_of": line.as_of,
        "confirmed_on": line.confirmed_on,
        "confidence": line.confidence,
        "stale": line.stale,
    }


def _source(catalog: Catalog, key: str) -> dict[str, str | None]:
    try:
        found = catalog.source(key)
    except (KeyError, AdvisorError):
        return {"key": key, "title": None, "address": None}
    return {"key": key, "title": found.title, "address": found.address}
