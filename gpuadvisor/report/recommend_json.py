"""`recommend --format json`: the stable, versioned document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuadvisor.advice.result import (
    Commitment,
    MoneyRange,
    Option,
    Range,
    Recommendation,
    Rejection,
    Speed,
)
from gpuadvisor.cost.money import money_text, price_text, significant
from gpuadvisor.report.document import envelope
from gpuadvisor.report.messages import either, render
from gpuadvisor.rules.interface import ClauseTrace, Effect, RuleTrace

if TYPE_CHECKING:
    from gpuadvisor.advice.feeding import Feed
    from gpuadvisor.advice.pretrain import Pretrain
    from gpuadvisor.advice.pretrain_steps import Schedule
    from gpuadvisor.advice.pretrain_zones import Apart
    from gpuadvisor.advice.spot_run import SpotRun
    from gpuadvisor.advice.storage import Beside
    from gpuadvisor.performance.parallel import Layout


def document(answer: Recommendation, explain: bool = False) -> dict[str, Any]:
    """The document of the design's `recommend`; traces are added with `--explain`."""
    found = envelope(
        "recommend",
        answer.currency,
        answer.today,
        answer.versions,
        answer.assumptions,
        answer.warnings,
    )
    found["request"] = _request(answer)
    found["feasible"] = answer.feasible
    found["gap"] = None if answer.gap is None else money_text(answer.gap, answer.currency)
    found["options"] = [_option(answer, o, explain) for o in answer.options]
    found["rejected"] = [_rejection(r) for r in answer.rejected]
    found["flips"] = [render(text) for text in answer.flips]
    found["others"] = [render(text) for text in answer.others]
    found["widened"] = [
        {**w._asdict(), "spend": money_text(w.spend, answer.currency)} for w in answer.widened
    ]
    found["next"] = answer.next
    return found


def _request(answer: Recommendation) -> dict[str, Any]:
    r = answer.request
    budget = None
    if answer.budget is not None:
        budget = {
            "value": money_text(answer.budget, answer.currency),
            "currency": answer.currency,
            "per": answer.budget_per,
        }
    rate = None
    if answer.rate is not None:
        rate = {
            "pair": answer.rate[0],
            "rate": price_text(answer.rate[1]),
            "date": answer.rate[2],
        }
    return {
        "workload": r.workload if answer.mode is None else answer.workload.name,
        "mode": answer.mode,
        "unit": None if answer.mode is None else answer.workload.unit,
        "budget": budget,
        "exchange": rate,
        "hours_per_month": answer.hours,
        "policy": answer.policy,
        "objective": answer.objective,
        "qps": r.qps,
        "units_per_month": r.units_per_month,
        "tokens_per_month": r.tokens_per_month,
        "concurrency": r.concurrency,
        "model": None if answer.llm is None else answer.llm.shape.name,
        "input_tokens": None if answer.llm is None else answer.llm.tokens_in,
        "output_tokens": None if answer.llm is None else answer.llm.tokens_out,
        "ttft_p99_ms": r.ttft_p99_ms,
        "tpot_p99_ms": r.tpot_p99_ms,
        "latency": r.latency,
        "latency_p99_ms": r.latency_p99_ms,
        "gpus": r.gpus,
        "nodes": r.nodes,
        "training": None if answer.pretrain is None else _training(answer.pretrain),
        "considered": answer.considered,
        "rules_fired": list(answer.fired),
    }


def _input(feed: Feed) -> dict[str, Any]:
    """What the devices have to be fed, all instances together, and by what it is limited."""
    return {
        "data_on": feed.data_on,
        "wanted_per_second": _figure(feed.wanted),
        "wanted_gb_per_second": _figure(feed.gigabytes),
        "wanted_vcpus": _figure(feed.vcpus),
        "limits_per_second": {name: _figure(limit) for name, limit in feed.limits.items()},
        "limited_by": feed.limited_by,
        "cure": None if feed.cure is None else render(feed.cure),
    }


def _training(plan: Pretrain) -> dict[str, Any]:
    """A training from scratch as it was understood."""
    return {
        "params": plan.shape.params,
        "layers": plan.shape.layers,
        "hidden": plan.shape.hidden,
        "tokens": plan.tokens,
        "seq_len": plan.context,
        "sharding": plan.sharding,
        "precision": plan.precision,
        "compression": plan.compression,
        "accumulation": plan.accumulation,
        "batch_tokens": plan.batch_tokens,
        "tensor_parallel": plan.tensor,
        "pipeline_parallel": plan.pipeline,
        "zones": plan.zones,
        "flops": float(f"{plan.tokens * plan.per_token:.6g}"),
    }


def _layout(layout: Layout) -> dict[str, int]:
    """Replicas, and what each is split over."""
    return {
        "data_parallel": layout.data,
        "tensor_parallel": layout.tensor,
        "pipeline_parallel": layout.pipeline,
    }


