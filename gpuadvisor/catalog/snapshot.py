"""Find, verify and open the compiled snapshot; compile it when there is none.

A wheel ships the snapshot ready. A checkout and an overlay compile on first use into the user's
cache: one process compiles under a lock while the others wait, and the result is moved into
place whole, so an interrupted compilation leaves nothing that could change an answer. Every
snapshot carries a checksum that is verified on opening; a damaged cache is compiled anew.
"""

import json
import os
import sqlite3
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.catalog.files import FORMAT, content_digest, stat_fingerprint, unreadable
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.seal import is_sound

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHIPPED = os.path.join(_PACKAGE, "_snapshot", "catalog.sqlite")
LOCK_SECONDS = 60.0
"""A process that waits longer than this for another's compilation compiles for itself."""


class Stamp(NamedTuple):
    """What the cache's index remembers of a compiled snapshot.

    `fingerprint` is of the files' stats, `digest` of their bytes; `file` lies beside the index.
    """

    fingerprint: str
    digest: str
    file: str


class Wanted(NamedTuple):
    """The snapshot that is asked for: the YAML folder, over the layers `below` (digests).

    `known` tells what those layers define; it is called only when there is something to compile.
    """

    directory: str
    key: str
    fingerprint: str
    below: tuple[str, ...]
    known: Callable[[], Any]


def source_directory() -> str | None:
    """The YAML folder of a checkout, or None when running from an installed wheel."""
    root = os.path.dirname(_PACKAGE)
    catalogs = os.path.join(root, "catalogs")
    in_checkout = os.path.isfile(os.path.join(root, "pyproject.toml"))
    return catalogs if in_checkout and os.path.isdir(catalogs) else None


def base_path() -> str:
    """The base catalogs: a folder of YAML, or a compiled snapshot.

    `GPUADVISOR_BASE` (either kind) stands in for the shipped ones where it is set.
    """
    return os.environ.get("GPUADVISOR_BASE") or source_directory() or SHIPPED


def cache_directory() -> str | None:
    """The user's cache folder for compiled snapshots (not created here), or None without a home."""
    if os.environ.get("GPUADVISOR_CACHE"):
        return os.path.abspath(os.environ["GPUADVISOR_CACHE"])
    return _user_folder("~/Library/Caches", "XDG_CACHE_HOME", "~/.cache")


def refreshed_directory() -> str | None:
    """Where a refresh lays new price versions over catalogs that it cannot write: the user's data
    folder (not created here). None where the base is a folder of YAML that can be written."""
    base = base_path()
    if os.path.isdir(base) and os.access(base, os.W_OK):
        return None
    data = _user_folder("~/Library/Application Support", "XDG_DATA_HOME", "~/.local/share")
    return None if data is None else os.path.join(data, "catalogs")


