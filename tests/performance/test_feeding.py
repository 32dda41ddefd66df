"""Limits of input, worked by hand."""

import pytest

from gpuadvisor.performance.feeding import (
    CORES,
    DISK,
    FAST_DISK,
    LOCAL,
    NETWORK,
    disk_cost,
    feeding,
)


def test_limits_of_g5_12xlarge_at_110_kb() -> None:
    """3,800 GB of NVMe, 40 Gb/s, 48 vCPU at 326 images/s each (FFCV)."""
    found = feeding(110e3, None, 3800, 40, 48, 326)
    assert found is not None
    # 125 MiB/s / 110 kB; 2,000 MiB/s / 110 kB; 5 GB/s / 110 kB; 48 x 326.
    assert found.limits[DISK] == pytest.approx(1191.6, abs=0.1)
    assert found.limits[FAST_DISK] == pytest.approx(19065, abs=1)
    assert found.limits[NETWORK] == pytest.approx(45454.5, abs=0.1)
    assert found.limits[CORES] == 15648
    # 9,360 MB/s over 9,000 GB: 1.04 MB/s a GB.
    assert found.limits[LOCAL] == pytest.approx(3800 * 1.04e6 / 110e3)
    assert found.data_on == LOCAL
    assert found.narrowest == (CORES, 15648)


def test_without_local_disk_the_data_are_on_the_network() -> None:
    found = feeding(110e3, None, 0, 10, 8, None)
    assert found is not None and found.data_on == FAST_DISK
    # No faster than 10 Gb/s carry.
    assert found.limits[FAST_DISK] == pytest.approx(1.25e9 / 110e3)
    assert feeding(110e3, LOCAL, 0, 10, 8, None) is None


def test_disk_as_created_is_the_narrowest() -> None:
    found = feeding(110e3, DISK, 3800, 40, 48, 326)
    assert found is not None and found.narrowest is not None
    assert found.narrowest[0] == DISK


def test_cost_of_throughput() -> None:
    """1,000 MiB/s are 875 above what is included, at 0.04 each: 35 USD a month."""
    assert disk_cost(1000 * 2**20 / 1e5, 1e5) == pytest.approx(35.0)
    assert disk_cost(10, 1e5) == 0.0
