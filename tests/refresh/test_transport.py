"""The way out, against a real server on loopback that fails in every way named in the issue."""

from __future__ import annotations

import email.utils
import gzip
import itertools
import threading
import time
from decimal import Decimal
from typing import Any

import pytest

from gpuadvisor.refresh.bodies import LONGEST_LINE
from gpuadvisor.refresh.interface import Missing
from gpuadvisor.refresh.transport import _redirected, _Request
from tests.refresh.server import Reply, Request, Server, closed_port, http, reply


def reason(call: Any) -> str:
    """The message id of the Missing that `call` raises."""
    with pytest.raises(Missing) as caught:
        call()
    from gpuadvisor.report.messages import render

    assert render(caught.value.reason)  # every reason has a text
    return caught.value.reason.id.removeprefix("refresh.")


@pytest.fixture
def server() -> Any:
    with Server() as running:
        yield running


def test_numbers_with_a_point_are_exact(server: Server) -> None:
    server.on("/p", reply(b'{"price": 0.10000000000000000001, "count": 3}'))
    found = http().json(f"{server.address}/p")
    assert found == {"price": Decimal("0.10000000000000000001"), "count": 3}


def test_parameters_join_those_of_the_address(server: Server) -> None:
    server.on("/p", reply([]))
    http().json(f"{server.address}/p?a=1", parameters={"$filter": "x eq 'y z'"})
    assert server.seen[0].query == {"a": "1", "$filter": "x eq 'y z'"}


def test_a_body_is_posted_as_json(server: Server) -> None:
    server.on("/p", lambda r: reply({"got": r.json(), "key": r.headers["X-Key"]}))
    found = http().json(f"{server.address}/p", body={"q": [1]}, headers={"X-Key": "k"})
    assert found == {"got": {"q": [1]}, "key": "k"} and server.seen[0].method == "POST"


FAULTS: dict[str, Reply] = {
    "429": reply(status=429),
    "500": reply(status=500),
    "503": reply(status=503),
    "reset": reply(reset=True),
    "truncated": reply(b'{"items": [1, 2, 3]}', cut=9),
    "half a document": reply(b'{"items": [1, 2'),
    "not a number": reply(b'{"price": NaN}'),
    "html": reply(b"<html>busy</html>"),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_that_passes_is_tried_again(server: Server, fault: Reply) -> None:
    server.on("/p", fault, fault, reply({"ok": True}))
    assert http().json(f"{server.address}/p") == {"ok": True}
    assert len(server.seen) == 3


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("429", "status"), ("500", "status"), ("reset", "refused"), ("truncated", "cut_short"),
        ("half a document", "not_json"), ("not a number", "not_json"), ("html", "not_json"),
    ],
)  # fmt: skip
def test_a_fault_that_stays_ends_in_words(server: Server, fault: str, why: str) -> None:
    server.on("/p", FAULTS[fault])
    assert reason(lambda: http(attempts=3).json(f"{server.address}/p")) == why
    assert len(server.seen) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 501])
def test_an_answer_is_not_asked_for_again(server: Server, status: int) -> None:
    server.on("/p", reply(b"no", status))
    assert reason(lambda: http().json(f"{server.address}/p")) == "status"
    assert len(server.seen) == 1


def later(seconds: float) -> str:
    return email.utils.formatdate(time.time() + seconds, usegmt=True)


@pytest.mark.parametrize("after", ["7", "date"])
def test_retry_after_is_waited_for(server: Server, after: str) -> None:
    waits: list[float] = []
    value = later(7.9) if after == "date" else after
    server.on("/p", reply(status=429, headers={"Retry-After": value}), reply([1]))
    way = http()
    way._wait = waits.append
    assert way.json(f"{server.address}/p") == [1]
    assert len(waits) == 1 and 6 <= waits[0] <= 8


def test_a_retry_after_past_the_deadline_is_not_waited_for(server: Server) -> None:
    server.on("/p", reply(status=429, headers={"Retry-After": "3600"}), reply([1]))
    start = time.monotonic()
    assert reason(lambda: http().json(f"{server.address}/p")) == "deadline"
    assert time.monotonic() - start < 1


