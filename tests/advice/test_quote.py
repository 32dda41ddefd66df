"""`quote()`: totals by hand, the choices against `recommend` itself, one markup on every price."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor import estimate, load_catalog, quote, recommend
from gpuadvisor.advice.quote_lines import unit_price
from gpuadvisor.advice.quote_request import quote_request
from gpuadvisor.advice.quote_result import Answer, Proposal
from gpuadvisor.catalog.errors import RefusedError, UsageError
from gpuadvisor.catalog.store import Catalog
from tests.advice.acme import FILES

TODAY = "2026-11-30"
G5 = "aws/g5.xlarge@us-east-1:on_demand=1.006"
OCR = {"workload": "ocr", "provider": "aws,gcp,azure", "today": TODAY}


def asked(catalog: Catalog, what: str | list[str], **fields: Any) -> Answer:
    return quote({"what": what, "region": "us-east-1", "today": TODAY, **fields}, catalog)


def by_name(answer: Answer, name: str) -> Proposal:
    return next(p for p in answer.quote.proposals if name in p.names)


# -- money -----------------------------------------------------------------------------------


def test_markup_tax_and_total_by_hand(catalog: Catalog) -> None:
    """4 machines at 1.006 USD, markup 12 %, tax 6 %:

    unit 1.006 x 1.12 = 1.12672; 1.12672 x 4 x 730 = 3,290.0224 -> 3,290.02;
    tax 3,290.02 x 0.06 = 197.4012 -> 197.40; total 3,487.42.
    Cost 1.006 x 4 x 730 = 2,937.52, so that the margin is 352.50.
    """
    found = asked(catalog, "4x g5.xlarge", price=G5, markup="12%", tax="6%")
    proposal = found.quote.proposals[0]
    assert proposal.lines[0].way.unit_price == Decimal("1.126720")
    assert proposal.lines[0].amount == Decimal("3290.02")
    assert proposal.total == (Decimal("3290.02"), Decimal("197.40"), Decimal("3487.42"))
    cost = found.internal.lines[0]
    assert (cost.unit_cost, cost.cost) == (Decimal("1.006"), Decimal("2937.52"))
    assert cost.amount - cost.cost == Decimal("352.50")


def test_the_largest_line_takes_the_cent(catalog: Catalog) -> None:
    """1.000005 x 730 = 730.00365 -> 730.00 and 2.000006 x 730 = 1,460.00438 -> 1,460.00, but their
    sum 2,190.00803 is 2,190.01: the larger line says 1,460.01."""
    prices = ["aws/g5.xlarge:on_demand=1.000005", "aws/g6.xlarge:on_demand=2.000006"]
    found = asked(catalog, ["g5.xlarge", "g6.xlarge"], price=prices).quote.proposals[0]
    assert [line.amount for line in found.lines] == [Decimal("730.00"), Decimal("1460.01")]
    assert found.total.subtotal == Decimal("2190.01")
    assert found.total.tax is None and found.total.total == found.total.subtotal


@pytest.mark.parametrize(
    ("cost", "markup", "price"),
    [
        ("0.526", "0.12", "0.589120"),  # 0.526 x 1.12
        ("1.0000005", "0", "1.000001"),  # halves go up, as on bills
        ("0.000012345", "0.1", "0.00001358"),  # 0.0000135795: four digits, not 0.000014
    ],
)
def test_a_unit_price_is_rounded_after_the_markup(cost: str, markup: str, price: str) -> None:
    assert unit_price(Decimal(cost), Decimal(markup)) == Decimal(price)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"discount": "aws=11%"},
        {"price": "aws/g5.xlarge@us-east-1:on_demand=0.8"},
        {"currency": "CNY"},
    ],
)
def test_every_price_bears_the_same_markup(catalog: Catalog, fields: dict[str, str]) -> None:
    """Whatever the customer divides by whatever: the cost beneath has the same ratio."""
    plain = {"what": "g5.xlarge", "region": "us-east-1", "today": TODAY, **fields}
    costs = {
        (o.option, o.term, o.cls, o.payment): o
        for o in estimate(plain, catalog).items[0].options
        if o.available
    }
    shown = quote({**plain, "markup": "25%"}, catalog).quote.proposals[0]
    ways = shown.lines[0].ways
    assert len(ways) >= 5
    for way in ways:
        cost = costs[way.option, way.term, way.cls, way.payment].price_per_hour
        assert cost is not None
        assert way.unit_price == (cost * Decimal("1.25")).quantize(
            Decimal("0.000001"), ROUND_HALF_UP
        )
    spot, cost_of_spot = shown.spot[0], costs["spot", None, None, None].monthly
    assert cost_of_spot is not None
    # Spot ends at our own on-demand price: the list price beside it would give a discount away.
    assert spot.high == shown.lines[0].amount
    # To a coin, and what the sixth decimal of an hour makes of 730 of them.
    assert abs(spot.low - cost_of_spot.low * Decimal("1.25")) < Decimal("0.006")


def test_the_number_tells_nothing_but_what_is_seen(catalog: Catalog) -> None:
    """10 % on 1.00 and 0 % on 1.10 look the same to the customer, and have the same number."""
    one = asked(catalog, "g5.xlarge", price="on_demand=1.00", markup="10%", purchase="on_demand")
    two = asked(catalog, "g5.xlarge", price="on_demand=1.10", markup="0%", purchase="on_demand")
    assert one.quote.number == two.quote.number
    assert one.quote.number.startswith("Q-20261130-")
    three = asked(catalog, "g5.xlarge", price="on_demand=1.11", purchase="on_demand")
    assert three.quote.number != two.quote.number
    assert asked(catalog, "g5.xlarge", number="A-7").quote.number == "A-7"


def test_valid_until_is_counted_from_today(catalog: Catalog) -> None:
    assert asked(catalog, "g5.xlarge").quote.valid_until == "2026-12-14"
    assert asked(catalog, "g5.xlarge", valid="48h").quote.valid_until == "2026-12-02"


# -- the choices -----------------------------------------------------------------------------


def months(catalog: Catalog, units: float, **fields: Any) -> list[tuple[float, float, str]]:
    """(month at the demand of 40M pages, latency, type) of all that `recommend` ranks for
    `units`, computed from its public answer."""
    request = {**OCR, **fields, "units_per_month": units, "purchase": "on_demand", "top": 5000}
    found = []
    for option in recommend(request, catalog).options:
        speed = option.speed
        if speed is not None and speed.latency_ms is not None:
            share = 40e6 / units if option.hours < 729.99 else 1.0
            found.append(
                (float(option.monthly.expected) * share, speed.latency_ms, option.type.name)
            )
    return found


def test_good_better_and_best_agree_with_recommend(catalog: Catalog) -> None:
    answer = quote({**OCR, "units_per_month": "40M"}, catalog)
    meets, roomy = months(catalog, 40e6), months(catalog, 60e6)
    assert len(meets) > 20
    good, better, best = (by_name(answer, name) for name in ("good", "better", "best"))
    cheapest = min(meets)[0]
    assert float(good.total.total) == pytest.approx(cheapest, rel=2e-4)
    assert float(better.total.total) == pytest.approx(min(roomy)[0], rel=2e-4)
    assert better.work is not None and (better.work.headroom or 0) >= 1.5
    reach = [row for row in (*meets, *roomy) if row[0] <= 2 * cheapest]
    assert best.work is not None
    assert best.work.latency_ms == pytest.approx(min(row[1] for row in reach))
    assert best.total.total <= 2 * good.total.total


def test_a_choice_bears_so_many_times_the_demand_and_no_more(catalog: Catalog) -> None:
    """Up to that demand `recommend` takes as many instances, beyond it one more."""
    served = {"workload": "ocr", "provider": "aws", "latency_p99": "500ms", "today": TODAY}
    answer = quote({**served, "units_per_month": "100M"}, catalog)
    for proposal in answer.quote.proposals:
        line = proposal.lines[0]
        assert proposal.work is not None and proposal.work.headroom is not None
        for share, more in ((0.999, 0), (1.001, 1)):
            units = 100e6 * proposal.work.headroom * share
            wanted = {**served, "device": line.machine.device, "units_per_month": units}
            found = recommend({**wanted, "top": 5000}, catalog).options
            counts = {o.instances for o in found if o.type.name == line.machine.instance_type}
            assert counts == {line.instances + more}


def test_choices_that_coincide_are_shown_once_and_said_so(catalog: Catalog) -> None:
    answer = quote({**OCR, "units_per_month": "2M"}, catalog)
    names = [name for p in answer.quote.proposals for name in p.names]
    assert sorted(names) == ["best", "better", "good"]
    assert len(answer.quote.proposals) < 3
    assert [note.id for note in answer.quote.left_out] == ["quote.coincide"]


def test_a_run_is_better_when_it_is_done_sooner(catalog: Catalog) -> None:
    answer = quote({"workload": "train-cnn", "deadline": "30h", "today": TODAY}, catalog)
    good, better = by_name(answer, "good"), by_name(answer, "better")
    assert answer.quote.per == "run"
    for proposal, limit in ((good, 30.0), (better, 20.0)):
        assert proposal.work is not None and proposal.work.hours is not None
        assert proposal.work.hours[1] <= limit
        line = proposal.lines[0]
        # A run is paid for its own hours, and costs more where the speed is worse.
        assert line.way.hours == pytest.approx(proposal.work.hours[1], abs=0.006)
        assert line.low < line.amount < line.high


def test_with_a_budget_alone_all_stay_within_it(catalog: Catalog) -> None:
    """The budget is the customer's: it is compared with marked-up prices."""
    fields = {"workload": "tts", "budget": "500", "today": TODAY}
    dear = quote({**fields, "markup": "40%"}, catalog).quote
    assert {n for p in dear.proposals for n in p.names} == {"good", "better", "best"}
    assert all(p.total.subtotal <= 500 for p in dear.proposals)
    plain = quote(fields, catalog).quote
    best, dear_best = plain.proposals[-1], dear.proposals[-1]
    assert best.work is not None and dear_best.work is not None
    assert (best.work.latency_ms or 0) <= (dear_best.work.latency_ms or 0)


