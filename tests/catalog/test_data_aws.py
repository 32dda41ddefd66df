"""The AWS catalog: counts, what may be bought as what, and prices checked by hand.

Everything is read as text and turned into Decimal, so that a price is compared as printed.
"""

from __future__ import annotations

import datetime
import os
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
import yaml

ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "catalogs")
SHAPES = "providers/aws/shapes.yaml"
OLD = "providers/aws/prices/2025.04.yaml"
NEW = "providers/aws/prices/2026.10.yaml"
REGIONS = "regions/aws.yaml"
PRICE_FILES = (OLD, NEW)

# N. Virginia and GovCloud, not a local zone (us-west-2-lax-1) or wavelength zone (…-wl1-bna1).
REGION_CODE = re.compile(r"^[a-z]{2}(-gov)?-[a-z]+-\d$")


class Cell(NamedTuple):
    """One cell of a price file: where it stands, its prices and the sources it names."""

    type: str
    region: str
    key: str
    prices: tuple[Decimal, ...]
    sources: tuple[str, ...]


@lru_cache
def load(name: str) -> Any:
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return yaml.load(file, Loader=yaml.CBaseLoader)  # noqa: S506 - yields text only


def types() -> dict[str, Any]:
    found: dict[str, Any] = load(SHAPES)["types"]
    return found


def cells(name: str) -> Iterator[Cell]:
    for type_, regions in load(name)["prices"].items():
        for region, row in regions.items():
            for key, cell in row.items():
                prices: tuple[Decimal, ...]
                if key == "spot":
                    prices = (Decimal(cell["low"]), Decimal(cell["typical"]))
                    named = [cell["source"], cell.get("interruption_source")]
                else:
                    prices, named = (Decimal(cell[0]),), cell[1:]
                yield Cell(type_, region, key, prices, tuple(n for n in named if n is not None))


def price(name: str, type_: str, region: str, key: str) -> Decimal:
    return Decimal(load(name)["prices"][type_][region][key][0])


# -- counts and shapes ---------------------------------------------------------------------


def test_every_accelerator_type_once() -> None:
    # DescribeInstanceTypes of 2026 plus the retired families and the two UltraServer members.
    assert len(types()) == 102
    families = Counter(shape["family"] for shape in types().values())
    assert families["g4dn"] == 7
    assert families["g5"] == families["g6"] == families["g6e"] == 8
    assert families["g6f"] == 4
    assert families["p5"] == 2
    assert len(families) == 34


@pytest.mark.parametrize("name", PRICE_FILES)
def test_prices_name_known_types_and_regions(name: str) -> None:
    for cell in cells(name):
        assert cell.type in types()
        assert cell.region in load(REGIONS)["regions"]


def test_coverage_of_the_newest_version() -> None:
    rows = [c for c in cells(NEW) if c.key == "on_demand"]
    assert len({c.region for c in rows}) >= 30
    assert len({(c.type, c.region) for c in rows}) >= 1100
    options = Counter(c.key.split("/")[0] for c in cells(NEW))
    assert options["spot"] >= 650
    assert options["reserved"] >= 3000
    assert options["savings_plan"] >= 130
    assert options["capacity_block"] == 64
    # Only the two UltraServer members are without any price: they are sold as a whole.
    assert set(types()) - set(load(NEW)["prices"]) == {"p6e-gb200.36xlarge", "trn2u.48xlarge"}


