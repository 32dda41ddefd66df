"""Queries over the snapshot and its overlays: the only door to catalog data at run time.

A `Catalog` is a stack of SQLite layers, overlays first. An entry of an upper layer hides the
entry with the same key below it; nothing is merged inside an entry, but for a provider, whose
reference region, HIPAA statement and quotas stay where an overlay that adds types is silent.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import (
    NANO,
    CatalogVersion,
    Device,
    InstanceType,
    Offer,
    Partition,
    Provider,
    Region,
    Source,
)
from gpuadvisor.catalog.names import matches, normalise, unknown_name
from gpuadvisor.catalog.snapshot import digest_of, open_base, open_directory, refreshed_directory

_TYPE_COLUMNS = ", ".join(InstanceType._fields)
_DEVICE_COLUMNS = ", ".join(Device._fields)
_OFFER_COLUMNS = (
    "instance_type, region, option, term, cls, payment, price, low, measure, interruption,"
    " source, confirmed"
)
_NO_PROVIDER = Provider("", "", "", None, None, None, {})
_FEW_TYPES = 16
"""So many types are looked up one by one; more are picked out of the offers of their regions."""


class PriceVersion(NamedTuple):
    """The price version of one provider that this catalog answers from."""

    layer: int
    id: int
    provider: str
    version: str
    as_of: str
    currency: str
    complete: bool = False


def load_catalog(
    overlays: Sequence[str] = (), versions: Mapping[str, str] | None = None
) -> "Catalog":
    """Open the catalogs; `overlays` are folders of YAML, the last one wins.

    `versions` pins a provider's prices (`{"aws": "2025.04"}`). What `catalog refresh` has laid
    into the user's folder, where the shipped catalogs cannot be written, comes right above them.
    Raises InputError for faulty YAML, UsageError for an unknown provider or version.
    """
    layers: tuple[sqlite3.Connection, ...] = (open_base(),)
    refreshed = refreshed_directory()
    if refreshed is not None and os.path.isdir(refreshed):
        overlays = (refreshed, *overlays)
    for directory in overlays:
        layers = (_open_over(directory, layers), *layers)
    return Catalog(layers, versions or {})


def _version_rank(version: str) -> tuple[int, ...]:
    """2026.10.10 is newer than 2026.10.9."""
    return tuple(int(part) for part in version.split("."))


def _standing(found: Sequence[PriceVersion], pinned: str | None) -> tuple[PriceVersion, ...]:
    """One complete version of a provider and what is laid over it; at a tie the upper layer's."""
    whole = [v for v in found if v.complete]
    if len(whole) < 2:
        return tuple(found)
    stands = next((v for v in whole if v.version == pinned), None)
    if stands is None:
        stands = max(whole, key=lambda v: _version_rank(v.version))
    return tuple(v for v in found if v is stands or not v.complete)


def _open_over(directory: str, layers: tuple[sqlite3.Connection, ...]) -> sqlite3.Connection:
    below = tuple(digest_of(layer) for layer in layers)
    return open_directory(directory, below, lambda: Catalog(layers, {}).known())


