"""Every purchase option of an instance type in a region, side by side, bought or not."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.advice.estimate_result import EstimateOption, Spread
from gpuadvisor.advice.job_pricing import against, finish_hours, job_bill, notice, spot_of, times
from gpuadvisor.advice.job_request import UNSAID, JobRequest
from gpuadvisor.advice.pricing import Priced, Pricing, invented, price
from gpuadvisor.advice.unavailable import (
    Market,
    blank,
    missing,
    not_sold,
    retired,
    retired_message,
)
from gpuadvisor.advice.what import Provision
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import (
    CALENDAR,
    CAPACITY_BLOCK,
    COMMITMENTS,
    ON_DEMAND,
    PURCHASE_OPTIONS,
    SPOT,
    InstanceType,
    Offer,
)
from gpuadvisor.cost.billing import (
    HOURS_PER_MONTH,
    Binding,
    binding,
    block_hours,
    break_even_hours_per_month,
    effective_hourly,
    paid_hours,
    spot_notice_seconds,
    sustained_use_factor,
    term_months,
)
from gpuadvisor.cost.money import scale

PARTIAL_SHARE = 0.5
"""Share of a partial upfront price that is paid at once, where the catalog does not say."""


class Usage(NamedTuple):
    """How much is used: hours a month, of one job, months of the period; and the terms on it."""

    hours: float
    job_hours: float | None
    months: int | None
    markup: float
    capital_cost: float
    job: JobRequest = UNSAID


def purchase_options(
    pricing: Pricing,
    usage: Usage,
    provision: Provision,
    market: Market,
    wanted: Sequence[str],
    named: bool = False,
) -> tuple[EstimateOption, ...]:
    """The options in the design's order; those in `wanted` alone when it names any.

    `named` says that the user named the type, and not a device that it has.
    """
    kind = provision.type
    own = [
        offer
        for offer in invented(pricing, kind, [market.region], named)
        if all(offer.option != known.option for known in market.here)
    ]
    offers = [*market.here, *own]
    ceiling = next((o.price for o in offers if o.option == ON_DEMAND), None)
    found: list[EstimateOption] = []
    for option in wanted or PURCHASE_OPTIONS:
        mine = sorted((o for o in offers if o.option == option), key=_term_order)
        for offer in mine:
            found.append(_offered(pricing, usage, provision, market, offer, ceiling))
        found.extend(missing(kind, market, option, mine, named=bool(wanted)))
    reference = next((o for o in found if o.option == ON_DEMAND and o.available), None)
    return tuple(_against(line, reference) for line in found)


def _term_order(offer: Offer) -> tuple[int, str, str, str]:
    return (months_of(offer.term) or 0, offer.term or "", offer.cls or "", offer.payment or "")


def months_of(term: str | None) -> int | None:
    """Whole months of a term; None for a block's days and for no term."""
    try:
        return None if term is None else term_months(term)
    except ValueError:
        return None


# -- an option with a price ------------------------------------------------------------------


def _offered(
    pricing: Pricing,
    usage: Usage,
    provision: Provision,
    market: Market,
    offer: Offer,
    ceiling: Decimal | None,
) -> EstimateOption:
    kind = provision.type
    priced = price(pricing, offer, ceiling)
    why_not = None if priced.own else _why_not(pricing, kind, market, offer, priced)
    top = Decimal(1) + Decimal(repr(usage.markup))
    listed = priced.price * top
    line = blank(offer.option, offer.term, offer.payment, offer.cls)._replace(
        why_not=why_not,
        available=why_not is None,
        offer=offer,
        own=priced.own,
        published_per_hour=listed,
        binding=binding(market.rules, offer.option, offer.cls, kind.family),
        age_level=priced.age.level,
    )
    if why_not is not None and not (retired(kind, market.today) and offer.option in _RUNNING):
        return line
    # A machine that is still running on a retired type pays its published price.
    share = _sustained(market.rules, offer, kind, usage.hours)
    spread = Spread(
        *(p * top * provision.instances for p in (priced.low, priced.price, priced.high))
    )
    hours = _monthly_hours(market.rules, offer.option, usage.hours)
    monthly = times(spread, hours * share)
    spot = spot_of(offer, usage.job_hours, usage.job, provision.instances)
    return line._replace(
        price_per_hour=listed,
        published_per_hour=None,
        effective_per_hour=_effective(listed, offer, usage, share),
        monthly=monthly,
        period=_period(monthly, offer, usage),
        job=job_bill(spread, market.rules, offer, usage.job_hours, spot),
        finish_hours=finish_hours(market.rules, offer, usage.job_hours, spot),
        spot=spot,
        notes=(
            *_notes(market.rules, offer, line.binding, share, priced),
            *notice(market.rules, spot),
        ),
    )


_RUNNING = frozenset({ON_DEMAND, SPOT})


