"""One comment on a pull request, found again by a hidden marker and updated in place."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.report.check_markdown import markdown
from gpuadvisor.report.check_words import Document, headline, say
from gpuadvisor.report.table import markdown_safe

MOST_CHARACTERS = 60_000
"""GitHub refuses bodies above 65,536 characters; the rest is room for what it counts otherwise."""
_PER_PAGE = 100
_MOST_PAGES = 100
_TRIES = 3
_SECONDS = 30
_RUN = re.compile(r"<!-- gpuadvisor:run:(\d{1,18}) -->")
_JOB_LOGIN = "github-actions[bot]"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Target(NamedTuple):
    """Where to comment. `key` tells several comments on one request apart; `run` orders runs:
    an older one never overwrites a newer one."""

    api: str
    repo: str
    number: int
    token: str
    key: str = "default"
    run: int = 0


class Outcome(NamedTuple):
    """What happened; `posted` is False where the report must go to the summary instead."""

    posted: bool
    text: Message


class _HttpError(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token goes to the address that was given and to no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def body_of(doc: Document, target: Target) -> str:
    """The comment, marker first, at most MOST_CHARACTERS long and cut between rows."""
    lead = f"{_marker(target.key)}\n<!-- gpuadvisor:run:{target.run} -->\n"
    foot = f"\n\n<sub>{say('comment_footer')}</sub>"
    return lead + markdown(doc, MOST_CHARACTERS - len(lead) - len(foot)) + foot


def unchanged_body(doc: Document, target: Target) -> str:
    """What an earlier comment becomes once the change touches no accelerator any more."""
    lead = f"{_marker(target.key)}\n<!-- gpuadvisor:run:{target.run} -->\n"
    return f"{lead}### {markdown_safe(headline(doc))}\n\n{say('comment_no_change')}"


def worth_saying(doc: Document) -> bool:
    """Did anything about accelerators change, or does the policy object."""
    broken = any(not v["passed"] and v["level"] == "fail" for v in doc["policy"])
    return bool(doc["summary"]["changed"]) or broken


def upsert(doc: Document, target: Target, always: bool = False) -> Outcome:
    """Create the comment or update it; silent where nothing changed and nothing was said before.

    Never raises for what the host answers: a comment must not decide a build.
    """
    _check_api(target.api)
    names = {"repo": target.repo, "number": target.number}
    try:
        login = _login(target)
        own = _own(target, login)
        if not worth_saying(doc) and not always:
            if not own:
                return Outcome(True, message("check.comment_silent"))
            body = unchanged_body(doc, target)
        else:
            body = body_of(doc, target)
        if any(_run_of(comment) > target.run for comment in own):
            return Outcome(True, message("check.comment_newer", **names))
        if own:
            _call(target, "PATCH", f"/issues/comments/{own[0]['id']}", {"body": body})
            return Outcome(True, message("check.comment_updated", **names))
        made = _call(target, "POST", f"/issues/{target.number}/comments", {"body": body})
        _merge(target, login, int(made["id"]), body)
        return Outcome(True, message("check.comment_created", **names))
    except _HttpError as error:
        if error.status in (401, 403, 404):
            text = message("check.comment_forbidden", repo=target.repo, status=error.status)
            return Outcome(False, text)
        return Outcome(False, message("check.comment_failed", reason=error.reason, **names))
    except (KeyError, TypeError, ValueError):
        reason = "unexpected answer"
        return Outcome(False, message("check.comment_failed", reason=reason, **names))


def _marker(key: str) -> str:
    return f"<!-- gpuadvisor:check:{key} -->"


def _login(target: Target) -> str:
    """Whose comments are ours. A job's token may not ask; it then writes as the job's bot."""
    try:
        return str(_call(target, "GET", "/user", top=True)["login"])
    except _HttpError as error:
        if error.status in (401, 403, 404):
            return _JOB_LOGIN
        raise


def _own(target: Target, login: str) -> list[dict[str, Any]]:
    """Our comments with the marker, oldest first, over all pages."""
    found: list[dict[str, Any]] = []
    for page in range(1, _MOST_PAGES + 1):
        query = urllib.parse.urlencode({"per_page": _PER_PAGE, "page": page})
        comments = _call(target, "GET", f"/issues/{target.number}/comments?{query}")
        found.extend(
            c
            for c in comments
            if str(c.get("body") or "").startswith(_marker(target.key))
            and (c.get("user") or {}).get("login") == login
        )
        if len(comments) < _PER_PAGE:
            break
    return sorted(found, key=lambda c: int(c["id"]))


def _run_of(comment: dict[str, Any]) -> int:
    found = _RUN.search(str(comment.get("body") or "")[:400])
    return int(found.group(1)) if found else 0


def _merge(target: Target, login: str, made: int, body: str) -> None:
    """Two runs at once both create: the first comment stays and gets the newest text."""
    own = _own(target, login)
    first = own[0] if own else None
    if first is None or int(first["id"]) == made:
        return
    if _run_of(first) <= target.run:
        _call(target, "PATCH", f"/issues/comments/{first['id']}", {"body": body})
    _call(target, "DELETE", f"/issues/comments/{made}")


def _check_api(api: str) -> None:
    parts = urllib.parse.urlsplit(api)
    secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    if not secure or not parts.hostname:
        raise UsageError(message("check.comment_api", value=api[:100]))


def _call(target: Target, method: str, path: str, payload: Any = None, top: bool = False) -> Any:
    """One request; retried where the host asks for patience. Raises _HttpError."""
    place = "" if top else f"/repos/{urllib.parse.quote(target.repo)}"
    request = urllib.request.Request(  # noqa: S310 - the scheme is checked before
        target.api.rstrip("/") + place + path,
        data=None if payload is None else json.dumps(payload).encode(),
        method=method,
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {target.token}",
            "Content-Type": "application/json",
            "User-Agent": "gpuadvisor",
            "X-GitHub-Api-Version": "2022-11-28",
        },
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
                raise _HttpError(error.code, f"HTTP {error.code}") from error
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            # A POST that got no answer may have been carried out; it is not repeated.
            if last or method == "POST":
                reason = str(getattr(error, "reason", error))[:100]
                raise _HttpError(0, reason) from error
        time.sleep(2.0**attempt / 2)
    raise AssertionError("the last attempt returns or raises")
