"""The catalogs beside AWS, GCP and Azure: counts, currencies, scopes, and prices checked by hand.

Everything is read as text and turned into Decimal, so that a price is compared as printed.
"""

from __future__ import annotations

import datetime
import os
import sqlite3
from collections.abc import Iterator
from decimal import Decimal as D
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from gpuadvisor.catalog.compile import compile_catalogs, load
from gpuadvisor.catalog.schema_prices import split_key
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.money import price_text
from tests.catalog import small

ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "catalogs")
MONTH_HOURS = 730


class Expected(NamedTuple):
    """What a provider's catalog holds: its newest version, and counts of types and of cells."""

    tier: str
    currency: str | None
    version: str | None
    types: int
    priced: int
    cells: int
    regions: int


PROVIDERS = {
    "alibaba": Expected("hyperscaler", "CNY", "2024.10", 130, 72, 353, 10),
    "coreweave": Expected("specialist", "USD", "2026.05", 13, 13, 13, 1),
    "crusoe": Expected("specialist", "USD", "2026.02", 9, 6, 12, 1),
    "cudo": Expected("specialist", "USD", "2026.01", 9, 9, 9, 5),
    "digitalocean": Expected("specialist", "USD", "2026.05", 9, 9, 9, 2),
    "genesis-cloud": Expected("specialist", "USD", "2026.05", 3, 3, 3, 1),
    "huawei": Expected("hyperscaler", None, None, 16, 0, 0, 1),
    "hyperstack": Expected("specialist", "USD", "2026.05", 11, 11, 11, 1),
    "jarvis-labs": Expected("specialist", "USD", "2026.05", 6, 6, 6, 1),
    "lambda": Expected("specialist", "USD", "2026.05", 22, 22, 374, 17),
    "modal": Expected("specialist", "USD", "2026.05", 10, 10, 10, 1),
    "nebius": Expected("specialist", "USD", "2026.05", 12, 12, 26, 4),
    "novita": Expected("specialist", "USD", "2026.05", 9, 9, 17, 1),
    "oci": Expected("hyperscaler", "USD", "2026.06", 21, 21, 1025, 41),
    "otc": Expected("specialist", None, None, 38, 0, 0, 1),
    "ovhcloud": Expected("specialist", None, None, 12, 0, 0, 5),
    "packet-ai": Expected("specialist", "USD", "2026.05", 4, 4, 4, 1),
    "paperspace": Expected("specialist", "USD", "2024.01", 9, 9, 9, 1),
    "qubrid": Expected("specialist", "USD", "2026.05", 6, 6, 6, 1),
    "runpod": Expected("specialist", "USD", "2026.08", 26, 26, 46, 1),
    "runpod-community": Expected("marketplace", "USD", "2026.06", 19, 19, 19, 1),
    "salad": Expected("marketplace", "USD", "2026.05", 3, 3, 3, 1),
    "scaleway": Expected("specialist", None, None, 4, 0, 0, 1),
    "sfcompute": Expected("marketplace", "USD", "2026.08", 1, 1, 1, 1),
    "tencent": Expected("hyperscaler", "CNY", "2021.01", 34, 30, 60, 1),
    "tencent-intl": Expected("hyperscaler", "USD", "2021.01", 5, 5, 5, 1),
    "thunder-compute": Expected("specialist", "USD", "2026.05", 9, 9, 9, 1),
    "vast": Expected("marketplace", "USD", "2026.08", 11, 11, 21, 1),
    "verda": Expected("specialist", "USD", "2026.05", 19, 19, 37, 3),
    "vultr": Expected("specialist", "USD", "2026.06", 9, 9, 9, 1),
}
PRICED = tuple(name for name, expected in PROVIDERS.items() if expected.version is not None)


class Cell(NamedTuple):
    """One cell of a price file: where it stands, its prices and the sources it names."""

    type: str
    region: str
    key: str
    prices: tuple[D, ...]
    sources: tuple[str, ...]


@lru_cache
def document(name: str) -> Any:
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return yaml.load(file, Loader=yaml.CBaseLoader)  # noqa: S506 - yields text only


def types(provider: str) -> dict[str, Any]:
    found: dict[str, Any] = document(f"providers/{provider}/shapes.yaml")["types"]
    return found


