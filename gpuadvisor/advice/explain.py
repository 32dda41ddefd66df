"""What would change the answer, and what lies outside the question."""

from __future__ import annotations

from collections.abc import Sequence

from gpuadvisor.advice.drafts import Context, Draft, cost_draft, rank_drafts, within_budget
from gpuadvisor.advice.needs import PRICE, needs_of
from gpuadvisor.advice.pricing import Priced, cheapest, offers_of
from gpuadvisor.advice.ranking import Ranked
from gpuadvisor.advice.result import Widened
from gpuadvisor.advice.sizing import Sizes
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT, InstanceType
from gpuadvisor.catalog.names import matches
from gpuadvisor.rules.interface import LABEL
from gpuadvisor.workload.interface import BATCHED, UNBATCHED

HYPERSCALER = "hyperscaler"


def flips(
    context: Context, ranked: Sequence[Ranked], drafts: Sequence[Draft]
) -> tuple[Message, ...]:
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
    context: Context, ranked: Sequence[Ranked], drafts: Sequence[Draft]
) -> Message | None:
    """Who would lead if the work were batched, or were not; prices stay as they are."""
    if context.needs.llm is not None:
        return None
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
    sizes = Sizes(context.catalog, turned.needs)
    redone = [cost_draft(turned, sizes, d.candidate, d.priced) for d in _cheapest_twins(drafts)]
    limit = within_budget(turned, [d for d in redone if not isinstance(d, str)])
    then = _order_of_devices(rank_drafts(turned, limit))
    now = _order_of_devices(ranked)
    if not then:
        return None
    return message(
        "advice.flip_batched" if batched else "advice.flip_unbatched",
        then=" < ".join(then),
        now=" < ".join(now),
    )


def _cheapest_twins(drafts: Sequence[Draft]) -> list[Draft]:
    """One draft for each provider's way of selling the same devices: the others cost more."""
    best: dict[object, Draft] = {}
    for draft in drafts:
        kind = draft.candidate.type
        key = (kind.provider, kind.device, kind.devices)
        if key not in best or draft.spend < best[key].spend:
            best[key] = draft
    return list(best.values())


def _order_of_devices(ranked: Sequence[Ranked]) -> list[str]:
    """The first five devices by value, cheapest work first; ties are left in that order."""
    by_value = sorted(ranked, key=lambda row: (row.item.value, row.rank))
    return list(dict.fromkeys(row.item.candidate.device.name for row in by_value))[:5]


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
    foreign = {
        name: device.software
        for name, device in context.catalog.devices().items()
        if device.software not in ("cuda", "other", "xilinx") and not _unsuited(context, name)
    }
    by_provider: dict[str, dict[str, InstanceType]] = {}
    for t in context.catalog.instance_types().values():
        if (
            t.device in foreign
            and t.status == "active"
            and t.price_scope == "instance"
            and t.memory_gib * max(t.devices, 1.0) >= (context.needs.core.memory_gib or 0)
        ):
            by_provider.setdefault(t.provider, {})[t.name] = t
    for place in context.places:
        types = by_provider.get(place.provider.name)
        if types is None:
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
            software=foreign[kind.device],
            price=priced.price,
            currency=context.request.currency,
        ),
    )


def _unsuited(context: Context, device: str) -> bool:
    return any(
        matches(device, name) for entry in context.needs.profile.unsuited for name in entry.devices
    )


def beyond_seed(context: Context, ranked: Sequence[Ranked]) -> tuple[Widened, ...]:
    """What the owner's tree would hide: the best type of each device and hyperscaler.

    The default policy widens the branches by rules named `*.also`, whose labels mark the types.
    """
    marks = [
        (effect, holds)
        for effect, holds in context.decision.marks
        if effect.kind == LABEL and effect.rule.endswith(".also")
    ]
    found: dict[tuple[str, str], Widened] = {}
    for row in ranked if marks else ():
        draft: Draft = row.item
        kind, facts = draft.candidate.type, draft.candidate.facts
        key = (kind.provider, kind.device)
        if key in found or facts["type.tier"] != HYPERSCALER:
            continue
        rule = next((effect.rule for effect, holds in marks if holds(facts)), None)
        if rule is not None:
            found[key] = Widened(
                rule, kind.provider, kind.name, kind.device, draft.priced.offer.option, draft.spend
            )
    return tuple(found.values())
