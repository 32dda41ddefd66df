"""The commands in the README of each cost example: they run, and print what the README shows."""

from __future__ import annotations

import pytest

from tests.examples.support import assert_conditioned, assert_prints, cases

FOLDERS = (
    "buy-or-rent", "card-or-cloud", "elastic-serving", "reserved-and-spot", "spot-training",
    "storage-tiers",
)  # fmt: skip
CASES = cases(FOLDERS)


@pytest.mark.parametrize(("folder", "command", "shown", "code"), CASES)
def test_the_readme_shows_what_is_printed(
    folder: str, command: str, shown: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_prints(command, shown, code, monkeypatch)


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_example_runs_something_and_says_when_its_figure_holds(folder: str) -> None:
    assert_conditioned(folder, 2)


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
