"""Every message the room can give has a text, and every text is given somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from gpuadvisor.report.messages.iac import EN
from tests.iac.support import ROOT

ID = re.compile(r"\biac\.[a-z][a-z0-9_]*")
MODULES = {path.stem for path in (ROOT / "gpuadvisor" / "iac").glob("*.py")}


def _used() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "gpuadvisor" / "iac").glob("*.py"):
        found |= set(re.findall(r'"(iac\.[a-z][a-z0-9_]*)"', path.read_text()))
    for path in (ROOT / "catalogs" / "iac").glob("*.yaml"):
        for line in path.read_text().splitlines():
            if "notes:" in line or "hints:" in line:
                found |= set(ID.findall(line))
    return found


def test_messages_and_texts_are_the_same_set() -> None:
    assert _used() == set(EN)


def test_no_prose_in_the_room() -> None:
    for path in sorted(Path(ROOT / "gpuadvisor" / "iac").glob("*.py")):
        assert "print(" not in path.read_text(), path.name
