"""`fit --format json`: the stable, versioned document."""

from __future__ import annotations

from typing import Any

from gpuadvisor.advice.fit_result import Change, Fit, Row
from gpuadvisor.performance.memory import GIB
from gpuadvisor.report.document import envelope
from gpuadvisor.report.fit_text import cache_unknown
from gpuadvisor.report.messages import render


def document(answer: Fit) -> dict[str, Any]:
    """The document of the design's `fit`; keys are added, never renamed.

    Memory is in GiB of each device, at `devices` of them.
    """
    request, shape, need = answer.request, answer.shape, answer.need
    found = envelope("fit", "USD", answer.today, (), answer.assumptions, answer.warnings)
    found["request"] = {
        "model": shape.name,
        "title": answer.title,
        "params": shape.params,
        "phase": "training" if request.train else "inference",
        "precision": answer.precision,
        "context": answer.context,
        "batch": request.batch,
        "method": request.method if request.train else None,
        "optimizer": request.optimizer if request.train else None,
        "sharding": request.sharding if request.train else None,
        "checkpointing": answer.checkpointing if request.train else None,
        "utilisation": request.utilisation,
        "source": shape.source,
    }
    found["devices"] = answer.need_devices
    found["weights_gib"] = _gib(need.weights)
    found["kv_bytes_per_token"] = answer.kv_bytes_per_token
    found["kv_cache_gib"] = None if cache_unknown(answer) else _gib(need.cache)
    found["activations_gib"] = _gib(need.activations)
    found["gradients_gib"] = _gib(need.gradients)
    found["optimizer_gib"] = _gib(need.optimizer)
    found["overhead_gib"] = _gib(need.overhead)
    found["total_gib"] = _gib(need.total)
    found["fits"] = [_row(row) for row in answer.rows]
    found["considered"] = answer.considered
    found["advice"] = [_change(change) for change in answer.changes]
    return found


def _row(row: Row) -> dict[str, Any]:
    return {
        "device": row.device,
        "partition": row.partition,
        "count": row.number,
        "usable_gib": round(row.usable_gib, 4),
        "usable_basis": "measured" if row.measured else "nominal",
        "needed_gib": _gib(row.need.total),
        "headroom_gib": round(row.headroom_gib, 4),
        "max_cached_tokens": row.max_cached_tokens,
        "max_batch": row.max_batch,
        "max_context": row.max_context,
        "native_precision": row.native,
        "instance_type": row.rented,
        "slices_per_device": row.held,
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "change": change.change,
        "text": render(change.text),
        "saves_gib": round(change.saves_gib, 4),
        "total_gib": round(change.total_gib, 4),
        "fits_on": change.fits_on,
    }


def _gib(found: float) -> float:
    return round(found / GIB, 4)
