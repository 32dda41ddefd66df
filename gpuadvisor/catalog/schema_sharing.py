"""Schema of `sharing/*.yaml`: where a cloud lets one device be cut into slices."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from gpuadvisor.catalog.schema import CatalogFile, Name, StrictModel
from gpuadvisor.catalog.schema_workloads import Flag


class Sharing(StrictModel):
    """A cloud's MIG: on which devices or families, whether layouts may be mixed, and how."""

    devices: Annotated[tuple[Name, ...], Field(min_length=1)]
    mixed: Flag
    how: Name
    source: Name


class SharingFile(CatalogFile):
    """Root of the file: provider -> what it allows."""

    sharing: dict[Name, Sharing]
