"""`own()`: the worked example, the catalog's weak figures, and what it refuses."""

from __future__ import annotations

import pytest

from gpuadvisor.advice.own import own
from gpuadvisor.catalog.errors import AdvisorError, UsageError
from gpuadvisor.catalog.store import Catalog

# Design notes T41: DGX A100 199,000 USD, 6.5 kW; CBRE Q1 2025 colocation 217.30 per kW-month;
# p4d.24xlarge 32.7726 an hour (AWS price list 2025-04-05).
DGX = {
    "device": "A100-40GB-SXM",
    "gpus": 8,
    "capex": "199000",
    "years": 3,
    "wacc": "8%",
    "residual": "15%",
    "power_kw": "6.5",
    "colo": "217.30",
    "staff": "20000",
    "maintenance": "5%",
    "rent": "p4d.24xlarge",
    "region": "us-east-1",
    "price": ["on_demand=32.7726"],
    "today": "2026-11-30",
}


def test_dgx_against_p4d(catalog: Catalog) -> None:
    found = own(DGX, catalog)
    assert float(found.annual_own.expected) == pytest.approx(114_923, abs=1)
    assert found.break_even.likely == pytest.approx(0.4003, abs=5e-5)
    assert {line.name: round(float(line.annual.expected)) for line in found.lines} == {
        "capital": 68_024, "colocation": 16_949, "staff": 20_000, "maintenance": 9_950,
    }  # fmt: skip
    # Every figure is the user's own: no range, nothing that moves it.
    assert found.annual_own.low == found.annual_own.high
    assert found.break_even.low == found.break_even.high
    assert found.swings == ()


def test_a_third_off_the_rent(catalog: Catalog) -> None:
    found = own({**DGX, "price": ["on_demand=21.957"]}, catalog)
    assert found.break_even.likely == pytest.approx(0.5975, abs=5e-5)


@pytest.mark.parametrize(("busy", "wins"), [("0.3", False), ("0.5", True)])
def test_use_decides(catalog: Catalog, busy: str, wins: bool) -> None:
    found = own({**DGX, "utilisation": busy}, catalog)
    assert (found.annual_own.expected < found.annual_rent.expected) is wins
    assert float(found.annual_rent.expected) == pytest.approx(32.7726 * 8760 * float(busy))


def test_payback_is_later_at_less_use(catalog: Catalog) -> None:
    often, rare, never = (
        own({**DGX, "utilisation": busy}, catalog).pays_after_months
        for busy in ("90%", "40%", "5%")
    )
    assert often is not None and rare is not None and often < rare
    assert never is None


def test_weak_figures_of_the_catalog_are_marked(catalog: Catalog) -> None:
    found = own({"device": "H100-80GB-SXM", "gpus": 8, "today": "2026-11-30"}, catalog)
    by_name = {figure.name: figure for figure in found.figures}
    assert by_name["capex"].value == (300_000, 325_000, 350_000)
    assert by_name["capex"].weak
    assert by_name["power_kw"].value.likely == 10.2
    assert "own.weak" in [w.id for w in found.warnings]
    assert "own.no_staff" in [w.id for w in found.warnings]
    assert found.annual_own.low < found.annual_own.expected < found.annual_own.high
    assert found.break_even.low < found.break_even.likely < found.break_even.high
    assert found.swings[0].size == max(swing.size for swing in found.swings) > 0
    # What is bought is one machine of eight, so one is rented.
    assert found.item.instances == 1


def test_two_nodes_cost_two_nodes(catalog: Catalog) -> None:
    found = own({"device": "H100-80GB-SXM", "gpus": 16, "rent": "2x p5.48xlarge"}, catalog)
    assert {f.name: f.value.likely for f in found.figures}["capex"] == 650_000


def test_card_against_cloud_card_per_image(catalog: Catalog) -> None:
    asked = {"device": "RTX-3090", "used": True, "rent": "g6.xlarge", "workload": "diffusion"}
    found = own({**asked, "utilisation": "50%"}, catalog)
    assert found.own_unit is not None and found.rent_unit is not None
    assert found.own_unit.relative == found.rent_unit.relative
    ids = [w.id for w in found.warnings]
    assert "own.consumer" in ids and "own.card_alone" in ids
    # The same year spread over a tenth of the images: ten times the cost of each.
    idle = own({**asked, "utilisation": "5%"}, catalog)
    assert idle.own_unit is not None
    assert idle.own_unit.cost == pytest.approx(10 * found.own_unit.cost)


def test_capex_in_another_currency(catalog: Catalog) -> None:
    usd = own({**DGX, "capex": "199000USD", "currency": "CNY", "price": None}, catalog)
    figure = next(f for f in usd.figures if f.name == "capex")
    # ECB 2026-10-30: 6.6529 CNY per USD.
    assert figure.value.likely == pytest.approx(199_000 * 6.6529)


def test_colocation_says_that_energy_may_come_on_top(catalog: Catalog) -> None:
    assert "own.colo_energy" in [w.id for w in own(DGX, catalog).warnings]
    paid = own({**DGX, "kwh_price": "0.1"}, catalog)
    assert "own.colo_energy" not in [w.id for w in paid.warnings]
    assert {line.name for line in paid.lines} >= {"colocation", "energy"}


@pytest.mark.parametrize(
    ("changes", "id"),
    [
        ({"device": None}, "own.no_device"),
        ({"device": "L4", "capex": None, "rent": "g6.xlarge"}, "own.no_capex"),
        ({"device": "L40S", "capex": None, "used": True}, "own.no_capex"),
        ({"capex": "199000USD/month"}, "own.capex_once"),
        ({"utilisation": "0"}, "own.no_utilisation"),
        ({"device": "NOSUCH"}, "catalog.nothing_near"),
    ],
)
def test_refusals(catalog: Catalog, changes: dict[str, object], id: str) -> None:
    fields = {k: v for k, v in {**DGX, **changes}.items() if v is not None}
    with pytest.raises(AdvisorError) as caught:
        own(fields, catalog)
    assert isinstance(caught.value, UsageError)
    assert caught.value.message.id == id
