"""A job on spot machines: its bill and finish as ranges, and whether it can finish at all."""

from collections.abc import Mapping
from typing import NamedTuple

from gpuadvisor.advice.job_request import JobRequest
from gpuadvisor.cost.hazard import (
    GANG_EXPONENTS,
    Hazard,
    azure_hazard,
    gang,
    offered_hazard,
    own_hazard,
)
from gpuadvisor.cost.spot import (
    BOOT_HOURS,
    CHECKPOINT_HOURS,
    UNCHECKPOINTED_SHARE,
    Outlooks,
    Run,
    availability,
    best_interval,
    break_even_hazard,
    checkpoint_hours,
    deadline_cost,
    latest_switch,
    outlooks,
    restart_hours,
)
from gpuadvisor.cost.uncertainty import Swing, Triple, exactly, tornado


class SpotJob(NamedTuple):
    """What interruptions make of a job of `work` hours on `instances` that it needs together.

    `hazard` is of the whole gang. `feasible` is False where the job can hardly finish;
    `saved_by` is then the interval in hours that would save it, None where none would.
    `unwise` marks a job without checkpoints that takes too much of the time between
    interruptions. `pays_below` are the interruptions an hour, of all instances, up to which spot
    is cheaper than on demand; None where that is not known.
    """

    work: float
    instances: int
    hazard: Hazard
    run: Run
    outlooks: Outlooks
    feasible: bool
    saved_by: float | None
    unwise: bool
    pays_below: float | None = None


class Deadline(NamedTuple):
    """A spot job against its deadline, both in hours.

    `met` is True when even the unfavourable case is in time, False when not even the favourable
    one is. `switch_after` is when a job without progress must have moved to on demand, and
    `least_share` the least such a rescued job costs, as a share of all on demand.
    """

    hours: float
    met: bool | None
    switch_after: float
    least_share: float | None


def spot_job(
    asked: JobRequest,
    provider: str,
    interruption: str | None,
    work: float,
    instances: int = 1,
) -> SpotJob:
    """The model of design notes F2 to F8 with the user's figures, else the offer's statistic."""
    hazard = gang(_hazard(asked, provider, interruption), instances, GANG_EXPONENTS)
    run = run_of(asked, work)
    found = outlooks(run, hazard)
    feasible = found.expected.feasible(work)
    mean_time = 1 / hazard.expected
    return SpotJob(
        work,
        instances,
        hazard,
        run,
        found,
        feasible,
        None if feasible else _saving_interval(run, hazard),
        not run.checkpoints and work > UNCHECKPOINTED_SHARE * mean_time,
    )


def _hazard(asked: JobRequest, provider: str, interruption: str | None) -> Hazard:
    """Of one instance: the user's rate or eviction band, else the offer's own statistic."""
    said = asked.interruptions_per_hour
    if said is None:
        return offered_hazard(provider, interruption)
    if isinstance(said, tuple):
        return azure_hazard(*said)
    return own_hazard(said)


def pays_below(job: SpotJob, price_ratio: float) -> float | None:
    """Interruptions an hour up to which spot is the cheaper; None where its price is not lower."""
    return break_even_hazard(price_ratio, job.run) if price_ratio < 1 else None


def run_of(asked: JobRequest, work: float) -> Run:
    """Times of a checkpoint and a restart: said, else from the state's size, else usual."""
    checkpoint = (CHECKPOINT_HOURS / 2, CHECKPOINT_HOURS, CHECKPOINT_HOURS * 2)
    restart = BOOT_HOURS
    if asked.state_gb is not None:
        checkpoint, restart = checkpoint_hours(asked.state_gb), restart_hours(asked.state_gb)
    if asked.checkpoint is not None:
        checkpoint = (asked.checkpoint,) * 3
    if asked.restart is not None:
        restart = (asked.restart,) * 3
    return Run(work, checkpoint, restart, asked.every, asked.checkpoints)


def _saving_interval(run: Run, hazard: Hazard) -> float | None:
    """The best interval where with it the job gets through, else None."""
    helped = run._replace(checkpoints=True, interval=None)
    if not outlooks(helped, hazard).expected.feasible(run.work):
        return None
    return best_interval(helped, hazard.expected)


def deadline_of(job: SpotJob, hours: float, price_ratio: float | None) -> Deadline:
    """The job against a deadline. `price_ratio` is spot over on demand, None where unknown."""
    found = job.outlooks
    met = None
    if found.high.finish <= hours:
        met = True
    elif found.low.finish > hours:
        met = False
    restart, wait = job.run.restart[1], job.run.acquisition[1]
    least = None
    if price_ratio is not None and job.work <= hours:
        up = availability(job.hazard.expected, wait)
        # The bound knows no lost work; what the model bills on spot is the better estimate.
        work = min(found.expected.billed, hours)
        least = deadline_cost(work, hours, up, price_ratio, 1.0) / job.work
    return Deadline(hours, met, max(0.0, latest_switch(job.work, hours, restart)), least)


def what_moves(job: SpotJob, price: Triple) -> list[Swing]:
    """F35 on the bill: price, hazard, checkpoint and restart, one at a time."""
    inputs = {
        "price": price,
        "hazard": Triple(job.hazard.low, job.hazard.expected, job.hazard.high),
        "checkpoint": Triple(*job.run.checkpoint) if job.run.checkpoints else exactly(1.0),
        "restart": Triple(*job.run.restart),
    }

    def bill(x: Mapping[str, float]) -> float:
        run = job.run._replace(checkpoint=(x["checkpoint"],) * 3, restart=(x["restart"],) * 3)
        rate = x["hazard"]
        case = outlooks(run, Hazard(rate, rate, rate, job.hazard.basis)).expected
        return x["price"] * case.billed

    return tornado(bill, inputs)
