"""Machine images that the clouds keep up to date for these devices, by name, never by id."""

from __future__ import annotations

from gpuadvisor.catalog.model import Device
from gpuadvisor.emit.interface import Plan

_AWS_GPU = (
    "/aws/service/deeplearning/ami/{arch}/base-oss-nvidia-driver-gpu-ubuntu-22.04/latest/ami-id"
)
"""Parameter of the Deep Learning Base OSS Nvidia Driver GPU AMI: G4dn, G5, G5g, G6, Gr6, G6e, G7,
P4d to P6 (docs.aws.amazon.com/dlami/latest/devguide/find-dlami-id.html; notes of 2026-07-27)."""
_AWS_NEURON = "/aws/service/neuron/dlami/multi-framework/ubuntu-24.04/latest/image_id"
"""Parameter of the Neuron image (awsdocs-neuron.readthedocs-hosted.com, DLAMI page)."""
OLDEST_OPEN = 7.5
"""The open kernel modules in these images need Turing (compute capability 7.5) or later."""

GCP_IMAGE = ("deeplearning-platform-release", "common-cu129-ubuntu-2204-nvidia-580")
"""Project and family with driver 580, in use in 2026-09; it drives V100 too, the last that does."""

AZURE_IMAGES = {
    "cuda": ("microsoft-dsvm", "ubuntu-hpc", "2204", "latest"),
    "rocm": ("microsoft-dsvm", "ubuntu-hpc", "2204-rocm", "latest"),
}
"""Microsoft's images for GPU and InfiniBand sizes (github.com/Azure/azhpc-images)."""


def aws_image(plan: Plan) -> str | None:
    """The SSM parameter of an image for the type; None where none is known."""
    if plan.device.software == "neuron":
        return _AWS_NEURON
    if _open(plan.device) and plan.type.arch in ("x86_64", "arm64"):
        return _AWS_GPU.format(arch=plan.type.arch)
    return None


def gcp_image(plan: Plan) -> tuple[str, str] | None:
    """(project, family) of an image; None where none is known."""
    known = plan.device.software == "cuda" and plan.type.arch == "x86_64"
    return GCP_IMAGE if known else None


def azure_image(plan: Plan) -> tuple[str, str, str, str] | None:
    """(publisher, offer, sku, version). Fractions and the NV series need the GRID driver, which
    these images lack; NG and V710 sizes have drivers of their own."""
    name = plan.type.name.lower().removeprefix("standard_")
    if not name.startswith(("nc", "nd")) or plan.type.fraction or plan.type.arch != "x86_64":
        return None
    return AZURE_IMAGES.get(plan.device.software)


def _open(device: Device) -> bool:
    return (
        device.software == "cuda"
        and device.compute_capability is not None
        and float(device.compute_capability) >= OLDEST_OPEN
    )
