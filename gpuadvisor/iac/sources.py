"""Where the resources of a plan are written: address -> file and line of the sources beside it.

Only the first lines of blocks are looked at, so that it is quick and needs no parser. Modules are
followed where their source is a local folder; others are placed at the call.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.iac.interface import Finding

_HEADER = re.compile(r'^[ \t]*(resource|module)[ \t]+"?([\w.-]+)"?(?:[ \t]+"?([\w.-]+)"?)?[ \t]*\{')
_SOURCE = re.compile(r'\bsource[ \t]*=[ \t]*"(\.{1,2}/[^"$]*)"')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_HEREDOC = re.compile(r"<<[-~]?[ \t]*\"?(\w+)\"?[ \t]*$")
_INDEX = re.compile(r'\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\]')
_SUFFIXES = (".tf", ".tofu")
_MOST_FILES = 500
_MOST_BYTES = 2 * 1024 * 1024
_MOST_MODULES = 16


class Spot(NamedTuple):
    """A block in a source; `folder` is where a module call leads, if to a local folder."""

    file: str
    line: int
    folder: str | None = None


class Sources:
    """The root modules named by the user; folders are read when first needed."""

    def __init__(self, folders: tuple[str, ...]) -> None:
        for folder in folders:
            if not os.path.isdir(folder):
                raise UsageError(message("iac.source_folder", folder=folder))
        self._folders = folders
        self._read: dict[str, dict[str, Spot]] = {}

    def located(self, finding: Finding) -> Finding:
        """The finding with its place in the sources; unchanged where none is found."""
        if finding.line is not None or not self._folders:
            return finding
        for folder in self._folders:
            spot = self._find(folder, finding.address.partition("#")[0])
            if spot is not None:
                return finding._replace(file=spot.file, line=spot.line)
        return finding

    def _find(self, folder: str, address: str) -> Spot | None:
        parts = _INDEX.sub("", address).split(".")
        found: Spot | None = None
        for _ in range(_MOST_MODULES):
            spots = self._spots(folder)
            if parts[0] != "module" or len(parts) < 3:
                return spots.get(".".join(parts[:2]), found)
            call = spots.get(f"module.{parts[1]}")
            if call is None or call.folder is None:
                return call or found
            found, folder, parts = call, call.folder, parts[2:]
        return found

    def _spots(self, folder: str) -> dict[str, Spot]:
        if folder not in self._read:
            self._read[folder] = dict(_spots(folder))
        return self._read[folder]


def block_lines(text: str) -> Iterator[tuple[str, int]]:
    """(address, line) of each block. Comments and heredocs do not count."""
    plain = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    until: str | None = None
    for number, line in enumerate(plain.split("\n"), 1):
        if until is not None:
            until = None if line.strip() == until else until
            continue
        header = _HEADER.match(line)
        if header:
            kind, first, second = header.groups()
            yield (f"module.{first}" if kind == "module" else f"{first}.{second}"), number
        heredoc = _HEREDOC.search(line)
        until = heredoc.group(1) if heredoc else None


def _spots(folder: str) -> Iterator[tuple[str, Spot]]:
    try:
        names = sorted(n for n in os.listdir(folder) if n.endswith(_SUFFIXES))
    except OSError:
        return
    for name in names[:_MOST_FILES]:
        path = os.path.join(folder, name)
        try:
            with open(path, encoding="utf-8", errors="replace") as stream:
                text = stream.read(_MOST_BYTES)
        except OSError:
            continue
        lines = text.split("\n")
        for address, line in block_lines(text):
            leads = None
            if address.startswith("module."):
                # The source stands near the head of a call.
                found = _SOURCE.search("\n".join(lines[line - 1 : line + 9]))
                leads = os.path.normpath(os.path.join(folder, found.group(1))) if found else None
            yield address, Spot(path, line, leads)
