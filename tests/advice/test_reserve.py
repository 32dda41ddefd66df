"""`reserve()` on published rates, its options, and what it refuses."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from gpuadvisor.advice.curve import Curve, read_curve
from gpuadvisor.advice.reserve import reserve
from gpuadvisor.catalog.errors import AdvisorError, InputError, RefusedError, UsageError
from gpuadvisor.catalog.store import Catalog

# Design notes T16: 128 instance-hours a day.
CURVE = [2, 2, 2, 2, 2, 2, 3, 4, 6, 8, 9, 10, 10, 10, 9, 9, 8, 8, 6, 5, 4, 3, 2, 2]
G5 = {
    "curve": CURVE,
    "unit": "g5.xlarge",
    "region": "us-east-1",
    "today": "2026-11-30",
}


def test_one_year_of_the_published_rates(catalog: Catalog) -> None:
    # g5.xlarge us-east-1: 1.006 on demand, 0.63378 one year no upfront (AWS price list).
    found = reserve({**G5, "no_spot": True}, catalog)
    assert (found.plan.one_year, found.plan.three_years) == (3, 0)
    assert found.plan.saving == pytest.approx(0.1456, abs=5e-5)
    assert found.deciding is not None
    assert found.deciding.option.option == "reserved"
    assert found.deciding.break_even == pytest.approx(0.6300, abs=5e-5)
    # By hand: 3 x 0.63378 x 730 + (128 - 64) / 24 x 1.006 x 730; hours above 3 units sum to 64.
    assert sum(max(0, d - 3) for d in CURVE) == 64
    month = 3 * Decimal("0.63378") * 730 + Decimal("1.006") * 730 * 64 / 24
    assert float(found.cost.expected) == pytest.approx(float(month))
    assert float(sum(line.monthly.expected for line in found.lines)) == pytest.approx(float(month))
    assert float(found.on_demand_cost) == pytest.approx(1.006 * 730 * 128 / 24)
    assert found.cost.low == found.cost.expected == found.cost.high


@pytest.mark.parametrize(("lasts", "one", "three"), [("1.0", 0, 6), ("60%", 0, 3), ("0.3", 3, 0)])
def test_terms_stacked_by_how_long_the_need_lasts(
    catalog: Catalog, lasts: str, one: int, three: int
) -> None:
    # T18, with rates of 0.6300 and 0.4320.
    found = reserve({**G5, "no_spot": True, "term": "1y,3y", "need_lasts": lasts}, catalog)
    assert (found.plan.one_year, found.plan.three_years) == (one, three)
    if three == 6:
        assert found.plan.saving == pytest.approx(0.303, abs=5e-4)
        assert "reserve.three_years_long" in [w.id for w in found.warnings]


def test_spot_share_makes_the_cost_a_range(catalog: Catalog) -> None:
    found = reserve({**G5, "spot_share": "50%", "price": ["spot=0.30"]}, catalog)
    assert found.plan.spot_max == 5
    assert found.cost.low == found.cost.expected == found.cost.high  # the user's own price
    market = reserve({**G5, "spot_share": "50%"}, catalog)
    assert market.cost.low < market.cost.expected < market.cost.high
    lines = {line.option.option: line.monthly for line in market.lines}
    assert lines["spot"].low < lines["spot"].expected < lines["spot"].high
    assert market.cost.high - market.cost.expected >= lines["spot"].high - lines["spot"].expected
    assert found.plan.saving > 0.30


def test_spot_and_commitments_together_save_more_than_either(catalog: Catalog) -> None:
    both = reserve({**G5, "spot_share": 0.5}, catalog).plan.saving
    committed = reserve({**G5, "no_spot": True}, catalog).plan.saving
    spot = reserve({**G5, "spot_share": 0.5, "price": ["reserved=9", "savings_plan=9"]}, catalog)
    assert spot.plan.committed == 0
    assert both > max(committed, spot.plan.saving)


def test_a_unit_of_several_instances(catalog: Catalog) -> None:
    one = reserve({**G5, "no_spot": True}, catalog)
    two = reserve({**G5, "unit": "2x g5.xlarge", "no_spot": True}, catalog)
    assert two.plan.one_year == one.plan.one_year
    assert float(two.cost.expected) == pytest.approx(2 * float(one.cost.expected))


def test_requests_through_a_rate(catalog: Catalog) -> None:
    asked = {**G5, "curve": Curve("requests", tuple(d * 1000 - 1.0 for d in CURVE))}
    found = reserve({**asked, "per_unit": "1000", "no_spot": True}, catalog)
    assert found.curve == tuple(CURVE)


def test_requests_through_a_workload(catalog: Catalog) -> None:
    # A faster device needs fewer units for the same requests.
    asked = {"curve": Curve("requests", (2e6,) * 24), "workload": "ocr", "no_spot": True}
    small = reserve({**asked, "unit": "g4dn.xlarge"}, catalog)
    large = reserve({**asked, "unit": "g4dn.12xlarge"}, catalog)
    assert small.curve[0] > large.curve[0] > 1


def test_no_price_of_the_term_is_said(catalog: Catalog) -> None:
    # p5.48xlarge: a three-year rate is published, no one-year one (AWS price list, 2026-06).
    found = reserve(
        {"curve": [4] * 24, "unit": "p5.48xlarge", "no_spot": True, "purchase": "reserved"},
        catalog,
    )
    assert found.plan.committed == 0
    assert "reserve.term_unpriced" in [w.id for w in found.warnings]


@pytest.mark.parametrize(
    ("changes", "error", "id"),
    [
        ({"curve": None}, UsageError, "reserve.no_curve"),
        ({"unit": None}, UsageError, "reserve.no_unit"),
        ({"curve": [1, 2]}, UsageError, "reserve.bad_curve"),
        ({"curve": [1.5] * 24}, UsageError, "reserve.bad_curve"),
        ({"term": "2y"}, UsageError, "reserve.bad_term"),
        ({"need_lasts": "1.2"}, UsageError, "reserve.bad_share"),
        ({"no_spot": True, "spot_share": 0.1}, UsageError, "reserve.spot_twice"),
        ({"workload": "ocr"}, UsageError, "reserve.units_given"),
        ({"curve": Curve("requests", (1.0,) * 24)}, UsageError, "reserve.requests_need"),
        ({"unit": "p5e.48xlarge", "region": None}, RefusedError, "reserve.no_on_demand"),
    ],
)
def test_refusals(
    catalog: Catalog, changes: dict[str, object], error: type[AdvisorError], id: str
) -> None:
    fields = {k: v for k, v in {**G5, **changes}.items() if v is not None}
    with pytest.raises(error) as caught:
        reserve(fields, catalog)
    assert caught.value.message.id == id


# -- the file ---------------------------------------------------------------------------------


def write(folder: Path, text: str) -> str:
    path = folder / "curve.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("first", [0, 1])
def test_hours_from_zero_or_one(tmp_path: Path, first: int) -> None:
    rows = "".join(f"{hour + first},{units}\n" for hour, units in enumerate(CURVE))
    assert read_curve(write(tmp_path, "hour,units\n" + rows)).units == CURVE


def test_a_year(tmp_path: Path) -> None:
    rows = "".join(f"{hour},{hour % 7}\n" for hour in range(8760))
    assert len(read_curve(write(tmp_path, "\ufeffhour,units\n" + rows)).values) == 8760


@pytest.mark.parametrize(
    ("text", "line", "id"),
    [
        ("", 1, "curve.header"),
        ("time,units\n0,1\n", 1, "curve.header"),
        ("hour,units\n0,1\n1,x\n", 3, "curve.bad_units"),
        ("hour,units\n0,1.5\n", 2, "curve.bad_units"),
        ("hour,units\n0,-1\n", 2, "curve.bad_units"),
        ("hour,units\n0,nan\n", 2, "curve.bad_units"),
        ("hour,units\n0,1,2\n", 2, "curve.bad_units"),
        ("hour,requests\n0,inf\n", 2, "curve.bad_requests"),
        ("hour,units\n0,1\n2,1\n", 3, "curve.hour"),
        ("hour,units\n0,1\n1,1\n", 0, "curve.length"),
        ("hour,units\n", 0, "curve.length"),
    ],
)
def test_faults_are_located(tmp_path: Path, text: str, line: int, id: str) -> None:
    with pytest.raises(InputError) as caught:
        read_curve(write(tmp_path, text))
    assert (caught.value.problems[0].line, caught.value.problems[0].message.id) == (line, id)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "curve.csv"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError) as caught:
        read_curve(str(path))
    assert caught.value.problems[0].message.id == "curve.not_text"
