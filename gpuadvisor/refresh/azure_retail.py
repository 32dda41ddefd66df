"""The Azure Retail Prices API: rows of one region, page by page, without a login.

Paging is by offset over data that changes: one region at a time keeps it short, and an offset that
does not meet the rows read so far means that some came twice or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from gpuadvisor.catalog.message import message
from gpuadvisor.refresh.azure_names import PREFIX
from gpuadvisor.refresh.endpoints import endpoint
from gpuadvisor.refresh.interface import Context, Missing

PUBLIC = "https://prices.azure.com"
PATH = "/api/retail/prices"
VERSION = "2023-01-01-preview"
"""The first version with savings plans; its filters mind the case."""
MOST_PAGES = 1000
_PORTS = {"https": 443, "http": 80}


def retail_address(context: Context) -> str:
    """Where the prices are. Raises UsageError for plain http elsewhere than on this machine."""
    return endpoint(context, "azure-retail", PUBLIC) + PATH


def rows(filter: str, context: Context) -> Iterator[Mapping[str, Any]]:
    """Every row that passes an OData filter beside "virtual machine with a GPU's name".

    Raises Missing where pages come twice or are lost, or a link leads elsewhere.
    """
    address = retail_address(context)
    link = address
    parameters: dict[str, str] | None = {
        "api-version": VERSION,
        "currencyCode": "'USD'",
        "meterRegion": "'primary'",
        "$filter": f"serviceName eq 'Virtual Machines' and {filter}"
        f" and startswith(armSkuName, '{PREFIX}')",
    }
    links = {link}
    read = 0
    for _ in range(MOST_PAGES):
        page = context.transport.json(link, parameters=parameters)
        items = _items(page)
        yield from items
        read += len(items)
        link, parameters = page.get("NextPageLink") or "", None
        if not link:
            return
        _check(link, address, read)
        if link in links:
            raise Missing(message("refresh_azure.page_twice"))
        links.add(link)
    raise Missing(message("refresh_azure.page_twice"))


def _items(page: Any) -> list[Mapping[str, Any]]:
    items = page.get("Items") if isinstance(page, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise Missing(message("refresh_azure.not_prices"))
    if page.get("BillingCurrency", "USD") != "USD":
        raise Missing(message("refresh_azure.not_prices"))
    if page.get("Count", len(items)) != len(items):
        raise Missing(message("refresh_azure.page_lost"))
    return items


def _check(link: object, address: str, read: int) -> None:
    """A link goes on at the same place (`:443` is the same), at the row that comes next."""
    place = _place(str(link))
    if place is None or place != _place(address):
        raise Missing(message("refresh_azure.odd_link"))
    skip = parse_qs(urlsplit(str(link)).query).get("$skip", [""])[0]
    if skip.isdecimal() and int(skip) != read:
        raise Missing(message("refresh_azure.page_lost"))


def _place(link: str) -> tuple[str, str | None, int | None, str] | None:
    """Scheme, host, port and path; None for an address with a user, or that is none."""
    try:
        parts = urlsplit(link)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    return None if "@" in parts.netloc else (parts.scheme, parts.hostname, port, parts.path)
