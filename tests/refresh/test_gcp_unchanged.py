"""The catalog's own figures, taken apart into SKUs and machine types, come back as they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.refresh.compose import Composition, compose
from gpuadvisor.refresh.gcp_compose import Machine, parts
from gpuadvisor.refresh.gcp_join import join
from gpuadvisor.refresh.gcp_names import DEVICES, FAMILIES, attachment, family_of
from gpuadvisor.refresh.gcp_skus import HOURS_PER_MONTH, Rates
from gpuadvisor.refresh.interface import Fetched
from gpuadvisor.refresh.price_file import PriceFile, read_file
from gpuadvisor.refresh.shapes import shape_changes
from tests.refresh.gcp_rest import Google, machine, sku, wanting
from tests.refresh.server import Server

pytest.importorskip("google.cloud.compute_v1")

SSD_PER_GIB_MONTH = Decimal("0.01")
"""Any rate does: the accelerator takes up the rest."""
NANO = Decimal("1e-9")
USAGE = {"spot": "Preemptible", "committed_use/1y": "Commit1Yr", "committed_use/3y": "Commit3Yr"}
WORDS = {
    "on_demand": "{} running in Iowa",
    "spot": "{} attached to Spot Preemptible VMs running in Iowa",
    "committed_use/1y": "Commitment v1: {} in Iowa for 1 Year",
    "committed_use/3y": "Commitment v1: {} in Iowa for 3 Years",
    "flex_start": "{} attached to DWS Defined Duration VMs running in Iowa",
    "calendar": "Reserved {} in Iowa in Calendar Mode",
}
HOST_WORDS = {
    "on_demand": "{} Instance {} running in Iowa",
    "spot": "Spot Preemptible {} Instance {} running in Iowa",
    "flex_start": "DWS Defined Duration {} {} running in Iowa",
    "calendar": "Reserved {} {} in Iowa in Calendar Mode",
}
ACCELERATORS = {
    "nvidia-tesla-t4": "Nvidia Tesla T4 GPU",
    "nvidia-tesla-v100": "Nvidia Tesla V100 GPU",
    "nvidia-tesla-p100": "Nvidia Tesla P100 GPU",
    "nvidia-tesla-p4": "Nvidia Tesla P4 GPU",
    "nvidia-tesla-a100": "Nvidia Tesla A100 GPU",
    "nvidia-a100-80gb": "Nvidia Tesla A100 80GB GPU",
    "nvidia-h100-80gb": "Nvidia H100 80GB GPU",
    "nvidia-h100-mega-80gb": "Nvidia H100 80GB Mega GPU",
    "nvidia-h200-141gb": "H200 141GB GPU",
    "nvidia-b200": "A4 Nvidia B200 (1 gpu slice)",
    "nvidia-l4": "Nvidia L4 GPU",
    "nvidia-rtx-pro-6000": "RTX 6000 96GB",
    "ct5lp": "TpuV5e",
    "ct5p": "TpuV5p",
    "ct6e": "TpuV6e",
    "tpu7x": "TPU7x",
}


def words(part: str, option: str) -> str:
    """The description of a part on those terms."""
    kind, _, family = part.partition(":")
    if part == "ssd":
        local = "Local SSD" if option.startswith("committed") else "SSD backed Local Storage"
        return WORDS[option].format(local)
    if kind == "vgpu":
        return WORDS[option].format(f"{family} vGPU no lssd")
    if kind not in ("core", "ram"):
        return WORDS[option].format(ACCELERATORS[part])
    what = "Ram" if kind == "ram" else "Core"
    if option.startswith("committed"):
        short = "Ram" if kind == "ram" else "Cpu"
        return WORDS[option].format(short if family == "N1" else f"{family} {short}")
    usual = option in ("on_demand", "spot")
    return HOST_WORDS[option].format("N1 Predefined" if usual and family == "N1" else family, what)


Sums = Mapping[str, Decimal]
"""Price by machine, in one region and on one set of terms."""


def host_rates(family: str, sums: Sums) -> tuple[Decimal, Decimal]:
    """Core and RAM such that all sizes of a family come out; where sizes are multiples of each
    other any split does."""
    if family == "G2" and {"g2-standard-4", "g2-standard-8"} <= sums.keys():
        # one L4 each: the difference is 4 vCPU and 16 GiB
        step = sums["g2-standard-8"] - sums["g2-standard-4"]
        return step / 8, step / 32
    if family == "N1" and {"n1-standard-4+t4x1", "n1-standard-8+t4x1"} <= sums.keys():
        step = sums["n1-standard-8+t4x1"] - sums["n1-standard-4+t4x1"]
        return step / 8, step / 30
    if family == "A2" and {"a2-highgpu-8g", "a2-megagpu-16g"} <= sums.keys():
        # 96 vCPU both; twice the memory and GPUs: the core is what does not double
        core = (2 * sums["a2-highgpu-8g"] - sums["a2-megagpu-16g"]) / 96
        return core, core / 8
    return Decimal("0.001"), Decimal("0.0001")


def taken_apart(
    cells: Mapping[tuple[str, str], Mapping[str, Decimal]], types: Mapping[str, InstanceType]
) -> list[dict[str, Any]]:
    """SKUs whose sums are these prices; cells are by (region, option), then machine."""
    found = []
    for (region, option), sums in cells.items():
        rates: dict[str, Decimal] = {"ssd": SSD_PER_GIB_MONTH}
        hosts = {FAMILIES[family_of(name)].host for name in sums} - {None}
        for family in hosts:
            assert family is not None
            core, ram = host_rates(family, sums)
            rates[f"core:{family}"] = core.quantize(NANO)
            rates[f"ram:{family}"] = ram.quantize(NANO)
        largest = sorted(sums, key=lambda n: -types[n].devices)
        for name in largest:
            first, *others = parts(as_machine(types[name]), option, region, Rates({}, {}))
            part, amount = (f"vgpu:{types[name].fraction}", 1) if types[name].fraction else first
            rest = sum(
                (rates[p] / (HOURS_PER_MONTH if p == "ssd" else 1) * (a or 0) for p, a in others),
                Decimal(0),
            )
            rates.setdefault(part, ((sums[name] - rest) / (amount or 1)).quantize(NANO))
        for part, rate in rates.items():
            unit = {"ram": "GiBy.h", "ssd": "GiBy.mo"}.get(part.partition(":")[0], "h")
            usage = USAGE.get(option, "OnDemand")
            found.append(sku(words(part, option), rate, regions=[region], usage=usage, unit=unit))
    return found


def as_machine(t: InstanceType) -> Machine:
    devices = None if t.fraction else int(t.devices)
    return Machine(t.name, devices, t.fraction, t.vcpus, t.host_memory_gib, t.local_disk_gb)


def machine_of(t: InstanceType) -> dict[str, Any]:
    """A type as the Compute Engine API would state it."""
    family = FAMILIES.get(family_of(t.name))
    accelerator = (family and family.accelerator) or next(
        a for a, device in DEVICES.items() if device == t.device
    )
    size = 3000 if t.name.startswith("a4x-") else 375
    return machine(
        t.name,
        t.vcpus or 0,
        t.host_memory_gib or 0,
        {accelerator: int(t.devices) or 1},
        partitions=round((t.local_disk_gb or 0) / (size * 1.073741824)),
        architecture={"arm64": "ARM64"}.get(t.arch, "X86_64"),
    )


def newest(provider: str) -> PriceFile:
    """The newest price file of the checkout."""
    folder = Path(__file__).parents[2] / "catalogs" / "providers" / provider / "prices"
    return read_file(str(max(folder.glob("*.yaml"))))


@pytest.fixture(scope="module")
def refreshed() -> Iterator[tuple[Google, Fetched, PriceFile]]:
    """A whole refresh of the shipped catalog from its own figures."""
    with Server() as server:
        google = Google(server)
        types = {n: t for (p, n), t in google.catalog.instance_types().items() if p == "gcp"}
        cells: dict[tuple[str, str], dict[str, Decimal]] = {}
        zones: dict[str, list[dict[str, Any]]] = {}
        attached: dict[str, list[dict[str, Any]]] = {}
        places: dict[str, set[str]] = {}
        for offer in google.catalog.offers("gcp"):
            if family_of(offer.instance_type) in FAMILIES:
                option = f"{offer.option}/{offer.term}" if offer.term else offer.option
                prices = cells.setdefault((offer.region, option), {})
                prices[offer.instance_type] = offer.price
                places.setdefault(offer.instance_type, set()).add(offer.region)
        for name, regions in places.items():
            place(types[name], regions, zones, attached)
        google.zones(zones, attached)
        google.skus(taken_apart(cells, types))
        yield google, google.refresh(), newest("gcp")


def place(
    t: InstanceType,
    regions: Iterable[str],
    zones: dict[str, list[dict[str, Any]]],
    attached: dict[str, list[dict[str, Any]]],
) -> None:
    """Put a type into a zone of its own in every region (N1 hosts repeat)."""
    joint = attachment(t.name)
    for region in regions:
        zone = f"{region}-{t.name.replace('-', '').replace('+', '')}"
        if joint:
            host = machine(joint.host, t.vcpus or 0, t.host_memory_gib or 0)
            zones.setdefault(zone, []).append(host)
            attached.setdefault(zone, []).append({"name": joint.accelerator})
        else:
            zones.setdefault(zone, []).append(machine_of(t))


def composed(refreshed: tuple[Google, Fetched, PriceFile]) -> Composition:
    google, fetched, previous = refreshed
    types = {n: t for (p, n), t in google.catalog.instance_types().items() if p == "gcp"}
    regions = frozenset(r.name for r in google.catalog.regions() if r.provider == "gcp")
    return compose(previous, fetched, wanting(), types, regions)


def test_no_price_moves_and_none_is_lost(refreshed: Any) -> None:
    result = composed(refreshed)
    assert (result.counts.changed, result.counts.gone) == (0, 0)
    assert result.counts.confirmed > 2000
    assert result.counts.carried == 13  # TPU v2, v3 and v4: another service bills them


def test_every_price_of_a_family_is_seen_again(refreshed: Any) -> None:
    google, fetched, _ = refreshed
    seen = {(p.type, p.region, p.option, p.term): p for p in fetched.prices}
    for offer in google.catalog.offers("gcp"):
        if family_of(offer.instance_type) in FAMILIES:
            price = seen[offer.instance_type, offer.region, offer.option, offer.term]
            assert price.price == offer.price, offer
            assert (price.low, price.measure) == (offer.low, offer.measure), offer


def test_what_is_new_are_sizes_that_a_page_left_out(refreshed: Any) -> None:
    """Google's pages give a commitment of one A2 Ultra size; the SKUs hold all four."""
    google, fetched, _ = refreshed
    known = {(o.instance_type, o.region, o.option, o.term) for o in google.catalog.offers("gcp")}
    new = {(p.type, p.region, p.option, p.term) for p in fetched.prices} - known
    priced = {(FAMILIES.get(family_of(n)), r, o, t) for n, r, o, t in known}
    assert len(new) < 20
    for name, region, option, term in new:
        assert (FAMILIES[family_of(name)], region, option, term) in priced, name


