"""What is kept in the work folder, and what is kept out of everything: secrets."""

from __future__ import annotations

import os
import threading
import time
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.message import message
from gpuadvisor.refresh import gather as gathering
from gpuadvisor.refresh.gather import gather
from gpuadvisor.refresh.interface import (
    Context,
    Feed,
    Fetched,
    Puzzle,
    Scope,
    SeenPrice,
    SeenType,
    Task,
    Wanted,
)  # fmt: skip
from gpuadvisor.refresh.scrub import HIDDEN, scrub, unexpected
from gpuadvisor.refresh.work import KEPT_DAYS, Work, open_work
from tests.refresh.server import http

EVERYTHING = Fetched(
    (Feed("f", "t", "a", date(2026, 11, 30), "MIT"),),
    (SeenType("n", "f", "L4", None, "1/4", 5.6, 4, 16.5, None, None, None, 0.0, "x86_64", ("spot",), "f"),),
    (SeenPrice("n", "r", "spot", None, None, None, Decimal("0.10"), "USD", "f", Decimal("0.1"), "zones"),),
    (Scope("r", "spot", ("a", "b")),),
    (Puzzle("device", "X", "n"),),
    (message("refresh.missing_line", place="p", reason=message("refresh.sdk_error", kind="E")),),
    {"n": [1, Decimal("1.50"), None, {"d": date(2026, 1, 2)}]},
)  # fmt: skip


def test_results_come_back_as_they_were(tmp_path: Path) -> None:
    work = Work(str(tmp_path))
    assert work.kept("a/b") is None
    assert work.keep("a/b", EVERYTHING) == EVERYTHING == work.kept("a/b")


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"feeds": 1}', b"\xff", b"[" * 100_000])
def test_a_damaged_result_is_fetched_anew(tmp_path: Path, damage: bytes) -> None:
    work = Work(str(tmp_path))
    work.keep("a", EVERYTHING)
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage)
    assert work.kept("a") is None


def test_another_request_has_another_folder(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path))
    first = open_work("aws", {"today": "2026-11-30", "account": ["p-123"]})
    assert open_work("aws", {"account": ["p-123"], "today": "2026-11-30"}) == first
    assert open_work("aws", {"today": "2026-12-01", "account": ["p-123"]}) != first
    assert open_work("gcp", {"today": "2026-11-30", "account": ["p-123"]}) != first
    assert "p-123" not in first.folder and os.stat(first.folder).st_mode & 0o077 == 0


def test_old_folders_are_swept(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path))
    old, other = open_work("aws", {"n": 1}), open_work("aws", {"n": 2})
    past = time.time() - (KEPT_DAYS + 1) * 86400
    os.utime(old.folder, (past, past))
    open_work("aws", {"n": 3})
    assert not os.path.exists(old.folder) and os.path.exists(other.folder)


def test_without_a_cache_folder_it_still_works(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path / "file"))
    work = open_work("aws", {})
    assert work.keep("a", EVERYTHING) == work.kept("a")
    work.drop()
    assert not os.path.exists(work.folder)


# -- secrets -----------------------------------------------------------------------------------

SECRETS = [
    "arn:aws:iam::123456789012:role/reader",
    "AKIAIOSFODNN7EXAMPLE",  # the key of AWS's own documentation
    "ASIAIOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "subscription 12345678-90ab-cdef-1234-567890abcdef",
    "AIzaSyA-0123456789abcdefghijklmnopqrstu",
    "ya29.a0AfH6SMBx-0123456789",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_DEF-123",
    "Authorization: Bearer abcdef.0123456789",
    "https://host/p?key=abcdef0123",
    "robot@my-project.iam.gserviceaccount.com",
    "projects/my-secret-project/zones",
    "password: hunter2",
]


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_are_hidden(text: str) -> None:
    for value in (text, (text,), [text], message("refresh.sdk_error", kind=text)):
        cleaned = str(scrub(value))
        assert HIDDEN in cleaned
        for part in ("123456789012", "EXAMPLE", "567890abcdef", "AIzaSy", "a0AfH6", "eyJh", "abcdef",
                     "robot", "secret", "hunter2"):  # fmt: skip
            assert part not in cleaned


