"""From a ranked option to the machines that are to be created, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import ceil

from gpuadvisor.advice.result import Option, Recommendation
from gpuadvisor.catalog.errors import RefusedError, UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND, SPOT
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.billing import HOURS_PER_MONTH
from gpuadvisor.cost.money import format_money, format_price
from gpuadvisor.emit.interface import Checkpoint, Fallback, Plan
from gpuadvisor.performance.memory import GIB, weight_bytes
from gpuadvisor.workload.interface import RUN

IMAGE_GB = 100
"""Room for a machine image with drivers and for containers; Amazon's GPU image alone takes about
60 GB, Neuron's more than 80."""
_DISK_STEP = 50
STATE_BYTES = 14
"""Of a parameter in a checkpoint of mixed-precision Adam: 2 of weights and 12 of optimiser states
(ZeRO, arXiv 1910.02054); gradients are not kept."""
MOST_FALLBACKS = 4
_MOST_NAME = 20
"""Of a name in characters: the longest made from it, of a bucket, may have 63."""
_UNSTATED = "gpu"


def plan_of(
    answer: Recommendation,
    catalog: Catalog,
    pick: int = 1,
    command: str = "",
    check_flags: Sequence[str] = (),
) -> Plan:
    """The option of rank `pick` as machines. `command` is what a person typed to get it, and
    `check_flags` are the flags that `check` needs to price it alike.

    Raises UsageError for a rank that is not in the answer and for nodes in several zones, which
    no form here makes, RefusedError where nothing serves the demand within the budget.
    """
    if not answer.options or not answer.feasible:
        raise RefusedError(message("emit.nothing"))
    chosen = next((o for o in answer.options if o.rank == pick), None)
    if chosen is None:
        ranks = [str(o.rank) for o in answer.options]
        raise UsageError(message("emit.no_rank", pick=pick, ranks=ranks))
    if chosen.apart is not None:
        raise UsageError(message("emit.zones", zones=chosen.apart.zones))
    offer, ends = chosen.offer, chosen.run is not None or answer.workload.shape == RUN
    gang = chosen.instances > 1 and (ends or (answer.request.nodes or 1) > 1)
    purchase = ON_DEMAND if offer.option in COMMITMENTS else offer.option
    speed = chosen.speed
    fallbacks = () if gang or chosen.own_price else _fallbacks(catalog, chosen)
    checkpoint = _checkpoint(answer, chosen) if ends else None
    paid = chosen.month_hours
    hours = answer.hours if paid is None else paid
    flags = [*check_flags]
    if answer.currency != "USD":
        flags += ["--currency", answer.currency]
    if hours != HOURS_PER_MONTH:
        flags += ["--hours-per-month", repr(round(hours, 9)).removesuffix(".0")]
    return Plan(
        name=slug(answer.workload.name if answer.mode is not None else _UNSTATED),
        provider=offer.provider,
        region=offer.region,
        type=chosen.type,
        device=chosen.device,
        instances=chosen.instances,
        purchase=purchase,
        committed=offer.option in COMMITMENTS,
        partition=speed.partition if speed else None,
        slices=speed.slices if speed else 1,
        gang=gang,
        ends=ends,
        fallbacks=fallbacks,
        checkpoint=checkpoint,
        boot_gb=_boot_gb(answer, chosen, checkpoint),
        data_gb=_data_gb(answer),
        why=(*_why(answer, catalog, chosen, hours), *_of_checkpoints(checkpoint, chosen)),
        made_by=(message("emit.made_by", today=answer.today), command),
        check_flags=tuple(flags),
    )


def slug(text: str) -> str:
    """Lower-case letters, digits and single hyphens, a letter first: a name in every target."""
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    if not words[:1].isalpha():
        words = f"{_UNSTATED}-{words}"
    return words[:_MOST_NAME].rstrip("-")


def _fallbacks(catalog: Catalog, chosen: Option) -> tuple[Fallback, ...]:
    """Types of the same devices that spot may give instead: no smaller, no cheaper, and below
    what the chosen one costs on demand."""
    offer, kind = chosen.offer, chosen.type
    if offer.option != SPOT or "+" in kind.name:
        # A machine with attached devices is no type of its own that a list could name.
        return ()
    same = {
        t.name: t
        for t in catalog.instance_types().values()
        if (t.provider, t.device, t.devices, t.arch)
        == (kind.provider, kind.device, kind.devices, kind.arch)
        and t.name != kind.name
        and SPOT in t.sold
        and (t.vcpus or 0) >= (kind.vcpus or 0)
        and (t.host_memory_gib or 0) >= (kind.host_memory_gib or 0)
    }
    offers = catalog.offers(
        offer.provider,
        options=[SPOT, ON_DEMAND],
        regions=[offer.region],
        types=[kind.name, *same],
    )
    firm = [o.price for o in offers if (o.instance_type, o.option) == (kind.name, ON_DEMAND)]
    ceiling = min(firm, default=Decimal("Infinity"))
    found = [
        Fallback(o.instance_type, o.price, o.currency)
        for o in offers
        if o.option == SPOT and o.instance_type in same and offer.price <= o.price <= ceiling
    ]
    return tuple(sorted(found, key=lambda f: (f.price, f.type))[:MOST_FALLBACKS])


