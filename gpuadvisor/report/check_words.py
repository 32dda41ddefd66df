"""Wording of a check that its table, Markdown and GitHub forms share; reads the JSON document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import format_money
from gpuadvisor.report.messages import aside, clauses, currency_word, listed, render

Document = Mapping[str, Any]

INDEX = re.compile(r"\[[^\[\]]*\]$")


MOST_CHARACTERS = 300
"""Of one name: addresses come from strangers and have no bound of their own."""


def clip(text: str) -> str:
    """A name cut to a length that leaves room for others."""
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"


def say(id: str, **params: object) -> str:
    """A text of this area."""
    return render(message(f"check.{id}", **params))


def money(value: str | Decimal, currency: str, signed: bool = False) -> str:
    """`$12,340.50`, `+$384`, `-500 EUR`: cents only where there are any."""
    amount = Decimal(value)
    sign = "-" if amount < 0 else "+" if signed else ""
    if currency == "USD":
        return f"{sign}${format_money(abs(amount), currency).removesuffix(' USD')}"
    number = format_money(abs(amount), currency).removesuffix(f" {currency}")
    return f"{sign}{number} {currency_word(currency)}"


def named(name: str, text: str) -> str:
    """`address: what is said of it`, or the text alone."""
    return say("named", name=name, text=text) if name else text


def ending(doc: Document) -> str:
    """Cost an hour of work that ends, or nothing."""
    hourly = Decimal(doc["summary"]["ending_hourly"])
    return say("ending", price=money_hour(str(hourly), doc["currency"])) if hourly else ""


def headline(doc: Document) -> str:
    """The answer as one line: planned and maximum change, and what is missing."""
    summary, currency = doc["summary"], doc["currency"]
    if not doc["findings"]:
        return say("headline_nothing", examined=summary["examined"])
    missing = "".join(
        say(f"headline_{name}", **{name: summary[name]})
        for name in ("unpriced", "unknown", "unbounded")
        if summary[name]
    )
    as_of = summary["prices_as_of"]
    moved = [f for f in doc["findings"] if f["changed"]]
    if moved and all(
        f["status"] in ("unpriced", "unknown") and f["monthly_after"] is None for f in moved
    ):
        # "+$0" would read as "no cost".
        return say("headline_unknown_cost", changed=summary["changed"], missing=missing)
    return say(
        "headline",
        delta=money(summary["delta"], currency, True),
        delta_max=money(summary["delta_max"], currency, True),
        changed=summary["changed"],
        missing=ending(doc) + missing,
        asof=say("headline_as_of", date=as_of) if as_of else "",
    )


def level(doc: Document) -> str:
    """The total before and after, not only the change."""
    summary, currency = doc["summary"], doc["currency"]
    span = summary["total_after_range"]
    wide = span["low"] != summary["total_after"] or span["high"] != summary["total_after"]
    shown = (
        say("level_range", low=money(span["low"], currency), high=money(span["high"], currency))
        if wide
        else ""
    )
    return say(
        "level",
        before=money(summary["total_before"], currency),
        after=money(summary["total_after"], currency),
        maximum=money(summary["total_max"], currency),
        range=shown,
    )


def money_hour(value: str, currency: str) -> str:
    """A price of an hour with the digits it has: `$0.526/h`."""
    number = f"{Decimal(value):,f}"
    return say("per_hour", money=f"${number}" if currency == "USD" else f"{number} {currency}")


def missing(doc: Document) -> list[tuple[str, str]]:
    """(address, why) of everything that is not in the totals; never folded away."""
    found: dict[tuple[str, str], int] = {}
    for finding in doc["findings"]:
        if finding["status"] in ("unpriced", "unknown"):
            address = clip(INDEX.sub("[*]", finding["address"]))
            why = clauses(finding["reasons"]) or say(f"{finding['status']}_word")
            found[address, why] = found.get((address, why), 0) + 1
    return [
        (address if number == 1 else f"{address} ({number})", why)
        for (address, why), number in found.items()
    ]


def explained(doc: Document) -> list[tuple[str, str]]:
    """(address, reason) of priced rows that something was assumed about."""
    found: dict[str, dict[str, int]] = {}
    for finding in doc["findings"]:
        if finding["status"] in ("priced", "covered"):
            address = clip(INDEX.sub("[*]", finding["address"]))
            for reason in finding["reasons"]:
                held = found.setdefault(reason, {})
                held[address] = held.get(address, 0) + 1
    rows = []
    for reason, addresses in found.items():
        names = list(addresses)
        shown = listed(names[:3])
        if len(names) > 3:
            shown = listed((shown, f"… ({len(names)})"))
        rows.append((shown, reason))
    return rows


def suggestions(doc: Document) -> Iterable[str]:
    """The cheaper ways, each with its catch."""
    for item in doc["suggestions"]:
        yield say(
            "suggestion",
            address=clip(item["address"]),
            change=item["change"],
            saving=money(item["saving"], doc["currency"]),
            catch=item["catch"],
        )


def verdicts(doc: Document) -> list[tuple[Document, str]]:
    """(verdict, place) with failures first; one that holds for several instances stands once."""
    groups: dict[tuple[object, ...], tuple[Document, list[str]]] = {}
    for verdict in sorted(doc["policy"], key=lambda v: (v["passed"], v["level"] != "fail")):
        address = clip(INDEX.sub("[*]", verdict["address"] or ""))
        key = (verdict["rule"], verdict["level"], verdict["passed"], verdict["message"], address)
        groups.setdefault(key, (verdict, []))[1].append(address)
    return [
        (verdict, places[0] if len(places) == 1 else f"{places[0]} ({len(places)})")
        for verdict, places in groups.values()
    ]


def verdict_word(verdict: Document) -> str:
    """`passed`, `warning` or `FAILED`."""
    if verdict["passed"]:
        return say("verdict_passed")
    return say("verdict_fail" if verdict["level"] == "fail" else "verdict_warn")


def result(doc: Document) -> str:
    """The verdict of the whole in one line."""
    code = doc["exit_code"]
    if code == 0:
        failed = any(not v["passed"] and v["level"] == "fail" for v in doc["policy"])
        return say("result_zero" if failed else "result_passed")
    return say("result_incomplete" if code == 4 else "result_failed")


def catalogs(doc: Document) -> str:
    """Versions of the prices in use."""
    shown = listed(f"{c['name']} {c['version']}" + aside(c["as_of"]) for c in doc["catalogs"])
    return say("catalogs", catalogs=shown) if shown else ""


def projects(doc: Document) -> Iterable[str]:
    """Subtotals of `--project`."""
    currency = doc["currency"]
    for item in doc["projects"]:
        yield say(
            "project_line",
            name=item["name"] or say("other_project"),
            delta=money(item["delta"], currency, True),
            before=money(item["total_before"], currency),
            after=money(item["total_after"], currency),
            delta_max=money(item["delta_max"], currency, True),
        )
