"""`recommend()` on the shipped catalogs: the acceptance cases, and what must always hold.

Expected values are from the owner's articles and design notes named beside each case, or are
arithmetic over published prices; none is copied from the program's output.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from gpuadvisor.advice.recommend import recommend
from gpuadvisor.advice.result import Recommendation
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog
from tests.conftest import TODAY

CLOUDS = "aws,gcp,azure"


def ask(catalog: Catalog, **fields: Any) -> Recommendation:
    return recommend({"today": TODAY, **fields}, catalog)


def devices(answer: Recommendation) -> list[str]:
    return [option.device.name for option in answer.options]


def families(answer: Recommendation) -> set[str]:
    return {option.device.family for option in answer.options}


# -- the owner's decision tree, `--policy seed` (owner's articles) ------------------------------


def test_seed_branch_1_takes_t4_and_v100(catalog: Catalog) -> None:
    answer = ask(catalog, workload="ocr", budget="4999CNY", policy="seed", top=40)
    assert families(answer) == {"T4", "V100"}
    assert answer.fired[:1] == ("seed.b1_budget",)


def test_seed_branch_1_ends_at_5000_cny(catalog: Catalog) -> None:
    answer = ask(catalog, workload="ocr", budget="5000CNY", policy="seed", top=40)
    assert "seed.b1_budget" not in answer.fired
    assert not families(answer) <= {"T4", "V100"}


def test_seed_branch_2_takes_a10g_and_a100(catalog: Catalog) -> None:
    answer = ask(catalog, workload="tts", latency="low", policy="seed", top=60)
    assert families(answer) == {"A10G", "A100"}
    assert all(option.type.fraction is None for option in answer.options)


def test_seed_branch_3_takes_p4d_and_p4de(catalog: Catalog) -> None:
    answer = ask(catalog, workload="llm-pretrain", gpus=64, policy="seed")
    assert {o.type.name for o in answer.options} == {"p4d.24xlarge", "p4de.24xlarge"}
    assert all(o.instances == 8 for o in answer.options)


def test_seed_first_match_wins(catalog: Catalog) -> None:
    answer = ask(catalog, latency="low", budget="4000CNY", policy="seed", top=40)
    assert families(answer) <= {"T4", "V100"}


def test_default_policy_shows_what_the_seed_tree_hides(catalog: Catalog) -> None:
    answer = ask(catalog, workload="ocr", budget="4999CNY")
    hidden = {w.instance_type: w for w in answer.widened}
    assert {"g6.xlarge", "g5.xlarge"} <= set(hidden)
    # 4,999 CNY at 6.6529 CNY a USD (ECB 2026-10-30).
    assert all(w.spend <= Decimal(4999) / Decimal("6.6529") for w in answer.widened)


# -- OCR (performance notes a; performance gaps 1) -------------------------------------------------


def test_ocr_unbatched_is_led_by_small_cards(catalog: Catalog) -> None:
    answer = ask(catalog, workload="ocr", provider=CLOUDS, purchase="on_demand", top=8)
    assert answer.options[0].device.name == "L4"
    assert {"L4", "A10G", "T4"} <= set(devices(answer))
    a10g = next(o for o in answer.options if o.device.name == "A10G")
    t4 = next(o for o in answer.options if o.device.name == "T4")
    assert a10g.per_unit is not None and t4.per_unit is not None
    # "within each other's range": A10G is 1.3 to 3.6 times a T4, which spans their price ratio.
    assert a10g.per_unit.low < t4.per_unit.expected < a10g.per_unit.high
    assert not any(o.device.family == "A100" and o.rank == 1 for o in answer.options)


def test_ocr_lead_is_the_outcome_of_figures_not_of_a_rule(catalog: Catalog) -> None:
    """The cheapest expected work is L4's even where no preference may break a tie."""
    answer = ask(catalog, workload="ocr", provider=CLOUDS, purchase="on_demand", top=60)
    best = min(answer.options, key=lambda o: o.per_unit.expected if o.per_unit else Decimal(9))
    assert best.device.name == "L4"
    # On demand 2026-07: 0.8048 USD an hour for g6.xlarge and 0.526 for g4dn.xlarge; an L4 does
    # 2.5 times a T4's pages (2.74 measured with Marker): 0.32 against 0.526 per T4-hour.
    by_type = {o.type.name: o for o in answer.options}
    l4, t4 = by_type["g6.xlarge"], by_type["g4dn.xlarge"]
    assert l4.speed is not None and t4.speed is not None
    assert 1.3 < l4.speed.rate.expected / t4.speed.rate.expected < 3.6


