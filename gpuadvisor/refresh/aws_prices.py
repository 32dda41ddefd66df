"""Rows of the AWS price list, whichever way they came, and the prices that they make together.

A row of the price list counts when it is Linux on shared tenancy without licence or software, for
capacity that is used (unused reservations are priced too), sold on demand and not as a block
(blocks stand there at 0). A reserved term is two rows, an upfront fee and an hourly rate:
effective hourly = fee / (8760 h x years) + hourly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.catalog.model import ON_DEMAND, RESERVED
from gpuadvisor.refresh.interface import Puzzle, Scope, SeenPrice

CURRENCY = "USD"
HOURS_PER_YEAR = 8760
METAL_FAMILY = "Compute Instance (bare metal)"
_FINEST = Decimal("0.000001")
"""Rates with a share of a fee do not end; a millionth is finer than any that is printed."""

_WANTED: Mapping[str, frozenset[str]] = {
    "productFamily": frozenset({"Compute Instance", METAL_FAMILY}),
    "operatingSystem": frozenset({"Linux"}),
    "licenseModel": frozenset({"No License required"}),
    "preInstalledSw": frozenset({"NA"}),
    "capacitystatus": frozenset({"Used"}),
    "operation": frozenset({"RunInstances"}),
}
_TERMS = {"1yr": "1y", "3yr": "3y"}
_YEARS = {"1y": 1, "3y": 3}
PAYMENTS = {
    # AWS's word -> the catalog's
    "No Upfront": "no_upfront",
    "Partial Upfront": "partial_upfront",
    "All Upfront": "all_upfront",
}


class Row(NamedTuple):
    """One price dimension of a product that counts. `tenancy` is of bare metal `Dedicated` too."""

    type: str
    tenancy: str
    reserved: bool
    lease: str
    cls: str
    purchase: str
    unit: str
    price: Decimal
    currency: str


class _Term(NamedTuple):
    """What makes a cell: option, term, class, payment."""

    option: str
    term: str | None = None
    cls: str | None = None
    payment: str | None = None


def positive(text: object) -> Decimal:
    """A price, 0 included. ValueError for what is none."""
    value = Decimal(str(text))
    if not value.is_finite() or value < 0:
        raise ValueError(value)
    return value


def counts(attributes: Mapping[str, str], region: str) -> bool:
    """Whether a product with these attributes (named as by GetProducts) is one we price."""
    if any(attributes.get(name) not in allowed for name, allowed in _WANTED.items()):
        return False
    if attributes.get("marketoption", "OnDemand") != "OnDemand":
        return False
    if attributes.get("regionCode") != region:
        return False  # a local zone in the file of its parent region
    tenancy = attributes.get("tenancy")
    # Bare metal has no neighbours; parts of the list call it dedicated for that.
    metal = attributes["productFamily"] == METAL_FAMILY
    return tenancy == "Shared" or (metal and tenancy == "Dedicated")


def prices(
    rows: Iterable[Row], region: str, feed: str, options: frozenset[str]
) -> tuple[tuple[SeenPrice, ...], tuple[Puzzle, ...]]:
    """The prices of a region's rows, and what does not add up, each in order of type and term."""
    dimensions = _by_term(rows)
    seen: list[SeenPrice] = []
    puzzles: list[Puzzle] = []
    for (type_name, term), units in sorted(dimensions.items(), key=_order):
        if term.option not in options:
            continue
        price = None
        if all(len(v) == 1 and v[0][1] == CURRENCY for v in units.values()):
            price = _effective(term, {unit: values[0][0] for unit, values in units.items()})
        if price is None:
            # Two figures for one thing, another currency, or a part of the term is missing.
            puzzles.append(Puzzle("price", type_name, region, _shown(term, units)))
        elif price:
            seen.append(SeenPrice(type_name, region, *term, price, CURRENCY, feed))
        # A price of 0 is no price: such rows stand for what is sold otherwise.
    return tuple(seen), tuple(puzzles)


def scopes(seen: Iterable[SeenPrice], puzzles: Iterable[Puzzle] = ()) -> tuple[Scope, ...]:
    """What was read to its end: an option of which nothing at all was found is not among it.

    Nor is a type with a figure that was not understood: it is not gone.
    """
    besides = tuple(sorted({puzzle.name for puzzle in puzzles}))
    return tuple(sorted({Scope(price.region, price.option, besides) for price in seen}))


_Units = dict[str, list[tuple[Decimal, str]]]
_Key = tuple[str, _Term]


def _by_term(rows: Iterable[Row]) -> dict[_Key, _Units]:
    """Distinct values of each unit; of bare metal the shared rows where there are any."""
    kept: dict[str, dict[_Key, _Units]] = {"Shared": {}, "Dedicated": {}}
    for row in rows:
        term = _term(row)
        if term is None:
            continue
        units = kept[row.tenancy].setdefault((row.type, term), {})
        values = units.setdefault(row.unit, [])
        if (row.price, row.currency) not in values:
            values.append((row.price, row.currency))
    shared = kept["Shared"]
    have = {type_name for type_name, _ in shared}
    return {**{k: v for k, v in kept["Dedicated"].items() if k[0] not in have}, **shared}


def _term(row: Row) -> _Term | None:
    if not row.reserved:
        return _Term(ON_DEMAND) if row.unit == "Hrs" else None
    term, payment = _TERMS.get(row.lease), PAYMENTS.get(row.purchase)
    if term is None or payment is None or row.cls not in ("standard", "convertible"):
        return None
    return _Term(RESERVED, term, row.cls, payment)


def _shown(term: _Term, units: _Units) -> str:
    """`reserved/1y/standard/partial_upfront: Hrs 0.156 USD`: the cell, and all that was seen."""
    cell = "/".join(part for part in term if part)
    said = [f"{unit} {price} {code}" for unit, values in units.items() for price, code in values]
    return f"{cell}: {', '.join(said)}"


def _effective(term: _Term, units: Mapping[str, Decimal]) -> Decimal | None:
    """Price of an hour with its share of the fee; None where a part of the term is missing."""
    hourly, fee = units.get("Hrs"), units.get("Quantity")
    if term.payment in (None, "no_upfront"):
        return None if hourly is None else hourly.normalize()
    if fee is None or (hourly is None and term.payment == "partial_upfront"):
        return None
    hours = HOURS_PER_YEAR * _YEARS[term.term or ""]
    return (fee / hours + (hourly or 0)).quantize(_FINEST).normalize()


def _order(item: tuple[_Key, _Units]) -> tuple[str, ...]:
    (type_name, term), _ = item
    return type_name, *(part or "" for part in term)
