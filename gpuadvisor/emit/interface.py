"""What crosses the border of this room: a plan of machines in, the text of one file out."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple, Protocol

from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.emit.comments import Say

EVERYWHERE = "global"
"""A provider's only region, which has no name of its own."""

Blank = tuple[str, Message]
"""What the reader must fill in: its name in the file, and what it is."""


class Fallback(NamedTuple):
    """Another type with the same devices, never cheaper on spot; `price` is per hour in the
    currency that its offers are listed in."""

    type: str
    price: Decimal
    currency: str


class Checkpoint(NamedTuple):
    """What a run writes to a bucket. `gb` is the size of one and `minutes` the work between two;
    None where neither the request nor the sizing tells."""

    gb: float | None
    minutes: int | None


class Plan(NamedTuple):
    """The chosen option as machines to create.

    `name` is made of letters, digits and hyphens and safe in every target. `instances` of `type`
    are asked for on the terms `purchase`; a commitment (`committed`) is bought apart, its machines
    are on demand. `slices` of `partition` are cut from each device.
    A `gang` works as one: it needs all its nodes near each other. What `ends` is a run, else it
    serves for good. Disks are in GB of 1e9 bytes: the boot disk, and one more for data.
    `why` and `made_by` are what the head of a file says of the choice, as messages and commands.
    """

    name: str
    provider: str
    region: str
    type: InstanceType
    device: Device
    instances: int
    purchase: str
    committed: bool
    partition: str | None
    slices: int
    gang: bool
    ends: bool
    fallbacks: tuple[Fallback, ...]
    checkpoint: Checkpoint | None
    boot_gb: int
    data_gb: int | None
    why: tuple[Message, ...]
    made_by: tuple[Message | str, ...]
    check_flags: tuple[str, ...]

    @property
    def types(self) -> tuple[str, ...]:
        """The chosen type and what may stand in for it."""
        return (self.type.name, *(fallback.type for fallback in self.fallbacks))

    @property
    def devices(self) -> int:
        """Devices that one machine shows to its system; a fraction shows as one."""
        return max(1, round(self.type.devices))


class Emitter(Protocol):
    """One form of hand-over. Modules of this room satisfy it."""

    FILE: str
    """What the file is called where nobody says otherwise."""

    def text(self, plan: Plan, say: Say, file: str = ...) -> str:
        """The whole file, which will be called `file`.

        RefusedError where this form cannot say what the plan asks for.
        """


def provided(plan: Plan, form: str, clouds: Iterable[str], terms: Iterable[str]) -> None:
    """Raises RefusedError where a form has no way to name the cloud or to ask for the terms."""
    known = tuple(clouds)
    if plan.provider not in known:
        listed = ", ".join(known)
        raise RefusedError(
            message("emit.provider", form=form, provider=plan.provider, known=listed)
        )
    if plan.purchase not in terms:
        asked = message(f"recommend.terms_{plan.purchase}")
        raise RefusedError(message("emit.terms", form=form, terms=asked))
