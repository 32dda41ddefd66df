"""How a refresh goes: bars per region on a terminal, one plain line per region when piped."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.refresh.interface import Task
from gpuadvisor.report.messages import render
from gpuadvisor.report.text import printable

if TYPE_CHECKING:
    from rich.progress import TaskID


class _Region:
    """What is left of one region's tasks."""

    def __init__(self) -> None:
        self.left: list[str] = []
        self.done: list[str] = []
        self.kept = True
        self.started = time.monotonic()


class Lines:
    """A line when a region's last task ends, and one for each that is missing."""

    def __init__(self, provider: str, stream: TextIO) -> None:
        self._provider, self._stream = provider, stream
        self._regions: dict[str, _Region] = {}

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def planned(self, tasks: Sequence[Task]) -> None:
        """See `refresh.gather.Progress`."""
        self._regions.clear()
        for task in tasks:
            self._regions.setdefault(task.region, _Region()).left.append(task.part)
        regions = sum(bool(region) for region in self._regions)
        self._say("line_planned" if regions else "line_lists", tasks=len(tasks), regions=regions)

    def moved(self, task: Task, amount: int) -> None:
        """Bytes are for bars."""

    def ended(self, task: Task, reason: Message | None, kept: bool) -> None:
        """See `refresh.gather.Progress`."""
        region = self._regions[task.region]
        region.left.remove(task.part)
        where = task.region or render(message("refresh.all_regions"))
        if reason is not None:
            self._say("line_missing", region=where, part=task.part, reason=reason)
        else:
            region.done.append(task.part)
            region.kept &= kept
        if region.left or not region.done:
            return
        parts = ", ".join(sorted(set(region.done)))
        seconds = f"{time.monotonic() - region.started:.1f}"
        id = "line_kept" if region.kept else "line_done"
        self._say(id, region=where, parts=parts, seconds=seconds)

    def _say(self, id: str, **params: object) -> None:
        text = render(message(f"refresh.{id}", provider=self._provider, **params))
        print(printable(text), file=self._stream, flush=True)


class Bars:
    """rich's bars: one for the whole, one for each region at work, gone when it is done."""

    def __init__(self, provider: str, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
        )

        self._provider = provider
        self._lock = threading.Lock()
        self._console = Console(file=stream)
        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[moved]}", markup=False),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._whole: TaskID | None = None
        self._regions: dict[str, Any] = {}
        self._totals: dict[str, int] = {}
        self._moved: dict[str, int] = {}

    def __enter__(self) -> Bars:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def planned(self, tasks: Sequence[Task]) -> None:
        """See `refresh.gather.Progress`."""
        self._whole = self._bars.add_task(self._provider, total=len(tasks), moved="")
        for task in tasks:
            self._totals[task.region] = self._totals.get(task.region, 0) + 1

    def moved(self, task: Task, amount: int) -> None:
        """See `refresh.gather.Progress`."""
        bar = self._bar(task.region)
        with self._lock:
            self._moved[task.region] = self._moved.get(task.region, 0) + amount
            told = _amount(self._moved[task.region])
        self._bars.update(bar, moved=told)

    def ended(self, task: Task, reason: Message | None, kept: bool) -> None:
        """See `refresh.gather.Progress`."""
        bar = self._bar(task.region)
        self._bars.advance(bar)
        if self._whole is not None:
            self._bars.advance(self._whole)
        if reason is not None:
            where = task.region or render(message("refresh.all_regions"))
            line = message(
                "refresh.line_missing",
                provider=self._provider,
                region=where,
                part=task.part,
                reason=reason,
            )
            self._bars.console.print(printable(render(line)), markup=False, highlight=False)
        with self._lock:
            self._totals[task.region] -= 1
            if not self._totals[task.region]:
                self._bars.update(bar, visible=False)

    def _bar(self, region: str) -> Any:
        with self._lock:
            if region not in self._regions:
                name = region or render(message("refresh.all_regions"))
                self._regions[region] = self._bars.add_task(
                    f"  {name}", total=self._totals.get(region, 1), moved=""
                )
            return self._regions[region]


def _amount(count: int) -> str:
    """Bytes in MB; SDKs count items, which are few."""
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count:,}"


def progress(provider: str, stream: TextIO, *, bars: bool) -> Lines | Bars:
    """Bars or lines on `stream`; a context manager."""
    return Bars(provider, stream) if bars else Lines(provider, stream)
