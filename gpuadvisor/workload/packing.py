"""How much more a device does when several processes share it.

A small card is busy with one process; a large one idles while its process waits for the host.
What was measured on a few devices is carried to others by their speed: between two measured
devices the gain is interpolated in log-log, a slower device than any measured gains nothing,
a faster one no more than the fastest measured.
"""

from collections.abc import Mapping
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

from gpuadvisor.workload.interface import PackingPoint

MEASURED = "measured"
FITTED = "fitted"

Curve = list[tuple[int, float]]


class Packing(NamedTuple):
    """Processes per device and their total rate over one process.

    `basis` is `measured` (this very device), `fitted` (from others), or None: one process,
    because no more fit or because no gain is known.
    """

    streams: int
    gain: float
    basis: str | None


ONE_PROCESS = Packing(1, 1.0, None)


def most_streams(
    vcpus_per_device: float | None,
    vcpus_per_stream: float | None,
    usable_gib: float | None = None,
    gib_per_stream: float | None = None,
) -> int:
    """Processes that the host's vCPUs and the device's memory leave room for; at least one."""
    limits = [float("inf")]
    if vcpus_per_device is not None and vcpus_per_stream:
        limits.append(vcpus_per_device / vcpus_per_stream)
    if usable_gib is not None and gib_per_stream:
        limits.append(usable_gib / gib_per_stream)
    return int(max(1.0, min(min(limits), 1024.0)))


def packing_gain(
    points: tuple[PackingPoint, ...],
    speeds: Mapping[str, float],
    device: str,
    speed: float,
    limit: int,
) -> Packing:
    """Best number of processes on `device`, at most `limit`, and what they gain.

    `speed` and `speeds` (of the devices of `points`) are batched speeds in one common unit;
    points of devices without a speed are left out.
    """
    curves: dict[str, Curve] = {}
    for point in sorted(points, key=lambda point: point.streams):
        if point.device in speeds:
            curves.setdefault(point.device, [(1, 1.0)]).append((point.streams, point.gain))
    if not curves or limit < 2:
        return ONE_PROCESS
    if device in curves:
        return _best(curves[device], curves[device], 0.0, limit, MEASURED)
    known = sorted(curves, key=lambda name: speeds[name])
    below = [name for name in known if speeds[name] <= speed]
    above = [name for name in known if speeds[name] > speed]
    if not below:
        return ONE_PROCESS
    slower = below[-1]
    faster = above[0] if above else slower
    share = 0.0
    if above:
        share = log(speed / speeds[slower]) / log(speeds[faster] / speeds[slower])
    return _best(curves[slower], curves[faster], share, limit, FITTED)


def _best(slower: Curve, faster: Curve, share: float, limit: int, basis: str) -> Packing:
    """The smallest number of processes that gives the largest gain."""
    best = ONE_PROCESS
    for streams in range(2, min(limit, max(slower[-1][0], faster[-1][0])) + 1):
        gain = exp((1 - share) * log(_gain(slower, streams)) + share * log(_gain(faster, streams)))
        if gain > best.gain + 1e-9:
            best = Packing(streams, gain, basis)
    return best


def _gain(curve: Curve, streams: int) -> float:
    """A curve read between its points; past the last one nothing more is gained."""
    for (few, low), (many, high) in pairwise(curve):
        if streams <= many:
            share = log(streams / few) / log(many / few)
            return exp((1 - share) * log(low) + share * log(high))
    return curve[-1][1]
