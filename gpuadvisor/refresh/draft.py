"""The files that a refresh would write: the new price version, and `shapes.yaml` if it changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.catalog.reader import read
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh.compose import Composition
from gpuadvisor.refresh.head import head
from gpuadvisor.refresh.interface import Fetched
from gpuadvisor.refresh.origins import source_entry, source_keys
from gpuadvisor.refresh.place import Target, read_text
from gpuadvisor.refresh.price_file import PriceFile, text_of
from gpuadvisor.refresh.shape_file import begun, edited, edits_of
from gpuadvisor.refresh.shapes import ShapeChange


class Draft(NamedTuple):
    """Paths within the target with their texts; `shapes` has the text that it replaces too."""

    version: str
    prices: tuple[str, str]
    shapes: tuple[str, str, str | None] | None

    def texts(self) -> dict[str, str]:
        """Path -> text of every file."""
        shapes = {} if self.shapes is None else {self.shapes[0]: self.shapes[1]}
        return {**shapes, self.prices[0]: self.prices[1]}


class Made(NamedTuple):
    """What was made of a fetch: the version it comes from, its prices, changes of shapes, and
    every type with its new ones."""

    previous: PriceFile
    fetched: Fetched
    composition: Composition
    changes: Sequence[ShapeChange]
    types: Mapping[str, InstanceType]


def draft(
    made: Made, catalog: Catalog, target: Target, today: date, words: Callable[[Message], str]
) -> Draft:
    """The texts; `words` turns a message into the English of a comment."""
    provider = made.previous.provider
    taken = {v.version for v in catalog.versions() if v.name == provider}
    version = next_version(today, taken)
    counts = made.composition.counts
    file = PriceFile(
        provider,
        version,
        made.previous.currency,
        made.composition.sources,
        made.composition.prices,
        head(provider, today, made.previous, made.fetched, counts, words),
    )
    prices = (price_path(provider, version), text_of(file, complete=target.overlay))
    if not made.changes:
        return Draft(version, prices, None)
    return Draft(version, prices, _shapes(made, catalog, target, words))


def price_path(provider: str, version: str) -> str:
    """Where a price version lies within a folder of catalogs."""
    return os.path.join("providers", provider, "prices", f"{version}.yaml")


def next_version(today: date, existing: Iterable[str]) -> str:
    """`YYYY.MM` of the day, or `.1`, `.2` … behind it: nothing is written over."""
    month = f"{today.year:04d}.{today.month:02d}"
    taken = {int(v[len(month) + 1 :] or 0) for v in existing if v.startswith(month)}
    return month if not taken else f"{month}.{max(taken) + 1}"


def _shapes(
    made: Made, catalog: Catalog, target: Target, words: Callable[[Message], str]
) -> tuple[str, str, str | None]:
    provider = catalog.provider(made.previous.provider)
    path = os.path.join("providers", provider.name, "shapes.yaml")
    before = read_text(os.path.join(target.root, path))
    start = before
    if start is None:
        comment = words(message("refresh.overlay_head", provider=provider.title))
        start = begun(provider, comment, sorted(provider.quotas))
    known = read(os.path.join(target.root, path), start.encode()).data.get("sources") or {}
    feeds = {feed.id: feed for feed in made.fetched.feeds}
    used = [feeds[change.feed] for change in made.changes]
    keys = source_keys(used, known)
    entries = {keys[f.id]: source_entry(f) for f in used if keys[f.id] not in known}
    families = {name: item.family for name, item in made.types.items()}
    return path, edited(start, edits_of(made.changes, keys), entries, families), before
