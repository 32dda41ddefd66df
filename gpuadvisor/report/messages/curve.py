"""Texts of demand curves."""

from __future__ import annotations

EN: dict[str, str] = {
    "curve.not_text": "not a CSV file in UTF-8",
    "curve.header": "the first line is '{found}'; write hour,units or hour,requests",
    "curve.bad_units": "'{row}': write the hour and a whole number of units, as in 13,10",
    "curve.bad_requests": "'{row}': write the hour and a number of requests, as in 13,52000",
    "curve.hour": "hour '{found}' stands where {expected} comes; hours count up without a gap",
    "curve.length": "{found} hours; a curve has {lengths}: a day, a week or a year",
}
