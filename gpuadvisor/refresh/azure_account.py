"""The way into a subscription: Microsoft's client and its own credential chain, nothing shown.

The subscription's id stands in every address and in every error text of the client, so of an error
only the status or the kind is told.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from gpuadvisor.catalog.message import message
from gpuadvisor.refresh.endpoints import endpoint, is_loopback
from gpuadvisor.refresh.interface import Context, Missing, Wanted

PUBLIC = "https://management.azure.com"
CONNECT_SECONDS, SILENCE_SECONDS = 20, 120
RETRIES = 4
FIRST_PAUSE = 0.8
"""Seconds; the client doubles them, or waits as long as the server asks for."""


def management_address(context: Context) -> str:
    """Root of Azure Resource Manager. Raises UsageError for plain http elsewhere than here."""
    return endpoint(context, "azure-management", PUBLIC)


def has_client() -> bool:
    """Whether the `azure` extra is installed; nothing of it is imported."""
    try:
        return bool(find_spec("azure.mgmt.compute")) and bool(find_spec("azure.identity"))
    except ModuleNotFoundError:
        return False


class Sku(NamedTuple):
    """A ResourceSku: `kind` is its resource type, locations are in lower case, capabilities pairs
    of text. `sound` is False where a field had another type; the others are then empty."""

    kind: str
    name: str
    family: str
    locations: frozenset[str]
    capabilities: Mapping[str, str]
    sound: bool = True


def resource_skus(region: str, wanted: Wanted, context: Context) -> Iterator[Sku]:
    """Every SKU of a region. Raises Missing without credentials or an answer."""
    if not has_client():
        raise Missing(message("refresh_azure.no_extra"))
    try:
        client = _client(wanted.account["subscription"], management_address(context))
        with client:
            for sku in client.resource_skus.list(filter=f"location eq '{region}'"):
                context.moved(1)
                yield _plain(sku)
    except Missing:
        raise
    except Exception as error:
        raise _failed(error) from None


def _plain(sku: Any) -> Sku:
    """The client's model as it is read here; it parses a field when it is asked for."""
    name = ""
    try:
        name = sku.name
        found = Sku(
            sku.resource_type or "",
            name,
            sku.family or "",
            frozenset(place.lower() for place in sku.locations),
            {c.name: c.value.strip() for c in sku.capabilities or () if c.name and c.value},
        )
    except Exception:  # the client's own, AttributeError, TypeError
        return Sku("", name if isinstance(name, str) else "", "", frozenset(), {}, sound=False)
    return found if name else found._replace(sound=False)


def _client(subscription: str, address: str) -> Any:
    from azure.core.pipeline.policies import SansIOHTTPPolicy
    from azure.mgmt.compute import ComputeManagementClient

    options: dict[str, Any] = {
        "base_url": address,
        "per_call_policies": [_stay_at_home(address)],
        "connection_timeout": CONNECT_SECONDS,
        "read_timeout": SILENCE_SECONDS,
        "retry_total": RETRIES,
        "retry_backoff_factor": FIRST_PAUSE,
    }
    if is_loopback(address):
        # No token may go over plain http; a server on this machine asks for none.
        options["authentication_policy"] = SansIOHTTPPolicy()
        nobody: Any = object()
        return ComputeManagementClient(nobody, subscription, **options)
    return ComputeManagementClient(_shared(), subscription, **options)


class SharedToken:
    """A credential that asks the one beneath it once per scope and not once per region: the chain
    may start `az` for every token."""

    def __init__(self, beneath: Any) -> None:
        self._beneath = beneath
        self._tokens: dict[tuple[str, ...], Any] = {}
        self._lock = threading.Lock()

    def get_token(self, *scopes: str, **options: Any) -> Any:
        """A token that is good for five more minutes."""
        with self._lock:
            held = self._tokens.get(scopes)
            # A challenge of the server wants another token than the one it was shown.
            if held is None or options.get("claims") or held.expires_on < time.time() + 300:
                held = self._tokens[scopes] = self._beneath.get_token(*scopes, **options)
            return held


@lru_cache(maxsize=1)
def _shared() -> Any:
    from azure.identity import DefaultAzureCredential

    # The chain warns once for each of its links that does not apply.
    logging.getLogger("azure.identity").setLevel(logging.CRITICAL)
    return SharedToken(DefaultAzureCredential())


def _stay_at_home(address: str) -> Any:
    """A policy that refuses a `nextLink` to another place, where the token would go too, and one
    that was followed before."""
    from azure.core.pipeline.policies import SansIOHTTPPolicy

    home = urlsplit(address)
    port = home.port or 443

    class StayAtHome(SansIOHTTPPolicy):  # type: ignore[type-arg]
        def __init__(self) -> None:
            self.followed: set[str] = set()

        def on_request(self, request: Any) -> None:
            link = request.http_request.url
            parts = urlsplit(link)
            there = (parts.scheme, parts.hostname, parts.port or 443)
            if there != (home.scheme, home.hostname, port):
                raise Missing(message("refresh_azure.odd_link"))
            if link in self.followed:
                raise Missing(message("refresh_azure.page_twice"))
            self.followed.add(link)

    return StayAtHome()


def _failed(error: Exception) -> Missing:
    """The client's fault in words."""
    kind = type(error).__name__
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and status >= 300:
        return Missing(message("refresh_azure.status", status=status))
    if kind in ("ClientAuthenticationError", "CredentialUnavailableError"):
        return Missing(message("refresh_azure.no_credentials"))
    return Missing(message("refresh_azure.failed", kind=kind))