def _why_not(
    pricing: Pricing, kind: InstanceType, market: Market, offer: Offer, priced: Priced
) -> Message | None:
    if retired(kind, market.today):
        return retired_message(kind)
    if offer.option not in kind.sold:
        return not_sold(kind, published=True)
    if pricing.max_age is not None and priced.age.age_days > pricing.max_age:
        return message("estimate.too_old", days=priced.age.age_days, limit=pricing.max_age)
    return None


def _sustained(rules: Mapping[str, Any], offer: Offer, kind: InstanceType, hours: float) -> float:
    if offer.option != ON_DEMAND:
        return 1.0
    return sustained_use_factor(rules, kind.family, hours)


def _monthly_hours(rules: Mapping[str, Any], option: str, hours: float) -> float:
    """Hours that a month with `hours` of use is charged for."""
    if option not in (CAPACITY_BLOCK, CALENDAR):
        return paid_hours(option, hours)
    if hours >= HOURS_PER_MONTH:
        return hours
    return min(block_hours(rules, option, hours) or hours, HOURS_PER_MONTH)


def _effective(listed: Decimal, offer: Offer, usage: Usage, share: float) -> Decimal:
    """The hourly rate with the upfront part spread over the term (design notes F11)."""
    upfront = {"all_upfront": 1.0, "partial_upfront": PARTIAL_SHARE}.get(offer.payment or "", 0.0)
    months = months_of(offer.term)
    if not upfront or months is None:
        return listed if share == 1.0 else scale(listed, share)
    spread = effective_hourly(
        1 - upfront, upfront * months * HOURS_PER_MONTH, months, usage.capital_cost
    )
    return scale(listed, spread)


def _period(monthly: Spread, offer: Offer, usage: Usage) -> Spread | None:
    """Over the months asked for; a commitment is paid for its whole term at least."""
    if usage.months is None:
        return None
    months = usage.months
    if offer.option in COMMITMENTS:
        months = max(months, months_of(offer.term) or 1)
    return times(monthly, float(months))


def _notes(
    rules: Mapping[str, Any],
    offer: Offer,
    bound: Binding | None,
    share: float,
    priced: Priced,
) -> tuple[Message, ...]:
    """What the option binds, how it is lost, and what its price leaves out."""
    found = []
    if share != 1.0:
        found.append(message("estimate.sustained", percent=f"{(1 - share) * 100:.0f}"))
    if offer.option == SPOT:
        notice = spot_notice_seconds(rules)
        if notice is not None:
            found.append(message("estimate.spot_notice", seconds=f"{notice:g}"))
        if offer.interruption is not None:
            found.append(message("estimate.interruption", bucket=offer.interruption))
        if offer.measure is not None and not priced.own:
            found.append(message(f"estimate.measure_{offer.measure}"))
            # Beyond what age widens, only the on-demand price lifts the high end.
            if float(priced.high) > float(priced.price) * (1 + priced.age.widen) * 1.001:
                found.append(message("estimate.spot_ceiling"))
    if bound is not None:
        found.extend(_bound_notes(offer, bound))
    return tuple(found)


def _bound_notes(offer: Offer, bound: Binding) -> Iterable[Message]:
    if offer.option == CAPACITY_BLOCK:
        yield message("estimate.capacity_only")
    yield message(f"estimate.binds_{bound.binds}", scope=message(f"estimate.scope_{bound.scope}"))
    if offer.cls == "convertible":
        yield message("estimate.convertible")
    if bound.needs_reservation:
        yield message("estimate.needs_reservation")
    if bound.max_days is not None:
        yield message("estimate.max_days", days=f"{bound.max_days:g}")
    if bound.upfront:
        yield message("estimate.upfront")
    if bound.unused == "not_charged":
        yield message("estimate.queued")
    elif offer.option in COMMITMENTS and not bound.cancellable:
        yield message("estimate.unused_lost")
    if offer.option in COMMITMENTS and not bound.reserves_capacity:
        yield message("estimate.no_capacity")


# -- against on demand -----------------------------------------------------------------------


def _against(line: EstimateOption, reference: EstimateOption | None) -> EstimateOption:
    """Saving of the month and break-even hours, where on demand can be bought at all."""
    if reference is None or reference.monthly is None or line.option == ON_DEMAND:
        return line
    if not line.available or line.monthly is None or line.effective_per_hour is None:
        return line
    whole = reference.monthly.expected
    saving = float(1 - line.monthly.expected / whole) if whole else None
    hours = None
    if line.option in COMMITMENTS and reference.price_per_hour:
        hours = break_even_hours_per_month(
            float(line.effective_per_hour), float(reference.price_per_hour)
        )
    spot = against(line.spot, line.price_per_hour, reference.price_per_hour)
    return line._replace(saving=saving, break_even_hours=hours, spot=spot)
