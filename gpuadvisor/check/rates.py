"""What one machine costs an hour: by type, place and purchase option, from the catalog."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.advice.pricing import Priced, Pricing, invented, price
from gpuadvisor.advice.request import OwnPrice
from gpuadvisor.catalog.model import (
    CAPACITY_BLOCK,
    COMMITMENTS,
    ON_DEMAND,
    PURCHASE_OPTIONS,
    SPOT,
    InstanceType,
    Offer,
)
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.check.match import TypeIndex
from gpuadvisor.cost.exchange import Exchange

_MACHINE = re.compile(r"^(?P<series>[a-z][a-z0-9]*-standard)-(?P<vcpus>\d{1,3})$")
_PAIR = re.compile(r"^(?P<machine>[a-z0-9-]+)\+[a-z0-9]+x(?P<devices>\d+)$")


class Market(NamedTuple):
    """What turns list prices into this user's: one exchange rate for before and after."""

    exchange: Exchange
    currency: str
    today: datetime.date
    prices: tuple[OwnPrice, ...] = ()
    discounts: Mapping[str, float] = {}


class Hourly(NamedTuple):
    """The price of one machine an hour; `on_demand` is beside a spot price."""

    priced: Priced
    on_demand: Decimal | None


class Rates:
    """Prices by (type, option), asked of the catalog once per type."""

    def __init__(self, catalog: Catalog, index: TypeIndex, market: Market) -> None:
        self.catalog, self.index, self.market = catalog, index, market
        tiers = {p.name: p.tier for p in catalog.providers().values()}
        self._pricing = Pricing(
            market.exchange, market.currency, market.today, tiers,
            market.prices, market.discounts, None,
        )  # fmt: skip
        self._known: dict[tuple[str, str], Mapping[str, Mapping[str, Hourly]]] = {}
        self._attached: dict[tuple[str, str, int], Mapping[str, Mapping[str, Hourly]]] = {}

    def of(self, kind: InstanceType) -> Mapping[str, Mapping[str, Hourly]]:
        """option -> region -> price of a type; the cheapest variant where an option has several.

        Commitments are left out: a file that asks for a machine does not buy one.
        """
        key = (kind.provider, kind.name)
        if key not in self._known:
            wanted = [option for option in PURCHASE_OPTIONS if option not in COMMITMENTS]
            offers = self.catalog.offers(kind.provider, options=wanted, types=[kind.name])
            self._known[key] = self._priced((*offers, *self._own(kind, offers)))
        return self._known[key]

    def _own(self, kind: InstanceType, offers: Sequence[Offer]) -> list[Offer]:
        """Offers that only the user's own price makes: a region or option nobody lists."""
        listed = {(o.region, o.option) for o in offers}
        regions = {p.region for p in self.market.prices if p.region is not None}
        found = invented(self._pricing, kind, regions)
        return [o for o in found if (o.region, o.option) not in listed]

    def _priced(self, offers: Sequence[Offer]) -> dict[str, dict[str, Hourly]]:
        ceilings = {o.region: o for o in offers if o.option == ON_DEMAND}
        found: dict[str, dict[str, Hourly]] = {}
        for offer in offers:
            beside = ceilings.get(offer.region)
            priced = price(self._pricing, offer, beside.price if beside else None)
            on_demand = None
            if offer.option != ON_DEMAND and beside is not None:
                on_demand = price(self._pricing, beside, None).price
            table = found.setdefault(offer.option, {})
            held = table.get(offer.region)
            if held is None or priced.price < held.priced.price:
                table[offer.region] = Hourly(priced, on_demand)
        return found

    def attached(
        self, provider: str, machine: str, device: str | None, devices: int
    ) -> Mapping[str, Mapping[str, Hourly]]:
        """A machine with devices rented apart from it, such as `n1-standard-2` and one T4.

        The catalog lists some pairs. A standard machine of one series costs in proportion to its
        vCPUs and a device the same on every machine, so two listed pairs of one device give both
        parts, and with them any other pair of the series.
        """
        names = self.index.devices(device)
        if len(names) != 1:
            return {}
        key = (machine.casefold(), names[0], devices)
        if key not in self._attached:
            self._attached[key] = self._pair(provider, machine.casefold(), names[0], devices)
        return self._attached[key]

    def _pair(
        self, provider: str, machine: str, device: str, devices: int
    ) -> Mapping[str, Mapping[str, Hourly]]:
        pairs = self._pairs(provider)
        for kind in pairs:
            name = _PAIR.match(kind.name)
            if name and (name["machine"], kind.device, kind.devices) == (machine, device, devices):
                return self.of(kind)
        wanted = _MACHINE.match(machine)
        if wanted is None:
            return {}
        vcpus = int(wanted["vcpus"])
        same = [k for k in pairs if k.name.startswith(wanted["series"] + "-")]
        found: dict[str, dict[str, Hourly]] = {}
        for option in (ON_DEMAND, SPOT):
            for region, base in self._cheapest_base(same, device, option).items():
                core = self._core(same, option, region)
                kind, listed = base
                if core is None or not kind.vcpus:
                    continue
                one = (listed.priced.price - core * kind.vcpus) / Decimal(repr(kind.devices))
                total = core * vcpus + one * devices
                if one > 0:
                    found.setdefault(option, {})[region] = _scaled(listed, total)
        return found

    def _pairs(self, provider: str) -> list[InstanceType]:
        return [k for k in self.index.of_provider(provider) if _PAIR.match(k.name)]

    def _cheapest_base(
        self, kinds: Sequence[InstanceType], device: str, option: str
    ) -> dict[str, tuple[InstanceType, Hourly]]:
        """Per region, the smallest listed machine with the device."""
        found: dict[str, tuple[InstanceType, Hourly]] = {}
        for kind in sorted(kinds, key=lambda k: (k.devices, k.vcpus or 0)):
            if kind.device == device:
                for region, hourly in self.of(kind).get(option, {}).items():
                    found.setdefault(region, (kind, hourly))
        return found

    def _core(self, kinds: Sequence[InstanceType], option: str, region: str) -> Decimal | None:
        """One vCPU of the series, from two machines that differ in vCPUs alone."""
        for first in kinds:
            for second in kinds:
                if (first.device, first.devices) != (second.device, second.devices):
                    continue
                if not first.vcpus or not second.vcpus or first.vcpus >= second.vcpus:
                    continue
                low = self.of(first).get(option, {}).get(region)
                high = self.of(second).get(option, {}).get(region)
                if low is not None and high is not None:
                    step = high.priced.price - low.priced.price
                    return step / (second.vcpus - first.vcpus)
        return None


def _scaled(listed: Hourly, total: Decimal) -> Hourly:
    """A listed price moved to `total`, its range and on-demand price in proportion."""
    old = listed.priced
    factor = total / old.price
    priced = old._replace(price=total, low=old.low * factor, high=old.high * factor)
    beside = None if listed.on_demand is None else listed.on_demand * factor
    return Hourly(priced, beside)


def scaled_to_devices(listed: Hourly, kind: InstanceType, devices: int) -> Hourly:
    """So many devices at the price of one device of the machine."""
    one = listed.priced.price / Decimal(repr(kind.devices))
    return _scaled(listed, one * devices)


FALLS_BACK = frozenset(option for option in PURCHASE_OPTIONS if option != CAPACITY_BLOCK)
"""Options whose ceiling is the on-demand price where their own price is not known."""