def prices(provider: str) -> Any:
    return document(f"providers/{provider}/prices/{PROVIDERS[provider].version}.yaml")


def cells(provider: str) -> Iterator[Cell]:
    for type_, regions in prices(provider)["prices"].items():
        for region, row in regions.items():
            for key, cell in row.items():
                if key == "spot":
                    figures: tuple[D, ...] = (D(cell["low"]), D(cell["typical"]))
                    named = (cell["source"],)
                else:
                    figures, named = (D(cell[0]),), tuple(cell[1:])
                yield Cell(type_, region, key, figures, named)


def price(provider: str, type_: str, region: str, key: str = "on_demand") -> D:
    cell = prices(provider)["prices"][type_][region][key]
    return D(cell["typical"] if key == "spot" else cell[0])


def devices(shape: dict[str, str]) -> Fraction:
    return Fraction(shape.get("fraction") or shape["devices"])


# -- counts, currencies, tiers -------------------------------------------------------------


@pytest.mark.parametrize("provider", PROVIDERS)
def test_counts_currency_and_tier(provider: str) -> None:
    expected = PROVIDERS[provider]
    shapes = document(f"providers/{provider}/shapes.yaml")
    assert (shapes["provider"], shapes["tier"]) == (provider, expected.tier)
    assert len(shapes["types"]) == expected.types
    assert len(document(f"regions/{provider}.yaml")["regions"]) == expected.regions
    folder = os.path.join(ROOT, "providers", provider, "prices")
    if expected.version is None:
        assert not os.path.exists(folder)
        return
    assert os.listdir(folder) == [f"{expected.version}.yaml"]
    assert prices(provider)["version"] == expected.version
    assert prices(provider)["currency"] == expected.currency
    assert len(prices(provider)["prices"]) == expected.priced
    assert len(list(cells(provider))) == expected.cells


def test_breadth_that_was_promised() -> None:
    least = {"oci": 15, "lambda": 15, "alibaba": 100, "tencent": 20, "huawei": 10}
    assert all(len(types(name)) >= count for name, count in least.items())
    # With the 9,219 of AWS 2026.10, Azure 2026.08 and GCP 2026.10 far above 6,000.
    assert sum(expected.cells for expected in PROVIDERS.values()) >= 2_000


def test_every_provider_folder_is_known_here() -> None:
    present = set(os.listdir(os.path.join(ROOT, "providers")))
    assert present == set(PROVIDERS) | {"aws", "azure", "gcp"}


# -- every price has a value, a place, a source and a date ------------------------------------


@pytest.mark.parametrize("provider", PRICED)
def test_no_zero_price_and_every_price_sourced_and_dated(provider: str) -> None:
    sources = prices(provider)["sources"]
    regions = document(f"regions/{provider}.yaml")["regions"]
    used: set[str] = set()
    for cell in cells(provider):
        split_key(cell.key)
        assert all(0 < figure < 1000 for figure in cell.prices), cell
        assert cell.type in types(provider) and cell.region in regions, cell
        assert cell.sources and set(cell.sources) <= set(sources), cell
        used.update(cell.sources)
    assert used == set(sources)
    for key, source in sources.items():
        # One source id per origin and date; the id ends in the date it carries.
        assert key.endswith(source["date"]), key
        assert datetime.date.fromisoformat(source["date"]) <= datetime.date(2026, 11, 30)
        assert source["title"] and source["address"].startswith("https://")


def test_the_version_is_the_month_of_the_newest_price() -> None:
    for provider in PRICED:
        newest = max(s["date"] for s in prices(provider)["sources"].values())
        assert prices(provider)["version"] == newest[:7].replace("-", "."), provider


def test_low_confidence_is_confined_to_disputed_and_undated_figures() -> None:
    low = {
        (provider, cell.type)
        for provider in PRICED
        for cell in cells(provider)
        if any(prices(provider)["sources"][s]["confidence"] == "low" for s in cell.sources)
    }
    # Sources that contradict each other on the amount, and one undated copy of about 2024.
    assert {pair for pair in low if pair[0] != "paperspace"} == {
        ("crusoe", "a100-80gb-pcie"),
        ("crusoe", "a100-80gb-sxm"),
        ("crusoe", "l40s"),
        ("lambda", "gpu_1x_a100"),
    }


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_has_a_price_can_be_bought(provider: str) -> None:
    """No cell stands for an option that `sold` lacks; retired and preview types sell nothing."""
    for name, shape in types(provider).items():
        if shape["status"] in ("retired", "preview"):
            assert shape["sold"] == [], name
    if PROVIDERS[provider].version is not None:
        for cell in cells(provider):
            assert split_key(cell.key).option in types(provider)[cell.type]["sold"], cell


