"""Instances that keep a p99 latency target under random (Poisson) arrivals.

Unbatched: every process serves one request at a time, so the wait is that of a queue with so many
servers (Erlang C, with Allen and Cunneen's factor). Batched: each device takes all that wait as
one batch (Inoue's bound). The share of spare servers is an outcome, not a constant.
"""

from math import ceil
from typing import NamedTuple

from gpuadvisor.advice.reasons import LATENCY, SIZE
from gpuadvisor.advice.result import Queued, Speed
from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.performance.queueing import (
    BatchServer,
    Queue,
    arrivals_within,
    servers_for_wait,
)

VARIATION = (1.0 + 0.25) / 2.0
"""(ca2 + cs2) / 2: Poisson arrivals; a service time that varies by half of itself (assumed)."""


class Found(NamedTuple):
    """Instances, devices of them that the load takes, and the queue at that size."""

    instances: int
    devices: float
    queue: Queued


def unbatched(
    one: Speed, kind: InstanceType, arrivals: float, target: float, fixed: int | None
) -> Found | str:
    """`one` is the speed of one instance; times in seconds, rates a second."""
    processes = max(1, round(max(kind.devices, 1.0) * one.streams * one.slices))
    service = processes / one.rate.expected
    if service > target:
        return LATENCY
    servers = servers_for_wait(arrivals, 1.0 / service, target - service, 0.99, VARIATION)
    if servers is None:
        return SIZE
    count = fixed or ceil(servers / processes)
    if count * processes < servers:
        return SIZE
    queue = Queue(count * processes, arrivals, 1.0 / service, VARIATION)
    response = (service + queue.wait_percentile(0.99)) * 1e3
    return Found(
        count,
        servers / processes * kind.devices,
        Queued(count * processes, queue.load, response, False),
    )


def most_arrivals(queued: Queued, rate: float, target: float) -> float:
    """What the processes of an unbatched queue, `rate` together, bear within the target."""
    each = rate / queued.servers
    return arrivals_within(queued.servers, each, target - 1.0 / each, 0.99, VARIATION)


def batched(
    one: Speed,
    kind: InstanceType,
    arrivals: float,
    target: float,
    lone: float,
    fixed: int | None,
) -> Found | str:
    """`lone` seconds serve one request alone; a batch adds `1 / rate` for each further one."""
    devices = max(1, round(kind.devices))
    per_item = devices / one.rate.expected
    server = BatchServer(per_item, max(0.0, lone - per_item))
    each = server.rate_within(target)
    if each <= 0.0:
        return LATENCY
    needed = arrivals / each
    count = fixed or ceil(needed / devices)
    if count * devices < needed:
        return SIZE
    response = server.p99(arrivals / (count * devices)) * 1e3
    busy = arrivals * per_item
    return Found(
        count, needed * min(kind.devices, 1.0), Queued(count * devices, busy, response, True)
    )
