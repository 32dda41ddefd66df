"""A demand that changes over the day, and storage beside the machines, as a person says them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpuadvisor.advice.curve import REQUESTS, Curve, read_curve
from gpuadvisor.advice.request import duration_ms, read_count, read_number, read_share
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.serving import Scaling
from gpuadvisor.cost.storage import Want, read_storage

_MS_PER_HOUR = 3.6e6
DEFAULT_IDLE_HOURS = 15 / 60
"""Time without a request after which the last instance stops."""


class ServeRequest(NamedTuple):
    """A curve of units or requests and how the fleet follows it, and `storage`.

    `idle` is in hours, `per_unit` the requests an hour that one unit serves.
    """

    curve: Curve | None
    scaling: Scaling
    idle: float
    per_unit: float | None
    storage: tuple[Want, ...]


def serve_request(own: Mapping[str, Any]) -> ServeRequest:
    """Type the fields; raises UsageError for contradictions, InputError for a faulty curve."""
    curve = _curve(own.get("curve"))
    if curve is None:
        lost = [name for name in own if name != "storage"]
        if lost:
            flag = "--" + lost[0].replace("_", "-")
            raise UsageError(message("estimate.no_curve", flag=flag))
    elif (curve.kind == REQUESTS) != (own.get("per_unit") is not None):
        raise UsageError(message("estimate.requests_need"))
    least = _floor(own.get("min"))
    most = None if own.get("max") is None else read_count("max", own["max"])
    if most is not None and least > most:
        raise UsageError(message("estimate.min_above_max", least=least, most=most))
    usual = Scaling()
    scaling = Scaling(
        usual.warm if own.get("warm") is None else read_share("warm", str(own["warm"])),
        _hours(own, "cooldown", usual.cooldown),
        _hours(own, "boot", usual.boot),
        0.0,
        least,
        most,
    )
    storage = own.get("storage")
    return ServeRequest(
        curve,
        scaling,
        _hours(own, "idle", DEFAULT_IDLE_HOURS),
        None if own.get("per_unit") is None else read_number("per_unit", own["per_unit"]),
        () if storage is None else read_storage(str(storage)),
    )


def _curve(given: Any) -> Curve | None:
    return given if given is None or isinstance(given, Curve) else read_curve(str(given))


def _floor(given: Any) -> int:
    """At least so many units; zero is a number here."""
    if given is None or str(given).strip() == "0":
        return 0
    return read_count("min", given)


def _hours(own: Mapping[str, Any], name: str, usual: float) -> float:
    given = own.get(name)
    if given is None:
        return usual
    if str(given).strip() in ("0", "0m", "0s", "0min"):
        return 0.0
    return duration_ms(name, given, "min") / _MS_PER_HOUR
