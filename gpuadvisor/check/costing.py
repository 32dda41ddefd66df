"""The cost of one side of a finding: its candidates, count, place and terms -> `Cost`."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import CAPACITY_BLOCK, ON_DEMAND, SPOT, InstanceType
from gpuadvisor.check.interface import (
    COVERED,
    PRICED,
    UNKNOWN,
    UNPRICED,
    Cost,
    Described,
    Issue,
    PriceUsed,
)
from gpuadvisor.check.match import Match, TypeIndex
from gpuadvisor.check.policy import NOT_BUYABLE, NOT_SOLD_THERE, PAIRING
from gpuadvisor.check.rates import FALLS_BACK, Hourly, Rates, scaled_to_devices
from gpuadvisor.cost.money import format_price
from gpuadvisor.iac.counting import instances, shares
from gpuadvisor.iac.interface import MIXED, UNKNOWN_PURCHASE, Count, Resource, Split

ZERO = Decimal(0)
NOTHING = Cost(PRICED, ZERO, ZERO, ZERO, ZERO)
"""A side that does not exist: the machine is not there, which costs nothing for certain."""

_OWN_LISTS = {"sagemaker": "SageMaker", "vertex": "Vertex AI", "run": "Cloud Run"}
"""Services with a price list of their own, which the catalog does not hold."""


_MOST_NAMED = 4
_EVERYWHERE = frozenset({"check.mixed", "check.spot_price", "check.prepaid"})


class _Option(NamedTuple):
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


class Coster:
    """Prices sides; equal sides give equal costs, so that a no-op moves nothing."""

    def __init__(self, index: TypeIndex, rates: Rates) -> None:
        self.index, self.rates = index, rates

    def cost(self, resource: Resource | None, issues: tuple[Issue, ...] = ()) -> Cost:
        """The cost of a side as it is rented; a missing side costs nothing."""
        if resource is None:
            return NOTHING
        if resource.covered_by is not None:
            return Cost(COVERED, ZERO, ZERO, ZERO, ZERO, resource.counts, None, issues)
        found = _Side(resource, self.index, self.rates).cost()
        return found._replace(issues=(*found.issues, *issues))


def described(resource: Resource, index: TypeIndex) -> Described:
    """What is rented in the catalog's words; names it does not know stay as written."""
    found = index.matches(resource)
    kinds = [m.kind for m in found if m.kind is not None]
    devices = index.devices(resource.device)
    device = devices[0] if len(devices) == 1 else resource.device
    names = [c.type or "any" for c in resource.candidates]
    name = resource.type or " | ".join(dict.fromkeys(names)) or resource.device or "?"
    if resource.attached and device is not None:
        return Described(name, device, resource.devices_per_node, resource.partition, (device,))
    models = tuple(dict.fromkeys(k.device for k in kinds))
    counts = {k.devices for k in kinds}
    per_node = counts.pop() if len(counts) == 1 else None
    if resource.devices_per_node is not None and (not kinds or found[0].chips):
        per_node = resource.devices_per_node
    if models:
        device = models[0] if len(models) == 1 else None
    elif device is not None:
        models = (device,)
    return Described(name, device, per_node, resource.partition, models)


