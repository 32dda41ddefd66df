"""Texts of the command line itself."""

from __future__ import annotations

EN: dict[str, str] = {
    "cli.about": (
        "Which cloud GPU instances to rent for a workload, on which terms, at what cost, and why."
        " Answers offline from dated, sourced catalogs."
    ),
    "cli.usage": "COMMAND [OPTIONS] …",
    "cli.usage_word": "Usage: ",
    "cli.epilog": "Start with: gpuadvisor recommend --workload ocr --budget 5000",
    "cli.group_decide": "Decide",
    "cli.group_price": "Price",
    "cli.group_guard": "Guard",
    "cli.group_data": "Data",
    "cli.group_options": "Options",
    "cli.summary_recommend": "Rank the instances that serve a workload on a budget, with reasons.",
    "cli.summary_estimate": "Price an instance type or device on every purchase option.",
    "cli.summary_compare": "Put instance types or devices side by side.",
    "cli.summary_check": "Find what an infrastructure change adds in GPU cost.",
    "cli.summary_fit": "Say on which devices a model fits.",
    "cli.summary_reserve": "Say how much of a demand curve to commit.",
    "cli.summary_own": "Compare buying accelerators with renting them.",
    "cli.summary_quote": "Quote firm prices to a customer, with cost and margin kept apart.",
    "cli.summary_catalog": "List, show, validate, compare and refresh the catalogs.",
    "cli.summary_rules": "List, show and test the advice rules.",
    "cli.summary_backtest": "Measure the speed model against measurements.",
    "cli.summary_init": "Write a commented config file for this project.",
    "cli.summary_doctor": "Say what is installed, how old the catalogs are, what is in use.",
    "cli.cannot_write": "the answer cannot be written in full: {reason}",
    "cli.internal": (
        "internal error ({kind}: {reason}). This is a bug: please report it with the command you"
        " ran; GPUADVISOR_DEBUG=1 shows the traceback."
    ),
    "cli.bad_version": "--catalog-version {value}: write provider=version, such as aws=2025.04",
    "cli.bad_format": "--format {value}: this command has {allowed}",
    "cli.bad_lang": "{name} {value}: the languages are {allowed}",
    "cli.bare_budget": "{amount} is in USD; for yuan write {amount}CNY",
    "cli.request_mapping": "a request is a mapping of fields, such as `workload: ocr`",
    "cli.config_invalid": "the config file {file} has {count} fault(s); nothing was done",
    "cli.config_mapping": "a config file is a mapping of keys, such as `currency: EUR`",
    "cli.config_key": "unknown key `{key}`; nearest: {nearest}. Keys: {known}",
    "cli.config_text": "`{key}` takes one value",
    "cli.config_list": "`{key}` takes a value or a list of values",
    "cli.config_pairs": "`{key}` takes a mapping of name to value, or a list of name=value",
    "cli.config_section": "`{key}` is a section: a mapping of keys",
    "cli.config_folder": "{folder} is not a folder (relative ones count from the config file)",
    "cli.config_long_key": "a key of more than {limit} dots",
    "cli.config_toml": "not valid TOML: {reason}",
    "cli.settings_used": "defaults from {path}",
    "cli.request_flag_only": "a request file holds no `{flag}`: use the flag --{flag}",
}
