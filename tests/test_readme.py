"""Every command that README and the examples show is run, from the repository's root."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from gpuadvisor.catalog.store import load_catalog
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
    """Exit 0, or the code that a comment `# exit N` beside the command announces.

    The folder looks like the repository's root, and takes the files that commands write.
    """
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (tmp_path / entry.name).symlink_to(entry)
    monkeypatch.chdir(tmp_path)
    shown, _, comment = command.partition("  # ")
    expected = int(comment.split()[1]) if comment.startswith("exit ") else 0
    result = gpuadvisor(*shlex.split(shown)[1:])
    assert result.code == expected, (page, result.err or result.out[-500:])
    written = [entry for entry in tmp_path.iterdir() if not entry.is_symlink()]
    assert (result.out + result.err).strip() or written
    assert "Traceback" not in result.out + result.err


def test_readme_counts_what_the_catalogs_hold() -> None:
    catalog = load_catalog()
    text = " ".join(PAGES[0].read_text(encoding="utf-8").split())
    providers, types = len(catalog.providers()), len(catalog.instance_types())
    assert f"{providers} providers, {types} instance types" in text
    assert f"any, {len(catalog.names('workloads'))} profiles" in text
