"""What `compare` answers, as values; `report` turns them into text or JSON.

Money is Decimal in the request's currency, speeds are units of work a second.
"""

from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.advice.estimate_request import EstimateRequest
from gpuadvisor.advice.estimate_result import EstimateOption, Item
from gpuadvisor.advice.result import MoneyRange, Range, Speed
from gpuadvisor.catalog.message import Message
from gpuadvisor.catalog.model import Device
from gpuadvisor.catalog.store import PriceVersion
from gpuadvisor.cost.exchange import Quote
from gpuadvisor.workload.interface import Profile


class RegionRange(NamedTuple):
    """Price of a device-hour on the same option over the provider's regions that have one."""

    regions: int
    low: Decimal
    low_region: str
    median: Decimal
    high: Decimal
    high_region: str


class ModeSpeed(NamedTuple):
    """A row's speed in one mode of the workload, at 100 % busy, with all paid devices working.

    `per_unit` is money per unit of work (per device-hour of the reference where only ratios are
    known). `why_not` says why there is no speed.
    """

    mode: str
    speed: Speed | None
    per_unit: MoneyRange | None
    why_not: Message | None


class Row(NamedTuple):
    """One way to provide a WHAT. `per_device_hour` is of the option the item counts."""

    what: str
    item: Item
    device: Device
    per_device_hour: Decimal | None
    regions: RegionRange | None
    speeds: tuple[ModeSpeed, ...]

    @property
    def line(self) -> EstimateOption | None:
        """The option that is priced."""
        return self.item.line


class Vote(NamedTuple):
    """Two WHATs against each other at one provider, or over two where none sells both.

    `ratio` is the cost of a unit of work on the second over that on the first, with the speed
    model's range; `price_ratio` and `speed_ratio` are second over first, per device.
    """

    provider: str
    first: Row
    second: Row
    ratio: Range
    price_ratio: float
    speed_ratio: Range


class Verdict(NamedTuple):
    """Which of two WHATs does a unit of work for less, in one mode.

    `packing` says how each is packed: `single` machines, one `box`, or `any`. `confidence` is the
    chance that the order is right, by the speed model's error; `leader` is 0 or 1, None for near
    parity where that chance is too small. `ratio` and `price_ratio` are medians over the votes.
    The order flips where one device of the second does more work than `price_ratio` of the first.
    """

    mode: str
    whats: tuple[str, str]
    packing: tuple[str, str]
    leader: int | None
    confidence: float
    ratio: Range
    price_ratio: float
    speed_ratio: Range
    votes: tuple[Vote, ...]


class Comparison(NamedTuple):
    """The whole answer. `rows` are grouped by WHAT, cheapest first; `left_out` counts the rest.

    `differs` names the facts of shape that are not the same in all rows. `leaders` are the best
    rows of each WHAT over all providers, whether or not those sell the others too.
    """

    request: EstimateRequest
    today: str
    currency: str
    quotes: tuple[Quote, ...]
    hours: float
    workload: Profile | None
    modes: tuple[str, ...]
    rows: tuple[Row, ...]
    left_out: tuple[tuple[str, int], ...]
    differs: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    leaders: tuple[Row, ...]
    versions: tuple[PriceVersion, ...]
    assumptions: tuple[Message, ...]
    warnings: tuple[Message, ...]
    next: str
