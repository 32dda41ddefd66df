"""The shipped profiles, compiled as the snapshot holds them, behind the catalog's two calls."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from gpuadvisor.catalog.schema_workloads import WorkloadsFile

FOLDER = Path(__file__).parents[2] / "catalogs" / "workloads"


class Documents:
    """Enough of a catalog for the workload room."""

    def __init__(self, entries: Mapping[str, Mapping[str, Any]]) -> None:
        self.entries = entries

    def document(self, kind: str, name: str) -> Mapping[str, Any]:
        assert kind == "workloads"
        return self.entries[name]

    def documents(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        assert kind == "workloads"
        return self.entries


def files() -> dict[str, Any]:
    return {
        path.name: yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
        for path in sorted(FOLDER.glob("*.yaml"))
    }


@pytest.fixture(scope="session")
def catalog() -> Documents:
    entries: dict[str, Any] = {}
    for raw in files().values():
        dumped = WorkloadsFile.model_validate(raw).model_dump(
            mode="json", exclude_none=True, by_alias=True
        )
        entries |= dumped["workloads"]
    return Documents(entries)
