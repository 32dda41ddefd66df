"""`gpuadvisor backtest`: how far off the speed model is on measurements of yours."""

from typing import Annotated

import typer

FORMATS = ("table", "json", "csv", "markdown")


def run(
    data: Annotated[
        str,
        typer.Option(
            "--data",
            metavar="FILE.csv",
            help="Measurements: group, device, workload_class, value, higher_is_better and, "
            "where known, workload, precision, software, source.",
        ),
    ],
    catalogs: Annotated[
        list[str] | None,
        typer.Option(
            "--catalog", metavar="DIR", help="Folder of YAML laid over the shipped catalogs."
        ),
    ] = None,
    format: Annotated[str, typer.Option("--format", help="table, json, csv or markdown.")] = (
        "table"
    ),
    today: Annotated[
        str | None, typer.Option("--today", metavar="DATE", help="Answer as of this date.")
    ] = None,
) -> None:
    """Predict each measurement from the others of its group, and report the errors."""
    from gpuadvisor.cli.options import chosen_format, emit, open_catalog
    from gpuadvisor.performance.backtest import backtest
    from gpuadvisor.performance.measurements import read_measurements
    from gpuadvisor.report.backtest_report import render_backtest

    wanted = chosen_format(format, FORMATS)
    rows = read_measurements(data)
    emit(render_backtest(backtest(open_catalog(catalogs, None), rows), wanted, today))
