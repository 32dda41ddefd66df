"""Names of AWS: which types hold accelerators, which zones and regions count, family and size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gpuadvisor.refresh.interface import Puzzle

if TYPE_CHECKING:
    from gpuadvisor.catalog.store import Catalog

PROVIDER = "aws"
_TYPE = re.compile(r"[a-z][a-z0-9-]*\.[a-z0-9-]+", re.ASCII)
_ACCELERATED = re.compile(r"(?:p|g|gr|inf|trn|dl|vt)\d[a-z0-9-]*\.[a-z0-9-]+", re.ASCII)
"""Families of GPU, Inferentia, Trainium, Gaudi, Qualcomm and video types, future ones too."""
_REGION = re.compile(r"[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d+", re.ASCII)
_LEGACY_REGIONS = {
    # Names that the spot pages have kept since before regions had codes.
    "us-east": "us-east-1",
    "us-west": "us-west-1",
    "eu-ireland": "eu-west-1",
    "apac-sin": "ap-southeast-1",
    "apac-syd": "ap-southeast-2",
    "apac-tokyo": "ap-northeast-1",
}


def is_type(name: str) -> bool:
    """Whether `name` is spelled like an instance type."""
    return _TYPE.fullmatch(name) is not None


def is_accelerated(name: str, catalog: Catalog) -> bool:
    """Whether the type is in the catalog, or named like those with an accelerator."""
    return (PROVIDER, name) in catalog.instance_types() or bool(_ACCELERATED.fullmatch(name))


def family_of(name: str) -> str:
    """`p6-b200` of `p6-b200.48xlarge`."""
    return name.partition(".")[0]


def is_region(code: str) -> bool:
    """A region and not a local or wavelength zone (`us-west-2-lax-1`, `us-west-2-lax-1a`)."""
    return _REGION.fullmatch(code) is not None


def region_code(code: str) -> str:
    """The code of a region that the spot pages may call by its old name."""
    return _LEGACY_REGIONS.get(code, code)


def is_plain_zone(zone_id: str | None, zone: str | None, region: str) -> bool:
    """A zone of the region itself.

    Ids of local and wavelength zones have two dashes and more (`use1-atl2-az1`), and their price
    is not the region's. Without an id, which older answers lack, the name decides.
    """
    if zone_id:
        return zone_id.count("-") == 1
    return bool(zone) and re.fullmatch(re.escape(region) + "[a-z]", zone or "") is not None


def unknown_region(code: str) -> Puzzle:
    """A region of the cloud that the catalog does not describe yet."""
    return Puzzle("region", code, PROVIDER)
