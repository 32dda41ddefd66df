"""Azure prices, through the real transport from a server with the Retail Prices API's shape.

Figures without a remark are the API's own of 2026-08 for NC24ads_A100_v4 in westeurope.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.refresh import azure
from gpuadvisor.refresh.holes import is_hole
from gpuadvisor.refresh.interface import Missing, Scope
from tests.refresh.azure_rest import (
    PRICES,
    Azure,
    plans,
    reservation,
    row,
    terms_of,
    wanting,
)
from tests.refresh.server import Server, reply

A100 = "Standard_NC24ads_A100_v4"
WINDOWS = "Virtual Machines NCads A100 v4 Series Windows"
ROWS = [
    row(A100, "4.775", savingsPlan=plans(y1="3.97471", y3="2.9457")),
    row(A100, "1.097295", kind="Spot"),
    row(A100, "0.955", kind="Low Priority"),
    row(A100, "5.879", product=WINDOWS),
    row(A100, "1.350994", kind="Spot", product=WINDOWS),
    row(A100, "2.352", kind="Low Priority", product=WINDOWS),
]


@pytest.fixture
def cloud() -> Iterator[Azure]:
    with Server() as server:
        yield Azure(server)


def found(cloud: Azure, items: list[Any], size: str = A100) -> dict[str, Decimal]:
    cloud.prices(items)
    return terms_of(cloud.refresh(), size)


def asked(cloud: Azure, items: list[Any]) -> list[tuple[str, str, str]]:
    """Questions about prices and names, without those about what the catalog had more."""
    cloud.prices(items)
    puzzles = cloud.refresh().puzzles
    return [(p.kind, p.name, p.detail) for p in puzzles if p.name not in azure.OPTIONS]


# -- which row is a price -----------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, -1])
def test_six_rows_of_a_size_hold_one_on_demand_and_one_spot_price(cloud: Azure, order: int) -> None:
    """Low Priority is the cheapest and no VM can be had for it (azure-cost-calculator#531);
    karpenter's winner among Linux and Windows is random."""
    assert found(cloud, ROWS[::order]) == {
        "on_demand": Decimal("4.775"),
        "spot": Decimal("1.097295"),
        "savings_plan/1y": Decimal("3.97471"),
        "savings_plan/3y": Decimal("2.9457"),
    }
    assert asked(cloud, ROWS) == []


def test_spot_is_a_posted_list_price(cloud: Azure) -> None:
    cloud.prices(ROWS)
    spot = next(p for p in cloud.refresh().prices if p.option == "spot")
    assert (spot.low, spot.measure, spot.currency) == (Decimal("1.097295"), "list", "USD")


def test_windows_products_also_end_in_win(cloud: Azure) -> None:
    """karpenter stores NCC40ads_H100_v5 in westeurope at 10.74, which is Windows; Linux is 8.90."""
    size = "Standard_NCC40ads_H100_v5"
    items = [
        row(size, "8.90", product="Virtual Machines NCCadsv5 Srs"),
        row(size, "10.74", product="Virtual Machines NCCadsv5 Srs Win"),
    ]
    for order in (1, -1):
        assert found(cloud, items[::order], size) == {"on_demand": Decimal("8.90")}


@pytest.mark.parametrize(
    "product",
    [
        "Virtual Machines NCads A100 v4 Series",
        "NCads A100 v4 Series Linux",
        "Virtual Machines NDISv5MI300X Srs",
        "Virtual Machines NCdsxlRTX6kv6",
    ],
)
def test_linux_products_have_no_one_ending(cloud: Azure, product: str) -> None:
    """infracost asks for "Series( Linux)?$" and so has no price for MI300X and RTX PRO 6000."""
    assert found(cloud, [row(A100, "4.775", product=product)]) == {"on_demand": Decimal("4.775")}


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "DevTestConsumption"},
        {"productName": "NCads A100 v4 Series Dedicated Host"},
        {"productName": "NCads A100 v4 Series CloudServices"},
        {"isPrimaryMeterRegion": False},
        {"skuName": "NC24ads A100 v4 Low Priority"},
        {"meterName": "NC24ads A100 v4 Low Priority"},
        # replaced by a newer row
        {"effectiveEndDate": "2026-08-01T00:00:00Z"},
        {"effectiveEndDate": "2026-11-30T00:00:00Z"},
        # a window that ends before it begins
        {"effectiveStartDate": "2026-08-01T00:00:00Z", "effectiveEndDate": "2026-07-31T00:00:00Z"},
        # not yet
        {"effectiveStartDate": "2026-12-01T00:00:00Z"},
        {"armSkuName": ""},
        {"armSkuName": "   "},
        {"armSkuName": None},
        {"armSkuName": "Basic_A0"},
        {"armSkuName": "NCadsA100v4-Type1"},
        {"armSkuName": "Standard_D2s_v3"},
        {"armSkuName": "Standard_NP10s"},
        {"armSkuName": "Standard_NC6_Promo"},
    ],
)
def test_rows_that_are_no_price_of_a_gpu_vm_today(cloud: Azure, fields: dict[str, Any]) -> None:
    assert found(cloud, [{**row(A100, "0.5"), **fields}]) == {}
    assert asked(cloud, [{**row(A100, "0.5"), **fields}]) == []
    beside = found(cloud, [{**row(A100, "0.5"), **fields}, ROWS[0]])
    assert beside["on_demand"] == Decimal("4.775")


