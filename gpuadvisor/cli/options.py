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
    return load_catalog(
        overlay_folders(overlays, chosen), {**chosen.versions, **pinned(versions or ())}
    )


def overlay_folders(overlays: Sequence[str] | None, chosen: Settings) -> tuple[str, ...]:
    """The folders that are laid over the shipped catalogs, the last one uppermost."""
    named = os.environ.get("GPUADVISOR_CATALOGS", "").split(os.pathsep)
    return (*chosen.catalogs, *(folder for folder in named if folder), *(overlays or ()))


class Asked(NamedTuple):
    """A command's arguments, sorted out: the fields of its request with the project's defaults
    beneath them, the format of the answer and its file (None: stdout), the catalogs, and where the
    defaults came from."""

    fields: dict[str, Any]
    format: str
    output: str | None
    catalog: Catalog
    settings: Settings


PAGES = ("html", "xlsx")
FORMATS = ("table", "json", "csv", "markdown", *PAGES)


def asked(arguments: Mapping[str, Any]) -> Asked:
    """Take `--format`, `--output` and the catalog flags out of a command's arguments.

    What was not given is dropped.
    """
    fields = dict(arguments)
    wanted, output = wanted_output(fields.pop("format"), fields.pop("output", None))
    overlays, versions = fields.pop("catalog"), fields.pop("catalog_version")
    chosen = settings()
    given = {name: v for name, v in merged(fields, chosen).items() if v is not None}
    return Asked(given, wanted, output, open_catalog(overlays, versions, chosen), chosen)


def wanted_output(format: str | None, output: str | None) -> tuple[str, str | None]:
    """The format that was asked for, else that of the file's suffix, else a table; and the file.

    `-` is stdout. UsageError for a suffix that stands for a format which is not written here.
    """
    if output == "-":
        output = None
    if format is None and output is not None:
        from gpuadvisor.cli.output import holds_text, implied

        format = implied(output)
        if format is None and not holds_text(output):
            raise UsageError(message("page.suffix", file=output))
    return chosen_format(format or "table", FORMATS), output


def style(output: str | None = None) -> Style:
    """How lines look: in colour on a terminal, plain elsewhere. rich is imported only there."""
    if output is None and on_terminal():
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


def emit(text: str, output: str | None = None) -> None:
    """Write a whole result to stdout or a file, ending in exactly one newline."""
    whole = text.rstrip("\n") + "\n"
    if output is None:
        sys.stdout.write(whole)
        return
    from gpuadvisor.cli.output import save

    save(output, whole.encode())


def emit_json(document: Any, output: str | None = None) -> None:
    """Write a JSON document: readable, stable, with its own key order."""
    import json

    emit(json.dumps(document, ensure_ascii=False, indent=2), output)


def on_terminal() -> bool:
    """Whether stdout is a terminal that wants colour (NO_COLOR and CI are honoured)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and not os.environ.get("CI")


def columns(default: int = 80, output: str | None = None) -> int:
    """Columns to write for: the terminal's width, else COLUMNS, else 80; a file's are 80."""
    if output is not None:
        return default
    import shutil

    return max(60, min(shutil.get_terminal_size((default, 24)).columns, 200))
