"""The comment on a pull request against a fake of the GitHub API on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from gpuadvisor.cli.main import run as command
from gpuadvisor.report import comment as comments
from gpuadvisor.report.check_json import document
from tests.check.conftest import _small_base, small_catalogs  # noqa: F401
from tests.check.support import plan, run
from tests.iac.plans import change

MARKER = "<!-- gpuadvisor:check:default -->"
BOT = "github-actions[bot]"


class Hub:
    """Comments of one pull request, behind the few routes that are used."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.calls: list[tuple[str, str]] = []
        self.failures: dict[str, list[int]] = {}
        self.before_post: Callable[[], None] = lambda: None
        self.login: str | None = None
        self.lock = threading.Lock()
        self.token = ""

    def add(self, body: str, login: str = BOT) -> dict[str, Any]:
        comment = {"id": len(self.comments) + 1, "body": body, "user": {"login": login}}
        self.comments.append(comment)
        return comment

    def answer(self, method: str, target: str, payload: Any) -> tuple[int, Any]:
        path, query = urlsplit(target).path, parse_qs(urlsplit(target).query)
        with self.lock:
            self.calls.append((method, path))
            planned = self.failures.get(method)
            if planned:
                status = planned.pop(0)
                if status:
                    return status, {"message": "no"}
        if path == "/user":
            return (200, {"login": self.login}) if self.login else (403, {})
        if method == "GET" and path == "/repos/o/r/issues/7/comments":
            per, page = int(query["per_page"][0]), int(query["page"][0])
            return 200, self.comments[(page - 1) * per : page * per]
        if method == "POST" and path == "/repos/o/r/issues/7/comments":
            self.before_post()
            with self.lock:
                return 201, self.add(payload["body"])
        number = int(path.rpartition("/")[2])
        comment = next((c for c in self.comments if c["id"] == number), None)
        if comment is None:
            return 404, {}
        if comment["user"]["login"] != (self.login or BOT):
            return 403, {}
        if method == "PATCH":
            comment["body"] = payload["body"]
            return 200, comment
        if method == "DELETE":
            self.comments.remove(comment)
            return 204, None
        return 404, {}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    state = Hub()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            state.token = self.headers.get("Authorization", "")
            size = int(self.headers.get("Content-Length") or 0)
            payload = json.loads(self.rfile.read(size)) if size else None
            status, body = state.answer(self.command, self.path, payload)
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "http://127.0.0.1:9/stolen")
            raw = b"" if body is None else json.dumps(body).encode()
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PATCH = do_DELETE = _serve

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("GITHUB_API_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("GITHUB_REPOSITORY", "o/r")
    monkeypatch.setenv("GITHUB_TOKEN", "t0ken")
    for name in ("GITHUB_EVENT_PATH", "GITHUB_REF", "GITHUB_STEP_SUMMARY", "GITHUB_RUN_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(comments.time, "sleep", lambda _: None)
    yield state
    server.shutdown()
    server.server_close()


@pytest.fixture
def report(tmp_path: Path) -> str:
    return stored(tmp_path, "report.json", "g4dn.xlarge")


def stored(folder: Path, name: str, kind: str, **fields: Any) -> str:
    """A report of one new instance as `check --output json=FILE` writes it."""
    found = run(folder, plan(change("aws_instance.a", {"instance_type": kind})), **fields)
    path = folder / name
    path.write_text(json.dumps(document(found)))
    return str(path)


def comment(report: str, *more: str) -> int:
    return command(["check", "comment", report, "--pull-request", "7", *more])


def test_create_then_update(hub: Hub, report: str, tmp_path: Path) -> None:
    assert comment(report) == 0
    assert comment(stored(tmp_path, "next.json", "g5.xlarge")) == 0
    assert len(hub.comments) == 1
    body = hub.comments[0]["body"]
    assert body.startswith(MARKER)
    assert "+$730 planned" in body
    assert hub.token == "Bearer t0ken"


def test_the_same_report_gives_the_same_body(hub: Hub, report: str) -> None:
    comment(report)
    first = hub.comments[0]["body"]
    comment(report)
    assert hub.comments[0]["body"] == first


def test_the_own_comment_is_found_on_a_later_page(hub: Hub, report: str) -> None:
    for number in range(250):
        hub.add(f"comment {number}", "someone")
    hub.add(f"{MARKER}\nold")
    for number in range(30):
        hub.add(f"later {number}", "someone")
    comment(report)
    assert len(hub.comments) == 281
    assert "+$365 planned" in hub.comments[250]["body"]
    pages = [path for method, path in hub.calls if method == "GET" and path.endswith("comments")]
    assert len(pages) == 3


FOREIGN = [
    (f"{MARKER}\nforged", "mallory"),
    (f"quoting {MARKER}", BOT),
    ("<!-- gpuadvisor:check:other -->\nx", BOT),
]


@pytest.mark.parametrize(("body", "login"), FOREIGN)
def test_comments_that_are_not_ours_stay(hub: Hub, report: str, body: str, login: str) -> None:
    hub.add(body, login)
    comment(report)
    assert hub.comments[0]["body"] == body
    assert len(hub.comments) == 2


def test_keys_tell_jobs_apart(hub: Hub, report: str) -> None:
    comment(report, "--key", "prod")
    comment(report, "--key", "dev")
    comment(report, "--key", "prod")
    assert len(hub.comments) == 2


def test_a_personal_token_writes_under_its_own_name(hub: Hub, report: str) -> None:
    hub.login = "octo"
    hub.add(f"{MARKER}\nold", "octo")
    comment(report)
    assert len(hub.comments) == 1


@pytest.mark.parametrize(("method", "status"), [("POST", 403), ("GET", 401), ("POST", 404)])
def test_without_permission_the_summary_has_the_report(
    hub: Hub,
    report: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    method: str,
    status: int,
) -> None:
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    hub.failures[method] = [0, status] if method == "GET" else [status]
    assert comment(report) == 0
    assert hub.comments == []
    assert "+$365 planned" in summary.read_text()
    assert "summary" in capsys.readouterr().err


def test_trouble_of_the_host_is_waited_out(hub: Hub, report: str) -> None:
    hub.failures["GET"] = [502, 429]
    assert comment(report) == 0
    assert len(hub.comments) == 1


def test_lasting_trouble_does_not_fail_the_build(
    hub: Hub, report: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    hub.failures["GET"] = [500] * 9
    assert comment(report) == 0
    assert summary.exists()


def test_redirects_do_not_carry_the_token_away(
    hub: Hub, report: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.failures["GET"] = [302] * 9
    assert comment(report) == 0
    assert "HTTP 302" in capsys.readouterr().err


def test_two_runs_at_once_leave_one_comment(hub: Hub, report: str) -> None:
    """Both have seen no comment when both create one."""
    barrier = threading.Barrier(2, timeout=10)
    hub.before_post = lambda: barrier.wait() and None
    threads = [threading.Thread(target=comment, args=(report,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(hub.comments) == 1
    assert "+$365 planned" in hub.comments[0]["body"]


def test_an_older_run_does_not_overwrite_a_newer_one(
    hub: Hub, report: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_RUN_ID", "200")
    comment(report)
    monkeypatch.setenv("GITHUB_RUN_ID", "100")
    comment(stored(tmp_path, "old.json", "g5.xlarge"))
    assert "+$365 planned" in hub.comments[0]["body"]
    monkeypatch.setenv("GITHUB_RUN_ID", "201")
    comment(stored(tmp_path, "new.json", "g5.xlarge"))
    assert "+$730 planned" in hub.comments[0]["body"]


def test_silent_where_nothing_about_accelerators_changed(
    hub: Hub, report: str, tmp_path: Path
) -> None:
    nothing = stored(tmp_path, "nothing.json", "m5.large")
    comment(nothing)
    assert hub.comments == []
    comment(nothing, "--always")
    assert "no accelerators" in hub.comments[0]["body"]


def test_an_earlier_comment_does_not_go_stale(hub: Hub, report: str, tmp_path: Path) -> None:
    comment(report)
    comment(stored(tmp_path, "nothing.json", "m5.large"))
    assert len(hub.comments) == 1
    assert "no longer touches accelerators" in hub.comments[0]["body"]
    assert "$365" not in hub.comments[0]["body"]


def test_a_long_body_is_cut(hub: Hub, tmp_path: Path) -> None:
    changes = [
        change(f"aws_instance.{'name' * 20}{n:05}", {"instance_type": "g4dn.xlarge"})
        for n in range(1_500)
    ]
    path = tmp_path / "long.json"
    path.write_text(json.dumps(document(run(tmp_path, plan(*changes), max_increase="1"))))
    comment(str(path))
    body = hub.comments[0]["body"]
    assert 40_000 < len(body) <= comments.MOST_CHARACTERS["github"]
    assert "more rows" in body
    assert "GA001" in body


EVENTS = [
    ({"pull_request": {"number": 7}}, {}),
    ({"issue": {"number": 7}}, {}),
    (None, {"GITHUB_REF": "refs/pull/7/merge"}),
]


@pytest.mark.parametrize(("event", "variables"), EVENTS)
def test_the_number_comes_from_the_event(
    hub: Hub,
    report: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    event: Any,
    variables: dict[str, str],
) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(event))
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(path))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert command(["check", "comment", report]) == 0
    assert len(hub.comments) == 1


USAGE = [
    (["--host", "example"], {}),
    (["--key", "a b"], {}),
    (["--repo", "nowhere"], {}),
    ([], {"GITHUB_TOKEN": "", "GH_TOKEN": ""}),
    ([], {"GITHUB_API_URL": "http://example.org"}),
    ([], {"GITHUB_API_URL": "file:///etc"}),
]


@pytest.mark.parametrize(("arguments", "variables"), USAGE)
def test_usage_errors(
    hub: Hub,
    report: str,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    variables: dict[str, str],
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert comment(report, *arguments) == 2
    assert hub.comments == []


NO_REPORTS = [b"", b"[]", b"{}", b'{"schema": "gpuadvisor/check/1"}', b"\xff", b"[" * 100_000]


@pytest.mark.parametrize("body", NO_REPORTS)
def test_files_that_are_no_report(hub: Hub, tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(body)
    assert comment(str(path)) == 3
    assert hub.calls == []


def test_a_dry_run_prints_and_posts_nothing(
    hub: Hub, report: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert comment(report, "--dry-run") == 0
    assert capsys.readouterr().out.startswith(MARKER)
    assert hub.calls == []
