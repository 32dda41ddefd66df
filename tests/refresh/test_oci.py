"""Oracle's two public lists in the form they have: `items` of products and of estimator shapes.

Field names, part numbers and rates as in Oracle's price list (B98415: H100, 10 USD per GPU-hour,
"OCI - NVIDIA AI Enterprise - H100": 2.50); the shapes as the cost estimator's `shapes.json` has them.
"""

from __future__ import annotations

import copy
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh import oci
from gpuadvisor.refresh.interface import Context, Fetched, Missing, Wanted
from tests.refresh.feeds import TODAY, fetched
from tests.refresh.server import Server, http, reply


def product(part: str, name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {
        "partNumber": part,
        "displayName": name,
        "metricName": "GPU Per Hour",
        "serviceCategory": "Compute - GPU",
        "currencyCodeLocalizations": [
            {"currencyCode": "USD", "prices": [{"model": "PAY_AS_YOU_GO", "value": value}]}
        ],
        **more,
    }


def shape(name: str, gpus: Any, part: str, ocpus: Any, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "status": "ACTIVE",
        "hidden": False,
        "allowPreemptible": False,
        "subType": {"value": "gpu"},
        "shapeType": {"value": "bm"},
        "processorType": {"value": "intel"},
        "gpuQty": gpus,
        "gpuMemoryQty": 640,
        "bundleMemoryQty": 2048,
        "products": [{"type": {"value": "ocpu"}, "partNumber": part, "qty": ocpus}],
        **more,
    }


PRODUCTS = [
    product("B98415", "OCI - Compute - GPU - H100", 10),
    product("B111824", "OCI - NVIDIA AI Enterprise - H100", 2.5),
    product("B95909", "Compute  - GPU - A10", 2),
    product("B110979", "OCI- Compute - GPU - GB200", 16),
    product("B89734", "Oracle Cloud Infrastructure - GPU Standard - V2", 2.95),
    product("B88518", "Virtual Machine GPU Standard - X7", 0.1062, metricName="OCPU Per Hour"),
    product("B110965", "Compute - GPU.L40S", 3.5, serviceCategory="Compute Cloud@Customer"),
    product("B91961", "Block Volume", 0.0255, serviceCategory="Storage", metricName="Gigabyte"),
]
SHAPES = [
    shape("BM.GPU.H100.8", 8, "B98415", 112),
    shape("VM.GPU.A10.1", 1, "B95909", 15),
    # A name decorated for show, and 128 OCPUs where two Grace hosts have 144 cores.
    shape("BM.GPU.GB200.4 (NVL72)", 4, "B110979", 128, processorType={"value": "blackwell"}),
    shape("VM.GPU3.1", 1, "B89734", 6, allowPreemptible=True),
    shape("VM.GPU2.1", 1, "B88518", 12, allowPreemptible=True),
    shape("VM.Standard.E4.Flex", 0, "B93113", 1, subType={"value": "standard"}),
]


@pytest.fixture
def lists() -> dict[str, Any]:
    return copy.deepcopy(
        {"products": PRODUCTS, "shapes": SHAPES, "updated": "2026-11-21T08:00:00Z"}
    )


def read(lists: dict[str, Any], catalog: Catalog, tmp_path: Path, **asked: Any) -> Fetched:
    with Server() as server:
        server.on(
            oci.PRICES_PATH,
            reply({"lastUpdated": lists["updated"], "items": lists["products"]}),
            query={"currencyCode": "USD"},
        )
        server.on(oci.SHAPES_PATH, reply({"items": lists["shapes"]}))
        ends = {"oci_prices": server.address, "oci_estimator": server.address}
        return fetched(oci, catalog, ends, tmp=tmp_path, **asked)


def prices(found: Fetched, option: str = "on_demand") -> dict[str, Decimal]:
    return {
        p.type: p.price for p in found.prices if (p.region, p.option) == ("us-ashburn-1", option)
    }


def test_a_shape_costs_its_gpus_times_the_rate(
    lists: dict[str, Any], catalog: Catalog, tmp_path: Path
) -> None:
    found = read(lists, catalog, tmp_path)
    assert prices(found) == {
        "BM.GPU.H100.8": Decimal(80),  # 8 x 10, not 8 x 2.50 of the licence
        "VM.GPU.A10.1": Decimal(2),
        "BM.GPU.GB200.4": Decimal(64),
        "VM.GPU3.1": Decimal("2.95"),
        "VM.GPU2.1": Decimal("1.2744"),  # 12 OCPU x 0.1062
    }
    # As the catalog has them already.
    known = {
        o.instance_type: o.price
        for o in catalog.offers("oci", options=["on_demand"], regions=["us-ashburn-1"])
    }
    assert known["BM.GPU.H100.8"] == 80 and known["BM.GPU.GB200.4"] == 64


def test_preemptible_is_half(lists: dict[str, Any], catalog: Catalog, tmp_path: Path) -> None:
    found = read(lists, catalog, tmp_path)
    assert prices(found, "spot") == {"VM.GPU3.1": Decimal("1.475"), "VM.GPU2.1": Decimal("0.6372")}
    spot = next(p for p in found.prices if p.option == "spot")
    assert (spot.low, spot.measure) == (spot.price, "list")


def test_one_price_in_all_regions_and_each_is_read_to_its_end(
    lists: dict[str, Any], catalog: Catalog, tmp_path: Path
) -> None:
    found = read(lists, catalog, tmp_path)
    regions = {r.name for r in catalog.regions() if r.provider == "oci"}
    assert {p.region for p in found.prices} == regions and len(regions) > 30
    assert {(s.region, s.option) for s in found.scopes} == {
        (r, o) for r in regions for o in ("on_demand", "spot")
    }
    asked = read(lists, catalog, tmp_path, regions=("us-phoenix-1",), parts=("on_demand",))
    assert {(p.region, p.option) for p in asked.prices} == {("us-phoenix-1", "on_demand")}
    assert {(s.region, s.option) for s in asked.scopes} == {("us-phoenix-1", "on_demand")}
    assert asked.types == ()


def test_the_list_states_its_own_day(
    lists: dict[str, Any], catalog: Catalog, tmp_path: Path
) -> None:
    assert read(lists, catalog, tmp_path).feeds[0].date.isoformat() == "2026-11-21"
    for strange in (None, "soon", "2999-01-01", "2026-13-45"):
        lists["updated"] = strange
        assert read(lists, catalog, tmp_path).feeds[0].date == TODAY


def test_known_hosts_are_not_overwritten_by_the_estimator(
    lists: dict[str, Any], catalog: Catalog, tmp_path: Path
) -> None:
    types = {t.name: t for t in read(lists, catalog, tmp_path).types}
    assert types["BM.GPU.GB200.4"].vcpus is None and types["BM.GPU.GB200.4"].arch == "arm64"
    assert types["BM.GPU.H100.8"].devices == 8


def test_a_new_shape_is_understood_by_its_name(
    lists: dict[str, Any], catalog: Catalog, tmp_path: Path
) -> None:
    lists["shapes"] += [
        shape("BM.GPU.L40S.2", 2, "B109479", 56),
        shape("BM.GPU.R100.8", 8, "B99999", 144),
    ]
    lists["products"] += [
        product("B109479", "OCI - Compute - GPU - L40S", 3.5),
        product("B99999", "OCI - Compute - GPU - R100", 40),
    ]
    found = read(lists, catalog, tmp_path)
    types = {t.name: t for t in found.types}
    l40s = types["BM.GPU.L40S.2"]
    assert (l40s.device, l40s.devices, l40s.vcpus, l40s.family) == ("L40S", 2, 112, "BM.GPU.L40S")
    # A device that nobody knows stays what it is called: composing tells it.
    assert types["BM.GPU.R100.8"].device == "R100"
    assert prices(found)["BM.GPU.L40S.2"] == 7


PUZZLES = {
    "a rate that no shape is billed under": (
        lambda d: d["products"].append(product("B109480", "OCI - Compute - GPU - H100T", 9)),
        ("sku", "B109480"), None,
    ),
    "an appliance's rate under a shape's part number": (
        lambda d: d["products"][0].update(serviceCategory="Compute Cloud@Customer"),
        ("sku", "B98415"), "BM.GPU.H100.8",
    ),
    "a price of zero": (
        lambda d: d["products"].__setitem__(0, product("B98415", "H100 GPU", 0)),
        ("price", "B98415"), "BM.GPU.H100.8",
    ),
    "a price that is a text": (
        lambda d: d["products"].__setitem__(0, product("B98415", "H100 GPU", "10")),
        ("price", "B98415"), "BM.GPU.H100.8",
    ),
    "two prices": (
        lambda d: d["products"].append(product("B98415", "OCI - Compute - GPU - H100", 11)),
        ("price", "B98415"), "BM.GPU.H100.8",
    ),
    "no such part": (
        lambda d: d["products"].pop(0), ("price", "BM.GPU.H100.8"), "BM.GPU.H100.8",
    ),
    "another metric": (
        lambda d: d["products"][0].update(metricName="Node Per Hour"),
        ("price", "BM.GPU.H100.8"), "BM.GPU.H100.8",
    ),
    "a shape without GPUs": (
        lambda d: d["shapes"][0].update(gpuQty=None), ("family", "BM.GPU.H100.8"), None,
    ),
    "a shape without a part": (
        lambda d: d["shapes"][0].update(products=[]), ("family", "BM.GPU.H100.8"), None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", PUZZLES)
def test_what_is_not_understood(
    lists: dict[str, Any], catalog: Catalog, tmp_path: Path, case: str
) -> None:
    change, puzzle, spared = PUZZLES[case]
    change(lists)
    found = read(lists, catalog, tmp_path)
    assert puzzle in {(p.kind, p.name) for p in found.puzzles}
    if "rate that no shape" not in case:
        assert "BM.GPU.H100.8" not in prices(found)
    # A shape whose price was not understood keeps its old one.
    if spared:
        assert all(spared in scope.besides for scope in found.scopes)


def test_another_currency_is_not_taken(
    lists: dict[str, Any], catalog: Catalog, tmp_path: Path
) -> None:
    euro = {"currencyCode": "EUR", "prices": [{"model": "PAY_AS_YOU_GO", "value": 9.3}]}
    lists["products"][0]["currencyCodeLocalizations"].insert(0, euro)
    assert prices(read(lists, catalog, tmp_path))["BM.GPU.H100.8"] == 80


@pytest.mark.parametrize("hidden", [{"hidden": True}, {"status": "INACTIVE"}])
def test_hidden_shapes_are_not_sold(
    lists: dict[str, Any], catalog: Catalog, tmp_path: Path, hidden: Any
) -> None:
    lists["shapes"][0].update(hidden)
    assert "BM.GPU.H100.8" not in prices(read(lists, catalog, tmp_path))


@pytest.mark.parametrize(
    "body", [{"items": "none"}, {"items": [1]}, [], {"items": [], "hasMore": True}, {}]
)
def test_another_form_is_missing(
    lists: dict[str, Any], catalog: Catalog, tmp_path: Path, body: Any
) -> None:
    with Server() as server, pytest.raises(Missing) as caught:
        server.on(oci.PRICES_PATH, reply(body))
        server.on(oci.SHAPES_PATH, reply({"items": lists["shapes"]}))
        ends = {"oci_prices": server.address, "oci_estimator": server.address}
        fetched(oci, catalog, ends, tmp=tmp_path)
    assert caught.value.reason.id == "refresh.other_form"


def test_half_is_no_whole(catalog: Catalog) -> None:
    with pytest.raises(Missing) as caught:
        context = Context(TODAY, catalog, http(), {}, lambda _: None)
        oci.combine({"prices": Fetched(raw={})}, context)
    assert caught.value.reason.id == "refresh.half_read"


@pytest.mark.parametrize(
    "wanted", [Wanted(("us-east-1",), frozenset()), Wanted((), frozenset({"reserved"}))]
)
def test_usage(catalog: Catalog, wanted: Wanted) -> None:
    with pytest.raises(UsageError):
        oci.plan(wanted, Context(TODAY, catalog, http(), {}, lambda _: None))
