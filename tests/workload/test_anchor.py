"""Anchors: a device is compared with the measured device nearest to it."""

import pytest

from gpuadvisor.workload.anchor import anchor, measured_devices
from gpuadvisor.workload.profile import choose_mode, find_profile
from tests.workload.conftest import Documents

# Batched CNN speed, T4 = 1 (MLPerf v0.7 and v3.0, rounded).
SPEEDS = {
    "T4": 1.0, "A10G": 1.5, "L4": 1.6, "A10": 1.9, "V100-16GB-SXM": 1.8, "A100-40GB-SXM": 4.8,
    "A100-80GB-SXM": 5.3, "A100-80GB-PCIe": 4.9,
}  # fmt: skip


@pytest.mark.parametrize(
    ("device", "speed", "nearest", "ratio"),
    [
        ("T4", 1.0, "T4", 1.0),
        ("T4G", 1.1, "T4", 1.0),
        ("P4", 0.6, "T4", 1.0),
        ("V100-16GB-SXM", 1.8, "V100-16GB-SXM", 1.06),  # PaddleOCR issue 60: 72 / 68 ms
        ("A10G", 1.5, "A10G", (3.556 * 1.321) ** 0.5),  # blog: Marker, PaddleOCR-VL
        ("L4", 1.6, "L4", 2.167 / (1.296 * 1.21) ** 0.5),  # A10G over L4 in two pipelines
        ("A100-80GB-SXM", 5.3, "A100-80GB-SXM", 1.06 * 1.482),  # chained over V100
        ("L40S", 4.1, "A100-40GB-SXM", 1.06 * 1.482),
        ("B200-180GB", 18.0, "A100-80GB-SXM", 1.06 * 1.482),
    ],
)
def test_ocr(catalog: Documents, device: str, speed: float, nearest: str, ratio: float) -> None:
    found = anchor(choose_mode(find_profile(catalog, "ocr")), device, speed, SPEEDS)
    assert found is not None
    assert found.device == nearest
    assert found.ratio == pytest.approx(ratio, rel=5e-3)
    assert found.low <= found.ratio <= found.high


def test_without_other_devices_the_reference_is_the_anchor(catalog: Documents) -> None:
    mode = choose_mode(find_profile(catalog, "llm-chat"))
    assert measured_devices(mode) == ("A100-80GB-SXM",)
    found = anchor(mode, "L4", 0.2, {"A100-80GB-SXM": 1.0})
    assert found is not None and (found.device, found.ratio) == ("A100-80GB-SXM", 1.0)
    assert anchor(mode, "L4", 0.2, {}) == found


def test_nothing_measured_nothing_to_compare_with(catalog: Documents) -> None:
    assert anchor(choose_mode(find_profile(catalog, "notebook")), "T4", 1.0, SPEEDS) is None


def test_another_form_of_a_measured_chip_is_compared_with_it() -> None:
    """A V100 on PCIe is a V100, however near an A10 its batched speed lies."""
    from gpuadvisor.catalog.store import load_catalog
    from gpuadvisor.workload.profile import find_profile

    mode = find_profile(load_catalog(), "ocr").modes["unbatched"]
    speeds = {"V100-16GB-SXM": 1.72, "A10G": 1.9, "T4": 1.0}
    near = anchor(mode, "V100-16GB-PCIe", 1.95, speeds, ["V100-16GB-SXM"])
    assert near is not None and near.device == "V100-16GB-SXM"
    other = anchor(mode, "RTX-3090", 1.95, speeds)
    assert other is not None and other.device == "A10G"
