"""The catalogs of devices, MIG partitions, exchange rates and interconnect.

Expected values are published figures with their origin beside them, or follow by hand from one.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any

import pytest
import yaml

from gpuadvisor.catalog.names import families_of, matches, normalise
from gpuadvisor.catalog.store import Catalog, load_catalog

ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "catalogs")

# Devices that the catalog promises, each with a row of specifications of its own.
PROMISED = """
K80 P4 P40 P100-12GB-PCIe P100-16GB-PCIe P100-16GB-SXM M60 T4 T4G V100-16GB-PCIe V100-32GB-PCIe
V100-16GB-SXM V100-32GB-SXM V100S-32GB-PCIe A2 A10 A10G A16 A30 A40 A100-40GB-PCIe A100-40GB-SXM
A100-80GB-PCIe A100-80GB-SXM A800-40GB-PCIe A800-80GB-PCIe A800-80GB-SXM L4 L40 L40S L20 H20
H800-80GB-PCIe H800-80GB-SXM H100-80GB-PCIe H100-80GB-SXM H100-94GB-NVL GH200-96GB GH200-144GB
H200-141GB H200-141GB-NVL B200-180GB B300-270GB GB200-186GB GB300-279GB RTX-PRO-6000 RTX-PRO-4500
RTX-3090 RTX-4090 RTX-5090 RTX-A4000 RTX-A5000 RTX-A6000 RTX-6000-Ada Radeon-Instinct-MI25
Radeon-Pro-V520 Radeon-PRO-V620 Radeon-PRO-V710 MI250X MI300X MI325X MI350X MI355X Gaudi-1 Gaudi2
Gaudi3 Inferentia1 Inferentia2 Trainium1 Trainium2 Trainium3 TPU-v2 TPU-v3 TPU-v4 TPU-v5e TPU-v5p
TPU-v6e TPU-v7x Ascend-310 Ascend-910 Ascend-910B Ascend-910C Cloud-AI-100-Standard
Cloud-AI-100-Pro Cloud-AI-100-Ultra K520 U30 VU47P Quadro-RTX-6000 Quadro-RTX-8000 TITAN-RTX
"""

# Names in files of measurements; a family there is the card that `measured_as` points to.
MEASURED = """
A10 A100-40GB-PCIe A100-40GB-SXM A100-80GB-PCIe A100-80GB-SXM A10G A16 A2 A30 A40 A800-80GB-SXM
B200-180GB B300-270GB GB200-186GB GB300-279GB GH200-144GB GH200-96GB H100-80GB-PCIe H100-80GB-SXM
H100-94GB-NVL H200-141GB H200-141GB-NVL L4 L40 L40S M60 MI300X MI325X MI350X MI355X
P100-16GB-PCIe P4 Quadro-RTX-6000 Quadro-RTX-8000 RTX-3090 RTX-4090 RTX-6000-Ada RTX-A6000
RTX-PRO-6000 T4 T4G TITAN-RTX V100-16GB V100-16GB-PCIe V100-32GB V100-32GB-PCIe V100S-32GB-PCIe
"""


@lru_cache
def load(name: str) -> Any:
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return yaml.load(file, Loader=yaml.BaseLoader)  # noqa: S506 - yields text only


def device_files() -> list[Any]:
    paths = sorted(glob.glob(os.path.join(ROOT, "devices", "*.yaml")))
    return [load(os.path.relpath(path, ROOT)) for path in paths]


@lru_cache
def devices() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for file in device_files():
        assert not found.keys() & file["devices"].keys()
        found.update(file["devices"])
    return found


def rate(name: str, key: str) -> float:
    return float(devices()[name][key])


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


# -- devices ------------------------------------------------------------------------------


def test_every_promised_device_is_there() -> None:
    assert len(PROMISED.split()) >= 82
    assert set(PROMISED.split()) <= devices().keys()


def test_names_lie_beneath_their_family_and_nominal_memory_stands_in_the_name() -> None:
    for name, entry in devices().items():
        assert matches(name, entry["family"]), name
        sizes = [part for part in name.split("-") if part.endswith("GB") and part[:-2].isdigit()]
        assert not sizes or sizes == [entry["memory_gib"] + "GB"], name
        usable = entry.get("usable_memory_gib")
        if usable is not None:
            # Less than a tenth of the label is lost to error correction and the driver.
            assert 0.9 < float(usable) / float(entry["memory_gib"]) <= 1, name


def test_every_family_with_aliases_covers_a_device() -> None:
    covering = {
        family for name, entry in devices().items() for family in families_of(name, entry["family"])
    }
    named = {name for file in device_files() for name in file.get("families", {})}
    assert named <= covering


# NVIDIA's sparse headlines, which must not be entered: (device, key, headline).
@pytest.mark.parametrize(
    ("name", "key", "dense", "sparse"),
    [
        ("A100-80GB-SXM", "fp16_tflops", 312, 624),  # A100 data sheet r4
        ("H100-80GB-SXM", "fp16_tflops", 989, 1979),  # H100 data sheet
        ("H100-80GB-SXM", "fp8_tflops", 1979, 3958),
        ("H100-80GB-PCIe", "fp8_tflops", 1513, 3026),
        ("H200-141GB", "bf16_tflops", 989, 1979),
        ("L4", "fp16_tflops", 121, 242),  # L4 product brief
        ("L4", "int8_tops", 242, 485),
        ("L40S", "fp8_tflops", 733, 1466),  # L40S data sheet
        ("B200-180GB", "fp4_tflops", 9000, 18000),  # Blackwell brief
        ("RTX-A6000", "fp16_tflops", 154.8, 309.7),
        ("Trainium2", "fp16_tflops", 667, 2563),  # Neuron documentation, 4:1 sparse
    ],
)
def test_rates_are_dense(name: str, key: str, dense: float, sparse: float) -> None:
    assert rate(name, key) == dense < sparse * 0.52


def test_tensor_rates_double_with_half_the_bits() -> None:
    """FP16 : INT8 : FP8 is 1 : 2 : 2 from Turing on, dense; three exceptions are real."""
    seen = 0
    for name, entry in devices().items():
        if entry["vendor"] != "nvidia" or "fp16_tflops" not in entry:
            continue
        fp16 = rate(name, "fp16_tflops")
        # GeForce halves FP16 when it accumulates in FP32, but not INT8.
        geforce = "consumer" in entry["form"] and name != "TITAN-RTX"
        # Blackwell Ultra gave its INT8 units away (150 and 165 TOPS).
        if "int8_tops" in entry and name not in ("B300-270GB", "GB300-279GB"):
            assert rate(name, "int8_tops") / fp16 == pytest.approx(4 if geforce else 2, rel=0.03)
            seen += 1
        if "fp8_tflops" in entry:
            assert rate(name, "fp8_tflops") / fp16 == pytest.approx(2, rel=0.03)
        if "bf16_tflops" in entry:
            assert rate(name, "bf16_tflops") == fp16
    assert seen > 40
    assert rate("B300-270GB", "int8_tops") == 150


def test_generations_have_the_formats_they_have() -> None:
    for name, entry in devices().items():
        if entry["vendor"] != "nvidia":
            continue
        capability = tuple(int(part) for part in entry["compute_capability"].split("."))
        if capability < (7, 0):
            assert "fp16_tflops" not in entry, f"{name}: no tensor cores before Volta"
        if capability < (8, 0):
            assert "bf16_tflops" not in entry, f"{name}: BF16 came with Ampere"
            assert "tf32_tflops" not in entry, f"{name}: TF32 came with Ampere"
        if capability < (8, 9):
            assert "fp8_tflops" not in entry, f"{name}: FP8 came with Ada and Hopper"
        if capability < (10, 0):
            assert "fp4_tflops" not in entry, f"{name}: FP4 came with Blackwell"


def test_an_a10g_is_not_an_a10() -> None:
    assert rate("A10G", "fp16_tflops") == 70  # llm-analysis; 67.1 reached by a cuBLAS burn
    assert rate("A10", "fp16_tflops") == 125  # A10 data sheet
    assert (rate("A10G", "tdp_w"), rate("A10", "tdp_w")) == (300, 150)


@pytest.mark.parametrize(
    ("name", "usable"),
    [
        ("T4", 14.56),  # CUDA: "total capacity of 14.56 GiB", leetgpu-challenges#52
        ("A10G", 22.49),  # nvidia-smi 23028 MiB
        ("L40S", 44.99),  # nvidia-smi 46068 MiB
        ("RTX-PRO-6000", 95.59),  # 97887 MiB
        ("GB200-186GB", 185.03),  # 189471 MiB
        ("H100-80GB-SXM", 79.11),  # CUDA, vllm#27508
    ],
)
def test_usable_memory(name: str, usable: float) -> None:
    assert rate(name, "usable_memory_gib") == usable


@pytest.mark.parametrize(
    ("software", "names"),
    [
        ("cuda", ["T4", "GB300-279GB", "RTX-4090", "K520"]),
        ("rocm", ["MI300X", "MI250X", "Radeon-PRO-V710"]),
        ("other", ["Radeon-Pro-V520", "Radeon-Instinct-MI25"]),
        ("neuron", ["Inferentia1", "Inferentia2", "Trainium2"]),
        ("tpu", ["TPU-v5e", "TPU-v7x"]),
        ("gaudi", ["Gaudi-1", "Gaudi3"]),
        ("cann", ["Ascend-910B"]),
        ("qaic", ["Cloud-AI-100-Standard"]),
        ("xilinx", ["U30", "VU47P"]),
    ],
)
def test_software_stack(software: str, names: list[str]) -> None:
    assert {devices()[name]["software"] for name in names} == {software}


# -- aliases ------------------------------------------------------------------------------


def test_each_alias_means_exactly_one_device_or_family() -> None:
    canonical = {normalise(name): name for name in devices()}
    assert len(canonical) == len(devices())
    owner: dict[str, str] = {}
    entries = list(devices().items())
    for file in device_files():
        entries += list(file.get("families", {}).items())
    for name, entry in entries:
        for alias in entry.get("aliases", ()):
            folded = normalise(alias)
            assert folded not in canonical, f"{alias} of {name} is {canonical.get(folded)}"
            assert folded not in owner, f"{alias} is both {name} and {owner.get(folded)}"
            owner[folded] = name
    assert len(owner) > 180


# What each tool prints or takes, and the device or family it means.
SPELLINGS = {
    "EC2 GpuInfo, InferenceAcceleratorInfo": """
        T4=T4 T4g=T4G A10G=A10G L4=L4 L40S=L40S V100=V100 A100=A100 H100=H100 H200=H200 B200=B200
        K80=K80 M60=M60 GRID_K520=K520 Radeon_Pro_V520=Radeon-Pro-V520 Gaudi_HL-205=Gaudi-1
        Inferentia=Inferentia1 Inferentia2=Inferentia2 Trainium=Trainium1 Trainium2=Trainium2
        RTX_PRO_Server_6000=RTX-PRO-6000 RTX_PRO_4500=RTX-PRO-4500 U30=U30 Alveo_U30=U30
        """,
    "node label nvidia.com/gpu.product": """
        Tesla-T4=T4 NVIDIA-A10G=A10G NVIDIA-L4=L4 NVIDIA-L40S=L40S NVIDIA-A10=A10 NVIDIA-A30=A30
        Tesla-V100-SXM2-16GB=V100-16GB-SXM Tesla-V100-SXM2-32GB=V100-32GB-SXM
        Tesla-V100-PCIE-16GB=V100-16GB-PCIe Tesla-P100-PCIE-16GB=P100-16GB-PCIe Tesla-K80=K80
        NVIDIA-A100-SXM4-40GB=A100-40GB-SXM NVIDIA-A100-SXM4-80GB=A100-80GB-SXM
        NVIDIA-A100-PCIE-40GB=A100-40GB-PCIe NVIDIA-A100-80GB-PCIe=A100-80GB-PCIe
        NVIDIA-H100-80GB-HBM3=H100-80GB-SXM NVIDIA-H100-PCIe=H100-80GB-PCIe
        NVIDIA-H100-NVL=H100-94GB-NVL NVIDIA-H200=H200 NVIDIA-H200-NVL=H200-141GB-NVL
        NVIDIA-GH200-480GB=GH200-96GB NVIDIA-B200=B200 NVIDIA-B300-SXM6-AC=B300-270GB
        NVIDIA-GB200=GB200 NVIDIA-GeForce-RTX-4090=RTX-4090 Quadro-RTX-6000=Quadro-RTX-6000
        NVIDIA-RTX-A6000=RTX-A6000 NVIDIA-RTX-6000-Ada-Generation=RTX-6000-Ada
        NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition=RTX-PRO-6000
        AMD_Instinct_MI300X_OAM=MI300X AMD_Instinct_MI300X_VF=MI300X
        """,
    "GKE label gke-accelerator, Compute Engine accelerator type": """
        nvidia-tesla-t4=T4 nvidia-tesla-p4=P4 nvidia-tesla-p100=P100 nvidia-tesla-v100=V100
        nvidia-tesla-k80=K80 nvidia-tesla-a100=A100 nvidia-a100-80gb=A100-80GB nvidia-l4=L4
        nvidia-h100-80gb=H100-80GB nvidia-h100-mega-80gb=H100-80GB-SXM
        nvidia-h200-141gb=H200-141GB nvidia-b200=B200 nvidia-gb200=GB200
        nvidia-rtx-pro-6000=RTX-PRO-6000 tpu-v4-podslice=TPU-v4 tpu-v5-lite-podslice=TPU-v5e
        tpu-v5-lite-device=TPU-v5e tpu-v5p-slice=TPU-v5p tpu-v6e-slice=TPU-v6e tpu7x=TPU-v7x
        """,
    "Vertex AI AcceleratorType": """
        NVIDIA_TESLA_T4=T4 NVIDIA_A100_80GB=A100-80GB NVIDIA_H100_MEGA_80GB=H100-80GB-SXM
        NVIDIA_H200_141GB=H200-141GB NVIDIA_RTX_PRO_6000=RTX-PRO-6000 NVIDIA_L4=L4
        TPU_V4_POD=TPU-v4 TPU_V5_LITEPOD=TPU-v5e
        """,
    "SkyPilot accelerators": """
        A100=A100 A100-80GB=A100-80GB A100-80GB-SXM=A100-80GB-SXM H100=H100 H100-SXM=H100-80GB-SXM
        V100=V100 V100-32GB=V100-32GB L4=L4 A10G=A10G A10=A10 T4=T4 T4g=T4G H200=H200 B200=B200
        GH200=GH200 L40S=L40S RTX6000=Quadro-RTX-6000 RTX6000-Ada=RTX-6000-Ada RTX4090=RTX-4090
        RTXPRO6000=RTX-PRO-6000 MI300X=MI300X Radeon_MI25=Radeon-Instinct-MI25
        tpu-v5litepod=TPU-v5e tpu-v6e=TPU-v6e Gaudi_HL-205=Gaudi-1
        """,
    "dstack, gpuhunt": """
        A10G=A10G L40S=L40S MI300X=MI300X H100NVL=H100-94GB-NVL RTX6000Ada=RTX-6000-Ada
        A6000=RTX-A6000 A5000=RTX-A5000 A4000=RTX-A4000 RTX8000=Quadro-RTX-8000 V100=V100
        RTXPRO6000=RTX-PRO-6000 RTXPRO6000WK=RTX-PRO-6000-WS
        """,
    "Karpenter instance-gpu-name": """
        t4=T4 t4g=T4G a10g=A10G l4=L4 l40s=L40S a100=A100 h100=H100 h200=H200 b200=B200 v100=V100
        m60=M60 k80=K80 radeon-pro-v520=Radeon-Pro-V520 gaudi-hl-205=Gaudi-1
        rtx-pro-server-6000=RTX-PRO-6000 inferentia=Inferentia1 trainium=Trainium1
        """,
    "people": """
        4090=RTX-4090 3090=RTX-3090 5090=RTX-5090 a100_80g=A100-80GB a100_40g=A100-40GB
        h100_80g=H100-80GB A100_(80GB)=A100-80GB H100_NVL=H100-94GB-NVL v100_16g=V100-16GB
        英伟达_T4=T4 昇腾910B=Ascend-910B NVIDIA_Tesla_T4=T4 tesla_t4=T4 nvidia_a10g=A10G
        Trillium=TPU-v6e Ironwood=TPU-v7x v5e=TPU-v5e TPU=TPU gaudi=Gaudi-1 Gaudi_2=Gaudi2
        RTX_6000_Ada=RTX-6000-Ada AMD_Instinct_MI325X=MI325X AI100=Cloud-AI-100
        """,
    "MLPerf system descriptions": """
        NVIDIA_A100-SXM-80GB=A100-80GB-SXM NVIDIA_A100-PCIe-40GB_(250W)=A100-40GB-PCIe
        NVIDIA_A100=A100 NVIDIA_A100_-_PCIe_-_80_GB=A100-80GB-PCIe
        NVIDIA_H100-SXM-80GB=H100-80GB-SXM
        NVIDIA_H200-SXM-141GB=H200-141GB NVIDIA_L4-PCIe-24GB=L4 NVIDIA_L40-PCIE-48GB=L40
        NVIDIA_B200-SXM-180GB=B200-180GB NVIDIA_Blackwell_GPU_(GB200)=GB200-186GB
        NVIDIA_RTX_Pro_6000_SE_PCIe_96GB=RTX-PRO-6000 NVIDIA_A10-PCI-24GB=A10
        AMD_Instinct_MI300X_192GB_HBM3=MI300X AMD_Instinct_MI325X_256GB_HBM3e=MI325X
        Nvidia_Tesla_V100S-PCIe-32GB=V100S-32GB-PCIe NVIDIA_V100-SXM3-32GB_(350W)=V100-32GB-SXM
        Intel(R)_Gaudi(R)_2_AI_Accelerator=Gaudi2 TPU-trillium=TPU-v6e
        NVIDIA_GH200_Grace_Hopper_Superchip_96GB=GH200-96GB
        """,
}


def spellings() -> Iterator[Any]:
    for tool, text in SPELLINGS.items():
        for pair in text.split():
            spelling, meaning = pair.split("=")
            yield pytest.param(spelling.replace("_", " "), meaning, id=f"{tool}: {spelling}")


@pytest.mark.parametrize(("spelling", "meaning"), list(spellings()))
def test_spelling(catalog: Catalog, spelling: str, meaning: str) -> None:
    assert catalog.device_name(spelling) == meaning
    assert all(matches(device.name, meaning) for device in catalog.resolve_device(spelling))


@pytest.mark.parametrize("text", ["A100-90GB", "H20-3e", "A10-24Q", "RTX 4070", "GPU"])
def test_what_is_not_known_is_not_guessed(catalog: Catalog, text: str) -> None:
    assert catalog.device_name(text) is None


@pytest.mark.parametrize("name", MEASURED.split())
def test_measurements_point_to_one_card(name: str) -> None:
    found = {name} & devices().keys()
    found |= {n for n, entry in devices().items() if entry.get("measured_as") == name}
    assert len(found) == 1
    assert all(matches(device, name) for device in found)


# -- MIG ----------------------------------------------------------------------------------

SEVEN_SLICES = """
A100-40GB-PCIe A100-40GB-SXM A100-80GB-PCIe A100-80GB-SXM A800-40GB-PCIe A800-80GB-PCIe
A800-80GB-SXM H20 H800-80GB-PCIe H800-80GB-SXM H100-80GB-PCIe H100-80GB-SXM H100-94GB-NVL
GH200-96GB GH200-144GB H200-141GB H200-141GB-NVL B200-180GB B300-270GB GB200-186GB GB300-279GB
"""
Place = tuple[str, int, int]


def profiles(device: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = load("partitions/mig.yaml")["partitions"][device]
    return found


def places(device: str, doubled: bool) -> list[Place]:
    """Every (profile, start, size) without media extensions; `doubled` adds 1g of two slices."""
    found = []
    for name, entry in profiles(device).items():
        size = int(entry["size"])
        if name.endswith("gb") and (doubled or int(entry["compute_slices"]) > 1 or size == 1):
            found += [(name, int(start), size) for start in entry["placements"]]
    return found


def maximal_layouts(found: list[Place]) -> set[frozenset[Place]]:
    """Sets of instances that share no memory slice and to which none can be added."""

    def units(place: Place) -> set[int]:
        return set(range(place[1], place[1] + place[2]))

    whole: set[frozenset[Place]] = set()
    pending: list[frozenset[Place]] = [frozenset()]
    seen = set(pending)
    while pending:
        layout = pending.pop()
        taken = set().union(*(units(place) for place in layout))
        free = [place for place in found if not units(place) & taken]
        if not free:
            whole.add(layout)
        for place in free:
            grown = layout | {place}
            if grown not in seen:
                seen.add(grown)
                pending.append(grown)
    return whole


def multisets(layouts: set[frozenset[Place]]) -> set[tuple[str, ...]]:
    return {tuple(sorted(name for name, _, _ in layout)) for layout in layouts}


def test_partitions_are_complete() -> None:
    sliced = {name for name, entry in devices().items() if int(entry["mig_max"]) > 0}
    assert set(load("partitions/mig.yaml")["partitions"]) == sliced
    assert {n for n in sliced if devices()[n]["mig_max"] == "7"} == set(SEVEN_SLICES.split())


@pytest.mark.parametrize("device", SEVEN_SLICES.split())
def test_seven_slices_give_19_placements_and_14_layouts(device: str) -> None:
    """NVIDIA MIG User Guide, supported configurations: 19 combinations."""
    base = maximal_layouts(places(device, doubled=False))
    assert (len(base), len(multisets(base))) == (19, 14)
    # Memory slices decide: never more than seven compute slices, though nothing asks for it.
    assert max(sum(int(name[0]) for name, _, _ in layout) for layout in base) == 7


@pytest.mark.parametrize("device", ["A100-40GB-SXM", "H100-80GB-SXM", "B200-180GB"])
def test_the_doubled_single_slice_adds_layouts(device: str) -> None:
    with_double = maximal_layouts(places(device, doubled=True))
    assert (len(with_double), len(multisets(with_double))) == (78, 38)


def test_layouts_by_hand() -> None:
    """A100 40 GB: 3g + 4 x 1g needs the 3g at slice 4; four slices give five layouts."""
    layouts = maximal_layouts(places("A100-40GB-SXM", doubled=False))
    wide = [layout for layout in layouts if sum(name == "1g.5gb" for name, _, _ in layout) == 4]
    starts = {place[1] for layout in wide for place in layout if place[0] == "3g.20gb"}
    assert starts == {4}
    for device in ("A30", "RTX-PRO-6000"):
        assert len(maximal_layouts(places(device, doubled=False))) == 5
    assert multisets(maximal_layouts(places("RTX-PRO-4500", doubled=False))) == {
        ("1g.16gb", "1g.16gb"),
        ("2g.32gb",),
    }


def test_profiles_never_hold_more_than_the_device() -> None:
    for device, entries in load("partitions/mig.yaml")["partitions"].items():
        slices = max(int(entry["size"]) for entry in entries.values())
        whole = next(e for e in entries.values() if int(e["size"]) == slices)
        for name, entry in entries.items():
            count, size = int(entry["max_per_device"]), int(entry["size"])
            assert float(entry["memory_share"]) == size / slices
            assert int(entry["compute_slices"]) == int(name.split("g")[0])
            assert all(int(start) + size <= slices for start in entry["placements"])
            assert count * size <= slices and count <= len(entry["placements"])
            if "+me" not in name:
                assert count == len(entry["placements"]), (device, name)
            nominal = float(name.split(".")[1].split("gb")[0])
            if "memory_gib" in entry:
                # The name rounds up; memory of all instances together is within the whole.
                assert float(entry["memory_gib"]) < nominal, (device, name)
                if "memory_gib" in whole:
                    total = count * float(entry["memory_gib"])
                    assert total <= float(whole["memory_gib"]) + 0.1, (device, name)
            if "sm_share" in entry:
                assert count * float(entry["sm_share"]) <= 1.0002, (device, name)


@pytest.mark.parametrize(
    ("device", "profile", "memory", "sm"),
    [
        # nvidia-smi mig -lgip: memory in GiB, SM of the instance / SM of the device
        ("A100-40GB-SXM", "1g.5gb", 4.75, 14 / 108),
        ("A100-40GB-SXM", "7g.40gb", 39.25, 98 / 108),
        ("A100-40GB-SXM", "1g.10gb", 9.62, 14 / 108),  # doubled: at most four
        ("A100-80GB-PCIe", "1g.10gb", 9.5, 14 / 108),  # the same name, basic: seven
        ("H100-80GB-SXM", "1g.20gb", 19.62, 26 / 132),
        ("H100-80GB-SXM", "3g.40gb", 39.5, 60 / 132),
        ("H200-141GB", "1g.18gb", 16.0, 16 / 132),
        ("A30", "1g.6gb", 5.81, 14 / 56),
        ("RTX-PRO-6000", "1g.24gb", 23.62, 46 / 188),
        ("H100-80GB-PCIe", "1g.10gb", None, None),  # never read off a 114-SM card
        ("GB200-186GB", "1g.23gb", None, None),  # only a mock prints 18 SM
    ],
)
def test_profile(device: str, profile: str, memory: float | None, sm: float | None) -> None:
    entry = profiles(device)[profile]
    assert entry.get("memory_gib") == (None if memory is None else f"{memory:g}")
    if sm is None:
        assert "sm_share" not in entry
    else:
        assert float(entry["sm_share"]) == pytest.approx(sm, abs=0.00005)


def test_the_same_profile_name_differs_by_device() -> None:
    assert profiles("A100-40GB-SXM")["1g.10gb"]["max_per_device"] == "4"
    assert profiles("A100-80GB-SXM")["1g.10gb"]["max_per_device"] == "7"
    assert profiles("H100-94GB-NVL")["1g.24gb"]["size"] == "2"
    assert profiles("RTX-PRO-6000")["1g.24gb"]["size"] == "1"


# -- exchange -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("date", "currency", "per_usd"),
    [
        ("2026-10-30", "CNY", "6.6529"),  # 7.4326 / 1.1172
        ("2026-10-30", "EUR", "0.8951"),  # 1 / 1.1172
        ("2026-10-30", "JPY", "157.2503"),  # 175.68 / 1.1172
        ("2024-12-31", "CNY", "7.2994"),  # 7.5833 / 1.0389
        ("2022-06-30", "CNY", "6.7030"),  # 6.9624 / 1.0387
    ],
)
def test_cross_rates(date: str, currency: str, per_usd: str) -> None:
    day = load("fx/ecb.yaml")["rates"][date]
    per_euro = Decimal(1) if currency == "EUR" else Decimal(day[currency])
    crossed = (per_euro / Decimal(day["USD"])).quantize(Decimal("0.0001"))
    assert crossed == Decimal(per_usd)


def test_every_date_has_every_currency() -> None:
    fx = load("fx/ecb.yaml")
    assert fx["base"] == "EUR"
    assert len(fx["rates"]) == 9
    first, *others = (set(day) for day in fx["rates"].values())
    assert len(first) == 14 and all(day == first for day in others)
    # The dollar stood between parity and 1.2 on all nine days; the yen is the largest but one.
    for day in fx["rates"].values():
        assert 1 < float(day["USD"]) < 1.2
        assert max(day, key=lambda c: float(day[c])) == "KRW"


# -- interconnect -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "value"),
    [
        # NVIDIA aiconfigurator, 512 MiB fp16 all-reduce on 8 devices
        ("a100-80gb-sxm-8-all-reduce-512-mib", 222.3),
        ("h100-80gb-sxm-8-all-reduce-512-mib", 445),
        ("rtx-pro-6000-8-all-reduce-512-mib", 24.7),
        ("l40s-8-all-reduce-512-mib", 1.4),
        # AWS nccl-tests README
        ("aws-p4de.24xlarge-16-2-nodes-all-reduce-2-gib", 78.3),
        ("aws-p5.48xlarge-16-2-nodes-all-reduce-16-gib", 487.1),
        # Azure health checks: a 4-GPU PCIe machine is nine times slower than an SXM one
        ("azure-nc96ads-a100-v4-4-all-reduce-threshold", 25),
        ("azure-nd96amsr-a100-v4-8-all-reduce-threshold", 228),
        ("rtx-4090-2-bert-large-squad", 0.75),  # Lambda
        ("link-pcie5-x16", 126),
    ],
)
def test_interconnect_figure(slug: str, value: float) -> None:
    assert float(load("interconnect/measured.yaml")["interconnect"][slug]["value"]) == value


def test_measured_all_reduce_stays_within_the_wire() -> None:
    """Bus bandwidth of one node is at most one direction of the link, or a note says why not."""
    entries = load("interconnect/measured.yaml")["interconnect"]
    one_way = {"4": 62 / 2, "5": 126 / 2}  # PCIe x16 by generation
    checked = 0
    for slug, entry in entries.items():
        if entry["metric"] != "all_reduce_busbw" or entry["scope"] not in ("node", "rack"):
            continue
        device = devices()[entry["device"]]
        nvlink = float(device["nvlink_gbs"])
        limit = nvlink / 2 if nvlink else one_way[device["pcie_gen"]]
        if float(entry["value"]) > limit:
            assert "overstate" in entry.get("notes", ""), slug
        checked += 1
    assert checked > 50


def test_interconnect_names_devices_of_the_catalog() -> None:
    entries = load("interconnect/measured.yaml")["interconnect"]
    assert len(entries) >= 122
    assert {entry["device"] for entry in entries.values() if "device" in entry} <= devices().keys()


def test_interconnect_documents_are_compiled(catalog: Catalog) -> None:
    entry = catalog.document("interconnect", "h100-80gb-sxm-8-all-reduce-512-mib")
    assert (entry["value"], entry["devices"], entry["kind"]) == (445, 8, "measured")
    assert catalog.source(entry["source"]).date == "2026-08-21"