@pytest.mark.parametrize(
    ("name", "device", "devices", "gib", "vcpus"),
    [  # AWS instance type pages and DescribeInstanceTypes
        ("g4dn.12xlarge", "T4", "4", "16", "48"),
        ("g5.48xlarge", "A10G", "8", "24", "192"),
        ("g5g.16xlarge", "T4G", "2", "16", "64"),
        ("p3dn.24xlarge", "V100-32GB-SXM", "8", "32", "96"),
        ("p3.2xlarge", "V100-16GB-SXM", "1", "16", "8"),
        ("p4d.24xlarge", "A100-40GB-SXM", "8", "40", "96"),
        ("p4de.24xlarge", "A100-80GB-SXM", "8", "80", "96"),
        ("p5.4xlarge", "H100-80GB-SXM", "1", "80", "16"),
        ("p5en.48xlarge", "H200-141GB", "8", "141", "192"),
        ("p6-b300.48xlarge", "B300-270GB", "8", "270", "192"),
        ("g7e.48xlarge", "RTX-PRO-6000", "8", "96", "192"),
        ("trn2.48xlarge", "Trainium2", "16", "96", "192"),
        ("p2.16xlarge", "K80", "16", "12", "64"),
    ],
)
def test_shapes(name: str, device: str, devices: str, gib: str, vcpus: str) -> None:
    shape = types()[name]
    assert (shape["device"], shape["devices"]) == (device, devices)
    assert (shape["memory_gib"], shape["vcpus"]) == (gib, vcpus)


@pytest.mark.parametrize(
    ("name", "fraction", "mib"),
    [  # GpuPartitionSize and the memory of the partition, EC2 API; the API's GPU count is 0
        ("g6f.large", "1/8", 2861),
        ("g6f.xlarge", "1/8", 2861),
        ("g6f.2xlarge", "1/4", 5722),
        ("g6f.4xlarge", "1/2", 11444),
        ("gr6f.4xlarge", "1/2", 11444),
    ],
)
def test_fractions_of_an_l4(name: str, fraction: str, mib: int) -> None:
    shape = types()[name]
    assert shape["device"] == "L4"
    assert shape["fraction"] == fraction
    assert "devices" not in shape
    assert abs(float(shape["memory_gib"]) - mib / 1024) < 0.006
    assert float(shape["memory_gib"]) <= 24 * Fraction(fraction)


def test_one_memory_per_device() -> None:
    seen: dict[str, set[str]] = {}
    for shape in types().values():
        if "fraction" not in shape:
            seen.setdefault(shape["device"], set()).add(shape["memory_gib"])
    assert {device: sizes for device, sizes in seen.items() if len(sizes) != 1} == {}


def test_links_follow_the_count() -> None:
    for name, shape in types().items():
        single = shape.get("devices", "1") == "1"
        assert (shape["interconnect"] == "none") == single, name
        if shape["family"].startswith("g"):  # every G family is PCIe only
            assert shape["interconnect"] in ("none", "pcie"), name


def test_arm_hosts() -> None:
    arm = {shape["family"] for shape in types().values() if shape["arch"] == "arm64"}
    assert arm == {"g5g", "p6e-gb200"}


# -- what is really sold -------------------------------------------------------------------


def test_retired_types_are_not_sold() -> None:
    retired = {n: s for n, s in types().items() if s["status"] == "retired"}
    assert {s["family"] for s in retired.values()} == {"g2", "g3", "g3s", "p2", "p3"}
    assert all(s["sold"] == [] for s in retired.values())
    # SummitRoute/aws_breaking_changes#114; zalando-incubator/kubernetes-on-aws#8685
    assert types()["g3.4xlarge"]["retired_on"] == "2025-10-31"
    assert types()["p3.2xlarge"]["retired_on"] == "2025-12-20"
    # Retired types keep their list price, but no spot and no commitment.
    left = {c.key for c in cells(NEW) if c.type in retired}
    assert left == {"on_demand"}


@pytest.mark.parametrize("name", ["p5e.48xlarge", "p6e-gb200.36xlarge", "trn2u.48xlarge"])
def test_never_on_demand(name: str) -> None:
    assert "on_demand" not in types()[name]["sold"]
    for file in PRICE_FILES:
        assert not [c for c in cells(file) if c.type == name and c.key == "on_demand"]


