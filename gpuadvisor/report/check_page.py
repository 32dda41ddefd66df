"""A check as a page: what the change costs, resource by resource, what is missing, the policy.

Built from the JSON document, as every form of a check is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from gpuadvisor.report import check_words
from gpuadvisor.report.check_lines import Line, lines
from gpuadvisor.report.check_words import Document, named, say
from gpuadvisor.report.page import (
    CHOSEN,
    MUTED,
    PLAIN,
    TOTAL,
    Bar,
    BarChart,
    Block,
    CatalogVersion,
    Cell,
    Column,
    Date,
    Fact,
    Items,
    Money,
    Page,
    Paragraph,
    Row,
    Section,
    Source,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_build import footer, language, total_of
from gpuadvisor.report.page_cells import words

MOST_BARS = 15
MOST_VERDICTS = 200


def page(doc: Document) -> Page:
    """The whole report."""
    summary = doc["summary"]
    facts = [
        Fact(words("result"), Text(check_words.result(doc), strong=True)),
        Fact(words("changed"), Text(f"{summary['changed']:,}")),
        Fact(words("currency"), Text(doc["currency"])),
        Fact(words("hours"), Text(words("hours_value", hours=f"{doc['hours_per_month']:g}"))),
        Fact(words("as_of"), Date(doc["today"])),
    ]
    read = say("examined", examined=summary["examined"], skipped=summary["without_accelerators"])
    return Page(
        title=words("check_title"),
        lead=check_words.headline(doc),
        today=doc["today"],
        sections=tuple(_sections(doc)),
        facts=tuple(facts),
        warnings=tuple(w["text"] for w in doc["warnings"]),
        assumptions=tuple(doc["assumptions"]) if doc["findings"] else (),
        sources=_sources(doc),
        catalogs=tuple(
            CatalogVersion(c["name"], c["version"], c["as_of"]) for c in doc["catalogs"]
        ),
        footer=(read, *footer(doc["today"])),
        language=language(),
    )


def _sources(doc: Document) -> tuple[Source, ...]:
    """The ids that prices cite, with their dates; a check does not open the catalogs again."""
    found: dict[str, tuple[str, str]] = {}
    for finding in doc["findings"]:
        price = finding["price"]
        if price is not None and not price["yours"] and price["source"]:
            confidence = words(f"confidence_{price['confidence']}")
            found.setdefault(price["source"], (price["as_of"] or "", confidence))
    return tuple(Source(key, key, "", as_of, told) for key, (as_of, told) in found.items())


def _sections(doc: Document) -> Iterator[Section]:
    rows = lines(doc)
    if rows:
        blocks: list[Block] = [Paragraph(check_words.level(doc)), _resources(doc, rows)]
        chart = _chart(doc, rows)
        if chart is not None:
            blocks.append(chart)
        yield Section("resources", words("resources"), tuple(blocks))
    for id, title, found in (
        ("missing", "title_missing", check_words.missing(doc)),
        ("reasons", "title_why", check_words.explained(doc)),
        (
            "notes",
            "title_notes",
            [(n["address"] or n["file"], n["text"]) for n in doc["notes"]],
        ),
    ):
        if found:
            texts = tuple(named(name, why) for name, why in found)
            yield Section(id, say(title), (Items(texts),))
    for id, title, told in (
        ("projects", "title_projects", check_words.projects(doc)),
        ("suggestions", "title_suggestions", check_words.suggestions(doc)),
    ):
        items = tuple(told)
        if items:
            yield Section(id, say(title), (Items(items),))
    yield Section("policy", say("title_policy"), tuple(_policy(doc)))


# -- resources -----------------------------------------------------------------------------------


def _resources(doc: Document, rows: Sequence[Line]) -> Table:
    ordered = sorted(rows, key=lambda line: not line.moved)
    body = [_row(doc, line) for line in ordered]
    summary, currency = doc["summary"], doc["currency"]
    amounts = []
    for column, key in (("before", "total_before"), ("after", "total_after"), ("delta", "delta")):
        counted = [n for n, line in enumerate(ordered) if _sum(line, _KEYS[column]) is not None]
        amount = Decimal(summary[key])
        parts = [_sum(ordered[n], _KEYS[column]) or Decimal(0) for n in counted]
        live = total_of(column, counted, currency) if counted and sum(parts) == amount else None
        amounts.append(Money(amount, currency, live))
    most = Money(Decimal(summary["total_max"]), currency)
    empty = Text("")
    body.append(Row((Text(words("total")), empty, empty, *amounts, most), TOTAL))
    columns = (
        Column("resource", words("column_resource")),
        Column("what", words("column_what")),
        Column("terms", words("column_terms")),
        Column("before", words("column_before"), figures=True),
        Column("after", words("column_after"), figures=True),
        Column("delta", words("column_delta"), figures=True),
        Column("most", words("column_most"), figures=True),
    )
    caption = words("resources_caption")
    return Table("resources", caption, columns, tuple(body), words("resources"))


_KEYS = {"before": "monthly_before", "after": "monthly_after", "delta": "delta"}


def _row(doc: Document, line: Line) -> Row:
    currency = doc["currency"]
    cells: tuple[Cell, ...] = (
        Text(line.address, strong=line.moved, detail=_action(line)),
        Text(f"{line.counts} x {line.what}", detail=line.accelerator),
        Text(line.terms, detail=line.region),
        _money(line, "monthly_before", line.before, currency),
        _money(line, "monthly_after", line.after, currency),
        _money(line, "delta", line.delta, currency),
        _money(line, "monthly_max", line.most, currency),
    )
    return Row(cells, PLAIN if line.moved else MUTED, line.price)


def _action(line: Line) -> str:
    return words(f"action_{line.members[0]['action'].replace('-', '_')}")


def _sum(line: Line, key: str) -> Decimal | None:
    """The members' amounts together; None where one is unknown, or ends with its work."""
    values = [m[key] for m in line.members]
    if None in values or line.members[0]["ends"]:
        return None
    return sum((Decimal(value) for value in values), Decimal(0))


