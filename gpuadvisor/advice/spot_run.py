"""A run on spot among `recommend`'s candidates: its hours with interruptions, or not at all."""

from typing import NamedTuple

from gpuadvisor.advice.job_request import job_request
from gpuadvisor.advice.pricing import Priced
from gpuadvisor.advice.request import Request
from gpuadvisor.advice.result import Range
from gpuadvisor.advice.spot_job import SpotJob, spot_job


class SpotRun(NamedTuple):
    """`billed` and `finish` are hours of the run, interruptions included.

    `may_be_late` says that the unfavourable case is past the deadline.
    """

    job: SpotJob
    billed: Range
    finish: Range
    may_be_late: bool


def spot_run(
    request: Request, spot: Priced, firm: Priced | None, instances: int, hours: Range
) -> SpotRun | None:
    """What interruptions make of an undisturbed run of `hours`; None where spot is no choice.

    That is where the run hardly finishes, is expected after the deadline, or costs no less than
    on the `firm` offer. Raises UsageError for a faulty flag.
    """
    asked = job_request(dict(request.job), hours.expected)
    offer = spot.offer
    job = spot_job(asked, offer.provider, offer.interruption, hours.expected, instances)
    if not job.feasible:
        return None
    cases = job.outlooks
    billed = _stretched(hours, [case.billed / job.work for case in cases])
    finish = _stretched(hours, [case.finish / job.work for case in cases])
    if firm is not None and float(spot.price) * billed.expected >= (
        float(firm.price) * hours.expected
    ):
        return None
    deadline = request.deadline_h
    if deadline is not None and finish.expected > deadline:
        return None
    return SpotRun(job, billed, finish, deadline is not None and finish.high > deadline)


def _stretched(hours: Range, factors: list[float]) -> Range:
    """Short run with few interruptions to long run with many."""
    low, expected, high = (part * factor for part, factor in zip(hours, factors, strict=True))
    return Range(low, expected, high)
