"""The note on a merge request against a fake of the GitLab API on loopback."""

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

NOTES = "/projects/group%2Fproject/merge_requests/7/notes"
BOT = 42


class Lab:
    """Notes of one merge request, behind the few routes that are used."""

    def __init__(self) -> None:
        self.notes: list[dict[str, Any]] = []
        self.calls: list[tuple[str, str]] = []
        self.failures: dict[str, list[int]] = {}
        self.token = ""
        self.before_post: Callable[[], None] = lambda: None

    def add(self, body: str, author: int = BOT, system: bool = False) -> dict[str, Any]:
        note = {
            "id": len(self.notes) + 1,
            "body": body,
            "author": {"id": author},
            "system": system,
        }
        self.notes.append(note)
        return note

    def answer(self, method: str, target: str, payload: Any) -> tuple[int, Any]:
        path, query = urlsplit(target).path, parse_qs(urlsplit(target).query)
        self.calls.append((method, path))
        planned = self.failures.get(method)
        if planned and (status := planned.pop(0)):
            return status, {"message": "no"}
        if path == "/user":
            return 200, {"id": BOT, "username": "project_1_bot"}
        if method == "GET" and path == NOTES:
            assert query["sort"] == ["asc"]
            per, page = int(query["per_page"][0]), int(query["page"][0])
            return 200, self.notes[(page - 1) * per : page * per]
        if method == "POST" and path == NOTES:
            self.before_post()
            return 201, self.add(payload["body"])
        note = next((n for n in self.notes if path == f"{NOTES}/{n['id']}"), None)
        if note is None:
            return 404, {}
        if note["author"]["id"] != BOT:
            return 403, {}
        if method == "PUT":
            note["body"] = payload["body"]
            return 200, note
        self.notes.remove(note)
        return 204, None


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    state = Lab()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            state.token = self.headers.get("PRIVATE-TOKEN", "")
            size = int(self.headers.get("Content-Length") or 0)
            payload = json.loads(self.rfile.read(size)) if size else None
            status, body = state.answer(self.command, self.path, payload)
            raw = b"" if body is None else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PUT = do_DELETE = _serve

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    for name in ("GITHUB_TOKEN", "GITHUB_REPOSITORY", "CI_PIPELINE_ID", "CI_PROJECT_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GITLAB_CI", "true")
    monkeypatch.setenv("CI_API_V4_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("CI_PROJECT_ID", "group/project")
    monkeypatch.setenv("CI_MERGE_REQUEST_IID", "7")
    monkeypatch.setenv("GITLAB_TOKEN", "glpat-x")
    monkeypatch.setattr(comments.time, "sleep", lambda _: None)
    yield state
    server.shutdown()
    server.server_close()


def stored(folder: Path, name: str, kind: str) -> str:
    found = run(folder, plan(change("aws_instance.a", {"instance_type": kind})))
    path = folder / name
    path.write_text(json.dumps(document(found)))
    return str(path)


@pytest.fixture
def report(tmp_path: Path) -> str:
    return stored(tmp_path, "report.json", "g4dn.xlarge")


def test_create_then_update(lab: Lab, report: str, tmp_path: Path) -> None:
    assert command(["check", "comment", report]) == 0
    assert command(["check", "comment", stored(tmp_path, "next.json", "g5.xlarge")]) == 0
    (note,) = lab.notes
    assert note["body"].startswith("<!-- gpuadvisor:check:default -->")
    assert "+$730 planned" in note["body"]
    assert lab.token == "glpat-x"


def test_notes_of_others_and_of_the_system_stay(lab: Lab, report: str) -> None:
    marker = "<!-- gpuadvisor:check:default -->\nx"
    lab.add(marker, author=1)
    lab.add(marker, system=True)
    for n in range(150):
        lab.add(f"talk {n}", author=2)
    own = lab.add(marker)
    assert command(["check", "comment", report]) == 0
    assert len(lab.notes) == 153, "the own note is found on the second page"
    assert "+$365 planned" in own["body"]
    assert [n["body"] for n in lab.notes[:2]] == [marker, marker]


@pytest.mark.parametrize(("method", "status"), [("GET", 401), ("POST", 403), ("GET", 404)])
def test_without_permission_the_log_has_the_report(
    lab: Lab, report: str, capsys: pytest.CaptureFixture[str], method: str, status: int
) -> None:
    """A job's token may read, but not write notes; forks have no token of the project."""
    lab.failures[method] = [status]
    assert command(["check", "comment", report]) == 0
    shown = capsys.readouterr()
    assert "+$365 planned" in shown.out
    assert f"HTTP {status}" in shown.err
    assert lab.notes == []


def test_two_runs_at_once_leave_one_note(lab: Lab, report: str) -> None:
    first = "<!-- gpuadvisor:check:default -->\n<!-- gpuadvisor:run:0 -->\nfrom the other run"
    lab.before_post = lambda: lab.notes.append(
        {"id": 0, "body": first, "author": {"id": BOT}, "system": False}
    )
    assert command(["check", "comment", report]) == 0
    (note,) = lab.notes
    assert note["id"] == 0 and "+$365 planned" in note["body"]


def test_an_older_pipeline_does_not_overwrite_a_newer_one(
    lab: Lab, report: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "<!-- gpuadvisor:check:default -->\n<!-- gpuadvisor:run:9 -->\nnew"
    note = lab.add(body)
    monkeypatch.setenv("CI_PIPELINE_ID", "8")
    assert command(["check", "comment", report]) == 0
    assert note["body"] == body


def test_a_note_starts_no_quick_action(lab: Lab, tmp_path: Path) -> None:
    """GitLab runs lines that begin with `/close` or `/merge`."""
    name = "a\n/close\n/merge"
    found = run(
        tmp_path,
        plan(change("aws_instance.a", {"instance_type": "g4dn.xlarge"}) | {"address": name}),
    )
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document(found)))
    assert command(["check", "comment", str(path)]) == 0
    assert not any(line.lstrip().startswith("/") for line in lab.notes[0]["body"].splitlines())


