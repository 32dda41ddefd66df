"""Where a quote goes: the customer's to stdout, or to a file with the seller's beside it."""

import contextlib
import hashlib
import json
import os
import sys
from typing import NamedTuple

from gpuadvisor.advice.quote_result import Answer, Quote
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.staging import staged
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cli.options import columns, emit, style
from gpuadvisor.cli.output import mode_of, page_bytes

INTERNAL = ".internal.json"
_PRIVATE = 0o600
"""Cost and margin are for the seller's eyes: the umask alone would show them to the group."""


class Wanted(NamedTuple):
    """The format and file that were asked for, and the catalogs that the answer rests on."""

    format: str
    output: str | None
    catalog: Catalog
    overlays: tuple[str, ...]


def show(answer: Answer, wanted: Wanted) -> None:
    """Write the quote; to a file only together with its internal half."""
    if wanted.output is not None:
        _write(answer, wanted, wanted.output)
    elif wanted.format == "table":
        from gpuadvisor.report.quote_text import text

        emit(text(answer.quote, columns(), style()))
    elif wanted.format == "xlsx":
        if sys.stdout.isatty():
            raise UsageError(message("page.binary"))
        sys.stdout.buffer.write(rendered(answer.quote, wanted.format))
    else:
        emit(rendered(answer.quote, wanted.format).decode())
    _remark(answer)


def rendered(quote: Quote, format: str) -> bytes:
    """The customer's quote in a format. Nothing of the internal half can get in: it is not here."""
    if format == "json":
        from gpuadvisor.report.quote_json import document

        return (json.dumps(document(quote), ensure_ascii=False, indent=2) + "\n").encode()
    if format == "csv":
        from gpuadvisor.report.quote_json import table

        return table(quote).encode()
    if format == "table":
        from gpuadvisor.report.quote_text import text

        return (text(quote, 80, hint=False) + "\n").encode()
    from gpuadvisor.report.quote_page import page

    return page_bytes(page(quote), format)


def _write(answer: Answer, wanted: Wanted, path: str) -> None:
    from gpuadvisor.report.messages import render, spoken
    from gpuadvisor.report.quote_internal import document

    language = ("--lang", spoken())
    data = rendered(answer.quote, wanted.format)
    written = {
        "name": os.path.basename(path),
        "format": wanted.format,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    inner = document(answer, wanted.catalog, wanted.overlays, written, language)
    beside = path + INTERNAL
    save_pair(path, data, beside, (json.dumps(inner, ensure_ascii=False, indent=2) + "\n").encode())
    print(render(message("quote.written", file=path, internal=beside)))


def _remark(answer: Answer) -> None:
    """What the seller should look at, on stderr: it is no part of the quote."""
    from gpuadvisor.report.messages import render
    from gpuadvisor.report.text import printable

    for remark in answer.internal.remarks:
        print(printable(f"- {render(remark)}"), file=sys.stderr)


def save_pair(path: str, data: bytes, beside: str, inner: bytes) -> None:
    """Write both files, or leave both as they were. UsageError says what was in the way.

    Both are written in full under other names first, so that only two renames remain; if the
    second fails, the first is taken back.
    """
    made: list[str] = []
    try:
        first = _staged(path, data, None, made)
        second = _staged(beside, inner, _PRIVATE, made)
        kept = _kept(path, made)
        os.replace(first, os.path.realpath(path))
        try:
            os.replace(second, os.path.realpath(beside))
        except OSError:
            if kept is None:
                os.unlink(os.path.realpath(path))
            else:
                os.replace(kept, os.path.realpath(path))
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            message("quote.pair_failed", file=path, internal=beside, reason=reason)
        ) from error
    finally:
        for name in made:
            with contextlib.suppress(OSError):
                os.unlink(name)


def _staged(path: str, data: bytes, mode: int | None, made: list[str]) -> str:
    """The data in a file of its own beside `path`, on disk; an existing file's mode is kept."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise IsADirectoryError(0, "not a regular file")
    kept = mode_of(target)
    made.append(staged(target, data, kept if mode is None else mode))
    return made[-1]


def _kept(path: str, made: list[str]) -> str | None:
    """A copy of what stands at `path`, to be put back; None where nothing does."""
    target = os.path.realpath(path)
    if not os.path.exists(target):
        return None
    with open(target, "rb") as stream:
        return _staged(path, stream.read(), None, made)
