"""Scaling factors against MLPerf Training v1.0-v5.1, closed division: median [range] of
efficiency over results of the same task, device and submitter."""

import pytest

from gpuadvisor.performance.scaling import training_efficiency

# Devices per node and nodes, from and to; median and range (strong scaling of short jobs).
MLPERF = [
    ((4, 1), (8, 1), 0.97, 0.52, 1.6),
    ((8, 1), (8, 2), 0.87, 0.53, 1.1),
    ((8, 1), (8, 8), 0.69, 0.23, 0.88),
    ((8, 1), (8, 64), 0.25, 0.15, 0.70),
    ((8, 1), (8, 128), 0.25, 0.14, 0.52),
]


@pytest.mark.parametrize(("start", "end", "median", "low", "high"), MLPERF)
def test_mlperf_medians_lie_within_their_ranges(
    start: tuple[int, int], end: tuple[int, int], median: float, low: float, high: float
) -> None:
    found = training_efficiency(*end, "nvlink", True) / training_efficiency(*start, "nvlink", True)
    assert low <= found <= high
    if end[1] <= 8:
        assert found == pytest.approx(median, abs=0.05)


def test_pcie_and_plain_networks_lose_more() -> None:
    linked = training_efficiency(8, 2, "nvlink", True)
    assert training_efficiency(8, 2, "pcie", True) < linked
    assert training_efficiency(8, 2, "nvlink", False) == pytest.approx(linked * 0.68)
