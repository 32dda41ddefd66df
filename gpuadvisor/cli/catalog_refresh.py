"""What `gpuadvisor catalog refresh` does with its arguments: a refresh per provider, one answer."""

import datetime
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

import typer

from gpuadvisor.advice.request import duration_ms
from gpuadvisor.catalog.errors import AdvisorError, IncompleteError, UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.cli.options import chosen_format, columns, emit, emit_json
from gpuadvisor.refresh.interface import SHAPES, Wanted
from gpuadvisor.refresh.place import target_of
from gpuadvisor.refresh.providers import available, source_of
from gpuadvisor.refresh.run import Outcome, Request, deadline, refresh
from gpuadvisor.report import refresh_json, refresh_text
from gpuadvisor.report.messages import render
from gpuadvisor.report.refresh_progress import progress
from gpuadvisor.report.text import printable

MAX_JOBS = 64


class Asked(NamedTuple):
    """The command's arguments as they were given."""

    providers: Sequence[str]
    region: Sequence[str]
    only: Sequence[str]
    output: str | None
    dry_run: bool
    since: str | None
    accept: bool
    project: str | None
    subscription: str | None
    keyless: bool
    deadline: str
    jobs: int
    format: str
    today: str | None


def show_permissions(providers: Sequence[str]) -> None:
    """What an account must allow, to paste; nothing is fetched."""
    parts = []
    for name in _named(providers):
        found = source_of(name).permissions()
        if not found:
            parts.append(render(message("refresh.no_permissions", provider=name)))
        for permission in found:
            parts.append(f"# {render(permission.title)}\n{permission.body.rstrip()}")
    emit("\n\n".join(parts))


def run(asked: Asked) -> None:
    """Refresh the providers in turn, print the answer, and exit with the worst of their codes."""
    wanted_format = chosen_format(asked.format, ("table", "json", "markdown"))
    today = _day(asked.today)
    outcomes: list[Outcome] = []
    failures: list[tuple[str, AdvisorError]] = []
    texts: list[str] = []
    requests = [_request(asked, name, today) for name in _named(asked.providers)]
    bars = sys.stderr.isatty() and not os.environ.get("CI")
    for request in requests:
        source = source_of(request.provider)
        try:
            with progress(request.provider, sys.stderr, bars=bars) as shown:
                outcome = refresh(request, source, refresh_text.english, shown)
        except KeyboardInterrupt:
            print(render(message("refresh.interrupted")), file=sys.stderr)
            raise
        except AdvisorError as error:
            # Of several providers the others go on; one alone is told with all its places.
            if len(requests) == 1 and not isinstance(error, IncompleteError):
                raise
            failures.append((request.provider, error))
            print(printable(f"gpuadvisor: {render(error.message)}"), file=sys.stderr)
            continue
        outcomes.append(outcome)
        texts.append(
            refresh_text.markdown(outcome)
            if wanted_format == "markdown"
            else refresh_text.report(outcome, _again(asked, request.provider), columns())
        )
    reasons = [(name, error.message) for name, error in failures]
    if wanted_format == "json":
        emit_json(refresh_json.document(outcomes, reasons, today.isoformat()))
    elif texts:
        emit("\n\n".join(texts))
    if any(outcome.status == "refused" for outcome in outcomes):
        raise typer.Exit(1)
    if failures:
        raise typer.Exit(failures[0][1].exit_code)


def _named(providers: Sequence[str]) -> list[str]:
    if not providers:
        raise UsageError(message("refresh.no_provider", known=", ".join(available())))
    names = list(dict.fromkeys(name.strip().lower() for name in providers))
    for name in names:
        source_of(name)  # a slip is told before anything is fetched
    return names


def _request(asked: Asked, provider: str, today: datetime.date) -> Request:
    account = {
        "project": asked.project,
        "subscription": asked.subscription,
        "keyless": "1" if asked.keyless else None,
    }
    return Request(
        provider,
        Wanted(
            tuple(dict.fromkeys(r.strip().lower() for r in asked.region)),
            _parts(asked.only),
            {name: value for name, value in account.items() if value},
        ),
        today,
        target_of(asked.output),
        asked.since,
        asked.accept,
        asked.dry_run,
        max(1, min(asked.jobs, MAX_JOBS)),
        deadline(duration_ms("deadline", asked.deadline, "min") / 60_000),
    )


def _parts(only: Sequence[str]) -> frozenset[str]:
    """`on-demand,spot` as the catalog spells them. UsageError for any other word."""
    from gpuadvisor.catalog.model import PURCHASE_OPTIONS

    known = (SHAPES, *PURCHASE_OPTIONS)
    found = set()
    for word in ",".join(only).split(","):
        part = word.strip().lower().replace("-", "_")
        if part and part not in known:
            raise UsageError(message("refresh.bad_part", part=word[:60], known=", ".join(known)))
        found.update({part} - {""})
    return frozenset(found)


def _day(text: str | None) -> datetime.date:
    if text is None:
        return datetime.datetime.now(datetime.UTC).date()
    from gpuadvisor.advice.request import request_from

    typed = request_from({"today": text})
    return datetime.date.fromisoformat(str(typed.today))


def _again(asked: Asked, provider: str) -> list[str]:
    """The command line that does this again for one provider."""
    words = ["gpuadvisor", "catalog", "refresh", provider]
    for name, values in (("--region", asked.region), ("--only", asked.only)):
        for value in values:
            words += [name, value]
    for name, one in (
        ("--output", asked.output),
        ("--since", asked.since),
        ("--today", asked.today),
    ):
        words += [name, one] if one else []
    flags = {
        "--keyless": asked.keyless, "--dry-run": asked.dry_run, "--accept": asked.accept,
    }  # fmt: skip
    # Accounts are left out: a command is copied into tickets.
    return words + [name for name, given in flags.items() if given]
