"""Oracle Cloud: the public price list and the shapes of the cost estimator, without a login.

A shape's price is the rate of the part number that it is billed under, times its GPUs (metric `GPU
Per Hour`, CPU and memory included) or its OCPUs (`OCPU Per Hour`). Oracle has one price in all
commercial regions and states nowhere which shape stands in which: each known region carries it.
The part number binds the two, never a name: `NVIDIA AI Enterprise` licences and appliances on a
customer's own floor have the same metric and nearly the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT, InstanceType
from gpuadvisor.refresh.interface import (
    SHAPES,
    Context,
    Feed,
    Fetched,
    Missing,
    Permission,
    Puzzle,
    Scope,
    SeenPrice,
    SeenType,
    Task,
    Wanted,
)
from gpuadvisor.refresh.public_feeds import checked_parts, checked_regions, stated_day

PROVIDER = "oci"
PRICES = "https://apexapps.oracle.com"
ESTIMATOR = "https://www.oracle.com"
PRICES_PATH = "/pls/apex/cetools/api/v1/products/"
SHAPES_PATH = "/a/ocom/docs/cloudestimator2/data/shapes.json"
CURRENCY = "USD"
PREEMPTIBLE = Decimal("0.5")
"""Preemptible capacity costs half (Oracle documentation, Preemptible Instances: billing)."""
PUBLIC = frozenset({"Compute - GPU", "Compute - GPU - Other"})
"""Service categories that are rented in Oracle's regions."""
_SHAPE = re.compile(
    r"(?P<name>(?P<family>(?:BM|VM)\.GPU\d?(?:\.[A-Za-z0-9-]+)?)\.\d+)(?:\s*\(.*\))?"
)
_MODEL = re.compile(r"(?:BM|VM)\.GPU(?:\.(?P<model>[A-Za-z0-9]+))?")
_SUPERCHIP = re.compile(r"G[BH]\d{3}")
"""Grace hosts are Arm, whatever `processorType` says; there an OCPU is one vCPU."""


class Billed(NamedTuple):
    """A GPU shape as the estimator has it: its GPUs and what it is billed under."""

    name: str
    family: str
    gpus: int
    part: str
    ocpus: int | None
    host_memory_gib: float | None
    preemptible: bool


def permissions() -> Sequence[Permission]:
    """Both lists are public."""
    return ()


def plan(wanted: Wanted, context: Context) -> Sequence[Task]:
    """Two lists of all regions."""
    checked_regions(PROVIDER, wanted, context)
    checked_parts(PROVIDER, wanted, (SHAPES, ON_DEMAND, SPOT))
    return (Task("prices", "", "prices"), Task(SHAPES, "", SHAPES))


def fetch(task: Task, wanted: Wanted, context: Context) -> Fetched:
    """Read one list as it is; `combine` joins them."""
    if task.key == SHAPES:
        root = context.endpoints.get("oci_estimator", ESTIMATOR).rstrip("/")
        body = context.transport.json(root + SHAPES_PATH)
        return Fetched(raw={"items": _items(body, "www.oracle.com" + SHAPES_PATH)})
    root = context.endpoints.get("oci_prices", PRICES).rstrip("/")
    body = context.transport.json(root + PRICES_PATH, parameters={"currencyCode": CURRENCY})
    items = _items(body, "apexapps.oracle.com" + PRICES_PATH)
    kept = [item for item in items if str(item.get("serviceCategory", "")).startswith("Compute")]
    return Fetched(
        raw={
            "items": kept,
            "day": stated_day(body.get("lastUpdated"), context.today).isoformat(),
            "regions": list(checked_regions(PROVIDER, wanted, context)),
            "parts": sorted(wanted.parts),
        }
    )


def combine(results: Mapping[str, Fetched], context: Context) -> Fetched:
    """Shapes x rates. Without either list there is no price: Missing."""
    if SHAPES not in results or "prices" not in results:
        raise Missing(message("refresh.half_read", provider=PROVIDER))
    raw = results["prices"].raw
    wanted = Wanted((), frozenset(raw["parts"]))
    feed = Feed(
        "oci-price-list",
        "Oracle price list, pay as you go, rate times the GPUs of the shape",
        f"{PRICES}{PRICES_PATH}?currencyCode={CURRENCY}",
        stated_day(raw["day"], context.today),
        "",
    )
    shape_feed = Feed(
        "oci-estimator-shapes",
        "Shapes of Oracle's cost estimator",
        ESTIMATOR + SHAPES_PATH,
        context.today,
        "",
    )
    puzzles: list[Puzzle] = []
    billed = list(_billed(results[SHAPES].raw["items"], puzzles))
    rates = _rates(raw["items"], {b.part for b in billed}, puzzles)
    prices: list[SeenPrice] = []
    unread = []
    for shape in billed:
        price = _price(shape, rates, puzzles)
        if price is None:
            unread.append(shape.name)
        else:
            prices += _everywhere(shape, price, raw["regions"], wanted, feed.id)
    types = [_seen_type(shape, context, shape_feed.id) for shape in billed]
    options = [o for o in (ON_DEMAND, SPOT) if wanted.asks(o) and prices]
    return Fetched(
        (feed, shape_feed),
        tuple(t for t in types if wanted.asks(SHAPES)),
        tuple(prices),
        tuple(Scope(r, option, tuple(unread)) for r in raw["regions"] for option in options),
        tuple(puzzles),
    )


def _items(body: Any, address: str) -> list[dict[str, Any]]:
    items = body.get("items") if isinstance(body, dict) else None
    # Both come whole; a first page would take the rest of the shapes away.
    whole = isinstance(body, dict) and not body.get("hasMore")
    if not whole or not isinstance(items, list) or not all(isinstance(i, dict) for i in items):
        raise Missing(message("refresh.other_form", address=address))
    return items


