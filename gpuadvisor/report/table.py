"""A table in the formats people paste: plain columns, CSV, Markdown. No rich here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gpuadvisor.report.messages import cell_word, field
from gpuadvisor.report.text import pad, printable, right, width, wrap

GAP = "  "
NARROW = 12
"""A column is folded no narrower than this; a table that is wider even so stays wide."""


def render_table(
    format: str,
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    numeric: Sequence[int] = (),
    columns: int | None = None,
) -> str:
    """Render as `table`, `csv` or `markdown`; `numeric` columns are set to the right.

    A `table` is folded to `columns`.
    """
    if format == "csv":
        return as_csv(headers, rows)
    if format == "markdown":
        return as_markdown(headers, rows, numeric)
    return as_columns(headers, rows, numeric, columns)


def as_columns(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    numeric: Sequence[int] = (),
    columns: int | None = None,
) -> str:
    """Columns apart by two spaces under a header line; no trailing blanks.

    Where they are wider than `columns`, texts are folded, the widest column first.
    """
    clean = [[printable(cell).replace("\n", " ") for cell in row] for row in (headers, *rows)]
    widths = [max(width(row[i]) for row in clean) for i in range(len(headers))]
    if columns is not None:
        widths = _fitted(widths, numeric, columns)
    return "\n".join(line for row in clean for line in _lines(row, widths, numeric))


def _fitted(widths: Sequence[int], numeric: Sequence[int], columns: int) -> list[int]:
    """The widths with as much taken from the widest texts as the table is too wide."""
    fitted = list(widths)
    while True:
        excess = sum(fitted) + len(GAP) * (len(fitted) - 1) - columns
        texts = [i for i in range(len(fitted)) if i not in numeric and fitted[i] > NARROW]
        if excess <= 0 or not texts:
            return fitted
        fitted[max(texts, key=fitted.__getitem__)] -= 1


def _lines(row: Sequence[str], widths: Sequence[int], numeric: Sequence[int]) -> Iterator[str]:
    folded = [_fold(cell, columns) for cell, columns in zip(row, widths, strict=True)]
    for n in range(max(map(len, folded))):
        cells = (part[n] if n < len(part) else "" for part in folded)
        yield GAP.join(
            right(cell, widths[i]) if i in numeric else pad(cell, widths[i])
            for i, cell in enumerate(cells)
        ).rstrip()


def _fold(cell: str, columns: int) -> list[str]:
    """The cell in lines of `columns`; a word that is longer is cut."""
    if width(cell) <= columns:
        return [cell]
    lines: list[str] = []
    for line in wrap(cell, columns):
        while width(line) > columns:
            end = next(n for n in range(len(line), 0, -1) if width(line[:n]) <= columns)
            lines.append(line[:end])
            line = line[end:]
        lines.append(line)
    return lines


def as_csv(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """RFC 4180 with `\\n`; a cell that a spreadsheet would run as a formula is quoted by `'`."""
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(headers)
    writer.writerows([csv_safe(cell) for cell in row] for row in rows)
    return stream.getvalue()


def csv_safe(cell: str) -> str:
    """Disarm `= + - @` at the start of a text; plain numbers stay numbers."""
    if cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
        try:
            float(cell)
        except ValueError:
            return "'" + cell
    return cell


def as_markdown(
    headers: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int] = ()
) -> str:
    """A GitHub table; characters that would break out of a cell are escaped.

    It is for people: names of columns and closed words stand in the language spoken.
    """
    rule = ["---:" if i in numeric else "---" for i in range(len(headers))]
    lines = [_line([field(name) for name in headers]), "| " + " | ".join(rule) + " |"]
    lines.extend(_line([cell_word(cell) for cell in row]) for row in rows)
    return "\n".join(lines)


def _line(row: Sequence[str]) -> str:
    return "| " + " | ".join(markdown_safe(cell) for cell in row) + " |"


def markdown_safe(text: str) -> str:
    """Text for a Markdown table cell: HTML and table characters lose their meaning."""
    plain = printable(text).replace("\n", " ")
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|")):
        plain = plain.replace(character, entity)
    for character in "`*_[]@#!":
        plain = plain.replace(character, f"\\{character}") if character in "`*[]" else plain
    return plain
