from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.check.support import write_catalog


@pytest.fixture(scope="session")
def small_catalogs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_catalog(tmp_path_factory.mktemp("catalogs"))


@pytest.fixture(autouse=True)
def _small_base(
    small_catalogs: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Every test of this folder answers from the small catalog unless it says otherwise."""
    monkeypatch.setenv("GPUADVISOR_BASE", str(small_catalogs))
    monkeypatch.setenv("GPUADVISOR_CACHE", str(small_catalogs.parent / "check-cache"))
    yield
