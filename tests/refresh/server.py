"""A real HTTP server on loopback that answers as it is told, faults included.

    with Server() as server:
        server.on("/skus", reply({"items": []}), query={"page": "2"})   # this query alone
        server.on("/skus", reply(status=429, headers={"Retry-After": "1"}), reply({"items": [1]}))
        ... read f"{server.address}/skus" ...
        assert [r.query for r in server.seen] == [{"page": "1"}, ...]

Replies of a path come in turn and the last one stays, so that a page can be served twice or a fault
can pass. A function of the `Request` may stand in the place of a reply. Faults are fields of
`Reply`: `delay` (silence before the answer), `cut` (so many bytes of the body, then the connection
is closed), `drip` (seconds between single bytes), `reset` (the connection is reset at once).
`Server(tls=True)` has a certificate that nobody trusts.

In process, `http(ends_in=..., **limits)` is the real transport with short patience.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import ssl
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from gpuadvisor.refresh.transport import Http, Limits


class Request(NamedTuple):
    """What was asked; `at` is the monotonic time."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    at: float

    def json(self) -> Any:
        """The body parsed."""
        return json.loads(self.body)


class Reply(NamedTuple):
    """What is answered, and how it goes wrong. See the module's docstring."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = {}
    delay: float = 0.0
    cut: int | None = None
    drip: float = 0.0
    reset: bool = False


Answer = Reply | Callable[[Request], Reply]


def reply(
    body: Any = b"",
    status: int = 200,
    *,
    headers: Mapping[str, str] | None = None,
    packed: bool = False,
    **faults: Any,
) -> Reply:
    """A reply; what is neither bytes nor text goes out as JSON. `packed` compresses it."""
    if isinstance(body, str):
        body = body.encode()
    elif not isinstance(body, bytes):
        body = json.dumps(body, default=_number).encode()
    sent = dict(headers or {})
    if packed:
        body = gzip.compress(body, mtime=0)
        sent.setdefault("Content-Encoding", "gzip")
    return Reply(body, status, sent, **faults)


def _number(value: object) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(type(value).__name__)


class Server:
    """The server; `address` is its root, `seen` what was asked so far, in order of arrival."""

    def __init__(self, *, tls: bool = False) -> None:
        self.seen: list[Request] = []
        self._lock = threading.Lock()
        self._rules: list[tuple[str, Mapping[str, str], list[Answer]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer._serve(self)

            do_POST = do_PUT = do_DELETE = do_HEAD = do_GET

            def log_message(self, *_: Any) -> None:
                """Nothing: tests read `seen`."""

        class Quiet(ThreadingHTTPServer):
            request_queue_size = 64

            def handle_error(self, *_: Any) -> None:
                """A client that leaves early is what some tests are about."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        if tls:
            self._server.socket = _context().wrap_socket(self._server.socket, server_side=True)
        scheme = "https" if tls else "http"
        self.address = f"{scheme}://127.0.0.1:{self._server.server_port}"
        # shutdown() waits for one turn of this loop.
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )

    def on(self, path: str, *answers: Answer, query: Mapping[str, str] | None = None) -> None:
        """Answer `path` so, where the query holds at least `query`. Rules with more of it win;
        a path that ends in `*` stands for all that begin so. A later rule replaces an equal one."""
        wanted = dict(query or {})
        with self._lock:
            self._rules = [r for r in self._rules if (r[0], r[1]) != (path, wanted)]
            self._rules.append((path, wanted, list(answers)))
            self._rules.sort(key=lambda r: (-len(r[1]), r[0].endswith("*"), -len(r[0])))

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        length = int(handler.headers.get("Content-Length") or 0)
        request = Request(
            handler.command,
            parts.path,
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            dict(handler.headers.items()),
            handler.rfile.read(length),
            time.monotonic(),
        )
        with self._lock:
            self.seen.append(request)
            answer = self._chosen(request)
        _send(handler, answer(request) if callable(answer) else answer)

    def _chosen(self, request: Request) -> Answer:
        for path, query, answers in self._rules:
            fits = (
                request.path.startswith(path[:-1]) if path.endswith("*") else request.path == path
            )
            if fits and query.items() <= request.query.items():
                return answers.pop(0) if len(answers) > 1 else answers[0]
        return reply({"error": f"no rule for {request.path}"}, 404)


def _send(handler: BaseHTTPRequestHandler, answer: Reply) -> None:
    connection = handler.connection
    if answer.reset:
        # A linger of 0 s makes close() send RST and not FIN.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.close_connection = True
        connection.close()
        return
    if answer.delay:
        time.sleep(answer.delay)
    handler.send_response(answer.status)
    headers = {"Content-Type": "application/json", "Content-Length": str(len(answer.body))}
    for name, value in {**headers, **answer.headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    with contextlib.suppress(OSError):  # the client has left
        if answer.drip:
            for byte in answer.body:
                handler.wfile.write(bytes([byte]))
                handler.wfile.flush()
                time.sleep(answer.drip)
        else:
            handler.wfile.write(answer.body if answer.cut is None else answer.body[: answer.cut])
    if answer.cut is not None:
        handler.close_connection = True


def _context() -> ssl.SSLContext:
    """A certificate of 127.0.0.1 signed by itself (cryptography comes with moto)."""
    import datetime

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    text = certificate.public_bytes(pem) + key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "server.pem")
        path.write_bytes(text)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
    return context


@contextlib.contextmanager
def closed_port() -> Iterator[str]:
    """The address of a port on which nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


def http(
    ends_in: float = 20.0, moved: Callable[[int], None] = lambda _: None, **limits: Any
) -> Http:
    """The real transport with a test's patience; `limits` are fields of `transport.Limits`."""
    chosen = Limits(silence=2.0, connect=2.0, backoff=0.01, longest_backoff=0.05, pause=0.0)
    return Http(time.monotonic() + ends_in, chosen._replace(**limits), moved)
