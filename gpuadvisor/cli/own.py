"""`gpuadvisor own`: arguments -> one call -> a report."""

from typing import Annotated, Any

import typer

NO_ARGS_IS_HELP = True

_BUY, _RUN, _RENT, _MONEY, _OUT = "Buying", "Running", "Renting", "Money", "Answer"


def _option(*names: str, help: str, panel: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, metavar=metavar)


Text = str | None
Many = list[str] | None


def run(
    device: Annotated[
        Text, _option("--device", help="What to buy: H100-80GB-SXM, RTX-3090 …", panel=_BUY)
    ] = None,
    gpus: Annotated[Text, _option("--gpus", help="How many (1).", panel=_BUY)] = None,
    capex: Annotated[
        Text, _option("--capex", help="Purchase price of all, with their host.", panel=_BUY)
    ] = None,
    used: Annotated[
        bool, typer.Option("--used", help="Second-hand prices.", rich_help_panel=_BUY)
    ] = False,
    years: Annotated[Text, _option("--years", help="Years of use (3).", panel=_BUY)] = None,
    residual: Annotated[
        Text, _option("--residual", help="Share of the price left after them: 15%.", panel=_BUY)
    ] = None,
    wacc: Annotated[
        Text, _option("--wacc", help="Yearly cost of capital (10%).", panel=_BUY)
    ] = None,
    power_kw: Annotated[
        Text, _option("--power-kw", help="Rated power of the whole system.", panel=_RUN)
    ] = None,
    load: Annotated[
        Text, _option("--load", help="Mean share of it that is drawn (80%).", panel=_RUN)
    ] = None,
    pue: Annotated[
        Text, _option("--pue", help="Power of the room over that of machines.", panel=_RUN)
    ] = None,
    kwh_price: Annotated[Text, _option("--kwh-price", help="Price of a kWh.", panel=_RUN)] = None,
    colo: Annotated[
        Text, _option("--colo", help="Colocation per kW and month; none if unset.", panel=_RUN)
    ] = None,
    staff: Annotated[Text, _option("--staff", help="Staff a year (0).", panel=_RUN)] = None,
    maintenance: Annotated[
        Text, _option("--maintenance", help="Maintenance a year, of the price (5%).", panel=_RUN)
    ] = None,
    utilisation: Annotated[
        Text, _option("--utilisation", help="Share of the year it is used (50%).", panel=_RUN)
    ] = None,
    workload: Annotated[
        Text, _option("--workload", help="Compare the cost of its unit of work.", panel=_RUN)
    ] = None,
    rent: Annotated[
        Text,
        _option("--rent", help="What is rented instead; the same devices if unset.", panel=_RENT),
    ] = None,
    provider: Annotated[Many, _option("--provider", help="aws,gcp,azure …", panel=_RENT)] = None,
    tier: Annotated[
        Many, _option("--tier", help="hyperscaler, specialist, marketplace or any.", panel=_RENT)
    ] = None,
    region: Annotated[Many, _option("--region", help="Region.", panel=_RENT)] = None,
    purchase: Annotated[
        Many, _option("--purchase", help="on_demand (default) or spot.", panel=_RENT)
    ] = None,
    currency: Annotated[
        Text,
        _option("--currency", help="Currency of the answer and of your figures.", panel=_MONEY),
    ] = None,
    fx: Annotated[
        Many, _option("--fx", help="Your exchange rate per USD: CNY=6.65.", panel=_MONEY)
    ] = None,
    discount: Annotated[
        Many, _option("--discount", help="Your discount off list prices: aws=12%.", panel=_MONEY)
    ] = None,
    price: Annotated[
        Many, _option("--price", help="Your rent: on_demand=21.957.", panel=_MONEY)
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="What each input does to the break-even.", rich_help_panel=_OUT
        ),
    ] = False,
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
    """Compare buying accelerators with renting them: a year of each, and where they meet."""
    arguments = dict(locals())
    from gpuadvisor.advice.own import own
    from gpuadvisor.advice.own_request import own_request
    from gpuadvisor.cli.options import asked

    taken = asked({name: v for name, v in arguments.items() if name != "explain"})
    given = {name: v for name, v in taken.fields.items() if v is not False}
    _show(own(own_request(given), taken.catalog), taken.format, explain)


def _show(answer: Any, format: str, explain: bool) -> None:
    from gpuadvisor.cli.options import columns, emit, emit_json, style

    if format == "table":
        from gpuadvisor.report.own_text import text

        emit(text(answer, columns(), style(), explain))
        return
    from gpuadvisor.report.own_json import document, table

    if format == "json":
        emit_json(document(answer))
    else:
        emit(table(answer, format))
