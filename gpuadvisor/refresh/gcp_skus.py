"""Rates read out of Compute Engine's SKUs: which part of a machine, on which terms, for how much.

A SKU says what it is in words only, and one `usageType` covers many ways of buying: OnDemand holds
flex-start (`DWS Defined Duration`), calendar mode, sole tenancy, capacity kept for a reservation at
price 0, and spot of A4. So every description is matched whole against an allow-list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.refresh.gcp_names import GPU_SKUS, TPU_SKUS
from gpuadvisor.refresh.public_feeds import MOST

HOURS_PER_MONTH = 730
GIB_IN_GB = Decimal(2**30) / Decimal(10**9)
_PER_UNIT = {
    "h": Decimal(1),
    "GiBy.h": Decimal(1),
    "GBy.h": GIB_IN_GB,
    "GiBy.mo": Decimal(1) / HOURS_PER_MONTH,
    "GBy.mo": GIB_IN_GB / HOURS_PER_MONTH,
}
"""Usage unit -> what makes a price one per hour, and per GiB where the part is so measured."""

_COMMITTED = re.compile(r"Commitment v1: (.+?)(?: running)? in .+ for ([13]) Years?")
_WRAPPED = (
    ("calendar", re.compile(r"Reserved (.+?) in .+ in Calendar Mode")),
    ("calendar", re.compile(r"DWS Calendar Mode (.+?)(?: running)? in .+")),
    ("calendar", re.compile(r"(.+?) attached to Calendar [Mm]ode reservations running in .+")),
    ("flex_start", re.compile(r"DWS Defined Duration (.+?)(?: running)? in .+")),
    ("flex_start", re.compile(r"(.+?) attached to DWS Defined Duration VMs(?: running)? in .+")),
    ("spot", re.compile(r"(.+?) attached to Spot Preemptible VMs(?:(?: running)? in .+)?")),
    ("spot", re.compile(r"Spot Preemptible (.+?) running in .+")),
    ("on_demand", re.compile(r"(.+?) running in .+")),
    ("on_demand", re.compile(r"(SSD backed Local Storage)(?: in .+)?")),
)
_HOST = re.compile(r"(A2|A3|A3Plus|A3Ultra|G2|G4|N1 Predefined) Instance (Core|Ram)")
_HOST_SHORT = re.compile(r"(?:(A2|A3|A3Plus|A3Ultra|G2|G4|N1)(?: Predefined)? )?(Core|Cpu|Ram)")
_TPU = re.compile(r"(?:Tpu|TPU)?(V5e|V5p|V6e|7x)(?: TPU)?")
_VGPU = re.compile(r"(1/\d) vGPU(?: no lssd)?")
_SSD = frozenset({"SSD backed Local Storage", "Local SSD"})

_LEFT_OUT = re.compile(
    r"Reserved |Capacity Optimized |Licensing Fee|.*(Sole Tenancy|Premium|Custom|suspended"
    r"|VM state|Virtual Workstation|dollar based|for 5 Years?|Tesla K80)"
)
"""Known and not a price of these machines: not worth a question."""
_ACCELERATOR = re.compile(
    r"\b(GPU|vGPU|Tpu\w*|TPU\w*|Nvidia|NVIDIA|RTX|AMD Instinct|[AG]\d\w* Instance (Core|Ram))\b"
)
"""What looks like an accelerator, or like the host of a family that is not known yet."""

_USAGE = {
    "on_demand": ("OnDemand",),
    "flex_start": ("OnDemand",),
    "calendar": ("OnDemand",),
    # A4's spot SKU says OnDemand.
    "spot": ("Preemptible", "OnDemand"),
    "committed_use/1y": ("Commit1Yr",),
    "committed_use/3y": ("Commit3Yr",),
}


class Meaning(NamedTuple):
    """What a SKU prices: `core:A2`, `ram:A2`, `ssd`, `vgpu:1/8`, or an accelerator type; and the
    option with its term (`committed_use/1y`)."""

    part: str
    option: str


class Rates(NamedTuple):
    """Prices per hour by part, option and region; and what was not understood, by
    (kind, name, detail), with its regions."""

    prices: dict[str, dict[str, dict[str, Decimal]]]
    questions: dict[tuple[str, str, str], set[str]]

    def at(self, part: str, option: str, region: str) -> Decimal | None:
        """The rate, or None where no SKU says one."""
        return self.prices.get(part, {}).get(option, {}).get(region)


def meaning(description: str) -> Meaning | None:
    """What a description says, None where it is not on the list."""
    committed = _COMMITTED.fullmatch(description)
    if committed:
        part = _part(committed[1], "committed_use")
        return Meaning(part, f"committed_use/{committed[2]}y") if part else None
    for option, pattern in _WRAPPED:
        found = pattern.fullmatch(description)
        part = _part(found[1], option) if found else None
        if part:
            return Meaning(part, option)
    return None


def _part(words: str, option: str) -> str | None:
    """The part of a machine that these words name, among those that can be bought so."""
    if words in GPU_SKUS:
        return GPU_SKUS[words]
    if words in _SSD:
        return "ssd"
    vgpu = _VGPU.fullmatch(words)
    if vgpu:
        return f"vgpu:{vgpu[1]}"
    tpu = _TPU.fullmatch(words)
    if tpu:
        return TPU_SKUS[tpu[1]]
    usual = option in ("on_demand", "spot")
    host = (_HOST if usual else _HOST_SHORT).fullmatch(words)
    if not host:
        return None
    # "Commitment v1: Cpu in Americas" without a family is N1's.
    family = (host[1] or "N1").removesuffix(" Predefined")
    if host[1] is None and option != "committed_use":
        return None
    return f"{'ram' if host[2] == 'Ram' else 'core'}:{family}"


def read_rates(skus: Iterable[Mapping[str, Any]]) -> Rates:
    """The rates of all SKUs that are understood; questions about those that look as if they should
    be."""
    rates = Rates({}, {})
    for sku in skus:
        _read(sku, rates)
    return rates


def _read(sku: Mapping[str, Any], rates: Rates) -> None:
    description, usage, group, regions = _words(sku)
    found = meaning(description)
    if found is None:
        looks = group in ("GPU", "TPU") or _ACCELERATOR.search(description)
        if looks and not _LEFT_OUT.match(description):
            _ask(rates, "sku", without_place(description), usage, regions)
        return
    if usage not in _USAGE[found.option]:
        _ask(rates, "sku", without_place(description), usage, regions)
        return
    price = hourly(sku)
    if price is None:
        _ask(rates, "price", without_place(description), found.option, regions)
        return
    if price == 0:
        # Commitments are listed at 0 where they are not sold.
        _ask(rates, "price", without_place(description), f"{found.option} 0", regions)
        return
    _keep(rates, found, price, regions)


def _keep(rates: Rates, found: Meaning, price: Decimal, regions: Iterable[str]) -> None:
    """Note a rate; where two SKUs differ the dearer stands, and it is asked why."""
    known = rates.prices.setdefault(found.part, {}).setdefault(found.option, {})
    for region in regions:
        before = known.get(region, price)
        if before != price:
            low, high = sorted((before, price))
            _ask(rates, "price", found.part, f"{found.option} {low} / {high}", [region])
        known[region] = max(before, price)


def _words(sku: Mapping[str, Any]) -> tuple[str, str, str, list[str]]:
    """Description, usage type, resource group and regions; empty where of another type."""
    category = sku.get("category")
    category = category if isinstance(category, dict) else {}
    regions = sku.get("serviceRegions")
    return (
        str(sku.get("description") or "").strip(),
        str(category.get("usageType") or ""),
        str(category.get("resourceGroup") or ""),
        [r for r in regions if isinstance(r, str)] if isinstance(regions, list) else [],
    )


def without_place(description: str) -> str:
    """`Nvidia L40 GPU running in Tokyo for 1 Year` -> `Nvidia L40 GPU`: one question, not forty."""
    return re.split(r" (?:running )?in [A-Z]", description, maxsplit=1)[0][:120]


def _ask(rates: Rates, kind: str, name: str, detail: str, regions: Iterable[str]) -> None:
    rates.questions.setdefault((kind, name, detail), set()).update(regions)


def hourly(sku: Mapping[str, Any]) -> Decimal | None:
    """The price per hour (and GiB), exact; None where it is not one plain price in USD.

    `units` is a string, and missing below one dollar; `nanos` are billionths. Of several
    `pricingInfo` the newest counts. Its `effectiveTime` is always the time of asking.
    """
    try:
        newest = max(sku["pricingInfo"], key=lambda info: str(info.get("effectiveTime", "")))
        expression = newest["pricingExpression"]
        prices = {_money(rate["unitPrice"]) for rate in expression["tieredRates"]}
        factor = _PER_UNIT[expression["usageUnit"]]
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return prices.pop() * factor if len(prices) == 1 else None


def _money(price: Mapping[str, Any]) -> Decimal:
    units, nanos = price.get("units", "0"), price.get("nanos", 0)
    if price["currencyCode"] != "USD" or type(nanos) is not int or not 0 <= nanos < 10**9:
        raise ValueError("no price in USD")
    whole = int(units)
    if not 0 <= whole < MOST:
        raise ValueError("no price")
    return Decimal(whole) + Decimal(nanos).scaleb(-9)
