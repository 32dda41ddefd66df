"""A human text as data: a message id with its parameters.

No room below `report` writes prose. It returns a `Message`; `report.messages` holds the
one catalogue that turns it into a language.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Message(NamedTuple):
    """`id` is `<area>.<name>` and must exist in `report/messages/<area>.py`."""

    id: str
    params: Mapping[str, object] = {}


class Bilingual(NamedTuple):
    """A text that the catalogs themselves hold, in English and, where they have it, in Chinese."""

    en: str
    zh: str | None = None


def message(id: str, /, **params: object) -> Message:
    """Build a `Message` from keyword parameters."""
    return Message(id, params)
