"""How much of a demand curve to commit, to run on spot and to leave on demand (F11 to F15).

A curve is the number of identical instances needed in each hour of a day, a week or a year that
repeats. Rates are per instance-hour and in one currency; costs are means per hour of the curve.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

HORIZON_YEARS = 3
"""Years over which a three-year commitment is weighed against shorter ones (F13)."""


class Rates(NamedTuple):
    """Prices of one instance-hour; commitments with their upfront part spread (F11).

    A term or option that cannot be had is None.
    """

    on_demand: float
    one_year: float | None = None
    three_years: float | None = None
    spot: float | None = None


class Hour(NamedTuple):
    """Units that run in one hour, by how they are paid for; `idle` are committed and unused."""

    committed: int
    spot: int
    on_demand: int
    idle: int


class Plan(NamedTuple):
    """Units to commit, and what that costs a mean hour against all on demand.

    Over the horizon, three years once a three-year term is considered, the money spent is
    spread over the time that the need is expected to last.
    `spot_max` and `on_demand_max` are the most that run so in one hour.
    """

    one_year: int
    three_years: int
    spot_max: int
    on_demand_max: int
    cost: float
    on_demand_cost: float
    horizon_years: int

    @property
    def committed(self) -> int:
        """Units under commitment in the first year."""
        return self.one_year + self.three_years

    @property
    def saving(self) -> float:
        """Share of the all-on-demand cost that the plan saves."""
        return 1 - self.cost / self.on_demand_cost if self.on_demand_cost else 0.0


def optimal_level(curve: Sequence[int], break_even: float) -> int:
    """F12, the newsvendor's level: most units k with P(D >= k) >= `break_even`.

    Exact for one commitment against on demand; above a break-even of one it is 0.
    """
    if break_even > 1:
        return 0
    ranked = sorted(curve)
    # P(D >= k) >= u holds while at least ceil(u n) hours reach k.
    hours = max(1, _ceil(break_even * len(ranked)))
    return ranked[len(ranked) - hours]


def _ceil(value: float) -> int:
    """Round up, forgiving the last bits of a float product."""
    whole = round(value)
    return whole if abs(value - whole) < 1e-9 * max(1.0, abs(value)) else int(value) + 1


def normal_level(mean: float, deviation: float, break_even: float) -> float:
    """F12 for demand that is Normal instead of known: mean + sd x PHI^-1(1 - break-even)."""
    from statistics import NormalDist

    return NormalDist(mean, deviation).inv_cdf(1 - break_even)


def dispatch(demand: int, committed: int, interruptible: float) -> Hour:
    """Who serves an hour: commitments first, spot for what may be interrupted, then on demand.

    Commitments serve what may not be interrupted before they serve the rest.
    """
    on_spot_at_most = int(demand * interruptible + 1e-9)
    served = min(demand, committed)
    on_demand = max(0, demand - on_spot_at_most - committed)
    return Hour(served, demand - served - on_demand, on_demand, committed - served)


def curve_cost(
    curve: Sequence[int], committed: int, rate: float, rates: Rates, interruptible: float = 0.0
) -> float:
    """Mean cost of an hour with `committed` units at `rate`, used or not."""
    spot = _spot_rate(rates)
    total = 0.0
    for demand in curve:
        hour = dispatch(demand, committed, interruptible)
        total += hour.spot * spot + hour.on_demand * rates.on_demand
    return committed * rate + total / len(curve)


def _spot_rate(rates: Rates) -> float:
    return rates.on_demand if rates.spot is None else min(rates.spot, rates.on_demand)


def plan(
    curve: Sequence[int], rates: Rates, interruptible: float = 0.0, need_lasts: float = 1.0
) -> Plan:
    """The cheapest mix for a curve: F12 with the spot share of F14, stacked over terms by F13.

    `interruptible` is the share of each hour's units that may run on spot. `need_lasts` is the
    chance that the need persists in years two and three; it matters only where a three-year
    rate is given. The k-th unit is decided on its own: its marginal values fall with k, so the
    greedy choice is the optimum of the linear programme.
    """
    share = interruptible if rates.spot is not None and rates.spot < rates.on_demand else 0.0
    one, three, cost_of_units = _stack(curve, rates, share, need_lasts)
    years = 1 if rates.three_years is None else HORIZON_YEARS
    weight = 1 + (years - 1) * need_lasts
    hours = [dispatch(demand, one + three, share) for demand in curve]
    return Plan(
        one,
        three,
        max((hour.spot for hour in hours), default=0),
        max((hour.on_demand for hour in hours), default=0),
        cost_of_units / weight,
        rates.on_demand * sum(curve) / len(curve),
        years,
    )


def _stack(
    curve: Sequence[int], rates: Rates, share: float, need_lasts: float
) -> tuple[int, int, float]:
    """Units for one year, for three, and the horizon's cost of all units of the curve."""
    hours = len(curve)
    needed = sorted(curve)
    firm = sorted(demand - int(demand * share + 1e-9) for demand in curve)
    spot = _spot_rate(rates)
    years = 1 if rates.three_years is None else HORIZON_YEARS
    later = (years - 1) * need_lasts
    one = three = 0
    total = 0.0
    for unit in range(1, needed[-1] + 1 if needed else 1):
        above = (hours - bisect_left(needed, unit)) / hours
        above_firm = (hours - bisect_left(firm, unit)) / hours
        # What an hour of this unit costs uncommitted: on demand where firm, else spot.
        market = rates.on_demand * above_firm + spot * (above - above_firm)
        choices = [(market * (1 + later), 0)]
        if rates.one_year is not None:
            choices.append((rates.one_year + later * min(rates.one_year, market), 1))
        if rates.three_years is not None:
            choices.append((HORIZON_YEARS * rates.three_years, 3))
        cost, term = min(choices, key=lambda choice: (round(choice[0], 12), -choice[1]))
        total += cost
        one += term == 1
        three += term == 3
    return one, three, total


