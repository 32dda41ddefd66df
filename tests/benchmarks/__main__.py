"""The speed budgets, as ratios of whole processes measured in turn: `make bench`.

Absolute times depend on the machine and are printed only for orientation. Nothing here runs in
the test suite.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BASELINE = '''
import typer

app = typer.Typer()


@app.command()
def show(rows: int = 5) -> None:
    """Print one rich table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("rank", "type", "price")
    for row in range(rows):
        table.add_row(str(row), "x", "1.00")
    Console().print(table)


@app.command()
def other() -> None:
    """Nothing."""


app()
'''
RECOMMEND = ("recommend", "--workload", "ocr", "--budget", "5000")


def run(command: list[str], environment: dict[str, str] | None = None) -> float:
    """Seconds of one whole process; its output is thrown away."""
    started = time.perf_counter()
    subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, check=False
    )
    return time.perf_counter() - started


def ratio(first: list[str], second: list[str], runs: int = 15) -> tuple[float, float, float]:
    """Median of the pairwise ratios first/second, and both medians in milliseconds."""
    for command in (first, second):
        run(command)
    pairs = [(run(first), run(second)) for _ in range(runs)]
    return (
        statistics.median(a / b for a, b in pairs),
        statistics.median(a for a, _ in pairs) * 1e3,
        statistics.median(b for _, b in pairs) * 1e3,
    )


def report(name: str, budget: str, measured: tuple[float, float, float]) -> None:
    """One line: what, ratio, budget, both medians."""
    print(
        f"{name:<52} {measured[0]:5.2f}x  budget {budget:<6} ({measured[1]:.0f} / {measured[2]:.0f} ms)"
    )


def first_run(folder: Path) -> tuple[float, float, float]:
    """The first run in a fresh environment from the wheel, against its warm runs."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)],
        check=True,
    )
    wheel = next(folder.glob("*.whl"))
    home = folder / "fresh"
    venv.create(home, with_pip=True)
    bin_ = home / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([str(bin_ / "pip"), "install", "-q", str(wheel)], check=True)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "HOME": str(folder)}
    command = [str(bin_ / "gpuadvisor"), *RECOMMEND]
    cold = run(command, environment)
    warm = statistics.median(run(command, environment) for _ in range(9))
    return cold / warm, cold * 1e3, warm * 1e3


def main() -> None:
    """Print every ratio with its budget."""
    tool = [sys.executable, "-m", "gpuadvisor"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "baseline.py"
        script.write_text(BASELINE)
        base = [sys.executable, str(script)]
        report(
            "recommend / typer program with one rich table",
            "1.35x",
            ratio([*tool, *RECOMMEND], [*base, "show"]),
        )
        report(
            "estimate / the same", "1.35x", ratio([*tool, "estimate", "g5.xlarge"], [*base, "show"])
        )
        report("--help / its --help", "1.1x", ratio([*tool, "--help"], [*base, "--help"]))
        report("--version / its --help", "1.1x", ratio([*tool, "--version"], [*base, "--help"]))
        report("first run from the wheel / warm", "1.2x", first_run(folder))


if __name__ == "__main__":
    main()
