"""`gpuadvisor quote`: arguments -> one call -> the customer's file and the seller's beside it.

The flags are those of `recommend` and `estimate`, taken from their own declarations, so that none
can come to mean something else here.
"""

import inspect
import os
from typing import Annotated, Any

import typer

from gpuadvisor.cli.estimate import run as _estimate
from gpuadvisor.cli.flags import Catalogs, Format, Output, Text, Today, Versions, option
from gpuadvisor.cli.recommend import run as _recommend

NO_ARGS_IS_HELP = True

_QUOTE = "The quote"
_NOT_HERE = frozenset(
    {
        "storage", "checkpoint_every", "no_checkpoint", "state_gb", "checkpoint_minutes",
        "restart_minutes", "interruptions_per_hour", "api_price", "objective", "top", "explain",
        "emit", "emit_to", "pick", "format", "output", "request", "catalog", "catalog_version",
        "today",
    }
)  # fmt: skip
"""Flags of `recommend` that a quote has no use for, or declares itself."""

_OF_BOTH = (
    "provider", "tier", "region", "currency", "purchase", "hours_per_month", "hours_per_day",
    "price", "discount", "fx", "max_age",
)  # fmt: skip
"""Flags of `recommend` that `estimate` has as well: for machines as named, too."""

_OF_MACHINES = ("job_hours", "curve", "per_unit")
"""Flags of `estimate` alone."""


def _own(
    customer: Annotated[Text, option("--customer", help="Whom it is for.", panel=_QUOTE)] = None,
    title: Annotated[Text, option("--title", help="What it is about.", panel=_QUOTE)] = None,
    prepared_by: Annotated[
        Text, option("--prepared-by", help="Who stands for it.", panel=_QUOTE)
    ] = None,
    number: Annotated[
        Text, option("--number", help="Its number; else from date and contents.", panel=_QUOTE)
    ] = None,
    valid: Annotated[
        Text, option("--valid", help="How long the prices hold (14d).", panel=_QUOTE)
    ] = None,
    markup: Annotated[
        Text, option("--markup", help="Yours, on every price: 12%; never shown.", panel=_QUOTE)
    ] = None,
    tax: Annotated[
        Text, option("--tax", help="Added as a line of its own: 6%.", panel=_QUOTE)
    ] = None,
    format: Format = None,
    output: Output = None,
    catalog: Catalogs = None,
    catalog_version: Versions = None,
    today: Today = None,
) -> None:
    """The flags that only a quote has; see `run`."""


def _signature() -> inspect.Signature:
    """WHAT of `estimate`, which may be left out here, then the flags of both and our own."""
    what = Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WHAT]…",
            help="Machines, as in estimate; without them a workload is quoted.",
            show_default=False,
        ),
    ]
    asked = inspect.Parameter(
        "what", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=what
    )
    own = inspect.signature(_own).parameters
    of_workload = inspect.signature(_recommend).parameters
    of_machines = inspect.signature(_estimate).parameters
    taken = [
        *(p for name, p in of_workload.items() if name not in _NOT_HERE),
        *(of_machines[name] for name in _OF_MACHINES),
    ]
    terms = [p for name, p in own.items() if name not in _NOT_HERE]
    common = [p for name, p in own.items() if name in _NOT_HERE]
    return inspect.Signature([asked, *terms, *taken, *common])


def run(**arguments: Any) -> None:
    """Quote firm prices to a customer: good, better, best for a workload, or machines as named.

    With --output the customer's file holds no cost, markup, discount or command; those go to
    FILE.internal.json, written together with it.
    """
    from gpuadvisor.advice.quote import quote
    from gpuadvisor.advice.quote_request import quote_request
    from gpuadvisor.catalog.errors import UsageError
    from gpuadvisor.catalog.message import message
    from gpuadvisor.cli.options import asked, overlay_folders
    from gpuadvisor.cli.quote_output import Wanted, show

    given = {name for name, value in arguments.items() if value not in (None, [], False)}
    own = inspect.signature(_own).parameters
    named = given - {"what", *_OF_BOTH, *_OF_MACHINES, *own}
    if not arguments["what"] and not named:
        raise UsageError(message("quote.nothing_asked"))
    if arguments["what"] and named:
        flag = "--" + min(named).replace("_", "-")
        raise UsageError(message("quote.not_of_machines", flag=flag))
    taken = asked(arguments)
    answer = quote(quote_request(taken.fields), taken.catalog)
    folders = overlay_folders(arguments["catalog"], taken.settings)
    overlays = tuple(os.path.abspath(folder) for folder in folders)
    show(answer, Wanted(taken.format, taken.output, taken.catalog, overlays))


run.__signature__ = _signature()  # type: ignore[attr-defined]
