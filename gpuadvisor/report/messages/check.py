"""Texts of `check`: costs of an infrastructure change, the policy, and what was assumed."""

from __future__ import annotations

EN: dict[str, str] = {
    # Reasons of one row.
    "check.some_unpriced": "no price for {types}, so they are not in the range",
    "check.first_candidate": (
        "any of {count} types may run; {type}, the first listed, gives the figure, the others the "
        "range"
    ),
    "check.cheapest_candidate": (
        "any of {count} types may run; {type}, the cheapest, gives the figure, the others the range"
    ),
    "check.unbounded": "there is no upper bound on the count",
    "check.count_unknown": "the count is not known; each costs {price}",
    "check.no_pair": "the catalog has no price for {device} on {machine}",
    "check.type_unknown": "the catalog does not know {type}",
    "check.no_machine": "it names no machine that the catalog has a price for",
    "check.per_chip": "priced by the chip, as {type} is",
    "check.no_price": "no price of {type} is known",
    "check.retired": "{type} is retired: new ones cannot be started",
    "check.not_sold": "{type} is not sold",
    "check.option_not_sold": "{type} is not sold as {option}",
    "check.not_in_region": "{type} is not known to be offered in {region}; known in {known}",
    "check.purchase_unknown": "the purchase option cannot be read; priced on demand",
    "check.prepaid": "a capacity block is paid in advance, whether used or not",
    "check.spot_price": "a spot price moves; the range goes up to the on-demand price",
    "check.no_option_price": "no {option} price is known; the on-demand price is its ceiling",
    "check.mixed": (
        "{on_demand} on demand and {spot} spot planned, {max_on_demand} and {max_spot} at most"
    ),
    "check.any_region": (
        "the region is not known: {low} to {high} each, in {regions} regions ({type})"
    ),
    "check.own_list": "{service} has a price list of its own, which the catalog does not hold",
    "check.own_list_floor": (
        "{service} has a price list of its own, which the catalog does not hold; the machine alone "
        "({type}) costs {price}"
    ),
    "check.on_supply": "runs on nodes of this check, which bill for it",
    "check.on_nodes": "{pods} pods need {nodes} x {type}, which holds {per_node} of them",
    "check.on_pool": "on a pool that grows when pods ask; its own limit is the maximum",
    "check.does_not_fit": "a pod asks for {devices} devices, but {type} has {held}",
    "check.device_hours": "{devices} devices, {hours} device-hours a month",
    "check.fitting_range": (
        "on the {types} types that fit, a device costs {low} to {high}: {low_month} to {high_month}"
    ),
    "check.name_nodes": (
        "no node is named; say which with check.nodes in the policy file or --assume-node"
    ),
    # The policy.
    "check.increase_within": "the increase of {value} is within the limit of {limit}",
    "check.increase_over": "the increase of {value} is over the limit of {limit}",
    "check.increase_max_over": (
        "at the maximum counts the increase is {value}, over the limit of {limit}"
    ),
    "check.decrease_within": "the decrease of {value} is within the limit of {limit}",
    "check.decrease_over": "the decrease of {value} is over the limit of {limit}",
    "check.decrease_max_over": "the decrease of {value} is over the limit of {limit}",
    "check.total_within": "the total of {value} is within the budget of {limit}",
    "check.total_over": "the total crosses the budget of {limit}: {value}",
    "check.total_max_over": (
        "at the maximum counts the total is {value}, over the budget of {limit}"
    ),
    "check.total_already": (
        "the total was over the budget of {limit} before this change ({value}), so it is not "
        "blocked for that"
    ),
    "check.pct_within": "the increase of {value} % (of {before}) is within the limit of {limit} %",
    "check.pct_over": "the increase of {value} % (of {before}) is over the limit of {limit} %",
    "check.pct_max_over": (
        "at the maximum counts the increase is {value} % (of {before}), over the limit of {limit} %"
    ),
    "check.pct_new": (
        "nothing was billed before, so {value} is new and has no percentage; --max-increase limits "
        "it"
    ),
    "check.pct_nothing": "nothing was billed before and nothing is after",
    "check.hourly_within": "no resource is over {limit}",
    "check.hourly_over": "costs {value}, over the limit of {limit} for one resource",
    "check.hourly_max_over": (
        "can cost {value} at its maximum count, over the limit of {limit} for one resource"
    ),
    "check.devices_within": "{value} devices are within the limit of {limit}",
    "check.devices_over": "{value} devices are over the limit of {limit}",
    "check.devices_max_over": "at the maximum counts {value} devices are over the limit of {limit}",
    "check.devices_already": (
        "{value} devices were over the limit of {limit} before this change, so it is not blocked "
        "for that"
    ),
    "check.denied_ga007": "the type {name} is not allowed",
    "check.denied_ga008": "the device {name} is not allowed",
    "check.denied_ga009": "the region {name} is not allowed",
    "check.denied_ga010": "the purchase option {name} is not allowed",
    "check.within_ga007": "every type that changes is allowed",
    "check.within_ga008": "every device that changes is allowed",
    "check.within_ga009": "every region that changes is allowed",
    "check.within_ga010": "every purchase option that changes is allowed",
    "check.within_ga011": "everything that must be spot is",
    "check.spot_required": "must be spot, but is {option}",
    "check.could_not_price": (
        "{unpriced} without a price, {unknown} not known from the files; they are not in the totals"
    ),
    "check.catalog_old": "prices are older than {limit} days: {catalogs}",
    "check.catalog_fresh": "no prices are older than {limit} days",
    "check.policy_changed": "{file} differs from {ref}; the policy of {ref} was applied",
    "check.policy_removed": "{file} is removed by this change; the policy of {ref} was applied",
    "check.policy_added": ("{file} is new in this change and not at {ref}; no policy was applied"),
    "check.ignore_expired": "the exception for {address} ended on {until} and no longer applies",
    # What holds for the whole report.
    "check.assume_hours": "a month has {hours} hours",
    "check.assume_list": "list prices, without negotiated discounts, taxes, storage and traffic",
    "check.assume_discounts": "your discounts off list prices: {discounts}",
    "check.assume_spot": "spot at its typical price, which the cloud may change at any time",
    "check.assume_planned": "planned counts are what the files ask for now; autoscalers may move",
    "check.assume_region": "{region} where a file names no region",
    "check.left_out": "{count} files are none of the known formats and were left out: {files}",
    "check.no_baseline": (
        "no baseline: everything in files without a before counts as new; give the earlier state "
        "with --base"
    ),
    "check.base_unused": "--base is not used: a plan holds its own state before the change",
    "check.stale_warn": "the {option} prices of {provider} are {days} days old ({as_of})",
    "check.stale_widen": (
        "the {option} prices of {provider} are {days} days old ({as_of}), so their range is wider"
    ),
    # Suggestions and their catch.
    "check.use_spot": "rent {type} as spot",
    "check.catch_spot": "it can be taken back at short notice",
    "check.catch_spot_rate": "it can be taken back at short notice; {rate} of them were in a month",
    "check.use_type": "{type} has the same {device}",
    "check.catch_type": (
        "it has {vcpus} vCPUs and {memory} GiB of memory, now {old_vcpus} and {old_memory}"
    ),
    "check.use_region": "rent {type} in {region}",
    "check.catch_region": "data and users in {region} are then farther away, and traffic is billed",
    # Layout of the reports.
    "check.headline": (
        "GPU cost: {delta} planned … {delta_max} max a month · {changed} changed{missing}{asof}"
    ),
    "check.headline_unknown_cost": (
        "GPU cost: could not be determined · {changed} changed{missing}"
    ),
    "check.headline_nothing": "GPU cost: no accelerators in {examined} resources",
    "check.ending": " · {price} while jobs run",
    "check.headline_unpriced": " · {unpriced} unpriced",
    "check.headline_unknown": " · {unknown} unknown",
    "check.headline_unbounded": " · {unbounded} without a maximum",
    "check.headline_as_of": " · prices as of {date}",
    "check.level": "Total a month: {before} before, {after} after, {maximum} at most{range}",
    "check.level_range": " (price range {low} to {high})",
    "check.named": "{name}: {text}",
    "check.per_hour": "{money}/h",
    "check.on_demand_price": "on demand {price}",
    "check.most": "max {amount}",
    "check.tail": "{read}. {catalogs}",
    "check.columns": (
        "change|resource|accelerator|count|terms|region|before|after|delta/month|max/month"
    ),
    "check.unchanged": "=   {count} resources stay as they are: {total} a month",
    "check.unknown_word": "unknown",
    "check.unpriced_word": "no price",
    "check.covered_word": "billed above",
    "check.while_running": "{price} while it runs",
    "check.pods": "pods",
    "check.open_word": "no limit",
    "check.title_missing": "Could not price",
    "check.title_why": "Why and what was assumed",
    "check.title_suggestions": "Cheaper ways",
    "check.title_policy": "Policy",
    "check.title_notes": "Notes",
    "check.title_projects": "Projects",
    "check.other_project": "(other files)",
    "check.project_line": "{name}: {delta} a month ({before} to {after}), {delta_max} at most",
    "check.suggestion": "{address}: {change} and save {saving} a month; but {catch}",
    "check.policy_none": "no limits are set; set them with --max-increase or in .gpuadvisor.yaml",
    "check.verdict_passed": "passed",
    "check.verdict_warn": "warning",
    "check.verdict_fail": "FAILED",
    "check.result_line": "Result: {result}",
    "check.result_passed": "passed",
    "check.result_failed": "policy failed (exit 1)",
    "check.result_incomplete": "incomplete (exit 4): some cost could not be determined",
    "check.result_zero": "passed, because --exit-zero says so",
    "check.more_rows": "… {count} more rows, see the whole report",
    "check.more_annotations": "and {count} more; see the summary",
    "check.examined": "{examined} resources read, {skipped} of them without accelerators",
    "check.catalogs": "Prices: {catalogs}",
    "check.override": "To change a limit, edit the policy: {origin}",
    # Comments on pull requests.
    "check.comment_created": "commented on {repo} {number}",
    "check.comment_updated": "updated the comment on {repo} {number}",
    "check.comment_silent": "nothing about accelerators changed: no comment",
    "check.comment_newer": "a newer run has already commented on {repo} {number}",
    "check.comment_forbidden": (
        "the token may not comment on {repo} (HTTP {status}; requests from forks may not, GitHub "
        "jobs without `pull-requests: write` neither, nor GitLab's job tokens): the report is in "
        "the job's summary or log instead"
    ),
    "check.comment_failed": (
        "commenting on {repo} {number} failed ({reason}): the report is in the job's "
        "summary or log instead"
    ),
    "check.comment_no_change": "This version of the change no longer touches accelerators.",
    "check.comment_small": "This version of the change is below the threshold of this comment.",
    "check.comment_threshold": "--threshold {value}: an amount a month such as 100 is expected",
    "check.comment_footer": "This comment is updated when the change is.",
    "check.comment_no_repo": "name the repository with --repo {expected} ({variable} is unset)",
    "check.comment_no_number": "name the request with --pull-request or --merge-request NUMBER",
    "check.comment_no_token": "set {variable} to a token that may comment",
    "check.comment_host": "--host {value}: known are github and gitlab",
    "check.comment_key": "--key {value}: letters, digits, '-', '_' and '.', at most 60",
    "check.comment_api": "{variable} {value}: an https address is expected",
    "check.comment_report": (
        "{file} is no report of check; write one with `gpuadvisor check … --output json={file}`"
    ),
    # Bad arguments.
    "check.unknown_field": "check has no field '{field}'",
    "check.no_files": "name the files to check, or - for standard input",
    "check.many_files": "more than {most} files; name a smaller folder",
    "check.empty_folder": "{folder} holds no JSON or YAML files",
    "check.stdin_twice": "standard input (-) can be read only once",
    "check.hours": "--hours-per-month {value}: a month has at most 744 hours",
    "check.policy_invalid": "the policy {file} is not valid",
    "check.git_name": (
        "--config {value}: write git:REF:PATH, such as git:origin/main:.gpuadvisor.yaml"
    ),
    "check.git_ref": (
        "git does not know {ref} here; fetch it first, such as with "
        "`git fetch --depth=1 origin main`"
    ),
    "check.git_file": "{file} is not a file that git can show, or is too large",
    "check.git_missing": "--config git:… needs git on the PATH",
    "check.output": (
        "--output {value}: write FILE.html (or .xlsx, .json, .md) for the answer, or FORMAT=FILE"
        " besides it, such as markdown=report.md; formats are {known}"
    ),
    "check.output_twice": "--output {value}: the answer goes to one file; name others FORMAT=FILE",
}