def test_ocr_batched_reorders(catalog: Catalog) -> None:
    fields = {"workload": "ocr", "provider": CLOUDS, "purchase": "on_demand", "top": 60}
    plain = ask(catalog, **fields)
    batched = ask(catalog, **fields, batched=True)

    def order(answer: Recommendation) -> list[str]:
        rows = sorted(answer.options, key=lambda o: o.per_unit.expected if o.per_unit else 9)
        return list(dict.fromkeys(o.device.name for o in rows))

    assert order(plain) != order(batched)
    # Batched, one A100-SXM does 5.7 to 7.8 times a T4 (MLPerf v0.7, same party); unbatched one
    # process does 1.6 to 2.7 times.
    a100 = next(o for o in batched.options if o.device.name == "A100-40GB-SXM")
    assert a100.speed is not None
    assert 4.5 < a100.speed.device_ratio.expected < 8
    one = next(o for o in plain.options if o.device.name == "A100-40GB-SXM")
    assert one.speed is not None
    assert 1.4 < one.speed.device_ratio.expected < 2.7
    assert any("--batched" in str(m.id) or "batched" in m.id for m in plain.flips)


# -- never (issue A1, traps of the provider notes) ---------------------------------------------------


def test_80_gb_a100_is_never_a_40_gb_machine(catalog: Catalog) -> None:
    answer = ask(
        catalog, workload="llm-chat", device="A100", min_gpu_memory=80, region="any", top=500
    )
    names = {o.type.name for o in answer.options}
    assert names
    assert "p4d.24xlarge" not in names
    assert not any(n.startswith("a2-highgpu") for n in names)
    assert "Standard_ND96asr_v4" not in names
    assert {o.device.memory_gib for o in answer.options} == {80}


def test_min_gpu_memory_16_returns_no_small_slice(catalog: Catalog) -> None:
    answer = ask(catalog, workload="notebook", min_gpu_memory=16, region="any", top=500)
    names = {o.type.name for o in answer.options}
    assert "g6f.2xlarge" not in names
    assert "Standard_NV6ads_A10_v5" not in names
    assert all(o.type.memory_gib >= 16 for o in answer.options)


@pytest.mark.parametrize(
    "name", ["Standard_NC6s_v3", "Standard_ND40s_v2", "p3.2xlarge", "p2.xlarge", "g3s.xlarge"]
)
def test_retired_and_preview_types_are_never_recommended(catalog: Catalog, name: str) -> None:
    for policy in ("default", "seed"):
        answer = ask(catalog, region="any", top=1000, policy=policy, software="any", arch="any")
        assert name not in {o.type.name for o in answer.options}


@pytest.mark.parametrize("name", ["p5e.48xlarge", "a4-highgpu-8g", "a3-highgpu-1g"])
def test_types_not_sold_on_demand_never_are(catalog: Catalog, name: str) -> None:
    answer = ask(catalog, region="any", top=1000, purchase="on_demand")
    assert name not in {o.type.name for o in answer.options}


# -- money --------------------------------------------------------------------------------------------


def test_bare_budget_is_dollars_and_said_in_cny(catalog: Catalog) -> None:
    answer = ask(catalog, workload="ocr", budget="5000")
    assert answer.budget == 5000
    # ECB 2026-10-30: 7.4326 CNY and 1.1172 USD for a EUR; 7.4326 / 1.1172 = 6.6529.
    assert answer.rate == ("USD/CNY", Decimal("6.6529"), "2026-10-30")


def test_nothing_fits_shows_the_cheapest_and_the_gap(catalog: Catalog) -> None:
    answer = ask(catalog, workload="ocr", budget="1")
    assert not answer.feasible
    assert len(answer.options) == 1
    assert answer.gap == answer.options[0].monthly.expected - 1
    everything = ask(catalog, workload="ocr", top=2000)
    assert answer.options[0].monthly.expected == min(o.monthly.expected for o in everything.options)


def test_budget_is_a_ceiling(catalog: Catalog) -> None:
    answer = ask(catalog, workload="ocr", budget="700", top=500)
    assert all(o.monthly.expected <= 700 for o in answer.options)
    assert all(o.fits_in_budget == int(700 / o.monthly.expected) for o in answer.options)


