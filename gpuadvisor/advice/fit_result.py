"""What `fit` answers, as values. Memory is in GiB of one device."""

from typing import NamedTuple

from gpuadvisor.advice.fit_request import FitRequest
from gpuadvisor.catalog.message import Message
from gpuadvisor.performance.memory import Need
from gpuadvisor.performance.shape import ModelShape


class Row(NamedTuple):
    """`number` of devices, or one `partition` of a device, that hold the model.

    `usable_gib` is one device's, `headroom_gib` what of it stays free below the utilisation.
    `max_cached_tokens` counts over all devices, None where nothing is cached; `max_batch` is at
    the asked context and `max_context` at the asked batch, None where neither is bounded by
    memory or known. `native` says that the device computes in the asked precision; `rented`
    names the smallest instance type with so many devices; a card holds `held` such slices.
    """

    device: str
    partition: str | None
    number: int
    usable_gib: float
    measured: bool
    need: Need
    headroom_gib: float
    max_cached_tokens: int | None
    max_batch: int | None
    max_context: int | None
    native: bool
    rented: str | None
    held: int | None


class Change(NamedTuple):
    """A way to need less: what one device saves, what it needs then, the smallest that fits."""

    change: str
    text: Message
    saves_gib: float
    total_gib: float
    fits_on: str | None


class Fit(NamedTuple):
    """The whole answer. `need` is that of the smallest number of devices that fits, else of one
    device; `short_of` names the largest device considered where nothing fits."""

    request: FitRequest
    shape: ModelShape
    title: str
    context: int
    precision: str
    checkpointing: str
    need: Need
    need_devices: int
    kv_bytes_per_token: float | None
    rows: tuple[Row, ...]
    considered: int
    changes: tuple[Change, ...]
    assumptions: tuple[Message, ...]
    warnings: tuple[Message, ...]
    today: str

    @property
    def feasible(self) -> bool:
        """Whether it fits anywhere among the devices considered."""
        return bool(self.rows)