def machines(count: Count, match: Match) -> Count:
    """A count in machines of one candidate; a pool may bound devices or memory instead.

    What must run is rounded up and a bound down, as a machine that would pass it is not started.
    """
    kind = match.kind
    if count.unit not in ("devices", "memory_mib"):
        return instances(count, match.candidate, kind.vcpus if kind else None)
    size = None
    if kind is not None and count.unit == "devices":
        size = max(1, int(kind.devices))
    elif kind is not None and kind.host_memory_gib:
        size = int(kind.host_memory_gib * 1024)
    if size is None:
        return Count(None, None, None)
    low, planned = (None if n is None else -(-n // size) for n in count[:2])
    return Count(low, planned, None if count.max is None else count.max // size)


class _Side:
    """Works out one side; collects reasons and issues on the way."""

    def __init__(self, resource: Resource, index: TypeIndex, rates: Rates) -> None:
        self.resource, self.index, self.rates = resource, index, rates
        self.reasons: list[Message] = []
        self.issues: list[Issue] = []

    def cost(self) -> Cost:
        resource = self.resource
        matches = self.index.matches(resource)
        if not resource.certain:
            return self._cost(UNKNOWN, resource.counts)
        if resource.billing in _OWN_LISTS:
            return self._own_list(matches)
        if not matches:
            self._say("check.no_machine")
            return self._cost(UNPRICED, resource.counts)
        if resource.billing == "prepaid":
            return self._cost(UNPRICED, resource.counts)
        found: list[_Option] = []
        missing: list[str] = []
        unsaid: list[Message] = []
        for match in matches:
            said = list(self.reasons)
            option = self._option(match)
            if option is not None:
                found.append(option)
                continue
            missing.append(_name(match))
            unsaid.extend(r for r in self.reasons if r not in said)
            self.reasons = said
        if not found:
            self.reasons.extend(unsaid[:_MOST_NAMED])
            return self._cost(UNPRICED, self._count(matches[0]))
        if missing:
            self.reasons.append(message("check.some_unpriced", types=_listed(missing)))
        return self._join(found, [m for m in matches if m.listed])

    def _cost(self, status: str, count: Count) -> Cost:
        """A side without a price: certain to cost nothing only where it can have no instance."""
        if count.max == 0 and status == UNPRICED:
            return NOTHING._replace(
                counts=count, issues=tuple(self.issues), reasons=tuple(self.reasons)
            )
        planned = ZERO if count.planned == 0 else None
        return Cost(
            status, planned, planned, planned, None, count,
            None, tuple(self.issues), tuple(self.reasons),
        )  # fmt: skip

    def _count(self, match: Match) -> Count:
        return machines(self.resource.counts, match)

    def _join(self, found: list[_Option], listed: list[Match]) -> Cost:
        """Several candidates: a range; the figure is the first listed one's on demand, else the
        cheapest, which is what the cloud's allocation strategies do by default."""
        first = next((o for o in found if o.match in listed[:1]), None)
        known = [o for o in found if o.expected is not None]
        cheapest = min(known, key=lambda o: (o.expected or ZERO, o.each)) if known else None
        by_order = self.resource.purchase == ON_DEMAND and first in known
        chosen = first if by_order else cheapest
        shown = chosen or first or found[0]
        if len(found) > 1 and chosen is not None:
            text = "check.first_candidate" if by_order else "check.cheapest_candidate"
            self.reasons.append(message(text, type=_name(chosen.match), count=len(found)))
        self._say_where(found)
        expected = chosen.expected if chosen else None
        count = shown.counts
        if count.planned is None:
            self.reasons.append(self._each(shown))
        maxima = [None if o.counts.max is None else o.each * o.counts.max for o in found]
        bounds = [m for m in maxima if m is not None]
        maximum = max(bounds) if len(bounds) == len(maxima) else None
        if count.max is None:
            self.reasons.append(message("check.unbounded"))
        known_place = self.resource.region is not None or count.max == 0
        known_count = count.planned is not None
        status = PRICED if known_place and known_count else UNKNOWN
        if count.planned is None:
            return Cost(
                status, None, None, None, maximum, count,
                shown.used, tuple(self.issues), tuple(self.reasons),
            )  # fmt: skip
        return Cost(
            status,
            expected,
            min(o.low for o in found),
            max(o.high for o in found),
            maximum,
            count,
            shown.used,
            tuple(self.issues),
            tuple(self.reasons),
        )

    def _say_where(self, found: list[_Option]) -> None:
        """One reason for all candidates: what they cost in the regions where they are sold."""
        spans = [o.anywhere for o in found if o.anywhere is not None]
        if spans:
            names = [o.match.kind.name if o.match.kind else _name(o.match) for o in found]
            self._say(
                "check.any_region",
                type=_listed(names),
                low=self._shown(min(low for low, _, _ in spans)),
                high=self._shown(max(high for _, high, _ in spans)),
                regions=max(regions for _, _, regions in spans),
            )

    def _each(self, option: _Option) -> Message:
        return message("check.count_unknown", price=self._shown(option.each))

    def _option(self, match: Match) -> _Option | None:
        count = self._count(match)
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
                self._say("check.no_pair", machine=resource.type, device=resource.device)
            return tables or None
        if kind is None:
            self.reasons.append(message("check.type_unknown", type=_name(match)))
            return None
        self._judge_sale(kind)
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

    def _judge_sale(self, kind: InstanceType) -> None:
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
        places = sorted({place for table in tables.values() for place in table})
        shown = ", ".join(places[:6]) + (", …" if len(places) > 6 else "")
        name = match.kind.name if match.kind and not self.resource.attached else _name(match)
        text = message("check.not_in_region", type=name, region=region, known=shown)
        self.issues.append(Issue(NOT_SOLD_THERE, text))

    def _here(self, match: Match, count: Count, prices: Mapping[str, Hourly]) -> _Option:
        """The group in one region."""
        if self.resource.purchase == MIXED and self.resource.split is not None:
            return self._mixed(match, count, prices, self.resource.split)
        chosen = self._terms(prices)
        priced = chosen.priced
        planned = count.planned or 0
        return _Option(
            match, count, priced.price * planned, priced.low * planned, priced.high * planned,
            priced.price, _used(chosen),
        )  # fmt: skip

    def _terms(self, prices: Mapping[str, Hourly]) -> Hourly:
        """The price on the terms asked for; on demand is the ceiling where none is known."""
        wanted = self._wanted()
        if self.resource.purchase == UNKNOWN_PURCHASE:
            self._say("check.purchase_unknown")
        if wanted == CAPACITY_BLOCK:
            self._say("check.prepaid")
        found = prices.get(wanted)
        if found is not None:
            if wanted == SPOT:
                self._say("check.spot_price")
            return found
        self._say("check.no_option_price", option=wanted)
        return prices[ON_DEMAND]

    def _mixed(
        self, match: Match, count: Count, prices: Mapping[str, Hourly], split: Split
    ) -> _Option:
        """On demand up to the base and its share above it, the rest spot."""
        on_demand = prices.get(ON_DEMAND)
        spot = prices.get(SPOT) or on_demand
        on_demand = on_demand or spot
        assert on_demand is not None and spot is not None, "one of both is known"
        if SPOT not in prices:
            self._say("check.no_option_price", option=SPOT)
        base, rest = self._shares(match, count.planned, self.resource.counts.planned, split)
        most_base, most_rest = self._shares(match, count.max, self.resource.counts.max, split)
        self._say(
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
        return _Option(
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
    ) -> _Option:
        """No region is known: the range over all, and no figure."""
        regions = sorted({region for table in tables.values() for region in table})
        found: list[_Option] = []
        said = list(self.reasons)
        for region in regions:
            prices = {option: table[region] for option, table in tables.items() if region in table}
            if ON_DEMAND in prices or self._wanted() in prices:
                found.append(self._here(match, count, prices))
        # What is said about the terms holds everywhere, what about one region's prices does not.
        self.reasons = [r for r in self.reasons if r in said or r.id in _EVERYWHERE]
        return _Option(
            match,
            count,
            ZERO if count.planned == 0 else None,
            min(o.low for o in found),
            max(o.high for o in found),
            max(o.each for o in found),
            None,
            (min(o.each for o in found), max(o.each for o in found), len(found)),
        )

    def _shown(self, value: Decimal) -> str:
        return format_price(value.quantize(Decimal("0.0001")), self.rates.market.currency)

    def _say(self, id: str, **params: object) -> None:
        text = message(id, **params)
        if text not in self.reasons:
            self.reasons.append(text)

    def _own_list(self, matches: tuple[Match, ...]) -> Cost:
        """SageMaker, Vertex AI and Cloud Run: dearer than the machine, by a list not held."""
        service = _OWN_LISTS[self.resource.billing]
        kind = next((m.kind for m in matches if m.kind is not None), None)
        region = self.resource.region
        listed = self.rates.of(kind).get(ON_DEMAND, {}) if kind is not None else {}
        floor = listed.get(region) if region is not None else None
        if floor is not None and kind is not None:
            self._say(
                "check.own_list_floor",
                service=service,
                type=kind.name,
                price=format_price(floor.priced.price, self.rates.market.currency),
            )
        else:
            self._say("check.own_list", service=service)
        return self._cost(UNPRICED, self._count(matches[0]) if matches else self.resource.counts)


def pairing_issues(reasons: tuple[Message, ...]) -> tuple[Issue, ...]:
    """What the parsers saw to be impossible."""
    return tuple(Issue(PAIRING, r) for r in reasons if r.id == "iac.impossible_pairing")


def _listed(names: list[str]) -> str:
    """The first few names."""
    shown = ", ".join(names[:_MOST_NAMED])
    return f"{shown}, … ({len(names)})" if len(names) > _MOST_NAMED else shown


def _name(match: Match) -> str:
    return match.candidate.type or (match.kind.name if match.kind else "any")


def _used(hourly: Hourly) -> PriceUsed:
    offer = hourly.priced.offer
    as_of = max(offer.confirmed_on or offer.as_of, offer.as_of)
    return PriceUsed(
        hourly.priced.price, offer.provider, offer.option, offer.source, as_of, offer.confidence,
        hourly.on_demand, hourly.priced.own, hourly.priced.age.age_days, hourly.priced.age.level,
    )  # fmt: skip
