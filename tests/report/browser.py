"""Headless Chromium behind a proxy of our own, which serves the pages and sees every request."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

SITE = "http://pages.test"
OWN = re.compile(r"(CONNECT |https?://)[a-z0-9.-]*\.(google|googleapis|gvt1)\.com[:/]")
"""What Chromium asks its makers for by itself, whatever it shows."""
CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (found := shutil.which(name))
    ),
    None,
)


class Seen:
    """Pages by path, and every address that was asked for."""

    def __init__(self, pages: Mapping[str, str], proxy: int) -> None:
        self.pages = dict(pages)
        self.requests: list[str] = []
        self.proxy = proxy

    def saw(self, request: str) -> None:
        """Keep a request, unless it is Chromium's own."""
        if not OWN.match(request):
            self.requests.append(request)


@contextmanager
def site(pages: Mapping[str, str]) -> Iterator[Seen]:
    """Serve `pages` (path -> text) as SITE through a proxy on the loopback."""
    seen = Seen(pages, 0)

    class Proxy(BaseHTTPRequestHandler):
        known: ClassVar[Seen] = seen

        def do_GET(self) -> None:
            self.known.saw(self.path)
            path = self.path.removeprefix(SITE)
            body = self.known.pages.get(path)
            self.send_response(404 if body is None else 200)
            kind = "text/javascript" if path.endswith(".js") else "text/html"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.end_headers()
            self.wfile.write((body or "").encode())

        def do_CONNECT(self) -> None:
            self.known.saw(f"CONNECT {self.path}")
            self.send_error(403)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    seen.proxy = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()


def chromium(seen: Seen, address: str, *flags: str) -> tuple[str, list[str]]:
    """Open an address; returns stdout and the messages of its console."""
    assert CHROMIUM is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--no-first-run", "--no-default-browser-check", "--disable-extensions",
            f"--user-data-dir={profile}", f"--proxy-server=http://127.0.0.1:{seen.proxy}",
            "--proxy-bypass-list=<-loopback>", "--enable-logging=stderr", "--window-size=1280,900",
            *flags, address,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=90)
    return done.stdout, re.findall(r"^.*:CONSOLE.*$", done.stderr, re.MULTILINE)


def dumped(seen: Seen, address: str) -> Any:
    """What a page's script wrote as JSON into its element `result`."""
    out, _ = chromium(seen, address, "--dump-dom", "--virtual-time-budget=60000")
    found = re.search(r'<pre id="result">(.*?)</pre>', out, re.DOTALL)
    assert found is not None, out[-2000:]
    return json.loads(html.unescape(found[1]))


def pdf_pages(seen: Seen, address: str) -> int:
    """How many sheets a page prints on."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.pdf"
        chromium(seen, address, f"--print-to-pdf={file}", "--no-pdf-header-footer")
        return len(re.findall(rb"/Type\s*/Page\b", file.read_bytes()))


def frames(paths: Sequence[str]) -> str:
    """A page that shows others side by side."""
    shown = "".join(f'<iframe src="{path}" width="1280" height="900"></iframe>' for path in paths)
    return (
        f'<!doctype html><html lang="en"><title>All</title><link rel="icon" href="data:,">{shown}'
    )
