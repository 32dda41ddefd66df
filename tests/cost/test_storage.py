"""Storage and egress against list prices, by hand."""

from __future__ import annotations

from decimal import Decimal
from math import isclose

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.storage import GIB, Want, read_storage, storage_bill


def bill(catalog: Catalog, place: str, text: str):  # type: ignore[no-untyped-def]
    provider, region = place.split("/")
    return storage_bill(catalog.documents("storage"), provider, region, read_storage(text))


def test_hot_and_cold_of_20_tb(catalog: Catalog) -> None:
    # Cloud Storage us-central1: 0.02 Standard, 0.004 Coldline, 0.02 per GB read. A fifth hot:
    # 80 + 64 of 400 is 64 % less before retrieval, the articles say 60 %.
    found = bill(catalog, "gcp/us-central1", "hot=4TB,cold=16TB")
    assert found.monthly == found.kept == Decimal(144)
    assert found.all_hot == Decimal(400)
    # Reading a third of the cold data a month eats almost half of the saving.
    read = bill(catalog, "gcp/us-central1", "hot=4TB,cold=16TB,retrieve=5.3TB")
    assert read.monthly == Decimal(144) + 106
    assert read.kept == Decimal(144)


@pytest.mark.parametrize(
    ("gb", "cost"),
    [
        ("100GB", "0"),  # the free first 100 GB
        ("1100GB", "90"),
        ("20TB", "1742.2"),  # 10,140 x 0.09 + 9,760 x 0.085
        # 10,140 x 0.09 + 40,960 x 0.085 + 102,400 x 0.07 + 46,400 x 0.05
        ("200TB", "13882.2"),
    ],
)
def test_aws_egress_tiers(catalog: Catalog, gb: str, cost: str) -> None:
    found = bill(catalog, "aws/us-east-1", f"egress={gb}").monthly
    assert found == Decimal(cost)


def test_gcp_egress_depends_on_the_source_region(catalog: Catalog) -> None:
    # Per GiB: 0.12 to 1 TiB, 0.11 to 10 TiB, 0.08 beyond, from us-central1.
    tib = 2**40 / 1e9
    found = bill(catalog, "gcp/us-central1", f"egress={2 * tib}GB").monthly
    assert float(found) == pytest.approx(1024 * 0.12 + 1024 * 0.11)
    dear = bill(catalog, "gcp/asia-southeast2", f"egress={tib}GB").monthly
    assert float(dear) == pytest.approx(1024 * 0.19)


def test_azure_disks_are_sold_whole(catalog: Catalog) -> None:
    # Premium SSD P10 (128 GiB) 21.68, P20 (512 GiB) 80.54 in West Europe.
    assert bill(catalog, "azure/westeurope", "disk=100GB").monthly == Decimal("21.68")
    assert bill(catalog, "azure/westeurope", "disk=129GiB").monthly == Decimal("80.54")
    assert bill(catalog, "azure/westeurope", "disk=128GiB").monthly == Decimal("21.68")
    assert bill(catalog, "azure/westeurope", "disk=9TB").monthly is None


@pytest.mark.parametrize(
    ("place", "text", "cost"),
    [
        ("aws/us-east-1", "disk=500GB", "40"),  # gp3 0.08
        ("aws/ap-northeast-1", "disk=500GB", "48"),  # 0.096
        ("aws/us-east-1", "shared=1TB", "145"),  # FSx for Lustre 0.145
        ("aws/us-east-1", "snapshot=1TB", "50"),
        ("gcp/us-central1", "disk=500GB", "50"),  # balanced 0.10
        ("gcp/us-central1", "archive=10TB", "12"),
    ],
)
def test_plain_prices(catalog: Catalog, place: str, text: str, cost: str) -> None:
    assert bill(catalog, place, text).monthly == Decimal(cost)


def test_what_is_not_known_is_said(catalog: Catalog) -> None:
    # Azure's first tier of hot blobs and its egress are in no source; others have nothing.
    for place, text in (
        ("azure/westeurope", "hot=1TB"),
        ("azure/westeurope", "egress=1TB"),
        ("gcp/asia-northeast1", "egress=1TB"),
        ("lambda/us-east-1", "disk=1TB"),
    ):
        found = bill(catalog, place, text)
        assert (found.monthly, found.lines[0].note.id) == (None, "storage.unknown")


def test_a_missing_tier_is_kept_warmer_and_its_fee_is_unknown(catalog: Catalog) -> None:
    found = bill(catalog, "aws/us-east-1", "cold=10TB,retrieve=1TB")
    kept, read = found.lines
    assert (kept.product, kept.monthly, kept.note.id) == (
        "S3 Standard-IA", Decimal(125), "storage.warmer",
    )  # fmt: skip
    assert (read.monthly, read.note.id) == (None, "storage.no_retrieval")
    assert found.kept == Decimal(125)


def test_retrieval_is_spread_over_what_is_cold(catalog: Catalog) -> None:
    found = bill(catalog, "gcp/us-central1", "cool=1TB,cold=3TB,retrieve=400GB")
    fees = [line.monthly for line in found.lines if line.word == "retrieve"]
    assert fees == [Decimal(1), Decimal(6)]  # 100 GB at 0.01, 300 GB at 0.02
    free = bill(catalog, "gcp/us-central1", "hot=1TB,retrieve=1TB")
    assert free.monthly == Decimal(20)


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("hot=2TB,cold=18TB", [("hot", 2000), ("cold", 18000)]),
        ("disk=1tib", [("disk", 2**40 / 1e9)]),
        (" egress = 5 gb ", [("egress", 5)]),
        ("snapshot=7", [("snapshot", 7)]),
    ],
)
def test_reading(text: str, wants: list[tuple[str, float]]) -> None:
    assert read_storage(text) == tuple(Want(*want) for want in wants)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hot",
        "warm=1TB",
        "hot=1TB,hot=2TB",
        "hot=0",
        "hot=-1TB",
        "hot=1XB",
        "hot=nan",
        "hot=9999PB",
    ],
)
def test_bad_text(text: str) -> None:
    with pytest.raises(UsageError):
        read_storage(text)


def test_gib() -> None:
    assert isclose(GIB, 1.073741824)
