"""`catalog diff` in every format: what moved most, what is new, what is gone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from gpuadvisor.catalog.diff import Change, Diff, Tally
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import ON_DEMAND, PURCHASE_OPTIONS, SPOT, Offer
from gpuadvisor.cost.money import price_text
from gpuadvisor.report.document import envelope
from gpuadvisor.report.messages import clauses, listed, render, word
from gpuadvisor.report.table import as_columns, as_csv, as_markdown, markdown_safe
from gpuadvisor.report.text import printable, wrap

CSV_COLUMNS = (
    "change", "instance_type", "region", "option", "term", "class", "payment", "before", "after",
    "change_pct", "comparable", "currency",
)  # fmt: skip


def report(found: Diff, format: str, today: str | None, top: int, columns: int) -> str:
    """The whole answer; `top` limits the movers of the table and of Markdown."""
    if format == "json":
        return json.dumps(document(found, today), ensure_ascii=False, indent=2)
    if format == "csv":
        return as_csv(CSV_COLUMNS, _rows(found))
    if format == "markdown":
        return markdown(found, top)
    return _text(found, top, columns)


def _t(id: str, /, **params: object) -> str:
    return render(message(f"catalog_diff.{id}", **params))


# -- json and csv ------------------------------------------------------------------------------


def document(found: Diff, today: str | None) -> dict[str, Any]:
    """The document of the design's `catalog diff`; prices per hour in `currency`."""
    answer = envelope("catalog-diff", found.currency, today, (found.before, found.after))
    answer["provider"] = found.provider
    answer["before"] = {"version": found.before.version, "as_of": found.before.as_of}
    answer["after"] = {"version": found.after.version, "as_of": found.after.as_of}
    answer["changes"] = [_change(c) for c in found.changes]
    answer["unchanged"] = found.unchanged
    answer["added"] = [_offer(o) for o in found.added]
    answer["removed"] = [_offer(o) for o in found.removed]
    answer["added_types"] = list(found.added_types)
    answer["removed_types"] = list(found.removed_types)
    answer["by_family"] = [_tally("family", t) for t in found.by_family]
    answer["by_region"] = [_tally("region", t) for t in found.by_region]
    return answer


def _place(offer: Offer) -> dict[str, Any]:
    return {
        "instance_type": offer.instance_type,
        "region": offer.region,
        "option": offer.option,
        "term": offer.term,
        "class": offer.cls,
        "payment": offer.payment,
    }


def _change(c: Change) -> dict[str, Any]:
    return {
        **_place(c.after),
        "before": price_text(c.before.price),
        "after": price_text(c.after.price),
        "change_pct": round(c.pct, 2),
        "comparable": c.comparable,
        "source_before": c.before.source,
        "source_after": c.after.source,
    }


def _offer(o: Offer) -> dict[str, Any]:
    return {**_place(o), "price_per_hour": price_text(o.price), "source": o.source}


def _tally(name: str, t: Tally) -> dict[str, Any]:
    return {
        name: t.name,
        "option": t.option,
        "changed": t.changed,
        "same": t.same,
        "added": t.added,
        "removed": t.removed,
        "least_pct": None if t.least is None else round(t.least, 2),
        "most_pct": None if t.most is None else round(t.most, 2),
    }


def _rows(found: Diff) -> list[list[str]]:
    rows = []
    for c in found.changes:
        before, after = price_text(c.before.price), price_text(c.after.price)
        comparable = "true" if c.comparable else "false"
        figures = [before, after, f"{c.pct:.2f}", comparable, found.currency]
        rows.append(["changed", *_words(c.after), *figures])
    for o in found.added:
        rows.append(["added", *_words(o), "", price_text(o.price), "", "", found.currency])
    for o in found.removed:
        rows.append(["removed", *_words(o), price_text(o.price), "", "", "", found.currency])
    return rows


def _words(o: Offer) -> list[str]:
    return [o.instance_type, o.region, o.option, o.term or "", o.cls or "", o.payment or ""]


# -- for people --------------------------------------------------------------------------------


def headline(found: Diff) -> str:
    """The difference in one sentence: prices on demand, then types."""
    counts = [t for t in found.by_family if t.option == ON_DEMAND]
    return _t(
        "headline",
        before=f"{found.provider} {found.before.version}",
        after=found.after.version,
        changed=f"{sum(t.changed for t in counts):,}",
        same=f"{sum(t.same for t in counts):,}",
        added=len(found.added_types),
        removed=len(found.removed_types),
    )


def _text(found: Diff, top: int, columns: int) -> str:
    lines = wrap(printable(headline(found)), columns)
    lines += wrap(_dates(found), columns)
    movers = movers_table(found, top, columns)
    if movers:
        lines += ["", *movers]
    for option in PURCHASE_OPTIONS:
        tallies = [t for t in found.by_family if t.option == option]
        if tallies:
            lines += ["", *_families(option, tallies, columns)]
    regions = [t for t in found.by_region if t.option == ON_DEMAND]
    if regions:
        body = clauses(f"{t.name} {t.changed}/{t.same}/{t.added}/{t.removed}" for t in regions)
        lines += ["", *wrap(printable(_t("regions", body=body)), columns)]
    for name, types in (("new", found.added_types), ("gone", found.removed_types)):
        if types:
            lines += ["", *wrap(printable(_t(name, types=listed(types))), columns)]
    strange = sum(not c.comparable for c in found.changes)
    if strange:
        lines += ["", *wrap(_t("incomparable", count=strange), columns)]
    return "\n".join(lines)


