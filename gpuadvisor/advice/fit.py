"""`fit()`: on which devices a model fits, how far it goes there, and how to need less."""

import datetime
from collections.abc import Callable, Mapping
from typing import Any

from gpuadvisor.advice.fit_changes import changes
from gpuadvisor.advice.fit_places import Site, counts, native, sites
from gpuadvisor.advice.fit_plan import Plan
from gpuadvisor.advice.fit_request import KV_PRECISIONS, FitRequest, fit_request
from gpuadvisor.advice.fit_result import Fit, Row
from gpuadvisor.advice.model_needs import find_shape as model_shape
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.performance.hf_config import ConfigFault, shape_from_config
from gpuadvisor.performance.memory import (
    GIB,
    cached_tokens,
    kv_bytes_per_token,
    peak_of,
)
from gpuadvisor.performance.shape import (
    DECODER,
    INFERENCE,
    OTHER,
    TRAINING,
    ModelShape,
    count_params,
)
from gpuadvisor.performance.training_memory import FULL

LONGEST = 16_777_216
MOST_BATCH = 1_048_576


def fit(request: FitRequest | Mapping[str, Any], catalog: Catalog | None = None) -> Fit:
    """Say where a model fits, for serving or for training.

    `request` is a `FitRequest` or a mapping of flag names to values (`{"model": "llama-3-8b",
    "context": 8192}`). Raises UsageError for unknown names and impossible values; that nothing
    fits is no error: `feasible` is then False and `changes` say what would help.
    """
    if not isinstance(request, FitRequest):
        request = fit_request(request)
    catalog = catalog or load_catalog()
    shape, title = find_shape(catalog, request)
    heads, together = shape.heads or 1, request.gpus or 1
    if not request.train and shape.kind == DECODER and heads % together:
        raise UsageError(message("fit.uneven", gpus=together, heads=heads))
    if not request.train and shape.kind != DECODER and together > 1:
        raise UsageError(message("fit.not_split", gpus=together, model=title))
    plan = Plan(request, shape)
    found = sites(catalog, request)
    rows = [row for site in found if (row := _row(plan, site)) is not None]
    rows.sort(key=lambda r: (r.number * r.usable_gib, r.number, r.device, r.partition or ""))
    count = rows[0].number if rows else request.gpus or 1
    today = request.today or datetime.datetime.now(datetime.UTC).date().isoformat()
    return Fit(
        request=request,
        shape=shape,
        title=title,
        context=plan.context,
        precision=plan.precision,
        checkpointing=plan.checkpointing,
        need=plan.need(count),
        need_devices=count,
        kv_bytes_per_token=(
            kv_bytes_per_token(shape, KV_PRECISIONS[request.kv_precision])
            if shape.kind == DECODER and shape.kv_heads and not request.train
            else None
        ),
        rows=tuple(rows),
        considered=len({site.device.name for site in found}),
        changes=changes(plan, found, count),
        assumptions=_assumptions(plan),
        warnings=_warnings(plan, rows),
        today=today,
    )


def find_shape(catalog: Catalog, request: FitRequest) -> tuple[ModelShape, str]:
    """The model asked for, with the user's own dimensions on top, and its title."""
    if request.model is not None:
        shape, title = model_shape(catalog, request.model)
    elif request.config is not None:
        try:
            shape = shape_from_config(request.config)
        except ConfigFault as fault:
            raise UsageError(
                message("fit.bad_config", key=fault.key, value=str(fault.value)[:60])
            ) from fault
        title = str(request.config.get("_name_or_path") or "config.json")[:80]
    else:
        shape, title = ModelShape("own", DECODER, 0.0), "your model"
    own = {
        field: value
        for field in ("params", "layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocab")
        if (value := getattr(request, field)) is not None
    }
    shape = shape._replace(**own)
    if shape.heads and shape.hidden:
        shape = shape._replace(
            kv_heads=shape.kv_heads or shape.heads,
            head_dim=shape.head_dim or max(1, shape.hidden // shape.heads),
            ffn=shape.ffn or (None if shape.params else 4 * shape.hidden),
        )
    if not shape.params:
        shape = shape._replace(params=count_params(shape))
    return shape, title


def _row(plan: Plan, site: Site) -> Row | None:
    """The smallest number of these devices that holds the model, or None."""
    room = plan.room(site)
    for count in counts(site, plan.request, plan.shape):
        need = plan.need(count)
        if need.total <= room:
            return Row(
                device=site.device.name,
                partition=site.partition,
                number=count,
                usable_gib=site.usable_gib,
                measured=site.measured,
                need=need,
                headroom_gib=(room - need.total) / GIB,
                max_cached_tokens=_cached(plan, site, count),
                max_batch=_widest(plan, count, room),
                max_context=_longest(plan, count, room),
                native=native(site.device, plan.precision),
                rented=site.types.get(count),
                held=site.held,
            )
    return None


def _cached(plan: Plan, site: Site, count: int) -> int | None:
    """Tokens that the cache of all devices together holds; None where nothing is cached."""
    if plan.shape.kind != DECODER or plan.request.train or not plan.shape.kv_heads:
        return None
    how = plan.serving(count, plan.request.batch, plan.context)
    return cached_tokens(plan.shape, how, site.usable_gib * GIB, plan.request.utilisation)


def _widest(plan: Plan, count: int, room: float) -> int | None:
    """The largest batch at the asked context."""
    return _largest(lambda n: plan.need(count, batch=n).total <= room, MOST_BATCH)


def _longest(plan: Plan, count: int, room: float) -> int | None:
    """The longest sequence at the asked batch, at most what the model can."""
    if plan.shape.kind == OTHER:
        return None
    most = plan.shape.max_context or LONGEST
    found = _largest(lambda n: plan.need(count, context=n).total <= room, most)
    return most if found is None and plan.shape.max_context else found


def _largest(fits: Callable[[int], bool], most: int) -> int | None:
    """The largest number that still fits, by bisection; None where `most` fits too."""
    if fits(most):
        return None
    low, high = 0, 1
    while fits(high):
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _assumptions(plan: Plan) -> tuple[Message, ...]:
    request, shape = plan.request, plan.shape
    found = [
        message(
            "fit.assume_room",
            utilisation=f"{request.utilisation:.0%}",
            overhead=f"{request.overhead_gib:g}",
        )
    ]
    if request.context is None and shape.kind != OTHER:
        found.append(message("fit.assume_context", context=f"{plan.context:,}"))
    if request.train:
        found.append(message(f"fit.keeps_{plan.checkpointing}"))
    elif shape.kind == DECODER:
        found.append(message("fit.assume_activations"))
    peak = peak_of(shape, TRAINING if request.train else INFERENCE)
    if peak is not None:
        found.append(message("fit.measured_peak", what=peak.measured))
    return tuple(found)


def _warnings(plan: Plan, rows: list[Row]) -> tuple[Message, ...]:
    request, shape = plan.request, plan.shape
    found = []
    if shape.max_context is not None and plan.context > shape.max_context:
        found.append(message("fit.too_long", context=plan.context, most=shape.max_context))
    if request.train and not shape.layers:
        if peak_of(shape, TRAINING) is None:
            found.append(message("fit.no_activations"))
        if request.method != FULL:
            found.append(message("fit.adapter_assumed"))
    if not request.train and shape.kind == DECODER and not shape.kv_heads:
        found.append(message("fit.no_cache"))
    foreign = sorted({row.device for row in rows if not row.native})
    if foreign:
        found.append(
            message("fit.not_native", precision=plan.precision, devices=", ".join(foreign))
        )
    return tuple(found)
