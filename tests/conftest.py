"""Fixtures of the whole suite: no user's cache, no user's settings, one compiled catalog."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.report.messages import choose

TODAY = "2026-11-30"
"""A date for tests that print ages; the program itself takes today's."""


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in os.environ if n.startswith("GPUADVISOR_")]:
        if name != "GPUADVISOR_CACHE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", "/nonexistent")  # a developer's own refreshes
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    choose("en")


@pytest.fixture(scope="session")
def catalog() -> Iterator[Catalog]:
    """The shipped catalogs, opened once."""
    yield load_catalog()
