"""`catalog refresh` for one provider: plan, gather, compose, try, compare, put in place."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from gpuadvisor.catalog.diff import Change, Diff, Tally, diff
from gpuadvisor.catalog.errors import AdvisorError, IncompleteError, UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.snapshot import open_base
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh import price_file
from gpuadvisor.refresh.compose import Composition, Counts, compose, source_entry, source_keys
from gpuadvisor.refresh.gather import Gap, Gathered, Progress, gather
from gpuadvisor.refresh.head import head
from gpuadvisor.refresh.interface import (
    Context,
    Feed,
    Fetched,
    Missing,
    Puzzle,
    Source,
    Wanted,
)
from gpuadvisor.refresh.place import Target, Trial, open_target, put_in_place, read_text
from gpuadvisor.refresh.providers import missing_extra
from gpuadvisor.refresh.scrub import scrub, unexpected
from gpuadvisor.refresh.shape_file import begun, edited, edits_of
from gpuadvisor.refresh.shapes import ShapeChange, shape_changes
from gpuadvisor.refresh.transport import Http
from gpuadvisor.refresh.work import open_work

MOVED = 50.0
"""Percent; a price that moved further needs a person's consent."""
FEW = 5
"""Prices that a region may lose of an option before it counts how many it had."""
ENDPOINT = "GPUADVISOR_ENDPOINT_"


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


class _Plan(NamedTuple):
    """New texts by path within the target, and what they replace."""

    version: str
    prices: tuple[str, str]
    shapes: tuple[str, str, str | None] | None


def refresh(
    request: Request, source: Source, words: Callable[[Message], str], progress: Progress
) -> Outcome:
    """Refresh one provider. `words` turns a message into the English of the files' comments.

    Raises UsageError, IncompleteError where no region was reached, InputError where what was made
    is no sound catalog. The old catalog stays in every one of these cases.
    """
    catalog = open_target(request.target, {})
    versions = _versions(request, catalog)
    previous = _previous(request, versions)
    fetched, gathered, work = _fetched(request, source, catalog, progress)
    known = _types(catalog, request.provider)
    priced: dict[str, set[str]] = {}
    for price in fetched.prices:
        priced.setdefault(price.type, set()).add(price.option)
    changes, puzzles = shape_changes(
        request.provider,
        fetched.types,
        {name: frozenset(options) for name, options in priced.items()},
        known,
        catalog.devices(),
    )
    types = {**known, **{c.after.name: c.after for c in changes}}
    regions = frozenset(r.name for r in catalog.regions() if r.provider == request.provider)
    made = compose(previous, fetched, request.wanted, types, regions)
    told = scrub(
        _once((*fetched.puzzles, *puzzles, *made.puzzles)), request.wanted.account.values()
    )
    same = made.same and not changes and previous.version == versions[-1]
    outcome = Outcome(
        request.provider, "same", previous.version, None, request.target, (), None, made.counts,
        tuple(changes), Doubts((), (), (), ()), told,
        scrub(fetched.notes, request.wanted.account.values()), gathered.missing,
        len(gathered.results) + len(gathered.missing), gathered.kept,
    )  # fmt: skip
    if same:
        work.drop()
        return outcome
    plan = _planned(request, catalog, previous, made, changes, fetched, words)
    files = {plan.prices[0]: plan.prices[1]}
    if plan.shapes is not None:
        files[plan.shapes[0]] = plan.shapes[1]
    trial = Trial(request.target, files)
    found = diff(
        trial.catalog({request.provider: previous.version}),
        trial.catalog({request.provider: plan.version}),
        request.provider,
    )
    doubts = Doubts(
        tuple(c for c in found.changes if c.comparable and abs(c.pct) > MOVED),
        found.removed_types,
        tuple(t for t in found.by_region if _thinned(t)),
        tuple(c for c in changes if c.gated),
    )
    outcome = outcome._replace(
        status="dry_run",
        version=plan.version,
        files=tuple(sorted(files)),
        diff=found,
        doubts=doubts,
    )
    if request.dry_run:
        return outcome
    if any(doubts) and not request.accept:
        return outcome._replace(status="refused")
    put_in_place(request.target.root, plan.prices, plan.shapes)
    work.drop()
    return outcome._replace(status="written")


def _thinned(tally: Tally) -> bool:
    before = tally.changed + tally.same + tally.removed
    return tally.removed >= FEW and tally.removed * 2 > before


