"""What one replica of a language model serves, from two measured rates of its device.

A lone sequence reads all weights for every token, which takes `step` seconds; a prompt token
takes `prefill` seconds of arithmetic. With b sequences at once a step reads their caches as
well, at the bandwidth at which it reads the weights:

    step(b) = max(step x (1 + b x cache / weights), b x prefill)

Prompts and steps share the device: at a rate r of requests with i tokens in and o out, prompts
take the share r i prefill of the time, and a token takes step(b) / (1 - that share). Sequences
at once follow by Little's law. Saturated at b sequences the replica serves
1 / (i prefill + o step(b) / b) requests a second. Against vLLM 0.22.1 serving Llama-3.1-8B on
five cards (Spare Cores, July 2026), 14 settings: +6 % in the median, -20 to +39 % in all.
"""

from math import inf, log, sqrt
from typing import NamedTuple

MOST_SEQUENCES = 256
"""Sequences that vLLM runs at once by default (`max_num_seqs`)."""

P99_DEVIATIONS = 2.33
"""Of a Poisson number of sequences at once, taken as normal: its 99th percentile lies so many
roots above the mean."""

HOST_SHARE = 0.25
"""Share of the reference model's step that does not shrink with the weights: gemma-2-2b (5.2 GB)
takes 5.40 ms a token where Llama-3.1-8B (16.1 GB) takes 10.96 on the same A100."""


class Replica(NamedTuple):
    """One copy of a model on its device or devices.

    `step` and `prefill` are seconds of a lone token and of a prompt token. `cache_share` is the
    cache of one average sequence over the weights. `most` sequences fit into memory at once.
    """

    step: float
    prefill: float
    cache_share: float
    most: int
    tokens_in: int
    tokens_out: int

    def step_at(self, sequences: float) -> float:
        """Seconds of one step of so many sequences, without prompts in between."""
        return max(self.step * (1.0 + sequences * self.cache_share), sequences * self.prefill)

    def prompt_time(self) -> float:
        """Seconds that one prompt keeps the device busy."""
        return self.tokens_in * self.prefill

    def saturated(self) -> float:
        """Requests a second with the queue always full; 0 where not one sequence fits."""
        if self.most < 1:
            return 0.0
        return 1.0 / (self.prompt_time() + self.tokens_out * self.step_at(self.most) / self.most)

    def sequences(self, rate: float) -> float:
        """Sequences at once on average at a rate below saturation; infinite beyond it."""
        free = 1.0 - rate * self.prompt_time()
        if free <= 0:
            return inf
        lone = rate * self.tokens_out * self.step / free
        if lone * self.cache_share >= 1.0:
            return inf
        found = lone / (1.0 - lone * self.cache_share)
        if found * self.prefill > self.step_at(found) * (1.0 - 1e-12):
            # Arithmetic bounds the step: it grows as fast as the sequences, without end.
            return found if rate * self.tokens_out * self.prefill < free else inf
        return found

    def latency(self, rate: float) -> "Latency":
        """Latencies at a rate of requests a second."""
        mean = self.sequences(rate)
        if mean == inf:
            return Latency(inf, inf, inf, inf)
        many = mean + P99_DEVIATIONS * sqrt(mean)
        free = 1.0 - rate * self.prompt_time()
        step = self.step_at(many)
        ttft = self.prompt_time() + step + self._prompt_wait(rate)
        tpot = step / free
        return Latency(many, ttft, tpot, ttft + (self.tokens_out - 1) * tpot)

    def _prompt_wait(self, rate: float) -> float:
        """99th percentile of the wait before a prompt of fixed length is read: one server, half
        the wait of M/M/1 (Allen and Cunneen), where busy is as probable as waiting."""
        busy = rate * self.prompt_time()
        if busy <= 0.01:
            return 0.0
        return 0.5 * log(busy / 0.01) * self.prompt_time() / (1.0 - busy)

    def rate_within(self, target: "Target") -> float:
        """The largest rate that keeps the targets and the room for sequences; 0 for none."""
        if self.most < 1 or not _kept(self.latency(0.0), target, self.most):
            return 0.0
        low, high = 0.0, self.saturated()
        for _ in range(18):  # to 4 in a million
            middle = (low + high) / 2.0
            kept = _kept(self.latency(middle), target, self.most)
            low, high = (middle, high) if kept else (low, middle)
        return low

    def users_within(self, target: "Target") -> int:
        """The largest number of users, each with one request at all times, within the targets."""
        low, high = 0, self.most + 1
        while high - low > 1:
            middle = (low + high) // 2
            kept = _kept(self.closed(middle), target, self.most)
            low, high = (middle, high) if kept else (low, middle)
        return low

    def closed(self, users: int) -> "Latency":
        """Latencies when so many users each wait for their answer before they ask again."""
        step = self.step_at(users)
        cycle = self.prompt_time() + self.tokens_out * step / users
        tpot = step / (1.0 - self.prompt_time() / cycle)
        # In the worst case all prompts in flight stand before this one; on average half a step's.
        ttft = self.prompt_time() * (1.0 + self.prompt_time() / cycle) + step
        return Latency(float(users), ttft, tpot, ttft + (self.tokens_out - 1) * tpot)


class Latency(NamedTuple):
    """99th percentiles: sequences at once, and seconds to the first token, per further token,
    and of the whole answer."""

    sequences: float
    ttft: float
    tpot: float
    response: float


class Target(NamedTuple):
    """Seconds that 99 % of requests must stay within; None is no promise."""

    ttft: float | None = None
    tpot: float | None = None
    response: float | None = None


def _kept(found: Latency, target: Target, most: int) -> bool:
    pairs = ((found.ttft, target.ttft), (found.tpot, target.tpot),
             (found.response, target.response))  # fmt: skip
    return found.sequences <= most and all(
        bound is None or value <= bound for value, bound in pairs
    )


def step_share(weights: float, reference: float) -> float:
    """Step time of a model over that of the reference model, by the bytes of their weights.

    In proportion above the reference; below it a part stays with the host.
    """
    share = weights / reference
    return share if share >= 1.0 else HOST_SHARE + (1.0 - HOST_SHARE) * share