# -- scope, unknown host, unknown region --------------------------------------------------------

GPU_ONLY = {"coreweave", "modal", "salad"}
PER_GPU = {
    "crusoe", "novita", "qubrid", "runpod", "runpod-community", "sfcompute", "thunder-compute",
    "vast",
}  # fmt: skip


@pytest.mark.parametrize("provider", PROVIDERS)
def test_price_scope(provider: str) -> None:
    """A price of the GPU alone is never put beside the price of a machine."""
    scopes = {name: shape.get("price_scope", "instance") for name, shape in types(provider).items()}
    if provider in GPU_ONLY:
        assert set(scopes.values()) == {"gpu_only"}
    elif provider in PER_GPU:
        assert set(scopes.values()) == {"per_gpu_rate"}
    else:
        # Two providers mix: a rate for a card beside machines with a stated host.
        mixed = {"packet-ai": {"a100-80gb-pcie", "l40s"}, "vultr": {"bare-metal-l40s"}}
        odd = {name for name, scope in scopes.items() if scope != "instance"}
        assert odd == mixed.get(provider, set())


def test_a_host_that_nobody_states_is_left_out_and_never_zero() -> None:
    for provider in PROVIDERS:
        for name, shape in types(provider).items():
            assert shape.get("vcpus") != "0" and shape.get("host_memory_gib") != "0", name
            if shape.get("price_scope", "instance") == "instance":
                assert int(shape["vcpus"]) >= 2, (provider, name)
    assert "vcpus" not in types("vast")["h100-80gb-sxm"]
    # The source repeats the GPU's memory there.
    assert "host_memory_gib" not in types("paperspace")["H100x8"]


def test_a_region_without_a_place_says_so() -> None:
    for provider in PROVIDERS:
        for name, region in document(f"regions/{provider}.yaml")["regions"].items():
            unstated = name == "global"
            assert (region["geo"] == "unknown") == unstated, (provider, name)
            assert (region["title"] == "unstated") == unstated, (provider, name)
            assert ("country" in region) == (not unstated), (provider, name)


def test_members_of_the_european_union() -> None:
    union = {"DE", "ES", "FI", "FR", "IT", "NL", "PL", "SE"}  # of the countries in these files
    for provider in PROVIDERS:
        for name, region in document(f"regions/{provider}.yaml")["regions"].items():
            assert (region["eu"] == "true") == (region.get("country") in union), (provider, name)


def test_a_shape_without_vcpus_compiles_to_unknown(tmp_path: Path) -> None:
    folder = small.write(
        tmp_path / "catalogs", providers_acme_shapes=small.SHAPES.replace("vcpus: 4, ", "")
    )
    assert load(str(folder))
    target = str(tmp_path / "snapshot.sqlite")
    compile_catalogs(str(folder), target)
    catalog = Catalog((sqlite3.connect(target),), {})
    assert catalog.instance_types()["acme", "t.1"].vcpus is None
    assert catalog.instance_types()["acme", "l.q"].vcpus == 2
    rows = {(v.name, v.kind): v for v in catalog.versions()}
    assert rows["acme", "shapes"][2:] == ("2026.01", "2026-01-01", 2, 0, 0)


