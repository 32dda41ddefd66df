"""Texts of `init`: the comments of the file that it writes."""

from __future__ import annotations

EN: dict[str, str] = {
    "init.head": (
        "Defaults of gpuadvisor for whoever works below this folder. A flag of the command line"
        " wins over what stands here. Lines behind `#` are examples; delete the `#` to make one"
        " count. `gpuadvisor doctor` says which file is in use."
    ),
    "init.provider": (
        "Clouds that recommend and compare ask, instead of all hyperscalers and specialist clouds."
    ),
    "init.region": (
        "Regions or parts of the world (us, eu, asia …), instead of each provider's reference"
        " region."
    ),
    "init.tier": "Kinds of clouds: hyperscaler, specialist, marketplace.",
    "init.currency": "Currency of the answers and of amounts without one.",
    "init.fx": (
        "Your own exchange rates, units per USD; else the newest of the European Central Bank."
    ),
    "init.discount": "Your discount off list prices, per provider; its prices are shown as yours.",
    "init.hours_per_month": "Hours that machines run in a month.",
    "init.lang": "Language of the answers: en or zh.",
    "init.catalog": (
        "Folders of YAML laid over the catalogs: private prices, own nodes, workloads, rules."
        " Relative to this file."
    ),
    "init.catalog_version": (
        "Prices of a dated version, so that an answer stays the same until you move it."
    ),
    "init.check": (
        "Limits that `gpuadvisor check` holds a change against; amounts are per month, in the"
        " currency above unless they name one."
    ),
    "init.check_max_increase": "What one change may add.",
    "init.check_max_increase_pct": "… in percent of what there was.",
    "init.check_max_total": "What everything may cost after the change.",
    "init.check_max_hourly_per_resource": "The dearest single resource, an hour.",
    "init.check_max_devices": "Accelerators after the change, all together.",
    "init.check_types": "Instance types (also `devices`, `options`), as patterns to allow or deny.",
    "init.check_regions": "Regions, likewise.",
    "init.check_require_spot_for": "Addresses that must be on spot.",
    "init.check_on_unknown": "What could not be priced: fail, warn or ignore.",
    "init.check_max_catalog_age": "Days after which prices are too old to judge by.",
    "init.check_rules": "Level of single rules: fail, warn or ignore.",
    "init.check_ignore": "Exceptions, with a reason and an end.",
    "init.check_note": "A line under a failed check.",
    "init.exists": "{path} is there already; --force replaces it, --output writes elsewhere",
    "init.pair": "--discount {value}: write provider=share, such as aws=12%",
    "init.done": "wrote {path}. Next: edit it, then run gpuadvisor doctor",
}
