"""Which providers and regions an answer looks at."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import Provider
from gpuadvisor.catalog.names import unknown_name
from gpuadvisor.catalog.store import Catalog

DEFAULT_TIERS = ("hyperscaler", "specialist")
"""Marketplaces are left out unless asked for: their hosts and prices are strangers'."""

_GEO_WORDS = {"china": "cn", "usa": "us", "mainland": "cn", "中国": "cn", "apac": "asia"}


class Place(NamedTuple):
    """A provider with the regions to look at; None is all it has."""

    provider: Provider
    regions: tuple[str, ...] | None


def places(
    catalog: Catalog,
    providers: Sequence[str],
    tiers: Sequence[str],
    regions: Sequence[str],
    compliance: Sequence[str] = (),
) -> tuple[Place, ...]:
    """Resolve `--provider`, `--tier`, `--region` and `--compliance`.

    Without a region each provider is looked at in its reference region, or everywhere it
    sells when it has none. Naming a provider overrides the default tiers. GDPR keeps to
    regions of the EU, HIPAA to providers whose agreement a source shows. Raises UsageError
    for unknown names, and for a region that none of the chosen providers has.
    """
    chosen = [catalog.provider(name) for name in providers] or list(catalog.providers().values())
    allowed = tiers or (DEFAULT_TIERS if not providers else ())
    if allowed:
        chosen = [p for p in chosen if p.tier in allowed]
    if "hipaa" in compliance:
        chosen = [p for p in chosen if p.hipaa]
    wanted = {p.name: _regions(catalog, p, regions, "gdpr" in compliance) for p in chosen}
    for region in regions:
        if all(_regions(catalog, p, [region], False) == () for p in chosen):
            raise _unknown_region(catalog, region, [p.name for p in chosen])
    return tuple(Place(p, wanted[p.name]) for p in chosen if wanted[p.name] != ())


def _regions(
    catalog: Catalog, provider: Provider, wanted: Sequence[str], eu_only: bool
) -> tuple[str, ...] | None:
    if not wanted and not eu_only and provider.reference_region is not None:
        return (provider.reference_region,)
    here = [r for r in catalog.regions() if r.provider == provider.name]
    if eu_only:
        here = [r for r in here if r.eu]
    words = [_GEO_WORDS.get(w.lower(), w.lower()) for w in wanted]
    if not words or "any" in words:
        return tuple(r.name for r in here) if eu_only else None
    found = []
    for region in here:
        names = {region.name.lower(), f"{provider.name}/{region.name}".lower(), region.geo}
        if region.eu:
            names.add("eu")
        if region.country:
            names.add(f"country:{region.country.lower()}")
        if names & set(words):
            found.append(region.name)
    return tuple(found)


def _unknown_region(catalog: Catalog, wanted: str, providers: Sequence[str]) -> UsageError:
    """Unknown everywhere, or known but none of these providers'."""
    regions = catalog.regions()
    if any(_regions(catalog, p, [wanted], False) for p in catalog.providers().values()):
        names = ", ".join(providers) or "-"
        return UsageError(message("advice.region_elsewhere", region=wanted, providers=names))
    known = {r.name for r in regions if r.provider in providers} | {r.geo for r in regions}
    return UsageError(unknown_name("region", wanted, known | {"eu", "any"}))


def place_notes(found: Sequence[Place], regions: Sequence[str]) -> tuple[Message, ...]:
    """The header's lines on where prices are from; a name that several providers use is told."""
    if not found:
        return ()
    if regions:
        asked = message("advice.regions_asked", regions=", ".join(regions))
        return (asked, *_shared_names(found, regions))
    return (message("advice.regions_reference"),)


def _shared_names(found: Sequence[Place], regions: Sequence[str]) -> Iterator[Message]:
    for region in regions:
        named = [p.provider.name for p in found if p.regions and region.lower() in p.regions]
        if len(named) > 1:
            yield message(
                "advice.region_shared", region=region, providers=", ".join(named), one=named[0]
            )
