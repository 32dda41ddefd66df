"""Texts of `backtest`."""

from __future__ import annotations

EN: dict[str, str] = {
    "backtest.bad_file": "{file} is no file of measurements",
    "backtest.bad_rows": "{file}: {count} faults",
    "backtest.unreadable": "cannot be read: {reason}",
    "backtest.no_columns": "columns missing: {names}",
    "backtest.empty_cell": "{column} is empty",
    "backtest.bad_number": "value {value!r}: expected a positive number",
    "backtest.bad_direction": "higher_is_better {value!r}: expected 0 or 1",
    "backtest.headline": (
        "{n} measurements (classes: {classes}): median error {median}, nine in ten within {p90}; "
        "order right in {order} of pairs, {gap} where they differ by more than 1.25x."
    ),
    "backtest.no_order": "no pairs",
    "backtest.unknown_devices": "Without specs, taken to be as fast as their group: {names}.",
    "backtest.unknown_classes": "Classes without measurements, predicted by their mode: {names}.",
    "backtest.column_class": "class",
    "backtest.column_n": "n",
    "backtest.column_median": "median",
    "backtest.column_p90": "p90",
    "backtest.column_bias": "bias",
    "backtest.column_order": "order",
    "backtest.column_gap": ">1.25x",
    "backtest.column_held": "in range",
    "backtest.ranker_model": "all, this model",
    "backtest.ranker_formula": "all, bandwidth^a x FLOPS^b",
    "backtest.ranker_bandwidth": "all, bandwidth",
    "backtest.ranker_flops": "all, FLOPS",
}
