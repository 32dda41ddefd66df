"""What several commands share: output, the catalog flags, and option texts."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cli.config import Settings, merged, settings
from gpuadvisor.report.messages import speak_in
from gpuadvisor.report.text import Style, plain


def open_catalog(
    overlays: Sequence[str] | None,
    versions: Sequence[str] | None,
    chosen: Settings | None = None,
) -> Catalog:
    """Open the catalogs with all overlays: config file, GPUADVISOR_CATALOGS, `--catalog`.

    The later wins, and so does `--catalog-version` over the config's. `chosen` are the settings
    where the caller has read them; `Settings()` leaves the config file out.
    """
    if chosen is None:
        chosen = settings()
    named = os.environ.get("GPUADVISOR_CATALOGS", "").split(os.pathsep)
    folders = (*chosen.catalogs, *(folder for folder in named if folder), *(overlays or ()))
    return load_catalog(folders, {**chosen.versions, **pinned(versions or ())})


class Asked(NamedTuple):
    """A command's arguments, sorted out: the fields of its request with the project's defaults
    beneath them, the format of the answer, the catalogs, and where the defaults came from."""

    fields: dict[str, Any]
    format: str
    catalog: Catalog
    settings: Settings


FORMATS = ("table", "json", "csv", "markdown")


def asked(arguments: Mapping[str, Any]) -> Asked:
    """Take `--format`, `--catalog` and `--catalog-version` out of a command's arguments.

    What was not given is dropped.
    """
    fields = dict(arguments)
    wanted = chosen_format(fields.pop("format"), FORMATS)
    overlays, versions = fields.pop("catalog"), fields.pop("catalog_version")
    chosen = settings()
    given = {name: v for name, v in merged(fields, chosen).items() if v is not None}
    return Asked(given, wanted, open_catalog(overlays, versions, chosen), chosen)


def style() -> Style:
    """How lines look: in colour on a terminal, plain elsewhere. rich is imported only there."""
    if on_terminal():
        from gpuadvisor.report.colour import styled

        return styled
    return plain


def pinned(items: Sequence[str]) -> Mapping[str, str]:
    """Read `aws=2025.04` or `aws@2025.04` items; raises UsageError."""
    found: dict[str, str] = {}
    for item in items:
        provider, separator, version = item.replace("@", "=", 1).partition("=")
        if not separator or not version:
            raise UsageError(message("cli.bad_version", value=item))
        found[provider.strip().lower()] = version.strip()
    return found


def chosen_format(value: str, allowed: Sequence[str]) -> str:
    """Check `--format` and speak as it wants; raises UsageError with this command's formats."""
    word = value.strip().lower()
    if word not in allowed:
        raise UsageError(message("cli.bad_format", value=value, allowed=", ".join(allowed)))
    speak_in(word)
    return word


def emit(text: str) -> None:
    """Write a whole result to stdout, ending in exactly one newline."""
    sys.stdout.write(text.rstrip("\n") + "\n")


def emit_json(document: Any) -> None:
    """Write a JSON document to stdout: readable, stable, with its own key order."""
    import json

    emit(json.dumps(document, ensure_ascii=False, indent=2))


def on_terminal() -> bool:
    """Whether stdout is a terminal that wants colour (NO_COLOR and CI are honoured)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and not os.environ.get("CI")


def columns(default: int = 80) -> int:
    """Columns to write for: the terminal's width, else COLUMNS, else 80."""
    import shutil

    return max(60, min(shutil.get_terminal_size((default, 24)).columns, 200))
