"""What went wrong on the way out, in words, and whether it is worth another try."""

from __future__ import annotations

import email.utils
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gpuadvisor.catalog.message import Message, message

if TYPE_CHECKING:
    from gpuadvisor.refresh.transport import Limits


def shown(address: str) -> str:
    """An address for people: without user, query and fragment, where secrets may stand."""
    with suppress(ValueError):
        parts = urlsplit(address)
        host = parts.hostname or ""
        return f"{host}{parts.path}"[:200]
    return "?"


def retry_after(after: str | None) -> float | None:
    """`Retry-After`, in seconds or as an HTTP date; None where it says neither (RFC 9110)."""
    if after is None:
        return None
    text = after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    with suppress(TypeError, ValueError):
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    return None


def is_final(error: Exception, attempt: int) -> bool:
    """A certificate that is not trusted stays so, who was silent so long has no more to say, and
    a name that is not found twice is not there: offline, no region shall take its time."""
    from urllib3.exceptions import (
        LocationParseError,
        NameResolutionError,
        ReadTimeoutError,
        SSLError,
    )

    if isinstance(error, NameResolutionError):
        return attempt > 1
    return isinstance(error, SSLError | LocationParseError | ReadTimeoutError)


def fault(address: str, error: Exception, limits: Limits) -> Message:
    from urllib3.exceptions import (
        ConnectTimeoutError,
        NameResolutionError,
        NewConnectionError,
        ProxyError,
        ReadTimeoutError,
        SSLError,
    )

    where = shown(address)
    if isinstance(error, NameResolutionError):
        return message("refresh.no_such_host", address=where)
    if isinstance(error, ConnectTimeoutError) and not isinstance(error, NewConnectionError):
        return message("refresh.no_connection", address=where, seconds=f"{limits.connect:g}")
    if isinstance(error, ReadTimeoutError):
        return message("refresh.silent", address=where, seconds=f"{limits.silence:g}")
    if isinstance(error, SSLError):
        return message("refresh.tls", address=where)
    if isinstance(error, ProxyError):
        return message("refresh.proxy", address=where)
    return message("refresh.refused", address=where)
