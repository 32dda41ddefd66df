"""Purchase options that cannot be had, or not at a known price: the reason, and the way to one."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gpuadvisor.advice.estimate_result import EstimateOption
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND, SPOT, InstanceType, Offer
from gpuadvisor.cost.billing import binding, options_sold


class Market(NamedTuple):
    """What is known where one type is bought.

    `here` are the offers of the type in the region, `elsewhere` the regions in which each
    (option, term, class) has a price. `rules` are the provider's billing rules, `version` names
    its price version.
    """

    region: str
    here: Sequence[Offer]
    elsewhere: Mapping[tuple[str, str | None, str | None], Sequence[str]]
    rules: Mapping[str, Any]
    version: str
    today: str


def retired(kind: InstanceType, today: str) -> bool:
    """Whether the provider has withdrawn the type by `today` (ISO date)."""
    return kind.status == "retired" or (kind.retired_on is not None and kind.retired_on <= today)


def blank(
    option: str, term: str | None = None, payment: str | None = None, cls: str | None = None
) -> EstimateOption:
    return EstimateOption(
        option, term, payment, cls, False, None, None, False, None, None, None, None, None, None,
        None, None, None, None, None, (),
    )  # fmt: skip


def missing(
    kind: InstanceType, market: Market, option: str, offered: Sequence[Offer], named: bool
) -> list[EstimateOption]:
    """Lines for what is not sold, and for terms whose price nobody recorded."""
    if retired(kind, market.today):
        if offered or (option != ON_DEMAND and not named):
            return []
        return [blank(option)._replace(why_not=retired_message(kind))]
    if option not in kind.sold:
        if offered or not (named or _usual(market.rules, option)):
            return []
        return [blank(option)._replace(why_not=not_sold(kind, published=False))]
    pairs = options_sold(market.rules, option, kind.family) if option in COMMITMENTS else ()
    known = {(o.cls, o.term) for o in offered}
    wanted = [pair for pair in pairs if pair not in known]
    if not pairs and not offered:
        wanted = [(None, "")]
    return [
        blank(option, term or None, None, cls)._replace(
            why_not=_unknown(kind, market, option, term or None, cls),
            binding=binding(market.rules, option, cls, kind.family),
        )
        for cls, term in wanted
    ]


def _usual(rules: Mapping[str, Any], option: str) -> bool:
    """Whether the provider sells this option at all, so that its absence is worth a line."""
    if option == ON_DEMAND:
        return True
    if option == SPOT:
        return rules.get("spot") is not None
    return any(entry["option"] == option for entry in rules.get("commitments", ()))


def retired_message(kind: InstanceType) -> Message:
    if kind.retired_on is None:
        return message("estimate.retired_undated")
    return message("estimate.retired", date=kind.retired_on)


def not_sold(kind: InstanceType, published: bool) -> Message:
    """Nobody can buy the type so; `published` where a list price exists all the same."""
    if not kind.sold:
        return message(f"estimate.status_{kind.status}")
    sold = [message(f"estimate.option_{name}") for name in kind.sold]
    return message("estimate.not_sold_published" if published else "estimate.not_sold", sold=sold)


def _unknown(
    kind: InstanceType, market: Market, option: str, term: str | None, cls: str | None
) -> Message:
    """No recorded price: which regions have one, and how to put in one's own."""
    facts = {
        "catalog": market.version,
        "region": market.region,
        "own": f"--price {kind.provider}/{kind.name}@{market.region}:{option}=…",
    }
    known = [
        region
        for (name, its_term, its_class), regions in market.elsewhere.items()
        if name == option and term in (None, its_term) and cls in (None, its_class)
        for region in regions
        if region != market.region
    ]
    if not known:
        return message("estimate.price_unknown", **facts)
    shown = ", ".join(sorted(set(known))[:4]) + (", …" if len(set(known)) > 4 else "")
    return message("estimate.price_elsewhere", regions=shown, **facts)
