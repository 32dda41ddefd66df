"""`--output FILE`: what its suffix implies, and a file that is written whole or not at all."""

import os
import stat
import sys
from typing import Any

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.staging import staged

SUFFIXES = {
    ".html": "html", ".htm": "html", ".xlsx": "xlsx", ".json": "json", ".csv": "csv",
    ".md": "markdown",
}  # fmt: skip


def implied(path: str) -> str | None:
    """The format that a file's suffix stands for; None where it stands for none."""
    return SUFFIXES.get(os.path.splitext(path)[1].lower())


def holds_text(path: str) -> bool:
    """Whether a file may hold a plain table: a `.pdf` of one could not be opened."""
    return os.path.splitext(path)[1].lower() in ("", ".txt")


def write_page(page: Any, format: str, path: str | None) -> None:
    """Write a page as `html`, `xlsx` or `markdown` to a file, or to stdout.

    UsageError for a workbook that would go to a terminal, and without the extra `report`.
    """
    if format == "xlsx" and path is None and sys.stdout.isatty():
        raise UsageError(message("page.binary"))
    data = page_bytes(page, format)
    if path is not None:
        save(path, data)
    elif format == "xlsx":
        sys.stdout.buffer.write(data)
    else:
        sys.stdout.write(data.decode())


def page_bytes(page: Any, format: str) -> bytes:
    """A page as `html`, `xlsx` or `markdown`. UsageError without the extra `report`."""
    if format == "xlsx":
        from gpuadvisor.report.page_xlsx import xlsx

        return xlsx(page)
    if format == "html":
        from gpuadvisor.report.page_html import html

        return html(page).encode()
    from gpuadvisor.report.page_markdown import markdown

    return markdown(page).encode()


def save(path: str, data: bytes) -> None:
    """Write atomically: a reader sees the old file or the whole new one.

    A link is followed, a file's mode is kept; a device or pipe is written to. UsageError says why
    it cannot be done; what was there then stays.
    """
    if not path or path.endswith(os.sep) or os.path.isdir(path):
        raise UsageError(message("page.is_folder", file=path))
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            # By its own name: /dev/stdout leads to a pipe, which has no other.
            with open(path, "wb") as stream:
                stream.write(data)
            return
        target = os.path.realpath(path)
        held = staged(target, data, mode_of(target))
        try:
            os.replace(held, target)
        except OSError:
            os.unlink(held)
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(message("page.unwritable", file=path, reason=reason)) from error


def mode_of(target: str) -> int:
    """The mode that a file has and keeps, or what a new one is given: a staged file is its owner's
    alone. PermissionError where it may only be read."""
    if os.path.exists(target):
        if not os.access(target, os.W_OK):
            raise PermissionError(0, "read-only file")
        return stat.S_IMODE(os.stat(target).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
