"""The policy of a check as values: limits, lists, levels, exceptions; and the rule ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gpuadvisor.catalog.message import Message
from gpuadvisor.cost.money import Amount

FAIL = "fail"
WARN = "warn"
IGNORE = "ignore"
LEVELS = (FAIL, WARN, IGNORE)

MAX_INCREASE = "GA001"
MAX_INCREASE_PCT = "GA002"
MAX_DECREASE = "GA003"
MAX_TOTAL = "GA004"
MAX_HOURLY = "GA005"
MAX_DEVICES = "GA006"
TYPES = "GA007"
DEVICES = "GA008"
REGIONS = "GA009"
OPTIONS = "GA010"
SPOT_REQUIRED = "GA011"
ON_UNKNOWN = "GA012"
CATALOG_AGE = "GA013"
PAIRING = "GA014"
NOT_SOLD_THERE = "GA015"
NOT_BUYABLE = "GA016"
POLICY_CHANGED = "GA017"
IGNORE_EXPIRED = "GA018"
INCOMPLETE_INPUT = "GA019"
DOES_NOT_FIT = "GA020"

DEFAULT_LEVELS: Mapping[str, str] = {
    MAX_INCREASE: FAIL,
    MAX_INCREASE_PCT: FAIL,
    MAX_DECREASE: FAIL,
    MAX_TOTAL: FAIL,
    MAX_HOURLY: FAIL,
    MAX_DEVICES: FAIL,
    TYPES: FAIL,
    DEVICES: FAIL,
    REGIONS: FAIL,
    OPTIONS: FAIL,
    SPOT_REQUIRED: FAIL,
    ON_UNKNOWN: WARN,
    CATALOG_AGE: FAIL,
    PAIRING: WARN,
    NOT_SOLD_THERE: WARN,
    NOT_BUYABLE: WARN,
    POLICY_CHANGED: WARN,
    IGNORE_EXPIRED: WARN,
    INCOMPLETE_INPUT: WARN,
    DOES_NOT_FIT: WARN,
}
"""Limits that somebody set fail; what the check found by itself warns."""


class NameList(NamedTuple):
    """Names allowed and denied, as globs. An empty `allow` allows all."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class Ignore(NamedTuple):
    """Rows excepted from the policy: address glob, reason, last day (ISO), rules (empty: all)."""

    address: str
    reason: str
    until: str | None = None
    rules: tuple[str, ...] = ()


class Nodes(NamedTuple):
    """Nodes that a cluster offers: pods whose labels fit run on this type.

    `labels` are those a pod may ask for; without any the entry takes every pod. `type` is
    `provider/type`.
    """

    type: str
    labels: tuple[tuple[str, str], ...] = ()
    region: str | None = None
    purchase: str = "on_demand"


class Policy(NamedTuple):
    """Money limits are per month at the report's hours. None or empty means "not limited".

    `on_max` is the level of a limit that only the maximum counts break. `note` is shown where
    the policy fails: whom to ask.
    """

    max_increase: Amount | None = None
    max_increase_pct: float | None = None
    max_decrease: Amount | None = None
    max_total: Amount | None = None
    max_hourly_per_resource: Amount | None = None
    max_devices: int | None = None
    types: NameList = NameList()
    devices: NameList = NameList()
    regions: NameList = NameList()
    options: NameList = NameList()
    require_spot_for: tuple[str, ...] = ()
    on_unknown: str = WARN
    on_max: str = WARN
    fail_on: str = FAIL
    exit_zero: bool = False
    max_catalog_age: int | None = None
    levels: tuple[tuple[str, str], ...] = ()
    ignore: tuple[Ignore, ...] = ()
    nodes: tuple[Nodes, ...] = ()
    note: str | None = None
    origin: str | None = None
    changed: Message | None = None
    """Set where the policy file differs between the target and this request."""

    def level(self, rule: str) -> str:
        """The level of a rule: as set, else its default."""
        return dict(self.levels).get(rule, DEFAULT_LEVELS[rule])


class Verdict(NamedTuple):
    """What a rule says. `level` is what a failure of it means; `address` is empty for the whole."""

    rule: str
    level: str
    passed: bool
    message: Message
    address: str | None = None
    file: str | None = None
    line: int | None = None
