"""What the tests of the examples share: the commands of their READMEs, run and compared."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.run import gpuadvisor

EXAMPLES = Path(__file__).parents[2] / "examples"

Case = tuple[str, str, list[str], int]
"""Folder, command, lines shown, exit code."""


def blocks(folder: str) -> list[tuple[str, list[str], int]]:
    """Command, lines shown, exit code of every console block."""
    text = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    found = []
    for body in re.findall(r"```console\n\$ gpuadvisor (.*?)```", text, re.DOTALL):
        first, *shown = body.rstrip("\n").split("\n")
        command, _, ended = first.partition("  # exit ")
        found.append((command, [line for line in shown if line.strip(" …")], int(ended or 0)))
    return found


def cases(folders: Sequence[str]) -> list[Case]:
    """The console blocks of several examples."""
    return [(folder, *block) for folder in folders for block in blocks(folder)]


def assert_prints(
    command: str, shown: Sequence[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run from the repository's root, the command prints the lines shown, in their order."""
    monkeypatch.chdir(EXAMPLES.parent)
    done = gpuadvisor(*shlex.split(command), "--today", "2026-11-30")
    assert done.code == code, done.err
    printed = iter(done.out.splitlines())
    for line in shown:
        assert line in printed, line  # in this order: the iterator is not rewound


def assert_conditioned(folder: str, least: int) -> None:
    """The README runs `least` commands, and says in bold when its figure holds."""
    assert len(blocks(folder)) >= least
    text = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    assert re.search(r"\*\*[^*]+\*\*", text), "the condition is set in bold"