_MOVER = ("type", "option", "region", "before", "after", "change")


def movers_table(found: Diff, top: int, columns: int, *, all_options: bool = False) -> list[str]:
    """The largest changes under their title; spot among them where `all_options`."""
    movers = _movers(found, all_options)
    if not movers:
        return []
    rows = [_mover(found, group) for group in movers[:top]]
    return [_movers_title(movers, top), as_columns(_headers(*_MOVER), rows, (3, 4), columns)]


def _movers_title(movers: Sequence[object], top: int) -> str:
    return _t("movers", shown=min(top, len(movers)), all=len(movers))


def _dates(found: Diff) -> str:
    return _t("dates", before=found.before.as_of, after=found.after.as_of, currency=found.currency)


def _headers(*names: str) -> list[str]:
    return [_t(f"col_{name}") for name in names]


def _movers(found: Diff, all_options: bool = False) -> list[list[Change]]:
    """Changes of one type on one option over its regions, the largest first.

    Spot moves every day: it has its own table, and stands here only when nothing else moved.
    """
    steady = [c for c in found.changes if c.after.option != SPOT and not all_options]
    groups: dict[tuple[str, str], list[Change]] = {}
    for change in steady or [c for c in found.changes if c.comparable]:
        groups.setdefault((change.after.instance_type, terms(change.after)), []).append(change)
    return list(groups.values())


def _mover(found: Diff, group: Sequence[Change]) -> list[str]:
    """One region's prices stand for the group, the reference region's where it is in it."""
    shown = next((c for c in group if c.after.region == found.reference), group[0])
    others = len(group) - 1
    region = shown.after.region
    return [
        shown.after.instance_type,
        terms(shown.after),
        _t("and_regions", region=region, count=others) if others else region,
        price_text(shown.before.price),
        price_text(shown.after.price),
        _span([c.pct for c in group]),
    ]


def terms(o: Offer) -> str:
    """Option, term and class of an offer in words: `reserved 3y standard`."""
    words = (word(o.option), word(o.term or ""), word(o.cls or ""))
    return " ".join(part for part in words if part)


def percent(value: float) -> str:
    """`-44.0 %`, `+15.2 %`."""
    return f"{value:+.1f} %"


def _families(option: str, tallies: Sequence[Tally], columns: int) -> list[str]:
    """Every family on demand; of other options those that moved, and one line for the rest."""
    title = _t("families", option=word(option))
    shown = [t for t in tallies if option == ON_DEMAND or t.changed]
    rest = [t for t in tallies if t not in shown]
    lines = [title]
    if shown:
        headers = _headers("family", "changed", "same", "added", "removed", "change")
        rows = [
            [t.name, _count(t.changed), _count(t.same), _count(t.added), _count(t.removed),
             _moved(t)]
            for t in shown
        ]  # fmt: skip
        lines.append(as_columns(headers, rows, (1, 2, 3, 4), columns))
    if rest:
        lines.append(
            _t(
                "rest" if shown else "rest_all",
                families=len(rest),
                same=f"{sum(t.same for t in rest):,}",
                added=f"{sum(t.added for t in rest):,}",
                removed=f"{sum(t.removed for t in rest):,}",
            )
        )
    return lines


def _count(number: int) -> str:
    return f"{number:,}" if number else "-"


def _moved(t: Tally) -> str:
    if t.least is None or t.most is None:
        return _t("unchanged") if t.same and not t.changed else ""
    return _span([t.least, t.most])


def _span(values: Sequence[float]) -> str:
    least, most = percent(min(values)), percent(max(values))
    return least if least == most else _t("range", least=least, most=most)


def markdown(found: Diff, top: int) -> str:
    """For a pull request: the sentence and the movers in sight, the counts folded away."""
    groups = _movers(found)
    parts = [f"**{markdown_safe(headline(found))}**", markdown_safe(_dates(found))]
    if groups:
        movers = [_mover(found, group) for group in groups[:top]]
        parts.append(markdown_safe(_movers_title(groups, top)))
        parts.append(as_markdown(_headers(*_MOVER), movers, (3, 4)))
    for name, types in (("new", found.added_types), ("gone", found.removed_types)):
        if types:
            parts.append(markdown_safe(_t(name, types=listed(types))))
    counts = ("changed", "same", "added", "removed", "change")
    families = [[t.name, word(t.option), *_counts(t)] for t in found.by_family]
    regions = [[t.name, *_counts(t)] for t in found.by_region if t.option == ON_DEMAND]
    parts += _folded("by_family", _headers("family", "option", *counts), families, (2, 3, 4, 5))
    parts += _folded("by_region", _headers("region", *counts), regions, (1, 2, 3, 4))
    strange = sum(not c.comparable for c in found.changes)
    if strange:
        parts.append(markdown_safe(_t("incomparable", count=strange)))
    return "\n\n".join(parts)


def _counts(t: Tally) -> list[str]:
    figures = (t.changed, t.same, t.added, t.removed)
    return [*map(_count, figures), _moved(t)]


def _folded(
    id: str, headers: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int]
) -> list[str]:
    """A table under a line that opens it; GitHub and GitLab want blank lines around it."""
    if not rows:
        return []
    summary = f"<details><summary>{markdown_safe(_t(id))}</summary>"
    return [summary, as_markdown(headers, rows, numeric), "</details>"]
