"""Bodies of answers in bounded memory: unpacked where they are gzip, and cut into lines."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

GZIP = b"\x1f\x8b"
PIECE = 64 * 1024
LONGEST_LINE = 4 * 2**20
"""Bytes of one line; a row of a price list has some hundred."""


class CutShort(Exception):
    """A body that ends before its end."""


class TooLarge(Exception):
    """A body, or one of its lines, that passes the bound."""


def unpacked(pieces: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """The body in pieces of at most 64 KiB, unpacked where it begins like gzip.

    The bytes decide and not the headers: a `.gz` file may come under any of them. Raises TooLarge
    past `limit` unpacked bytes and CutShort where gzip ends early or is damaged.
    """
    total = 0
    source = iter(pieces)
    first = next(source, b"")
    while 0 < len(first) < len(GZIP):
        more = next(source, b"")
        if not more:
            break
        first += more
    whole = _chain(first, source)
    for piece in _gunzipped(whole) if first.startswith(GZIP) else whole:
        total += len(piece)
        if total > limit:
            raise TooLarge
        yield piece


def _chain(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _gunzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    decoder = zlib.decompressobj(wbits=31)
    for piece in pieces:
        left, out = piece, b""
        # A full piece may have more behind it, with all input taken.
        while left or len(out) == PIECE:
            if decoder.eof:
                if not left:
                    break
                # The next member of a concatenated file.
                decoder = zlib.decompressobj(wbits=31)
            try:
                out = decoder.decompress(left, PIECE)
            except zlib.error as error:
                raise CutShort from error
            if out:
                yield out
            left = decoder.unused_data if decoder.eof else decoder.unconsumed_tail
    if not decoder.eof:
        raise CutShort


def as_lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """Lines without their ends, UTF-8; a byte that is none becomes U+FFFD. Raises TooLarge."""
    held = b""
    for piece in pieces:
        *whole, held = (held + piece).split(b"\n")
        for line in whole:
            yield line.rstrip(b"\r").decode("utf-8", "replace")
        if len(held) > LONGEST_LINE:
            raise TooLarge
    if held:
        yield held.rstrip(b"\r").decode("utf-8", "replace")
