"""Billing arithmetic against published prices and the worked examples of design notes F11."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.schema_billing import BillingFile
from gpuadvisor.cost import billing

FILE = Path(__file__).parents[2] / "catalogs" / "billing" / "providers.yaml"


@pytest.fixture(scope="module")
def rules() -> dict[str, dict[str, Any]]:
    raw = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
    model = BillingFile.model_validate(raw)
    return model.model_dump(mode="json", exclude_none=True, by_alias=True)["billing"]


# AWS us-east-1 no-upfront rates of 2025-04-05 (yeo/ec2.shop data/ec2/us-east-1-*.json).
T13 = [
    ("p4d.24xlarge 1y", 20.1755, 32.7726, 0.6156),
    ("p4d.24xlarge 3y", 12.4990, 32.7726, 0.3814),
    ("g5.xlarge 1y", 0.63378, 1.006, 0.6300),
    ("g5.xlarge 3y", 0.43459, 1.006, 0.4320),
    ("g4dn.xlarge 1y", 0.331, 0.526, 0.6293),
    ("g4dn.xlarge 3y", 0.227, 0.526, 0.4316),
    ("p5.48xlarge 3y", 43.157, 98.32, 0.4389),
]


@pytest.mark.parametrize(("name", "committed", "on_demand", "expected"), T13)
def test_break_even_utilisation(
    name: str, committed: float, on_demand: float, expected: float
) -> None:
    assert billing.break_even_utilisation(committed, on_demand) == pytest.approx(expected, abs=5e-5)


# Design notes F11, T14: on demand 1.00, cost of capital 10 % a year.
T14 = [
    (0.30, 2628, 12, 0.0, 0.6000),
    (0.30, 2628, 12, 0.1, 0.61578),
    (0.0, 5100, 12, 0.0, 0.58219),
    (0.0, 5100, 12, 0.1, 0.61281),
    (0.0, 9000, 36, 0.0, 0.34247),
    (0.0, 9000, 36, 0.1, 0.39532),
]


@pytest.mark.parametrize(("hourly", "upfront", "months", "capital", "expected"), T14)
def test_upfront_spread_over_the_term(
    hourly: float, upfront: float, months: int, capital: float, expected: float
) -> None:
    result = billing.effective_hourly(hourly, upfront, months, capital)
    assert result == pytest.approx(expected, abs=5e-6)


def test_break_even_months_of_full_use() -> None:
    # Design notes T15: p4d, 12 and 36 months.
    assert billing.break_even_months(20.1755, 32.7726, 12) == pytest.approx(7.39, abs=5e-3)
    assert billing.break_even_months(12.4990, 32.7726, 36) == pytest.approx(13.73, abs=5e-3)


def test_break_even_hours_a_month() -> None:
    # g4dn.xlarge 0.331 of 0.526: 0.6293 x 730 h.
    assert billing.break_even_hours_per_month(0.331, 0.526) == pytest.approx(459.4, abs=0.05)


@pytest.mark.parametrize(
    ("price", "option", "hours", "count", "expected"),
    [
        ("0.526", "on_demand", 730.0, 1, "383.98"),
        ("1.006", "on_demand", 100.0, 4, "402.40"),
        ("0.331", "reserved", 100.0, 1, "241.63"),  # paid for all 730 hours
        ("0.331", "reserved", 744.0, 1, "246.264"),  # a 31-day month is longer than 730 h
    ],
)
def test_monthly(price: str, option: str, hours: float, count: int, expected: str) -> None:
    assert billing.monthly(Decimal(price), option, hours, count) == Decimal(expected)


@pytest.mark.parametrize(
    ("option", "term", "hours", "paid"),
    [
        ("on_demand", None, 51, 51),
        ("spot", None, 51, 51),
        ("reserved", "1y", 51, 12 * 730),
        ("reserved", "1y", 8760, 8760),
        ("reserved", "1y", 8761, 2 * 8760),
        ("savings_plan", "3y", 1, 36 * 730),
        ("subscription", "1mo", 731, 1460),
        ("subscription", None, 10, 730),
    ],
)  # arithmetic: a commitment is paid to the end of its last term
def test_a_run_pays_whole_terms(option: str, term: str | None, hours: float, paid: float) -> None:
    assert billing.paid_run_hours(option, term, hours) == paid


def test_hours_per_month() -> None:
    assert billing.hours_per_month() == 730
    assert billing.hours_per_month(per_day=24) == 730
    assert billing.hours_per_month(per_day=8) == pytest.approx(243.333, abs=1e-3)
    assert billing.hours_per_month(per_month=100) == 100


@pytest.mark.parametrize(
    ("month", "day"), [(0, None), (-1, None), (745, None), (None, 0), (None, 25), (100, 8)]
)
def test_impossible_hours(month: float | None, day: float | None) -> None:
    with pytest.raises(UsageError):
        billing.hours_per_month(month, day)


@pytest.mark.parametrize(
    ("provider", "hours", "launches", "expected"),
    [
        ("aws", 1.0, 1, 1.0),
        ("aws", 10 / 3600, 1, 60 / 3600),  # ten seconds pay the minimum of sixty
        ("aws", 20 / 3600, 2, 120 / 3600),  # twice
        ("aws", 90.5 / 3600, 1, 91 / 3600),
        ("verda", 0.5, 1, 0.5),
        ("verda", 0.51, 1, 40 / 60),  # ten-minute steps
        ("oci", 0.123, 1, 0.123),  # increment unknown
    ],
)
def test_increments(
    rules: dict[str, Any], provider: str, hours: float, launches: int, expected: float
) -> None:
    assert billing.billed_hours(rules[provider], hours, launches) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("hours", "factor"),
    [
        (182.5, 1.0),
        (365.0, 0.9),  # (1 + .8) / 2
        (730.0, 0.7),  # (1 + .8 + .6 + .4) / 4: the published "up to 30 %"
    ],
)
def test_sustained_use_on_n1_only(rules: dict[str, Any], hours: float, factor: float) -> None:
    assert billing.sustained_use_factor(rules["gcp"], "n1-standard", hours) == pytest.approx(factor)
    assert billing.sustained_use_factor(rules["gcp"], "g2-standard", hours) == 1.0
    assert billing.sustained_use_factor(rules["aws"], "n1-standard", hours) == 1.0


@given(st.floats(1, 744), st.floats(1, 744))
def test_sustained_use_never_makes_more_hours_cheaper(first: float, second: float) -> None:
    tiers = {
        "sustained_use": {
            "families": ["n1"],
            "tiers": [[0.25, 1], [0.5, 0.8], [0.75, 0.6], [1, 0.4]],
        }
    }
    low, high = sorted((first, second))
    cost = [hours * billing.sustained_use_factor(tiers, "n1", hours) for hours in (low, high)]
    assert cost[0] <= cost[1] + 1e-9


@pytest.mark.parametrize(
    ("provider", "option", "cls", "family", "binds", "scope"),
    [
        ("aws", "reserved", "standard", "g5", "instance_type", "region"),
        ("aws", "reserved", "standard", "p4d", "family", "region"),
        ("aws", "savings_plan", "ec2_instance", "g5", "family", "region"),
        ("aws", "savings_plan", "compute", "p6", "money_per_hour", "global"),
        ("gcp", "committed_use", None, "a2", "resources", "region"),
        ("azure", "savings_plan", None, "NC", "money_per_hour", "global"),
    ],
)
def test_what_a_commitment_binds(
    rules: dict[str, Any],
    provider: str,
    option: str,
    cls: str | None,
    family: str,
    binds: str,
    scope: str,
) -> None:
    found = billing.binding(rules[provider], option, cls, family)
    assert found is not None
    assert (found.binds, found.scope) == (binds, scope)


def test_special_cases_of_the_clouds(rules: dict[str, Any]) -> None:
    block = billing.binding(rules["aws"], "capacity_block", None, "p5")
    assert block is not None and block.upfront and not block.cancellable
    assert (block.reserves_capacity, block.max_days) == (True, 182)
    cud = billing.binding(rules["gcp"], "committed_use", None, "g2")
    assert cud is not None and cud.needs_reservation
    flex = billing.binding(rules["gcp"], "flex_start", None, "a4")
    assert flex is not None and (flex.unused, flex.max_days) == ("not_charged", 7)
    assert billing.binding(rules["aws"], "committed_use", None, "g5") is None
    assert billing.spot_notice_seconds(rules["aws"]) == 120
    assert billing.spot_notice_seconds(rules["azure"]) == 30
    assert billing.spot_notice_seconds(rules["hyperstack"]) is None


def test_terms_are_a_list(rules: dict[str, Any]) -> None:
    assert billing.options_sold(rules["azure"], "reserved", "ND_H100_v5") == (
        (None, "1y"),
        (None, "3y"),
        (None, "5y"),
    )
    assert billing.options_sold(rules["azure"], "reserved", "NCv3") == ((None, "1y"), (None, "3y"))
    assert billing.options_sold(rules["aws"], "reserved")[0] == ("standard", "1y")
    assert billing.options_sold(rules["aws"], "savings_plan") == (
        ("ec2_instance", "1y"),
        ("ec2_instance", "3y"),
        ("compute", "1y"),
        ("compute", "3y"),
    )
    assert [
        billing.term_months(term) for _, term in billing.options_sold(rules["vast"], "subscription")
    ] == [1, 3, 6]


@pytest.mark.parametrize(
    ("provider", "option", "hours", "paid"),
    [
        # EC2 Capacity Blocks: whole days up to 14, then whole weeks up to 182 days; termination
        # starts 30 minutes before the end, so 24 h of work need two days.
        ("aws", "capacity_block", 23.5, 24),
        ("aws", "capacity_block", 24, 48),
        ("aws", "capacity_block", 14 * 24 - 0.5, 14 * 24),
        ("aws", "capacity_block", 14 * 24, 21 * 24),
        ("aws", "capacity_block", 182 * 24, None),
        # GCP calendar mode: 1-90 days by the day.
        ("gcp", "calendar", 25, 48),
        ("gcp", "calendar", 91 * 24, None),
        ("gcp", "on_demand", 25, 25),
    ],
)
def test_blocks_are_paid_whole(
    rules: dict[str, Any], provider: str, option: str, hours: float, paid: float | None
) -> None:
    assert billing.block_hours(rules[provider], option, hours) == paid


def test_every_figure_names_a_source_of_the_file() -> None:
    raw = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
    named = {entry["source"] for entry in raw["billing"].values()}
    for entry in raw["billing"].values():
        single = (entry.get(key) for key in ("spot", "sustained_use", "zone_traffic"))
        parts = [*entry.get("commitments", []), *single]
        named |= {part["source"] for part in parts if part}
    assert named == set(raw["sources"])
