"""What would change the answer, and what lies outside the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpuadvisor.advice.needs import PRICE, needs_of
from gpuadvisor.advice.pricing import Priced, cheapest, offers_of
from gpuadvisor.advice.ranking import Ranked
from gpuadvisor.advice.sizing import SpeedModel
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT, InstanceType
from gpuadvisor.workload.interface import BATCHED, UNBATCHED

if TYPE_CHECKING:
    from gpuadvisor.advice.recommend import Context


def flips(context: Context, ranked: Sequence[Ranked], drafts: Sequence[Any]) -> tuple[Message, ...]:
    """The smallest changes that would put another device first."""
    found = []
    challenger = _challenger(context, ranked)
    if challenger is not None:
        found.append(challenger)
    other_mode = _other_mode(context, ranked, drafts)
    if other_mode is not None:
        found.append(other_mode)
    without = _without_spot(context, ranked)
    if without is not None:
        found.append(without)
    return tuple(found)


def _challenger(context: Context, ranked: Sequence[Ranked]) -> Message | None:
    """How much faster or cheaper the best other device had to be."""
    if not ranked or context.needs.objective == PRICE:
        return None
    first = ranked[0].item
    for row in ranked[1:]:
        draft = row.item
        if draft.candidate.device.name == first.candidate.device.name:
            continue
        if not 0 < draft.value < float("inf"):
            continue
        return message(
            "advice.flip_tied" if row.tie_group == ranked[0].tie_group else "advice.flip_ratio",
            type=draft.candidate.type.name,
            device=draft.candidate.device.name,
            factor=f"{draft.value / first.value:.2f}",
            first=first.candidate.device.name,
        )
    return None


def _other_mode(
    context: Context, ranked: Sequence[Ranked], drafts: Sequence[Any]
) -> Message | None:
    """Who would lead if the work were batched, or were not; prices stay as they are."""
    from gpuadvisor.advice.recommend import cost_draft, rank_drafts, within_budget

    modes, batched = context.needs.profile.modes, context.needs.mode.name != BATCHED
    target = modes.get(BATCHED if batched else UNBATCHED)
    if not ranked or target is None or target.reference is None:
        return None
    sized = context.request.qps is not None or context.request.units_per_month is not None
    if sized and target.reference.relative_only:
        return None
    turned = context._replace(
        needs=needs_of(
            context.catalog, context.request._replace(batched=batched), context.pricing.exchange
        )
    )
    model = SpeedModel(context.catalog, turned.needs)
    redone = [cost_draft(turned, model, d.candidate, d.priced) for d in drafts]
    limit = within_budget(turned, [d for d in redone if not isinstance(d, str)])
    if not limit:
        return None
    leader = rank_drafts(turned, limit)[0].item
    return message(
        "advice.flip_batched" if batched else "advice.flip_unbatched",
        type=leader.candidate.type.name,
        device=leader.candidate.device.name,
    )


def _without_spot(context: Context, ranked: Sequence[Ranked]) -> Message | None:
    if not ranked or ranked[0].item.priced.offer.option != SPOT:
        return None
    if ON_DEMAND not in context.needs.options:
        return None
    return message("advice.flip_spot")


def others(context: Context) -> tuple[Message, ...]:
    """One line: the cheapest accelerator of another software stack, which needs a port."""
    if context.needs.core.software != "cuda" or context.request.device:
        return ()
    best: tuple[Priced, InstanceType] | None = None
    devices = context.catalog.devices()
    for place in context.places:
        types = {
            t.name: t
            for t in context.catalog.instance_types().values()
            if t.provider == place.provider.name
            and devices[t.device].software not in ("cuda", "other", "xilinx")
            and t.status == "active"
            and t.price_scope == "instance"
            and t.memory_gib * max(t.devices, 1.0) >= (context.needs.core.memory_gib or 0)
        }
        if not types:
            continue
        offers = offers_of(context.catalog, place, (ON_DEMAND,), tuple(types))
        found, _ = cheapest(context.pricing, offers, types, (ON_DEMAND,))
        for name, priced in found.items():
            if best is None or priced.price < best[0].price:
                best = (priced, types[name])
    if best is None:
        return ()
    priced, kind = best
    return (
        message(
            "advice.other_software",
            type=kind.name,
            device=kind.device,
            software=devices[kind.device].software,
            price=priced.price,
            currency=context.request.currency,
        ),
    )
