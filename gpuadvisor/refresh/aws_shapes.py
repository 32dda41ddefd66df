"""Shapes of instance types from DescribeInstanceTypes, in the conventions of `shapes.yaml`.

What the API does not say is taken from what the catalog knows of the same family (the link
between devices), or stays unknown. `sold` holds what the usage classes allow; `aws_join` weighs it
against the prices that were seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gpuadvisor.catalog.model import CAPACITY_BLOCK, ON_DEMAND, RESERVED, SAVINGS_PLAN, SPOT
from gpuadvisor.refresh.aws_account import client, refusals
from gpuadvisor.refresh.aws_devices import Held, held
from gpuadvisor.refresh.aws_feeds import as_known, feed
from gpuadvisor.refresh.aws_names import PROVIDER, family_of
from gpuadvisor.refresh.interface import Fetched, Puzzle, SeenType

if TYPE_CHECKING:
    from gpuadvisor.catalog.store import Catalog
    from gpuadvisor.refresh.interface import Context

_CLASSES = {"on-demand": ON_DEMAND, "spot": SPOT, "capacity-block": CAPACITY_BLOCK}
SOLD_ORDER = (ON_DEMAND, SPOT, RESERVED, SAVINGS_PLAN, CAPACITY_BLOCK)
_RATE = re.compile(r"(?:Up to )?(?:(\d+)x )?([\d.]+) Gigabit", re.ASCII)


def fetch_shapes(region: str, context: Context) -> Fetched:
    """Every accelerated type that the region describes."""
    kind = "aws-instance-types"
    origin = feed(kind, context.today)
    types: list[SeenType] = []
    puzzles: list[Puzzle] = []
    with refusals(region):
        pages = (
            client("ec2", region)
            .get_paginator("describe_instance_types")
            .paginate(PaginationConfig={"PageSize": 100})
        )
        for page in pages:
            with as_known(kind, region):
                found = [seen_type(i, region, context.catalog) for i in page["InstanceTypes"]]
            types += [t._replace(feed=origin.id) for t in found if isinstance(t, SeenType)]
            puzzles += [p for p in found if isinstance(p, Puzzle)]
            context.moved(len(found))
    return Fetched(feeds=(origin,), types=tuple(types), puzzles=tuple(puzzles))


def seen_type(info: Mapping[str, Any], region: str, catalog: Catalog) -> SeenType | Puzzle | None:
    """One `InstanceTypeInfo`; None where it holds no accelerator. KeyError where it is broken."""
    accelerators = held(info, region, catalog)
    if not isinstance(accelerators, Held):
        return accelerators
    name = info["InstanceType"]
    network = info.get("NetworkInfo") or {}
    arch = next((a for a in _architectures(info) if a in ("x86_64", "arm64")), None)
    if arch is None:
        return Puzzle("sku", name, region, ", ".join(_architectures(info)))
    return SeenType(
        name=name,
        family=family_of(name),
        device=accelerators.device,
        devices=accelerators.devices,
        fraction=accelerators.fraction,
        memory_gib=accelerators.memory_gib,
        vcpus=info["VCpuInfo"]["DefaultVCpus"],
        host_memory_gib=info["MemoryInfo"]["SizeInMiB"] / 1024,
        network_gbps=network_gbps(network),
        rdma="efa" if network.get("EfaSupported") else None,
        interconnect=_interconnect(name, accelerators, catalog),
        local_disk_gb=_local_disk_gb(info),
        arch=arch,
        sold=tuple(_CLASSES[c] for c in info.get("SupportedUsageClasses", ()) if c in _CLASSES),
        feed="",
    )


def network_gbps(network: Mapping[str, Any]) -> float | None:
    """Peak bandwidth of all network cards together, Gbps.

    One card says little (p5 has 32 of 100). Their sum is what is advertised, but for types whose
    cards the API describes otherwise (p6-b200: 8 cards of 200 for 3200; p6-b300: the 17th card
    carries no EFA; trn2.3xlarge): there the advertised figure stands.
    """
    peaks = [card.get("PeakBandwidthInGbps") for card in network.get("NetworkCards") or ()]
    total = sum(peaks) if peaks and all(peaks) else None
    match = _RATE.fullmatch(network.get("NetworkPerformance") or "")
    if match is None:
        return total
    advertised = float(match[2]) * int(match[1] or 1)
    if total is not None and abs(total - advertised) <= advertised * 0.01:
        return float(total)  # "3.12 Gigabit" is 3.125
    return advertised


def _architectures(info: Mapping[str, Any]) -> Iterable[str]:
    return tuple((info.get("ProcessorInfo") or {}).get("SupportedArchitectures") or ())


def _local_disk_gb(info: Mapping[str, Any]) -> float | None:
    if info.get("InstanceStorageSupported") is False:
        return 0
    size = (info.get("InstanceStorageInfo") or {}).get("TotalSizeInGB")
    return None if size is None else float(size)


def _interconnect(name: str, accelerators: Held, catalog: Catalog) -> str | None:
    """How the devices are linked: the API is silent, so the family's own is taken."""
    if accelerators.devices in (None, 1):
        known = catalog.instance_types().get((PROVIDER, name))
        # One GPU of an UltraServer's node is linked all the same.
        return known.interconnect if known else "none"
    family = family_of(name)
    links = {
        t.interconnect
        for t in catalog.instance_types().values()
        if t.provider == PROVIDER and t.family == family and t.devices > 1
    }
    return links.pop() if len(links) == 1 else None