def _checkpoint(answer: Recommendation, chosen: Option) -> Checkpoint | None:
    """Size as said, else from the parameters trained; interval as said, else the best one."""
    if dict(answer.request.job).get("no_checkpoint"):
        return None
    gb = _state_gb(answer)
    if chosen.spot is None:
        return Checkpoint(gb, None)
    run = chosen.spot.job.run
    interval = run.interval or chosen.spot.job.outlooks.expected.interval
    return Checkpoint(gb, None if interval is None else max(1, round(interval * 60)))


def _state_gb(answer: Recommendation) -> float | None:
    said = dict(answer.request.job).get("state_gb")
    if said is not None:
        return float(said)
    if answer.pretrain is not None:
        return answer.pretrain.shape.params * STATE_BYTES / 1e9
    return None


def _boot_gb(answer: Recommendation, chosen: Option, checkpoint: Checkpoint | None) -> int:
    """The image, the weights twice (as loaded and as converted), and of a checkpoint what one
    node holds, twice, as the new one is written before the old one goes."""
    weights = 0.0
    if answer.llm is not None:
        weights = weight_bytes(answer.llm.shape, answer.llm.precision) / 1e9
    elif answer.request.model_memory is not None:
        weights = answer.request.model_memory * GIB / 1e9
    state = (checkpoint.gb or 0.0) / chosen.instances if checkpoint else 0.0
    return ceil((IMAGE_GB + 2 * weights + 2 * state) / _DISK_STEP) * _DISK_STEP


def _data_gb(answer: Recommendation) -> int | None:
    """The disk asked for with `--storage disk=…`."""
    if answer.request.storage is None:
        return None
    from gpuadvisor.cost.storage import read_storage

    sizes = [want.gb for want in read_storage(answer.request.storage) if want.word == "disk"]
    return ceil(sizes[0]) if sizes else None


def _why(
    answer: Recommendation, catalog: Catalog, chosen: Option, hours: float
) -> Iterator[Message]:
    """What was chosen, at which price, and what the terms ask of the reader."""
    offer, currency = chosen.offer, answer.currency
    yield message(
        "emit.what",
        instances=chosen.instances,
        type=chosen.type.name,
        devices=chosen.type.fraction or f"{chosen.type.devices:g}",
        device=chosen.device.name,
        provider=offer.provider,
        region=offer.region,
        terms=message(f"recommend.terms_{offer.option}"),
        rank=chosen.rank,
        title=message("emit.unnamed") if answer.mode is None else answer.workload.name,
    )
    yield message(
        "emit.price" if chosen.instances > 1 else "emit.price_one",
        price=format_price(chosen.price, currency, "hour"),
        hourly=format_price(chosen.hourly, currency, "hour"),
        monthly=format_money(chosen.monthly.expected, currency),
        hours=f"{hours:,.4g}",
        source=_source(catalog, chosen),
    )
    if hours < HOURS_PER_MONTH and chosen.run is None:
        yield message("emit.part_of_month", hours=f"{hours:,.0f}")
    if chosen.run is not None and chosen.run_hours is not None:
        yield message(
            "emit.run",
            money=format_money(chosen.run.expected, currency),
            low=format_money(chosen.run.low, currency),
            high=format_money(chosen.run.high, currency),
            hours=f"{chosen.run_hours.expected:,.1f}",
        )
    if offer.option in COMMITMENTS:
        terms = message(f"recommend.terms_{offer.option}")
        details = [part for part in (terms, offer.term, offer.cls, offer.payment) if part]
        yield message("emit.commitment", details=details)
    elif offer.option not in (ON_DEMAND, SPOT):
        yield message(f"emit.{offer.option}")


def _of_checkpoints(checkpoint: Checkpoint | None, chosen: Option) -> Iterator[Message]:
    if checkpoint is not None and checkpoint.gb is not None:
        yield message("emit.checkpoint_size", gb=f"{checkpoint.gb:,.0f}")
    if checkpoint is not None and checkpoint.minutes is not None:
        said = chosen.spot is not None and chosen.spot.job.run.interval is not None
        text = "emit.checkpoint_said" if said else "emit.checkpoint_best"
        yield message(text, minutes=checkpoint.minutes)


def _source(catalog: Catalog, chosen: Option) -> Message:
    if chosen.own_price:
        return message("emit.your_price")
    offer = chosen.offer
    found = catalog.source(offer.source)
    return message(
        "emit.source",
        date=offer.as_of,
        title=found.title,
        address=found.address,
        confidence=offer.confidence,
    )
