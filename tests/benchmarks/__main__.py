"""The speed budgets, as ratios of whole processes measured in turn: `make bench`.

Everything is measured as a user has it: the wheel is built and installed into a fresh virtual
environment, and the yardstick, a two-command typer program, runs on the same interpreter. Pairs run
in turn and the median of their ratios counts, so that a machine that is busy with other things slows
both alike. Absolute times depend on the machine and stand there for orientation only. Nothing here
runs in the test suite.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import check_plans, synthetic

ROOT = Path(__file__).resolve().parents[2]
RUNS = 21
FRESH = 3
"""So many environments are installed to time a first run, which each of them has only once."""

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
ESTIMATE = ("estimate", "g5.xlarge")


class Measured(NamedTuple):
    """Median of the pairwise ratios of two commands, and both medians in milliseconds."""

    ratio: float
    first_ms: float
    second_ms: float


class Environment(NamedTuple):
    """A virtual environment with the wheel in it, and the variables that its programs see."""

    bin: Path
    variables: Mapping[str, str]

    def program(self, *arguments: str) -> list[str]:
        """The console script with arguments."""
        return [str(self.bin / "gpuadvisor"), *arguments]

    def python(self, *arguments: str) -> list[str]:
        """The interpreter of the environment with arguments."""
        return [str(self.bin / "python"), *arguments]


def build(folder: Path) -> Path:
    """Build the wheel of this checkout."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "-w", str(folder), str(ROOT)],
        check=True,
    )
    return next(folder.glob("*.whl"))


def install(wheel: Path, folder: Path) -> Environment:
    """Install the wheel into a new environment, with a home of its own."""
    venv.create(folder / "venv", with_pip=True)
    home = folder / "home"
    home.mkdir()
    variables = {k: v for k, v in os.environ.items() if not k.startswith("GPUADVISOR_")}
    variables |= {"HOME": str(home), "XDG_CACHE_HOME": str(home), "PYTHONDONTWRITEBYTECODE": ""}
    found = Environment(folder / "venv" / ("Scripts" if os.name == "nt" else "bin"), variables)
    subprocess.run(found.python("-m", "pip", "install", "-qq", str(wheel)), check=True)
    return found


def seconds(command: Sequence[str], variables: Mapping[str, str]) -> float:
    """Seconds of one whole process; its output is thrown away, a failure is an error."""
    started = time.perf_counter()
    subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=variables, check=True
    )
    return time.perf_counter() - started


def compare(
    here: Environment,
    first: Sequence[str],
    second: Sequence[str],
    extra: Mapping[str, str] | None = None,
) -> Measured:
    """Run both in turn; `extra` variables are for the first alone."""
    own = {**here.variables, **(extra or {})}
    seconds(first, own)
    seconds(second, here.variables)
    pairs = [(seconds(first, own), seconds(second, here.variables)) for _ in range(RUNS)]
    return Measured(
        statistics.median(a / b for a, b in pairs),
        statistics.median(a for a, _ in pairs) * 1e3,
        statistics.median(b for _, b in pairs) * 1e3,
    )


def first_runs(wheel: Path, folder: Path) -> Measured:
    """The first run in each of several fresh environments, over the median of its later runs."""
    found = []
    for number in range(FRESH):
        place = folder / f"fresh{number}"
        place.mkdir()
        fresh = install(wheel, place)
        cold = seconds(fresh.program(*RECOMMEND), fresh.variables)
        later = [seconds(fresh.program(*RECOMMEND), fresh.variables) for _ in range(9)]
        found.append((cold, statistics.median(later)))
    return Measured(
        statistics.median(cold / warm for cold, warm in found),
        statistics.median(cold for cold, _ in found) * 1e3,
        statistics.median(warm for _, warm in found) * 1e3,
    )


def report(name: str, budget: float, measured: Measured) -> None:
    """One line: what, ratio, budget, both medians."""
    times = f"{measured.first_ms:.0f} / {measured.second_ms:.0f} ms"
    print(f"{name:<50} {judged(measured.ratio, budget)}  ({times})", flush=True)


def judged(ratio: float, budget: float) -> str:
    """A ratio beside its budget."""
    return f"{ratio:5.2f}x  {'within' if ratio <= budget else 'OVER'} {budget:g}x"


def start_up(here: Environment, script: Path) -> None:
    """Commands against the typer program: one that prints a rich table, and its help."""
    table, page = here.python(str(script), "show"), here.python(str(script), "--help")
    for arguments, yardstick, words, budget in (
        (RECOMMEND, table, "typer program with one rich table", 1.35),
        (ESTIMATE, table, "the same", 1.35),
        (("--help",), page, "its --help", 1.1),
        (("--version",), page, "its --help", 1.1),
    ):
        measured = compare(here, here.program(*arguments), yardstick)
        report(f"{arguments[0]} / {words}", budget, measured)


def scale(here: Environment, folder: Path) -> None:
    """`recommend` on a larger snapshot against the shipped one."""
    shipped = synthetic.shipped(str(folder))
    offers = synthetic.offers_in(shipped)
    for wanted, budget in ((10 * offers, 1.5), (1_000_000, 5.0)):
        larger = folder / "larger.sqlite"
        count = synthetic.grow(shipped, str(larger), synthetic.mixed(wanted / offers))
        command = here.program(*RECOMMEND)
        measured = compare(here, command, command, {"GPUADVISOR_BASE": str(larger)})
        report(f"recommend with {count:,} offers / {offers:,}", budget, measured)


def checks(here: Environment, folder: Path, resources: int = 10_000) -> None:
    """`check` on a large plan against `json.load` of it, both without their start-up."""
    path = folder / "plan.json"
    path.write_text(json.dumps(check_plans.large_plan(resources)), encoding="utf-8")
    python, program = here.python()[0], here.program()
    time_ratio, memory_ratio, checked, loaded = check_plans.compare(str(path), 7, python, program)
    name = f"check of {resources:,} resources / json.load"
    print(f"{name:<50} {judged(time_ratio, 2.0)}  ({checked * 1e3:.0f} / {loaded * 1e3:.0f} ms)")
    print(f"{name + ', peak memory':<50} {judged(memory_ratio, 3.0)}")


def main() -> None:
    """Print every ratio with its budget."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder)
        here = install(wheel, folder)
        script = folder / "baseline.py"
        script.write_text(BASELINE)
        start_up(here, script)
        report("first run from the wheel / later runs", 1.2, first_runs(wheel, folder))
        scale(here, folder)
        checks(here, folder)


if __name__ == "__main__":
    main()
