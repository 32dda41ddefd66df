"""Whatever happens to the cache, the answer is the same one, or a clear error."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog import compile as compiler
from gpuadvisor.catalog import files, seal, snapshot
from gpuadvisor.catalog.errors import InputError
from gpuadvisor.catalog.store import load_catalog
from gpuadvisor.cli.main import run
from tests.catalog import small
from tests.catalog.cache import start

Answer = tuple[Any, ...]


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small catalog as base, an empty cache, and no config file in reach."""
    root = small.write(tmp_path / "work" / "base")
    monkeypatch.setenv("GPUADVISOR_BASE", str(root))
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "no-such-folder"))
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that were compiled, one entry a compilation."""
    done: list[str] = []
    real = compiler.load

    def counted(root: str, *rest: Any) -> compiler.Loaded:
        done.append(root)
        return real(root, *rest)

    monkeypatch.setattr(compiler, "load", counted)
    return done


def answer() -> Answer:
    catalog = load_catalog()
    offers = sorted(catalog.offers("acme"), key=str)
    return (offers, catalog.instance_types(), catalog.devices(), catalog.regions(), catalog.rates())


def snapshots(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.sqlite"))


def index(cache: Path) -> Path:
    return next(iter(cache.glob("*.json")))


def test_the_second_run_compiles_nothing(base: Path, compilations: list[str]) -> None:
    first = answer()
    assert first[0]
    assert answer() == first
    assert compilations == [str(base)]


def _flip(position: int) -> Callable[[bytes], bytes]:
    def damage(body: bytes) -> bytes:
        place = position % (len(body) * 8)
        changed = bytearray(body)
        changed[place // 8] ^= 1 << place % 8
        return bytes(changed)

    return damage


def _cut(share: float) -> Callable[[bytes], bytes]:
    return lambda body: body[: int(len(body) * share)]


DAMAGES: list[Callable[[bytes], bytes]] = [
    *(_flip(random.Random(seed).getrandbits(40)) for seed in range(60)),
    *(_flip(place * 8) for place in (0, 18, 24, 28, 68, 69, 100)),  # SQLite's own header
    *(_cut(share) for share in (0, 0.01, 0.3, 0.5, 0.999)),
    lambda body: body + b"\0" * 4096,
    lambda body: body[:4096] + bytes(len(body) - 4096),
    lambda body: b"not a database",
    lambda body: body[::-1],
]


def test_a_damaged_snapshot_is_compiled_anew(
    base: Path, cache: Path, compilations: list[str]
) -> None:
    right = answer()
    for count, damage in enumerate(DAMAGES, start=1):
        (file,) = snapshots(cache)
        body = file.read_bytes()
        damaged = damage(body)
        assert damaged != body
        file.write_bytes(damaged)
        assert answer() == right, count
        assert len(compilations) == count + 1
        assert snapshots(cache)[0].read_bytes() == body


def test_a_snapshot_of_other_contents_is_not_taken(base: Path, cache: Path) -> None:
    """A sound, sealed snapshot under the right name, but of another catalog."""
    right = answer()
    other = small.write(base.parent / "other", fx_ecb=small.FX.replace("7.7", "9.9"))
    compiler.compile_catalogs(str(other), str(snapshots(cache)[0]))
    assert answer() == right


INDEXES = [
    "",
    "{}",
    "[]",
    "null",
    "{",
    "[" * 100_000,
    '{"fingerprint": 1, "digest": 2, "file": 3}',
    '{"fingerprint": "x", "digest": "y", "file": "../../etc/passwd"}',
    '{"fingerprint": "x", "digest": "y", "file": "a", "more": 1}',
]


@pytest.mark.parametrize("body", INDEXES)
def test_a_damaged_index_is_written_anew(base: Path, cache: Path, body: str) -> None:
    right = answer()
    good = index(cache).read_bytes()
    index(cache).write_text(body)
    assert answer() == right
    assert index(cache).read_bytes() == good


def test_any_flipped_bit_of_the_index_does_no_harm(base: Path, cache: Path) -> None:
    right = answer()
    good = index(cache).read_bytes()
    for seed in range(60):
        index(cache).write_bytes(_flip(random.Random(seed).getrandbits(40))(good))
        assert answer() == right


@pytest.mark.parametrize("which", ["*.json", "*.sqlite", "*.lock"])
def test_missing_files_and_folders_in_their_place(base: Path, cache: Path, which: str) -> None:
    right = answer()
    victim = next(iter(cache.glob(which)))
    victim.unlink()
    assert answer() == right
    for path in cache.glob(which):
        path.unlink()
    victim.mkdir()
    assert answer() == right


def test_touched_files_are_not_compiled_again(
    base: Path, cache: Path, compilations: list[str]
) -> None:
    """Other times, same bytes: the content digest decides, and the index learns the times."""
    right = answer()
    for path in base.rglob("*.yaml"):
        os.utime(path, (1, 1))
    assert answer() == right
    assert len(compilations) == 1
    stamp = json.loads(index(cache).read_text())
    assert stamp["fingerprint"] == files.stat_fingerprint(str(base))


def test_changed_content_of_equal_size_is_seen(base: Path, compilations: list[str]) -> None:
    path = base / "providers/acme/prices/2026.10.yaml"
    before = answer()
    path.write_text(small.PRICES.replace("[0.5, s]", "[0.7, s]"))
    os.utime(path, ns=(1, 1))
    after = answer()
    assert len(compilations) == 2
    assert [str(o.price) for o in after[0] if o.price not in {p.price for p in before[0]}] == [
        "0.7"
    ]


def test_added_removed_and_renamed_files_are_seen(base: Path, compilations: list[str]) -> None:
    answer()
    extra = base / "providers/acme/prices/2026.11.yaml"
    extra.write_text(small.PRICES.replace("2026.10", "2026.11").replace("[0.5, s]", "[0.4, s]"))
    assert load_catalog().price_versions["acme"][0].version == "2026.11"
    extra.unlink()
    assert load_catalog().price_versions["acme"][0].version == "2026.10"
    (base / "fx/ecb.yaml").rename(base / "fx/rates.yaml")
    assert load_catalog().rates()
    assert len(compilations) == 4


def test_other_code_compiles_anew(
    base: Path, compilations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = answer()
    monkeypatch.setattr(files, "code_digest", lambda: "other")
    for path in base.rglob("*.yaml"):
        os.utime(path, (1, 1))
    assert answer() == right
    assert len(compilations) == 2


def test_old_snapshots_and_leftovers_are_swept(base: Path, cache: Path) -> None:
    answer()
    key = snapshots(cache)[0].name.partition("-")[0]
    (cache / f"{key}-1.partial").write_text("left by a killed process")
    (cache / "unrelated.partial").write_text("another folder's")
    (base / "fx/ecb.yaml").write_text(small.FX.replace("7.7", "7.8"))
    answer()
    assert len(snapshots(cache)) == 1
    assert [p.name for p in cache.glob("*.partial")] == ["unrelated.partial"]


# -- nowhere to write ---------------------------------------------------------------------------


def test_an_unwritable_home_falls_back_to_a_private_temporary_folder(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compilations: list[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.delenv("GPUADVISOR_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked / "below"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first = answer()
    assert answer() == first
    assert len(compilations) == 1
    (folder,) = tmp_path.glob("gpuadvisor-*")
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_temporary_folder_that_others_may_write_is_not_trusted(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compilations: list[str]
) -> None:
    monkeypatch.setenv("GPUADVISOR_CACHE", os.devnull)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = tmp_path / f"gpuadvisor-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    assert answer() == answer()
    assert len(compilations) == 2
    assert not list(folder.iterdir())


@pytest.mark.parametrize("home", [None, "relative/cache"])
def test_the_cache_folder_is_absolute_or_none(
    monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    """Without a home `~` stays as it is: nothing may be written into a folder of that name."""
    monkeypatch.delenv("GPUADVISOR_CACHE", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    if home is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", home)
    else:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert snapshot.cache_directory() is None


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_cache_is_read(base: Path, cache: Path, compilations: list[str]) -> None:
    right = answer()
    cache.chmod(0o500)
    try:
        assert answer() == right
    finally:
        cache.chmod(0o700)
    assert len(compilations) == 1


def test_a_full_disk_is_survived(base: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(loaded: compiler.Loaded, path: str) -> None:
        Path(path).write_bytes(b"some of it")
        raise sqlite3.OperationalError("database or disk is full")

    expected = compiler.load(str(base))
    monkeypatch.setattr(compiler, "write_snapshot", full)
    assert len(answer()[0]) == 5
    assert expected.digest == snapshot.digest_of(snapshot.open_base())
    assert [p.suffix for p in cache.iterdir()] == [".lock"]


# -- other processes ----------------------------------------------------------------------------


def test_a_held_lock_does_not_hang(
    base: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    right = answer()
    for path in (*snapshots(cache), index(cache)):
        path.unlink()
    monkeypatch.setattr(snapshot, "LOCK_SECONDS", 0.1)
    (lock,) = cache.glob("*.lock")
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert answer() == right
        assert not snapshots(cache)
    assert answer() == right
    assert snapshots(cache)


def test_processes_on_an_empty_cache_answer_alike(base: Path, cache: Path) -> None:
    running = [start(base, cache) for _ in range(8)]
    results = {(*p.communicate(), p.returncode) for p in running}
    assert len(results) == 1
    out, err, code = results.pop()
    assert (err, code) == ("", 0)
    assert json.loads(out)["prices"]
    assert len(snapshots(cache)) == 1
    assert not list(cache.glob("*.partial"))


def test_a_killed_compilation_never_changes_an_answer(base: Path, cache: Path) -> None:
    """`kill -9` at ten points spread over a compilation; by hand it was done at 200."""
    began = time.perf_counter()
    right, _ = start(base, cache).communicate()
    whole = time.perf_counter() - began
    for point in range(10):
        for path in cache.iterdir():
            path.unlink()
        victim = start(base, cache)
        time.sleep(whole * (0.4 + 0.6 * point / 9))
        victim.kill()
        victim.communicate()
        after = start(base, cache)
        assert after.communicate() == (right, ""), point
        assert after.returncode == 0
        assert not list(cache.glob("*.partial"))


# -- a compiled snapshot as the base ------------------------------------------------------------


@pytest.fixture
def compiled(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "work" / "base.sqlite"
    compiler.compile_catalogs(str(base), str(path))
    monkeypatch.setenv("GPUADVISOR_BASE", str(path))
    yield path


def test_a_compiled_base_answers_without_a_cache(
    compiled: Path, cache: Path, compilations: list[str]
) -> None:
    assert len(answer()[0]) == 5
    assert not cache.exists()
    assert compilations == []


@pytest.mark.parametrize("damage", [_flip(12345), _cut(0.5), _cut(0), lambda body: b"x" * 9999])
def test_a_damaged_compiled_base_is_a_clear_error(
    compiled: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[bytes], bytes]
) -> None:
    compiled.write_bytes(damage(compiled.read_bytes()))
    assert run(["catalog", "list"]) == 3
    said = capsys.readouterr().err
    assert str(compiled) in said
    assert "checksum" in said


def test_a_snapshot_of_another_format_is_refused(compiled: Path) -> None:
    database = sqlite3.connect(compiled)
    database.execute("UPDATE meta SET value = '0' WHERE key = 'format'")
    database.commit()
    database.close()
    seal.seal(str(compiled))
    with pytest.raises(InputError) as caught:
        snapshot.open_base()
    assert caught.value.message.params["reason"] == "format"


def test_a_missing_base_is_a_clear_error(
    base: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GPUADVISOR_BASE", str(base / "nowhere"))
    assert run(["catalog", "list"]) == 3
    assert "nowhere" in capsys.readouterr().err


def test_a_catalog_answers_in_several_threads(base: Path) -> None:
    """A refresh hands one to its tasks."""
    from concurrent.futures import ThreadPoolExecutor

    found = load_catalog()
    with ThreadPoolExecutor(4) as pool:
        types = list(pool.map(lambda _: len(found.instance_types()), range(16)))
        offers = list(pool.map(lambda _: len(found.offers("acme")), range(16)))
    assert types == [2] * 16 and offers == [5] * 16
