"""Schema of `interconnect/*.yaml`: how fast devices exchange data, and how training scales."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gpuadvisor.catalog.schema import CatalogFile, Name, Positive, StrictModel

Metric = Literal[
    "all_reduce_busbw",
    "device_copy",
    "link_duplex",
    "rdma_write",
    "node_network",
    "node_ip_network",
    "data_parallel_efficiency",
    "weak_scaling",
]
Unit = Literal["GB/s", "Gb/s", "fraction", "x"]
UNITS: dict[str, Unit] = {
    "all_reduce_busbw": "GB/s",
    "device_copy": "GB/s",
    "link_duplex": "GB/s",
    "rdma_write": "Gb/s",
    "node_network": "GB/s",
    "node_ip_network": "GB/s",
    "data_parallel_efficiency": "fraction",
    "weak_scaling": "x",
}
"""The one unit of each metric.

`all_reduce_busbw` is bytes / time x 2(n-1)/n (nccl-tests), one way; `device_copy`,
`node_network`, the part of it that plain IP may take (`node_ip_network`) and `rdma_write` are
one way too, `link_duplex` counts both directions of one
device. `data_parallel_efficiency` is T(n) / (n T(1)), `weak_scaling` is T(n) / T(1).
"""


class InterconnectEntry(StrictModel):
    """One figure. `kind` tells a measurement from a pass threshold and from a spec.

    `device` is canonical and left out where the source does not tell which one;
    `devices` counts over all nodes. `workload` is set for training figures.
    """

    scope: Literal["pair", "node", "nodes", "rack", "link", "nic"]
    platform: Name
    device: Name | None = None
    devices: Annotated[int, Field(ge=1)] | None = None
    nodes: Annotated[int, Field(ge=1)] | None = None
    workload: Name | None = None
    metric: Metric
    value: Positive
    unit: Unit
    message_size: Annotated[str, Field(pattern=r"^\d+(-\d+)? (MiB|GiB|GB)$")] | None = None
    kind: Literal["measured", "threshold", "spec"]
    source: Name
    notes: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.unit != UNITS[self.metric]:
            raise ValueError(f"{self.metric} is given in {UNITS[self.metric]}")
        if self.nodes and self.devices and self.devices % self.nodes:
            raise ValueError("devices must divide evenly over nodes")
        return self


class InterconnectFile(CatalogFile):
    """Collective bandwidths, links and scaling figures by a readable slug."""

    interconnect: dict[Name, InterconnectEntry]
