"""`catalog refresh` for one provider: plan, gather, compose, try, compare, put in place."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from gpuadvisor.catalog.diff import Change, Diff, Tally, diff
from gpuadvisor.catalog.errors import AdvisorError, IncompleteError, UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.snapshot import open_base
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh import price_file
from gpuadvisor.refresh.compose import Counts, compose
from gpuadvisor.refresh.draft import Made, draft, price_path
from gpuadvisor.refresh.endpoints import replaced
from gpuadvisor.refresh.gather import Gap, Gathered, Progress, gather
from gpuadvisor.refresh.interface import (
    Context,
    Fetched,
    Missing,
    Puzzle,
    Source,
    Wanted,
)
from gpuadvisor.refresh.place import Target, Trial, check_writable, open_target, put_in_place
from gpuadvisor.refresh.providers import missing_extra
from gpuadvisor.refresh.scrub import scrub, unexpected
from gpuadvisor.refresh.shapes import ShapeChange, shape_changes
from gpuadvisor.refresh.transport import Http
from gpuadvisor.refresh.work import open_work

MOVED = 50.0
"""Percent; a price that moved further needs a person's consent."""
FEW = 5
"""Prices that a region may lose of an option before it counts how many it had."""
LONGEST = 160
"""Characters of each part of what was not understood."""


class Request(NamedTuple):
    """What was asked of one provider; `ends` is the deadline on the monotonic clock."""

    provider: str
    wanted: Wanted
    today: date
    target: Target
    since: str | None
    accept: bool
    dry_run: bool
    jobs: int
    ends: float


class Doubts(NamedTuple):
    """What needs `--accept`: prices that moved far, types without a price any more, regions that
    lost most prices of an option (a page that was lost looks so), and shapes."""

    moved: tuple[Change, ...]
    vanished: tuple[str, ...]
    thinned: tuple[Tally, ...]
    shapes: tuple[ShapeChange, ...]


class Outcome(NamedTuple):
    """What came of it. `status` is `written`, `same`, `refused` or `dry_run`; `files` are those
    written or that would be; `version` is None where nothing differs."""

    provider: str
    status: str
    previous: str
    version: str | None
    target: Target
    files: tuple[str, ...]
    diff: Diff | None
    counts: Counts
    shapes: tuple[ShapeChange, ...]
    doubts: Doubts
    puzzles: tuple[Puzzle, ...]
    notes: tuple[Message, ...]
    missing: tuple[Gap, ...]
    tasks: int
    kept: int


def refresh(
    request: Request, source: Source, words: Callable[[Message], str], progress: Progress
) -> Outcome:
    """Refresh one provider. `words` turns a message into the English of the files' comments.

    Raises UsageError (also for a target that cannot be written), IncompleteError where no region
    was reached, InputError where what was made is no sound catalog. The old catalog stays in every
    one of these cases.
    """
    if not request.dry_run:
        check_writable(request.target.root)
    catalog = open_target(request.target, {})
    versions = _versions(request, catalog)
    previous = _previous(request, versions)
    fetched, gathered, work = _fetched(request, source, catalog, progress)
    made, puzzles = _made(request, catalog, previous, fetched)
    secrets = request.wanted.account.values()
    outcome = Outcome(
        request.provider, "same", previous.version, None, request.target, (), None,
        made.composition.counts, tuple(made.changes), Doubts((), (), (), ()),
        scrub(puzzles, secrets), scrub(fetched.notes, secrets), gathered.missing,
        len(gathered.results) + len(gathered.missing), gathered.kept,
    )  # fmt: skip
    if made.composition.same and not made.changes and previous.version == versions[-1]:
        work.drop()
        return outcome
    planned = draft(made, catalog, request.target, request.today, words)
    trial = Trial(request.target, planned.texts())
    found = diff(
        trial.catalog({request.provider: previous.version}),
        trial.catalog({request.provider: planned.version}),
        request.provider,
    )
    doubts = Doubts(
        tuple(c for c in found.changes if c.comparable and abs(c.pct) > MOVED),
        found.removed_types,
        tuple(t for t in found.by_region if _thinned(t)),
        tuple(c for c in made.changes if c.gated),
    )
    outcome = outcome._replace(
        status="dry_run",
        version=planned.version,
        files=tuple(sorted(planned.texts())),
        diff=found,
        doubts=doubts,
    )
    if request.dry_run:
        return outcome
    if any(doubts) and not request.accept:
        return outcome._replace(status="refused")
    put_in_place(request.target.root, planned.prices, planned.shapes)
    work.drop()
    return outcome._replace(status="written")


