"""`fit`: where models fit, how far they go there, and what each change saves."""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor import fit
from gpuadvisor.advice.fit_result import Fit, Row
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.memory import GIB


def ask(catalog: Catalog, **fields: Any) -> Fit:
    return fit({"today": "2026-11-30", **fields}, catalog)


def row(answer: Fit, device: str, partition: str | None = None) -> Row | None:
    found = (r for r in answer.rows if (r.device, r.partition) == (device, partition))
    return next(found, None)


def test_llama_3_8b_on_an_a100(catalog: Catalog) -> None:
    """vLLM issue 12330: 39.50 GiB visible, 14.96 GiB of weights, 91,056 tokens with 9.47 GiB
    of other use; 160,506 with the default overhead."""
    answer = ask(catalog, model="llama-3-8b")
    assert answer.need.weights / GIB == pytest.approx(14.96, abs=0.005)
    assert answer.kv_bytes_per_token == 131_072
    found = row(answer, "A100-40GB-SXM")
    assert found is not None
    assert found.number == 1
    assert found.max_cached_tokens == pytest.approx(160_506, rel=1e-4)
    measured = row(ask(catalog, model="llama-3-8b", overhead_gib=9.47), "A100-40GB-SXM")
    assert measured is not None
    assert measured.max_cached_tokens == pytest.approx(91_056, rel=1e-3)


def test_llama_3_8b_needs_quantisation_on_a_t4(catalog: Catalog) -> None:
    assert row(ask(catalog, model="llama-3-8b", gpus=1), "T4") is None
    for precision in ("int8", "int4"):
        assert row(ask(catalog, model="llama-3-8b", precision=precision, gpus=1), "T4") is not None


def test_70b_in_16_bits_needs_several_cards(catalog: Catalog) -> None:
    """131.4 GiB of weights: never one of 80 GB, two of them or one H200 in 8 bits."""
    answer = ask(catalog, model="llama-3-70b", context=1024)
    counts = {r.device: r.number for r in answer.rows if r.partition is None}
    assert counts["A100-80GB-SXM"] == counts["H100-80GB-SXM"] == 2
    assert counts["A10G"] == 8
    assert "T4" not in counts
    halved = ask(catalog, model="llama-3-70b", context=1024, precision="fp8")
    assert {r.device: r.number for r in halved.rows}["H200-141GB"] == 1


def test_slices_hold_what_is_small(catalog: Catalog) -> None:
    """Usable memory of a slice counts, not its name: 1g.5gb has 4.75 GiB, of which 90 %."""
    answer = ask(catalog, params=1.68e9, layers=24, hidden=2048, heads=16, context=1024)
    assert row(answer, "A100-40GB-SXM", "1g.5gb") is None
    small = ask(catalog, params=1.6e9, layers=24, hidden=2048, heads=16, context=1024)
    found = row(small, "A100-40GB-SXM", "1g.5gb")
    assert found is not None
    assert found.number == 1


def test_a_card_holds_so_many_slices(catalog: Catalog) -> None:
    """MIG User Guide: an A100 holds 2 x 3g.20gb, an H100 4 x 1g.20gb and 3 x 2g.20gb."""
    answer = ask(catalog, model="llama-3-8b")
    held = {(r.device, r.partition): r.held for r in answer.rows}
    assert held["A100-40GB-SXM", "3g.20gb"] == 2
    assert held["H100-80GB-SXM", "1g.20gb"] == 4
    assert held["H100-80GB-SXM", "2g.20gb"] == 3
    assert held["A100-40GB-SXM", None] is None


def test_no_slice_is_spanned(catalog: Catalog) -> None:
    answer = ask(catalog, model="llama-3-70b")
    assert all(r.number == 1 for r in answer.rows if r.partition is not None)
    assert all(r.partition is None for r in ask(catalog, model="llama-3-8b", gpus=2).rows)


def test_largest_batch_and_context_are_the_last_that_fit(catalog: Catalog) -> None:
    """One more sequence, or one more token, is too much: asked again, that row is gone."""
    answer = ask(catalog, model="llama-3.1-8b", context=4096, device=["L4"])
    found = row(answer, "L4")
    assert found is not None
    assert found.max_batch is not None
    assert found.max_context is not None
    for more, less in (
        ({"batch": found.max_batch + 1}, {"batch": found.max_batch}),
        ({"context": found.max_context + 1}, {"context": found.max_context}),
    ):
        base = {"model": "llama-3.1-8b", "context": 4096, "device": ["L4"], "gpus": 1}
        assert not ask(catalog, **{**base, **more}).feasible
        assert ask(catalog, **{**base, **less}).feasible


def test_window_lets_a_long_context_in(catalog: Catalog) -> None:
    """Mistral v0.1 caches 4,096 tokens at most, v0.3 all 32,768: 0.5 against 4 GiB."""
    old = ask(catalog, model="mistral-7b", context=32_768)
    new = ask(catalog, model="mistral-7b-v0.3", context=32_768)
    assert old.need.cache / GIB == 0.5
    assert new.need.cache / GIB == 4.0


