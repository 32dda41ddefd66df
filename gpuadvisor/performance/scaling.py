"""How several devices add up: replicas, data-parallel training, tensor parallelism.

Simple medians of published results; nothing here knows a workload.
"""

from __future__ import annotations

from math import log2

INSIDE_NODE_PER_DOUBLING = 0.985
"""Data-parallel training inside a node over NVLink: MLPerf Training v1.0-v5.1 closed, 4 -> 8
GPUs, median .97 of 86 results [.52-1.6]; the doublings below 4 lose less."""

PCIE_FACTOR = 0.87
"""The same over PCIe: BERT on A100, 4 -> 8 GPUs, .68-.85 on PCIe against .70-1.06 on NVLink."""

ACROSS_NODES_PER_DOUBLING = 0.87
"""Each doubling of nodes on an RDMA network: MLPerf Training closed, 8 -> 16 GPUs, median .87
of 43 results [.53-1.1]; 8 -> 64, .69 of 76, which is .88 a doubling. Strong scaling of short
jobs, hence a lower bound for long ones."""

NO_RDMA_FACTOR = 0.68
"""Without RDMA: VGG-16 on 25 Gbit/s Ethernet (Horovod, 512 GPUs)."""

TENSOR_PARALLEL_PER_DOUBLING = 0.76
"""One replica over several devices on NVLink: 70B decode on A100, 2 -> 8 GPUs, .57 (MLC)."""

TENSOR_PARALLEL_PCIE_PER_DOUBLING = 0.6
"""The same over PCIe: 13B on A10G, 4 -> 8 GPUs gave 195 against 296 tokens/s (TGI on SageMaker),
that is .33 of linear; 7B, 1 -> 4 gave .36 over two doublings. .6 a doubling lies between."""

SUSTAINED_TIGHT = 0.7
"""Share of batch throughput to plan for under a p99 target: MLPerf Server over Offline, median
.83 to .94, small cards .64 to .78."""

SUSTAINED_LOOSE = 0.9
"""The same where no latency is promised."""


def training_efficiency(devices: float, nodes: int, interconnect: str, rdma: bool) -> float:
    """Share of linear speed that `devices` per node on `nodes` nodes reach together."""
    efficiency = 1.0
    if devices > 1:
        efficiency *= INSIDE_NODE_PER_DOUBLING ** log2(devices)
        if interconnect != "nvlink":
            efficiency *= PCIE_FACTOR
    if nodes > 1:
        efficiency *= ACROSS_NODES_PER_DOUBLING ** log2(nodes)
        if not rdma:
            efficiency *= NO_RDMA_FACTOR
    return efficiency


def replica_efficiency(devices_per_replica: int, interconnect: str) -> float:
    """Share of linear speed of one replica that is split over several devices of a node."""
    if devices_per_replica <= 1:
        return 1.0
    nvlink = interconnect == "nvlink"
    per = TENSOR_PARALLEL_PER_DOUBLING if nvlink else TENSOR_PARALLEL_PCIE_PER_DOUBLING
    return float(per ** log2(devices_per_replica))
