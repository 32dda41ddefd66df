"""Where a new name goes among names that stand in an order of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gpuadvisor.catalog.model import InstanceType

_SizeKey = list[int | str]


def size_key(name: str) -> _SizeKey:
    """Sort key with numbers as numbers: `g5.xlarge`, `g5.2xlarge`, `g5.12xlarge`, `g5.metal`."""
    spelled = re.sub(r"(?<![0-9])(?=xlarge)", "1", name)
    return [int(p) if p.isdigit() else p for p in re.split(r"([0-9]+)", spelled)]


def placed(names: list[str], more: Iterable[str], types: Mapping[str, InstanceType]) -> list[str]:
    """`names` in their order, with those of `more` that are new put among their family."""
    found = list(names)
    for name in sorted(set(more) - set(names), key=size_key):
        found.insert(place(found, name, {n: t.family for n, t in types.items()}), name)
    return found


def place(names: list[str], name: str, families: Mapping[str, str]) -> int:
    """The index at which `name` goes in: by size within its family, else by its name."""
    own = families.get(name)
    relatives = [i for i, n in enumerate(names) if own is not None and families.get(n) == own]
    smaller = [i for i in relatives if size_key(names[i]) <= size_key(name)]
    if smaller:
        return smaller[-1] + 1
    if relatives:
        return relatives[0]
    return next((i for i, n in enumerate(names) if size_key(n) > size_key(name)), len(names))