def test_an_end_to_come_is_still_in_force(cloud: Azure) -> None:
    item = row(A100, "4.775", effectiveEndDate="2027-01-01T00:00:00Z")
    assert found(cloud, [item]) == {"on_demand": Decimal("4.775")}


def test_the_later_row_replaces_the_earlier(cloud: Azure) -> None:
    """NC144ds rose from 5.5 to 6.38 on 2026-08-01."""
    size = "Standard_NC144ds_xl_RTXPRO6000BSE_v6"
    items = [
        row(size, "5.5"),
        row(size, "6.38", effectiveStartDate="2026-08-01T00:00:00Z"),
    ]
    for order in (1, -1):
        assert found(cloud, items[::order], size) == {"on_demand": Decimal("6.38")}
    assert asked(cloud, items) == []


def test_two_rows_of_the_same_day_are_asked_about_and_the_dearer_stands(cloud: Azure) -> None:
    items = [row(A100, "4.7"), row(A100, "4.775")]
    for order in (1, -1):
        assert found(cloud, items[::order]) == {"on_demand": Decimal("4.775")}
    assert asked(cloud, items) == [("price", A100, "on_demand 4.7 / 4.775")]


@pytest.mark.parametrize(
    "fields",
    [
        {"retailPrice": 0},
        {"retailPrice": 0.0},
        {"retailPrice": -1},
        {"retailPrice": None},
        {"retailPrice": "4.775"},
        {"retailPrice": True},
        {"retailPrice": 10**400},
        {"retailPrice": 10**400, "type": "Reservation", "reservationTerm": "1 Year"},
        {"currencyCode": "EUR"},
        {"unitOfMeasure": "100 Hours"},
        {"tierMinimumUnits": 10},
    ],
)
def test_a_price_that_is_none_is_asked_about(cloud: Azure, fields: dict[str, Any]) -> None:
    """skypilot#3615 showed Azure's H100 at $0."""
    item = {**row(A100, "4.775"), **fields}
    assert found(cloud, [item]) == {}
    assert [(kind, name) for kind, name, _ in asked(cloud, [item])] == [("price", A100)]


# -- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "size"),
    [
        (f"{A100}  ", A100),
        ("Standard_NG32adms_V620", "Standard_NG32adms_V620_v1"),
        ("Standard_NG8ads_V620 ", "Standard_NG8ads_V620_v1"),
        ("Standard_ND96asr_A100_v4", "Standard_ND96asr_v4"),
    ],
)
def test_irregular_names(cloud: Azure, written: str, size: str) -> None:
    assert found(cloud, [row(written, "4.775")], size) == {"on_demand": Decimal("4.775")}


