"""Texts of storage and egress."""

from __future__ import annotations

EN: dict[str, str] = {
    "storage.word": (
        "--storage '{part}': write NAME=SIZE with one of {words}, each once, as in"
        " hot=2TB,cold=18TB"
    ),
    "storage.size": "--storage '{part}': write a size above 0 such as 200GB, 2TB or 1TiB",
    "storage.unknown": "price unknown",
    "storage.warmer": "no {tier} tier is priced here: kept one tier warmer",
    "storage.no_size": "no listed disk is large enough: price unknown",
    "storage.no_retrieval": "retrieval fee unknown",
    "storage.none_cold": "nothing is kept colder than hot",
}
