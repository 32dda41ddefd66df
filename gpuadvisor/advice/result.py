"""What `recommend` answers, as values; `report` turns them into text or JSON.

Ranges are low / expected / high. Money is Decimal, per hour or per month in `currency`.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuadvisor.advice.request import Request
from gpuadvisor.catalog.message import Message
from gpuadvisor.catalog.model import COMMITMENTS, Device, InstanceType, Offer
from gpuadvisor.catalog.store import PriceVersion
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.rules.interface import Effect, RuleTrace
from gpuadvisor.workload.interface import Profile

if TYPE_CHECKING:
    from gpuadvisor.advice.feeding import Feed
    from gpuadvisor.advice.model_needs import LlmServing
    from gpuadvisor.advice.pretrain import Pretrain
    from gpuadvisor.advice.pretrain_steps import Schedule
    from gpuadvisor.advice.pretrain_zones import Apart
    from gpuadvisor.advice.spot_run import SpotRun
    from gpuadvisor.advice.storage import Beside
    from gpuadvisor.performance.parallel import Layout


class Range(NamedTuple):
    """Low, expected and high of a figure, in the unit its holder names."""

    low: float
    expected: float
    high: float


class MoneyRange(NamedTuple):
    """Low, expected and high of an amount of money."""

    low: Decimal
    expected: Decimal
    high: Decimal


class Served(NamedTuple):
    """A language model at the demand: `replicas` of `split` devices each, room for `most`
    sequences in one, and 99th percentiles: sequences at once, and milliseconds to the first
    token, per further token and of the whole answer."""

    replicas: int
    split: int
    most: int
    sequences: float
    ttft_ms: float
    tpot_ms: float
    response_ms: float


class Queued(NamedTuple):
    """Processes that serve one request each: `servers` in all, `busy` on average at the demand;
    99 % of responses within `response_ms`, by Erlang C with Allen and Cunneen's correction. When
    `batched` they are devices, each taking all that wait as one batch (Inoue's bound)."""

    servers: int
    busy: float
    response_ms: float
    batched: bool


class Speed(NamedTuple):
    """Units of work a second of one option, all its instances together, at 100 % busy.

    `basis` is `measured`, `fitted` or `spec`. `relative_to` names the device whose speed is 1
    where only ratios are known. `streams` processes share one device and do `packing_gain` times
    the work of one; `latency_ms` is one unit alone on the device. `efficiency` is the share of
    linear speed over devices; `host_bound` says that the host's vCPUs cap the rate. With a
    `partition` each device is cut into `slices` of that MIG profile, one process in each. `mfu` is
    the share of the device's peak that a training from scratch is timed by. `unfed` is what the
    devices would do if the host and storage fed them without limit. `schedule` lays out the steps
    of such a training.
    """

    unit: str
    rate: Range
    basis: str
    source: str
    relative_to: str | None
    streams: int
    packing_gain: float
    latency_ms: float | None
    device_ratio: Range
    reference: str
    reference_source: str
    efficiency: float
    host_bound: bool
    served: Served | None = None
    queue: Queued | None = None
    partition: str | None = None
    slices: int = 1
    mfu: Range | None = None
    unfed: float | None = None
    schedule: "Schedule | None" = None


class Commitment(NamedTuple):
    """What a commitment on the same instances would cost, paid used or not.

    `hourly` is for all instances in the request's currency; the month has 730 hours.
    """

    offer: Offer
    hourly: Decimal
    monthly: Decimal


class ScalingRow(NamedTuple):
    """A training on so many nodes: `efficiency` over one node's speed each, hours and cost of the
    undisturbed run, whether the doubling before still paid, and how the model is laid out."""

    nodes: int
    devices: int
    efficiency: float
    hours: float
    cost: Decimal
    pays: bool
    layout: "Layout"


class Option(NamedTuple):
    """One ranked answer: `instances` of a type on an offer.

    `hours` are billed per month (or for the run). `monthly` is for all instances; `run` is the
    whole run for run-shaped workloads. `per_unit` is money per unit of work at 100 % busy or at
    the demand. `fits_in_budget` counts how many of such options the budget pays for. A run on
    spot has its interruptions in `run` and `run_hours`, and says in `spot` when it is done.
    `beside` is the storage asked for, which is not ranked by. `scaling` is a training from
    scratch on ever more nodes, `feed` what samples of the size asked for are limited by, `apart`
    what it costs a training to lie in several zones.
    """

    rank: int
    tie_group: int
    type: InstanceType
    device: Device
    instances: int
    devices_used: float
    offer: Offer
    price: Decimal
    own_price: bool
    hours: float
    hourly: Decimal
    monthly: MoneyRange
    run: MoneyRange | None
    run_hours: Range | None
    per_unit: MoneyRange | None
    speed: Speed | None
    fits_in_budget: int | None
    if_committed: tuple[Commitment, ...]
    effects: tuple[Effect, ...]
    warnings: tuple[Message, ...]
    traces: tuple[RuleTrace, ...]
    spot: "SpotRun | None" = None
    beside: "Beside | None" = None
    scaling: tuple[ScalingRow, ...] = ()
    feed: "Feed | None" = None
    apart: "Apart | None" = None

    @property
    def month_hours(self) -> float | None:
        """Hours that `monthly` pays for each instance; a commitment is paid for all of a month.

        None for a run, which is not priced by the month.
        """
        if self.run is not None:
            return None
        return HOURS_PER_MONTH if self.offer.option in COMMITMENTS else self.hours


class Rejection(NamedTuple):
    """Candidates removed for one reason; `nearest` is the cheapest of them, if priced."""

    reason: str
    rule: str | None
    removed: int
    nearest: str | None
    detail: Message


class Widened(NamedTuple):
    """A type that the default policy shows and the owner's tree would hide; `spend` a month."""

    rule: str
    provider: str
    instance_type: str
    device: str
    option: str
    spend: Decimal


class Recommendation(NamedTuple):
    """The whole answer. `feasible` is False when nothing fits the budget (exit code 1)."""

    request: Request
    today: str
    currency: str
    rate: tuple[str, Decimal, str | None] | None
    policy: str
    objective: str
    workload: Profile
    mode: str | None
    hours: float
    budget: Decimal | None
    budget_per: str
    options: tuple[Option, ...]
    considered: int
    rejected: tuple[Rejection, ...]
    fired: tuple[str, ...]
    rules: Mapping[str, Mapping[str, Any]]
    versions: tuple[PriceVersion, ...]
    assumptions: tuple[Message, ...]
    warnings: tuple[Message, ...]
    flips: tuple[Message, ...]
    others: tuple[Message, ...]
    widened: tuple[Widened, ...]
    feasible: bool
    gap: Decimal | None
    next: str
    llm: "LlmServing | None" = None
    pretrain: "Pretrain | None" = None