# -- prices by hand ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "type_", "region", "key", "expected"),
    [
        # Alibaba public list (China site, CNY) as in karpenter-provider-alibabacloud 5d2e077
        ("alibaba", "ecs.gn6i-c4g1.xlarge", "cn-hangzhou", "on_demand", "11.63"),
        ("alibaba", "ecs.gn6i-c4g1.xlarge", "us-east-1", "on_demand", "7.79"),
        ("alibaba", "ecs.gn7i-c8g1.2xlarge", "cn-shanghai", "on_demand", "9.5326"),
        ("alibaba", "ecs.gn7i-c8g1.2xlarge", "ap-southeast-1", "on_demand", "18.065"),
        ("alibaba", "ecs.gn7e-c16g1.32xlarge", "cn-beijing", "on_demand", "277.933"),
        ("alibaba", "ecs.sgn7i-vws-m2.xlarge", "cn-beijing", "on_demand", "1.871087"),
        # Tencent GPU price overview (qcloud-documents 8ec0729)
        ("tencent", "GN7.2XLARGE32", "cn-mainland", "on_demand", "8.68"),
        ("tencent", "GT4.41XLARGE948", "cn-mainland", "on_demand", "237.51"),
        ("tencent-intl", "GN7.2XLARGE32", "ap-guangzhou", "on_demand", "1.26"),
        # Oracle price list: A10 2, V100 2.95, H100 10 USD per GPU-hour; SkyPilot catalog v8
        ("oci", "VM.GPU.A10.2", "us-ashburn-1", "on_demand", "4"),
        ("oci", "VM.GPU3.1", "eu-frankfurt-1", "spot", "1.475"),
        ("oci", "BM.GPU.H100.8", "uk-london-1", "on_demand", "80"),
        ("oci", "BM.GPU.MI355X.8", "us-chicago-1", "on_demand", "68.8"),
        # SkyPilot catalog v9 for Lambda, 2c3d7ea
        ("lambda", "gpu_8x_b200_sxm6", "us-midwest-1", "on_demand", "53.52"),
        ("lambda", "gpu_1x_gh200", "us-east-1", "on_demand", "2.29"),
        ("lambda", "gpu_8x_v100_n", "europe-central-1", "on_demand", "6.32"),
        # RunPod GraphQL of 2026-06-15; serverless table: 0.00116 USD a second
        ("runpod", "secure-h100-80gb-sxm", "global", "on_demand", "3.29"),
        ("runpod", "secure-h100-80gb-sxm", "global", "savings_plan/6mo/-/all_upfront", "2.86"),
        ("runpod", "serverless-h100-80gb-pcie", "global", "on_demand", "4.176"),
        # docs.nebius.com, billing changes of October 2025; opslyft.com 2026-05-18
        ("nebius", "gpu-h200-sxm_1gpu-16vcpu-200gb", "eu-west1", "on_demand", "3.5"),
        ("nebius", "gpu-h100-sxm_8gpu-128vcpu-1600gb", "eu-north1", "spot", "10"),
        # price pages of 2026-05-24
        ("coreweave", "h100-80gb-sxm", "global", "on_demand", "4.76"),
        ("hyperstack", "h100-80gb-pcie-nvlink", "global", "on_demand", "1.95"),
        ("verda", "1H100.80S.32V", "FIN-02", "on_demand", "2.29"),
        # Vultr /v2/plans of 2026-06-15, DigitalOcean /v2/sizes of 2025-08-29
        ("vultr", "vcg-l40s-128c-1500g-384vram", "global", "on_demand", "12.4768"),
        ("digitalocean", "gpu-h100x8-640gb", "nyc1", "on_demand", "23.92"),
        # Vast bundles API medians of 2026-08-21
        ("vast", "b200-180gb", "global", "on_demand", "7.75"),
    ],
)
def test_prices_by_hand(provider: str, type_: str, region: str, key: str, expected: str) -> None:
    assert price(provider, type_, region, key) == D(expected)


