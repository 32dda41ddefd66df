"""Ways to serve a demand over the day, and storage beside the machines, as sections of a page."""

from __future__ import annotations

from collections.abc import Iterator

from gpuadvisor.advice.estimate_result import Estimate
from gpuadvisor.advice.serving import Serving, Stored
from gpuadvisor.report.estimate_text import named, place_of
from gpuadvisor.report.messages import clauses
from gpuadvisor.report.page import (
    TOTAL,
    Cell,
    Column,
    Money,
    Number,
    Percent,
    Row,
    Section,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_build import letters, money_range, total_of
from gpuadvisor.report.page_cells import words
from gpuadvisor.report.serving_text import storage_name, way_name, way_notes


def sections(answer: Estimate) -> Iterator[Section]:
    """A section for the demand and one for what is stored, where they were asked for."""
    for number, serving in enumerate(answer.serving):
        id = f"serving_{letters(number)}"
        heading = words("serving_of", what=named(serving.item), place=place_of(serving.item))
        yield Section(id, heading, (_ways(answer, serving, id),))
    for number, stored in enumerate(answer.stored):
        id = f"storage_{letters(number)}"
        heading = words("storage_of", what=named(stored.item), place=place_of(stored.item))
        yield Section(id, heading, (_bill(answer, stored, id),))


def _ways(answer: Estimate, found: Serving, id: str) -> Table:
    rows = []
    for way in found.ways:
        saving: Cell = Unknown() if way.name == "static" else Percent(way.saving, decimals=1)
        cells: tuple[Cell, ...] = (
            Text(way_name(found, way)),
            Number(way.fleet.peak),
            money_range(way.monthly, answer.currency),
            saving,
        )
        rows.append(Row(cells, note=clauses(way_notes(way))))
    columns = (
        Column("way", words("column_way")),
        Column("peak", words("column_peak"), figures=True),
        Column("month", words("column_month"), figures=True, ranged=True),
        Column("saving", words("column_saving_static"), figures=True),
    )
    caption = words(
        "serving_caption",
        what=named(found.item),
        place=place_of(found.item),
        peak=f"{found.peak:g}",
        mean=f"{found.mean:.2f}",
    )
    return Table(id, caption, columns, tuple(rows), words("serving"))


def _bill(answer: Estimate, found: Stored, id: str) -> Table:
    bill, rows = found.bill, []
    for line in bill.lines:
        amount: Cell = Unknown(words("no_price"))
        if line.monthly is not None:
            amount = Money(line.monthly, answer.currency)
        rows.append(Row((Text(storage_name(line)), amount)))
    if bill.monthly is not None:
        live = total_of("month", range(len(rows)), answer.currency)
        rows.append(Row((Text(words("total")), Money(bill.monthly, answer.currency, live)), TOTAL))
    if found.whole is not None:
        whole = Money(found.whole.expected, answer.currency)
        rows.append(Row((Text(words("with_machines")), whole), TOTAL))
    columns = (
        Column("line", words("column_what")),
        Column("month", words("column_month"), figures=True),
    )
    caption = words("storage_caption", what=named(found.item), place=place_of(found.item))
    return Table(id, caption, columns, tuple(rows), words("storage"))
