"""What a person asks `estimate` for, typed once."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuadvisor.advice.job_request import FIELDS, UNSAID, JobRequest, job_request
from gpuadvisor.advice.request import (
    Request,
    read_count,
    read_number,
    read_share,
    request_from,
)
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.billing import DEFAULT_CAPITAL_COST

if TYPE_CHECKING:
    from gpuadvisor.advice.serve_request import ServeRequest

SERVING = (
    "curve", "min", "max", "warm", "cooldown", "boot", "idle", "per_unit", "storage",
)  # fmt: skip
"""Fields of `serve_request`, named here so that its module is imported only when one is given."""

SHARED = frozenset(
    {
        "provider", "tier", "region", "hours_per_month", "hours_per_day", "discount", "price",
        "purchase", "currency", "fx", "top", "today", "max_age",
    }
)  # fmt: skip
"""Fields that mean here what they mean in every command."""

MOST_WHATS = 200


class EstimateRequest(NamedTuple):
    """The arguments of `estimate`. `base` holds those it shares with the other commands.

    `job_hours` is one run's length, `months` the period of the total, `markup` a share on top
    of every price, `capital_cost` the yearly cost of capital that weighs upfront payments.
    `job` says how that run copes with interruptions, `serve` how a demand over the day is served
    and what is stored.
    """

    what: tuple[str, ...]
    base: Request
    job_hours: float | None
    months: int | None
    markup: float
    capital_cost: float
    job: JobRequest = UNSAID
    serve: "ServeRequest | None" = None


def estimate_request(
    fields: Mapping[str, Any], also: frozenset[str] = frozenset()
) -> EstimateRequest:
    """Type a mapping of flag names to text or plain values; `what` is one WHAT or several.

    `also` names fields of other commands that are read too. Raises UsageError naming the flag,
    its value and what is expected.
    """
    named = {key.replace("-", "_"): value for key, value in fields.items()}
    what = named.pop("what", ())
    whats = (what,) if isinstance(what, str) else tuple(what)
    own = {key: named.pop(key, None) for key in ("job_hours", "months", "markup", "capital_cost")}
    said = {key: named.pop(key, None) for key in FIELDS}
    served = {key: named.pop(key, None) for key in SERVING}
    served = {key: value for key, value in served.items() if value is not None}
    for key in named:
        if key not in SHARED | also:
            raise UsageError(message("estimate.unknown_field", field=key[:60]))
    if not whats:
        raise UsageError(message("estimate.no_what"))
    if len(whats) > MOST_WHATS:
        raise UsageError(message("estimate.many_whats", most=MOST_WHATS))
    job, months, markup, capital = own.values()
    job_hours = None if job is None else read_number("job_hours", job)
    return EstimateRequest(
        whats,
        request_from(named),
        job_hours,
        None if months is None else read_count("months", months),
        0.0 if markup is None else read_share("markup", str(markup)),
        DEFAULT_CAPITAL_COST if capital is None else read_share("capital_cost", str(capital)),
        job_request(said, job_hours),
        _serve(served),
    )


def _serve(given: Mapping[str, Any]) -> "ServeRequest | None":
    if not given:
        return None
    from gpuadvisor.advice.serve_request import serve_request

    return serve_request(given)
