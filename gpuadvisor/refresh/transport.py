"""One way out to the public feeds: retries with back-off, a silence limit, a total deadline.

urllib3 does the work; it is imported here alone, when a refresh runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol


class Transport(Protocol):
    """HTTP without a login. Every method raises `interface.Missing` with the reason in words:
    refused, timed out (120 s without a byte, or the deadline), status, not JSON, cut short."""

    def json(
        self,
        address: str,
        *,
        parameters: Mapping[str, str] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """GET (or POST `body` as JSON) and parse; numbers with a point come as Decimal."""

    def lines(self, address: str) -> Iterator[str]:
        """Stream a text body line by line in bounded memory."""