def _made(
    request: Request, catalog: Catalog, previous: price_file.PriceFile, fetched: Fetched
) -> tuple[Made, tuple[Puzzle, ...]]:
    """Shapes first: a price needs a type. And all that was not understood, once."""
    provider = request.provider
    known = {n: t for (owner, n), t in catalog.instance_types().items() if owner == provider}
    priced: dict[str, set[str]] = {}
    for price in fetched.prices:
        priced.setdefault(price.type, set()).add(price.option)
    feeds = {feed.id for feed in fetched.feeds}
    changes, puzzles = shape_changes(
        provider,
        (one for one in fetched.types if one.feed in feeds),
        {name: frozenset(options) for name, options in priced.items()},
        known,
        catalog.devices(),
    )
    puzzles += [Puzzle("family", t.name, t.feed) for t in fetched.types if t.feed not in feeds]
    types = {**known, **{change.after.name: change.after for change in changes}}
    regions = frozenset(catalog.region_names(provider))
    composition = compose(previous, fetched, request.wanted, types, regions)
    every = (*fetched.puzzles, *puzzles, *composition.puzzles)
    made = Made(previous, fetched, composition, changes, types)
    return made, tuple(dict.fromkeys(Puzzle(*map(_brief, puzzle)) for puzzle in every))


def _brief(text: str) -> str:
    """What a cloud says may be of any length; a question needs its beginning."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _thinned(tally: Tally) -> bool:
    before = tally.changed + tally.same + tally.removed
    return tally.removed >= FEW and tally.removed * 2 > before


# -- what there was ----------------------------------------------------------------------------


def _versions(request: Request, catalog: Catalog) -> list[str]:
    """Versions with all prices of the provider, the newest last. UsageError where there are none,
    or the day lies before the newest."""
    ordered = list(catalog.complete_versions(request.provider))
    if not ordered:
        raise UsageError(message("catalog.no_prices", provider=request.provider))
    if _rank(ordered[-1])[:2] > (request.today.year, request.today.month):
        raise UsageError(message("refresh.before_newest", today=request.today, version=ordered[-1]))
    return ordered


def _rank(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _previous(request: Request, versions: list[str]) -> price_file.PriceFile:
    """The version to carry over from: `--since`, else the newest."""
    chosen = request.since or versions[-1]
    if chosen not in versions:
        raise UsageError(
            message(
                "catalog.unknown_version",
                provider=request.provider,
                version=chosen,
                available=", ".join(versions),
            )
        )
    path = os.path.join(request.target.root, price_path(request.provider, chosen))
    if os.path.isfile(path):
        return price_file.read_file(path)
    # Beneath an overlay; the snapshot has it whatever its file is called.
    base = open_base()
    try:
        return price_file.from_snapshot(base, request.provider, chosen)
    finally:
        base.close()


# -- what was fetched --------------------------------------------------------------------------


def _fetched(
    request: Request, source: Source, catalog: Catalog, progress: Progress
) -> tuple[Fetched, Gathered, Any]:
    """Plan, gather and combine; IncompleteError where nothing was reached."""
    ways = replaced(os.environ)
    context = Context(request.today, catalog, Http(request.ends), ways, lambda _: None)
    wanted = request.wanted
    tasks = _guarded(request, lambda: source.plan(wanted, context))
    work = open_work(
        request.provider,
        {
            "regions": sorted(wanted.regions),
            "parts": sorted(wanted.parts),
            "account": sorted(wanted.account.items()),
            "endpoints": sorted(ways.items()),
            "today": request.today.isoformat(),
            "catalog": [v.as_of + v.version for v in catalog.versions() if v.kind != "fx"],
        },
    )
    gathered = gather(
        source,
        tasks,
        wanted,
        context,
        work,
        jobs=request.jobs,
        ends=request.ends,
        progress=progress,
    )
    if not gathered.results:
        raise IncompleteError(
            message(
                "refresh.nothing_reached",
                provider=request.provider,
                reasons=_reasons(gathered)[:3],
            )
        )
    fetched = _guarded(request, lambda: source.combine(gathered.results, context))
    if not (fetched.prices or fetched.types):
        raise IncompleteError(
            message("refresh.nothing_found", provider=request.provider, tasks=len(tasks))
        )
    # Titles and addresses of feeds go into files.
    feeds = scrub(fetched.feeds, wanted.account.values())
    return fetched._replace(feeds=feeds), gathered, work


def _guarded(request: Request, call: Callable[[], Any]) -> Any:
    """A call of a provider's module outside its tasks: it cannot be done without."""
    try:
        return call()
    except Missing as error:
        reason = scrub(error.reason, request.wanted.account.values())
    except AdvisorError:
        raise
    except ImportError as error:
        raise missing_extra(request.provider, error) from error
    except Exception as error:
        reason = unexpected(error)
    raise IncompleteError(
        message("refresh.nothing_reached", provider=request.provider, reasons=[reason])
    )


def _reasons(gathered: Gathered) -> list[Message]:
    """Why tasks are missing, each once; a Message cannot be hashed."""
    found: list[Message] = []
    for gap in gathered.missing:
        if gap.reason not in found:
            found.append(gap.reason)
    return found


def deadline(minutes: float) -> float:
    """So many minutes from now on the monotonic clock."""
    return time.monotonic() + minutes * 60
