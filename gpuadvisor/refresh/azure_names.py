"""What Azure calls its sizes, and which of its figures cannot be taken as they stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from gpuadvisor.catalog.model import InstanceType
from gpuadvisor.refresh.interface import Context

PREFIX = "Standard_N"
"""Every GPU size begins so; no field says that a size has one."""
_NO_GPU = re.compile(r"Standard_NP\d|.*_Promo$")
"""NP are FPGAs; promotional names belong to retired sizes."""
_SPELLINGS = {"Standard_ND96asr_A100_v4": "Standard_ND96asr_v4"}
"""Names of the price list for a size that the Compute API names otherwise."""
_UNCOUNTED = re.compile(r"Standard_(?:NV|NG)\w*|\w*_A10_v4|\w*_RTXPRO6000BSE_v6")
"""Sizes of which the API's GPU count is not the share that they get: it says 1 for a sixth of an
A10 and 1 for each NC A10 v4."""


def is_gpu_name(name: str) -> bool:
    """Whether a size is one of those that carry GPUs, by its name."""
    return name.startswith(PREFIX) and not _NO_GPU.match(name)


def is_counted(name: str) -> bool:
    """Whether the capability `GPUs` counts whole devices for this size."""
    return not _UNCOUNTED.fullmatch(name)


def canonical(name: object, known: Collection[str]) -> str:
    """The catalog's name of a size; empty where the price list names none.

    Spaces trail some names, and some have lost their `_v1`.
    """
    text = name.strip() if isinstance(name, str) else ""
    text = _SPELLINGS.get(text, text)
    return f"{text}_v1" if text not in known and f"{text}_v1" in known else text


def known_types(context: Context) -> Mapping[str, InstanceType]:
    """The catalog's Azure sizes by name."""
    types = context.catalog.instance_types()
    return {name: t for (provider, name), t in types.items() if provider == "azure"}
