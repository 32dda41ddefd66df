"""Demand from what a user asks for, and the needs that follow from it and the profile."""

from __future__ import annotations

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.workload.interface import LOW_LATENCY_MS, RUN, Demand, Mode, Needs, Profile

LARGE_DEVICES = 8
"""More devices than this, or more than one node, is large-scale distributed (the seed tree)."""


def make_demand(
    profile: Profile,
    *,
    per_second: float | None = None,
    per_month: float | None = None,
    units: float | None = None,
    deadline_hours: float | None = None,
    latency: str | None = None,
    latency_p99_ms: float | None = None,
) -> Demand:
    """What is asked of `profile`; a run takes its typical size unless `units` says otherwise.

    Raises UsageError for a rate or volume asked of a run, a run asked of a service, rate and
    volume together, and a latency other than `low`.
    """
    if latency not in (None, "low"):
        raise UsageError(message("workload.latency", value=latency))
    low = latency == "low" or (latency_p99_ms is not None and latency_p99_ms <= LOW_LATENCY_MS)
    service = per_second is not None or per_month is not None
    if profile.shape == RUN and service:
        raise UsageError(message("workload.run_has_no_rate", workload=profile.name))
    if profile.shape != RUN and (units is not None or deadline_hours is not None):
        raise UsageError(message("workload.service_has_no_end", workload=profile.name))
    if per_second is not None and per_month is not None:
        raise UsageError(message("workload.rate_and_volume"))
    kind = "none"
    if profile.shape == RUN:
        kind = RUN
        if units is None and profile.run is not None:
            units = profile.run.units
    elif per_second is not None:
        kind = "rate"
    elif per_month is not None:
        kind = "volume"
    return Demand(kind, per_second, per_month, units, deadline_hours, latency_p99_ms, low)


def required_rate(demand: Demand, hours_per_month: float) -> float | None:
    """Units per second that the demand needs while the machines run; None without a demand."""
    if demand.kind == "rate":
        return demand.per_second
    if demand.kind == "volume" and demand.per_month is not None:
        return demand.per_month / (hours_per_month * 3600)
    if demand.kind == RUN and demand.units is not None and demand.deadline_hours is not None:
        return demand.units / (demand.deadline_hours * 3600)
    return None


def derive_needs(
    profile: Profile,
    mode: Mode,
    demand: Demand,
    *,
    devices: int | None = None,
    nodes: int | None = None,
    model_memory_gib: float | None = None,
    min_device_memory_gib: float | None = None,
    precision: str | None = None,
    min_vcpus: int | None = None,
    min_host_memory_gib: float | None = None,
    interruptible: bool | None = None,
    software: str | None = None,
) -> Needs:
    """Join the profile with what the user overrides. Raises UsageError for an impossible one."""
    for name, value in (
        ("--gpus", devices),
        ("--nodes", nodes),
        ("--model-memory", model_memory_gib),
        ("--min-gpu-memory", min_device_memory_gib),
        ("--min-vcpus", min_vcpus),
        ("--min-host-memory", min_host_memory_gib),
    ):
        if value is not None and not 0 < value < float("inf"):
            raise UsageError(message("workload.not_positive", name=name, value=f"{value:g}"))
    if devices is not None and nodes is not None and nodes > devices:
        raise UsageError(message("workload.more_nodes_than_devices", nodes=nodes, devices=devices))
    total = devices or max(profile.min_devices, nodes or 1)
    many_nodes = nodes is not None and nodes > 1
    memory, host = profile.memory, profile.host
    can_stop = profile.interruptible if interruptible is None else interruptible
    has_target = demand.low_latency or demand.latency_p99_ms is not None
    return Needs(
        workload=profile.name,
        mode=mode.name,
        kind=profile.shape,
        devices=total,
        nodes=nodes,
        memory_gib=model_memory_gib or (memory.gib if memory else None),
        memory_basis="given" if model_memory_gib else (memory.basis if memory else None),
        sharded_over=1 if model_memory_gib or not memory else memory.sharded_over,
        min_device_memory_gib=min_device_memory_gib,
        precision=precision or profile.precision,
        linked=profile.linked and total > 1,
        rdma=many_nodes or (profile.linked and total > LARGE_DEVICES),
        large_distributed=total > LARGE_DEVICES or many_nodes,
        vcpus_per_stream=host.vcpus_per_stream if host else None,
        min_vcpus=min_vcpus,
        min_host_memory_gib=min_host_memory_gib or (host.memory_gib if host else None),
        interruptible=can_stop,
        low_latency=demand.low_latency,
        latency_p99_ms=demand.latency_p99_ms,
        spot_allowed=can_stop and not has_target,
        software=software or profile.software,
        generative=profile.generative,
    )
