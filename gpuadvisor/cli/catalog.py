"""`gpuadvisor catalog …`: what is known, how old it is, and whether it is sound."""

from typing import Annotated

import typer

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)

Overlay = Annotated[
    list[str] | None,
    typer.Option("--catalog", metavar="DIR", help="Folder of YAML laid over the shipped catalogs."),
]
Pinned = Annotated[
    list[str] | None,
    typer.Option("--catalog-version", metavar="PROVIDER=VERSION", help="Prices of a version."),
]
Format = Annotated[str, typer.Option("--format", help="table, json, csv or markdown.")]
Today = Annotated[
    str | None, typer.Option("--today", metavar="DATE", help="Answer as of this date.")
]


@app.callback()
def catalog() -> None:
    """List, show, validate and compare the catalogs."""


@app.command("list")
def list_(catalogs: Overlay = None, format: Format = "table", today: Today = None) -> None:
    """Every catalog with its versions, dates and counts."""
    from gpuadvisor.cli.options import chosen_format, columns, emit, open_catalog
    from gpuadvisor.report import catalog_report

    wanted = chosen_format(format, ("table", "json", "csv", "markdown"))
    emit(catalog_report.listing(open_catalog(catalogs, None), wanted, today, columns()))


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="Instance type, device or partition.")],
    catalogs: Overlay = None,
    versions: Pinned = None,
    region: Annotated[
        list[str] | None, typer.Option("--region", help="Prices of these regions only.")
    ] = None,
    format: Format = "table",
    today: Today = None,
) -> None:
    """One instance type with its prices, or one device with its rates."""
    from gpuadvisor.cli.options import chosen_format, columns, emit, open_catalog
    from gpuadvisor.report import catalog_report

    wanted = chosen_format(format, ("table", "json", "csv", "markdown"))
    store = open_catalog(catalogs, versions)
    emit(catalog_report.entry(store, name, region or [], wanted, today, columns()))


@app.command()
def validate(
    directory: Annotated[
        str | None, typer.Argument(help="Folder of YAML; by default the catalogs in use.")
    ] = None,
) -> None:
    """Check every file; all faults are listed with file, line and column (exit 3)."""
    import os

    from gpuadvisor.catalog.snapshot import base_path
    from gpuadvisor.catalog.store import load_catalog
    from gpuadvisor.cli.options import emit
    from gpuadvisor.report import catalog_report

    target = directory or base_path()
    if directory is None and not os.path.isdir(target):
        # A wheel has no YAML: its snapshot was validated when it was built.
        load_catalog()
        emit(catalog_report.validated(target, None))
        return
    from gpuadvisor.catalog.compile import load

    own = directory is None or _is_whole(directory)
    loaded = load(target, None if own else load_catalog().known())
    emit(catalog_report.validated(target, len(loaded.files)))


def _is_whole(directory: str) -> bool:
    """A folder laid out as a whole catalog stands alone; any other lies over the shipped one."""
    import os

    return all(
        os.path.isdir(os.path.join(directory, name)) for name in ("devices", "providers", "regions")
    )


@app.command()
def path() -> None:
    """Where the catalogs in use lie."""
    import os

    from gpuadvisor.catalog.snapshot import base_path, refreshed_directory
    from gpuadvisor.cli.options import emit

    refreshed = refreshed_directory()
    own = [refreshed] if refreshed is not None and os.path.isdir(refreshed) else []
    emit("\n".join([base_path(), *own]))


