"""`compare` as JSON, CSV and Markdown."""

from decimal import Decimal
from typing import Any

from gpuadvisor.advice.compare_result import Comparison, ModeSpeed, RegionRange, Row, Verdict
from gpuadvisor.advice.result import Range
from gpuadvisor.advice.shape import shape_of
from gpuadvisor.cost.money import significant
from gpuadvisor.report.compare_row import figure
from gpuadvisor.report.compare_text import headline
from gpuadvisor.report.document import envelope, exchange
from gpuadvisor.report.estimate_json import price
from gpuadvisor.report.messages import render
from gpuadvisor.report.table import as_csv, as_markdown, markdown_safe

PACKING = {"single": "single_machines", "box": "one_box", "any": "any"}
LEADER = ("first", "second")

HEADERS = (
    "what", "provider", "region", "instance_type", "instances", "device", "devices", "used",
    "option", "term", "currency", "price_per_hour", "price_per_device_hour", "regions",
    "region_low", "region_high", "memory_gib", "interconnect", "rdma", "network_gbps",
    "vcpus_per_device", "host_memory_gib_per_device", "local_disk_gb", "mig_max", "mode", "rate",
    "unit", "cost_per_unit", "basis", "as_of", "source",
)  # fmt: skip
_SHORT = (
    "what", "instances", "instance_type", "region", "price_per_device_hour", "region_low",
    "region_high", "interconnect", "network_gbps", "vcpus_per_device", "mig_max", "mode",
    "cost_per_unit",
)  # fmt: skip


def document(answer: Comparison) -> dict[str, Any]:
    """The document of the design's `compare`; keys are added, never renamed."""
    found = envelope(
        "compare",
        answer.currency,
        answer.today,
        answer.versions,
        answer.assumptions,
        answer.warnings,
    )
    found["exchange"] = exchange(answer.quotes)
    found["workload"] = None if answer.workload is None else answer.workload.name
    found["unit"] = None if answer.workload is None else answer.workload.unit
    found["modes"] = list(answer.modes)
    found["rows"] = [_row(answer, row) for row in answer.rows]
    found["not_shown"] = [{"what": what, "count": count} for what, count in answer.left_out]
    found["differs"] = list(answer.differs)
    found["verdicts"] = [_verdict(v) for v in answer.verdicts]
    found["leaders"] = [
        {
            "what": row.what,
            "provider": row.item.type.provider,
            "region": row.item.region,
            "instance_type": row.item.type.name,
            "per_unit": _per_unit(answer, row.speeds[0]),
        }
        for row in answer.leaders
    ]
    found["headline"] = headline(answer)
    found["next"] = answer.next
    return found


def _row(answer: Comparison, row: Row) -> dict[str, Any]:
    item, line = row.item, row.line
    offer = None if line is None else line.offer
    main = row.speeds[0] if row.speeds else None
    return {
        "what": row.what,
        "provider": item.type.provider,
        "region": item.region,
        "instance_type": item.type.name,
        "instances": item.instances,
        "devices": item.type.devices * item.instances,
        "used": item.used,
        "purchase": None if line is None else {
            "option": line.option, "term": line.term, "payment": line.payment, "class": line.cls,
        },
        "price_per_hour": None if line is None else price(line.price_per_hour),
        "price_per_device_hour": price(row.per_device_hour),
        "terms": [
            {
                "option": o.option, "term": o.term, "payment": o.payment, "class": o.cls,
                "price_per_device_hour": price(_each(row, o.effective_per_hour)),
            }
            for o in item.options
            if o.available
        ],
        "regions": None if row.regions is None else _regions(row.regions),
        "shape": shape_of(row),
        "performance": None if main is None else _performance(answer, main),
        "per_unit": None if main is None else _per_unit(answer, main),
        "modes": [
            {
                "mode": s.mode,
                "performance": _performance(answer, s),
                "per_unit": _per_unit(answer, s),
            }
            for s in row.speeds
        ],
        "notes": [render(n) for n in item.notes],
        "source": None if offer is None else offer.source,
        "as_of": None if offer is None else offer.as_of,
        "confirmed_on": None if offer is None else offer.confirmed_on,
        "confidence": None if offer is None else offer.confidence,
    }  # fmt: skip


def _each(row: Row, value: Decimal | None) -> Decimal | None:
    return None if value is None else value / Decimal(repr(float(row.item.type.devices)))


def _regions(r: RegionRange) -> dict[str, Any]:
    return {
        "count": r.regions,
        "low": price(r.low),
        "low_region": r.low_region,
        "median": price(r.median),
        "high": price(r.high),
        "high_region": r.high_region,
    }


