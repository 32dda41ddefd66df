"""One result from the tasks of an AWS refresh: what types are sold as, and how spot is taken back.

What the usage classes and the prices say of a type comes from different tasks, as do the price of
spot and the chance of losing it. That prices suit the catalog is `compose`'s business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gpuadvisor.catalog.model import ON_DEMAND, RESERVED, SAVINGS_PLAN, SPOT
from gpuadvisor.refresh.aws_names import PROVIDER
from gpuadvisor.refresh.aws_shapes import SOLD_ORDER
from gpuadvisor.refresh.aws_spot import INTERRUPTION, INTERRUPTION_FEED
from gpuadvisor.refresh.interface import Fetched, SeenPrice, SeenType

if TYPE_CHECKING:
    from gpuadvisor.catalog.store import Catalog
    from gpuadvisor.refresh.interface import Context


def join(results: Mapping[str, Fetched], context: Context) -> Fetched:
    """The results by task key as one, in an order that does not depend on who came first.

    The reference region stands first, so that a type is described as it is there.
    """
    reference = context.catalog.provider(PROVIDER).reference_region
    ordered = sorted(results, key=lambda key: (key.partition("/")[0] != reference, key))
    tasks = [results[key] for key in ordered]
    prices = [price for task in tasks for price in task.prices]
    sold = _Sold(prices, context.catalog)
    return Fetched(
        feeds=tuple(sorted({feed for task in tasks for feed in task.feeds})),
        types=tuple(t._replace(sold=sold.of(t)) for task in tasks for t in task.types),
        prices=tuple(_with_interruption(prices, [task.raw for task in tasks])),
        scopes=tuple(sorted({scope for task in tasks for scope in task.scopes})),
        puzzles=tuple(dict.fromkeys(puzzle for task in tasks for puzzle in task.puzzles)),
        notes=tuple(note for task in tasks for note in task.notes),
    )


class _Sold:
    """As what a type is sold: usage classes, weighed against the prices now seen and known before.

    The classes say what could be launched: p5e may run on demand and nobody prices it so. Reserved
    instances and Savings Plans are no classes; plans cover whatever is sold on demand.
    """

    def __init__(self, prices: Iterable[SeenPrice], catalog: Catalog) -> None:
        self._types = catalog.instance_types()
        seen = {(p.type, p.option) for p in prices}
        before = {(o.instance_type, o.option) for o in catalog.offers(PROVIDER)}
        self._seen, self._priced = seen, seen | before

    def of(self, seen: SeenType) -> tuple[str, ...]:
        """Purchase options in the order of `shapes.yaml`."""
        classes = set(seen.sold or ())
        known = self._types.get((PROVIDER, seen.name))
        priced = (seen.name, ON_DEMAND) in self._priced
        if ON_DEMAND in classes and (priced or known is None):
            classes.add(SAVINGS_PLAN)
        else:
            classes.discard(ON_DEMAND)
        if (seen.name, RESERVED) in self._seen or (known and RESERVED in known.sold):
            classes.add(RESERVED)
        return tuple(option for option in SOLD_ORDER if option in classes)


def _with_interruption(
    prices: Iterable[SeenPrice], raws: Iterable[Mapping[str, Any]]
) -> Iterator[SeenPrice]:
    advice = next((raw for raw in raws if INTERRUPTION in raw), {})
    by_region = advice.get(INTERRUPTION, {})
    for price in prices:
        bucket = by_region.get(price.region, {}).get(price.type)
        if price.option == SPOT and bucket:
            origin = advice[INTERRUPTION_FEED]
            yield price._replace(interruption=bucket, interruption_feed=origin)
        else:
            yield price
