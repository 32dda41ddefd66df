"""The resources of a check as lines that people read: symbols, counts, figures, prices."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.report.check_words import INDEX, Document, clip, money, money_hour, say
from gpuadvisor.report.messages import aside, word

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


def lines(doc: Document) -> list[Line]:
    """One line a resource, in the document's order; instances of a `for_each` that are alike in
    type, terms and place are one."""
    groups: dict[tuple[object, ...], list[Document]] = {}
    for finding in doc["findings"]:
        groups.setdefault(_key(finding), []).append(finding)
    return [_line(members, doc["currency"]) for members in groups.values()]


MOST_UNCHANGED = 10


def shown_lines(doc: Document) -> tuple[list[Line], str]:
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
    stem = INDEX.sub("[*]", finding["address"])
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
        address = f"{clip(INDEX.sub('[*]', first['address']))} ({len(members)})"
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
            on_demand = money_hour(price["on_demand_per_hour"], currency)
            shown += aside(say("on_demand_price", price=on_demand))
    return Line(
        symbol=SYMBOLS.get(first["action"], "~"),
        address=address,
        what=type_,
        accelerator=accelerator,
        counts=_moved_counts(members),
        terms=word(first["purchase"]),
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
