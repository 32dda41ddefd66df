"""The tables of the snapshot, and how each kind of file fills them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from gpuadvisor.catalog.files import FORMAT
from gpuadvisor.catalog.model import NANO
from gpuadvisor.catalog.names import families_of, normalise
from gpuadvisor.catalog.schema import Parsed
from gpuadvisor.catalog.schema_prices import SpotCell, split_key

DOCUMENTS = (
    "workloads", "rules", "benchmarks", "interconnect", "billing", "models", "sharing", "storage",
    "ownership", "training", "iac",
)  # fmt: skip
"""Kinds whose entries are kept whole, as JSON, and read by the room that owns them."""

_SOURCE_KEYS = frozenset({"source", "sources", "confirmed_by", "memory_source"})

_TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE source(id INTEGER PRIMARY KEY, key TEXT UNIQUE, title TEXT, address TEXT,
  date TEXT, licence TEXT, confidence TEXT);
CREATE TABLE device(name TEXT PRIMARY KEY, family TEXT, vendor TEXT, software TEXT,
  architecture TEXT, compute_capability TEXT, year INTEGER, memory_gib REAL,
  usable_memory_gib REAL, bandwidth_gbs REAL, fp64_tflops REAL, fp32_tflops REAL,
  tf32_tflops REAL, fp16_tflops REAL, bf16_tflops REAL, fp8_tflops REAL, int8_tops REAL,
  fp4_tflops REAL, nvlink_gbs REAL, pcie_gen REAL, tdp_w REAL, mig_max INTEGER, form TEXT,
  confidence TEXT, source TEXT, notes TEXT) WITHOUT ROWID;
CREATE TABLE alias(spelling TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
CREATE TABLE partition(device TEXT, profile TEXT, memory_gib REAL, sm_share REAL,
  memory_share REAL, compute_slices INTEGER, max_per_device INTEGER, placements TEXT,
  size INTEGER, source TEXT, PRIMARY KEY(device, profile)) WITHOUT ROWID;
CREATE TABLE provider(name TEXT PRIMARY KEY, title TEXT, tier TEXT, reference_region TEXT,
  hipaa INTEGER, hipaa_source TEXT, quotas TEXT) WITHOUT ROWID;
CREATE TABLE region(provider TEXT, name TEXT, title TEXT, country TEXT, geo TEXT, eu INTEGER,
  PRIMARY KEY(provider, name)) WITHOUT ROWID;
CREATE TABLE instance_type(provider TEXT, name TEXT, family TEXT, device TEXT, devices REAL,
  fraction TEXT, memory_gib REAL, vcpus INTEGER, host_memory_gib REAL, network_gbps REAL,
  rdma TEXT, interconnect TEXT, local_disk_gb REAL, arch TEXT, sold TEXT, status TEXT,
  retired_on TEXT, price_scope TEXT, quota TEXT, source TEXT, notes TEXT,
  PRIMARY KEY(provider, name)) WITHOUT ROWID;
CREATE TABLE catalog(id INTEGER PRIMARY KEY, name TEXT, kind TEXT, version TEXT, as_of TEXT,
  instance_types INTEGER, offers INTEGER, regions INTEGER, currency TEXT, newest INTEGER,
  complete INTEGER);
CREATE TABLE offer(version INTEGER, instance_type TEXT, region TEXT, option TEXT, term TEXT,
  cls TEXT, payment TEXT, price INTEGER, low INTEGER, measure TEXT, interruption TEXT,
  source INTEGER, confirmed INTEGER);
CREATE TABLE rate(date TEXT, currency TEXT, per_base TEXT, PRIMARY KEY(date, currency))
  WITHOUT ROWID;
CREATE TABLE document(kind TEXT, name TEXT, file TEXT, position INTEGER, body TEXT,
  PRIMARY KEY(kind, name)) WITHOUT ROWID;
"""

# Made after the rows are in: bulk loading into an indexed table is several times slower.
INDEXES = """
CREATE INDEX offer_region ON offer(version, option, region);
CREATE INDEX offer_type ON offer(version, instance_type);
"""


def write(database: sqlite3.Connection, parsed: Sequence[Parsed], digest: str) -> None:
    """Fill an empty database with checked files; `digest` is that of their bytes."""
    # A scratch file that is moved into place when whole needs neither journal nor fsync.
    database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _TABLES)
    sources: dict[str, int] = {}
    for item in parsed:
        for key, entry in item.model.sources.items():
            sources[f"{item.stem}#{key}"] = len(sources) + 1
            database.execute(
                "INSERT INTO source VALUES(?,?,?,?,?,?,?)",
                (len(sources), f"{item.stem}#{key}", entry.title, entry.address, entry.date,
                 entry.licence, entry.confidence),
            )  # fmt: skip
    for item in parsed:
        if item.kind in DOCUMENTS:
            _documents(database, item)
        else:
            _WRITERS[item.kind](database, item, sources)
    _plain_versions(database, parsed)
    _shape_versions(database, parsed)
    _newest(database)
    database.executescript(INDEXES)
    database.executemany(
        "INSERT INTO meta VALUES(?,?)", (("format", str(FORMAT)), ("digest", digest))
    )
    database.commit()


