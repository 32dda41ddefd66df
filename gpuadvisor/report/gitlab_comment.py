"""GitLab as a host of notes on merge requests."""

from __future__ import annotations

import urllib.parse
from typing import Any

from gpuadvisor.report.comment import Comment, call, check_api

_PER_PAGE = 100
_MOST_PAGES = 100


class GitLab:
    """See `comment.Host`. `project` is a number or group/name, `number` the request's iid.

    The token is an access token with the scope `api`: the job's own token may not write notes.
    """

    def __init__(self, api: str, project: str, number: int, token: str) -> None:
        check_api(api, "CI_API_V4_URL")
        self._api, self._token = api.rstrip("/"), token
        where = urllib.parse.quote(project, safe="")
        self._notes = f"/projects/{where}/merge_requests/{number}/notes"

    def author(self) -> str:
        """The id of the token's user; a project's token has a bot of its own."""
        return str(self._call("GET", "/user")["id"])

    def comments(self) -> list[Comment]:
        """Notes that people and bots wrote; those of the system are left out."""
        found: list[Comment] = []
        for page in range(1, _MOST_PAGES + 1):
            order = {"per_page": _PER_PAGE, "page": page, "order_by": "created_at", "sort": "asc"}
            items = self._call("GET", f"{self._notes}?{urllib.parse.urlencode(order)}")
            for item in items:
                if not item.get("system"):
                    author = (item.get("author") or {}).get("id")
                    found.append(Comment(int(item["id"]), str(item.get("body") or ""), str(author)))
            if len(items) < _PER_PAGE:
                break
        return found

    def create(self, body: str) -> int:
        return int(self._call("POST", self._notes, {"body": body})["id"])

    def update(self, id: int, body: str) -> None:
        self._call("PUT", f"{self._notes}/{id}", {"body": body})

    def delete(self, id: int) -> None:
        self._call("DELETE", f"{self._notes}/{id}")

    def _call(self, method: str, path: str, payload: Any = None) -> Any:
        return call(method, self._api + path, {"PRIVATE-TOKEN": self._token}, payload)
