"""What instances would cost under a commitment; a side column, not a rank."""

from collections.abc import Sequence

from gpuadvisor.advice.drafts import Context, Draft
from gpuadvisor.advice.pricing import price
from gpuadvisor.advice.result import Commitment
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import COMMITMENTS, SUBSCRIPTION, InstanceType
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.cost.money import scale


def committed(
    context: Context, kind: InstanceType, region: str, instances: int
) -> tuple[Commitment, ...]:
    """The cheapest rate of each option and term sold for this type in the region.

    A commitment is paid for every hour of the month, used or not.
    """
    options = [option for option in kind.sold if option in COMMITMENTS]
    if not options:
        return ()
    best: dict[tuple[str, str | None], Commitment] = {}
    for offer in context.catalog.offers(
        kind.provider, options=options, regions=[region], types=[kind.name]
    ):
        hourly = price(context.pricing, offer, None).price * instances
        found = Commitment(offer, hourly, scale(hourly, HOURS_PER_MONTH))
        key = (offer.option, offer.term)
        if key not in best or found.monthly < best[key].monthly:
            best[key] = found
    return tuple(sorted(best.values(), key=lambda c: (c.offer.term or "", c.offer.option)))


def prepaid(context: Context, over: Sequence[Draft]) -> tuple[Message, ...]:
    """Types over the budget that a month paid in advance brings under it, cheapest first.

    Mainland clouds sell a month for about 40 % of 730 hours on demand, so that the budget's best
    answer may lie there.
    """
    if context.budget is None or context.budget_per != "month" or context.request.purchase:
        return ()
    found: list[tuple[Commitment, Draft]] = []
    for draft in over:
        kind = draft.candidate.type
        if SUBSCRIPTION not in kind.sold:
            continue
        offers = committed(context, kind, draft.priced.offer.region, draft.size.instances)
        months = [c for c in offers if c.offer.option == SUBSCRIPTION]
        found += [(c, draft) for c in months if c.monthly <= context.budget]
    if not found:
        return ()
    found.sort(key=lambda pair: (pair[0].monthly, pair[1].candidate.type.name))
    shown = [
        f"{kind.provider} {kind.name} ({_share(kind)}{kind.device}) {whole.monthly:,.0f}"
        for whole, draft in found[:MOST_PREPAID]
        for kind in (draft.candidate.type,)
    ]
    oldest = min(c.offer.confirmed_on or c.offer.as_of for c, _ in found[:MOST_PREPAID])
    return (
        message(
            "advice.prepaid_fits",
            types=", ".join(shown),
            currency=context.request.currency,
            date=oldest,
        ),
    )


def _share(kind: InstanceType) -> str:
    return f"{kind.fraction} " if kind.fraction else ""


MOST_PREPAID = 3