# What each change saves for Llama-2-7B, full fine-tuning in fp32, batch 2 x 2,048, everything
# kept. By hand: P = 6,738,415,616; states 16 B a weight in fp32 and in mixed precision alike.
def test_what_each_change_saves(catalog: Catalog) -> None:
    answer = ask(
        catalog, model="llama-2-7b", train=True, precision="fp32", batch=2, checkpointing="none"
    )
    saved = {c.change: c.saves_gib for c in answer.changes}
    states = 6_738_415_616 / GIB
    logits = 2 * 2048 * 32_000 * 4 / GIB
    layers = answer.need.activations / GIB - logits
    assert saved["mixed_precision"] == pytest.approx(layers / 2)
    assert saved["accumulation"] == pytest.approx((layers + logits) / 2)
    assert saved["zero1"] == pytest.approx(8 * states * 7 / 8)
    assert saved["zero2"] == pytest.approx(12 * states * 7 / 8)
    assert saved["offload_optimizer"] == pytest.approx(8 * states)
    assert saved["optimizer_8bit"] == pytest.approx(states * (8 - 2 - 8 / 256))
    # Kept: the inputs of 32 layers, 4 B each, and the larger of one layer and the logits.
    inputs = 32 * 2 * 2048 * 4096 * 4 / GIB
    assert saved["checkpointing"] == pytest.approx(
        layers + logits - inputs - max(layers / 32, logits)
    )
    assert list(saved.values()) == sorted(saved.values(), reverse=True)


def test_mixed_precision_is_no_advice_for_the_states(catalog: Catalog) -> None:
    """Without activations (their shape unknown) 16-bit training saves nothing: 16 B remain."""
    answer = ask(catalog, params=7e9, train=True, precision="fp32")
    assert "mixed_precision" not in {c.change for c in answer.changes}


def test_changes_tell_where_it_then_fits(catalog: Catalog) -> None:
    answer = ask(catalog, model="llama-3-70b", device=["A100-80GB-SXM"], gpus=1)
    assert not answer.feasible
    fits = {c.change: c.fits_on for c in answer.changes}
    assert fits["weights_int4"] == "A100-80GB-SXM"
    assert fits["kv_fp8"] is None


def test_fsdp_is_zero3(catalog: Catalog) -> None:
    one = ask(catalog, params=7.5e9, train=True, sharding="fsdp", gpus=64)
    states = one.need.weights + one.need.gradients + one.need.optimizer
    assert states * 1e-9 == pytest.approx(1.9, abs=0.05)  # ZeRO, figure 1


def test_names_with_organisation_and_alias(catalog: Catalog) -> None:
    names = ("llama-3-8b", "meta-llama/Meta-Llama-3-8B", "LLAMA 3 8B", "Llama_3-8b")
    assert {ask(catalog, model=name).shape.name for name in names} == {"llama-3-8b"}
    assert ask(catalog, model="stable-diffusion-xl").shape.name == "sdxl"


def test_own_dimensions_win(catalog: Catalog) -> None:
    answer = ask(catalog, model="llama-3-8b", kv_heads=32)
    assert answer.kv_bytes_per_token == 4 * 131_072


BAD = [
    ({}, "fit.no_model"),
    ({"model": "lama-9"}, "fit.unknown_model"),
    ({"model": "llama-3-8b", "config": {}}, "fit.two_models"),
    ({"config": {"model_type": "llama"}}, "fit.bad_config"),
    ({"model": "llama-3-8b", "method": "lora"}, "fit.needs_train"),
    ({"model": "llama-3-8b", "train": True, "precision": "int4"}, "fit.train_precision"),
    ({"model": "llama-3-8b", "precision": "fp7"}, "advice.bad_field"),
    ({"model": "llama-3-8b", "utilisation": "1.2"}, "advice.bad_field"),
    ({"model": "llama-3-8b", "batch": "0"}, "advice.bad_field"),
    ({"model": "llama-3-8b", "overhead_gib": "-1"}, "advice.bad_field"),
    ({"model": "llama-3-8b", "contxt": "1"}, "advice.unknown_field"),
    ({"model": "llama-3-8b", "gpus": 3}, "fit.uneven"),
    ({"model": "sdxl", "gpus": 8}, "fit.not_split"),
    ({"model": "bert-large", "gpus": 2}, "fit.not_split"),
    ({"model": "llama-3-8b", "software": "tpu", "provider": ["aws"]}, "fit.no_devices"),
]


@pytest.mark.parametrize(("fields", "id"), BAD)
def test_bad_requests(catalog: Catalog, fields: dict[str, Any], id: str) -> None:
    with pytest.raises(UsageError) as caught:
        fit(fields, catalog)
    assert caught.value.message.id == id


def test_every_named_model_has_an_answer(catalog: Catalog) -> None:
    for name in catalog.names("models"):
        answer = ask(catalog, model=name, precision="fp16")
        assert answer.need.total > 0
        assert answer.feasible or answer.need.weights > 140 * GIB, name