def test_the_sku_name_is_no_key(cloud: Azure) -> None:
    """It is sometimes the ARM name, sometimes "NC40adsH100v5"."""
    item = row(A100, "4.775", skuName="NC24adsA100v4", meterName="NC24adsA100v4")
    assert found(cloud, [item]) == {"on_demand": Decimal("4.775")}


def test_a_size_that_nobody_knows_is_asked_about(cloud: Azure) -> None:
    items = [row("Standard_NM16ads_MA35D  ", "2.1"), row("Standard_ND96_B300_v7", "150")]
    assert asked(cloud, items) == [
        ("sku", "Standard_NM16ads_MA35D", ""),
        ("sku", "Standard_ND96_B300_v7", ""),
    ]
    assert cloud.refresh().prices == ()


def test_questions_of_many_regions_are_one(cloud: Azure) -> None:
    cloud.prices([row("Standard_ND96_B300_v7", "150", region=r) for r in ("eastus", "westus3")])
    puzzles = cloud.refresh(wanting(regions=["eastus", "westus3"])).puzzles
    assert [p.where for p in puzzles if p.kind == "sku"] == ["eastus, westus3"]


# -- commitments --------------------------------------------------------------------------------


def test_a_reservation_is_the_total_over_the_hours_of_its_term(cloud: Azure) -> None:
    """eastus 2026-08-10: 551221 for a year of ND96isr_H100_v5 is 62.924772 an hour."""
    size = "Standard_ND96isr_H100_v5"
    place = {"region": "eastus"}
    cloud.prices(
        [
            row(size, "98.32", **place),
            reservation(size, "551221.0", "1 Year", **place),
            reservation(size, "1134310", "3 Years", **place),
            reservation(size, "1722566", "5 Years", **place),
        ]
    )
    found = terms_of(cloud.refresh(wanting(regions=["eastus"])), size)
    assert found["reserved/1y"] == Decimal("62.924772")
    assert found["reserved/3y"] == Decimal("43.162481")  # 1134310 / 26280
    assert found["reserved/5y"] == Decimal("39.327991")  # 1722566 / 43800


def test_a_reservation_priced_by_the_hour_is_asked_about(cloud: Azure) -> None:
    """One example of the API in the wild shows an hourly figure: divided it would be 0.0003."""
    items = [row(A100, "4.775"), reservation(A100, "3.1", "1 Year")]
    assert found(cloud, items) == {"on_demand": Decimal("4.775")}
    assert asked(cloud, items) == [("price", A100, "reserved 1y 0.000354 / 4.775")]


def test_commitments_above_on_demand_are_asked_about(cloud: Azure) -> None:
    items = [row(A100, "4.775", savingsPlan=plans(y1="5.1")), reservation(A100, "50000", "1 Year")]
    assert found(cloud, items) == {"on_demand": Decimal("4.775")}
    assert len(asked(cloud, items)) == 2


def test_an_unknown_term_is_asked_about(cloud: Azure) -> None:
    item = reservation(A100, "50000", "2 Years")
    assert found(cloud, [item]) == {} and len(asked(cloud, [item])) == 1


@pytest.mark.parametrize("plan", [None, [], "none", [None, 3], [{"term": "1 Year"}], [{}]])
def test_without_a_savings_plan(cloud: Azure, plan: Any) -> None:
    item = row(A100, "4.775", savingsPlan=plan)
    assert found(cloud, [item]) == {"on_demand": Decimal("4.775")}


def test_spot_may_cost_as_much_as_on_demand(cloud: Azure) -> None:
    """So does GB200 in eastus (108.16) and H200 in three EU regions."""
    items = [row(A100, "4.775"), row(A100, "4.775", kind="Spot")]
    assert found(cloud, items)["spot"] == Decimal("4.775")


# -- pages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 100, 1000])
def test_pages_of_any_size_are_followed_to_the_last(cloud: Azure, size: int) -> None:
    cloud.prices(ROWS, page=size)
    assert len(cloud.refresh().prices) == 4


