"""Where a refresh writes, the trial of what it would write, and putting it in place.

First the shapes, then the price version: killed at any point, what is there loads. Shapes with
more types carry the old prices as well, and a price file is there whole or not at all.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from gpuadvisor.catalog.compile import in_memory, load
from gpuadvisor.catalog.errors import InputError, RefusedError, UsageError
from gpuadvisor.catalog.files import catalog_files
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.snapshot import (
    base_path,
    digest_of,
    open_base,
    open_directory,
    refreshed_directory,
)
from gpuadvisor.catalog.staging import staged
from gpuadvisor.catalog.store import Catalog


class Target(NamedTuple):
    """A folder of YAML. An `overlay` lies over the shipped catalogs; `by_itself` is that every
    command reads it without being told."""

    root: str
    overlay: bool
    by_itself: bool


def target_of(output: str | None) -> Target:
    """`--output`, else the catalogs in use where they can be written, else the user's folder.

    UsageError for an empty `output`, which would mean the folder that the shell is in.
    """
    if output is not None:
        if not output.strip():
            raise _unwritable("--output", errno.ENOENT)
        root = os.path.abspath(output)
        same = os.path.isdir(base_path()) and os.path.realpath(root) == os.path.realpath(
            base_path()
        )
        return Target(root, not same and not is_whole(root), same)
    own = refreshed_directory()
    if own is None:
        return Target(os.path.abspath(base_path()), False, True)
    return Target(own, True, True)


def is_whole(directory: str) -> bool:
    """Whether a folder is laid out as a whole catalog, which stands alone."""
    return all(
        os.path.isdir(os.path.join(directory, name)) for name in ("devices", "providers", "regions")
    )


def open_target(target: Target, versions: Mapping[str, str]) -> Catalog:
    """The catalogs as they are now: the target, over the shipped ones where it is an overlay."""
    if not target.overlay:
        return Catalog((open_directory(target.root),), versions)
    layers = (open_base(),)
    if os.path.isdir(target.root) and catalog_files(target.root):
        below = Catalog(layers, {})
        digest = (digest_of(layers[0]),)
        return Catalog((open_directory(target.root, digest, below.known), *layers), versions)
    return Catalog(layers, versions)


def check_writable(root: str) -> None:
    """UsageError where nothing can be written there, before minutes are spent on fetching."""
    place = root
    while not os.path.lexists(place):
        place = os.path.dirname(place)
    if not os.path.isdir(place):
        raise _unwritable(place, errno.ENOTDIR)
    # Asks the file system too: root may do anything, but not on one that is read-only.
    if not os.access(place, os.W_OK | os.X_OK):
        raise _unwritable(place, errno.EACCES)


def _unwritable(path: str, number: int | None) -> UsageError:
    reason = os.strerror(number or errno.EIO)
    return UsageError(message("refresh.unwritable", path=path, reason=reason))


@contextmanager
def _told(path: str) -> Iterator[None]:
    """A full disk and the like in words, with the folder where it happened."""
    try:
        yield
    except OSError as error:
        raise _unwritable(path, error.errno) from error


class Trial:
    """A copy of the target with the new files in it, read by the strict loader."""

    def __init__(self, target: Target, files: Mapping[str, str]) -> None:
        """`files` is path within the target -> text. InputError where they are not sound."""
        temporary = tempfile.gettempdir()
        with (
            _told(temporary),
            tempfile.TemporaryDirectory(prefix="gpuadvisor-trial-", dir=temporary) as scratch,
        ):
            # The folder's own name stands in the ids of an overlay's sources.
            root = os.path.join(scratch, os.path.basename(target.root) or "catalogs")
            _copy(target.root, root)
            for name, text in files.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as handle:
                    handle.write(text)
            base = (open_base(),) if target.overlay else ()
            known = Catalog(base, {}).known() if base else None
            try:
                loaded = load(root, known, tuple(digest_of(layer) for layer in base))
            except InputError as error:
                raise _relocated(error, root, target.root) from error
        self._layers = (in_memory(loaded), *base)

    def catalog(self, versions: Mapping[str, str]) -> Catalog:
        """The catalogs as they would be, pinned."""
        return Catalog(self._layers, versions)


def _copy(source: str, target: str) -> None:
    os.makedirs(target)
    if not os.path.isdir(source):
        return
    for path in catalog_files(source):
        copy = os.path.join(target, os.path.relpath(path, source))
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copyfile(path, copy)


def _relocated(error: InputError, scratch: str, root: str) -> InputError:
    """Problems as of the target's files: the copy is gone when they are read."""
    problems = tuple(p._replace(file=p.file.replace(scratch, root, 1)) for p in error.problems)
    return InputError(message("refresh.not_sound", count=len(problems)), problems)


def put_in_place(
    root: str, prices: tuple[str, str], shapes: tuple[str, str, str | None] | None
) -> None:
    """Write `shapes` (path, text, text that it replaces), then `prices` (path, text).

    Raises RefusedError where another has changed the shapes or made that version meanwhile,
    UsageError where the disk is full or refuses.
    """
    with _told(root):
        _put(root, prices, shapes)


def _put(root: str, prices: tuple[str, str], shapes: tuple[str, str, str | None] | None) -> None:
    price_path = os.path.join(root, prices[0])
    os.makedirs(os.path.dirname(price_path), exist_ok=True)
    _sweep(os.path.dirname(price_path))
    held = staged(price_path, prices[1].encode(), 0o644)
    try:
        if shapes is not None:
            _replace(os.path.join(root, shapes[0]), shapes[1], shapes[2])
        try:
            # A link, not a rename: it fails where the name is taken.
            os.link(held, price_path)
        except FileExistsError as error:
            raise RefusedError(message("refresh.taken", path=price_path)) from error
        except OSError:  # a file system without links
            if os.path.exists(price_path):
                raise RefusedError(message("refresh.taken", path=price_path)) from None
            os.replace(held, price_path)
    finally:
        with suppress(OSError):
            os.unlink(held)
    _settled(os.path.dirname(price_path))


def _replace(path: str, text: str, before: str | None) -> None:
    held = staged(path, text.encode(), 0o644)
    try:
        if read_text(path) != before:
            raise RefusedError(message("refresh.changed_meanwhile", path=path))
        os.replace(held, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(held)
        raise
    _settled(os.path.dirname(path))


def read_text(path: str) -> str | None:
    """A file's text, or None where there is none."""
    try:
        with open(path, encoding="utf-8", newline="") as handle:
            return handle.read()
    except FileNotFoundError:
        return None


def _settled(directory: str) -> None:
    with suppress(OSError, AttributeError):
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(directory: str) -> None:
    """Hidden files of refreshes that were killed, an hour old or more."""
    for place in (directory, os.path.dirname(directory)):
        with suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                old = entry.name.startswith(".") and entry.name.endswith(".partial")
                if old and entry.stat().st_mtime < time.time() - 3600:
                    os.unlink(entry.path)
