"""Work that asks for devices: billed by nodes of the same check, priced on known nodes, or open.

Workloads are demand and node pools supply; one side is priced, never both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.advice.places import DEFAULT_TIERS
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND, InstanceType
from gpuadvisor.check.candidate import ZERO
from gpuadvisor.check.costing import NOTHING, Coster
from gpuadvisor.check.describe import described
from gpuadvisor.check.interface import COVERED, UNKNOWN, UNPRICED, Cost, Described, Issue
from gpuadvisor.check.match import TypeIndex
from gpuadvisor.check.policy import DOES_NOT_FIT, Nodes
from gpuadvisor.check.rates import Rates
from gpuadvisor.cost.money import format_money, format_price
from gpuadvisor.iac.interface import (
    SUPPLY,
    UNKNOWN_PURCHASE,
    Candidate,
    Count,
    Finding,
    Resource,
)

_CLOUD_LABELS = (
    ("cloud.google.com/", "gcp"),
    ("karpenter.k8s.aws/", "aws"),
    ("eks.amazonaws.com/", "aws"),
    ("karpenter.azure.com/", "azure"),
    ("kubernetes.azure.com/", "azure"),
)


class Placed(NamedTuple):
    """One side of a demand: its cost, and the nodes it was priced on."""

    cost: Cost
    what: Described | None
    counts: Count
    purchase: str
    region: str | None


class Demands:
    """Prices demand against the supply of the same check and the nodes that were declared."""

    def __init__(
        self,
        index: TypeIndex,
        rates: Rates,
        coster: Coster,
        nodes: Sequence[Nodes],
        findings: Iterable[Finding],
        words: Mapping[str, Mapping[str, Any]],
        hours: float,
    ) -> None:
        self.index, self.rates, self.coster, self.nodes = index, rates, coster, nodes
        self.words, self.hours = words, hours
        self._supply, self._pools = _supply(findings, index)
        self._fitting: dict[object, tuple[Decimal, Decimal, int] | None] = {}

    def cost(self, resource: Resource) -> Placed:
        """The cost of a side; COVERED where nodes of this check already bill for it."""
        if not resource.certain:
            return self._open(resource, UNKNOWN, ())
        hosts = self._devices(resource)
        if self._supply and (hosts is None or hosts & self._supply):
            reason = message("check.on_supply")
            cost = Cost(COVERED, ZERO, ZERO, ZERO, ZERO, resource.counts, None, (), (reason,))
            return Placed(cost, None, resource.counts, resource.purchase, resource.region)
        if resource.counts.max == 0:
            return self._open(resource, UNPRICED, ())
        if resource.devices_per_node is None or resource.counts.planned is None:
            return self._open(resource, UNKNOWN, ())
        pooled = self._pooled(resource, hosts)
        if pooled is not None:
            return pooled
        issues: list[Issue] = []
        for kind, node in self._candidates(resource, hosts):
            per_node = self._pods_per_node(resource, kind)
            if per_node:
                return self._on(resource, kind, node, per_node)
            if node is None or node.labels:
                issues.append(
                    Issue(
                        DOES_NOT_FIT,
                        message(
                            "check.does_not_fit",
                            devices=resource.devices_per_node,
                            type=kind.name,
                            held=f"{kind.devices:g} x {kind.device}",
                        ),
                    )
                )
        return self._open(resource, UNPRICED, tuple(issues))

    def _pooled(self, resource: Resource, hosts: frozenset[str] | None) -> Placed | None:
        """On a pool that stands at zero and grows when pods ask: the cheapest type it may rent.

        The pool's own limit is the maximum, so the pods add none to it.
        """
        found: list[Placed] = []
        for pool in self._pools:
            for match in self.index.matches(pool):
                kind = match.kind
                if kind is None or not (hosts is None or kind.device in hosts):
                    continue
                per_node = self._pods_per_node(resource, kind)
                if per_node:
                    node = Nodes(kind.name, (), pool.region, pool.purchase)
                    found.append(self._on(resource, kind, node, per_node))
        priced = [p for p in found if p.cost.hourly is not None]
        best = min(priced, key=lambda p: p.cost.hourly or ZERO) if priced else None
        best = best or next(iter(found), None)
        if best is None:
            return None
        reasons = (*best.cost.reasons, message("check.on_pool"))
        return best._replace(cost=best.cost._replace(maximum=ZERO, reasons=reasons))

    def _candidates(
        self, resource: Resource, hosts: frozenset[str] | None
    ) -> Iterable[tuple[InstanceType, Nodes | None]]:
        """The node type the work names itself, else declared nodes whose labels it asks for.

        A type that is both named and declared is the declared provider's, on its terms.
        """
        asked = set(resource.labels)
        declared = [
            (kind, node)
            for node in self.nodes
            if set(node.labels) <= asked
            for kind in self.index.catalog.find_types(node.type)
        ]
        names = [resource.type] if resource.type else [c.type for c in resource.candidates]
        for name in filter(None, names):
            held = [(k, n) for k, n in declared if k.name.casefold() == name.casefold()]
            yield from held or ((kind, None) for kind in self._named(name, resource, hosts))
        for kind, node in declared:
            if hosts is None or kind.device in hosts or node.labels:
                yield kind, node

    def _named(
        self, name: str, resource: Resource, hosts: frozenset[str] | None
    ) -> Iterable[InstanceType]:
        """Types of that name; a machine whose devices are attached is listed with them, such as
        `n1-standard-4+t4x1`."""
        found = self.index.catalog.find_types(name)
        if found or hosts is None:
            return found
        start = name.casefold() + "+"
        return [
            kind
            for kind in self.index.catalog.instance_types().values()
            if kind.name.startswith(start)
            and kind.device in hosts
            and kind.devices == resource.devices_per_node
        ]

    def _pods_per_node(self, resource: Resource, kind: InstanceType) -> int:
        """How many pods a node holds, by whole devices or by slices of them.

        A node with a fraction of a device shows it as one.
        """
        devices = int(kind.devices) or 1
        each = resource.devices_per_node or 0
        if resource.partition is not None:
            profile = resource.partition.replace(".me", "+me")
            slice_ = self.index.catalog.partition(kind.device, profile)
            if slice_ is None:
                return 0
            devices *= slice_.max_per_device
        return devices // each if each else 0

    def _on(
        self, resource: Resource, kind: InstanceType, node: Nodes | None, per_node: int
    ) -> Placed:
        low, planned, high = (
            None if n is None else -(-n // per_node)
            for n in (resource.counts.min, resource.counts.planned, resource.counts.max)
        )
        purchase = resource.purchase
        if purchase == UNKNOWN_PURCHASE:
            purchase = node.purchase if node else ON_DEMAND
        region = resource.region or (node.region if node else None)
        nodes = Resource(
            kind.provider,
            kind.name,
            (Candidate(kind.name),),
            counts=Count(low, planned, high),
            purchase=purchase,
            region=region,
            partition=resource.partition,
        )
        cost = self.coster.cost(nodes)
        reason = message(
            "check.on_nodes", pods=resource.counts.planned, nodes=planned, type=kind.name,
            per_node=per_node,
        )  # fmt: skip
        cost = cost._replace(reasons=(reason, *cost.reasons))
        return Placed(cost, described(nodes, self.index), nodes.counts, purchase, region)

    def _open(self, resource: Resource, status: str, issues: tuple[Issue, ...]) -> Placed:
        """No nodes are known: GPU-hours, and the price range over types that fit."""
        reasons: list[Message] = []
        planned, each = resource.counts.planned, resource.devices_per_node
        cost = Cost(status, None, counts=resource.counts, issues=issues)
        if resource.counts.max == 0 and status == UNPRICED:
            cost = NOTHING._replace(counts=resource.counts)
        elif planned == 0:
            cost = cost._replace(hourly=ZERO, low=ZERO, high=ZERO)
        span = self._range(resource)
        if planned is not None and each is not None and cost.hourly is None:
            devices = planned * each
            reasons.append(
                message("check.device_hours", devices=devices, hours=f"{devices * self.hours:,.0f}")
            )
            if span is not None and resource.partition is None:
                low, high, types = span
                currency = self.rates.market.currency
                cost = cost._replace(low=low * devices, high=high * devices)
                reasons.append(
                    message(
                        "check.fitting_range",
                        types=types,
                        low=format_price(low.quantize(Decimal("0.0001")), currency),
                        high=format_price(high.quantize(Decimal("0.0001")), currency),
                        low_month=format_money(
                            low * devices * Decimal(repr(self.hours)), currency, "month"
                        ),
                        high_month=format_money(
                            high * devices * Decimal(repr(self.hours)), currency, "month"
                        ),
                    )
                )
        if status == UNPRICED and cost.hourly is None:
            reasons.append(message("check.name_nodes"))
        cost = cost._replace(reasons=tuple(reasons))
        return Placed(cost, None, resource.counts, resource.purchase, resource.region)

    def _devices(self, resource: Resource) -> frozenset[str] | None:
        """Devices the work can run on; None where any will do."""
        named = self.index.devices(resource.device)
        if named:
            return frozenset(named)
        word = self.words.get(resource.device or "", {})
        if resource.partition is not None:
            profile = resource.partition.replace(".me", "+me")
            return frozenset(
                p.device for p in self.index.catalog.partitions() if p.profile == profile
            )
        vendor = word.get("vendor")
        if vendor is None:
            return None
        return frozenset(n for n, d in self.index.catalog.devices().items() if d.vendor == vendor)

    def _range(self, resource: Resource) -> tuple[Decimal, Decimal, int] | None:
        """(lowest, highest, number of types): on-demand price of one device an hour."""
        hosts = self._devices(resource)
        cloud = next(
            (
                provider
                for label, _ in resource.labels
                for start, provider in _CLOUD_LABELS
                if label.startswith(start)
            ),
            None,
        )
        key = (hosts, cloud, resource.region, resource.devices_per_node)
        if key not in self._fitting:
            self._fitting[key] = self._span(hosts, cloud, resource)
        return self._fitting[key]

    def _span(
        self, hosts: frozenset[str] | None, cloud: str | None, resource: Resource
    ) -> tuple[Decimal, Decimal, int] | None:
        prices: list[Decimal] = []
        types = 0
        for provider in self.index.catalog.providers().values():
            if provider.tier not in DEFAULT_TIERS or (cloud and provider.name != cloud):
                continue
            place = resource.region or provider.reference_region
            for kind in self.index.of_provider(provider.name):
                if hosts is not None and kind.device not in hosts:
                    continue
                if ON_DEMAND not in kind.sold or kind.devices < (resource.devices_per_node or 1):
                    continue
                table = self.rates.of(kind).get(ON_DEMAND, {})
                chosen = [table[place]] if place is not None and place in table else []
                if place is None or (resource.region is None and not chosen):
                    chosen = list(table.values())
                types += bool(chosen)
                prices.extend(h.priced.price / Decimal(repr(kind.devices)) for h in chosen)
        return (min(prices), max(prices), types) if prices else None


def _supply(
    findings: Iterable[Finding], index: TypeIndex
) -> tuple[frozenset[str], tuple[Resource, ...]]:
    """(devices of machines that this check rents, pools that rent none yet).

    Reservations and services of their own host no pods.
    """
    found: set[str] = set()
    pools: list[Resource] = []
    for finding in findings:
        after = finding.after
        if finding.side != SUPPLY or after is None or after.billing != "instance":
            continue
        if after.counts.planned == 0:
            pools.append(after)
            continue
        found.update(m.kind.device for m in index.matches(after) if m.kind is not None)
        found.update(index.devices(after.device))
    return frozenset(found), tuple(pools)
