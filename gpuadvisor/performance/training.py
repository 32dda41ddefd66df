"""How long training takes: floating-point operations, the share of the peak, exposed exchange.

The share of the peak (MFU) was measured on eight devices that NVLink connects; more nodes, and
slower links, lose from there on.
"""

from collections.abc import Mapping
from math import log2
from typing import Any, NamedTuple

PASSES_FLOPS = 6.0
"""Per parameter and token: 2 forward, 4 backward."""

OVERLAPS = (0.5, 0.8, 1.0)
"""Share of compute that hides exchange, low to high (assumed)."""

NODE_DOUBLING = (0.950, 0.981, 0.996)
"""What is left after each doubling of nodes beside exposed exchange (stragglers, latency): the
extremes and the median of ten MPT runs, H100 128 -> 512 and A100-40GB 8 -> 128 devices
(mosaicml/llm-foundry, scripts/train/benchmarking): 70B .952, 30B .962, 13B .975, 7B .923, 1B .903
over two doublings; 7B .985, 3B .948, 1B .968, 350M .927, 125M .909 over four."""


FP8_GAIN = (1.10, 1.27, 1.35)
"""FP8 over bf16 on H100, tokens a second of the same tables: 1B at 8,192 tokens 1.10, 3B at 2,048
1.27, 1B at 512 1.35. Twice the peak does not mean twice the speed."""


WIDE = 12288
"""Hidden width from which layers that are split over devices reach the shares of their own: that
of the 175B runs. 22B, half as wide, stayed at 41.5 % on A100 (arXiv 2205.05198, table 5), which
is the share of data parallelism less the exchange within its layers."""


class Utilisation(NamedTuple):
    """Shares of a device's dense 16-bit peak, low to high, and whether somebody measured them."""

    low: float
    expected: float
    high: float
    benchmarked: bool
    source: str


def flops_per_token(params: float, layers: float, hidden: float, context: float) -> float:
    """Model FLOPs of training on one token: 6N and attention's 12 L d s.

    6N alone is 5 to 15 % low at 2,048 tokens and half at 32,768.
    """
    return PASSES_FLOPS * params + 12.0 * layers * hidden * context


def utilisation(
    documents: Mapping[str, Mapping[str, Any]], device: str, split: bool = False
) -> Utilisation:
    """The share of its peak that a device reaches, by the `training` documents.

    `split` is for `WIDE` layers that lie over several devices, before their exchange; where
    nobody published that, the share of data parallelism stands in.
    """
    found = documents["unknown"]
    for part in (False, split):
        for entry in documents.values():
            if device in entry["devices"] and entry.get("split", False) == part:
                found = entry
    return Utilisation(
        found["low"], found["expected"], found["high"], bool(found["benchmarked"]), found["source"]
    )


def compute_seconds(
    tokens: float, per_token: float, devices: float, peak: float, mfu: float
) -> float:
    """Seconds that `tokens` take on devices of `peak` FLOP/s each."""
    return tokens * per_token / (devices * peak * mfu)


def model_flops_utilisation(rate: float, per_token: float, devices: float, peak: float) -> float:
    """The share of the peak that a measured rate (tokens a second, all devices) comes to."""
    return rate * per_token / (devices * peak)


def efficiency(compute: float, exchange: float, overlap: float) -> float:
    """Share of time that computes: what `overlap` x compute cannot hide is exposed."""
    return compute / (compute + max(0.0, exchange - overlap * compute))


def after_doublings(nodes: int, kept: float) -> float:
    """What `nodes` keep of one node's speed if each doubling keeps `kept`."""
    return float(kept ** log2(nodes))
