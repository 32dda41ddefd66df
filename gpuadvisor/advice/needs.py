"""What a request needs, once the workload's profile has filled what was not said."""

from typing import TYPE_CHECKING, NamedTuple

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

if TYPE_CHECKING:
    from gpuadvisor.advice.model_needs import LlmServing, LlmTraining
    from gpuadvisor.advice.pretrain import Pretrain

COST = "cost"
UNIT_COST = "unit_cost"
TIME = "time"
PRICE = "price"

PRETRAIN = "llm-pretrain"
"""A model named for this workload is trained from scratch, not served."""

STREAMED = "second of"
"""A unit of work that starts so is time of audio or video: one stream in real time is one unit a
second."""

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

    `devices` counts devices in total where the user (`gpus`) or the profile fixes them, else None.
    `hours` are paid per month; `options` are the purchase options in the running. `llm` says how
    a language model is served, `training` how it is tuned and `pretrain` how it is trained from
    scratch, where the request goes into it. Samples of `sample_bytes` are read from `data_on`.
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
    llm: "LlmServing | None" = None
    training: "LlmTraining | None" = None
    pretrain: "Pretrain | None" = None
    sample_bytes: float | None = None
    data_on: str | None = None
    gpus: int | None = None


def needs_of(catalog: Catalog, request: Request, exchange: Exchange) -> Needs:
    """Derive the needs of a request. Raises UsageError for what contradicts itself."""
    name = request.workload
    if name is None and (request.model is not None or request.method is not None):
        from gpuadvisor.advice.model_needs import implied_workload

        name = implied_workload(catalog, request)
    if name is None:
        _refuse_demand(request)
        profile = UNSTATED
    else:
        profile = find_profile(catalog, name)
    mode = choose_mode(profile, request.batched)
    asked = _asked_of_model(catalog, request, profile, mode)
    mode = asked.mode
    demand = make_demand(
        profile,
        per_second=asked.per_second,
        per_month=asked.per_month,
        deadline_hours=request.deadline_h,
        latency=request.latency,
        latency_p99_ms=request.latency_p99_ms,
    )
    if asked.llm is not None and asked.llm.users is not None:
        demand = demand._replace(kind="rate")
    if asked.pretrain is not None:
        demand = demand._replace(units=asked.pretrain.units)
    if request.sample_kb is not None or request.data_on is not None:
        _check_samples(request, profile, asked)
    if mode.reference is not None and mode.reference.relative_only:
        _refuse_absolute(request, profile, mode)
    core = derive_needs(
        profile,
        mode,
        demand,
        devices=request.gpus,
        nodes=request.nodes,
        model_memory_gib=request.model_memory or asked.memory_gib,
        min_device_memory_gib=request.min_gpu_memory,
        precision=request.precision,
        min_vcpus=request.min_vcpus,
        min_host_memory_gib=request.min_host_memory or asked.host_memory_gib,
        interruptible=request.interruptible,
        software=request.software,
    )
    if asked.pretrain is not None:
        # What a device must hold depends on how many there are: sizing finds that.
        core = core._replace(memory_gib=None, memory_basis=None, sharded_over=1)
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
        request.objective or (_objective(demand, mode) if asked.pretrain is None else COST),
        {},
        (*_notes(request, profile, core, options, bool(asked.notes)), *asked.notes),
        asked.llm,
        asked.training,
        asked.pretrain,
        None if request.sample_kb is None else request.sample_kb * 1e3,
        request.data_on,
        request.gpus,
    )
    return needs._replace(facts=_facts(request, needs, exchange))


class _Asked(NamedTuple):
    """What a request says about its model, worked into the mode and the demand."""

    mode: workload.Mode
    per_second: float | None
    per_month: float | None
    memory_gib: float | None = None
    llm: "LlmServing | None" = None
    training: "LlmTraining | None" = None
    notes: tuple[Message, ...] = ()
    host_memory_gib: float | None = None
    pretrain: "Pretrain | None" = None


