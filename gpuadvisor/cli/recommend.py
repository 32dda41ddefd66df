"""`gpuadvisor recommend`: arguments -> one call -> a report."""

from typing import Annotated, Any

import typer

from gpuadvisor.cli.flags import (
    Catalogs,
    Currency,
    Discounts,
    Format,
    Many,
    MaxAge,
    Output,
    Prices,
    Providers,
    Rates,
    Regions,
    Text,
    Tiers,
    Today,
    Versions,
    option,
)

NO_ARGS_IS_HELP = True

_LLM, _TRAIN, _SPOT = "Language models", "Training from scratch", "Runs on spot"
_NEED, _WHERE, _MONEY, _OUT = "What is needed", "Where and how", "Money", "Answer"


def run(
    workload: Annotated[
        Text, option("--workload", "-w", help="What runs: ocr, llm-chat, train-cnn …", panel=_NEED)
    ] = None,
    qps: Annotated[
        Text, option("--qps", help="Units of work a second, at all times.", panel=_NEED)
    ] = None,
    units_per_month: Annotated[
        Text, option("--units-per-month", help="Units of work a month: 2M, 50万.", panel=_NEED)
    ] = None,
    deadline: Annotated[
        Text, option("--deadline", help="A run must be done within: 12h, 30d.", panel=_NEED)
    ] = None,
    latency: Annotated[
        Text, option("--latency", help="low: a person or a stream waits.", panel=_NEED)
    ] = None,
    latency_p99: Annotated[
        Text, option("--latency-p99", help="99 % of responses within: 100ms.", panel=_NEED)
    ] = None,
    batched: Annotated[
        bool | None,
        typer.Option(
            "--batched/--no-batched",
            help="Requests are batched on the device.",
            rich_help_panel=_NEED,
        ),
    ] = None,
    interruptible: Annotated[
        bool | None,
        typer.Option(
            "--interruptible/--no-interruptible", help="Spot is allowed.", rich_help_panel=_NEED
        ),
    ] = None,
    storage: Annotated[
        Text,
        option("--storage", help="Beside the machines: hot=2TB,egress=1TB …", panel=_NEED),
    ] = None,
    checkpoint_every: Annotated[
        Text,
        option("--checkpoint-every", help="Work between checkpoints: auto or 10m.", panel=_SPOT),
    ] = None,
    no_checkpoint: Annotated[
        bool, typer.Option("--no-checkpoint", help="None are written.", rich_help_panel=_SPOT)
    ] = False,
    state_gb: Annotated[
        Text, option("--state-gb", help="Size of a checkpoint, in GB.", panel=_SPOT)
    ] = None,
    checkpoint_minutes: Annotated[
        Text, option("--checkpoint-minutes", help="Time of writing one.", panel=_SPOT)
    ] = None,
    restart_minutes: Annotated[
        Text, option("--restart-minutes", help="From a new machine to work.", panel=_SPOT)
    ] = None,
    interruptions_per_hour: Annotated[
        Text,
        option("--interruptions-per-hour", help="Of one spot instance.", panel=_SPOT),
    ] = None,
    gpus: Annotated[Text, option("--gpus", help="Devices in total.", panel=_NEED)] = None,
    nodes: Annotated[Text, option("--nodes", help="Instances in total.", panel=_NEED)] = None,
    device: Annotated[
        Many, option("--device", help="Device, family or alias: A100, L4.", panel=_NEED)
    ] = None,
    min_gpu_memory: Annotated[
        Text, option("--min-gpu-memory", help="Nominal GiB of a device: 16, 24, 80.", panel=_NEED)
    ] = None,
    model_memory: Annotated[
        Text, option("--model-memory", help="GiB that one replica needs.", panel=_NEED)
    ] = None,
    model: Annotated[
        Text, option("--model", "-m", help="Named model: llama-3-8b, sdxl …", panel=_LLM)
    ] = None,
    method: Annotated[
        Text, option("--method", help="Training: full, lora or qlora.", panel=_LLM)
    ] = None,
    input_tokens: Annotated[
        Text, option("--input-tokens", help="Tokens of a prompt.", panel=_LLM)
    ] = None,
    output_tokens: Annotated[
        Text, option("--output-tokens", help="Tokens of an answer.", panel=_LLM)
    ] = None,
    concurrency: Annotated[
        Text, option("--concurrency", help="Users that wait at any time.", panel=_LLM)
    ] = None,
    ttft_p99: Annotated[
        Text, option("--ttft-p99", help="99 % of first tokens within: 1s.", panel=_LLM)
    ] = None,
    tpot_p99: Annotated[
        Text, option("--tpot-p99", help="99 % of further tokens within: 50ms.", panel=_LLM)
    ] = None,
    tokens_per_month: Annotated[
        Text, option("--tokens-per-month", help="Output tokens a month: 500M.", panel=_LLM)
    ] = None,
    api_price: Annotated[
        Text,
        option(
            "--api-price",
            help="An API's price a million tokens in/out: 0.15/0.60.",
            panel=_LLM,
        ),
    ] = None,
    sample_kb: Annotated[
        Text, option("--sample-kb", help="Size of a sample on storage, in kB.", panel=_NEED)
    ] = None,
    data_on: Annotated[
        Text, option("--data-on", help="local, disk, fast-disk or network.", panel=_NEED)
    ] = None,
    params: Annotated[
        Text, option("--params", help="Parameters to train from scratch: 13e9.", panel=_TRAIN)
    ] = None,
    tokens: Annotated[
        Text, option("--tokens", help="Tokens of an epoch: 300e9.", panel=_TRAIN)
    ] = None,
    samples: Annotated[
        Text, option("--samples", help="Sequences of an epoch.", panel=_TRAIN)
    ] = None,
    seq_len: Annotated[
        Text, option("--seq-len", help="Tokens of a sequence.", panel=_TRAIN)
    ] = None,
    epochs: Annotated[Text, option("--epochs", help="Passes over them (1).", panel=_TRAIN)] = None,
    sharding: Annotated[
        Text, option("--sharding", help="none, zero1, zero2 or zero3 (FSDP).", panel=_TRAIN)
    ] = None,
    compression: Annotated[
        Text, option("--compression", help="Of gradients: fp16, 1bit or powersgd.", panel=_TRAIN)
    ] = None,
    accumulation: Annotated[
        Text, option("--accumulation", help="Micro-batches of a step.", panel=_TRAIN)
    ] = None,
    batch_tokens: Annotated[
        Text, option("--batch-tokens", help="Tokens of a step at most (4 or 16 Mi).", panel=_TRAIN)
    ] = None,
    tensor_parallel: Annotated[
        Text, option("--tensor-parallel", help="Devices that share each layer.", panel=_TRAIN)
    ] = None,
    pipeline_parallel: Annotated[
        Text, option("--pipeline-parallel", help="Stages of layers.", panel=_TRAIN)
    ] = None,
    zones: Annotated[
        Text, option("--zones", help="Zones that the nodes lie in (1).", panel=_TRAIN)
    ] = None,
    precision: Annotated[
        Text, option("--precision", help="fp32, fp16, bf16, fp8, int8, int4, fp4.", panel=_NEED)
    ] = None,
    min_vcpus: Annotated[
        Text, option("--min-vcpus", help="vCPU of an instance.", panel=_NEED)
    ] = None,
    min_host_memory: Annotated[
        Text, option("--min-host-memory", help="Host memory in GiB.", panel=_NEED)
    ] = None,
    provider: Providers = None,
    tier: Tiers = None,
    region: Regions = None,
    software: Annotated[
        Text, option("--software", help="cuda, rocm, neuron, tpu, gaudi or any.", panel=_WHERE)
    ] = None,
    arch: Annotated[Text, option("--arch", help="x86_64, arm64 or any.", panel=_WHERE)] = None,
    compliance: Annotated[Many, option("--compliance", help="gdpr, hipaa.", panel=_WHERE)] = None,
    budget: Annotated[
        Text,
        option(
            "--budget", "-b", help="5000, 5000CNY, 0.5万元, 700USD/month, 200EUR/day.", panel=_MONEY
        ),
    ] = None,
    currency: Currency = None,
    purchase: Annotated[
        Many, option("--purchase", help="on_demand, spot, reserved, savings_plan …", panel=_MONEY)
    ] = None,
    hours_per_month: Annotated[
        Text, option("--hours-per-month", help="Hours used a month (730).", panel=_MONEY)
    ] = None,
    hours_per_day: Annotated[
        Text, option("--hours-per-day", help="Hours used a day.", panel=_MONEY)
    ] = None,
    price: Prices = None,
    discount: Discounts = None,
    fx: Rates = None,
    max_age: MaxAge = None,
    objective: Annotated[
        Text, option("--objective", help="cost, unit_cost or time.", panel=_OUT)
    ] = None,
    policy: Annotated[Text, option("--policy", help="default or seed.", panel=_OUT)] = None,
    top: Annotated[Text, option("--top", help="Options to show (5).", panel=_OUT)] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Rules, figures and sources of each option.", rich_help_panel=_OUT
        ),
    ] = False,
    format: Format = None,
    output: Output = None,
    emit: Annotated[
        Text,
        option(
            "--emit",
            help="Write the option as terraform, launch-template, skypilot, kubernetes or"
            " karpenter.",
            panel=_OUT,
            metavar="FORM",
        ),
    ] = None,
    pick: Annotated[
        Text, option("--pick", help="Rank of the option to emit (1).", panel=_OUT, metavar="N")
    ] = None,
    request: Annotated[
        Text,
        option(
            "--request",
            help="The same fields from a YAML or JSON file; - is stdin.",
            panel=_OUT,
            metavar="FILE",
        ),
    ] = None,
    catalog: Catalogs = None,
    catalog_version: Versions = None,
    today: Today = None,
) -> None:
    """Rank the instances that serve a workload on a budget, with reasons and sources."""
    arguments = dict(locals())
    from gpuadvisor.advice.recommend import recommend
    from gpuadvisor.advice.request import request_from
    from gpuadvisor.catalog.message import message
    from gpuadvisor.cli.language import bare_budget
    from gpuadvisor.cli.options import asked

    del arguments["explain"], arguments["request"]
    if request is not None:
        from gpuadvisor.cli.request_file import read_request

        # A flag wins over the file; how the answer looks is for flags alone.
        for name, value in read_request(
            request, refused=("format", "output", "emit", "pick")
        ).items():
            if arguments.get(name) in (None, False):
                arguments[name] = value
    wanted = None
    if emit is not None or pick is not None:
        from gpuadvisor.cli.hand_over import Wanted

        wanted = Wanted(arguments)
    del arguments["emit"], arguments["pick"]
    taken = asked(arguments)
    answer = recommend(request_from(taken.fields), taken.catalog, traces=explain)
    notes = [bare_budget(taken.fields.get("budget"), taken.fields.get("currency"))]
    if taken.settings.path is not None:
        notes.append(message("cli.settings_used", path=taken.settings.path))
    told = (note for note in notes if note is not None)
    answer = answer._replace(assumptions=(*answer.assumptions, *told))
    if wanted is not None:
        wanted.hand_over(answer, taken.catalog)
        return
    _show(answer, taken, explain)
    if not answer.feasible:
        raise typer.Exit(1)


def _show(answer: Any, taken: Any, explain: bool) -> None:
    from gpuadvisor.cli.options import PAGES, columns, emit, emit_json, style

    format, file = taken.format, taken.output
    if format in PAGES:
        from gpuadvisor.cli.output import write_page
        from gpuadvisor.report.recommend_page import page

        write_page(page(answer, taken.catalog, explain), format, file)
    elif format == "json":
        from gpuadvisor.report.recommend_json import document

        emit_json(document(answer, explain), file)
    elif format == "table":
        from gpuadvisor.report.recommend_text import text

        shown = text(answer, taken.catalog, columns(output=file), explain, style(file))
        emit(shown, file)
    else:
        from gpuadvisor.report.recommend_table import table

        emit(table(answer, format), file)
