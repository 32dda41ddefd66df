"""Schema of `ownership/*.yaml`: what buying and running accelerators costs."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gpuadvisor.catalog.schema import CatalogFile, Name, NotNegative, Positive, StrictModel

Figure = Literal[
    "purchase", "system_power", "pue", "electricity", "colocation", "residual", "capital_cost",
    "maintenance",
]  # fmt: skip
UNITS = {
    "purchase": "USD",
    "system_power": "kW",
    "pue": "ratio",
    "electricity": "USD/kWh",
    "colocation": "USD/kW-month",
    "residual": "fraction",
    "capital_cost": "fraction",
    "maintenance": "fraction",
}
"""The one unit of each figure; fractions are of the purchase price (maintenance: a year)."""


class OwnershipEntry(StrictModel):
    """One figure with its range. `device` and `devices` say of what a purchase or power is.

    `condition` is new or used. `usual` marks the figure taken where the user gives none.
    """

    figure: Figure
    title: Name
    value: NotNegative
    low: NotNegative | None = None
    high: Positive | None = None
    unit: Name
    device: Name | None = None
    devices: Annotated[int, Field(ge=1)] | None = None
    condition: Literal["new", "used"] | None = None
    usual: bool = False
    source: Name
    notes: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.unit != UNITS[self.figure]:
            raise ValueError(f"{self.figure} is given in {UNITS[self.figure]}")
        low = self.value if self.low is None else self.low
        high = self.value if self.high is None else self.high
        if not low <= self.value <= high:
            raise ValueError("low <= value <= high")
        of_device = self.figure in ("purchase", "system_power")
        if of_device != (self.device is not None and self.devices is not None):
            raise ValueError("purchase and power are of a number of devices, the rest is not")
        return self


class OwnershipFile(CatalogFile):
    """Root of the file: a readable slug -> figure."""

    ownership: dict[Name, OwnershipEntry]
