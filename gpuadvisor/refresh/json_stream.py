"""Reads a JSON object too large to hold: member by member, one of its objects being gone into."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder(parse_float=Decimal)
_SPACE = " \t\r\n"
LONGEST = 4 * 2**20
"""Characters of one member; one of a price list has some hundred."""


class Malformed(ValueError):
    """No JSON object of that form, or cut short."""


class Member(NamedTuple):
    """A member of the root object, or (`inside`) of the object gone into."""

    inside: bool
    key: str
    value: Any


def members(pieces: Iterable[bytes], into: str) -> Iterator[Member]:
    """Members of the root object in their order; those of its member `into` one at a time.

    Raises Malformed where the text is no such object, holds a member longer than 4 Mi characters
    or ends early.
    """
    text = _Text(pieces)
    text.take("{")
    for key in _keys(text):
        if key == into and text.peek() == "{":
            text.take("{")
            for inner in _keys(text):
                yield Member(True, inner, text.value())
        else:
            yield Member(False, key, text.value())
    if text.peek():
        raise Malformed


def _keys(text: _Text) -> Iterator[str]:
    """Keys of the object that was just opened; each value must be taken before the next key."""
    first = True
    while text.peek() != "}":
        if not first:
            text.take(",")
        first = False
        key = text.value()
        if not isinstance(key, str):
            raise Malformed
        text.take(":")
        yield key
    text.take("}")


class _Text:
    """The text that has come and is not taken yet."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("strict").decode
        self._held, self._at = "", 0

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            while self._at < len(self._held):
                if self._held[self._at] not in _SPACE:
                    return self._held[self._at]
                self._at += 1
            if not self._more():
                return ""

    def take(self, expected: str) -> None:
        """Take that character; Malformed where another stands."""
        if self.peek() != expected:
            raise Malformed
        self._at += 1

    def value(self) -> Any:
        """Take a value of any kind."""
        self.peek()
        while True:
            try:
                found, end = _DECODER.raw_decode(self._held, self._at)
            except RecursionError as error:
                raise Malformed from error
            except ValueError as error:
                if len(self._held) - self._at > LONGEST or not self._more():
                    raise Malformed from error
                continue
            # A number may go on in the next piece.
            if end == len(self._held) and self._more():
                continue
            self._at = end
            return found

    def _more(self) -> bool:
        piece = next(self._pieces, None)
        if piece is None:
            return False
        try:
            fresh = self._decode(piece)
        except UnicodeDecodeError as error:
            raise Malformed from error
        self._held, self._at = self._held[self._at :] + fresh, 0
        return True
