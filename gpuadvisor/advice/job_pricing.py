"""What one job costs on each purchase option, and when it is done."""

from collections.abc import Mapping
from decimal import Decimal
from math import inf
from typing import TYPE_CHECKING, Any

from gpuadvisor.advice.estimate_result import Hours, Spread
from gpuadvisor.advice.job_request import JobRequest
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import (
    CALENDAR,
    CAPACITY_BLOCK,
    COMMITMENTS,
    FLEX_START,
    SPOT,
    Offer,
)
from gpuadvisor.cost.billing import billed_hours, binding, block_hours, spot_notice_seconds
from gpuadvisor.cost.money import scale

if TYPE_CHECKING:
    from gpuadvisor.advice.spot_job import SpotJob


def times(spread: Spread, factor: float) -> Spread:
    """Every part of a range times a factor."""
    return Spread(*(scale(part, factor) for part in spread))


def spot_of(
    offer: Offer, hours: float | None, asked: JobRequest, instances: int
) -> "SpotJob | None":
    """What interruptions make of the job; the model is imported for jobs on spot alone."""
    if hours is None or offer.option != SPOT:
        return None
    from gpuadvisor.advice.spot_job import spot_job

    return spot_job(asked, offer.provider, offer.interruption, hours, instances)


def against(
    spot: "SpotJob | None", price: Decimal | None, on_demand: Decimal | None
) -> "SpotJob | None":
    """The job with the hazard up to which spot is the cheaper."""
    if spot is None or not price or not on_demand:
        return spot
    from gpuadvisor.advice.spot_job import pays_below

    return spot._replace(pays_below=pays_below(spot, float(price / on_demand)))


def notice(rules: Mapping[str, Any], spot: "SpotJob | None") -> tuple[Message, ...]:
    """Whether a checkpoint can be written in the warning before a machine goes (F5)."""
    seconds = spot_notice_seconds(rules)
    if spot is None or seconds is None or not spot.run.checkpoints:
        return ()
    needed = spot.run.checkpoint[1] * 3600
    name = "notice_fits" if needed <= seconds else "notice_short"
    return (message(f"estimate.{name}", needed=f"{needed:.0f}", seconds=f"{seconds:g}"),)


def job_bill(
    spread: Spread,
    rules: Mapping[str, Any],
    offer: Offer,
    work: float | None,
    spot: "SpotJob | None",
) -> Spread | None:
    """One run at the hours it is billed for; a commitment is not bought for one run.

    None too where interruptions hardly let it finish.
    """
    if work is None or offer.option in COMMITMENTS:
        return None
    if spot is not None:
        return _spot_bill(spread, rules, spot)
    hours: float | None = billed_hours(rules, work)
    if offer.option in (CAPACITY_BLOCK, CALENDAR):
        hours = block_hours(rules, offer.option, work)
    if offer.option == FLEX_START and not _within_flex(rules, work):
        hours = None
    return None if hours is None else times(spread, hours)


def _spot_bill(spread: Spread, rules: Mapping[str, Any], spot: "SpotJob") -> Spread | None:
    """Prices and billed hours favourable, expected and unfavourable together."""
    if not spot.feasible:
        return None
    cases = []
    for rate, case in zip(spread, spot.outlooks, strict=True):
        if case.billed == inf:
            # Only the unfavourable case can be hopeless here: there is no upper end to name.
            return None
        launches = 1 + round(case.interruptions)
        cases.append(scale(rate, billed_hours(rules, case.billed, launches)))
    return Spread(*cases)


def _within_flex(rules: Mapping[str, Any], hours: float) -> bool:
    found = binding(rules, FLEX_START)
    return found is None or found.max_days is None or hours <= found.max_days * 24


def finish_hours(
    rules: Mapping[str, Any], offer: Offer, work: float | None, spot: "SpotJob | None"
) -> Hours | None:
    """When a run is done after it starts; interruptions of spot can only make it later."""
    if work is None or offer.option in COMMITMENTS:
        return None
    if spot is not None:
        if not spot.feasible:
            return Hours(work, None, None)
        return Hours(*(None if c.finish == inf else c.finish for c in spot.outlooks))
    if offer.option == FLEX_START and not _within_flex(rules, work):
        return None
    return Hours(work, work, work)
