"""Google Cloud's machines whose devices are attached to them, which the catalog writes as one."""

from __future__ import annotations

from gpuadvisor.emit.interface import Plan

ATTACHED = {
    "T4": "nvidia-tesla-t4",
    "P4": "nvidia-tesla-p4",
    "V100": "nvidia-tesla-v100",
    "P100": "nvidia-tesla-p100",
}
"""Devices attached to an N1 machine, by the accelerator's name in the API."""


def machine(plan: Plan) -> tuple[str, str | None]:
    """(machine type, accelerator attached to it): the catalog writes both as one name."""
    name, plus, _ = plan.type.name.partition("+")
    return name, ATTACHED[plan.device.family] if plus else None
