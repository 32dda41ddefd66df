"""Texts of `own`."""

from __future__ import annotations

EN: dict[str, str] = {
    # faults
    "own.no_device": "say what to buy with --device, as in --device H100-80GB-SXM --gpus 8",
    "own.no_capex": (
        "no purchase price of {device} ({condition}) is known for {gpus}: give --capex, the price"
        " of all of them with their host"
    ),
    "own.no_power": "the power of {device} is not known: give --power-kw",
    "own.no_rent": "{what} has no price to be rented at in {region}: name another with --rent",
    "own.no_utilisation": "--utilisation must be above 0",
    "own.capex_once": "--capex {value}: a purchase is paid once, write it without a period",
    # answer
    "own.answer_own": (
        "Owning {gpus} x {device} costs {own} a year, renting {what} {rent} at {busy} % use:"
        " owning is cheaper from {share} % use ({hours} h a year)."
    ),
    "own.answer_rent": (
        "Renting {what} costs {rent} a year at {busy} % use, owning {gpus} x {device} {own}:"
        " owning is cheaper only from {share} % use ({hours} h a year)."
    ),
    "own.answer_never": (
        "Renting {what} costs {rent} a year at {busy} % use, owning {gpus} x {device} {own}:"
        " owning is never cheaper at these prices."
    ),
    "own.year": "A year of owning ({currency})",
    "own.line_capital": "capital: purchase less residual, at the cost of capital",
    "own.line_colocation": "colocation",
    "own.line_energy": "energy",
    "own.line_staff": "staff",
    "own.line_maintenance": "maintenance",
    "own.total": "Total",
    "own.range": "range",
    "own.renting": "Renting {what} in {place}, {terms}, {hours} h",
    "own.break_even": "Break-even use: {share} % of the year ({low} - {high} %)",
    "own.break_even_exact": "Break-even use: {share} % of the year",
    "own.pays": (
        "Saved rent has paid the purchase after {months} months at {busy} % use, resale not"
        " counted."
    ),
    "own.pays_late": (
        "Saved rent has paid the purchase after {months} months at {busy} % use: later than the"
        " {years} years it is written off in, resale not counted."
    ),
    "own.pays_never": "At {busy} % use, saved rent never pays the purchase.",
    "own.moves": "What moves this most: {name} ({low} - {high} % break-even use)",
    "own.swings": "What each input does to the break-even use",
    "own.figures": "Figures",
    "own.figure_line": "{name}: {value}{range}, {origin}",
    "own.unit_both": (
        "Per {unit}: owned {own}, rented {rent} {currency}, both at {busy} % busy when owned and"
        " fully used when rented ({basis})"
    ),
    "own.unit_unknown": "No speed of {workload} is known for both, so no cost per unit.",
    "own.next": "Next: gpuadvisor reserve --curve FILE --unit {what}",
    # figures
    "own.figure_capex": "purchase price",
    "own.figure_years": "years",
    "own.figure_residual": "residual value",
    "own.figure_wacc": "cost of capital",
    "own.figure_power_kw": "power (kW)",
    "own.figure_pue": "PUE",
    "own.figure_load": "mean load",
    "own.figure_kwh_price": "electricity (per kWh)",
    "own.figure_colo": "colocation (per kW and month)",
    "own.figure_staff": "staff (a year)",
    "own.figure_maintenance": "maintenance (a year)",
    "own.figure_rent_per_hour": "rent an hour",
    "own.origin_yours": "yours",
    "own.origin_assumed": "assumed",
    # warnings
    "own.capex_from": "purchase price of {title}, {condition}, from a public page",
    "own.card_alone": "the purchase price is of the cards alone: a host comes on top (--capex)",
    "own.power_from_tdp": "power from the device's rating, 1.3-2.0 times for the host and fans",
    "own.weak": "weak figures, to be replaced by yours: {figures}",
    "own.no_staff": "no staff is counted (--staff)",
    "own.colo_energy": (
        "colocation usually bills metered energy on top: ask, and add --kwh-price if so"
    ),
    "own.consumer": (
        "a consumer card: no ECC, no service agreement, and its driver licence bars data centres"
    ),
    "own.other_device": (
        "renting is of another device, {device}: name a --workload to compare per unit of work"
    ),
}
