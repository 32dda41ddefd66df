"""The nouns of the catalog as values.

NamedTuples, not dataclasses: these cross rooms on the hot path, and forty dataclasses
cost 30 ms at import where forty NamedTuples cost 6. Units stand in the names. `None` is
"unknown", never zero.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

NANO = 1_000_000_000
"""Prices are stored as whole nano-units of their native currency: exact, and an INTEGER."""

ON_DEMAND = "on_demand"
SPOT = "spot"
RESERVED = "reserved"
SAVINGS_PLAN = "savings_plan"
COMMITTED_USE = "committed_use"
SUBSCRIPTION = "subscription"
CAPACITY_BLOCK = "capacity_block"
FLEX_START = "flex_start"
CALENDAR = "calendar"
PURCHASE_OPTIONS = (
    ON_DEMAND,
    SPOT,
    RESERVED,
    SAVINGS_PLAN,
    COMMITTED_USE,
    SUBSCRIPTION,
    CAPACITY_BLOCK,
    FLEX_START,
    CALENDAR,
)
COMMITMENTS = frozenset({RESERVED, SAVINGS_PLAN, COMMITTED_USE, SUBSCRIPTION})


class Source(NamedTuple):
    """Where a figure was read. `confidence` is `official`, `secondary` or `low`."""

    title: str
    address: str
    date: str
    licence: str
    confidence: str


class Device(NamedTuple):
    """An accelerator model as sold. Rates are dense; bandwidth in GB/s, memory in GiB.

    `memory_gib` is the nominal size on the label (16, 24, 80); `usable_memory_gib` is
    what the driver was seen to report, or None where nobody measured it.
    """

    name: str
    family: str
    vendor: str
    software: str
    architecture: str
    compute_capability: str | None
    year: int | None
    memory_gib: float
    usable_memory_gib: float | None
    bandwidth_gbs: float | None
    fp64_tflops: float | None
    fp32_tflops: float | None
    tf32_tflops: float | None
    fp16_tflops: float | None
    bf16_tflops: float | None
    fp8_tflops: float | None
    int8_tops: float | None
    fp4_tflops: float | None
    nvlink_gbs: float | None
    pcie_gen: float | None
    tdp_w: float | None
    mig_max: int
    form: str | None
    confidence: str
    source: str
    notes: str | None


class Partition(NamedTuple):
    """A slice of one device, keyed by (device, profile). Shares are of the whole device.

    `memory_gib` is usable memory, which the profile's name rounds up.
    """

    device: str
    profile: str
    memory_gib: float | None
    sm_share: float | None
    memory_share: float
    compute_slices: int | None
    max_per_device: int
    placements: tuple[int, ...]
    size: int
    source: str


class InstanceType(NamedTuple):
    """A provider's SKU without its prices.

    `devices` counts whole devices and may be a fraction (0.25 of an L4); `fraction` is
    then its exact text (`1/4`). `memory_gib` is per device, or of the fraction. `vcpus` is
    None where the provider states none.
    `sold` lists the purchase options that can really be bought.
    """

    provider: str
    name: str
    family: str
    device: str
    devices: float
    fraction: str | None
    memory_gib: float
    vcpus: int | None
    host_memory_gib: float | None
    network_gbps: float | None
    rdma: str | None
    interconnect: str
    local_disk_gb: float | None
    arch: str
    sold: tuple[str, ...]
    status: str
    retired_on: str | None
    price_scope: str
    quota: str | None
    source: str
    notes: str | None


class Offer(NamedTuple):
    """Instance type x region x purchase option, with its price and where it was read.

    `price` is per instance-hour in `currency`. Spot carries `low` (the cheapest zone) and
    `price` (typical), and `measure` says how both were taken.
    """

    provider: str
    instance_type: str
    region: str
    option: str
    term: str | None
    cls: str | None
    payment: str | None
    price: Decimal
    low: Decimal | None
    measure: str | None
    interruption: str | None
    currency: str
    as_of: str
    confirmed_on: str | None
    confidence: str
    source: str


class Region(NamedTuple):
    """A provider's region. `geo` is a part of the world or `unknown`, `eu` membership of the EU."""

    provider: str
    name: str
    title: str
    country: str | None
    geo: str
    eu: bool


class Provider(NamedTuple):
    """A cloud. `tier` is `hyperscaler`, `specialist` or `marketplace`.

    `hipaa` is True only where a source says an agreement is offered, else None. `quotas` maps
    the key that instance types name to `{code, title, unit, spot_code, spot_title}`.
    """

    name: str
    title: str
    tier: str
    reference_region: str | None
    hipaa: bool | None
    hipaa_source: str | None
    quotas: Mapping[str, Mapping[str, str]]


class CatalogVersion(NamedTuple):
    """One versioned catalog in use, for the header of every answer."""

    name: str
    kind: str
    version: str
    as_of: str
    instance_types: int
    offers: int
    regions: int
