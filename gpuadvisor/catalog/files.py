"""Which files make a catalog, and how their state is told apart. No YAML, no pydantic."""

from __future__ import annotations

import hashlib
import os

FORMAT = 1
"""Version of the snapshot's tables; a snapshot of another format is compiled anew."""

_CODE = ("compile.py", "files.py", "lint.py", "schema.py")


def catalog_files(root: str) -> list[str]:
    """Every `.yaml` file under `root`, sorted; hidden files and folders are left out."""
    found: list[str] = []
    for directory, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        found.extend(
            os.path.join(directory, name)
            for name in names
            if name.endswith((".yaml", ".yml")) and not name.startswith(".")
        )
    return sorted(found)


def stat_fingerprint(root: str) -> str:
    """A cheap fingerprint: path, size and mtime of each file. Equal means unchanged."""
    digest = hashlib.sha256(f"{FORMAT}\n{root}\n".encode())
    code = os.path.dirname(os.path.abspath(__file__))
    for path in (*catalog_files(root), *(os.path.join(code, name) for name in _CODE)):
        state = os.stat(path)
        digest.update(f"{path}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def content_digest(root: str) -> str:
    """SHA-256 over the relative paths and bytes of every file, and the snapshot format."""
    digest = hashlib.sha256(f"{FORMAT}\n".encode())
    for path in catalog_files(root):
        with open(path, "rb") as handle:
            body = handle.read()
        digest.update(f"{os.path.relpath(path, root)}\0{len(body)}\0".encode())
        digest.update(body)
    return digest.hexdigest()