def lower_demand(curve: Sequence[int], fall: float) -> list[int]:
    """The curve with every hour lower by the share `fall`, whole units."""
    return [_ceil(demand * (1 - fall)) for demand in curve]


def regret(
    curve: Sequence[int],
    chosen: Plan,
    rates: Rates,
    interruptible: float,
    need_lasts: float,
    fall: float,
) -> float:
    """Mean hourly cost above the best plan for a demand lower by `fall`, with the plan kept.

    Over the first year, in which no commitment of either term can end.
    """
    lower = lower_demand(curve, fall)
    share = interruptible if rates.spot is not None and rates.spot < rates.on_demand else 0.0
    kept = curve_cost(lower, chosen.committed, _mean_rate(chosen, rates), rates, share)
    best = plan(lower, rates, interruptible, need_lasts)
    return kept - curve_cost(lower, best.committed, _mean_rate(best, rates), rates, share)


def _mean_rate(chosen: Plan, rates: Rates) -> float:
    if not chosen.committed:
        return 0.0
    paid = chosen.one_year * (rates.one_year or 0.0) + chosen.three_years * (
        rates.three_years or 0.0
    )
    return paid / chosen.committed


def break_even_month(
    curve: Sequence[int], units: int, rate: float, on_demand: float, months: int
) -> float | None:
    """Months after which the commitment has paid for its whole term; None when it never does.

    T15 for a curve: the rest of the term could then stand unused at no loss.
    """
    served = sum(min(demand, units) for demand in curve) / len(curve)
    if not units or not served:
        return None
    month = months * units * rate / (served * on_demand)
    return month if month <= months else None


# -- which commitment pays for what: AWS's order (F15) -----------------------------------------


class UsageLine(NamedTuple):
    """Units running in one hour: on-demand rate, and the rate under each kind of plan."""

    name: str
    quantity: float
    on_demand: float
    plan_rates: Mapping[str, float]


class Applied(NamedTuple):
    """The hour's bill: reservations and plans as committed, the rest on demand.

    `covered` is the quantity of each line that plans pay for, `unused` the commitment left over.
    """

    total: float
    on_demand: float
    covered: Mapping[str, float]
    unused: float


PLAN_ORDER = ("ec2_instance", "compute")
"""EC2 Instance Savings Plans are spent before Compute ones; reservations before both."""


def apply_commitments(
    usage: Sequence[UsageLine],
    plans: Mapping[str, float],
    reserved: Mapping[str, float] | None = None,
    reserved_cost: float = 0.0,
) -> Applied:
    """Bill one hour as AWS does (Savings Plans user guide, "how Savings Plans apply").

    `plans` is money per hour by kind, `reserved` the quantity of each line that reservations
    cover. Within a kind the highest saving in per cent goes first, ties to the lowest plan rate.
    """
    left = {u.name: max(0.0, u.quantity - (reserved or {}).get(u.name, 0.0)) for u in usage}
    covered = dict.fromkeys(left, 0.0)
    unused = 0.0
    for kind in PLAN_ORDER:
        money = plans.get(kind, 0.0)
        eligible = [u for u in usage if kind in u.plan_rates]
        for line in sorted(eligible, key=partial(_plan_order, kind)):
            rate = line.plan_rates[kind]
            taken = min(left[line.name], money / rate)
            left[line.name] -= taken
            covered[line.name] += taken
            money -= taken * rate
        unused += money
    on_demand = sum(left[u.name] * u.on_demand for u in usage)
    total = reserved_cost + sum(plans.values()) + on_demand
    return Applied(total, on_demand, covered, unused)


def _plan_order(kind: str, line: UsageLine) -> tuple[float, float]:
    rate = line.plan_rates[kind]
    # Rounded, so that equal savings written with different digits tie.
    return (round(rate / line.on_demand, 9), rate)
