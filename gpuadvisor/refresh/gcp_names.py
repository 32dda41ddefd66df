"""What Google calls things: accelerator types, machine families, and the SKUs that price them.

Google links no machine type to a SKU; their names are the only joint. A name that stands here in
none of the tables is reported, never guessed.
"""

from __future__ import annotations

from typing import NamedTuple

DEVICES = {
    "nvidia-tesla-t4": "T4",
    "nvidia-tesla-v100": "V100-16GB-SXM",
    "nvidia-tesla-p100": "P100-16GB-PCIe",
    "nvidia-tesla-p4": "P4",
    "nvidia-tesla-a100": "A100-40GB-SXM",
    "nvidia-a100-80gb": "A100-80GB-SXM",
    "nvidia-h100-80gb": "H100-80GB-SXM",
    "nvidia-h100-mega-80gb": "H100-80GB-SXM",
    "nvidia-h200-141gb": "H200-141GB",
    "nvidia-b200": "B200-180GB",
    "nvidia-gb200": "GB200-186GB",
    "nvidia-gb300": "GB300-279GB",
    "nvidia-l4": "L4",
    "nvidia-rtx-pro-6000": "RTX-PRO-6000",
    "ct4p": "TPU-v4",
    "ct5lp": "TPU-v5e",
    "ct5p": "TPU-v5p",
    "ct6e": "TPU-v6e",
    "tpu7x": "TPU-v7x",
}
"""Accelerator type of the Compute Engine API -> canonical device; the API states no memory."""

ATTACHED = {
    "t4": "nvidia-tesla-t4",
    "v100": "nvidia-tesla-v100",
    "p100": "nvidia-tesla-p100",
    "p4": "nvidia-tesla-p4",
}
"""What N1 hosts take, by the word of the catalog's composite names (`n1-standard-4+t4x1`)."""

GPU_SKUS = {
    "Nvidia Tesla T4 GPU": "nvidia-tesla-t4",
    "Nvidia Tesla V100 GPU": "nvidia-tesla-v100",
    "Nvidia Tesla P100 GPU": "nvidia-tesla-p100",
    "Nvidia Tesla P4 GPU": "nvidia-tesla-p4",
    "Nvidia Tesla A100 GPU": "nvidia-tesla-a100",
    "Nvidia Tesla A100 80GB GPU": "nvidia-a100-80gb",
    "Nvidia H100 80GB GPU": "nvidia-h100-80gb",
    "Nvidia H100 80GB Mega GPU": "nvidia-h100-mega-80gb",
    "Nvidia H100 Mega 80GB GPU": "nvidia-h100-mega-80gb",
    "Nvidia H100 80GB Plus GPU": "nvidia-h100-mega-80gb",
    "H200 141GB GPU": "nvidia-h200-141gb",
    "Nvidia H200 141GB GPU": "nvidia-h200-141gb",
    "Nvidia L4 GPU": "nvidia-l4",
    "RTX 6000 96GB": "nvidia-rtx-pro-6000",
    "A4 Nvidia B200 (1 gpu slice)": "nvidia-b200",
}
"""Words of a SKU -> accelerator type. "A100 GPU" begins as "A100 80GB GPU" does, so names are
compared whole. The B200 slice holds an eighth of the machine: A4 has no core and RAM SKUs."""

TPU_SKUS = {"V5e": "ct5lp", "V5p": "ct5p", "V6e": "ct6e", "7x": "tpu7x"}
"""`TpuV6e`, `V6e` and `V6e TPU` are one chip, host included."""


class Family(NamedTuple):
    """How the machines of a family are priced.

    `host` is the family of the core and RAM SKUs, None where the accelerator's SKU holds the
    machine; `accelerator` is None for N1, whose composite names say it.
    """

    host: str | None
    accelerator: str | None


FAMILIES = {
    "a2-highgpu": Family("A2", "nvidia-tesla-a100"),
    "a2-megagpu": Family("A2", "nvidia-tesla-a100"),
    "a2-ultragpu": Family("A2", "nvidia-a100-80gb"),
    "a3-highgpu": Family("A3", "nvidia-h100-80gb"),
    "a3-megagpu": Family("A3Plus", "nvidia-h100-mega-80gb"),
    "a3-ultragpu": Family("A3Ultra", "nvidia-h200-141gb"),
    "a4-highgpu": Family(None, "nvidia-b200"),
    "g2-standard": Family("G2", "nvidia-l4"),
    "g4-standard": Family("G4", "nvidia-rtx-pro-6000"),
    "n1-standard": Family("N1", None),
    "ct5lp-hightpu": Family(None, "ct5lp"),
    "ct5p-hightpu": Family(None, "ct5p"),
    "ct6e-standard": Family(None, "ct6e"),
    "tpu7x-standard": Family(None, "tpu7x"),
}

UNPRICED = frozenset({"a3-edgegpu", "a4x-highgpu", "a4x-maxgpu", "ct4p-hightpu", "v2", "v3"})
"""Families that Compute Engine's SKUs do not price: no SKU was ever seen for A4X, Edge's are not
known to be A3's, and older TPUs are billed by the Cloud TPU service. Their prices are kept."""


def family_of(machine: str) -> str:
    """`a3-highgpu-8g` -> `a3-highgpu`, `n1-standard-4+t4x1` -> `n1-standard`."""
    return "-".join(machine.split("-")[:2]) if machine.count("-") > 1 else machine.split("-")[0]


class Attachment(NamedTuple):
    """An N1 composite: so many accelerators on a host."""

    host: str
    accelerator: str
    number: int


def attachment(machine: str) -> Attachment | None:
    """What a composite name says: `n1-standard-4+t4x1` is one T4 on n1-standard-4."""
    host, plus, what = machine.partition("+")
    word, _, count = what.rpartition("x")
    if not plus or word not in ATTACHED or not count.isdigit():
        return None
    return Attachment(host, ATTACHED[word], int(count))


def region_of(zone: str) -> str:
    """`us-central1-a` -> `us-central1`; also of `zones/us-central1-a`."""
    return zone.rpartition("/")[2].rpartition("-")[0]
