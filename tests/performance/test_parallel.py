"""Tensor and pipeline parallelism against published runs and worked formulas."""

import pytest

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.collectives import GB, Links
from gpuadvisor.performance.parallel import (
    Layout,
    Step,
    bubble,
    chunks,
    collectives_per_step,
    evenness,
    exposed_seconds,
    hop_seconds,
    pass_seconds,
    recomputed_share,
    sharding_in,
    step_seconds,
    tensor_ratio,
    traffic,
)
from gpuadvisor.performance.shape import DECODER, ModelShape
from gpuadvisor.performance.training import (
    WIDE,
    compute_seconds,
    flops_per_token,
    utilisation,
)
from gpuadvisor.performance.training_memory import Training

H100, A100 = ("H100-80GB-SXM", 989.5e12, 445.0, 260.0), ("A100-80GB-SXM", 312e12, 222.3, 60.0)


def gpt(params: float, layers: int, hidden: int, ffn: int = 0) -> ModelShape:
    return ModelShape("x", DECODER, params, layers, hidden, hidden // 128, hidden // 128,
                      ffn=ffn or 4 * hidden, vocab=51200, gated=False, tied=True)  # fmt: skip


GPT3 = gpt(175e9, 96, 12288)
LLAMA = gpt(405e9, 126, 16384)
# Model, sequence, device, data x tensor x pipeline, chunks of the run, micro-batch and their
# number, MFU in percent. Llama 3 405B (arXiv 2407.21783, table 4): 16M tokens a step.
# Korthikanti et al. (arXiv 2205.05198, tables 3 and 5): batches of 4, 64, 280 and 512.
RUNS = [
    (LLAMA, 8192, H100, (64, 8, 16), 1, 32, 43.0),
    (LLAMA, 8192, H100, (128, 8, 16), 1, 16, 41.0),
    (gpt(22e9, 48, 6144), 2048, A100, (1, 8, 1), 4, 1, 41.5),
    (GPT3, 2048, A100, (1, 8, 8), 1, 64, 51.4),
    (gpt(530e9, 105, 20480), 2048, A100, (1, 8, 35), 1, 280, 56.0),
    (gpt(1e12, 128, 25600), 2048, A100, (1, 8, 64), 1, 512, 56.3),
]


@pytest.mark.parametrize(("shape", "context", "on", "split", "sequences", "micro", "mfu"), RUNS)
def test_published_runs(
    catalog: Catalog, shape: ModelShape, context: int, on: tuple[str, float, float, float],
    split: tuple[int, int, int], sequences: int, micro: int, mfu: float,
) -> None:  # fmt: skip
    """The expected case is within an eighth, and the published one lies in the range."""
    device, peak, inside, adapters = on
    layout = Layout(*split, sequences, micro)
    links = Links(8, inside * GB, adapters * GB, None)
    wide = (shape.hidden or 0) >= WIDE
    used = utilisation(catalog.documents("training"), device, split=wide)
    per_token = flops_per_token(shape.params, shape.layers or 0, shape.hidden or 0, context)
    tokens = sequences * micro * context
    sent = traffic(shape, context, "zero1", layout, 2)
    found = []
    for share, overlap in zip(used[:3], (0.5, 0.8, 1.0), strict=True):
        step = Step(
            compute_seconds(tokens, per_token, layout.replica, peak, share),
            sent.tensor / links.inside,
            hop_seconds(links, shape, context, layout, 2),
            2 * pass_seconds(links, layout, shape.params, 2),
        )
        seconds = step_seconds(step, shape.layers or 0, layout, overlap)
        found.append(100 * tokens * per_token / (seconds * layout.replica * peak))
    low, expected, high = found
    assert expected == pytest.approx(mfu, rel=0.125)
    assert low <= mfu * 1.02 and high >= mfu * 0.98


# (p - 1) / (m + p - 1) of GPipe (arXiv 1811.06965); Megatron's interleaving divides it by v.
@pytest.mark.parametrize(
    ("stages", "micro", "chunk", "idle"),
    [(1, 8, 1, 0.0), (4, 4, 1, 3 / 7), (4, 32, 1, 3 / 35), (8, 64, 3, 7 / 199), (16, 16, 8, 15 / 143)],
)  # fmt: skip
def test_bubble(stages: int, micro: int, chunk: int, idle: float) -> None:
    assert bubble(stages, micro, chunk) == pytest.approx(idle)


def test_llama_3_loses_to_the_bubble_alone() -> None:
    """43 % over what 32 micro-batches leave is 41 % over what 16 do."""
    chunk = chunks(126, 16)
    assert chunk == 8
    assert 43 / (1 - bubble(16, 32, chunk)) == pytest.approx(41 / (1 - bubble(16, 16, chunk)), rel=0.01)  # fmt: skip
    assert evenness(126, 16) == pytest.approx(126 / 128)


