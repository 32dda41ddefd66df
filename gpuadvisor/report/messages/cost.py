"""Texts of the cost room."""

from __future__ import annotations

EN: dict[str, str] = {
    "cost.money_unreadable": (
        "cannot read the amount '{text}'; write 5000, 5kUSD, 700USD/month or 0.5万元"
    ),
    "cost.money_separators": (
        "cannot read '{text}': a point is the decimal sign, and thousands are set in threes "
        "(5,000.50)"
    ),
    "cost.money_shell": (
        "cannot read the amount '{text}': did the shell swallow a $? write 700USD/month"
    ),
    "cost.money_zero": "the amount '{text}' is zero: did the shell swallow a $? write 700USD/month",
    "cost.money_negative": "the amount '{text}' is negative; write a positive one such as 5000",
    "cost.money_too_large": "the amount '{text}' is above 1,000,000,000,000,000",
    "cost.money_period": (
        "'{text}' names the unknown period '{period}'; known are hour, day, month, year and run"
    ),
    "cost.money_two_currencies": "'{text}' names two currencies, '{first}' and '{second}'",
    "cost.money_per_run": (
        "{text} is an amount for one run; this workload runs all month: write it per month"
    ),
    "cost.unknown_currency": "unknown currency '{currency}'; known are {known}",
    "cost.no_rate": (
        "no exchange rate for '{currency}' on {date}; rates exist for {known}; give your own "
        "with --fx CNY=6.65"
    ),
    "cost.no_rates_yet": (
        "no exchange rates on or before {today}; the oldest in the catalog are of {oldest}"
    ),
    "cost.rate_unreadable": (
        "cannot read the rate '{text}'; write units of the currency per USD, as in CNY=6.65"
    ),
    "cost.rate_of_base": (
        "the rate '{text}' is for USD itself; rates are units of the other currency per USD, as "
        "in CNY=6.65"
    ),
    "cost.hours_range": "{name} must be above 0 and at most {most}, not {value}",
    "cost.hours_twice": "give --hours-per-month or --hours-per-day, not both",
    "cost.no_billing": "no billing rules are known for '{provider}'",
}