def test_better_is_missing_where_the_budget_leaves_no_room(catalog: Catalog) -> None:
    """A budget a hundredth above good pays for no machine more."""
    fields = {**OCR, "qps": "400", "latency_p99": "500ms"}
    good = by_name(quote(fields, catalog), "good")
    tight = quote({**fields, "budget": str(round(good.total.total * Decimal("1.01"), 2))}, catalog)
    assert {n for p in tight.quote.proposals for n in p.names} == {"good", "best"}
    assert tight.quote.left_out[0].id == "quote.no_better"
    assert by_name(tight, "good").total == good.total


def test_nothing_within_the_budget_is_refused_with_the_gap(catalog: Catalog) -> None:
    with pytest.raises(RefusedError) as refused:
        quote({**OCR, "qps": "300", "latency_p99": "500ms", "budget": "100"}, catalog)
    said = refused.value.message
    assert said.id == "quote.over_budget"
    amount, gap = (
        Decimal(str(said.params[k]).split()[0].replace(",", "")) for k in ("amount", "gap")
    )
    assert amount - gap == 100


def test_without_a_speed_only_the_cheapest_is_offered(catalog: Catalog) -> None:
    answer = quote({"device": "A100", "gpus": "8", "today": TODAY}, catalog)
    assert [p.names for p in answer.quote.proposals] == [("good",)]
    assert [note.id for note in answer.quote.left_out] == ["quote.no_speed"]


