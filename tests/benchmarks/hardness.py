"""The long forms of the cache tests, run by hand: `python -m tests.benchmarks.hardness`.

The suite runs the same with 8 processes and 10 kills. Prints figures; exits 1 on a difference.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.catalog.cache import ROOT, start

SHOW = ("catalog", "show", "aws/g5.xlarge", "--format", "json", "--today", "2026-11-30")


def at_once(base: Path, cache: Path, processes: int) -> bool:
    """Start so many processes on an empty cache; whether all gave one answer."""
    began = time.perf_counter()
    running = [start(base, cache, *SHOW) for _ in range(processes)]
    results = Counter((*p.communicate(), p.returncode) for p in running)
    took = time.perf_counter() - began
    alike = len(results) == 1 and next(iter(results))[1:] == ("", 0)
    kept = Counter(p.suffix for p in cache.iterdir())
    print(f"{processes} processes at once on an empty cache: {len(results)} answer(s), alike: "
          f"{alike}, {took:.1f} s in all, left in the cache: {dict(kept)}")  # fmt: skip
    return alike


def killed(base: Path, cache: Path, times: int) -> bool:
    """Kill a compilation so often at random points; whether the next run always answers right."""
    start(base, cache, *SHOW).communicate()
    began = time.perf_counter()
    for path in cache.iterdir():
        path.unlink()
    right = start(base, cache, *SHOW).communicate()
    whole = time.perf_counter() - began
    wrong = finished = leftovers = 0
    again: list[float] = []
    for _ in range(times):
        for path in cache.iterdir():
            path.unlink()
        victim = start(base, cache, *SHOW)
        time.sleep(random.uniform(0.05, 1.05) * whole)
        victim.kill()
        finished += victim.communicate()[0] == right[0]
        leftovers += any(p.suffix == ".partial" for p in cache.glob("*"))
        began = time.perf_counter()
        wrong += start(base, cache, *SHOW).communicate() != right
        again.append(time.perf_counter() - began)
        wrong += any(p.suffix == ".partial" for p in cache.iterdir())
    print(f"{times} kills at random points of {whole:.2f} s: {wrong} wrong or unclean, {leftovers} "
          f"left a partial file, {finished} came too late, next run {statistics.median(again):.2f} s")  # fmt: skip
    return wrong == 0


def main() -> int:
    """Both figures, on the shipped catalogs."""
    base = ROOT / "catalogs"
    with tempfile.TemporaryDirectory() as folder:
        kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
        processes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
        alike = at_once(base, Path(folder) / "a", processes)
        return not (killed(base, Path(folder) / "b", kills) and alike)


if __name__ == "__main__":
    sys.exit(main())
