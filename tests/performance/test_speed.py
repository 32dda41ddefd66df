"""Speed ratios against published measurements, and the ladder of evidence on small tables."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import Any

import pytest

from gpuadvisor.catalog.model import Device, Partition
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.setting import Setting
from gpuadvisor.performance.speed import class_table, ratio, tie_ratio


def _mlperf(workload: str, precision: str) -> Setting:
    return Setting(
        workload=workload,
        precision=precision,
        software="TensorRT 7.2",
        publisher="mlcommons/inference_results_v0.7",
    )


# A100-SXM-40 over T4 per GPU, MLPerf Inference v0.7 Offline, closed division, both by NVIDIA.
SEVEN = [
    ("cnn-batch", "resnet50", "int8", 6.1),
    ("cnn-batch", "ssd-resnet34", "int8", 7.1),
    ("transformer-batch", "bert", "int8", 7.5),
    ("transformer-batch", "bert", "fp16", 8.1),
    ("asr-batch", "rnnt", "fp16", 6.9),
    ("cnn-batch", "3d-unet", "int8", 5.7),
    ("rec-batch", "dlrm", "int8", 7.8),
]


@pytest.mark.parametrize(("workload_class", "workload", "precision", "measured"), SEVEN)
def test_a100_over_t4_in_mlperf_is_inside_the_range(
    catalog: Catalog, workload_class: str, workload: str, precision: str, measured: float
) -> None:
    found = ratio(catalog, "A100-40GB-SXM", "T4", workload_class, _mlperf(workload, precision))
    assert found is not None
    assert found.basis == "measured"
    assert found.low <= measured <= found.high
    assert found.expected == pytest.approx(measured, rel=0.25)


# One slice alone over the whole card, MLPerf Inference v0.7-v2.0, medians of rounds.
SLICES = [
    ("A100-80GB-SXM:1g.10gb", "A100-80GB-SXM", "cnn-batch", 0.13),
    ("A100-80GB-SXM:1g.10gb", "A100-80GB-SXM", "transformer-batch", 0.14),
    ("A100-80GB-SXM:1g.10gb", "A100-80GB-SXM", "rec-batch", 0.13),
    ("A100-80GB-SXM:1g.10gb", "A100-80GB-SXM", "asr-batch", 0.11),
    ("A100-40GB-SXM:1g.5gb", "A100-40GB-SXM", "cnn-batch", 0.13),
    ("A30:1g.6gb", "A30", "cnn-batch", 0.28),
    ("A30:1g.6gb", "A30", "transformer-batch", 0.28),
]


@pytest.mark.parametrize(("part", "whole", "workload_class", "measured"), SLICES)
def test_slices_are_as_fast_as_measured(
    catalog: Catalog, part: str, whole: str, workload_class: str, measured: float
) -> None:
    found = ratio(catalog, part, whole, workload_class)
    assert found is not None
    assert found.low <= measured <= found.high


# Lambda, Stable Diffusion 1.4 on an H100-PCIe in MIG mode: share of the whole card.
@pytest.mark.parametrize(
    ("profile", "share"), [("1g.10gb", 0.15), ("2g.20gb", 0.32), ("4g.40gb", 0.63)]
)
def test_larger_slices_of_h100(catalog: Catalog, profile: str, share: float) -> None:
    found = ratio(catalog, f"H100-80GB-PCIe:{profile}", "H100-80GB-PCIe", "diffusion-batch")
    assert found is not None
    assert found.low <= share <= found.high


# Unbatched OCR over T4: L4 2.7 (one pipeline), A10G 1.3 to 3.6 (two), V100 1.06 (one), and A100
# chained over V100 and by an unnamed blog 1.6 to 2.7 (PaddleOCR, vaibhav135.dev).
@pytest.mark.parametrize(
    ("device", "least", "most"),
    [
        ("L4", 2.74, 2.74),
        ("A10G", 2.17, 2.17),
        ("V100-16GB-SXM", 1.06, 1.06),
        ("A100-80GB-SXM", 1.6, 2.7),
    ],
)
def test_unbatched_ocr_is_known_roughly(
    catalog: Catalog, device: str, least: float, most: float
) -> None:
    found = ratio(catalog, device, "T4", "ocr")
    assert found is not None
    assert found.low <= least <= most <= found.high
    assert found.high / found.low > 2  # a thin class says so


def test_batching_widens_the_gap_of_large_cards(catalog: Catalog) -> None:
    batched = ratio(catalog, "A100-40GB-SXM", "T4", "cnn-batch")
    alone = ratio(catalog, "A100-40GB-SXM", "T4", "cnn-latency")
    assert batched is not None and alone is not None
    assert batched.expected == pytest.approx(6, rel=0.15)
    assert alone.expected < 0.6 * batched.expected


@pytest.mark.parametrize("workload_class", ["cnn-batch", "llm-decode", "ocr", "no-such-class"])
def test_a_ratio_turned_round_is_its_inverse(catalog: Catalog, workload_class: str) -> None:
    one = ratio(catalog, "L4", "T4", workload_class)
    other = ratio(catalog, "T4", "L4", workload_class)
    assert one is not None and other is not None
    assert one.expected * other.expected == pytest.approx(1)
    assert one.low * other.high == pytest.approx(1)


def test_every_class_answers_for_every_device_with_specs(catalog: Catalog) -> None:
    devices = [d for d in catalog.devices().values() if d.bandwidth_gbs and d.fp32_tflops]
    for workload_class in catalog.names("benchmarks"):
        for device in devices:
            found = ratio(catalog, device.name, "T4", workload_class)
            assert found is not None
            assert 0 < found.low <= found.expected <= found.high
            assert catalog.source(found.source).title


@pytest.mark.parametrize(
    ("workload_class", "table"),
    [
        ("gnn-latency", "pooled-latency"),
        ("llm-decode-eq", "pooled-latency"),
        ("train-anything", "pooled-train"),
        ("train-anything-fp32", "pooled-fp32"),
        ("anything", "pooled-batch"),
    ],
)
def test_an_unmeasured_class_is_answered_by_its_mode(
    catalog: Catalog, workload_class: str, table: str
) -> None:
    assert class_table(catalog, workload_class) is catalog.document("benchmarks", table)


def test_unknown_device_is_a_key_error(catalog: Catalog) -> None:
    with pytest.raises(KeyError):
        ratio(catalog, "no-such-device", "T4", "cnn-batch")


def test_a_device_without_specs_has_no_ratio(catalog: Catalog) -> None:
    assert ratio(catalog, "U30", "T4", "cnn-batch") is None


# -- the ladder, on a table made by hand --------------------------------------------------------

_SHEET = {"X": (100.0, 10.0), "Y": (200.0, 40.0), "Z": (400.0, 40.0)}


class _Small:
    """A catalog of three devices and one class."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table

    def document(self, kind: str, name: str) -> Mapping[str, Any]:
        if (kind, name) != ("benchmarks", "job-batch"):
            raise KeyError(name)
        return self._table

    def device(self, name: str) -> Device:
        bandwidth, fp16 = _SHEET[name]
        empty: dict[str, Any] = dict.fromkeys(Device._fields)
        return Device(**{**empty, "name": name, "bandwidth_gbs": bandwidth, "fp16_tflops": fp16})

    def partitions(self, device: str | None = None) -> tuple[Partition, ...]:
        return ()


