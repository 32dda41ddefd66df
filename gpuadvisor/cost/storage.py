"""The rest of the bill: disks, object and file storage, reading cold data, internet egress.

Amounts are decimal GB (1e9 bytes) a month; prices are the catalog's, in USD.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.cost.money import scale

TIERS = ("hot", "cool", "cold", "archive")
"""Object storage from dear to keep and cheap to read to the opposite."""

KINDS = {"disk": "disk", "shared": "file", "snapshot": "snapshot", "egress": "egress"}
RETRIEVE = "retrieve"
WORDS = (*TIERS, *KINDS, RETRIEVE)
"""What `--storage` may name. `retrieve` is read a month from all that is not hot."""

_UNITS = {"gb": 1.0, "tb": 1e3, "pb": 1e6, "gib": 2**30 / 1e9, "tib": 2**40 / 1e9}
MOST_GB = 1e9
GIB = 2**30 / 1e9
HOURS_PER_MONTH = 730


class Want(NamedTuple):
    """An amount of one kind of storage or traffic, GB a month."""

    word: str
    gb: float


class Line(NamedTuple):
    """One line of the bill in USD a month. `monthly` is None where no price is known.

    `product` names what is priced, `note` says what was assumed.
    """

    word: str
    gb: float
    product: str | None
    monthly: Decimal | None
    source: str | None
    note: Message | None


class StorageBill(NamedTuple):
    """All lines, their sum (None where one is unknown), and the same data kept hot.

    `all_hot` is storage alone; it is None where nothing is kept colder or the price is unknown.
    `kept` is the storage of the object tiers that it compares with, before retrieval.
    """

    lines: tuple[Line, ...]
    monthly: Decimal | None
    kept: Decimal | None
    all_hot: Decimal | None


def read_storage(text: str) -> tuple[Want, ...]:
    """Read `hot=2TB,cold=18TB,retrieve=1TB,disk=200GB`; raises UsageError."""
    found: dict[str, Want] = {}
    for part in text.split(","):
        word, equals, size = (piece.strip().lower() for piece in part.partition("="))
        if not equals or word not in WORDS or word in found:
            raise UsageError(message("storage.word", part=part[:60], words=", ".join(WORDS)))
        found[word] = Want(word, _size(part, size))
    return tuple(found.values())


def _size(part: str, text: str) -> float:
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = text[len(digits) :].strip() or "gb"
    try:
        amount = float(digits) * _UNITS[unit]
    except (ValueError, KeyError):
        amount = -1.0
    if not 0 < amount <= MOST_GB:
        raise UsageError(message("storage.size", part=part[:60]))
    return amount


def storage_bill(
    products: Mapping[str, Mapping[str, Any]], provider: str, region: str, wants: Sequence[Want]
) -> StorageBill:
    """Price every want in a region. `products` are the catalog's `storage` documents.

    A tier that the provider does not price there is kept in the next warmer one, and says so.
    """
    here = {
        name: entry
        for name, entry in products.items()
        if name.startswith(provider + "/") and region in entry["regions"]
    }
    lines: list[Line] = []
    for want in wants:
        if want.word == RETRIEVE:
            lines.extend(_retrieval(here, region, want, wants))
        elif want.word in TIERS:
            lines.append(_object(here, region, want))
        else:
            lines.append(_usual(here, region, want))
    kept, hot = _hot_comparison(here, region, wants, lines)
    return StorageBill(tuple(lines), _sum(line.monthly for line in lines), kept, hot)


def _sum(amounts: Any) -> Decimal | None:
    known = list(amounts)
    if any(amount is None for amount in known):
        return None
    return sum(known, Decimal(0))


def _tier(here: Mapping[str, Mapping[str, Any]], tier: str) -> Mapping[str, Any] | None:
    """The tier's product, else that of the nearest warmer tier."""
    for name in reversed(TIERS[: TIERS.index(tier) + 1]):
        for entry in here.values():
            if entry.get("tier") == name:
                return entry
    return None


def _object(here: Mapping[str, Mapping[str, Any]], region: str, want: Want) -> Line:
    entry = _tier(here, want.word)
    if entry is None:
        return Line(want.word, want.gb, None, None, None, message("storage.unknown"))
    note = None
    if entry["tier"] != want.word:
        note = message("storage.warmer", tier=want.word)
    return _priced(entry, region, want, note)


def _usual(here: Mapping[str, Mapping[str, Any]], region: str, want: Want) -> Line:
    """The product marked as usual for a bare kind, else the only one of its kind."""
    found = [entry for entry in here.values() if entry["kind"] == KINDS[want.word]]
    usual = [entry for entry in found if entry.get("usual")] or (found if len(found) == 1 else [])
    if not usual:
        return Line(want.word, want.gb, None, None, None, message("storage.unknown"))
    return _priced(usual[0], region, want, None)


def _priced(entry: Mapping[str, Any], region: str, want: Want, note: Message | None) -> Line:
    price = entry["regions"][region]
    amount = monthly(price, entry["unit"], want.gb)
    if amount is None:
        note = message("storage.no_size")
    return Line(want.word, want.gb, entry["title"], amount, price["source"], note)


def monthly(price: Mapping[str, Any], unit: str, gb: float) -> Decimal | None:
    """A month's cost of `gb`; None where no listed disk is large enough."""
    if price.get("sizes"):
        return next((_decimal(rate) for size, rate in price["sizes"] if size * GIB >= gb), None)
    amount = gb / GIB if unit in ("gib", "gib_hour") else gb
    rate = _decimal(price["price"])
    if unit == "gib_hour":
        rate *= HOURS_PER_MONTH
    total, start = Decimal(0), 0.0
    for end, step in price.get("tiers") or ():
        total += scale(_decimal(step), max(0.0, min(amount, end) - start))
        start = end
    return total + scale(rate, max(0.0, amount - start))


def _decimal(value: float) -> Decimal:
    return Decimal(repr(value))


def _retrieval(
    here: Mapping[str, Mapping[str, Any]], region: str, want: Want, wants: Sequence[Want]
) -> list[Line]:
    """What reading costs, spread over the tiers that are not hot by what they hold."""
    cold = [w for w in wants if w.word in TIERS[1:]]
    held = sum(w.gb for w in cold)
    if not held:
        return [Line(RETRIEVE, want.gb, None, Decimal(0), None, message("storage.none_cold"))]
    lines = []
    for each in cold:
        entry, gb = _tier(here, each.word), want.gb * each.gb / held
        if entry is None:
            lines.append(Line(RETRIEVE, gb, None, None, None, message("storage.unknown")))
            continue
        price = entry["regions"][region]
        rate = price.get("retrieval_per_gb", entry.get("retrieval_per_gb"))
        amount = None if rate is None else scale(_decimal(rate), gb)
        note = message("storage.no_retrieval") if amount is None else None
        lines.append(Line(RETRIEVE, gb, entry["title"], amount, price["source"], note))
    return lines


def _hot_comparison(
    here: Mapping[str, Mapping[str, Any]],
    region: str,
    wants: Sequence[Want],
    lines: Sequence[Line],
) -> tuple[Decimal | None, Decimal | None]:
    tiers = [w for w in wants if w.word in TIERS]
    hot = next((entry for entry in here.values() if entry.get("tier") == "hot"), None)
    if hot is None or all(w.word == "hot" for w in tiers):
        return None, None
    kept = _sum(line.monthly for line in lines if line.word in TIERS)
    return kept, monthly(hot["regions"][region], hot["unit"], sum(w.gb for w in tiers))
