"""What can be said about Terraform resources that the field map does not describe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.iac import interface
from gpuadvisor.iac.accelerators import Accelerators
from gpuadvisor.iac.evaluate import Outcome
from gpuadvisor.iac.fieldmap import FieldMap, ResourceMap
from gpuadvisor.iac.interface import Count, Resource
from gpuadvisor.iac.terraform_view import PlanView
from gpuadvisor.iac.view import clean, text

# Keys under which providers that the map does not know keep a machine's size.
_SIZE_KEYS = frozenset(
    [
        "type",
        "instance_type",
        "machine_type",
        "vm_size",
        "size",
        "sku",
        "shape",
        "flavor",
        "flavor_id",
        "flavor_name",
        "plan",
        "node_type",
        "instance_size",
        "instance_class",
        "profile",
        "server_type",
        "platform",
    ]
)

_UNKNOWN = Count(None, None, None)


def guessed(view: PlanView, fields: FieldMap, accelerators: Accelerators) -> Outcome | None:
    """A resource type nobody described that holds the name of a type of the catalog."""
    values = view.values
    if not isinstance(values, dict) or not (keys := values.keys() & _SIZE_KEYS):
        return None
    plugin = str(view.change.get("provider_name", "")).rsplit("/", 1)[-1]
    provider = fields.plugin(plugin)
    for key in sorted(keys):
        name = text(view.get((key,)))
        if name is None or accelerators.verdict(provider, name) != (True, True):
            continue
        resource = Resource(
            provider=provider,
            type=name,
            counts=_UNKNOWN,
            purchase=interface.UNKNOWN_PURCHASE,
            confidence="low",
        )
        return Outcome(None, resource, (message("iac.unmapped_resource", kind=clean(view.kind)),))
    return None


def mentioned(view: PlanView, entry: ResourceMap, accelerators: Accelerators) -> Outcome | None:
    """A body that is not read but names an accelerator type somewhere."""
    for path in entry.documents:
        for name in _texts(view.masked(path)):
            if accelerators.verdict(entry.provider, name).accelerated:
                resource = Resource(
                    provider=entry.provider,
                    type=name,
                    counts=_UNKNOWN,
                    purchase=interface.UNKNOWN_PURCHASE,
                    certain=False,
                    confidence="low",
                )
                return Outcome(None, resource, (message("iac.opaque_body"),))
    return None


def _texts(value: Any) -> Iterator[str]:
    """Every short text in a body; JSON text is opened once."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            if 0 < len(item) < 100:
                yield item
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
