"""Queueing formulas against tables, an independent implementation and simulations.

Erlang C values: pyworkforce 0.5.1 and textbook tables (design notes T20). Simulated values: runs
of 400,000 requests (T23, T25).
"""

from __future__ import annotations

import heapq
import random
from math import inf, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuadvisor.performance.queueing import (
    BatchServer,
    Queue,
    arrivals_within,
    cold_start,
    erlang_b,
    erlang_c,
    kingman,
    scale_to_zero,
    servers_for_wait,
    square_root_staffing,
    staffed_wait_probability,
    warm_pool,
)

ERLANG_C = [
    (1, 0.5, 0.5), (2, 1, 0.333333), (3, 2, 0.444444), (5, 4, 0.554113), (10, 8, 0.409180),
    (14, 10, 0.174132), (20, 16, 0.256078), (34, 30, 0.376381), (50, 45, 0.363864),
]  # fmt: skip


@pytest.mark.parametrize(("servers", "load", "expected"), ERLANG_C)
def test_erlang_c(servers: int, load: float, expected: float) -> None:
    assert erlang_c(servers, load) == pytest.approx(expected, abs=1e-6)


def test_erlang_b_by_its_definition() -> None:
    """B(c, a) = (a^c / c!) / sum of a^k / k!: for c = 3, a = 2 that is 8/6 over 19/3."""
    assert erlang_b(3, 2.0) == pytest.approx((8 / 6) / (19 / 3))


def test_call_centre_of_pyworkforce() -> None:
    """100 calls in 30 minutes of 3 minutes each, 80 % answered within 20 s: 14 positions."""
    assert servers_for_wait(100 / 30, 1 / 3, 20 / 60, share=0.8) == 14
    queue = Queue(14, 100 / 30, 1 / 3)
    served = 1 - erlang_c(14, queue.load) * 2.718281828459045 ** (-queue.spare * 20 / 60)
    assert served == pytest.approx(0.88835, abs=1e-5)


def test_response_tail() -> None:
    """T21: the general case, and the one where spare rate and service rate coincide."""
    assert Queue(6, 100, 25).response_tail(0.1) == pytest.approx(0.103541, abs=1e-6)
    assert Queue(5, 80, 20).response_tail(0.1) == pytest.approx(0.285317, abs=1e-6)


# T23: 100 requests/s of 40 ms: servers, mean wait and p99 wait in ms.
WAITS = [(5, 22.165, 160.59), (6, 5.695, 66.98), (7, 1.801, 34.71), (8, 0.590, 17.76)]


@pytest.mark.parametrize(("servers", "mean", "p99"), WAITS)
def test_waits(servers: int, mean: float, p99: float) -> None:
    queue = Queue(servers, 100, 25)
    assert queue.mean_wait() * 1e3 == pytest.approx(mean, abs=0.005)
    assert queue.wait_percentile(0.99) * 1e3 == pytest.approx(p99, abs=0.01)


def test_allen_cunneen() -> None:
    """A service time with cs2 = 0.25 has 0.625 of the wait; simulated 3.88 and 42.5 ms."""
    queue = Queue(6, 100, 25, variation=(1 + 0.25) / 2)
    assert queue.mean_wait() * 1e3 == pytest.approx(3.56, abs=0.01)
    assert queue.wait_percentile(0.99) * 1e3 == pytest.approx(41.9, abs=0.05)
    assert queue.mean_wait() * 1e3 == pytest.approx(3.88, rel=0.10)
    assert queue.wait_percentile(0.99) * 1e3 == pytest.approx(42.5, rel=0.05)


def test_fewest_servers_for_a_wait() -> None:
    """p99 of the wait within 20 ms takes 8 servers at both variations (7 give 34.7 and 21.7)."""
    assert servers_for_wait(100, 25, 0.020) == 8
    assert servers_for_wait(100, 25, 0.020, variation=0.625) == 8


def test_kingman() -> None:
    assert kingman(0.8, (1 + 0.25) / 2, 40) == pytest.approx(100)
    assert kingman(1.0, 1.0, 40) == inf


def test_square_root_staffing() -> None:
    """T24: a = 100, beta 1 and 2, exact Erlang C beside."""
    assert square_root_staffing(100, 1) == 110
    assert staffed_wait_probability(1) == pytest.approx(0.2234, abs=1e-4)
    assert staffed_wait_probability(2) == pytest.approx(0.0269, abs=1e-4)
    assert erlang_c(110, 100) == pytest.approx(0.2370, abs=1e-4)
    assert erlang_c(120, 100) == pytest.approx(0.0332, abs=1e-4)


# T25: 1 ms an item, 5 ms fixed: rate a second, bound in ms, simulated mean in ms.
BATCHED = [
    (50, 6.992, 6.965), (200, 10.521, 9.90), (500, 16.667, 16.66), (800, 41.389, 41.45),
    (900, 82.632, 82.5),
]  # fmt: skip


