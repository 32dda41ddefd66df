"""`--output FILE`: what its suffix implies, and a file that is written whole or not at all."""

import os
import stat
import sys
from typing import Any

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message

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
    if format == "xlsx":
        from gpuadvisor.report.page_xlsx import xlsx

        data = xlsx(page)
    elif format == "html":
        from gpuadvisor.report.page_html import html

        data = html(page).encode()
    else:
        from gpuadvisor.report.page_markdown import markdown

        data = markdown(page).encode()
    if path is not None:
        save(path, data)
    elif format == "xlsx":
        sys.stdout.buffer.write(data)
    else:
        sys.stdout.write(data.decode())


def save(path: str, data: bytes) -> None:
    """Write atomically: a reader sees the old file or the whole new one.

    A link is followed, a file's mode is kept; a device or pipe is written to. UsageError says why
    it cannot be done; what was there then stays.
    """
    import tempfile

    if not path or path.endswith(os.sep) or os.path.isdir(path):
        raise UsageError(message("page.is_folder", file=path))
    temporary = None
    try:
        found = os.stat(path) if os.path.exists(path) else None
        if found is not None and not stat.S_ISREG(found.st_mode):
            # By its own name: /dev/stdout leads to a pipe, which has no other.
            with open(path, "wb") as stream:
                stream.write(data)
            return
        target = os.path.realpath(path)
        if found is not None and not os.access(target, os.W_OK):
            raise PermissionError(0, "read-only file")
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), suffix=".partial")
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, usual_mode() if found is None else stat.S_IMODE(found.st_mode))
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        reason = error.strerror or str(error)
        raise UsageError(message("page.unwritable", file=path, reason=reason)) from error


def usual_mode() -> int:
    """What a new file is given: mkstemp makes it readable to its owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
