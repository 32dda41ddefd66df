"""Profiles: names, aliases, modes, and the figures each one rests on."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.names import normalise
from gpuadvisor.catalog.schema_workloads import WorkloadsFile
from gpuadvisor.workload.profile import choose_mode, find_profile, profile
from tests.workload.conftest import Documents, files

FIRST_SET = [
    "ocr", "tts", "asr", "image-classification", "object-detection", "image-generation",
    "llm-chat", "embedding", "recommender", "train-cnn", "train-transformer", "llm-finetune",
    "llm-pretrain", "notebook",
]  # fmt: skip
SECOND_SET = [
    "segmentation-3d", "face-swap", "llm-batch", "train-detector", "train-recommender",
    "render", "transcode", "molecular-dynamics", "driving-simulation",
]  # fmt: skip
# Figures read at their source; units per second and device.
FIGURES = [
    ("ocr", False, "T4", 1 / 0.072),  # PaddleOCR issue 60: 72 ms an image
    ("image-classification", True, "T4", 6112.23),  # MLPerf v0.7 NVIDIA, per GPU of 8
    ("image-classification", False, "T4", 1000 / 1.08622),  # MLPerf v0.7 single stream
    ("object-detection", True, "T4", 360.0),  # HoML YOLOv8s, batch 32
    ("object-detection", False, "T4", 130.2),
    ("image-generation", True, "L4", 0.189043),  # MLPerf v4.0 Dell, SDXL offline
    ("image-generation", False, "L4", 1000 / 5299.909),
    ("tts", False, "T4", 125_397 / 22_050),  # Tacotron 2 + WaveGlow, samples/s
    ("asr", True, "A100-80GB-SXM", 6482.0),  # fast-gpu-asr, times real time
    ("llm-chat", True, "A100-80GB-SXM", 2338.8),  # Spare Cores, vLLM 0.22.1
    ("llm-chat", False, "A100-80GB-SXM", 91.255),
    ("llm-batch", True, "A100-80GB-SXM", 2696.82),  # AccelMark suite A
    ("embedding", True, "L4", 1e9 * 0.8 / 409 / 3600),  # Hugging Face: $409 a billion at $0.8/h
    ("recommender", True, "T4", 34052.0),  # MLPerf v0.7 DLRM, per GPU of 8
    ("segmentation-3d", True, "T4", 7.29481),  # MLPerf v0.7 3D U-Net
    ("train-cnn", True, "A100-80GB-SXM", 2470.0),  # DeepLearningExamples ResNet-50
    ("train-detector", True, "A100-80GB-SXM", 458.0),  # Lambda SSD
    ("train-transformer", True, "H100-80GB-SXM", 310.0),  # Lambda v2 BERT-large
    ("train-recommender", True, "A100-80GB-SXM", 4.02e6),  # DeepLearningExamples DLRM
    ("llm-finetune", True, "RTX-A6000", 4699.0),  # torchtune README 2024-09-25
    ("llm-pretrain", True, "A100-80GB-SXM", 18_097 / 8),  # llm-foundry MPT-13B, 8 GPUs
    ("transcode", True, "A10G", 442.7),  # Spare Cores ffmpeg h264
    ("molecular-dynamics", True, "L40S", 799.507 / 86_400),  # openmm.org apoa1 PME, ns/day
]


def test_the_profiles_of_both_sets_are_there(catalog: Documents) -> None:
    assert sorted(catalog.entries) == sorted(FIRST_SET + SECOND_SET)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ocr", "ocr"),
        ("OCR", "ocr"),
        ("文字识别", "ocr"),
        ("LLM chat", "llm-chat"),
        ("llm_chat", "llm-chat"),
        ("大模型对话", "llm-chat"),
        ("jupyter", "notebook"),
        ("SDXL", "image-generation"),
    ],
)
def test_names_and_aliases(catalog: Documents, text: str, name: str) -> None:
    assert find_profile(catalog, text).name == name


@pytest.mark.parametrize(("text", "near"), [("orc", "ocr"), ("llm-chta", "llm-chat")])
def test_unknown_name_gets_the_nearest(catalog: Documents, text: str, near: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_profile(catalog, text)
    assert caught.value.message.id == "workload.unknown"
    assert near in str(caught.value.message.params["nearest"])


def test_a_name_nothing_like_any_gets_all_of_them(catalog: Documents) -> None:
    with pytest.raises(UsageError) as caught:
        find_profile(catalog, "zzzzzzzz")
    assert len(str(caught.value.message.params["nearest"]).split(", ")) == len(catalog.entries)


def test_no_spelling_means_two_profiles(catalog: Documents) -> None:
    seen: dict[str, str] = {}
    for name, document in catalog.entries.items():
        for spelling in (name, *document.get("aliases", ())):
            assert seen.setdefault(normalise(spelling), name) == name, spelling


@pytest.mark.parametrize(("name", "batched", "device", "rate"), FIGURES)
def test_reference_rates(
    catalog: Documents, name: str, batched: bool, device: str, rate: float
) -> None:
    reference = choose_mode(find_profile(catalog, name), batched).reference
    assert reference is not None
    assert reference.device == device
    assert reference.rate == pytest.approx(rate, rel=2e-3)
    assert reference.low <= reference.rate <= reference.high


def test_every_rate_is_checked_or_marked(catalog: Documents) -> None:
    """A rate without a line in FIGURES must be relative or repeat a mode's own source."""
    unchecked = {
        (name, mode.name)
        for name in catalog.entries
        for mode in find_profile(catalog, name).modes.values()
        if mode.reference and not mode.reference.relative_only
    } - {(name, "batched" if batched else "unbatched") for name, batched, _, _ in FIGURES}
    assert unchecked == {
        ("tts", "batched"),
        ("asr", "unbatched"),
        ("embedding", "unbatched"),
        ("segmentation-3d", "unbatched"),
    }


