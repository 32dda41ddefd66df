"""The facts of shape that tell instance types apart."""

from collections.abc import Sequence
from typing import Any

from gpuadvisor.advice.compare_result import Row

FACTS = (
    "device", "memory_gib", "devices_per_instance", "interconnect", "rdma", "network_gbps",
    "vcpus_per_device", "host_memory_gib_per_device", "local_disk_gb", "mig_max", "arch",
    "bandwidth_gbs", "fp16_tflops", "terms",
)  # fmt: skip


def shape_of(row: Row) -> dict[str, Any]:
    """A row's facts by name; None is unknown. Host figures are per whole device.

    `mig_max` is 0 for a slice: a provider's fraction cannot be cut again.
    """
    kind, device = row.item.type, row.device
    whole = max(float(kind.devices), 1.0)
    sold = [o for o in row.item.options if o.available]
    return {
        "device": device.name,
        "memory_gib": kind.memory_gib,
        "devices_per_instance": kind.devices,
        "interconnect": kind.interconnect,
        "rdma": kind.rdma,
        "network_gbps": kind.network_gbps,
        "vcpus_per_device": None if not kind.vcpus else kind.vcpus / whole,
        "host_memory_gib_per_device": (
            None if kind.host_memory_gib is None else kind.host_memory_gib / whole
        ),
        "local_disk_gb": kind.local_disk_gb,
        "mig_max": 0 if kind.fraction is not None else device.mig_max,
        "arch": kind.arch,
        "bandwidth_gbs": device.bandwidth_gbs,
        "fp16_tflops": device.fp16_tflops,
        "terms": list(dict.fromkeys(" ".join(filter(None, (o.option, o.term))) for o in sold)),
    }


def differing(rows: Sequence[Row]) -> tuple[str, ...]:
    """Names of the facts that are not the same in all rows."""
    shapes = [shape_of(row) for row in rows]
    return tuple(
        name for name in FACTS if any(shape[name] != shapes[0][name] for shape in shapes[1:])
    )