@pytest.mark.parametrize(
    ("name", "sold"),
    [
        ("g4dn.xlarge", ["on_demand", "spot", "reserved", "savings_plan"]),
        ("g6f.large", ["on_demand", "spot", "savings_plan"]),
        ("p4d.24xlarge", ["on_demand", "spot", "reserved", "savings_plan", "capacity_block"]),
        ("p5.48xlarge", ["on_demand", "spot", "reserved", "savings_plan", "capacity_block"]),
        ("p5e.48xlarge", ["spot", "capacity_block"]),
        ("p6-b200.48xlarge", ["on_demand", "spot", "savings_plan", "capacity_block"]),
        ("p6e-gb200.36xlarge", ["capacity_block"]),
    ],
)
def test_sold(name: str, sold: list[str]) -> None:
    assert types()[name]["sold"] == sold


def test_what_has_a_price_is_sold_so() -> None:
    for cell in cells(NEW):
        shape = types()[cell.type]
        if shape["sold"]:
            assert cell.key.split("/")[0] in shape["sold"], cell


def test_only_p5_48xlarge_3y_is_reserved_without_a_1y_standard_rate() -> None:
    reserved = {
        (c.type, "/".join(c.key.split("/")[1:3])) for c in cells(NEW) if "reserved" in c.key
    }
    for name in {type_ for type_, _ in reserved}:
        assert ((name, "1y/standard") in reserved) == (name != "p5.48xlarge"), name
    assert ("p5.48xlarge", "3y/standard") in reserved


def test_p6_one_year_is_a_compute_plan() -> None:
    for cell in cells(NEW):
        if cell.type.startswith("p6-") and cell.key.startswith("savings_plan/1y"):
            assert cell.key == "savings_plan/1y/compute/no_upfront"
        assert not (cell.type.startswith("p6") and cell.key.startswith("reserved"))


def test_pairs_that_no_zone_launches() -> None:
    # In the price list, but in no offering: EC2 DescribeInstanceTypeOfferings.
    for file in PRICE_FILES:
        prices = load(file)["prices"]
        for name, region in (
            ("p4d.24xlarge", "ap-southeast-1"),
            ("p4d.24xlarge", "sa-east-1"),
            ("p5.48xlarge", "sa-east-1"),
        ):
            keys = {key.split("/")[0] for key in prices[name].get(region, {})}
            assert keys <= {"capacity_block"}


# -- prices ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRICE_FILES)
def test_no_price_is_zero_or_negative(name: str) -> None:
    assert [c for c in cells(name) if min(c.prices) <= 0] == []


@pytest.mark.parametrize("name", PRICE_FILES)
def test_no_local_zone_and_no_china(name: str) -> None:
    odd = {c.region for c in cells(name) if not REGION_CODE.match(c.region)}
    assert odd == set()
    assert not any(c.region.startswith("cn-") for c in cells(name))


@pytest.mark.parametrize("name", PRICE_FILES)
def test_every_price_has_a_dated_source(name: str) -> None:
    sources = load(name)["sources"]
    used = {source for cell in cells(name) for source in cell.sources}
    assert used == set(sources), "each named source is declared and each declared one is used"
    for entry in sources.values():
        datetime.date.fromisoformat(entry["date"])
        assert entry["title"]
        assert entry["address"].startswith("https://")
        assert entry["confidence"] in ("official", "secondary", "low")


@pytest.mark.parametrize("name", PRICE_FILES)
def test_a_confirmation_is_later(name: str) -> None:
    sources = load(name)["sources"]
    for cell in cells(name):
        if cell.key != "spot" and len(cell.sources) == 2:
            first, second = (sources[s]["date"] for s in cell.sources)
            assert second > first, cell


def test_no_source_is_newer_than_the_version() -> None:
    for name in PRICE_FILES:
        version = load(name)["version"]
        newest = max(entry["date"] for entry in load(name)["sources"].values())
        assert newest[:7].replace("-", ".") <= version


def test_spot_lies_between_a_twentieth_and_on_demand() -> None:
    checked = 0
    for cell in cells(NEW):
        row = load(NEW)["prices"][cell.type][cell.region]
        if cell.key != "spot":
            continue
        low, typical = cell.prices
        assert low <= typical
        if "on_demand" in row:
            ceiling = Decimal(row["on_demand"][0])
            assert ceiling / 20 <= low, cell
            assert typical <= ceiling, cell
            checked += 1
    assert checked > 600


