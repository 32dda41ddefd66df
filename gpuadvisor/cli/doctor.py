"""`gpuadvisor doctor`: what is installed, how old the catalogs are, what is in use."""

from typing import Annotated

import typer

from gpuadvisor.cli.flags import Today


def run(
    format: Annotated[str, typer.Option("--format", help="table or json.")] = "table",
    today: Today = None,
) -> None:
    """Look at versions, catalogs with their ages, cache, config, extras and credentials.

    Nothing is asked of a cloud and no secret is read. Exit 3 where a catalog or the config file
    cannot be read.
    """
    import datetime
    import os

    from gpuadvisor.advice.request import request_from
    from gpuadvisor.cli.health import examine
    from gpuadvisor.cli.options import chosen_format, columns, emit
    from gpuadvisor.report import doctor_report
    from gpuadvisor.report.document import utc_today

    wanted = chosen_format(format, ("table", "json"))
    asked = request_from({"today": today}).today or utc_today()
    health = examine(datetime.date.fromisoformat(asked), os.environ)
    emit(doctor_report.report(health, wanted, asked, columns()))
    faults = [f for f in (health.catalog_fault, health.config_fault) if f is not None]
    if faults:
        raise typer.Exit(max(fault.exit_code for fault in faults))
