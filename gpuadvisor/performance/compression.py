"""Gradient compression in data-parallel training: what it saves on the wire, and what it costs.

It applies to the all-reduce of whole gradients alone. Sharded states (ZeRO, FSDP) exchange
weights too, which none of these methods compresses.
"""

from typing import NamedTuple

from gpuadvisor.performance.parallel import Layout, Step, step_seconds

NONE, FP16, ONE_BIT, POWERSGD = METHODS = ("none", "fp16", "1bit", "powersgd")
"""Those with published figures of whole trainings."""

ONE_BIT_WARM_UP = 0.15
"""Share of steps that 1-bit Adam exchanges in full before it freezes the variance: 23,000 of
152,000 in BERT-large pre-training (arXiv 2102.02888). With 1 bit of 16 afterwards traffic falls
to .15 + .85/16, the "up to 5x" of its authors."""

ENCODE_BYTES = 16.0
"""Device memory that 1-bit compression moves a parameter: momentum and error read, error and
result written, fp32 (counted)."""

SLOW_MEMORY = 300e9
"""Bytes a second of a device whose bandwidth nobody published: a T4's, the slowest that trains."""

POWERSGD_SHARE = 0.14
POWERSGD_RANK = 896
"""Traffic left, and rank, in the 12 B transformer of DALL-E (arXiv 2102.12092, appendix)."""

POWERSGD_WARM_UP = 1000
"""Steps exchanged in full first: PyTorch's default `start_powerSGD_iter`."""


class Compression(NamedTuple):
    """`share` of the traffic is left after `warm_up`, a share of the steps; `encode` seconds a
    step compress and unpack. `hidden` exchange overlaps with the backward pass."""

    method: str
    share: float
    warm_up: float
    encode: float
    hidden: bool

    @property
    def mean_share(self) -> float:
        """Traffic left over the whole run."""
        return self.warm_up + (1 - self.warm_up) * self.share


def compression(
    method: str,
    element: float,
    params: float,
    rate: float,
    bandwidth: float | None,
    steps: float,
) -> Compression:
    """A method on gradients of `element` bytes, `params` of them on a device that sustains `rate`
    FLOP/s and moves `bandwidth` bytes a second (`SLOW_MEMORY` where unknown), in a run of `steps`.

    1-bit Adam compresses the momentum inside the optimiser's step: nothing is left to hide
    behind. PowerSGD multiplies each gradient matrix three times by a thin one.
    """
    if method == FP16:
        return Compression(FP16, min(1.0, 2.0 / element), 0.0, 0.0, True)
    if method == ONE_BIT:
        encode = ENCODE_BYTES * params / (bandwidth or SLOW_MEMORY)
        return Compression(ONE_BIT, 1 / (8 * element), ONE_BIT_WARM_UP, encode, False)
    if method == POWERSGD:
        encode = 6.0 * POWERSGD_RANK * params / rate
        warm_up = min(1.0, POWERSGD_WARM_UP / steps)
        return Compression(POWERSGD, POWERSGD_SHARE, warm_up, encode, True)
    assert method == NONE
    return Compression(NONE, 1.0, 0.0, 0.0, True)


def compressed_seconds(
    step: Step, layers: int, layout: Layout, overlap: float, how: Compression
) -> float:
    """Mean seconds of a step over the run."""
    full = step_seconds(step, layers, layout, overlap)
    sent = step.once * how.share
    if how.hidden:
        after = step_seconds(step._replace(once=sent), layers, layout, overlap)
    else:
        after = step_seconds(step._replace(once=0.0), layers, layout, overlap) + sent
    after += how.encode
    return how.warm_up * full + (1 - how.warm_up) * after
