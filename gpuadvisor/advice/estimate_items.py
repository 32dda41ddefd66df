"""The ways to provide one WHAT: types and regions, each with its options, cheapest first."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.estimate_context import Context, billing_rules
from gpuadvisor.advice.estimate_result import EstimateOption, Item
from gpuadvisor.advice.purchase import purchase_options
from gpuadvisor.advice.unavailable import Market, retired
from gpuadvisor.advice.what import Provision, What, provisions
from gpuadvisor.catalog.errors import AdvisorError, RefusedError, UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND, InstanceType, Offer
from gpuadvisor.cost.staleness import FRESH


def items_of(context: Context, what: What) -> tuple[list[Item], int, Message | None]:
    """The first items of a WHAT, and how many more there are; see `ways` for the note.

    Of types with the same devices at the same provider the cheapest comes first.
    """
    items, note = ways(context, what)
    best = _best_of_twins(items) if what.devices else items
    top = context.request.base.top
    shown = [item._replace(place=n) for n, item in enumerate(best[:top], 1)]
    return shown, len(items) - len(shown), note


def ways(context: Context, what: What) -> tuple[list[Item], Message | None]:
    """All ways to provide a WHAT, cheapest first; a note where another region had to be taken.

    Raises UsageError or RefusedError where there is none.
    """
    found = provisions(context.catalog, what, tuple(context.places))
    if not found:
        raise _nowhere(context, what)
    regions = {name: place.regions for name, place in context.places.items()}
    note = None
    offers = _offers(context, found, regions)
    if not any(offers.values()) and not context.request.base.region:
        # The reference region sells none of it; elsewhere it may be sold.
        regions = dict.fromkeys(regions)
        offers = _offers(context, found, regions)
        if any(offers.values()):
            note = message("estimate.reference_without", what=what.name)
    items = [
        item
        for provision in found
        for item in _places_of(context, what, provision, offers, regions)
    ]
    items = [i for i in items if what.types or any(o.available for o in i.options)]
    if not items:
        raise _nowhere(context, what)
    items.sort(key=lambda item: _order(context, item))
    return items, note


def _offers(
    context: Context, found: Sequence[Provision], regions: Mapping[str, Sequence[str] | None]
) -> dict[tuple[str, str], list[Offer]]:
    """Offers by (provider, type) in the regions in question."""
    by_provider: dict[str, list[str]] = {}
    for provision in found:
        by_provider.setdefault(provision.type.provider, []).append(provision.type.name)
    offers: dict[tuple[str, str], list[Offer]] = {}
    for provider, types in by_provider.items():
        for offer in context.catalog.offers(provider, types=types, regions=regions[provider]):
            offers.setdefault((provider, offer.instance_type), []).append(offer)
    return offers


def _places_of(
    context: Context,
    what: What,
    provision: Provision,
    offers: Mapping[tuple[str, str], Sequence[Offer]],
    regions: Mapping[str, Sequence[str] | None],
) -> Iterable[Item]:
    """The type in each of its regions; of a device's types, in the cheapest alone."""
    kind = provision.type
    here = offers.get((kind.provider, kind.name), ())
    by_region: dict[str, list[Offer]] = {}
    for offer in here:
        by_region.setdefault(offer.region, []).append(offer)
    own = [p.region for p in context.pricing.own if p.instance_type == kind.name and p.region]
    asked = regions[kind.provider]
    names = [*by_region, *(r for r in own if asked is None or r in asked)]
    if not names and what.types:
        names = list(asked or [])[:1] or [_any_region(context, kind)]
    found = [
        _item(context, what, provision, region, by_region.get(region, []))
        for region in dict.fromkeys(names)
    ]
    if what.devices and found:
        return [min(found, key=lambda item: _order(context, item))]
    return found


def _any_region(context: Context, kind: InstanceType) -> str:
    """A region's name for a type without any price, so that the reason has a place."""
    reference = context.catalog.provider(kind.provider).reference_region
    return reference or next(iter(context.catalog.region_names(kind.provider)), "-")


def _item(
    context: Context, what: What, provision: Provision, region: str, here: Sequence[Offer]
) -> Item:
    kind = provision.type
    versions = context.catalog.price_versions.get(kind.provider, ())
    market = Market(
        region,
        here,
        _elsewhere(context, kind) if what.types else {},
        billing_rules(context.catalog, kind.provider),
        f"{kind.provider} {versions[0].version}" if versions else kind.provider,
        context.today,
    )
    options = purchase_options(
        context.pricing,
        context.usage,
        provision,
        market,
        context.request.base.purchase,
        named=bool(what.types),
    )
    counted = _counted(context, options)
    return Item(
        what.text, 0, kind, provision.instances, provision.used, region, options, counted,
        _item_notes(context, what, provision),
    )  # fmt: skip