@pytest.mark.parametrize(
    ("provider", "name", "device", "count", "gib", "vcpus", "host"),
    [
        # Alibaba documentation, GPU-accelerated compute-optimized instance families
        ("alibaba", "ecs.gn7i-c32g1.32xlarge", "A10", "4", "24", "128", "752"),
        ("alibaba", "ecs.gn6e-c12g1.24xlarge", "V100-32GB-SXM", "8", "32", "96", "736"),
        ("alibaba", "ecs.gn6v-c10g1.20xlarge", "V100-16GB-SXM", "8", "16", "82", "336"),
        ("alibaba", "ecs.gn7e-c16g1.16xlarge", "A100-80GB-SXM", "4", "80", "64", "500"),
        ("alibaba", "ecs.gn7s-c32g1.16xlarge", "A30", "2", "24", "64", "500"),
        ("alibaba", "ecs.gn8is-8x.32xlarge", "L20", "8", "48", "128", "1024"),
        # Tencent Cloud SDK, DescribeBillingSpecs: 4C20G T4*1/4, 10C40G T4*1/2, 80C320G T4*4
        ("tencent", "GN7.LARGE20", "T4", "1/4", "4", "4", "20"),
        ("tencent", "GN7.2XLARGE40", "T4", "1/2", "8", "10", "40"),
        ("tencent", "GN7.20XLARGE320", "T4", "4", "16", "80", "320"),
        # Open Telekom Cloud manual; Huawei's flavour form is family.size.ratio
        ("huawei", "p2s.2xlarge.8", "V100-32GB-PCIe", "1", "32", "8", "64"),
        ("huawei", "pi2.16xlarge.4", "T4", "8", "16", "64", "256"),
        ("otc", "p2v.16xlarge.8", "V100-16GB-SXM", "8", "16", "64", "512"),
        ("otc", "g7v.2xlarge.8", "A40", "1/6", "8", "8", "64"),
        ("oci", "BM.GPU.A100-v2.8", "A100-80GB-SXM", "8", "80", "256", "2048"),
        ("oci", "BM.GPU.GB200.4", "GB200-186GB", "4", "186", "144", "960"),
        ("lambda", "gpu_8x_h100_sxm5", "H100-80GB-SXM", "8", "80", "208", "1800"),
        ("verda", "4B300.120V", "B300-270GB", "4", "270", "120", "1100"),
    ],
)
def test_shapes_by_hand(
    provider: str, name: str, device: str, count: str, gib: str, vcpus: str, host: str
) -> None:
    shape = types(provider)[name]
    assert (shape["device"], devices(shape)) == (device, Fraction(count))
    assert (shape["memory_gib"], shape["vcpus"], shape["host_memory_gib"]) == (gib, vcpus, host)


# -- do the prices agree with each other -----------------------------------------------------------


def test_tencent_prepaid_month_against_a_month_by_the_hour() -> None:
    """The list's T4: 8.68 CNY an hour is 6,336.40 a month, the prepaid month is 2,500."""
    hourly = price("tencent", "GN7.2XLARGE32", "cn-mainland")
    prepaid = price("tencent", "GN7.2XLARGE32", "cn-mainland", "subscription/1mo/-/all_upfront")
    assert hourly * MONTH_HOURS == D("6336.40")
    assert price_text(prepaid) == "3.424657534"
    assert round(prepaid * MONTH_HOURS, 2) == D("2500.00")
    # The month's break-even of the document: 288 hours.
    assert round(D(2500) / hourly) == 288


@pytest.mark.parametrize(
    ("type_", "monthly"),
    [  # monthly list, upper end of the range by zone
        ("GN7.LARGE20", 975), ("GN10Xp.2XLARGE40", 5750), ("GN8.LARGE56", 4400),
        ("GN6S.LARGE20", 2000), ("GT4.41XLARGE948", 114016), ("GI3X.8XLARGE64", 4600),
    ],
)  # fmt: skip
def test_tencent_months(type_: str, monthly: int) -> None:
    rate = price("tencent", type_, "cn-mainland", "subscription/1mo/-/all_upfront")
    assert round(rate * MONTH_HOURS, 2) == monthly


def test_tencent_months_are_whole_yuan_and_39_to_66_per_cent() -> None:
    for name in prices("tencent")["prices"]:
        rate = price("tencent", name, "cn-mainland", "subscription/1mo/-/all_upfront")
        month = round(rate * MONTH_HOURS, 2)
        assert month == int(month), name
        share = rate / price("tencent", name, "cn-mainland")
        near_40 = D("0.390") < share < D("0.403")
        assert near_40 or D("0.657") < share < D("0.659"), (name, share)


def test_alibaba_a10_is_cheaper_than_t4_in_the_mainland_only() -> None:
    for region in ("cn-beijing", "cn-hangzhou", "cn-shanghai"):
        t4 = price("alibaba", "ecs.gn6i-c8g1.2xlarge", region)
        assert price("alibaba", "ecs.gn7i-c8g1.2xlarge", region) < t4
    for region in ("ap-southeast-1", "cn-hongkong", "eu-central-1", "us-east-1"):
        t4 = price("alibaba", "ecs.gn6i-c8g1.2xlarge", region)
        assert price("alibaba", "ecs.gn7i-c8g1.2xlarge", region) > t4


