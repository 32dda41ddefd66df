"""The fine print of a quote: number, rates, sources, assumptions, and what the seller checks."""

import json
from collections.abc import Iterable
from decimal import Decimal
from hashlib import sha256
from typing import NamedTuple

from gpuadvisor.advice.estimate_result import EstimateOption
from gpuadvisor.advice.quote_request import QuoteRequest
from gpuadvisor.advice.quote_result import MONTH, Cited, CostLine, Demand, Proposal, Quote
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import Offer
from gpuadvisor.catalog.store import Catalog, PriceVersion
from gpuadvisor.cost.exchange import Exchange, parse_rate
from gpuadvisor.cost.exchange import Quote as Rate
from gpuadvisor.cost.staleness import FRESH


class Draft(NamedTuple):
    """A proposal with what it costs us and the options behind it, `shown` to the customer."""

    proposal: Proposal
    costs: tuple[CostLine, ...]
    shown: tuple[EstimateOption, ...]


class Body(NamedTuple):
    """What the two kinds of quote differ in."""

    per: str
    hours: float
    need: tuple[Message, ...]
    drafts: tuple[Draft, ...]
    left_out: tuple[Message, ...]
    demand: Demand | None
    remarks: tuple[Message, ...]
    versions: tuple[PriceVersion, ...]


def number_of(found: Quote) -> str:
    """The date and a digest of what the customer sees of it.

    Nothing else may go into it: whoever knows the rest could try markups until the digest fits.
    """
    seen = [
        found.customer, found.title, found.prepared_by, found.valid_until, found.currency,
        found.per, found.hours, str(found.tax),
        [
            [p.names, str(p.total.total)]
            + [
                [*n.machine, str(n.instances), str(n.amount), n.way.option, n.way.term]
                for n in p.lines
            ]
            for p in found.proposals
        ],
    ]  # fmt: skip
    digest = sha256(json.dumps(seen, ensure_ascii=False).encode()).hexdigest()[:6].upper()
    return f"Q-{found.today.replace('-', '')}-{digest}"


def rates_of(
    catalog: Catalog, request: QuoteRequest, day: str, offers: Iterable[Offer]
) -> tuple[Rate, ...]:
    """Exchange rates behind the prices, and the one that the budget is read with."""
    base = request.base
    exchange = Exchange(catalog.rates(), day, dict(parse_rate(text) for text in base.fx))
    others = {offer.currency for offer in offers}
    if base.budget is not None:
        others.add(base.budget.currency)
    return tuple(exchange.quote(other, base.currency) for other in sorted(others - {base.currency}))


def assumptions_of(body: Body, tax: Decimal | None) -> Iterable[Message]:
    """What the customer should know; texts of other commands speak of flags and of our terms."""
    yield message("quote.assume_firm")
    if any(w.term for d in body.drafts for line in d.proposal.lines for w in line.ways):
        yield message("quote.assume_committed")
    works = [d.proposal.work for d in body.drafts if d.proposal.work is not None]
    if works:
        sized = body.per == MONTH and any(work.headroom is not None for work in works)
        yield message("quote.assume_sized" if sized else "quote.assume_speed")
    yield message("quote.assume_machines")
    if any(w.source is None for d in body.drafts for line in d.proposal.lines for w in line.ways):
        yield message("quote.assume_own_prices")
    if any(d.proposal.spot for d in body.drafts):
        yield message("quote.assume_spot")
    if tax is None:
        yield message("quote.assume_no_tax")


def cited(catalog: Catalog, shown: Iterable[EstimateOption]) -> tuple[Cited, ...]:
    found: dict[str, Cited] = {}
    for option in shown:
        offer = option.offer
        source = None if offer is None or option.own else catalog.shipped_source(offer.source)
        if offer is not None and source is not None:
            name = offer.source.rpartition("#")[2]
            found[name] = Cited(name, source)
    return tuple(found[name] for name in sorted(found))


def price_remarks(shown: Iterable[EstimateOption]) -> Iterable[Message]:
    """What to look at before a price is promised."""
    for option in shown:
        offer = option.offer
        if offer is None or option.own:
            continue
        what = {
            "type": offer.instance_type,
            "option": message(f"estimate.option_{option.option}"),
            "term": f" {option.term}" if option.term else "",
        }
        if option.age_level != FRESH:
            yield message("quote.remark_stale", date=offer.confirmed_on or offer.as_of, **what)
        if offer.confidence != "official":
            yield message("quote.remark_unofficial", confidence=offer.confidence, **what)
