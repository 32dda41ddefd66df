"""What a price turns into on a bill: increments, upfront payments, commitments, discounts.

The rules of each provider are data (`catalogs/billing/providers.yaml`); the arithmetic is
here. Hours are floats, money is Decimal, rates are per instance-hour.
"""

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import COMMITMENTS

HOURS_PER_MONTH = 730.0
"""365 x 24 / 12: the month of the clouds' own price lists."""

DAYS_PER_MONTH = HOURS_PER_MONTH / 24
LONGEST_MONTH_HOURS = 744.0

DEFAULT_CAPITAL_COST = 0.10
"""Yearly cost of capital that weighs an upfront payment; a setting, shown as an assumption."""


class Binding(NamedTuple):
    """What a purchase option holds the buyer to.

    `binds` is instance_type, family, money_per_hour or resources; `scope` is zone, region
    or global. Unused hours of a commitment are lost unless `unused` says otherwise.
    """

    option: str
    cls: str | None
    binds: str
    scope: str
    needs_reservation: bool
    reserves_capacity: bool
    upfront: bool
    cancellable: bool
    unused: str
    max_days: float | None
    source: str


def hours_per_month(per_month: float | None = None, per_day: float | None = None) -> float:
    """Hours billed in a month from either way of saying it; 730 when neither is given.

    Raises UsageError when both are given or a value is out of range.
    """
    if per_month is not None and per_day is not None:
        raise UsageError(message("cost.hours_twice"))
    if per_day is not None:
        _within("--hours-per-day", per_day, 24.0)
        return per_day * DAYS_PER_MONTH
    if per_month is not None:
        _within("--hours-per-month", per_month, LONGEST_MONTH_HOURS)
        return per_month
    return HOURS_PER_MONTH


def paid_hours(option: str, hours: float) -> float:
    """Hours a month that are paid for when `hours` are used: all of them if committed."""
    return max(HOURS_PER_MONTH, hours) if option in COMMITMENTS else hours


def paid_run_hours(option: str, term: str | None, hours: float) -> float:
    """Hours that are paid for a run of `hours`: whole terms of a commitment, used or not.

    Of a commitment without a term in months at least one month is paid.
    """
    if option not in COMMITMENTS:
        return hours
    try:
        months = term_months(term or "1mo")
    except ValueError:
        months = 1
    whole = months * HOURS_PER_MONTH
    return math.ceil(round(hours / whole, 9)) * whole


def billed_hours(rules: Mapping[str, Any], hours: float, launches: int = 1) -> float:
    """Hours on the bill for `launches` runs that share `hours` evenly.

    Each launch is rounded up to the provider's increment and is at least its minimum; where
    the increment is unknown the hours are taken as they are.
    """
    if not rules.get("increment_seconds"):
        return hours
    increment = float(rules["increment_seconds"])
    seconds = max(hours * 3600 / launches, float(rules.get("minimum_seconds") or 0))
    steps = math.ceil(round(seconds / increment, 6))
    return launches * steps * increment / 3600


def annuity_factor(months: int, capital_cost: float) -> float:
    """A of design notes F11: what one unit a month for `months` is worth today, in units."""
    monthly = (1 + capital_cost) ** (1 / 12) - 1
    if monthly == 0:
        return float(months)
    return float((1 - (1 + monthly) ** -months) / monthly)


def effective_hourly(
    hourly: float, upfront: float, months: int, capital_cost: float = DEFAULT_CAPITAL_COST
) -> float:
    """The hourly rate with the upfront payment spread over the term (design notes F11)."""
    return hourly + upfront / (annuity_factor(months, capital_cost) * HOURS_PER_MONTH)


def break_even_utilisation(committed_hourly: float, on_demand_hourly: float) -> float:
    """Share of the hours that must be used before a commitment is the cheaper (F11: u*).

    Above 1 the commitment never pays.
    """
    return committed_hourly / on_demand_hourly


def break_even_hours_per_month(committed_hourly: float, on_demand_hourly: float) -> float:
    """The same as hours a month."""
    return HOURS_PER_MONTH * break_even_utilisation(committed_hourly, on_demand_hourly)


def break_even_months(committed_hourly: float, on_demand_hourly: float, months: int) -> float:
    """Months of full use after which leaving the rest of the term unused has cost nothing."""
    return months * break_even_utilisation(committed_hourly, on_demand_hourly)


