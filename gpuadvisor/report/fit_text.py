"""`fit` for people: the answer in line 1, the bill of memory, where it fits, how to need less."""

from __future__ import annotations

from gpuadvisor.advice.fit_result import Fit, Row
from gpuadvisor.catalog.message import message
from gpuadvisor.performance.memory import GIB
from gpuadvisor.performance.shape import OTHER
from gpuadvisor.report.messages import aside, clauses, render
from gpuadvisor.report.table import as_columns, render_table
from gpuadvisor.report.text import printable, wrap

SHOWN = 10
SLICES_SHOWN = 4
WIDE = 110
"""From so many columns on the instance type stands in the row."""
PARTS = ("weights", "cache", "activations", "gradients", "optimizer", "overhead")
"""What memory is needed for, as `Need` names it."""

_COLUMNS = ("device", "count", "usable", "headroom", "tokens", "batch", "context", "rented")
_CSV = (
    "device", "partition", "count", "usable_gib", "needed_gib", "headroom_gib",
    "max_cached_tokens", "max_batch", "max_context", "native_precision", "instance_type",
)  # fmt: skip


def _t(id: str, /, **params: object) -> str:
    return render(message(f"fit.{id}", **params))


def text(answer: Fit, columns: int) -> str:
    """The whole answer for a terminal of so many columns."""
    lines = [*wrap(printable(headline(answer)), columns), ""]
    lines += wrap(bill(answer), columns)
    if answer.rows:
        shown = _shown(answer)
        kept = [name for name in _COLUMNS if any(_cells(row)[name] != "-" for row in shown)]
        if columns < WIDE and "rented" in kept:
            kept.remove("rented")
        heads = [_t(f"column_{name}") for name in kept]
        body = [[_cells(row)[name] for name in kept] for row in shown]
        numeric = [i for i, name in enumerate(kept) if name not in ("device", "rented")]
        lines += ["", as_columns(heads, body, numeric)]
        if len(answer.rows) > len(shown):
            lines.append(_t("more_rows", count=len(answer.rows) - len(shown)))
    if answer.changes:
        lines += ["", _t("to_need_less")]
        for change in answer.changes[:6]:
            fits = "" if change.fits_on is None else _t("change_fits", name=change.fits_on)
            line = _t(
                "change",
                saves=gib(change.saves_gib),
                total=gib(change.total_gib),
                text=change.text,
                fits=fits,
            )
            lines += [f"  {line}" for line in wrap(line, columns - 2)]
    lines.append("")
    if any(row.held for row in answer.rows):
        lines += wrap(_t("slices_held"), columns)
    for note in answer.warnings:
        lines += wrap("! " + printable(render(note)), columns)
    assumed = clauses(render(note) for note in answer.assumptions)
    lines += wrap(_t("assumed", assumptions=printable(assumed)), columns)
    return "\n".join(line.rstrip() for line in lines)


def headline(answer: Fit) -> str:
    """Line 1: what is needed and where it fits, in one sentence."""
    params = {
        "title": answer.title,
        "what": what(answer),
        "total": _total(answer),
        "considered": answer.considered,
    }
    if not answer.rows:
        return _t("fits_nowhere", largest="", **params)
    whole = [row for row in answer.rows if row.partition is None]
    slices = [row for row in answer.rows if row.partition is not None]
    first = (whole or slices)[0]
    slice_ = _t("or_slice", name=place(slices[0])) if whole and slices else ""
    devices = len({row.device for row in answer.rows})
    each = _t("each_of", count=answer.need_devices) if answer.need_devices > 1 else ""
    name = place(first)
    smallest = name if first.number == 1 else f"{first.number} x {name}"
    return _t("fits", smallest=smallest, slice=slice_, devices=devices, each=each, **params)


def cache_unknown(answer: Fit) -> bool:
    """Whether the total leaves out a cache that nobody gave the heads for."""
    return any(warning.id == "fit.no_cache" for warning in answer.warnings)


def _total(answer: Fit) -> str:
    total = gib(answer.need.total / GIB)
    return _t("at_least", total=total) if cache_unknown(answer) else total


def _shown(answer: Fit) -> list[Row]:
    """The smallest whole devices, then the smallest slice of each of a few devices."""
    whole = [row for row in answer.rows if row.partition is None][:SHOWN]
    slices: dict[str, Row] = {}
    for row in answer.rows:
        if row.partition is not None:
            slices.setdefault(row.device, row)
    return whole + list(slices.values())[:SLICES_SHOWN]


def what(answer: Fit) -> str:
    """How it runs: precision, sequences and, for training, method and optimiser."""
    request = answer.request
    common = {"precision": answer.precision, "batch": request.batch}
    if request.train:
        sharding = "" if request.sharding == "none" else f", {request.sharding}"
        return _t(
            "what_training",
            method=request.method,
            optimizer=request.optimizer,
            sharding=sharding,
            context=f"{answer.context:,}",
            **common,
        )
    if answer.shape.kind == OTHER:
        return _t("what_items", **common)
    return _t("what_serving", context=f"{answer.context:,}", **common)


def bill(answer: Fit) -> str:
    """`GiB a device: weights 14.96 + KV cache 1.00 (131,072 B a token) + overhead 1.00 = …`."""
    need = answer.need
    parts = []
    for name in PARTS:
        value = getattr(need, name) / GIB
        if value <= 0:
            continue
        part = f"{_t(f'part_{name}')} {gib(value)}"
        if name == "cache" and answer.kv_bytes_per_token is not None:
            part += aside(_t("per_token", bytes=f"{answer.kv_bytes_per_token:,.0f}"))
        parts.append(part)
    return _t("bill", parts=" + ".join(parts), total=gib(need.total / GIB))


def gib(value: float) -> str:
    """Two digits below a hundred, one below a thousand."""
    return f"{value:,.2f}" if value < 100 else f"{value:,.1f}"


def place(row: Row) -> str:
    """A device, or `device:partition`."""
    return row.device if row.partition is None else f"{row.device}:{row.partition}"


def _cells(row: Row) -> dict[str, str]:
    def count(value: int | None) -> str:
        return "-" if value is None else f"{value:,}"

    return {
        "device": place(row) + (f" x{row.held}" if row.held else "") + ("" if row.native else " !"),
        "count": str(row.number),
        "usable": gib(row.usable_gib) + ("" if row.measured else " ~"),
        "headroom": gib(row.headroom_gib),
        "tokens": count(row.max_cached_tokens),
        "batch": count(row.max_batch),
        "context": count(row.max_context),
        "rented": row.rented or "-",
    }


def table(answer: Fit, format: str) -> str:
    """CSV or Markdown: one row a device."""
    from gpuadvisor.report.fit_json import document

    rows = [
        ["" if row[name] is None else str(row[name]) for name in _CSV]
        for row in document(answer)["fits"]
    ]
    return render_table(format, _CSV, rows, numeric=range(2, 9))
