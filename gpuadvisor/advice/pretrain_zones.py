"""A training whose nodes lie in several zones against one placement group, and what PCIe does to
tensor parallelism: comparisons that explain an option or why there is none."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.advice.drafts import Context, Draft
from gpuadvisor.advice.pretrain import Pretrain
from gpuadvisor.advice.pretrain_sizing import PretrainModel
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.cost.money import scale


class Apart(NamedTuple):
    """`hours` of the run in `zones` zones, `together` in one placement group, and a step's
    milliseconds of exchange in each. `gigabytes` of the run pass between zones; `cost` is None
    where the provider's price is unknown."""

    zones: int
    hours: float
    together: float
    exchange_ms: float
    exchange_together_ms: float
    gigabytes: float
    cost: Decimal | None
    source: str | None


def apart(context: Context, draft: Draft, plan: Pretrain) -> Apart | None:
    """What several zones lose and pay on an option's instances; None where one zone holds none."""
    kind, device = draft.candidate.type, draft.candidate.device
    steps = PretrainModel(context.catalog, context.needs, plan).steps
    nodes = draft.size.instances
    there = steps.best(kind, device, nodes, most=plan.gpus, zones=plan.zones)
    here = steps.best(kind, device, nodes, most=plan.gpus)
    if there is None or here is None:
        return None
    layout = there.schedule.layout
    # A ring through the zones crosses as many borders, each with what one replica sends.
    sent = there.schedule.traffic.data * layout.replica * plan.zones
    gigabytes = sent * plan.tokens / there.schedule.tokens / 1e9
    rate, source = _price(context, kind)
    cost = None
    if rate is not None:
        usd = scale(rate, gigabytes)
        cost = context.pricing.exchange.convert(usd, "USD", context.request.currency).value
    return Apart(
        plan.zones,
        plan.units / (there.rate.expected * 3600),
        plan.units / (here.rate.expected * 3600),
        steps.exchange_seconds(kind, device, layout, plan.zones) * 1e3,
        steps.exchange_seconds(kind, device, layout, 1) * 1e3,
        gigabytes,
        cost,
        source,
    )


def _price(context: Context, kind: InstanceType) -> tuple[Decimal | None, str | None]:
    """USD for a GB between zones, both sides together, and its source."""
    found = context.catalog.documents("billing").get(kind.provider, {}).get("zone_traffic")
    if found is None:
        return None, None
    return Decimal(repr(found["per_gb"])), str(found["source"])


def tensor_penalty(context: Context, refused: Sequence[InstanceType]) -> Message | str:
    """How much longer than it computes the worst of the types without NVLink would exchange."""
    plan = context.needs.pretrain
    if plan is None:
        return ""
    model = PretrainModel(context.catalog, context.needs, plan)
    ratios = [
        (model.tensor_penalty(kind, context.catalog.device(kind.device)) or 0.0, kind.name)
        for kind in refused
    ]
    ratio, name = max(ratios)
    return message("pretrain.tensor_penalty", ratio=f"{ratio:.1f}", type=name)