def test_where_nothing_was_measured_the_reason_stands(catalog: Documents) -> None:
    for name in ("notebook", "render", "face-swap", "driving-simulation"):
        mode = choose_mode(find_profile(catalog, name))
        assert mode.reference is None
        assert mode.no_reference


def test_ocr_is_unbatched_by_default_and_relative_when_batched(catalog: Documents) -> None:
    ocr = find_profile(catalog, "ocr")
    unbatched, batched = choose_mode(ocr), choose_mode(ocr, True)
    assert (unbatched.workload_class, batched.workload_class) == ("ocr", "cnn-batch")
    assert batched.reference is not None and batched.reference.relative_only
    assert (batched.reference.low, batched.reference.high) == (1, 1)
    assert unbatched.reference is not None and unbatched.reference.spread_published
    assert ocr.host is not None and ocr.host.vcpus_per_stream == 1.14
    assert {point.device: point.gain for point in unbatched.packing}["A100-80GB-SXM"] == 2.4


def test_a_lone_measurement_gets_the_assumed_spread(catalog: Documents) -> None:
    reference = choose_mode(find_profile(catalog, "llm-chat")).reference
    assert reference is not None and not reference.spread_published
    assert reference.low == pytest.approx(2339 / 1.25)
    assert reference.high == pytest.approx(2339 * 1.25)


def test_a_mode_that_does_not_exist(catalog: Documents) -> None:
    with pytest.raises(UsageError) as caught:
        choose_mode(find_profile(catalog, "train-cnn"), batched=False)
    assert caught.value.message.id == "workload.no_mode"


def test_pretraining_needs_linked_devices(catalog: Documents) -> None:
    pretrain = find_profile(catalog, "llm-pretrain")
    assert pretrain.linked and pretrain.min_devices == 8
    assert pretrain.memory is not None and pretrain.memory.sharded_over == 8


def test_run_sizes(catalog: Documents) -> None:
    run = find_profile(catalog, "train-cnn").run
    assert run is not None and run.units == 90 * 1_281_167  # ImageNet, 90 epochs
    run = find_profile(catalog, "llm-pretrain").run
    assert run is not None and run.units == 20 * 13e9  # Chinchilla: 20 tokens a parameter
    for name in catalog.entries:
        found = find_profile(catalog, name)
        assert (found.run is not None) == (found.shape == "run"), name


def test_devices_exist_and_sources_are_named() -> None:
    known = _devices()
    for name, raw in files().items():
        named = set(_values(raw["workloads"], "source"))
        for many in _values(raw["workloads"], "sources"):
            named |= set(many)
        assert named == set(raw["sources"]), name
        for device in _values(raw["workloads"], "device"):
            assert device in known, device
        for many in _values(raw["workloads"], "devices"):
            for device in many:
                assert any(found == device or found.startswith(device + "-") for found in known)


@pytest.mark.parametrize(
    "change",
    [
        {"reference": None},  # neither a reference nor a reason
        {"no_reference": "none"},  # both
        {"class": None},  # a reference that no class carries to other devices
    ],
)
def test_the_schema_refuses_half_an_answer(change: dict[str, Any]) -> None:
    raw = files()["vision.yaml"]
    mode = raw["workloads"]["face-swap"]["modes"]["unbatched"]
    mode.clear()
    mode |= {
        "class": "ocr",
        "reference": {"device": "T4", "rate": "1", "measured": "m", "source": "sdxl"},
    }
    WorkloadsFile.model_validate(raw)
    for key, value in change.items():
        if value is None:
            del mode[key]
        else:
            mode[key] = value
    with pytest.raises(ValidationError):
        WorkloadsFile.model_validate(raw)


def test_an_own_profile_needs_only_the_required_keys() -> None:
    found = profile("mine", {
        "title": "t", "unit": "u", "units": "u", "shape": "monthly",
        "default_mode": "batched", "modes": {"batched": {"no_reference": "not measured"}},
        "precision": "fp16", "interruptible": True, "latency": "none",
    })  # fmt: skip
    assert (found.min_devices, found.linked, found.software) == (1, False, "cuda")
    assert found.title_zh == "t"


def _values(node: Any, key: str) -> list[Any]:
    if isinstance(node, list):
        return [value for item in node for value in _values(item, key)]
    if not isinstance(node, dict):
        return []
    own = [node[key]] if key in node else []
    return own + [value for item in node.values() for value in _values(item, key)]


def _devices() -> set[str]:
    folder = Path(__file__).parents[2] / "catalogs" / "devices"
    found: set[str] = set()
    for path in folder.glob("*.yaml"):
        block = (
            path.read_text(encoding="utf-8")
            .partition("\ndevices:\n")[2]
            .partition("\nfamilies:")[0]
        )
        found |= set(re.findall(r"^  ([^\s:]+): \{", block, flags=re.MULTILINE))
    return found