def test_hours_scale_the_month(catalog: Catalog) -> None:
    # g4dn.xlarge 0.526 USD an hour in us-east-1 (AWS price list, 2026-07-20).
    fields = {"device": "T4", "provider": "aws", "purchase": "on_demand", "top": 40}
    whole = ask(catalog, **fields)
    some = ask(catalog, **fields, hours_per_month=100)
    first = next(o for o in whole.options if o.type.name == "g4dn.xlarge")
    second = next(o for o in some.options if o.type.name == "g4dn.xlarge")
    assert first.monthly.expected == Decimal("383.98")
    assert second.monthly.expected == Decimal("52.60")


def test_own_price_and_discount(catalog: Catalog) -> None:
    base = {"device": "H100", "provider": "aws", "purchase": "on_demand", "top": 10}
    own = ask(catalog, **base, price="aws/p5.48xlarge@us-east-1:on_demand=44.0")
    p5 = next(o for o in own.options if o.type.name == "p5.48xlarge")
    assert p5.price == 44
    assert p5.own_price
    less = ask(catalog, **base, discount="aws=12%")
    p5 = next(o for o in less.options if o.type.name == "p5.48xlarge")
    assert p5.price == Decimal("55.04") * Decimal("0.88")


def test_catalog_version_reproduces_an_old_price(catalog: Catalog) -> None:
    from gpuadvisor.catalog.store import load_catalog

    old = load_catalog(versions={"aws": "2025.04"})
    answer = ask(old, device="H100", provider="aws", purchase="on_demand", top=10)
    p5 = next(o for o in answer.options if o.type.name == "p5.48xlarge")
    assert p5.price == Decimal("98.32")  # before the cut of June 2025


# -- demand ---------------------------------------------------------------------------------------------


def test_demand_by_rate_is_met(catalog: Catalog) -> None:
    answer = ask(catalog, workload="image-classification", qps=20000, provider=CLOUDS)
    for o in answer.options:
        assert o.speed is not None
        assert o.speed.rate.expected * 0.9 >= 20000 * 0.999
    ordered = [o.tie_group for o in answer.options]
    assert ordered == sorted(ordered)


def test_a_run_is_priced_as_a_run(catalog: Catalog) -> None:
    answer = ask(catalog, workload="train-cnn", budget="100")
    assert answer.budget_per == "run"
    for o in answer.options:
        assert o.run is not None and o.run_hours is not None
        assert o.run.expected <= 100
        assert o.run.low <= o.run.expected <= o.run.high


def test_spot_only_where_nobody_waits(catalog: Catalog) -> None:
    relaxed = ask(catalog, workload="ocr", provider="aws", top=50)
    assert any(o.offer.option == "spot" for o in relaxed.options)
    for fields in ({"latency": "low"}, {"latency_p99": "500ms"}, {"interruptible": False}):
        strict = ask(catalog, workload="ocr", provider="aws", top=50, **fields)
        assert {o.offer.option for o in strict.options} == {"on_demand"}


# -- every figure has a source ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"workload": "ocr", "budget": "5000"},
        {"workload": "llm-chat", "budget": "8000"},
        {"workload": "train-transformer", "gpus": 8},
        {"workload": "notebook"},
        {"latency": "low"},
    ],
)
def test_sources_and_ranges(catalog: Catalog, fields: dict[str, Any]) -> None:
    answer = ask(catalog, **fields, top=25)
    assert answer.options
    for o in answer.options:
        assert catalog.source(o.offer.source).date == o.offer.as_of
        assert o.monthly.low <= o.monthly.expected <= o.monthly.high
        if o.speed is not None:
            assert catalog.source(o.speed.source).date
            assert catalog.source(o.speed.reference_source).date
            assert o.speed.rate.low <= o.speed.rate.expected <= o.speed.rate.high
        for c in o.if_committed:
            assert catalog.source(c.offer.source).title
    assert len({o.device.name for o in answer.options}) >= 3


def test_same_question_same_answer(catalog: Catalog) -> None:
    fields = {"workload": "llm-chat", "budget": "5000"}
    assert ask(catalog, **fields) == ask(catalog, **fields)


