"""What `estimate` answers, as values; `report` turns them into text or JSON.

Money is Decimal in the request's currency. `None` is unknown, or does not apply.
"""

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from gpuadvisor.advice.estimate_request import EstimateRequest
from gpuadvisor.catalog.message import Message
from gpuadvisor.catalog.model import InstanceType, Offer
from gpuadvisor.catalog.store import PriceVersion
from gpuadvisor.cost.billing import Binding
from gpuadvisor.cost.exchange import Quote

if TYPE_CHECKING:
    from gpuadvisor.advice.serving import Serving, Stored
    from gpuadvisor.advice.spot_job import SpotJob


class Spread(NamedTuple):
    """Low, expected and high of an amount of money."""

    low: Decimal
    expected: Decimal
    high: Decimal


class Hours(NamedTuple):
    """Low, expected and high of a time in hours; None where it is not known."""

    low: float | None
    expected: float | None
    high: float | None


class EstimateOption(NamedTuple):
    """One way of paying for `instances` of a type in a region.

    `available` is False where it is not sold or its price is unknown; `why_not` then says so and
    how it can be had. `price_per_hour` is one instance's, with discount and markup.
    `effective_per_hour` spreads an upfront payment over the term at the cost of capital, and
    averages a sustained use discount. The ranges are for all instances: `monthly`, over the
    request's months (`period`), for one `job`. `published_per_hour` is a list price that nobody
    can buy at. `saving` is the share of the on-demand month; `break_even_hours` the hours a
    month above which a commitment costs less than on demand. `spot` is what interruptions make of
    the job.
    """

    option: str
    term: str | None
    payment: str | None
    cls: str | None
    available: bool
    why_not: Message | None
    offer: Offer | None
    own: bool
    price_per_hour: Decimal | None
    effective_per_hour: Decimal | None
    published_per_hour: Decimal | None
    monthly: Spread | None
    period: Spread | None
    job: Spread | None
    finish_hours: Hours | None
    saving: float | None
    break_even_hours: float | None
    binding: Binding | None
    age_level: str | None
    notes: tuple[Message, ...]
    spot: "SpotJob | None" = None


class Item(NamedTuple):
    """One way to provide a WHAT. `place` 1 is the one that counts in the total.

    `counted` is the index of the option that its line is priced on. `used` counts the devices
    that were asked for, of `type.devices * instances` that are paid.
    """

    what: str
    place: int
    type: InstanceType
    instances: int
    used: float
    region: str
    options: tuple[EstimateOption, ...]
    counted: int | None
    notes: tuple[Message, ...]

    @property
    def line(self) -> EstimateOption | None:
        """The option that the bill of materials counts."""
        return None if self.counted is None else self.options[self.counted]


class Estimate(NamedTuple):
    """The whole answer. `total` is per month, None where a line has no price.

    `left_out` counts, per WHAT, further types that provide it and were not shown.
    """

    request: EstimateRequest
    today: str
    currency: str
    quotes: tuple[Quote, ...]
    hours: float
    items: tuple[Item, ...]
    left_out: tuple[tuple[str, int], ...]
    total: Spread | None
    period_total: Spread | None
    versions: tuple[PriceVersion, ...]
    assumptions: tuple[Message, ...]
    warnings: tuple[Message, ...]
    next: str
    refused: Message | None = None
    serving: "tuple[Serving, ...]" = ()
    stored: "tuple[Stored, ...]" = ()

    @property
    def lines(self) -> tuple[Item, ...]:
        """The bill of materials: the first item of each WHAT."""
        return tuple(item for item in self.items if item.place == 1)
