"""One candidate of a group: its price in its place and on its terms, for the group's count."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import CAPACITY_BLOCK, ON_DEMAND, SPOT, InstanceType
from gpuadvisor.check.describe import machines, name_of
from gpuadvisor.check.interface import Issue, PriceUsed
from gpuadvisor.check.match import Match
from gpuadvisor.check.policy import NOT_BUYABLE, NOT_SOLD_THERE
from gpuadvisor.check.rates import FALLS_BACK, Hourly, Rates, scaled_to_devices
from gpuadvisor.cost.money import format_price
from gpuadvisor.iac.counting import shares
from gpuadvisor.iac.interface import MIXED, UNKNOWN_PURCHASE, Count, Resource, Split

ZERO = Decimal(0)
_EVERYWHERE = frozenset({"check.mixed", "check.spot_price", "check.prepaid"})


class Option(NamedTuple):
    """One candidate priced: hourly figures of the whole group."""

    match: Match
    counts: Count
    expected: Decimal | None
    low: Decimal
    high: Decimal
    each: Decimal
    """The dearest price of one machine."""
    used: PriceUsed | None
    anywhere: tuple[Decimal, Decimal, int] | None = None
    """Without a region: lowest and highest price of one machine, and in how many regions."""


class Candidates:
    """Prices the candidates of one resource; collects reasons and issues on the way."""

    def __init__(self, resource: Resource, rates: Rates) -> None:
        self.resource, self.rates = resource, rates
        self.reasons: list[Message] = []
        self.issues: list[Issue] = []

    def option(self, match: Match) -> Option | None:
        """The group on this candidate; None, with a reason or an issue, where it has no price."""
        count = machines(self.resource.counts, match)
        tables = self._tables(match)
        if tables is None:
            return None
        region = self.resource.region
        if region is None:
            return self._anywhere(match, count, tables)
        regional = {option: table[region] for option, table in tables.items() if region in table}
        if ON_DEMAND not in regional and self._wanted() not in regional:
            self._not_there(match, tables, region)
            return None
        return self._here(match, count, regional)

    def _tables(self, match: Match) -> Mapping[str, Mapping[str, Hourly]] | None:
        """Prices by option and region; None where there is none, with the reason."""
        resource, kind = self.resource, match.kind
        if resource.attached and resource.type is not None:
            if resource.devices_per_node is None:
                return None
            tables = self.rates.attached(
                resource.provider, resource.type, resource.device, resource.devices_per_node
            )
            if not tables:
                self.say("check.no_pair", machine=resource.type, device=resource.device)
            return tables or None
        if kind is None:
            self.reasons.append(message("check.type_unknown", type=name_of(match)))
            return None
        self._judge_sale(match, kind)
        tables = self.rates.of(kind)
        if match.chips:
            self.reasons.append(message("check.per_chip", type=kind.name))
            tables = {
                option: {
                    region: scaled_to_devices(hourly, kind, match.chips)
                    for region, hourly in table.items()
                }
                for option, table in tables.items()
            }
        if not tables:
            self.reasons.append(message("check.no_price", type=kind.name))
            return None
        return tables

    def _judge_sale(self, match: Match, kind: InstanceType) -> None:
        if not match.listed:
            # A pattern names nothing that could be wrong.
            return
        if kind.status == "retired" or (not kind.sold and kind.status != "unclear"):
            text = message(
                "check.retired" if kind.status == "retired" else "check.not_sold",
                type=kind.name,
                date=kind.retired_on or "?",
            )
            self.issues.append(Issue(NOT_BUYABLE, text))
        wanted = self._wanted()
        if kind.sold and wanted not in kind.sold and wanted in FALLS_BACK:
            self.issues.append(
                Issue(NOT_BUYABLE, message("check.option_not_sold", type=kind.name, option=wanted))
            )

    def _wanted(self) -> str:
        option = self.resource.purchase
        return ON_DEMAND if option in (MIXED, UNKNOWN_PURCHASE) else option

    def _not_there(
        self, match: Match, tables: Mapping[str, Mapping[str, Hourly]], region: str
    ) -> None:
        if not match.listed:
            return
        places = sorted({place for table in tables.values() for place in table})
        shown = ", ".join(places[:6]) + (", …" if len(places) > 6 else "")
        name = match.kind.name if match.kind and not self.resource.attached else name_of(match)
        text = message("check.not_in_region", type=name, region=region, known=shown)
        self.issues.append(Issue(NOT_SOLD_THERE, text))

    def _here(self, match: Match, count: Count, prices: Mapping[str, Hourly]) -> Option:
        """The group in one region."""
        if self.resource.purchase == MIXED and self.resource.split is not None:
            return self._mixed(match, count, prices, self.resource.split)
        chosen = self._terms(prices)
        priced = chosen.priced
        planned = count.planned or 0
        return Option(
            match, count, priced.price * planned, priced.low * planned, priced.high * planned,
            priced.price, _used(chosen),
        )  # fmt: skip

    def _terms(self, prices: Mapping[str, Hourly]) -> Hourly:
        """The price on the terms asked for; on demand is the ceiling where none is known."""
        wanted = self._wanted()
        if self.resource.purchase == UNKNOWN_PURCHASE:
            self.say("check.purchase_unknown")
        if wanted == CAPACITY_BLOCK:
            self.say("check.prepaid")
        found = prices.get(wanted)
        if found is not None:
            if wanted == SPOT:
                self.say("check.spot_price")
            return found
        self.say("check.no_option_price", option=wanted)
        return prices[ON_DEMAND]

    def _mixed(
        self, match: Match, count: Count, prices: Mapping[str, Hourly], split: Split
    ) -> Option:
        """On demand up to the base and its share above it, the rest spot."""
        on_demand = prices.get(ON_DEMAND)
        spot = prices.get(SPOT) or on_demand
        on_demand = on_demand or spot
        assert on_demand is not None and spot is not None, "one of both is known"
        if SPOT not in prices:
            self.say("check.no_option_price", option=SPOT)
        base, rest = self._shares(match, count.planned, self.resource.counts.planned, split)
        most_base, most_rest = self._shares(match, count.max, self.resource.counts.max, split)
        self.say(
            "check.mixed",
            on_demand=base,
            spot=rest,
            max_on_demand="?" if count.max is None else most_base,
            max_spot="?" if count.max is None else most_rest,
        )
        one, other = on_demand.priced, spot.priced
        # The dearest average of one machine at the highest count.
        total = one.price * most_base + other.price * most_rest
        most = total / count.max if count.max else max(one.price, other.price)
        return Option(
            match,
            count,
            one.price * base + other.price * rest,
            one.low * base + other.low * rest,
            one.high * base + other.high * rest,
            most,
            _used(on_demand if base or not rest else spot),
        )

    def _shares(
        self, match: Match, nodes: int | None, asked: int | None, split: Split
    ) -> tuple[int, int]:
        """(on demand, spot) machines; a group with weights splits its capacity, not machines."""
        if self.resource.counts.unit != "capacity":
            return shares(nodes or 0, split)
        weight = max(match.candidate.weight, 1)
        on_demand, spot = shares(asked or 0, split)
        return -(-on_demand // weight), -(-spot // weight)

    def _anywhere(
        self, match: Match, count: Count, tables: Mapping[str, Mapping[str, Hourly]]
    ) -> Option | None:
        """No region is known: the range over all, and no figure."""
        regions = sorted({region for table in tables.values() for region in table})
        found: list[Option] = []
        said = list(self.reasons)
        for region in regions:
            prices = {option: table[region] for option, table in tables.items() if region in table}
            if ON_DEMAND in prices or self._wanted() in prices:
                found.append(self._here(match, count, prices))
        if not found:
            self.say("check.no_price", type=name_of(match))
            return None
        # What is said about the terms holds everywhere, what about one region's prices does not.
        self.reasons = [r for r in self.reasons if r in said or r.id in _EVERYWHERE]
        return Option(
            match,
            count,
            ZERO if count.planned == 0 else None,
            min(o.low for o in found),
            max(o.high for o in found),
            max(o.each for o in found),
            None,
            (min(o.each for o in found), max(o.each for o in found), len(found)),
        )

    def shown(self, value: Decimal) -> str:
        """A price of one machine as text."""
        return format_price(value.quantize(Decimal("0.0001")), self.rates.market.currency)

    def say(self, id: str, **params: object) -> None:
        """Note a reason once."""
        text = message(id, **params)
        if text not in self.reasons:
            self.reasons.append(text)


def _used(hourly: Hourly) -> PriceUsed:
    offer = hourly.priced.offer
    as_of = max(offer.confirmed_on or offer.as_of, offer.as_of)
    return PriceUsed(
        hourly.priced.price, offer.provider, offer.option, offer.source, as_of, offer.confidence,
        hourly.on_demand, hourly.priced.own, hourly.priced.age.age_days, hourly.priced.age.level,
    )  # fmt: skip
