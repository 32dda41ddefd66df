"""Texts of `doctor`."""

from __future__ import annotations

EN: dict[str, str] = {
    "doctor.sound": (
        "All is in order as of {today}: prices of {providers} providers, {old} of them old."
    ),
    "doctor.broken": "{count} part(s) cannot be read; the reasons stand below.",
    "doctor.label_program": "Program",
    "doctor.label_packages": "Packages",
    "doctor.label_base": "Catalogs",
    "doctor.label_cache": "Cache",
    "doctor.label_config": "Config",
    "doctor.label_variables": "Variables",
    "doctor.label_extras": "Extras",
    "doctor.label_credentials": "Credentials",
    "doctor.program": "gpuadvisor {version}, Python {python} on {platform}",
    "doctor.absent": "absent",
    "doctor.none": "none",
    "doctor.checkout": "YAML of a checkout: {path}",
    "doctor.wheel": "compiled: {path}",
    "doctor.cache": "{path} ({mib} MiB)",
    "doctor.cache_readonly": (
        "{path} cannot be written: a folder under the temporary one is used, or none"
    ),
    "doctor.cache_none": "no home, so no cache: catalogs in YAML are compiled on each run",
    "doctor.config": "{path}, which sets: {keys}",
    "doctor.config_none": (
        "none found here or above, up to the root of the repository; init writes one"
    ),
    "doctor.config_fault": "cannot be read, see below",
    "doctor.extras_all": "{there}",
    "doctor.extras": "{there}; not installed: {absent} (pip install 'gpuadvisor[{names}]')",
    "doctor.found": "{cloud}: {places}",
    "doctor.not_found": "{cloud}: none; a refresh reads the public prices",
    "doctor.not_found_gcp": "{cloud}: none; a refresh needs an API key at least",
    "doctor.age": "{provider} {as_of} ({days} d)",
    "doctor.ages_fresh": "Prices fit to answer from: {body}",
    "doctor.ages_warn": "Prices with a warning for their age: {body}",
    "doctor.ages_widen": "Prices so old that their ranges are widened: {body}",
}
