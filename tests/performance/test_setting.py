"""Keys of settings: how the same thing is spelled in many ways, and what says nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.performance.setting import (
    Setting,
    batch_key,
    publisher_key,
    setting_keys,
    size_key,
    software_key,
    workload_key,
)
from gpuadvisor.performance.workload_class import ClassParts, class_parts


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("Llama-3-8B", "9b"),
        ("Llama-3.1-8B-Instruct", "9b"),
        ("Mixtral-8x7B-Instruct", "9b"),
        ("llama-7b.Q4_K_M.gguf", "9b"),
        ("Qwen2.5-0.5B", "1.5b"),
        ("SmolLM2-135M", "1.5b"),
        ("bloom-176b", "200b"),
        ("Qwen3-235B-A22B", "200b"),
        ("gpt3 seq 2048", ""),
        ("1.2.3b", "4b"),
        ("", ""),
    ],
)
def test_size_of_a_language_model_is_read_from_its_name(model: str, expected: str) -> None:
    assert size_key(model) == expected


@given(st.text(max_size=60))
def test_any_name_has_a_size_or_none(name: str) -> None:
    assert size_key(name) in {"", "1.5b", "4b", "9b", "16b", "40b", "90b", "200b"}


@pytest.mark.parametrize(
    ("software", "expected"),
    [
        ("TensorRT 10.2.0, CUDA 12.4", "tensorrt"),
        ("TensorRT-LLM 1.0 PyTorch backend", "tensorrt-llm"),
        ("vLLM (ML.ENERGY v3)", "vllm"),
        ("", ""),
    ],
)
def test_software_loses_its_version(software: str, expected: str) -> None:
    assert software_key(software) == expected


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        ("mlcommons/inference_results_v2.0@425a0d30c:closed/Dell/results/x", "mlperf"),
        ("mlcommons/cm4mlperf-results@84d8b84:experiment/x", "mlperf"),
        ("gbeezybez/inference_results_v6.0@232fbf9:closed/x", "mlperf"),
        ("NVIDIA/FasterTransformer@df4a753:docs/bert_guide.md", "nvidia/fastertransformer"),
        ("https://example.org/a (project page)", "https://example.org/a"),
    ],
)
def test_publisher_of_a_citation(citation: str, expected: str) -> None:
    assert publisher_key(citation) == expected


@pytest.mark.parametrize(
    ("batch", "expected"), [(1, "1"), (1.5, "2"), (3, "4"), (256, "256"), (9999, "512")]
)
def test_batches_are_powers_of_two(batch: float, expected: str) -> None:
    assert batch_key(batch) == expected


def test_workload_spellings_meet() -> None:
    assert workload_key("ResNet-50") == workload_key("resnet50") == "resnet50"


def test_an_unknown_setting_selects_nothing() -> None:
    assert list(setting_keys(Setting(), "llm-decode")) == []


def test_unnamed_software_is_its_publishers_own() -> None:
    keys = dict(setting_keys(Setting(publisher="NVIDIA/DeepLearningExamples@7"), "cnn-batch"))
    assert keys["software"] == keys["publisher"] == "nvidia/deeplearningexamples"


def test_size_counts_for_language_models_only() -> None:
    setting = Setting(workload="ViT 2B")
    assert "size" not in dict(setting_keys(setting, "transformer-batch"))
    assert dict(setting_keys(setting, "llm-prefill"))["size"] == "4b"


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("train-cnn-fp32", ClassParts("cnn", "train", True, False)),
        ("llm-batch-eq", ClassParts("llm", "batch", False, False)),
        ("llm-decode-small", ClassParts("llm", "decode", False, True)),
        ("train-llm-small", ClassParts("llm", "train", False, True)),
        ("weather", ClassParts("weather", "batch", False, False)),
        ("ocr", ClassParts("ocr", "latency", False, False)),
        ("tts-latency-fp32", ClassParts("tts", "latency", True, False)),
    ],
)
def test_parts_of_a_class(slug: str, expected: ClassParts) -> None:
    assert class_parts(slug) == expected
