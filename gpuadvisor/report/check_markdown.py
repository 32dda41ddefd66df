"""A check as Markdown for a pull request: headline, table, what is missing, policy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gpuadvisor.report import check_words as words
from gpuadvisor.report.check_lines import Line, shown_lines
from gpuadvisor.report.check_words import Document, say
from gpuadvisor.report.messages import aside
from gpuadvisor.report.table import as_markdown, markdown_safe

_CALLS = re.compile(r"@|#(?=[0-9])")
_NUMERIC = (6, 7, 8, 9)
_MARKS = {"passed": "✅", "warn": "⚠️", "fail": "❌"}


def markdown(doc: Document, limit: int | None = None) -> str:
    """The whole report; with `limit` at most so many characters, cut between rows.

    The headline, what could not be priced and the policy are kept; rows, reasons and notes give
    way, with the number left out.
    """
    head = [f"### {_cell(words.headline(doc))}"]
    if doc["findings"]:
        head.append(_cell(words.level(doc)))
    for warning in doc["warnings"]:
        head.append(f"⚠️ {_cell(warning['text'])}")
    policy = "\n".join(_policy(doc))
    tail = "\n\n".join(_tail(doc))
    shown, unchanged = shown_lines(doc)
    missing = [f"- {words.named(f'**{_cell(a)}**', _cell(w))}" for a, w in words.missing(doc)]
    others = [
        (say("title_suggestions"), [f"- {_cell(s)}" for s in words.suggestions(doc)]),
        (say("title_projects"), [f"- {_cell(p)}" for p in words.projects(doc)]),
        (
            say("title_why"),
            [f"- {words.named(_cell(a), _cell(w))}" for a, w in words.explained(doc)]
            + [
                f"- {words.named(_cell(n['address'] or n['file']), _cell(n['text']))}"
                for n in doc["notes"]
            ]
            + [f"- {_cell(text)}" for text in (doc["assumptions"] if doc["findings"] else [])],
        ),
    ]
    room = None if limit is None else limit - len("\n\n".join([*head, policy, tail])) - 500
    blocks = list(head)
    # What has no price is kept before rows that have one.
    kept = 0 if room is None else min(sum(len(row) + 1 for row in missing) + 100, room // 3)
    table, room = _table(shown, None if room is None else room - kept)
    blocks.extend([*table, unchanged])
    block, room = _block(say("title_missing"), missing, None if room is None else room + kept)
    blocks.extend(block)
    blocks.append(policy)
    for number, (title, rows) in enumerate(others):
        block, room = _block(title, rows, room, folded=number == 2)
        blocks.extend(block)
    blocks.append(tail)
    return "\n\n".join(block for block in blocks if block)


def _cell(text: str) -> str:
    return _quiet(markdown_safe(text))


def _quiet(text: str) -> str:
    """Names must neither call a person (`@team`) nor link an issue (`#12`)."""
    return _CALLS.sub("\\g<0>\u200b", text)


def _table(shown: Sequence[Line], room: int | None) -> tuple[list[str], int | None]:
    if not shown:
        return [], room
    headers = say("columns").split("|")
    rows = [
        [
            line.symbol, line.address, line.accelerator + aside(line.what), line.counts,
            line.terms, line.region, line.before, line.after, line.delta, line.most,
        ]
        for line in shown
    ]  # fmt: skip
    whole = _quiet(as_markdown(headers, rows, _NUMERIC))
    if room is None:
        return [whole], None
    head, rule, *body = whole.split("\n")
    kept, left = _cut(body, room - len(head) - len(rule) - 2)
    text = "\n".join([head, rule, *kept])
    blocks = [text] if kept else []
    if len(kept) < len(body):
        blocks.append(say("more_rows", count=len(body) - len(kept)))
    return blocks, left


def _block(
    title: str, rows: Sequence[str], room: int | None, folded: bool = False
) -> tuple[list[str], int | None]:
    if not rows:
        return [], room
    left = room
    kept = list(rows)
    if room is not None:
        kept, left = _cut(rows, room - len(title) - 80)
    body = "\n".join(kept)
    if len(kept) < len(rows):
        more = say("more_rows", count=len(rows) - len(kept))
        body = f"{body}\n- {more}" if body else f"- {more}"
    if folded:
        return [f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"], left
    return [f"**{title}**\n\n{body}"], left


def _cut(rows: Sequence[str], room: int) -> tuple[list[str], int]:
    """The rows that fit into so many characters, and what is left of them."""
    kept = []
    for row in rows:
        if len(row) + 1 > room:
            break
        room -= len(row) + 1
        kept.append(row)
    return kept, room


def _policy(doc: Document) -> Iterator[str]:
    yield words.named(f"**{say('title_policy')}**", _cell(words.result(doc)))
    yield ""
    if not doc["policy"]:
        yield _cell(say("policy_none"))
    shown = words.verdicts(doc)
    for verdict, address in shown[:50]:
        mark = _MARKS["passed" if verdict["passed"] else verdict["level"]]
        told = words.named(_cell(address), _cell(verdict["message"]))
        yield f"- {mark} {verdict['rule']} {told}"
    if len(shown) > 50:
        yield f"- {say('more_rows', count=len(shown) - 50)}"
    if doc["exit_code"] and doc["policy_note"]:
        yield ""
        yield _cell(doc["policy_note"])
    if doc["exit_code"] and doc["policy_origin"]:
        yield ""
        yield _cell(say("override", origin=doc["policy_origin"]))


def _tail(doc: Document) -> Iterator[str]:
    summary = doc["summary"]
    read = say("examined", examined=summary["examined"], skipped=summary["without_accelerators"])
    catalogs = words.catalogs(doc)
    told = say("tail", read=_cell(read), catalogs=_cell(catalogs)) if catalogs else _cell(read)
    yield f"<sub>{told}</sub>"
