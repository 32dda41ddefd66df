"""What the chosen instances would cost under a commitment; a side column, not a rank."""

from gpuadvisor.advice.drafts import Context
from gpuadvisor.advice.pricing import price
from gpuadvisor.advice.result import Commitment
from gpuadvisor.catalog.model import COMMITMENTS, InstanceType
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
