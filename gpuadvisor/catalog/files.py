"""Which files make a catalog, and how their state is told apart. No YAML, no pydantic."""

import os
from collections.abc import Iterable
from typing import NoReturn

from gpuadvisor.catalog.errors import InputError, Problem
from gpuadvisor.catalog.message import Message, message

FORMAT = 3
"""Version of the snapshot's tables; a snapshot of another format is compiled anew."""

MAX_FILES = 2000
MAX_FOLDERS = 5000
"""Bounds of one catalog folder: `--catalog /` is a slip of the hand, not a catalog."""

_CODE = os.path.dirname(os.path.abspath(__file__))


def catalog_files(root: str) -> list[str]:
    """Every `.yaml` file under `root`, sorted; hidden files and folders are left out.

    Raises InputError where a folder cannot be listed or the bounds are passed.
    """
    found: list[str] = []
    for seen, (directory, folders, names) in enumerate(os.walk(root, onerror=_unlistable)):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        found.extend(
            os.path.join(directory, name)
            for name in names
            if name.endswith((".yaml", ".yml")) and not name.startswith(".")
        )
        if len(found) > MAX_FILES or seen >= MAX_FOLDERS:
            what = message("catalog.too_many_files", files=MAX_FILES, folders=MAX_FOLDERS)
            raise unreadable(root, what)
    return sorted(found)


def _unlistable(error: OSError) -> NoReturn:
    reason = error.strerror or str(error)
    raise unreadable(str(error.filename), message("catalog.os_error", reason=reason)) from error


def unreadable(path: str, what: Message, line: int = 0, column: int = 0) -> InputError:
    """The error of one file or folder that cannot be used at all."""
    return InputError(
        message("catalog.unreadable", file=path), (Problem(path, line, column, what),)
    )


def stat_fingerprint(root: str, below: Iterable[str] = ()) -> str:
    """A cheap fingerprint: path, size and mtime of each file. Equal means unchanged.

    It covers the code that compiles, and the digests of the layers `below` that an overlay
    was checked against. Text, not a hash: importing hashlib costs more than comparing it.
    """
    lines = [str(FORMAT), root, *below]
    for path in (*catalog_files(root), *_code_files()):
        try:
            state = os.stat(path)
        except OSError:
            # Reading it will fail with a located error; until then it is just a difference.
            lines.append(f"{path!a} -")
        else:
            lines.append(f"{path!a} {state.st_size} {state.st_mtime_ns}")
    return "\n".join(lines)


def content_digest(root: str, below: Iterable[str] = ()) -> str:
    """SHA-256 over the bytes of every file, of the code, and over the layers `below`.

    Raises InputError where a file cannot be read.
    """
    from gpuadvisor.catalog.reader import read_bytes

    return combined(root, ((path, read_bytes(path)) for path in catalog_files(root)), below)


def combined(root: str, bodies: Iterable[tuple[str, bytes]], below: Iterable[str] = ()) -> str:
    """The content digest of files whose bytes are at hand: the very bytes that are compiled."""
    import hashlib

    digest = hashlib.sha256(f"{FORMAT}\0{code_digest()}\0".encode())
    for layer in below:
        digest.update(f"{layer}\0".encode())
    for path, body in bodies:
        name = os.fsencode(os.path.relpath(path, root).replace(os.sep, "/"))
        digest.update(b"%s\0%d\0" % (name, len(body)))
        digest.update(body)
    return digest.hexdigest()


def code_digest() -> str:
    """SHA-256 of this room's modules: other code may compile the same files otherwise."""
    import hashlib

    digest = hashlib.sha256()
    for path in _code_files():
        with open(path, "rb") as handle:
            digest.update(handle.read())
    return digest.hexdigest()


def _code_files() -> list[str]:
    with os.scandir(_CODE) as entries:
        return sorted(e.path for e in entries if e.name.endswith(".py"))