def term_months(term: str) -> int:
    """`1y` -> 12, `6mo` -> 6. Raises ValueError for a term that is not whole months."""
    if term.endswith("mo"):
        return int(term[:-2])
    if term.endswith("y"):
        return 12 * int(term[:-1])
    raise ValueError(term)


def sustained_use_factor(rules: Mapping[str, Any], family: str, hours: float) -> float:
    """Mean share of the list rate over a month of `hours` (GCP, on N1 alone); 1 elsewhere.

    Each tier is a share of the month with the share of the rate that is charged in it.
    """
    discount = rules.get("sustained_use")
    if discount is None or family not in discount["families"] or hours <= 0:
        return 1.0
    used = min(hours / HOURS_PER_MONTH, 1.0)
    charged = start = 0.0
    for end, rate in discount["tiers"]:
        charged += rate * max(min(used, end) - start, 0.0)
        start = end
    return float(charged / used)


def binding(
    rules: Mapping[str, Any], option: str, cls: str | None = None, family: str | None = None
) -> Binding | None:
    """What `option` (of `cls`, for an instance of `family`) binds; None if nothing is known."""
    for entry in rules.get("commitments", ()):
        named = entry.get("class")
        if entry["option"] != option or (named is not None and named != cls):
            continue
        if not _for_family(entry, family):
            continue
        binds = entry["binds"]
        if binds == "family" and family in entry.get("exact_type_families", ()):
            binds = "instance_type"
        return Binding(
            option=option,
            cls=named,
            binds=binds,
            scope=entry["scope"],
            needs_reservation=entry.get("needs_reservation", False),
            reserves_capacity=entry.get("reserves_capacity", False),
            upfront=tuple(entry.get("payments", ())) == ("all_upfront",),
            cancellable=entry.get("cancellable", False),
            unused=entry.get("unused", "lost"),
            max_days=entry.get("max_days"),
            source=entry["source"],
        )
    return None


def options_sold(
    rules: Mapping[str, Any], option: str, family: str | None = None
) -> tuple[tuple[str | None, str], ...]:
    """(class, term) pairs of an option that the provider offers at all, in file order.

    Those kept for certain families are left out unless `family` is one of them, and so is an
    entry without a class beside entries that have one: it only reads rates of unstated kind.
    """
    entries = [e for e in rules.get("commitments", ()) if e["option"] == option]
    classed = any(e.get("class") for e in entries)
    return tuple(
        (entry.get("class"), term)
        for entry in entries
        if _for_family(entry, family) and (entry.get("class") or not classed)
        for term in entry.get("terms", ())
    )


def _for_family(entry: Mapping[str, Any], family: str | None) -> bool:
    return not entry.get("families") or family in entry["families"]


def block_hours(rules: Mapping[str, Any], option: str, hours: float) -> float | None:
    """Hours paid for the shortest block that gives `hours` of use; None if none is that long.

    Blocks are sold in steps of days, and AWS takes the machines back before the end.
    """
    for entry in rules.get("commitments", ()):
        if entry["option"] != option or not entry.get("day_steps"):
            continue
        days = (hours + float(entry.get("ends_early_minutes", 0)) / 60) / 24
        start = 0.0
        for end, step in entry["day_steps"]:
            if days <= end:
                whole = start + math.ceil(round((days - start) / step, 9)) * step
                return float(max(whole, float(entry.get("min_days", 0))) * 24)
            start = end
        return None
    return hours


def spot_notice_seconds(rules: Mapping[str, Any]) -> float | None:
    """Warning before a spot instance is taken away, in seconds; None where nobody says."""
    spot = rules.get("spot")
    seconds: float | None = spot.get("notice_seconds") if spot else None
    return seconds


def monthly(price_per_hour: Decimal, option: str, hours: float, instances: int = 1) -> Decimal:
    """Exact cost a month of `instances` at a list price; round when all lines are known."""
    return price_per_hour * instances * Decimal(repr(paid_hours(option, hours)))


def _within(name: str, value: float, most: float) -> None:
    if not 0 < value <= most:
        raise UsageError(
            message("cost.hours_range", name=name, value=f"{value:g}", most=f"{most:g}")
        )
