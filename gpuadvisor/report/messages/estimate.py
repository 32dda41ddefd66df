"""Texts of `estimate`."""

from __future__ import annotations

EN: dict[str, str] = {
    # faults
    "estimate.bad_count": "{what}: write a count from 1 to {most}, as in 4x g5.xlarge",
    "estimate.unknown_field": "`{field}` is no argument of estimate",
    "estimate.no_what": "say what to price: an instance type (4x g5.xlarge) or a device (8xA100)",
    "estimate.many_whats": "at most {most} items are priced at once",
    "estimate.other_provider": "{what} is a type of {providers}; leave --provider out or name that",
    "estimate.other_region": "{what} is a type of {providers}, which has no region {regions}",
    "estimate.nowhere": (
        "nothing that can be bought there provides {what}; it is priced in: {places}"
    ),
    # answer
    "estimate.answer_one": "{what} costs {amount} a month {option} in {place}{period}.",
    "estimate.answer_other": (
        "{what} is not sold on demand; {option} costs {amount} a month in {place}{period}."
    ),
    "estimate.answer_many": "{count} lines cost {amount} a month{period}.",
    "estimate.answer_unpriced": "No price is known at which {what} can be bought in {place}.",
    "estimate.answer_unpriced_many": "The total is unknown: {what} has no price to be bought at.",
    "estimate.over_months": ", {amount} over {months} months",
    "estimate.instances": "{count} x {type}",
    "estimate.label_hours": "Hours",
    "estimate.label_assumed": "Assumed",
    "estimate.label_prices": "Prices",
    "estimate.label_exchange": "Exchange",
    "estimate.header_hours": "{hours} a month; ages as of {today}",
    "estimate.version": "{provider} {version} (to {date})",
    "estimate.amounts_in": "Amounts in {currency}.",
    "estimate.rate": "1 {base} = {rate} {quote} (ECB {date})",
    "estimate.rate_own": "1 {base} = {rate} {quote} (your rate)",
    "estimate.alternatives": "{what}: {shown} of {all} ways, cheapest first",
    "estimate.alternatives_all": "{what}: {all} ways, cheapest first",
    "estimate.bill": "Bill of materials, {currency} a month",
    "estimate.total": "total a month",
    "estimate.total_range": "between",
    "estimate.total_period": "total over {months} months",
    "estimate.range": "{low} to {high}",
    "estimate.item_head": "{what}, {place}: {shape}",
    "estimate.item_devices": "{count} x {device}, {memory} GiB each",
    "estimate.item_device": "{device}, {memory} GiB",
    "estimate.item_slice": "{share} of a {device}, {memory} GiB",
    "estimate.item_host": "{vcpus} vCPU, {memory} GiB host memory",
    "estimate.unavailable": "Not to be had:",
    "estimate.unavailable_line": "{options}: {reason}",
    "estimate.per_device_hour": "{amount} per device-hour",
    "estimate.also": "{terms} {amount}",
    "estimate.none": "no price",
    "estimate.published": "published at {amount}",
    "estimate.next": "Next: {command}",
    "estimate.col_hour": "{currency}/hour",
    "estimate.col_month": "{currency}/month",
    "estimate.col_saving": "saving",
    "estimate.col_break_even": "pays from",
    "estimate.break_even": "{hours} h",
    "estimate.never": "never",
    "estimate.seen": "{confidence} of {date}",
    "estimate.seen_again": "{confidence} of {date}, the same on {confirmed}",
    "estimate.confidence_official": "official price",
    "estimate.confidence_secondary": "secondary source's price",
    "estimate.confidence_low": "price of low confidence",
    "estimate.your_price": "your price",
    "estimate.stale": "old",
    "estimate.effective": "{amount} an hour with the upfront payment spread over the term",
    "estimate.average": "{amount} an hour on average",
    "estimate.native": "published as {amount}",
    "estimate.job": "a job of {hours} h: {amount}",
    "estimate.payment_no_upfront": "nothing upfront",
    "estimate.payment_partial_upfront": "part upfront",
    "estimate.payment_all_upfront": "all upfront",
    # options
    "estimate.option_on_demand": "on demand",
    "estimate.option_spot": "spot",
    "estimate.option_reserved": "reserved",
    "estimate.option_savings_plan": "savings plan",
    "estimate.option_committed_use": "committed use",
    "estimate.option_subscription": "subscription",
    "estimate.option_capacity_block": "capacity block",
    "estimate.option_flex_start": "flex-start",
    "estimate.option_calendar": "calendar",
    # what an option binds
    "estimate.capacity_only": "capacity, not a discount",
    "estimate.binds_instance_type": "binds this exact type in the {scope}",
    "estimate.binds_family": "binds the family in the {scope}, any size",
    "estimate.binds_money_per_hour": "binds a sum per hour, any type in the {scope}",
    "estimate.binds_resources": "binds an amount of vCPU, memory and GPU in the {scope}",
    "estimate.scope_zone": "zone",
    "estimate.scope_region": "region",
    "estimate.scope_global": "account's regions",
    "estimate.convertible": "exchangeable for another type of equal or higher value",
    "estimate.needs_reservation": "GPUs need a reservation attached",
    "estimate.max_days": "at most {days} days",
    "estimate.upfront": "paid upfront",
    "estimate.queued": "starts from a queue, only what ran is charged",
    "estimate.unused_lost": "unused hours are lost",
    "estimate.no_capacity": "reserves no capacity",
    "estimate.sustained": "{percent} % sustained use discount over the month",
    "estimate.spot_notice": "taken back at {seconds} s notice",
    "estimate.interruption": "interrupted {bucket} a month",
    "estimate.measure_zones": "low is the cheapest zone",
    "estimate.measure_region_lowest": "the lowest price of the region",
    "estimate.measure_zone_mean": "mean over zones",
    "estimate.measure_list": "the provider's posted price",
    "estimate.measure_market_median": "median of the marketplace's live offers",
    "estimate.spot_ceiling": "high is the on-demand price",
    # why not
    "estimate.not_sold": "not sold for this type, which is sold as {sold}",
    "estimate.not_sold_published": (
        "a list price exists, but the type is not sold so; it is sold as {sold}"
    ),
    "estimate.retired": "retired on {date}; only machines that still run pay the published price",
    "estimate.retired_undated": (
        "retired; only machines that still run pay the published price, if any"
    ),
    "estimate.status_price_only": "a price is published, but the size is not offered",
    "estimate.status_preview": "a preview name that is not sold",
    "estimate.status_unclear": "no source shows it being sold today",
    "estimate.status_active": "not sold in any way that a source shows",
    "estimate.status_frozen": "not sold in any way that a source shows",
    "estimate.status_retired": "retired",
    "estimate.too_old": "the price is {days} days old, above --max-age {limit}",
    "estimate.price_unknown": (
        "price unknown: catalog {catalog} records none in any region; if you have a quote: {own}"
    ),
    "estimate.price_elsewhere": (
        "price unknown for {region} in catalog {catalog}, known for {regions}; if you have a"
        " quote: {own}"
    ),
    # notes on a type
    "estimate.retired_note": "retired: it can no longer be bought; shown is the published price",
    "estimate.retires": "will be retired on {date}",
    "estimate.frozen": "capacity is frozen: the provider adds none, so it is hard to get",
    "estimate.scope_gpu_only": "the price is for the GPU alone; host and memory come on top",
    "estimate.scope_per_gpu_rate": "sold by the GPU; the price is that rate times the count",
    "estimate.paid_used": "{paid} devices are paid, {used} used: the provider sells no fewer",
    "estimate.quota": "needs quota {name} ({title}): {amount} {unit}",
    "estimate.unit_vcpus": "vCPUs",
    "estimate.unit_gpus": "GPUs",
    # assumptions
    "estimate.committed_hours": "commitments are paid for all 730 hours of a month, used or not",
    "estimate.capital": (
        "upfront payments weigh at a cost of capital of {percent} % a year (--capital-cost)"
    ),
    "estimate.partial": "half of a partial upfront price is taken to be paid at once",
    "estimate.discount": "{provider}: {percent} % below list (your discount; not on spot)",
    "estimate.markup": "prices include {percent} % markup",
    "estimate.months": (
        "over {months} months; a commitment is paid for its whole term even if that is longer"
    ),
    "estimate.reference_without": (
        "{what} has no price in its provider's reference region; shown is where it has one"
    ),
    # warnings
    "estimate.line_unpriced": "{what}: no option of {type} has a price and can be bought",
    "estimate.line_other": "{type} is not sold on demand here; its line counts {option}",
    "estimate.line_stale": "the price of {type} was last seen on {date}",
    # demand over the day
    "estimate.no_curve": "{flag} is about a demand over the day: give it with --curve FILE",
    "estimate.requests_need": (
        "a curve of requests needs --per-unit, the requests an hour that one unit serves; a curve"
        " of units takes none"
    ),
    "estimate.min_above_max": "--min {least} is above --max {most}",
    # jobs that may be interrupted
    "estimate.no_job": "{flag} is about a job: give its length with --job-hours",
    "estimate.checkpoint_twice": (
        "--no-checkpoint says that none are written: leave --checkpoint-every out"
    ),
    "estimate.job_answer": "A job of {hours} h costs {parts}{refused}.",
    "estimate.job_only_refused": "A job of {hours} h is refused.",
    "estimate.job_on": "{amount} {option}",
    "estimate.job_refused": ", and is refused",
    "estimate.job_refused_on_spot": ", and is refused on spot",
    "estimate.job_runs": "runs {hours} h ({more} % more than undisturbed)",
    "estimate.job_done": "done after {hours} h",
    "estimate.job_interruptions": (
        "{count} interruptions expected at {expected} an hour ({low}-{high}, {basis})"
    ),
    "estimate.bad_band": (
        "--interruptions-per-hour {value}: write a rate such as 0.15, or the chance to be evicted"
        " within the hour, such as 5-10%"
    ),
    "estimate.job_pays_below": "cheaper than on demand up to {rate} interruptions an hour",
    "estimate.job_interval": "a checkpoint every {minutes} min",
    "estimate.job_no_interval": "too short to need checkpoints",
    "estimate.job_unprotected": "no checkpoints: every interruption starts it again",
    "estimate.job_moves": "what moves the bill most: {name} ({low}-{high})",
    "estimate.moves_head": "What each input does to the bill of the job on {what} ({currency})",
    "estimate.moves_price": "the spot price",
    "estimate.moves_hazard": "the rate of interruptions",
    "estimate.moves_checkpoint": "the time of a checkpoint",
    "estimate.moves_restart": "the time of a restart",
    "estimate.basis_own": "your rate, good to a factor of 2",
    "estimate.basis_aws_bucket": "AWS's monthly bucket, whose exposure is not published",
    "estimate.basis_azure_hourly": "Azure's hourly eviction rate",
    "estimate.basis_gcp_share": "GCP's preempted share",
    "estimate.basis_unknown": "a guess: this cloud publishes nothing here",
    "estimate.notice_fits": (
        "a checkpoint of {needed} s fits into the notice: a hook that writes one loses almost"
        " nothing, at best effort"
    ),
    "estimate.notice_short": (
        "a checkpoint of {needed} s does not fit into the notice of {seconds} s: do not rely on it"
    ),
    "estimate.failures": (
        "on demand fails too: {count} stops are expected of {devices} devices in {hours} h; write"
        " checkpoints there as well"
    ),
    "estimate.max_price": (
        "leave the maximum price unset: a cap adds interruptions, and spot is never above on demand"
    ),
    "estimate.spot_infeasible": (
        "a job of {hours} h hardly finishes on spot at {rate} interruptions an hour: it would run"
        " {times}; {advice}"
    ),
    "estimate.spot_times": "{times} times as long",
    "estimate.spot_for_ever": "for ever",
    "estimate.spot_saved": "a checkpoint every {minutes} min would save it",
    "estimate.spot_hopeless": "no interval of checkpoints would save it",
    "estimate.spot_unprotected": (
        "a job of {hours} h without checkpoints should stay below a fifth of the time between"
        " interruptions"
    ),
    "estimate.spot_not_worth": "with its interruptions the job costs no less on spot",
    "estimate.spot_may_be_late": (
        "on spot the job is done after {low} to {high} h, the deadline is at {limit} h: without"
        " progress, move to on demand after {switch} h{least}"
    ),
    "estimate.spot_late": (
        "on spot alone the job misses the deadline of {limit} h ({low} to {high} h): move to on"
        " demand after {switch} h{least}"
    ),
    "estimate.rescue_cost": "; in time it costs at least {percent} % of on demand",
    "estimate.rescue_unknown": "",
    "estimate.deadline_impossible": (
        "a job of {hours} h cannot be done in {limit} h on these instances: take more or faster"
        " ones"
    ),
    "estimate.price_unused": (
        "your price for {type} {option} was not used: no shown option is that type and option"
    ),
}
