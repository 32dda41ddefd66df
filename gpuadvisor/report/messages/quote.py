"""Texts of `quote`. What the customer reads names no flag, no command and none of our terms."""

from __future__ import annotations

EN: dict[str, str] = {
    # faults
    "quote.nothing_asked": (
        "say what to quote: machines (quote 4x g5.xlarge) or a workload with its demand (quote"
        " --workload ocr --units-per-month 2M)"
    ),
    "quote.not_here": "{flag} has no place in a quote: see recommend or estimate for it",
    "quote.not_of_workload": "{flag} goes with named machines, as in quote 4x g5.xlarge",
    "quote.not_of_machines": "{flag} goes with a workload, not with named machines",
    "quote.curve_needs_unit": "--curve needs the machine that serves it, as in quote g5.xlarge",
    "quote.curve_of_one": "--curve is the demand of one kind of machine: name one",
    "quote.curve_says_hours": (
        "--curve says the hours itself: leave --hours-per-… and --job-hours out"
    ),
    "quote.curve_is_zero": "the curve asks for nothing in any hour",
    "quote.per_unit_needs_curve": "--per-unit goes with --curve",
    "quote.units_given": "the curve is in units already: leave --per-unit out",
    "quote.requests_need": "a curve of requests needs --per-unit, the requests an hour of one unit",
    "quote.not_firm": "--purchase {options}: no price of that can be promised; firm are {known}",
    "quote.bad_words": "{flag} {value}: write one line of at most {most} printable characters",
    "quote.bad_valid": "--valid {value}: write whole days from 1 to {most}, such as 14d",
    "quote.bad_share": "--{name} {value}: write a share from 0% to {most}, such as 12% or 0.12",
    "quote.nothing_serves": (
        "nothing is known to meet this demand at a firm price; recommend says what was left out"
        " and why"
    ),
    "quote.over_budget": (
        "nothing fits the budget of {budget}: the cheapest, {what}, costs the customer {amount}"
        " before tax, {gap} more"
    ),
    "quote.no_firm_price": "{what} has no firm price: {why}",
    "quote.no_price": "none is known",
    "quote.below_a_coin": "the whole is less than the smallest coin of {currency}",
    "quote.pair_failed": "nothing was written, neither {file} nor {internal}: {reason}",
    # the choices
    "quote.tier_good": "Good",
    "quote.tier_better": "Better",
    "quote.tier_best": "Best",
    "quote.tier_asked": "As asked",
    "quote.why_good": "the cheapest that meets the demand",
    "quote.why_better": "the cheapest that can do {times} times the demand",
    "quote.why_better_run": "the cheapest that is done {times} times as fast as it must",
    "quote.why_best": "the lowest latency within twice the cost of the first",
    "quote.why_best_run": "done soonest within twice the cost of the first",
    "quote.why_good_budget": "the lowest bill of a machine that serves the workload",
    "quote.why_good_priced": "the lowest bill of what is asked for",
    "quote.why_better_budget": "the most work for the money, within the budget",
    "quote.why_best_budget": "the lowest latency within the budget",
    "quote.why_asked": "the machines as asked for",
    "quote.coincide": "{names} are the same machines on the same terms, and stand here once.",
    "quote.no_better": "Nothing can do {times} times as much within these limits.",
    "quote.no_speed": (
        "No speed is known of what is asked for, so that nothing tells a better choice from a good"
        " one."
    ),
    # the need
    "quote.need_workload": "{name} ({title})",
    "quote.need_model": "model {model}",
    "quote.need_users": "{users} users at all times",
    "quote.need_rate": "{rate} {units} a second",
    "quote.need_volume": "{count} {units} a month",
    "quote.need_run": "one run of {count} {units}",
    "quote.need_deadline": "done within {value} h",
    "quote.need_p99": "99 % of responses within {value} ms",
    "quote.need_ttft": "99 % of first tokens within {value} ms",
    "quote.need_tpot": "99 % of further tokens within {value} ms each",
    "quote.need_gpus": "{value} devices in total",
    "quote.need_nodes": "{value} instances",
    "quote.need_budget": "a budget of {amount}",
    # what the machines do
    "quote.does_rate": "{rate} {units} a second ({low} to {high})",
    "quote.does_relative": "{rate} times the speed of one {device} ({low} to {high})",
    "quote.does_headroom": "{times} times the demand",
    "quote.does_sooner": "{times} times as fast as it must be",
    "quote.does_p99": "99 % of responses within {ms} ms",
    "quote.does_alone": "{ms} ms for one alone",
    "quote.does_run": "done in {hours} h ({low} to {high})",
    "quote.basis_measured": "speed measured on this device",
    "quote.basis_fitted": "speed fitted from measurements of others",
    "quote.basis_spec": "speed from the data sheet",
    # assumptions
    "quote.assume_firm": (
        "The prices of the lines are firm until the date named above, for orders placed by then;"
        " hours beyond those stated are charged at the same unit price."
    ),
    "quote.assume_committed": (
        "Commitments and subscriptions are paid for all 730 hours of a month over their whole"
        " term, used or not; on demand is paid for the hours used."
    ),
    "quote.assume_speed": "Speeds are estimates with the ranges stated.",
    "quote.assume_sized": (
        "Speeds are estimates with the ranges stated; the number of machines leaves 10 to 30 % of"
        " their speed for uneven load."
    ),
    "quote.assume_machines": (
        "Machines alone: storage, traffic, licences and support are not included, and a price does"
        " not reserve capacity."
    ),
    "quote.assume_own_prices": "Prices without a source are those of our own price list.",
    "quote.assume_spot": (
        "Spot is named for comparison: its price moves, its machines can be taken back at short"
        " notice, and neither is promised."
    ),
    "quote.assume_no_tax": "Taxes are not included.",
    # the page
    "quote.title": "Quote for GPU machines",
    "quote.lead_one": "{what}, {place}, {terms}: {total} {per}{tax}, valid until {until}.",
    "quote.lead_many": "{count} lines: {total} {per}{tax}, valid until {until}.",
    "quote.lead_tiers": "{choices}. Valid until {until}.",
    "quote.lead_tier": "{name}: {what} at {total} {per}{tax}",
    "quote.with_tax": " including {percent} % tax",
    "quote.per_month": "a month",
    "quote.per_run": "for the run",
    "quote.label_number": "Quote",
    "quote.label_customer": "Customer",
    "quote.label_prepared": "Prepared by",
    "quote.label_date": "Date",
    "quote.label_need": "For",
    "quote.label_hours": "Hours",
    "quote.label_currency": "Currency",
    "quote.valid": "{today}, valid until {until} ({days} days)",
    "quote.hours": "{hours} a month",
    "quote.hours_at_most": "{hours} a month at most, paid as used",
    "quote.named": "{name}: {text}",
    "quote.separate": "; ",
    "quote.rate": "1 {base} = {rate} {quote} ({date})",
    "quote.rate_own": "1 {base} = {rate} {quote} (agreed)",
    "quote.machine": "{count} x {type} ({devices} x {device})",
    "quote.place": "{provider} {region}",
    "quote.payment_no_upfront": "nothing upfront",
    "quote.payment_partial_upfront": "part upfront",
    "quote.payment_all_upfront": "all upfront",
    "quote.subtotal": "Subtotal",
    "quote.tax": "Tax {percent} %",
    "quote.total": "Total {per}",
    "quote.section_choices": "The choices",
    "quote.section_lines": "{name}: firm prices",
    "quote.section_prices": "Firm prices",
    "quote.sheet_ways": "Other ways to pay",
    "quote.row_machine": "Machines",
    "quote.row_range": "As the speed may turn out",
    "quote.row_spot": "Spot on {date}, not offered",
    "quote.range": "{low} to {high}",
    "quote.pays_range": "against on demand {percent} %; costs less from {hours} h of use a month",
    "quote.caption_choices": "Unit price x count x hours, {per}",
    "quote.caption_terms": "The choices paid in other ways, {per}, before tax",
    "quote.section_charts": "What moves the cost",
    "quote.section_demand": "Demand and commitment",
    "quote.column_item": "Item",
    "quote.column_terms": "Terms",
    "quote.column_unit": "Unit price an hour",
    "quote.column_count": "Count",
    "quote.column_hours": "Hours",
    "quote.column_amount": "Amount",
    "quote.column_saving": "Against on demand",
    "quote.column_break_even": "Pays from, h a month",
    "quote.column_source": "Source",
    "quote.caption_lines": "Unit price x count x hours, {currency} {per}",
    "quote.caption_ways": "The same machines paid in other ways, {currency} {per}, before tax",
    "quote.input_hours": "Hours of use a month",
    "quote.input_discount": "Discount on the lines",
    "quote.input_tax": "Tax",
    "quote.binding": "{terms}: {notes}.",
    "quote.own_list": "own price list",
    "quote.spot_note": (
        "Spot, not offered: {what} cost {amount} {per} on {date} ({low} to {high} as it moves)."
    ),
    "quote.range_note": "{low} to {high} as the speed may turn out",
    "quote.mean_count": "a mean of {count} machines over the hours of the demand",
    "quote.chart_options": "Cost by way of paying, before tax",
    "quote.chart_options_says": (
        "Cheapest: {cheapest}, {low} {currency}. Dearest: {dearest}, {high} {currency}."
    ),
    "quote.chart_hours": "Cost against hours of use a month",
    "quote.chart_hours_none": "{what}: no commitment costs less than on demand within a month.",
    "quote.chart_hours_says": "{what}: {points}.",
    "quote.chart_point": "{terms} costs less from {hours} h",
    "quote.chart_demand": "Demand by hour",
    "quote.chart_demand_says": (
        "{mean} units on average, {peak} at most; {committed} of them are committed."
    ),
    "quote.chart_committed": "committed for {term}",
    "quote.chart_on_demand": "on demand",
    "quote.units": "units",
    "quote.unit_hours": "hour",
    "quote.unit_hours_month": "hours a month",
    "quote.demand_says": (
        "{mean} units on average and {peak} at most; all on demand would cost {amount} a month."
    ),
    "quote.no_levels": "No commitment pays for this demand.",
    # the terminal
    "quote.next": (
        "Next: add --output quote.html (or .xlsx, .md, .csv, .json); cost and margin then go to"
        " quote.html.internal.json"
    ),
    "quote.written": "wrote {file}; cost, margin and sources of each line are in {internal}",
    "quote.or": "or",
    "quote.or_untaxed": "or, before tax,",
    "quote.pays_from": "pays from {hours} h",
    # for the seller alone
    "quote.remark_note": "{type}: {note}",
    "quote.remark_rule": "{type}: {text} [{rule}]",
    "quote.remark_stale": (
        "{type} {option}{term}: the price is of {date}: confirm it before you promise it"
    ),
    "quote.remark_unofficial": (
        "{type} {option}{term}: the price is from a source of {confidence} confidence"
    ),
}
