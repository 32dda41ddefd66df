"""Work that a tool places on a cloud it chooses: wishes in place of types.

SkyPilot and dstack say which devices and how much of a machine are needed, and at most where.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac import interface
from gpuadvisor.iac.interface import (
    ANY_CLOUD,
    DECLARED,
    DEMAND,
    SUPPLY,
    Candidate,
    Count,
    Finding,
    Resource,
)

KUBERNETES = "kubernetes"
_QUANTITY = re.compile(r"(\d{1,9}(?:\.\d{1,6})?) ?([MGT]i?B)?", re.IGNORECASE)
_MIB = {"m": 1, "g": 1024, "t": 1024 * 1024}


class Wish(NamedTuple):
    """One way to serve the work: devices of a model, or an instance type by name."""

    provider: str = ANY_CLOUD
    type: str | None = None
    device: str | None = None
    low: int | None = None
    high: int | None = None
    needs: Mapping[str, Any] = {}
    purchase: str = "on_demand"
    region: str | None = None
    zone: str | None = None

    def candidate(self) -> Candidate:
        """As an attribute-based choice; a range of devices is bounded on both sides."""
        if self.type is not None:
            return Candidate(self.type)
        found: dict[str, Any] = dict(self.needs)
        if self.device is not None:
            found["accelerator_names"] = [self.device]
        found["accelerator_count_min"] = max(1, self.low or 1)
        if self.high is not None:
            found["accelerator_count_max"] = self.high
        return Candidate(None, 1, found)


def finding(
    address: str,
    file: str,
    line: int | None,
    kind: str,
    wishes: list[Wish],
    counts: Count,
    reasons: Iterable[Message],
    region: str | None = None,
) -> Finding:
    """The work as one finding. On Kubernetes it is demand, on a cloud it rents machines."""
    said = list(reasons)
    providers = list(dict.fromkeys(w.provider for w in wishes))
    provider = providers[0] if len(providers) == 1 else ANY_CLOUD
    if provider == ANY_CLOUD:
        named = [p for p in providers if p != ANY_CLOUD]
        several = len(named) == len(providers)
        said.append(
            message("iac.clouds", names=", ".join(named)) if several else message("iac.any_cloud")
        )
    options = list(dict.fromkeys(w.purchase for w in wishes))
    purchase = options[0] if len(options) == 1 else interface.UNKNOWN_PURCHASE
    if len(options) > 1:
        said.append(message("iac.terms_open", terms=", ".join(options)))
    places = {w.region for w in wishes}
    own = places.pop() if len(places) == 1 else None
    if own is None and region is None and provider not in (ANY_CLOUD, KUBERNETES):
        said.append(message("iac.region_unknown"))
    zones = {w.zone for w in wishes}
    zone = zones.pop() if len(zones) == 1 else None
    first = wishes[0]
    demand = provider == KUBERNETES
    single = len(wishes) == 1 and first.type is not None
    devices = {w.device for w in wishes}
    each = {(w.low, w.high) for w in wishes}
    low, high = each.pop() if len(each) == 1 else (None, 0)
    resource = Resource(
        provider=provider,
        type=first.type if single else None,
        candidates=() if single or demand else tuple(w.candidate() for w in wishes),
        device=devices.pop() if len(devices) == 1 else None,
        devices_per_node=low if low == high else None,
        counts=counts._replace(unit="pods" if demand else "nodes"),
        purchase=interface.UNKNOWN_PURCHASE if demand else purchase,
        region=own or region,
        region_evidence="field:region" if own else ("user" if region else None),
        zones=(zone,) if zone else (),
        billing="pod" if demand else "instance",
        confidence="medium",
    )
    side = DEMAND if demand else SUPPLY
    return Finding(address, file, line, kind, DECLARED, provider, side, None, resource, tuple(said))


def mib(text: str) -> int | None:
    """`24GB`, `24`, `1.5TB` in MiB; a bare number counts GB, as both tools do."""
    found = _QUANTITY.fullmatch(text.strip())
    if found is None:
        return None
    return int(float(found.group(1)) * _MIB[(found.group(2) or "g")[0].casefold()])
