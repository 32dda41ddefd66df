"""Where a resource stands, by the file's own evidence. There is no default region."""

from __future__ import annotations

from typing import Any, NamedTuple

from gpuadvisor.iac.fieldmap import FieldMap, Part, ProviderMap
from gpuadvisor.iac.view import Opaque, View, text

_MAX_PARENTS = 4


class Place(NamedTuple):
    """`evidence` names what told the region: `field:PATH`, `prior:PATH`, `provider`, `parent:
    ADDRESS` or `user`. `zones` are the zones named; None says that nothing named them. `written`
    is the region of the file where prices are listed under another name."""

    region: str | None = None
    evidence: str | None = None
    zones: tuple[str, ...] | None = None
    written: str | None = None


def place_of(
    part: Part, view: View, provider: ProviderMap, fields: FieldMap, user: str | None
) -> Place:
    """Region and zones: own fields, the state before, a parent, the provider's settings, user."""
    found = _place(part, view, provider, fields, user)
    names = provider.price_regions
    if not names or found.region is None or found.evidence == "user":
        return found
    listed = names.get(found.region) or names.get("*")
    if listed is None or listed == found.region:
        return found
    return found._replace(region=listed, written=found.region)


def _place(
    part: Part, view: View, provider: ProviderMap, fields: FieldMap, user: str | None
) -> Place:
    zones = _zones(part, view, provider)
    own = _own(part, view, provider)
    found = own or _prior(view, provider) or _parent(part, view, fields, 0)
    if found is None or found.region is None:
        inherited = found.zones if found else None
        found = _setting(view, provider) or Place()
        found = found._replace(zones=found.zones or inherited)
    if found.region is None and user:
        found = Place(user, "user", found.zones)
    if zones is None and own is not None and own.zones is None:
        # A region names no zones, but the cluster that a pool belongs to may.
        above = _parent(part, view, fields, 0)
        zones = above.zones if above and above.region == found.region else None
    return found._replace(zones=zones if zones is not None else found.zones)


def _split(value: Any, provider: ProviderMap) -> tuple[str, str | None] | None:
    """(region, zone or None) of a place as written; a self link's last part counts."""
    words = text(value)
    if words is None:
        return None
    words = words.rsplit("/", 1)[-1].strip()
    if provider.fold:
        words = words.casefold().replace(" ", "")
    if not words:
        return None
    zone = provider.zone_pattern.match(words) if provider.zone_pattern else None
    return (zone.group(1), words) if zone else (words, None)


def _own(part: Part, view: View, provider: ProviderMap) -> Place | None:
    for path in (*part.region, *provider.region):
        value = view.get(path)
        for item in value if isinstance(value, list) else (value,):
            parts = _split(item, provider)
            if parts is not None:
                region, zone = parts
                return Place(region, f"field:{path[-1]}", (zone,) if zone else None)
    return None


def _zones(part: Part, view: View, provider: ProviderMap) -> tuple[str, ...] | None:
    for path in part.zones:
        value = view.get(path)
        if isinstance(value, list) and value:
            found = (_split(item, provider) for item in value)
            return tuple(pair[1] or pair[0] for pair in found if pair)
    return None


def _prior(view: View, provider: ProviderMap) -> Place | None:
    for path in provider.arn:
        arn = view.prior(path)
        fields = arn.split(":") if isinstance(arn, str) else []
        if len(fields) > 4 and fields[0] == "arn" and fields[3]:
            return Place(text(fields[3]), f"prior:{path[-1]}")
    for path in provider.region:
        parts = _split(view.prior(path), provider)
        if parts is not None:
            return Place(parts[0], f"prior:{path[-1]}", (parts[1],) if parts[1] else None)
    return None


def _parent(part: Part, view: View, fields: FieldMap, depth: int) -> Place | None:
    """The place of the cluster, workspace or group that the resource belongs to."""
    if depth >= _MAX_PARENTS:
        return None
    for reference in part.parents:
        found = {_whole_place(parent, fields, depth) for parent in view.follow(reference)}
        if len(found) == 1 and (place := found.pop()).region is not None:
            return place
    return None


def _whole_place(view: View, fields: FieldMap, depth: int) -> Place:
    entry = fields.resource(view.kind)
    if entry is None:
        return Place()
    provider, part = fields.provider(entry.provider), entry.parts[0]
    own = _own(part, view, provider) or _prior(view, provider)
    own = own or _parent(part, view, fields, depth + 1) or Place()
    zones = _zones(part, view, provider)
    evidence = f"parent:{view.address}" if own.region else None
    return Place(own.region, evidence, zones if zones is not None else own.zones)


def _setting(view: View, provider: ProviderMap) -> Place | None:
    for path in (*provider.config_region, *provider.config_zone):
        value = view.setting(path)
        if isinstance(value, Opaque):
            continue
        parts = _split(value, provider)
        if parts is not None:
            return Place(parts[0], "provider", (parts[1],) if parts[1] else None)
    return None