# Traffic of 13B in bf16 by sharding, one micro-batch and eight: ZeRO-3 exchanges 1.5 times as
# much as DDP (arXiv 1910.02054), and gathers its weights again in every micro-batch.
@pytest.mark.parametrize(
    ("sharding", "once", "eightfold"),
    [("none", 52, 52), ("zero1", 52, 52), ("zero2", 52, 9 * 26), ("zero3", 78, 8 * 78)],
)
def test_accumulation_by_sharding(sharding: str, once: float, eightfold: float) -> None:
    shape, many = gpt(13e9, 40, 5120), 10**9
    for micro, expected in ((1, once), (8, eightfold)):
        sent = traffic(shape, 2048, sharding, Layout(many, micro=micro), 2)
        assert sent.data / GB == pytest.approx(expected, rel=1e-6)
        assert (sent.tensor, sent.pipeline) == (0, 0)


def test_what_accumulation_hides() -> None:
    """10 s of compute, of which .8 hide; 12 s of exchange a step, or 4 s in every micro-batch."""
    assert exposed_seconds(Step(10.0, 0.0, 0.0, 12.0), 1, 0.8) == pytest.approx(4.0)
    # Eight micro-batches of 10 s: exchanged once, 4 of 80 s are exposed and not 4 of 10.
    assert exposed_seconds(Step(80.0, 0.0, 0.0, 12.0), 8, 0.8) == pytest.approx(4.0)
    # Sharded states exchange in each of them: nothing is gained.
    one = exposed_seconds(Step(10.0, 0.0, 12.0, 0.0), 1, 0.8)
    assert exposed_seconds(Step(80.0, 0.0, 12.0, 0.0), 8, 0.8) == pytest.approx(8 * one)
    assert collectives_per_step("zero3", 8) == (3, 0)


def test_traffic_of_gpt_3() -> None:
    """8 x 8 devices a replica: a layer's all-reduce is 2048 x 12288 x 2 bytes = 50.3 MB, four of
    them in each of 12 layers; a stage hands on and back 50.3 / 8 MB in each of 8 chunks."""
    sent = traffic(GPT3, 2048, "zero1", Layout(2, 8, 8, 1, 1), 2)
    assert sent.tensor == pytest.approx(4 * 12 * 2 * 7 / 8 * 50331648)
    assert sent.pipeline == pytest.approx(2 * 8 * 50331648 / 8)
    assert sent.data == pytest.approx(2 * 0.5 * 175e9 * 2 / 64)


def test_a_pipeline_keeps_weights_whole() -> None:
    assert sharding_in(Layout(4, 8, 8), "zero3") == "zero1"
    assert sharding_in(Layout(4, 8, 1), "zero3") == "zero3"
    assert sharding_in(Layout(4, 8, 8), "none") == "none"


def test_replicas_share_a_node_or_spread() -> None:
    links = Links(8, 400 * GB, 40 * GB, None)
    # Four nodes hold 4 GB each of a replica of 32 devices; two replicas: 1/2 x 4 / 40.
    assert pass_seconds(links, Layout(2, 8, 4), 8e9, 2) == pytest.approx(0.5 * 4 / 40)
    # Two replicas in one node: 1/2 of 16/4 GB over NVLink alone.
    assert pass_seconds(links, Layout(2, 4, 1), 8e9, 2) == pytest.approx(0.5 * 4 / 400)
    assert pass_seconds(links, Layout(1, 8, 4), 8e9, 2) == 0.0


def test_memory_of_gpt_3_on_64_devices() -> None:
    """175B / 64 x 16 B = 40.8 GiB of states; stage 1 keeps 8.9 micro-batches of 12 layers of
    34 s b h / 8 bytes = 102 MiB each: 10.6 GiB (Korthikanti's equation 4)."""
    how = Training(precision="bf16", context=2048)
    layout = Layout(1, 8, 8, 1, 64)
    gib = 2.0**30
    assert recomputed_share(GPT3, how, layout, 56 * gib) == 0.0
    some = recomputed_share(GPT3, how, layout, 49 * gib)
    assert some is not None and 0 < some < 1
    assert recomputed_share(GPT3, how, layout, 41 * gib) is None


def test_tensor_parallelism_over_pcie() -> None:
    """Eight devices at 300 TFLOP/s, width 5,120: 7 x 3e14 / (4.5 x 5120 x busbw)."""
    assert tensor_ratio(8, 5120, 3e14, 445 * GB) == pytest.approx(0.205, abs=0.001)
    assert tensor_ratio(8, 5120, 3e14, 25 * GB) == pytest.approx(3.65, abs=0.01)
    assert tensor_ratio(1, 5120, 3e14, 25 * GB) == 0.0
