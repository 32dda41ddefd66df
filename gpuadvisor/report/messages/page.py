"""Texts of the pages: HTML, workbook and Markdown documents."""

from __future__ import annotations

EN: dict[str, str] = {
    "page.no_extra": (
        "this format needs libraries that are not installed ({library}):"
        " pip install 'gpuadvisor[{extra}]'"
    ),
    "page.binary": "a workbook is no text: give --output FILE.xlsx, or send it into a pipe",
    "page.is_folder": "--output {file}: this is a folder, not a file",
    "page.unwritable": "{file} cannot be written: {reason}",
    "page.range": "{low} to {high}",
    "page.comma": ", ",
    "page.inputs": "Figures to change",
    "page.sheet_summary": "Summary",
    "page.sheet_sources": "Sources",
    "page.column_low": "{name}, low",
    "page.column_high": "{name}, high",
    "page.column_notes": "Notes",
    "page.warnings": "Please note",
    "page.assumptions": "Assumptions",
    "page.sources": "Sources",
    "page.catalogs": "Price catalogs:",
    "page.catalog": "{name} {version} (to {as_of})",
    "page.rate": "1 {base} = {rate} {quote} (ECB {date})",
    "page.rate_own": "1 {base} = {rate} {quote} (your rate)",
    "page.exchange": "Exchange",
    "page.hours": "Use",
    "page.hours_value": "{hours} h a month",
    "page.currency": "Currency",
    "page.as_of": "As of",
    "page.next": "Next",
    "page.footer": (
        "Made with gpuadvisor {version} as of {today}. Prices are list prices of the dates shown,"
        " before tax; a price is not capacity."
    ),
    "page.confidence_official": "the provider's own",
    "page.confidence_secondary": "secondary source",
    "page.confidence_low": "low confidence",
    "page.per_month": "{currency} a month",
    "page.hours_a_month": "hours a month",
    "page.total": "Total",
    "page.no_price": "no price",
    "page.never": "never",
    "page.unavailable": "Not to be had:",
    "page.input_hours": "Hours of use a month",
    "page.input_discount": "A further discount on every price",
    # columns
    "page.column_what": "What",
    "page.column_place": "Where",
    "page.column_terms": "Terms",
    "page.column_count": "Count",
    "page.column_hour": "An hour",
    "page.column_month": "A month",
    "page.column_option": "Option",
    "page.column_saving": "Saving",
    "page.column_break_even": "Pays from",
    "page.column_job": "Job",
    "page.column_finish": "Done after",
    "page.column_way": "Way to serve",
    "page.column_peak": "Units at the peak",
    "page.column_saving_static": "Saving over always on",
    # estimate
    "page.estimate_title": "Estimate: {what}",
    "page.bill": "Bill of materials",
    "page.bill_caption": "What is counted; an hour is one instance's, a month is all of them",
    "page.total_months": "Total over {months} months",
    "page.ways": "Ways to provide {what}",
    "page.ways_caption": "{shown} of {all} ways, cheapest first",
    "page.options": "Purchase options of {what}, {place}",
    "page.options_caption": (
        "{what}, {place}: each option a month, with the hours a month from which it costs less"
        " than on demand"
    ),
    "page.jobs_caption": "One job of {hours} h",
    "page.by_option": "A month of {what}, {place}, by purchase option",
    "page.by_option_text": (
        "From {low_cost} ({low}) to {high_cost} ({high}); the thin line is the range of a price"
        " that is not certain."
    ),
    "page.against_hours": "Cost against hours of use",
    "page.against_hours_text": (
        "A commitment is paid for all hours of the month; right of its point it costs less than"
        " on demand."
    ),
    "page.against_hours_never": (
        "A commitment is paid for all hours of the month; none costs less than on demand, even"
        " when the machine never rests."
    ),
    "page.pays_from": "{option} costs less than on demand from {hours} h a month on",
    "page.serving": "A demand over the day",
    "page.serving_caption": "{what}, {place}: {peak} units at the peak, {mean} on average",
    "page.storage": "Storage and traffic",
    "page.storage_caption": "Beside {what}, {place}",
    "page.with_machines": "With the machines",
    # reserve
    "page.reserve_title": "What to commit: {what}",
    "page.demand": "Demand",
    "page.demand_value": "{hours} hours: {low} to {peak} units, {mean} on average",
    "page.horizon": "the cost is per month of need over {years} years, unused commitments counted",
    "page.plan_month": "A mean month",
    "page.plan_caption": "The first year's mean month; an hour is one unit's",
    "page.all_on_demand": "All on demand",
    "page.this_plan": "This plan",
    "page.column_units": "Units",
    "page.committed_note": "paid for every hour, used or not",
    "page.mean_note": "units on average",
    "page.layer_committed": "committed",
    "page.layer_spot": "spot",
    "page.layer_on_demand": "on demand",
    "page.level_committed": "{units} committed",
    "page.level_three_years": "{units} for three years",
    "page.demand_chart": "Units by hour of the day",
    "page.demand_chart_mean": "Mean units by hour of the day",
    "page.demand_chart_text": "Demand of {demand}, by how it is paid for.",
    "page.hour_of_day": "hour of the day",
    "page.units": "units",
    "page.plan_costs": "Cost of the plan",
    "page.plan_costs_text": "{plan} a month instead of {usual} all on demand.",
    "page.weighed": "Commitments weighed",
    "page.weighed_caption": (
        "Price of an hour with the upfront part spread over the term, and the share of hours that"
        " pays it"
    ),
    "page.column_share": "Pays from",
    "page.column_pays_months": "Months to pay",
    "page.column_pays_on": "Paid on",
    "page.risk": "If demand falls",
    # own
    "page.own_title": "Buy or rent: {gpus} x {device}",
    "page.use": "Use",
    "page.use_value": "{percent} % of the year, {hours} h",
    "page.year": "A year of each",
    "page.year_caption": "What owning costs a year, line by line, and renting the same hours",
    "page.own_total": "Owning, total",
    "page.rent_line": "Renting {what}, {place}, {terms}, {hours} h",
    "page.column_year": "A year",
    "page.own_series": "own",
    "page.rent_series": "rent",
    "page.own_chart": "A year's cost against use",
    "page.own_chart_text": "Owning costs the same at any use; right of the point it costs less.",
    "page.own_chart_never": (
        "Owning costs the same at any use; renting costs less even when the machines never rest."
    ),
    "page.own_from": "owning costs less from {percent} % of the year on",
    "page.percent_of_year": "% of the year's hours",
    "page.per_year": "{currency} a year",
    "page.spent_chart": "Spent so far",
    "page.spent_chart_text": (
        "The purchase and its running against rent at this use; later money at its value today, no"
        " resale counted."
    ),
    "page.paid_after": "the rent saved has paid the purchase after {months} months",
    "page.months": "months",
    "page.own_figures": "Figures",
    "page.own_figures_caption": "What the year is calculated from",
    "page.from_source": "catalog, see sources",
    "page.column_figure": "Figure",
    "page.column_value": "Value",
    "page.column_range": "Range",
    "page.column_origin": "From",
    "page.swings": "What moves the break-even",
    "page.swings_text": (
        "The bar is the expected break-even, {percent} % of the year; the thin line is where each"
        " figure alone moves it."
    ),
    # check
    "page.check_title": "What the change costs",
    "page.result": "Result",
    "page.changed": "Resources changed",
    "page.resources": "Resources",
    "page.resources_caption": "Resources with accelerators, a month of each; changed ones first",
    "page.column_resource": "Resource",
    "page.column_before": "Before",
    "page.column_after": "After",
    "page.column_delta": "Change",
    "page.column_most": "At most",
    "page.delta_chart": "Change by resource",
    "page.delta_chart_text": "{delta} a month in all; {shown} of {all} changes, largest first.",
    "page.policy_caption": "Rules of the policy, failures first",
    "page.column_rule": "Rule",
    "page.column_verdict": "Verdict",
    "page.column_message": "Finding",
    # compare
    "page.compare_title": "Side by side: {what}",
    "page.workload": "Workload",
    "page.verdict": "Verdict",
    "page.side_by_side": "Side by side",
    "page.same": "The same in all: {facts}.",
    "page.unknown": "unknown",
    "page.rows_caption": "{what}: {shown} of {all} ways, cheapest first",
    "page.column_device_hour": "A device-hour",
    "page.per_unit": "{unit}, {mode}",
    "page.work_chart": "Cost of {unit}",
    "page.work_chart_text": (
        "{mode}, at 100 % busy, cheapest first; the thin line is what the speed and the price leave"
        " open."
    ),
    "page.currency_per": "{currency} per {unit}",
    "page.hour_chart": "Price of a device-hour",
    "page.hour_chart_text": "What one device costs an hour, cheapest first.",
    "page.device_hour": "device-hour",
}