def _schedule(schedule: Schedule) -> dict[str, Any]:
    """One step of a training from scratch; traffic is what one device sends."""
    layout, squeezed = schedule.layout, schedule.compressed
    return {
        **_layout(layout),
        "sharding": schedule.sharding,
        "sequences": layout.sequences,
        "micro_batches": layout.micro,
        "recomputed_layers": _figure(layout.recomputed),
        "batch_tokens": schedule.tokens,
        "step_seconds": _figure(schedule.seconds),
        "pipeline_idle": _figure(schedule.bubble),
        "traffic_gb": {
            name: _figure(sent / 1e9) for name, sent in schedule.traffic._asdict().items()
        },
        "compression": None
        if squeezed is None
        else {
            "method": squeezed.method,
            "gradients_gb_without": _figure(squeezed.before / 1e9),
            "gradients_gb": _figure(squeezed.after / 1e9),
            "speed_gain": _figure(squeezed.gain),
        },
    }


def _apart(found: Apart, currency: str) -> dict[str, Any]:
    """A run in several zones beside one placement group."""
    return {
        "count": found.zones,
        "run_hours": _figure(found.hours),
        "run_hours_one_placement_group": _figure(found.together),
        "exchange_ms": _figure(found.exchange_ms),
        "exchange_ms_one_placement_group": _figure(found.exchange_together_ms),
        "traffic_gb": _figure(found.gigabytes),
        "traffic_cost": None if found.cost is None else money_text(found.cost, currency),
        "source": found.source,
    }


def _option(answer: Recommendation, o: Option, explain: bool) -> dict[str, Any]:
    currency = answer.currency
    found: dict[str, Any] = {
        "rank": o.rank,
        "tie_group": o.tie_group,
        "provider": o.type.provider,
        "region": o.offer.region,
        "instance_type": o.type.name,
        "instances": o.instances,
        "fits_in_budget": o.fits_in_budget,
        "device": {
            "model": o.device.name,
            "per_instance": o.type.devices,
            "total": o.type.devices * o.instances,
            "used": o.devices_used,
            "memory_gib": o.type.memory_gib,
            "partition": o.type.fraction or (o.speed.partition if o.speed else None),
            "slices": o.speed.slices if o.speed and o.speed.partition else None,
        },
        "purchase": {
            "option": o.offer.option,
            "term": o.offer.term,
            "payment": o.offer.payment,
            "class": o.offer.cls,
        },
        "price": {
            "per_hour": price_text(o.price),
            "currency": currency,
            "native_per_hour": price_text(o.offer.price),
            "native_currency": o.offer.currency,
            "source": o.offer.source,
            "as_of": o.offer.as_of,
            "confirmed_on": o.offer.confirmed_on,
            "confidence": o.offer.confidence,
            "your_price": o.own_price,
        },
        "cost": {
            "hourly": price_text(o.hourly),
            "monthly": _money(o.monthly, currency),
            "billed_hours_per_month": _figure(o.month_hours),
            "run": None if o.run is None else _money(o.run, currency),
            "run_hours": None if o.run_hours is None else _range(o.run_hours),
            "finish_hours": None if o.spot is None else _range(o.spot.finish),
            "per_unit": _per_unit(answer, o),
        },
        "storage": None if o.beside is None else _storage(o.beside, currency),
        "interruptions": None if o.spot is None else _interruptions(o.spot),
        "performance": _speed(answer, o.speed),
        "input": None if o.feed is None else _input(o.feed),
        "zones": None if o.apart is None else _apart(o.apart, currency),
        "scaling": [
            {
                "nodes": row.nodes,
                "devices": row.devices,
                "efficiency": _figure(row.efficiency),
                "run_hours": _figure(row.hours),
                "run_cost": money_text(row.cost, currency),
                "pays": row.pays,
                "layout": _layout(row.layout),
            }
            for row in o.scaling
        ],
        "latency_ms": None if o.speed is None else _figure(o.speed.latency_ms),
        "if_committed": [_commitment(c, currency) for c in o.if_committed],
        "because": [
            {
                "rule": e.rule,
                "effect": e.kind,
                "text": _because(answer, e),
                "source": answer.rules[e.rule]["source"],
            }
            for e in o.effects
        ],
        "warnings": [{"code": w.id.partition(".")[2], "text": render(w)} for w in o.warnings],
    }
    if explain:
        found["trace"] = [_rule_trace(t) for t in o.traces]
    return found


def _because(answer: Recommendation, effect: Effect) -> str:
    rule = answer.rules[effect.rule]
    return either(effect.text or str(rule["why"]), effect.text_zh or rule.get("why_zh"))


