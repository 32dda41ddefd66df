"""Malformed, hostile and outsized catalogs: refused with the place, in bounded time and memory."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from gpuadvisor.catalog import files, reader
from gpuadvisor.catalog.compile import compile_catalogs
from gpuadvisor.catalog.errors import InputError
from gpuadvisor.cli.main import run
from tests.catalog import small
from tests.catalog.cache import ROOT, environment
from tests.catalog.mutate import SPOILS, spoils

QUIET = settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def validate(folder: Path) -> tuple[int, str]:
    """Exit code of `catalog validate FOLDER`, and what it wrote to stderr."""
    return command("catalog", "validate", str(folder))


def command(*arguments: str) -> tuple[int, str]:
    """Exit code of a command, and what it wrote to stderr."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(list(arguments))
    assert "Traceback" not in err.getvalue()
    assert code == 0 or not out.getvalue()
    return code, err.getvalue()


def located(said: str, file: Path) -> list[str]:
    """The lines that name the file with line and column."""
    return re.findall(rf"^  {re.escape(str(file))}:\d+:\d+: .+$", said, re.M)


@given(st.sampled_from(sorted(small.FILES)), spoils)
@QUIET
def test_malformed_catalogs_are_refused_with_the_place(name: str, spoil: tuple[str, int]) -> None:
    """200 catalogs, each a sound one with one thing spoiled: exit 3, file:line:column."""
    kind, number = spoil
    text = SPOILS[kind](small.FILES[name], number)
    assume(text != small.FILES[name])
    with tempfile.TemporaryDirectory() as folder:
        root = small.write(Path(folder))
        (root / name).write_text(text, encoding="utf-8", newline="")
        code, said = validate(root)
        assert code == 3, (kind, text)
        # A name that is missing in one file is missed in another.
        assert any(located(said, root / other) for other in small.FILES), (kind, said)


@pytest.mark.parametrize("kind", sorted(SPOILS))
def test_every_way_to_spoil_finds_a_place(kind: str) -> None:
    assert any(SPOILS[kind](text, 0) != text for text in small.FILES.values())


