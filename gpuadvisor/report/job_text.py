"""A job on each purchase option, for people: its bill, when it is done, what interrupts it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from gpuadvisor.advice.estimate_result import Estimate, EstimateOption, Hours, Item
from gpuadvisor.advice.job_advice import option_deadline
from gpuadvisor.advice.spot_job import SpotJob, what_moves
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT
from gpuadvisor.cost.money import format_money
from gpuadvisor.cost.uncertainty import Swing, Triple
from gpuadvisor.report.figures import coins
from gpuadvisor.report.messages import aside, listed, render
from gpuadvisor.report.text import pad, printable, wrap


def _t(id: str, /, **params: object) -> str:
    return render(message(f"estimate.{id}", **params))


def headline(answer: Estimate) -> str | None:
    """What the job costs on demand and on spot; None without a job or for several lines."""
    if answer.request.job_hours is None or len(answer.lines) != 1:
        return None
    item = answer.lines[0]
    parts = []
    for option in (ON_DEMAND, SPOT):
        # A retired type has no price to be bought at, but what still runs pays one.
        line = next((o for o in item.options if o.option == option), None)
        if line is None or line.job is None:
            continue
        amount = format_money(line.job.expected, answer.currency)
        low, high = (coins(end, answer.currency) for end in (line.job.low, line.job.high))
        if low != high:
            amount += aside(f"{low}-{high}")
        parts.append(_t("job_on", amount=amount, option=_t(f"option_{option}")))
    hours = f"{answer.request.job_hours:g}"
    refused = ""
    if answer.refused is not None:
        spot = answer.refused.id == "estimate.spot_infeasible"
        refused = _t("job_refused_on_spot" if spot else "job_refused")
    if not parts:
        return _t("job_only_refused", hours=hours) if refused else None
    return _t("job_answer", hours=hours, parts=listed(parts), refused=refused)


def remarks(o: EstimateOption) -> list[str]:
    """Hours, interruptions, interval, what the hazard is from, and what moves the bill most."""
    job = o.spot
    if job is None or not job.feasible or o.finish_hours is None:
        return []
    expected = job.outlooks.expected
    more = (expected.billed / job.work - 1) * 100
    found = [
        _t("job_runs", hours=f"{expected.billed:.3g}", more=f"{more:.0f}"),
        _t("job_done", hours=_hours(o.finish_hours)),
        _t(
            "job_interruptions",
            count=f"{expected.interruptions:.2g}",
            low=f"{job.hazard.low:.2g}",
            expected=f"{job.hazard.expected:.2g}",
            high=f"{job.hazard.high:.2g}",
            basis=_t(f"basis_{job.hazard.basis}"),
        ),
    ]
    if expected.interval is not None and expected.interval < job.work:
        found.append(_t("job_interval", minutes=f"{expected.interval * 60:.0f}"))
    elif job.run.checkpoints:
        found.append(_t("job_no_interval"))
    else:
        found.append(_t("job_unprotected"))
    if job.pays_below is not None:
        found.append(_t("job_pays_below", rate=f"{job.pays_below:.2g}"))
    swings = moves(o, job)
    if swings:
        top = swings[0]
        low, high = sorted((top.at_low, top.at_high))
        name = _t(f"moves_{top.name}")
        found.append(_t("job_moves", name=name, low=f"{low:,.2f}", high=f"{high:,.2f}"))
    found.append(_t("max_price"))
    return found


def moves(o: EstimateOption, job: SpotJob) -> list[Swing]:
    """The tornado of the job's bill; empty where nothing is uncertain."""
    if o.monthly is None or o.price_per_hour is None or not o.monthly.expected:
        return []
    rate = o.price_per_hour * job.instances
    price = Triple(*(float(rate * part / o.monthly.expected) for part in o.monthly))
    return [swing for swing in what_moves(job, price) if swing.size > 0]


def explained(answer: Estimate, columns: int) -> list[str]:
    """Every input of each spot job's bill with what it does alone, the largest first (F35)."""
    lines: list[str] = []
    for item in answer.lines:
        for o in item.options:
            swings = moves(o, o.spot) if o.spot is not None and o.spot.feasible else []
            if not swings:
                continue
            head = _t("moves_head", what=item.type.name, currency=answer.currency)
            lines += ["", *wrap(printable(head), columns)]
            for swing in swings:
                low, high = sorted((swing.at_low, swing.at_high))
                amount = f"{low:,.2f} - {high:,.2f}"
                lines.append(pad("  " + _t(f"moves_{swing.name}"), columns - len(amount)) + amount)
    return lines


def _hours(found: Hours) -> str:
    low, expected, high = (
        "?" if part is None else f"{part:.3g}" for part in (found.low, found.expected, found.high)
    )
    return expected + aside(f"{low}-{high}")


def document(answer: Estimate, item: Item, o: EstimateOption) -> dict[str, Any] | None:
    """The machine form of a spot job; None for options that nothing interrupts."""
    job = o.spot
    if job is None:
        return None
    cases = job.outlooks
    deadline = option_deadline(answer.request, item)
    interval = cases.expected.interval
    return {
        "feasible": job.feasible,
        "saved_by_checkpoint_minutes": None if job.saved_by is None else _round(job.saved_by * 60),
        "billed_hours": {name: _finite(case.billed) for name, case in cases._asdict().items()},
        "interruptions": {
            name: _finite(case.interruptions) for name, case in cases._asdict().items()
        },
        "checkpoint_every_minutes": (
            None if interval is None or interval >= job.work else _round(interval * 60)
        ),
        "hazard_per_hour": {
            "low": job.hazard.low,
            "expected": job.hazard.expected,
            "high": job.hazard.high,
            "basis": job.hazard.basis,
        },
        "pays_below_per_hour": None if job.pays_below is None else _round(job.pays_below),
        "deadline": None
        if deadline is None
        else {
            "hours": deadline.hours,
            "met": deadline.met,
            "switch_to_on_demand_after_hours": _round(deadline.switch_after),
            "least_cost_share": (
                None if deadline.least_share is None else _round(deadline.least_share)
            ),
        },
        "tornado": [
            {"name": s.name, "at_low": _round(s.at_low), "at_high": _round(s.at_high)}
            for s in (moves(o, job) if job.feasible else ())
        ],
        "max_price": None,
    }


def _finite(value: float) -> float | None:
    return _round(value) if value < 1e9 else None


def _round(value: float) -> float:
    return float(Decimal(repr(value)).quantize(Decimal("0.0001")))