# -- bad input ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"workload": "orc"}, "ocr"),
        ({"workload": "ocr", "device": "A1000"}, "A100"),
        ({"workload": "ocr", "provider": "asw"}, "aws"),
        ({"workload": "ocr", "region": "us-east-11"}, "us-east-1"),
        ({"workload": "ocr", "policy": "sead"}, "seed"),
        ({"workload": "ocr", "purchase": "spott"}, "spot"),
        ({"workload": "ocr", "budget": "0"}, ""),
        ({"workload": "ocr", "budget": "-5"}, ""),
        ({"workload": "ocr", "budget": "/month"}, ""),
        ({"workload": "ocr", "budget": "5000 XYZ"}, ""),
        ({"workload": "ocr", "budget": "much"}, ""),
        ({"workload": "ocr", "qps": "-1"}, ""),
        ({"workload": "ocr", "gpus": "1.5"}, ""),
        ({"workload": "ocr", "today": "yesterday"}, ""),
        ({"qps": "5"}, "--workload"),
        ({"workload": "ocr", "batched": True, "qps": 5}, "--qps"),
        ({"workload": "ocr", "qps": 5, "units_per_month": 5}, ""),
        ({"workload": "train-cnn", "qps": 5}, ""),
        ({"wokload": "ocr"}, "workload"),
    ],
)
def test_bad_input_is_a_usage_error(catalog: Catalog, fields: dict[str, Any], words: str) -> None:
    from gpuadvisor.report.messages import render

    with pytest.raises(UsageError) as caught:
        ask(catalog, **fields)
    assert words in render(caught.value.message)


# -- commitments: all their hours are paid -------------------------------------------------------

T4_ON_AWS = {"device": "T4", "provider": "aws"}


def test_a_reservation_costs_the_whole_month_however_little_is_used(catalog: Catalog) -> None:
    """g4dn.xlarge, 3-year standard: 0.227 USD an hour (AWS price list, 2025-04-04) x 730."""
    answer = ask(
        catalog, workload="ocr", budget="5000", purchase="reserved", hours_per_month=100,
        **T4_ON_AWS,
    )  # fmt: skip
    option = next(o for o in answer.options if o.type.name == "g4dn.xlarge")
    assert option.monthly.expected == Decimal("0.227") * 730


@pytest.mark.parametrize(("hours", "chosen"), [(100, "on_demand"), (730, "reserved")])
def test_part_time_work_rents_by_the_hour(catalog: Catalog, hours: int, chosen: str) -> None:
    """0.526 x 100 = 52.60 is less than 0.227 x 730 = 165.71, and 0.526 x 730 is more."""
    answer = ask(
        catalog, workload="ocr", budget="5000", purchase="on_demand,reserved",
        hours_per_month=hours, **T4_ON_AWS,
    )  # fmt: skip
    assert answer.options[0].type.name == "g4dn.xlarge"
    assert answer.options[0].offer.option == chosen


def test_a_run_is_not_charged_a_slice_of_a_three_year_term(catalog: Catalog) -> None:
    fields = {"workload": "train-cnn", "budget": "50000", **T4_ON_AWS}
    bound = ask(catalog, purchase="reserved", **fields).options[0]
    assert bound.run is not None
    assert bound.run.expected >= bound.hourly * 36 * 730
    both = ask(catalog, purchase="on_demand,reserved", **fields).options[0]
    assert both.offer.option == "on_demand"


def test_a_spec_sheet_does_not_speak_for_another_stack(catalog: Catalog) -> None:
    """Nobody measured OCR on Inferentia or Trainium: they rank by price below what is known."""
    answer = ask(catalog, workload="ocr", software="any", tier="any", top=300)
    ported = [o for o in answer.options if o.device.software != "cuda"]
    assert ported
    assert all(o.speed is None for o in ported if o.speed is None or o.speed.basis == "spec")
    known = [o.rank for o in answer.options if o.speed is not None]
    unknown = [o.rank for o in answer.options if o.speed is None]
    assert max(known) < min(unknown)
    assert any(o.device.name.startswith("Inferentia") for o in answer.options if o.speed is None)


def test_a_device_brings_its_software_unless_another_is_asked_for(catalog: Catalog) -> None:
    assert ask(catalog, workload="ocr", device="Inferentia2").options
    assert ask(catalog, workload="ocr", device="T4", software="any").options
    assert not ask(catalog, workload="ocr", device="T4", software="rocm").options


def test_a_month_paid_in_advance_is_named_where_it_meets_the_budget(catalog: Catalog) -> None:
    """Tencent's list of 2021: a T4 is 8.68 x 730 = 6,336.40 CNY by the hour and 2,500 prepaid."""
    fields = {"workload": "ocr", "budget": "5000CNY", "currency": "CNY", "region": "cn"}
    note = next(m for m in ask(catalog, **fields).others if m.id == "advice.prepaid_fits")
    assert "tencent GN7.2XLARGE32 (T4) 2,500" in str(note.params["types"])
    asked = ask(catalog, **fields, purchase="on_demand")
    assert "advice.prepaid_fits" not in [m.id for m in asked.others]
    lower = ask(catalog, **{**fields, "budget": "1900CNY"})
    assert "advice.prepaid_fits" not in [m.id for m in lower.others]
