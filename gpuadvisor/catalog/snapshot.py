"""Find, verify and open the compiled snapshot; compile it when there is none.

A wheel ships the snapshot ready. A checkout compiles on first use into the user's cache: one
process compiles under a lock while the others wait, and the result is moved into place whole,
so an interrupted compilation leaves nothing that could change an answer. A cached snapshot is
checksummed on opening; a damaged one is compiled anew.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import InputError, Problem
from gpuadvisor.catalog.files import FORMAT, stat_fingerprint
from gpuadvisor.catalog.message import message

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHIPPED = os.path.join(_PACKAGE, "_snapshot", "catalog.sqlite")


class Stamp(NamedTuple):
    """What the cache's index remembers of a compiled snapshot."""

    fingerprint: str
    file: str
    size: int
    checksum: int


def source_directory() -> str | None:
    """The YAML folder of a checkout, or None when running from an installed wheel."""
    root = os.path.dirname(_PACKAGE)
    catalogs = os.path.join(root, "catalogs")
    in_checkout = os.path.isfile(os.path.join(root, "pyproject.toml"))
    return catalogs if in_checkout and os.path.isdir(catalogs) else None


def cache_directory() -> str:
    """The user's cache folder for compiled snapshots (not created here)."""
    if os.environ.get("GPUADVISOR_CACHE"):
        return os.environ["GPUADVISOR_CACHE"]
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "gpuadvisor")


def open_base() -> sqlite3.Connection:
    """Open the shipped snapshot, or the checkout's, compiling it when needed."""
    directory = source_directory()
    if directory is None:
        if not os.path.isfile(SHIPPED):
            raise InputError(message("catalog.no_snapshot", path=SHIPPED))
        return _connect(SHIPPED)
    return open_directory(directory)


def open_directory(directory: str, known: Any = None) -> sqlite3.Connection:
    """Open the snapshot of the YAML under `directory`, compiling into the cache when needed.

    Raises InputError with located problems where the YAML is faulty.
    """
    if not os.path.isdir(directory):
        raise InputError(
            message("catalog.unreadable", file=directory),
            (Problem(directory, 0, 0, message("catalog.not_a_directory")),),
        )
    directory = os.path.abspath(directory)
    fingerprint = stat_fingerprint(directory)
    for cache in _cache_candidates():
        try:
            os.makedirs(cache, mode=0o700, exist_ok=True)
            if not os.access(cache, os.W_OK):
                continue
            return _cached(cache, directory, fingerprint, known)
        except OSError:
            continue
    return _in_memory(directory, known)


def _cache_candidates() -> Iterator[str]:
    yield cache_directory()
    # A read-only home still deserves a warm start. The folder must be ours: anybody can
    # create a name under /tmp.
    if hasattr(os, "getuid"):
        folder = os.path.join(tempfile.gettempdir(), f"gpuadvisor-{os.getuid()}")
        with suppress(OSError):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            state = os.lstat(folder)
            if state.st_uid == os.getuid() and not state.st_mode & 0o022:
                yield folder


def _index_path(cache: str, directory: str) -> str:
    return os.path.join(cache, f"{zlib.crc32(directory.encode()):08x}.json")


def _cached(cache: str, directory: str, fingerprint: str, known: Any) -> sqlite3.Connection:
    index = _index_path(cache, directory)
    found = _open_stamped(cache, index, fingerprint)
    if found is not None:
        return found
    with _lock(index + ".lock"):
        found = _open_stamped(cache, index, fingerprint)
        if found is not None:
            return found
        _compile_into(cache, directory, index, fingerprint, known)
    found = _open_stamped(cache, index, fingerprint)
    return found if found is not None else _in_memory(directory, known)


def _open_stamped(cache: str, index: str, fingerprint: str) -> sqlite3.Connection | None:
    """The cached snapshot if the index names it and its bytes are the ones written."""
    try:
        with open(index, encoding="utf-8") as handle:
            stamp = Stamp(**json.load(handle))
        if stamp.fingerprint != fingerprint or os.sep in stamp.file:
            return None
        path = os.path.join(cache, stamp.file)
        if os.path.getsize(path) != stamp.size or _checksum(path) != stamp.checksum:
            return None
        return _connect(path)
    except (OSError, ValueError, TypeError, sqlite3.Error, InputError):
        return None


def _compile_into(cache: str, directory: str, index: str, fingerprint: str, known: Any) -> None:
    from gpuadvisor.catalog.compile import compile_catalogs  # pydantic and yaml: only here

    handle, temporary = tempfile.mkstemp(suffix=".new", dir=cache)
    os.close(handle)
    try:
        digest = compile_catalogs(directory, temporary, known)
        stamp = Stamp(
            fingerprint,
            f"{digest[:32]}-{zlib.crc32(directory.encode()):08x}.sqlite",
            os.path.getsize(temporary),
            _checksum(temporary),
        )
        os.replace(temporary, os.path.join(cache, stamp.file))
    finally:
        with suppress(OSError):
            os.unlink(temporary)
    previous = _stamped_file(index)
    write_atomically(index, json.dumps(stamp._asdict()).encode())
    if previous and previous != stamp.file:
        with suppress(OSError):
            os.unlink(os.path.join(cache, previous))


def _stamped_file(index: str) -> str | None:
    try:
        with open(index, encoding="utf-8") as handle:
            name = json.load(handle)["file"]
        return name if isinstance(name, str) and os.sep not in name else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _in_memory(directory: str, known: Any) -> sqlite3.Connection:
    """Nowhere to write: every run compiles, slowly but rightly."""
    from gpuadvisor.catalog.compile import compile_into_memory

    return compile_into_memory(directory, known)


def _checksum(path: str) -> int:
    value = 0
    with open(path, "rb") as handle:
        while block := handle.read(1 << 20):
            value = zlib.crc32(block, value)
    return value


def _connect(path: str) -> sqlite3.Connection:
    from urllib.parse import quote

    try:
        database = sqlite3.connect(f"file:{quote(path)}?mode=ro&immutable=1", uri=True)
        row = database.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    except sqlite3.Error as error:
        raise InputError(message("catalog.bad_snapshot", path=path, reason=str(error))) from error
    if row is None or row[0] != str(FORMAT):
        raise InputError(message("catalog.bad_snapshot", path=path, reason="format"))
    return database


@contextmanager
def _lock(path: str) -> Iterator[None]:
    """Hold an advisory lock where the system has one; elsewhere processes compile in parallel.

    Parallel compilation is correct either way, since each result is moved in whole.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(path, "w", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def write_atomically(path: str, body: bytes) -> None:
    """Write `body` beside `path` and move it into place, so that a reader sees all or nothing."""
    directory = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(dir=directory, suffix=".partial")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(body)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