@pytest.mark.parametrize(
    ("threshold", "said"),
    # One T4 machine more: 0.50 USD an hour, 365 a month.
    [("365", True), ("366", False), ("0", True)],
)
def test_small_changes_may_be_passed_over(
    lab: Lab, report: str, threshold: str, said: bool
) -> None:
    assert command(["check", "comment", report, "--threshold", threshold]) == 0
    assert len(lab.notes) == said


def test_a_change_that_became_small_says_so(lab: Lab, report: str) -> None:
    command(["check", "comment", report])
    command(["check", "comment", report, "--threshold", "1000"])
    assert "below the threshold" in lab.notes[0]["body"]


def test_what_has_no_price_is_never_small(lab: Lab, tmp_path: Path) -> None:
    report = stored(tmp_path, "r.json", "p2.xlarge")
    assert command(["check", "comment", report, "--threshold", "100000"]) == 0
    assert len(lab.notes) == 1


@pytest.mark.parametrize(
    ("arguments", "unset", "words"),
    [
        (["--threshold", "-1"], (), "--threshold -1"),
        (["--threshold", "much"], (), "--threshold much"),
        (["--host", "gitea"], (), "github and gitlab"),
        ([], ("CI_PROJECT_ID",), "CI_PROJECT_ID is unset"),
        ([], ("CI_MERGE_REQUEST_IID",), "--merge-request"),
        ([], ("GITLAB_TOKEN",), "set GITLAB_TOKEN"),
    ],
)
def test_usage_errors(
    lab: Lab,
    report: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    unset: tuple[str, ...],
    words: str,
) -> None:
    for name in unset:
        monkeypatch.delenv(name)
    assert command(["check", "comment", report, *arguments]) == 2
    assert words in " ".join(capsys.readouterr().err.split())
    assert lab.calls == []


def test_the_token_is_sent_over_https_only(
    lab: Lab, report: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI_API_V4_URL", "http://gitlab.example.org/api/v4")
    assert command(["check", "comment", report]) == 2
    assert lab.calls == []


def test_a_project_by_number_and_a_request_by_flag(
    lab: Lab, report: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITLAB_CI")
    monkeypatch.delenv("CI_MERGE_REQUEST_IID")
    arguments = ["--host", "gitlab", "--repo", "group/project", "--merge-request", "7"]
    assert command(["check", "comment", report, *arguments]) == 0
    assert len(lab.notes) == 1
