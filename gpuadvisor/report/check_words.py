"""Wording of a check that its table, Markdown and GitHub forms share; reads the JSON document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import format_money
from gpuadvisor.report.messages import render

Document = Mapping[str, Any]

SYMBOLS = {
    "create": "+",
    "declared": "+",
    "delete": "-",
    "update": "~",
    "replace": "-/+",
    "no-op": "=",
    "forget": "!",
    "deferred": "?",
}
_HOURLY = {
    "monthly_before": "hourly_before", "monthly_after": "hourly_after", "delta": "hourly_after",
}  # fmt: skip
_INDEX = re.compile(r"\[[^\[\]]*\]$")


class Line(NamedTuple):
    """One row as people read it; several instances of one resource are one line."""

    symbol: str
    address: str
    what: str
    accelerator: str
    counts: str
    terms: str
    region: str
    before: str
    after: str
    delta: str
    most: str
    price: str
    members: Sequence[Document]
    moved: bool


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
    return f"{sign}{format_money(abs(amount), currency)}"


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
    if moved and all(f["status"] in ("unpriced", "unknown") for f in moved):
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


def lines(doc: Document) -> list[Line]:
    """One line a resource, in the document's order; instances of a `for_each` that are alike in
    type, terms and place are one."""
    groups: dict[tuple[object, ...], list[Document]] = {}
    for finding in doc["findings"]:
        groups.setdefault(_key(finding), []).append(finding)
    return [_line(members, doc["currency"]) for members in groups.values()]


MOST_UNCHANGED = 10


def shown(doc: Document) -> tuple[list[Line], str]:
    """(lines, what stands unchanged besides): changed ones first, few of those that stay."""
    every = lines(doc)
    moved = [line for line in every if line.moved]
    still = [line for line in every if not line.moved]
    if len(still) <= MOST_UNCHANGED:
        return moved + still, ""
    members = [m for line in still for m in line.members]
    total = sum((Decimal(m["monthly_after"] or 0) for m in members), Decimal(0))
    text = say("unchanged", count=len(members), total=money(total, doc["currency"]))
    return moved, text


def _key(finding: Document) -> tuple[object, ...]:
    stem = _INDEX.sub("[*]", finding["address"])
    if stem == finding["address"]:
        return (finding["file"], stem)
    return (
        finding["file"], stem, finding["type"], finding["purchase"], finding["region"],
        finding["action"], finding["changed"], finding["status"],
    )  # fmt: skip


def _line(members: Sequence[Document], currency: str) -> Line:
    first = members[0]
    address = clip(first["address"])
    if len(members) > 1:
        address = f"{clip(_INDEX.sub('[*]', first['address']))} ({len(members)})"
    type_ = clip(first["type"])
    old = first["type_before"]
    if old is not None and old != first["type"] and first["action"] != "delete":
        type_ = f"{clip(old)} → {type_}"
    accelerator = _accelerator(first, "")
    if first["count_unit"] == "pods":
        device = first["device"]
        type_ = say("pods") if type_ == device else f"{say('pods')} {type_}"
    elif old is not None:
        before = _accelerator(first, "_before")
        accelerator = accelerator if before == accelerator else f"{before} → {accelerator}"
    status = first["status"]
    covered = status == "covered"
    price = first["price"]
    shown = ""
    if price is not None and not covered:
        shown = f"{money_hour(price['per_hour'], currency)}"
        if price["on_demand_per_hour"] is not None:
            shown += f" (on demand {money_hour(price['on_demand_per_hour'], currency)})"
    return Line(
        symbol=SYMBOLS.get(first["action"], "~"),
        address=address,
        what=type_,
        accelerator=accelerator,
        counts=_moved_counts(members),
        terms=first["purchase"].replace("_", " "),
        region=first["region"] or say("unknown_word"),
        before=_sum(members, "monthly_before", currency, False),
        after=say("covered_word") if covered else _sum(members, "monthly_after", currency, False),
        delta=say("covered_word") if covered else _sum(members, "delta", currency, True),
        most=_most(members, currency),
        price=shown,
        members=members,
        moved=any(m["changed"] for m in members),
    )


def _accelerator(finding: Document, side: str) -> str:
    """`4 x L40S`, `1/8 x L4`, `1 x A100-40GB-SXM 1g.5gb`."""
    each = finding[f"devices_per_node{side}"]
    several = "" if side else " | ".join(finding["device_candidates"][:4])
    name = clip(finding[f"device{side}"] or several or say("unknown_word"))
    shown = name if each is None else f"{_share(each)} x {name}"
    return f"{shown} {clip(finding['partition'])}" if finding["partition"] else shown


def money_hour(value: str, currency: str) -> str:
    """A price of an hour with the digits it has: `$0.526/h`."""
    number = f"{Decimal(value):,f}"
    return f"${number}/h" if currency == "USD" else f"{number} {currency}/h"


def _share(each: float) -> str:
    return f"{each:g}" if each >= 1 or each == 0 else f"1/{round(1 / each)}"


def _moved_counts(members: Sequence[Document]) -> str:
    """`1 → 3` where the planned count moves."""
    now = _counts(members)
    before = [m["count_before"] for m in members]
    planned = [m["count"]["planned"] for m in members]
    if None in before or None in planned or sum(before) == sum(planned):
        return now
    return f"{sum(before)} → {now}"


def _counts(members: Sequence[Document]) -> str:
    """`4`, or `0/1/4` for min/planned/max where they differ; `?` is unknown."""
    bounds = []
    for name in ("min", "planned", "max"):
        values = [m["count"][name] for m in members]
        bounds.append("?" if None in values else str(sum(values)))
    return bounds[0] if len(set(bounds)) == 1 else "/".join(bounds)


def _sum(members: Sequence[Document], key: str, currency: str, signed: bool) -> str:
    values = [m[key] for m in members]
    if members[0]["ends"] and key in _HOURLY:
        hourly = [m[_HOURLY[key]] for m in members]
        if None not in hourly:
            total = sum((Decimal(v) for v in hourly), Decimal(0))
            return say("while_running", price=money_hour(str(total), currency))
    if None in values:
        word = "unpriced_word" if members[0]["status"] == "unpriced" else "unknown_word"
        return say(word)
    return money(sum((Decimal(v) for v in values), Decimal(0)), currency, signed)


def _most(members: Sequence[Document], currency: str) -> str:
    if members[0]["status"] == "covered":
        return ""
    if members[0]["ends"]:
        return ""
    figures = [(m["monthly_max"], m["monthly_after"]) for m in members]
    if all(most is not None and after is not None for most, after in figures) and all(
        Decimal(most) == 0 < Decimal(after) for most, after in figures
    ):
        # Pods on a pool: the pool's row has the maximum.
        return ""
    if any(m["count"]["max"] is None for m in members):
        return say("open_word")
    return _sum(members, "monthly_max", currency, False)


def missing(doc: Document) -> list[tuple[str, str]]:
    """(address, why) of everything that is not in the totals; never folded away."""
    found: dict[tuple[str, str], int] = {}
    for finding in doc["findings"]:
        if finding["status"] in ("unpriced", "unknown"):
            address = clip(_INDEX.sub("[*]", finding["address"]))
            why = "; ".join(finding["reasons"]) or say(f"{finding['status']}_word")
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
            address = clip(_INDEX.sub("[*]", finding["address"]))
            for reason in finding["reasons"]:
                held = found.setdefault(reason, {})
                held[address] = held.get(address, 0) + 1
    rows = []
    for reason, addresses in found.items():
        names = list(addresses)
        shown = ", ".join(names[:3])
        if len(names) > 3:
            shown += f", … ({len(names)})"
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
        address = clip(_INDEX.sub("[*]", verdict["address"] or ""))
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
    shown = ", ".join(f"{c['name']} {c['version']} ({c['as_of']})" for c in doc["catalogs"])
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