class Catalog:
    """Read-only access to devices, types, offers and documents of all layers."""

    def __init__(self, layers: tuple[sqlite3.Connection, ...], versions: Mapping[str, str]) -> None:
        self._layers = layers
        self.price_versions = self._choose(versions)

    # -- versions -------------------------------------------------------------------------

    def _choose(self, wanted: Mapping[str, str]) -> Mapping[str, tuple[PriceVersion, ...]]:
        """Per provider, one version of each layer that has prices for it, upper layer first.

        A pinned version is taken from the layers that have it; the others stay at their newest,
        so that pinning the shipped prices does not drop the user's own, nor the reverse. Of
        complete versions (all of the lowest layer, and those of an overlay that say so) only one
        stands: the pinned one, else the newest.
        """
        chosen: dict[str, list[PriceVersion]] = {}
        available: dict[str, list[str]] = {}
        for layer, database in enumerate(self._layers):
            here: dict[str, PriceVersion] = {}
            rows = database.execute(
                "SELECT id, name, version, as_of, currency, newest, complete FROM catalog"
                " WHERE kind = 'prices' ORDER BY name, version"
            )
            lowest = layer == len(self._layers) - 1
            for id_, name, version, as_of, currency, newest, complete in rows:
                available.setdefault(name, []).append(version)
                whole = lowest or complete == 1
                found = PriceVersion(layer, id_, name, version, as_of, currency, whole)
                if wanted.get(name) == version or (newest and name not in here):
                    here[name] = found
            for name, found in here.items():
                chosen.setdefault(name, []).append(found)
        for name, version in wanted.items():
            if name not in available:
                raise _unknown("provider", name, available)
            if version not in ("latest", *available[name]):
                raise UsageError(
                    message(
                        "catalog.unknown_version",
                        provider=name,
                        version=version,
                        available=", ".join(sorted(set(available[name]))),
                    )
                )
        return {name: _standing(found, wanted.get(name)) for name, found in chosen.items()}

    def versions(self) -> tuple[CatalogVersion, ...]:
        """Every catalog of every layer, one row a version, newest last within a name."""
        rows = (
            CatalogVersion._make(row)
            for database in self._layers
            for row in database.execute(
                "SELECT name, kind, version, as_of, instance_types, offers, regions FROM catalog"
            )
        )
        return tuple(sorted(rows, key=lambda v: (v.kind != "prices", v.name, v.version)))

    def complete_versions(self, provider: str) -> tuple[str, ...]:
        """Names of the versions that hold all prices of a provider, the newest last."""
        found = {
            version
            for layer, database in enumerate(self._layers)
            for version, complete in database.execute(
                "SELECT version, complete FROM catalog WHERE kind = 'prices' AND name = ?",
                (provider,),
            )
            if complete or layer == len(self._layers) - 1
        }
        return tuple(sorted(found, key=_version_rank))

    def in_use(self, providers: Iterable[str]) -> tuple[PriceVersion, ...]:
        """The price versions behind an answer about `providers`."""
        wanted = sorted(set(providers))
        return tuple(v for name in wanted for v in self.price_versions.get(name, ()))

    # -- documents and sources ------------------------------------------------------------

    def document(self, kind: str, name: str) -> Mapping[str, Any]:
        """One entry of a document kind as plain JSON types; KeyError if there is none."""
        found = self._document(kind, name)
        if found is None:
            raise KeyError(name)
        return found

    @lru_cache(maxsize=256)  # noqa: B019 - one Catalog per process lives as long as its cache
    def _document(self, kind: str, name: str) -> Mapping[str, Any] | None:
        """The same, or None: a speed table that is not there is asked for once per device."""
        for database in self._layers:
            row = database.execute(
                "SELECT body FROM document WHERE kind = ? AND name = ?", (kind, name)
            ).fetchone()
            if row is not None:
                body: Mapping[str, Any] = json.loads(row[0])
                return body
        return None

    @lru_cache(maxsize=16)  # noqa: B019
    def documents(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        """All entries of a kind in file order; an upper layer's entry replaces a lower one's."""
        found: dict[str, Mapping[str, Any]] = {}
        for database in reversed(self._layers):
            for name, body in database.execute(
                "SELECT name, body FROM document WHERE kind = ? ORDER BY file, position", (kind,)
            ):
                found[name] = json.loads(body)
        return found

    def names(self, kind: str) -> tuple[str, ...]:
        """Names of a kind's entries, without reading their bodies."""
        found: dict[str, None] = {}
        for database in self._layers:
            for (name,) in database.execute(
                "SELECT name FROM document WHERE kind = ? ORDER BY file, position", (kind,)
            ):
                found.setdefault(name)
        return tuple(found)

    @lru_cache(maxsize=1024)  # noqa: B019
    def source(self, key: str) -> Source:
        """The source behind a qualified id such as `providers/aws/prices/2026.10#karpenter`."""
        for database in self._layers:
            row = database.execute(
                "SELECT title, address, date, licence, confidence FROM source WHERE key = ?",
                (key,),
            ).fetchone()
            if row is not None:
                return Source._make(row)
        raise KeyError(key)

    def shipped_source(self, key: str) -> Source | None:
        """The source behind a qualified id where the shipped catalogs alone have it; None for
        one of an overlay, which may be nobody else's business."""
        where = [
            layer
            for layer, database in enumerate(self._layers)
            if database.execute("SELECT 1 FROM source WHERE key = ?", (key,)).fetchone()
        ]
        return self.source(key) if where == [len(self._layers) - 1] else None

    def is_shipped(self, version: PriceVersion) -> bool:
        """Whether a price version is of the shipped catalogs, and not of an overlay."""
        return version.layer == len(self._layers) - 1

    # -- devices --------------------------------------------------------------------------

    @lru_cache(maxsize=1)  # noqa: B019
    def devices(self) -> Mapping[str, Device]:
        """Every device by canonical name."""
        found: dict[str, Device] = {}
        for database in reversed(self._layers):
            for row in database.execute(f"SELECT {_DEVICE_COLUMNS} FROM device ORDER BY name"):
                found[row[0]] = Device._make(row)
        return found

    def device(self, name: str) -> Device:
        """The device of that canonical name; KeyError if there is none."""
        return self.devices()[name]

    def resolve_device(self, text: str) -> tuple[Device, ...]:
        """Devices meant by a name, a family or an alias, in name order.

        Raises UsageError with the nearest names for anything else.
        """
        name = self.device_name(text)
        if name is None:
            raise _unknown("device", text, self._spellings())
        exact = self.devices().get(name)
        if exact is not None:
            return (exact,)
        return tuple(d for d in self.devices().values() if matches(d.name, name))

    def device_name(self, text: str) -> str | None:
        """The canonical device or family that a spelling means, or None."""
        for database in self._layers:
            row = database.execute(
                "SELECT name FROM alias WHERE spelling = ?", (normalise(text),)
            ).fetchone()
            if row is not None:
                return str(row[0])
        return None

    def _spellings(self) -> tuple[str, ...]:
        names = {
            row[0]
            for database in self._layers
            for row in database.execute("SELECT DISTINCT name FROM alias")
        }
        return tuple(sorted(names))

    @lru_cache(maxsize=256)  # noqa: B019
    def partitions(self, device: str | None = None) -> tuple[Partition, ...]:
        """MIG profiles, of one device or of all."""
        found: dict[tuple[str, str], Partition] = {}
        for database in reversed(self._layers):
            for row in database.execute(
                "SELECT * FROM partition WHERE ? IS NULL OR device = ?", (device, device)
            ):
                places = tuple(int(p) for p in row[7].split(",") if p)
                found[row[0], row[1]] = Partition._make((*row[:7], places, *row[8:]))
        return tuple(found.values())

    def partition(self, device: str, profile: str) -> Partition | None:
        """One profile of a device, or None."""
        return next((p for p in self.partitions(device) if p.profile == profile), None)

    # -- providers, regions, types --------------------------------------------------------

    @lru_cache(maxsize=1)  # noqa: B019
    def providers(self) -> Mapping[str, Provider]:
        """Every provider by name."""
        found: dict[str, Provider] = {}
        for database in reversed(self._layers):
            for name, title, tier, region, hipaa, hipaa_source, quotas in database.execute(
                "SELECT * FROM provider ORDER BY name"
            ):
                below = found.get(name, _NO_PROVIDER)
                silent = hipaa is None
                found[name] = Provider(
                    name,
                    title,
                    tier,
                    region or below.reference_region,
                    below.hipaa if silent else bool(hipaa),
                    below.hipaa_source if silent else hipaa_source,
                    {**below.quotas, **json.loads(quotas)},
                )
        return found

    def provider(self, name: str) -> Provider:
        """The provider of that name, whatever its case; UsageError with the nearest names."""
        found = self.providers().get(name.lower())
        if found is None:
            raise _unknown("provider", name, self.providers())
        return found

    @lru_cache(maxsize=1)  # noqa: B019
    def regions(self) -> tuple[Region, ...]:
        """Every region of every provider."""
        found: dict[tuple[str, str], Region] = {}
        for database in reversed(self._layers):
            for row in database.execute("SELECT * FROM region ORDER BY provider, name"):
                found[row[0], row[1]] = Region._make((*row[:5], bool(row[5])))
        return tuple(found.values())

    def region_names(self, provider: str) -> tuple[str, ...]:
        """Names of one provider's regions, in order; empty where none is known."""
        return tuple(r.name for r in self.regions() if r.provider == provider)

    @lru_cache(maxsize=1)  # noqa: B019
    def instance_types(self) -> Mapping[tuple[str, str], InstanceType]:
        """Every instance type by (provider, name)."""
        found: dict[tuple[str, str], InstanceType] = {}
        sold: dict[str, tuple[str, ...]] = {"": ()}
        for database in reversed(self._layers):
            for row in database.execute(
                f"SELECT {_TYPE_COLUMNS} FROM instance_type ORDER BY provider, name"
            ):
                listed = row[14]
                if listed not in sold:
                    sold[listed] = tuple(listed.split(","))
                found[row[0], row[1]] = InstanceType._make((*row[:14], sold[listed], *row[15:]))
        return found

    def find_types(self, text: str) -> tuple[InstanceType, ...]:
        """Types called `text` (or `provider/text`), whatever the case and Azure's prefix."""
        provider, _, name = text.rpartition("/")
        wanted = {name.lower(), f"standard_{name.lower()}"}
        return tuple(
            t
            for t in self.instance_types().values()
            if t.name.lower() in wanted and (not provider or t.provider == provider.lower())
        )

    # -- offers ---------------------------------------------------------------------------

    def offers(
        self,
        provider: str,
        *,
        options: Sequence[str] | None = None,
        regions: Sequence[str] | None = None,
        types: Sequence[str] | None = None,
        versions: Sequence[PriceVersion] | None = None,
    ) -> tuple[Offer, ...]:
        """Offers of one provider, filtered in the database; an overlay's row hides the base's.

        Whether a type is really sold so is the caller's question to `InstanceType.sold`.
        """
        chosen = tuple(self.price_versions.get(provider, ()) if versions is None else versions)
        by_type = types is None or options is None or len(types) <= _FEW_TYPES
        filters = {
            "option": options,
            "region": regions,
            "instance_type": types if by_type else None,
        }
        picked = None if by_type or types is None else frozenset(types)
        if len(chosen) == 1:
            return tuple(self._offers(chosen[0], filters, picked))
        found: dict[tuple[Any, ...], Offer] = {}
        for version in reversed(chosen):
            for offer in self._offers(version, filters, picked):
                found[offer[1:7]] = offer
        return tuple(found.values())

    def _offers(
        self,
        version: PriceVersion,
        filters: Mapping[str, Sequence[str] | None],
        picked: frozenset[str] | None,
    ) -> Iterator[Offer]:
        """Offers of one version whose columns pass the filters, of the `picked` types if given."""
        where, parameters = ["version = ?"], [version.id]
        for column, values in filters.items():
            if values is not None:
                where.append(f"{column} IN ({','.join('?' * len(values))})")
                parameters.extend(values)  # type: ignore[arg-type]
        sources = self._dated_sources(version.layer)
        for row in self._layers[version.layer].execute(
            f"SELECT {_OFFER_COLUMNS} FROM offer WHERE {' AND '.join(where)}", parameters
        ):
            if picked is None or row[0] in picked:
                yield _offer(version, row, sources)

    @lru_cache(maxsize=64)  # noqa: B019
    def _dated_sources(self, layer: int) -> Mapping[int | None, tuple[Any, ...]]:
        """Date, confidence and key of a layer's sources by their number; far fewer than offers."""
        rows = self._layers[layer].execute("SELECT id, date, confidence, key FROM source")
        return {None: (None, "", ""), **{row[0]: row[1:] for row in rows}}

    # -- exchange -------------------------------------------------------------------------

    @lru_cache(maxsize=1)  # noqa: B019
    def rates(self) -> Mapping[str, Mapping[str, Decimal]]:
        """Reference rates per date: units of each currency for one unit of the base (EUR)."""
        found: dict[str, dict[str, Decimal]] = {}
        for database in reversed(self._layers):
            for date, currency, rate in database.execute(
                "SELECT date, currency, per_base FROM rate ORDER BY date"
            ):
                found.setdefault(date, {})[currency] = Decimal(rate)
        return found

    def known(self) -> Any:
        """What an overlay may refer to (see `lint.Known`)."""
        from gpuadvisor.catalog.lint import Known

        return Known(
            {name: device.memory_gib for name, device in self.devices().items()},
            set(self.providers()),
            set(self.instance_types()),
            {(region.provider, region.name) for region in self.regions()},
            {name: set(p.quotas) for name, p in self.providers().items()},
        )


def _offer(
    version: PriceVersion,
    row: tuple[Any, ...],
    sources: Mapping[int | None, tuple[Any, ...]],
) -> Offer:
    date, confidence, key = sources[row[10]]
    low = None if row[7] is None else Decimal(row[7]) / NANO
    price, confirmed_on = Decimal(row[6]) / NANO, sources[row[11]][0]
    return Offer._make(
        (version.provider, *row[:6], price, low, row[8], row[9], version.currency, date,
         confirmed_on, confidence, key)
    )  # fmt: skip


def _unknown(kind: str, name: str, candidates: Iterable[str]) -> UsageError:
    return UsageError(unknown_name(kind, name, candidates))
