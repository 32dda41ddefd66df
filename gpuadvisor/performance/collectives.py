"""Time of collectives, and the links that they run over.

Bytes and seconds; bandwidths are bytes a second one way, as nccl-tests counts bus bandwidth:
S/t x 2(n-1)/n for an all-reduce of S bytes over n devices.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

GB = 1e9

NIC_SHARE = 0.6
"""What a node's adapters carry of their nominal rate under an all-reduce: AWS nccl-tests over two
nodes, 78.3 GB/s of bus bandwidth on p4de (41.8 of 50 GB/s a node) and 443.7 to 487 on p5 (237 to
260 of 400); the lower of the two."""
PLAIN_SHARE = 0.3
"""The same without RDMA: half of it (assumed; VGG-16 on 25 Gb/s Ethernet kept .68, Horovod)."""

ZONE_HOP_SECONDS = 0.5e-3
"""One way between zones of a region: half of a round trip, 0.3 to 1.5 ms in AWS's (flashgrid.io,
2023-03-27: all pairs of zones)."""

PCIE_BUSBW = {3: 6 * GB, 4: 20 * GB, 5: 25 * GB}
"""All-reduce over PCIe where nobody measured it: by generation of the slot. 20 is two L40S, 25
eight RTX PRO 6000 (NVIDIA aiconfigurator); generation 3 by its half of generation 4's wire, less
the detour over the host (assumed)."""

NVLINK_SHARE = 0.7
"""Bus bandwidth over one direction of NVLink, eight devices: A100 222 of 300 GB/s (NVIDIA
aiconfigurator); H100 and H200 reduce in the switch and exceed it."""


class Links(NamedTuple):
    """Bus bandwidth inside a node of `devices`, and what one node's adapters carry, bytes/s."""

    devices: int
    inside: float
    adapters: float
    source: str | None


def all_reduce_seconds(size: float, devices: int, busbw: float, alpha: float = 0.0) -> float:
    """Seconds of an all-reduce of `size` bytes; `alpha` is its latency."""
    return alpha + 2 * (devices - 1) / devices * size / busbw


def gather_seconds(size: float, devices: int, busbw: float, alpha: float = 0.0) -> float:
    """Seconds of an all-gather or a reduce-scatter: half an all-reduce."""
    return alpha + (devices - 1) / devices * size / busbw


def hierarchical_seconds(
    size: float, per_node: int, nodes: int, inside: float, per_device: float
) -> float:
    """Seconds of an all-reduce inside the nodes first, then between them, nothing overlapped.

    `per_device` is the network bandwidth of one device: each exchanges its 1/g of the data.
    """
    between = all_reduce_seconds(size / per_node, nodes, per_device) if nodes > 1 else 0.0
    return all_reduce_seconds(size, per_node, inside) + between


def between_zones(
    links: Links,
    documents: Mapping[str, Mapping[str, Any]],
    platform: str,
    network_gbps: float,
) -> Links:
    """The links where nodes lie in several zones: RDMA stays inside one, the rest is plain IP.

    Of an instance's network a part may be for RDMA alone (`node_ip_network` of `documents`).
    """
    plain = network_gbps / 8
    for entry in documents.values():
        if entry["metric"] == "node_ip_network" and entry["platform"].endswith(platform):
            plain = min(plain, entry["value"])
    return links._replace(adapters=min(links.adapters, plain * GB * PLAIN_SHARE))


def links_of(
    documents: Mapping[str, Mapping[str, Any]],
    device: str,
    devices: int,
    nvlink_gbs: float,
    pcie_gen: float,
    linked: bool,
    network_gbps: float,
    rdma: bool,
    platform: str,
) -> Links:
    """The links of an instance type: measured where `documents` (interconnect) tell, else by spec.

    `nvlink_gbs` counts both directions, as vendors do; `linked` says that NVLink connects all.
    """
    inside, source = 0.0, None
    across = None
    for entry in documents.values():
        if entry["metric"] != "all_reduce_busbw" or entry.get("device") != device:
            continue
        nodes, count = entry.get("nodes", 1), entry.get("devices", 0)
        busbw = entry["value"] * GB
        if nodes == 1 and count == devices and linked and busbw > inside:
            inside, source = busbw, entry["source"]
        if nodes == 2 and entry["platform"].endswith(platform) and count == 2 * devices:
            # The largest message: small ones are bound by latency.
            across = max(across or 0.0, busbw)
    if linked and not inside:
        inside = NVLINK_SHARE * nvlink_gbs / 2 * GB
    if not inside:
        inside = PCIE_BUSBW[max(3, min(5, int(pcie_gen or 4)))]
    adapters = network_gbps / 8 * GB * (NIC_SHARE if rdma else PLAIN_SHARE)
    if across is not None:
        n = 2 * devices
        adapters = across * 0.5 / ((n - 1) / n)
    return Links(devices, inside, adapters, source)
