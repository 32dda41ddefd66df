"""The comment at the head of a price file that a refresh has made: what was read, what was not."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from datetime import date

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import PURCHASE_OPTIONS
from gpuadvisor.refresh.compose import Counts
from gpuadvisor.refresh.interface import SHAPES, Fetched
from gpuadvisor.refresh.price_file import PriceFile

WIDTH = 150
_MADE = "gpuadvisor catalog refresh"
_VERSION = re.compile(r"\b(\d{4}\.\d{2}(?:\.\d+)?)\b")


def head(
    provider: str,
    today: date,
    previous: PriceFile,
    fetched: Fetched,
    counts: Counts,
    words: Callable[[Message], str],
) -> tuple[str, ...]:
    """Lines without their `#`. What hand-made versions say of their prices holds for those carried
    over: the last such version is named."""
    regions: dict[str, set[str]] = {}
    for scope in fetched.scopes:
        if scope.option != SHAPES:
            regions.setdefault(scope.option, set()).add(scope.region)
    read = ", ".join(
        f"{option} ({len(regions[option])})" for option in PURCHASE_OPTIONS if option in regions
    )
    texts = [
        message(
            "refresh.head_made",
            command=f"{_MADE} {provider}",
            today=today.isoformat(),
            previous=previous.version,
        ),
        message("refresh.head_read", read=read or "-", carried=counts.carried),
        message("refresh.head_carried", version=_hand_made(previous)),
    ]
    return tuple(line for text in texts for line in textwrap.wrap(words(text), WIDTH))


def _hand_made(previous: PriceFile) -> str:
    """The version whose comment explains the prices carried over; a refreshed one names it."""
    comment = " ".join(previous.comment)
    if _MADE in comment:
        named = _VERSION.findall(comment)
        if named:
            return str(named[-1])
    return previous.version
