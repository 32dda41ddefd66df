"""From an offer to the price this user pays: own prices, discounts, exchange, age, range."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import NamedTuple

from gpuadvisor.advice.places import Place
from gpuadvisor.advice.request import OwnPrice
from gpuadvisor.catalog.model import ON_DEMAND, SPOT, InstanceType, Offer
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.exchange import Exchange
from gpuadvisor.cost.money import scale
from gpuadvisor.cost.staleness import FRESH, Staleness, staleness


class Priced(NamedTuple):
    """An offer at the user's price per instance-hour, in the request's currency, with a range.

    `low` to `high` is the price's own uncertainty: spot moves between its cheapest zone and
    the on-demand price, and a stale price is widened.
    """

    offer: Offer
    price: Decimal
    low: Decimal
    high: Decimal
    own: bool
    age: Staleness


class Pricing(NamedTuple):
    """What turns list prices into this user's prices."""

    exchange: Exchange
    currency: str
    today: datetime.date
    tiers: Mapping[str, str]
    own: Sequence[OwnPrice]
    discounts: Mapping[str, float]
    max_age: int | None


def offers_of(
    catalog: Catalog, place: Place, options: Sequence[str], types: Sequence[str]
) -> list[Offer]:
    """Offers of `types` in the place's regions on `options`, sold or not."""
    return list(
        catalog.offers(place.provider.name, options=options, regions=place.regions, types=types)
    )


def price(pricing: Pricing, offer: Offer, ceiling: Decimal | None) -> Priced:
    """Apply own price or discount, convert, and range. `ceiling` is on demand, same region."""
    own = next((p for p in pricing.own if _applies(p, offer)), None) if pricing.own else None
    listed = offer.price if own is None else own.price
    # Negotiated discounts are off list prices; spot has no list to be off.
    negotiated = own is None and offer.option != SPOT
    discount = pricing.discounts.get(offer.provider, 0.0) if negotiated else 0.0
    age = staleness(
        offer.option, pricing.tiers[offer.provider], offer.as_of, offer.confirmed_on, pricing.today
    )
    low = high = listed
    if offer.option == SPOT and own is None:
        low = listed if offer.low is None else offer.low
        high = max(listed, ceiling or listed)
    if own is not None:
        age = Staleness(0, FRESH, 0.0)
    elif age.widen:
        low, high = scale(low, 1 - age.widen), scale(high, 1 + age.widen)

    if offer.currency == pricing.currency and not discount:
        return Priced(offer, listed, low, high, own is not None, age)
    factor = Decimal(1) - Decimal(repr(discount))

    def converted(value: Decimal) -> Decimal:
        return pricing.exchange.convert(value * factor, offer.currency, pricing.currency).value

    amount = converted(listed)
    lower = amount if low == listed else converted(low)
    upper = amount if high == listed else converted(high)
    return Priced(offer, amount, lower, upper, own is not None, age)


def _applies(own: OwnPrice, offer: Offer) -> bool:
    return (
        own.option == offer.option
        and own.provider in (None, offer.provider)
        and own.instance_type in (None, offer.instance_type)
        and own.region in (None, offer.region)
    )


def invented(
    pricing: Pricing, kind: InstanceType, regions: Iterable[str], named: bool = False
) -> list[Offer]:
    """Offers that exist only because the user gave a price for a type, region and option.

    A price for all types (`spot=0.90`) makes an offer of the type that the user `named`.
    """
    return [
        Offer(
            kind.provider, kind.name, own.region or region, own.option, None, None, None,
            own.price, None, None, None, pricing.currency, pricing.today.isoformat(), None,
            "official", "your price",
        )
        for own in pricing.own
        if own.instance_type == kind.name or (named and own.instance_type is None)
        if own.provider in (None, kind.provider)
        for region in regions
        if own.region in (None, region)
    ]  # fmt: skip


def cheapest(
    pricing: Pricing,
    offers: Sequence[Offer],
    types: Mapping[str, InstanceType],
    options: Sequence[str],
) -> tuple[dict[str, Priced], set[str]]:
    """The best offer of each type on `options` that can really be bought.

    A type whose `sold` lacks the option is no offer, whatever price is published. The second
    value names types that had an offer which `max_age` dropped.
    """
    ceilings = {(o.instance_type, o.region): o.price for o in offers if o.option == ON_DEMAND}
    best: dict[str, Priced] = {}
    dropped: set[str] = set()
    # List prices of one currency order as converted ones do, and converting is dear.
    plain = not pricing.own and not pricing.discounts
    # Cheap ones first: what follows is then mostly passed over without being priced.
    for offer in sorted(offers, key=attrgetter("price")):
        name = offer.instance_type
        if offer.option not in options or offer.option not in types[name].sold:
            continue
        held = best.get(name)
        if (
            held is not None
            and plain
            and offer.price > held.offer.price
            and offer.currency == held.offer.currency
        ):
            continue
        found = price(pricing, offer, ceilings.get((name, offer.region)))
        if pricing.max_age is not None and found.age.age_days > pricing.max_age:
            dropped.add(name)
            continue
        if held is None or _order(found) < _order(held):
            best[name] = found
    return best, dropped


def _order(priced: Priced) -> tuple[Decimal, bool, str, str]:
    """Cheapest first; of equal prices the fresher one, then by name for a stable answer."""
    return (priced.price, priced.age.level != FRESH, priced.offer.region, priced.offer.option)
