"""`gpuadvisor fit`: arguments -> one call -> a report."""

from typing import Annotated, Any

import typer

NO_ARGS_IS_HELP = True
MAX_BYTES = 4 * 1024 * 1024

_MODEL, _SERVE, _TRAIN, _WHERE, _OUT = "Model", "Serving", "Training", "Where", "Answer"


def _option(*names: str, help: str, panel: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, metavar=metavar)


Text = str | None
Many = list[str] | None


def run(
    model: Annotated[
        Text, _option("--model", "-m", help="A named model: llama-3-8b, sdxl …", panel=_MODEL)
    ] = None,
    config: Annotated[
        Text,
        _option("--config", help="A Hugging Face config.json.", panel=_MODEL, metavar="FILE"),
    ] = None,
    params: Annotated[Text, _option("--params", help="Weights: 7B, 70e9.", panel=_MODEL)] = None,
    layers: Annotated[Text, _option("--layers", help="Layers.", panel=_MODEL)] = None,
    hidden: Annotated[Text, _option("--hidden", help="Hidden size.", panel=_MODEL)] = None,
    heads: Annotated[Text, _option("--heads", help="Attention heads.", panel=_MODEL)] = None,
    kv_heads: Annotated[
        Text, _option("--kv-heads", help="Heads of keys and values.", panel=_MODEL)
    ] = None,
    head_dim: Annotated[Text, _option("--head-dim", help="Width of a head.", panel=_MODEL)] = None,
    ffn: Annotated[
        Text, _option("--ffn", help="Width of the feed-forward block.", panel=_MODEL)
    ] = None,
    vocab: Annotated[Text, _option("--vocab", help="Size of the vocabulary.", panel=_MODEL)] = None,
    context: Annotated[
        Text, _option("--context", help="Tokens of a sequence, answer included.", panel=_SERVE)
    ] = None,
    batch: Annotated[
        Text, _option("--batch", help="Sequences or images at once; per device.", panel=_SERVE)
    ] = None,
    precision: Annotated[
        Text,
        _option(
            "--precision", help="fp32, fp16, bf16, fp8, int8, int4, fp4, q4_k_m.", panel=_SERVE
        ),
    ] = None,
    kv_precision: Annotated[
        Text, _option("--kv-precision", help="Cache in fp16 or fp8.", panel=_SERVE)
    ] = None,
    overhead_gib: Annotated[
        Text, _option("--overhead-gib", help="CUDA context and libraries (1).", panel=_SERVE)
    ] = None,
    utilisation: Annotated[
        Text,
        _option(
            "--utilisation",
            "--utilization",
            help="Share of memory to plan with (0.90).",
            panel=_SERVE,
        ),
    ] = None,
    train: Annotated[
        bool, typer.Option("--train", help="Training, not serving.", rich_help_panel=_TRAIN)
    ] = False,
    method: Annotated[Text, _option("--method", help="full, lora or qlora.", panel=_TRAIN)] = None,
    optimizer: Annotated[
        Text,
        _option(
            "--optimizer", help="adamw, adamw-8bit, adamw-bf16, adafactor, sgd …", panel=_TRAIN
        ),
    ] = None,
    sharding: Annotated[
        Text, _option("--sharding", help="none, zero1, zero2, zero3 or fsdp.", panel=_TRAIN)
    ] = None,
    checkpointing: Annotated[
        Text, _option("--checkpointing", help="none, selective or full.", panel=_TRAIN)
    ] = None,
    offload: Annotated[
        Text, _option("--offload", help="To the host: none, optimizer or all.", panel=_TRAIN)
    ] = None,
    lora_rank: Annotated[Text, _option("--lora-rank", help="Rank (8).", panel=_TRAIN)] = None,
    optimizer_in_backward: Annotated[
        bool,
        typer.Option(
            "--optimizer-in-backward",
            help="Step while gradients are made, one matrix at a time.",
            rich_help_panel=_TRAIN,
        ),
    ] = False,
    gpus: Annotated[Text, _option("--gpus", help="Devices in total.", panel=_WHERE)] = None,
    device: Annotated[
        Many, _option("--device", help="Device, family or alias: A100, L4.", panel=_WHERE)
    ] = None,
    provider: Annotated[Many, _option("--provider", help="aws,gcp,azure …", panel=_WHERE)] = None,
    software: Annotated[
        Text, _option("--software", help="cuda, rocm, neuron, tpu, gaudi or any.", panel=_WHERE)
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help="table, json, csv or markdown.", rich_help_panel=_OUT)
    ] = "table",
    catalog: Annotated[
        Many,
        _option(
            "--catalog", help="Folder of YAML laid over the catalogs.", panel=_OUT, metavar="DIR"
        ),
    ] = None,
    today: Annotated[
        Text, _option("--today", help="Answer as of this date.", panel=_OUT, metavar="DATE")
    ] = None,
) -> None:
    """Say on which devices a model fits, how long and wide, and how to need less."""
    fields = dict(locals())
    from gpuadvisor.advice.fit import fit
    from gpuadvisor.advice.fit_request import fit_request
    from gpuadvisor.cli.options import chosen_format, columns, emit, emit_json, open_catalog

    wanted = chosen_format(fields.pop("format"), ("table", "json", "csv", "markdown"))
    overlays = fields.pop("catalog")
    if config is not None:
        fields["config"] = _read_config(config)
    given = {name: value for name, value in fields.items() if value not in (None, False)}
    answer = fit(fit_request(given), open_catalog(overlays, None))
    if wanted == "json":
        from gpuadvisor.report.fit_json import document

        emit_json(document(answer))
    else:
        from gpuadvisor.report.fit_text import table, text

        emit(text(answer, columns()) if wanted == "table" else table(answer, wanted))
    if not answer.feasible:
        raise typer.Exit(1)


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
