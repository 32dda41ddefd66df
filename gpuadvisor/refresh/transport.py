"""One way out to the public feeds: retries with back-off, a silence limit, a total deadline.

urllib3 does the work; it is imported here alone, when a refresh runs. Reasons name an address
without its query and user, where keys may stand.
"""

from __future__ import annotations

import copy
import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol
from urllib.parse import quote, urlencode, urljoin, urlsplit

from gpuadvisor.catalog.message import message
from gpuadvisor.refresh.bodies import CutShort, TooLarge, as_lines, unpacked
from gpuadvisor.refresh.faults import fault, is_final, retry_after, shown
from gpuadvisor.refresh.interface import Missing

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses that pass; every other one above 299 is an answer."""
REDIRECTS = 5
PIECE = 64 * 1024
AGENT = "gpuadvisor-catalog-refresh"


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

    def pieces(self, address: str) -> Iterator[bytes]:
        """Stream a body, unpacked where it is gzip, in pieces of at most 64 KiB."""


class Limits(NamedTuple):
    """Bounds of the way out; times in seconds.

    `silence` is the longest wait for one byte, `backoff` the first pause after a fault (it
    doubles, and a random half of it is taken off), `pause` the least time between two requests
    to one host. `json_bytes` bounds one unpacked JSON answer, `stream_bytes` a streamed body.
    """

    silence: float = 120.0
    connect: float = 20.0
    attempts: int = 5
    backoff: float = 1.0
    longest_backoff: float = 30.0
    pause: float = 0.1
    json_bytes: int = 128 * 2**20
    stream_bytes: int = 4 * 2**30


class Http:
    """The Transport of a refresh. `ends` is the deadline on `time.monotonic`'s clock; `moved`
    is told the bytes of every piece. Safe to use from several threads."""

    def __init__(
        self,
        ends: float,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        moved: Callable[[int], None] = lambda _: None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._ends, self._limits, self._moved, self._wait = ends, limits, moved, wait
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        self._pools: dict[str, Any] = {}

    def telling(self, moved: Callable[[int], None]) -> Http:
        """The same way out, with its pools and its pace, that tells another about its bytes."""
        twin = copy.copy(self)
        twin._moved = moved
        return twin

    def json(
        self,
        address: str,
        *,
        parameters: Mapping[str, str] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """See `Transport`. An answer that is cut short or no JSON is asked for again."""
        sent = None if body is None else json.dumps(body).encode()
        asked = _Request(_with(address, parameters), sent, headers)
        for left in reversed(range(self._limits.attempts)):
            try:
                whole = b"".join(self._body(asked, self._limits.json_bytes))
                return json.loads(whole, parse_float=Decimal, parse_constant=_no_number)
            except (CutShort, ValueError, RecursionError) as error:
                if not left:
                    kind = "cut_short" if isinstance(error, CutShort) else "not_json"
                    raise Missing(message(f"refresh.{kind}", address=shown(address))) from error
                self._pause(self._limits.attempts - left, address)
        raise AssertionError("attempts is at least 1")

    def lines(self, address: str) -> Iterator[str]:
        """See `Transport`."""
        try:
            yield from as_lines(self.pieces(address))
        except TooLarge as error:
            raise Missing(message("refresh.long_line", address=shown(address))) from error

    def pieces(self, address: str) -> Iterator[bytes]:
        """See `Transport`. A body that breaks off is Missing: half a file is no file."""
        try:
            yield from self._body(_Request(address), self._limits.stream_bytes)
        except CutShort as error:
            raise Missing(message("refresh.cut_short", address=shown(address))) from error

    # -- one request ----------------------------------------------------------------------

    def _body(self, asked: _Request, limit: int) -> Iterator[bytes]:
        """The unpacked body of the answer; raises CutShort where it ends too early."""
        response = self._answer(asked)
        try:
            yield from unpacked(self._raw(response, asked.address), limit)
        except TooLarge as error:
            what = message("refresh.too_large", address=shown(asked.address), limit=limit)
            raise Missing(what) from error
        finally:
            # What is left unread would be taken for the next answer.
            response.close()

    def _raw(self, response: BaseHTTPResponse, address: str) -> Iterator[bytes]:
        from urllib3.exceptions import HTTPError, ReadTimeoutError

        while True:
            if time.monotonic() > self._ends:
                raise Missing(message("refresh.deadline", address=shown(address)))
            try:
                piece = response.read1(PIECE, decode_content=False)
            except ReadTimeoutError as error:
                self._silent(address, error)
            except (HTTPError, OSError) as error:
                raise CutShort from error
            if not piece:
                return
            self._moved(len(piece))
            yield piece

    def _answer(self, asked: _Request) -> BaseHTTPResponse:
        """The first answer with status 200, after retries and redirects."""
        from urllib3.exceptions import HTTPError

        hops = 0
        attempt = 0
        while True:
            attempt += 1
            last = attempt >= self._limits.attempts
            try:
                response = self._once(asked)
            except (HTTPError, OSError) as error:
                if last or is_final(error, attempt):
                    raise Missing(fault(asked.address, error, self._limits)) from error
                self._pause(attempt, asked.address)
                continue
            status = response.status
            if status == 200:
                return response
            after = response.headers.get("Retry-After")
            target = response.headers.get("Location")
            response.close()
            if status in (301, 302, 303, 307, 308) and target and hops < REDIRECTS:
                hops, attempt = hops + 1, attempt - 1
                asked = _redirected(asked, target)
            elif status in RETRIED and not last:
                self._pause(attempt, asked.address, retry_after(after))
            else:
                raise Missing(
                    message("refresh.status", address=shown(asked.address), status=status)
                )

    def _once(self, asked: _Request) -> BaseHTTPResponse:
        from urllib3 import Timeout
        from urllib3.util import make_headers

        left = self._turn(asked.address)
        plain = make_headers(accept_encoding="gzip", user_agent=AGENT)
        if asked.body is not None:
            plain["Content-Type"] = "application/json"
        answer: BaseHTTPResponse = self._pool(asked.address).request(
            "GET" if asked.body is None else "POST",
            asked.address,
            body=asked.body,
            headers={**plain, **(asked.headers or {})},
            timeout=Timeout(
                connect=min(self._limits.connect, left), read=min(self._limits.silence, left)
            ),
            retries=False,
            redirect=False,
            preload_content=False,
        )
        return answer

    def _pool(self, address: str) -> Any:
        """The pool of this address: direct, or through the proxy that the environment names."""
        import urllib.request

        from urllib3 import PoolManager, ProxyManager

        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Missing(message("refresh.bad_address", address=shown(address)))
        proxy = ""
        if not urllib.request.proxy_bypass(parts.hostname):
            proxy = urllib.request.getproxies().get(parts.scheme, "")
        with self._lock:
            if proxy not in self._pools:
                self._pools[proxy] = (
                    ProxyManager(proxy, maxsize=16) if proxy else PoolManager(maxsize=16)
                )
            return self._pools[proxy]

    # -- waiting --------------------------------------------------------------------------

    def _turn(self, address: str) -> float:
        """Wait for this host's next turn; the seconds left to the deadline."""
        host = urlsplit(address).netloc
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next.get(host, now))
            self._next[host] = turn + self._limits.pause
        if turn > now:
            self._wait(turn - now)
        left = self._ends - time.monotonic()
        if left <= 0:
            raise Missing(message("refresh.deadline", address=shown(address)))
        return left

    def _pause(self, attempt: int, address: str, asked: float | None = None) -> None:
        """Back off, as long as the server asks for where it does; Missing past the deadline."""
        ceiling = min(self._limits.backoff * 2 ** (attempt - 1), self._limits.longest_backoff)
        seconds = ceiling * (0.5 + random.random() / 2)  # noqa: S311 - jitter
        if asked is not None:
            seconds = max(seconds, asked)
        if time.monotonic() + seconds >= self._ends:
            raise Missing(message("refresh.deadline", address=shown(address)))
        self._wait(seconds)

    def _silent(self, address: str, error: Exception) -> NoReturn:
        if time.monotonic() >= self._ends:
            raise Missing(message("refresh.deadline", address=shown(address))) from error
        seconds = f"{self._limits.silence:g}"
        what = message("refresh.silent", address=shown(address), seconds=seconds)
        raise Missing(what) from error


class _Request(NamedTuple):
    """A GET, or a POST where there is a body."""

    address: str
    body: bytes | None = None
    headers: Mapping[str, str] | None = None


def _with(address: str, parameters: Mapping[str, str] | None) -> str:
    if not parameters:
        return address
    # `%20` and not `+`: OData filters are full of spaces.
    mark = "&" if urlsplit(address).query else "?"
    return f"{address}{mark}{urlencode(parameters, quote_via=quote, safe='')}"


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _redirected(asked: _Request, target: str) -> _Request:
    """Where a GET goes on to. Headers (which may hold a key) stay with their host; a redirect
    from TLS to plain text, or of a POST, is refused."""
    try:
        address = urljoin(asked.address, target)
        old, new = urlsplit(asked.address), urlsplit(address)
    except ValueError as error:  # `http://[`
        raise Missing(message("refresh.bad_redirect", address=shown(asked.address))) from error
    if asked.body is not None or (old.scheme == "https" and new.scheme != "https"):
        raise Missing(message("refresh.bad_redirect", address=shown(asked.address)))
    same = (old.scheme, old.netloc) == (new.scheme, new.netloc)
    return _Request(address, None, asked.headers if same else None)
