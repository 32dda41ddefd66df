"""What the clouds say of their instance types against what the catalog says.

Nothing is deleted, and a key that a cloud is silent about stays. A new type needs a device that
the catalog knows; what it takes from a sister of its family (link, quota) no feed states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from gpuadvisor.catalog.model import PURCHASE_OPTIONS, Device, InstanceType
from gpuadvisor.refresh.interface import Puzzle, SeenType
from gpuadvisor.refresh.shape_row import refused, untyped

ROUNDING = 0.01
"""Figures that differ by up to 1 % are the same one, rounded."""
NOMINAL = 0.12
"""A device reports up to 12 % less than its label (ECC, GB for GiB); beyond, it is another one."""
GATED = frozenset({"device", "devices", "memory_gib", "sold"})
"""Fields whose change alters what is recommended: it needs a person's consent."""
_NUMBERS = ("vcpus", "host_memory_gib", "network_gbps", "local_disk_gb")


class ShapeChange(NamedTuple):
    """One type that is new (`before` is None) or differs. `after` is the row to be written;
    `fields` names what differs, with both values as text. `feed` is where it was seen."""

    before: InstanceType | None
    after: InstanceType
    fields: tuple[tuple[str, str, str], ...]
    feed: str

    @property
    def gated(self) -> bool:
        """Whether a count, a device, its memory or how the type is sold changed."""
        return self.before is not None and any(name in GATED for name, _, _ in self.fields)


def shape_changes(
    provider: str,
    seen: Iterable[SeenType],
    priced: Mapping[str, frozenset[str]],
    known: Mapping[str, InstanceType],
    devices: Mapping[str, Device],
) -> tuple[list[ShapeChange], list[Puzzle]]:
    """Changes by type name; `priced` is type -> options that a price was seen of."""
    changes: list[ShapeChange] = []
    puzzles: list[Puzzle] = []
    for one in _merged(_typed(seen, puzzles), puzzles):
        device = devices.get(one.device)
        if device is None:
            puzzles.append(Puzzle("device", one.device or "?", one.name))
            continue
        detail = _doubt(one, device)
        if detail:
            puzzles.append(Puzzle("device", one.device, one.name, detail))
            continue
        before = known.get(one.name)
        if before is None:
            after = _new(provider, one, device, priced.get(one.name, frozenset()), known)
            change = ShapeChange(None, after, (), one.feed)
        else:
            after = _updated(before, one, device)
            change = ShapeChange(before, after, tuple(_differing(before, after)), one.feed)
            if not change.fields:
                continue
        why = refused(after)
        if why:
            puzzles.append(Puzzle("family", one.name, one.family, why))
        else:
            changes.append(change)
    return changes, puzzles


def _typed(seen: Iterable[SeenType], puzzles: list[Puzzle]) -> Iterable[SeenType]:
    """Those whose fields are of the right types; the others are asked about."""
    for one in seen:
        wrong = untyped(one)
        if wrong:
            puzzles.append(Puzzle("family", str(one.name), str(one.family), wrong))
        else:
            yield one


def _merged(seen: Iterable[SeenType], puzzles: list[Puzzle]) -> list[SeenType]:
    """One per name: regions say the same of a type, or one says what another leaves open."""
    found: dict[str, SeenType] = {}
    told: set[str] = set()
    for one in seen:
        first = found.setdefault(one.name, one)
        if first is one:
            continue
        fields = {}
        for name in SeenType._fields:
            old, new = getattr(first, name), getattr(one, name)
            if name in ("feed", "sold"):
                continue
            if old is None and new is not None:
                fields[name] = new
            elif new is not None and old != new and one.name not in told:
                told.add(one.name)
                puzzles.append(Puzzle("family", one.name, "", f"{name}: {old}, {new}"))
        sold = _joined(first.sold, one.sold)
        found[one.name] = first._replace(sold=sold, **fields)
    return [found[name] for name in sorted(found)]


