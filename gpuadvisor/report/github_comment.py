"""GitHub as a host of comments on pull requests."""

from __future__ import annotations

import urllib.parse
from typing import Any

from gpuadvisor.report.comment import Comment, HttpError, call, check_api

_PER_PAGE = 100
_MOST_PAGES = 100
_JOB_LOGIN = "github-actions[bot]"


class GitHub:
    """See `comment.Host`. `repo` is owner/name, `number` that of the pull request."""

    def __init__(self, api: str, repo: str, number: int, token: str) -> None:
        check_api(api, "GITHUB_API_URL")
        self._api, self._token = api.rstrip("/"), token
        self._repo = f"/repos/{urllib.parse.quote(repo)}"
        self._comments = f"{self._repo}/issues/{number}/comments"

    def author(self) -> str:
        """The token's login. A job's token may not ask; it then writes as the job's bot."""
        try:
            return str(self._call("GET", "/user")["login"])
        except HttpError as error:
            if error.status in (401, 403, 404):
                return _JOB_LOGIN
            raise

    def comments(self) -> list[Comment]:
        """Comments of the conversation, oldest first."""
        found: list[Comment] = []
        for page in range(1, _MOST_PAGES + 1):
            query = urllib.parse.urlencode({"per_page": _PER_PAGE, "page": page})
            items = self._call("GET", f"{self._comments}?{query}")
            for item in items:
                login = (item.get("user") or {}).get("login")
                found.append(Comment(int(item["id"]), str(item.get("body") or ""), str(login)))
            if len(items) < _PER_PAGE:
                break
        return found

    def create(self, body: str) -> int:
        return int(self._call("POST", self._comments, {"body": body})["id"])

    def update(self, id: int, body: str) -> None:
        self._call("PATCH", f"{self._repo}/issues/comments/{id}", {"body": body})

    def delete(self, id: int) -> None:
        self._call("DELETE", f"{self._repo}/issues/comments/{id}")

    def _call(self, method: str, path: str, payload: Any = None) -> Any:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        return call(method, self._api + path, headers, payload)
