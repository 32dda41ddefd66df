"""The examples about models, latency and slices: their commands print what the README shows."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.run import gpuadvisor
from tests.examples.test_cost_examples import EXAMPLES, blocks

FOLDERS = (
    "fine-tuning", "language-model", "mig-slices", "mixed-precision", "tts-latency", "warm-pool",
)  # fmt: skip
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
def test_each_example_says_when_its_figure_holds(folder: str) -> None:
    assert len([case for case in CASES if case[0] == folder]) >= 2
    text = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    assert re.search(r"\*\*[^*]+\*\*", text), "the condition is set in bold"


# The owner's articles, each with what it depends on (design notes, section 0).
CLAIMS = [
    ("warm-pool", "9 warm processes for 4.00 busy ones (125% spare)"),
    ("warm-pool", "48 warm processes for 40.0 busy ones (20% spare)"),
    ("warm-pool", "210 warm processes for 200 busy ones (5% spare)"),
    ("tts-latency", "5 warm processes for 3.04 busy ones"),  # 35/s x 87 ms
    ("tts-latency", "20 warm processes for 17.4 busy ones"),  # 200/s x 87 ms
    ("mig-slices", "each device cut into 7 x 1g.5gb"),
    ("mixed-precision", "gradients and Adam stay 16 B a parameter"),
]


@pytest.mark.parametrize(("folder", "words"), CLAIMS)
def test_the_articles_claims_are_reproduced(folder: str, words: str) -> None:
    text = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    assert words in " ".join(text.split())
