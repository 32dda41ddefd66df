"""What a restartable job costs on machines that are taken away (design notes F1 to F9).

All times are hours, hazards interruptions per running hour. Interruptions are exponential:
measured up-times are heavier-tailed, which moves the bill by a few per cent and the finish time
by far more, so `BILL_ERROR` and `FINISH_ERROR` widen them unequally.
"""

from math import exp, expm1, inf, sqrt
from typing import NamedTuple

from gpuadvisor.cost.hazard import Hazard

BILL_ERROR = (0.97, 1.0, 1.07)
"""Actual over modelled billed time on 17 V100 traces (skypilot-org/spot-traces): 0.97-1.07."""

FINISH_ERROR = (1.0, 1.1, 1.4)
"""The same of the finish time: 0.98-1.40, median 1.10."""

ACQUISITION_HOURS = (0.1, 1.0, 3.5)
"""Wait for a machine after each loss, unbilled; mean off-times of the traces are 0.8-3.6 h."""

BOOT_HOURS = (3 / 60, 5 / 60, 8 / 60)
"""From granted to ready, billed; the load of the job's state comes on top."""

CHECKPOINT_HOURS = 2 / 60
"""Time of writing a checkpoint where the user says neither that nor the size of the state."""

WRITE_GB_PER_S = (5.0, 1.0, 0.5)
"""Speed at which a checkpoint is written and read: parallel file system to one disk."""

HARDLY_FINISHES = 5.0
"""Billed time over work at which spot is refused: at 5.0 the published case is hopeless (T3)."""

MOST_HAZARD = 1e4
"""Interruptions an hour beyond which no break-even is sought."""

UNCHECKPOINTED_SHARE = 0.2
"""A job without checkpoints should take no more of the mean time to interruption (F6: 11 %)."""


class Run(NamedTuple):
    """How a job runs: hours of work, of writing a checkpoint and of a restart.

    `interval` is work between checkpoints in hours, None for the best one; `checkpoints` is
    False for a job that starts again from nothing.
    """

    work: float
    checkpoint: tuple[float, float, float]
    restart: tuple[float, float, float]
    interval: float | None = None
    checkpoints: bool = True
    acquisition: tuple[float, float, float] = ACQUISITION_HOURS


class Outlook(NamedTuple):
    """One case of a job on spot: interval used, billed and elapsed hours, interruptions.

    `interval` is None where none are written; hours may be infinite.
    """

    interval: float | None
    billed: float
    finish: float
    interruptions: float

    def feasible(self, work: float) -> bool:
        """Whether the job gets anywhere at all."""
        return self.billed < HARDLY_FINISHES * work


class Outlooks(NamedTuple):
    """The same with everything favourable, as expected, with everything unfavourable."""

    low: Outlook
    expected: Outlook
    high: Outlook


def young_interval(checkpoint: float, mtti: float) -> float:
    """F1, Young 1974: the first-order best interval, for a checkpoint far shorter than `mtti`."""
    return sqrt(2 * checkpoint * mtti)


def daly_interval(checkpoint: float, mtti: float) -> float:
    """F2, Daly 2006: the best work between checkpoints, to higher order."""
    if checkpoint >= 2 * mtti:
        return mtti
    ratio = checkpoint / (2 * mtti)
    return young_interval(checkpoint, mtti) * (1 + sqrt(ratio) / 3 + ratio / 9) - checkpoint


def restartable_hours(
    work: float, interval: float, checkpoint: float, restart: float, mtti: float
) -> float:
    """F3, Daly 2006's complete model: billed hours of a job that resumes from checkpoints.

    Interruptions during checkpoints and restarts are counted. Infinite when it never ends.
    """
    if mtti == inf:
        return work * (1 + checkpoint / interval)
    return mtti * _exp(restart / mtti) * _grown((interval + checkpoint) / mtti) * work / interval


def restarts(work: float, interval: float, checkpoint: float, restart: float, mtti: float) -> float:
    """F4: interruptions until the job is done, those during restarts included."""
    if mtti == inf:
        return 0.0
    return work / interval * _grown((interval + checkpoint) / mtti) * _exp(restart / mtti)


def lost_work(interval: float, checkpoint: float, mtti: float) -> float:
    """F5: hours lost per interruption on average, half an interval and a little less."""
    span = interval + checkpoint
    return mtti - span * _exp(-span / mtti) / (1 - _exp(-span / mtti))


def unprotected_hours(work: float, restart: float, mtti: float) -> float:
    """F6: billed hours of a job that starts from nothing after each interruption."""
    if mtti == inf:
        return work
    return mtti * _exp(restart / mtti) * _grown(work / mtti)


