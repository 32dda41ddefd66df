"""Azure's REST answers as they come over the wire, written by hand after the API references
(Retail Prices 2023-01-01-preview, Compute resourceSkus 2021-07-01), and the real client and
transport pointed at them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from gpuadvisor import load_catalog
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh import azure
from gpuadvisor.refresh.interface import Context, Fetched, SeenPrice, Wanted
from tests.refresh.server import Request, Server, http, reply

PRICES = "/api/retail/prices"
SUBSCRIPTION = "11111111-2222-3333-4444-555555555555"
SKUS = f"/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Compute/skus"
TODAY = date(2026, 11, 30)


def row(
    size: str,
    price: float | str | Decimal,
    *,
    region: str = "westeurope",
    kind: str = "",
    product: str = "Virtual Machines NCads A100 v4 Series Linux",
    **fields: Any,
) -> dict[str, Any]:
    """A consumption row; `kind` is `Spot` or `Low Priority`."""
    name = f"{size.removeprefix('Standard_')} {kind}".strip()
    amount = Decimal(str(price))
    return {
        "currencyCode": "USD",
        "tierMinimumUnits": 0.0,
        "retailPrice": amount,
        "unitPrice": amount,
        "armRegionName": region,
        "location": "EU West",
        "effectiveStartDate": "2022-06-01T00:00:00Z",
        "meterId": f"9bb4061e-2703-51e4-ba90-{abs(hash((size, kind, product))) % 10**12:012d}",
        "meterName": name,
        "productId": "DZH318Z09TGJ",
        "skuId": "DZH318Z09TGJ/0026",
        "availabilityId": None,
        "productName": product,
        "skuName": name,
        "serviceName": "Virtual Machines",
        "serviceId": "DZH313Z7MMC8",
        "serviceFamily": "Compute",
        "unitOfMeasure": "1 Hour",
        "type": "Consumption",
        "isPrimaryMeterRegion": True,
        "armSkuName": size,
        **fields,
    }


def reservation(size: str, total: float | str | Decimal, term: str, **fields: Any) -> Any:
    """A reservation row: the price is that of the term, the unit still an hour."""
    return row(size, total, type="Reservation", reservationTerm=term, **fields)


def plans(**terms: str) -> list[dict[str, Any]]:
    """`savingsPlan` of a row: y1="3.97", y3="2.94"."""
    words = {"y1": "1 Year", "y3": "3 Years"}
    return [
        {"unitPrice": Decimal(p), "retailPrice": Decimal(p), "term": words[t]}
        for t, p in terms.items()
    ]


def size(
    name: str,
    family: str = "StandardNCADSA100v4Family",
    *,
    location: str = "westeurope",
    kind: str = "virtualMachines",
    restrictions: Sequence[Any] = (),
    **capabilities: Any,
) -> dict[str, Any]:
    """A resource SKU; every capability is a string."""
    given = {
        "vCPUs": 24,
        "vCPUsAvailable": 24,
        "MemoryGB": 220,
        "GPUs": 1,
        "RdmaEnabled": False,
        "CpuArchitectureType": "x64",
        "CapacityReservationSupported": False,
        **capabilities,
    }
    return {
        "resourceType": kind,
        "name": name,
        "tier": "Standard",
        "size": name.removeprefix("Standard_"),
        "family": family,
        "locations": [location],
        "locationInfo": [{"location": location, "zones": ["1", "3"], "zoneDetails": []}],
        "capabilities": [
            {"name": key, "value": str(value)} for key, value in given.items() if value is not None
        ],
        "restrictions": list(restrictions),
    }


class Azure:
    """A server that answers as both APIs do, and the module's own way through a refresh."""

    def __init__(self, server: Server, catalog: Catalog | None = None) -> None:
        self.server = server
        self.catalog = catalog or load_catalog()
        self.prices([])
        self.sizes([])

    def prices(self, items: Sequence[Mapping[str, Any]], page: int = 1000) -> None:
        """Rows, answered per region of the filter in pages of `page`."""

        def answer(request: Request) -> Any:
            filter = request.query.get("$filter", "")
            region = filter.partition("armRegionName eq '")[2].partition("'")[0]
            fits = [i for i in items if not region or i["armRegionName"] == region]
            skip = int(request.query.get("$skip", 0))
            found = fits[skip : skip + page]
            more = skip + page < len(fits)
            return reply(self.page(found, filter, skip + page if more else None))

        self.server.on(PRICES, answer)

    def page(self, items: Sequence[Any], filter: str = "", skip: int | None = None) -> Any:
        """One page, with a link to the next where `skip` is given."""
        link = f"{self.server.address}{PRICES}?%24filter={filter.replace(' ', '%20')}&$skip={skip}"
        return {
            "BillingCurrency": "USD",
            "CustomerEntityId": "Default",
            "CustomerEntityType": "Retail",
            "Items": list(items),
            "NextPageLink": None if skip is None else link,
            "Count": len(items),
        }

    def sizes(self, items: Sequence[Mapping[str, Any]]) -> None:
        """What the Resource SKUs API lists, whatever the filter."""
        self.server.on(SKUS, reply({"value": list(items)}))

    def context(self, **limits: Any) -> Context:
        """What the runner would give the module."""
        ends = {"azure-retail": self.server.address, "azure-management": self.server.address}
        return Context(TODAY, self.catalog, http(**limits), ends, lambda _: None)

    def refresh(self, wanted: Wanted | None = None) -> Fetched:
        """Plan, fetch and combine, as the runner does."""
        asked, context = wanted or wanting(), self.context()
        tasks = azure.plan(asked, context)
        return azure.combine({t.key: azure.fetch(t, asked, context) for t in tasks}, context)


def wanting(*parts: str, regions: Sequence[str] = ("westeurope",), account: bool = False) -> Wanted:
    """A request; an account names a subscription."""
    given = {"subscription": SUBSCRIPTION} if account else {}
    return Wanted(tuple(regions), frozenset(parts), given)


def terms_of(fetched: Fetched, size: str) -> dict[str, Decimal]:
    """Prices of a size by `option` or `option/term`."""
    return {key_of(p): p.price for p in fetched.prices if p.type == size}


def key_of(price: SeenPrice) -> str:
    return f"{price.option}/{price.term}" if price.term else price.option
