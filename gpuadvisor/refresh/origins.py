"""The sources that cells may name: the previous version's, the feeds, and mixtures of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from gpuadvisor.refresh.interface import Feed

LONGEST_TITLE = 200
"""Characters that the schema allows a title."""
_TYPICAL, _LOW = "Typical: ", "; low: "
_WEAKEST_FIRST = ("low", "secondary", "official")


def source_keys(feeds: Iterable[Feed], known: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Feed id -> key of its source: the id with its date; another number where that is taken."""
    found: dict[str, str] = {}
    for feed in feeds:
        day = feed.date.isoformat()
        base = feed.id if feed.id.endswith(day) else f"{feed.id}-{day}"
        taken = {**known, **{key: {} for key in found.values()}}
        found[feed.id] = _free(base, source_entry(feed), taken)
    return found


def source_entry(feed: Feed) -> dict[str, str]:
    """A feed as an entry of `sources`; it comes from the cloud itself."""
    entry = {"title": feed.title, "address": feed.address, "date": feed.date.isoformat()}
    if feed.licence:
        entry["licence"] = feed.licence
    return {**entry, "confidence": "official"}


def _free(base: str, entry: Mapping[str, str], taken: Mapping[str, Mapping[str, str]]) -> str:
    """`base`, or the first of `base-2`, `base-3` … that is free or holds this very entry."""
    key, number = base, 2
    while key in taken and taken[key] != entry:
        key, number = f"{base}-{number}", number + 1
    return key


class Origins:
    """Keys of sources by feed id, and the entry of every key.

    `entries` grows by the mixtures that cells turn out to need.
    """

    def __init__(self, feeds: Iterable[Feed], known: Mapping[str, Mapping[str, str]]) -> None:
        listed = tuple(feeds)
        self.keys: Mapping[str, str] = source_keys(listed, known)
        self.entries: dict[str, Mapping[str, str]] = {
            **{self.keys[feed.id]: source_entry(feed) for feed in listed},
            **known,
        }

    def day(self, key: str) -> str:
        """The ISO date of a source."""
        return self.entries[key]["date"]

    def age(self, key: str, later: str) -> int:
        """Days from one source's date to another's."""
        return (date.fromisoformat(self.day(later)) - date.fromisoformat(self.day(key))).days

    def mixed(self, typical: str, low: str) -> str:
        """Key of the source of a spot cell whose two figures come from different ones.

        As in the catalogs made by hand its title names both, the second with its day; address,
        licence and date are those of `typical`, the confidence is the weaker one.
        """
        first, second = self.entries[typical], self.entries[low]
        end = f"{_LOW}{second['title']}, {second['date']}"
        # Of a mixture only the typical half goes on.
        start = first["title"].removeprefix(_TYPICAL).partition(_LOW)[0]
        room = LONGEST_TITLE - len(_TYPICAL) - len(end)
        if len(start) > room:
            start = start[: room - 1] + "…"
        weaker = min(first["confidence"], second["confidence"], key=_WEAKEST_FIRST.index)
        entry = {**first, "title": f"{_TYPICAL}{start}{end}", "confidence": weaker}
        key = _free(f"{low}-typical-{first['date']}", entry, self.entries)
        self.entries[key] = entry
        return key
