"""What a person wants priced: `g5.xlarge`, `4x g4dn.12xlarge`, `8xA100-80GB`."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import Device, InstanceType
from gpuadvisor.catalog.names import unknown_name
from gpuadvisor.catalog.store import Catalog

MOST = 100_000
"""Instances or devices that one WHAT may ask for."""


class What(NamedTuple):
    """A `number` of instances of a type, or of devices.

    Exactly one of `types` and `devices` holds anything: a type's name may exist at several
    providers, a device's name may be a family. `text` is as written.
    """

    text: str
    number: int
    name: str
    provider: str | None
    types: tuple[InstanceType, ...]
    devices: tuple[Device, ...]


class Provision(NamedTuple):
    """`instances` of a type, of whose devices `used` are asked for (all, if a type was named)."""

    type: InstanceType
    instances: int
    used: float


def read_what(catalog: Catalog, text: str) -> What:
    """Read `[COUNT x] [PROVIDER/]NAME`; the count may also follow, as in `T4:4` or `T4 x4`.

    Raises UsageError with the nearest names for what is neither an instance type nor a device,
    and for a count that is zero or beyond `MOST`.
    """
    plain = " ".join(text.split())
    whole = _named(catalog, text, 1, plain)
    if whole is not None:
        return whole
    count, name = _split_count(plain)
    if not 0 < count <= MOST:
        raise UsageError(message("estimate.bad_count", what=text[:80], most=f"{MOST:,}"))
    found = _named(catalog, text, count, name)
    if found is None:
        raise _unknown(catalog, name)
    return found


def provisions(catalog: Catalog, what: What, providers: Sequence[str]) -> tuple[Provision, ...]:
    """The types that provide it at `providers`, each with the instances it takes.

    For a device: whole devices only (a slice is another thing), and only types that somebody
    can buy. For a named type: that type, bought or not.
    """
    allowed = set(providers) if what.provider is None else {what.provider}
    if what.types:
        return tuple(
            Provision(t, what.number, t.devices * what.number)
            for t in what.types
            if t.provider in allowed
        )
    names = {device.name for device in what.devices}
    return tuple(
        Provision(t, ceil(what.number / t.devices), float(what.number))
        for t in catalog.instance_types().values()
        if t.device in names and t.fraction is None and t.sold and t.provider in allowed
    )


def _split_count(plain: str) -> tuple[int, str]:
    """`4x T4`, `4×T4`, `4*T4`, `4 T4`, `T4 x4`, `T4:4`; one where no count is written."""
    digits = len(plain) - len(plain.lstrip("0123456789"))
    rest = plain[digits:]
    if digits and rest[:1] in ("x", "X", "×", "*", " ") and rest[1:].strip():
        name = rest.lstrip()
        name = name[1:].lstrip() if name[:1] in ("x", "X", "×", "*") else name
        return int(plain[: min(digits, 9)]), name
    head = plain.rstrip("0123456789")
    digits = len(plain) - len(head)
    if digits and head[-1:] in ("x", "X", "×", "*", ":"):
        name = head[:-1].rstrip()
        if name and (head[-1] == ":" or head[-2:-1] == " "):
            return int(plain[-min(digits, 9) :]), name
    return 1, plain


def _named(catalog: Catalog, text: str, number: int, name: str) -> What | None:
    """A bare device's name means the device, even where some provider calls its type so."""
    before, slash, after = name.partition("/")
    provider = before.lower() if slash and before.lower() in catalog.providers() else None
    short = after if provider else name
    device = catalog.device_name(short)
    types = catalog.find_types(name)
    if types and (provider is not None or device is None):
        return What(text, number, types[0].name, provider, types, ())
    if device is None:
        return None
    return What(text, number, device, provider, (), catalog.resolve_device(device))


def _unknown(catalog: Catalog, name: str) -> UsageError:
    known = [t.name for t in catalog.instance_types().values()]
    families = {d.family for d in catalog.devices().values()}
    wanted = name.rpartition("/")[2][:80]
    return UsageError(
        unknown_name("instance type or device", wanted, (*known, *catalog.devices(), *families))
    )
