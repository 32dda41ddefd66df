"""Measurements to test the speed model with: a CSV file read strictly, every fault located."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gpuadvisor.catalog.errors import InputError, Problem
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.setting import Setting

REQUIRED = ("group", "device", "workload_class", "value", "higher_is_better")
SETTING = ("workload", "precision", "software", "batch", "gpu_count", "source")
MOST_BYTES = 512_000_000
_LARGEST = 700.0  # exp() of more overflows a float
_DIRECTIONS = {"1": True, "true": True, "0": False, "false": False}


class Measurement(NamedTuple):
    """One row: values of a group are comparable with each other up to one factor.

    `value` is per device where `higher_is_better`, else a time of the whole run.
    """

    group: str
    device: str
    workload_class: str
    value: float
    higher_is_better: bool
    setting: Setting

    @property
    def performance(self) -> float:
        """Log performance: log value, negated where less is better."""
        return math.log(self.value) if self.higher_is_better else -math.log(self.value)

    def value_of(self, performance: float) -> float:
        """The value, in the unit of the row, of a log performance.

        To twelve digits, so that a ratio of 1 gives back the very value that it started from.
        """
        exponent = performance if self.higher_is_better else -performance
        return float(f"{math.exp(max(-_LARGEST, min(_LARGEST, exponent))):.12g}")


def read_measurements(path: str) -> tuple[Measurement, ...]:
    """Read a CSV file with a header; unknown columns are ignored.

    Raises InputError with all faults: unreadable, not UTF-8, columns missing, a value that is
    no positive number, a direction other than 0 or 1.
    """
    problems: list[Problem] = []
    rows: list[Measurement] = []
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            if file.seek(0, 2) > MOST_BYTES:
                raise _unreadable(path, 0, f"over {MOST_BYTES} bytes")
            file.seek(0)
            reader = csv.reader(file, strict=True)
            columns = _columns(path, next(reader, []))
            for cells in reader:
                if cells:
                    rows.extend(_row(path, reader.line_num, columns, cells, problems))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise _unreadable(path, 0, reason or "not UTF-8") from error
    except csv.Error as error:
        raise _unreadable(path, reader.line_num, str(error)) from error
    if problems:
        found = message("backtest.bad_rows", file=path, count=len(problems))
        raise InputError(found, tuple(problems))
    if not rows:
        raise _unreadable(path, 1, "no rows")
    return tuple(rows)


def _unreadable(path: str, line: int, reason: str) -> InputError:
    problem = Problem(path, line, 0, message("backtest.unreadable", reason=reason))
    return InputError(message("backtest.bad_file", file=path), (problem,))


def _columns(path: str, header: list[str]) -> Mapping[str, int]:
    columns: dict[str, int] = {}
    for position, name in enumerate(header):
        columns.setdefault(name.strip().lower(), position)
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        problem = Problem(path, 1, 1, message("backtest.no_columns", names=", ".join(missing)))
        raise InputError(message("backtest.bad_file", file=path), (problem,))
    return columns


def _row(
    path: str, line: int, columns: Mapping[str, int], cells: list[str], problems: list[Problem]
) -> Iterator[Measurement]:
    def cell(name: str) -> str:
        position = columns.get(name, len(cells))
        return cells[position].strip() if position < len(cells) else ""

    faults = [
        (name, message("backtest.empty_cell", column=name))
        for name in ("group", "device", "workload_class")
        if not cell(name)
    ]
    value = _positive(cell("value"))
    if value is None:
        faults.append(("value", message("backtest.bad_number", value=cell("value")[:40])))
    direction = _DIRECTIONS.get(cell("higher_is_better").lower())
    if direction is None:
        shown = cell("higher_is_better")[:40]
        faults.append(("higher_is_better", message("backtest.bad_direction", value=shown)))
    problems.extend(Problem(path, line, columns[name] + 1, fault) for name, fault in faults)
    if value is not None and direction is not None and not faults:
        yield Measurement(
            cell("group"), cell("device"), cell("workload_class"), value, direction,
            setting_of({name: cell(name) for name in SETTING}),
        )  # fmt: skip


def setting_of(cells: Mapping[str, str]) -> Setting:
    """The setting that a row's `SETTING` columns state; what cannot be read is unknown."""
    batch, devices = _positive(cells["batch"]), _positive(cells["gpu_count"])
    return Setting(
        workload=cells["workload"] or None,
        precision=cells["precision"] or None,
        software=cells["software"] or None,
        batch=batch,
        devices=None if devices is None else max(1, int(devices)),
        publisher=cells["source"] or None,
    )


def _positive(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value > 0 and math.isfinite(value) else None


def canonical_device(catalog: Catalog, text: str) -> str | None:
    """The one device (or `DEVICE:PROFILE`) that a measurement means, None if unknown.

    A family stands for the member that measurements mostly mean: SXM, then the larger memory
    (`V100-16GB` is the SXM2 card, `A100` the 80 GB SXM).
    """
    spelling, colon, profile = text.strip().partition(":")
    name = catalog.device_name(spelling)
    if name is None:
        return None
    if name not in catalog.devices():
        members = catalog.resolve_device(name)
        name = max(members, key=lambda d: (d.name.endswith("-SXM"), d.memory_gib, d.name)).name
    return f"{name}{colon}{profile}"
