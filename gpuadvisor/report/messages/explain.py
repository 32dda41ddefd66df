"""Texts of `--explain`."""

from __future__ import annotations

EN: dict[str, str] = {
    "explain.price": "price: {price} {currency}/hour, {source}, {date}{confirmed}",
    "explain.confirmed": ", unchanged on {date}",
    "explain.speed": (
        "speed: {device} does {ratio} times ({span}) what a {reference} does, {basis}, {source};"
        " the {reference}'s own rate: {reference_source}"
    ),
    "explain.rule": "rule {rule}: {clauses}. {why}",
}
