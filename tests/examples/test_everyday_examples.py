"""The examples of one question each: commands print what their README shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from tests.cli.run import gpuadvisor
from tests.examples.test_cost_examples import EXAMPLES, blocks

FOLDERS = ("ocr-on-a-budget", "multi-cloud")
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
    text = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    assert len([case for case in CASES if case[0] == folder]) >= 3
    assert re.search(r"\*\*[^*]+\*\*", text), "the condition is set in bold"


def test_the_python_script_prints_what_its_readme_shows() -> None:
    script = EXAMPLES / "python-api" / "cheapest_per_region.py"
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True,
        cwd=EXAMPLES.parent,
    )  # fmt: skip
    text = (EXAMPLES / "python-api" / "README.md").read_text(encoding="utf-8")
    block = text.split("```text\n")[1].split("```")[0]
    assert block.splitlines()[1:] == done.stdout.splitlines()
