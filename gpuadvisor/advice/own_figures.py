"""The figures of a purchase: the user's own, else the catalog's, each with range and source."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gpuadvisor.advice.own_request import OwnRequest
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import Device
from gpuadvisor.catalog.names import matches
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.uncertainty import Triple, exactly

YEARS = 3.0
SERVER_POWER = Triple(1.3, 1.8, 2.0)
"""Power of a server over that of its accelerators: DGX H100 10.2 kW over 8 x 0.7 kW is 1.8."""

LOAD = Triple(0.5, 0.8, 1.0)
"""Mean share of the rated power that is drawn; a judgement."""


class Figure(NamedTuple):
    """An input with its range, in the answer's currency where it is money.

    `origin` is `yours`, `assumed`, or the catalog's source id; `weak` marks what should be
    replaced by one's own.
    """

    name: str
    value: Triple
    origin: str
    weak: bool
    notes: tuple[Message, ...] = ()


Converter = Callable[[float], float]
"""From USD, in which the catalog's figures are, to the answer's currency."""


def figures(
    catalog: Catalog, request: OwnRequest, devices: tuple[Device, ...], convert: Converter
) -> dict[str, Figure]:
    """Every input of F34 by name. Raises UsageError where no purchase price is known."""
    known = catalog.documents("ownership")
    found = {
        "capex": _capex(catalog, request, devices, known, convert),
        "power_kw": _power(catalog, request, devices, known),
        "years": _given(request, "years") or Figure("years", exactly(YEARS), "assumed", False),
        "load": _given(request, "load") or Figure("load", LOAD, "assumed", True),
    }
    for name, figure in (
        ("residual", "residual"), ("wacc", "capital_cost"), ("maintenance", "maintenance"),
        ("pue", "pue"),
    ):  # fmt: skip
        found[name] = _given(request, name) or _usual(catalog, known, name, figure)
    colo = _given(request, "colo")
    if colo is not None:
        found["colo"] = colo
    energy = _given(request, "kwh_price")
    if energy is None and colo is None:
        # In one's own room somebody pays for the energy; a colocation may include it.
        energy = _usual(catalog, known, "kwh_price", "electricity", convert)
    if energy is not None:
        found["kwh_price"] = energy
    else:
        # Nothing is drawn that would be paid for.
        found["load"] = Figure("load", exactly(1.0), "assumed", False)
        found["pue"] = Figure("pue", exactly(1.0), "assumed", False)
    found["staff"] = Figure("staff", exactly(request.staff), "yours", False)
    return found


def _given(request: OwnRequest, name: str) -> Figure | None:
    if name not in request.given:
        return None
    return Figure(name, exactly(request.given[name]), "yours", False)


def _usual(
    catalog: Catalog,
    known: Mapping[str, Mapping[str, Any]],
    name: str,
    figure: str,
    convert: Converter = float,
) -> Figure:
    entry = next(e for e in known.values() if e["figure"] == figure and e.get("usual"))
    return _sourced(catalog, name, entry, 1.0, convert)


def _sourced(
    catalog: Catalog,
    name: str,
    entry: Mapping[str, Any],
    times: float,
    convert: Converter,
    notes: tuple[Message, ...] = (),
) -> Figure:
    value = entry["value"]
    triple = Triple(
        *(convert(x * times) for x in (entry.get("low", value), value, entry.get("high", value)))
    )
    weak = catalog.source(entry["source"]).confidence == "low"
    return Figure(name, triple, entry["source"], weak, notes)


def _capex(
    catalog: Catalog,
    request: OwnRequest,
    devices: tuple[Device, ...],
    known: Mapping[str, Mapping[str, Any]],
    convert: Converter,
) -> Figure:
    if request.capex is not None:
        # Typed in the answer's currency, or converted by the caller.
        return Figure("capex", exactly(float(request.capex.value)), "yours", False)
    condition = "used" if request.used else "new"
    entry = _of_devices(known, "purchase", request.gpus, devices, condition)
    if entry is None:
        raise UsageError(
            message("own.no_capex", device=request.device, condition=condition, gpus=request.gpus)
        )
    notes = [message("own.capex_from", title=entry["title"], condition=condition)]
    if entry["devices"] == 1:
        notes.append(message("own.card_alone"))
    times = request.gpus / entry["devices"]
    return _sourced(catalog, "capex", entry, times, convert, tuple(notes))


def _power(
    catalog: Catalog,
    request: OwnRequest,
    devices: tuple[Device, ...],
    known: Mapping[str, Mapping[str, Any]],
) -> Figure:
    given = _given(request, "power_kw")
    if given is not None:
        return given
    entry = _of_devices(known, "system_power", request.gpus, devices, None)
    if entry is not None:
        return _sourced(catalog, "power_kw", entry, request.gpus / entry["devices"], float)
    watts = [device.tdp_w for device in devices if device.tdp_w is not None]
    if not watts:
        raise UsageError(message("own.no_power", device=request.device))
    rated = max(watts) * request.gpus / 1000
    value = Triple(*(rated * factor for factor in SERVER_POWER))
    return Figure("power_kw", value, devices[0].source, True, (message("own.power_from_tdp"),))


def _of_devices(
    known: Mapping[str, Mapping[str, Any]],
    figure: str,
    gpus: int,
    devices: tuple[Device, ...],
    condition: str | None,
) -> Mapping[str, Any] | None:
    """The figure of the largest system that `gpus` are a multiple of."""
    fitting = [
        entry
        for entry in known.values()
        if entry["figure"] == figure
        and entry.get("condition") == condition
        and gpus % entry["devices"] == 0
        and all(matches(device.name, entry["device"]) for device in devices)
    ]
    return max(fitting, key=lambda entry: entry["devices"], default=None)
