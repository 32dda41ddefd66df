"""One group of machines of one resource -> a `Resource`, by the field map."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac import counting
from gpuadvisor.iac.accelerators import Accelerators, wants_accelerator
from gpuadvisor.iac.fieldmap import FieldMap, Part, Path
from gpuadvisor.iac.interface import (
    UNKNOWN_PURCHASE,
    Count,
    Resource,
    Split,
)
from gpuadvisor.iac.place import place_of
from gpuadvisor.iac.purchase import option_of, split_of
from gpuadvisor.iac.select import Choice, choose
from gpuadvisor.iac.view import Opaque, View, text, whole

_SLICE = re.compile(r"^(.+)-(\d{1,6})$")


class Room(NamedTuple):
    """What evaluation needs beside the resource itself."""

    fields: FieldMap
    accelerators: Accelerators
    region: str | None = None


class Outcome(NamedTuple):
    """A resource with what was assumed or could not be read. `label` tells groups apart."""

    label: str | None
    resource: Resource
    reasons: tuple[Message, ...]
    borrowed: tuple[str, ...] = ()


def outcomes(
    parts: Sequence[Part], provider: str, view: View, room: Room, scaler: Count | None = None
) -> Iterator[Outcome]:
    """Every accelerator group of a resource, and those that could not be told."""
    for part in parts:
        if part.when and not all(_holds(view, at, wanted) for at, wanted in part.when):
            continue
        if part.each is None:
            found = evaluate(part, provider, view, room, scaler)
            if found is not None:
                yield found
            continue
        blocks = view.blocks(part.each)
        if isinstance(blocks, Opaque):
            resource = Resource(provider, None, certain=False, confidence="low")
            resource = resource._replace(counts=Count(None, None, None))
            yield Outcome(part.each[-1], resource, (message(blocks.why, field=part.each[-1]),))
            continue
        for number, block in enumerate(blocks):
            found = evaluate(part, provider, block, room, scaler)
            if found is not None:
                label = text(block.get(part.label)) if part.label else None
                yield found._replace(label=label or str(number))


def keyed(found: Iterable[Outcome]) -> dict[str, Outcome]:
    """Outcomes by label; a second one of the same label gets a number, so none is lost."""
    by_label: dict[str, Outcome] = {}
    for outcome in found:
        label = outcome.label or ""
        number = 1
        while label in by_label:
            number += 1
            label = f"{outcome.label or ''}:{number}"
        by_label[label] = outcome
    return by_label


def _holds(view: View, at: Path, wanted: bool) -> bool:
    value = view.get(at)
    return (value is True or value == "true") is wanted


def evaluate(
    part: Part, provider: str, view: View, room: Room, scaler: Count | None = None
) -> Outcome | None:
    """The group as a `Resource`; None where it surely has no accelerator."""
    reader = _Reader(part, provider, view, room)
    if not reader.accelerated():
        return None
    return reader.outcome(scaler)


def _is_device(part: Part, name: str) -> bool:
    """Vertex writes `ACCELERATOR_TYPE_UNSPECIFIED` for none; quotas list processors too."""
    if name.endswith("_UNSPECIFIED"):
        return False
    return part.device_pattern is None or part.device_pattern.search(name) is not None


def _product(value: object) -> int | None:
    """A count of devices, or a topology such as `2x2x4`."""
    if isinstance(value, str) and "x" in value:
        sides = [whole(side) for side in value.split("x")[:4]]
        known = [side for side in sides if side is not None]
        return math.prod(known) if len(known) == len(sides) else None
    return whole(value)


class _Reader:
    """Reads one part: first what decides, and only for accelerators the rest."""

    def __init__(self, part: Part, provider: str, view: View, room: Room) -> None:
        self.part, self.provider, self.view, self.room = part, provider, view, room
        self.reasons: list[Message] = []
        self.choice: Choice = choose(part, view, room.fields)
        self.device: str | None = None
        self.devices: int | None = None
        self.attached = False
        self.certain = True
        self.listed = True

    def accelerated(self) -> bool:
        """Decide; sets `device`, `attached` and `certain`."""
        opaque = self._read_device()
        names = self._names()
        verdicts = [self.room.accelerators.verdict(self.provider, name) for name in names]
        hits = [v for v in verdicts if v.accelerated]
        wishes = any(
            c.requirements and wants_accelerator(c.requirements) for c in self.choice.candidates
        )
        if hits or wishes:
            self.listed = all(v.listed for v in hits)
            if len(hits) < len(verdicts):
                self.reasons.append(message("iac.some_candidates_plain", types=", ".join(names)))
            return True
        if self.device is not None:
            self.attached = bool(names)
            return True
        opaque = self.choice.opaque or opaque
        if opaque is None:
            return False
        self.certain = False
        self.reasons.append(message(opaque.why, field=self.choice.field or "accelerator"))
        return True

    def outcome(self, scaler: Count | None) -> Outcome:
        """The whole resource, once it is known to matter."""
        part, view = self.part, self.view
        provider = self.room.fields.provider(self.provider)
        place = place_of(part, view, provider, self.room.fields, self.room.region)
        zones = len(place.zones) if place.zones else None
        count, reasons = counting.count_of(part.counts, view, zones, provider.default_zones, scaler)
        self.reasons.extend(reasons)
        if count == Count(None, None, None, count.unit) and not reasons:
            count = self._lent_count() or count
        if any(c.weight != 1 for c in self.choice.candidates):
            count = count._replace(unit="capacity")
        purchase, split = self._purchase()
        if place.region is None:
            self.reasons.append(message("iac.region_unknown"))
        if place.written is not None:
            self.reasons.append(
                message("iac.region_listed_as", region=place.written, listed=place.region)
            )
        self._check_pairing()
        if self.certain and not self.listed:
            self.reasons.append(message("iac.not_in_catalog", type=", ".join(self._names())))
        candidates = self.choice.candidates
        single = self.choice.type
        self.reasons.extend(self.choice.reasons)
        self.reasons.extend(message(note) for note in part.notes)
        self._read_hints()
        resource = Resource(
            provider=self.provider,
            type=single,
            candidates=candidates,
            device=self.device or self._wished_device(),
            devices_per_node=self.devices,
            attached=self.attached,
            partition=self._text("partition"),
            sharing=self._number("sharing"),
            counts=count,
            purchase=purchase,
            split=split,
            cap=self._cap(),
            region=place.region,
            region_evidence=place.evidence,
            zones=place.zones or (),
            billing=part.billing,
            covered_by=self._covered(),
            certain=self.certain,
            confidence=self._confidence(),
        )
        return Outcome(None, resource, tuple(self.reasons), self.choice.borrowed)

    def _lent_count(self) -> Count | None:
        """A purchase (capacity block) may leave its count to the offer that it takes up."""
        for part, view in self.choice.templates:
            if part.counts.fixed is None:
                return counting.count_of(part.counts, view, None, 1)[0]
        return None

    def _names(self) -> list[str]:
        if self.choice.type is not None:
            return [self.choice.type]
        return [c.type for c in self.choice.candidates if c.type is not None]

    def _sides(self) -> Iterator[tuple[Part, View]]:
        """The resource itself, then the template it borrows from."""
        yield self.part, self.view
        yield from self.choice.templates

    def _read_device(self) -> Opaque | None:
        opaque: Opaque | None = None
        for part, view in self._sides():
            for path in part.device:
                value = view.get(path)
                if isinstance(value, Opaque):
                    opaque = value
                elif (name := text(value)) is not None and _is_device(part, name):
                    self.device = name.rsplit("/", 1)[-1]
                    break
            if self.device is not None:
                self._read_devices(part, view)
                break
        if self.part.devices_in_type and self.choice.type is not None:
            self._read_slice(self.choice.type)
        return opaque if self.device is None else None

    def _read_devices(self, part: Part, view: View) -> None:
        for path in part.devices:
            value = view.get(path)
            if isinstance(value, Opaque):
                self.reasons.append(message(value.why, field=path[-1]))
                return
            if value is not None:
                self.devices = _product(value)
                if self.devices == 0:
                    self.device = self.devices = None
                return
        self.devices = 1

    def _read_slice(self, name: str) -> None:
        """`v5litepod-8` names its chips; older TPU names count cores, two to a chip."""
        found = _SLICE.match(name)
        words = self.room.fields.provider(self.provider).slices
        if found and (known := words.get(found.group(1).casefold())):
            self.device = known["device"]
            self.devices = max(1, int(found.group(2)) // int(known["per_device"]))

    def _purchase(self) -> tuple[str, Split | None]:
        fields = self.part.split
        if fields is not None and self.view.get(fields.at) not in (None, [], {}):
            option, split, reasons = split_of(fields, self.view)
            self.reasons.extend(reasons)
            return option, split
        for part, view in self._sides():
            found = option_of(part, view)
            if isinstance(found, str):
                return found, None
            if found is not None:
                blocked, field = found
                self.reasons.append(message(blocked.why, field=field))
                return UNKNOWN_PURCHASE, None
        return self.part.default_purchase, None

    def _check_pairing(self) -> None:
        device, machine = self.device, self.choice.type
        if device is None or machine is None:
            return
        for pattern, machines in self.room.fields.provider(self.provider).pairing:
            if pattern.search(device.casefold()):
                if not machine.casefold().startswith(tuple(machines)):
                    self.reasons.append(
                        message("iac.impossible_pairing", device=device, machine=machine)
                    )
                return

    def _wished_device(self) -> str | None:
        for candidate in self.choice.candidates:
            names = (candidate.requirements or {}).get("accelerator_names")
            if isinstance(names, list) and len(names) == 1:
                return str(names[0])
        return None

    def _text(self, name: str) -> str | None:
        for part, view in self._sides():
            paths: tuple[Path, ...] = getattr(part, name)
            for path in paths:
                words = text(view.get(path))
                if words is not None:
                    return words
        return None

    def _read_hints(self) -> None:
        for part, view in self._sides():
            for at, note, values in part.hints:
                value = view.get(at)
                words = "true" if value is True else (text(value) or "").casefold()
                if words in values or (not values and value not in (None, "", False, [], {})):
                    self.reasons.append(message(note))

    def _cap(self) -> str | None:
        """A bid; a negative one is Azure's way to say "up to the on-demand price"."""
        words = self._text("cap")
        return None if words is not None and words.startswith("-") else words

    def _number(self, name: str) -> int | None:
        return whole(self._text(name))

    def _covered(self) -> str | None:
        for part, view in self._sides():
            for reference in part.reservation:
                held = view.follow(reference)
                if len(held) == 1:
                    self.reasons.append(
                        message("iac.covered_by_reservation", address=held[0].address)
                    )
                    return held[0].address
                if view.refers(reference):
                    self.reasons.append(message("iac.reservation_elsewhere"))
        return None

    def _confidence(self) -> str:
        if not self.certain or not self.listed:
            return "low"
        assumed = {"iac.zones_assumed", "iac.several_templates", "iac.some_candidates_plain"}
        return "medium" if any(r.id in assumed for r in self.reasons) else "high"
