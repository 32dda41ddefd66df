"""The examples of one question each: commands print what their README shows."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.examples.support import EXAMPLES, assert_conditioned, assert_prints, cases

FOLDERS = ("ocr-on-a-budget", "multi-cloud")
CASES = cases(FOLDERS)


@pytest.mark.parametrize(("folder", "command", "shown", "code"), CASES)
def test_the_readme_shows_what_is_printed(
    folder: str, command: str, shown: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_prints(command, shown, code, monkeypatch)


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_example_says_when_its_figure_holds(folder: str) -> None:
    assert_conditioned(folder, 3)


def test_the_python_script_prints_what_its_readme_shows() -> None:
    script = EXAMPLES / "python-api" / "cheapest_per_region.py"
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True,
        cwd=EXAMPLES.parent,
    )  # fmt: skip
    text = (EXAMPLES / "python-api" / "README.md").read_text(encoding="utf-8")
    block = text.split("```text\n")[1].split("```")[0]
    assert block.splitlines()[1:] == done.stdout.splitlines()
