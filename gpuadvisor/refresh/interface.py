"""What a provider's module yields when it reads a live cloud, and what it is given to do so.

A provider is one module of this room with three functions (`Source` below): `permissions` says
what an account must allow, `plan` cuts a refresh into tasks of one region (or of one feed), `fetch`
carries one out. `combine` joins them where a price is composed from several, as Google's are.
The runner knows no cloud, the modules know no file: they return values, `compose` writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gpuadvisor.catalog.message import Message

if TYPE_CHECKING:
    from gpuadvisor.catalog.store import Catalog
    from gpuadvisor.refresh.transport import Transport

SHAPES = "shapes"
"""The part of a refresh that is not a purchase option."""


class Feed(NamedTuple):
    """One origin of figures; it becomes a `sources` entry of the file that is written.

    `date` is the day the feed itself states for its figures, else the day it was read.
    """

    id: str
    title: str
    address: str
    date: date
    licence: str


class SeenType(NamedTuple):
    """An instance type as the cloud describes it; fields as in `shapes.yaml`, None is unknown.

    `device` is the canonical name. `devices` counts whole devices, or `fraction` is `1/4`.
    `memory_gib` is the device's nominal memory, or the slice's. `regions` are those it was seen in.
    """

    name: str
    family: str
    device: str
    devices: int | None
    fraction: str | None
    memory_gib: float
    vcpus: int | None
    host_memory_gib: float | None
    network_gbps: float | None
    rdma: str | None
    interconnect: str | None
    local_disk_gb: float | None
    arch: str
    sold: tuple[str, ...] | None
    feed: str


class SeenPrice(NamedTuple):
    """One price per instance-hour in `currency`; never zero.

    `feed` is a `Feed.id`. Spot has `low` (the cheapest zone) and `measure` (`zones`,
    `region_lowest`, `zone_mean`, `list`), and `interruption` where a feed says it.
    """

    type: str
    region: str
    option: str
    term: str | None
    cls: str | None
    payment: str | None
    price: Decimal
    currency: str
    feed: str
    low: Decimal | None = None
    measure: str | None = None
    interruption: str | None = None
    interruption_feed: str | None = None


class Scope(NamedTuple):
    """A region and purchase option that was read to its end: what was not seen there is gone.

    Prices outside every scope are carried over as they were, as are those of the types `besides`,
    which the feed never holds.
    """

    region: str
    option: str
    besides: tuple[str, ...] = ()


class Puzzle(NamedTuple):
    """Something seen but not understood: it goes into the report, never dropped.

    `kind` is `device`, `family`, `region`, `sku` or `price`.
    """

    kind: str
    name: str
    where: str
    detail: str = ""


class Fetched(NamedTuple):
    """What one task brought home. `raw` is JSON that only the provider's `combine` understands."""

    feeds: tuple[Feed, ...] = ()
    types: tuple[SeenType, ...] = ()
    prices: tuple[SeenPrice, ...] = ()
    scopes: tuple[Scope, ...] = ()
    puzzles: tuple[Puzzle, ...] = ()
    notes: tuple[Message, ...] = ()
    raw: Mapping[str, Any] = {}


class Task(NamedTuple):
    """A unit of work: `key` is unique and names its file in the work folder (`us-east-1/spot`).

    `region` is empty for a feed of all regions.
    """

    key: str
    region: str
    part: str


class Wanted(NamedTuple):
    """What the user asked for. Empty `regions` and `parts` mean all; `account` holds the words
    that an account needs (`project`, `subscription`), never a secret."""

    regions: tuple[str, ...]
    parts: frozenset[str]
    account: Mapping[str, str] = {}

    def asks(self, part: str) -> bool:
        """Whether `part` (`shapes` or a purchase option) is wanted."""
        return not self.parts or part in self.parts


class Context(NamedTuple):
    """What a provider's module is given: the day, the catalog in use, and the way out.

    `endpoints` replaces the address of a named service (`GPUADVISOR_ENDPOINT_<NAME>`), for mirrors
    and for tests. `moved(n)` reports bytes or items read, for the progress bar.
    """

    today: date
    catalog: Catalog
    transport: Transport
    endpoints: Mapping[str, str]
    moved: Callable[[int], None]


class Permission(NamedTuple):
    """A document that grants the least a refresh needs: an IAM policy, a role.

    `title` says what it is, `body` is the JSON or YAML to paste.
    """

    title: Message
    body: str


class Missing(Exception):
    """A task that could not be done: its region is marked missing, the rest goes on."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


class Source(Protocol):
    """The functions of a provider's module."""

    def permissions(self) -> Sequence[Permission]:
        """What an account must allow; empty where no account is needed."""

    def plan(self, wanted: Wanted, context: Context) -> Sequence[Task]:
        """Tasks of the refresh. Raises UsageError for an unknown region or a missing extra,
        Missing where not even the list of regions can be had."""

    def fetch(self, task: Task, wanted: Wanted, context: Context) -> Fetched:
        """Carry out one task; called from several threads. Raises Missing."""

    def combine(self, results: Mapping[str, Fetched], context: Context) -> Fetched:
        """Join the results by task key into one."""