def _elsewhere(
    context: Context, kind: InstanceType
) -> dict[tuple[str, str | None, str | None], list[str]]:
    found: dict[tuple[str, str | None, str | None], list[str]] = {}
    for offer in context.catalog.offers(kind.provider, types=[kind.name]):
        found.setdefault((offer.option, offer.term, offer.cls), []).append(offer.region)
    return found


def _counted(context: Context, options: Sequence[EstimateOption]) -> int | None:
    """The option a line is priced on.

    The cheapest of those asked for; without a wish on demand, else the cheapest that binds
    nobody to a term, else the cheapest.
    """
    usable = [n for n, o in enumerate(options) if o.available and o.monthly is not None]
    if not context.request.base.purchase:
        free = [n for n in usable if options[n].option not in COMMITMENTS]
        on_demand = [n for n in usable if options[n].option == ON_DEMAND]
        usable = on_demand or free or usable
    return min(usable, key=lambda n: (_month(options[n]), n), default=None)


def _month(option: EstimateOption) -> Decimal:
    return Decimal("Infinity") if option.monthly is None else option.monthly.expected


def _order(context: Context, item: Item) -> tuple[Any, ...]:
    """Cheapest first, after that the fresher price.

    What is not sold on the usual option comes after what is, and a price for the device, without
    its host or by the device, after that of whole machines.
    """
    line = item.line
    if line is None:
        return (3, Decimal(0), False, item.type.name, item.region)
    usual = bool(context.request.base.purchase) or line.option == ON_DEMAND
    group = 2 if item.type.price_scope != "instance" else 0 if usual else 1
    return (group, _month(line), line.age_level != FRESH, item.type.name, item.region)


def _best_of_twins(items: Sequence[Item]) -> list[Item]:
    """Of types with the same devices at the same provider, the cheapest; the rest at the end."""
    seen: set[object] = set()
    best: list[Item] = []
    twins: list[Item] = []
    for item in items:
        key = (item.type.provider, item.type.device, item.type.devices, item.instances)
        (twins if key in seen else best).append(item)
        seen.add(key)
    return best + twins


def _item_notes(context: Context, what: What, provision: Provision) -> tuple[Message, ...]:
    kind = provision.type
    found: list[Message] = []
    if retired(kind, context.today):
        found.append(message("estimate.retired_note"))
    elif kind.retired_on is not None:
        found.append(message("estimate.retires", date=kind.retired_on))
    if kind.status == "frozen":
        found.append(message("estimate.frozen"))
    if kind.price_scope != "instance":
        found.append(message(f"estimate.scope_{kind.price_scope}"))
    paid = kind.devices * provision.instances
    if provision.used < paid:
        found.append(message("estimate.paid_used", paid=f"{paid:g}", used=f"{provision.used:g}"))
    quotas = context.catalog.provider(kind.provider).quotas
    quota = None if kind.quota is None else quotas.get(kind.quota)
    if quota is not None and kind.sold:
        amount = (kind.vcpus or 0) if quota.get("unit") == "vcpus" else kind.devices
        found.append(
            message(
                "estimate.quota",
                name=quota.get("code") or quota.get("title", ""),
                title=quota.get("title", ""),
                amount=f"{amount * provision.instances:g}",
                unit=message(f"estimate.unit_{quota.get('unit', 'vcpus')}"),
            )
        )
    return tuple(found)


def _nowhere(context: Context, what: What) -> AdvisorError:
    """Nothing to price: the region is not the type's provider's, or nobody sells the device."""
    base = context.request.base
    if what.types:
        owners = sorted({t.provider for t in what.types})
        if base.provider and not set(owners) & set(base.provider):
            return UsageError(
                message("estimate.other_provider", what=what.name, providers=", ".join(owners))
            )
        return UsageError(
            message(
                "estimate.other_region",
                what=what.name,
                providers=", ".join(owners),
                regions=", ".join(base.region),
            )
        )
    priced = sorted(
        {
            f"{offer.provider} {offer.region}"
            for provider in context.catalog.providers()
            for offer in context.catalog.offers(
                provider,
                types=[p.type.name for p in provisions(context.catalog, what, [provider])],
            )
        }
    )
    shown = ", ".join(priced[:6]) + (", …" if len(priced) > 6 else "") or "-"
    return RefusedError(message("estimate.nowhere", what=what.text[:80], places=shown))
