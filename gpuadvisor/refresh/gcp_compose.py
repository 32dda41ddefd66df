"""The price of a machine, summed from what Google bills apart.

machine = vCPUs x core + GiB x RAM + devices x accelerator + bundled local SSD, on one set of terms;
A4, TPUs and the vGPU slices of G4 have one SKU that holds the machine or a share of it. A sum with
a missing part is no price: it would be too low.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from gpuadvisor.refresh.gcp_names import FAMILIES, attachment, family_of
from gpuadvisor.refresh.gcp_skus import Rates
from gpuadvisor.refresh.interface import SeenPrice

SIX = Decimal("0.000001")
SSD_GIB = 375
SSD_GB = 402.653184
"""One partition of local SSD: 375 GiB."""


class Machine(NamedTuple):
    """What a price is composed for; `local_disk_gb` is the bundled SSD."""

    name: str
    devices: int | None
    fraction: str | None
    vcpus: int | None
    host_memory_gib: float | None
    local_disk_gb: float | None


class Sums(NamedTuple):
    """Composed prices, and by (type, option, what is missing) the regions of those that lack a
    part."""

    prices: list[SeenPrice]
    lacking: dict[tuple[str, str, str], set[str]]


def compose(
    machines: Iterable[Machine],
    regions: Mapping[str, Iterable[str]],
    options: Iterable[str],
    rates: Rates,
    feed: str,
) -> Sums:
    """Prices of the machines in the regions where they stand. `options` carry their term
    (`committed_use/1y`)."""
    sums = Sums([], {})
    terms = tuple(options)
    for machine in machines:
        for region in sorted(regions.get(machine.name, ())):
            for option in terms:
                _compose(machine, region, option, rates, feed, sums)
    return sums


def _compose(
    machine: Machine, region: str, option: str, rates: Rates, feed: str, sums: Sums
) -> None:
    if family_of(machine.name) not in FAMILIES:
        return
    total = Decimal(0)
    missing: list[str] = []
    for place, (part, amount) in enumerate(parts(machine, option, region, rates)):
        rate = rates.at(part, option, region)
        if rate is None or amount is None:
            if place == 0 and amount is not None:
                return  # the accelerator is not sold so here
            missing.append(part)
        else:
            total += rate * amount
    if missing:
        where = sums.lacking.setdefault((machine.name, option, " + ".join(missing)), set())
        where.add(region)
        return
    name, _, term = option.partition("/")
    price = total.quantize(SIX)
    spot = name == "spot"
    sums.prices.append(
        SeenPrice(
            machine.name,
            region,
            name,
            term or None,
            None,
            None,
            price,
            "USD",
            feed,
            low=price if spot else None,
            measure="list" if spot else None,
        )
    )


def parts(
    machine: Machine, option: str, region: str, rates: Rates
) -> list[tuple[str, Decimal | None]]:
    """(part, amount) of a machine, the accelerator first; an unknown amount is None."""
    family = FAMILIES[family_of(machine.name)]
    attached = attachment(machine.name)
    accelerator = attached.accelerator if attached else family.accelerator
    if machine.fraction:
        return [_slice(Fraction(machine.fraction), option, region, rates)]
    found: list[tuple[str, Decimal | None]] = [(accelerator or "", _amount(machine.devices))]
    if family.host:
        found.append((f"core:{family.host}", _amount(machine.vcpus)))
        found.append((f"ram:{family.host}", _amount(machine.host_memory_gib)))
        # What the catalog does not know is asked for, not taken as none.
        if machine.local_disk_gb != 0:
            found.append(("ssd", _ssd_gib(machine.local_disk_gb)))
    return found


def _slice(share: Fraction, option: str, region: str, rates: Rates) -> tuple[str, Decimal | None]:
    """The vGPU SKU of this share, else so many eighths: a slice costs more than its share of a
    whole G4 machine (0.64688 for an eighth of 4.49993 in us-central1)."""
    own = f"vgpu:{share.numerator}/{share.denominator}"
    if rates.at(own, option, region) is not None:
        return own, Decimal(1)
    eighths = share * 8
    return "vgpu:1/8", Decimal(eighths.numerator) / eighths.denominator


def _amount(number: float | None) -> Decimal | None:
    return None if number is None else Decimal(str(number))


def _ssd_gib(gigabytes: float | None) -> Decimal | None:
    """Whole partitions: the catalog rounds 375 GiB to 403 GB."""
    return None if gigabytes is None else Decimal(round(gigabytes / SSD_GB) * SSD_GIB)