def _asked_of_model(
    catalog: Catalog, request: Request, profile: workload.Profile, mode: workload.Mode
) -> _Asked:
    """Read the flags of models; `model_needs` is imported only where there are any."""
    per_month = request.units_per_month or request.tokens_per_month
    plain = _Asked(mode, request.qps, per_month)
    if request.concurrency is not None and profile.unit.startswith(STREAMED):
        note = message("advice.streams", streams=request.concurrency, units=profile.units)
        return plain._replace(per_second=float(request.concurrency), notes=(note,))
    if request.tokens_per_month is not None and profile.unit != "token":
        raise UsageError(
            message("advice.not_a_language_model", flag="--tokens-per-month", workload=profile.name)
        )
    if request.train or (request.model is not None and profile.name == PRETRAIN):
        from gpuadvisor.advice.pretrain import pretrain_notes, pretrain_of

        plan = pretrain_of(catalog, request, profile)
        return plain._replace(pretrain=plan, notes=tuple(pretrain_notes(plan)))
    if not _speaks_of_models(request, profile):
        return plain
    from gpuadvisor.advice import model_needs

    llm = model_needs.llm_serving(catalog, request, profile)
    if llm is not None:
        # Requests count by the tokens of their answers, the unit of work of the profile.
        rate = None if request.qps is None else request.qps * llm.tokens_out
        memory = model_needs.serving_memory_gib(llm)
        notes = tuple(model_needs.serving_notes(llm))
        if mode.name == workload.BATCHED:
            # Common loaders read the whole checkpoint into host memory first.
            host = model_needs.weights_gib(llm)
            return _Asked(mode, rate, per_month, memory, llm, None, notes, host_memory_gib=host)
        # One request at a time is bound by reading the weights.
        return _Asked(_scaled(mode, 1 / llm.step_share), rate, per_month, memory, None, None, notes)
    training = model_needs.llm_training(catalog, request, profile)
    if training is not None:
        mode = _scaled(mode, training.speed_share)
        notes = tuple(model_needs.training_notes(training))
        return _Asked(mode, request.qps, per_month, None, None, training, notes)
    other = model_needs.other_memory_gib(catalog, request)
    if other is None:
        return plain
    note = message("advice.model_memory", title=other[1], memory=f"{other[0]:.2f}")
    return plain._replace(memory_gib=other[0], notes=(note,))


def _scaled(mode: workload.Mode, share: float) -> workload.Mode:
    """The mode with its measured rate carried to another model."""
    known = mode.reference
    if known is None:
        return mode
    return mode._replace(
        reference=known._replace(
            rate=known.rate * share, low=known.low * share, high=known.high * share
        )
    )


def _speaks_of_models(request: Request, profile: workload.Profile) -> bool:
    named = (
        request.model, request.method, request.input_tokens, request.output_tokens,
        request.concurrency, request.ttft_p99_ms, request.tpot_p99_ms, request.api_price,
    )  # fmt: skip
    if any(value is not None for value in named):
        return True
    sized = request.qps or request.tokens_per_month or request.latency_p99_ms
    return profile.serving is not None and sized is not None


def _refuse_demand(request: Request) -> None:
    for flag, value in (
        ("--qps", request.qps),
        ("--units-per-month", request.units_per_month),
        ("--tokens-per-month", request.tokens_per_month),
        ("--concurrency", request.concurrency),
        ("--deadline", request.deadline_h),
        *(("--" + name.replace("_", "-"), value) for name, value in request.train),
    ):
        if value is not None:
            raise UsageError(message("advice.demand_needs_workload", flag=flag))


def _check_samples(request: Request, profile: workload.Profile, asked: "_Asked") -> None:
    """Samples are fed to work whose absolute speed is known, by the unit; tokens are no samples."""
    flag = "--sample-kb" if request.sample_kb is not None else "--data-on"
    known = asked.mode.reference
    if known is None or known.relative_only or profile.unit == "token" or asked.pretrain:
        raise UsageError(message("advice.no_samples", flag=flag, workload=profile.name))
    if request.sample_kb is None:
        raise UsageError(message("advice.sample_size_needed", unit=profile.unit))


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
    named: bool,
) -> tuple[Message, ...]:
    notes = []
    if not request.purchase:
        if SPOT in options:
            name = "advice.options_spot"
        else:
            name = "advice.options_latency" if core.interruptible else "advice.options_fixed"
        notes.append(message(name))
    if request.model_memory is None and profile.memory is not None and not named:
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
