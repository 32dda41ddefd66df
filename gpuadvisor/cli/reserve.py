"""`gpuadvisor reserve`: arguments -> one call -> a report."""

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
    Rates,
    Text,
    Today,
    Versions,
    option,
)

NO_ARGS_IS_HELP = True

_NEED, _TERMS, _WHERE, _MONEY, _OUT = "Demand", "Terms", "Where", "Money", "Answer"


def run(
    curve: Annotated[
        Text,
        option("--curve", help="CSV of hour,units or hour,requests.", panel=_NEED, metavar="FILE"),
    ] = None,
    unit: Annotated[
        Text, option("--unit", help="What one unit is: g5.xlarge, '2x g5.xlarge'.", panel=_NEED)
    ] = None,
    workload: Annotated[
        Text, option("--workload", help="Workload of a curve of requests.", panel=_NEED)
    ] = None,
    per_unit: Annotated[
        Text,
        option("--per-unit", help="Requests an hour that one unit serves.", panel=_NEED),
    ] = None,
    term: Annotated[Many, option("--term", help="1y (default), 3y or 1y,3y.", panel=_TERMS)] = None,
    need_lasts: Annotated[
        Text,
        option("--need-lasts", help="Chance that the need outlives year one (0.5).", panel=_TERMS),
    ] = None,
    spot_share: Annotated[
        Text,
        option("--spot-share", help="Share that may be interrupted (30%).", panel=_TERMS),
    ] = None,
    no_spot: Annotated[
        bool, typer.Option("--no-spot", help="Nothing on spot.", rich_help_panel=_TERMS)
    ] = False,
    purchase: Annotated[
        Many, option("--purchase", help="Only such commitments: reserved …", panel=_TERMS)
    ] = None,
    provider: Annotated[Many, option("--provider", help="aws,gcp,azure …", panel=_WHERE)] = None,
    tier: Annotated[
        Many, option("--tier", help="hyperscaler, specialist, marketplace or any.", panel=_WHERE)
    ] = None,
    region: Annotated[Many, option("--region", help="Region.", panel=_WHERE)] = None,
    currency: Currency = None,
    fx: Rates = None,
    discount: Discounts = None,
    price: Annotated[
        Many,
        option("--price", help="Your price: spot=0.40, reserved=0.60 …", panel=_MONEY),
    ] = None,
    capital_cost: Annotated[
        Text, option("--capital-cost", help="Yearly cost of upfront money (10%).", panel=_MONEY)
    ] = None,
    max_age: MaxAge = None,
    format: Format = None,
    output: Output = None,
    catalog: Catalogs = None,
    catalog_version: Versions = None,
    today: Today = None,
) -> None:
    """Say how many of a demand curve's units to commit, run on spot and leave on demand."""
    arguments = dict(locals())
    from gpuadvisor.advice.reserve import reserve
    from gpuadvisor.advice.reserve_request import reserve_request
    from gpuadvisor.cli.options import asked

    taken = asked(arguments)
    given = {name: v for name, v in taken.fields.items() if v is not False}
    _show(reserve(reserve_request(given), taken.catalog), taken)


def _show(answer: Any, taken: Any) -> None:
    from gpuadvisor.cli.options import PAGES, columns, emit, emit_json, style

    format, file = taken.format, taken.output
    if format in PAGES:
        from gpuadvisor.cli.output import write_page
        from gpuadvisor.report.reserve_page import page

        write_page(page(answer, taken.catalog), format, file)
        return
    if format == "table":
        from gpuadvisor.report.reserve_text import text

        emit(text(answer, columns(output=file), style(file)), file)
        return
    from gpuadvisor.report.reserve_json import document, table

    if format == "json":
        emit_json(document(answer), file)
    else:
        emit(table(answer, format), file)
