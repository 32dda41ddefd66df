"""`--format html|xlsx` and `--output FILE`: what is written where, and what is left alone."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
import zipfile
from pathlib import Path

import pytest

from gpuadvisor.cli import output
from gpuadvisor.report.check_lines import SYMBOLS
from gpuadvisor.report.messages.page import EN
from tests.cli.run import gpuadvisor

DEMAND = str(Path(__file__).parents[2] / "examples" / "reserved-and-spot" / "demand.csv")
PLAN = str(Path(__file__).parents[2] / "examples" / "ci" / "plan.json")
DAY = ("--today", "2026-11-30")
COMMANDS = {
    "recommend": ("recommend", "--workload", "ocr", "--budget", "5000"),
    "estimate": ("estimate", "g5.xlarge"),
    "compare": ("compare", "T4", "L4", "--provider", "aws"),
    "reserve": ("reserve", "--curve", DEMAND, "--unit", "g5.xlarge"),
    "own": ("own", "--device", "H100-80GB-SXM", "--gpus", "8"),
    "fit": ("fit", "--model", "llama-3-8b"),
}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown"])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_holds_what_stdout_would(name: str, format: str) -> None:
    shown = gpuadvisor(*COMMANDS[name], *DAY, "--format", format)
    done = gpuadvisor(*COMMANDS[name], *DAY, "--format", format, "--output", "answer.txt")
    assert (done.code, done.out, done.err) == (shown.code, "", shown.err)
    assert Path("answer.txt").read_text(encoding="utf-8") == shown.out
    assert os.listdir() == ["answer.txt"]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_suffix_names_the_format(name: str) -> None:
    for suffix, start in (
        ("html", b"<!doctype html>"), ("xlsx", b"PK"), ("json", b"{"), ("md", None), ("csv", None),
    ):  # fmt: skip
        file = Path(f"answer.{suffix}")
        done = gpuadvisor(*COMMANDS[name], *DAY, "--output", str(file))
        assert (done.code, done.out, done.err) == (0, "", "")
        data = file.read_bytes()
        if start is not None:
            assert data.startswith(start)
        formats = {"md": "markdown"}
        shown = gpuadvisor(*COMMANDS[name], *DAY, "--format", formats.get(suffix, suffix))
        if suffix != "xlsx":
            assert data.decode() == shown.out


def test_a_format_wins_over_the_suffix() -> None:
    assert gpuadvisor("estimate", "g5.xlarge", "--format", "json", "--output", "a.html").code == 0
    assert json.loads(Path("a.html").read_text())["schema"] == "gpuadvisor/estimate/1"
    assert gpuadvisor("estimate", "g5.xlarge", *DAY, "--output", "a").code == 0
    assert Path("a").read_text().startswith("g5.xlarge costs ")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_dash_is_stdout(name: str) -> None:
    shown = gpuadvisor(*COMMANDS[name], *DAY, "--format", "json")
    assert gpuadvisor(*COMMANDS[name], *DAY, "--format", "json", "--output", "-") == shown
    assert os.listdir() == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_suffix_that_no_format_has_is_refused(name: str) -> None:
    done = gpuadvisor(*COMMANDS[name], *DAY, "--output", "answer.pdf")
    assert (done.code, done.out) == (2, "")
    assert "--output answer.pdf: write FILE.html, .xlsx," in done.err
    assert os.listdir() == []


def test_an_answer_that_is_refused_is_written_all_the_same() -> None:
    done = gpuadvisor("recommend", "--workload", "ocr", "--budget", "1", "--output", "a.html")
    assert done.code == 1
    assert "<h1>" in Path("a.html").read_text()


def test_a_workbook_goes_into_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pipe(io.StringIO):
        buffer = io.BytesIO()

    monkeypatch.setattr(sys, "stdout", pipe := Pipe())
    from gpuadvisor.cli.main import run

    assert run(["estimate", "g5.xlarge", "--format", "xlsx"]) == 0
    assert zipfile.is_zipfile(pipe.buffer)
    assert pipe.getvalue() == ""


def test_a_workbook_is_not_for_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    from gpuadvisor.cli.main import run

    assert run(["estimate", "g5.xlarge", "--format", "xlsx", "--lang", "en"]) == 2
    assert "--output FILE.xlsx" in capsys.readouterr().err


def test_a_folder_is_refused() -> None:
    Path("here").mkdir()
    for name in ("here", "here/", "new/"):
        done = gpuadvisor("estimate", "g5.xlarge", "--output", name)
        assert done.code == 2
        assert f"--output {name}: this is a folder" in done.err
    assert os.listdir() == ["here"]


def test_a_missing_folder_is_told() -> None:
    done = gpuadvisor("estimate", "g5.xlarge", "--output", "none/a.html")
    assert done.code == 2
    assert "none/a.html cannot be written: No such file or directory" in done.err


def test_a_file_is_kept_where_the_answer_fails() -> None:
    Path("a.html").write_text("old")
    assert gpuadvisor("estimate", "no-such-type", "--output", "a.html").code == 2
    assert Path("a.html").read_text() == "old"


def test_a_file_is_kept_where_writing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.json").write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output.os, "replace", full)
    done = gpuadvisor("estimate", "g5.xlarge", "--output", "a.json")
    assert done.code == 2
    assert "a.json cannot be written: No space left on device" in done.err
    assert Path("a.json").read_text() == "old"
    assert os.listdir() == ["a.json"]


def test_modes_links_and_devices() -> None:
    mask = os.umask(0o027)
    try:
        output.save("new", b"1")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(os.stat("new").st_mode) == 0o640
    os.chmod("new", 0o600)
    os.symlink("new", "link")
    output.save("link", b"2")
    assert Path("link").is_symlink()
    assert Path("new").read_bytes() == b"2"
    assert stat.S_IMODE(os.stat("new").st_mode) == 0o600
    output.save(os.devnull, b"3")
    assert not stat.S_ISREG(os.stat(os.devnull).st_mode)


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no /dev/fd here")
def test_a_pipe_is_written_to_by_the_name_of_its_descriptor() -> None:
    reading, writing = os.pipe()
    try:
        output.save(f"/dev/fd/{writing}", b"4")
        assert os.read(reading, 8) == b"4"
    finally:
        os.close(reading)
        os.close(writing)


def test_a_check_writes_its_answer_and_others_besides() -> None:
    done = gpuadvisor("check", PLAN, *DAY, "--output", "a.html", "--output", "json=b.json",
                      "--output", "xlsx=c.xlsx")  # fmt: skip
    assert (done.code, done.out, done.err) == (0, "", "")
    assert Path("a.html").read_text().startswith("<!doctype html>")
    assert json.loads(Path("b.json").read_text())["schema"] == "gpuadvisor/check/1"
    assert zipfile.is_zipfile("c.xlsx")
    besides = gpuadvisor("check", PLAN, *DAY, "--output", "html=d.html")
    assert besides.out == gpuadvisor("check", PLAN, *DAY).out
    assert Path("d.html").read_text() == Path("a.html").read_text()
    assert gpuadvisor("check", PLAN, *DAY, "--format", "sarif", "--output", "e").code == 0
    assert json.loads(Path("e").read_text())["version"] == "2.1.0"


def test_a_dash_is_the_stdout_of_a_check() -> None:
    shown = gpuadvisor("check", PLAN, *DAY, "--format", "json")
    assert gpuadvisor("check", PLAN, *DAY, "--format", "json", "--output", "-") == shown
    assert os.listdir() == []


def test_a_check_has_one_answer() -> None:
    done = gpuadvisor("check", PLAN, "--output", "a.html", "--output", "b.html")
    assert done.code == 2
    assert "b.html: the answer goes to one file" in done.err


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    done = gpuadvisor("estimate", "g5.xlarge", "--output", "a.html")
    assert done.code == 2
    assert "pip install 'gpuadvisor[report]'" in done.err
    assert os.listdir() == []


def test_every_action_of_a_check_has_a_word() -> None:
    assert [a for a in SYMBOLS if f"page.action_{a.replace('-', '_')}" not in EN] == []