def test_spot_says_how_it_was_measured() -> None:
    for type_, regions in load(NEW)["prices"].items():
        for region, row in regions.items():
            spot = row.get("spot")
            if spot is None:
                continue
            assert spot["measure"] in ("zones", "region_lowest", "zone_mean"), (type_, region)
            if spot["measure"] == "region_lowest":
                assert spot["low"] == spot["typical"]
            assert ("interruption" in spot) == ("interruption_source" in spot)


@pytest.mark.parametrize("name", PRICE_FILES)
def test_a_commitment_costs_less_than_on_demand(name: str) -> None:
    compared = 0
    for cell in cells(name):
        if cell.key.split("/")[0] in ("reserved", "savings_plan"):
            on_demand = price(name, cell.type, cell.region, "on_demand")
            assert cell.prices[0] < on_demand, cell
            compared += 1
    assert compared > 3000


def test_three_years_cost_less_than_one_and_convertible_more_than_standard() -> None:
    for type_, regions in load(NEW)["prices"].items():
        for region, row in regions.items():
            rate = {key: Decimal(cell[0]) for key, cell in row.items() if key != "spot"}
            for shorter, longer in (
                ("reserved/1y/standard/no_upfront", "reserved/3y/standard/no_upfront"),
                ("reserved/1y/convertible/no_upfront", "reserved/3y/convertible/no_upfront"),
                ("reserved/1y/convertible/no_upfront", "reserved/1y/standard/no_upfront"),
                ("reserved/3y/convertible/no_upfront", "reserved/3y/standard/no_upfront"),
            ):
                if shorter in rate and longer in rate:
                    assert rate[longer] < rate[shorter], (type_, region, longer)


def test_no_rate_of_before_june_2025_survives_where_the_price_was_cut() -> None:
    cut = {"p4d.24xlarge", "p4de.24xlarge", "p5.48xlarge", "p5en.48xlarge"}
    sources = load(NEW)["sources"]
    for cell in cells(NEW):
        if cell.type in cut:
            assert all(
                sources[s]["date"] > "2025-06-05" for s in cell.sources if "advisor" not in s
            ), cell


@pytest.mark.parametrize(
    ("type_", "before", "after", "change"),
    [  # AWS News Blog 2025-06-05: P5 up to 44 %, P4d and P4de up to 33 %; G4dn not in the cut
        ("p5.48xlarge", "98.32", "55.04", "-44.0"),
        ("p4d.24xlarge", "32.7726", "21.957642", "-33.0"),
        ("p4de.24xlarge", "40.96575", "27.44705", "-33.0"),
        ("g4dn.xlarge", "0.526", "0.526", "0.0"),
    ],
)
def test_cut_of_june_2025(type_: str, before: str, after: str, change: str) -> None:
    old = price(OLD, type_, "us-east-1", "on_demand")
    new = price(NEW, type_, "us-east-1", "on_demand")
    assert (old, new) == (Decimal(before), Decimal(after))
    assert round((new / old - 1) * 100, 1) == Decimal(change)


RI_1Y = "reserved/1y/standard/no_upfront"
RI_3Y = "reserved/3y/standard/no_upfront"
CONVERTIBLE_1Y = "reserved/1y/convertible/no_upfront"
CONVERTIBLE_3Y = "reserved/3y/convertible/no_upfront"
SP_1Y = "savings_plan/1y/ec2_instance/no_upfront"
SP_3Y = "savings_plan/3y/ec2_instance/no_upfront"
COMPUTE_1Y = "savings_plan/1y/compute/no_upfront"
BLOCK = "capacity_block/1-182d/-/all_upfront"


