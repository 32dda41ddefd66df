"""Carries out the tasks of a refresh in a bounded pool of threads and keeps what they bring.

The threads are daemons: a call of an SDK that never returns must not hold up the end, be it the
deadline or Ctrl-C. A task that fails marks its region missing and the rest goes on.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from gpuadvisor.catalog.errors import AdvisorError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.refresh.interface import Context, Fetched, Missing, Source, Task, Wanted
from gpuadvisor.refresh.scrub import scrub, unexpected
from gpuadvisor.refresh.transport import Http
from gpuadvisor.refresh.work import Work

GRACE = 2.0
"""Seconds past the deadline in which running tasks may notice it themselves."""


class Progress(Protocol):
    """Who is told how it goes. `moved` is called from the tasks' threads."""

    def planned(self, tasks: Sequence[Task]) -> None:
        """These tasks are to be done."""

    def moved(self, task: Task, amount: int) -> None:
        """A task has read `amount` more bytes or items."""

    def ended(self, task: Task, reason: Message | None, kept: bool) -> None:
        """A task is done, or missing for a reason; `kept` from a refresh that broke off."""


class Gap(NamedTuple):
    """A task that could not be done, and why."""

    task: Task
    reason: Message


class Gathered(NamedTuple):
    """Results by task key, gaps in the order of the plan, and how many results were kept before."""

    results: dict[str, Fetched]
    missing: tuple[Gap, ...]
    kept: int


def gather(
    source: Source,
    tasks: Sequence[Task],
    wanted: Wanted,
    context: Context,
    work: Work,
    *,
    jobs: int,
    ends: float,
    progress: Progress,
) -> Gathered:
    """Carry out `tasks`, at most `jobs` at once, until `ends` on the monotonic clock.

    Raises AdvisorError where a task finds that the whole request is wrong.
    """
    progress.planned(tasks)
    results: dict[str, Fetched] = {}
    todo: queue.SimpleQueue[Task] = queue.SimpleQueue()
    for task in tasks:
        before = work.kept(task.key)
        if before is None:
            todo.put(task)
        else:
            results[task.key] = before
            progress.ended(task, None, True)
    kept = len(results)
    left = len(tasks) - kept
    done: queue.SimpleQueue[tuple[Task, Fetched | Message | AdvisorError]] = queue.SimpleQueue()
    stop = threading.Event()

    def serve() -> None:
        while not stop.is_set():
            try:
                task = todo.get_nowait()
            except queue.Empty:
                return
            done.put((task, _carried_out(source, task, wanted, context, work, ends, progress)))

    for number in range(min(jobs, left)):
        threading.Thread(target=serve, daemon=True, name=f"refresh-{number}").start()
    reasons: dict[str, Message] = {}
    try:
        while left:
            try:
                # In turns: where a wait is not interruptible, Ctrl-C comes through between them.
                pause = min(1.0, ends + GRACE - time.monotonic())
                task, outcome = done.get(timeout=max(0.0, pause))
            except queue.Empty:
                if time.monotonic() < ends + GRACE:
                    continue
                break
            left -= 1
            if isinstance(outcome, AdvisorError):
                raise outcome
            if isinstance(outcome, Message):
                reasons[task.key] = scrub(outcome, wanted.account.values())
                progress.ended(task, reasons[task.key], False)
            else:
                results[task.key] = outcome
                progress.ended(task, None, False)
    finally:
        stop.set()
    late = message("refresh.out_of_time")
    gaps = []
    for task in tasks:
        if task.key not in results:
            if task.key not in reasons:
                progress.ended(task, late, False)
            gaps.append(Gap(task, reasons.get(task.key, late)))
    return Gathered(results, tuple(gaps), kept)


def _carried_out(
    source: Source,
    task: Task,
    wanted: Wanted,
    context: Context,
    work: Work,
    ends: float,
    progress: Progress,
) -> Fetched | Message | AdvisorError:
    if time.monotonic() > ends:
        return message("refresh.out_of_time")

    def moved(amount: int) -> None:
        progress.moved(task, amount)

    way = context.transport
    own = context._replace(
        moved=moved, transport=way.telling(moved) if isinstance(way, Http) else way
    )
    try:
        return work.keep(task.key, source.fetch(task, wanted, own))
    except Missing as error:
        return error.reason
    except AdvisorError as error:
        return error
    except Exception as error:
        return unexpected(error)