@app.command()
def diff(
    before: Annotated[str, typer.Argument(metavar="A", help="aws@2025.04")],
    after: Annotated[
        str | None, typer.Argument(metavar="B", help="aws@latest, which is the default.")
    ] = None,
    catalogs: Overlay = None,
    purchase: Annotated[
        list[str] | None, typer.Option("--purchase", help="on_demand, spot, reserved …")
    ] = None,
    region: Annotated[
        list[str] | None, typer.Option("--region", help="Prices of these regions only.")
    ] = None,
    type: Annotated[
        list[str] | None, typer.Option("--type", help="Prices of these instance types only.")
    ] = None,
    top: Annotated[int, typer.Option("--top", help="Largest changes to show.", min=1)] = 10,
    format: Format = "table",
    today: Today = None,
) -> None:
    """What changed between two price versions: prices, new types, types that are gone."""
    from gpuadvisor.advice.places import places
    from gpuadvisor.advice.request import request_from
    from gpuadvisor.advice.what import read_what
    from gpuadvisor.catalog.diff import diff as compare
    from gpuadvisor.catalog.diff import read_version
    from gpuadvisor.catalog.errors import UsageError
    from gpuadvisor.catalog.message import message
    from gpuadvisor.cli.options import chosen_format, columns, emit, open_catalog
    from gpuadvisor.report import diff_report

    wanted = chosen_format(format, ("table", "json", "csv", "markdown"))
    typed = request_from({"purchase": purchase, "region": region, "today": today})
    provider, old = read_version(before)
    other, new = read_version(after or provider)
    if other != provider:
        raise UsageError(message("catalog.two_providers", before=provider, after=other))
    first, second = (open_catalog(catalogs, [f"{provider}={v}"]) for v in (old, new))
    regions = None
    if typed.region:
        regions = places(second, [provider], (), typed.region)[0].regions
    what = [read_what(second, f"{provider}/{name}") for name in type or ()]
    found = compare(
        first,
        second,
        provider,
        options=typed.purchase or None,
        regions=regions,
        types=[t.name for named in what for t in named.types] or None,
    )
    emit(diff_report.report(found, wanted, typed.today, top, columns()))


@app.command(no_args_is_help=True)
def refresh(
    providers: Annotated[
        list[str] | None, typer.Argument(metavar="PROVIDER…", help="aws, gcp, azure, oci, alibaba.")
    ] = None,
    region: Annotated[
        list[str] | None, typer.Option("--region", help="These regions only; the rest stays.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="on_demand,spot,reserved,savings_plan,shapes … only."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", metavar="DIR", help="Write there, not into the catalogs in use."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; write nothing.")
    ] = False,
    since: Annotated[
        str | None,
        typer.Option(
            "--since", metavar="VERSION", help="Compare with and carry over from this version."
        ),
    ] = None,
    accept: Annotated[
        bool,
        typer.Option("--accept", help="Put large moves, vanished types, changed counts in place."),
    ] = False,
    show_permissions: Annotated[
        bool, typer.Option("--show-permissions", help="Print what an account must allow.")
    ] = False,
    project: Annotated[
        str | None, typer.Option("--project", help="Google Cloud project whose APIs are asked.")
    ] = None,
    subscription: Annotated[
        str | None, typer.Option("--subscription", help="Azure subscription for the VM sizes.")
    ] = None,
    keyless: Annotated[
        bool,
        typer.Option("--keyless", help="AWS: the public files, even where credentials are found."),
    ] = False,
    deadline: Annotated[
        str, typer.Option("--deadline", help="Time for all of it: 30min, 2h.")
    ] = "60min",
    jobs: Annotated[int, typer.Option("--jobs", help="Requests at once.", min=1, max=64)] = 8,
    format: Annotated[str, typer.Option("--format", help="table, json or markdown.")] = "table",
    today: Today = None,
) -> None:
    """Make a new price version from the clouds themselves; the old one stays until it is sound.

    Exit code 1: large changes need --accept; 4: no region was reached.
    """
    from gpuadvisor.cli import catalog_refresh

    if show_permissions:
        catalog_refresh.show_permissions(providers or [])
        return
    catalog_refresh.run(
        catalog_refresh.Asked(
            providers or [], region or [], only or [], output, dry_run, since, accept, project,
            subscription, keyless, deadline, jobs, format, today,
        )
    )  # fmt: skip


@app.command()
def schema(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Kind of file (shapes, prices …) or output/COMMAND (output/estimate); else all.",
        ),
    ] = None,
) -> None:
    """JSON Schema of the YAML files, for editors, and of what commands write as JSON."""
    from gpuadvisor.cli.options import emit_json
    from gpuadvisor.report import catalog_schema

    emit_json(catalog_schema.schema_of(name))
