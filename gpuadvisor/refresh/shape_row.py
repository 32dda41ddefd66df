"""A row of `shapes.yaml` as text, and why a type cannot be one.

What a cloud says is not trusted to be of the right type: one broken answer becomes a question, and
neither ends the refresh nor gets into a file.
"""

from __future__ import annotations

import math
import re

from pydantic import ValidationError

from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.catalog.schema_shapes import Shape
from gpuadvisor.refresh.interface import SeenType

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}", re.ASCII)
"""Names of instance types of all clouds so far, with room."""
_TEXTS = ("family", "device", "arch", "feed")
_OPEN_TEXTS = ("fraction", "rdma", "interconnect")
_OPEN_NUMBERS = ("devices", "memory_gib", "vcpus", "host_memory_gib", "network_gbps",
                 "local_disk_gb")  # fmt: skip


def untyped(seen: SeenType) -> str:
    """The fields that are not what `SeenType` says, as text; empty where all are."""
    wrong = [name for name in _TEXTS if not isinstance(getattr(seen, name), str)]
    wrong += [name for name in _OPEN_TEXTS if not isinstance(getattr(seen, name), str | None)]
    wrong += [name for name in _OPEN_NUMBERS if not _is_number(getattr(seen, name))]
    if not isinstance(seen.name, str) or not _NAME.fullmatch(seen.name):
        wrong.insert(0, "name")
    return ", ".join(f"{name} {getattr(seen, name)!r}" for name in wrong)


def _is_number(value: object) -> bool:
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def refused(item: InstanceType) -> str:
    """What the catalog's schema would refuse the row for; empty where it would not."""
    try:
        Shape.model_validate(row_fields(item, "-"))
    except ValidationError as error:
        places = (".".join(str(part) for part in one["loc"][:1]) for one in error.errors())
        return ", ".join(f"{name} {getattr(item, name, None)}" for name in dict.fromkeys(places))
    return ""


def row_fields(item: InstanceType, source: str) -> dict[str, str | list[str]]:
    """The keys of the row with their values as text; unknown ones are left out."""
    whole = item.fraction is None
    fields: dict[str, str | list[str] | None] = {
        "family": item.family,
        "device": item.device,
        "devices": f"{item.devices:g}" if whole else None,
        "fraction": item.fraction,
        "memory_gib": f"{item.memory_gib:g}",
        "vcpus": _number(item.vcpus),
        "host_memory_gib": _number(item.host_memory_gib),
        "network_gbps": _number(item.network_gbps),
        "rdma": item.rdma,
        "interconnect": item.interconnect,
        "local_disk_gb": _number(item.local_disk_gb),
        "arch": item.arch,
        "sold": list(item.sold),
        "status": item.status,
        "retired_on": item.retired_on,
        "price_scope": None if item.price_scope == "instance" else item.price_scope,
        "quota": item.quota,
        "source": source,
        "notes": item.notes,
    }
    return {key: value for key, value in fields.items() if value is not None}


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.10g}"
