"""The GCP and Azure catalogs against published figures and against their own arithmetic."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal as D
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.reader import read

CATALOGS = Path(__file__).parents[2] / "catalogs"
VERSIONS = {"gcp": "2026.10", "azure": "2026.08"}
CLOUDS = tuple(VERSIONS)


def _text(path: str) -> dict[str, Any]:
    loaded: dict[str, Any] = read(str(CATALOGS / path)).data
    return loaded


SHAPES = {c: _text(f"providers/{c}/shapes.yaml") for c in CLOUDS}
PRICES = {c: _text(f"providers/{c}/prices/{v}.yaml") for c, v in VERSIONS.items()}
REGIONS = {c: _text(f"regions/{c}.yaml") for c in CLOUDS}


def _cells(cloud: str) -> Iterator[tuple[str, str, str, D, list[str]]]:
    """Every price as (type, region, cell key, typical price, source ids)."""
    for name, regions in PRICES[cloud]["prices"].items():
        for region, cells in regions.items():
            for key, cell in cells.items():
                if isinstance(cell, dict):
                    ids = [
                        cell["source"],
                        *([cell["confirmed_by"]] if "confirmed_by" in cell else []),
                    ]
                    yield name, region, key, D(cell["typical"]), ids
                else:
                    yield name, region, key, D(cell[0]), cell[1:]


def _price(cloud: str, name: str, region: str, key: str) -> D:
    cell = PRICES[cloud]["prices"][name][region][key]
    return D(cell["typical"] if isinstance(cell, dict) else cell[0])


# --- what is there -------------------------------------------------------------------------


def test_gcp_counts() -> None:
    types = SHAPES["gcp"]["types"]
    families = Counter(t["family"] for t in types.values() if not t["device"].startswith("TPU"))
    assert families == {
        "a2-highgpu": 4, "a2-megagpu": 1, "a2-ultragpu": 4, "a3-edgegpu": 1, "a3-highgpu": 4,
        "a3-megagpu": 1, "a3-ultragpu": 1, "a4-highgpu": 1, "a4x-highgpu": 1, "a4x-maxgpu": 1,
        "g2-standard": 8, "g4-standard": 7, "n1-standard": 10,
    }  # fmt: skip
    tpus = Counter(t["device"] for t in types.values() if t["device"].startswith("TPU"))
    assert tpus == {
        "TPU-v2": 1, "TPU-v3": 1, "TPU-v4": 1, "TPU-v5e": 3, "TPU-v5p": 3, "TPU-v6e": 3,
        "TPU-v7x": 1,
    }  # fmt: skip
    devices = {t["device"] for t in types.values() if t["family"] == "n1-standard"}
    assert devices == {"T4", "V100-16GB-SXM", "P100-16GB-PCIe", "P4"}, "K80 is gone"


def test_azure_counts() -> None:
    status = Counter(t["status"] for t in SHAPES["azure"]["types"].values())
    # 95 sizes, of which NC_A100_v4 is frozen, and the preview name that must never be ranked.
    assert status == {
        "active": 43, "frozen": 3, "retired": 26, "price_only": 20, "unclear": 3, "preview": 1,
    }  # fmt: skip
    on_demand = {(n, r) for n, r, key, _, _ in _cells("azure") if key == "on_demand"}
    assert len({r for _, r in on_demand}) == 52 == len(REGIONS["azure"]["regions"])


@pytest.mark.parametrize("cloud", CLOUDS)
def test_every_price_is_positive_and_has_a_dated_source(cloud: str) -> None:
    sources = PRICES[cloud]["sources"]
    used = set()
    for name, region, key, price, ids in _cells(cloud):
        assert price > 0, (name, region, key)
        assert 1 <= len(ids) <= 2, (name, region, key)
        used.update(ids)
        if len(ids) == 2:
            assert sources[ids[1]]["date"] > sources[ids[0]]["date"], (name, region, key)
    assert used == set(sources)
    for entry in sources.values():
        day = datetime.date.fromisoformat(entry["date"])
        assert f"{day:%Y.%m}" <= VERSIONS[cloud], entry["title"]
        assert entry["address"].startswith("https://")
        assert entry["confidence"] in ("official", "secondary", "low")


@pytest.mark.parametrize("cloud", CLOUDS)
def test_prices_name_known_types_and_regions(cloud: str) -> None:
    for name, region, *_ in _cells(cloud):
        assert name in SHAPES[cloud]["types"]
        assert region in REGIONS[cloud]["regions"]


# --- what may be bought --------------------------------------------------------------------

NEVER_ON_DEMAND = (
    # Google docs, GPU machine types, 2026-04-14
    "a3-highgpu-1g", "a3-highgpu-2g", "a3-highgpu-4g", "a3-ultragpu-8g", "a4-highgpu-8g",
    "a4x-highgpu-4g", "a4x-maxgpu-4g-metal",
)  # fmt: skip


@pytest.mark.parametrize("name", NEVER_ON_DEMAND)
def test_gcp_types_that_are_never_on_demand(name: str) -> None:
    assert "on_demand" not in SHAPES["gcp"]["types"][name]["sold"]


@pytest.mark.parametrize(
    ("name", "sold"),
    [
        ("a2-highgpu-1g", ["on_demand", "spot", "committed_use", "flex_start"]),
        ("a3-highgpu-1g", ["spot", "flex_start"]),
        ("a4-highgpu-8g", ["spot", "committed_use", "flex_start", "calendar"]),
        ("a4x-highgpu-4g", ["reserved"]),
        ("g4-standard-6", ["on_demand", "spot", "committed_use", "flex_start"]),
    ],
)
def test_gcp_purchase_options(name: str, sold: list[str]) -> None:
    assert SHAPES["gcp"]["types"][name]["sold"] == sold


def test_gcp_types_not_listed_as_never_are_on_demand() -> None:
    types = SHAPES["gcp"]["types"]
    rest = {n for n, t in types.items() if "on_demand" not in t["sold"]}
    assert {n for n in rest if not types[n]["device"].startswith("TPU")} == set(NEVER_ON_DEMAND)


RETIRED = {
    # Microsoft's retired sizes list (2026-04-15) and the notices of NC, NCv2, ND and NV.
    "NC": "2023-09-06", "NCv2": "2023-09-06", "ND": "2023-09-06", "NV": "2023-09-06",
    "NCv3": "2025-09-30", "NVv3": "2026-09-30", "NVv4": "2026-09-30",
}  # fmt: skip


def test_azure_retired_sizes_have_dates_and_are_not_sold() -> None:
    for name, shape in SHAPES["azure"]["types"].items():
        assert shape.get("retired_on") == RETIRED.get(shape["family"]), name
        assert (shape["status"] == "retired") == (shape["family"] in RETIRED), name
        if shape["status"] not in ("active", "frozen"):
            assert shape["sold"] == [], name


def test_azure_preview_name_would_lead_every_v100_ranking_and_is_not_sold() -> None:
    shape = SHAPES["azure"]["types"]["Standard_ND40s_v2"]
    assert (shape["status"], shape["sold"]) == ("preview", [])
    sold = _price("azure", "Standard_ND40rs_v2", "eastus", "on_demand")
    assert _price("azure", "Standard_ND40s_v2", "eastus", "on_demand") < sold


def test_azure_options_are_sold_only_where_a_price_was_published() -> None:
    published: dict[str, set[str]] = {}
    for name, _, key, _, _ in _cells("azure"):
        published.setdefault(name, set()).add(key.partition("/")[0])
    for name, shape in SHAPES["azure"]["types"].items():
        assert set(shape["sold"]) <= published.get(name, set()), name
        if shape["status"] in ("active", "frozen"):
            assert set(shape["sold"]) == published.get(name, set()), name
    assert SHAPES["azure"]["types"]["Standard_ND128isr_GB300_v6"]["sold"] == []
    for name in ("Standard_ND96isr_H100_v5", "Standard_ND96isr_H200_v5"):
        assert "savings_plan" not in SHAPES["azure"]["types"][name]["sold"]


def test_azure_commitments_are_not_carried_over_from_eastus() -> None:
    for name, region, key, _, _ in _cells("azure"):
        if key.startswith("reserved") or key == "savings_plan/3y":
            assert region == "eastus", (name, region, key)


# --- do the prices agree with each other ---------------------------------------------------


@pytest.mark.parametrize("cloud", CLOUDS)
def test_spot_lies_within_reason_and_commitments_fall_with_the_term(cloud: str) -> None:
    for name, regions in PRICES[cloud]["prices"].items():
        for region, cells in regions.items():
            where = (name, region)
            if "spot" in cells:
                spot = cells["spot"]
                # A provider's own posted price: one figure, not a range over zones.
                assert spot["low"] == spot["typical"] and spot["measure"] == "list", where
                if "on_demand" in cells:
                    ratio = D(spot["typical"]) / D(cells["on_demand"][0])
                    assert D("0.05") <= ratio <= 1, where
            for kind in ("committed_use", "reserved", "savings_plan"):
                terms = [D(cells[k][0]) for t in "135" if (k := f"{kind}/{t}y") in cells]
                falling = [*([D(cells["on_demand"][0])] if "on_demand" in cells else []), *terms]
                assert falling == sorted(falling, reverse=True), where


def test_azure_spot_that_equals_on_demand_is_kept_as_published() -> None:
    equal = {
        (name, region)
        for name, region, key, price, _ in _cells("azure")
        if key == "spot" and price == _price("azure", name, region, "on_demand")
    }
    assert equal == {
        ("Standard_ND128isr_NDR_GB200_v6", "eastus"),
        ("Standard_ND96isr_H200_v5", "francecentral"),
        ("Standard_ND96isr_H200_v5", "northeurope"),
        ("Standard_ND96isr_H200_v5", "swedencentral"),
    }


def test_gcp_machine_price_is_core_plus_memory_plus_gpu() -> None:
    # Cloud Billing Catalog, Americas: core 0.03161, GiB 0.00424, A100-40GB 2.933908 per hour.
    composed = 12 * D("0.03161") + 85 * D("0.00424") + D("2.933908")
    assert round(composed, 4) == D("3.6736")
    listed = _price("gcp", "a2-highgpu-1g", "us-central1", "on_demand")
    assert abs(composed - listed) / listed < D("0.0001")


@pytest.mark.parametrize("count", [2, 4, 8])
@pytest.mark.parametrize("family", ["a2-highgpu-{}g", "a2-ultragpu-{}g", "a3-highgpu-{}g"])
def test_gcp_sizes_scale_with_the_gpu_count(family: str, count: int) -> None:
    one = PRICES["gcp"]["prices"][family.format(1)]
    for region, cells in PRICES["gcp"]["prices"][family.format(count)].items():
        single = D(one[region]["on_demand"][0])
        assert abs(D(cells["on_demand"][0]) - count * single) < D("0.00001") * count, region


def test_gcp_n1_host_is_linear_in_vcpus_and_carries_the_gpu_rate() -> None:
    # n1 us-central1: 0.0475 per vCPU with 3.75 GiB; T4 0.35, V100 2.48, P100 1.46, P4 0.60
    # on Google's GPU pricing page (read 2026-09-17).
    gpu = {"t4": D("0.35"), "v100": D("2.48"), "p100": D("1.46"), "p4": D("0.60")}
    seen = 0
    for name, regions in PRICES["gcp"]["prices"].items():
        if not name.startswith("n1-standard-"):
            continue
        size, _, attached = name.removeprefix("n1-standard-").partition("+")
        model, _, count = attached.rpartition("x")
        composed = int(size) * D("0.0475") + int(count) * gpu[model]
        assert abs(D(regions["us-central1"]["on_demand"][0]) - composed) < D("0.0001"), name
        seen += 1
    assert seen == 10


def test_gcp_n1_spot_is_marked_stale_by_its_source() -> None:
    for name, _, key, _, ids in _cells("gcp"):
        if name.startswith("n1-") and key == "spot":
            source = PRICES["gcp"]["sources"][ids[0]]
            assert (source["date"], source["confidence"]) == ("2026-02-21", "low")


@pytest.mark.parametrize("name", ["ct6e-standard-{}t", "ct5p-hightpu-{}t", "ct5lp-hightpu-{}t"])
def test_gcp_tpu_machine_costs_chips_times_the_chip_rate(name: str) -> None:
    prices = PRICES["gcp"]["prices"]
    for count in (2, 4, 8):
        for region, cells in prices.get(name.format(count), {}).items():
            for key in cells:
                one = _price("gcp", name.format(1), region, key)
                assert _price("gcp", name.format(count), region, key) == count * one, (region, key)


@pytest.mark.parametrize(
    ("name", "region", "key", "per_chip"),
    [
        # Google's Cloud TPU pricing page, read 2026-09-17: USD per chip-hour
        ("tpu7x-standard-4t", "us-central1", "on_demand", "12.00"),
        ("tpu7x-standard-4t", "europe-west2", "on_demand", "13.20"),
        ("ct6e-standard-4t", "us-east5", "committed_use/3y", "1.22"),
        ("ct6e-standard-4t", "asia-northeast1", "on_demand", "3.24"),
        ("ct5p-hightpu-4t", "us-central1", "on_demand", "4.20"),
        ("ct5lp-hightpu-4t", "us-central1", "on_demand", "1.20"),
        # Cloud Billing Catalog, us-east5, 2026-08-07
        ("ct6e-standard-4t", "us-east5", "flex_start", "1.35"),
        ("ct6e-standard-4t", "us-east5", "calendar", "1.89"),
        ("ct6e-standard-4t", "us-east5", "spot", "1.4033"),
        # v3-8 counts cores: four chips at 2.00 (2026-02-21)
        ("v3-8", "us-central1", "on_demand", "2.00"),
    ],
)
def test_gcp_tpu_rates_checked_by_hand(name: str, region: str, key: str, per_chip: str) -> None:
    assert _price("gcp", name, region, key) == 4 * D(per_chip)


@pytest.mark.parametrize(
    ("one", "many", "factor"),
    [
        ("Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4", 2),
        ("Standard_NC24ads_A100_v4", "Standard_NC96ads_A100_v4", 4),
        ("Standard_NC40ads_H100_v5", "Standard_NC80adis_H100_v5", 2),
        ("Standard_NV6ads_A10_v5", "Standard_NV12ads_A10_v5", 2),
    ],
)
def test_azure_sizes_scale_with_the_device_count(one: str, many: str, factor: int) -> None:
    prices = PRICES["azure"]["prices"]
    assert set(prices[one]) == set(prices[many])
    for region, cells in prices[many].items():
        single = D(prices[one][region]["on_demand"][0])
        # Microsoft rounds each size to a tenth of a cent
        assert abs(D(cells["on_demand"][0]) - factor * single) <= D("0.001") * factor, region


@pytest.mark.parametrize(
    ("name", "key", "total", "hours"),
    [
        # Retail Prices API: a reservation row holds the total of its term.
        ("Standard_ND96isr_H100_v5", "reserved/1y", 551_221, 8_760),
        ("Standard_ND96isr_H100_v5", "reserved/3y", 1_134_310, 26_280),
        ("Standard_ND96isr_H100_v5", "reserved/5y", 1_722_566, 43_800),
        ("Standard_ND96amsr_A100_v4", "reserved/1y", 183_722, 8_760),
        ("Standard_ND96amsr_A100_v4", "reserved/3y", 378_926, 26_280),
    ],
)
def test_azure_reservation_is_the_term_total_over_its_hours(
    name: str, key: str, total: int, hours: int
) -> None:
    assert _price("azure", name, "eastus", key) == round(D(total) / hours, 6)


@pytest.mark.parametrize(
    ("name", "region"),
    [
        # Only a Windows meter is published here (Retail Prices API, 2026-06 and 2026-08).
        ("Standard_NCC40ads_H100_v5", "centralus"),
        ("Standard_NCC40ads_H100_v5", "eastus2"),
        ("Standard_NCC40ads_H100_v5", "southcentralus"),
        ("Standard_ND40rs_v2", "swedencentral"),
        # Repriced on 2026-08-01; the older figure is known to be wrong.
        ("Standard_NC144ds_xl_RTXPRO6000BSE_v6", "eastus2"),
        ("Standard_NC144ds_xl_RTXPRO6000BSE_v6", "westus2"),
    ],
)
def test_azure_rates_that_are_no_linux_price_of_today_are_left_out(name: str, region: str) -> None:
    assert region not in PRICES["azure"]["prices"][name]


# --- shapes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cloud", "name", "device", "fraction", "memory"),
    [
        # Microsoft, NVads A10 v5 and NVadsV710 v5 and NVv4 size pages
        ("azure", "Standard_NV6ads_A10_v5", "A10", "1/6", 4),
        ("azure", "Standard_NV12ads_A10_v5", "A10", "1/3", 8),
        ("azure", "Standard_NV18ads_A10_v5", "A10", "1/2", 12),
        ("azure", "Standard_NV4ads_V710_v5", "Radeon-PRO-V710", "1/6", 4),
        ("azure", "Standard_NV4as_v4", "Radeon-Instinct-MI25", "1/8", 2),
        ("azure", "Standard_NC24lds_xl_RTXPRO6000BSE_v6", "RTX-PRO-6000", "1/4", 24),
        # Google docs, G4 machine types
        ("gcp", "g4-standard-6", "RTX-PRO-6000", "1/8", 12),
        ("gcp", "g4-standard-12", "RTX-PRO-6000", "1/4", 24),
        ("gcp", "g4-standard-24", "RTX-PRO-6000", "1/2", 48),
    ],
)
def test_slices_are_fractions_of_the_device(
    cloud: str, name: str, device: str, fraction: str, memory: int
) -> None:
    shape = SHAPES[cloud]["types"][name]
    assert "devices" not in shape
    assert (shape["device"], shape["fraction"]) == (device, fraction)
    assert D(shape["memory_gib"]) == memory
    nominal = {"A10": 24, "Radeon-PRO-V710": 24, "Radeon-Instinct-MI25": 16, "RTX-PRO-6000": 96}
    assert Fraction(fraction) * nominal[device] == memory


@pytest.mark.parametrize(
    ("cloud", "name", "interconnect", "rdma"),
    [
        ("azure", "Standard_NC24ads_A100_v4", "none", None),
        ("azure", "Standard_NC96ads_A100_v4", "nvlink-bridge", None),
        ("azure", "Standard_NC80adis_H100_v5", "nvlink-bridge", None),
        ("azure", "Standard_NC64as_T4_v3", "pcie", None),
        ("azure", "Standard_ND96isr_H100_v5", "nvlink", "infiniband"),
        ("azure", "Standard_ND96is_MI300X_v5", "other", None),
        ("azure", "Standard_ND96isr_MI300X_v5", "other", "infiniband"),
        ("gcp", "a2-highgpu-8g", "nvlink", None),
        ("gcp", "a3-highgpu-8g", "nvlink", "gpudirect"),
        ("gcp", "a3-megagpu-8g", "nvlink", "gpudirect"),
        ("gcp", "a3-ultragpu-8g", "nvlink", "roce"),
        ("gcp", "g2-standard-96", "pcie", None),
        ("gcp", "n1-standard-32+t4x4", "pcie", None),
        ("gcp", "n1-standard-32+v100x4", "nvlink", None),
    ],
)
def test_links_between_devices_and_nodes(
    cloud: str, name: str, interconnect: str, rdma: str | None
) -> None:
    shape = SHAPES[cloud]["types"][name]
    assert (shape["interconnect"], shape.get("rdma")) == (interconnect, rdma)


@pytest.mark.parametrize("cloud", CLOUDS)
def test_every_offered_type_names_the_quota_it_draws_on_or_none_is_known(cloud: str) -> None:
    unknown = {
        shape["family"]
        for shape in SHAPES[cloud]["types"].values()
        if shape["sold"] and "quota" not in shape
    }
    # No source names the quota of these families; a guess would send people to the wrong form.
    expected = {
        "gcp": {"a4x-highgpu", "a4x-maxgpu", "tpu7x-standard", "v3"},
        "azure": {"NC_RTXPRO6000BSE_v6"},
    }
    assert unknown == expected[cloud]


@pytest.mark.parametrize(
    ("cloud", "region", "country", "eu"),
    [
        ("gcp", "europe-west4", "NL", True),
        ("gcp", "europe-west2", "GB", False),
        ("gcp", "europe-west6", "CH", False),
        ("azure", "westeurope", "NL", True),
        ("azure", "uksouth", "GB", False),
        ("azure", "norwayeast", "NO", False),
        ("azure", "switzerlandnorth", "CH", False),
    ],
)
def test_regions_under_eu_law(cloud: str, region: str, country: str, eu: bool) -> None:
    entry = REGIONS[cloud]["regions"][region]
    assert (entry["country"], entry["eu"]) == (country, str(eu).lower())


MEMBERS = {
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
    "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
}  # fmt: skip


@pytest.mark.parametrize("cloud", CLOUDS)
def test_eu_is_membership_of_the_country(cloud: str) -> None:
    for name, entry in REGIONS[cloud]["regions"].items():
        assert (entry["eu"] == "true") == (entry["country"] in MEMBERS), name


# --- prices read by hand at the source -----------------------------------------------------


@pytest.mark.parametrize(
    ("name", "region", "key", "price"),
    [
        # Cyclenerd pricing.yml @fd66b26, 2026-07-30; Google's page printed it again in 2026-09
        ("a2-highgpu-1g", "us-central1", "on_demand", "3.673385"),
        ("a2-highgpu-1g", "us-central1", "spot", "1.92802"),
        ("g2-standard-4", "us-central1", "on_demand", "0.706832"),
        ("g4-standard-48", "us-central1", "committed_use/3y", "1.97945"),
        ("a3-highgpu-8g", "us-central1", "on_demand", "88.49"),
        ("a3-highgpu-8g", "us-central1", "spot", "50.609541"),
        ("a3-highgpu-8g", "us-east5", "on_demand", "99.583201"),
        # Cloud Billing Catalog, DWS Defined Duration: 1.61365 + 0.20868 + 0.19805, 2026-08-02
        ("a2-highgpu-1g", "us-central1", "flex_start", "2.02038"),
        # Cloud Billing Catalog 2026-07-30, A4 slices x 8: 8.055, 11.277, 4.9542
        ("a4-highgpu-8g", "us-central1", "flex_start", "64.44"),
        ("a4-highgpu-8g", "us-central1", "calendar", "90.216"),
        ("a4-highgpu-8g", "us-east1", "spot", "39.6336"),
        # Catalog snapshot of 2026-10-13 x 8 + local SSD
        ("a3-ultragpu-8g", "us-central1", "spot", "50.789"),
        # Google's accelerator-optimized pricing page, 2026-09-07 to 2026-09-27
        ("a3-ultragpu-8g", "us-central1", "committed_use/1y", "58.471933151"),
        ("a2-ultragpu-1g", "us-central1", "committed_use/3y", "3.499997559"),
        ("a3-megagpu-8g", "us-central1", "on_demand", "93.400712807"),
    ],
)
def test_gcp_prices_checked_by_hand(name: str, region: str, key: str, price: str) -> None:
    assert _price("gcp", name, region, key) == D(price)


@pytest.mark.parametrize(
    ("name", "region", "key", "price"),
    [
        # Retail Prices API, eastus, 2026-08-10
        ("Standard_NC4as_T4_v3", "eastus", "on_demand", "0.526"),
        ("Standard_NC4as_T4_v3", "eastus", "savings_plan/1y", "0.355681"),
        ("Standard_NC24ads_A100_v4", "eastus", "on_demand", "3.673"),
        ("Standard_NC24ads_A100_v4", "eastus", "spot", "0.67877"),
        ("Standard_NC40ads_H100_v5", "eastus", "spot", "1.289904"),
        ("Standard_ND96isr_H100_v5", "eastus", "on_demand", "98.32"),
        # Retail Prices API, westeurope, 2026-08-22: Linux, not Windows (10.74) or Low Priority
        ("Standard_NCC40ads_H100_v5", "westeurope", "on_demand", "8.9"),
        ("Standard_NC24ads_A100_v4", "westeurope", "spot", "1.097295"),
        ("Standard_NC24ads_A100_v4", "westeurope", "savings_plan/1y", "3.97471"),
        # Retail Prices API, all regions, 2026-06-18
        ("Standard_ND96isr_H100_v5", "southafricawest", "on_demand", "186.608"),
        ("Standard_ND96isr_H200_v5", "eastus2", "on_demand", "84.8"),
        ("Standard_ND96isr_MI300X_v5", "eastus2", "on_demand", "48"),
        # published under the names Standard_ND96asr_A100_v4 and Standard_NG32adms_V620
        ("Standard_ND96asr_v4", "westus3", "on_demand", "27.197"),
        ("Standard_NG32adms_V620_v1", "centralus", "on_demand", "4.056"),
    ],
)
def test_azure_prices_checked_by_hand(name: str, region: str, key: str, price: str) -> None:
    assert _price("azure", name, region, key) == D(price)
