"""Packing: measured points are reproduced, others lie between, nothing exceeds the measured."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.workload.interface import PackingPoint
from gpuadvisor.workload.packing import ONE_PROCESS, Packing, most_streams, packing_gain

# PP-StructureV3 serving on A100: 1.69 -> 4.05 pages/s with 1 -> 4 instances a GPU
# (PaddleOCR 3.0.0 docs); HoML: YOLOv8s on L4 +7 % with 2 processes, on H100 1,184 -> 2,050,
# 3,480 and 5,024 images/s with 2, 4 and 8.
OCR = (
    PackingPoint("A100-80GB-SXM", 4, 2.4, "", ""),
    PackingPoint("L4", 2, 1.07, "", ""),
)
YOLO = (
    PackingPoint("L4", 2, 1.07, "", ""),
    PackingPoint("H100-80GB-SXM", 2, 2050 / 1184, "", ""),
    PackingPoint("H100-80GB-SXM", 4, 3480 / 1184, "", ""),
    PackingPoint("H100-80GB-SXM", 8, 5024 / 1184, "", ""),
)
# Batched CNN speed, T4 = 1: MLPerf v0.7 A100 6.1, v3.0 L4 2.15.
SPEEDS = {"T4": 1.0, "L4": 2.15, "A100-80GB-SXM": 6.1, "H100-80GB-SXM": 11.3}


@pytest.mark.parametrize(
    ("points", "device", "limit", "streams", "gain"),
    [
        (OCR, "A100-80GB-SXM", 10, 4, 2.4),
        (OCR, "A100-80GB-SXM", 2, 2, 2.4**0.5),  # halfway in log streams
        (OCR, "L4", 3, 2, 1.07),
        (YOLO, "H100-80GB-SXM", 16, 8, 5024 / 1184),
        (YOLO, "H100-80GB-SXM", 4, 4, 3480 / 1184),
    ],
)
def test_measured_devices(
    points: tuple[PackingPoint, ...], device: str, limit: int, streams: int, gain: float
) -> None:
    found = packing_gain(points, SPEEDS, device, SPEEDS[device], limit)
    assert found == Packing(streams, pytest.approx(gain), "measured")


def test_a_small_card_gains_nothing_and_a_faster_one_no_more_than_measured() -> None:
    assert packing_gain(OCR, SPEEDS, "T4", 1.0, 3) == ONE_PROCESS
    fast = packing_gain(OCR, SPEEDS, "B200-180GB", 20.0, 32)
    assert fast == Packing(4, pytest.approx(2.4), "fitted")


def test_a_card_between_two_measured_ones() -> None:
    # A10 at 2.1 x sqrt(6.1 / 2.15): halfway in log speed, so sqrt(1.07 x 2.4).
    middle = (2.15 * 6.1) ** 0.5
    found = packing_gain(OCR, SPEEDS, "L40S", middle, 8)
    assert found == Packing(4, pytest.approx((1.07 * 2.4) ** 0.5), "fitted")


def test_one_core_holds_one_process() -> None:
    assert packing_gain(OCR, SPEEDS, "A100-80GB-SXM", 6.1, 1) == ONE_PROCESS
    assert packing_gain((), SPEEDS, "A100-80GB-SXM", 6.1, 8) == ONE_PROCESS


@pytest.mark.parametrize(
    ("vcpus", "per_stream", "usable", "per_replica", "expected"),
    [
        (4, 1.14, 14.56, 5.4, 2),  # g4dn.xlarge: 3 by cores, 2 by memory
        (12, 1.14, 39.5, 5.4, 7),  # p4d.24xlarge per device
        (12, 1.14, None, None, 10),
        (1, 1.14, 14.56, 5.4, 1),  # never none
        (8, None, None, 5.4, 1024),  # nothing known to limit
    ],
)
def test_most_streams(
    vcpus: float, per_stream: float | None, usable: float | None, per_replica: float | None,
    expected: int,
) -> None:  # fmt: skip
    assert most_streams(vcpus, per_stream, usable, per_replica) == expected


@given(st.floats(0.05, 50), st.floats(0.05, 50), st.integers(1, 40), st.sampled_from([OCR, YOLO]))
def test_gain_grows_with_speed_and_cores_and_stays_within_the_measured(
    first: float, second: float, limit: int, points: tuple[PackingPoint, ...]
) -> None:
    slow, fast = sorted((first, second))
    low = packing_gain(points, SPEEDS, "X", slow, limit)
    high = packing_gain(points, SPEEDS, "Y", fast, limit)
    assert 1.0 <= low.gain <= high.gain + 1e-9
    assert high.gain <= max(point.gain for point in points) + 1e-9
    assert high.streams <= limit
    assert high.gain <= packing_gain(points, SPEEDS, "Y", fast, limit + 1).gain + 1e-9
