"""The small catalog as a checkout that a refresh may write, and the `acme` cloud on the server."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.refresh import providers, transport
from tests.catalog import small
from tests.cli.run import Outcome, gpuadvisor
from tests.refresh.server import Reply, Request, Server, reply

TODAY = "2026-11-30"
NEXT_WEEK = "2026-12-07"
DRIVER = (
    "import sys; from gpuadvisor.refresh import providers;"
    "providers.PROVIDERS = {'acme': 'tests.refresh.acme'};"
    "from gpuadvisor.cli.main import main; main(sys.argv[1:])"
)
"""`python -c DRIVER catalog refresh acme …`: the command in a process of its own."""

Prices = dict[str, dict[str, list[dict[str, Any]]]]
PRICES: Prices = {
    # As in the small catalog's 2026.10.
    "north": {
        "on_demand": [{"type": "t.1", "price": 0.5}, {"type": "l.q", "price": 0.2}],
        "spot": [{"type": "t.1", "price": 0.2, "low": 0.1}],
        "reserved": [{"type": "t.1", "price": 0.3, "term": "1y"}],
    },
    "south": {"on_demand": [{"type": "t.1", "price": 0.6}], "spot": [], "reserved": []},
}


class Cloud:
    """`acme` as it is now: change `prices` and `types` between refreshes."""

    def __init__(self, server: Server, root: Path) -> None:
        self.server, self.root = server, root
        self.prices: Prices = copy.deepcopy(PRICES)
        self.types: list[dict[str, Any]] = []
        server.on("/regions", lambda _: reply(sorted(self.prices)))
        server.on("/types", lambda _: reply(self.types))
        server.on("/prices/*", self._page)

    def _page(self, request: Request) -> Reply:
        items = self.prices[request.path.rpartition("/")[2]][request.query["option"]]
        page = int(request.query["page"])
        more = page + 1 if len(items) > page * 50 else None
        return reply({"items": items[page * 50 - 50 : page * 50], "next": more})

    def refresh(self, *arguments: str, today: str = TODAY) -> Outcome:
        """`catalog refresh acme` in this process."""
        return gpuadvisor("catalog", "refresh", "acme", "--today", today, *arguments)

    def files(self) -> dict[str, bytes]:
        """Every file of the catalog, hidden ones too."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }

    def text(self, version: str) -> str:
        """The price file of a version."""
        return (self.root / f"providers/acme/prices/{version}.yaml").read_text(encoding="utf-8")

    def environment(self) -> Mapping[str, str]:
        """What a process of its own needs."""
        return {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}


def patience(monkeypatch: pytest.MonkeyPatch, **limits: Any) -> None:
    """Let the command's transport have other limits than a user's."""
    chosen = transport.Limits()._replace(**limits)
    ends_with = transport.Http.__init__.__defaults__
    assert ends_with is not None
    monkeypatch.setattr(transport.Http.__init__, "__defaults__", (chosen, *ends_with[1:]))


def prepared(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    """A catalog in `tmp_path`, caches of its own, and `acme` as a provider."""
    root = small.write(tmp_path / "catalogs")
    monkeypatch.setenv("GPUADVISOR_BASE", str(root))
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GPUADVISOR_ENDPOINT_ACME", server.address)
    monkeypatch.setattr(providers, "PROVIDERS", {"acme": "tests.refresh.acme"})
    patience(monkeypatch, pause=0.0)
    return Cloud(server, root)
