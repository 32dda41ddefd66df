"""A check for a terminal: the answer, two lines a resource, what is missing, the policy."""

from __future__ import annotations

from collections.abc import Iterator

from gpuadvisor.report import check_words as words
from gpuadvisor.report.check_lines import Line, shown_lines
from gpuadvisor.report.check_words import Document, say
from gpuadvisor.report.messages import aside
from gpuadvisor.report.text import Style, pad, plain, printable, right, width, wrap


def text(doc: Document, columns: int = 80, style: Style = plain) -> str:
    """The whole report; unchanged resources follow the changed ones."""
    return "\n".join(_lines(doc, columns, style))


def _lines(doc: Document, columns: int, style: Style) -> Iterator[str]:
    first, *rest = wrap(printable(words.headline(doc)), columns)
    yield style(first, "bold")
    yield from rest
    if doc["findings"]:
        yield from wrap(words.level(doc), columns)
    for warning in doc["warnings"]:
        for part in wrap(printable(f"! {warning['text']}"), columns):
            yield style(part, "warning")
    shown, unchanged = shown_lines(doc)
    if shown or unchanged:
        yield ""
    for line in shown:
        yield from _row(line, columns, style)
    if unchanged:
        yield unchanged
    yield from _section("title_missing", words.missing(doc), columns, style)
    yield from _section("title_why", words.explained(doc), columns, style)
    yield from _section(
        "title_notes",
        [(n["address"] or n["file"], n["text"]) for n in doc["notes"]],
        columns,
        style,
    )
    yield from _list("title_projects", list(words.projects(doc)), columns, style)
    yield from _list("title_suggestions", list(words.suggestions(doc)), columns, style)
    yield from _policy(doc, columns, style)
    yield ""
    if doc["findings"]:
        for assumption in doc["assumptions"]:
            yield from wrap(f"- {assumption}", columns)
    catalogs = words.catalogs(doc)
    if catalogs:
        yield from wrap(catalogs, columns)
    summary = doc["summary"]
    yield say("examined", examined=summary["examined"], skipped=summary["without_accelerators"])


def _row(line: Line, columns: int, style: Style) -> Iterator[str]:
    amount = line.delta if line.moved else line.after
    address = printable(line.address).replace("\n", " ")
    room = columns - width(amount) - 1
    left = f"{pad(line.symbol, 3)} {address}"
    if width(left) <= room:
        yield style(f"{pad(left, room)} {amount}", "option")
    else:
        yield style(left, "option")
        yield right(amount, columns)
    parts = [f"{line.counts} x {line.what}" + aside(line.accelerator), line.terms, line.region]
    if line.price:
        parts.append(line.price)
    if line.most and line.most not in (line.after, amount):
        parts.append(say("most", amount=line.most))
    yield from wrap(printable(" · ".join(parts)).replace("\n", " "), columns, "    ")


def _section(title: str, rows: list[tuple[str, str]], columns: int, style: Style) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield style(say(title), "bold")
    for name, why in rows:
        yield from _hanging(words.named(name, why), columns)


def _list(title: str, rows: list[str], columns: int, style: Style) -> Iterator[str]:
    if rows:
        yield ""
        yield style(say(title), "bold")
        for row in rows:
            yield from _hanging(row, columns)


def _hanging(words_: str, columns: int) -> Iterator[str]:
    first, *rest = wrap(printable(words_).replace("\n", " "), columns - 2) or [""]
    yield f"- {first}"
    for line in rest:
        yield f"  {line}"


def _policy(doc: Document, columns: int, style: Style) -> Iterator[str]:
    yield ""
    yield style(say("title_policy"), "bold")
    if not doc["policy"]:
        yield from _hanging(say("policy_none"), columns)
    for verdict, address in words.verdicts(doc):
        head = f"{verdict['rule']} {words.verdict_word(verdict)}"
        line = words.named(head, words.named(address, verdict["message"]))
        for number, part in enumerate(_hanging(line, columns)):
            yield style(part, "warning") if not verdict["passed"] and not number else part
    if doc["exit_code"] and doc["policy_note"]:
        yield from wrap(printable(doc["policy_note"]), columns)
    if doc["exit_code"] and doc["policy_origin"]:
        yield from wrap(printable(say("override", origin=doc["policy_origin"])), columns)
    yield style(say("result_line", result=words.result(doc)), "bold")