def _user_folder(mac: str, variable: str, usual: str) -> str | None:
    """Our folder among the user's: under `mac` on a Mac, elsewhere where the XDG `variable` says,
    else under `usual`; None without a home."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser(mac)
    else:
        base = os.environ.get(variable, "")
        if not os.path.isabs(base):  # the XDG specification: relative paths are ignored
            base = os.path.expanduser(usual)
    return os.path.join(base, "gpuadvisor") if os.path.isabs(base) else None


def open_base() -> sqlite3.Connection:
    """Open the base catalogs, compiling them when needed; InputError says what is wrong."""
    base = base_path()
    if os.path.isfile(base):
        return open_snapshot(base)
    if base == SHIPPED:
        raise InputError(message("catalog.no_snapshot", path=SHIPPED))
    return open_directory(base)


def open_snapshot(path: str) -> sqlite3.Connection:
    """Open a compiled snapshot; InputError where it is damaged or of another format."""
    try:
        if is_sound(path):
            return _connect(path)
        reason = "checksum"
    except OSError as error:
        reason = error.strerror or str(error)
    raise _bad(path, reason)


def _bad(path: str, reason: str) -> InputError:
    remedy = "catalog.bad_snapshot" if path == SHIPPED else "catalog.bad_base"
    return InputError(message(remedy, path=path, reason=reason))


def open_directory(
    directory: str, below: Sequence[str] = (), known: Callable[[], Any] = lambda: None
) -> sqlite3.Connection:
    """Open the snapshot of the YAML under `directory`, compiling into the cache when needed.

    For an overlay, `below` and `known` tell the digests and the names of the layers under it.
    Raises InputError with located problems where the YAML is faulty.
    """
    if not os.path.isdir(directory):
        raise unreadable(directory, message("catalog.not_a_directory"))
    directory = os.path.abspath(directory)
    key = f"{zlib.crc32(os.fsencode(directory)):08x}"
    fingerprint = stat_fingerprint(directory, below)
    wanted = Wanted(directory, key, fingerprint, tuple(below), known)
    for cache in _cache_candidates():
        found = _open_stamped(cache, wanted)
        if found is not None:
            return found
        try:
            os.makedirs(cache, mode=0o700, exist_ok=True)
            return _open_or_compile(cache, wanted)
        except (OSError, sqlite3.Error):
            # Read-only, full, or no locks: the next place may do.
            continue
    return _in_memory(wanted)


def digest_of(database: sqlite3.Connection) -> str:
    """The content digest of an open snapshot."""
    return str(database.execute("SELECT value FROM meta WHERE key = 'digest'").fetchone()[0])


def _cache_candidates() -> Iterator[str]:
    first = cache_directory()
    if first is not None:
        yield first
    # A read-only home still deserves a warm start. The folder must be ours: anybody can
    # create a name under /tmp.
    if hasattr(os, "getuid"):
        with suppress(OSError):
            import tempfile

            folder = os.path.join(tempfile.gettempdir(), f"gpuadvisor-{os.getuid()}")
            with suppress(FileExistsError):
                os.mkdir(folder, mode=0o700)
            state = os.lstat(folder)
            if state.st_uid == os.getuid() and not state.st_mode & 0o022:
                yield folder


def _open_or_compile(cache: str, wanted: Wanted) -> sqlite3.Connection:
    with _lock(os.path.join(cache, f"{wanted.key}.lock")) as held:
        found = _open_stamped(cache, wanted)
        if found is not None:
            return found
        if not held:
            return _in_memory(wanted)
        _sweep(cache, wanted.key, ".partial")
        _compile_into(cache, wanted)
        found = _open_stamped(cache, wanted)
    return found if found is not None else _in_memory(wanted)


def _open_stamped(cache: str, wanted: Wanted) -> sqlite3.Connection | None:
    """The cached snapshot, if it is sound and of the files as they are now."""
    index = os.path.join(cache, f"{wanted.key}.json")
    try:
        with open(index, encoding="utf-8") as handle:
            stamp = Stamp(**json.load(handle))
        if os.path.basename(stamp.file) != stamp.file:
            return None
        same = stamp.fingerprint == wanted.fingerprint
        # Other stats, same bytes: a fresh clone or `touch` does not cost a compilation.
        if not same and stamp.digest != content_digest(wanted.directory, wanted.below):
            return None
        path = os.path.join(cache, stamp.file)
        if not is_sound(path):
            return None
        database = _connect(path)
        if digest_of(database) != stamp.digest:
            database.close()
            return None
    except (OSError, ValueError, TypeError, RecursionError, sqlite3.Error, InputError):
        return None
    if not same:
        with suppress(OSError):
            _write_stamp(cache, wanted, stamp._replace(fingerprint=wanted.fingerprint))
    return database


def _compile_into(cache: str, wanted: Wanted) -> None:
    from gpuadvisor.catalog.compile import load, write_snapshot  # pydantic and yaml: only here

    loaded = load(wanted.directory, wanted.known(), wanted.below)
    name = f"{wanted.key}-{loaded.digest[:32]}.sqlite"
    temporary = _temporary(cache, wanted.key)
    try:
        write_snapshot(loaded, temporary)
        os.replace(temporary, os.path.join(cache, name))
    finally:
        with suppress(OSError):
            os.unlink(temporary)
    _write_stamp(cache, wanted, Stamp(wanted.fingerprint, loaded.digest, name))
    _sweep(cache, wanted.key, ".sqlite", keep=name)


def _write_stamp(cache: str, wanted: Wanted, stamp: Stamp) -> None:
    temporary = _temporary(cache, wanted.key)
    try:
        with open(temporary, "w", encoding="utf-8") as handle:
            json.dump(stamp._asdict(), handle)
        os.replace(temporary, os.path.join(cache, f"{wanted.key}.json"))
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _temporary(cache: str, key: str) -> str:
    return os.path.join(cache, f"{key}-{os.getpid()}.partial")


def _sweep(cache: str, key: str, ending: str, keep: str = "") -> None:
    """Remove what killed compilations and older catalogs left, while the lock is held.

    A reader that has the file open keeps it; one that is about to open it compiles or waits.
    """
    with suppress(OSError):
        for name in os.listdir(cache):
            if name.startswith(f"{key}-") and name.endswith(ending) and name != keep:
                with suppress(OSError):
                    os.unlink(os.path.join(cache, name))


def _in_memory(wanted: Wanted) -> sqlite3.Connection:
    """Nowhere to write: every run compiles, slowly but rightly."""
    from gpuadvisor.catalog.compile import in_memory, load

    return in_memory(load(wanted.directory, wanted.known(), wanted.below))


def _connect(path: str) -> sqlite3.Connection:
    from urllib.parse import quote

    place = quote(os.path.abspath(path).replace(os.sep, "/"), safe="/:")
    try:
        # Only ever read, and SQLite takes its turns itself: a refresh asks from several threads.
        database = sqlite3.connect(
            f"file:{place if place.startswith('/') else '/' + place}?mode=ro&immutable=1",
            uri=True,
            check_same_thread=False,
        )
        row = database.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    except sqlite3.Error as error:
        raise _bad(path, str(error)) from error
    if row is None or row[0] != str(FORMAT):
        database.close()
        raise _bad(path, "format")
    return database


@contextmanager
def _lock(path: str) -> Iterator[bool]:
    """Hold an advisory lock where the system has one; yields whether it was got in time.

    Elsewhere processes compile in parallel, which is correct too: each result is moved in whole.
    """
    try:
        import fcntl
    except ImportError:
        yield True
        return
    with open(path, "w", encoding="utf-8") as handle:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    yield False
                    return
                time.sleep(0.02)
                continue
            yield True
            return
