"""A price version as it stands in its file: cells as text, so that what is carried over keeps its
digits, and the text of a new file in the form of the existing ones."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.catalog.model import NANO, PURCHASE_OPTIONS
from gpuadvisor.catalog.reader import read, read_bytes

Cell = list[str] | dict[str, str]
"""`[price, source]`, `[price, source, confirmed by]`, or the mapping of a spot cell."""
Row = dict[str, Cell]
Sources = dict[str, dict[str, str]]
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+@()'-]*(?: [A-Za-z0-9_./+@()'=-]+)*")
_RESERVED = {"", "null", "true", "false", "yes", "no", "on", "off"}
SPOT_KEYS = (
    "low", "typical", "measure", "source", "confirmed_by", "interruption", "interruption_source",
)  # fmt: skip
SOURCE_KEYS = ("title", "address", "date", "licence", "confidence")


class PriceFile(NamedTuple):
    """One version. `prices` is type -> region -> cell key -> cell; `comment` its head, bare."""

    provider: str
    version: str
    currency: str
    sources: Sources
    prices: dict[str, dict[str, Row]]
    comment: tuple[str, ...] = ()


def read_file(path: str) -> PriceFile:
    """Read a price file that the catalog's loader has checked. Raises InputError."""
    raw = read_bytes(path)
    data = read(path, raw).data
    comment = []
    for line in raw.decode("utf-8-sig").splitlines():
        if not line.startswith("#"):
            break
        comment.append(line.lstrip("#").strip())
    return PriceFile(
        data["provider"],
        data["version"],
        data["currency"],
        data["sources"],
        data["prices"],
        tuple(comment),
    )


def from_snapshot(database: sqlite3.Connection, provider: str, version: str) -> PriceFile:
    """The same from a compiled snapshot, where there is no YAML (an installed wheel).

    A snapshot does not keep where the chance of interruption came from.
    """
    id_, currency = database.execute(
        "SELECT id, currency FROM catalog WHERE kind = 'prices' AND name = ? AND version = ?",
        (provider, version),
    ).fetchone()
    known = {
        row[0]: (row[1].rpartition("#")[2], dict(zip(SOURCE_KEYS, row[2:], strict=True)))
        for row in database.execute(
            "SELECT id, key, title, address, date, licence, confidence FROM source"
        )
    }
    sources: Sources = {}
    prices: dict[str, dict[str, Row]] = {}

    def named(number: int) -> str:
        key: str = known[number][0]
        entry = known[number][1]
        sources[key] = {name: value for name, value in entry.items() if value is not None}
        return key

    for row in database.execute(
        "SELECT instance_type, region, option, term, cls, payment, price, low, measure,"
        " interruption, source, confirmed FROM offer WHERE version = ?"
        " ORDER BY rowid",
        (id_,),
    ):
        name, region, option, term, cls, payment, price, low, measure, risk, source, confirmed = row
        by = None if confirmed is None else named(confirmed)
        figure = number_text(Decimal(price) / NANO)
        if measure is None:
            cell: Cell = [figure, named(source), *([by] if by else [])]
        else:
            cell = {
                "low": number_text(Decimal(low) / NANO),
                "typical": figure,
                "measure": measure,
                "source": named(source),
            }
            if by:
                cell["confirmed_by"] = by
            if risk:
                cell["interruption"] = risk
        key = cell_key(option, term, cls, payment)
        prices.setdefault(name, {}).setdefault(region, {})[key] = cell
    return PriceFile(provider, version, currency, sources, prices)


def cell_key(option: str, term: str | None, cls: str | None, payment: str | None) -> str:
    """`option[/term[/class[/payment]]]`, with `-` for a part that is left open."""
    parts = [option, term or "-", cls or "-", payment or "-"]
    while parts[-1] == "-":
        parts.pop()
    return "/".join(parts)


def number_text(value: Decimal) -> str:
    """A price as it is written: no exponent, no trailing zeros."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def used_sources(prices: Mapping[str, Mapping[str, Mapping[str, Cell]]]) -> set[str]:
    """The sources that a cell names."""
    found: set[str] = set()
    for by_region in prices.values():
        for cells in by_region.values():
            for cell in cells.values():
                if isinstance(cell, list):
                    found.update(cell[1:])
                else:
                    keys = ("source", "confirmed_by", "interruption_source")
                    found.update(cell[key] for key in keys if key in cell)
    return found


def text_of(file: PriceFile, *, complete: bool) -> str:
    """The file's YAML. `complete` is for an overlay that stands in the place of what is shipped."""
    lines = [f"# {line}".rstrip() for line in file.comment]
    lines += [
        "schema: gpuadvisor/prices/1",
        f"provider: {scalar(file.provider)}",
        f"version: {file.version}",
        f"currency: {file.currency}",
        *(["complete: true"] if complete else []),
        "sources:",
    ]
    for key in sorted(file.sources):
        lines.append(f"  {scalar(key)}: {source_text(file.sources[key])}")
    lines.append("prices:")
    for name, by_region in file.prices.items():
        lines.append(f"  {scalar(name)}:")
        for region in sorted(by_region):
            cells = by_region[region]
            body = ", ".join(f"{key}: {_cell_text(cells[key])}" for key in sorted(cells, key=_rank))
            lines.append(f"    {scalar(region)}: {{{body}}}")
    return "\n".join(lines) + "\n"


def source_text(entry: Mapping[str, str]) -> str:
    """A source on one line."""
    return flow(entry, SOURCE_KEYS, quoted={"address"})


def flow(
    entry: Mapping[str, str | Sequence[str]], order: Iterable[str], quoted: Iterable[str] = ()
) -> str:
    """A flow mapping with its keys in `order`; values of `quoted` keys always in quotes."""
    always = set(quoted)
    parts = []
    for key in order:
        value = entry.get(key)
        if value is None:
            continue
        if isinstance(value, str):
            parts.append(f"{key}: {_quote(value) if key in always else scalar(value)}")
        else:
            parts.append(f"{key}: [{', '.join(scalar(part) for part in value)}]")
    return f"{{{', '.join(parts)}}}"


def scalar(text: str) -> str:
    """A scalar as plain text where YAML reads it as such inside a flow mapping, else in quotes."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _RESERVED
    return text if plain else _quote(text)


def _quote(text: str) -> str:
    escaped = "".join(
        {'"': '\\"', "\\": "\\\\"}.get(c, c if c.isprintable() else f"\\u{ord(c):04x}")
        for c in text
    )
    return f'"{escaped}"'


def _cell_text(cell: Cell) -> str:
    if isinstance(cell, list):
        return f"[{', '.join(scalar(part) for part in cell)}]"
    return flow(cell, SPOT_KEYS, quoted={"interruption"})


def _rank(key: str) -> tuple[int, str]:
    option = key.partition("/")[0]
    known = option in PURCHASE_OPTIONS
    return (PURCHASE_OPTIONS.index(option) if known else len(PURCHASE_OPTIONS), key)
