"""`fit` as a page: the bill of memory, where the model fits, and how to need less."""

from __future__ import annotations

from collections.abc import Iterator

from gpuadvisor.advice.fit_result import Change, Fit
from gpuadvisor.advice.fit_result import Row as Fits
from gpuadvisor.catalog.message import message
from gpuadvisor.performance.memory import GIB
from gpuadvisor.report.fit_text import PARTS, headline, place, what
from gpuadvisor.report.messages import render
from gpuadvisor.report.page import (
    CHOSEN,
    PLAIN,
    TOTAL,
    Bar,
    BarChart,
    Cell,
    CellRef,
    Column,
    Date,
    Fact,
    Formula,
    Number,
    Page,
    Row,
    Section,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_build import footer, language, texts
from gpuadvisor.report.page_cells import words


def page(answer: Fit) -> Page:
    """The whole answer."""
    return Page(
        title=words("fit_title", what=answer.title),
        lead=headline(answer),
        today=answer.today,
        sections=tuple(_sections(answer)),
        facts=(Fact(words("runs"), Text(what(answer))), Fact(words("as_of"), Date(answer.today))),
        warnings=texts(answer.warnings),
        assumptions=texts(answer.assumptions),
        footer=footer(answer.today, priced=False),
        language=language(),
    )


def _sections(answer: Fit) -> Iterator[Section]:
    yield Section("memory", words("memory"), (_bill(answer), _chart(answer)))
    if answer.rows:
        yield Section("fits", words("fits"), (_fits(answer),))
    if answer.changes:
        yield Section("changes", words("need_less"), (_changes(answer.changes),))


def _fit(id: str) -> str:
    return render(message(f"fit.{id}"))


def _parts(answer: Fit) -> list[tuple[str, float]]:
    """(name, GiB) of what the memory of one device is needed for."""
    found = [(name, getattr(answer.need, name) / GIB) for name in PARTS]
    return [(_fit(f"part_{name}"), value) for name, value in found if value > 0]


def _bill(answer: Fit) -> Table:
    rows = [Row((Text(name), Number(value, "GiB", decimals=2))) for name, value in _parts(answer)]
    cells = tuple(CellRef("memory", n) for n in range(len(rows)))
    total = Number(answer.need.total / GIB, "GiB", Formula("sum", cells), 2)
    rows.append(Row((Text(words("total")), total), TOTAL))
    columns = (
        Column("part", words("column_what")),
        Column("memory", words("column_memory"), figures=True),
    )
    return Table("memory", words("memory_caption"), columns, tuple(rows), words("memory"))


def _chart(answer: Fit) -> BarChart:
    bars = tuple(Bar(name, value, value, value) for name, value in _parts(answer))
    description = words("memory_text", total=f"{answer.need.total / GIB:,.2f}")
    return BarChart(words("memory_chart"), description, "GiB", bars)


def _fits(answer: Fit) -> Table:
    names = (
        ("count", "column_count"), ("usable", "column_usable"), ("free", "column_free"),
        ("tokens", "column_tokens"), ("batch", "column_batch"), ("context", "column_context"),
    )  # fmt: skip
    columns = (
        Column("device", words("column_device")),
        *(Column(key, words(id), figures=True) for key, id in names),
        Column("rented", words("column_rented")),
    )
    rows = tuple(_fit_row(row, n == 0) for n, row in enumerate(answer.rows))
    caption = words("fits_caption", shown=len(rows), considered=answer.considered)
    return Table("fits", caption, columns, rows, words("fits"))


def _fit_row(row: Fits, first: bool) -> Row:
    notes = []
    if row.held:
        notes.append(words("held", count=row.held))
    if not row.native:
        notes.append(words("not_native"))
    if not row.measured:
        notes.append(words("not_measured"))
    cells: tuple[Cell, ...] = (
        Text(place(row), strong=first, detail=words("comma").join(notes)),
        Number(row.number),
        Number(row.usable_gib, decimals=2),
        Number(row.headroom_gib, decimals=2),
        _count(row.max_cached_tokens),
        _count(row.max_batch),
        _count(row.max_context),
        Text(row.rented) if row.rented else Unknown(),
    )
    return Row(cells, CHOSEN if first else PLAIN)


def _count(value: int | None) -> Cell:
    return Unknown() if value is None else Number(value)


def _changes(changes: tuple[Change, ...]) -> Table:
    rows = tuple(
        Row(
            (
                Text(render(change.text)),
                Number(change.saves_gib, decimals=2),
                Number(change.total_gib, decimals=2),
                Text(change.fits_on) if change.fits_on else Unknown(),
            )
        )
        for change in changes
    )
    columns = (
        Column("change", words("column_change")),
        Column("saves", words("column_saves"), figures=True),
        Column("left", words("column_left"), figures=True),
        Column("fits", words("column_fits_on")),
    )
    return Table("changes", words("need_less_caption"), columns, rows, words("need_less"))
