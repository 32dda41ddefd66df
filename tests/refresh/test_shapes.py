"""Types as the clouds describe them against the catalog's, and `shapes.yaml` edited by lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.catalog.reader import read
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh.interface import Puzzle, SeenType
from gpuadvisor.refresh.order import placed, size_key
from gpuadvisor.refresh.shape_file import Edit, edited, edits_of
from gpuadvisor.refresh.shapes import ShapeChange, shape_changes

ROOT = Path(__file__).resolve().parents[2] / "catalogs/providers"
SOURCE = {
    "title": "API",
    "address": "https://x.example",
    "date": "2026-11-30",
    "confidence": "official",
}


def as_seen(item: InstanceType, **changed: Any) -> SeenType:
    """What a cloud would say of a type that is as the catalog has it."""
    fields = {
        "name": item.name, "family": item.family, "device": item.device,
        "devices": None if item.fraction else int(item.devices), "fraction": item.fraction,
        "memory_gib": item.memory_gib, "vcpus": item.vcpus,
        "host_memory_gib": item.host_memory_gib, "network_gbps": item.network_gbps,
        "rdma": item.rdma, "interconnect": None, "local_disk_gb": item.local_disk_gb,
        "arch": item.arch, "sold": None, "feed": "api",
    }  # fmt: skip
    return SeenType(**{**fields, **changed})


@pytest.fixture(scope="module")
def aws(catalog: Catalog) -> dict[str, InstanceType]:
    return {n: t for (p, n), t in catalog.instance_types().items() if p == "aws"}


def changes_of(
    catalog: Catalog, known: dict[str, InstanceType], *seen: SeenType, priced: Any = None
) -> tuple[list[ShapeChange], list[Puzzle]]:
    return shape_changes("aws", seen, priced or {}, known, catalog.devices())


def test_nothing_changes_where_the_cloud_says_the_same(
    catalog: Catalog, aws: dict[str, InstanceType]
) -> None:
    changes, puzzles = changes_of(catalog, aws, *(as_seen(t) for t in aws.values()))
    assert (changes, puzzles) == ([], [])


CHANGED = {
    # field of the type -> what is seen, what differs, whether it needs consent
    "rounded alike": ({"host_memory_gib": 1151.0}, {}, False),
    "more network": ({"network_gbps": 800}, {"network_gbps": ("400", "800")}, False),
    "another count": ({"devices": 4}, {"devices": ("8", "4")}, True),
    "another device": (
        {"device": "A100-80GB-SXM", "memory_gib": 80},
        {"device": ("A100-40GB-SXM", "A100-80GB-SXM"), "memory_gib": ("40", "80")}, True,
    ),
    "one alone has no link": (
        {"devices": 1}, {"devices": ("8", "1"), "interconnect": ("nvlink", "none")}, True,
    ),
    "sold in one way more": (
        {"sold": ("on_demand", "flex_start")},
        {"sold": ("on_demand, spot, reserved, savings_plan, capacity_block",
                  "on_demand, spot, reserved, savings_plan, capacity_block, flex_start")}, True,
    ),
    "silent on how it is sold otherwise": ({"sold": ("on_demand",)}, {}, False),
    "silent": ({"vcpus": None, "host_memory_gib": None, "network_gbps": None, "rdma": None,
                "local_disk_gb": None}, {}, False),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGED)
def test_differences(catalog: Catalog, aws: dict[str, InstanceType], case: str) -> None:
    fields, expected, gated = CHANGED[case]
    known = aws["p4d.24xlarge"]
    changes, puzzles = changes_of(catalog, aws, as_seen(known, **fields))
    assert puzzles == []
    found = {name: (a, b) for change in changes for name, a, b in change.fields}
    assert found == expected
    assert any(change.gated for change in changes) is gated


PUZZLES = {
    "no such device": ({"device": "NVIDIA Z1000"}, "device"),
    "a count of zero": ({"devices": 0}, "device"),  # p5.4xlarge once came back so
    "no count": ({"devices": None}, "device"),
    "memory of another card": ({"memory_gib": 80.0}, "device"),  # p4d is not p4de
    "a strange fraction": ({"devices": None, "fraction": "3/2"}, "device"),
    "a strange architecture": ({"arch": "riscv"}, "device"),
    # What the schema refuses would end the refresh of every other type.
    "a text for a number": ({"vcpus": "96"}, "family"),
    "a truth for a number": ({"devices": True}, "family"),
    "an infinite network": ({"network_gbps": float("inf")}, "family"),
    "cores below zero": ({"vcpus": -1}, "family"),
    "half a core": ({"vcpus": 2.5}, "family"),
    "half a device": ({"devices": 1.5}, "family"),
    "no host memory at all": ({"host_memory_gib": -1.0}, "family"),
    "a network of no known kind": ({"rdma": "magic"}, "family"),
    "a number for a name": ({"name": 5}, "family"),
    "no name": ({"name": ""}, "family"),
    "a name of two lines": ({"name": "p9.large\nschema: x"}, "family"),
    "a name that breaks YAML": ({"name": "p9: {large"}, "family"),
    "a name that reads backwards": ({"name": "p9.\u202elarge"}, "family"),
    "a path for a name": ({"name": "../../p9.large"}, "family"),
    "a new type of no family": ({"name": "p9.large", "family": ""}, "family"),
    "sold in no known way": ({"name": "p9.large", "sold": ("rented",)}, "family"),
}


@pytest.mark.parametrize("case", PUZZLES)
def test_what_cannot_be_written_is_told(
    catalog: Catalog, aws: dict[str, InstanceType], case: str
) -> None:
    fields, kind = PUZZLES[case]
    changes, puzzles = changes_of(catalog, aws, as_seen(aws["p4d.24xlarge"], **fields))
    assert changes == [] and [p.kind for p in puzzles] == [kind]


def test_memory_as_reported_is_the_nominal_memory(
    catalog: Catalog, aws: dict[str, InstanceType]
) -> None:
    """AWS reports 22888 MiB of an L4 and an A10G, 45776 of an L40S, 15360 of a T4."""
    for name, mib in (
        ("g6.xlarge", 22888),
        ("g5.xlarge", 22888),
        ("g6e.xlarge", 45776),
        ("g4dn.xlarge", 15360),
    ):
        seen = as_seen(aws[name], memory_gib=mib / 1024)
        assert changes_of(catalog, aws, seen) == ([], [])


def test_a_new_type_takes_from_its_family_what_no_feed_states(
    catalog: Catalog, aws: dict[str, InstanceType]
) -> None:
    seen = as_seen(aws["p4d.24xlarge"], name="p4d.48xlarge", devices=16, vcpus=192)
    changes, _ = changes_of(
        catalog, aws, seen, priced={"p4d.48xlarge": frozenset({"spot", "on_demand"})}
    )
    after = changes[0].after
    assert (after.quota, after.interconnect, after.sold) == ("p", "nvlink", ("on_demand", "spot"))
    assert "p4d.24xlarge" in str(after.notes) and not changes[0].gated


def test_regions_that_say_the_same_type_are_one(
    catalog: Catalog, aws: dict[str, InstanceType]
) -> None:
    known = aws["g6.xlarge"]
    seen = (
        as_seen(known, vcpus=None, sold=("on_demand",)),
        as_seen(known, vcpus=8, sold=("spot",)),
        as_seen(known, vcpus=8, memory_gib=23.0),
    )
    changes, puzzles = changes_of(catalog, aws, *seen)
    assert [c.fields for c in changes] == [(("vcpus", "4", "8"),)]
    assert [(p.kind, p.name) for p in puzzles] == [("family", "g6.xlarge")]


# -- the file ----------------------------------------------------------------------------------


def test_every_shipped_row_can_be_edited_alone(catalog: Catalog) -> None:
    """Change one field of each type of each provider: one row and one source differ, and it reads."""
    for path in sorted(ROOT.glob("*/shapes.yaml")):
        provider, text = path.parent.name, path.read_text("utf-8")
        types = {n: t for (p, n), t in catalog.instance_types().items() if p == provider}
        families = {name: t.family for name, t in types.items()}
        for name, item in list(types.items())[::25]:
            edit = Edit(item._replace(host_memory_gib=777), "api", ("host_memory_gib",), False)
            after = edited(text, [edit], {"api": SOURCE}, families)
            old, new = text.splitlines(), after.splitlines()
            assert len(new) == len(old) + 1
            assert len(set(old) - set(new)) == 1 and len(set(new) - set(old)) == 2
            was = read(str(path)).data["types"][name]
            row = read(str(path), after.encode()).data["types"][name]
            assert row == {**was, "host_memory_gib": "777", "source": "api"}


def test_a_comment_behind_a_row_stays() -> None:
    text = (
        "sources:\n  s: {title: t}\ntypes:\n"
        '  a.1: {family: a, device: T4, devices: 1, memory_gib: 16, notes: "a, {b}: c"}   # mine\n'
    )
    item = InstanceType(
        "p", "a.1", "a", "T4", 2.0, None, 16, 4, None, None, None, "pcie", None, "x86_64", (),
        "active", None, "instance", None, "s", None,
    )  # fmt: skip
    after = edited(text, [Edit(item, "s", ("devices", "interconnect"), False)], {}, {"a.1": "a"})
    assert after.splitlines()[-1] == (
        "  a.1: {family: a, device: T4, devices: 2, memory_gib: 16, interconnect: pcie, source: s,"
        ' notes: "a, {b}: c"}   # mine'
    )


def test_keys_of_feeds_become_sources(catalog: Catalog, aws: dict[str, InstanceType]) -> None:
    changes, _ = changes_of(catalog, aws, as_seen(aws["g6.xlarge"], vcpus=8))
    assert edits_of(changes, {"api": "api-2026-11-30"})[0].source == "api-2026-11-30"


@pytest.mark.parametrize(
    ("names", "more", "expected"),
    [
        (["g5.xlarge", "g5.12xlarge", "g6.xlarge"], ["g5.2xlarge"], 1),
        (["g5.xlarge", "g6.xlarge"], ["g5.48xlarge"], 1),
        (["g5.2xlarge", "g6.xlarge"], ["g5.xlarge"], 0),
        (["g5.xlarge", "p5.xlarge"], ["h1.xlarge"], 1),
        (["g5.xlarge"], ["z1.xlarge"], 1),
        ([], ["g5.xlarge"], 0),
    ],
)
def test_where_a_new_name_goes(names: list[str], more: list[str], expected: int) -> None:
    blank = InstanceType._make([None] * len(InstanceType._fields))
    types = {n: blank._replace(family=n.partition(".")[0]) for n in (*names, *more)}
    assert placed(names, more, types).index(more[0]) == expected


def test_sizes_sort_as_sizes() -> None:
    names = ["g5.xlarge", "g5.2xlarge", "g5.12xlarge", "g5.metal"]
    assert sorted(["g5.metal", "g5.12xlarge", "g5.xlarge", "g5.2xlarge"], key=size_key) == names