def test_back_off_doubles_and_jitters(server: Server) -> None:
    waits: list[float] = []
    server.on("/p", reply(status=500))
    way = http(attempts=6, backoff=1.0, longest_backoff=5.0)
    way._wait = waits.append
    assert reason(lambda: way.json(f"{server.address}/p")) == "status"
    for wait, ceiling in zip(waits, (1, 2, 4, 5, 5), strict=True):
        assert ceiling / 2 <= wait <= ceiling
    assert len(set(waits)) == 5


def test_silence_ends_a_request(server: Server) -> None:
    server.on("/p", reply([1], delay=5))
    start = time.monotonic()
    assert reason(lambda: http(silence=0.3).json(f"{server.address}/p")) == "silent"
    assert time.monotonic() - start < 2 and len(server.seen) == 1


def test_silence_amid_a_body_ends_it(server: Server) -> None:
    server.on("/p", reply(b"[1, 2]", drip=5))
    assert reason(lambda: http(silence=0.3).json(f"{server.address}/p")) == "silent"


def test_a_slow_drip_ends_at_the_deadline(server: Server) -> None:
    # A byte every 50 ms never trips the silence limit: 100 s for this body.
    server.on("/p", reply(b"1" * 2000, drip=0.05))
    start = time.monotonic()
    assert reason(lambda: http(ends_in=0.5, silence=0.4).json(f"{server.address}/p")) == "deadline"
    assert time.monotonic() - start < 1.5


def test_nobody_listens() -> None:
    with closed_port() as address:
        assert reason(lambda: http(attempts=2).json(f"{address}/p")) == "refused"


def test_a_certificate_that_nobody_trusts() -> None:
    pytest.importorskip("cryptography")
    with Server(tls=True) as server:
        server.on("/p", reply([1]))
        assert reason(lambda: http().json(f"{server.address}/p")) == "tls"
        assert server.seen == []


def test_plain_text_where_tls_was_asked_for(server: Server) -> None:
    address = server.address.replace("http:", "https:")
    assert reason(lambda: http().json(f"{address}/p")) == "tls"


@pytest.mark.parametrize("address", ["ftp://example.org/a", "file:///etc/passwd", "nonsense"])
def test_only_http(address: str) -> None:
    assert reason(lambda: http().json(address)) == "bad_address"


def test_a_key_stands_in_no_reason(server: Server) -> None:
    server.on("/p", reply(status=403))
    address = server.address.replace("//", "//user:word@")
    with pytest.raises(Missing) as caught:
        http().json(f"{address}/p", parameters={"key": "s3cret"})
    assert not {"s3cret", "word"} & set(str(caught.value.reason.params).replace("=", " ").split())
    assert "s3cret" not in str(caught.value.reason) and "word" not in str(caught.value.reason)


def test_redirects_are_followed_without_the_headers_of_another_host(server: Server) -> None:
    with Server() as other:
        other.on("/q", reply({"at": "q"}))
        server.on("/p", reply(status=302, headers={"Location": f"{other.address}/q"}))
        found = http().json(f"{server.address}/p", headers={"X-Key": "k"})
        assert found == {"at": "q"} and "X-Key" not in other.seen[0].headers


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("file:///etc/passwd", "bad_address"),
        ("ftp://example.org/q", "bad_address"),
        ("http://[", "bad_redirect"),
        ("http://127.0.0.1:99999/q", "refused"),
    ],
)
def test_a_redirect_to_no_place_of_the_web(server: Server, target: str, why: str) -> None:
    server.on("/p", reply(status=302, headers={"Location": target}))
    assert reason(lambda: http().json(f"{server.address}/p")) == why


def test_a_redirect_from_tls_to_plain_text_is_refused() -> None:
    """The certificates of these tests are trusted by nobody, so the rule itself is asked."""
    asked = _Request("https://pricing.example/p", None, {"X-Key": "k"})
    assert reason(lambda: _redirected(asked, "http://pricing.example/p")) == "bad_redirect"
    assert _redirected(asked, "https://pricing.example/q").headers == {"X-Key": "k"}
    assert _redirected(asked, "https://other.example/q").headers is None


@pytest.mark.parametrize("size", [70_000, 10_000_000])
def test_a_huge_header_ends_it(server: Server, size: int) -> None:
    """http.client takes 64 KiB of a header's line."""
    server.on("/p", reply([1], headers={"X-Long": "x" * size}))
    assert reason(lambda: http(attempts=2).json(f"{server.address}/p")) == "refused"


