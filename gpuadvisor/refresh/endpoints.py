"""Where a named service is: its public address, or the one that the environment puts in its place.

Credentials go over TLS alone; plain http is for this machine (mirrors under test) and for no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.refresh.interface import Context

VARIABLE = "GPUADVISOR_ENDPOINT_"


def replaced(environment: Mapping[str, str]) -> dict[str, str]:
    """`GPUADVISOR_ENDPOINT_<NAME>` by name in small letters, as `a_b` and as `a-b`."""
    found = {}
    for name, address in environment.items():
        if name.startswith(VARIABLE) and address:
            key = name.removeprefix(VARIABLE).lower()
            found[key] = found[key.replace("_", "-")] = address
    return found


def endpoint(context: Context, name: str, public: str) -> str:
    """The root address of a service, without a slash at its end.

    Raises UsageError for an address that is neither https nor on this machine.
    """
    address = context.endpoints.get(name, public).rstrip("/")
    parts = urlsplit(address)
    if parts.hostname and (parts.scheme == "https" or is_loopback(address)):
        return address
    raise UsageError(message("refresh.bad_endpoint", name=name))


def is_loopback(address: str) -> bool:
    """Whether an address is http(s) on this machine."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https"):
        return False
    try:
        return ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.hostname == "localhost"
