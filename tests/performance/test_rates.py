"""Peak rates: the ladder of fallbacks and the shares of partitions."""

from __future__ import annotations

import pytest

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.rates import flops, partition_shares, rate_for, specs


@pytest.mark.parametrize(
    ("device", "rate", "expected"),
    [
        # NVIDIA data sheets, dense: A100 312 FP16, 624 INT8, 156 TF32; no FP8, no FP4.
        ("A100-40GB-SXM", "fp16", 312),
        ("A100-40GB-SXM", "tf32", 156),
        ("A100-40GB-SXM", "fp32", 19.5),
        ("A100-40GB-SXM", "int8", 624),
        ("A100-40GB-SXM", "fp8", 624),
        ("A100-40GB-SXM", "fp4", 312),
        # V100 has no INT8 tensor path and no TF32: 125 FP16, 15.7 FP32.
        ("V100-16GB-SXM", "int8", 125),
        ("V100-16GB-SXM", "tf32", 15.7),
        # P100 has no tensor cores at all.
        ("P100-16GB-PCIe", "fp16", 9.53),
        # B300 dropped INT8 to 150 TOPS; an 8-bit job runs on FP8 there.
        ("B300-270GB", "int8", 4500),
    ],
)
def test_each_card_computes_at_its_best_or_the_next_wider_precision(
    catalog: Catalog, device: str, rate: str, expected: float
) -> None:
    assert flops(catalog.device(device), rate) == pytest.approx(expected)


def test_no_rate_is_unknown_not_zero(catalog: Catalog) -> None:
    assert flops(catalog.device("U30"), "fp16") is None
    assert specs(catalog, "U30", "fp16") is None


@pytest.mark.parametrize(
    ("precision", "rate"),
    [("int4", "fp16"), ("bf16", "fp16"), ("FP8", "fp8"), ("fp32", "tf32"), (None, "int8")],
)
def test_precision_selects_the_rate(precision: str | None, rate: str) -> None:
    assert rate_for(precision, "int8") == rate


def test_shares_of_partitions(catalog: Catalog) -> None:
    # A100: 14 of 108 SMs and 1 of 8 memory slices (MIG user guide).
    memory, compute = partition_shares(catalog, "A100-40GB-SXM", "1g.5gb") or (0, 0)
    assert (memory, compute) == (pytest.approx(1 / 8), pytest.approx(14 / 108, abs=1e-3))
    assert partition_shares(catalog, "L4", "1/4") == (0.25, 0.25)
    for profile in ("9g.1tb", "1/0", "5/4", "-1/4", "a/b", ""):
        assert partition_shares(catalog, "A100-40GB-SXM", profile) is None
