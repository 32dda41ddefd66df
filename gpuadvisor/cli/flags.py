"""Flags that mean the same in every command, declared once.

Typer reads these when it builds the invoked command; nothing heavier than typer is imported.
"""

from typing import Annotated, Any

import typer
from typer.core import TyperOption

Text = str | None
Many = list[str] | None

ANSWER = "Answer"
"""The help panel on what the answer rests on and how it looks."""


def option(*names: str, help: str, panel: str, metavar: str | None = None) -> Any:
    """An option under a heading of the help page."""
    return typer.Option(*names, help=help, rich_help_panel=panel, metavar=metavar)


WHERE, MONEY = "Where and how", "Money"
"""Help panels of the commands that look at many providers, and of prices."""

Providers = Annotated[Many, option("--provider", help="aws,gcp,azure …", panel=WHERE)]
Tiers = Annotated[
    Many, option("--tier", help="hyperscaler, specialist, marketplace or any.", panel=WHERE)
]
Regions = Annotated[
    Many,
    option("--region", help="A region, a part of the world (eu, us, cn …) or any.", panel=WHERE),
]
Currency = Annotated[Text, option("--currency", help="Currency of the answer.", panel=MONEY)]
Rates = Annotated[Many, option("--fx", help="Your exchange rate per USD: CNY=6.65.", panel=MONEY)]
Discounts = Annotated[
    Many, option("--discount", help="Your discount off list prices: aws=12%.", panel=MONEY)
]
Prices = Annotated[
    Many,
    option("--price", help="Your price: aws/p5.48xlarge@us-east-1:on_demand=44.0.", panel=MONEY),
]
MaxAge = Annotated[
    Text, option("--max-age", help="Drop prices older than so many days.", panel=MONEY)
]

Catalogs = Annotated[
    Many,
    option("--catalog", help="Folder of YAML laid over the catalogs.", panel=ANSWER, metavar="DIR"),
]
Versions = Annotated[
    Many, option("--catalog-version", help="Prices of a version: aws=2025.04.", panel=ANSWER)
]
Today = Annotated[
    Text, option("--today", help="Answer as of this date.", panel=ANSWER, metavar="DATE")
]

Format = Annotated[
    Text,
    option("--format", help="table (default), json, csv, markdown, html or xlsx.", panel=ANSWER),
]
Output = Annotated[
    Text,
    option(
        "--output",
        help="Write to a file; .html, .xlsx … imply the format.",
        panel=ANSWER,
        metavar="FILE",
    ),
]


def add_lang(command: Any) -> None:
    """Declare `--lang` on a built command and those beneath it.

    Its value is dropped: `cli.language` has read it before any command is built.
    """
    panels = {getattr(param, "rich_help_panel", None) for param in command.params}
    command.params.append(
        TyperOption(
            param_decls=["--lang"],
            help="Language of the answer: en or zh.",
            metavar="LANG",
            expose_value=False,
            rich_help_panel=ANSWER if ANSWER in panels else None,
        )
    )
    for inner in getattr(command, "commands", {}).values():
        add_lang(inner)