def _storage(found: Beside, currency: str) -> dict[str, Any]:
    """Storage and traffic of a month, and the whole bill; null where a price is unknown."""
    bill = found.bill
    return {
        "lines": [
            {
                "kind": line.word,
                "gb": line.gb,
                "product": line.product,
                "monthly": None if line.monthly is None else money_text(line.monthly, currency),
                "source": line.source,
                "note": None if line.note is None else render(line.note),
            }
            for line in bill.lines
        ],
        "monthly": None if bill.monthly is None else money_text(bill.monthly, currency),
        "whole_bill": None if found.whole is None else _money(found.whole, currency),
    }


def _interruptions(spot: SpotRun) -> dict[str, Any]:
    """What the run's hours count for being taken away; per hour of all instances together."""
    job = spot.job
    expected = job.outlooks.expected
    every = expected.interval
    return {
        "per_hour": {
            "low": job.hazard.low,
            "expected": job.hazard.expected,
            "high": job.hazard.high,
            "basis": job.hazard.basis,
        },
        "expected": float(f"{expected.interruptions:.6g}"),
        "undisturbed_hours": float(f"{job.work:.6g}"),
        "checkpoint_every_minutes": (
            None if every is None or every >= job.work else float(f"{every * 60:.6g}")
        ),
    }


def _money(found: MoneyRange, currency: str) -> dict[str, str]:
    return {name: money_text(value, currency) for name, value in found._asdict().items()}


def _per_unit(answer: Recommendation, o: Option) -> dict[str, Any] | None:
    if o.per_unit is None:
        return None
    return {
        "unit": unit_of(answer, o.speed),
        **{name: f"{significant(v, 6):f}" for name, v in o.per_unit._asdict().items()},
    }


def unit_of(answer: Recommendation, speed: Speed | None) -> str:
    """The unit of work; where only ratios are known, the work of one reference device-hour."""
    if speed is not None and speed.relative_to is not None:
        return f"{speed.relative_to}-hour"
    return answer.workload.unit


def _range(found: Range) -> dict[str, float]:
    return {name: float(f"{value:.6g}") for name, value in found._asdict().items()}


def _figures(found: dict[str, Any]) -> dict[str, Any]:
    return {k: _figure(v) if isinstance(v, float) else v for k, v in found.items()}


def _figure(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def _speed(answer: Recommendation, s: Speed | None) -> dict[str, Any]:
    if s is None:
        return {
            "unit": answer.workload.unit,
            "low": None,
            "expected": None,
            "high": None,
            "basis": None,
            "source": None,
            "reason": "no_measured_speed",
        }
    return {
        "unit": unit_of(answer, s),
        **_range(s.rate),
        "basis": s.basis,
        "source": s.source,
        "relative_to": s.relative_to,
        "reference": s.reference,
        "ratio_to_reference": _range(s.device_ratio),
        "streams": s.streams,
        "packing_gain": _figure(s.packing_gain),
        "efficiency": _figure(s.efficiency),
        "mfu": None if s.mfu is None else _range(s.mfu),
        "schedule": None if s.schedule is None else _schedule(s.schedule),
        "served": None if s.served is None else _figures(s.served._asdict()),
        "queue": None if s.queue is None else _figures(s.queue._asdict()),
    }


def _commitment(c: Commitment, currency: str) -> dict[str, Any]:
    o = c.offer
    return {
        "option": o.option,
        "term": o.term,
        "class": o.cls,
        "payment": o.payment,
        "price_per_hour": price_text(o.price),
        "hourly": price_text(c.hourly),
        "monthly": money_text(c.monthly, currency),
        "as_of": o.as_of,
        "source": o.source,
        "confidence": o.confidence,
    }


def _rejection(r: Rejection) -> dict[str, Any]:
    return {
        "reason": r.reason,
        "rule": r.rule,
        "count": r.removed,
        "nearest": r.nearest,
        "text": render(r.detail),
    }


def _rule_trace(t: RuleTrace) -> dict[str, Any]:
    return {
        "rule": t.rule,
        "fired": t.fired,
        "shadowed_by": t.shadowed_by,
        "when": _clause(t.when),
        "actions": [
            {
                "kind": a.kind,
                "holds": a.holds,
                "condition": None if a.trace is None else _clause(a.trace),
            }
            for a in t.actions
        ],
    }


def _clause(t: ClauseTrace) -> dict[str, Any]:
    if t.parts:
        return {"kind": t.kind, "state": t.state, "parts": [_clause(p) for p in t.parts]}
    return {
        "kind": t.kind,
        "state": t.state,
        "fact": t.fact,
        "op": t.op,
        "wanted": list(t.wanted) if isinstance(t.wanted, (tuple, frozenset)) else t.wanted,
        "actual": list(t.actual) if isinstance(t.actual, (tuple, frozenset)) else t.actual,
        "gap": t.gap,
    }