def _joined(a: tuple[str, ...] | None, b: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """A type is sold so where any region sells it so."""
    if a is None or b is None:
        return a or b
    return tuple(o for o in PURCHASE_OPTIONS if o in a or o in b)


def _doubt(one: SeenType, device: Device) -> str:
    """Why a type cannot be written as it was seen; empty where it can."""
    if (one.devices is None) == (one.fraction is None):
        return f"devices {one.devices}, fraction {one.fraction}"
    if one.devices is not None and not 1 <= one.devices <= 64:
        return f"devices {one.devices}"
    if one.fraction is not None:
        try:
            share = Fraction(one.fraction)
        except (ValueError, ZeroDivisionError):
            return f"fraction {one.fraction}"
        if not 0 < share < 1 or one.memory_gib > device.memory_gib:
            return f"fraction {one.fraction}, memory_gib {one.memory_gib:g}"
    elif one.memory_gib and abs(one.memory_gib / device.memory_gib - 1) > NOMINAL:
        return f"memory_gib {one.memory_gib:g}, {device.name} {device.memory_gib:g}"
    if one.arch not in ("x86_64", "arm64"):
        return f"arch {one.arch}"
    return ""


def _new(
    provider: str,
    one: SeenType,
    device: Device,
    priced: frozenset[str],
    known: Mapping[str, InstanceType],
) -> InstanceType:
    sister = next((t for t in known.values() if t.family == one.family), None)
    sold = one.sold if one.sold is not None else tuple(o for o in PURCHASE_OPTIONS if o in priced)
    link, notes = _link(one, sister)
    return InstanceType(
        provider,
        one.name,
        one.family,
        device.name,
        _count(one),
        one.fraction,
        one.memory_gib if one.fraction else device.memory_gib,
        one.vcpus,
        one.host_memory_gib,
        one.network_gbps,
        one.rdma,
        link,
        one.local_disk_gb,
        one.arch,
        sold,
        "active" if sold else "unclear",
        None,
        "instance",
        sister.quota if sister else None,
        one.feed,
        notes,
    )


def _link(one: SeenType, sister: InstanceType | None) -> tuple[str, str | None]:
    """How the devices are joined, and a note where no feed states it."""
    if one.fraction is not None or one.devices == 1:
        return ("other" if one.interconnect == "other" else "none"), None
    if one.interconnect not in (None, "none"):
        return str(one.interconnect), None
    if sister is not None and sister.interconnect != "none":
        return sister.interconnect, f"Interconnect as of {sister.name}; the feed does not state it."
    return "other", "Interconnect not stated."


def _count(one: SeenType) -> float:
    return float(Fraction(one.fraction)) if one.fraction else float(one.devices or 0)


def _updated(before: InstanceType, one: SeenType, device: Device) -> InstanceType:
    """The known type with what was seen; a curated figure stays where it is the same, rounded."""
    fields: dict[str, object] = {}
    if device.name != before.device:
        fields["device"] = device.name
    if abs(_count(one) - before.devices) > 1e-9 or (one.fraction is None) != (
        before.fraction is None
    ):
        fields |= {"devices": _count(one), "fraction": one.fraction}
        alone = one.fraction is not None or one.devices == 1
        if alone != (before.interconnect == "none") and before.interconnect != "other":
            fields["interconnect"] = _link(one, None)[0]
    memory = one.memory_gib if one.fraction else device.memory_gib
    if not _close(memory, before.memory_gib):
        fields["memory_gib"] = memory
    for name in _NUMBERS:
        new, old = getattr(one, name), getattr(before, name)
        if new is not None and not _close(new, old):
            fields[name] = new
    if one.rdma is not None and one.rdma != before.rdma:
        fields["rdma"] = one.rdma
    if one.arch != before.arch:
        fields["arch"] = one.arch
    if one.sold is not None and before.status == "active":
        more = [o for o in PURCHASE_OPTIONS if o in one.sold or o in before.sold]
        if set(more) != set(before.sold):
            fields["sold"] = tuple(more)
    return before._replace(**fields)  # type: ignore[arg-type]


def _close(new: float, old: float | None) -> bool:
    return old is not None and abs(new - old) <= ROUNDING * max(abs(new), abs(old))


def _differing(before: InstanceType, after: InstanceType) -> Iterable[tuple[str, str, str]]:
    for name in InstanceType._fields:
        old, new = getattr(before, name), getattr(after, name)
        if old != new and name != "fraction":
            yield name, _text(before, name), _text(after, name)


def _text(item: InstanceType, name: str) -> str:
    value = getattr(item, name)
    if name == "devices" and item.fraction:
        return item.fraction
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return ", ".join(value)
    return "" if value is None else str(value)
