"""What crosses the border of this room: documents in, findings out. Prices stay outside.

Three kinds of nothing are kept apart. A resource that is *not an accelerator* gives no finding
and is only counted. A finding whose planned count is 0 has *zero instances* now. A resource with
`certain` False *could not be told*: its reasons say what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from gpuadvisor.catalog.message import Message

CREATE = "create"
UPDATE = "update"
REPLACE = "replace"
DELETE = "delete"
NO_OP = "no-op"
FORGET = "forget"
DEFERRED = "deferred"
DECLARED = "declared"
"""The file states what shall be, without a before (manifests, templates)."""

ANY_CLOUD = "any"
"""The provider of work that a tool may place on whichever cloud is cheapest."""

SUPPLY = "supply"
"""Machines that are rented: a price belongs to them."""
DEMAND = "demand"
"""Work that asks for devices on machines that something else rents."""

UNKNOWN_PURCHASE = "unknown"
MIXED = "mixed"
"""Part on demand, part spot, as `Resource.split` says."""

IsAccelerator = Callable[[str, str], "bool | None"]
"""(provider, type) -> has it accelerators; None where the catalog does not know the type."""


class Count(NamedTuple):
    """How many; None is unknown, never zero.

    `unit` says of what: `nodes`, `pods`, `capacity` (divide by a candidate's weight), `vcpus`
    (divide by the type's vCPUs), `devices` or `memory_mib` (an upper bound of a pool).
    """

    min: int | None
    planned: int | None
    max: int | None
    unit: str = "nodes"


class Candidate(NamedTuple):
    """One type a group may rent. `type` may be a pattern (`g5.*`); None needs `requirements`.

    `requirements` are an attribute-based choice (`accelerator_count_min`, `accelerator_names`,
    `vcpu_count_min` …) in place of a type.
    """

    type: str | None
    weight: int = 1
    requirements: Mapping[str, Any] | None = None


class Split(NamedTuple):
    """On demand up to `base`, above it `percent` of the rest, everything else spot."""

    base: int
    percent: float


class Resource(NamedTuple):
    """One side (before or after) of a finding.

    `type` is the instance or machine type as written, None where only `candidates` are known.
    `device` is the accelerator as written, with `devices_per_node` of it (None: the type says).
    `attached` is True where the device is rented apart from the machine (a T4 on an N1).
    `sharing` is how many clients share one device; `partition` a slice as written. `cap` is a
    bid or price cap, which is not a price. `billing` names the price list: `instance`,
    `sagemaker`, `vertex`, `run`, `prepaid`, `pod`. `covered_by` is the address of a reservation
    in the same file that already bills these instances. `labels` are node labels a workload
    asks for. `region` is None where the file has no evidence; `region_evidence` names it.
    """

    provider: str
    type: str | None
    candidates: tuple[Candidate, ...] = ()
    device: str | None = None
    devices_per_node: int | None = None
    attached: bool = False
    partition: str | None = None
    sharing: int | None = None
    counts: Count = Count(1, 1, 1)
    purchase: str = "on_demand"
    split: Split | None = None
    cap: str | None = None
    region: str | None = None
    region_evidence: str | None = None
    zones: tuple[str, ...] = ()
    billing: str = "instance"
    covered_by: str | None = None
    labels: tuple[tuple[str, str], ...] = ()
    certain: bool = True
    confidence: str = "high"


class Finding(NamedTuple):
    """An accelerator resource that a file adds, changes, keeps or removes.

    `before` and `after` are None where there is no accelerator on that side. After a `forget`
    both stand, because the machine is still billed. `kind` is the resource type or manifest
    kind, `line` counts from 1 and is None where the format has no lines.
    """

    address: str
    file: str
    line: int | None
    kind: str
    action: str
    provider: str
    side: str
    before: Resource | None
    after: Resource | None
    reasons: tuple[Message, ...] = ()

    @property
    def resource(self) -> Resource:
        """The side that describes the resource: after, or before once it is gone."""
        chosen = self.after or self.before
        assert chosen is not None, "a finding has at least one side"
        return chosen


class Note(NamedTuple):
    """Something a reader should know that is not a priced resource (a template, a failed plan)."""

    address: str
    message: Message


class Findings(NamedTuple):
    """What one document says. `examined` counts resources, `skipped` those of no accelerator."""

    kind: str
    file: str
    findings: tuple[Finding, ...] = ()
    notes: tuple[Note, ...] = ()
    examined: int = 0
    skipped: int = 0


class Document(NamedTuple):
    """A read and decoded file. `data` holds plain JSON types: the JSON value or the list of YAML
    documents. `line_of` gives the 1-based line of a container of `data`, or None."""

    file: str
    format: str
    data: Any
    line_of: Callable[[Any], int | None]
    text: str = ""


class Context(NamedTuple):
    """What a parser may ask. `documents` is the field map (catalog kind `iac`), `region` the
    user's own statement, used only after the file's evidence; `parameters` those of a template."""

    documents: Mapping[str, Mapping[str, Any]]
    is_accelerator: IsAccelerator
    region: str | None = None
    parameters: Mapping[str, str] = {}


class Parser(Protocol):
    """One format. Modules of this room satisfy it."""

    KIND: str

    def detect(self, document: Document) -> bool:
        """Is the document of this kind; must not raise, whatever `data` is."""

    def parse(self, document: Document, context: Context) -> Findings:
        """Read the findings; InputError where the document is broken in a way that matters."""
