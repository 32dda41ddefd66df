"""Is a type an accelerator type? The catalog decides; names only where it does not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpuadvisor.iac.fieldmap import FieldMap
from gpuadvisor.iac.interface import IsAccelerator


class Verdict(NamedTuple):
    """`listed` is False where the answer comes from the look of the name."""

    accelerated: bool
    listed: bool


class Accelerators:
    """Asks the caller's catalog once per type."""

    def __init__(self, fields: FieldMap, ask: IsAccelerator) -> None:
        self._fields = fields
        self._ask = ask
        self._known: dict[tuple[str, str], Verdict] = {}

    def verdict(self, provider: str, name: str) -> Verdict:
        """The verdict on a type, or on a pattern of types such as `g5.*` or `p4*`."""
        key = (provider, name)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._decide(provider, name)
        return found

    def _decide(self, provider: str, name: str) -> Verdict:
        if "*" not in name:
            answer = self._ask(provider, name)
            if answer is not None:
                return Verdict(answer, True)
        families = self._fields.provider(provider).families
        stem = name.partition("*")[0].casefold()
        looks = bool(stem and families and families.search(stem))
        return Verdict(looks, "*" in name and looks)


_WISHES = (
    "accelerator_count_min",
    "accelerator_manufacturers",
    "accelerator_names",
    "accelerator_types",
    "accelerator_total_memory_mib_min",
)


def wants_accelerator(requirements: Mapping[str, Any]) -> bool:
    """Does an attribute-based choice ask for accelerators.

    `accelerator_count.max = 0` is AWS's way to exclude them; without any accelerator attribute a
    group may in principle be given one, but AWS's price protection keeps it from being chosen.
    """
    if requirements.get("accelerator_count_max") == 0:
        return False
    return any(requirements.get(wish) for wish in _WISHES)