def _documents(database: sqlite3.Connection, item: Parsed) -> None:
    dumped = item.model.model_dump(mode="json", exclude_none=True, by_alias=True)
    for position, (name, entry) in enumerate(dumped[item.kind].items()):
        body = json.dumps(_qualified(entry, item.stem), ensure_ascii=False, separators=(",", ":"))
        database.execute(
            "INSERT INTO document VALUES(?,?,?,?,?)",
            (item.kind, name, item.stem, position, body),
        )


def _qualified(value: Any, stem: str, key: str = "") -> Any:
    if isinstance(value, dict):
        return {k: _qualified(v, stem, k) for k, v in value.items()}
    if isinstance(value, list):
        return [_qualified(v, stem, key) for v in value]
    if key in _SOURCE_KEYS and isinstance(value, str) and "#" not in value:
        return f"{stem}#{value}"
    return value


def _devices(database: sqlite3.Connection, item: Parsed, _: Mapping[str, int]) -> None:
    spellings: dict[str, str] = {}
    for name, d in item.model.devices.items():
        database.execute(
            f"INSERT INTO device VALUES({','.join('?' * 26)})",
            (name, d.family, d.vendor, d.software, d.architecture, d.compute_capability, d.year,
             d.memory_gib, d.usable_memory_gib, d.bandwidth_gbs, d.fp64_tflops, d.fp32_tflops,
             d.tf32_tflops, d.fp16_tflops, d.bf16_tflops, d.fp8_tflops, d.int8_tops,
             d.fp4_tflops, d.nvlink_gbs, d.pcie_gen, d.tdp_w, d.mig_max, d.form, d.confidence,
             f"{item.stem}#{d.source}", d.notes),
        )  # fmt: skip
        for spelling in (name, *families_of(name, d.family)):
            spellings.setdefault(normalise(spelling), spelling)
    for name, d in item.model.devices.items():
        # The canonical name wins over a family of the same spelling.
        spellings[normalise(name)] = name
        for spelling in (*d.aliases, *((d.measured_as,) if d.measured_as else ())):
            spellings.setdefault(normalise(spelling), name)
    for name, family in item.model.families.items():
        for spelling in (name, *family.aliases):
            spellings.setdefault(normalise(spelling), name)
    database.executemany("INSERT OR IGNORE INTO alias VALUES(?,?)", spellings.items())


def _partitions(database: sqlite3.Connection, item: Parsed, _: Mapping[str, int]) -> None:
    for device, profiles in item.model.partitions.items():
        database.executemany(
            "INSERT INTO partition VALUES(?,?,?,?,?,?,?,?,?,?)",
            (
                (device, profile, p.memory_gib, p.sm_share, p.memory_share, p.compute_slices,
                 p.max_per_device, ",".join(map(str, p.placements)), p.size,
                 f"{item.stem}#{p.source}")
                for profile, p in profiles.items()
            ),
        )  # fmt: skip


def _shapes(database: sqlite3.Connection, item: Parsed, _: Mapping[str, int]) -> None:
    model, stem = item.model, item.stem
    hipaa = model.hipaa
    quotas = {key: quota.model_dump(exclude_none=True) for key, quota in model.quotas.items()}
    database.execute(
        "INSERT INTO provider VALUES(?,?,?,?,?,?,?)",
        (model.provider, model.title, model.tier, model.reference_region,
         None if hipaa is None else int(hipaa.offered),
         None if hipaa is None else f"{stem}#{hipaa.source}", json.dumps(quotas)),
    )  # fmt: skip
    database.executemany(
        f"INSERT INTO instance_type VALUES({','.join('?' * 21)})",
        (
            (model.provider, name, s.family, s.device, _devices_of(s), s.fraction, s.memory_gib,
             s.vcpus, s.host_memory_gib, s.network_gbps, s.rdma, s.interconnect,
             s.local_disk_gb, s.arch, ",".join(s.sold), s.status, s.retired_on, s.price_scope,
             s.quota, f"{stem}#{s.source}", s.notes)
            for name, s in model.types.items()
        ),
    )  # fmt: skip


def _devices_of(shape: Any) -> float:
    if shape.fraction is None:
        return float(shape.devices)
    part, whole = shape.fraction.split("/")
    return int(part) / int(whole)