@pytest.mark.parametrize(
    ("file", "type_", "region", "key", "expected"),
    [
        # karpenter-provider-aws pricing_aws.go 2026-07-20, again in need-more-vram 2026-10-05
        (NEW, "g4dn.xlarge", "us-east-1", "on_demand", "0.526"),
        (NEW, "g5.xlarge", "us-east-1", "on_demand", "1.006"),
        (NEW, "g6e.48xlarge", "us-east-1", "on_demand", "30.13118"),
        (NEW, "p6-b200.48xlarge", "us-east-1", "on_demand", "113.9328"),
        (NEW, "inf2.48xlarge", "us-east-1", "on_demand", "12.98127"),
        (NEW, "trn1.32xlarge", "us-east-1", "on_demand", "21.5"),
        # karpenter-provider-aws pricing_aws_us_gov.go 2026-07-20
        (NEW, "p6-b200.48xlarge", "us-gov-east-1", "on_demand", "136.71936"),
        # skypilot-catalog v9 aws/vms.csv @2c3d7ea
        (NEW, "g4dn.xlarge", "ap-northeast-1", "on_demand", "0.71"),
        (NEW, "g6.xlarge", "eu-central-1", "on_demand", "1.0064"),
        (NEW, "g6f.2xlarge", "us-west-2", "on_demand", "0.475"),
        (NEW, "p5en.48xlarge", "eu-north-1", "on_demand", "67.72672"),
        (NEW, "g5.12xlarge", "ap-east-1", "on_demand", "8.7324"),
        # tsaol/aws-gpu 2026-01-21 (corrects a price of before the cut)
        (NEW, "p4de.24xlarge", "il-central-1", "on_demand", "35.57346"),
        # need-more-vram pricing.json 2026-10-05 (new pairs)
        (NEW, "p6-b300.48xlarge", "ap-southeast-3", "on_demand", "230.93"),
        (NEW, "g7e.2xlarge", "ap-southeast-3", "on_demand", "6.40239"),
        # ec2.shop reserved-instance files @73696e3, on-demand unchanged since
        (NEW, "g4dn.xlarge", "us-east-1", RI_1Y, "0.331"),
        (NEW, "g4dn.xlarge", "us-east-1", RI_3Y, "0.227"),
        (NEW, "g4dn.xlarge", "us-east-1", CONVERTIBLE_1Y, "0.381"),
        (NEW, "g4dn.xlarge", "us-east-1", CONVERTIBLE_3Y, "0.273"),
        (NEW, "g4dn.xlarge", "sa-east-1", RI_3Y, "0.454"),  # 49.2 % off there, 56.8 % elsewhere
        (NEW, "g5.xlarge", "eu-west-1", RI_1Y, "0.70749"),
        # sooddvs/gpu-pricing 2026-06-15 (AWS GetProducts)
        (NEW, "p4d.24xlarge", "us-east-1", RI_3Y, "9.3742"),
        (NEW, "p5.48xlarge", "ap-south-1", RI_3Y, "28.5327"),
        # AWS bulk files of 2026-09-25
        (NEW, "p5.48xlarge", "us-east-1", SP_1Y, "34.6752"),
        (NEW, "p5.48xlarge", "us-east-1", SP_3Y, "23.77728"),
        (NEW, "p6-b200.48xlarge", "us-east-1", COMPUTE_1Y, "89.72208"),
        (NEW, "p6-b300.48xlarge", "us-east-1", SP_3Y, "61.52371"),
        # AWS Capacity Blocks page: rise of 2026-10-07; Tokyo still 2026-07-22
        (NEW, "p5.48xlarge", "us-east-1", BLOCK, "47.76"),
        (NEW, "p5e.48xlarge", "eu-north-1", BLOCK, "54.928"),
        (NEW, "p5.48xlarge", "ap-northeast-1", BLOCK, "37.76"),
        (NEW, "trn1.32xlarge", "us-east-2", BLOCK, "9.532"),
        # ec2.shop, AWS publication of 2025-04-04
        (OLD, "p5.48xlarge", "us-east-1", "on_demand", "98.32"),
        (OLD, "p5.48xlarge", "us-east-1", CONVERTIBLE_1Y, "77.427"),
        (OLD, "g4ad.xlarge", "us-west-2", "on_demand", "0.37853"),
        # Mirror of the Capacity Blocks page of 2024-Q4
        (OLD, "p5.48xlarge", "us-east-1", "capacity_block/1-28d/-/all_upfront", "39.33"),
    ],
)
def test_prices_checked_by_hand(
    file: str, type_: str, region: str, key: str, expected: str
) -> None:
    assert price(file, type_, region, key) == Decimal(expected)