def unit_of(answer: Comparison, s: ModeSpeed) -> str | None:
    """The unit of work; the reference's device-hour where only ratios are known."""
    if s.speed is not None and s.speed.relative_to is not None:
        return f"{s.speed.relative_to}-hour"
    return None if answer.workload is None else answer.workload.unit


def _performance(answer: Comparison, s: ModeSpeed) -> dict[str, Any]:
    if s.speed is None:
        return {
            "unit": unit_of(answer, s), "low": None, "expected": None, "high": None,
            "basis": None, "source": None,
            "reason": None if s.why_not is None else render(s.why_not),
        }  # fmt: skip
    return {
        "unit": s.speed.unit if s.speed.relative_to is None else unit_of(answer, s),
        **_range(s.speed.rate),
        "basis": s.speed.basis,
        "source": s.speed.source,
        "reason": None,
        "relative_to": s.speed.relative_to,
        "streams": s.speed.streams,
        "packing_gain": round(s.speed.packing_gain, 4),
    }


def _per_unit(answer: Comparison, s: ModeSpeed) -> dict[str, Any] | None:
    if s.per_unit is None:
        return None
    money = {name: f"{significant(v, 6):f}" for name, v in s.per_unit._asdict().items()}
    return {"unit": unit_of(answer, s), **money}


def _range(found: Range) -> dict[str, float]:
    return {name: float(f"{value:.6g}") for name, value in found._asdict().items()}


def _verdict(v: Verdict) -> dict[str, Any]:
    return {
        "mode": v.mode,
        "first": v.whats[0],
        "second": v.whats[1],
        "first_packing": PACKING[v.packing[0]],
        "second_packing": PACKING[v.packing[1]],
        "leader": None if v.leader is None else LEADER[v.leader],
        "near_parity": v.leader is None,
        "confidence": round(v.confidence, 3),
        "cost_ratio": _range(v.ratio),
        "flips_at_speed_ratio": float(f"{v.price_ratio:.6g}"),
        "speed_ratio": _range(v.speed_ratio),
        "votes": [
            {
                "provider": vote.provider,
                "first": vote.first.item.type.name,
                "second": vote.second.item.type.name,
                "cost_ratio": _range(vote.ratio),
                "price_ratio": float(f"{vote.price_ratio:.6g}"),
            }
            for vote in v.votes
        ],
    }


def table(answer: Comparison, format: str) -> str:
    """CSV with every column and a row for each mode, or Markdown under the headline."""
    rows = [cells for row in answer.rows for cells in _cells(answer, row)]
    if format == "csv":
        return as_csv(HEADERS, [[c[name] for name in HEADERS] for c in rows])
    names = [name for name in _SHORT if any(c[name] for c in rows)]
    numeric = [n for n, name in enumerate(names) if name not in _TEXTS]
    heads = [name.replace("_", " ") for name in names]
    body = as_markdown(heads, [[c[name] for name in names] for c in rows], numeric)
    return f"{markdown_safe(headline(answer))}\n\n{body}"


_TEXTS = frozenset({"what", "instance_type", "region", "interconnect", "mode"})


def _cells(answer: Comparison, row: Row) -> list[dict[str, str]]:
    item, line, regions = row.item, row.line, row.regions
    shape = {k: "" if v is None else f"{v:g}" if isinstance(v, float) else str(v)
             for k, v in shape_of(row).items()}  # fmt: skip
    offer = None if line is None else line.offer
    base = {
        **shape,
        "what": row.what,
        "provider": item.type.provider,
        "region": item.region,
        "instance_type": item.type.name,
        "instances": str(item.instances),
        "devices": f"{item.type.devices * item.instances:g}",
        "used": f"{item.used:g}",
        "option": "" if line is None else line.option,
        "term": "" if line is None else line.term or "",
        "currency": answer.currency,
        "price_per_hour": "" if line is None else price(line.price_per_hour) or "",
        "price_per_device_hour": price(row.per_device_hour) or "",
        "regions": "" if regions is None else str(regions.regions),
        "region_low": "" if regions is None else figure(regions.low),
        "region_high": "" if regions is None else figure(regions.high),
        "as_of": "" if offer is None else offer.as_of,
        "source": "" if offer is None else offer.source,
    }
    if not row.speeds:
        return [{**base, **dict.fromkeys(("mode", "rate", "unit", "cost_per_unit", "basis"), "")}]
    return [{**base, **_mode_cells(answer, s)} for s in row.speeds]


def _mode_cells(answer: Comparison, s: ModeSpeed) -> dict[str, str]:
    return {
        "mode": s.mode,
        "rate": "" if s.speed is None else f"{s.speed.rate.expected:.6g}",
        "unit": unit_of(answer, s) or "",
        "cost_per_unit": "" if s.per_unit is None else f"{significant(s.per_unit.expected, 6):f}",
        "basis": "" if s.speed is None else s.speed.basis,
    }
