"""What `doctor` looks at: the installation, the catalogs, the cache, the config, the credentials.

Nothing is asked of a cloud and no secret is read: of a credential only its place is told. A fault
of one part is kept as a finding, since a doctor that fails on what it should diagnose is of no use.
"""

import datetime
import os
import platform
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from importlib.util import find_spec
from typing import NamedTuple, TypeVar

from gpuadvisor import __version__
from gpuadvisor.catalog.errors import AdvisorError
from gpuadvisor.catalog.model import ON_DEMAND
from gpuadvisor.catalog.snapshot import base_path, cache_directory, source_directory
from gpuadvisor.cli.config import Settings, settings
from gpuadvisor.cli.options import open_catalog
from gpuadvisor.cost.staleness import staleness

T = TypeVar("T")

PACKAGES = ("typer", "pydantic", "PyYAML", "rich")

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "aws": ("boto3",),
    "gcp": ("google.cloud.compute_v1",),
    "azure": ("azure.mgmt.compute", "azure.identity"),
    "hcl": ("hcl2",),
    "report": ("jinja2", "xlsxwriter"),
}
"""Extra -> the modules that it brings."""


class Place(NamedTuple):
    """Where one link of a credential chain would be found: a variable or a file."""

    kind: str
    name: str


CHAINS: Mapping[str, tuple[Place, ...]] = {
    "aws": (
        Place("variable", "AWS_ACCESS_KEY_ID"),
        Place("variable", "AWS_PROFILE"),
        Place("variable", "AWS_WEB_IDENTITY_TOKEN_FILE"),
        Place("variable", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
        Place("variable", "AWS_CONTAINER_CREDENTIALS_FULL_URI"),
        Place("file", "~/.aws/credentials"),
        Place("file", "~/.aws/config"),
    ),
    "gcp": (
        Place("variable", "GPUADVISOR_GCP_API_KEY"),
        Place("variable", "GOOGLE_API_KEY"),
        Place("variable", "GOOGLE_APPLICATION_CREDENTIALS"),
        Place("file", "~/.config/gcloud/application_default_credentials.json"),
    ),
    "azure": (
        Place("variable", "AZURE_CLIENT_ID"),
        Place("variable", "AZURE_FEDERATED_TOKEN_FILE"),
        Place("file", "~/.azure/azureProfile.json"),
    ),
}
"""The first links of the SDKs' own chains; a machine's own identity (instance metadata) is not
asked for, since that is a request."""


class Age(NamedTuple):
    """A provider's newest prices; `state` is `fresh`, `warn` or `widen` as of on-demand prices."""

    provider: str
    version: str
    as_of: str
    days: int
    state: str


class Health(NamedTuple):
    """All that was found; a fault stands in place of what could not be had.

    `extras` maps each to whether it is installed, `credentials` each cloud to the places found.
    `cache_writable` is None where there is no place for a cache.
    """

    version: str
    python: str
    platform: str
    packages: Mapping[str, str | None]
    base: str
    checkout: bool
    ages: tuple[Age, ...]
    catalog_fault: AdvisorError | None
    cache: str | None
    cache_bytes: int
    cache_writable: bool | None
    config: Settings
    config_fault: AdvisorError | None
    variables: tuple[str, ...]
    extras: Mapping[str, bool]
    credentials: Mapping[str, tuple[Place, ...]]


def examine(today: datetime.date, environment: Mapping[str, str]) -> Health:
    """Look at everything; raises nothing of its own."""
    config, config_fault = _try(settings, Settings())
    none: tuple[Age, ...] = ()
    ages, catalog_fault = _try(lambda: _ages(config, today), none)
    cache = cache_directory()
    return Health(
        version=__version__,
        python=platform.python_version(),
        platform=f"{sys.platform} {platform.machine()}",
        packages={name: _version(name) for name in PACKAGES},
        base=base_path(),
        checkout=source_directory() is not None,
        ages=ages,
        catalog_fault=catalog_fault,
        cache=cache,
        cache_bytes=_size(cache),
        cache_writable=None if cache is None else _writable(cache),
        config=config,
        config_fault=config_fault,
        variables=tuple(sorted(name for name in environment if name.startswith("GPUADVISOR_"))),
        extras={name: all(map(_present, modules)) for name, modules in EXTRAS.items()},
        credentials={
            cloud: tuple(place for place in places if _found(place, environment))
            for cloud, places in CHAINS.items()
        },
    )


def _try(ask: Callable[[], T], otherwise: T) -> tuple[T, AdvisorError | None]:
    try:
        return ask(), None
    except AdvisorError as error:
        return otherwise, error


def _ages(config: Settings, today: datetime.date) -> tuple[Age, ...]:
    catalog = open_catalog(None, None, config)
    found = []
    for name, versions in sorted(catalog.price_versions.items()):
        newest = versions[0]
        tier = catalog.provider(name).tier
        age = staleness(ON_DEMAND, tier, newest.as_of, None, today)
        found.append(Age(name, newest.version, newest.as_of, age.age_days, age.level))
    return tuple(found)


def _version(package: str) -> str | None:
    try:
        return installed(package)
    except PackageNotFoundError:
        return None


def _present(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its parent package is absent
        return False


def _found(place: Place, environment: Mapping[str, str]) -> bool:
    if place.kind == "variable":
        return bool(environment.get(place.name))
    return os.path.isfile(os.path.expanduser(place.name))


def _size(folder: str | None) -> int:
    if folder is None or not os.path.isdir(folder):
        return 0
    with os.scandir(folder) as entries:
        return sum(entry.stat().st_size for entry in entries if entry.is_file())


def _writable(folder: str) -> bool:
    """Whether the folder, or the nearest one above it that exists, may be written."""
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)
