"""`catalog refresh --format json`: every change, every gap, everything not understood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpuadvisor.catalog.diff import Change
from gpuadvisor.catalog.message import Message
from gpuadvisor.refresh.run import Outcome
from gpuadvisor.refresh.shapes import ShapeChange
from gpuadvisor.report.diff_report import document as diff_document
from gpuadvisor.report.document import envelope
from gpuadvisor.report.messages import render


def document(
    outcomes: Sequence[Outcome], failures: Sequence[tuple[str, Message]], today: str
) -> dict[str, Any]:
    """One document over all providers asked for; `failures` are those that could not be done."""
    versions = [o.diff.after for o in outcomes if o.diff is not None and o.status == "written"]
    answer = envelope("catalog-refresh", "USD", today, versions)
    del answer["currency"]  # each provider has its own
    answer["refreshes"] = [_one(outcome, today) for outcome in outcomes]
    answer["failures"] = [{"provider": name, "reason": render(why)} for name, why in failures]
    return answer


def _one(o: Outcome, today: str) -> dict[str, Any]:
    return {
        "provider": o.provider,
        "status": o.status,
        "previous": o.previous,
        "version": o.version,
        "root": o.target.root,
        "files": list(o.files),
        "counts": o.counts._asdict(),
        "tasks": o.tasks,
        "resumed": o.kept,
        "needs_consent": {
            "moved": [_moved(c) for c in o.doubts.moved],
            "vanished": list(o.doubts.vanished),
            "thinned": [
                {"region": t.name, "option": t.option, "gone": t.removed} for t in o.doubts.thinned
            ],
            "shapes": [c.after.name for c in o.doubts.shapes],
        },
        "shapes": [_shape(c) for c in o.shapes],
        "missing": [
            {"region": gap.task.region or None, "part": gap.task.part, "reason": render(gap.reason)}
            for gap in o.missing
        ],
        "not_understood": [puzzle._asdict() for puzzle in o.puzzles],
        "notes": [render(note) for note in o.notes],
        "diff": None if o.diff is None else diff_document(o.diff, today),
    }


def _moved(change: Change) -> dict[str, Any]:
    return {
        "instance_type": change.after.instance_type,
        "region": change.after.region,
        "option": change.after.option,
        "term": change.after.term,
        "change_pct": round(change.pct, 2),
    }


def _shape(change: ShapeChange) -> dict[str, Any]:
    return {
        "instance_type": change.after.name,
        "device": change.after.device,
        "new": change.before is None,
        "fields": [
            {"name": name, "before": old or None, "after": new or None}
            for name, old, new in change.fields
        ],
    }
