"""Bytes of a file or of standard input -> a `Document`, or an error that says what to do next.

Inputs come from strangers' pull requests and from shells: compressed, cut off, wrapped by a CI
step, in the wrong encoding, or not the file that was meant. Memory is bounded by the size limit.
"""

from __future__ import annotations

import gc
import json
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gpuadvisor.catalog.errors import InputError, Problem
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac.interface import Document

MAX_BYTES = 512 * 1024 * 1024
_CHUNK = 1024 * 1024
_JSON_START = re.compile(r"^[ \t]*\{", re.MULTILINE)
_PROGRAMS = (".ts", ".js", ".mjs", ".py", ".go", ".cs", ".java", ".kt")
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def read_document(path: str, max_bytes: int = MAX_BYTES) -> Document:
    """Read `path`, or standard input for `-`; raises InputError with a hint."""
    if path.endswith(_PROGRAMS):
        raise InputError(message("iac.program", file=path))
    name = "<stdin>" if path == "-" else path
    return document_of(read_bytes(path, max_bytes), name, max_bytes)


def read_bytes(path: str, max_bytes: int = MAX_BYTES) -> bytes:
    """At most `max_bytes` of the file, never more in memory than that."""
    try:
        if path == "-":
            body = sys.stdin.buffer.read(max_bytes + 1)
        else:
            with open(path, "rb") as handle:
                body = handle.read(max_bytes + 1)
    except IsADirectoryError as error:
        raise InputError(message("iac.is_directory", file=path)) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(message("iac.cannot_open", file=path, reason=reason)) from error
    if len(body) > max_bytes:
        raise _too_large(path, max_bytes)
    return body


def document_of(body: bytes, name: str, max_bytes: int = MAX_BYTES) -> Document:
    """Decompress, decode and parse; JSON where it looks like JSON, else YAML."""
    if body[:2] == b"\x1f\x8b":
        body = _gunzip(body, name, max_bytes)
    if body[:4] == b"PK\x03\x04":
        raise InputError(message("iac.binary_plan", file=name))
    text = _decode(body, name)
    del body
    if not text.strip():
        raise InputError(message("iac.empty", file=name))
    if name.endswith((".tf", ".tofu")):
        return Document(name, "hcl", {}, lambda _: None, text)
    # YAML documents may be written as JSON; a raw line break is no part of a JSON string.
    if _is_json(text) and "\n---" not in text:
        return _json(text, name)
    if (wrapped := _wrapped(text)) is not None:
        return _json(text, name, wrapped)
    return _yaml(text, name)


def _too_large(name: str, limit: int) -> InputError:
    return InputError(message("iac.too_large", file=name, limit_mib=limit // (1024 * 1024)))


def _gunzip(body: bytes, name: str, limit: int) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(body, limit + 1)
        if len(unpacked) > limit:
            raise _too_large(name, limit)
        if not unpacker.eof:
            raise InputError(message("iac.gzip_truncated", file=name))
    except zlib.error as error:
        raise InputError(message("iac.gzip_broken", file=name, reason=str(error))) from error
    return unpacked


def _decode(body: bytes, name: str) -> str:
    """UTF-8 with or without a mark; UTF-16 with one, which PowerShell's `>` writes."""
    encoding = _UTF16.get(body[:2])
    try:
        if encoding:
            return body[2:].decode(encoding)
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        what = message("iac.not_utf8", byte=error.start)
        raise _located(name, line, 0, what) from error
    if "\x00" in text[:4096]:
        raise InputError(message("iac.binary", file=name))
    return text


def _located(name: str, line: int, column: int, what: Message) -> InputError:
    return InputError(message("iac.unreadable", file=name), (Problem(name, line, column, what),))


def _is_json(text: str) -> bool:
    head = text[:200].lstrip()
    if head[:1] == "{":
        # A YAML flow mapping or a template `{{` also starts with a brace.
        return head[1:2] != "{"
    return head[:1] == "[" and head[1:].lstrip()[:1] in ("{", "[", "]", '"')


def _wrapped(text: str) -> int | None:
    """Where a plan starts that a CI wrapper printed something in front of."""
    if '"format_version"' not in text:
        return None
    found = _JSON_START.search(text)
    return found.start() if found else None


def _json(text: str, name: str, start: int = 0) -> Document:
    start = _skip_space(text, start)
    try:
        with collection_paused():
            decoder = json.JSONDecoder(parse_constant=_no_constant)
            data, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise _json_fault(text, name, error) from error
    except RecursionError:
        raise InputError(message("iac.too_deep_json", file=name)) from None
    except ValueError as error:
        raise _located(name, 0, 0, message("iac.json_value", reason=str(error)[:100])) from error
    tail = text[end : end + 2000].strip()
    if tail:
        _check_tail(data, tail, name)
    return Document(name, "json", data, lambda _: None, text if len(text) < 4 * _CHUNK else "")


@contextmanager
def collection_paused() -> Iterator[None]:
    """No cyclic collection inside: while millions of containers are built or held, each pass
    walks all of them and frees nothing (half of the time on a plan of 100,000 resources)."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _skip_space(text: str, start: int) -> int:
    while start < len(text) and text[start] in " \t\r\n":
        start += 1
    return start


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _check_tail(data: Any, tail: str, name: str) -> None:
    """Several JSON values in a row: `plan -json` lines, or a plan with a wrapper's tail."""
    if isinstance(data, dict) and "@level" in data:
        raise InputError(message("iac.plan_json_lines", file=name))
    if isinstance(data, dict) and "format_version" in data:
        return
    raise InputError(message("iac.json_tail", file=name))


def _json_fault(text: str, name: str, error: json.JSONDecodeError) -> InputError:
    rest = text[error.pos :].strip()
    cut_off = not rest or error.msg.startswith("Unterminated string")
    what = "iac.json_truncated" if cut_off else "iac.json_syntax"
    if not cut_off and ("{{" in text[max(0, error.pos - 80) : error.pos + 80]):
        what = "iac.json_unrendered"
    return _located(name, error.lineno, error.colno, message(what, reason=error.msg))


def _yaml(text: str, name: str) -> Document:
    if "Terraform will perform the following actions" in text or "OpenTofu will perform" in text:
        raise InputError(message("iac.plan_as_text", file=name))
    # Imported here: a plan needs no YAML, and the import costs more than reading a small plan.
    from gpuadvisor.iac import cloudformation, yamlsafe

    tagged = cloudformation.tagged if cloudformation.looks_like(text) else None
    loaded = yamlsafe.load_all(text, name, tagged)
    return Document(name, "yaml", loaded.documents, lambda item: loaded.lines.get(id(item)), text)
