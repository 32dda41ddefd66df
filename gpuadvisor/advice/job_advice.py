"""What to say about a job on spot: it cannot finish, it is unwise, it may miss its deadline."""

from collections.abc import Iterator, Sequence

from gpuadvisor.advice.estimate_request import EstimateRequest
from gpuadvisor.advice.estimate_result import EstimateOption, Item
from gpuadvisor.advice.spot_job import Deadline, deadline_of
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT
from gpuadvisor.cost.hazard import failures

WORTH_TELLING = 0.1
"""Expected stops of an on-demand job from which on they are told."""

FOR_EVER = 1e6
"""Billed time over work beyond which the factor says no more than that."""


def job_warnings(
    request: EstimateRequest, lines: Sequence[Item]
) -> tuple[list[Message], Message | None]:
    """Warnings on the job of the counted lines, and the reason to refuse it, if there is one.

    A hopeless spot job is refused where spot was asked for or anything was said about
    interruptions; a job that is longer than its deadline always.
    """
    found: list[Message] = []
    refused: Message | None = None
    wanted = request.job.asked or SPOT in request.base.purchase
    for item in lines:
        line = _of(item, SPOT)
        if line is None or line.spot is None:
            continue
        job = line.spot
        if not job.feasible:
            told = _infeasible(line)
            found.append(told)
            refused = told if wanted else refused
            continue
        if job.unwise:
            found.append(message("estimate.spot_unprotected", hours=f"{job.work:g}"))
        usual = _of(item, ON_DEMAND)
        paid = None if usual is None else usual.job
        if paid is not None and line.job is not None and line.job.expected >= paid.expected:
            found.append(message("estimate.spot_not_worth"))
        deadline = option_deadline(request, item)
        if deadline is not None and deadline.met is not True:
            found.append(_late(line, deadline))
    found.extend(_failures(request, lines))
    limit, work = request.job.deadline, request.job_hours
    if limit is not None and work is not None and work > limit:
        refused = message("estimate.deadline_impossible", hours=f"{work:g}", limit=f"{limit:g}")
        found.append(refused)
    return found, refused


def _failures(request: EstimateRequest, lines: Sequence[Item]) -> Iterator[Message]:
    """Machines stop by themselves as well; told once a tenth of a stop is expected."""
    work = request.job_hours or 0.0
    for item in lines:
        devices = item.type.devices * item.instances
        stops = failures(devices).expected * work
        if stops >= WORTH_TELLING and _of(item, ON_DEMAND) is not None:
            yield message(
                "estimate.failures", count=f"{stops:.1f}", devices=f"{devices:g}", hours=f"{work:g}"
            )


def option_deadline(request: EstimateRequest, item: Item) -> Deadline | None:
    """The spot job of an item against the deadline; None where either is not given."""
    line = _of(item, SPOT)
    limit = request.job.deadline
    if line is None or line.spot is None or limit is None or not line.spot.feasible:
        return None
    usual = _of(item, ON_DEMAND)
    ratio = None
    if usual is not None and usual.price_per_hour and line.price_per_hour is not None:
        ratio = float(line.price_per_hour / usual.price_per_hour)
    return deadline_of(line.spot, limit, ratio)


def _of(item: Item, option: str) -> EstimateOption | None:
    return next((o for o in item.options if o.option == option and o.available), None)


def _infeasible(line: EstimateOption) -> Message:
    job = line.spot
    assert job is not None
    times = job.outlooks.expected.billed / job.work
    facts = {
        "hours": f"{job.work:g}",
        "rate": f"{job.hazard.expected:.3g}",
        "times": message("estimate.spot_for_ever")
        if times > FOR_EVER
        else message("estimate.spot_times", times=f"{times:,.0f}"),
    }
    if job.saved_by is None:
        return message(
            "estimate.spot_infeasible", advice=message("estimate.spot_hopeless"), **facts
        )
    minutes = f"{job.saved_by * 60:.0f}"
    advice = message("estimate.spot_saved", minutes=minutes)
    return message("estimate.spot_infeasible", advice=advice, **facts)


def _late(line: EstimateOption, deadline: Deadline) -> Message:
    assert line.spot is not None
    cases = line.spot.outlooks
    return message(
        "estimate.spot_late" if deadline.met is False else "estimate.spot_may_be_late",
        low=f"{cases.low.finish:.1f}",
        high=f"{cases.high.finish:.1f}",
        limit=f"{deadline.hours:g}",
        switch=f"{deadline.switch_after:.1f}",
        least=message("estimate.rescue_unknown")
        if deadline.least_share is None
        else message("estimate.rescue_cost", percent=f"{min(deadline.least_share, 1) * 100:.0f}"),
    )
