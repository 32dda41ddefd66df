"""Serving over a day, and storage beside the machines: for people and for machines."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from gpuadvisor.advice.estimate_result import Estimate, Spread
from gpuadvisor.advice.serving import Serving, Stored, Way
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import money_text
from gpuadvisor.cost.storage import Line
from gpuadvisor.report.figures import coins
from gpuadvisor.report.messages import clauses, currency_word, listed, render
from gpuadvisor.report.text import pad, printable, width, wrap

COLD_AT_P99 = 0.01
"""Above this share of cold starts the 99th percentile is one (design notes F23)."""


def _t(id: str, /, **params: object) -> str:
    return render(message(f"serving.{id}", **params))


def text(answer: Estimate, columns: int) -> list[str]:
    """Sections of the answer, each after a blank line; nothing where nothing was asked."""
    lines: list[str] = []
    for serving in answer.serving:
        lines += ["", *_serving(answer, serving, columns)]
    for stored in answer.stored:
        lines += ["", *_stored(answer, stored, columns)]
    return lines


def _name(found: Serving | Stored) -> str:
    item = found.item
    count = "" if item.instances == 1 else f"{item.instances} x "
    return f"{count}{item.type.name}, {item.type.provider} {item.region}"


def _serving(answer: Estimate, found: Serving, columns: int) -> list[str]:
    head = _t(
        "head",
        what=_name(found),
        hours=f"{found.hours:,}",
        peak=f"{found.peak:g}",
        mean=f"{found.mean:.2f}",
        load=f"{found.load_factor:.2f}",
    )
    lines = wrap(printable(head), columns)
    for way in found.ways:
        amount = f"{coins(way.monthly.expected, answer.currency)} {currency_word(answer.currency)}"
        saving = "" if way.name == "static" else _t("saving", percent=f"{way.saving * 100:.1f}")
        lines += _row(way_name(found, way) + saving, amount, columns)
        notes = way_notes(way)
        lines += wrap(printable(clauses(notes)), columns, "      ")
    scaling = answer.request.serve.scaling if answer.request.serve else None
    if scaling is not None:
        told = _t(
            "assumed",
            warm=f"{scaling.warm * 100:g}",
            cooldown=f"{scaling.cooldown * 60:g}",
            boot=f"{scaling.boot * 60:g}",
            headroom=f"{found.headroom:g}",
        )
        lines += wrap(printable(told), columns, "  ")
    return lines


def way_name(found: Serving, way: Way) -> str:
    """A way to serve the curve, in words."""
    return _t(way.name, peak=way.fleet.peak, up=f"{(found.spot_up or 0) * 100:.1f}")


def way_notes(way: Way) -> list[str]:
    """Cold starts and unmet demand, where there are any."""
    notes = []
    if way.fleet.cold_share:
        notes.append(_t("cold", percent=f"{way.fleet.cold_share * 100:.2g}"))
    if way.fleet.cold_share > COLD_AT_P99:
        notes.append(_t("cold_p99"))
    if way.fleet.unmet_share:
        notes.append(_t("unmet", percent=f"{way.fleet.unmet_share * 100:.2g}"))
    return notes


def _stored(answer: Estimate, found: Stored, columns: int) -> list[str]:
    bill = found.bill
    head = _t("storage_head", what=_name(found), currency=answer.currency)
    lines = wrap(printable(head), columns)
    for line in bill.lines:
        amount = _t("unknown") if line.monthly is None else coins(line.monthly, answer.currency)
        lines += _row(storage_name(line), amount, columns)
    total = _t("unknown") if bill.monthly is None else coins(bill.monthly, answer.currency)
    lines += _row(_t("storage_total"), total, columns)
    if bill.kept is not None and bill.all_hot:
        saved = float(1 - bill.kept / bill.all_hot) * 100
        told = _t("all_hot", amount=coins(bill.all_hot, answer.currency), percent=f"{saved:.0f}")
        lines += wrap(printable(told), columns, "  ")
    if found.whole is not None:
        lines += _row(_t("whole"), coins(found.whole.expected, answer.currency), columns)
    return lines


def storage_name(line: Line) -> str:
    """What a line of storage or traffic is, with its size and product."""
    size = f"{line.gb / 1000:g} TB" if line.gb >= 1000 else f"{line.gb:g} GB"
    parts = [_t("storage_line", word=_t(f"word_{line.word}"), size=size)]
    if line.product is not None:
        parts.append(line.product)
    if line.note is not None and line.product is not None:
        parts.append(render(line.note))
    return listed(parts)


def _row(name: str, amount: str, columns: int) -> list[str]:
    wrapped = wrap(printable(name), columns - width(amount) - 2, "  ")
    wrapped[-1] = pad(wrapped[-1], columns - width(amount)) + amount
    return wrapped


def serving_document(found: Serving, currency: str) -> dict[str, Any]:
    """The machine form of the ways to serve a curve."""
    return {
        "what": found.item.what,
        "instance_type": found.item.type.name,
        "hours": found.hours,
        "peak_units": found.peak,
        "mean_units": round(found.mean, 4),
        "load_factor": round(found.load_factor, 4),
        "ways": [
            {
                "way": way.name,
                "unit_hours": round(way.fleet.instance_hours, 4),
                "peak_units": way.fleet.peak,
                "monthly": _spread(way.monthly, currency),
                "saving_pct": round(way.saving * 100, 2),
                "cold_share": round(way.fleet.cold_share, 6),
                "unmet_share": round(way.fleet.unmet_share, 6),
            }
            for way in found.ways
        ],
    }


def stored_document(found: Stored, currency: str) -> dict[str, Any]:
    """The machine form of storage and traffic; an unknown amount is null."""
    bill = found.bill

    def money(amount: Decimal | None) -> str | None:
        return None if amount is None else money_text(amount, currency)

    return {
        "what": found.item.what,
        "provider": found.item.type.provider,
        "region": found.item.region,
        "lines": [
            {
                "kind": line.word,
                "gb": line.gb,
                "product": line.product,
                "monthly": money(line.monthly),
                "source": line.source,
                "note": None if line.note is None else render(line.note),
            }
            for line in bill.lines
        ],
        "monthly": money(bill.monthly),
        "kept_monthly": money(bill.kept),
        "all_hot_monthly": money(bill.all_hot),
        "whole_bill": None if found.whole is None else _spread(found.whole, currency),
    }


def _spread(found: Spread, currency: str) -> dict[str, str]:
    return {name: money_text(part, currency) for name, part in found._asdict().items()}
