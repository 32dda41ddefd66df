"""A demand over the day, and storage beside the machines, through `estimate`."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.advice.curve import Curve
from gpuadvisor.advice.estimate import estimate
from gpuadvisor.catalog.errors import AdvisorError, InputError, UsageError
from gpuadvisor.catalog.store import Catalog

# Design notes T16 and T26: static 240 instance-hours, ideal 128, 20 % warm 163.
UNITS = [2, 2, 2, 2, 2, 2, 3, 4, 6, 8, 9, 10, 10, 10, 9, 9, 8, 8, 6, 5, 4, 3, 2, 2]
CURVE = Curve("units", tuple(float(u) for u in UNITS))
G5: dict[str, Any] = {
    "what": "g5.xlarge", "region": "us-east-1", "curve": CURVE, "today": "2026-11-30",
}  # fmt: skip


def ways(catalog: Catalog, **changes: Any) -> dict[str, Any]:
    found = estimate({**G5, **changes}, catalog).serving[0]
    return {way.name: way for way in found.ways}


def test_hours_become_money(catalog: Catalog) -> None:
    found = ways(catalog, warm="20%", cooldown="0", boot="0")
    # 1.006 an hour (AWS price list); 288 and 163 instance-hours a day of 730/24 days.
    static, scaled = found["static"].monthly, found["autoscaled"].monthly
    assert float(static.expected) == pytest.approx(288 / 24 * 730 * 1.006, abs=0.02)
    assert float(scaled.expected) == pytest.approx(163 / 24 * 730 * 1.006, abs=0.02)
    assert found["autoscaled"].saving == pytest.approx(1 - 163 / 288)


def test_the_articles_elastic_fleet(catalog: Catalog) -> None:
    # 34 % saved is a load factor of 0.66 (design notes, section 0).
    curve = Curve("units", (66.0,) * 12 + (100.0,) * 6 + (32.0,) * 6)
    found = ways(catalog, curve=curve, warm="0", cooldown="0")
    assert found["autoscaled"].saving == pytest.approx(0.34)


def test_the_articles_scale_to_zero(catalog: Catalog) -> None:
    # 67 % saved is a duty of a third: 7.9 busy hours a day.
    curve = Curve("units", (32.0,) * 8 + (0.0,) * 16)
    found = ways(catalog, curve=curve, warm="0", cooldown="0", idle="0")
    assert found["to_zero"].saving == pytest.approx(2 / 3)


def test_requests_become_units(catalog: Catalog) -> None:
    curve = Curve("requests", tuple(u * 1000 - 1.0 for u in UNITS))
    found = estimate({**G5, "curve": curve, "per_unit": "1000"}, catalog).serving[0]
    assert (found.peak, found.mean) == (10, pytest.approx(128 / 24))


def test_a_quiet_service_meets_cold_starts(catalog: Catalog) -> None:
    # T27: six requests an hour, stopped after 15 minutes, 3 to boot: 27.2 % cold, .791 billed.
    curve = Curve("requests", (6.0,) * 24)
    found = ways(
        catalog, curve=curve, per_unit=1000, warm="0", idle="15m", boot="3m", cooldown="0"
    )["to_zero"]
    assert found.fleet.cold_share == pytest.approx(0.272, abs=5e-4)
    assert found.saving == pytest.approx(1 - 0.791, abs=5e-4)


def test_floor_and_ceiling(catalog: Catalog) -> None:
    found = ways(catalog, min=4, max=8, warm="0", cooldown="0")
    assert found["autoscaled"].fleet.peak == 8
    assert found["autoscaled"].fleet.unmet_share > 0
    assert found["to_zero"].fleet.instance_hours < found["autoscaled"].fleet.instance_hours


def test_a_unit_of_two_instances_costs_two(catalog: Catalog) -> None:
    one, two = ways(catalog), ways(catalog, what="2x g5.xlarge")
    assert float(two["autoscaled"].monthly.expected) == pytest.approx(
        2 * float(one["autoscaled"].monthly.expected)
    )


def test_spot_over_regions_has_spares_and_costs_spot(catalog: Catalog) -> None:
    found = estimate({**G5, "warm": "0", "price": ["spot=0.40"]}, catalog).serving[0]
    way = found.ways[-1]
    assert way.name == "spot_spread"
    # Bucket >20 %: 0.025 an hour, an hour to get another one: there 1 / 1.025 of the time.
    assert found.spot_up == pytest.approx(1 / 1.025)
    # A region out must leave 10 in the other two.
    assert way.fleet.peak == 15
    assert float(way.monthly.expected) == pytest.approx(15 * 0.40 * 730, rel=1e-6)
    assert way.saving == pytest.approx(1 - 15 * 0.40 / (10 * 1.006), rel=1e-6)
    assert 0 < way.fleet.unmet_share < 0.01


@pytest.mark.parametrize(
    ("changes", "id"),
    [
        ({"curve": None, "warm": "10%"}, "estimate.no_curve"),
        ({"per_unit": "5"}, "estimate.requests_need"),
        ({"curve": Curve("requests", (5.0,) * 24)}, "estimate.requests_need"),
        ({"min": 5, "max": 3}, "estimate.min_above_max"),
        ({"storage": "lukewarm=2TB"}, "storage.word"),
    ],
)
def test_contradictions(catalog: Catalog, changes: dict[str, Any], id: str) -> None:
    with pytest.raises(AdvisorError) as caught:
        estimate({**G5, **changes}, catalog)
    assert isinstance(caught.value, UsageError)
    assert caught.value.message.id == id


def test_a_faulty_file(catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "curve.csv"
    path.write_text("hour,units\n0,many\n")
    with pytest.raises(InputError):
        estimate({**G5, "curve": str(path)}, catalog)


# -- storage ----------------------------------------------------------------------------------

GCP = {"what": "a2-highgpu-1g", "region": "us-central1", "today": "2026-11-30"}


def test_the_whole_bill(catalog: Catalog) -> None:
    found = estimate({**GCP, "storage": "hot=4TB,cold=16TB,retrieve=1TB"}, catalog)
    stored = found.stored[0]
    assert stored.bill.monthly == Decimal(80 + 64 + 20)
    assert (stored.bill.kept, stored.bill.all_hot) == (Decimal(144), Decimal(400))
    assert found.total is not None and stored.whole is not None
    assert stored.whole.expected == found.total.expected + 164


def test_storage_in_another_currency(catalog: Catalog) -> None:
    found = estimate({**GCP, "storage": "hot=1TB", "currency": "CNY"}, catalog).stored[0]
    # 20 USD at the ECB's cross rate of 2026-10-30, 6.6529.
    assert found.bill.monthly == Decimal("20.00") * Decimal("6.6529")


def test_an_unknown_price_makes_the_whole_unknown(catalog: Catalog) -> None:
    asked = {"what": "azure/Standard_NC24ads_A100_v4", "storage": "hot=1TB"}
    stored = estimate(asked, catalog).stored[0]
    assert (stored.bill.monthly, stored.whole) == (None, None)
