"""One comment on a request for changes, found again by a hidden marker and updated in place.

The host (GitHub, GitLab) lists, writes and removes comments; what is written and when is here.
"""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.report.check_markdown import markdown
from gpuadvisor.report.check_words import Document, headline, say
from gpuadvisor.report.table import markdown_safe

MOST_CHARACTERS = {"github": 60_000, "gitlab": 200_000}
"""GitHub refuses bodies above 65,536 characters, the rest is room for what it counts otherwise.
GitLab takes a million; a note of that length helps nobody."""
_TRIES = 3
_SECONDS = 30
_RUN = re.compile(r"<!-- gpuadvisor:run:(\d{1,18}) -->")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Comment(NamedTuple):
    """A comment of anybody; `author` is a login or an id, as the host tells people apart."""

    id: int
    body: str
    author: str


class Place(NamedTuple):
    """Where to comment. `repo` and `number` name the request, `key` tells several comments on
    one request apart; `run` orders runs: an older one never overwrites a newer one. `limit` is
    the length of a comment in characters."""

    repo: str
    number: str
    key: str
    run: int
    limit: int


class Host(Protocol):
    """The few things that are asked of a host; HttpError where it refuses."""

    def author(self) -> str:
        """Whose comments are ours."""

    def comments(self) -> list[Comment]:
        """All comments of the request, over all pages."""

    def create(self, body: str) -> int:
        """Write a comment; its id."""

    def update(self, id: int, body: str) -> None:
        """Give a comment a new text."""

    def delete(self, id: int) -> None:
        """Remove a comment."""


class Outcome(NamedTuple):
    """What happened; `posted` is False where the report must be shown some other way."""

    posted: bool
    text: Message


class HttpError(Exception):
    """The host's answer is no success; `status` is 0 where there was no answer."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token goes to the address that was given and to no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def body_of(doc: Document, place: Place) -> str:
    """The comment, marker first, within the limit and cut between rows."""
    lead = _lead(place)
    foot = f"\n\n<sub>{say('comment_footer')}</sub>"
    return lead + markdown(doc, place.limit - len(lead) - len(foot)) + foot


def unchanged_body(doc: Document, place: Place) -> str:
    """What an earlier comment becomes once the change touches no accelerator any more."""
    said = say("comment_small" if doc["summary"]["changed"] else "comment_no_change")
    return f"{_lead(place)}### {markdown_safe(headline(doc))}\n\n{said}"


def worth_saying(doc: Document, threshold: Decimal = Decimal(0)) -> bool:
    """Did anything about accelerators change, or does the policy object.

    With a threshold (money a month in the report's currency) a change counts from there on, at
    planned or maximum counts; what could not be priced may be of any size and always counts.
    """
    summary = doc["summary"]
    if any(not v["passed"] and v["level"] == "fail" for v in doc["policy"]):
        return True
    if not threshold or not summary["changed"]:
        return bool(summary["changed"])
    if summary["unpriced"] or summary["unknown"] or summary["unbounded"]:
        return True
    return max(abs(Decimal(summary[key])) for key in ("delta", "delta_max")) >= threshold


def upsert(
    doc: Document,
    place: Place,
    host: Host,
    always: bool = False,
    threshold: Decimal = Decimal(0),
) -> Outcome:
    """Create the comment or update it; silent where nothing changed and nothing was said before.

    Never raises for what the host answers: a comment must not decide a build.
    """
    names = {"repo": place.repo, "number": place.number}
    try:
        author = host.author()
        own = _own(host, author, place)
        if not worth_saying(doc, threshold) and not always:
            if not own:
                return Outcome(True, message("check.comment_silent"))
            body = unchanged_body(doc, place)
        else:
            body = body_of(doc, place)
        if any(_run_of(comment) > place.run for comment in own):
            return Outcome(True, message("check.comment_newer", **names))
        if own:
            host.update(own[0].id, body)
            return Outcome(True, message("check.comment_updated", **names))
        made = host.create(body)
        _merge(host, author, place, made, body)
        return Outcome(True, message("check.comment_created", **names))
    except HttpError as error:
        if error.status in (401, 403, 404):
            text = message("check.comment_forbidden", repo=place.repo, status=error.status)
            return Outcome(False, text)
        return Outcome(False, message("check.comment_failed", reason=error.reason, **names))
    except (KeyError, TypeError, ValueError, AttributeError):
        reason = "unexpected answer"
        return Outcome(False, message("check.comment_failed", reason=reason, **names))


def _marker(key: str) -> str:
    return f"<!-- gpuadvisor:check:{key} -->"


def _lead(place: Place) -> str:
    return f"{_marker(place.key)}\n<!-- gpuadvisor:run:{place.run} -->\n"


def _own(host: Host, author: str, place: Place) -> list[Comment]:
    """Our comments with the marker, oldest first."""
    marker = _marker(place.key)
    found = [c for c in host.comments() if c.author == author and c.body.startswith(marker)]
    return sorted(found, key=lambda c: c.id)


def _run_of(comment: Comment) -> int:
    found = _RUN.search(comment.body[:400])
    return int(found.group(1)) if found else 0


def _merge(host: Host, author: str, place: Place, made: int, body: str) -> None:
    """Two runs at once both create: the first comment stays and gets the newest text."""
    own = _own(host, author, place)
    first = own[0] if own else None
    if first is None or first.id == made:
        return
    if _run_of(first) <= place.run:
        host.update(first.id, body)
    host.delete(made)


def check_api(api: str, variable: str) -> None:
    """A token is sent over https, or to this machine; raises UsageError."""
    parts = urllib.parse.urlsplit(api)
    secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    if not secure or not parts.hostname:
        raise UsageError(message("check.comment_api", variable=variable, value=api[:100]))


def call(method: str, url: str, headers: Mapping[str, str], payload: Any = None) -> Any:
    """One request; retried where the host asks for patience. Raises HttpError."""
    request = urllib.request.Request(  # noqa: S310 - the scheme is checked before
        url,
        data=None if payload is None else json.dumps(payload).encode(),
        method=method,
        headers={"Content-Type": "application/json", "User-Agent": "gpuadvisor", **headers},
    )
    for attempt in range(_TRIES):
        last = attempt == _TRIES - 1
        try:
            with _OPENER.open(request, timeout=_SECONDS) as answer:
                raw = answer.read()
                return json.loads(raw) if raw else None
        except urllib.error.HTTPError as error:
            error.close()
            if error.code not in (429, 500, 502, 503, 504) or last:
                raise HttpError(error.code, f"HTTP {error.code}") from error
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            # A POST that got no answer may have been carried out; it is not repeated.
            if last or method == "POST":
                reason = str(getattr(error, "reason", error))[:100]
                raise HttpError(0, reason) from error
        time.sleep(2.0**attempt / 2)
    raise AssertionError("the last attempt returns or raises")
