"""`gpuadvisor check comment REPORT`: a stored report as one comment on the pull request."""

import os
import sys
from typing import Annotated, Any

import typer

NO_ARGS_IS_HELP = True

Text = str | None


def run(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="What `check --output json=FILE` wrote.")
    ],
    host: Annotated[str, typer.Option("--host", help="github.")] = "github",
    repo: Annotated[
        Text, typer.Option("--repo", help="OWNER/NAME; GITHUB_REPOSITORY by default.")
    ] = None,
    pull_request: Annotated[
        int | None, typer.Option("--pull-request", help="Its number; by default the event's.")
    ] = None,
    key: Annotated[
        str, typer.Option("--key", help="Tells several comments on one request apart.")
    ] = "default",
    always: Annotated[
        bool, typer.Option("--always", help="Comment even if no accelerator changes.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the comment and post nothing.")
    ] = False,
) -> None:
    """Create or update one comment; where the token may not, use the step summary.

    Reads GITHUB_TOKEN, GITHUB_API_URL, GITHUB_REPOSITORY and GITHUB_EVENT_PATH. Exits 0 whatever
    the host answers: the check has decided the build already.
    """
    from gpuadvisor.catalog.errors import UsageError
    from gpuadvisor.catalog.message import message
    from gpuadvisor.cli.options import emit
    from gpuadvisor.report import check_github, github_comment
    from gpuadvisor.report.messages import render
    from gpuadvisor.report.text import printable

    if host != "github":
        raise UsageError(message("check.comment_host", value=host[:60]))
    if not key or len(key) > 60 or not all(c.isalnum() or c in "-_." for c in key):
        raise UsageError(message("check.comment_key", value=key[:60]))
    doc = _report(report)
    target = github_comment.Target(
        os.environ.get("GITHUB_API_URL") or "https://api.github.com",
        "", 0, "", key, _number(os.environ.get("GITHUB_RUN_ID")),
    )  # fmt: skip
    if dry_run:
        emit(github_comment.body_of(doc, target))
        return
    where = repo or os.environ.get("GITHUB_REPOSITORY") or ""
    if where.count("/") != 1 or where != where.strip():
        raise UsageError(message("check.comment_no_repo"))
    number = pull_request or _pull_request()
    if not number or number < 1:
        raise UsageError(message("check.comment_no_number"))
    token = os.environ.get("GITHUB_TOKEN") or os.environ.get("GH_TOKEN")
    if not token:
        raise UsageError(message("check.comment_no_token"))
    outcome = github_comment.upsert(
        doc, target._replace(repo=where, number=number, token=token), always
    )
    if not outcome.posted:
        check_github.append_summary(check_github.summary(doc))
    print(printable(f"gpuadvisor: {render(outcome.text)}"), file=sys.stderr)


def _report(path: str) -> dict[str, Any]:
    """The stored report; InputError where the file is something else."""
    import json

    from gpuadvisor.catalog.errors import InputError
    from gpuadvisor.catalog.message import message
    from gpuadvisor.iac.reading import read_bytes
    from gpuadvisor.report.check_markdown import markdown

    wrong = InputError(message("check.comment_report", file=path))
    raw = read_bytes(path)
    try:
        doc = json.loads(raw)
        if not isinstance(doc, dict) or doc.get("schema") != "gpuadvisor/check/1":
            raise wrong
        markdown(doc)
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise wrong from None
    return doc


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else 0


def _pull_request() -> int | None:
    """The number in the event that started the job."""
    import json

    try:
        with open(os.environ.get("GITHUB_EVENT_PATH") or "", encoding="utf-8") as stream:
            event = json.load(stream)
        number = (event.get("pull_request") or event.get("issue") or event).get("number")
    except (OSError, ValueError, AttributeError):
        number = None
    if isinstance(number, int):
        return number
    parts = (os.environ.get("GITHUB_REF") or "").split("/")
    return _number(parts[2]) or None if parts[:2] == ["refs", "pull"] and len(parts) > 2 else None