def test_one_region_is_asked_for_at_a_time(cloud: Azure) -> None:
    cloud.prices(ROWS)
    cloud.refresh(wanting(regions=["westeurope", "eastus"]))
    filters = [r.query["$filter"] for r in cloud.server.seen]
    assert [f.count("armRegionName eq") for f in filters] == [1, 1]
    assert all("serviceName eq 'Virtual Machines'" in f for f in filters)
    assert cloud.server.seen[0].query["meterRegion"] == "'primary'"
    assert cloud.server.seen[0].query["currencyCode"] == "'USD'"


def test_rows_of_another_region_are_not_taken(cloud: Azure) -> None:
    """Never a price of elsewhere (karpenter falls back to eastus)."""
    cloud.server.on(PRICES, reply(cloud.page([row(A100, "3.673", region="eastus"), ROWS[0]])))
    fetched = cloud.refresh()
    assert terms_of(fetched, A100)["on_demand"] == Decimal("4.775")
    assert ("region", "eastus") in [(p.kind, p.name) for p in fetched.puzzles]


def reason(cloud: Azure, *pages: Any) -> str:
    cloud.server.on(PRICES, *pages)
    wanted, context = wanting(), cloud.context(attempts=2)
    with pytest.raises(Missing) as caught:
        azure.fetch(azure.plan(wanted, context)[0], wanted, context)
    from gpuadvisor.report.messages import render

    assert render(caught.value.reason)
    return caught.value.reason.id.partition(".")[2]


def test_a_link_with_the_port_is_the_same_place() -> None:
    from gpuadvisor.refresh.azure_retail import PATH, PUBLIC, _check

    _check(f"https://prices.azure.com:443{PATH}?$skip=100", PUBLIC + PATH, 100)
    _check(f"https://prices.azure.com{PATH}?api-version=x&%24skip=100", PUBLIC + PATH, 100)


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/api/retail/prices?$skip=1000",
        "https://prices.azure.com.evil.example/api/retail/prices?$skip=1000",
        "https://prices.azure.com@evil.example/api/retail/prices",
        "https://user@prices.azure.com/api/retail/prices",
        "http://prices.azure.com/api/retail/prices",
        "https://prices.azure.com:8443/api/retail/prices",
        "https://prices.azure.com/api/other",
        "//evil.example/api/retail/prices",
        "/api/retail/prices?$skip=1000",
        "file:///etc/passwd",
        "https://prices.azure.com:port/api/retail/prices",
        ["https://prices.azure.com/api/retail/prices"],
        7,
    ],
)
def test_a_link_to_another_place_is_not_followed(cloud: Azure, link: Any) -> None:
    from gpuadvisor.refresh.azure_retail import PATH, PUBLIC, _check

    with pytest.raises(Missing):
        _check(link, PUBLIC + PATH, 1000)
    page = {**cloud.page(ROWS), "NextPageLink": link}
    with Server() as other:
        assert reason(cloud, reply(page)) == "odd_link"
        assert other.seen == []


def test_a_page_that_comes_twice(cloud: Azure) -> None:
    link = f"{cloud.server.address}{PRICES}?page=next"
    page = {**cloud.page(ROWS), "NextPageLink": link}
    assert reason(cloud, reply(page)) == "page_twice"


def test_an_offset_that_does_not_meet_the_rows_read(cloud: Azure) -> None:
    """While data changes, paging by offset drops rows."""
    assert reason(cloud, reply(cloud.page(ROWS, skip=1000))) == "page_lost"
    assert reason(cloud, reply(cloud.page(ROWS, skip=2))) == "page_lost"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ({}, "not_prices"),
        ([], "not_prices"),
        ({"Items": None}, "not_prices"),
        ({"Items": [1]}, "not_prices"),
        ({"Items": {}}, "not_prices"),
        ({"Items": [], "BillingCurrency": "EUR"}, "not_prices"),
        ({"Items": ROWS, "Count": 100}, "page_lost"),
    ],
)
def test_a_page_of_another_shape(cloud: Azure, page: Any, expected: str) -> None:
    assert reason(cloud, reply(page)) == expected


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (reply(status=429), "status"),
        (reply(status=500), "status"),
        (reply(status=400), "status"),
        (reply({"Items": ROWS}, cut=50), "cut_short"),
        (reply("<html>busy</html>"), "not_json"),
    ],
)
def test_a_fault_that_stays(cloud: Azure, fault: Any, expected: str) -> None:
    assert reason(cloud, fault) == expected


