"""One result from the tasks of an AWS refresh: types of all regions merged, prices weighed.

A price whose type nobody described, or that tops on-demand, cannot stand in the catalog: it goes
into the report with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from gpuadvisor.catalog.model import ON_DEMAND, RESERVED, SAVINGS_PLAN, SPOT
from gpuadvisor.refresh.aws_names import PROVIDER, family_of
from gpuadvisor.refresh.aws_shapes import SOLD_ORDER
from gpuadvisor.refresh.aws_spot import INTERRUPTION, INTERRUPTION_FEED
from gpuadvisor.refresh.interface import Fetched, Puzzle, SeenPrice, SeenType

if TYPE_CHECKING:
    from gpuadvisor.catalog.store import Catalog
    from gpuadvisor.refresh.interface import Context

_BOUND = frozenset({SPOT, RESERVED, SAVINGS_PLAN})
_ROUNDING = Decimal("0.00005")
"""A feed of four decimals may top on-demand by half of its last one."""
_NAMED_REGIONS = 4


def join(results: Mapping[str, Fetched], context: Context) -> Fetched:
    """The results by task key as one, in an order that does not depend on who came first."""
    tasks = [results[key] for key in sorted(results, key=_reference_first(context.catalog))]
    puzzles = [puzzle for task in tasks for puzzle in task.puzzles]
    types, unlike = _merged(t for task in tasks for t in task.types)
    prices = tuple(p for task in tasks for p in task.prices)
    kept, odd = _sound(prices, {t.name for t in types}, context.catalog)
    sold = _Sold(kept, context.catalog)
    return Fetched(
        feeds=tuple(sorted({feed for task in tasks for feed in task.feeds})),
        types=tuple(t._replace(sold=sold.of(t)) for t in types),
        prices=tuple(_with_interruption(kept, [task.raw for task in tasks])),
        scopes=tuple(sorted({scope for task in tasks for scope in task.scopes})),
        puzzles=tuple(dict.fromkeys([*puzzles, *unlike, *odd])),
        notes=tuple(note for task in tasks for note in task.notes),
    )


def _reference_first(catalog: Catalog) -> Any:
    reference = catalog.provider(PROVIDER).reference_region
    return lambda key: (key.partition("/")[0] != reference, key)


def _merged(found: Iterable[SeenType]) -> tuple[list[SeenType], list[Puzzle]]:
    """A type once, as first described; sold as in any region. Other devices elsewhere are odd."""
    merged: dict[str, SeenType] = {}
    odd: list[Puzzle] = []
    for seen in found:
        first = merged.setdefault(seen.name, seen)
        merged[seen.name] = first._replace(sold=(*(first.sold or ()), *(seen.sold or ())))
        if (first.device, first.devices, first.fraction) != seen[2:5]:
            detail = f"{seen.devices or seen.fraction} {seen.device} in one region, "
            detail += f"{first.devices or first.fraction} {first.device} in another"
            odd.append(Puzzle("device", seen.name, PROVIDER, detail))
    return [merged[name] for name in sorted(merged)], odd


class _Sold:
    """As what a type is sold: usage classes, weighed against the prices now seen and known before.

    The classes say what could be launched: p5e may run on demand and nobody prices it so. Reserved
    instances and Savings Plans are no classes; plans cover whatever is sold on demand.
    """

    def __init__(self, prices: Iterable[SeenPrice], catalog: Catalog) -> None:
        self._priced = {(p.type, p.option) for p in prices}
        self._catalog = catalog
        self._before = {(o.instance_type, o.option) for o in catalog.offers(PROVIDER)}

    def of(self, seen: SeenType) -> tuple[str, ...]:
        """Purchase options in the order of `shapes.yaml`."""
        classes = set(seen.sold or ())
        known = self._catalog.instance_types().get((PROVIDER, seen.name))
        on_demand = self._is_priced(seen.name, ON_DEMAND) or known is None
        if ON_DEMAND in classes and on_demand:
            classes.add(SAVINGS_PLAN)
        else:
            classes.discard(ON_DEMAND)
        if (seen.name, RESERVED) in self._priced or (known and RESERVED in known.sold):
            classes.add(RESERVED)
        return tuple(option for option in SOLD_ORDER if option in classes)

    def _is_priced(self, name: str, option: str) -> bool:
        return (name, option) in self._priced or (name, option) in self._before


# -- prices -----------------------------------------------------------------------------------


def _sound(
    prices: Iterable[SeenPrice], described: set[str], catalog: Catalog
) -> tuple[list[SeenPrice], list[Puzzle]]:
    prices = tuple(prices)
    ceilings = _ceilings(prices, catalog)
    kept: list[SeenPrice] = []
    odd: list[Puzzle] = []
    unknown: dict[str, dict[str, None]] = {}
    for price in prices:
        if (PROVIDER, price.type) not in catalog.instance_types() and price.type not in described:
            unknown.setdefault(price.type, {})[price.region] = None
            continue
        ceiling = ceilings.get((price.type, price.region))
        if price.option not in _BOUND or ceiling is None or price.price <= ceiling:
            kept.append(price)
        elif price.option == SPOT and price.price - ceiling < _ROUNDING:
            kept.append(price._replace(price=ceiling, low=min(price.low or ceiling, ceiling)))
        else:
            cell = "/".join(part or "-" for part in price[2:6]).rstrip("/-")
            detail = f"{cell} {price.price} above on_demand {ceiling}"
            odd.append(Puzzle("price", price.type, price.region, detail))
    return kept, [*_undescribed(unknown), *odd]


def _ceilings(prices: Iterable[SeenPrice], catalog: Catalog) -> Mapping[tuple[str, str], Decimal]:
    """On-demand by type and region: as seen now, else as known."""
    known = {
        (o.instance_type, o.region): o.price for o in catalog.offers(PROVIDER, options=[ON_DEMAND])
    }
    return known | {(p.type, p.region): p.price for p in prices if p.option == ON_DEMAND}


def _undescribed(unknown: Mapping[str, Mapping[str, None]]) -> Iterator[Puzzle]:
    for name, regions in sorted(unknown.items()):
        named = sorted(regions)
        more = len(named) - _NAMED_REGIONS
        where = ", ".join(named[:_NAMED_REGIONS]) + (f" +{more}" if more > 0 else "")
        yield Puzzle("family", name, where, f"{family_of(name)}: priced, its shape is unknown")


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
