"""What to change where a model does not fit, each with how much it saves.

The out-of-memory advice people pass around, computed for the case at hand: mixed precision
halves activations but leaves Adam's 16 bytes a parameter where they are; checkpointing and a
smaller micro-batch touch activations alone; sharding, offloading and LoRA touch the states.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gpuadvisor.advice.fit_places import Site, counts
from gpuadvisor.advice.fit_plan import Plan
from gpuadvisor.advice.fit_result import Change
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.performance.memory import FORMATS, GIB
from gpuadvisor.performance.shape import DECODER
from gpuadvisor.performance.training_memory import (
    FULL,
    KEEP_INPUTS,
    LORA,
    NO_OFFLOAD,
    NO_SHARDING,
    OFFLOAD_OPTIMIZER,
    QLORA,
    SHARDINGS,
)

WORTH_GIB = 0.05
"""Savings below this are not worth a line."""
SHARDED_OVER = 8
"""The devices of one node, which the sharding advice is worked out for."""


class _Option(NamedTuple):
    change: str
    text: Message
    plan: Plan
    number: int


def changes(plan: Plan, found: tuple[Site, ...], count: int) -> tuple[Change, ...]:
    """Every change that saves memory on each of `count` devices, the largest saving first."""
    now = plan.need(count).total
    answer = []
    for option in _training(plan, count) if plan.request.train else _serving(plan, count):
        then = option.plan.need(option.number).total
        if (now - then) / GIB < WORTH_GIB:
            continue
        answer.append(
            Change(
                option.change,
                option.text,
                (now - then) / GIB,
                then / GIB,
                _smallest(option.plan, found, option.number if option.number != count else None),
            )
        )
    return tuple(sorted(answer, key=lambda change: -change.saves_gib))


def _smallest(plan: Plan, found: tuple[Site, ...], count: int | None) -> str | None:
    """The least memory that holds the changed plan: `2 x L4`, or None."""
    best: tuple[float, str] | None = None
    for site in found:
        room = plan.room(site)
        tried = counts(site, plan.request, plan.shape)
        for n in tried if count is None else (n for n in tried if n == count):
            if plan.need(n).total <= room:
                name = site.device.name + (f":{site.partition}" if site.partition else "")
                shown = name if n == 1 else f"{n} x {name}"
                best = min(best or (float("inf"), ""), (n * site.usable_gib, shown))
                break
    return None if best is None else best[1]


def _with(plan: Plan, **changed: Any) -> Plan:
    return Plan(plan.request._replace(**changed), plan.shape)


def _serving(plan: Plan, count: int) -> Iterator[_Option]:
    request = plan.request
    weight = FORMATS[plan.precision].weight
    for precision in ("fp8", "int8", "int4"):
        if FORMATS[precision].weight < weight - 0.01:
            text = message("fit.change_weights", precision=precision)
            yield _Option(f"weights_{precision}", text, _with(plan, precision=precision), count)
    if plan.shape.kind == DECODER and request.kv_precision in ("fp16", "bf16"):
        text = message("fit.change_kv")
        yield _Option("kv_fp8", text, _with(plan, kv_precision="fp8"), count)
    if plan.shape.kind == DECODER and plan.context > 1024:
        half = plan.context // 2
        text = message("fit.change_context", context=f"{half:,}")
        yield _Option("context", text, _with(plan, context=half), count)
    if request.batch > 1:
        half = request.batch // 2
        text = message("fit.change_batch", batch=half)
        yield _Option("batch", text, _with(plan, batch=half), count)
    if request.gpus is None and plan.shape.kind == DECODER:
        text = message("fit.change_split", count=2 * count)
        yield _Option("split", text, plan, 2 * count)


def _training(plan: Plan, count: int) -> Iterator[_Option]:
    request = plan.request
    if plan.precision in ("fp32", "tf32"):
        text = message("fit.change_mixed")
        yield _Option("mixed_precision", text, _with(plan, precision="bf16"), count)
    if plan.checkpointing != KEEP_INPUTS and plan.shape.layers:
        text = message("fit.change_checkpointing")
        yield _Option("checkpointing", text, _with(plan, checkpointing=KEEP_INPUTS), count)
    if request.batch > 1:
        text = message("fit.change_accumulation", steps=request.batch)
        yield _Option("accumulation", text, _with(plan, batch=1), count)
    if plan.shape.layers and plan.context > 512:
        half = plan.context // 2
        text = message("fit.change_context", context=f"{half:,}")
        yield _Option("context", text, _with(plan, context=half), count)
    if request.method == FULL:
        yield from _full_training(plan, count)
    if request.offload == NO_OFFLOAD:
        text = message("fit.change_offload")
        yield _Option("offload_optimizer", text, _with(plan, offload=OFFLOAD_OPTIMIZER), count)


def _full_training(plan: Plan, count: int) -> Iterator[_Option]:
    request = plan.request
    if request.optimizer == "adamw":
        text = message("fit.change_8bit")
        yield _Option("optimizer_8bit", text, _with(plan, optimizer="adamw-8bit"), count)
    if request.sharding == NO_SHARDING and request.gpus in (None, 1):
        for sharding in SHARDINGS[1:]:
            text = message(f"fit.change_{sharding}", count=SHARDED_OVER)
            changed = _with(plan, sharding=sharding, gpus=SHARDED_OVER)
            yield _Option(sharding, text, changed, SHARDED_OVER)
    if plan.shape.layers and plan.shape.kind == DECODER:
        for method in (LORA, QLORA):
            text = message(f"fit.change_{method}")
            yield _Option(method, text, _with(plan, method=method), count)