def test_no_shape_changes(refreshed: Any) -> None:
    google, fetched, _ = refreshed
    catalog = google.catalog
    known = {n: t for (p, n), t in catalog.instance_types().items() if p == "gcp"}
    changes, puzzles = shape_changes("gcp", fetched.types, {}, known, catalog.devices())
    assert changes == [] and puzzles == []
    assert len(fetched.types) > 40


def test_nothing_is_asked(refreshed: Any) -> None:
    _, fetched, _ = refreshed
    assert [p for p in fetched.puzzles if p.kind != "price"] == []
    assert [note.id for note in fetched.notes] == []


def test_a_lost_part_makes_nothing_gone(refreshed: Any) -> None:
    """A lost page holds the core of A2, without which no A2 machine has a price."""
    google, whole, previous = refreshed
    billing = google.fetched("prices")
    rates = billing.raw["rates"]
    cores = rates["core:A2"]["on_demand"]
    torn = {**cores}
    del torn["us-central1"]
    raw = {**billing.raw, "rates": {**rates, "core:A2": {**rates["core:A2"], "on_demand": torn}}}
    found = join(google.fetched("zones"), billing._replace(raw=raw), google.context())
    lost = {(s.region, s.option) for s in whole.scopes} - {
        (s.region, s.option) for s in found.scopes
    }
    assert lost == {("us-central1", "on_demand")}
    assert composed((google, found, previous)).counts.gone == 0
    assert ("price", "a2-highgpu on_demand", "us-central1", "core:A2") in found.puzzles