@pytest.mark.parametrize(
    ("type_", "region", "low", "typical", "measure", "interruption"),
    [
        # mean 2026-10-05 (need-more-vram) below the lowest of 2026-08-10 (0.3196), so the low is
        # the cheapest of five zones in SkyPilot's catalog; advisor of 2026-08-10
        ("g4dn.xlarge", "us-east-1", "0.2132", "0.28016", "zone_mean", "10-15%"),
        # mean 2026-10-05; low = spot.json 2026-08-10
        ("g6.4xlarge", "us-east-1", "0.6713", "0.96162", "zone_mean", ">20%"),
        # spot.json 2026-08-10 alone
        ("g4dn.12xlarge", "eu-west-1", "1.9055", "1.9055", "region_lowest", None),
        # lowest 2026-08-10; SkyPilot zones 10.6163, 12.7109, 20.6008
        ("p4d.24xlarge", "us-east-2", "6.0795", "12.7109", "zones", ">20%"),
        # SkyPilot zones 1.2285, 0.4068, 0.5012; advisor of 2025-06-28
        ("g6.2xlarge", "eu-west-2", "0.4068", "0.5012", "zones", ">20%"),
        # lowest 0.8293 on 2026-08-10; SkyPilot zones 0.9368 and 0.9174
        ("g5.2xlarge", "ap-northeast-1", "0.8293", "0.9271", "zones", None),
        # dstack pull request 4110, 2026-08-06: at on-demand
        ("p5en.48xlarge", "us-west-1", "79.12", "79.12", "region_lowest", "<5%"),
    ],
)
def test_spot_checked_by_hand(
    type_: str, region: str, low: str, typical: str, measure: str, interruption: str | None
) -> None:
    spot = load(NEW)["prices"][type_][region]["spot"]
    assert (Decimal(spot["low"]), Decimal(spot["typical"])) == (Decimal(low), Decimal(typical))
    assert spot["measure"] == measure
    if interruption is not None:
        assert spot["interruption"] == interruption


# -- regions and quotas ---------------------------------------------------------------------


def test_geography() -> None:
    regions = load(REGIONS)["regions"]
    european_union = {name for name, region in regions.items() if region["eu"] == "true"}
    # Zurich and London are in Europe, not in the Union.
    assert european_union == {
        "eu-central-1", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1", "eu-west-3",
    }  # fmt: skip
    assert {regions[r]["geo"] for r in ("eu-west-2", "eu-central-2")} == {"europe"}
    assert regions["ap-south-1"]["geo"] == "india"
    assert regions["ap-southeast-2"]["geo"] == "oceania"
    assert load(SHAPES)["reference_region"] in regions


def test_quota_codes() -> None:
    # Amazon EC2 instance type quotas, AWS documentation
    quotas = load(SHAPES)["quotas"]
    assert (quotas["g"]["code"], quotas["g"]["spot_code"]) == ("L-DB2E81BA", "L-3819A6DF")
    assert (quotas["p"]["code"], quotas["p"]["spot_code"]) == ("L-417A185B", "L-7212CCBC")
    assert (quotas["p5"]["code"], quotas["p5"]["spot_code"]) == ("L-417A185B", "L-C4BD4855")
    assert quotas["inf"]["code"] == "L-1945791B"
    assert {shape["quota"] for shape in types().values()} == set(quotas)
    for name, quota in (
        ("g6e.xlarge", "g"),
        ("vt1.3xlarge", "g"),
        ("p4d.24xlarge", "p"),
        ("p5en.48xlarge", "p5"),
    ):
        assert types()[name]["quota"] == quota
