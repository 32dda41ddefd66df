"""Build hook: compile the catalogs into the wheel, so that the first run is a warm run."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogBuildHook(BuildHookInterface):  # type: ignore[type-arg,unused-ignore]
    """Adds `gpuadvisor/_snapshot/catalog.sqlite` to a wheel; an editable install needs none."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile `catalogs/`; a fault in the YAML stops the build with its located list."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        from gpuadvisor.catalog.compile import compile_catalogs
        from gpuadvisor.catalog.errors import InputError
        from gpuadvisor.report.messages import render

        self._folder = tempfile.TemporaryDirectory()
        target = Path(self._folder.name) / "catalog.sqlite"
        try:
            compile_catalogs(str(root / "catalogs"), str(target))
        except InputError as error:
            lines = (f"{p.file}:{p.line}:{p.column}: {render(p.message)}" for p in error.problems)
            raise SystemExit("\n".join((render(error.message), *lines))) from error
        build_data["force_include"][str(target)] = "gpuadvisor/_snapshot/catalog.sqlite"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Drop the temporary folder of the compiled snapshot."""
        if version != "editable":
            self._folder.cleanup()
