"""examples/quote: the commands print what the README shows, and its arithmetic holds."""

from __future__ import annotations

import re
import shlex
from decimal import Decimal
from pathlib import Path

import pytest

from tests.cli.run import gpuadvisor

ROOT = Path(__file__).parents[2]
README = (ROOT / "examples" / "quote" / "README.md").read_text(encoding="utf-8")
SHOWN = [
    (command, [line for line in body.splitlines() if line.strip(" …")])
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for command, body in re.findall(r"^\$ gpuadvisor (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


def test_commands_were_found() -> None:
    assert len(SHOWN) == 5


@pytest.mark.parametrize(("command", "shown"), SHOWN)
def test_the_readme_shows_what_is_printed(
    command: str, shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    done = gpuadvisor(*shlex.split(command), "--today", "2026-11-30")
    assert done.code == 0, done.err
    printed = iter(done.out.splitlines())
    for line in shown:
        assert line in printed, line  # in this order: the iterator is not rewound


def test_the_arithmetic_beside_the_negotiated_price() -> None:
    hourly = Decimal("0.6846") * Decimal("1.12")
    month = round(hourly * 2 * 730, 2)
    whole = month + round(month * Decimal("0.06"), 2)
    assert (str(hourly), str(month), str(whole)) == ("0.766752", "1119.46", "1186.63")
    for figure in ("0.766752", "1,119.46", "1,186.63"):
        assert figure in README