def _small(step: str) -> _Small:
    width = {"base": 0.1, "slope": 0.5}
    errors = {"measured": width, "fitted": {**width, "base": 0.2}, "spec": {**width, "base": 0.4}}
    pair = {"ratio": 0.5, "low": 0.4, "high": 0.6, "groups": 7, "families": 3, "sources": ["s#1"]}
    return _Small(
        {
            "step": step,
            "groups": 20,
            "families": 9,
            "rate": "fp16",
            "rate_by_precision": True,
            "errors": errors,
            "errors_in_setting": {basis: {"base": 0.05, "slope": 0.0} for basis in errors},
            "doubt": {"pair": 1.0, "pair_in_setting": 3.0, "workload": 3.0},
            "devices": {"X": 9, "Y": 9},
            "alone": {"bandwidth": 0.5, "flops": 0.25, "effects": {"Y": 0.2}},
            "base": {"bandwidth": 0.5, "flops": 0.25, "effects": {"Y": 0.1}},
            "layers": {"software": {"vllm": {"bandwidth": 0.5, "flops": 0.0, "effects": {}}}},
            "pairs": {"X/Y": pair},
            "workload_pairs": {"resnet50": {"X/Y": {**pair, "ratio": 0.25, "sources": ["s#2"]}}},
            "sources": ["s#0"],
        }
    )


# By hand: Y/X is 2x the bandwidth and 4x the FLOPS, so 2^.5 x 4^.25 = 2 by formula.
FORMULA = log(2)


@pytest.mark.parametrize(
    ("step", "setting", "expected", "basis", "source"),
    [
        ("formula", Setting(), FORMULA, "spec", "s#0"),
        ("regression", Setting(), FORMULA + 0.2, "fitted", "s#0"),
        # Three families weigh 3 / (3 + 1) against the regression.
        ("pair", Setting(), 0.75 * log(2) + 0.25 * (FORMULA + 0.2), "measured", "s#1"),
        # A software of the tables: base and its layer, 2^.5 more; pairs then weigh a half.
        (
            "regression",
            Setting(software="vLLM 0.7"),
            FORMULA + 0.1 + 0.5 * log(2),
            "fitted",
            "s#0",
        ),
        (
            "workload",
            Setting(software="vLLM 0.7", workload="ResNet-50"),
            0.5 * log(4) + 0.5 * (0.5 * log(2) + 0.5 * (FORMULA + 0.1 + 0.5 * log(2))),
            "measured",
            "s#2",
        ),
        # A software that the tables do not know leaves the class alone.
        ("regression", Setting(software="other"), FORMULA + 0.2, "fitted", "s#0"),
    ],
)
def test_ladder_of_evidence(
    step: str, setting: Setting, expected: float, basis: str, source: str
) -> None:
    found = ratio(_small(step), "Y", "X", "job-batch", setting)
    assert found is not None
    assert log(found.expected) == pytest.approx(expected)
    assert (found.basis, found.source) == (basis, source)


def test_a_device_not_measured_in_the_class_is_told_from_its_sheet() -> None:
    found = ratio(_small("workload"), "Z", "X", "job-batch")
    assert found is not None
    # 4x the bandwidth, 4x the FLOPS: 4^.75; the range of a sheet is 0.4 + 0.5 x |log ratio|.
    assert log(found.expected) == pytest.approx(0.75 * log(4))
    assert log(found.high / found.expected) == pytest.approx(0.4 + 0.5 * 0.75 * log(4))
    assert (found.basis, found.n, found.families) == ("spec", 20, 9)


def test_a_device_ties_with_itself() -> None:
    found = ratio(_small("workload"), "X", "X", "job-batch")
    assert found is not None
    assert found[:3] == (1.0, 1.0, 1.0)


def test_a_tie_is_where_the_range_just_holds_one() -> None:
    small = _small("workload")
    tie = tie_ratio(small, "job-batch")
    assert tie == pytest.approx(exp(0.1 / 0.5))
    assert log(tie) - (0.1 + 0.5 * log(tie)) == pytest.approx(0)
    assert tie_ratio(small, "job-batch", "spec") > tie