def _billed(items: Sequence[Mapping[str, Any]], puzzles: list[Puzzle]) -> Iterator[Billed]:
    """GPU shapes that are sold; names lose what is there for show (`BM.GPU.GB200.4 (NVL72)`)."""
    for item in items:
        label = str(item.get("name", "")).strip()
        if _value(item.get("subType")) != "gpu" or item.get("hidden"):
            continue
        if item.get("status") != "ACTIVE":
            continue
        match = _SHAPE.fullmatch(label)
        gpus = _whole(item.get("gpuQty"))
        products = item.get("products")
        billed = [
            p
            for p in (products if isinstance(products, list) else ())
            if isinstance(p, dict) and _value(p.get("type")) == "ocpu" and p.get("partNumber")
        ]
        if match is None or not gpus or len(billed) != 1:
            puzzles.append(Puzzle("family", label, "shapes.json", f"gpuQty {item.get('gpuQty')}"))
            continue
        memory = item.get("bundleMemoryQty")
        yield Billed(
            match["name"],
            match["family"],
            gpus,
            str(billed[0]["partNumber"]),
            _whole(billed[0].get("qty")),
            float(memory) if isinstance(memory, int | Decimal) and memory > 0 else None,
            item.get("allowPreemptible") is True,
        )


def _value(entry: Any) -> str:
    return str(entry.get("value", "")).lower() if isinstance(entry, dict) else ""


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return int(value) if value > 0 and value == int(value) else None


def _rates(
    items: Sequence[Mapping[str, Any]], wanted: set[str], puzzles: list[Puzzle]
) -> dict[str, tuple[str, Decimal]]:
    """Part number -> (metric, rate). GPU rates that no shape is billed under are told."""
    found: dict[str, tuple[str, Decimal]] = {}
    for item in items:
        part, name = str(item.get("partNumber", "")), str(item.get("displayName", ""))
        metric, category = str(item.get("metricName", "")), str(item.get("serviceCategory", ""))
        if part not in wanted:
            licence = "NVIDIA AI Enterprise" in name
            if metric == "GPU Per Hour" and category in PUBLIC and not licence:
                puzzles.append(Puzzle("sku", part, "", name))
            continue
        if category not in PUBLIC:
            puzzles.append(Puzzle("sku", part, category, name))
            continue
        values = list(_values(item))
        if len(values) != 1 or part in found:
            puzzles.append(Puzzle("price", part, "", f"{name}: {len(values)}"))
            found.pop(part, None)
            continue
        found[part] = (metric, values[0])
    return found


def _values(item: Mapping[str, Any]) -> Iterator[Decimal]:
    """Pay-as-you-go prices in USD above zero; the list answers in all currencies at times."""
    places = item.get("currencyCodeLocalizations")
    for place in places if isinstance(places, list) else ():
        if not isinstance(place, dict) or place.get("currencyCode") != CURRENCY:
            continue
        listed = place.get("prices")
        for price in listed if isinstance(listed, list) else ():
            if not isinstance(price, dict) or price.get("model") != "PAY_AS_YOU_GO":
                continue
            value = price.get("value")
            if isinstance(value, int | Decimal) and not isinstance(value, bool) and value > 0:
                yield Decimal(value)


def _price(
    shape: Billed, rates: Mapping[str, tuple[str, Decimal]], puzzles: list[Puzzle]
) -> Decimal | None:
    metric, rate = rates.get(shape.part, ("", Decimal(0)))
    if metric == "GPU Per Hour":
        return rate * shape.gpus
    if metric == "OCPU Per Hour" and shape.ocpus:
        return rate * shape.ocpus
    puzzles.append(Puzzle("price", shape.name, "", f"{shape.part} {metric or '-'}"))
    return None


def _everywhere(
    shape: Billed, price: Decimal, regions: Sequence[str], wanted: Wanted, feed: str
) -> Iterator[SeenPrice]:
    half = price * PREEMPTIBLE
    for region in regions:
        if wanted.asks(ON_DEMAND):
            yield SeenPrice(shape.name, region, ON_DEMAND, None, None, None, price, CURRENCY, feed)
        if shape.preemptible and wanted.asks(SPOT):
            yield SeenPrice(
                shape.name, region, SPOT, None, None, None, half, CURRENCY, feed, half, "list"
            )


def _seen_type(shape: Billed, context: Context, feed: str) -> SeenType:
    """Of a known shape only the GPUs are taken: the estimator's figures of the newer hosts are
    wrong or missing (128 OCPU for the 144 cores of BM.GPU.GB200.4)."""
    known = context.catalog.instance_types().get((PROVIDER, shape.name))
    sold = (ON_DEMAND, SPOT) if shape.preemptible else (ON_DEMAND,)
    if known is not None:
        return _as_known(known, shape, sold, feed)
    model = _MODEL.match(shape.family)
    named = model["model"] if model and model["model"] else shape.family
    device = context.catalog.device_name(named) or named
    nominal = context.catalog.devices().get(device)
    memory = 0.0 if nominal is None else nominal.memory_gib
    arm = bool(_SUPERCHIP.search(shape.name))
    vcpus = None if shape.ocpus is None else shape.ocpus * (1 if arm else 2)
    return SeenType(
        shape.name, shape.family, device, shape.gpus, None, memory, vcpus,
        shape.host_memory_gib, None, None, None, None, "arm64" if arm else "x86_64", sold, feed,
    )  # fmt: skip


def _as_known(known: InstanceType, shape: Billed, sold: tuple[str, ...], feed: str) -> SeenType:
    return SeenType(
        shape.name, known.family, known.device, shape.gpus, None, known.memory_gib, None, None,
        None, None, None, None, known.arch, sold, feed,
    )  # fmt: skip