# -- firm ------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["g5.xlarge", "p5.48xlarge", "8xA100"])
def test_no_line_and_no_way_is_on_spot(catalog: Catalog, what: str) -> None:
    answer = quote({"what": what, "today": TODAY}, catalog)
    firm = {"on_demand", "reserved", "savings_plan", "committed_use", "subscription"}
    for line in answer.quote.proposals[0].lines:
        assert {line.way.option, *(way.option for way in line.ways)} <= firm
    assert {a.option for a in answer.quote.proposals[0].alternatives} <= firm


def test_a_commitment_is_paid_for_all_hours_and_on_demand_for_those_used(catalog: Catalog) -> None:
    found = asked(catalog, "g5.xlarge", hours_per_month="200").quote.proposals[0].lines[0]
    hours = {way.option: way.hours for way in found.ways}
    assert (hours["on_demand"], hours["reserved"]) == (200, 730)
    for way in found.ways:
        if way.break_even_hours is not None:
            usual = found.way.unit_price
            assert way.break_even_hours == pytest.approx(730 * float(way.unit_price / usual))


def test_a_job_is_paid_for_its_hours(catalog: Catalog) -> None:
    """3 x 2.00 USD x 1.5 x 100 h = 900; a year's commitment for its sake would be paid whole."""
    fields = {"price": "on_demand=2.00", "markup": "50%", "job_hours": "100"}
    found = asked(catalog, "3x g5.xlarge", **fields).quote
    line = found.proposals[0].lines[0]
    assert (found.per, line.amount) == ("run", Decimal("900.00"))
    assert [way.option for way in line.ways] == ["on_demand"]


def test_what_a_price_leaves_open_is_said_to_the_customer(catalog: Catalog) -> None:
    """A card without its host, and devices that are paid but not asked for; a quota is ours."""
    alone = quote({"what": "coreweave/a40", "today": TODAY}, catalog)
    assert [n.id for n in alone.quote.proposals[0].lines[0].notes] == ["estimate.scope_gpu_only"]
    more = asked(catalog, "5xA100", provider="aws")
    assert [n.id for n in more.quote.proposals[0].lines[0].notes] == ["estimate.paid_used"]
    assert "quote.remark_note" in {remark.id for remark in more.internal.remarks}


