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
from tests.emit.support import FORMS, Chosen, checked, on_demand, questions

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