# Files of every kind as shipped, read once; small ones, so that an example takes milliseconds.
SHIPPED = [
    path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "catalogs").rglob("*.yaml"))
    if path.stat().st_size < 30_000
]
PIECES = st.sampled_from(
    ["", " ", "\n", ":", "- ", "{", "}", "[", "]", ",", "#", "'", '"', "&a ", "*a", "!", "|\n", ">",
     "%", "@", "`", "\t", "\0", "\x85", "\u2028", "\ufeff", "\U0001f600", "0", "-", "1e999", "null",
     "~", "9" * 25, "<<: ", "? ", "---\n", "...\n", "\\", "\\ud800", '"\\ud800"', '"\\U00110000"', "x" * 300]
)  # fmt: skip


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped catalogs, compiled once; beside them a cache for the garbled overlays."""
    base = tmp_path_factory.mktemp("shipped") / "base.sqlite"
    compile_catalogs(str(ROOT / "catalogs"), str(base))
    return base


@pytest.mark.parametrize("parser", ["libyaml", "python"])
@given(st.data())
@settings(QUIET, max_examples=int(os.environ.get("GPUADVISOR_EXAMPLES", "60")))
def test_garbled_files_never_break_the_reader(
    compiled: Path, parser: str, data: st.DataObject
) -> None:
    """Shipped files of all kinds with pieces cut out and put in: sound still, or refused.

    PyYAML's own parser is used where libyaml is missing and must be no weaker.
    """
    text = data.draw(st.sampled_from(SHIPPED), label="file")
    for _ in range(data.draw(st.integers(1, 4), label="edits")):
        start = data.draw(st.integers(0, len(text)), label="at")
        length = data.draw(st.sampled_from([0, 0, 1, 5, 80]), label="cut")
        text = text[:start] + data.draw(PIECES, label="piece") + text[start + length :]
    loader = yaml.BaseLoader if parser == "python" else reader._Loader
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_Loader", loader)
        file = Path(folder) / "garbled.yaml"
        file.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        patch.setenv("GPUADVISOR_BASE", str(compiled))
        patch.setenv("GPUADVISOR_CACHE", str(compiled.parent / "cache"))
        code, said = command("catalog", "list", "--catalog", folder)
        assert code in (0, 3), said
        assert code == 0 or located(said, file), said


# -- sizes --------------------------------------------------------------------------------------

BILLION_LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)
)
SOURCES = "sources:\n  s: {title: t, address: a, date: 2026-01-01, confidence: official}\n"
PRICES = f"schema: gpuadvisor/prices/1\nprovider: acme\nversion: 2026.10\ncurrency: USD\n{SOURCES}prices:\n"
WORKLOADS = f"schema: gpuadvisor/workloads/1\n{SOURCES}workloads: {{}}\n"
OUTSIZED = {
    "an alias bomb": (lambda: BILLION_LAUGHS, "aliases"),
    "a merge bomb": (lambda: "a: &a {x: 1}\nb: {<<: *a}\n", "aliases"),
    "50 MB": (lambda: "# " + "x" * 50_000_000, "at most 16777216"),
    "deep flow": (lambda: "[" * 1_000_000, "nest"),
    "deep blocks": (lambda: "- " * 1_000_000, "levels deep"),
    "deep mappings": (lambda: "{a: " * 1_000_000, "nest"),
    "many values": (lambda: "- a\n" * 3_000_000, "more than 400000"),
    "many unknown keys": (
        lambda: WORKLOADS + "".join(f"k{n}: x\n" for n in range(150_000)),
        "the first 100 faults",
    ),
    "many duplicates": (lambda: "a: b\n" * 1_000_000, "the first 100 faults"),
    "many unknown names": (
        lambda: PRICES + "".join(f"  p{n}: {{mars{n}: {{on_demand: [1, z]}}}}\n" for n in range(30_000)),
        "the first 100 faults",
    ),
    "many wrong values": (
        lambda: PRICES + "".join(f"  t.1{n}: {{north: {{on_demand: [-1, s]}}}}\n" for n in range(30_000)),
        "the first 100 faults",
    ),
    "a long scalar": (lambda: "schema: " + "x" * 15_000_000, "expected one of"),
    "a long key": (lambda: "x" * 15_000_000 + ": 1", "not valid YAML"),
    "long digits": (lambda: PRICES + "  t.1: {north: {on_demand: [" + "9" * 10**6 + ", s]}}", "20 digits"),
}  # fmt: skip
_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from gpuadvisor.cli.main import run
code = run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
"""
SECONDS, MEBIBYTES = 30.0, 700
"""Measured: at most 4 s and 400 MiB; the bound leaves room for slow machines."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are told as on Linux")
@pytest.mark.parametrize("name", sorted(OUTSIZED))
def test_outsized_files_are_refused_in_bounded_time_and_memory(tmp_path: Path, name: str) -> None:
    text, words = OUTSIZED[name]
    root = small.write(tmp_path / "c")
    (root / "providers/acme/prices/2026.10.yaml").unlink()
    (root / "outsized.yaml").write_text(text(), encoding="utf-8")
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, "catalog", "validate", str(root)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(root, tmp_path / "cache"),
        timeout=SECONDS * 2,
    )
    assert done.returncode == 3, done.stderr[:2000]
    assert words in done.stderr
    assert located(done.stderr, root / "outsized.yaml") or "50 MB" in name
    assert time.monotonic() - began < SECONDS
    assert int(done.stderr.split()[-1]) < MEBIBYTES


def test_too_many_files_or_folders_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--catalog /` is a slip of the hand."""
    root = small.write(tmp_path)
    monkeypatch.setattr(files, "MAX_FILES", 4)
    with pytest.raises(InputError) as caught:
        files.catalog_files(str(root))
    assert caught.value.problems[0].message.id == "catalog.too_many_files"
    monkeypatch.setattr(files, "MAX_FILES", 5)
    assert len(files.catalog_files(str(root))) == 5
    monkeypatch.setattr(files, "MAX_FOLDERS", 3)
    with pytest.raises(InputError):
        files.catalog_files(str(root))


# -- what is no plain file ----------------------------------------------------------------------


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nothing")


def _loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
@pytest.mark.parametrize("make", [_pipe, _device, _dangling, _loop])
def test_what_is_no_plain_file_is_refused(tmp_path: Path, make: object) -> None:
    root = small.write(tmp_path)
    make(root / "odd.yaml")  # type: ignore[operator]
    code, said = validate(root)
    assert code == 3
    assert f"{root / 'odd.yaml'}: " in said


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux alone")
@pytest.mark.parametrize("name", [b"caf\xe9.yaml", b"new\nline.yaml", b"\x1b[31m.yaml"])
def test_file_names_that_cannot_be_printed_are_refused(tmp_path: Path, name: bytes) -> None:
    root = small.write(tmp_path)
    Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_text(small.FX)
    code, said = validate(root)
    assert code == 3
    assert "cannot be printed" in said
    assert "\x1b" not in said


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read anything")
def test_an_unlistable_folder_is_an_error_not_a_gap(tmp_path: Path) -> None:
    root = small.write(tmp_path)
    (root / "regions").chmod(0)
    try:
        code, said = validate(root)
    finally:
        (root / "regions").chmod(0o700)
    assert code == 3
    assert str(root / "regions") in said
