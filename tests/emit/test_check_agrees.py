"""What `check` says of an emitted file is the price that `recommend` gave, to the cent."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.model import CALENDAR, CAPACITY_BLOCK
from gpuadvisor.cost.money import rounded
from gpuadvisor.report.messages import render
from tests.emit.support import FORMS, Chosen, checked, chosen, on_demand, questions

RENTS = {
    "terraform": ("aws", "gcp", "azure"),
    "launch-template": ("aws",),
    "skypilot": ("aws", "gcp", "azure", "lambda", "nebius", "oci"),
    "kubernetes": ("aws", "gcp", "azure", "verda", "nebius", "jarvis-labs", "coreweave"),
    "karpenter": ("aws",),
}
PER_FORM = 50


def agrees(form: str, one: Chosen, folder: Path) -> str:
    """The terms that were compared; `refused` where the form cannot say the plan."""
    module, plan, option = FORMS[form], one.plan(), one.option
    try:
        text = module.text(plan, render)
        beside = {}
        if form == "karpenter":
            beside = {FORMS["kubernetes"].FILE: FORMS["kubernetes"].text(plan, render)}
    except RefusedError:
        return "refused"
    report = checked(folder, text, beside)
    row = next(r for r in report.rows if r.finding.kind != "NodePool")
    ceiling = plan.committed or plan.purchase == CALENDAR or (
        plan.purchase == CAPACITY_BLOCK and form in ("kubernetes", "karpenter")
    )  # fmt: skip
    hourly = option.hourly
    if ceiling:
        # Such a file buys no commitment and names no block: `check` takes the on-demand price.
        listed = on_demand(option)
        if listed is None or option.offer.currency != one.answer.currency:
            return "no price"
        hourly = listed * option.instances
    where = (form, one.asked, option.rank, option.type.name, option.offer.region)
    assert row.after.hourly is not None, where
    assert abs(row.after.hourly - hourly) < Decimal("1e-9"), (*where, row.after.hourly, hourly)
    if row.ends:
        return f"job {plan.purchase}"
    if not ceiling:
        currency = one.answer.currency
        assert row.monthly_after == rounded(option.monthly.expected, currency), where
        assert report.summary.totals.after == rounded(option.monthly.expected, currency), where
    return ("commitment" if plan.committed else plan.purchase) + (
        " slices" if plan.partition else ""
    )


@pytest.mark.parametrize("form", FORMS)
def test_over_random_recommendations(form: str, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for one in questions(2026, RENTS[form], PER_FORM + 15):
        seen[agrees(form, one, tmp_path)] += 1
    compared = seen.total() - seen["refused"] - seen["no price"]
    print(form, dict(seen))
    assert compared >= PER_FORM, seen
    assert {"on_demand"} & set(seen) and any("spot" in terms for terms in seen), seen


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        ("terraform", {"provider": "azure", "device": "A10"}),
        ("terraform", {"provider": "aws", "device": "L4"}),
        ("kubernetes", {"provider": "azure", "device": "A10"}),
        ("kubernetes", {"provider": "aws", "device": "L4", "purchase": "spot"}),
        ("kubernetes", {"provider": "gcp", "device": "RTX-PRO-6000"}),
    ],
)
def test_fractions_of_a_device(form: str, asked: dict[str, str], tmp_path: Path) -> None:
    """A node shows a part of a device as one."""
    answer = chosen(**asked, top="30").answer
    fractions = [o for o in answer.options if o.type.fraction]
    assert fractions
    for option in fractions:
        assert agrees(form, Chosen(asked, answer, option), tmp_path) == option.offer.option


@pytest.mark.parametrize("purchase", ["on_demand", "spot"])
def test_devices_attached_to_a_machine(purchase: str, tmp_path: Path) -> None:
    asked = {"provider": "gcp", "device": "T4", "purchase": purchase, "top": "10"}
    answer = chosen(**asked).answer
    assert any("+" in option.type.name for option in answer.options)
    for option in answer.options:
        for form in ("terraform", "kubernetes"):
            assert agrees(form, Chosen(asked, answer, option), tmp_path) == purchase


def test_a_pool_of_one_type_costs_at_most_the_price(tmp_path: Path) -> None:
    """Without pods a pool stands empty; its limit is what was recommended."""
    compared = 0
    for one in questions(3, ("aws",), 20):
        plan = one.plan()
        if plan.committed or plan.fallbacks or plan.purchase == CAPACITY_BLOCK:
            continue
        (row,) = checked(tmp_path, FORMS["karpenter"].text(plan, render), {
            FORMS["kubernetes"].FILE: "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\n",
        }).rows  # fmt: skip
        assert row.after.hourly == 0
        assert row.after.maximum is not None
        assert abs(row.after.maximum - one.option.hourly) < Decimal("1e-9"), one.asked
        compared += 1
    assert compared > 5
