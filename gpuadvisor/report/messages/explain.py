"""Texts of `--explain`."""

from __future__ import annotations

EN: dict[str, str] = {
    "explain.price": "price: {price} {currency}/hour, {source}, {date}{confirmed}",
    "explain.confirmed": ", unchanged on {date}",
    "explain.mfu": (
        "speed: training on {device} reaches {expected} of its peak ({low} to {high}), {source};"
        " the whole run uninterrupted, on ever more instances:"
    ),
    "explain.scaling": (
        "{nodes} x = {devices} GPUs{split}, {share} efficient: {hours} h, {cost} {currency}"
    ),
    "explain.scaling_stops": (
        "{nodes} x = {devices} GPUs{split}, {share} efficient: {hours} h, {cost} {currency};"
        " adding nodes has stopped paying"
    ),
    "explain.speed": (
        "speed: {device} does {ratio} times ({span}) what a {reference} does, {basis}, {source};"
        " the {reference}'s own rate: {reference_source}"
    ),
    "explain.clause": "{clause}: {state}{gap}",
    "explain.gap": " by {gap}",
    "explain.source": "{key}: {title}. {address}, {date} ({confidence})",
    "explain.rule": "rule {rule}: {clauses}. {why}",
}
