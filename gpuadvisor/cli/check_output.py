"""Where the report of a check goes: stdout in one format, files in others."""

from collections.abc import Mapping, Sequence
from typing import Any

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.check.interface import Report

WRITTEN = ("table", "json", "markdown", "sarif", "junit", "gitlab")


def targets(items: Sequence[str]) -> list[tuple[str, str]]:
    """`--output FORMAT=FILE` as (format, file); raises UsageError."""
    found = []
    for item in items:
        format, equals, file = item.partition("=")
        if not equals or not file or format not in WRITTEN:
            raise UsageError(message("check.output", value=item[:80], known=", ".join(WRITTEN)))
        found.append((format, file))
    return found


def write(report: Report, format: str, files: Sequence[tuple[str, str]]) -> None:
    """Write every form; the caller decides the exit code only afterwards."""
    from gpuadvisor.cli.options import columns, emit, on_terminal

    documents: dict[str, Mapping[str, Any]] = {}
    for name, file in files:
        _save(file, rendered(_document(report, name, documents), name))
    doc = _document(report, format, documents)
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


def _save(path: str, text: str) -> None:
    """Atomically: a reader sees the old file or the whole new one."""
    import os
    import tempfile

    folder = os.path.dirname(os.path.abspath(path))
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".partial")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text.rstrip("\n") + "\n")
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        reason = error.strerror or str(error)
        raise UsageError(message("check.output_failed", file=path, reason=reason)) from error
