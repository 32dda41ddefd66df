"""`estimate` against list prices of the clouds, and on a provider made for the odd terms.

Prices are of the AWS, GCP and Azure catalogs, each named by the source that its row carries:
AWS on demand from karpenter-provider-aws (2026-07-20, again 2026-10-05), savings plans from the
AWS bulk price files (2026-09-25), reserved from ec2.shop (2025-04-04) and AWS GetProducts
(2026-06-15), capacity blocks of 2026-10-07, GCP A4 of 2026-07-30.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor import load_catalog
from gpuadvisor.advice.estimate import estimate
from gpuadvisor.advice.estimate_result import Estimate, EstimateOption
from gpuadvisor.catalog.errors import RefusedError, UsageError
from gpuadvisor.catalog.store import Catalog
from tests.advice.acme import catalog_with_acme

DAY = "2026-11-30"


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    folder: Path = tmp_path_factory.mktemp("acme")
    return catalog_with_acme(folder)


def ask(catalog: Catalog, what: str | list[str], **fields: Any) -> Estimate:
    return estimate({"what": what, "today": DAY, **fields}, catalog)


def option(
    answer: Estimate, name: str, term: str | None = None, cls: str | None = None
) -> EstimateOption:
    """The one option of the first item that fits."""
    found = [
        o
        for o in answer.items[0].options
        if o.option == name and (term is None or o.term == term) and (cls is None or o.cls == cls)
    ]
    assert len(found) == 1, [(o.option, o.term, o.cls) for o in answer.items[0].options]
    return found[0]


def month(found: EstimateOption) -> Decimal:
    assert found.monthly is not None
    return found.monthly.expected.quantize(Decimal("0.01"))


# -- the issue's own figures --------------------------------------------------------------------


def test_g4dn_xlarge_in_us_east_1(catalog: Catalog) -> None:
    answer = ask(catalog, "g4dn.xlarge", region="us-east-1", hours_per_month=730)
    assert month(option(answer, "on_demand")) == Decimal("383.98")  # 0.526 x 730
    assert option(answer, "reserved", "1y", "standard").price_per_hour == Decimal("0.331")
    assert option(answer, "reserved", "3y", "standard").price_per_hour == Decimal("0.227")
    assert option(answer, "reserved", "1y", "convertible").price_per_hour == Decimal("0.381")
    spot = option(answer, "spot")
    assert spot.monthly is not None
    assert spot.monthly.low < spot.monthly.expected < spot.monthly.high
    assert answer.total is not None and answer.total.expected == Decimal("383.98")


def test_four_g5_xlarge_for_a_hundred_hours(catalog: Catalog) -> None:
    answer = ask(catalog, "4x g5.xlarge", region="us-east-1", hours_per_month="100")
    assert answer.total is not None
    assert answer.total.expected == Decimal("402.40")  # 4 x 1.006 x 100


def test_p5_48xlarge_carries_no_rate_of_2025(catalog: Catalog) -> None:
    answer = ask(catalog, "p5.48xlarge", region="us-east-1")
    on_demand = option(answer, "on_demand")
    assert on_demand.price_per_hour == Decimal("55.04")
    assert option(answer, "savings_plan", "1y", "ec2_instance").price_per_hour == Decimal("34.6752")
    three = option(answer, "savings_plan", "3y", "ec2_instance").price_per_hour
    assert three is not None and three.quantize(Decimal("0.001")) == Decimal("23.777")
    standard = option(answer, "reserved", "1y", "standard")
    assert not standard.available and standard.price_per_hour is None
    assert standard.why_not is not None and standard.why_not.id == "estimate.price_unknown"
    prices = [o.price_per_hour for o in answer.items[0].options if o.price_per_hour is not None]
    # 77.43 is the 1-year convertible rate of April 2025, above today's on-demand price.
    assert max(prices) == Decimal("55.04")
    block = option(answer, "capacity_block")
    assert block.price_per_hour == Decimal("47.76")
    assert "estimate.capacity_only" in {note.id for note in block.notes}


def test_p5e_is_not_sold_on_demand(catalog: Catalog) -> None:
    answer = ask(catalog, "p5e.48xlarge")
    on_demand = option(answer, "on_demand")
    assert (on_demand.available, on_demand.price_per_hour) == (False, None)
    assert on_demand.why_not is not None and on_demand.why_not.id == "estimate.not_sold"
    line = answer.items[0].line
    assert line is not None and line.option == "spot"
    assert "estimate.line_other" in {w.id for w in answer.warnings}
    # us-east-1, the reference region, has no price at all: another is taken, and said.
    assert answer.items[0].region != "us-east-1"
    assert "estimate.reference_without" in {a.id for a in answer.assumptions}


def test_p5e_in_a_region_without_a_price_stays_there_and_says_where_one_is(
    catalog: Catalog,
) -> None:
    answer = ask(catalog, "p5e.48xlarge", region="us-east-1")
    assert (answer.items[0].region, answer.items[0].line, answer.total) == ("us-east-1", None, None)
    spot = option(answer, "spot")
    assert spot.why_not is not None and spot.why_not.id == "estimate.price_elsewhere"
    assert "us-west-2" in str(spot.why_not.params["regions"]) or "us-east-2" in str(
        spot.why_not.params["regions"]
    )


def test_a4_is_sold_by_flex_start_and_calendar_not_plainly(catalog: Catalog) -> None:
    answer = ask(catalog, "a4-highgpu-8g", region="us-central1")
    on_demand = option(answer, "on_demand")
    assert not on_demand.available and on_demand.price_per_hour is None
    assert on_demand.published_per_hour == Decimal("128.88")
    assert option(answer, "flex_start").price_per_hour == Decimal("64.44")
    assert option(answer, "calendar").price_per_hour == Decimal("90.216")
    cud = option(answer, "committed_use", "1y")
    assert cud.available and "estimate.needs_reservation" in {n.id for n in cud.notes}
    assert cud.saving is None  # there is no on-demand price that could be paid instead


def test_a_retired_type_shows_its_published_price_and_cannot_be_bought(catalog: Catalog) -> None:
    answer = ask(catalog, "NC6s_v3")  # retired 2025-09-30, its price rows still published
    on_demand = option(answer, "on_demand")
    assert (on_demand.available, on_demand.price_per_hour) == (False, Decimal("3.06"))
    assert month(on_demand) == Decimal("2233.80")
    assert on_demand.why_not is not None
    assert on_demand.why_not.params["date"] == "2025-09-30"
    assert (answer.items[0].counted, answer.total) == (None, None)


def test_azure_reservation_and_savings_plan_stand_side_by_side(catalog: Catalog) -> None:
    # Azure retail prices of 2026-08-10, eastus: 1y reservation 2.401027, savings plan 3.057405.
    answer = ask(catalog, "Standard_NC24ads_A100_v4", region="eastus")
    assert option(answer, "reserved", "1y").price_per_hour == Decimal("2.401027")
    assert option(answer, "savings_plan", "1y").price_per_hour == Decimal("3.057405")
    assert "estimate.frozen" in {n.id for n in answer.items[0].notes}
    five = [o for o in answer.items[0].options if o.term == "5y"]
    assert five == []  # five years are sold on ND H100 alone


def test_five_years_stand_where_they_are_sold(catalog: Catalog) -> None:
    answer = ask(catalog, "Standard_ND96isr_H100_v5", region="eastus")
    assert option(answer, "reserved", "5y").price_per_hour == Decimal("39.327991")


def test_sustained_use_is_for_n1_alone(catalog: Catalog) -> None:
    full = option(ask(catalog, "n1-standard-4+t4x1"), "on_demand")
    assert full.price_per_hour is not None and full.effective_per_hour is not None
    # Tiers 100/80/60/40 % over a whole month: 70 % of list on average.
    assert full.effective_per_hour == full.price_per_hour * Decimal("0.7")
    half = option(ask(catalog, "n1-standard-4+t4x1", hours_per_month=365), "on_demand")
    assert half.effective_per_hour == full.price_per_hour * Decimal("0.9")
    g2 = option(ask(catalog, "g2-standard-4"), "on_demand")
    assert g2.effective_per_hour == g2.price_per_hour


# -- break-even, saving, what it binds (design notes F11, T13) -----------------------------------


@pytest.mark.parametrize(
    ("what", "term", "hours"),
    [
        # u* x 730 with u* of T13: g5.xlarge .6300/.4320, g4dn.xlarge .6293/.4316.
        ("g5.xlarge", "1y", 0.6300 * 730),
        ("g5.xlarge", "3y", 0.4320 * 730),
        ("g4dn.xlarge", "1y", 0.6293 * 730),
        ("g4dn.xlarge", "3y", 0.4316 * 730),
    ],
)
def test_hours_a_month_from_which_a_commitment_pays(
    catalog: Catalog, what: str, term: str, hours: float
) -> None:
    found = option(ask(catalog, what), "reserved", term, "standard")
    assert found.break_even_hours == pytest.approx(hours, abs=0.05)


def test_a_commitment_is_paid_for_hours_that_are_not_used(catalog: Catalog) -> None:
    answer = ask(catalog, "g5.xlarge", hours_per_month=100)
    one_year = option(answer, "reserved", "1y", "standard")
    assert month(one_year) == Decimal("462.66")  # 0.63378 x 730, although 100 hours are used
    assert month(option(answer, "on_demand")) == Decimal("100.60")
    assert one_year.saving == pytest.approx(1 - 462.6594 / 100.6)


@pytest.mark.parametrize(
    ("what", "name", "term", "cls", "binds"),
    [
        ("g5.xlarge", "reserved", "1y", "standard", "instance_type"),
        ("p4d.24xlarge", "reserved", "1y", "standard", "family"),
        ("g5.xlarge", "savings_plan", "1y", "ec2_instance", "family"),
        ("g5.xlarge", "savings_plan", "1y", "compute", "money_per_hour"),
        ("a2-highgpu-1g", "committed_use", "1y", None, "resources"),
    ],
)
def test_what_it_binds(
    catalog: Catalog, what: str, name: str, term: str, cls: str | None, binds: str
) -> None:
    found = option(ask(catalog, what), name, term, cls)
    assert found.binding is not None and found.binding.binds == binds


def test_upfront_money_is_spread_over_its_term_at_the_cost_of_capital(acme: Catalog) -> None:
    def effective(**fields: Any) -> Decimal:
        found = option(ask(acme, "t.1", currency="CNY", **fields), "subscription", "1y")
        assert found.effective_per_hour is not None
        return found.effective_per_hour

    # F11, T14: all of a year upfront at 10 % turns a simple .58219 into .61281.
    assert float(effective()) == pytest.approx(6 * 0.61281 / 0.58219, rel=2e-5)
    assert effective(capital_cost="0%") == 6
    half = option(ask(acme, "t.1", currency="CNY"), "subscription", "3mo")
    # Half of 8 is taken to be paid upfront. A = (1 - 1.1**-0.25) / (1.1**(1/12) - 1) = 2.9528.
    assert half.effective_per_hour is not None
    assert float(half.effective_per_hour) == pytest.approx(4 + 4 * 3 / 2.9528, rel=1e-5)


# -- hours, jobs, periods --------------------------------------------------------------------------


def test_hours_a_day(catalog: Catalog) -> None:
    answer = ask(catalog, "g5.xlarge", hours_per_day=8)
    assert month(option(answer, "on_demand")) == Decimal("244.79")  # 1.006 x 8 x 730 / 24


def test_a_job_is_billed_in_the_providers_increments(acme: Catalog) -> None:
    def job(hours: float, name: str = "on_demand") -> Decimal:
        found = option(ask(acme, "t.1", currency="CNY", job_hours=hours), name).job
        assert found is not None
        return found.expected

    assert job(0.1) == Decimal(10)  # an hour at least
    assert job(1.05) == pytest.approx(Decimal(10) * 7 / 6)  # ten-minute steps
    assert job(2) == Decimal(20)


def test_a_job_on_a_block_pays_the_whole_block(catalog: Catalog) -> None:
    answer = ask(catalog, "p5.48xlarge", job_hours=30)
    block = option(answer, "capacity_block")
    assert block.job is not None
    assert block.job.expected == Decimal("47.76") * 48  # two days
    assert option(answer, "savings_plan", "1y", "ec2_instance").job is None


def test_a_job_longer_than_flex_start_allows_has_no_price(catalog: Catalog) -> None:
    answer = ask(catalog, "a4-highgpu-8g", job_hours=7 * 24 + 1)
    assert option(answer, "flex_start").job is None
    short = option(ask(catalog, "a4-highgpu-8g", job_hours=7 * 24), "flex_start").job
    assert short is not None and short.expected == Decimal("64.44") * 168


def test_a_period_shorter_than_the_term_pays_the_whole_term(catalog: Catalog) -> None:
    answer = ask(catalog, "g5.xlarge", months=6)
    assert answer.period_total is not None
    assert answer.period_total.expected == Decimal("1.006") * 730 * 6
    one_year = option(answer, "reserved", "1y", "standard").period
    assert one_year is not None and one_year.expected == Decimal("0.63378") * 730 * 12


# -- own prices, discounts, markup, currency -------------------------------------------------------


def test_a_discount_is_off_list_prices_and_not_off_spot(catalog: Catalog) -> None:
    plain, cut = ask(catalog, "g5.xlarge"), ask(catalog, "g5.xlarge", discount="aws=12%")
    assert option(cut, "on_demand").price_per_hour == Decimal("1.006") * Decimal("0.88")
    assert option(cut, "spot").price_per_hour == option(plain, "spot").price_per_hour


def test_a_markup_is_on_every_price(catalog: Catalog) -> None:
    answer = ask(catalog, "g5.xlarge", markup="8%")
    assert option(answer, "on_demand").price_per_hour == Decimal("1.006") * Decimal("1.08")
    one_year = option(answer, "reserved", "1y", "standard")
    assert one_year.price_per_hour == Decimal("0.63378") * Decimal("1.08")


def test_ones_own_price_replaces_the_list_price_and_opens_a_closed_option(
    catalog: Catalog,
) -> None:
    answer = ask(catalog, "p5.48xlarge", price="aws/p5.48xlarge@us-east-1:on_demand=44.0")
    found = option(answer, "on_demand")
    assert (found.price_per_hour, found.own) == (Decimal("44.0"), True)
    private = ask(
        catalog,
        "p5e.48xlarge",
        region="us-west-2",
        price="aws/p5e.48xlarge@us-west-2:on_demand=40",
    )
    found = option(private, "on_demand")
    assert (found.available, found.own, month(found)) == (True, True, Decimal("29200.00"))


def test_an_own_price_that_fits_nothing_is_pointed_out(catalog: Catalog) -> None:
    answer = ask(catalog, "g5.xlarge", price="aws/g5.2xlarge@us-east-1:on_demand=1")
    assert "estimate.price_unused" in {w.id for w in answer.warnings}


def test_money_is_converted_and_the_native_price_stays_beside(acme: Catalog) -> None:
    native = option(ask(acme, "t.1", currency="CNY"), "on_demand")
    assert native.price_per_hour == 10
    # ECB 2026-10-30: 1 EUR = 1.1172 USD = 7.4326 CNY, so 1 USD = 6.6529 CNY.
    answer = ask(acme, "t.1")
    found = option(answer, "on_demand")
    assert found.price_per_hour == Decimal(10) / Decimal("6.6529")
    assert found.offer is not None
    assert (found.offer.price, found.offer.currency) == (Decimal(10), "CNY")
    assert [(q.base, q.quote, q.rate, q.date) for q in answer.quotes] == [
        ("USD", "CNY", Decimal("6.6529"), "2026-10-30")
    ]
    own = ask(acme, "t.1", fx="CNY=6.65")
    assert option(own, "on_demand").price_per_hour == Decimal(10) / Decimal("6.65")
    assert own.quotes[0].date is None


def test_a_type_to_be_retired_says_when(acme: Catalog) -> None:
    before = ask(acme, "soon.1")
    assert "estimate.retires" in {n.id for n in before.items[0].notes}
    assert option(before, "on_demand").available
    after = estimate({"what": "soon.1", "today": "2027-01-01"}, acme)
    assert not option(after, "on_demand").available


# -- several WHATs, devices, regions ----------------------------------------------------------------


def test_a_bill_of_materials_adds_up(catalog: Catalog) -> None:
    answer = ask(catalog, ["4x g5.xlarge", "p4d.24xlarge"], hours_per_month=100)
    lines = [item.line for item in answer.lines]
    assert answer.total is not None and None not in lines
    assert sum(month(line) for line in lines if line) == answer.total.expected
    # 402.40 + 21.957642 x 100 = 402.40 + 2195.76
    assert answer.total.expected == Decimal("2598.16")


def test_a_device_is_provided_by_the_cheapest_types_first(catalog: Catalog) -> None:
    answer = ask(catalog, "8xA100-80GB", provider="aws,azure,gcp", top=50)
    months = [month(i.line) for i in answer.items if i.line and i.line.option == "on_demand"]
    assert [i.place for i in answer.items] == list(range(1, len(answer.items) + 1))
    # The cheapest of each kind of machine come in order; dearer twins of them follow.
    kinds = [(i.type.provider, i.type.device, i.type.devices) for i in answer.items]
    first_twin = next((n for n, k in enumerate(kinds) if k in kinds[:n]), len(kinds))
    assert months[:first_twin] == sorted(months[:first_twin])
    assert all(i.type.devices * i.instances >= 8 for i in answer.items)


def test_top_limits_the_ways_and_counts_the_rest(catalog: Catalog) -> None:
    every = ask(catalog, "4xT4", provider="aws", top=100)
    few = ask(catalog, "4xT4", provider="aws", top=2)
    assert (len(few.items), few.left_out) == (2, (("4xT4", len(every.items) - 2),))
    assert few.total == every.total


def test_one_used_eight_paid(catalog: Catalog) -> None:
    answer = ask(catalog, "1xA100", provider="aws")
    note = next(n for n in answer.items[0].notes if n.id == "estimate.paid_used")
    assert (note.params["paid"], note.params["used"]) == ("8", "1")


def test_regions_stand_side_by_side(catalog: Catalog) -> None:
    answer = ask(catalog, "g5.xlarge", region="us-east-1,eu-west-1,ap-northeast-1")
    assert answer.items[0].region == "us-east-1"
    assert {i.region for i in answer.items} == {"us-east-1", "eu-west-1", "ap-northeast-1"}


def test_an_old_quote_comes_out_of_the_old_catalog() -> None:
    then = load_catalog(versions={"aws": "2025.04"})
    answer = estimate({"what": "p5.48xlarge", "today": "2025-05-01"}, then)
    assert option(answer, "on_demand").price_per_hour == Decimal("98.32")


FAULTS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"what": "g5.xlrge"}, UsageError, "catalog.unknown_name"),
    ({"what": ()}, UsageError, "estimate.no_what"),
    ({"what": "g5.xlarge", "region": "us-central1"}, UsageError, "estimate.other_region"),
    ({"what": "g5.xlarge", "provider": "gcp"}, UsageError, "estimate.other_provider"),
    ({"what": "g5.xlarge", "region": "moon"}, UsageError, "catalog.nothing_near"),
    ({"what": "g5.xlarge", "region": "us-east-1,us-eats-2"}, UsageError, "catalog.unknown_name"),
    (
        {"what": "g5.xlarge", "provider": "aws", "region": "cn"},
        UsageError,
        "advice.region_elsewhere",
    ),
    ({"what": "g5.xlarge", "hours_per_month": 800}, UsageError, "cost.hours_range"),
    (
        {"what": "g5.xlarge", "hours_per_day": 1, "hours_per_month": 1},
        UsageError,
        "cost.hours_twice",
    ),
    ({"what": "g5.xlarge", "discount": "aws=120%"}, UsageError, "advice.bad_field"),
    ({"what": "g5.xlarge", "discount": "awz=12%"}, UsageError, "catalog.unknown_name"),
    ({"what": "g5.xlarge", "markup": "-1"}, UsageError, "advice.bad_field"),
    ({"what": "g5.xlarge", "months": "0"}, UsageError, "advice.bad_field"),
    ({"what": "g5.xlarge", "purchase": "sport"}, UsageError, "advice.bad_field"),
    ({"what": "g5.xlarge", "currency": "XYZ"}, UsageError, "cost.unknown_currency"),
    ({"what": "g5.xlarge", "workload": "ocr"}, UsageError, "estimate.unknown_field"),
    ({"what": "8xB300", "region": "eu-west-3"}, RefusedError, "estimate.nowhere"),
]


@pytest.mark.parametrize(("fields", "kind", "id"), FAULTS)
def test_faults_are_named(
    catalog: Catalog, fields: dict[str, Any], kind: type[Exception], id: str
) -> None:
    with pytest.raises(kind) as fault:
        estimate({"today": DAY, **fields}, catalog)
    assert fault.value.message.id == id  # type: ignore[attr-defined]


def test_the_package_exports_the_same_functions() -> None:
    import gpuadvisor
    from gpuadvisor.advice.compare import compare

    assert (gpuadvisor.estimate, gpuadvisor.compare) == (estimate, compare)
    assert {"estimate", "compare"} <= set(gpuadvisor.__all__)
