"""Texts of `recommend` for people."""

from __future__ import annotations

EN: dict[str, str] = {
    "recommend.nothing": "No instance type in the catalogs meets these needs.",
    "recommend.lead": "Rent {what} at {place}, {terms}: {cost}{unit}.",
    "recommend.lead_unserved": (
        "Nothing of known speed serves this demand. Of unknown speed, the cheapest is {what} at"
        " {place}, {terms}: {cost}, and may not serve it either."
    ),
    "recommend.lead_unsized": (
        "The cheapest is {what} at {place}, {terms}: {cost}; no speed is known, so it is not said"
        " how many the demand takes."
    ),
    "recommend.doubt_secondary": " The price is from a secondary source of {date}.",
    "recommend.doubt_stale": " The price is of {date}.",
    "recommend.between_zones": " Traffic between zones comes on top: {cost}.",
    "recommend.lead_stale": "{stale}: ",
    "recommend.over_budget": (
        "Nothing fits the budget. The cheapest that works is {what} at {place}, {terms}: {cost},"
        " {gap} more than the budget{unit}."
    ),
    "recommend.terms_on_demand": "on demand",
    "recommend.terms_spot": "spot",
    "recommend.terms_reserved": "reserved",
    "recommend.terms_savings_plan": "savings plan",
    "recommend.terms_committed_use": "committed use",
    "recommend.terms_subscription": "subscription",
    "recommend.terms_capacity_block": "capacity block",
    "recommend.terms_flex_start": "flex-start",
    "recommend.terms_calendar": "calendar reservation",
    "recommend.money_month": "{money} {currency}/month",
    "recommend.money_run": "{money} {currency}/run",
    "recommend.per_month": "a month",
    "recommend.per_run": "a run",
    "recommend.cost_tiny": "under 0.01 {currency} a month",
    "recommend.cost_month": "{money} a month",
    "recommend.cost_run": "{money} for the run of about {hours} h",
    "recommend.unit_clause": ", {cost} per {unit}",
    "recommend.relative_unit": "{device}-hour of work",
    "recommend.label_workload": "Workload",
    "recommend.label_budget": "Budget",
    "recommend.label_demand": "Demand",
    "recommend.label_hours": "Hours",
    "recommend.label_assumed": "Assumed",
    "recommend.label_objective": "Ranked by",
    "recommend.label_prices": "Prices",
    "recommend.hours": "{hours} a month; ages as of {today}",
    "recommend.version": "{provider} {version} (to {date})",
    "recommend.workload": "{name} ({title}), {mode}",
    "recommend.exchanged": "{amount} = {other} ({origin})",
    "recommend.no_workload": "none named: instances are ranked by price alone",
    "recommend.reference": "; speed carried from {device}: {measured}",
    "recommend.rate_ecb": "ECB {date}",
    "recommend.rate_own": "your rate",
    "recommend.demand_rate": "{rate} {units} a second",
    "recommend.demand_volume": "{count} {units} a month",
    "recommend.requests": "requests",
    "recommend.demand_users": "{users} users at all times",
    "recommend.demand_ttft": "99 % of first tokens within {ms} ms",
    "recommend.demand_tpot": "99 % of further tokens within {ms} ms each",
    "recommend.served": (
        "{replicas} replicas, {sequences} of {most} sequences at once in each; 99 % of first tokens"
        " within {ttft} ms, further ones {tpot} ms"
    ),
    "recommend.served_split": (
        "{replicas} replicas of {split} devices, {sequences} of {most} sequences at once in each;"
        " 99 % of first tokens within {ttft} ms, further ones {tpot} ms"
    ),
    "recommend.sliced": "each device cut into {slices} x {partition}, one process in each",
    "recommend.queue_batched": (
        "{servers} devices in batches for the arithmetic of {busy}: 99 % within {p99} ms"
    ),
    "recommend.queue": (
        "{servers} warm processes for {busy} busy ones ({spare} spare): 99 % within {p99} ms"
    ),
    "recommend.demand_deadline": "done within {hours} h",
    "recommend.demand_run": "{count} {units} ({what})",
    "recommend.demand_training": "{count} {units}",
    "recommend.demand_p99": "99 % of responses within {ms} ms",
    "recommend.demand_low": "low latency",
    "recommend.demand_gpus": "{gpus} devices in total",
    "recommend.demand_nodes": "{nodes} instances",
    "recommend.objective_cost": "cost",
    "recommend.objective_unit_cost": "cost per {unit}, at 100 % busy (no demand was given)",
    "recommend.objective_time": "time to finish",
    "recommend.objective_price": "price, because no speed is known",
    "recommend.policy_seed": "; seed policy: the first branch of the owner's tree that holds",
    "recommend.no_speed": "no measured speed: ranked by price below the others",
    "recommend.more_providers": " and {count} more",
    "recommend.rate": "{rate} {units}/s ({span}, {basis})",
    "recommend.relative_rate": "{rate} times a {device} ({span}, {basis})",
    "recommend.basis_measured": "measured",
    "recommend.basis_fitted": "fitted",
    "recommend.basis_spec": "from the spec sheet",
    "recommend.cost_busy": "{cost} per {unit} at 100 % busy ({idle} at 30 %)",
    "recommend.cost_unit": "{cost} per {unit}",
    "recommend.part_of_month": "billed for {hours} of the {all} h",
    "recommend.run_hours": "{hours} h ({span})",
    "recommend.spot_finish": (
        "{more} % of it for interruptions ({count} expected), done after {hours} h ({span})"
    ),
    "recommend.whole": "with storage and traffic ({storage}) {whole} {currency}/month",
    "recommend.whole_unknown": "storage and traffic: not all prices are known here",
    "recommend.fits": "budget pays for {count}",
    "recommend.if_committed": "if committed {prices} a month",
    "recommend.your_price": "your price {price} {currency}/hour",
    "recommend.feed_wanted": "takes {gigabytes} GB/s{vcpus} from {place}",
    "recommend.feed_vcpus": " and {vcpus} vCPU",
    "recommend.feed_limited": "{name} feed {share} of it",
    "recommend.feed_cured": "{limit}: {cure}",
    "recommend.feed_local": "local NVMe",
    "recommend.feed_disk": "a network disk as created",
    "recommend.feed_fast_disk": "a network disk at its most",
    "recommend.feed_network": "storage over the network",
    "recommend.feed_cores": "the vCPU",
    "recommend.host_bound": "limited by its {vcpus} vCPU",
    "recommend.packed": "{streams} processes share a device (x {gain})",
    "recommend.mfu": "{share} of peak",
    "recommend.mfu_assumed": "{share} of peak assumed, nobody published a run",
    "recommend.efficiency": "{share} of linear speed",
    "recommend.measure_zones": "spot: lowest and median over zones",
    "recommend.measure_region_lowest": "spot: lowest price in the region",
    "recommend.measure_zone_mean": "spot: mean over zones",
    "recommend.measure_list": "spot: the provider's posted price",
    "recommend.ties": "= : closer together than the speed model can tell apart; a tie.",
    "recommend.widened": (
        "The owner's tree (--policy seed) would hide, at {currency} a month: {types}"
    ),
    "recommend.change": "What would change this: {text}",
    "recommend.rejected": "{considered} types considered, {removed} left out: {reasons}",
    "recommend.sources": "Sources",
    "recommend.next": "Next: {command}",
}
