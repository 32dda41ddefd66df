"""`gpuadvisor init`: a commented config file for the project in the current folder."""

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from gpuadvisor.cli.flags import Many, Text, option

_VALUES, _FILE = "Values", "File"


def run(
    provider: Annotated[
        Many, option("--provider", help="Clouds to ask; aws,gcp or repeated.", panel=_VALUES)
    ] = None,
    region: Annotated[
        Many, option("--region", help="Regions or parts of the world (eu, us).", panel=_VALUES)
    ] = None,
    currency: Annotated[
        Text, option("--currency", help="Currency of answers and bare amounts.", panel=_VALUES)
    ] = None,
    discount: Annotated[
        Many, option("--discount", help="Your discount: aws=12%.", panel=_VALUES)
    ] = None,
    max_increase: Annotated[
        Text,
        option("--max-increase", help="What a change may add a month: 2000EUR.", panel=_VALUES),
    ] = None,
    output: Annotated[
        str,
        option("--output", help="Where to write; - is stdout.", panel=_FILE, metavar="FILE"),
    ] = ".gpuadvisor.yaml",
    force: Annotated[
        bool,
        typer.Option("--force", help="Replace a file that is there.", rich_help_panel=_FILE),
    ] = False,
) -> None:
    """Write a commented .gpuadvisor.yaml: defaults for this project, and limits for `check`."""
    from gpuadvisor.check.policy_file import PolicyText, load_policy
    from gpuadvisor.cli.config import settings_of
    from gpuadvisor.cli.options import emit
    from gpuadvisor.report import init_file

    chosen = {
        "provider": _words(provider),
        "region": _words(region),
        "currency": (currency or "").strip(),
        "discount": _words(discount),
    }
    limits = {"max_increase": (max_increase or "").strip()}
    _check_values(chosen, limits["max_increase"])
    text = init_file.text(chosen, limits)
    # The rules of reading it are the rules of writing it: nothing lands that could not be read.
    settings_of(output, text.encode())
    load_policy(PolicyText(output, text.encode()), required=False)
    if output == "-":
        emit(text)
        return
    _put(output, text.encode(), replace=force)
    print(init_file.done(output), file=sys.stderr)


def _put(path: str, data: bytes, replace: bool) -> None:
    """Put the file in place whole; an existing one only with `replace`, else RefusedError."""
    import os
    from contextlib import suppress

    from gpuadvisor.catalog.errors import RefusedError, UsageError
    from gpuadvisor.catalog.message import message
    from gpuadvisor.catalog.staging import staged

    try:
        held = staged(os.path.abspath(path), data, 0o644)
        try:
            if replace:
                os.replace(held, path)
            else:
                os.link(held, path)  # fails where the name is taken, whoever took it meanwhile
        finally:
            with suppress(FileNotFoundError):
                os.unlink(held)
    except FileExistsError as error:
        raise RefusedError(message("init.exists", path=path)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(message("page.unwritable", file=path, reason=reason)) from error


def _check_values(chosen: Mapping[str, Any], max_increase: str) -> None:
    """Read the values as the commands that use them do. Raises UsageError naming the flag."""
    from gpuadvisor.advice.places import places
    from gpuadvisor.advice.request import request_from
    from gpuadvisor.check.request import limit_money
    from gpuadvisor.cli.config import Settings
    from gpuadvisor.cli.options import open_catalog

    request = request_from({name: value for name, value in chosen.items() if value})
    if max_increase:
        limit_money(max_increase, request.currency)
    catalog = open_catalog(None, None, Settings())
    places(catalog, request.provider, (), request.region)
    for provider, _ in request.discounts:
        catalog.provider(provider)


def _words(given: list[str] | None) -> list[str]:
    return [word.strip() for text in given or () for word in text.split(",") if word.strip()]
