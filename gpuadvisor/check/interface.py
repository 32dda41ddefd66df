"""What crosses the border of this room: a request in, a report out. All values, no text.

Money is `Decimal` in the report's one currency. `None` is unknown, never zero: a row without a
price is counted and named, and a row whose count is 0 costs nothing now but has a maximum.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.advice.request import OwnPrice
from gpuadvisor.catalog.message import Message
from gpuadvisor.catalog.store import PriceVersion
from gpuadvisor.check.policy import Policy, Verdict
from gpuadvisor.iac.interface import Count, Finding, Note
from gpuadvisor.iac.reading import MAX_BYTES

PRICED = "priced"
UNPRICED = "unpriced"
"""The file tells everything needed, but no price is known."""
UNKNOWN = "unknown"
"""The file does not tell the type, the count or the place."""
COVERED = "covered"
"""Billed by another row: work on nodes of this check, instances inside a reservation."""

NEVER = Count(0, 0, 0)


class CheckRequest(NamedTuple):
    """The arguments of `check`, typed. `bases` are earlier states of formats without a before.

    `projects` are (name, file) pairs of subtotals, `region` is the user's own statement,
    `discounts` are shares per provider, `hours_per_month` in hours.
    """

    files: tuple[str, ...]
    policy: Policy
    kind: str | None = None
    projects: tuple[tuple[str, str], ...] = ()
    bases: tuple[str, ...] = ()
    parameters: Mapping[str, str] = {}
    region: str | None = None
    currency: str = "USD"
    discounts: tuple[tuple[str, float], ...] = ()
    prices: tuple[OwnPrice, ...] = ()
    fx: tuple[str, ...] = ()
    hours_per_month: float = 730.0
    today: datetime.date = datetime.date(1970, 1, 1)
    max_bytes: int = MAX_BYTES
    sources: tuple[str, ...] = ()
    """Folders of root modules: findings of plans get the file and line where they are written."""
    skip_others: bool = False
    """Leave out files that are none of the known formats, for hooks that pass whole folders."""


class PriceUsed(NamedTuple):
    """The price behind a row, per instance-hour in the report's currency."""

    per_hour: Decimal
    provider: str
    option: str
    source: str
    as_of: str
    confidence: str
    on_demand: Decimal | None
    """The on-demand price of the same type and region, beside a spot price."""
    own: bool = False
    age_days: int = 0
    level: str = "fresh"
    """Staleness: fresh, warn, or widen where the range was widened for age."""


class Cost(NamedTuple):
    """One side of a row, per hour. `low` to `high` is the price's own uncertainty at the planned
    count; `maximum` is the highest count at the dearest candidate's price."""

    status: str
    hourly: Decimal | None
    low: Decimal | None = None
    high: Decimal | None = None
    maximum: Decimal | None = None
    counts: Count = NEVER
    price: PriceUsed | None = None
    issues: tuple[Issue, ...] = ()
    reasons: tuple[Message, ...] = ()


class Issue(NamedTuple):
    """Something a rule judges about one row: an impossible pairing, a type that is not sold."""

    rule: str
    message: Message


class Described(NamedTuple):
    """What is rented, in the catalog's words where it knows the type."""

    type: str
    device: str | None
    devices: float | None
    """Devices per node; a fraction for a shared one."""
    partition: str | None = None
    models: tuple[str, ...] = ()
    """Every device that the candidates have; one in the ordinary case."""


class Row(NamedTuple):
    """One finding with its cost per month, rounded so that the rows add up to the totals.

    `delta` is 0 for what stays as it is, even where its price is not known.
    """

    finding: Finding
    action: str
    ends: bool
    """Work that finishes: it has a cost an hour and none a month."""
    project: str
    what: Described
    what_before: Described | None
    counts: Count
    purchase: str
    region: str | None
    status: str
    before: Cost
    after: Cost
    monthly_before: Decimal | None
    monthly_after: Decimal | None
    delta: Decimal | None
    monthly_max: Decimal | None
    confidence: str
    reasons: tuple[Message, ...]


class Totals(NamedTuple):
    """Sums per month of what is priced. `unbounded` counts rows without a known maximum."""

    before: Decimal
    after: Decimal
    maximum: Decimal
    low: Decimal
    high: Decimal
    delta_max: Decimal = Decimal(0)
    """The most that the change can add: what it touches at its maximum, the rest as planned."""

    @property
    def delta(self) -> Decimal:
        """After minus before, at planned counts."""
        return self.after - self.before


class Summary(NamedTuple):
    """`changed` counts rows whose cost, count or type moves; the counts are disjoint."""

    totals: Totals
    changed: int
    unpriced: int
    unknown: int
    unbounded: int
    devices_before: float
    devices_after: float
    ending_hourly: Decimal
    """Cost an hour of work that ends, which is in no monthly figure."""


class Suggestion(NamedTuple):
    """A cheaper way for one row: what it would save a month, and what it costs otherwise."""

    address: str
    saving: Decimal
    change: Message
    catch: Message


class Report(NamedTuple):
    """The whole answer. `verdicts` are in rule order, `exit_code` follows from them."""

    request: CheckRequest
    rows: tuple[Row, ...]
    summary: Summary
    projects: tuple[tuple[str, Totals], ...]
    verdicts: tuple[Verdict, ...]
    suggestions: tuple[Suggestion, ...]
    notes: tuple[tuple[str, Note], ...]
    kinds: tuple[tuple[str, str], ...]
    """(file, kind) as read."""
    examined: int
    skipped: int
    versions: tuple[PriceVersion, ...]
    assumptions: tuple[Message, ...]
    warnings: tuple[Message, ...]
    exit_code: int
