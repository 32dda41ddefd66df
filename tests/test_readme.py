"""Every command that README and the examples show is run, from the repository's root."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.run import gpuadvisor

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "examples").rglob("README.md"))]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
COMMANDS = [
    (page.relative_to(ROOT).as_posix(), line.removeprefix("$ "))
    for page in PAGES
    for block in BLOCK.findall(page.read_text(encoding="utf-8"))
    for line in block.splitlines()
    if line.startswith("$ gpuadvisor ")
]


def test_readme_opens_with_the_two_commands() -> None:
    first_block = PAGES[0].read_text(encoding="utf-8").split("```")[1]
    assert [line.split()[:2] for line in first_block.strip().splitlines()] == [
        ["make", "try"],
        ["make", "test"],
    ]


def test_commands_were_found() -> None:
    assert len(COMMANDS) >= 15


@pytest.mark.parametrize(("page", "command"), COMMANDS, ids=[c for _, c in COMMANDS])
def test_command_works_as_shown(
    page: str, command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Exit 0, or the code that a comment `# exit N` beside the command announces."""
    monkeypatch.chdir(ROOT)
    shown, _, comment = command.partition("  # ")
    expected = int(comment.split()[1]) if comment.startswith("exit ") else 0
    words = [word.replace("$OUT", str(tmp_path)) for word in shlex.split(shown)[1:]]
    result = gpuadvisor(*words)
    assert result.code == expected, (page, result.err or result.out[-500:])
    assert (result.out + result.err).strip()
    assert "Traceback" not in result.out + result.err
