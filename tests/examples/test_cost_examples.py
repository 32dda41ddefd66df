"""The commands in the README of each cost example: they run, and print what the README shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.run import gpuadvisor

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = (
    "buy-or-rent", "card-or-cloud", "elastic-serving", "reserved-and-spot", "spot-training",
    "storage-tiers",
)  # fmt: skip


def blocks(folder: str) -> list[tuple[str, list[str], int]]:
    """Command, lines shown, exit code of every console block."""
    text = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    found = []
    for body in re.findall(r"```console\n\$ gpuadvisor (.*?)```", text, re.DOTALL):
        first, *shown = body.rstrip("\n").split("\n")
        command, _, ended = first.partition("  # exit ")
        found.append((command, [line for line in shown if line.strip(" …")], int(ended or 0)))
    return found


CASES = [(folder, *block) for folder in FOLDERS for block in blocks(folder)]


@pytest.mark.parametrize(("folder", "command", "shown", "code"), CASES)
def test_the_readme_shows_what_is_printed(
    folder: str, command: str, shown: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    done = gpuadvisor(*shlex.split(command), "--today", "2026-11-30")
    assert done.code == code, done.err
    printed = iter(done.out.splitlines())
    for line in shown:
        assert line in printed, line  # in this order: the iterator is not rewound


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_example_runs_something_and_says_when_its_figure_holds(folder: str) -> None:
    assert len([case for case in CASES if case[0] == folder]) >= 2
    text = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    assert re.search(r"\*\*[^*]+\*\*", text), "the condition is set in bold"


# The figures of the owner's articles that the examples reproduce, each with its condition.
CLAIMS = [
    ("spot-training", "23.59 USD on demand, 7.80 USD"),
    ("spot-training", "(12 % more than undisturbed)"),
    ("elastic-serving", "autoscaled, up to 10 units, saves 34.2 %"),
    ("elastic-serving", "scaled to zero, up to 8 units, saves 66.7 %"),
    ("storage-tiers", "the tiers keep it for 64 % less before reads"),
    ("buy-or-rent", "from 40 % use (3,507 h a year)"),
    ("card-or-cloud", "Per image: owned"),
    ("reserved-and-spot", "a saving of 35.5 %"),
]


@pytest.mark.parametrize(("folder", "claim"), CLAIMS)
def test_claims_of_the_articles(folder: str, claim: str) -> None:
    shown = " ".join(" ".join(lines) for where, _, lines, _ in CASES if where == folder)
    assert claim in " ".join(shown.split())
