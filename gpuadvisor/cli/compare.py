"""`gpuadvisor compare`: arguments -> one call -> a report."""

from typing import Annotated, Any

import typer

NO_ARGS_IS_HELP = True

_WORK, _WHERE, _MONEY, _OUT = "What runs", "Where and how", "Money", "Answer"


def _option(*names: str, help: str, panel: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, metavar=metavar)


Text = str | None
Many = list[str] | None


def run(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="WHAT…", help="Instance types or devices: g5.xlarge, 4xT4, 1xA100-80GB."
        ),
    ],
    workload: Annotated[
        Text, _option("--workload", "-w", help="What runs: ocr, llm-chat …", panel=_WORK)
    ] = None,
    batched: Annotated[
        bool | None,
        typer.Option(
            "--batched/--no-batched",
            help="Order by this mode; both are worked out.",
            rich_help_panel=_WORK,
        ),
    ] = None,
    precision: Annotated[
        Text, _option("--precision", help="fp32, fp16, bf16, fp8, int8, int4, fp4.", panel=_WORK)
    ] = None,
    model_memory: Annotated[
        Text, _option("--model-memory", help="GiB that one replica needs.", panel=_WORK)
    ] = None,
    software: Annotated[
        Text, _option("--software", help="cuda, rocm, neuron, tpu, gaudi or any.", panel=_WORK)
    ] = None,
    provider: Annotated[Many, _option("--provider", help="aws,gcp,azure …", panel=_WHERE)] = None,
    tier: Annotated[
        Many, _option("--tier", help="hyperscaler, specialist, marketplace or any.", panel=_WHERE)
    ] = None,
    region: Annotated[
        Many,
        _option(
            "--region", help="A region, a part of the world (eu, us, cn …) or any.", panel=_WHERE
        ),
    ] = None,
    purchase: Annotated[
        Many, _option("--purchase", help="on_demand, spot, reserved, savings_plan …", panel=_WHERE)
    ] = None,
    hours_per_month: Annotated[
        Text, _option("--hours-per-month", help="Hours used a month (730).", panel=_WHERE)
    ] = None,
    hours_per_day: Annotated[
        Text, _option("--hours-per-day", help="Hours used a day.", panel=_WHERE)
    ] = None,
    currency: Annotated[
        Text, _option("--currency", help="Currency of the answer.", panel=_MONEY)
    ] = None,
    fx: Annotated[
        Many, _option("--fx", help="Your exchange rate per USD: CNY=6.65.", panel=_MONEY)
    ] = None,
    discount: Annotated[
        Many, _option("--discount", help="Your discount off list prices: aws=12%.", panel=_MONEY)
    ] = None,
    price: Annotated[
        Many,
        _option(
            "--price", help="Your price: aws/p5.48xlarge@us-east-1:on_demand=44.0.", panel=_MONEY
        ),
    ] = None,
    max_age: Annotated[
        Text, _option("--max-age", help="Drop prices older than so many days.", panel=_MONEY)
    ] = None,
    top: Annotated[Text, _option("--top", help="Ways to show of each (5).", panel=_OUT)] = None,
    format: Annotated[
        str, typer.Option("--format", help="table, json, csv or markdown.", rich_help_panel=_OUT)
    ] = "table",
    catalog: Annotated[
        Many,
        _option(
            "--catalog", help="Folder of YAML laid over the catalogs.", panel=_OUT, metavar="DIR"
        ),
    ] = None,
    catalog_version: Annotated[
        Many, _option("--catalog-version", help="Prices of a version: aws=2025.04.", panel=_OUT)
    ] = None,
    today: Annotated[
        Text, _option("--today", help="Answer as of this date.", panel=_OUT, metavar="DATE")
    ] = None,
) -> None:
    """Put instance types or devices side by side, per device-hour and per unit of work."""
    arguments = dict(locals())
    from gpuadvisor.advice.compare import WORKLOAD_FIELDS, compare
    from gpuadvisor.advice.estimate_request import estimate_request
    from gpuadvisor.cli.options import asked

    taken = asked(arguments)
    typed = estimate_request(taken.fields, WORKLOAD_FIELDS)
    _show(compare(typed, taken.catalog), taken.format)


def _show(answer: Any, format: str) -> None:
    from gpuadvisor.cli.options import columns, emit, emit_json, style

    if format == "json":
        from gpuadvisor.report.compare_json import document

        emit_json(document(answer))
    elif format == "table":
        from gpuadvisor.report.compare_text import text

        emit(text(answer, columns(), style()))
    else:
        from gpuadvisor.report.compare_json import table

        emit(table(answer, format))
