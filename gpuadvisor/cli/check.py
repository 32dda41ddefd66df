"""`gpuadvisor check FILES…`: arguments -> one call -> a report, then the exit code."""

import gc
from typing import Annotated

import typer

from gpuadvisor.cli.flags import (
    Catalogs,
    Currency,
    Discounts,
    Many,
    Prices,
    Rates,
    Text,
    Today,
    Versions,
    option,
)

NO_ARGS_IS_HELP = True

_INPUT, _POLICY, _MONEY, _OUT = "Input", "Policy", "Money", "Answer"


def run(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILES…", help="Plan JSON, manifests, templates or folders; - is stdin."
        ),
    ] = None,
    kind: Annotated[
        Text,
        option("--kind", help="Force a format: tfplan, kubernetes, cloudformation …", panel=_INPUT),
    ] = None,
    project: Annotated[
        Many, option("--project", help="NAME=FILE: a file with a subtotal.", panel=_INPUT)
    ] = None,
    base: Annotated[
        Many,
        option(
            "--base",
            help="The state before, for formats without one.",
            panel=_INPUT,
            metavar="FILE",
        ),
    ] = None,
    parameters: Annotated[
        Many, option("--parameters", help="KEY=VALUE of a template.", panel=_INPUT)
    ] = None,
    region: Annotated[
        Text, option("--region", help="Where a file names no region.", panel=_INPUT)
    ] = None,
    assume_node: Annotated[
        Many,
        option(
            "--assume-node",
            help="Nodes that pods run on: aws/g5.xlarge@us-east-1:spot.",
            panel=_INPUT,
        ),
    ] = None,
    source: Annotated[
        Many,
        option(
            "--source",
            help="Folder of a root module: places of a plan's resources in its sources.",
            panel=_INPUT,
            metavar="DIR",
        ),
    ] = None,
    skip_others: Annotated[
        bool,
        typer.Option(
            "--skip-others",
            help="Leave out files of no known format, for hooks.",
            rich_help_panel=_INPUT,
        ),
    ] = False,
    max_bytes: Annotated[
        Text, option("--max-bytes", help="Largest file to read.", panel=_INPUT)
    ] = None,
    config: Annotated[
        Text,
        option(
            "--config",
            help="Policy file, or git:REF:PATH; .gpuadvisor.yaml by default.",
            panel=_POLICY,
            metavar="FILE",
        ),
    ] = None,
    max_increase: Annotated[
        Text, option("--max-increase", help="2000, 2000EUR/month, 0.", panel=_POLICY)
    ] = None,
    max_increase_pct: Annotated[
        Text, option("--max-increase-pct", help="Per cent of the cost before.", panel=_POLICY)
    ] = None,
    max_decrease: Annotated[
        Text, option("--max-decrease", help="Stops removals by mistake.", panel=_POLICY)
    ] = None,
    max_total: Annotated[
        Text, option("--max-total", help="Budget not to be crossed from below.", panel=_POLICY)
    ] = None,
    max_hourly: Annotated[
        Text,
        option("--max-hourly", help="Most for one resource an hour.", panel=_POLICY),
    ] = None,
    max_gpus: Annotated[
        Text, option("--max-gpus", help="Devices in total, from below.", panel=_POLICY)
    ] = None,
    on_unknown: Annotated[
        Text, option("--on-unknown", help="warn, fail (exit 4) or ignore.", panel=_POLICY)
    ] = None,
    on_max: Annotated[
        Text,
        option(
            "--on-max", help="A limit only the maximum breaks: warn, fail, ignore.", panel=_POLICY
        ),
    ] = None,
    fail_on: Annotated[
        Text, option("--fail-on", help="fail, or warn to fail on warnings too.", panel=_POLICY)
    ] = None,
    exit_zero: Annotated[
        bool,
        typer.Option("--exit-zero", help="Report, but exit 0.", rich_help_panel=_POLICY),
    ] = False,
    max_catalog_age: Annotated[
        Text, option("--max-catalog-age", help="Days; older prices fail.", panel=_POLICY)
    ] = None,
    currency: Currency = None,
    hours_per_month: Annotated[
        Text, option("--hours-per-month", help="Hours used a month (730).", panel=_MONEY)
    ] = None,
    discount: Discounts = None,
    price: Prices = None,
    fx: Rates = None,
    format: Annotated[
        Text,
        option(
            "--format",
            help="table (default), json, markdown, github, azure, gitlab, sarif, junit, html, xlsx",
            panel=_OUT,
        ),
    ] = None,
    output: Annotated[
        Many,
        option(
            "--output",
            help="Write to a file; FORMAT=FILE besides stdout, such as json=report.json.",
            panel=_OUT,
            metavar="FILE",
        ),
    ] = None,
    catalog: Catalogs = None,
    catalog_version: Versions = None,
    today: Today = None,
) -> None:
    """Say what GPU cost a change adds, and whether the policy allows it.

    Reads Terraform plans and sources, Pulumi previews, CloudFormation templates, Kubernetes
    manifests, and files of eksctl, SkyPilot, dstack, Ray and Compose. `gpuadvisor check comment`
    writes a report into a pull request. Exit codes: 0 within policy, 1 policy failed, 2 usage, 3
    input unreadable, 4 incomplete and --on-unknown fail.
    """
    fields = dict(locals())
    # A short process with a large plan in memory: a cyclic collection would walk all of it.
    gc.disable()
    from gpuadvisor.check.request import check_request
    from gpuadvisor.check.run import run as run_check
    from gpuadvisor.cli import check_output
    from gpuadvisor.cli.check_policy import policy_of
    from gpuadvisor.cli.options import open_catalog

    targets = check_output.targets(fields.pop("format"), fields.pop("output") or [])
    overlays, paths = fields.pop("catalog"), fields.pop("files") or []
    policy, defaults, chosen = policy_of(fields.pop("config"))
    given = {**defaults, **{k: v for k, v in fields.items() if v not in (None, [], False)}}
    pinned = given.pop("catalog_version", None)
    request = check_request(paths, policy, **given)
    report = run_check(request, open_catalog(overlays, pinned, chosen))
    check_output.write(report, targets)
    raise typer.Exit(report.exit_code)