def test_alibaba_masked_accelerators_are_left_out() -> None:
    families = {shape["family"] for shape in types("alibaba").values()}
    # GPU H, GPU H-e, PPU 810, G39, G49, G59: the API does not say what they are.
    assert not families & {"gn8v", "gn8e", "gp7", "gn7t", "gn8t", "gn9t", "sgn8ia"}
    assert types("alibaba")["ecs.gn4.8xlarge"]["status"] == "retired"


def test_oci_has_one_rate_per_gpu_hour_in_every_region() -> None:
    rates = {  # Oracle price list of 2026-01-28; GB300, B300 of 2026-06-15
        "A10": "2", "A100-40GB-SXM": "3.05", "A100-80GB-SXM": "4", "H100-80GB-SXM": "10",
        "H200-141GB": "10", "B200-180GB": "14", "GB200-186GB": "16", "L40S": "3.5", "MI300X": "6",
        "B300-270GB": "15", "GB300-279GB": "18", "P100-16GB-PCIe": "1.275",
        "V100-16GB-PCIe": "2.95", "MI355X": "8.6", "RTX-PRO-6000": "4.5",
    }  # fmt: skip
    for name, regions in prices("oci")["prices"].items():
        shape = types("oci")[name]
        assert len(regions) == 41
        for region in regions:
            rate = price("oci", name, region) / int(shape["devices"])
            assert rate == D(rates[shape["device"]]), (name, region)
            if "spot" in regions[region]:
                assert price("oci", name, region, "spot") * 2 == price("oci", name, region)
    spot = {name for name, shape in types("oci").items() if "spot" in shape["sold"]}
    assert spot == {"VM.GPU2.1", "VM.GPU3.1", "VM.GPU3.2", "VM.GPU3.4"}


def test_lambda_has_one_price_in_every_region_and_no_spot() -> None:
    for name, regions in prices("lambda")["prices"].items():
        assert len(regions) == 17 and len({str(row) for row in regions.values()}) == 1, name
        assert types("lambda")[name]["sold"] == ["on_demand"]
    assert types("lambda")["gpu_1x_gh200"]["arch"] == "arm64"


def test_verda_spot_is_35_per_cent_of_on_demand() -> None:
    for cell in cells("verda"):
        row = prices("verda")["prices"][cell.type][cell.region]
        if cell.key == "spot" and "on_demand" in row:
            share = cell.prices[1] / D(row["on_demand"][0])
            assert D("0.345") < share < D("0.365"), cell


def test_spot_is_one_posted_figure_and_medians_are_called_so() -> None:
    for provider in PRICED:
        for regions in prices(provider)["prices"].values():
            for row in regions.values():
                if "spot" in row:
                    measure = "market_median" if provider == "vast" else "list"
                    assert row["spot"]["measure"] == measure, provider
                    assert row["spot"]["low"] == row["spot"]["typical"], provider
    # Its interruptible median (0.53) lies above the on-demand one: other offers, no discount.
    assert "spot" not in prices("vast")["prices"]["rtx-5090"]["global"]


def test_slices_cost_more_than_their_share_but_less_than_the_card() -> None:
    whole = price("alibaba", "ecs.gn7i-c8g1.2xlarge", "cn-beijing")
    for name, shape in types("alibaba").items():
        if shape["family"] == "sgn7i-vws":
            slice_ = price("alibaba", name, "cn-beijing")
            assert float(devices(shape)) * float(whole) < slice_ < whole, name


def test_a_slice_has_its_share_of_the_memory() -> None:
    cards = {"T4": 16, "A10": 24, "P4": 8, "A40": 48}
    seen = 0
    for provider in ("alibaba", "tencent", "tencent-intl", "otc"):
        for name, shape in types(provider).items():
            if "fraction" in shape:
                seen += 1
                card = cards[shape["device"]]
                assert Fraction(shape["memory_gib"]) == Fraction(shape["fraction"]) * card, name
    assert seen == 26
