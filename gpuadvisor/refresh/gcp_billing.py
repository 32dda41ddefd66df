"""The SKUs of Compute Engine, page by page, from the Cloud Billing Catalog API (plain REST)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.refresh.interface import Context, Missing

PUBLIC = "https://cloudbilling.googleapis.com"
SERVICE = "6F81-5844-456A"
"""Compute Engine's id in the Billing Catalog."""
PAGE_SIZE = 5000
MOST_PAGES = 400
"""About 32,000 SKUs are 7 full pages; a server that gives 100 at a time still comes to an end."""


def skus(address: str, headers: Mapping[str, str], context: Context) -> Iterator[Mapping[str, Any]]:
    """Every SKU once. `headers` hold the credential, which never stands in an address.

    Raises Missing where pages go in a circle, come twice, or are none.
    """
    seen: set[str] = set()
    tokens: set[str] = set()
    parameters = {"pageSize": str(PAGE_SIZE), "currencyCode": "USD"}
    for _ in range(MOST_PAGES):
        page = context.transport.json(
            f"{address}/v1/services/{SERVICE}/skus", parameters=parameters, headers=headers
        )
        for sku in _skus_of(page):
            name = sku.get("skuId")
            if not isinstance(name, str):
                raise Missing(message("refresh_gcp.not_skus"))
            if name in seen:
                raise Missing(message("refresh_gcp.page_twice"))
            seen.add(name)
            yield sku
        token = page.get("nextPageToken")
        if not token:
            return
        if token in tokens or not isinstance(token, str):
            raise Missing(message("refresh_gcp.page_circle"))
        tokens.add(token)
        parameters = {**parameters, "pageToken": token}
    raise Missing(message("refresh_gcp.page_circle"))


def _skus_of(page: Any) -> list[Mapping[str, Any]]:
    """The SKUs of a page; an answer without any is no page of a price list."""
    found = page.get("skus") if isinstance(page, dict) else None
    if not isinstance(found, list) or not found or not all(isinstance(s, dict) for s in found):
        raise Missing(message("refresh_gcp.not_skus"))
    return found
