"""`gpuadvisor rules …`: the advice rules, what each says and why, and tests of rule files."""

from typing import Annotated

import typer

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)

Overlay = Annotated[
    list[str] | None,
    typer.Option("--catalog", metavar="DIR", help="Folder of YAML laid over the shipped catalogs."),
]
Policy = Annotated[str | None, typer.Option("--policy", help="Rules of one policy: default, seed.")]
Format = Annotated[str, typer.Option("--format", help="table or json.")]
FORMATS = ("table", "json")


@app.callback()
def rules() -> None:
    """List, show and test the advice rules."""


@app.command("list")
def list_(policy: Policy = None, catalogs: Overlay = None, format: Format = "table") -> None:
    """Every rule with its policies, group and effects."""
    from gpuadvisor.catalog.errors import UsageError
    from gpuadvisor.catalog.message import message
    from gpuadvisor.catalog.names import nearest
    from gpuadvisor.catalog.rule_facts import POLICIES
    from gpuadvisor.cli.options import chosen_format, columns, emit, open_catalog
    from gpuadvisor.report import rules_report

    wanted = chosen_format(format, FORMATS)
    if policy is not None and policy not in POLICIES:
        near = ", ".join(nearest(policy, POLICIES) or POLICIES)
        raise UsageError(
            message(
                "catalog.unknown_name",
                kind=message("catalog.kind_policy"),
                name=policy,
                nearest=near,
            )
        )
    emit(rules_report.listing(open_catalog(catalogs, None), policy, wanted, columns()))


@app.command()
def show(
    id: Annotated[str, typer.Argument(metavar="ID", help="A rule's id, such as fit.bf16.")],
    catalogs: Overlay = None,
    format: Format = "table",
) -> None:
    """One rule in full: condition, effects, reason and source."""
    from gpuadvisor.cli.options import chosen_format, columns, emit, open_catalog
    from gpuadvisor.report import rules_report

    wanted = chosen_format(format, FORMATS)
    emit(rules_report.entry(open_catalog(catalogs, None), id, wanted, columns()))


@app.command()
def test(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A YAML file of rules with cases.")],
    format: Format = "table",
) -> None:
    """Run a rule file's own cases; exit 1 if one comes out otherwise than it says."""
    import sys

    from gpuadvisor.catalog.rule_files import read_rule_file
    from gpuadvisor.cli.options import chosen_format, emit
    from gpuadvisor.report import rules_report
    from gpuadvisor.rules.selftest import run_cases

    wanted = chosen_format(format, FORMATS)
    report = run_cases(read_rule_file(file))
    for note in rules_report.one_sided_notes(report):
        print(note, file=sys.stderr)
    emit(rules_report.tested(report, wanted))
    if report.failed:
        raise typer.Exit(1)
