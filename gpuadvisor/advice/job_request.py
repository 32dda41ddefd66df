"""How a job of so many hours runs on machines that may be taken away, as a person says it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpuadvisor.advice.request import duration_ms, read_number, read_share
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message

FIELDS = (
    "checkpoint_every", "no_checkpoint", "state_gb", "checkpoint_minutes", "restart_minutes",
    "interruptions_per_hour", "deadline",
)  # fmt: skip
_MS_PER_HOUR = 3.6e6


class JobRequest(NamedTuple):
    """None is "not said". Times are hours; `interruptions_per_hour` is of one running instance.

    `every` is work between checkpoints, None for the best; `checkpoints` is False where none
    are written. `state_gb` is what a checkpoint holds. A pair of
    `interruptions_per_hour` is a band of the chance to be evicted within the hour, as Azure gives
    it. `asked` says that anything was said about interruptions, so that a job that can hardly
    finish on spot is refused.
    """

    every: float | None
    checkpoints: bool
    state_gb: float | None
    checkpoint: float | None
    restart: float | None
    interruptions_per_hour: float | tuple[float, float] | None
    deadline: float | None
    asked: bool


UNSAID = JobRequest(None, True, None, None, None, None, None, False)


def job_request(own: Mapping[str, Any], job_hours: float | None) -> JobRequest:
    """Type the fields of a job; raises UsageError where they contradict or lack a job."""
    said = [name for name in FIELDS if own.get(name) not in (None, False)]
    if not said:
        return UNSAID
    if job_hours is None:
        raise UsageError(message("estimate.no_job", flag="--" + said[0].replace("_", "-")))
    every = own.get("checkpoint_every")
    checkpoints = not own.get("no_checkpoint")
    if not checkpoints and every is not None:
        raise UsageError(message("estimate.checkpoint_twice"))
    hours = None
    if every is not None and str(every).strip().lower() != "auto":
        hours = duration_ms("checkpoint_every", every, "min") / _MS_PER_HOUR
    deadline = own.get("deadline")
    return JobRequest(
        hours,
        checkpoints,
        _number(own, "state_gb"),
        _hours(own, "checkpoint_minutes"),
        _hours(own, "restart_minutes"),
        _interruptions(own.get("interruptions_per_hour")),
        None if deadline is None else duration_ms("deadline", deadline, "h") / _MS_PER_HOUR,
        any(name != "deadline" for name in said),
    )


def _interruptions(given: Any) -> float | tuple[float, float] | None:
    """`0.15` an hour, or Azure's eviction rate: `5-10%`, `20%`."""
    text = "" if given is None else str(given).strip()
    if not text.endswith("%"):
        return None if given is None else read_number("interruptions_per_hour", given)
    low, dash, high = text[:-1].partition("-")
    ends = (low, high) if dash else (low, low)
    band = [read_share("interruptions_per_hour", f"{part.strip()}%") for part in ends]
    if band[1] == 0 or band[0] > band[1]:
        raise UsageError(message("estimate.bad_band", value=text[:40]))
    return band[0], band[1]


def _number(own: Mapping[str, Any], name: str) -> float | None:
    return None if own.get(name) is None else read_number(name, own[name])


def _hours(own: Mapping[str, Any], name: str) -> float | None:
    minutes = _number(own, name)
    return None if minutes is None else minutes / 60
