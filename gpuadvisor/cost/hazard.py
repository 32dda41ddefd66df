"""How often spot instances are taken away, per running hour, from what each cloud publishes.

Three clouds, three denominators, never mixed. AWS: the share of instances reclaimed in the
trailing month, in buckets, of instances whose run times it does not publish. Azure: the chance
of eviction within the next hour. GCP: preempted instances over all that stopped running. Each
becomes interruptions per running hour of one instance, as low, expected and high.
"""

from math import log
from typing import NamedTuple

HOURS_PER_MONTH = 730.0


class Hazard(NamedTuple):
    """Interruptions per running hour, low <= expected <= high; `basis` is where they are from.

    `basis` is aws_bucket, azure_hourly, gcp_share, failures, own, or unknown.
    """

    low: float
    expected: float
    high: float
    basis: str


AWS_SHARES = {"<5%": 0.025, "5-10%": 0.075, "10-15%": 0.125, "15-20%": 0.175, ">20%": 0.30}
"""Middle of each bucket of the Spot Instance Advisor; 0.30 for the open one is a judgement."""

AWS_EXPOSURES = (HOURS_PER_MONTH, 168.0, 24.0)
"""Hours that the instances behind the AWS share may have run: a month, a week, a day.

The exposure is not published; these are judgements, in the order low, expected, high hazard.
"""

# The bucket above 20 % has no upper end and lies one to two orders below the availability traces
# of V100s (skypilot-org/spot-traces): expected is the geometric mean of the weekly reading
# 2.1e-3 and the pooled trace 0.3, high the pooled trace.
_AWS_OPEN = (4.9e-4, 0.025, 0.3)

UNKNOWN = Hazard(1e-4, 0.01, 0.3, "unknown")
"""For a cloud that publishes nothing: from the calmest AWS bucket to the pooled V100 traces."""

OWN_SPREAD = 2.0
"""A rate that the user names is taken as the expected one, good to this factor either way."""


def per_hour(share: float, exposure_hours: float) -> float:
    """Constant hazard under which `share` of instances is lost within `exposure_hours`."""
    if not 0 <= share < 1 or exposure_hours <= 0:
        raise ValueError(f"share {share} of instances in {exposure_hours} h")
    return -log(1 - share) / exposure_hours


def aws_hazard(bucket: str) -> Hazard:
    """From a bucket of the AWS Spot Instance Advisor; KeyError for an unknown bucket."""
    share = AWS_SHARES[bucket]
    if bucket == ">20%":
        return Hazard(*_AWS_OPEN, "aws_bucket")
    low, expected, high = (per_hour(share, hours) for hours in AWS_EXPOSURES)
    return Hazard(low, expected, high, "aws_bucket")


def azure_hazard(low: float, high: float) -> Hazard:
    """From Azure's eviction rate, the chance of eviction within an hour, given as a band.

    The portal's 5-10 % is 0.05, 0.10.
    """
    middle = (low + high) / 2
    return Hazard(per_hour(low, 1), per_hour(middle, 1), per_hour(high, 1), "azure_hourly")


def gcp_hazard(preempted_share: float, run_hours: tuple[float, float, float]) -> Hazard:
    """From GCP's preempted / stopped and how long its instances run (long, usual, short).

    Each stop ends one run, so preemptions per running hour are the share over the run length.
    """
    long, usual, short = run_hours
    if not 0 < short <= usual <= long:
        raise ValueError(f"run hours {run_hours} do not fall")
    return Hazard(
        preempted_share / long, preempted_share / usual, preempted_share / short, "gcp_share"
    )


def own_hazard(interruptions_per_hour: float) -> Hazard:
    """The user's own figure, with its spread."""
    rate = interruptions_per_hour
    return Hazard(rate / OWN_SPREAD, rate, rate * OWN_SPREAD, "own")


def offered_hazard(provider: str, interruption: str | None) -> Hazard:
    """From the statistic that the catalog holds for an offer; UNKNOWN where it holds none.

    Only AWS publishes one that can be stored with a price.
    """
    if provider == "aws" and interruption in AWS_SHARES:
        return aws_hazard(interruption)
    return UNKNOWN


DEVICE_FAILURES = 419 / (54 * 24 * 16_384)
"""Stops per device-hour that nobody reclaimed: Llama 3 405B, 419 unexpected ones in 54 days on
16,384 H100. On demand and reserved machines are not free of failures either."""


def failures(devices: float) -> Hazard:
    """Stops per hour of a job on `devices` that are paid for on demand, within a factor of 2."""
    rate = DEVICE_FAILURES * devices
    return Hazard(rate / OWN_SPREAD, rate, rate * OWN_SPREAD, "failures")


GANG_EXPONENTS = (0.0, 0.15, 0.5)
"""g of design notes F8 for instances of one pool: 2023 traces of 4 and 16 nodes give 0 to 0.49."""

SPREAD_EXPONENT = 1.0
"""g where the instances are spread over pools and are lost independently."""


def gang(one: Hazard, instances: int, exponents: tuple[float, float, float]) -> Hazard:
    """Hazard that any of `instances` is lost, which stops a job that needs them all (F8)."""
    low, expected, high = exponents
    return Hazard(
        one.low * instances**low,
        one.expected * instances**expected,
        one.high * instances**high,
        one.basis,
    )
