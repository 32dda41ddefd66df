"""The work folder: what a refresh has brought home so far, so that it can go on after a break.

One file per task, written whole or not at all, in a folder named after the request: another day,
other regions or other endpoints are another request. A file that cannot be read is fetched anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import Message
from gpuadvisor.catalog.snapshot import cache_directory
from gpuadvisor.refresh.interface import (
    Feed,
    Fetched,
    Puzzle,
    Scope,
    SeenPrice,
    SeenType,
)

FORMAT = 1
FRESH = 6 * 3600
"""Seconds for which a result may stand for a new one."""
KEPT_DAYS = 3
"""Folders of refreshes that were never finished are swept after so many days."""


class Work(NamedTuple):
    """The folder of one request."""

    folder: str

    def kept(self, key: str) -> Fetched | None:
        """What the task of that key brought home before, if it did."""
        try:
            with open(self._path(key), encoding="utf-8") as handle:
                if os.fstat(handle.fileno()).st_mtime < time.time() - FRESH:
                    return None
                return _fetched(json.load(handle, object_hook=_revived))
        except (OSError, ValueError, TypeError, KeyError, RecursionError, InvalidOperation):
            return None

    def keep(self, key: str, fetched: Fetched) -> Fetched:
        """Store a task's result; returns it as it will be read (JSON has no tuples)."""
        text = json.dumps(_plain(fetched), ensure_ascii=False, default=_default)
        with suppress(OSError):  # a full disk costs the resumption, not the refresh
            handle, temporary = tempfile.mkstemp(suffix=".partial", dir=self.folder)
            try:
                with open(handle, "w", encoding="utf-8") as out:
                    out.write(text)
                os.replace(temporary, self._path(key))
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
        return _fetched(json.loads(text, object_hook=_revived))

    def drop(self) -> None:
        """The refresh is done: nothing is kept."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, key: str) -> str:
        # A key may hold any character; its digest is a file name everywhere.
        return os.path.join(self.folder, hashlib.sha256(key.encode()).hexdigest()[:32] + ".json")


def open_work(provider: str, request: Mapping[str, Any]) -> Work:
    """The work folder of a request, made where it is new. `request` is what decides the answer."""
    text = json.dumps([FORMAT, provider, request], sort_keys=True, default=str)
    name = f"{provider}-{hashlib.sha256(text.encode()).hexdigest()[:24]}"
    cache = cache_directory()
    if cache is not None:
        root = os.path.join(cache, "refresh")
        with suppress(OSError):
            os.makedirs(os.path.join(root, name), mode=0o700, exist_ok=True)
            _sweep(root, name)
            return Work(os.path.join(root, name))
    return Work(tempfile.mkdtemp(prefix="gpuadvisor-refresh-"))


def _sweep(root: str, used: str) -> None:
    oldest = time.time() - KEPT_DAYS * 86400
    with os.scandir(root) as entries:
        old = [e.path for e in entries if e.name != used and e.stat().st_mtime < oldest]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)


# -- as JSON -----------------------------------------------------------------------------------


def _plain(fetched: Fetched) -> dict[str, Any]:
    found: dict[str, Any] = fetched._asdict()
    # json would write a Message, a tuple too, as a list.
    found["notes"] = [_told(note) for note in fetched.notes]
    return found


def _told(value: Any) -> Any:
    if isinstance(value, Message):
        return {"$message": value.id, "params": {k: _told(v) for k, v in value.params.items()}}
    if isinstance(value, list):
        return [_told(part) for part in value]
    return value


def _default(value: object) -> Any:
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, date):
        return {"$date": value.isoformat()}
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def _revived(found: dict[str, Any]) -> Any:
    if "$decimal" in found:
        return Decimal(found["$decimal"])
    if "$date" in found:
        return date.fromisoformat(found["$date"])
    if "$message" in found:
        return Message(found["$message"], found["params"])
    return found


def _fetched(found: dict[str, Any]) -> Fetched:
    return Fetched(
        tuple(Feed(*row) for row in found["feeds"]),
        tuple(_type(SeenType(*row)) for row in found["types"]),
        tuple(_price(SeenPrice(*row)) for row in found["prices"]),
        tuple(Scope(region, option, tuple(rest)) for region, option, rest in found["scopes"]),
        tuple(Puzzle(*row) for row in found["puzzles"]),
        tuple(found["notes"]),
        found["raw"],
    )


def _price(seen: SeenPrice) -> SeenPrice:
    """A whole number of a JSON answer is a price too."""
    return seen._replace(price=_exact(seen.price), low=_exact(seen.low))


def _exact(value: Any) -> Any:
    return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _type(seen: SeenType) -> SeenType:
    """As its fields say: what comes through `Transport.json` has Decimals."""
    fields: dict[str, Any] = {
        name: float(value) for name, value in seen._asdict().items() if isinstance(value, Decimal)
    }
    if seen.sold is not None:
        fields["sold"] = tuple(seen.sold)
    return seen._replace(**fields)
