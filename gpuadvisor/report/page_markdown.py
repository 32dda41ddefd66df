"""A page as Markdown: headings, tables and lists; charts as the sentence that tells them."""

from __future__ import annotations

import re

from gpuadvisor.report.messages import after, aside, clauses
from gpuadvisor.report.page import (
    Block,
    Cards,
    Command,
    Items,
    Page,
    Paragraph,
    Table,
)
from gpuadvisor.report.page_cells import (
    cell_text,
    full_text,
    header_text,
    is_mixed,
    range_text,
    words,
)
from gpuadvisor.report.table import as_markdown, markdown_safe
from gpuadvisor.report.text import printable


def markdown(page: Page) -> str:
    """The whole document; every text is escaped."""
    parts = [f"# {_safe(page.title)}", f"**{_safe(page.lead)}**"]
    if page.facts:
        parts.append("\n".join(_fact(fact.label, full_text(fact.value), range_text(fact.value))
                               for fact in page.facts))  # fmt: skip
    if page.warnings:
        parts += [f"## {words('warnings')}", _list(page.warnings)]
    for section in page.sections:
        parts.append(f"## {_safe(section.heading)}")
        parts += [_block(block) for block in section.blocks]
    if page.assumptions:
        parts += [f"## {words('assumptions')}", _list(page.assumptions)]
    if page.sources or page.catalogs:
        parts.append(f"## {words('sources')}")
        cited = [
            "; ".join(part for part in (s.title, s.address, s.as_of, s.confidence) if part)
            for s in page.sources
        ]
        if page.catalogs:
            named = [
                words("catalog", name=c.name, version=c.version, as_of=c.as_of)
                for c in page.catalogs
            ]
            cited.append(f"{words('catalogs')} {words('comma').join(named)}")
        parts.append(_list(cited))
    parts += [_safe(text) for text in page.footer]
    return "\n\n".join(parts) + "\n"


def _safe(text: str) -> str:
    """A line without meaning to Markdown; a leading mark would begin a list or a heading."""
    safe = markdown_safe(text).replace("_", "\\_")
    return "\\" + safe if safe[:1] in ("#", "-", "+", "=", "~") else safe


def _fenced(text: str) -> str:
    """A code block whose fence is longer than any row of backticks in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _fact(label: str, value: str, small: str) -> str:
    shown = value + aside(small) if small else value
    return "- " + after(_safe(label), _safe(shown))


def _list(texts: tuple[str, ...] | list[str], ordered: bool = False) -> str:
    return "\n".join(f"{f'{n}.' if ordered else '-'} {_safe(t)}" for n, t in enumerate(texts, 1))


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"> {_safe(block.text)}" if block.role == "warning" else _safe(block.text)
    if isinstance(block, Items):
        return _list(block.items, block.ordered)
    if isinstance(block, Command):
        return _fenced(" ".join(printable(block.text).split()))
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Cards):
        lines = []
        for card in block.cards:
            name = f"**{_safe(card.label)}**" if card.marked else _safe(card.label)
            price = f"{full_text(card.price)} {card.per}"
            told = _safe(clauses((card.name, price, *card.lines)))
            lines.append("- " + after(name, told))
        return "\n".join(lines)
    return after(f"*{_safe(block.title)}*", _safe(block.description))


def _table(table: Table) -> str:
    headers = [header_text(table, column) for column in table.columns]
    noted = any(row.note for row in table.rows)
    rows = []
    for row in table.rows:
        cells = []
        for n, cell in enumerate(row.cells):
            text = full_text(cell) if is_mixed(table, n) else cell_text(cell)
            small = range_text(cell)
            cells.append(f"{text} ({small})" if small else text)
        rows.append([*cells, row.note] if noted else cells)
    numeric = [n for n, column in enumerate(table.columns) if column.figures]
    body = as_markdown([*headers, words("column_notes")] if noted else headers, rows, numeric)
    return f"{_safe(table.caption)}\n\n{body}"
