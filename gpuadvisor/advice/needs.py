"""What a request needs, once the workload's profile has filled what was not said."""

from typing import NamedTuple

from gpuadvisor.advice.request import Request
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.billing import hours_per_month
from gpuadvisor.cost.exchange import Exchange
from gpuadvisor.cost.money import per_month
from gpuadvisor.rules.interface import Facts
from gpuadvisor.workload import interface as workload
from gpuadvisor.workload.demand import derive_needs, make_demand
from gpuadvisor.workload.profile import choose_mode, find_profile

COST = "cost"
UNIT_COST = "unit_cost"
TIME = "time"
PRICE = "price"

USABLE_SHARE = 0.93
"""Usable over nominal device memory where nobody measured it: the driver and ECC take the rest."""

UNSTATED = workload.Profile(
    name="unstated", title="unstated", title_zh="未说明", unit="hour", units="hours",
    shape=workload.MONTHLY, default_mode=workload.UNBATCHED,
    modes={workload.UNBATCHED: workload.Mode(workload.UNBATCHED, None, None, None, None, ())},
    precision="fp16", memory=None, host=None, interruptible=True, latency="none",
    generative=False, min_devices=1, linked=False, software="cuda", run=None, unsuited=(),
    notes=None,
)  # fmt: skip
"""Stands in when no workload is named: instances are then ranked by price alone."""


class Needs(NamedTuple):
    """A request with its profile: what the workload room derived, and what advice adds.

    `devices` counts devices in total where the user or the profile fixes them, else None.
    `hours` are paid per month; `options` are the purchase options in the running.
    """

    profile: workload.Profile
    mode: workload.Mode
    demand: workload.Demand
    core: workload.Needs
    devices: int | None
    nodes: int | None
    arch: str
    hours: float
    options: tuple[str, ...]
    objective: str
    facts: Facts
    notes: tuple[Message, ...]


def needs_of(catalog: Catalog, request: Request, exchange: Exchange) -> Needs:
    """Derive the needs of a request. Raises UsageError for what contradicts itself."""
    if request.workload is None:
        _refuse_demand(request)
        profile = UNSTATED
    else:
        profile = find_profile(catalog, request.workload)
    mode = choose_mode(profile, request.batched)
    demand = make_demand(
        profile,
        per_second=request.qps,
        per_month=request.units_per_month,
        deadline_hours=request.deadline_h,
        latency=request.latency,
        latency_p99_ms=request.latency_p99_ms,
    )
    if mode.reference is not None and mode.reference.relative_only:
        _refuse_absolute(request, profile, mode)
    core = derive_needs(
        profile,
        mode,
        demand,
        devices=request.gpus,
        nodes=request.nodes,
        model_memory_gib=request.model_memory,
        min_device_memory_gib=request.min_gpu_memory,
        precision=request.precision,
        min_vcpus=request.min_vcpus,
        min_host_memory_gib=request.min_host_memory,
        interruptible=request.interruptible,
        software=request.software,
    )
    fixed = request.gpus or (profile.min_devices if profile.min_devices > 1 else None)
    options = request.purchase or ((ON_DEMAND, SPOT) if core.spot_allowed else (ON_DEMAND,))
    needs = Needs(
        profile,
        mode,
        demand,
        core,
        fixed,
        request.nodes,
        request.arch or "x86_64",
        hours_per_month(request.hours_per_month, request.hours_per_day),
        options,
        request.objective or _objective(demand, mode),
        {},
        _notes(request, profile, core, options),
    )
    return needs._replace(facts=_facts(request, needs, exchange))


def _refuse_demand(request: Request) -> None:
    for flag, value in (
        ("--qps", request.qps),
        ("--units-per-month", request.units_per_month),
        ("--deadline", request.deadline_h),
    ):
        if value is not None:
            raise UsageError(message("advice.demand_needs_workload", flag=flag))


def _refuse_absolute(request: Request, profile: workload.Profile, mode: workload.Mode) -> None:
    """A rate cannot be sized where only ratios between devices are known."""
    for flag, value in (("--qps", request.qps), ("--units-per-month", request.units_per_month)):
        if value is not None:
            raise UsageError(
                message("advice.relative_only", flag=flag, workload=profile.name, mode=mode.name)
            )


def _objective(demand: workload.Demand, mode: workload.Mode) -> str:
    if mode.reference is None:
        return PRICE
    if demand.deadline_hours is not None:
        return TIME
    if demand.kind == "run":
        return COST if demand.units is not None else UNIT_COST
    return COST if demand.kind in ("rate", "volume") else UNIT_COST


def _notes(
    request: Request,
    profile: workload.Profile,
    core: workload.Needs,
    options: tuple[str, ...],
) -> tuple[Message, ...]:
    notes = []
    if not request.purchase:
        if SPOT in options:
            name = "advice.options_spot"
        else:
            name = "advice.options_latency" if core.interruptible else "advice.options_fixed"
        notes.append(message(name))
    if request.model_memory is None and profile.memory is not None:
        notes.append(
            message(
                "advice.memory_assumed",
                memory=f"{profile.memory.gib:g}",
                what=profile.memory.what,
                basis=profile.memory.basis.replace("_", " "),
            )
        )
    return tuple(notes)


def budget_is_per_run(request: Request, needs: Needs) -> bool:
    """Whether the budget buys one run: said so, or bare for a run-shaped workload."""
    if request.budget is None:
        return False
    return request.budget.per == "run" or (
        request.budget.per is None and needs.demand.kind == "run"
    )


def _facts(request: Request, needs: Needs, exchange: Exchange) -> Facts:
    """The `need.*` facts that rules look at; what was not said is absent."""
    core, profile = needs.core, needs.profile
    budget = None
    if request.budget is not None and not budget_is_per_run(request, needs):
        monthly = per_month(request.budget, needs.hours)
        budget = float(exchange.convert(monthly.value, monthly.currency, "CNY").value)
    stated = profile is not UNSTATED
    facts: dict[str, object] = {
        "need.workload": profile.name if stated else None,
        "need.class": needs.mode.workload_class,
        "need.kind": profile.shape if stated else None,
        "need.unit": profile.unit if stated else None,
        "need.budget_monthly_cny": budget,
        "need.latency": "low" if core.low_latency else None,
        "need.latency_p99_ms": core.latency_p99_ms,
        "need.distributed": "large" if core.large_distributed else None,
        "need.devices": needs.devices,
        "need.nodes": needs.nodes,
        "need.precision": core.precision if stated or request.precision else None,
        "need.model_memory_gib": core.memory_gib,
        "need.min_device_memory_gib": core.min_device_memory_gib,
        "need.generative": core.generative if stated else None,
        "need.interruptible": core.interruptible,
        "need.batched": needs.mode.name == workload.BATCHED if stated else None,
        "need.host_vcpus_per_device": core.vcpus_per_stream,
        "need.min_host_memory_gib": core.min_host_memory_gib,
        "need.compliance": request.compliance or None,
        "need.software": None if core.software == "any" else core.software,
    }
    return {name: value for name, value in facts.items() if value is not None}