def test_purchase_chooses_the_line(catalog: Catalog) -> None:
    found = asked(catalog, "g5.xlarge", purchase="reserved").quote.proposals[0].lines[0]
    cheapest = min(w.amount for w in found.ways if w.option == "reserved")
    assert found.way.option == "reserved" and found.amount == cheapest
    mixed = asked(catalog, "g5.xlarge", purchase="spot,reserved").quote.proposals[0].lines[0]
    assert mixed.way == found.way


def test_prepaid_months_of_a_provider_of_ones_own(tmp_path: Path) -> None:
    """`acme` sells t.1 for 10 CNY an hour, and a prepaid year at 6: 10 x 730 = 7,300 and 6 x 730 =
    4,380 a month, 40 % less; it pays from 438 h."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    catalog = load_catalog([str(tmp_path)])
    fields = {"what": "t.1", "region": "north", "currency": "CNY", "today": TODAY}
    answer = quote(fields, catalog)
    line = answer.quote.proposals[0].lines[0]
    year = next(way for way in line.ways if way.term == "1y")
    assert (line.amount, year.amount) == (Decimal("7300.00"), Decimal("4380.00"))
    assert year.saving == pytest.approx(0.4)
    assert year.break_even_hours == pytest.approx(438)
    # An overlay's sources, dates and versions are nobody else's business.
    assert all((way.source, way.as_of) == (None, None) for way in line.ways)
    assert (answer.quote.cited, answer.quote.versions) == ((), ())
    assert answer.internal.lines[0].key.endswith("#s")


def test_a_demand_over_the_day(catalog: Catalog, tmp_path: Path) -> None:
    """12 hours of 10 units and 12 of 2. At 0.60 of the on-demand rate a unit pays from 60 % of the
    hours: 2 are committed. 2 x 0.6 x 730 = 876; mean of the rest 4 x 1 x 730 = 2,920; all on
    demand 6 x 730 = 4,380."""
    path = tmp_path / "demand.csv"
    rows = [f"{hour},{10 if hour < 12 else 2}" for hour in range(24)]
    path.write_text("\n".join(["hour,units", *rows]), encoding="utf-8")
    prices = ["on_demand=1.00", "aws/g5.xlarge:reserved=0.60"]
    found = asked(
        catalog, "g5.xlarge", curve=str(path), price=prices, purchase="on_demand,reserved"
    ).quote
    assert found.demand is not None
    assert found.demand.levels == (("1y", 2),)
    assert found.demand.on_demand_only == Decimal("4380.00")
    bound, rest = found.proposals[0].lines
    assert (bound.instances, bound.amount) == (2, Decimal("876.00"))
    assert (rest.instances, rest.amount) == (4, Decimal("2920.00"))


# -- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "id"),
    [
        ({"markup": "-1%"}, "quote.bad_share"),
        ({"markup": "12"}, "quote.bad_share"),
        ({"markup": "nan"}, "quote.bad_share"),
        ({"markup": "1001%"}, "quote.bad_share"),
        ({"tax": "x"}, "quote.bad_share"),
        ({"tax": "101%"}, "quote.bad_share"),
        ({"valid": "0d"}, "advice.bad_field"),
        ({"valid": "36h"}, "quote.bad_valid"),
        ({"valid": "soon"}, "advice.bad_field"),
        ({"customer": "A\nB"}, "quote.bad_words"),
        ({"customer": "A\u202eB"}, "quote.bad_words"),
        ({"title": "x" * 201}, "quote.bad_words"),
        ({"purchase": "spot"}, "quote.not_firm"),
        ({"purchase": "capacity_block"}, "quote.not_firm"),
        ({"storage": "hot=1TB"}, "quote.not_here"),
        ({"per_unit": "5"}, "quote.per_unit_needs_curve"),
        ({"qps": "5"}, "estimate.unknown_field"),
    ],
)
def test_what_cannot_be_quoted_is_said(fields: dict[str, str], id: str) -> None:
    with pytest.raises(UsageError) as refused:
        quote_request({"what": "g5.xlarge", **fields})
    assert refused.value.message.id == id


def test_a_type_without_a_firm_price_is_refused(catalog: Catalog) -> None:
    kinds = [
        t for t in catalog.instance_types().values()
        if t.provider == "aws" and t.sold and not set(t.sold) & {"on_demand", "reserved"}
        and "savings_plan" not in t.sold
    ]  # fmt: skip
    assert kinds
    with pytest.raises(RefusedError) as refused:
        quote({"what": kinds[0].name, "today": TODAY}, catalog)
    assert refused.value.message.id == "quote.no_firm_price"
