"""The providers that can be refreshed: name -> module, imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.names import unknown_name
from gpuadvisor.refresh.interface import Source

PROVIDERS: Mapping[str, str] = {
    "alibaba": "gpuadvisor.refresh.alibaba",
    "aws": "gpuadvisor.refresh.aws",
    "azure": "gpuadvisor.refresh.azure",
    "gcp": "gpuadvisor.refresh.gcp",
    "oci": "gpuadvisor.refresh.oci",
}
EXTRAS = frozenset({"aws", "gcp", "azure"})
"""Providers whose SDK is an extra of the package, called like them."""


def available() -> tuple[str, ...]:
    """Providers whose module is there."""
    return tuple(name for name, path in PROVIDERS.items() if find_spec(path) is not None)


def source_of(name: str) -> Source:
    """The module of a provider. UsageError where there is none, or its SDK is not installed."""
    wanted = name.strip().lower()
    if wanted not in available():
        raise UsageError(unknown_name("provider", name, available()))
    try:
        return cast(Source, import_module(PROVIDERS[wanted]))
    except ImportError as error:
        raise missing_extra(wanted, error) from error


def missing_extra(provider: str, error: ImportError) -> UsageError:
    """What to install, where a provider's SDK is not there."""
    module = (error.name or "?").partition(".")[0]
    if provider not in EXTRAS or module in ("gpuadvisor", "?"):
        raise error
    return UsageError(message("refresh.missing_extra", module=module, extra=provider))
