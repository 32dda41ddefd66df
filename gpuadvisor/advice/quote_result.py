"""What `quote` answers, as values: the customer's quote, and apart from it what it costs us.

`Quote` holds nothing that a customer may not see: whoever writes it out cannot leak what it does
not have. Money in it is the customer's, after the markup, in the quote's currency; a unit price
is rounded before anything is multiplied by it, so that the customer's own arithmetic agrees.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import Message
from gpuadvisor.catalog.model import Source
from gpuadvisor.catalog.store import PriceVersion
from gpuadvisor.cost.exchange import Quote as Rate

GOOD, BETTER, BEST, ASKED = "good", "better", "best", "asked"
MONTH, RUN = "month", "run"


class Machine(NamedTuple):
    """What is rented. `device_share` is the exact fraction where a slice is sold (`1/4`)."""

    provider: str
    instance_type: str
    region: str
    device: str
    devices: float
    device_share: str | None
    memory_gib: float
    vcpus: int | None
    host_memory_gib: float | None


class Way(NamedTuple):
    """A firm way of paying for a line, all its instances.

    `hours` are paid in a month (or for the run), used or not. `saving` is the share of the
    on-demand amount, `break_even_hours` the hours of use a month above which a commitment costs
    less; None where on demand is not sold or there is nothing to compare. `source` and `as_of` are
    None for a price of our own. `notes` say what binds.
    """

    option: str
    term: str | None
    cls: str | None
    payment: str | None
    unit_price: Decimal
    hours: float
    amount: Decimal
    saving: float | None
    break_even_hours: float | None
    source: str | None
    as_of: str | None
    notes: tuple[Message, ...]


class Line(NamedTuple):
    """A firm line: `count` instances of a machine (a mean, under a demand curve), paid in `way`.

    `amount` is rounded so that the lines add up to the subtotal. `low` and `high` are what it
    costs if the speed is as good or as bad as it may be; equal where nothing moves it. `ways`
    are all firm ways, the chosen one among them, `notes` what the machine's price leaves open.
    """

    what: str
    machine: Machine
    instances: Decimal
    way: Way
    amount: Decimal
    low: Decimal
    high: Decimal
    ways: tuple[Way, ...]
    notes: tuple[Message, ...]


class Spot(NamedTuple):
    """What the machines of a line cost on spot today: a footnote, never promised.

    A month (or the run) of all instances. A run is without its interruptions.
    """

    machine: Machine
    instances: Decimal
    low: Decimal
    expected: Decimal
    high: Decimal
    as_of: str


class Total(NamedTuple):
    """`tax` is None where none was named; `total` is then without it."""

    subtotal: Decimal
    tax: Decimal | None
    total: Decimal


class Alternative(NamedTuple):
    """The same lines on another option and term, where they are sold so; `covered` lines are."""

    option: str
    term: str | None
    covered: int
    total: Total


class Work(NamedTuple):
    """What a proposal does: units of work a second of all machines at 100 % busy.

    `headroom` is how many times the demand it can do, None without one. `latency_ms` is the 99th
    percentile where a target was named (`latency_p99`), else that of one unit alone. `hours` is
    how long a run takes. `relative_to` names the device whose speed is 1.
    """

    units: str
    rate_low: float
    rate: float
    rate_high: float
    basis: str
    relative_to: str | None
    headroom: float | None
    latency_ms: float | None
    latency_p99: bool
    hours: tuple[float, float, float] | None


class Proposal(NamedTuple):
    """A choice of the quote. `names` are `good`, `better`, `best` (those that coincide share
    one), or `asked`; `why` says for each what it is the answer to."""

    names: tuple[str, ...]
    why: tuple[Message, ...]
    lines: tuple[Line, ...]
    total: Total
    alternatives: tuple[Alternative, ...]
    spot: tuple[Spot, ...]
    work: Work | None


class Demand(NamedTuple):
    """A demand over hours, in units (instances together), and the units that are committed.

    `levels` are (term, units). `on_demand_only` is the month without any commitment.
    """

    hours: tuple[int, ...]
    levels: tuple[tuple[str, int], ...]
    on_demand_only: Decimal


class Cited(NamedTuple):
    """A public source by the short name that lines cite."""

    name: str
    source: Source


class Quote(NamedTuple):
    """All that the customer sees. `hours` are used a month; `per` is a month or a run.

    `left_out` says why a choice is missing or coincides. `versions` and `cited` are of the
    shipped catalogs alone.
    """

    number: str
    customer: str | None
    title: str | None
    prepared_by: str | None
    today: str
    valid_until: str
    valid_days: int
    currency: str
    per: str
    hours: float
    rates: tuple[Rate, ...]
    tax: Decimal | None
    need: tuple[Message, ...]
    proposals: tuple[Proposal, ...]
    left_out: tuple[Message, ...]
    demand: Demand | None
    assumptions: tuple[Message, ...]
    cited: tuple[Cited, ...]
    versions: tuple[PriceVersion, ...]


class CostLine(NamedTuple):
    """What a line costs us: list or negotiated price, before the markup; `key` is the catalog's
    own name of the source. `own` says that the price was given with `--price`, `listed` is the
    price as published, in its currency."""

    proposal: str
    instance_type: str
    region: str
    option: str
    term: str | None
    instances: Decimal
    hours: float
    unit_cost: Decimal
    cost: Decimal
    amount: Decimal
    own: bool
    listed: Decimal
    listed_currency: str
    key: str
    as_of: str
    confirmed_on: str | None
    confidence: str
    stale: bool


class Internal(NamedTuple):
    """What only the seller sees: costs behind the firm lines, the terms, and all remarks."""

    markup: Decimal
    discounts: tuple[tuple[str, float], ...]
    lines: tuple[CostLine, ...]
    remarks: tuple[Message, ...]
    versions: tuple[PriceVersion, ...]
    fields: Mapping[str, Any]


class Answer(NamedTuple):
    """Both halves of a quote."""

    quote: Quote
    internal: Internal
