"""Schema of `iac/*.yaml`: which field of which infrastructure resource carries what.

Paths are dotted keys from the resource's own values; a leading `/` starts at the resource where
`each` narrowed it; a key with dots stands in single quotes. Lists are entered without an index:
the first element that has the value counts. A reference is `path -> type|type`: it follows what
the field refers to in the same file.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from gpuadvisor.catalog.schema import CatalogFile, Name, StrictModel
from gpuadvisor.catalog.schema_shapes import Option

_PATH = re.compile(r"^/?(?:[^.'\s]+|'[^']+')(?:\.(?:[^.'\s]+|'[^']+'))*$")


def _path(value: str) -> str:
    if not _PATH.match(value):
        raise ValueError("a path is keys joined by dots, quoted with ' where a key has dots")
    return value


def _reference(value: str) -> str:
    path, arrow, targets = value.partition(" -> ")
    if not arrow or not all(targets.split("|")):
        raise ValueError("a reference is written `path -> type|type`")
    _path(path)
    return value


def _regex(value: str) -> str:
    re.compile(value)
    return value


FieldPath = Annotated[str, AfterValidator(_path)]
Reference = Annotated[str, AfterValidator(_reference)]
Pattern = Annotated[str, AfterValidator(_regex)]
Paths = tuple[FieldPath, ...]


class PurchaseClause(StrictModel):
    """First clause that applies decides. `values` compares case-folded text."""

    at: FieldPath
    values: dict[str, Option] | None = None
    present: Option | None = None

    @model_validator(mode="after")
    def _one(self) -> PurchaseClause:
        if (self.values is None) == (self.present is None):
            raise ValueError("a purchase clause has either values or present")
        return self


class CountFields(StrictModel):
    """`planned` falls back to `min`, then to `default`. `pool_*` are not per zone. `add` are
    further machines of the same type (all three bounds)."""

    fixed: Annotated[int, Field(ge=0)] | None = None
    planned: Paths = ()
    min: Paths = ()
    max: Paths = ()
    pool_min: Paths = ()
    pool_max: Paths = ()
    add: Paths = ()
    times: Paths = ()
    default: Annotated[int, Field(ge=0)] | None = None
    per_zone: bool = False
    open_ended: bool = False
    unit: Literal["nodes", "vcpus", "devices"] = "nodes"


class CandidateFields(StrictModel):
    """`each` is a list of blocks (with `type` inside) or of plain type names.

    `first_on_demand`: on demand the first name is taken, spot may take any. `families`: a name
    without a size stands for all its sizes.
    """

    each: FieldPath
    type: FieldPath | None = None
    weight: FieldPath | None = None
    requirements: FieldPath | None = None
    template: Reference | None = None
    first_on_demand: bool = False
    families: bool = False


class SplitFields(StrictModel):
    """On-demand part of a mixed group, the rest spot; `rest` maps a text to the percentage."""

    at: FieldPath
    base: FieldPath | None = None
    percent: FieldPath | None = None
    percent_default: Annotated[float, Field(ge=0, le=100)] = 100
    rest: FieldPath | None = None
    rest_values: dict[str, Annotated[float, Field(ge=0, le=100)]] | None = None


class Hint(StrictModel):
    """A reason to give where the value at `at` is set, or is one of `values` (case-folded)."""

    at: FieldPath
    note: Name
    values: tuple[Name, ...] = ()


class Condition(StrictModel):
    """The part exists only where the value at `at` is (or is not) true."""

    at: FieldPath
    true: bool


class PartFields(StrictModel):
    """One group of machines inside a resource. `notes` are reasons it always has, `hints` those
    that depend on a value; a `device` counts only where it matches `device_pattern`.
    `type_joined` are the parts of a type that a provider writes apart, joined by `_`."""

    each: FieldPath | None = None
    label: FieldPath | None = None
    when: tuple[Condition, ...] = ()
    type: Paths = ()
    type_joined: Paths = ()
    default_type: Name | None = None
    candidates: tuple[CandidateFields, ...] = ()
    requirements: FieldPath | None = None
    device: Paths = ()
    device_pattern: Pattern | None = None
    devices: Paths = ()
    devices_in_type: bool = False
    partition: Paths = ()
    sharing: Paths = ()
    count: CountFields = CountFields(fixed=1)
    purchase: tuple[PurchaseClause, ...] = ()
    default_purchase: Option = "on_demand"
    split: SplitFields | None = None
    cap: Paths = ()
    template: tuple[Reference, ...] = ()
    region: Paths = ()
    zones: Paths = ()
    parents: tuple[Reference, ...] = ()
    reservation: tuple[Reference, ...] = ()
    billing: Literal["instance", "sagemaker", "vertex", "run", "prepaid"] = "instance"
    notes: tuple[Name, ...] = ()
    hints: tuple[Hint, ...] = ()


class ResourceEntry(PartFields):
    """A resource type. `parts` are its groups where it has more than one.

    `side`: `supply` is billed, `template` only lends its fields, `parent` lends its place,
    `scaler` changes the count of its `target`, `manifest` carries a Kubernetes object, `tasks`
    are container definitions as JSON text in `documents`, `opaque` is not read (`documents` may
    show that it holds an accelerator).
    """

    entry: Literal["resource"] = "resource"
    provider: Name
    side: Literal["supply", "template", "parent", "scaler", "manifest", "tasks", "opaque"] = (
        "supply"
    )
    parts: tuple[PartFields, ...] = ()
    target: tuple[Reference, ...] = ()
    manifest: Name | None = None
    documents: Paths = ()
    source: Name


class Pairing(StrictModel):
    """Machines (prefixes) that a separately rented device can be attached to."""

    device: Pattern
    machines: tuple[Name, ...]


class ProviderEntry(StrictModel):
    """How a provider writes places, and what its accelerator families look like by name.

    `families` matches type names that look accelerated; it is asked only where the catalog does
    not know the type. `price_regions` maps regions to the ones that prices are listed for, `*` for
    all others.
    """

    entry: Literal["provider"]
    provider: Name
    plugins: tuple[Name, ...] = ()
    families: Pattern | None = None
    region: Paths = ()
    arn: Paths = ()
    config_region: Paths = ()
    config_zone: Paths = ()
    zone_pattern: Pattern | None = None
    fold: bool = False
    default_zones: Annotated[int, Field(ge=1)] = 1
    pairing: tuple[Pairing, ...] = ()
    slices: dict[str, dict[str, str]] | None = None
    price_regions: dict[str, Name] | None = None
    source: Name


class PodFields(StrictModel):
    """Where a kind keeps a pod template and how many of it run.

    `inherit` is the template used where `template` is absent; `times` multiplies, after taking
    `less` off; `at_most` bounds; `open_ended` leaves the maximum unknown where unset.
    """

    name: Name | None = None
    each: FieldPath | None = None
    label: FieldPath | None = None
    template: FieldPath
    inherit: FieldPath | None = None
    replicas: Paths = ()
    min: Paths = ()
    max: Paths = ()
    at_most: Paths = ()
    times: Paths = ()
    less: Annotated[int, Field(ge=0)] = 0
    open_ended: bool = False
    per_node: bool = False


class KindEntry(StrictModel):
    """A Kubernetes kind that makes pods; `kinds` are API group/kind (core has no group).

    `ends` marks work that finishes, so that a monthly figure would mislead.
    """

    entry: Literal["kind"]
    kinds: tuple[Name, ...]
    pods: tuple[PodFields, ...]
    ends: bool = False
    source: Name


class WordsEntry(StrictModel):
    """Kubernetes words: extended resources that are devices, device classes of dynamic resource
    allocation by the resource they stand for, and the labels that place pods."""

    entry: Literal["words"]
    devices: dict[str, dict[str, str]]
    device_classes: dict[str, Name]
    partitions: Pattern
    device_labels: tuple[Name, ...]
    count_labels: tuple[Name, ...]
    type_labels: tuple[Name, ...]
    zone_labels: tuple[Name, ...]
    region_labels: tuple[Name, ...]
    purchase_labels: tuple[dict[str, str], ...]
    source: Name


class RequirementsEntry(StrictModel):
    """Words of a Karpenter node pool. Keys are `<cloud's domain>/<name>`; the names map to
    attributes of an attribute-based choice (`names` are lists, `numbers` bounds) or to patterns
    of type names, with `{}` for the value."""

    entry: Literal["requirements"]
    clouds: dict[str, Name]
    types: tuple[Name, ...]
    patterns: dict[str, Name]
    names: dict[str, Name]
    numbers: dict[str, Name]
    capacity_types: dict[str, Option]
    source: Name


class CloudsEntry(StrictModel):
    """What a tool calls the providers."""

    entry: Literal["clouds"]
    names: dict[str, Name]
    source: Name


class AliasesEntry(StrictModel):
    """Types and fields of a tool by the names of the Terraform resources behind them; `settings`
    are the settings of a provider that name a place."""

    entry: Literal["aliases"]
    types: dict[str, Name]
    fields: dict[str, Name]
    plugins: dict[str, Name]
    settings: dict[str, tuple[Name, ...]]
    source: Name


Entry = Annotated[
    ResourceEntry
    | ProviderEntry
    | KindEntry
    | WordsEntry
    | RequirementsEntry
    | CloudsEntry
    | AliasesEntry,
    Field(discriminator="entry"),
]


class IacFile(CatalogFile):
    """`iac/<name>.yaml`. Every entry says what it is with `entry`."""

    schema_: Literal["gpuadvisor/iac/1"] = Field(alias="schema")
    iac: dict[Name, Entry]
