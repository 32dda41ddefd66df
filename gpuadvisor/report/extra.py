"""Libraries of an optional extra, and what to do where they are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message


@contextmanager
def needed(extra: str) -> Iterator[None]:
    """Turns a library that is missing into a UsageError that says how to install the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(message("page.no_extra", extra=extra, library=error.name)) from error
