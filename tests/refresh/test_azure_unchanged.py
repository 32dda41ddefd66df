"""The catalog's own figures, written as rows and sizes, come back as they were."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.model import InstanceType, Offer
from gpuadvisor.refresh import azure
from gpuadvisor.refresh.azure_names import is_counted
from gpuadvisor.refresh.compose import compose
from gpuadvisor.refresh.interface import Fetched
from gpuadvisor.refresh.price_file import PriceFile, read_file
from gpuadvisor.refresh.shapes import shape_changes
from tests.refresh.azure_rest import Azure, reservation, row, size, wanting
from tests.refresh.server import Server

pytest.importorskip("azure.mgmt.compute")
pytest.importorskip("azure.identity")

WORDS = {"1y": "1 Year", "3y": "3 Years", "5y": "5 Years"}
HOURS = {"1y": 8760, "3y": 26280, "5y": 43800}


def newest(provider: str) -> PriceFile:
    """The newest price file of the checkout."""
    folder = Path(__file__).parents[2] / "catalogs" / "providers" / provider / "prices"
    return read_file(str(max(folder.glob("*.yaml"))))


def rows_of(name: str, region: str, offers: list[Offer]) -> list[dict[str, Any]]:
    """The rows of one size in one region, with those that must not be taken beside them."""
    by = {(o.option, o.term): o.price for o in offers}
    saving = [
        {"term": WORDS[term or ""], "retailPrice": p, "unitPrice": p}
        for (option, term), p in by.items()
        if option == "savings_plan"
    ]
    found = []
    for (option, term), price in by.items():
        if option == "on_demand":
            windows = "Virtual Machines Srs Win"
            found.append(row(name, price, region=region, savingsPlan=saving))
            found.append(row(name, price + 1, region=region, product=windows))
            low = price / 10
            found.append(row(name, low, region=region, kind="Low Priority"))
        elif option == "spot":
            found.append(row(name, price, region=region, kind="Spot"))
        elif option == "reserved":
            assert term is not None
            total = (price * HOURS[term]).quantize(Decimal(1))
            found.append(reservation(name, total, WORDS[term], region=region))
    return found


def size_of(t: InstanceType, region: str) -> dict[str, Any]:
    """A size as the Resource SKUs API would state it: a slice counts as one GPU."""
    counted = is_counted(t.name) and not t.fraction
    return size(
        t.name,
        location=region,
        vCPUs=t.vcpus,
        MemoryGB=t.host_memory_gib and f"{t.host_memory_gib:g}",
        GPUs=int(t.devices) if counted else 1,
        CpuArchitectureType="Arm64" if t.arch == "arm64" else "x64",
    )


@pytest.fixture(scope="module")
def refreshed() -> Iterator[tuple[Azure, Fetched]]:
    with Server() as server:
        cloud = Azure(server)
        offers: dict[tuple[str, str], list[Offer]] = {}
        for offer in cloud.catalog.offers("azure"):
            offers.setdefault((offer.instance_type, offer.region), []).append(offer)
        cloud.prices([r for (name, region), o in offers.items() for r in rows_of(name, region, o)])
        types = [t for (p, _), t in cloud.catalog.instance_types().items() if p == "azure"]
        cloud.sizes([size_of(t, "eastus") for t in types])
        sizes = cloud.refresh(wanting("shapes", regions=["eastus"], account=True))
        prices = cloud.refresh(wanting(*azure.OPTIONS, regions=[]))
        yield cloud, prices._replace(types=sizes.types, puzzles=prices.puzzles + sizes.puzzles)


def test_no_price_moves_and_none_is_lost(refreshed: tuple[Azure, Fetched]) -> None:
    cloud, fetched = refreshed
    types = {n: t for (p, n), t in cloud.catalog.instance_types().items() if p == "azure"}
    regions = frozenset(r.name for r in cloud.catalog.regions() if r.provider == "azure")
    wanted = wanting(regions=[])
    result = compose(newest("azure"), fetched, wanted, types, regions)
    counts = result.counts
    assert (counts.added, counts.changed, counts.gone, counts.carried) == (0, 0, 0, 0)
    assert counts.confirmed == len(cloud.catalog.offers("azure"))
    assert result.puzzles == ()


def test_every_price_is_seen_again(refreshed: tuple[Azure, Fetched]) -> None:
    cloud, fetched = refreshed
    seen = {(p.type, p.region, p.option, p.term): p for p in fetched.prices}
    for offer in cloud.catalog.offers("azure"):
        price = seen[offer.instance_type, offer.region, offer.option, offer.term]
        assert (price.price, price.low, price.measure) == (offer.price, offer.low, offer.measure)


def test_no_shape_changes(refreshed: tuple[Azure, Fetched]) -> None:
    cloud, fetched = refreshed
    catalog = cloud.catalog
    known = {n: t for (p, n), t in catalog.instance_types().items() if p == "azure"}
    changes, puzzles = shape_changes("azure", fetched.types, {}, known, catalog.devices())
    assert changes == [] and puzzles == []
    assert {t.name for t in fetched.types} == set(known)


def test_nothing_is_asked(refreshed: tuple[Azure, Fetched]) -> None:
    _, fetched = refreshed
    assert fetched.puzzles == () and fetched.notes == ()
