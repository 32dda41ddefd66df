"""`gpuadvisor fit`: arguments -> one call -> a report."""

from typing import Annotated, Any

import typer

from gpuadvisor.cli.flags import Catalogs, Format, Many, Output, Text, Today, option

NO_ARGS_IS_HELP = True
MAX_BYTES = 4 * 1024 * 1024

_MODEL, _SERVE, _TRAIN, _WHERE = "Model", "Serving", "Training", "Where"


def run(
    model: Annotated[
        Text, option("--model", "-m", help="A named model: llama-3-8b, sdxl …", panel=_MODEL)
    ] = None,
    config: Annotated[
        Text,
        option("--config", help="A Hugging Face config.json.", panel=_MODEL, metavar="FILE"),
    ] = None,
    params: Annotated[Text, option("--params", help="Weights: 7B, 70e9.", panel=_MODEL)] = None,
    layers: Annotated[Text, option("--layers", help="Layers.", panel=_MODEL)] = None,
    hidden: Annotated[Text, option("--hidden", help="Hidden size.", panel=_MODEL)] = None,
    heads: Annotated[Text, option("--heads", help="Attention heads.", panel=_MODEL)] = None,
    kv_heads: Annotated[
        Text, option("--kv-heads", help="Heads of keys and values.", panel=_MODEL)
    ] = None,
    head_dim: Annotated[Text, option("--head-dim", help="Width of a head.", panel=_MODEL)] = None,
    ffn: Annotated[
        Text, option("--ffn", help="Width of the feed-forward block.", panel=_MODEL)
    ] = None,
    vocab: Annotated[Text, option("--vocab", help="Size of the vocabulary.", panel=_MODEL)] = None,
    context: Annotated[
        Text, option("--context", help="Tokens of a sequence, answer included.", panel=_SERVE)
    ] = None,
    batch: Annotated[
        Text, option("--batch", help="Sequences or images at once; per device.", panel=_SERVE)
    ] = None,
    precision: Annotated[
        Text,
        option("--precision", help="fp32, fp16, bf16, fp8, int8, int4, fp4, q4_k_m.", panel=_SERVE),
    ] = None,
    kv_precision: Annotated[
        Text, option("--kv-precision", help="Cache in fp16 or fp8.", panel=_SERVE)
    ] = None,
    overhead_gib: Annotated[
        Text, option("--overhead-gib", help="CUDA context and libraries (1).", panel=_SERVE)
    ] = None,
    utilisation: Annotated[
        Text,
        option(
            "--utilisation",
            "--utilization",
            help="Share of memory to plan with (0.90).",
            panel=_SERVE,
        ),
    ] = None,
    train: Annotated[
        bool, typer.Option("--train", help="Training, not serving.", rich_help_panel=_TRAIN)
    ] = False,
    method: Annotated[Text, option("--method", help="full, lora or qlora.", panel=_TRAIN)] = None,
    optimizer: Annotated[
        Text,
        option("--optimizer", help="adamw, adamw-8bit, adamw-bf16, adafactor, sgd …", panel=_TRAIN),
    ] = None,
    sharding: Annotated[
        Text, option("--sharding", help="none, zero1, zero2, zero3 or fsdp.", panel=_TRAIN)
    ] = None,
    checkpointing: Annotated[
        Text, option("--checkpointing", help="none, selective or full.", panel=_TRAIN)
    ] = None,
    offload: Annotated[
        Text, option("--offload", help="To the host: none, optimizer or all.", panel=_TRAIN)
    ] = None,
    lora_rank: Annotated[Text, option("--lora-rank", help="Rank (8).", panel=_TRAIN)] = None,
    optimizer_in_backward: Annotated[
        bool,
        typer.Option(
            "--optimizer-in-backward",
            help="Step while gradients are made, one matrix at a time.",
            rich_help_panel=_TRAIN,
        ),
    ] = False,
    gpus: Annotated[Text, option("--gpus", help="Devices in total.", panel=_WHERE)] = None,
    device: Annotated[
        Many, option("--device", help="Device, family or alias: A100, L4.", panel=_WHERE)
    ] = None,
    provider: Annotated[Many, option("--provider", help="aws,gcp,azure …", panel=_WHERE)] = None,
    software: Annotated[
        Text, option("--software", help="cuda, rocm, neuron, tpu, gaudi or any.", panel=_WHERE)
    ] = None,
    format: Format = None,
    output: Output = None,
    catalog: Catalogs = None,
    today: Today = None,
) -> None:
    """Say on which devices a model fits, how long and wide, and how to need less."""
    fields = dict(locals())
    from gpuadvisor.advice.fit import fit
    from gpuadvisor.advice.fit_request import fit_request
    from gpuadvisor.cli.options import open_catalog, wanted_output

    wanted, file = wanted_output(fields.pop("format"), fields.pop("output"))
    overlays = fields.pop("catalog")
    if config is not None:
        fields["config"] = _read_config(config)
    given = {name: value for name, value in fields.items() if value not in (None, False)}
    answer = fit(fit_request(given), open_catalog(overlays, None))
    _show(answer, wanted, file)
    if not answer.feasible:
        raise typer.Exit(1)


def _show(answer: Any, format: str, file: str | None) -> None:
    from gpuadvisor.cli.options import PAGES, columns, emit, emit_json

    if format in PAGES:
        from gpuadvisor.cli.output import write_page
        from gpuadvisor.report.fit_page import page

        write_page(page(answer), format, file)
    elif format == "json":
        from gpuadvisor.report.fit_json import document

        emit_json(document(answer), file)
    else:
        from gpuadvisor.report.fit_text import table, text

        shown = text(answer, columns(output=file)) if format == "table" else table(answer, format)
        emit(shown, file)


def _read_config(path: str) -> dict[str, Any]:
    """The mapping of a config.json; raises InputError for anything else."""
    import json

    from gpuadvisor.catalog.errors import InputError
    from gpuadvisor.catalog.message import message
    from gpuadvisor.catalog.reader import read_bytes

    try:
        found = json.loads(read_bytes(path, MAX_BYTES))
        if not isinstance(found, dict):
            raise ValueError("not a mapping")
    except (ValueError, RecursionError) as error:
        reason = str(error)[:100]
        raise InputError(message("fit.config_unreadable", file=path, reason=reason)) from error
    return found
