"""What crosses the border of the workload room: profiles, demand, needs.

`source` fields are source ids of the catalog. `None` is unknown.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

UNBATCHED = "unbatched"
BATCHED = "batched"

MONTHLY = "monthly"
RUN = "run"

ASSUMED_SPREAD = 1.25
"""Factor either way about a rate that only one set-up was measured for (performance notes c)."""

LOW_LATENCY_MS = 100.0
"""A p99 target at or below this is what the decision tree calls low latency."""


class WorkloadCatalog(Protocol):
    """What this room asks of a catalog."""

    def document(self, kind: str, name: str) -> Mapping[str, Any]:
        """Return one entry of a kind; KeyError if there is none."""

    def documents(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        """Return all entries of a kind."""


class Reference(NamedTuple):
    """A measured rate: units per second of one process on one `device`.

    `low` and `high` span published set-ups on that device when `spread_published`, else
    `ASSUMED_SPREAD`. With `relative_only` the rate is 1 by definition and everything derived
    from it is a multiple of the reference device.
    """

    device: str
    rate: float
    low: float
    high: float
    spread_published: bool
    batch: int | None
    precision: str | None
    measured: str
    relative_only: bool
    vendor: bool
    source: str
    sources: tuple[str, ...]


class KnownRatio(NamedTuple):
    """One process on `device` over one on the reference device; `basis` measured or chained."""

    device: str
    ratio: float
    low: float
    high: float
    basis: str
    measured: str
    source: str
    sources: tuple[str, ...]


class PackingPoint(NamedTuple):
    """`streams` processes on one `device` did `gain` times the work of one."""

    device: str
    streams: int
    gain: float
    measured: str
    source: str


class Memory(NamedTuple):
    """Device memory of one replica in GiB; of each of `sharded_over` devices if it is split."""

    gib: float
    precision: str | None
    basis: str
    sharded_over: int
    what: str
    source: str


class Host(NamedTuple):
    """Busy vCPUs per process, and units of work that one vCPU prepares per second."""

    vcpus_per_stream: float | None
    units_per_vcpu: float | None
    memory_gib: float | None
    measured: str
    source: str


class Mode(NamedTuple):
    """One way of running a workload; without a `reference`, `no_reference` is the reason.

    `measured_as` is how the speed measurements spell it, `workload_class` their class. `ratios`
    are known for this very mode and win over the speed model.
    """

    name: str
    workload_class: str | None
    measured_as: str | None
    reference: Reference | None
    no_reference: str | None
    packing: tuple[PackingPoint, ...] = ()
    ratios: tuple[KnownRatio, ...] = ()


class LoneRate(NamedTuple):
    """Tokens a second of one request alone on `device`; `workload_class`, `measured_as` and
    `software` are how the speed measurements know it."""

    device: str
    rate: float
    workload_class: str
    measured_as: str
    software: str
    measured: str
    source: str


class Serving(NamedTuple):
    """A language model served: the named model that was measured, the typical lengths of a
    request in tokens, and the lone rates of new tokens and of prompt tokens."""

    model: str
    input_tokens: int
    output_tokens: int
    step: LoneRate
    prefill: LoneRate


class Tuning(NamedTuple):
    """A language model trained: model, method and micro-batch of the measured run, and the speed
    of each method over that of the run."""

    model: str
    method: str
    batch: int
    context: int
    methods: Mapping[str, float]
    source: str


class Run(NamedTuple):
    """A typical run in units of work; `source` is None where it is an assumption."""

    units: float
    what: str
    source: str | None


class Unsuited(NamedTuple):
    """Devices or families that cannot do the work, and why."""

    devices: tuple[str, ...]
    why: str
    source: str


class Profile(NamedTuple):
    """A named workload. `unit`/`units` are singular and plural of the unit of work."""

    name: str
    title: str
    title_zh: str
    unit: str
    units: str
    shape: str
    default_mode: str
    modes: Mapping[str, Mode]
    precision: str
    memory: Memory | None
    host: Host | None
    interruptible: bool
    latency: str
    generative: bool
    min_devices: int
    linked: bool
    software: str
    run: Run | None
    unsuited: tuple[Unsuited, ...]
    notes: str | None
    serving: Serving | None = None
    tuning: Tuning | None = None


class Demand(NamedTuple):
    """How much work is asked for.

    `kind` is `rate` (`per_second` units at all times), `volume` (`per_month` units), `run`
    (`units` in total, `deadline_hours` if any) or `none`: only a budget.
    """

    kind: str
    per_second: float | None
    per_month: float | None
    units: float | None
    deadline_hours: float | None
    latency_p99_ms: float | None
    low_latency: bool


class Needs(NamedTuple):
    """What a candidate must offer.

    `devices` and `nodes` are totals; `memory_gib` is what one replica needs of usable memory,
    `min_device_memory_gib` compares nominal sizes. `linked` asks for NVLink between the
    devices of a node, `rdma` for it between nodes. `spot_allowed` needs interruptible work
    without a latency target.
    """

    workload: str
    mode: str
    kind: str
    devices: int
    nodes: int | None
    memory_gib: float | None
    memory_basis: str | None
    sharded_over: int
    min_device_memory_gib: float | None
    precision: str
    linked: bool
    rdma: bool
    large_distributed: bool
    vcpus_per_stream: float | None
    min_vcpus: int | None
    min_host_memory_gib: float | None
    interruptible: bool
    low_latency: bool
    latency_p99_ms: float | None
    spot_allowed: bool
    software: str
    generative: bool
