"""Texts of `reserve`."""

from __future__ import annotations

EN: dict[str, str] = {
    # faults
    "reserve.no_curve": "give the demand with --curve FILE: a CSV of hour,units",
    "reserve.no_unit": "say what one unit is with --unit, as in --unit g5.xlarge",
    "reserve.bad_curve": "a curve is a list of whole numbers of units for {lengths} hours",
    "reserve.bad_term": "--term {value}: write 1y, 3y or 1y,3y",
    "reserve.spot_twice": "give --no-spot or --spot-share, not both",
    "reserve.bad_share": "{name} {value}: write a share from 0 to 1, as in 0.6 or 60%",
    "reserve.requests_need": (
        "a curve of requests needs --workload or --per-unit (requests an hour that one unit"
        " serves), one of them"
    ),
    "reserve.units_given": "the curve is in units already: leave --workload and --per-unit out",
    "reserve.no_on_demand": (
        "{what} has no on-demand price in {region}, so there is nothing to compare with"
    ),
    "reserve.no_speed": (
        "no absolute speed of {workload} on {device} is known: give --per-unit, the requests an"
        " hour that one unit serves"
    ),
    # assumptions
    "reserve.spot_share": (
        "{percent} % of each hour's units may be interrupted (--spot-share, --no-spot)"
    ),
    "reserve.need_lasts": "the need outlives year one with a chance of {percent} % (--need-lasts)",
    "reserve.capital_cost": "upfront money costs {percent} % a year (--capital-cost)",
    "reserve.per_unit": "one unit serves {rate} requests an hour",
    "reserve.per_workload": "units from the speed of {workload} at 70 % busy",
    # warnings
    "reserve.term_unpriced": "no {term} commitment on {what} is priced in {region}",
    "reserve.three_years_long": (
        "three years is long for a GPU: list prices of the A100 and H100 fell by a third to 44 %"
        " on one day in June 2025"
    ),
    "reserve.no_capacity": "the commitment is a price, not capacity: it does not hold machines",
    "reserve.stale": "the {term} rate is of {date}: ask for a current one before signing",
    # answer
    "reserve.answer": (
        "Commit {units} x {what} for {term} ({option}){rest}: {cost} a month instead of {usual}, a"
        " saving of {saving} %."
    ),
    "reserve.answer_two": (
        "Commit {three} x {what} for 3y and {one} for 1y{rest}: {cost} a month instead of {usual},"
        " a saving of {saving} %."
    ),
    "reserve.rest_both": ", up to {spot} more on spot and {on_demand} on demand",
    "reserve.rest_spot": ", up to {spot} more on spot",
    "reserve.rest_on_demand": ", up to {on_demand} more on demand",
    "reserve.answer_spot": (
        "Commit nothing; up to {units} x {what} on spot: {cost} a month instead of {usual}, a"
        " saving of {saving} %."
    ),
    "reserve.answer_none": "Commit nothing: {what} on demand costs {usual} a month.",
    "reserve.label_demand": "Demand",
    "reserve.label_place": "Where",
    "reserve.label_assumed": "Assumed",
    "reserve.demand": "{hours} hours: {low} to {peak} units, {mean} on average",
    "reserve.place": "{provider} {region}, {currency}; as of {today}",
    "reserve.horizon": (
        "the cost is per month of need over {years} years, unused commitments counted"
    ),
    "reserve.month": "A mean month of the first year ({currency})",
    "reserve.line_committed": "{units} x {option}, used or not",
    "reserve.line_mean": "{units} on average, {option}",
    "reserve.total": "Total",
    "reserve.range": "range of its prices",
    "reserve.all_on_demand": "All on demand",
    "reserve.weighed": "{option} at {rate}: pays from {share} % of the hours, {outcome}",
    "reserve.outcome_none": "takes no unit of this curve",
    "reserve.outcome_pays": "paid for after {months} months ({date})",
    "reserve.outcome_never": "does not pay back its whole term on this curve",
    "reserve.regret": "If demand falls by {fall} %, this plan costs {amount} a month too much.",
    "reserve.regret_none": "If demand falls by {fall} %, this plan is still the best one.",
    "reserve.chart": "Units by hour of the day: {keys}",
    "reserve.chart_mean": "Mean units by hour of the day: {keys}",
    "reserve.key_committed": "{mark} committed",
    "reserve.key_spot": "{mark} spot",
    "reserve.key_on_demand": "{mark} on demand",
    "reserve.next": "Next: gpuadvisor estimate {what} --region {region}",
}
