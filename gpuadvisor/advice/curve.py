"""A demand curve from a CSV file: what is needed in each hour of a day, a week or a year."""

import csv
from collections.abc import Sequence
from typing import NamedTuple

from gpuadvisor.catalog.errors import InputError, Problem
from gpuadvisor.catalog.message import message

UNITS, REQUESTS = "units", "requests"
LENGTHS = (24, 168, 8760, 8784)
"""Hours of a day, a week, a year and a leap year: the curve repeats after them."""

MOST_UNITS = 100_000
MAX_BYTES = 2 * 1024 * 1024
MAX_FAULTS = 20


class Curve(NamedTuple):
    """Values by hour, `kind` units (instances) or requests an hour."""

    kind: str
    values: tuple[float, ...]

    @property
    def units(self) -> list[int]:
        """The values as instances."""
        return [int(value) for value in self.values]


def read_curve(path: str) -> Curve:
    """Read `hour,units` or `hour,requests`; hours count from 0 or from 1 without a gap.

    Raises InputError with every faulty line, its value, and what was expected.
    """
    from gpuadvisor.catalog.reader import read_bytes

    try:
        text = read_bytes(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _faulty(path, [Problem(path, 0, 0, message("curve.not_text"))]) from error
    try:
        rows = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise _faulty(path, [Problem(path, 0, 0, message("curve.not_text"))]) from error
    header = [name.strip().lower() for name in rows[0]] if rows else []
    if header not in (["hour", UNITS], ["hour", REQUESTS]):
        fault = message("curve.header", found=",".join(header)[:80])
        raise _faulty(path, [Problem(path, 1, 1, fault)])
    body = [(line, row) for line, row in enumerate(rows[1:], 2) if any(row)]
    return _typed(path, header[1], body)


def _typed(path: str, kind: str, body: Sequence[tuple[int, Sequence[str]]]) -> Curve:
    values: list[float] = []
    faults: list[Problem] = []
    first = 1 if body and body[0][1][0].strip() == "1" else 0
    for index, (line, row) in enumerate(body):
        value = _number(row[1], kind) if len(row) == 2 else None
        if value is None:
            shown = ",".join(row)[:60]
            faults.append(Problem(path, line, 1, message(f"curve.bad_{kind}", row=shown)))
        elif row[0].strip() != str(index + first):
            fault = message("curve.hour", found=row[0][:20], expected=index + first)
            faults.append(Problem(path, line, 1, fault))
        else:
            values.append(value)
        if len(faults) == MAX_FAULTS:
            break
    if not faults and len(values) not in LENGTHS:
        lengths = ", ".join(f"{n:,}" for n in LENGTHS)
        fault = message("curve.length", found=len(values), lengths=lengths)
        faults.append(Problem(path, 0, 0, fault))
    if faults:
        raise _faulty(path, faults)
    return Curve(kind, tuple(values))


def _number(text: str, kind: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    if not 0 <= value <= (MOST_UNITS if kind == UNITS else 1e15):
        return None
    return value if kind == REQUESTS or value == int(value) else None


def _faulty(path: str, faults: Sequence[Problem]) -> InputError:
    return InputError(message("catalog.unreadable", file=path), tuple(faults))
