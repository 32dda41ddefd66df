"""Schema of `providers/<provider>/prices/<YYYY.MM>.yaml`.

One compact row per (type, region). A cell's key is `option[/term[/class[/payment]]]`, its
value `[price, source]` or `[price, source, confirming source]`; spot is a mapping.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, get_args

from pydantic import Discriminator, Field, Tag, field_validator

from gpuadvisor.catalog.schema import CatalogFile, Name, StrictModel
from gpuadvisor.catalog.schema_shapes import Option

Price = Annotated[Decimal, Field(gt=0, lt=100_000, max_digits=20, allow_inf_nan=False)]
Term = Annotated[str, Field(pattern=r"^(\d+(y|mo|d|h)|\d+-\d+d)$")]
OPTIONS = get_args(Option)


class SpotCell(StrictModel):
    """A spot price: `low` is the cheapest zone, `typical` the median or the posted price.

    `market_median` is the median of a marketplace's live offers; its `low` repeats it.
    """

    low: Price
    typical: Price
    measure: Literal["zones", "region_lowest", "zone_mean", "list", "market_median"]
    source: Name
    confirmed_by: Name | None = None
    interruption: Literal["<5%", "5-10%", "10-15%", "15-20%", ">20%"] | None = None
    interruption_source: Name | None = None


def _kind(value: Any) -> str | None:
    if isinstance(value, (dict, SpotCell)):
        return "spot"
    if isinstance(value, (list, tuple)):
        return "confirmed" if len(value) == 3 else "plain"
    return "plain"


Cell = Annotated[
    Annotated[tuple[Price, Name], Tag("plain")]
    | Annotated[tuple[Price, Name, Name], Tag("confirmed")]
    | Annotated[SpotCell, Tag("spot")],
    Discriminator(_kind),
]


class CellKey(StrictModel):
    """The parts of a cell's key."""

    option: Option
    term: Term | None = None
    cls: Name | None = None
    payment: Literal["no_upfront", "partial_upfront", "all_upfront"] | None = None


def split_key(key: str) -> CellKey:
    """Parse `option[/term[/class[/payment]]]`; `-` stands for a part left open.

    Raises pydantic.ValidationError (a ValueError) naming the part that is wrong.
    """
    parts = [None if part == "-" else part for part in key.split("/")]
    if len(parts) > 4:
        raise ValueError("at most option/term/class/payment")
    parts += [None] * (4 - len(parts))
    return CellKey.model_validate(
        dict(zip(("option", "term", "cls", "payment"), parts, strict=True))
    )


class PricesFile(CatalogFile):
    """One dated version of a provider's prices per instance-hour, in its own currency.

    In an overlay, `complete` says that the file holds all prices of the provider: it stands in
    the place of the versions beneath it, as long as it is the newer one. Any other file of an
    overlay is laid over them, price by price.
    """

    provider: Name
    version: Annotated[str, Field(pattern=r"^\d{4}\.\d{2}(\.\d+)?$")]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    complete: bool = False
    prices: dict[Name, dict[Name, dict[Name, Cell]]]

    @field_validator("prices")
    @classmethod
    def _keys(cls, value: dict[str, dict[str, dict[str, Any]]]) -> Any:
        for regions in value.values():
            for cells in regions.values():
                for key, cell in cells.items():
                    if (key.partition("/")[0] == "spot") != isinstance(cell, SpotCell):
                        raise ValueError("spot takes {low, typical, ...}; others [price, source]")
        return value
