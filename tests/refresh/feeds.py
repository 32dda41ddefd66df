"""A provider's module by itself: the shipped catalog, the local server, the real transport."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh.interface import Context, Fetched, Wanted
from gpuadvisor.refresh.work import Work
from tests.refresh.server import http

TODAY = date(2026, 11, 30)


def fetched(
    module: Any,
    catalog: Catalog,
    endpoints: Mapping[str, str],
    *,
    regions: tuple[str, ...] = (),
    parts: tuple[str, ...] = (),
    tmp: Any,
) -> Fetched:
    """Plan, fetch and combine, each result through JSON as the runner keeps it. Raises Missing."""
    wanted = Wanted(regions, frozenset(parts))
    context = Context(TODAY, catalog, http(attempts=2), endpoints, lambda _: None)
    work = Work(str(tmp))
    results = {
        task.key: work.keep(task.key, module.fetch(task, wanted, context))
        for task in module.plan(wanted, context)
    }
    found: Fetched = module.combine(results, context)
    return found
