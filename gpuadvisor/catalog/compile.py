"""Validated YAML -> SQLite snapshot.

Compilation is all or nothing: every file is read once, typed and cross-checked first, all faults
are reported together, and the database is written next to its place, sealed with a checksum and
moved in atomically. Its digest is that of the bytes that were read, not of the files a moment
later.
"""

from __future__ import annotations

import importlib
import os
import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from gpuadvisor.catalog import lint
from gpuadvisor.catalog.errors import InputError, Problem
from gpuadvisor.catalog.files import catalog_files, combined, unreadable
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.reader import Located, read, read_bytes
from gpuadvisor.catalog.schema import CatalogFile, Parsed, problems_of
from gpuadvisor.catalog.seal import seal
from gpuadvisor.catalog.tables import write

SCHEMAS: Mapping[str, tuple[str, str]] = {
    "shapes": ("schema_shapes", "ShapesFile"),
    "regions": ("schema_shapes", "RegionsFile"),
    "prices": ("schema_prices", "PricesFile"),
    "devices": ("schema_devices", "DevicesFile"),
    "partitions": ("schema_devices", "PartitionsFile"),
    "fx": ("schema_devices", "FxFile"),
    "workloads": ("schema_workloads", "WorkloadsFile"),
    "rules": ("schema_rules", "RulesFile"),
    "benchmarks": ("schema_benchmarks", "BenchmarksFile"),
    "interconnect": ("schema_interconnect", "InterconnectFile"),
    "billing": ("schema_billing", "BillingFile"),
    "models": ("schema_models", "ModelsFile"),
    "sharing": ("schema_sharing", "SharingFile"),
    "storage": ("schema_storage", "StorageFile"),
    "ownership": ("schema_ownership", "OwnershipFile"),
    "training": ("schema_training", "TrainingFile"),
    "iac": ("schema_iac", "IacFile"),
}
"""Kind of file -> (module of `gpuadvisor.catalog`, model). The file's `schema` line names it."""

MAX_TOTAL_NODES = 2_000_000
"""Keys, values and containers of all files together: some 20 s and 1 GiB."""


class Loaded(NamedTuple):
    """The typed files of a catalog and the digest of the bytes they were read from."""

    files: tuple[Parsed, ...]
    digest: str


def load(root: str, known: lint.Known | None = None, below: Sequence[str] = ()) -> Loaded:
    """Read, type and cross-check every file under `root`; InputError lists all faults.

    `known` names what the lower layers already define and `below` holds their digests, when
    `root` is an overlay.
    """
    parsed: list[Parsed] = []
    problems: list[Problem] = []
    bodies: list[tuple[str, bytes]] = []
    paths = catalog_files(root)
    if not paths:
        raise InputError(message("catalog.no_files", directory=root))
    # Ids of sources name the overlay, so that two with a `prices.yaml` stay apart.
    name = "" if known is None else os.path.basename(os.path.abspath(root)) + "/"
    nodes = 0
    for path in paths:
        try:
            bodies.append((path, read_bytes(path)))
            parsed.append(_parse(*bodies[-1], name + _stem(root, path)))
        except InputError as error:
            problems.extend(error.problems)
            continue
        nodes += len(parsed[-1].located.marks)
        if nodes > MAX_TOTAL_NODES:
            raise unreadable(root, message("catalog.too_many_nodes", limit=MAX_TOTAL_NODES))
    problems.extend(lint.check(parsed, known))
    if problems:
        problems.sort(key=lambda p: (p.file, p.line, p.column))
        raise InputError(message("catalog.invalid", count=len(problems)), tuple(problems))
    return Loaded(tuple(parsed), combined(root, bodies, below))


def _stem(root: str, path: str) -> str:
    return os.path.relpath(path, root).rsplit(".", 1)[0].replace(os.sep, "/")


def _parse(path: str, raw: bytes, stem: str) -> Parsed:
    if not stem.isprintable():
        # It would stand in the ids of sources, and so in answers.
        raise unreadable(path, message("catalog.file_name"))
    located = read(path, raw)
    kind = _kind(located)
    module, name = SCHEMAS[kind]
    model: type[CatalogFile] = getattr(
        importlib.import_module(f"gpuadvisor.catalog.{module}"), name
    )
    try:
        typed = model.model_validate(located.data)
    except ValidationError as error:
        found = tuple(problems_of(located, error))
        raise InputError(message("catalog.invalid", count=len(found)), found) from error
    return Parsed(kind, stem, located, typed)


def _kind(located: Located) -> str:
    line = located.data.get("schema") if isinstance(located.data, dict) else None
    parts = line.split("/") if isinstance(line, str) else []
    if len(parts) == 3 and parts[0] == "gpuadvisor" and parts[1] in SCHEMAS and parts[2] == "1":
        return parts[1]
    expected = ", ".join(f"gpuadvisor/{kind}/1" for kind in SCHEMAS)
    fault = located.problem(
        ("schema",), message("catalog.bad_schema_line", value=str(line)[:80], expected=expected)
    )
    raise InputError(message("catalog.unreadable", file=located.file), (fault,))


def compile_catalogs(root: str, target: str, known: lint.Known | None = None) -> str:
    """Compile `root` into the SQLite file `target`, atomically; returns the content digest."""
    loaded = load(root, known)
    directory = os.path.dirname(os.path.abspath(target))
    handle, temporary = tempfile.mkstemp(suffix=".partial", dir=directory)
    os.close(handle)
    try:
        write_snapshot(loaded, temporary)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
    return loaded.digest


def write_snapshot(loaded: Loaded, path: str) -> None:
    """Write and seal the snapshot in place at `path`, which must be empty or absent."""
    database = sqlite3.connect(path)
    try:
        write(database, loaded.files, loaded.digest)
    finally:
        database.close()
    seal(path)


def in_memory(loaded: Loaded) -> sqlite3.Connection:
    """The snapshot as an in-memory database, for when nothing can be written at all."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    write(database, loaded.files, loaded.digest)
    return database
