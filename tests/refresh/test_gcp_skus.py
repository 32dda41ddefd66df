"""What a SKU's words mean. Descriptions are those of the live catalog, as quoted in public code
and notes (Cyclenerd build/mapping.csv, sc-crawler, gpuhunt); prices beside them where published."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from gpuadvisor.refresh.gcp_skus import Meaning, hourly, meaning, read_rates, without_place
from tests.refresh.gcp_rest import sku

MEANT = {
    "A2 Instance Core running in Americas": ("core:A2", "on_demand"),
    "A2 Instance Ram running in Americas": ("ram:A2", "on_demand"),
    "A3 Instance Core running in Sao Paulo": ("core:A3", "on_demand"),
    "A3Plus Instance Ram running in Americas": ("ram:A3Plus", "on_demand"),
    "A3Ultra Instance Core running in Netherlands": ("core:A3Ultra", "on_demand"),
    "G4 Instance Core running in Iowa": ("core:G4", "on_demand"),
    "N1 Predefined Instance Core running in Virginia": ("core:N1", "on_demand"),
    "Spot Preemptible A2 Instance Core running in Americas": ("core:A2", "spot"),
    "Spot Preemptible N1 Predefined Instance Ram running in Americas": ("ram:N1", "spot"),
    "Commitment v1: A2 Cpu in APAC for 1 Year": ("core:A2", "committed_use/1y"),
    "Commitment v1: A3 Ram in Americas for 3 Years": ("ram:A3", "committed_use/3y"),
    "Commitment v1: Cpu in Americas for 1 Year": ("core:N1", "committed_use/1y"),
    "Commitment v1: Ram in Americas for 3 Years": ("ram:N1", "committed_use/3y"),
    "DWS Defined Duration A3 Core running in Americas": ("core:A3", "flex_start"),
    "DWS Defined Duration A2 Ram running in Americas": ("ram:A2", "flex_start"),
    "Nvidia Tesla T4 GPU running in Americas": ("nvidia-tesla-t4", "on_demand"),
    "Nvidia Tesla A100 GPU running in Americas": ("nvidia-tesla-a100", "on_demand"),
    "Nvidia Tesla A100 80GB GPU running in Netherlands": ("nvidia-a100-80gb", "on_demand"),
    "Nvidia H100 80GB GPU running in Americas": ("nvidia-h100-80gb", "on_demand"),
    "Nvidia H100 80GB Mega GPU running in Frankfurt": ("nvidia-h100-mega-80gb", "on_demand"),
    "Nvidia H100 80GB Plus GPU running in Americas": ("nvidia-h100-mega-80gb", "on_demand"),
    "H200 141GB GPU running in Belgium": ("nvidia-h200-141gb", "on_demand"),
    "RTX 6000 96GB running in Delhi": ("nvidia-rtx-pro-6000", "on_demand"),
    "Nvidia L4 GPU attached to Spot Preemptible VMs running in Hong Kong": ("nvidia-l4", "spot"),
    "RTX 6000 96GB attached to Spot Preemptible VMs running in Belgium": (
        "nvidia-rtx-pro-6000",
        "spot",
    ),
    "Spot Preemptible A4 Nvidia B200 (1 gpu slice) running in Americas": ("nvidia-b200", "spot"),
    "A4 Nvidia B200 (1 gpu slice) running in Netherlands": ("nvidia-b200", "on_demand"),
    "DWS Calendar Mode A4 Nvidia B200 (1 gpu slice) in Seoul": ("nvidia-b200", "calendar"),
    "Commitment v1: A4 Nvidia B200 (1 gpu slice) in Americas for 1 Year": (
        "nvidia-b200",
        "committed_use/1y",
    ),
    "Commitment v1: Nvidia Tesla T4 GPU running in Americas for 3 Years": (
        "nvidia-tesla-t4",
        "committed_use/3y",
    ),
    "Nvidia H100 Mega 80GB GPU attached to DWS Defined Duration VMs running in Americas": (
        "nvidia-h100-mega-80gb",
        "flex_start",
    ),
    "Reserved Nvidia H100 80GB GPU in Seoul in Calendar Mode": ("nvidia-h100-80gb", "calendar"),
    "TpuV6e running in Columbus": ("ct6e", "on_demand"),
    "DWS Defined Duration V6e running in Columbus": ("ct6e", "flex_start"),
    "TpuV6e attached to Spot Preemptible VMs running in Columbus": ("ct6e", "spot"),
    "Reserved V6e TPU in Columbus in Calendar Mode": ("ct6e", "calendar"),
    "Reserved TpuV5p in Seoul in Calendar Mode": ("ct5p", "calendar"),
    "Commitment v1: TpuV6e running in Columbus for 1 Year": ("ct6e", "committed_use/1y"),
    "TPU7x running in Americas": ("tpu7x", "on_demand"),
    "SSD backed Local Storage": ("ssd", "on_demand"),
    "SSD backed Local Storage in Bangkok": ("ssd", "on_demand"),
    "SSD backed Local Storage attached to Spot Preemptible VMs": ("ssd", "spot"),
    "SSD backed Local Storage attached to Spot Preemptible VMs running in Paris": ("ssd", "spot"),
    "DWS Defined Duration SSD backed Local Storage running in Americas": ("ssd", "flex_start"),
    "Commitment v1: Local SSD in Iowa for 1 Year": ("ssd", "committed_use/1y"),
    "1/8 vGPU no lssd running in Iowa": ("vgpu:1/8", "on_demand"),
    "1/8 vGPU no lssd attached to DWS Defined Duration VMs running in Iowa": (
        "vgpu:1/8",
        "flex_start",
    ),
}

NOT_MEANT = (
    # OnDemand by usage type, another price by its words
    "Reserved Nvidia Tesla A100 GPU in Seoul",
    "Reserved A2 Ram in Netherlands",
    "Capacity Optimized TpuV6e running in Columbus",
    "Nvidia Tesla T4 GPU attached to Sole Tenancy VMs running in Americas",
    "Sole Tenancy Premium for G2 Sole Tenancy Instance Core running in Americas",
    "Sole Tenancy A2 Instance Core running in Americas",
    "Committed Use Discount Premium for A2 Instance Core running in Americas",
    "G2 Custom Instance Core running in Americas",
    "Custom Instance Core running in Americas",
    "VM state: suspended A2 Instance Ram running in Americas",
    "Commitment v1: A2 Cpu in Americas for 5 Years",
    "Commitment - dollar based v1: GCE for 1 year",
    # near names
    "A2D Instance Core running in Americas",
    "A3 Ultra Instance Core running in Americas",
    "Nvidia L40 GPU running in Netherlands",
    "Nvidia L4 Virtual Workstation GPU running in Netherlands",
    "Nvidia Tesla A100 80GB GPU Plus running in Americas",
    "A4 Instance Core running in Americas",
    "C4D Instance Local SSD running in Americas",
    "C3 Instance Local SSD attached to Calendar mode reservations running in Iowa",
    "VM state: preserved local SSD in Bangkok",
    "prefix A2 Instance Core running in Americas",
    "Premium for Spot Preemptible A2 Instance Core running in Americas",
    "Capacity Optimized DWS Defined Duration A2 Core running in Americas",
    "Surcharge on Commitment v1: A2 Cpu in Americas for 1 Year",
    "Cpu running in Americas",
)


@pytest.mark.parametrize("description", MEANT)
def test_allow_listed(description: str) -> None:
    assert meaning(description) == Meaning(*MEANT[description])


@pytest.mark.parametrize("description", NOT_MEANT)
def test_not_on_the_list(description: str) -> None:
    assert meaning(description) is None


def _with(**changes: Any) -> dict[str, Any]:
    """A SKU of 2.933908 with its pricing expression changed."""
    found = sku("Nvidia Tesla A100 GPU running in Americas", "2.933908")
    found["pricingInfo"][0]["pricingExpression"] |= changes
    return found


def _money(**fields: Any) -> dict[str, Any]:
    return _with(tieredRates=[{"unitPrice": {"currencyCode": "USD", **fields}}])


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (_with(), "2.933908"),
        (_money(units="0", nanos=31611000), "0.031611"),
        (_money(nanos=4237000), "0.004237"),  # `units` is left out below a dollar
        (_money(units="16"), "16"),
        (_money(units=16, nanos=110000000), "16.11"),
        (_with(usageUnit="GiBy.h"), "2.933908"),
        # 0.08 a GiB-month is 0.08 / 730 an hour
        (sku("SSD backed Local Storage", "0.08", unit="GiBy.mo"), Decimal("0.08") / 730),
        # some RAM is sold by the decimal gigabyte
        (_with(usageUnit="GBy.h"), Decimal("2.933908") * 2**30 / 10**9),
        (_with(usageUnit="mo"), None),
        (_with(usageUnit="count"), None),
        (_with(tieredRates=[]), None),
        (_with(tieredRates=None), None),
        (_money(units="2", nanos="933908000"), None),
        (_money(units="two", nanos=1), None),
        (_money(units="1" * 40), None),  # its sum with others could not be rounded
        (_money(units="-2"), None),
        (_money(units="2", nanos=-5), None),
        (_with(tieredRates=[{"unitPrice": {"currencyCode": "EUR", "units": "2"}}]), None),
        ({**_with(), "pricingInfo": []}, None),
        ({**_with(), "pricingInfo": "none"}, None),
        ({k: v for k, v in _with().items() if k != "pricingInfo"}, None),
    ],
)
def test_price_per_hour(item: dict[str, Any], expected: Any) -> None:
    found = hourly(item)
    if expected is None:
        assert found is None
    else:
        assert found is not None and abs(found - Decimal(expected)) < Decimal("1e-20")


def test_tiers_with_different_prices_are_no_plain_price() -> None:
    tiers = [
        {"startUsageAmount": start, "unitPrice": {"currencyCode": "USD", "units": units}}
        for start, units in ((0, "0"), (1, "2"))
    ]
    assert hourly(_with(tieredRates=tiers)) is None


def test_the_newest_of_several_prices_counts() -> None:
    new, old = (sku("x", price)["pricingInfo"][0] for price in ("2", "3"))
    old["effectiveTime"] = "2025-01-01T00:00:00Z"
    assert hourly({"pricingInfo": [new, old]}) == 2


def asked(*items: dict[str, Any]) -> list[tuple[str, str, str]]:
    return sorted(read_rates(items).questions)


def test_a_zero_price_is_none_and_asked_about() -> None:
    """A 1-year V100 commitment is listed at 0 in Seoul: that is not free."""
    item = sku(
        "Commitment v1: Nvidia Tesla V100 GPU running in Seoul for 1 Year", "0", usage="Commit1Yr"
    )
    assert read_rates([item]).prices == {}
    assert [kind for kind, _, _ in asked(item)] == ["price"]


def test_reservations_at_zero_are_known_and_left_out() -> None:
    assert asked(sku("Reserved Nvidia Tesla A100 GPU in Seoul", "0")) == []


def test_an_accelerator_that_nobody_knows_is_asked_about_once() -> None:
    items = [
        sku(f"Nvidia B300 GPU running in {place}", "9", regions=[region])
        for place, region in (("Tokyo", "asia-northeast1"), ("Americas", "us-central1"))
    ]
    rates = read_rates([*items, sku("N2 Instance Core running in Tokyo", "1", group="CPU")])
    assert rates.questions == {
        ("sku", "Nvidia B300 GPU", "OnDemand"): {"asia-northeast1", "us-central1"}
    }


@pytest.mark.parametrize("group", ["GPU", "TPU"])
def test_the_group_alone_makes_it_an_accelerator(group: str) -> None:
    assert asked(sku("Ironwood slice in Iowa", "1", group=group)) == [
        ("sku", "Ironwood slice", "OnDemand")
    ]


@pytest.mark.parametrize(
    ("description", "usage"),
    [
        ("Nvidia L4 GPU running in Iowa", "Preemptible"),
        ("Commitment v1: Nvidia L4 GPU running in Iowa for 1 Year", "OnDemand"),
        ("Commitment v1: Nvidia L4 GPU running in Iowa for 3 Years", "Commit1Yr"),
        ("Nvidia L4 GPU running in Iowa", "CmtCudPremium"),
    ],
)
def test_words_and_usage_type_that_disagree_are_asked_about(description: str, usage: str) -> None:
    item = sku(description, "1", usage=usage)
    assert read_rates([item]).prices == {}
    assert [kind for kind, _, _ in asked(item)] == ["sku"]


def test_a_new_host_family_is_asked_about() -> None:
    """A4 has no core SKUs; should it get some, its slice no longer holds the machine."""
    assert asked(sku("A4 Instance Core running in Iowa", "0.03", group="CPU")) == [
        ("sku", "A4 Instance Core", "OnDemand")
    ]


def test_a4_spot_is_spot_though_its_usage_type_says_on_demand() -> None:
    words = "A4 Nvidia B200 (1 gpu slice) running in Americas"
    for order in (1, -1):
        items = [sku(words, "16.11"), sku(f"Spot Preemptible {words}", "4.9542")][::order]
        rates = read_rates(items)
        assert rates.at("nvidia-b200", "on_demand", "us-central1") == Decimal("16.11")
        assert rates.at("nvidia-b200", "spot", "us-central1") == Decimal("4.9542")


def test_of_two_prices_the_dearer_stands_and_it_is_asked_why() -> None:
    for order in (1, -1):
        items = [
            sku("Nvidia H100 80GB Plus GPU running in Americas", "10.344275712"),
            sku("Nvidia H100 80GB Mega GPU running in Americas", "9.5"),
        ][::order]
        rates = read_rates(items)
        mega = "nvidia-h100-mega-80gb"
        assert rates.at(mega, "on_demand", "us-central1") == Decimal("10.344275712")
        assert list(rates.questions) == [("price", mega, "on_demand 9.500000000 / 10.344275712")]


@pytest.mark.parametrize(
    "broken",
    [
        {"category": None},
        {"category": []},
        {"serviceRegions": None},
        {"serviceRegions": "us-central1"},
        {"serviceRegions": [None, 3]},
        {"description": None},
        {"pricingInfo": {"0": 1}},
        {"pricingInfo": [3]},
    ],
)
def test_fields_of_another_type_make_no_price(broken: dict[str, Any]) -> None:
    item = {**sku("Nvidia L4 GPU running in Iowa", "1"), **broken}
    prices = read_rates([item]).prices
    assert not any(by for options in prices.values() for by in options.values())


def test_a_description_without_its_place() -> None:
    assert without_place("Nvidia L40 GPU running in Tokyo for 1 Year") == "Nvidia L40 GPU"
    assert without_place("Reserved X in Seoul in Calendar Mode") == "Reserved X"
