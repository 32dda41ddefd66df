"""`quote()`: firm prices for a customer, and apart from them what they cost us."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from gpuadvisor.advice.estimate import estimate
from gpuadvisor.advice.estimate_request import EstimateRequest
from gpuadvisor.advice.estimate_result import Estimate, EstimateOption, Item
from gpuadvisor.advice.quote_fine_print import (
    Body,
    Draft,
    assumptions_of,
    cited,
    number_of,
    price_remarks,
    rates_of,
)
from gpuadvisor.advice.quote_lines import (
    Priced,
    Sold,
    alternatives,
    chosen,
    cost_line,
    firm_options,
    line_of,
    notes_for_seller,
    settled,
    spot_of,
    usage_hours,
)
from gpuadvisor.advice.quote_need import need_of, remarks_of, work_of
from gpuadvisor.advice.quote_request import QuoteRequest, quote_request
from gpuadvisor.advice.quote_result import (
    ASKED,
    MONTH,
    RUN,
    Answer,
    Internal,
    Proposal,
    Quote,
    Work,
)
from gpuadvisor.advice.quote_tiers import Tier, Tiers, tiers_of
from gpuadvisor.advice.request import Request
from gpuadvisor.advice.result import Range
from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import Offer
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cost.billing import DEFAULT_CAPITAL_COST


def quote(request: QuoteRequest | Mapping[str, Any], catalog: Catalog | None = None) -> Answer:
    """Quote firm prices for a workload (good, better, best) or for named machines.

    `request` is a `QuoteRequest` or a mapping of flag names to values. Raises UsageError for
    unknown names and impossible values; RefusedError where nothing meets the demand, fits the
    budget, or has a firm price.
    """
    if not isinstance(request, QuoteRequest):
        request = quote_request(request)
    catalog = catalog or load_catalog()
    day = request.base.today or datetime.datetime.now(datetime.UTC).date().isoformat()
    # One day for all steps, also where midnight falls between them.
    base = request.base._replace(today=day)
    asked = request.asked
    if isinstance(asked, EstimateRequest):
        body = _asked(catalog, request, asked._replace(base=base))
    else:
        body = _tiers(catalog, request, base)
    return _answer(catalog, request, day, body)


# -- machines for a workload -----------------------------------------------------------------


def _tiers(catalog: Catalog, request: QuoteRequest, base: Request) -> Body:
    found = tiers_of(catalog, base, request.purchase, request.terms.markup)
    sold = _sold(catalog, request, found.per)
    drafts = tuple(_tier(catalog, request, base, found, tier, sold) for tier in found.tiers)
    remarks = [remark for tier in found.tiers for remark in remarks_of(found.context, tier.choice)]
    return Body(
        found.per,
        round(found.context.needs.hours, 2),
        need_of(found.context),
        drafts,
        found.notes,
        None,
        _unique(remarks),
        catalog.in_use(p.provider.name for p in found.context.places),
    )


def _unique(remarks: Iterable[Message]) -> tuple[Message, ...]:
    found: list[Message] = []
    for remark in remarks:
        if remark not in found:
            found.append(remark)
    return tuple(found)


def _tier(
    catalog: Catalog, request: QuoteRequest, base: Request, found: Tiers, tier: Tier, sold: Sold
) -> Draft:
    """A tier priced anew by `estimate`, which knows every way of paying for its machines."""
    choice = tier.choice
    offer, instances = choice.draft.priced.offer, choice.draft.size.instances
    hours = usage_hours(choice.hours)
    asked = Request(
        currency=base.currency, region=(f"{offer.provider}/{offer.region}",), prices=base.prices,
        discounts=base.discounts, fx=base.fx, today=base.today, max_age=base.max_age,
        hours_per_month=hours.expected if found.per == MONTH else None,
    )  # fmt: skip
    what = f"{instances} x {offer.provider}/{offer.instance_type}"
    priced = estimate(
        EstimateRequest((what,), asked, None, None, 0.0, DEFAULT_CAPITAL_COST), catalog
    )
    item = priced.lines[0]
    option = next((o for o in firm_options(item) if _same_terms(o, offer)), None)
    if option is None:
        raise RefusedError(message("quote.no_firm_price", what=what, why=message("quote.no_price")))
    line = line_of(sold, item, option, Decimal(instances), hours, alone=False)
    work = work_of(found.context, choice)
    return _draft(request, sold, tier.names, tier.why, [(line, item)], hours, priced, work)


def _same_terms(o: EstimateOption, offer: Offer) -> bool:
    return (o.option, o.term, o.cls, o.payment) == (
        offer.option, offer.term, offer.cls, offer.payment,
    )  # fmt: skip


# -- machines as named -----------------------------------------------------------------------


def _asked(catalog: Catalog, request: QuoteRequest, asked: EstimateRequest) -> Body:
    per = MONTH if asked.job_hours is None else RUN
    sold = _sold(catalog, request, per)
    priced = estimate(asked, catalog)
    hours = asked.job_hours or priced.hours
    items = [_firm_item(priced, what) for what in asked.what]
    demand = None
    lines: list[tuple[Priced, Item]]
    if request.curve is None:
        used = usage_hours(Range(hours, hours, hours))
        lines = [(_line(request, sold, item, used), item) for item in items]
    else:
        from gpuadvisor.advice.quote_demand import demand_lines

        used = Range(hours, hours, hours)
        demand, found = demand_lines(request, sold, items[0])
        lines = [(line, items[0]) for line in found]
    why = (message("quote.why_asked"),)
    draft = _draft(request, sold, (ASKED,), why, lines, used, priced, None)
    remarks = (*(note for item in items for note in notes_for_seller(item)), *priced.warnings)
    return Body(per, used.expected, (), (draft,), (), demand, _unique(remarks), priced.versions)


def _firm_item(priced: Estimate, what: str) -> Item:
    """The first way to provide a WHAT that has a firm price."""
    items = [item for item in priced.items if item.what == what]
    found = next((item for item in items if firm_options(item)), None)
    if found is None:
        reasons = [o.why_not for item in items[:1] for o in item.options if o.why_not is not None]
        why = reasons[0] if reasons else message("quote.no_price")
        raise RefusedError(message("quote.no_firm_price", what=what[:80], why=why))
    return found


def _line(request: QuoteRequest, sold: Sold, item: Item, hours: Range) -> Priced:
    options = firm_options(item)
    option = options[chosen(options, request.purchase, hours.expected, sold.per)]
    return line_of(sold, item, option, Decimal(item.instances), hours, alone=False)


# -- both ------------------------------------------------------------------------------------


def _sold(catalog: Catalog, request: QuoteRequest, per: str) -> Sold:
    def cite(option: EstimateOption) -> str | None:
        if option.own or option.offer is None:
            return None
        key = option.offer.source
        return key.rpartition("#")[2] if catalog.shipped_source(key) is not None else None

    return Sold(request.terms.markup, request.base.currency, per, cite)


def _draft(
    request: QuoteRequest,
    sold: Sold,
    names: tuple[str, ...],
    why: tuple[Message, ...],
    priced: Sequence[tuple[Priced, Item]],
    hours: Range,
    behind: Estimate,
    work: Work | None,
) -> Draft:
    tax, currency = request.terms.tax, sold.currency
    lines, total = settled([line for line, _ in priced], tax, currency)
    if total.subtotal <= 0:
        raise RefusedError(message("quote.below_a_coin", currency=currency))
    spot = []
    if request.curve is None:
        spot = [spot_of(sold, i, p.line.instances, hours.expected, behind.hours) for p, i in priced]
    proposal = Proposal(
        names,
        why,
        lines,
        total,
        alternatives(lines, tax, currency),
        tuple(each for each in spot if each is not None),
        work,
    )
    costs = tuple(
        cost_line(names[0], before, line.amount)
        for (before, _), line in zip(priced, lines, strict=True)
    )
    shown = {(w.option, w.term, w.cls, w.payment) for line in lines for w in line.ways}
    options = tuple(
        o
        for _, item in priced
        for o in firm_options(item)
        if (o.option, o.term, o.cls, o.payment) in shown
    )
    return Draft(proposal, costs, options)


def _answer(catalog: Catalog, request: QuoteRequest, day: str, body: Body) -> Answer:
    terms, base = request.terms, request.base
    shown = [option for draft in body.drafts for option in draft.shown]
    offers = [option.offer for option in shown if option.offer is not None]
    until = datetime.date.fromisoformat(day) + datetime.timedelta(days=terms.valid_days)
    costs = tuple(cost for draft in body.drafts for cost in draft.costs)
    used = {offer.provider for offer in offers}
    found = Quote(
        "",
        terms.customer,
        terms.title,
        terms.prepared_by,
        day,
        until.isoformat(),
        terms.valid_days,
        base.currency,
        body.per,
        body.hours,
        rates_of(catalog, request, day, offers),
        terms.tax,
        body.need,
        tuple(draft.proposal for draft in body.drafts),
        body.left_out,
        body.demand,
        tuple(assumptions_of(body, terms.tax)),
        cited(catalog, shown),
        tuple(v for v in body.versions if v.provider in used and catalog.is_shipped(v)),
    )
    internal = Internal(
        terms.markup,
        base.discounts,
        costs,
        _unique((*price_remarks(shown), *body.remarks)),
        body.versions,
        dict(request.fields),
    )
    return Answer(found._replace(number=terms.number or number_of(found)), internal)
