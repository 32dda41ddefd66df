"""What the modules of public lists share: the checks of a request, and the day a list states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.names import unknown_name
from gpuadvisor.refresh.interface import Context, Wanted

MOST = Decimal(10) ** 12
"""More than any term costs; what is beyond could not even be divided exactly."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def checked_regions(provider: str, wanted: Wanted, context: Context) -> tuple[str, ...]:
    """The regions asked for, else all that the catalog has. UsageError for an unknown one."""
    known = sorted(context.catalog.region_names(provider))
    for region in wanted.regions:
        if region not in known:
            raise UsageError(unknown_name("region", region, known))
    return wanted.regions or tuple(known)


def checked_parts(provider: str, wanted: Wanted, parts: Sequence[str]) -> None:
    """UsageError where nothing is asked for that these feeds hold."""
    if not any(wanted.asks(part) for part in parts):
        raise UsageError(message("refresh.no_parts", provider=provider, parts=", ".join(parts)))


def stated_day(value: Any, today: date) -> date:
    """The day that a list states for itself (an ISO time), else today; never a day to come."""
    match = _DAY.match(value) if isinstance(value, str) else None
    if match:
        with suppress(ValueError):
            return min(date.fromisoformat(match[0]), today)
    return today
