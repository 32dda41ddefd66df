"""Larger snapshots for the speed budgets: the shipped one, multiplied.

    python -m tests.benchmarks.synthetic TARGET.sqlite --times 10
    GPUADVISOR_BASE=TARGET.sqlite gpuadvisor recommend --workload ocr --budget 5000

Catalogs grow in four ways, and each can be asked for alone: more dated price versions (what
`refresh` adds every month), more regions, more instance types, more providers. By default ten
times the offers are 2 x types, 2 x regions, 2.5 x versions; a million is 3 x types, 4 x regions,
the rest versions. The rows are copies, so that every query still finds plausible answers.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sqlite3
from typing import NamedTuple

from gpuadvisor.catalog.compile import compile_catalogs
from gpuadvisor.catalog.seal import seal
from gpuadvisor.catalog.snapshot import SHIPPED, base_path
from gpuadvisor.catalog.tables import INDEXES


class Growth(NamedTuple):
    """Factors, at least 1, along each way to grow; offers grow by their product."""

    versions: int = 1
    regions: int = 1
    types: int = 1
    providers: int = 1


def mixed(times: float) -> Growth:
    """A plausible mix that multiplies the offers by at least `times`."""
    types, regions = (2, 2) if times <= 20 else (3, 4)
    return Growth(math.ceil(times / types / regions), regions, types)


def shipped(folder: str) -> str:
    """A compiled snapshot of the catalogs in use, compiled into `folder` where there is none."""
    base = base_path()
    if os.path.isdir(base):
        target = os.path.join(folder, "shipped.sqlite")
        compile_catalogs(base, target)
        return target
    return base or SHIPPED


def offers_in(path: str) -> int:
    """Rows of the offer table of a snapshot."""
    database = sqlite3.connect(path)
    try:
        return int(database.execute("SELECT count(*) FROM offer").fetchone()[0])
    finally:
        database.close()


def grow(source: str, target: str, growth: Growth) -> int:
    """Write `source` multiplied by `growth` to `target`, sealed; returns the number of offers."""
    shutil.copyfile(source, target)
    database = sqlite3.connect(target)
    database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='index'").fetchall():
        if name.startswith("offer_"):
            database.execute(f"DROP INDEX {name}")
    _copies(database, "instance_type", {"name": "name || '.x{n}'"}, growth.types)
    _copies(database, "offer", {"instance_type": "instance_type || '.x{n}'"}, growth.types)
    _copies(database, "region", {"name": "name || '-x{n}'"}, growth.regions)
    _copies(database, "offer", {"region": "region || '-x{n}'"}, growth.regions)
    _renamed(database, growth.providers)
    _older(database, growth.versions)
    database.executescript(INDEXES)
    database.commit()
    count = int(database.execute("SELECT count(*) FROM offer").fetchone()[0])
    database.execute("VACUUM")
    database.close()
    seal(target)
    return count


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


def _copies(
    database: sqlite3.Connection, table: str, changed: dict[str, str], times: int, where: str = "1"
) -> None:
    """Add `times - 1` copies of the rows that are there, with some columns changed."""
    columns = _columns(database, table)
    selected = [changed.get(column, column) for column in columns]
    database.execute(f"CREATE TEMP TABLE rows AS SELECT * FROM {table} WHERE {where}")
    for number in range(1, times):
        chosen = ", ".join(selected).replace("{n}", str(number))
        database.execute(f"INSERT INTO {table}({', '.join(columns)}) SELECT {chosen} FROM rows")
    database.execute("DROP TABLE rows")


def _renamed(database: sqlite3.Connection, times: int) -> None:
    """Each provider again under another name, with its types, regions, versions and offers."""
    step = _highest_catalog(database)
    own = {"provider": "provider || '-x{n}'"}
    _copies(database, "provider", {"name": "name || '-x{n}'"}, times)
    _copies(database, "region", own, times)
    _copies(database, "instance_type", own, times)
    _copies(
        database,
        "catalog",
        {"id": f"id + {step} * {{n}}", "name": "name || '-x{n}'"},
        times,
        "kind = 'prices'",
    )
    _copies(database, "offer", {"version": f"version + {step} * {{n}}"}, times)


def _older(database: sqlite3.Connection, times: int) -> None:
    """Each price version again, dated before all that are there."""
    step = _highest_catalog(database)
    _copies(
        database,
        "catalog",
        {"id": f"id + {step} * {{n}}", "version": "'19{n}.' || version", "newest": "0"},
        times,
        "kind = 'prices'",
    )
    _copies(database, "offer", {"version": f"version + {step} * {{n}}"}, times)


def _highest_catalog(database: sqlite3.Connection) -> int:
    return int(database.execute("SELECT max(id) FROM catalog").fetchone()[0])


def main() -> None:
    """Write one snapshot and say what is in it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("target")
    parser.add_argument("--times", type=float, help="how often the shipped offers, mixed")
    for name in Growth._fields:
        parser.add_argument(f"--{name}", type=int, default=1)
    given = parser.parse_args()
    growth = Growth(given.versions, given.regions, given.types, given.providers)
    base = shipped(os.path.dirname(os.path.abspath(given.target)))
    count = grow(base, given.target, mixed(given.times) if given.times else growth)
    print(f"{count} offers, {os.path.getsize(given.target) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
