"""`gpuadvisor estimate`: arguments -> one call -> a report."""

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

_USE, _JOB, _DAY = "How much", "A job", "A demand over the day"
_WHERE, _MONEY, _OUT = "Where and how", "Money", "Answer"


def run(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="WHAT…",
            help="An instance type or a device: g5.xlarge, '4x g4dn.12xlarge', 8xA100.",
        ),
    ],
    hours_per_month: Annotated[
        Text, option("--hours-per-month", help="Hours used a month (730).", panel=_USE)
    ] = None,
    hours_per_day: Annotated[
        Text, option("--hours-per-day", help="Hours used a day.", panel=_USE)
    ] = None,
    job_hours: Annotated[
        Text, option("--job-hours", help="Price one job of so many hours too.", panel=_JOB)
    ] = None,
    checkpoint_every: Annotated[
        Text,
        option("--checkpoint-every", help="Work between checkpoints: auto or 10m.", panel=_JOB),
    ] = None,
    no_checkpoint: Annotated[
        bool, typer.Option("--no-checkpoint", help="None are written.", rich_help_panel=_JOB)
    ] = False,
    state_gb: Annotated[
        Text, option("--state-gb", help="Size of a checkpoint, in GB.", panel=_JOB)
    ] = None,
    checkpoint_minutes: Annotated[
        Text, option("--checkpoint-minutes", help="Time of writing one.", panel=_JOB)
    ] = None,
    restart_minutes: Annotated[
        Text, option("--restart-minutes", help="From a new machine to work.", panel=_JOB)
    ] = None,
    interruptions_per_hour: Annotated[
        Text,
        option("--interruptions-per-hour", help="Of one running spot instance.", panel=_JOB),
    ] = None,
    deadline: Annotated[
        Text, option("--deadline", help="The job must be done within: 30h, 2d.", panel=_JOB)
    ] = None,
    curve: Annotated[
        Text,
        option(
            "--curve",
            help="Demand: CSV of hour,units or hour,requests.",
            panel=_DAY,
            metavar="FILE",
        ),
    ] = None,
    min: Annotated[Text, option("--min", help="Units that always run (0).", panel=_DAY)] = None,
    max: Annotated[Text, option("--max", help="Units at most.", panel=_DAY)] = None,
    warm: Annotated[Text, option("--warm", help="Spare units (20%).", panel=_DAY)] = None,
    cooldown: Annotated[
        Text, option("--cooldown", help="Units stay so long unneeded (10m).", panel=_DAY)
    ] = None,
    boot: Annotated[Text, option("--boot", help="From order to ready (3m).", panel=_DAY)] = None,
    idle: Annotated[
        Text, option("--idle", help="The last unit stops after it (15m).", panel=_DAY)
    ] = None,
    per_unit: Annotated[
        Text, option("--per-unit", help="Requests an hour that a unit serves.", panel=_DAY)
    ] = None,
    storage: Annotated[
        Text,
        option(
            "--storage", help="hot=2TB,cold=18TB,retrieve=1TB,disk=200GB,egress=1TB.", panel=_USE
        ),
    ] = None,
    months: Annotated[
        Text, option("--months", help="Add the total over so many months.", panel=_USE)
    ] = None,
    provider: Providers = None,
    tier: Tiers = None,
    region: Regions = None,
    purchase: Annotated[
        Many, option("--purchase", help="on_demand, spot, reserved, savings_plan …", panel=_WHERE)
    ] = None,
    currency: Currency = None,
    fx: Rates = None,
    discount: Discounts = None,
    markup: Annotated[
        Text, option("--markup", help="Your markup on every price: 8%.", panel=_MONEY)
    ] = None,
    price: Prices = None,
    capital_cost: Annotated[
        Text,
        option("--capital-cost", help="Yearly cost of upfront money (10%).", panel=_MONEY),
    ] = None,
    max_age: MaxAge = None,
    top: Annotated[Text, option("--top", help="Ways to show of each (5).", panel=_OUT)] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="What each input does to a job's bill.", rich_help_panel=_OUT
        ),
    ] = False,
    format: Format = None,
    output: Output = None,
    catalog: Catalogs = None,
    catalog_version: Versions = None,
    today: Today = None,
) -> None:
    """Price instance types or devices on every purchase option, and add them up."""
    arguments = dict(locals())
    from gpuadvisor.advice.estimate import estimate
    from gpuadvisor.advice.estimate_request import estimate_request
    from gpuadvisor.cli.options import asked

    taken = asked({name: v for name, v in arguments.items() if name != "explain"})
    given = {name: v for name, v in taken.fields.items() if v is not False}
    answer = estimate(estimate_request(given), taken.catalog)
    _show(answer, taken, explain)
    if answer.refused is not None:
        from gpuadvisor.catalog.errors import RefusedError

        raise RefusedError(answer.refused)


def _show(answer: Any, taken: Any, explain: bool) -> None:
    from gpuadvisor.cli.options import PAGES, columns, emit, emit_json, style

    format, file = taken.format, taken.output
    if format in PAGES:
        from gpuadvisor.cli.output import write_page
        from gpuadvisor.report.estimate_page import page

        write_page(page(answer, taken.catalog), format, file)
        return
    if format == "json":
        from gpuadvisor.report.estimate_json import document

        emit_json(document(answer), file)
    elif format == "table":
        from gpuadvisor.report.estimate_text import text

        emit(text(answer, columns(output=file), style(file), explain), file)
    else:
        from gpuadvisor.report.estimate_table import table

        emit(table(answer, format), file)