@pytest.mark.parametrize(
    "fault", [reply(status=429, headers={"Retry-After": "0"}), reply(status=500), reply({}, cut=1)]
)
def test_a_fault_that_passes(cloud: Azure, fault: Any) -> None:
    cloud.server.on(PRICES, fault, reply(cloud.page(ROWS)))
    assert len(cloud.refresh().prices) == 4
    assert len(cloud.server.seen) == 2


# -- what may be called gone --------------------------------------------------------------------


def test_what_was_read_to_its_end(cloud: Azure) -> None:
    """One size of the dozens in westeurope is a hole; chilecentral has no spot price to lose."""
    cloud.prices([*ROWS, row(A100, "6", region="chilecentral")])
    fetched = cloud.refresh(wanting(regions=["westeurope", "chilecentral"]))
    assert Scope("chilecentral", "spot") in fetched.scopes
    assert Scope("westeurope", "on_demand") not in fetched.scopes
    assert ("price", "on_demand", "westeurope") in [
        (p.kind, p.name, p.where) for p in fetched.puzzles
    ]


def test_two_of_two_may_really_be_gone() -> None:
    assert not is_hole({"a", "b"}, set())
    assert is_hole({"a", "b", "c"}, {"a", "d", "e"})
    assert not is_hole({"a", "b", "c", "d"}, {"a", "b"})


def test_only_the_options_that_were_asked_for(cloud: Azure) -> None:
    cloud.prices(ROWS)
    fetched = cloud.refresh(wanting("spot"))
    assert {p.option for p in fetched.prices} == {"spot"}
    assert {s.option for s in fetched.scopes} <= {"spot"}


def test_new_regions_are_asked_about(cloud: Azure) -> None:
    """All regions are read one by one, so those that the catalog lacks are looked for."""
    common = azure.COMMON_SIZE
    cloud.prices([row(common, "0.5", region="eastus"), row(common, "0.6", region="belgiumcentral")])
    context = cloud.context()
    wanted = wanting("on_demand", regions=[])
    task = next(t for t in azure.plan(wanted, context) if t.key == "regions")
    fetched = azure.combine({"regions": azure.fetch(task, wanted, context)}, context)
    assert [(p.kind, p.name) for p in fetched.puzzles] == [("region", "belgiumcentral")]
    assert all(t.key != "regions" for t in azure.plan(wanting(), context))


# -- the plan -----------------------------------------------------------------------------------


def test_prices_need_no_account(cloud: Azure) -> None:
    cloud.prices(ROWS)
    fetched = cloud.refresh()
    assert [t.key for t in azure.plan(wanting(), cloud.context())] == ["westeurope/prices"]
    assert [note.id for note in fetched.notes] == ["refresh_azure.shapes_unread"]


@pytest.mark.parametrize(
    "wanted",
    [wanting(regions=["westeuropa"]), wanting("committed_use"), wanting("shapes")],
)
def test_what_cannot_be_asked_for(cloud: Azure, wanted: Any) -> None:
    with pytest.raises(UsageError):
        azure.plan(wanted, cloud.context())


@pytest.mark.parametrize("name", ["azure-retail", "azure-management"])
def test_plain_http_is_for_this_machine(cloud: Azure, name: str) -> None:
    context = cloud.context()._replace(endpoints={name: "http://mirror.example"})
    with pytest.raises(UsageError):
        azure.plan(wanting(), context)


def test_the_module_imports_no_client() -> None:
    code = (
        "import sys, gpuadvisor.refresh.azure;"
        "print([m for m in sys.modules if m.split('.')[0] in ('azure', 'msal', 'urllib3')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
