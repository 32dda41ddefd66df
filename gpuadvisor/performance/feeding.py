"""What keeps devices from being fed: storage, the network and the host's cores.

Rates are units of work a second of one instance, sizes bytes, bandwidths bytes a second.
"""

from typing import NamedTuple

GB = 1e9
MIB = 2.0**20

DISK_INCLUDED = 125 * MIB
"""A network disk as created: throughput of a gp3 volume where none is asked for (EC2 API,
CreateVolume); GCP's and Azure's standard SSDs of usual sizes are alike."""
DISK_MOST = 2000 * MIB
"""The most that one volume can be given (the same; 1,000 until 2025)."""
DISK_USD_PER_MIB = 0.04
"""A month of one MiB/s above what is included, on AWS us-east-1 (gp3)."""

LOCAL_PER_GB = 9.36e9 / 9000
"""Local NVMe by its gigabytes: 9,360 MB/s over 24 local SSDs, 9 TB (Google Cloud, block storage
performance). Drives of AWS and Azure are no slower."""

LOCAL, DISK, FAST_DISK, NETWORK = PLACES = ("local", "disk", "fast-disk", "network")
"""Where samples are read from: local NVMe, a network disk as created or at its most, and a
parallel file system or object store over the whole network."""
CORES = "cores"


class Feeding(NamedTuple):
    """Limits in units a second by name; None where unknown or absent. `data_on` is in use."""

    data_on: str
    limits: dict[str, float | None]

    @property
    def narrowest(self) -> tuple[str, float] | None:
        """The smaller of the storage in use and the cores."""
        used = [(name, self.limits[name]) for name in (self.data_on, CORES)]
        known = [(name, limit) for name, limit in used if limit is not None]
        return min(known, key=lambda pair: pair[1]) if known else None


def feeding(
    sample: float,
    data_on: str | None,
    local_disk_gb: float | None,
    network_gbps: float | None,
    vcpus: float | None,
    units_per_vcpu: float | None,
) -> Feeding | None:
    """What an instance can be fed in samples of `sample` bytes; local NVMe where there is any.

    None where the samples are to lie on a local disk and there is none.
    """
    local = local_disk_gb * LOCAL_PER_GB / sample if local_disk_gb else None
    if data_on == LOCAL and local is None:
        return None
    network = network_gbps / 8 * GB / sample if network_gbps else None
    limits = {
        LOCAL: local,
        DISK: DISK_INCLUDED / sample,
        FAST_DISK: min(DISK_MOST / sample, network or float("inf")),
        NETWORK: network,
        CORES: units_per_vcpu * vcpus if units_per_vcpu and vcpus else None,
    }
    return Feeding(data_on or (LOCAL if local is not None else FAST_DISK), limits)


def disk_cost(rate: float, sample: float) -> float:
    """USD a month for a network disk that feeds `rate` units a second, beside its capacity."""
    return max(0.0, rate * sample - DISK_INCLUDED) / MIB * DISK_USD_PER_MIB