@pytest.mark.parametrize(
    "text",
    [
        "p5.48xlarge (us-east-1): on_demand 55.04 > 44.5",
        "Standard_ND96isr_H100_v5", "ecs.gn6i-c4g1.xlarge", "2026-11-30T08:15:52Z",
        "OCI - Compute - GPU - H100", "g.alicdn.com/aliyun/ecs-price-info/2.0.421/price", "B111824",
        "a2-ultragpu-8g", "services/6F81-5844-456A/skus",
    ],
)  # fmt: skip
def test_names_stay(text: str) -> None:
    assert scrub(text) == text


def test_the_accounts_own_words_are_hidden() -> None:
    found = scrub((Puzzle("sku", "of my-proj", "my-proj"),), ["my-proj", "x"])
    assert found == (Puzzle("sku", f"of {HIDDEN}", HIDDEN),)


class _Azure(Exception):
    def __init__(self, code: object) -> None:
        super().__init__("tenant 12345678-90ab-cdef-1234-567890abcdef")
        self.error = type("E", (), {"code": code})()


@pytest.mark.parametrize(
    ("error", "params"),
    [
        (ValueError("secret"), {"kind": "ValueError"}),
        (_Azure("AuthorizationFailed"), {"kind": "_Azure", "code": "AuthorizationFailed"}),
        (_Azure("not a code: 12345"), {"kind": "_Azure"}),
        (_Azure(None), {"kind": "_Azure"}),
    ],
)
def test_an_unexpected_error_is_its_kind_and_code(error: Exception, params: Any) -> None:
    assert unexpected(error).params == params


# -- the pool ----------------------------------------------------------------------------------


class Quiet:
    def planned(self, tasks: Any) -> None: ...

    def moved(self, task: Task, amount: int) -> None: ...

    def ended(self, task: Task, reason: Any, kept: bool) -> None: ...


def run(fetch: Any, keys: list[str], tmp_path: Path, seconds: float = 5, jobs: int = 4) -> Any:
    source = type("S", (), {"fetch": staticmethod(fetch)})()
    context = Context(date(2026, 11, 30), None, http(), {}, lambda _: None)  # type: ignore[arg-type]
    return gather(
        source, [Task(k, k, "p") for k in keys], Wanted((), frozenset()), context,
        Work(str(tmp_path)), jobs=jobs, ends=time.monotonic() + seconds, progress=Quiet(),
    )  # fmt: skip


def test_never_more_at_once_than_jobs(tmp_path: Path) -> None:
    lock, at_once, most = threading.Lock(), 0, 0

    def fetch(task: Task, *_: Any) -> Fetched:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.01)
        with lock:
            at_once -= 1
        return Fetched()

    found = run(fetch, [str(n) for n in range(30)], tmp_path, jobs=3)
    assert len(found.results) == 30 and most == 3


def test_a_call_that_never_returns_does_not_hold_up_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "GRACE", 0.1)
    never = threading.Event()

    def fetch(task: Task, *_: Any) -> Fetched:
        if task.key == "stuck":
            never.wait()
        return Fetched()

    start = time.monotonic()
    found = run(fetch, ["stuck", "a", "b"], tmp_path, seconds=0.3)
    assert time.monotonic() - start < 2
    never.set()
    assert set(found.results) == {"a", "b"}
    assert [(gap.task.key, gap.reason.id) for gap in found.missing] == [
        ("stuck", "refresh.out_of_time")
    ]


def test_every_kind_of_exception_is_one_gap(tmp_path: Path) -> None:
    kinds = [ValueError, KeyError, MemoryError, RecursionError, AttributeError, OSError]

    def fetch(task: Task, *_: Any) -> Fetched:
        if task.key.isdigit():
            raise kinds[int(task.key)]("x")
        return Fetched()

    found = run(fetch, [*map(str, range(len(kinds))), "fine"], tmp_path)
    assert set(found.results) == {"fine"}
    assert {gap.reason.params["kind"] for gap in found.missing} == {k.__name__ for k in kinds}
