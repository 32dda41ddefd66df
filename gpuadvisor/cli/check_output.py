"""Where the report of a check goes: stdout or a file in one format, files in others."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.check.interface import Report

WRITTEN = ("table", "json", "markdown", "sarif", "junit", "gitlab", "html", "xlsx")
FORMATS = ("table", "json", "markdown", "github", "azure", "sarif", "junit", "gitlab", "html",
           "xlsx")  # fmt: skip


class Targets(NamedTuple):
    """The answer's format and file (None: stdout), and (format, file) of further ones."""

    format: str
    file: str | None
    others: tuple[tuple[str, str], ...]


def targets(format: str | None, items: Sequence[str]) -> Targets:
    """Sort `--format` and `--output` out: `FORMAT=FILE`, or `FILE` for the answer itself; `-`
    is stdout.

    UsageError for a word that is neither, and where two files are named for the answer.
    """
    from gpuadvisor.cli.options import chosen_format
    from gpuadvisor.cli.output import implied

    main: str | None = None
    others = []
    for item in items:
        name, equals, file = item.partition("=")
        if equals and file and name in WRITTEN:
            others.append((name, file))
        elif item == "-":
            continue
        elif name in FORMATS or (format is None and implied(item) not in WRITTEN):
            raise UsageError(message("check.output", value=item[:80], known=", ".join(WRITTEN)))
        elif main is not None:
            raise UsageError(message("check.output_twice", value=item[:80]))
        else:
            main = item
    wanted = format or (implied(main) if main is not None else None) or "table"
    return Targets(chosen_format(wanted, FORMATS), main, tuple(others))


def write(report: Report, to: Targets) -> None:
    """Write every form; the caller decides the exit code only afterwards."""
    from gpuadvisor.cli.options import PAGES, columns, emit, on_terminal

    documents: dict[str, Mapping[str, Any]] = {}
    files = [*to.others, *([(to.format, to.file)] if to.file is not None else [])]
    for name, file in files:
        _save(_document(report, name, documents), name, file)
    if to.file is not None:
        return
    format = to.format
    doc = _document(report, format, documents)
    if format in PAGES:
        _save(doc, format, None)
        return
    if format == "github":
        from gpuadvisor.report import check_github

        emit(check_github.log(doc))
        check_github.append_summary(check_github.summary(doc))
        check_github.append_outputs(doc)
    elif format == "azure":
        from gpuadvisor.report import check_azure

        shown = check_azure.write_summary(doc)
        emit("\n".join([check_azure.log(doc), *([shown] if shown else [])]))
    elif format == "table" and on_terminal():
        from gpuadvisor.report.check_text import text
        from gpuadvisor.report.colour import styled

        emit(text(doc, columns(), styled))
    else:
        emit(rendered(doc, format))


def _document(report: Report, format: str, made: dict[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """The document in the language of a format, made once for each language."""
    from gpuadvisor.report.check_json import document
    from gpuadvisor.report.messages import speak_in, spoken

    speak_in(format)
    if spoken() not in made:
        made[spoken()] = document(report)
    return made[spoken()]


def _save(doc: Mapping[str, Any], format: str, file: str | None) -> None:
    from gpuadvisor.cli.options import PAGES, emit

    if format in PAGES:
        from gpuadvisor.cli.output import write_page
        from gpuadvisor.report.check_page import page

        write_page(page(doc), format, file)
    else:
        emit(rendered(doc, format), file)


def rendered(doc: Mapping[str, Any], format: str) -> str:
    """The document in a format, without colour."""
    if format == "json":
        import json

        return json.dumps(doc, ensure_ascii=False, indent=2)
    if format == "markdown":
        from gpuadvisor.report.check_markdown import markdown

        return markdown(doc)
    if format == "sarif":
        from gpuadvisor.report.check_sarif import sarif

        return sarif(doc)
    if format == "junit":
        from gpuadvisor.report.check_junit import junit

        return junit(doc)
    if format == "gitlab":
        from gpuadvisor.report.check_gitlab import gitlab

        return gitlab(doc)
    from gpuadvisor.cli.options import columns
    from gpuadvisor.report.check_text import text

    return text(doc, columns())
