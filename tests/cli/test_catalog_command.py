"""`gpuadvisor catalog` on the shipped catalogs: what users look up, and the JSON of it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from gpuadvisor.report.catalog_schema import output_schema

from .run import gpuadvisor


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("list", ()),
        ("show", ("g5.xlarge",)),
        ("show", ("g6f.2xlarge", "--region", "us-east-1")),
        ("show", ("A100",)),
        ("show", ("A100-40GB-SXM:1g.5gb",)),
        ("show", ("Standard_NC6s_v3",)),
    ],
)
def test_json_follows_its_schema(command: str, arguments: tuple[str, ...]) -> None:
    done = gpuadvisor("catalog", command, *arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    jsonschema.validate(json.loads(done.out), output_schema(f"catalog-{command}"))


@pytest.mark.parametrize(
    ("name", "types"),
    [("aws", 100), ("gcp", 40), ("azure", 70), ("oci", 15), ("lambda", 15), ("alibaba", 100),
     ("tencent", 20), ("huawei", 10)],
)  # fmt: skip
def test_list_has_the_providers_that_were_promised(name: str, types: int) -> None:
    rows = json.loads(gpuadvisor("catalog", "list", "--format", "json").out)["catalogs"]
    shapes = next(r for r in rows if (r["name"], r["kind"]) == (name, "shapes"))
    assert shapes["instance_types"] >= types


def test_the_newest_versions_hold_six_thousand_offers() -> None:
    rows = json.loads(gpuadvisor("catalog", "list", "--format", "json").out)["catalogs"]
    newest = {r["name"]: r["offers"] for r in rows if r["kind"] == "prices"}
    assert sum(newest.values()) >= 6000


# Fractions and memory: karpenter's generated reference of EC2 types; Microsoft's size page of NVadsA10 v5.
SLICES = [
    ("g6f.2xlarge", "aws g6f.2xlarge: 1/4 of one L4, 5.59 GiB", "0.25"),
    ("Standard_NV6ads_A10_v5", "azure Standard_NV6ads_A10_v5: 1/6 of one A10, 4 GiB", "0.1667"),
]


@pytest.mark.parametrize(("name", "head", "share"), SLICES)
def test_a_slice_is_shown_as_one(name: str, head: str, share: str) -> None:
    lines = gpuadvisor("catalog", "show", name).out.splitlines()
    assert lines[0] == head
    assert lines[1].strip().startswith(f"holds {share} of one ")


def test_a_device_name_is_the_device_even_where_a_type_bears_it() -> None:
    assert gpuadvisor("catalog", "show", "T4").out.startswith("T4\n")
    assert gpuadvisor("catalog", "show", "modal/t4").out.startswith("modal t4: 1 x T4")


# Microsoft's list of retired sizes: NCv3 retired on 2025-09-30.
@pytest.mark.parametrize(
    ("today", "shown"),
    [
        ("2025-09-29", "will be retired on 2025-09-30"),
        ("2025-09-30", "retired on 2025-09-30: never recommended"),
    ],
)
def test_retirement_is_told_as_of_the_day_asked(today: str, shown: str) -> None:
    out = gpuadvisor("catalog", "show", "Standard_NC6s_v3", "--today", today).out
    assert f"  {shown}\n" in out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("g5.xlagre", "nearest: g5.xlarge"),
        ("nosuch", "no known name is near it"),
        ("AWS", "`aws` is a provider"),
        ("A100:9g.5gb", "unknown partition `A100:9g.5gb`"),
    ],
)
def test_unknown_names_are_exit_2(name: str, said: str) -> None:
    done = gpuadvisor("catalog", "show", name)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


# AWS announcement of 2025-06: P5 down by up to 44 %; g4dn was not part of it.
def test_diff_shows_the_price_cut_of_june_2025() -> None:
    done = gpuadvisor("catalog", "diff", "aws@2025.04", "aws@latest", "--format", "json")
    document = json.loads(done.out)
    changes = {
        (c["instance_type"], c["region"]): c["change_pct"]
        for c in document["changes"]
        if c["option"] == "on_demand"
    }
    assert changes["p5.48xlarge", "us-east-1"] == pytest.approx(-44.0, abs=0.05)
    assert ("g4dn.xlarge", "us-east-1") not in changes