@pytest.mark.parametrize(("rate", "bound", "simulated"), BATCHED)
def test_batching_bound(rate: float, bound: float, simulated: float) -> None:
    found = BatchServer(0.001, 0.005).mean_latency(rate) * 1e3
    assert found == pytest.approx(bound, abs=0.001)
    assert found == pytest.approx(simulated, rel=0.065)


def test_batching_rate_within_a_target() -> None:
    server = BatchServer(0.001, 0.005)
    rate = server.rate_within(0.050)
    assert server.p99(rate) == pytest.approx(0.050, rel=1e-6)
    assert server.rate_within(0.005) == 0.0
    assert server.mean_latency(1000) == inf


# T35: busy servers, warm servers for P(wait) <= 1 %.
POOLS = [(5, 12), (10, 19), (20, 32), (50, 68), (100, 125), (200, 235), (500, 555)]


@pytest.mark.parametrize(("busy", "warm"), POOLS)
def test_warm_pool(busy: int, warm: int) -> None:
    assert warm_pool(busy) == warm
    assert erlang_c(warm, busy) <= 0.01 < erlang_c(warm - 1, busy)


# T35: what a fixed fifth more gives.
FIFTH = [(5, 0.587), (10, 0.449), (20, 0.298), (50, 0.117), (100, 0.033), (200, 0.0036)]


@pytest.mark.parametrize(("busy", "waiting"), FIFTH)
def test_a_fifth_is_no_constant(busy: int, waiting: float) -> None:
    assert erlang_c(busy * 6 // 5, busy) == pytest.approx(waiting, rel=0.03)


# T27: idle time-out 0.25 h, boot 0.05 h; requests an hour, billed share, cold share.
ZERO = [(1, 0.250, 0.787), (6, 0.791, 0.272), (20, 0.993, 0.013)]


@pytest.mark.parametrize(("rate", "billed", "cold"), ZERO)
def test_scale_to_zero(rate: float, billed: float, cold: float) -> None:
    found = scale_to_zero(rate, 0.25, 0.05)
    assert found.billed == pytest.approx(billed, abs=0.001)
    assert found.cold == pytest.approx(cold, abs=0.001)


def test_cold_start_of_llama_3_8b() -> None:
    """15 GB at 1 GB/s of gp3 (parallel reader): 14 s measured on an A10G (perf notes 13)."""
    assert cold_start(15e9, 1.07e9, 0.0) == pytest.approx(14, rel=0.02)


def test_overload_never_ends() -> None:
    queue = Queue(3, 100, 25)
    assert queue.mean_wait() == queue.wait_percentile(0.99) == inf
    assert queue.response_tail(10.0) == 1.0
    assert erlang_c(3, 4.0) == 1.0


@given(
    st.integers(1, 200),
    st.floats(0.05, 0.98),
    st.floats(0.1, 100),
    st.floats(0.5, 0.999),
)
@settings(max_examples=60, deadline=None)
def test_more_servers_never_wait_longer(
    servers: int, utilisation: float, rate: float, share: float
) -> None:
    arrivals = servers * rate * utilisation
    here, more = Queue(servers, arrivals, rate), Queue(servers + 1, arrivals, rate)
    assert more.mean_wait() <= here.mean_wait()
    assert more.wait_percentile(share) <= here.wait_percentile(share)
    wait = here.wait_percentile(share) + 1e-9
    found = servers_for_wait(arrivals, rate, wait, share)
    assert found is not None
    assert found <= servers


def test_against_a_simulation_of_our_own() -> None:
    """M/M/6 at 100/s and 40 ms, 300,000 requests: mean and p99 within 6 %."""
    generator = random.Random(7)
    now, waits = 0.0, []
    free = [0.0] * 6
    for _ in range(300_000):
        now += generator.expovariate(100)
        start = max(now, heapq.heappop(free))
        heapq.heappush(free, start + generator.expovariate(25))
        waits.append(start - now)
    waits.sort()
    queue = Queue(6, 100, 25)
    assert sum(waits) / len(waits) == pytest.approx(queue.mean_wait(), rel=0.06)
    assert waits[int(0.99 * len(waits))] == pytest.approx(queue.wait_percentile(0.99), rel=0.06)


def test_the_most_that_one_server_bears() -> None:
    """M/M/1: the wait passes t with rho exp(-(mu - lambda) t). At mu = 1 and lambda = 0.5 that is
    1 % for t = ln(0.5 / 0.01) / 0.5."""
    assert arrivals_within(1, 1.0, log(50.0) / 0.5) == pytest.approx(0.5, rel=1e-5)


@pytest.mark.parametrize("servers", [1, 3, 8, 40])
def test_so_many_servers_bear_that_and_no_more(servers: int) -> None:
    most = arrivals_within(servers, 2.0, 0.3, 0.99, 0.625)
    assert servers_for_wait(most * 0.9999, 2.0, 0.3, 0.99, 0.625) == servers
    assert servers_for_wait(most * 1.0001, 2.0, 0.3, 0.99, 0.625) == servers + 1