def endpoints(environment: Mapping[str, str]) -> dict[str, str]:
    """`GPUADVISOR_ENDPOINT_<NAME>` by name in small letters, as `a_b` and as `a-b`."""
    found = {}
    for name, address in environment.items():
        if name.startswith(ENDPOINT) and address:
            key = name.removeprefix(ENDPOINT).lower()
            found[key] = found[key.replace("_", "-")] = address
    return found


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


def next_version(today: date, existing: Iterable[str]) -> str:
    """`YYYY.MM` of the day, or `.1`, `.2` … behind it: nothing is written over."""
    month = f"{today.year:04d}.{today.month:02d}"
    taken = {_rank(v)[2] if len(_rank(v)) > 2 else 0 for v in existing if v.startswith(month)}
    return month if not taken else f"{month}.{max(taken) + 1}"


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
    path = os.path.join(request.target.root, _price_path(request.provider, chosen))
    if os.path.isfile(path):
        return price_file.read_file(path)
    # Beneath an overlay; the snapshot has it whatever its file is called.
    base = open_base()
    try:
        return price_file.from_snapshot(base, request.provider, chosen)
    finally:
        base.close()


def _price_path(provider: str, version: str) -> str:
    return os.path.join("providers", provider, "prices", f"{version}.yaml")


def _types(catalog: Catalog, provider: str) -> dict[str, Any]:
    return {name: t for (owner, name), t in catalog.instance_types().items() if owner == provider}


# -- what was fetched --------------------------------------------------------------------------


def _fetched(
    request: Request, source: Source, catalog: Catalog, progress: Progress
) -> tuple[Fetched, Gathered, Any]:
    """Plan, gather and combine; IncompleteError where nothing was reached."""
    ways = endpoints(os.environ)
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
                reasons=_once(gap.reason for gap in gathered.missing)[:3],
            )
        )
    fetched = _guarded(request, lambda: source.combine(gathered.results, context))
    if not (fetched.prices or fetched.types):
        raise IncompleteError(
            message("refresh.nothing_found", provider=request.provider, tasks=len(tasks))
        )
    return fetched, gathered, work


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


def _once(items: Any) -> Any:
    """Without what was said before, in order; a tuple, or a list of messages."""
    found: list[Any] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found if found and isinstance(found[0], Message) else tuple(found)


# -- what is to be written ---------------------------------------------------------------------


def _planned(
    request: Request,
    catalog: Catalog,
    previous: price_file.PriceFile,
    made: Composition,
    changes: list[ShapeChange],
    fetched: Fetched,
    words: Callable[[Message], str],
) -> _Plan:
    taken = {v.version for v in catalog.versions() if v.name == request.provider}
    version = next_version(request.today, taken)
    new = price_file.PriceFile(
        request.provider,
        version,
        previous.currency,
        made.sources,
        made.prices,
        head(request.provider, request.today, previous, fetched, made.counts, words),
    )
    text = price_file.text_of(new, complete=request.target.overlay)
    prices = (_price_path(request.provider, version), text)
    if not changes:
        return _Plan(version, prices, None)
    path = os.path.join("providers", request.provider, "shapes.yaml")
    before = read_text(os.path.join(request.target.root, path))
    provider = catalog.provider(request.provider)
    start = before
    if start is None:
        comment = words(message("refresh.overlay_head", provider=provider.title))
        start = begun(provider, comment, sorted(provider.quotas))
    feeds = {feed.id: feed for feed in fetched.feeds}
    used = [feeds[c.feed] for c in changes]
    keys, entries = _shape_sources(used, start, request.target, path)
    families = {name: t.family for name, t in _types(catalog, request.provider).items()}
    families.update({c.after.name: c.after.family for c in changes})
    return _Plan(
        version, prices, (path, edited(start, edits_of(changes, keys), entries, families), before)
    )


def _shape_sources(
    used: list[Feed], text: str, target: Target, path: str
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Keys of the feeds within `shapes.yaml`, and the entries that it lacks."""
    from gpuadvisor.catalog.reader import read

    data = read(os.path.join(target.root, path), text.encode()).data
    known = data.get("sources") or {}
    keys = source_keys(used, known)
    return keys, {keys[f.id]: source_entry(f) for f in used if keys[f.id] not in known}


def deadline(minutes: float) -> float:
    """So many minutes from now on the monotonic clock."""
    return time.monotonic() + minutes * 60