def _regions(database: sqlite3.Connection, item: Parsed, _: Mapping[str, int]) -> None:
    database.executemany(
        "INSERT INTO region VALUES(?,?,?,?,?,?)",
        (
            (item.model.provider, name, r.title, r.country, r.geo, int(r.eu))
            for name, r in item.model.regions.items()
        ),
    )


def _prices(database: sqlite3.Connection, item: Parsed, sources: Mapping[str, int]) -> None:
    model = item.model
    used: set[str] = set()
    rows: list[tuple[Any, ...]] = []
    regions: set[str] = set()
    version = database.execute("SELECT coalesce(max(id), 0) + 1 FROM catalog").fetchone()[0]
    for name, by_region in model.prices.items():
        for region, cells in by_region.items():
            regions.add(region)
            for key, cell in cells.items():
                rows.append((version, name, region, *_row(key, cell, item.stem, sources, used)))
    database.executemany(f"INSERT INTO offer VALUES({','.join('?' * 13)})", rows)
    as_of = max((model.sources[key].date for key in used), default="")
    database.execute(
        "INSERT INTO catalog VALUES(?,?,?,?,?,?,?,?,?,?,?)",
        (version, model.provider, "prices", model.version, as_of, len(model.prices), len(rows),
         len(regions), model.currency, 0, int(model.complete)),
    )  # fmt: skip


def _row(
    key: str, cell: Any, stem: str, sources: Mapping[str, int], used: set[str]
) -> tuple[Any, ...]:
    part = split_key(key)
    spot = cell if isinstance(cell, SpotCell) else None
    if spot is not None:
        price, source, confirmed = spot.typical, spot.source, spot.confirmed_by
    else:
        price, source, confirmed = cell[0], cell[1], cell[2] if len(cell) == 3 else None
    used.add(source)
    used.update(() if confirmed is None else (confirmed,))
    return (
        part.option, part.term, part.cls, part.payment, _nano(price),
        spot and _nano(spot.low), spot and spot.measure, spot and spot.interruption,
        sources[f"{stem}#{source}"],
        None if confirmed is None else sources[f"{stem}#{confirmed}"],
    )  # fmt: skip


def _nano(price: Decimal | None) -> int | None:
    return None if price is None else int(price * NANO)


def _fx(database: sqlite3.Connection, item: Parsed, _: Mapping[str, int]) -> None:
    for date, rates in item.model.rates.items():
        database.executemany(
            "INSERT INTO rate VALUES(?,?,?)",
            ((date, currency, str(rate)) for currency, rate in rates.items()),
        )
        database.execute("INSERT OR IGNORE INTO rate VALUES(?,?,'1')", (date, item.model.base))


_WRITERS = {
    "devices": _devices,
    "partitions": _partitions,
    "shapes": _shapes,
    "regions": _regions,
    "prices": _prices,
    "fx": _fx,
}


def _plain_versions(database: sqlite3.Connection, parsed: Iterable[Parsed]) -> None:
    """Files without a version of their own are dated by their newest source."""
    dates: dict[str, str] = {}
    for item in parsed:
        if item.kind in ("prices", "shapes", "regions", "billing", "iac"):
            continue
        newest = max((entry.date for entry in item.model.sources.values()), default="")
        dates[item.kind] = max(dates.get(item.kind, ""), newest)
    for kind, date in sorted(dates.items()):
        database.execute(
            "INSERT INTO catalog(name, kind, version, as_of, instance_types, offers, regions,"
            " newest) VALUES(?,?,?,?,0,0,0,1)",
            (kind, kind, date, date),
        )


def _shape_versions(database: sqlite3.Connection, parsed: Iterable[Parsed]) -> None:
    """Shapes have no version of their own: one row a provider, dated by the newest source.

    It counts every type; the row of a price file counts the types that it prices.
    """
    for item in parsed:
        if item.kind == "shapes":
            newest = max((entry.date for entry in item.model.sources.values()), default="")
            database.execute(
                "INSERT INTO catalog(name, kind, version, as_of, instance_types, offers, regions,"
                " newest) VALUES(?,'shapes',?,?,?,0,0,1)",
                (item.model.provider, newest[:7].replace("-", "."), newest, len(item.model.types)),
            )


def _newest(database: sqlite3.Connection) -> None:
    """Mark the newest price version of each provider; 2026.10.10 is newer than 2026.10.9."""
    newest: dict[str, tuple[tuple[int, ...], int]] = {}
    for id_, name, version in database.execute(
        "SELECT id, name, version FROM catalog WHERE kind = 'prices'"
    ):
        rank = (tuple(int(part) for part in version.split(".")), id_)
        newest[name] = max(newest.get(name, rank), rank)
    database.executemany(
        "UPDATE catalog SET newest = 1 WHERE id = ?", ((id_,) for _, id_ in newest.values())
    )
