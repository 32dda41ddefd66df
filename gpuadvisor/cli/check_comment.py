"""`gpuadvisor check comment REPORT`: a stored report as one comment on the pull request."""

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from decimal import Decimal

    from gpuadvisor.report import comment

NO_ARGS_IS_HELP = True

Text = str | None


def run(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="What `check --output json=FILE` wrote.")
    ],
    host: Annotated[
        Text, typer.Option("--host", help="github or gitlab; by default where the job runs.")
    ] = None,
    repo: Annotated[
        Text, typer.Option("--repo", help="OWNER/NAME or project; by default the job's.")
    ] = None,
    pull_request: Annotated[
        int | None,
        typer.Option(
            "--pull-request", "--merge-request", help="Its number; by default the event's."
        ),
    ] = None,
    key: Annotated[
        str, typer.Option("--key", help="Tells several comments on one request apart.")
    ] = "default",
    always: Annotated[
        bool, typer.Option("--always", help="Comment even if no accelerator changes.")
    ] = False,
    threshold: Annotated[
        Text,
        typer.Option("--threshold", help="Comment on changes of at least so much a month."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the comment and post nothing.")
    ] = False,
) -> None:
    """Create or update one comment; where the token may not, use the job's summary or log.

    On GitHub reads GITHUB_TOKEN, GITHUB_API_URL, GITHUB_REPOSITORY and GITHUB_EVENT_PATH; on
    GitLab GITLAB_TOKEN (an access token with the scope api), CI_API_V4_URL, CI_PROJECT_ID and
    CI_MERGE_REQUEST_IID. Exits 0 whatever the host answers: the check has decided the build
    already.
    """
    from gpuadvisor.catalog.errors import UsageError
    from gpuadvisor.catalog.message import message
    from gpuadvisor.cli.options import emit
    from gpuadvisor.report import comment
    from gpuadvisor.report.messages import render
    from gpuadvisor.report.text import printable

    name = host or ("gitlab" if os.environ.get("GITLAB_CI") else "github")
    if name not in _HOSTS:
        raise UsageError(message("check.comment_host", value=name[:60]))
    if not key or len(key) > 60 or not all(c.isalnum() or c in "-_." for c in key):
        raise UsageError(message("check.comment_key", value=key[:60]))
    words = _HOSTS[name]
    least = _amount(threshold)
    doc = _report(report)
    run_number = _number(os.environ.get(words.run))
    place = comment.Place("", "", key, run_number, comment.MOST_CHARACTERS[name])
    if dry_run:
        emit(comment.body_of(doc, place))
        return
    where = repo or next((v for v in map(os.environ.get, words.repos) if v), "")
    if where != where.strip() or not where or (words.slash and where.count("/") != 1):
        raise UsageError(
            message("check.comment_no_repo", expected=words.expected, variable=words.repos[0])
        )
    number = pull_request or _request_number(name)
    if not number or number < 1:
        raise UsageError(message("check.comment_no_number"))
    token = next((v for v in map(os.environ.get, words.tokens) if v), None)
    if not token:
        raise UsageError(message("check.comment_no_token", variable=words.tokens[0]))
    api = os.environ.get(words.api) or words.home
    place = place._replace(repo=where, number=f"{words.sign}{number}")
    outcome = comment.upsert(doc, place, _host(name, api, where, number, token), always, least)
    if not outcome.posted:
        _show_instead(name, doc)
    print(printable(f"gpuadvisor: {render(outcome.text)}"), file=sys.stderr)


def _amount(text: str | None) -> "Decimal":
    """A threshold in the report's currency; UsageError where it is none."""
    from decimal import Decimal, InvalidOperation

    from gpuadvisor.catalog.errors import UsageError
    from gpuadvisor.catalog.message import message

    try:
        amount = Decimal((text or "0").strip())
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise UsageError(message("check.comment_threshold", value=str(text)[:60]))
    return amount


class _Words(NamedTuple):
    """What a host calls things in a job's environment."""

    api: str
    home: str
    repos: tuple[str, ...]
    expected: str
    slash: bool
    tokens: tuple[str, ...]
    run: str
    sign: str


_HOSTS = {
    "github": _Words(
        "GITHUB_API_URL", "https://api.github.com", ("GITHUB_REPOSITORY",), "OWNER/NAME", True,
        ("GITHUB_TOKEN", "GH_TOKEN"), "GITHUB_RUN_ID", "#",
    ),
    "gitlab": _Words(
        "CI_API_V4_URL", "https://gitlab.com/api/v4", ("CI_PROJECT_ID", "CI_PROJECT_PATH"),
        "GROUP/NAME", False, ("GITLAB_TOKEN",), "CI_PIPELINE_ID", "!",
    ),
}  # fmt: skip


def _host(name: str, api: str, repo: str, number: int, token: str) -> "comment.Host":
    if name == "gitlab":
        from gpuadvisor.report.gitlab_comment import GitLab

        return GitLab(api, repo, number, token)
    from gpuadvisor.report.github_comment import GitHub

    return GitHub(api, repo, number, token)


def _show_instead(name: str, doc: dict[str, Any]) -> None:
    """GitHub shows a summary without any token; GitLab has the job's log (and its reports)."""
    if name == "github":
        from gpuadvisor.report import check_github

        check_github.append_summary(check_github.summary(doc))
        return
    from gpuadvisor.cli.options import columns, emit
    from gpuadvisor.report.check_text import text

    emit(text(doc, columns()))


def _report(path: str) -> dict[str, Any]:
    """The stored report, in whose language the comment is; InputError where the file is something
    else."""
    import json

    from gpuadvisor.catalog.errors import InputError
    from gpuadvisor.catalog.message import message
    from gpuadvisor.iac.reading import read_bytes
    from gpuadvisor.report.check_markdown import markdown
    from gpuadvisor.report.messages import LANGUAGES, choose

    wrong = InputError(message("check.comment_report", file=path))
    raw = read_bytes(path)
    try:
        doc = json.loads(raw)
        if not isinstance(doc, dict) or doc.get("schema") != "gpuadvisor/check/1":
            raise wrong
        written_in = doc.get("language", "en")
        choose(written_in if written_in in LANGUAGES else "en")
        markdown(doc)
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise wrong from None
    return doc


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else 0


def _request_number(host: str) -> int | None:
    """The number in the event that started the job."""
    import json

    if host == "gitlab":
        return _number(os.environ.get("CI_MERGE_REQUEST_IID")) or None
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
