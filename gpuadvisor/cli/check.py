"""`gpuadvisor check FILES…`: arguments -> one call -> a report, then the exit code."""

import gc
from typing import Annotated, Any

import typer

NO_ARGS_IS_HELP = True

_INPUT, _POLICY, _MONEY, _OUT = "Input", "Policy", "Money", "Answer"
FORMATS = ("table", "json", "markdown", "github", "azure", "sarif", "junit", "gitlab")

Text = str | None
Many = list[str] | None


def _option(*names: str, help: str, panel: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, metavar=metavar)


def run(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILES…", help="Plan JSON, manifests, templates or folders; - is stdin."
        ),
    ] = None,
    kind: Annotated[
        Text,
        _option(
            "--kind", help="Force a format: tfplan, kubernetes, cloudformation …", panel=_INPUT
        ),
    ] = None,
    project: Annotated[
        Many, _option("--project", help="NAME=FILE: a file with a subtotal.", panel=_INPUT)
    ] = None,
    base: Annotated[
        Many,
        _option(
            "--base",
            help="The state before, for formats without one.",
            panel=_INPUT,
            metavar="FILE",
        ),
    ] = None,
    parameters: Annotated[
        Many, _option("--parameters", help="KEY=VALUE of a template.", panel=_INPUT)
    ] = None,
    region: Annotated[
        Text, _option("--region", help="Where a file names no region.", panel=_INPUT)
    ] = None,
    assume_node: Annotated[
        Many,
        _option(
            "--assume-node",
            help="Nodes that pods run on: aws/g5.xlarge@us-east-1:spot.",
            panel=_INPUT,
        ),
    ] = None,
    source: Annotated[
        Many,
        _option(
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
        Text, _option("--max-bytes", help="Largest file to read.", panel=_INPUT)
    ] = None,
    config: Annotated[
        Text,
        _option(
            "--config",
            help="Policy file, or git:REF:PATH; .gpuadvisor.yaml by default.",
            panel=_POLICY,
            metavar="FILE",
        ),
    ] = None,
    max_increase: Annotated[
        Text, _option("--max-increase", help="2000, 2000EUR/month, 0.", panel=_POLICY)
    ] = None,
    max_increase_pct: Annotated[
        Text, _option("--max-increase-pct", help="Per cent of the cost before.", panel=_POLICY)
    ] = None,
    max_decrease: Annotated[
        Text, _option("--max-decrease", help="Stops removals by mistake.", panel=_POLICY)
    ] = None,
    max_total: Annotated[
        Text, _option("--max-total", help="Budget not to be crossed from below.", panel=_POLICY)
    ] = None,
    max_hourly: Annotated[
        Text,
        _option("--max-hourly", help="Most for one resource an hour.", panel=_POLICY),
    ] = None,
    max_gpus: Annotated[
        Text, _option("--max-gpus", help="Devices in total, from below.", panel=_POLICY)
    ] = None,
    on_unknown: Annotated[
        Text, _option("--on-unknown", help="warn, fail (exit 4) or ignore.", panel=_POLICY)
    ] = None,
    on_max: Annotated[
        Text,
        _option(
            "--on-max", help="A limit only the maximum breaks: warn, fail, ignore.", panel=_POLICY
        ),
    ] = None,
    fail_on: Annotated[
        Text, _option("--fail-on", help="fail, or warn to fail on warnings too.", panel=_POLICY)
    ] = None,
    exit_zero: Annotated[
        bool,
        typer.Option("--exit-zero", help="Report, but exit 0.", rich_help_panel=_POLICY),
    ] = False,
    max_catalog_age: Annotated[
        Text, _option("--max-catalog-age", help="Days; older prices fail.", panel=_POLICY)
    ] = None,
    currency: Annotated[
        Text, _option("--currency", help="Currency of the answer.", panel=_MONEY)
    ] = None,
    hours_per_month: Annotated[
        Text, _option("--hours-per-month", help="Hours used a month (730).", panel=_MONEY)
    ] = None,
    discount: Annotated[
        Many, _option("--discount", help="Your discount off list prices: aws=12%.", panel=_MONEY)
    ] = None,
    price: Annotated[
        Many,
        _option(
            "--price", help="Your price: aws/p5.48xlarge@us-east-1:on_demand=44.0.", panel=_MONEY
        ),
    ] = None,
    fx: Annotated[
        Many, _option("--fx", help="Your exchange rate per USD: CNY=6.65.", panel=_MONEY)
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help=", ".join(FORMATS) + ".", rich_help_panel=_OUT)
    ] = "table",
    output: Annotated[
        Many,
        _option(
            "--output",
            help="FORMAT=FILE besides stdout, such as json=report.json.",
            panel=_OUT,
            metavar="FORMAT=FILE",
        ),
    ] = None,
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
    from gpuadvisor.cli.options import chosen_format, open_catalog

    wanted = chosen_format(fields.pop("format"), FORMATS)
    targets = check_output.targets(fields.pop("output") or [])
    overlays, paths = fields.pop("catalog"), fields.pop("files") or []
    policy, defaults, chosen = policy_of(fields.pop("config"))
    given = {**defaults, **{k: v for k, v in fields.items() if v not in (None, [], False)}}
    pinned = given.pop("catalog_version", None)
    request = check_request(paths, policy, **given)
    report = run_check(request, open_catalog(overlays, pinned, chosen))
    check_output.write(report, wanted, targets)
    raise typer.Exit(report.exit_code)
