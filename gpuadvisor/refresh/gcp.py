"""Google Cloud: machine types from the Compute Engine API, prices from the Cloud Billing Catalog.

Neither knows the other: zones say where a machine stands, SKUs say what its parts cost, and
`combine` joins them. Without a project the regions are those the catalog has a price in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import CALENDAR, COMMITTED_USE, FLEX_START, ON_DEMAND, SPOT
from gpuadvisor.catalog.names import unknown_name
from gpuadvisor.refresh.gcp_account import (
    Compute,
    api_key,
    billing_address,
    billing_headers,
    compute_address,
    has_client,
)
from gpuadvisor.refresh.gcp_billing import PUBLIC, SERVICE, skus
from gpuadvisor.refresh.gcp_join import join
from gpuadvisor.refresh.gcp_permissions import PERMISSIONS
from gpuadvisor.refresh.gcp_shapes import offered_in, read_zones, seen_types
from gpuadvisor.refresh.gcp_skus import read_rates
from gpuadvisor.refresh.interface import (
    SHAPES,
    Context,
    Feed,
    Fetched,
    Permission,
    Task,
    Wanted,
)

OPTIONS = (ON_DEMAND, SPOT, COMMITTED_USE, FLEX_START, CALENDAR)
ZONES, PRICES = "zones", "prices"
"""Keys of the two tasks: each reads a list of all regions."""


def permissions() -> Sequence[Permission]:
    """A role for the Compute Engine lists and the limits of an API key for the SKUs."""
    return PERMISSIONS


def plan(wanted: Wanted, context: Context) -> Sequence[Task]:
    """See `interface.Source`."""
    regions = sorted(context.catalog.region_names("gcp"))
    for region in wanted.regions:
        if region not in regions:
            raise UsageError(unknown_name("region", region, regions))
    options = [option for option in OPTIONS if wanted.asks(option)]
    if not options and not wanted.asks(SHAPES):
        raise UsageError(message("refresh_gcp.no_parts", parts=", ".join((SHAPES, *OPTIONS))))
    compute_address(context)
    billing_address(context)
    if not has_client() and (not options or not api_key()):
        raise UsageError(message("refresh_gcp.no_extra" if not options else "refresh_gcp.no_key"))
    tasks = [Task(ZONES, "", SHAPES)]
    return [*tasks, Task(PRICES, "", PRICES)] if options else tasks


def fetch(task: Task, wanted: Wanted, context: Context) -> Fetched:
    """See `interface.Source`."""
    return _zones(wanted, context) if task.key == ZONES else _prices(wanted, context)


def combine(results: Mapping[str, Fetched], context: Context) -> Fetched:
    """See `interface.Source`."""
    return join(results.get(ZONES), results.get(PRICES), context)


def _zones(wanted: Wanted, context: Context) -> Fetched:
    zones = read_zones(Compute(wanted, context))
    feed = Feed(
        f"compute-api-{context.today}",
        "Compute Engine API, machine types and accelerator types per zone",
        "https://compute.googleapis.com/compute/v1/projects/PROJECT/aggregated/machineTypes",
        context.today,
        "",
    )
    known = {n: t for (p, n), t in context.catalog.instance_types().items() if p == "gcp"}
    types, puzzles = seen_types(zones, context, feed.id)
    silent = sorted(zones.silent)
    return Fetched(
        feeds=(feed,),
        types=tuple(types),
        puzzles=tuple(puzzles),
        notes=(message("refresh_gcp.silent", zones=", ".join(silent)),) if silent else (),
        raw={
            "shapes": wanted.asks(SHAPES),
            "offered": {n: sorted(regions) for n, regions in offered_in(zones, known).items()},
            "silent": silent,
        },
    )


def _prices(wanted: Wanted, context: Context) -> Fetched:
    headers = billing_headers(context)
    rates = read_rates(skus(billing_address(context), headers, context))
    known = context.catalog.region_names("gcp")
    return Fetched(
        feeds=(billing_feed(context.today),),
        raw={
            "regions": list(wanted.regions or known),
            "options": [option for option in OPTIONS if wanted.asks(option)],
            "rates": _as_text(rates.prices),
            "questions": [
                [*asked, sorted(regions)] for asked, regions in sorted(rates.questions.items())
            ],
        },
    )


def billing_feed(today: date) -> Feed:
    """The Billing Catalog's entry among the sources. Its `effectiveTime` is the time of asking,
    so the figures are dated by the day they were read."""
    return Feed(
        f"billing-catalog-{today}",
        "Cloud Billing Catalog, SKUs of Compute Engine; machine prices summed from their parts",
        f"{PUBLIC}/v1/services/{SERVICE}/skus",
        today,
        "",
    )


def _as_text(prices: Mapping[str, Mapping[str, Mapping[str, Decimal]]]) -> dict[str, Any]:
    return {
        part: {option: {r: str(p) for r, p in by.items()} for option, by in options.items()}
        for part, options in prices.items()
    }