def break_even_hazard(price_ratio: float, run: Run) -> float:
    """F7: hazard per hour at which the job costs as much on spot as on demand.

    `price_ratio` is spot over on demand, below 1. Each hazard has its own best interval unless
    the run names one. Solved by halving, as the bill rises with the hazard.
    """
    if not 0 < price_ratio < 1:
        raise ValueError(f"price ratio {price_ratio}")

    def cheaper(rate: float) -> bool:
        return price_ratio * _times_of(run, 1, rate)[1] < run.work

    low, high = 0.0, 1.0
    while cheaper(high) and high < MOST_HAZARD:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if cheaper(middle) else (low, middle)
    return high


def outlooks(run: Run, hazard: Hazard) -> Outlooks:
    """Low, expected and high case of a job, each with its inputs favourable or not together.

    Without an interval of the user's, each case writes checkpoints at the best one for its own
    hazard: a job learns the rate at which it is interrupted.
    """
    return Outlooks(
        *(
            _outlook(run, case, rate)
            for case, rate in enumerate((hazard.low, hazard.expected, hazard.high))
        )
    )


def best_interval(run: Run, rate: float, case: int = 1) -> float:
    """Daly's interval for a hazard; the whole job where nothing interrupts it."""
    if rate <= 0:
        return run.work
    return min(run.work, daly_interval(run.checkpoint[case], 1 / rate))


def _times_of(run: Run, case: int, rate: float) -> tuple[float | None, float, float]:
    """Interval, billed hours and losses of the plain model at one hazard."""
    mtti = 1 / rate if rate > 0 else inf
    restart, checkpoint = run.restart[case], run.checkpoint[case]
    interval = None
    if run.checkpoints:
        interval = min(run.interval or best_interval(run, rate, case), run.work)
    if interval is None or interval >= run.work:
        # One stretch: nothing is saved before the end, and the end needs no checkpoint.
        billed = unprotected_hours(run.work, restart, mtti)
        losses = 0.0 if mtti == inf else _grown(run.work / mtti) * _exp(restart / mtti)
    else:
        billed = restartable_hours(run.work, interval, checkpoint, restart, mtti)
        losses = restarts(run.work, interval, checkpoint, restart, mtti)
    return interval, billed, losses


def _outlook(run: Run, case: int, rate: float) -> Outlook:
    interval, billed, losses = _times_of(run, case, rate)
    finish = billed + losses * run.acquisition[case]
    # The errors were measured on jobs that were interrupted; without losses there are none.
    weight = min(1.0, losses)
    billed = max(run.work, billed * (1 + weight * (BILL_ERROR[case] - 1)))
    finish *= 1 + weight * (FINISH_ERROR[case] - 1)
    return Outlook(interval, billed, max(billed, finish), losses)


def checkpoint_hours(state_gb: float) -> tuple[float, float, float]:
    """Hours of writing `state_gb` once, at the speeds of `WRITE_GB_PER_S`."""
    fast, usual, slow = (state_gb / speed / 3600 for speed in WRITE_GB_PER_S)
    return fast, usual, slow


def restart_hours(state_gb: float) -> tuple[float, float, float]:
    """Hours from a granted machine to a job at work: boot, and reading the state back."""
    load = checkpoint_hours(state_gb)
    low, expected, high = (boot + read for boot, read in zip(BOOT_HOURS, load, strict=True))
    return low, expected, high


def elastic_hours(work: float, held: float, gang_hazard: float, pause: float) -> float:
    """F8: hours of a job that goes on with fewer instances, pausing for each change.

    `held` is the mean share of the instances; the bill is the instance-hours really held.
    """
    return work / (held * (1 - gang_hazard * pause))


def availability(hazard: float, wait: float) -> float:
    """Share of time that a machine is there: mean up time over up time plus wait."""
    return 1.0 if hazard <= 0 else 1 / (1 + hazard * wait)


def deadline_cost(
    work: float, deadline: float, share_available: float, spot: float, on_demand: float
) -> float:
    """F9: least cost of finishing by the deadline on spot with on demand for the rest.

    A lower bound: it counts neither lost work nor changeovers, and traces cost 3-37 % more.
    """
    on_spot = min(work, share_available * deadline)
    return on_spot * spot + (work - on_spot) * on_demand


def latest_switch(work: float, deadline: float, changeover: float) -> float:
    """Hours after the start at which a job without progress must move to on demand (F9)."""
    return deadline - work - changeover


def _exp(exponent: float) -> float:
    return exp(exponent) if exponent < 700 else inf


def _grown(exponent: float) -> float:
    return expm1(exponent) if exponent < 700 else inf