def _money(line: Line, key: str, told: str, currency: str) -> Cell:
    """The amount, or the word that stands for it in every form of a check."""
    amount = _sum(line, key)
    if amount is None or line.members[0]["status"] == "covered":
        return Unknown(told)
    return Money(amount, currency)


def _chart(doc: Document, rows: Sequence[Line]) -> BarChart | None:
    """The changes that can be told, the largest first."""
    found = [(line, _sum(line, "delta")) for line in rows if line.moved]
    known = [(line, delta) for line, delta in found if delta]
    known.sort(key=lambda pair: -abs(pair[1]))
    if len(known) < 2:
        return None
    bars = tuple(
        Bar(line.address, float(delta), float(delta), float(delta), delta > 0)
        for line, delta in known[:MOST_BARS]
    )
    currency = doc["currency"]
    delta = check_words.money(doc["summary"]["delta"], currency, signed=True)
    description = words("delta_chart_text", delta=delta, shown=len(bars), all=len(known))
    return BarChart(words("delta_chart"), description, words("per_month", currency=currency), bars)


# -- policy --------------------------------------------------------------------------------------


def _policy(doc: Document) -> Iterator[Block]:
    yield Paragraph(check_words.result(doc), "plain" if not doc["exit_code"] else "warning")
    verdicts = check_words.verdicts(doc)
    if not verdicts:
        yield Paragraph(say("policy_none"))
        return
    rows = []
    for verdict, address in verdicts[:MOST_VERDICTS]:
        failed = not verdict["passed"] and verdict["level"] == "fail"
        cells = (
            Text(verdict["rule"]),
            Text(check_words.verdict_word(verdict), strong=not verdict["passed"]),
            Text(address),
            Text(verdict["message"]),
        )
        rows.append(Row(cells, CHOSEN if failed else PLAIN))
    columns = (
        Column("rule", words("column_rule")),
        Column("verdict", words("column_verdict")),
        Column("resource", words("column_resource")),
        Column("message", words("column_message")),
    )
    caption = words("policy_caption")
    yield Table("policy", caption, columns, tuple(rows), say("title_policy"))
    for key, told in (("policy_note", doc["policy_note"]), ("policy_origin", _origin(doc))):
        if doc["exit_code"] and doc[key]:
            yield Paragraph(told)


def _origin(doc: Document) -> str:
    return say("override", origin=doc["policy_origin"])
