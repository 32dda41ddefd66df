"""`backtest` in every format: errors by class, the spec-sheet rankers beside, predictions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.performance.backtest import Backtest, ClassScore, Ranker
from gpuadvisor.report.document import envelope
from gpuadvisor.report.messages import heading, listed, render
from gpuadvisor.report.table import render_table

_COLUMNS = ("class", "n", "median", "p90", "bias", "order", "gap", "held")
_DIGITS = 6


def render_backtest(result: Backtest, format: str, today: str | None = None) -> str:
    """The result as `json`, or as a `table`, `csv` or `markdown` of classes."""
    if format == "json":
        return json.dumps(_document(result, today), ensure_ascii=False, indent=1)
    headers = [heading(f"backtest.column_{name}", format) for name in _COLUMNS]
    rows = [_cells(score.workload_class, score) for score in result.model.classes]
    rankers = (result.model, *reversed(result.baselines))
    rows += [_cells(render(message(f"backtest.ranker_{r.name}")), r.pooled) for r in rankers]
    table = render_table(format, headers, rows, numeric=range(1, len(_COLUMNS)))
    return table if format == "csv" else "\n\n".join((_headline(result), table, *_unknown(result)))


def _document(result: Backtest, today: str | None) -> dict[str, Any]:
    return {
        **envelope("backtest", "USD", today, ()),
        "classes": [_score(score) for score in result.model.classes],
        "pooled": _score(result.model.pooled),
        "baselines": {ranker.name: _ranker(ranker) for ranker in result.baselines},
        "unknown": {
            "devices": dict(result.unknown_devices),
            "classes": dict(result.unknown_classes),
        },
        "predictions": [
            {
                "group": p.row.group,
                "device": p.row.device,
                "predicted": p.predicted,
                "low": p.low,
                "high": p.high,
                "basis": p.basis,
            }
            for p in result.predictions
        ],
    }


def _ranker(ranker: Ranker) -> dict[str, Any]:
    return {
        "pooled": _score(ranker.pooled),
        "classes": [_score(score) for score in ranker.classes],
    }


def _score(score: ClassScore) -> dict[str, Any]:
    return {
        key: round(value, _DIGITS) if isinstance(value, float) else value
        for key, value in score._asdict().items()
    }


def _headline(result: Backtest) -> str:
    pooled = result.model.pooled
    return render(
        message(
            "backtest.headline",
            n=f"{pooled.n:,}",
            classes=len(result.model.classes),
            median=_percent(pooled.median_ape),
            p90=_percent(pooled.p90_ape),
            order=_percent(pooled.pair_order),
            gap=_percent(pooled.pair_order_gap125),
        )
    )


def _unknown(result: Backtest) -> list[str]:
    found = (("devices", result.unknown_devices), ("classes", result.unknown_classes))
    return [
        render(message(f"backtest.unknown_{kind}", names=_names(counts)))
        for kind, counts in found
        if counts
    ]


def _names(counts: Mapping[str, int]) -> str:
    return listed(f"{name} ({count})" for name, count in counts.items())


def _cells(name: str, score: ClassScore) -> list[str]:
    return [
        name,
        str(score.n),
        _percent(score.median_ape),
        _percent(score.p90_ape),
        _percent(score.bias, sign="+"),
        _percent(score.pair_order),
        _percent(score.pair_order_gap125),
        _percent(score.range_held),
    ]


def _percent(share: float | None, sign: str = "") -> str:
    if share is None:
        return "-"
    return f"{100 * share:{sign}.1f} %"
