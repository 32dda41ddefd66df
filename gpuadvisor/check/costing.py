"""The cost of one side of a finding: its candidates together -> `Cost`."""

from __future__ import annotations

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND
from gpuadvisor.check.candidate import ZERO, Candidates, Option
from gpuadvisor.check.describe import MOST_NAMED, listed, machines, name_of
from gpuadvisor.check.interface import COVERED, PRICED, UNKNOWN, UNPRICED, Cost, Issue
from gpuadvisor.check.match import Match, TypeIndex
from gpuadvisor.check.policy import PAIRING
from gpuadvisor.check.rates import Rates
from gpuadvisor.cost.money import format_price
from gpuadvisor.iac.interface import Count, Resource

NOTHING = Cost(PRICED, ZERO, ZERO, ZERO, ZERO)
"""A side that does not exist: the machine is not there, which costs nothing for certain."""

_OWN_LISTS = {"sagemaker": "SageMaker", "vertex": "Vertex AI", "run": "Cloud Run"}
"""Services with a price list of their own, which the catalog does not hold."""


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


class _Side:
    """Works out one side."""

    def __init__(self, resource: Resource, index: TypeIndex, rates: Rates) -> None:
        self.resource, self.index, self.rates = resource, index, rates
        self.pricer = Candidates(resource, rates)

    def cost(self) -> Cost:
        resource = self.resource
        matches = self.index.matches(resource)
        if not resource.certain:
            return self._cost(UNKNOWN, resource.counts)
        if resource.billing in _OWN_LISTS:
            return self._own_list(matches)
        if not matches:
            self.pricer.say("check.no_machine")
            return self._cost(UNPRICED, resource.counts)
        if resource.billing == "prepaid":
            return self._cost(UNPRICED, resource.counts)
        found: list[Option] = []
        missing: list[str] = []
        unsaid: list[Message] = []
        for match in matches:
            said = list(self.pricer.reasons)
            option = self.pricer.option(match)
            if option is not None:
                found.append(option)
                continue
            missing.append(name_of(match))
            unsaid.extend(r for r in self.pricer.reasons if r not in said)
            self.pricer.reasons = said
        if not found:
            self.pricer.reasons.extend(unsaid[:MOST_NAMED])
            return self._cost(UNPRICED, self._machines(matches[0]))
        if missing:
            self.pricer.reasons.append(message("check.some_unpriced", types=listed(missing)))
        return self._join(found, [m for m in matches if m.listed])

    def _cost(self, status: str, count: Count) -> Cost:
        """A side without a price: certain to cost nothing only where it can have no instance."""
        if count.max == 0 and status == UNPRICED:
            return NOTHING._replace(
                counts=count, issues=tuple(self.pricer.issues), reasons=tuple(self.pricer.reasons)
            )
        planned = ZERO if count.planned == 0 else None
        return Cost(
            status, planned, planned, planned, None, count,
            None, tuple(self.pricer.issues), tuple(self.pricer.reasons),
        )  # fmt: skip

    def _machines(self, match: Match) -> Count:
        return machines(self.resource.counts, match)

    def _join(self, found: list[Option], listed: list[Match]) -> Cost:
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
            self.pricer.reasons.append(message(text, type=name_of(chosen.match), count=len(found)))
        self._say_where(found)
        expected = chosen.expected if chosen else None
        count = shown.counts
        if count.planned is None:
            self.pricer.reasons.append(self._each(shown))
        maxima = [None if o.counts.max is None else o.each * o.counts.max for o in found]
        bounds = [m for m in maxima if m is not None]
        maximum = max(bounds) if len(bounds) == len(maxima) else None
        if count.max is None:
            self.pricer.reasons.append(message("check.unbounded"))
        known_place = self.resource.region is not None or count.max == 0
        known_count = count.planned is not None
        status = PRICED if known_place and known_count else UNKNOWN
        if count.planned is None:
            return Cost(
                status, None, None, None, maximum, count,
                shown.used, tuple(self.pricer.issues), tuple(self.pricer.reasons),
            )  # fmt: skip
        return Cost(
            status,
            expected,
            min(o.low for o in found),
            max(o.high for o in found),
            maximum,
            count,
            shown.used,
            tuple(self.pricer.issues),
            tuple(self.pricer.reasons),
        )

    def _say_where(self, found: list[Option]) -> None:
        """One reason for all candidates: what they cost in the regions where they are sold."""
        spans = [o.anywhere for o in found if o.anywhere is not None]
        if spans:
            names = [o.match.kind.name if o.match.kind else name_of(o.match) for o in found]
            self.pricer.say(
                "check.any_region",
                type=listed(names),
                low=self.pricer.shown(min(low for low, _, _ in spans)),
                high=self.pricer.shown(max(high for _, high, _ in spans)),
                regions=max(regions for _, _, regions in spans),
            )

    def _each(self, option: Option) -> Message:
        return message("check.count_unknown", price=self.pricer.shown(option.each))

    def _own_list(self, matches: tuple[Match, ...]) -> Cost:
        """SageMaker, Vertex AI and Cloud Run: dearer than the machine, by a list not held."""
        service = _OWN_LISTS[self.resource.billing]
        kind = next((m.kind for m in matches if m.kind is not None), None)
        region = self.resource.region
        listed = self.rates.of(kind).get(ON_DEMAND, {}) if kind is not None else {}
        floor = listed.get(region) if region is not None else None
        if floor is not None and kind is not None:
            self.pricer.say(
                "check.own_list_floor",
                service=service,
                type=kind.name,
                price=format_price(floor.priced.price, self.rates.market.currency),
            )
        else:
            self.pricer.say("check.own_list", service=service)
        return self._cost(UNPRICED, self._machines(matches[0]) if matches else self.resource.counts)


def pairing_issues(reasons: tuple[Message, ...]) -> tuple[Issue, ...]:
    """What the parsers saw to be impossible."""
    return tuple(Issue(PAIRING, r) for r in reasons if r.id == "iac.impossible_pairing")
