"""The serving model against vLLM under load.

Spare Cores, sc-inspector-data@804d3c7, vLLM 0.22.1 and GuideLLM, Llama-3.1-8B in 16 bits on one
GPU, 2026-07-31 (CC BY-SA 4.0): time per token and to the first token of a lone request, and
requests a second and time per token with the queue full at the stated concurrency.
"""

from __future__ import annotations

import statistics
from typing import NamedTuple

import pytest

from gpuadvisor.performance.llm_serving import Replica, Target, step_share

CACHE_SHARE = 131_072 / 16.06e9
"""Cache of one token over the weights of Llama-3.1-8B."""


class Run(NamedTuple):
    device: str
    tokens_in: int
    tokens_out: int
    lone_tpot: float  # ms
    rag_ttft: float  # ms, of 1,024 tokens
    users: float
    requests: float  # a second
    tpot: float  # ms


RUNS = [
    Run("A100-80GB-SXM", 256, 128, 11.0, 85.9, 56.2, 18.8, 23.8),
    Run("A100-80GB-SXM", 1024, 256, 11.2, 85.9, 56.3, 5.9, 38.3),
    Run("A100-80GB-SXM", 4096, 512, 11.8, 85.9, 48.8, 1.1, 83.8),
    Run("A100-80GB-PCIe", 256, 128, 11.4, 88.0, 52.7, 16.6, 25.5),
    Run("A100-80GB-PCIe", 1024, 256, 11.6, 88.0, 51.8, 5.0, 42.1),
    Run("H100-80GB-SXM", 256, 128, 6.6, 33.8, 52.9, 38.9, 10.7),
    Run("H100-80GB-SXM", 1024, 256, 6.6, 33.8, 53.3, 13.7, 15.7),
    Run("H100-80GB-SXM", 4096, 512, 6.9, 33.8, 59.7, 3.9, 30.3),
    Run("H100-94GB-NVL", 256, 128, 5.8, 42.1, 61.1, 34.7, 14.0),
    Run("H100-94GB-NVL", 1024, 256, 6.0, 42.1, 59.0, 10.9, 22.5),
    Run("L40S", 256, 128, 18.9, 95.3, 54.3, 13.6, 32.0),
    Run("L40S", 1024, 256, 19.3, 95.3, 51.9, 4.1, 50.7),
    Run("L4", 256, 128, 60.0, 346.5, 47.0, 3.0, 121.8),
    Run("L4", 1024, 256, 61.0, 346.5, 21.6, 0.6, 128.4),
]


def replica(run: Run) -> Replica:
    average = run.tokens_in + run.tokens_out / 2
    return Replica(
        step=run.lone_tpot / 1e3,
        prefill=run.rag_ttft / 1e3 / 1024,
        cache_share=average * CACHE_SHARE,
        most=round(run.users),
        tokens_in=run.tokens_in,
        tokens_out=run.tokens_out,
    )


@pytest.mark.parametrize("run", RUNS, ids=lambda r: f"{r.device}-{r.tokens_in}")
def test_saturated_throughput(run: Run) -> None:
    found = replica(run).saturated() / run.requests
    assert 0.75 <= found <= 1.45


@pytest.mark.parametrize("run", RUNS, ids=lambda r: f"{r.device}-{r.tokens_in}")
def test_time_per_token_under_load(run: Run) -> None:
    found = replica(run).closed(round(run.users)).tpot * 1e3 / run.tpot
    assert 0.75 <= found <= 1.30


def test_in_the_median() -> None:
    rates = [replica(run).saturated() / run.requests for run in RUNS]
    tokens = [replica(run).closed(round(run.users)).tpot * 1e3 / run.tpot for run in RUNS]
    assert statistics.median(rates) == pytest.approx(1.0, abs=0.10)
    assert statistics.median(tokens) == pytest.approx(1.0, abs=0.12)


def test_lone_request() -> None:
    """A100, 1,024 in and 256 out: 85.9 ms to the first token, 2,860 ms in all."""
    run = RUNS[1]
    found = replica(run).latency(0.0)
    assert found.ttft * 1e3 == pytest.approx(run.rag_ttft + run.lone_tpot)
    assert found.response * 1e3 == pytest.approx(2_859.7, rel=0.05)


def test_step_of_a_small_model() -> None:
    """gemma-2-2b, 5.23 GB: 5.40 ms a token where Llama-3.1-8B, 16.06 GB, takes 10.96."""
    assert 10.96 * step_share(5.23, 16.06) == pytest.approx(5.40, rel=0.01)
    assert step_share(32.12, 16.06) == 2.0


def test_little_by_hand() -> None:
    """20 ms a step, no cache, 1 ms a prompt: 10/s of 100 tokens: 1 % prompts, 20.2 at once."""
    one = Replica(0.020, 0.001 / 10, 0.0, 256, 10, 100)
    assert one.sequences(10) == pytest.approx(10 * 100 * 0.020 / 0.99)
    assert one.saturated() == pytest.approx(1 / (0.001 + 100 * max(0.020, 256 * 0.0001) / 256))


def test_targets_bind_one_at_a_time() -> None:
    one = replica(RUNS[1])
    free = one.rate_within(Target())
    assert 0 < free <= one.saturated()
    tight = one.rate_within(Target(tpot=0.020))
    assert 0 < tight < free
    assert one.latency(tight).tpot == pytest.approx(0.020, rel=1e-4)
    assert one.rate_within(Target(ttft=0.05)) == 0.0
    assert one.rate_within(Target(response=2.0)) == 0.0
    quick = one.rate_within(Target(ttft=0.2))
    assert one.latency(quick).ttft == pytest.approx(0.2, rel=1e-4)


def test_no_room_serves_nothing() -> None:
    one = replica(RUNS[0])._replace(most=0)
    assert one.saturated() == one.rate_within(Target()) == 0.0
    assert one.users_within(Target()) == 0


def test_users_within_a_target() -> None:
    """The next user breaks the promise."""
    one = replica(RUNS[1])._replace(most=200)
    found = one.users_within(Target(tpot=0.030))
    assert one.closed(found).tpot <= 0.030 < one.closed(found + 1).tpot
