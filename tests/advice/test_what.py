"""What people write for an instance type or a device, with its count."""

from __future__ import annotations

import pytest

from gpuadvisor.advice.what import MOST, provisions, read_what
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog

TYPES = [
    ("g5.xlarge", 1, "g5.xlarge"),
    ("G5.XLARGE", 1, "g5.xlarge"),
    ("4x g4dn.12xlarge", 4, "g4dn.12xlarge"),
    ("4xg4dn.12xlarge", 4, "g4dn.12xlarge"),
    (" 4 x  g4dn.12xlarge ", 4, "g4dn.12xlarge"),
    ("4 g4dn.12xlarge", 4, "g4dn.12xlarge"),
    ("4*g4dn.12xlarge", 4, "g4dn.12xlarge"),
    ("4×g4dn.12xlarge", 4, "g4dn.12xlarge"),
    ("g4dn.12xlarge x4", 4, "g4dn.12xlarge"),
    ("g4dn.12xlarge:4", 4, "g4dn.12xlarge"),
    # Names that contain the signs of a count.
    ("n1-standard-8+t4x1", 1, "n1-standard-8+t4x1"),
    ("2x n1-standard-16+t4x2", 2, "n1-standard-16+t4x2"),
    # Azure's prefix may be left out.
    ("3x NC24ads_A100_v4", 3, "Standard_NC24ads_A100_v4"),
    ("azure/NC24ads_A100_v4", 1, "Standard_NC24ads_A100_v4"),
    ("2x aws/g5.xlarge", 2, "g5.xlarge"),
]


@pytest.mark.parametrize(("text", "number", "name"), TYPES)
def test_instance_types(catalog: Catalog, text: str, number: int, name: str) -> None:
    what = read_what(catalog, text)
    assert (what.number, what.name, what.devices) == (number, name, ())
    assert {t.name for t in what.types} == {name}


DEVICES = [
    ("8xA100-80GB", 8, {"A100-80GB-PCIe", "A100-80GB-SXM"}),
    ("1xA100", 1, {"A100-40GB-PCIe", "A100-40GB-SXM", "A100-80GB-PCIe", "A100-80GB-SXM"}),
    ("T4:4", 4, {"T4"}),
    ("4 x nvidia tesla t4", 4, {"T4"}),
    ("2xA10", 2, {"A10"}),  # not the A10G
]


@pytest.mark.parametrize(("text", "number", "names"), DEVICES)
def test_devices_and_families(catalog: Catalog, text: str, number: int, names: set[str]) -> None:
    what = read_what(catalog, text)
    assert (what.number, what.types) == (number, ())
    assert {d.name for d in what.devices} == names


def test_a_device_name_means_the_device_whatever_some_provider_calls_its_type(
    catalog: Catalog,
) -> None:
    named_like_a_device = next(
        t for t in catalog.instance_types().values() if catalog.device_name(t.name) is not None
    )
    assert read_what(catalog, named_like_a_device.name).types == ()
    full = f"{named_like_a_device.provider}/{named_like_a_device.name}"
    assert read_what(catalog, full).types == (named_like_a_device,)


FAULTS = [
    ("g5.xlrge", "g5.xlarge"),
    ("4x g5.xlrge", "g5.xlarge"),
    ("A10O", "A100"),  # the letter O
]


@pytest.mark.parametrize(("text", "nearest"), FAULTS)
def test_unknown_names_show_the_nearest(catalog: Catalog, text: str, nearest: str) -> None:
    with pytest.raises(UsageError) as fault:
        read_what(catalog, text)
    assert fault.value.message.id == "catalog.unknown_name"
    assert nearest in str(fault.value.message.params["nearest"])


@pytest.mark.parametrize("text", ["", "4x", "nosuch/thing"])
def test_nothing_is_near_a_name_of_no_likeness(catalog: Catalog, text: str) -> None:
    with pytest.raises(UsageError) as fault:
        read_what(catalog, text)
    assert fault.value.message.id == "catalog.nothing_near"


@pytest.mark.parametrize("text", ["0xT4", f"{MOST + 1}xT4", "999999999999999999999xT4"])
def test_counts_out_of_range(catalog: Catalog, text: str) -> None:
    with pytest.raises(UsageError) as fault:
        read_what(catalog, text)
    assert fault.value.message.id == "estimate.bad_count"


def test_a_device_is_provided_by_whole_devices_that_can_be_bought(catalog: Catalog) -> None:
    found = provisions(catalog, read_what(catalog, "8xA100-80GB"), ["aws", "azure", "gcp"])
    by_name = {p.type.name: p for p in found}
    # 8 devices: one p4de.24xlarge (8 each), eight Standard_NC24ads_A100_v4 (1 each).
    assert by_name["p4de.24xlarge"].instances == 1
    assert by_name["Standard_NC24ads_A100_v4"].instances == 8
    assert by_name["a2-ultragpu-4g"].instances == 2
    one = provisions(catalog, read_what(catalog, "1xA100"), ["aws"])
    assert {(p.type.name, p.instances, p.used) for p in one} == {
        ("p4d.24xlarge", 1, 1.0),
        ("p4de.24xlarge", 1, 1.0),
    }
    # g6f.xlarge holds an eighth of an L4; Standard_NC6s_v3 (V100) is retired.
    assert all(
        p.type.fraction is None for p in provisions(catalog, read_what(catalog, "L4"), ["aws"])
    )
    retired = provisions(catalog, read_what(catalog, "V100"), ["azure"])
    assert "Standard_NC6s_v3" not in {p.type.name for p in retired}
