"""The hand-over example: commands print what the README shows, and its files are what they make."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.run import gpuadvisor
from tests.examples.support import EXAMPLES, blocks

FOLDER = "hand-over"
TODAY = ("--today", "2026-11-30")
FILES = ("training/main.tf", "slices/karpenter.yaml", "slices/workload.yaml", "service/task.yaml")


@pytest.mark.parametrize(("command", "shown", "code"), blocks(FOLDER))
def test_the_readme_shows_what_is_printed(
    command: str, shown: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    done = gpuadvisor(*shlex.split(command), *TODAY)
    assert done.code == code, done.err
    printed = iter(done.out.splitlines())
    for line in shown:
        assert line in printed, line  # in this order: the iterator is not rewound


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_what_the_command_in_its_head_makes(name: str) -> None:
    """To make one anew: run that command, with the output to the file."""
    text = (EXAMPLES / FOLDER / name).read_text(encoding="utf-8")
    line = re.search(r"^#   gpuadvisor (recommend .*)$", text, re.MULTILINE)
    assert line is not None
    assert gpuadvisor(*shlex.split(line[1])).out == text


def test_every_file_is_checked_in_the_readme() -> None:
    checked = [command for command, _, _ in blocks(FOLDER) if command.startswith("check ")]
    for name in FILES:
        folder = name.partition("/")[0]
        assert any(f"{FOLDER}/{folder}" in command for command in checked)
