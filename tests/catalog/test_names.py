"""Spellings, the prefix rule of families, and near misses."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.catalog.names import families_of, matches, nearest, normalise

DEVICES = (
    "T4",
    "T4G",
    "A10",
    "A10G",
    "A100-40GB-PCIe",
    "A100-40GB-SXM",
    "A100-80GB-PCIe",
    "A100-80GB-SXM",
    "H100-80GB-SXM",
    "H200-141GB",
    "H200-141GB-NVL",
    "L4",
    "L40",
    "L40S",
    "V100-16GB-SXM",
    "V100S-32GB-PCIe",
)


@pytest.mark.parametrize(
    ("spelling", "folded"),
    [
        ("A100-40GB-SXM", "a10040gbsxm"),
        ("a100_40gb sxm", "a10040gbsxm"),
        ("NVIDIA-A100-SXM4-40GB", "a100sxm440gb"),
        ("A100 SXM4 (40 GB)", "a100sxm440gb"),
        ("NVIDIA Tesla T4", "t4"),
        ("nvidia-tesla-t4", "t4"),
        ("Tesla-T4", "t4"),
        ("NVIDIA GeForce RTX 4090", "rtx4090"),
        ("AMD Instinct MI300X", "mi300x"),
        ("AMD_Instinct_MI300X_OAM", "mi300xoam"),
        ("Intel(R) Gaudi(R) 2", "gaudi2"),
        ("Intel® Gaudi® 2", "gaudi2"),
        ("AWS Inferentia2", "inferentia2"),
        ("英伟达 T4", "t4"),
        ("昇腾910B", "昇腾910b"),
        ("A100\u3000-\u00a080GB", "a10080gb"),  # ideographic and no-break space
        # A bare vendor is a name, not a prefix of nothing.
        ("NVIDIA", "nvidia"),
        ("aws", "aws"),
        ("", ""),
        # The point and the plus of a MIG profile are part of the name.
        ("1g.5gb+me", "1g.5gb+me"),
    ],
)
def test_normalise(spelling: str, folded: str) -> None:
    assert normalise(spelling) == folded


@pytest.mark.parametrize("pair", [("T4", "T4G"), ("A10", "A10G"), ("A10", "A100"), ("L4", "L40")])
def test_normalise_keeps_different_devices_apart(pair: tuple[str, str]) -> None:
    assert normalise(pair[0]) != normalise(pair[1])


@given(st.text(max_size=60))
def test_normalise_is_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(
    st.lists(st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1), min_size=1, max_size=5),
    st.sampled_from(["", " ", "-", "_", " - "]),
    st.booleans(),
)
def test_normalise_ignores_case_and_separators(parts: list[str], joint: str, upper: bool) -> None:
    text = joint.join(parts)
    assert normalise(text.upper() if upper else text) == normalise("".join(parts))


@pytest.mark.parametrize(
    ("device", "wanted", "expected"),
    [
        ("A100-40GB-SXM", "A100", True),
        ("A100-80GB-PCIe", "A100-80GB", True),
        ("A100-80GB-SXM", "A100-80GB", True),
        ("A100-40GB-SXM", "A100-80GB", False),
        ("A100-80GB-SXM", "A100-80GB-SXM", True),
        ("A100-80GB-SXM", "a100", True),
        ("A10G", "A10", False),
        ("A100-40GB-SXM", "A10", False),
        ("A100-40GB-SXM", "A100-", False),
        ("V100S-32GB-PCIe", "V100", False),
        ("A100", "A100-80GB", False),
        ("T4", "", False),
    ],
)
def test_matches(device: str, wanted: str, expected: bool) -> None:
    assert matches(device, wanted) is expected


@pytest.mark.parametrize(
    ("name", "family", "expected"),
    [
        ("A100-80GB-SXM", "A100", ("A100", "A100-80GB")),
        ("RTX-PRO-6000-WS", "RTX-PRO-6000", ("RTX-PRO-6000",)),
        ("H200-141GB-NVL", "H200", ("H200", "H200-141GB")),
        ("RTX-PRO-6000", "RTX-PRO-6000", ()),
        ("T4", "T4", ()),
        ("A10G", "A10", ()),
    ],
)
def test_families_of(name: str, family: str, expected: tuple[str, ...]) -> None:
    assert families_of(name, family) == expected
    assert all(matches(name, shorter) for shorter in expected)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("A100-90GB-SXM", "A100-80GB-SXM"),
        ("nvidia h100 80gb sxmm", "H100-80GB-SXM"),
        ("L40X", "L40"),
        ("V100-16GB-SXN", "V100-16GB-SXM"),
    ],
)
def test_nearest_puts_the_meant_name_first(typed: str, first: str) -> None:
    assert nearest(typed, DEVICES)[0] == first


def test_nearest_is_bounded_and_may_be_empty() -> None:
    assert nearest("A100", DEVICES) == ("A100-40GB-SXM", "A100-80GB-SXM", "A100-40GB-PCIe")
    assert len(nearest("A100", DEVICES, limit=1)) == 1
    assert nearest("zzz", DEVICES) == ()
    assert nearest("T4", ()) == ()
    # Megabytes of hostile input cost what 80 characters cost.
    assert nearest("x" * 5_000_000, DEVICES) == ()


def test_nearest_keeps_the_spelling_of_other_names() -> None:
    assert nearest("us_esat_1", ("us-east-1", "us-west-2", "eu-west-1"), 1) == ("us-east-1",)
    # GCP spells its regions without the second hyphen; both stand, whatever a set's order.
    assert nearest("us-eats-1", {"us-east1", "us-east-1"}) == ("us-east-1", "us-east1")
    assert nearest("llm-chta", ("ocr", "llm-chat", "llm-batch"), 1) == ("llm-chat",)


def test_import_is_light() -> None:
    code = (
        "import sys; before = set(sys.modules); import gpuadvisor.catalog.names;"
        "print(sorted({'difflib', 'dataclasses', 'inspect', 'yaml'} & (set(sys.modules) - before)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
