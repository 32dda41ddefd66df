"""`gpuadvisor own`: arguments -> one call -> a report."""

from typing import Annotated, Any

import typer

from gpuadvisor.cli.flags import (
    Catalogs,
    Discounts,
    Format,
    Many,
    Output,
    Rates,
    Text,
    Today,
    Versions,
    option,
)

NO_ARGS_IS_HELP = True

_BUY, _RUN, _RENT, _MONEY, _OUT = "Buying", "Running", "Renting", "Money", "Answer"


def run(
    device: Annotated[
        Text, option("--device", help="What to buy: H100-80GB-SXM, RTX-3090 …", panel=_BUY)
    ] = None,
    gpus: Annotated[Text, option("--gpus", help="How many (1).", panel=_BUY)] = None,
    capex: Annotated[
        Text, option("--capex", help="Purchase price of all, with their host.", panel=_BUY)
    ] = None,
    used: Annotated[
        bool, typer.Option("--used", help="Second-hand prices.", rich_help_panel=_BUY)
    ] = False,
    years: Annotated[Text, option("--years", help="Years of use (3).", panel=_BUY)] = None,
    residual: Annotated[
        Text, option("--residual", help="Share of the price left after them: 15%.", panel=_BUY)
    ] = None,
    wacc: Annotated[
        Text, option("--wacc", help="Yearly cost of capital (10%).", panel=_BUY)
    ] = None,
    power_kw: Annotated[
        Text, option("--power-kw", help="Rated power of the whole system.", panel=_RUN)
    ] = None,
    load: Annotated[
        Text, option("--load", help="Mean share of it that is drawn (80%).", panel=_RUN)
    ] = None,
    pue: Annotated[
        Text, option("--pue", help="Power of the room over that of machines.", panel=_RUN)
    ] = None,
    kwh_price: Annotated[Text, option("--kwh-price", help="Price of a kWh.", panel=_RUN)] = None,
    colo: Annotated[
        Text, option("--colo", help="Colocation per kW and month; none if unset.", panel=_RUN)
    ] = None,
    staff: Annotated[Text, option("--staff", help="Staff a year (0).", panel=_RUN)] = None,
    maintenance: Annotated[
        Text, option("--maintenance", help="Maintenance a year, of the price (5%).", panel=_RUN)
    ] = None,
    utilisation: Annotated[
        Text, option("--utilisation", help="Share of the year it is used (50%).", panel=_RUN)
    ] = None,
    workload: Annotated[
        Text, option("--workload", help="Compare the cost of its unit of work.", panel=_RUN)
    ] = None,
    rent: Annotated[
        Text,
        option("--rent", help="What is rented instead; the same devices if unset.", panel=_RENT),
    ] = None,
    provider: Annotated[Many, option("--provider", help="aws,gcp,azure …", panel=_RENT)] = None,
    tier: Annotated[
        Many, option("--tier", help="hyperscaler, specialist, marketplace or any.", panel=_RENT)
    ] = None,
    region: Annotated[Many, option("--region", help="Region.", panel=_RENT)] = None,
    purchase: Annotated[
        Many, option("--purchase", help="on_demand (default) or spot.", panel=_RENT)
    ] = None,
    currency: Annotated[
        Text,
        option("--currency", help="Currency of the answer and of your figures.", panel=_MONEY),
    ] = None,
    fx: Rates = None,
    discount: Discounts = None,
    price: Annotated[
        Many, option("--price", help="Your rent: on_demand=21.957.", panel=_MONEY)
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="What each input does to the break-even.", rich_help_panel=_OUT
        ),
    ] = False,
    format: Format = None,
    output: Output = None,
    catalog: Catalogs = None,
    catalog_version: Versions = None,
    today: Today = None,
) -> None:
    """Compare buying accelerators with renting them: a year of each, and where they meet."""
    arguments = dict(locals())
    from gpuadvisor.advice.own import own
    from gpuadvisor.advice.own_request import own_request
    from gpuadvisor.cli.options import asked

    taken = asked({name: v for name, v in arguments.items() if name != "explain"})
    given = {name: v for name, v in taken.fields.items() if v is not False}
    _show(own(own_request(given), taken.catalog), taken, explain)


def _show(answer: Any, taken: Any, explain: bool) -> None:
    from gpuadvisor.cli.options import PAGES, columns, emit, emit_json, style

    format, file = taken.format, taken.output
    if format in PAGES:
        from gpuadvisor.cli.output import write_page
        from gpuadvisor.report.own_page import page

        write_page(page(answer, taken.catalog), format, file)
        return
    if format == "table":
        from gpuadvisor.report.own_text import text

        emit(text(answer, columns(output=file), style(file), explain), file)
        return
    from gpuadvisor.report.own_json import document, table

    if format == "json":
        emit_json(document(answer), file)
    else:
        emit(table(answer, format), file)
