"""What a person asks `reserve` for, typed once."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpuadvisor.advice.curve import LENGTHS, MOST_UNITS, REQUESTS, UNITS, Curve, read_curve
from gpuadvisor.advice.estimate_request import EstimateRequest, estimate_request
from gpuadvisor.advice.request import read_number
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND, SPOT

TERMS = ("1y", "3y")

DEFAULT_SPOT_SHARE = 0.30
"""Share of each hour's units that may be interrupted, where nothing is said; shown as assumed."""

DEFAULT_NEED_LASTS = 0.5
"""Chance that the need outlives the first year; three years is long for a GPU."""


class ReserveRequest(NamedTuple):
    """The arguments of `reserve`. `priced` asks for the unit's prices.

    `spot_share` is 0 without spot. `per_unit` are the requests an hour that one unit serves,
    for a curve of requests without a workload.
    """

    curve: Curve
    priced: EstimateRequest
    terms: tuple[str, ...]
    need_lasts: float
    spot_share: float
    workload: str | None
    per_unit: float | None


def reserve_request(fields: Mapping[str, Any]) -> ReserveRequest:
    """Type a mapping of flag names to text or plain values.

    `curve` is a path, a sequence of units, or a `Curve`. Raises UsageError naming the flag.
    """
    named = {key.replace("-", "_"): value for key, value in fields.items()}
    own = {
        key: named.pop(key, None)
        for key in (
            "curve", "unit", "term", "need_lasts", "no_spot", "spot_share", "workload", "per_unit",
        )
    }  # fmt: skip
    if own["curve"] is None:
        raise UsageError(message("reserve.no_curve"))
    if not own["unit"]:
        raise UsageError(message("reserve.no_unit"))
    curve = _curve(own["curve"])
    workload = own["workload"]
    per_unit = None if own["per_unit"] is None else read_number("per_unit", own["per_unit"])
    if curve.kind == REQUESTS and (workload is None) == (per_unit is None):
        raise UsageError(message("reserve.requests_need"))
    if curve.kind == UNITS and (workload is not None or per_unit is not None):
        raise UsageError(message("reserve.units_given"))
    purchase = named.pop("purchase", None)
    return ReserveRequest(
        curve,
        estimate_request({**named, "what": own["unit"], "purchase": _options(purchase)}),
        _terms(own["term"]),
        _chance(
            "need_lasts", DEFAULT_NEED_LASTS if own["need_lasts"] is None else own["need_lasts"]
        ),
        _spot_share(own["no_spot"], own["spot_share"]),
        workload,
        per_unit,
    )


def _curve(given: Any) -> Curve:
    if isinstance(given, Curve):
        return given
    if isinstance(given, str):
        return read_curve(given)
    values = tuple(float(value) for value in given)
    if len(values) not in LENGTHS or any(
        not 0 <= value <= MOST_UNITS or value != int(value) for value in values
    ):
        raise UsageError(message("reserve.bad_curve", lengths=", ".join(map(str, LENGTHS))))
    return Curve(UNITS, values)


def _options(purchase: Any) -> list[str]:
    """On demand and spot are always priced; `--purchase` narrows the commitments."""
    asked = [purchase] if isinstance(purchase, str) else list(purchase or ())
    wanted = [name for text in asked for name in text.replace("-", "_").lower().split(",")]
    committed = [name for name in wanted if name not in (ON_DEMAND, SPOT)] or sorted(COMMITMENTS)
    return [ON_DEMAND, SPOT, *committed]


def _terms(given: Any) -> tuple[str, ...]:
    words = ["1y"] if given is None else [w for t in _many(given) for w in t.split(",")]
    terms = tuple(dict.fromkeys(word.strip().lower() for word in words))
    if not terms or any(term not in TERMS for term in terms):
        raise UsageError(message("reserve.bad_term", value=", ".join(terms)[:60]))
    return terms


def _many(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else [str(each) for each in given]


def _spot_share(no_spot: Any, share: Any) -> float:
    if no_spot and share is not None:
        raise UsageError(message("reserve.spot_twice"))
    if no_spot:
        return 0.0
    return DEFAULT_SPOT_SHARE if share is None else _chance("spot_share", share)


def _chance(name: str, value: Any) -> float:
    """A share from 0 to 1, both included, from `0.6` or `60%`."""
    text = str(value).strip()
    try:
        share = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        flag = "--" + name.replace("_", "-")
        raise UsageError(message("reserve.bad_share", name=flag, value=text[:40]))
    return share
