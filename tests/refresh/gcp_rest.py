"""Google's REST answers as they come over the wire, written by hand after the API references
(Compute Engine v1 machineTypes and acceleratorTypes, Cloud Billing v1 services.skus), and the real
client and transport pointed at them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from gpuadvisor import load_catalog
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh import gcp
from gpuadvisor.refresh.gcp_names import region_of
from gpuadvisor.refresh.interface import Context, Fetched, Wanted
from tests.refresh.server import Request, Server, http, reply

SKUS = "/v1/services/6F81-5844-456A/skus"
MACHINES = "/compute/v1/projects/p-1/aggregated/machineTypes"
ACCELERATORS = "/compute/v1/projects/p-1/aggregated/acceleratorTypes"
TODAY = date(2026, 11, 30)
_numbers = itertools.count(1)


def sku(
    description: str,
    price: str | Decimal,
    *,
    regions: Sequence[str] = ("us-central1",),
    usage: str = "OnDemand",
    group: str = "GPU",
    unit: str = "h",
) -> dict[str, Any]:
    """One SKU. `units` is a string and left out below a dollar, as the API does."""
    amount = Decimal(price)
    whole = int(amount)
    money: dict[str, Any] = {"currencyCode": "USD", "nanos": int((amount - whole).scaleb(9))}
    if whole:
        money["units"] = str(whole)
    number = f"{next(_numbers):04X}-A2E1-55D1"
    return {
        "name": f"services/6F81-5844-456A/skus/{number}",
        "skuId": number,
        "description": description,
        "category": {
            "serviceDisplayName": "Compute Engine",
            "resourceFamily": "Compute",
            "resourceGroup": group,
            "usageType": usage,
        },
        "serviceRegions": list(regions),
        "pricingInfo": [
            {
                "summary": "",
                "pricingExpression": {
                    "usageUnit": unit,
                    "displayQuantity": 1,
                    "tieredRates": [{"startUsageAmount": 0, "unitPrice": money}],
                },
                "currencyConversionRate": 1,
                "effectiveTime": "2026-11-30T05:12:44.117Z",
            }
        ],
        "serviceProviderName": "Google",
        "geoTaxonomy": {"type": "REGIONAL", "regions": list(regions)},
    }


def host(
    family: str, core: str, ram: str, *, spot: bool = False, **options: Any
) -> list[dict[str, Any]]:
    """Core and RAM of a family, on demand or spot."""
    lead = "Spot Preemptible " if spot else ""
    usage = "Preemptible" if spot else "OnDemand"
    return [
        sku(
            f"{lead}{family} Instance Core running in Americas",
            core,
            usage=usage,
            group="CPU",
            **options,
        ),
        sku(
            f"{lead}{family} Instance Ram running in Americas",
            ram,
            usage=usage,
            group="RAM",
            unit="GiBy.h",
            **options,
        ),
    ]


def machine(
    name: str,
    vcpus: int,
    gib: float,
    accelerators: Mapping[str, int] | None = None,
    *,
    partitions: int = 0,
    architecture: str = "X86_64",
    **fields: Any,
) -> dict[str, Any]:
    """A machine type; ids are strings, and N1 has no `accelerators`."""
    found: dict[str, Any] = {
        "kind": "compute#machineType",
        "id": str(1000000 + next(_numbers)),
        "name": name,
        "description": f"Accelerator Optimized: {vcpus} vCPUs",
        "guestCpus": vcpus,
        "memoryMb": int(gib * 1024),
        "maximumPersistentDisks": 128,
        "maximumPersistentDisksSizeGb": "263168",
        "isSharedCpu": False,
        "architecture": architecture,
    }
    if accelerators:
        found["accelerators"] = [
            {"guestAcceleratorType": kind, "guestAcceleratorCount": count}
            for kind, count in accelerators.items()
        ]
    if partitions:
        found["bundledLocalSsds"] = {"defaultInterface": "NVME", "partitionCount": partitions}
    return {**found, **fields}


def scoped(field: str, zones: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[str, Any]:
    """An aggregated list: an empty zone carries a warning that is none."""
    empty = {"warning": {"code": "NO_RESULTS_ON_PAGE", "message": "There are no results."}}
    kind = f"compute#{field.removesuffix('s')}AggregatedList"
    return {
        "kind": kind,
        "items": {
            f"zones/{zone}": {field: [{**thing, "zone": zone} for thing in things]}
            if things
            else empty
            for zone, things in ((z, list(t)) for z, t in zones.items())
        },
    }


class Google:
    """A server that answers as both APIs do, and the module's own way through a refresh."""

    def __init__(self, server: Server, catalog: Catalog | None = None) -> None:
        self.server = server
        self.catalog = catalog or load_catalog()
        self.zones({})
        self.skus([])

    def zones(
        self,
        machines: Mapping[str, Iterable[Mapping[str, Any]]],
        accelerators: Mapping[str, Iterable[Mapping[str, Any]]] | None = None,
    ) -> None:
        """What stands in each zone."""
        self.server.on(MACHINES, reply(scoped("machineTypes", machines)))
        self.server.on(ACCELERATORS, reply(scoped("acceleratorTypes", accelerators or {})))

    def skus(self, skus: Sequence[Mapping[str, Any]], size: int = 5000) -> None:
        """The SKUs, in pages of `size`."""

        def page(request: Request) -> Any:
            start = int(request.query.get("pageToken", "page-0").removeprefix("page-"))
            more = start + size < len(skus)
            return reply(
                {
                    "skus": list(skus[start : start + size]),
                    "nextPageToken": f"page-{start + size}" if more else "",
                }
            )

        self.server.on(SKUS, page)

    def context(self, **limits: Any) -> Context:
        """What the runner would give the module."""
        ends = {"gcp-compute": self.server.address, "gcp-billing": self.server.address}
        return Context(TODAY, self.catalog, http(**limits), ends, lambda _: None)

    def fetched(self, key: str) -> Fetched:
        """What the task of that key brings home."""
        asked, context = wanting(), self.context()
        task = next(t for t in gcp.plan(asked, context) if t.key == key)
        return gcp.fetch(task, asked, context)

    def refresh(self, wanted: Wanted | None = None, *, without: Sequence[str] = ()) -> Fetched:
        """Plan, fetch and combine, as the runner does; tasks of `without` are missing."""
        asked = wanted or wanting()
        context = self.context()
        tasks = [t for t in gcp.plan(asked, context) if t.key not in without]
        return gcp.combine({t.key: gcp.fetch(t, asked, context) for t in tasks}, context)


def wanting(*parts: str, regions: Sequence[str] = ()) -> Wanted:
    """A request for these parts."""
    return Wanted(tuple(regions), frozenset(parts), {"project": "p-1"})


def price_of(
    fetched: Fetched, type: str, option: str, region: str = "us-central1", term: str | None = None
) -> Decimal | None:
    """The one price of a type on those terms."""
    found = [
        p.price
        for p in fetched.prices
        if (p.type, p.option, p.region, p.term) == (type, option, region, term)
    ]
    assert len(found) < 2
    return found[0] if found else None


def in_zones(regions: Iterable[str]) -> list[str]:
    """One zone per region, with a name as Google's."""
    zones = [f"{region}-a" for region in regions]
    assert [region_of(z) for z in zones] == list(regions)
    return zones
