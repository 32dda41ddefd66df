"""Which spec-sheet figures stand for a device in a speed formula.

Peak rates are dense. A card without a fast path at a precision computes at the next wider
one, so a missing figure falls back rather than being unknown.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from gpuadvisor.catalog.model import Device, Partition

FP32, TF32, FP16, INT8, FP8, FP4 = RATES = ("fp32", "tf32", "fp16", "int8", "fp8", "fp4")

_LADDERS = {
    FP32: ("fp32_tflops",),
    TF32: ("tf32_tflops", "fp32_tflops"),
    FP16: ("fp16_tflops", "bf16_tflops", "fp32_tflops"),
    FP8: ("fp8_tflops", "int8_tops", "fp16_tflops", "bf16_tflops", "fp32_tflops"),
    FP4: ("fp4_tflops", "fp8_tflops", "fp16_tflops", "bf16_tflops", "fp32_tflops"),
}
_BEST_8_BIT = ("int8_tops", "fp8_tflops", "fp16_tflops", "bf16_tflops")
_RATE_OF_PRECISION = {
    "fp32": TF32,  # frameworks run FP32 matrix products as TF32 where the card can
    "tf32": TF32,
    "fp16": FP16,
    "bf16": FP16,
    "int4": FP16,  # weights only: the arithmetic stays 16-bit
    "int8": INT8,
    "w8a8": INT8,
    "fp8": FP8,
    "fp4": FP4,
}


class SpeedCatalog(Protocol):
    """What the speed model asks of a catalog; unknown names raise KeyError."""

    def document(self, kind: str, name: str) -> Mapping[str, Any]:
        """One compiled document of a kind."""

    def device(self, name: str) -> Device:
        """The device of a canonical name."""

    def partitions(self, device: str | None = None) -> tuple[Partition, ...]:
        """The MIG profiles of a device."""


class Specs(NamedTuple):
    """Memory bandwidth in GB/s and peak rate in TFLOPS (or TOPS) of a device or a slice."""

    bandwidth: float
    flops: float


def rate_for(precision: str | None, default: str) -> str:
    """The rate that a stated precision runs at; `default` where none or an unknown is stated."""
    return _RATE_OF_PRECISION.get((precision or "").strip().lower(), default)


def flops(device: Device, rate: str) -> float | None:
    """The device's peak at one of `RATES` in TFLOPS (TOPS), None if the sheet has no figure.

    `int8` is the best of INT8, FP8 and 16-bit: each card runs an 8-bit job at its own best.
    """
    if rate == INT8:
        known = [figure for field in _BEST_8_BIT if (figure := getattr(device, field))]
        return max(known) if known else device.fp32_tflops
    figures: list[float | None] = [getattr(device, field) for field in _LADDERS[rate]]
    return next((figure for figure in figures if figure), None)


def split_partition(device: str) -> tuple[str, str | None]:
    """`A100-40GB-SXM:1g.5gb` is a device and a profile; a whole device has no profile."""
    name, _, profile = device.partition(":")
    return name, profile or None


def specs(catalog: SpeedCatalog, device: str, rate: str) -> Specs | None:
    """Bandwidth and peak of a device or partition, None if the sheet lacks one of them.

    A MIG slice has its share of the SMs and of the memory slices; a vendor's fraction
    (`L4:1/4`) has that share of both. KeyError for an unknown device.
    """
    name, profile = split_partition(device)
    whole = catalog.device(name)
    peak = flops(whole, rate)
    if peak is None or whole.bandwidth_gbs is None:
        return None
    if profile is None:
        return Specs(whole.bandwidth_gbs, peak)
    shares = partition_shares(catalog, name, profile)
    if shares is None:
        return None
    memory_share, compute_share = shares
    return Specs(whole.bandwidth_gbs * memory_share, peak * compute_share)


def partition_shares(
    catalog: SpeedCatalog, device: str, profile: str
) -> tuple[float, float] | None:
    """Shares of memory bandwidth and of compute that a partition has, None if unknown."""
    part, slash, whole = profile.partition("/")
    if slash and part.isdecimal() and whole.isdecimal() and 0 < int(part) <= int(whole):
        return int(part) / int(whole), int(part) / int(whole)
    for partition in catalog.partitions(device):
        if partition.profile == profile:
            # An unpublished SM count (GB200) is taken to be cut like the memory.
            return partition.memory_share, partition.sm_share or partition.memory_share
    return None
