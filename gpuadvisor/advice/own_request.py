"""What a person asks `own` for, typed once."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gpuadvisor.advice.estimate_request import EstimateRequest, estimate_request
from gpuadvisor.advice.request import read_count, read_number, read_share
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import Amount, parse_money

NUMBERS = ("years", "power_kw", "pue", "kwh_price", "colo")
SHARES = ("residual", "maintenance", "wacc", "load")
MOST_WAYS = 100
"""Ways to rent the devices that are looked at."""

DEFAULT_UTILISATION = 0.5
"""Share of the year's hours that the machine is used, where nothing is said; shown as assumed."""


class OwnRequest(NamedTuple):
    """The arguments of `own`; None is "not said" and taken from the catalog.

    `capex` buys all `gpus` with their host. `given` holds the user's figures by name: years,
    power_kw, pue, kwh_price, colo (money per kW and month), residual, maintenance, wacc, load.
    `staff` is money a year. `priced` asks what renting costs; amounts are in its currency.
    """

    device: str
    gpus: int
    capex: Amount | None
    used: bool
    given: Mapping[str, float]
    staff: float
    utilisation: float
    workload: str | None
    priced: EstimateRequest


def own_request(fields: Mapping[str, Any]) -> OwnRequest:
    """Type a mapping of flag names to text or plain values; raises UsageError naming the flag."""
    named = {key.replace("-", "_"): value for key, value in fields.items()}
    own = {
        key: named.pop(key, None)
        for key in (
            "device", "gpus", "capex", "used", "staff", "utilisation", "workload", "rent",
            *NUMBERS, *SHARES,
        )
    }  # fmt: skip
    if not own["device"]:
        raise UsageError(message("own.no_device"))
    gpus = 1 if own["gpus"] is None else read_count("gpus", own["gpus"])
    given = {key: read_number(key, own[key]) for key in NUMBERS if own[key] is not None}
    given |= {key: _share(key, own[key]) for key in SHARES if own[key] is not None}
    staff = str(own["staff"]).strip() if own["staff"] is not None else "0"
    priced = estimate_request(
        {
            **named,
            "what": own["rent"] or f"{gpus}x{own['device']}",
            "top": named.get("top", MOST_WAYS),
        }
    )
    return OwnRequest(
        str(own["device"]),
        gpus,
        None if own["capex"] is None else _money(own["capex"], priced.base.currency),
        bool(own["used"]),
        given,
        0.0 if float_or_none(staff) == 0 else read_number("staff", staff),
        _utilisation(own["utilisation"]),
        own["workload"],
        priced,
    )


def float_or_none(text: str) -> float | None:
    """The number that a text writes, None where it writes none."""
    try:
        return float(text)
    except ValueError:
        return None


def _share(name: str, value: Any) -> float:
    """A share from 0 up to 1, exclusive; `load` may be 1."""
    if name == "load" and str(value).strip() in ("1", "1.0", "100%"):
        return 1.0
    return read_share(name, str(value))


def _utilisation(value: Any) -> float:
    if value is None:
        return DEFAULT_UTILISATION
    text = str(value).strip()
    share = 1.0 if text in ("1", "1.0", "100%") else read_share("utilisation", text)
    if not share:
        raise UsageError(message("own.no_utilisation"))
    return share


def _money(value: Any, currency: str) -> Amount:
    amount = parse_money(str(value), currency)
    if amount.per is not None:
        raise UsageError(message("own.capex_once", value=str(value)[:40]))
    return amount
