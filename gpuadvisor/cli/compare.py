"""`gpuadvisor compare`: arguments -> one call -> a report."""

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

_WORK, _WHERE, _OUT = "What runs", "Where and how", "Answer"


def run(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="WHAT…", help="Instance types or devices: g5.xlarge, 4xT4, 1xA100-80GB."
        ),
    ],
    workload: Annotated[
        Text, option("--workload", "-w", help="What runs: ocr, llm-chat …", panel=_WORK)
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
        Text, option("--precision", help="fp32, fp16, bf16, fp8, int8, int4, fp4.", panel=_WORK)
    ] = None,
    model_memory: Annotated[
        Text, option("--model-memory", help="GiB that one replica needs.", panel=_WORK)
    ] = None,
    software: Annotated[
        Text, option("--software", help="cuda, rocm, neuron, tpu, gaudi or any.", panel=_WORK)
    ] = None,
    provider: Providers = None,
    tier: Tiers = None,
    region: Regions = None,
    purchase: Annotated[
        Many, option("--purchase", help="on_demand, spot, reserved, savings_plan …", panel=_WHERE)
    ] = None,
    hours_per_month: Annotated[
        Text, option("--hours-per-month", help="Hours used a month (730).", panel=_WHERE)
    ] = None,
    hours_per_day: Annotated[
        Text, option("--hours-per-day", help="Hours used a day.", panel=_WHERE)
    ] = None,
    currency: Currency = None,
    fx: Rates = None,
    discount: Discounts = None,
    price: Prices = None,
    max_age: MaxAge = None,
    top: Annotated[Text, option("--top", help="Ways to show of each (5).", panel=_OUT)] = None,
    format: Format = None,
    output: Output = None,
    catalog: Catalogs = None,
    catalog_version: Versions = None,
    today: Today = None,
) -> None:
    """Put instance types or devices side by side, per device-hour and per unit of work."""
    arguments = dict(locals())
    from gpuadvisor.advice.compare import WORKLOAD_FIELDS, compare
    from gpuadvisor.advice.estimate_request import estimate_request
    from gpuadvisor.cli.options import asked

    taken = asked(arguments)
    typed = estimate_request(taken.fields, WORKLOAD_FIELDS)
    _show(compare(typed, taken.catalog), taken)


def _show(answer: Any, taken: Any) -> None:
    from gpuadvisor.cli.options import PAGES, columns, emit, emit_json, style

    format, file = taken.format, taken.output
    if format in PAGES:
        from gpuadvisor.cli.output import write_page
        from gpuadvisor.report.compare_page import page

        write_page(page(answer, taken.catalog), format, file)
        return
    if format == "json":
        from gpuadvisor.report.compare_json import document

        emit_json(document(answer), file)
    elif format == "table":
        from gpuadvisor.report.compare_text import text

        emit(text(answer, columns(output=file), style(file)), file)
    else:
        from gpuadvisor.report.compare_json import table

        emit(table(answer, format), file)