def test_the_bytes_decide_and_not_the_content_type(server: Server) -> None:
    server.on("/p", reply({"a": 1}, headers={"Content-Type": "text/html"}))
    server.on("/q", reply("<html>sign in</html>", headers={"Content-Type": "application/json"}))
    assert http().json(f"{server.address}/p") == {"a": 1}
    assert reason(lambda: http(attempts=1).json(f"{server.address}/q")) == "not_json"


def test_a_circle_of_redirects_ends(server: Server) -> None:
    server.on("/p", reply(status=302, headers={"Location": "/p"}))
    assert reason(lambda: http().json(f"{server.address}/p")) == "status"
    assert len(server.seen) == 6


def test_an_endless_json_body_is_bounded(server: Server) -> None:
    server.on("/p", reply(b"[" + b"1," * 100_000, packed=True))
    assert reason(lambda: http(json_bytes=1000).json(f"{server.address}/p")) == "too_large"
    assert len(server.seen) == 1


def test_deep_nesting_is_no_crash(server: Server) -> None:
    server.on("/p", reply(b"[" * 200_000))
    assert reason(lambda: http(attempts=1).json(f"{server.address}/p")) == "not_json"


@pytest.mark.parametrize("packed", [False, True])
def test_lines_come_as_they_arrive(server: Server, packed: bool) -> None:
    text = "".join(f"row {n},é\r\n" for n in range(20_000)) + "last"
    server.on("/f", reply(text, packed=packed))
    found = list(http().lines(f"{server.address}/f"))
    assert found == [*(f"row {n},é" for n in range(20_000)), "last"]


def test_a_gz_file_is_unpacked_whatever_its_headers(server: Server) -> None:
    body = gzip.compress(b"a\nb\n") + gzip.compress(b"c\n")
    server.on("/f.gz", reply(body, headers={"Content-Type": "application/octet-stream"}))
    assert list(http().lines(f"{server.address}/f.gz")) == ["a", "b", "c"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_stream_that_breaks_off_is_missing(server: Server, packed: bool) -> None:
    server.on("/f", reply("x,y\n" * 50_000, packed=packed, cut=100))
    assert reason(lambda: list(http().lines(f"{server.address}/f"))) == "cut_short"


def test_packed_content_that_ends_early_though_all_bytes_came(server: Server) -> None:
    server.on("/f", reply(gzip.compress(b"x,y\n" * 50_000)[:-20]))
    assert reason(lambda: list(http().lines(f"{server.address}/f"))) == "cut_short"


def test_a_line_without_an_end_is_refused(server: Server) -> None:
    server.on("/f", reply(b"x" * (LONGEST_LINE + 2**20), packed=True))
    assert reason(lambda: list(http().lines(f"{server.address}/f"))) == "long_line"


def test_a_bomb_of_a_thousandfold_stays_small(server: Server) -> None:
    import tracemalloc

    server.on("/f", reply((b"r" * 199 + b"\n") * 100_000, packed=True))  # 20 MB in some 20 kB
    tracemalloc.start()
    count = sum(1 for _ in http().lines(f"{server.address}/f"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 100_000 and peak < 6 * 2**20


def test_the_pace_of_one_host_is_kept_over_threads(server: Server) -> None:
    server.on("/p", reply([1]))
    way = http(pause=0.05)
    threads = [threading.Thread(target=way.json, args=(f"{server.address}/p",)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = sorted(r.at for r in server.seen)
    assert all(b - a > 0.03 for a, b in itertools.pairwise(times)) and len(times) == 6


def test_bytes_are_told_to_the_task_that_read_them(server: Server) -> None:
    server.on("/p", reply(b"[1, 2, 3]"))
    first, second = [], []
    way = http(moved=first.append)
    way.json(f"{server.address}/p")
    way.telling(second.append).json(f"{server.address}/p")
    assert (sum(first), sum(second)) == (9, 9)


def test_a_proxy_of_the_environment_is_used(server: Server, monkeypatch: Any) -> None:
    def answer(request: Request) -> Reply:
        return reply({"by": "proxy"})

    server.on("*", answer)
    monkeypatch.setenv("http_proxy", server.address)
    monkeypatch.setenv("no_proxy", "")
    assert http().json("http://prices.invalid/p") == {"by": "proxy"}


def test_a_host_that_does_not_exist_is_asked_for_twice() -> None:
    waits: list[float] = []
    way = http()
    way._wait = waits.append
    assert reason(lambda: way.json("http://prices.invalid/p")) == "no_such_host"
    assert len(waits) == 1
